"""Pictures that people learn from: Gymnasium's render_mode="rgb_array", pixel observations of dm_control's suite, and the tasks
of its manipulation with vision, on corten and on the reference.

Both libraries reset every environment with the same seed and make one step without action, each in a process of its own, under
the same OpenGL (offscreen through EGL; MUJOCO_GL=osmesa for OSMesa). Compared is the structural similarity of what they see.
What the interpreter lacks is skipped, and said.

usage: python python_pictures.py BUILD_DIR [NAME ...]    (the interpreter must have mujoco 3.5.0; gymnasium and dm_control)
"""

import importlib.util
import os
import pickle
import subprocess
import sys
import tempfile

import python_tasks

SECONDS = 3000


def see_gymnasium(name):
  import gymnasium
  env = gymnasium.make(name, render_mode="rgb_array", width=160, height=120)
  env.reset(seed=3)
  seen = [env.render()]
  env.step(0 * env.action_space.sample())
  seen.append(env.render())
  env.close()
  return seen


def see_suite(name):
  from dm_control import suite
  from dm_control.suite.wrappers import pixels
  domain, task = name.split(".")
  env = suite.load(domain, task, task_kwargs={"random": 5})
  env = pixels.Wrapper(env, render_kwargs={"height": 120, "width": 160, "camera_id": 0})
  spec = env.action_spec()
  return [step.observation["pixels"].copy() for step in (env.reset(), env.step(spec.generate_value() * 0))]


def see_manipulation(name):
  from dm_control import manipulation
  env = manipulation.load(name, seed=5)
  spec = env.action_spec()
  steps = [env.reset(), env.step(spec.generate_value() * 0)]
  return [value[0].copy() for step in steps for value in step.observation.values() if value.ndim == 4 and value.shape[-1] == 3]


LOOK = {"gymnasium": see_gymnasium, "pixels": see_suite, "vision": see_manipulation}
PACKAGE = {"gymnasium": "gymnasium", "pixels": "dm_control", "vision": "dm_control"}


def all_names(kind):
  if kind == "gymnasium":
    return python_tasks.GYMNASIUM
  if kind == "pixels":
    from dm_control import suite
    return [f"{domain}.{task}" for domain, task in sorted(suite.ALL_TASKS)]
  from dm_control import manipulation
  return sorted(manipulation.get_environments_by_tag("vision"))


def is_corten():
  """Whether the library that mujoco has loaded has a symbol of corten's own."""
  import ctypes
  import mujoco  # noqa: F401 (loads the library)
  with open("/proc/self/maps") as maps:
    paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "libmujoco.so" in line}
  return any(hasattr(ctypes.CDLL(path), "ct_version") for path in paths)


def answer(output, kinds, names):
  """Runs in a process of its own: looks at everything, or at what is named, and writes it down."""
  results = {"corten": is_corten()}
  for kind in kinds.split(","):
    for name in all_names(kind):
      if names and name not in names:
        continue
      try:
        results[kind, name] = LOOK[kind](name)
      except Exception as error:  # goes into the table
        results[kind, name] = f"{type(error).__name__}: {error}"
  with open(output, "wb") as file:
    pickle.dump(results, file)


def start(output, kinds, names, library_path):
  environment = dict(os.environ)
  environment.setdefault("MUJOCO_GL", "egl")
  if library_path:
    environment["LD_LIBRARY_PATH"] = library_path
  command = [sys.executable, os.path.abspath(__file__), "--answer", output, kinds] + list(names)
  # drivers complain on their way out; what counts is the file
  return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def look_at_both(build, kinds, names):
  """What the reference and corten see, at the same time."""
  with tempfile.TemporaryDirectory() as folder:
    files = [os.path.join(folder, name) for name in ("reference", "corten")]
    library_path = os.path.join(os.path.abspath(build), "lib", "corten")
    children = [start(files[0], ",".join(kinds), names, None), start(files[1], ",".join(kinds), names, library_path)]
    for child in children:
      child.wait(SECONDS)
    results = []
    for file in files:
      with open(file, "rb") as opened:
        results.append(pickle.load(opened))
  if [result.pop("corten") for result in results] != [False, True]:
    sys.exit("one of the processes had the other's library")
  return results


def judge(reference, corten):
  """(verdict, least similarity) of one environment."""
  import numpy as np
  import pictures
  if isinstance(reference, str):
    return f"not even on the original: {reference}", 0
  if isinstance(corten, str):
    return corten, 0
  least = 1.0
  for a, b in zip(reference, corten):
    if a.shape != b.shape or b.dtype != np.uint8:
      return f"{b.shape} {b.dtype} instead of {a.shape}", 0
    if b.min() == b.max():
      return "there is nothing to be seen", 0
    least = min(least, pictures.similarity(a, b))
  if not reference or len(reference) != len(corten):
    return f"{len(corten)} pictures instead of {len(reference)}", 0
  return ("equal" if least >= pictures.LEAST_SIMILARITY else "not similar enough"), least


def check(build, names=()):
  """(kind, name, verdict, least similarity) of everything; kinds that cannot be asked are skipped with a line."""
  kinds = [kind for kind in LOOK if importlib.util.find_spec(PACKAGE[kind])]
  for kind in LOOK:
    if kind not in kinds:
      print(f"  skipped: {kind}: this interpreter has no {PACKAGE[kind]}")
  if not kinds:
    return
  reference, corten = look_at_both(build, kinds, names)
  for kind, name in reference:
    yield (kind, name) + judge(reference[kind, name], corten[kind, name])


def main(build, names):
  table = {}
  for kind, name, verdict, least in check(build, names):
    counts = table.setdefault(kind, [0, 0, (2.0, "")])
    counts[1] += 1
    counts[0] += verdict == "equal"
    counts[2] = min(counts[2], (least, name))
    if verdict != "equal":
      print(f"  {kind}.{name}: {' '.join(verdict.split())[:160]} ({least:.3f})")
  for kind, (equal, asked, (least, name)) in table.items():
    print(f"  {kind}: {equal} of {asked} look like the reference's; the least similar is {name}, {least:.4f}")
  return 0 if all(equal == asked for equal, asked, _ in table.values()) else 1


if __name__ == "__main__":
  if len(sys.argv) < 2:
    sys.exit(__doc__)
  if sys.argv[1] == "--answer":
    answer(sys.argv[2], sys.argv[3], sys.argv[4:])
    os._exit(0)  # renderers that outlive their context complain
  sys.exit(main(sys.argv[1], sys.argv[2:]))
