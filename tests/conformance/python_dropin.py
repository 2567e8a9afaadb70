"""Runs the reference's Python package on corten and compares its answers with the original's.

The same questions are asked in processes of their own: with the package as it is installed, and with corten's library
first on the loader's path. Each writes its answers to a file; this process compares them, value by value.

Some arrays are undefined until a step fills them. The original therefore answers twice, with fresh memory filled with
different bytes: where its two answers differ, nothing is expected of corten.

Questions that need functions which corten does not have yet are listed as such and do not count as failures: what
counts is that the package says so with an exception and lives on.

usage: python python_dropin.py BUILD_DIR    (the interpreter must have mujoco 3.5.0)
"""

import collections
import copy
import ctypes
import glob
import math
import os
import pickle
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = sorted(glob.glob(os.path.join(HERE, os.pardir, "recorded", "models", "*.mjb")))
SHOWN_DIFFERENCES = 12
MATH_TOLERANCE = 1e-15  # relative; everything else must agree to the bit
NOT_YET = "not part of this version of corten"

# Pointers to the memory of plugins.
POINTERS = {"plugin_data"}

PLUGIN_MODEL = """
<mujoco>
  <extension>
    <plugin plugin="mujoco.pid">
      <instance name="gains"><config key="kp" value="4"/><config key="ki" value="1"/></instance>
    </plugin>
    <plugin plugin="mujoco.sensor.touch_grid"/>
  </extension>
  <worldbody>
    <body><joint name="hinge"/><geom size=".1"/><site name="skin"/></body>
  </worldbody>
  <actuator><plugin joint="hinge" plugin="mujoco.pid" instance="gains" actdim="1"/></actuator>
  <sensor>
    <plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="skin">
      <config key="size" value="3 2"/><config key="fov" value="10 10"/><config key="gamma" value="0"/>
      <config key="nchannel" value="1"/>
    </plugin>
  </sensor>
</mujoco>
"""


def plain(value):
  """A value that can be pickled and compared without mujoco."""
  import numpy as np
  if isinstance(value, np.ndarray):
    return ("array", str(value.dtype), value.shape, value.tobytes())
  if isinstance(value, (np.generic,)):
    return value.item()
  if isinstance(value, (list, tuple)):
    return [plain(v) for v in value]
  return value


def fields(struct, skip=()):
  """All numbers and arrays of a struct of the package, by name."""
  import numpy as np
  result = {}
  for name in sorted(set(dir(struct)) - set(skip)):
    if name.startswith("_"):
      continue
    value = getattr(struct, name)
    if isinstance(value, (int, float, np.ndarray)):
      result[name] = plain(value)
  return result


class Answers:
  """What one library answered, by question."""

  def __init__(self, folder):
    self.folder = folder
    self.values = {}

  def ask(self, question, function):
    try:
      self.values[question] = plain(function())
    except Exception as error:  # the type is part of the answer, the wording is not
      kind = type(error).__name__
      self.values[question] = ("not yet", str(error)) if NOT_YET in str(error) else ("raised", kind)


def set_up_state(model, data):
  """A state in which every number differs from its neighbours and from zero."""
  import numpy as np
  for i, name in enumerate(["qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
                            "userdata", "qacc_warmstart", "plugin_state"]):
    array = getattr(data, name)
    array[...] = (0.01 * np.arange(1, array.size + 1) + i).reshape(array.shape)
  data.time = 0.125


def ask_about_model(answers, name, path):
  import mujoco
  import numpy as np
  model = mujoco.MjModel.from_binary_path(path)
  with open(path, "rb") as file:
    original = file.read()

  answers.ask(f"{name}: model", lambda: sorted(fields(model).items()))
  answers.ask(f"{name}: option", lambda: sorted(fields(model.opt).items()))
  answers.ask(f"{name}: statistic", lambda: sorted(fields(model.stat).items()))
  answers.ask(f"{name}: names", lambda: [
      [mujoco.mj_id2name(model, kind, i) for i in range(-1, model.nbody + 2)] for kind in range(26)])

  def saved(m):
    buffer = np.empty(mujoco.mj_sizeModel(m), np.uint8)
    mujoco.mj_saveModel(m, None, buffer)
    return buffer.tobytes() == original
  answers.ask(f"{name}: saved model", lambda: saved(model))
  answers.ask(f"{name}: copied model", lambda: saved(copy.copy(model)) and saved(copy.deepcopy(model)))
  answers.ask(f"{name}: pickled model", lambda: saved(pickle.loads(pickle.dumps(model))))
  answers.ask(f"{name}: model as virtual file", lambda: saved(
      mujoco.MjModel.from_binary_path("dir/Virtual.mjb", {"virtual.mjb": original})))
  ask_about_data(answers, name, model)


def ask_about_data(answers, name, model):
  import mujoco
  import numpy as np
  data = mujoco.MjData(model)

  def show(d):
    return sorted(fields(d, POINTERS).items())
  answers.ask(f"{name}: fresh data", lambda: show(data))
  set_up_state(model, data)
  answers.ask(f"{name}: written data", lambda: show(data))
  answers.ask(f"{name}: copied data", lambda: [show(copy.copy(data)), show(copy.deepcopy(data))])
  if not model.nplugin:  # the package itself frees the pickled pointers of plugins twice
    answers.ask(f"{name}: pickled data", lambda: show(pickle.loads(pickle.dumps(data))))

  def independent():
    twin = copy.copy(data)
    twin.time = 7
    twin.qpos[:] = 5
    return data.time, data.qpos, twin.time
  answers.ask(f"{name}: a copy is independent", independent)

  nstate = int(mujoco.mjtState.mjNSTATE)
  everything = (1 << nstate) - 1
  specs = [1 << i for i in range(nstate)] + [everything, everything & 0x5555, 0]
  for spec in specs:
    def state(spec=spec):
      size = mujoco.mj_stateSize(model, spec)
      values, back = np.empty(size), np.empty(size)
      mujoco.mj_getState(model, data, values, spec)
      other = mujoco.MjData(model)
      mujoco.mj_setState(model, other, values, spec)
      mujoco.mj_getState(model, other, back, spec)
      return values, bool((values == back).all()), show(other)
    answers.ask(f"{name}: state {spec:#x}", state)
  answers.ask(f"{name}: state of a bad kind", lambda: mujoco.mj_stateSize(model, everything + 1))

  for key in range(-1, model.nkey + 1):
    def reset(key=key):
      mujoco.mj_resetDataKeyframe(model, data, key)
      return show(data)
    answers.ask(f"{name}: key {key}", reset)
  answers.ask(f"{name}: set a key out of range", lambda: mujoco.mj_setKeyframe(model, data, model.nkey))
  answers.ask(f"{name}: reset", lambda: (mujoco.mj_resetData(model, data), show(data))[1])
  ask_by_name(answers, name, model, data)


def ask_by_name(answers, name, model, data):
  """Named access: model.body("x"), data.joint("y") ..."""
  import mujoco
  for kind, count in [("body", model.nbody), ("joint", model.njnt), ("geom", model.ngeom), ("site", model.nsite),
                      ("actuator", model.nu), ("sensor", model.nsensor), ("tendon", model.ntendon),
                      ("key", model.nkey)]:
    for i in range(min(count, 4)):
      def look(kind=kind, i=i):
        view = getattr(model, kind)(i)
        found = [view.id, view.name, sorted(fields(view).items())]
        if view.name:
          found.append(getattr(model, kind)(view.name).id)
        if hasattr(data, kind):
          found.append(sorted(fields(getattr(data, kind)(i)).items()))
        return found
      answers.ask(f"{name}: {kind} {i}", look)
    answers.ask(f"{name}: unknown {kind}", lambda kind=kind: getattr(model, kind)("no such name"))
  answers.ask(f"{name}: unknown name", lambda: mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "no such name"))


def ask_mathematics(answers):
  """A sample of mju_ functions through the bindings; conform_mju compares all of them."""
  import mujoco
  import numpy as np

  def fill(size, function, *arguments):
    result = np.zeros(size)
    function(result, *arguments)
    return {"math": result.ravel().tolist()}
  quat = np.array([0.5, -0.5, 0.1, 0.7])
  quat /= np.linalg.norm(quat)
  vec = np.array([0.3, -1.7, 2.9])
  questions = {
      "axisAngle2Quat": lambda: fill(4, mujoco.mju_axisAngle2Quat, vec / np.linalg.norm(vec), 0.7),
      "mulQuat": lambda: fill(4, mujoco.mju_mulQuat, quat, np.array([0.6, 0.0, 0.8, 0.0])),
      "rotVecQuat": lambda: fill(3, mujoco.mju_rotVecQuat, vec, quat),
      "quat2Mat": lambda: fill(9, mujoco.mju_quat2Mat, quat),
      "quat2Vel": lambda: fill(3, mujoco.mju_quat2Vel, quat, 0.3),
      "cross": lambda: fill(3, mujoco.mju_cross, vec, vec[::-1].copy()),
      "norm": lambda: {"math": [mujoco.mju_norm(vec)]},
      "normalize": lambda: {"math": [mujoco.mju_normalize(vec.copy())]},
      "sigmoid": lambda: {"math": [mujoco.mju_sigmoid(0.3)]},
      "muscle": lambda: {"math": [mujoco.mju_muscleDynamics(0.4, 0.2, np.array([0.01, 0.04, 0.0]))]},
      "Halton": lambda: {"math": [mujoco.mju_Halton(17, 3)]},
      "type2Str": lambda: [mujoco.mju_type2Str(i) for i in range(27)],
      "str2Type": lambda: [mujoco.mju_str2Type(s) for s in ("body", "key", "frame", "")],
      "euler2Quat": lambda: fill(4, mujoco.mju_euler2Quat, vec, "xyz"),
      "bad euler sequence": lambda: fill(4, mujoco.mju_euler2Quat, vec, "abc"),
  }

  def factor():
    matrix = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
    rank = mujoco.mju_cholFactor(matrix, 0)
    result = np.zeros(3)
    mujoco.mju_cholSolve(result, matrix, vec)
    return rank, {"math": result.tolist()}
  questions["Cholesky"] = factor
  for name, function in questions.items():
    answers.ask(f"mju: {name}", function)


def ask_package(answers):
  """The package as a whole: constants, plugins, errors, callbacks, threads."""
  import mujoco
  library = ctypes.CDLL("libmujoco.so.3.5.0")  # the one that is loaded, whichever it is
  library.mjp_getPluginAtSlot.restype = ctypes.POINTER(ctypes.c_char_p)
  answers.ask("package: version", lambda: [mujoco.mj_version(), mujoco.mj_versionString(), mujoco.__version__])
  answers.ask("package: plugins", lambda: sorted(
      library.mjp_getPluginAtSlot(i)[0].decode() for i in range(library.mjp_pluginCount())))
  answers.ask("package: strings", lambda: [
      list(map(str, getattr(mujoco, name))) for name in
      ("mjDISABLESTRING", "mjENABLESTRING", "mjTIMERSTRING", "mjLABELSTRING", "mjFRAMESTRING", "mjVISSTRING",
       "mjRNDSTRING")])
  for struct in ("MjOption", "MjvOption", "MjvCamera", "MjvPerturb", "MjStatistic", "MjLROpt"):
    answers.ask(f"package: default {struct}",
                lambda struct=struct: sorted(fields(getattr(mujoco, struct)()).items()))
  answers.ask("package: no such file", lambda: mujoco.MjModel.from_binary_path("/no/such/file.mjb"))
  damaged = os.path.join(answers.folder, "damaged.mjb")
  with open(MODELS[0], "rb") as source, open(damaged, "wb") as file:
    file.write(source.read()[:-100])
  answers.ask("package: damaged file", lambda: mujoco.MjModel.from_binary_path(damaged))

  def callback():
    def passive(model, data):
      del model, data
    mujoco.set_mjcb_passive(passive)
    same = mujoco.get_mjcb_passive() is passive
    mujoco.set_mjcb_passive(None)
    return same, mujoco.get_mjcb_passive() is None
  answers.ask("package: callback", callback)

  def threads():
    model = mujoco.MjModel.from_binary_path(MODELS[0])
    results = []
    def work():
      for _ in range(20):
        results.append(copy.copy(mujoco.MjData(model)).qpos.tobytes())
    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
      worker.start()
    for worker in workers:
      worker.join()
    return len(results), len(set(results))
  answers.ask("package: threads", threads)
  answers.ask("package: step", lambda: step_once(mujoco))
  answers.ask("package: XML", lambda: mujoco.MjModel.from_xml_string("<mujoco/>").nbody)


def step_once(mujoco):
  model = mujoco.MjModel.from_binary_path(MODELS[0])
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data)
  return data.time


def loaded_libraries():
  with open("/proc/self/maps") as file:
    return sorted({line.split()[-1] for line in file if "libmujoco.so" in line})


def answer(folder, output):
  """Runs in a process of its own: asks everything and writes the answers down."""
  import mujoco
  answers = Answers(folder)
  extra = os.path.join(folder, "plugin.mjb")
  if not os.path.exists(extra):  # the original goes first and compiles it
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(PLUGIN_MODEL), extra)
  ask_package(answers)
  ask_mathematics(answers)
  for path in MODELS + [extra]:
    ask_about_model(answers, os.path.splitext(os.path.basename(path))[0], path)
  with open(output, "wb") as file:
    pickle.dump({"libraries": loaded_libraries(), "answers": answers.values}, file)


def run_answers(folder, name, environment):
  output = os.path.join(folder, f"{name}.answers")
  done = subprocess.run([sys.executable, os.path.abspath(__file__), "--answer", folder, output], cwd=folder,
                        env=environment, timeout=600, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
  if done.returncode != 0:
    sys.exit(f"the package on {name} ended with code {done.returncode}:\n{done.stdout[-3000:]}")
  with open(output, "rb") as file:
    return pickle.load(file)


def same(expected, again, got):
  """Equal to the bit where the original is sure of itself; results of mathematics within a tolerance."""
  if isinstance(expected, dict) and isinstance(got, dict):
    return len(expected["math"]) == len(got["math"]) and all(
        math.isclose(e, g, rel_tol=MATH_TOLERANCE, abs_tol=MATH_TOLERANCE)
        for e, g in zip(expected["math"], got["math"]))
  if type(expected) is not type(got):
    return False
  if isinstance(expected, (list, tuple)):
    return len(expected) == len(got) and all(map(same, expected, again, got))
  if isinstance(expected, bytes):
    return len(expected) == len(got) and all(e == g for e, a, g in zip(expected, again, got) if e == a)
  return expected == got or expected != again or (expected != expected and got != got)


def difference(expected, again, got, path=""):
  """Where two answers part, in words."""
  if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
    for i, (e, a, g) in enumerate(zip(expected, again, got)):
      if not same(e, a, g):
        named = isinstance(e, list) and len(e) == 2 and isinstance(e[0], str)
        return difference(e, a, g, f"{path}[{e[0] if named else i}]")
  return f"{path} expected {str(expected)[:80]}, got {str(got)[:80]}"


def compare(original, again, ours):
  """Prints every difference; returns how many there are."""
  counts = collections.Counter()
  for question, expected in original.items():
    got = ours.get(question)
    if isinstance(got, tuple) and got[0] == "not yet":
      counts["not yet"] += 1
      print(f"  not yet: {question}: {got[1]}")
    elif same(expected, again[question], got):
      counts["equal"] += 1
    else:
      counts["different"] += 1
      if counts["different"] <= SHOWN_DIFFERENCES:
        print(f"  DIFFERENT: {question}: {difference(expected, again[question], got)}")
  print(f"  {counts['equal']} answers equal, {counts['different']} different, "
        f"{counts['not yet']} need functions that corten does not have yet")
  return counts["different"]


def main(build):
  corten = os.path.join(os.path.abspath(build), "lib", "corten")
  plain_environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
  with tempfile.TemporaryDirectory() as folder:
    plain_environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"  # cached blocks would not be filled
    original = run_answers(folder, "original", dict(plain_environment, MALLOC_PERTURB_="85"))
    again = run_answers(folder, "original again", dict(plain_environment, MALLOC_PERTURB_="170"))
    ours = run_answers(folder, "corten", dict(plain_environment, LD_LIBRARY_PATH=corten))
  expected = [os.path.realpath(os.path.join(corten, "libmujoco.so.3.5.0"))]
  loaded = [os.path.realpath(path) for path in ours["libraries"]]
  if loaded != expected or set(loaded) & set(original["libraries"]):
    sys.exit(f"the wrong library was loaded: {loaded} instead of {expected}")
  print(f"  the package runs on {loaded[0]}, and on no other")
  return 1 if compare(original["answers"], again["answers"], ours["answers"]) else 0


if __name__ == "__main__":
  if len(sys.argv) == 4 and sys.argv[1] == "--answer":
    answer(sys.argv[2], sys.argv[3])
  elif len(sys.argv) == 2:
    sys.exit(main(sys.argv[1]))
  else:
    sys.exit(__doc__)
