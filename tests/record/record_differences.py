"""Records the reference's derivatives by finite differences, of steps and of inverse dynamics.

Writes tests/recorded/differences.rec: for some models and integrators "<model>/<integrator>/state", then
".../one/A" to ".../one/D" of mjd_transitionFD, ".../centred/A" and so on, and ".../DfDq" to ".../DmDq" of
mjd_inverseFD. D with both sides has the wrong sign in the reference and is written with the right one. Run it
with a Python that has mujoco 3.5.0:
    python tests/record/record_differences.py
"""

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()

EPS = 1e-6
STEPS = 30
CASES = [("tree_two_links", "euler"), ("ball_chain", "euler"), ("convoy", "euler"), ("linkage", "implicitfast"),
         ("integrators", "euler"), ("integrators", "implicit"), ("integrators", "implicitfast"),
         ("humanoid", "euler"), ("swimmer", "implicit"), ("muscles", "implicitfast"), ("tendons", "euler")]
INTEGRATORS = {"euler": 0, "implicit": 2, "implicitfast": 3}


def settled(model):
  """After a few steps with controls that differ, some of them at their limits."""
  data = mujoco.MjData(model)
  random = np.random.default_rng(5)
  data.qvel[:] = 0.1 * random.normal(size=model.nv)
  for _ in range(STEPS):
    data.ctrl[:] = random.uniform(-0.5, 0.5, size=model.nu)
    mujoco.mj_step(model, data)
  limited = model.actuator_ctrllimited.astype(bool)
  data.ctrl[limited] = np.clip(data.ctrl, *model.actuator_ctrlrange.T)[limited]
  if limited.any():
    first = np.flatnonzero(limited)[0]
    data.ctrl[first] = model.actuator_ctrlrange[first, 1]
  return data


def two_sided(model, data):
  low, high = model.actuator_ctrlrange.T
  inside = (low <= data.ctrl - EPS) & (data.ctrl + EPS <= high)
  return ~model.actuator_ctrllimited.astype(bool) | inside


def record(recorder, name, integrator):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  model.opt.integrator = INTEGRATORS[integrator]
  if model.nhistory:
    raise SystemExit(f"{name} has delays")
  data = settled(model)
  prefix = f"{name}/{integrator}"
  size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION)
  state = np.zeros(size)
  mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
  recorder.add(f"{prefix}/state", state)
  nv, nu, ns = model.nv, model.nu, model.nsensordata
  n = 2 * nv + model.na
  for centred in (0, 1):
    shapes = {"A": (n, n), "B": (n, nu), "C": (ns, n), "D": (ns, nu)}
    matrices = {key: np.zeros(shape) for key, shape in shapes.items()}
    mujoco.mjd_transitionFD(model, data, EPS, centred, *matrices.values())
    if centred:
      matrices["D"][:, two_sided(model, data)] *= -1
    for key, matrix in matrices.items():
      recorder.add(f"{prefix}/{('one', 'centred')[centred]}/{key}", matrix)
  mujoco.mj_forward(model, data)
  shapes = {key: (nv, nv) for key in ("DfDq", "DfDv", "DfDa")}
  shapes.update({key: (nv, ns) for key in ("DsDq", "DsDv", "DsDa")})
  shapes["DmDq"] = (nv, model.nM)
  matrices = {key: np.zeros(shape) for key, shape in shapes.items()}
  mujoco.mjd_inverseFD(model, data, EPS, 1, *matrices.values())
  for key, matrix in matrices.items():
    recorder.add(f"{prefix}/{key}", matrix)


def main():
  recorder = Recorder()
  for name, integrator in CASES:
    record(recorder, name, integrator)
  recorder.write("differences.rec")


if __name__ == "__main__":
  main()
