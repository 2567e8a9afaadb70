"""The tasks of corten.tasks beside Gymnasium's on the reference, with equal seeds and equal actions, for 1000 steps.

Three runs of every task, some environments each: Gymnasium's, ours, and Gymnasium's again from starts that were moved by
1e-14. Actions belong to environment, episode and step of the episode, so that episodes can be compared however long those
before were. While the reference agrees with itself, we must agree with it to 1e-6; where a motion is chaotic it comes apart
from itself, and the table says after how many steps. There, the other measure still holds: ours is put into the reference's
state before every step, and must be where the reference is after it, 1000 times.

usage: PYTHONPATH=BUILD_DIR/python python python_trajectories.py    (the interpreter must have gymnasium[mujoco] 1, mujoco 3.5.0)
"""

import sys

STEPS = 1000
ENVIRONMENTS = 2
SEED = 21
TOLERANCE = 1e-6   # of observations and rewards, relative to the largest number where that is above 1
NUDGE = 1e-14
TASKS = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum",
         "Pusher", "Reacher", "Swimmer", "Walker2d"]


class Player:
  """Plays a vector of environments and keeps what was seen by environment and episode."""

  def __init__(self, envs):
    import numpy as np
    self.envs = envs
    self.observation = envs.reset(seed=SEED)[0]
    self.episode = np.zeros(envs.num_envs, int)
    self.step_of = np.zeros(envs.num_envs, int)
    self.seen = {}

  def actions(self):
    import numpy as np
    space = self.envs.single_action_space
    return np.array([np.random.default_rng([7, i, self.episode[i], max(0, self.step_of[i])]).uniform(space.low, space.high)
                     for i in range(self.envs.num_envs)], np.float32)

  def step(self):
    import numpy as np
    observation, reward, terminated, truncated, _ = self.envs.step(self.actions())
    for i in range(self.envs.num_envs):
      row = np.concatenate((np.asarray(observation[i], float), [reward[i], terminated[i], truncated[i]]))
      self.seen.setdefault((i, self.episode[i]), []).append(row)
      self.step_of[i] += 1  # from -1, a step that only started the episode, to 0
      if terminated[i] or truncated[i]:
        self.episode[i] += 1
        self.step_of[i] = -1


def difference(a, b):
  """Relative to the largest number: forces of a humanoid have thousands of newtons."""
  import numpy as np
  return float(np.max(abs(a - b))) / max(1.0, float(np.max(abs(a))))


def apart(one, other):
  """{episode: steps until the two differ by more than the tolerance, or their number}."""
  result = {}
  for key, rows in one.items():
    others = other.get(key, [])
    n = min(len(rows), len(others))
    result[key] = next((t for t in range(n) if not difference(rows[t], others[t]) <= TOLERANCE), n)
  return result


def play(name, nudge=0):
  import gymnasium
  import numpy as np
  envs = gymnasium.make_vec(name, num_envs=ENVIRONMENTS, **({} if "/" in name else {"vectorization_mode": "sync"}))
  if nudge:
    for env in envs.envs:
      task = env.unwrapped
      place = task.set_state
      random = np.random.default_rng(1)
      task.set_state = lambda q, v, place=place, random=random: place(q + nudge * random.uniform(-1, 1, len(q)), v)
  player = Player(envs)
  for _ in range(STEPS):
    player.step()
  envs.close()
  return player.seen


def follow(name):
  """Largest difference after a step from the reference's own state."""
  import gymnasium
  import mujoco
  import numpy as np
  import corten
  theirs = Player(gymnasium.make_vec(name, num_envs=ENVIRONMENTS, vectorization_mode="sync"))
  ours = gymnasium.make_vec("corten/" + name, num_envs=ENVIRONMENTS)
  ours.reset(seed=SEED)
  worst = 0
  size = ours.model.state_size()
  states = np.empty((ENVIRONMENTS, size))
  for _ in range(STEPS):
    for i, env in enumerate(theirs.envs.envs):
      mujoco.mj_getState(env.unwrapped.model, env.unwrapped.data, states[i], corten.STATE_INTEGRATION)
    ours.batch.set_state(states)
    episode = theirs.episode.copy()
    found = ours.step(theirs.actions())
    theirs.step()
    for i in range(ENVIRONMENTS):
      row = np.concatenate((found[0][i], [found[1][i], found[2][i], found[3][i]]))
      other = theirs.seen[i, episode[i]][-1]
      worst = max(worst, difference(other, row))
  ours.close()
  theirs.envs.close()
  return worst


def check():
  """Rows (task, verdict, episodes, shortest agreement with the reference, of the reference with itself, one step)."""
  import corten.tasks  # noqa: F401
  for task in TASKS:
    name = task + "-v5"
    original, ours, moved = play(name), play("corten/" + name), play(name, NUDGE)
    same, self_same = apart(original, ours), apart(original, moved)
    lengths = {key: len(rows) for key, rows in original.items()}
    # our last episode may be cut short because others, chaotic ones, were longer
    last = {i: max(episode for j, episode in ours if j == i) for i in range(ENVIRONMENTS)}
    there = {key: lengths[key] if key[1] < last[key[0]] else len(ours.get(key, [])) for key in lengths}
    # a last bit of ours may be another one than the nudge's: half the steps are asked for
    asked = {key: min(lengths[key], there[key], max(1, self_same[key] // 2)) for key in lengths}
    short = [key for key in asked if same[key] < asked[key]]
    one = follow(name)
    verdict = "equal"
    if short:
      verdict = f"differs: episode {short[0]} after {same[short[0]]} of {lengths[short[0]]} steps, itself {self_same[short[0]]}"
    elif not one <= TOLERANCE:
      verdict = f"a step differs by {one:.1e}"
    agree = sum(same.values())
    yield task, verdict, len(lengths), agree, sum(self_same.values()), sum(lengths.values()), one


def main():
  wrong = 0
  print(f"  {'task':24} {'episodes':>8} {'steps':>6} {'equal to 1e-6':>14} {'reference to itself':>20} {'one step':>9}")
  for task, verdict, episodes, agree, itself, steps, one in check():
    wrong += verdict != "equal"
    print(f"  {task:24} {episodes:8} {steps:6} {agree:14} {itself:20} {one:9.1e}  {verdict}", flush=True)
  return 1 if wrong else 0


if __name__ == "__main__":
  if len(sys.argv) != 1:
    sys.exit(__doc__)
  sys.exit(main())
