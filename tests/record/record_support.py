"""Records what the reference's support functions return: Jacobians, momenta, velocities, energies, positions.

Writes tests/recorded/support.rec. Of every state it has the fields that the functions read, as
"<model>/<state>/in/<field>", and the results, as "<model>/<state>/<function>[/<body>]". Run it with a Python
that has mujoco 3.5.0:
    python tests/record/record_support.py
"""

import numpy as np

from record_stage import random_state
from recorded import ROOT, Recorder, reference

mujoco = reference()

READS = """qpos qvel xpos xmat xipos ximat geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com
cinert cdof cvel cdof_dot cacc ten_length M""".split()

POINT = np.array([0.1, -0.2, 0.3])
AXIS = np.array([0.3, 0.4, -0.5])
DT = 0.3


def record_body(add, model, data, body):
  nv = model.nv
  jacp, jacr = np.zeros((3, nv)), np.zeros((3, nv))
  mujoco.mj_jac(model, data, jacp, jacr, POINT, body)
  add(f"mj_jac/{body}", np.stack([jacp, jacr]))
  mujoco.mj_jacDot(model, data, jacp, jacr, POINT, body)
  add(f"mj_jacDot/{body}", np.stack([jacp, jacr]))
  mujoco.mj_jacPointAxis(model, data, jacp, jacr, POINT, AXIS, body)
  add(f"mj_jacPointAxis/{body}", np.stack([jacp, jacr]))
  if model.body_subtreemass[body] > 0:
    mujoco.mj_jacSubtreeCom(model, data, jacp, body)
    add(f"mj_jacSubtreeCom/{body}", jacp)
  mujoco.mj_angmomMat(model, data, jacp, body)
  add(f"mj_angmomMat/{body}", jacp)
  target = np.arange(nv, dtype=float)
  mujoco.mj_applyFT(model, data, AXIS, POINT, POINT, body, target)
  add(f"mj_applyFT/{body}", target)


def record_objects(add, model, data):
  """Velocities and accelerations, in world axes and in their own, of all objects of each type."""
  kinds = [(mujoco.mjtObj.mjOBJ_BODY, model.nbody), (mujoco.mjtObj.mjOBJ_XBODY, model.nbody),
           (mujoco.mjtObj.mjOBJ_GEOM, model.ngeom), (mujoco.mjtObj.mjOBJ_SITE, model.nsite),
           (mujoco.mjtObj.mjOBJ_CAMERA, model.ncam)]
  for function in (mujoco.mj_objectVelocity, mujoco.mj_objectAcceleration):
    for kind, count in kinds:
      rows = np.zeros((count, 2, 6))
      for i in range(count):
        for local in range(2):
          function(model, data, kind, i, rows[i, local], local)
      add(f"{function.__name__}/{int(kind)}", rows)


def record_positions(add, model, data):
  qpos = 1.5 * data.qpos  # quaternions need not have unit length
  mujoco.mj_integratePos(model, qpos, data.qvel, DT)
  add("mj_integratePos", qpos)
  qvel = np.zeros(model.nv)
  mujoco.mj_differentiatePos(model, qvel, DT, data.qpos, qpos)
  add("mj_differentiatePos", qvel)
  mujoco.mj_normalizeQuat(model, qpos)
  add("mj_normalizeQuat", qpos)


def record_state(recorder, name, state, bodies):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  data = random_state(model, state)
  mujoco.mj_rnePostConstraint(model, data)
  mujoco.mj_energyPos(model, data)
  mujoco.mj_energyVel(model, data)

  def add(what, values):
    recorder.add(f"{name}/{state}/{what}", values)

  for field in READS:
    add(f"in/{field}", getattr(data, field))
  add("energy", data.energy)
  record_positions(add, model, data)
  record_objects(add, model, data)
  for body in bodies:
    record_body(add, model, data, body)


def main():
  recorder = Recorder()
  record_state(recorder, "poses", 0, [0, 2, 3, 4, 7, 9])
  record_state(recorder, "poses", 1, [])
  record_state(recorder, "humanoid", 0, [0, 1, 5, 13])
  record_state(recorder, "tree_mixed", 0, [0, 3, 8])
  recorder.write("support.rec")


if __name__ == "__main__":
  main()
