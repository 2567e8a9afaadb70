"""Environments of Gymnasium and dm_control on corten and on the reference, with equal seeds and equal actions.

Every library plays all of them in a process of its own and writes down what it observed and was rewarded. A motion with
contacts multiplies the last bit of a number until it fills the screen, so how far rounding goes is measured in the same
run: the reference plays three times more, its positions and velocities moved by at most 1e-15 before every step, as those
of an engine with roundings of its own are. corten may differ from the reference as much as the reference from itself,
times ten, and by 1e-9. Where the reference has come apart from itself, by 1e-3, only corten's being equal counts: the
first step that is not ends the comparison. The table says how far the two are apart, how far the reference is from itself,
and in how many steps.

usage: python python_tasks.py BUILD_DIR [NAME ...]    (the interpreter must have mujoco 3.5.0, gymnasium and dm_control)
"""

import os
import pickle
import subprocess
import sys
import tempfile

STEPS = 60          # of an environment, each several of the engine
ROUNDING = 1e-9     # relative, of what is observed
NUDGE = 1e-15       # relative to the larger of 1 and the number
NUDGED = 3          # runs of the reference
APART = 1e-3        # the reference no longer agrees with itself
SECONDS = 3000
PICTURES = "needs pictures"  # and is not asked

GYMNASIUM = ["Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5", "InvertedPendulum-v5",
             "InvertedDoublePendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5"]


class Nudges:
  """Moves positions and velocities by rounding; those of the same seed are the same."""

  def __init__(self, seed):
    import numpy as np
    self.random = np.random.RandomState(seed) if seed else None

  def move(self, data):
    import numpy as np
    for array in (data.qpos, data.qvel) if self.random else ():
      array[:] += NUDGE * np.maximum(1, abs(array)) * self.random.uniform(-1, 1, array.shape)


def play_gymnasium(name, nudges):
  import gymnasium
  import numpy as np
  env = gymnasium.make(name)
  env.action_space.seed(7)
  seen = [np.append(np.asarray(env.reset(seed=3)[0], float).ravel(), [0, 0, 0])]
  for _ in range(STEPS):
    nudges.move(env.unwrapped.data)
    observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
    seen.append(np.append(np.asarray(observation, float).ravel(), [reward, terminated, truncated]))
    if terminated or truncated:
      seen.append(np.append(np.asarray(env.reset()[0], float).ravel(), [0, 0, 0]))
  env.close()
  return seen


def play_suite(name, nudges):
  from dm_control import suite
  import numpy as np
  domain, task = name.split(".")
  env = suite.load(domain, task, task_kwargs={"random": 5})
  random = np.random.RandomState(11)
  low, high = env.action_spec().minimum, env.action_spec().maximum

  def flat(timestep):
    parts = [np.asarray(value, float).ravel() for value in timestep.observation.values()]
    return np.concatenate(parts + [[timestep.reward or 0, timestep.last()]])
  seen = [flat(env.reset())]
  for _ in range(STEPS):
    nudges.move(env.physics.data)
    seen.append(flat(env.step(random.uniform(np.maximum(low, -1e3), np.minimum(high, 1e3)))))
  return seen


def all_names():
  from dm_control import suite
  return ([("gymnasium", name) for name in GYMNASIUM] +
          [("dm_control", f"{domain}.{task}") for domain, task in sorted(suite.ALL_TASKS)])


def answer(output, seed, names):
  """Runs in a process of its own: plays everything, or what is named, and writes it down."""
  results = {}
  for kind, name in all_names():
    if names and name not in names:
      continue
    try:
      play = play_gymnasium if kind == "gymnasium" else play_suite
      results[kind, name] = play(name, Nudges(seed))
    except Exception as error:  # goes into the table
      results[kind, name] = f"{type(error).__name__}: {error}"
  with open(output, "wb") as file:
    pickle.dump(results, file)


def run(folder, name, seed, names, environment):
  output = os.path.join(folder, name)
  command = [sys.executable, os.path.abspath(__file__), "--answer", output, str(seed)] + list(names)
  ended = subprocess.run(command, cwd=folder, env=environment, timeout=SECONDS, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace")
  if ended.returncode != 0:
    sys.exit(f"the tasks on {name} ended with code {ended.returncode}:\n{ended.stdout[-3000:]}")
  with open(output, "rb") as file:
    return pickle.load(file)


def difference(a, b):
  import numpy as np
  if a.shape != b.shape:
    return float("inf")
  scale = np.maximum(1, np.maximum(abs(a), abs(b)))
  return float(np.max(abs(a - b) / scale, initial=0))


def judge(original, nudged, ours):
  """(verdict, worst difference, that of the reference from itself, steps that were compared) of one environment."""
  if isinstance(original, str) and "OpenGL" in original:
    return PICTURES, 0, 0, 0
  if isinstance(original, str):
    return f"not even on the original: {original}", 0, 0, 0
  if isinstance(ours, str):
    return ours, 0, 0, 0
  worst, spread = 0, 0
  for step, (a, c) in enumerate(zip(original, ours)):
    for other in nudged:
      if not isinstance(other, str) and step < len(other):
        spread = max(spread, difference(a, other[step]))
    found = difference(a, c)
    if spread > APART and not found <= ROUNDING:
      return "equal", worst, spread, step
    worst = max(worst, found)
    if not found <= max(ROUNDING, 10 * spread):
      return f"differs by {found:.2g} at step {step}", worst, spread, step
  return ("equal" if len(original) == len(ours) else "another number of episodes"), worst, spread, len(original)


def check(build, names=()):
  """Rows (kind, name, verdict, worst, spread, steps) of all environments, or of those that are named."""
  corten = os.path.join(os.path.abspath(build), "lib", "corten")
  plain = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
  plain.update(MUJOCO_GL="disable", OMP_NUM_THREADS="1")
  with tempfile.TemporaryDirectory() as folder:
    original = run(folder, "the original", 0, names, plain)
    nudged = [run(folder, f"the original, nudged for the {seed}. time", seed, names, plain)
              for seed in range(1, NUDGED + 1)]
    ours = run(folder, "corten", 0, names, dict(plain, LD_LIBRARY_PATH=corten))
  return [(kind, name) + judge(original[key], [n[key] for n in nudged], ours[key])
          for key in original for kind, name in [key]]


def main(build, names):
  wrong = 0
  for kind, name, verdict, worst, spread, steps in check(build, names):
    wrong += verdict not in ("equal", PICTURES)
    print(f"  {kind:10} {name:34} {verdict:30} worst {worst:.1e}, reference from itself {spread:.1e}, in {steps} steps")
  return 1 if wrong else 0


if __name__ == "__main__":
  if len(sys.argv) >= 4 and sys.argv[1] == "--answer":
    answer(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
  elif len(sys.argv) >= 2:
    sys.exit(main(sys.argv[1], sys.argv[2:]))
  else:
    sys.exit(__doc__)
