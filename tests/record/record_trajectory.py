"""Records where the reference goes without constraints: one and twenty steps with every integrator.

Writes tests/recorded/trajectory.rec with "<model>/<integrator>/in/<field>" (the start), ".../one/<field>" and
".../many/<field>" (the state after one and after STEPS steps), qDeriv of the first step for the implicit
integrators, and qfrc_inverse for the start's acceleration with and without mjENBL_INVDISCRETE. Run it with a
Python that has mujoco 3.5.0:
    python tests/record/record_trajectory.py
"""

import zlib

import numpy as np

from record_stage import random_state
from recorded import ROOT, Recorder, reference

mujoco = reference()

MODELS = "humanoid actuators tendons tree_ball_chain swimmer tree_mixed hand_sparse".split()
STEPS = 20
TIMESTEP = 0.0005
STATE = "qpos qvel act".split()
INPUT = STATE + "ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat history".split()


def add(recorder, prefix, data, fields):
  for field in fields:
    recorder.add(f"{prefix}/{field}", getattr(data, field))


def inverse(model, start, discrete):
  """qfrc_inverse at the start, for its acceleration; Runge-Kutta has no discrete inverse."""
  data = mujoco.MjData(model)
  for field in INPUT:
    getattr(data, field)[:] = getattr(start, field)
  mujoco.mj_forward(model, data)
  model.opt.enableflags = mujoco.mjtEnableBit.mjENBL_INVDISCRETE if discrete else 0
  mujoco.mj_inverse(model, data)
  model.opt.enableflags = 0
  return data.qfrc_inverse


def record(recorder, name, integrator):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
  model.opt.integrator = integrator
  model.opt.timestep = TIMESTEP
  data = random_state(model, zlib.crc32(name.encode()))
  data.qfrc_applied[:] *= 0.01  # it acts all the time, and some bodies are light
  data.xfrc_applied[:] *= 0.01
  mujoco.mj_forward(model, data)
  prefix = f"{name}/{integrator}"
  add(recorder, f"{prefix}/in", data, INPUT)
  recorder.add(f"{prefix}/inverse", inverse(model, data, False))
  if integrator != int(mujoco.mjtIntegrator.mjINT_RK4):
    recorder.add(f"{prefix}/discrete", inverse(model, data, True))
  for step in range(STEPS):
    mujoco.mj_step(model, data)
    if step == 0:
      add(recorder, f"{prefix}/one", data, STATE)
      if integrator >= int(mujoco.mjtIntegrator.mjINT_IMPLICIT):
        recorder.add(f"{prefix}/one/qDeriv", data.qDeriv)
  if not np.isfinite(data.qpos).all() or data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
    raise SystemExit(f"{prefix} does not stay finite")
  add(recorder, f"{prefix}/many", data, STATE)


def main():
  recorder = Recorder()
  for name in MODELS:
    for integrator in range(4):
      record(recorder, name, integrator)
  recorder.write("trajectory.rec")


if __name__ == "__main__":
  main()
