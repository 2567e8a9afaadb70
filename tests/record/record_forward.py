"""Records whole forward steps with constraints: contacts, rows, islands, what the solver found, sensor readings.

Writes tests/recorded/forward.rec. Each model runs for a while, so that things have met, and is stirred a little.
Arrays are "<model>/<state>/in/<field>" (the state, qacc_warmstart, energy) and ".../out/<field>" after mj_forward; contacts
are ".../contact/<field>", a row per contact. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_forward.py
"""

import zlib

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()

STATES = 2
INPUT = """qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat eq_active history qacc_warmstart energy""".split()
CONTACT = "dist pos frame includemargin friction solref solreffriction solimp mu dim geom exclude efc_address".split()
ROWS = """efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R efc_vel efc_aref
efc_state efc_force""".split()
SPARSE = "efc_J_rownnz efc_J_rowadr efc_J_colind".split()  # a dense Jacobian leaves them as they are
RESULT = "qfrc_smooth qacc_smooth qfrc_constraint qacc sensordata".split()
COUNTS = "ncon ne nf nl nefc nisland".split()
ISLANDS = "dof_island efc_island".split()

# model, or model@variant: steps before the first state and between states, and settings that differ from the model's
CASES = {
    "contacts": dict(steps=120),
    "contacts@sparse": dict(steps=120, jacobian="SPARSE", cone="PYRAMIDAL"),
    "contacts@pgs": dict(steps=120, solver="PGS", noslip=4),
    "equalities": dict(steps=15),
    "equalities@cg": dict(steps=15, solver="CG", jacobian="SPARSE"),
    "limits": dict(steps=120),
    "joints": dict(steps=80),
    "tendons": dict(steps=100),
    "linkage": dict(steps=40),
    "hills": dict(steps=180),
    "terrain": dict(steps=200),
    "meshes": dict(steps=150),
    "mesh_shapes": dict(steps=150, states=1),
    "convoy": dict(steps=60),
    "touch": dict(steps=30),
    "sensors": dict(steps=60),
    "wrapping": dict(steps=100),
    "humanoid": dict(steps=150, states=1),
    "cable": dict(steps=100, states=1),
}


def build(name, case):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name.split('@')[0]}.xml"))
  for option, prefix in dict(solver="mjtSolver.mjSOL_", cone="mjtCone.mjCONE_", jacobian="mjtJacobian.mjJAC_").items():
    if option in case:
      kind, start = prefix.split(".")
      setattr(model.opt, option, int(getattr(getattr(mujoco, kind), start + case[option])))
  model.opt.noslip_iterations = case.get("noslip", model.opt.noslip_iterations)
  return model


def stir(model, data, random):
  """A small displacement and some velocity, so that nothing is at rest or exactly aligned."""
  mujoco.mj_integratePos(model, data.qpos, random.normal(size=model.nv), 0.002)
  data.qvel[:] += 0.05 * random.normal(size=model.nv)
  data.ctrl[:] = random.uniform(-0.2, 0.5, size=model.nu)
  force = np.zeros(model.nv)
  mujoco.mj_mulM(model, data, force, random.normal(size=model.nv))
  data.qfrc_applied[:] = force


def record_data(recorder, prefix, model, data):
  for field in COUNTS:
    recorder.add(f"{prefix}/out/{field}", [getattr(data, field)])
  for field in RESULT + ROWS + (SPARSE if mujoco.mj_isSparse(model) else []):
    recorder.add(f"{prefix}/out/{field}", getattr(data, field))
  for field in ISLANDS if data.nisland else []:
    recorder.add(f"{prefix}/out/{field}", getattr(data, field))
  for field in CONTACT:
    recorder.add(f"{prefix}/contact/{field}", getattr(data.contact, field))


def record(recorder, name, case):
  model = build(name, case)
  data = mujoco.MjData(model)
  random = np.random.default_rng(zlib.crc32(name.encode()))
  for setting in "solver cone jacobian noslip_iterations".split():
    recorder.add(f"{name}/opt/{setting}", [int(getattr(model.opt, setting))])
  for state in range(case.get("states", STATES)):
    for _ in range(case["steps"]):
      mujoco.mj_step(model, data)
    stir(model, data, random)
    prefix = f"{name}/{state}"
    recorder.add(f"{prefix}/in/time", [data.time])
    for field in INPUT:
      recorder.add(f"{prefix}/in/{field}", getattr(data, field))
    mujoco.mj_forward(model, data)
    if not np.isfinite(data.qacc).all() or data.nefc == 0:
      raise SystemExit(f"{prefix}: {data.nefc} rows, largest acceleration {np.abs(data.qacc).max()}")
    record_data(recorder, prefix, model, data)
    print(f"  {prefix:20s} contacts {data.ncon:2d}  rows {data.ne} + {data.nf} + {data.nl} of {data.nefc:3d}"
          f"  islands {data.nisland}")


def main():
  recorder = Recorder()
  for name, case in CASES.items():
    record(recorder, name, case)
  recorder.write("forward.rec")


if __name__ == "__main__":
  main()
