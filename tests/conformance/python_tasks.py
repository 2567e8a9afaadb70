"""Environments of Gymnasium and dm_control on corten and on the reference, with equal seeds and equal actions.

Every library plays all of them in a process of its own and writes down what it observed and was rewarded. A motion with
contacts multiplies the last bit of a number until it fills the screen, so the reference plays again, twice, from states
that were moved by 1e-12: corten may differ from the reference as much as the reference from itself, times ten, and by
rounding. Where the reference has come apart from itself, nothing more is asked.

usage: python python_tasks.py BUILD_DIR    (the interpreter must have mujoco 3.5.0, gymnasium and dm_control)
"""

import os
import pickle
import subprocess
import sys
import tempfile

STEPS = 60          # of an environment, each several of the engine
ROUNDING = 1e-9     # relative, of what is observed
NUDGES = (1e-12, -1.5e-12)
APART = 1e-3        # the reference no longer agrees with itself
SECONDS = 3000
PICTURES = "needs pictures"  # and is not asked

GYMNASIUM = ["Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5", "InvertedPendulum-v5",
             "InvertedDoublePendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5"]


def move(data, nudge):
  """Another state, so near that only a chaotic motion notices."""
  import numpy as np
  data.qpos[:] += nudge * np.random.RandomState(1 + (nudge < 0)).uniform(-1, 1, len(data.qpos))


def play_gymnasium(name, nudge):
  import gymnasium
  import numpy as np
  env = gymnasium.make(name)
  env.action_space.seed(7)
  seen = [np.append(np.asarray(env.reset(seed=3)[0], float).ravel(), [0, 0, 0])]
  move(env.unwrapped.data, nudge)
  for _ in range(STEPS):
    observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
    seen.append(np.append(np.asarray(observation, float).ravel(), [reward, terminated, truncated]))
    if terminated or truncated:
      seen.append(np.append(np.asarray(env.reset()[0], float).ravel(), [0, 0, 0]))
      move(env.unwrapped.data, nudge)
  env.close()
  return seen


def play_suite(name, nudge):
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
  move(env.physics.data, nudge)
  for _ in range(STEPS):
    seen.append(flat(env.step(random.uniform(np.maximum(low, -1e3), np.minimum(high, 1e3)))))
  return seen


def all_names():
  from dm_control import suite
  return ([("gymnasium", name) for name in GYMNASIUM] +
          [("dm_control", f"{domain}.{task}") for domain, task in sorted(suite.ALL_TASKS)])


def answer(output, nudge):
  """Runs in a process of its own: plays everything and writes it down."""
  results = {}
  for kind, name in all_names():
    try:
      play = play_gymnasium if kind == "gymnasium" else play_suite
      results[kind, name] = play(name, nudge)
    except Exception as error:  # goes into the table
      results[kind, name] = f"{type(error).__name__}: {error}"
  with open(output, "wb") as file:
    pickle.dump(results, file)


def run(folder, name, nudge, environment):
  output = os.path.join(folder, name)
  ended = subprocess.run([sys.executable, os.path.abspath(__file__), "--answer", output, str(nudge)], cwd=folder,
                         env=environment, timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="replace")
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
  """(verdict, worst difference, steps that were compared) of one environment."""
  if isinstance(original, str) and "OpenGL" in original:
    return PICTURES, 0, 0
  if isinstance(original, str):
    return f"not even on the original: {original}", 0, 0
  if isinstance(ours, str):
    return ours, 0, 0
  worst, spread = 0, 0
  for step, (a, c) in enumerate(zip(original, ours)):
    for other in nudged:
      if not isinstance(other, str) and step < len(other):
        spread = max(spread, difference(a, other[step]))
    if spread > APART:
      return "equal", worst, step
    found = difference(a, c)
    worst = max(worst, found)
    if not found <= max(ROUNDING, 10 * spread):
      return f"differs by {found:.2g} at step {step}", worst, step
  return ("equal" if len(original) == len(ours) else "another number of episodes"), worst, len(original)


def check(build):
  """Rows (kind, name, verdict, worst, steps) of all environments."""
  corten = os.path.join(os.path.abspath(build), "lib", "corten")
  plain = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
  plain.update(MUJOCO_GL="disable", OMP_NUM_THREADS="1")
  with tempfile.TemporaryDirectory() as folder:
    original = run(folder, "the original", 0, plain)
    nudged = [run(folder, f"the original moved by {nudge}", nudge, plain) for nudge in NUDGES]
    ours = run(folder, "corten", 0, dict(plain, LD_LIBRARY_PATH=corten))
  return [(kind, name) + judge(original[key], [n[key] for n in nudged], ours[key])
          for key in original for kind, name in [key]]


def main(build):
  wrong = 0
  for kind, name, verdict, worst, steps in check(build):
    wrong += verdict not in ("equal", PICTURES)
    print(f"  {kind:10} {name:34} {verdict:30} worst {worst:.1e} in {steps} steps")
  return 1 if wrong else 0


if __name__ == "__main__":
  if len(sys.argv) == 4 and sys.argv[1] == "--answer":
    answer(sys.argv[2], float(sys.argv[3]))
  elif len(sys.argv) == 2:
    sys.exit(main(sys.argv[1]))
  else:
    sys.exit(__doc__)
