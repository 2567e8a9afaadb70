"""Records the reference's derivatives of quaternion functions at large, small and zero rotations.

Writes tests/recorded/quat_derivatives.rec: arrays "qa", "qb", "vel", "scale" with a row per case, and the results
"Da", "Db", "Dquat", "Dvel", "Dscale". Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_quat_derivatives.py
"""

import numpy as np

from recorded import Recorder, reference

mujoco = reference()


def main():
  random = np.random.default_rng(1)
  names = "qa qb vel scale Da Db Dquat Dvel Dscale".split()
  rows = {name: [] for name in names}
  for size in [0, 1e-9, 1e-7, 1e-5, 1e-3, 0.02, 0.05, 0.3, 1, 2, 3]:
    qb = random.normal(size=4)
    qb /= np.linalg.norm(qb)
    vel = random.normal(size=3)
    vel *= size / np.linalg.norm(vel)
    scale = random.uniform(0.5, 1)
    qa = qb.copy()
    mujoco.mju_quatIntegrate(qa, vel, 1)
    case = dict(qa=qa, qb=qb, vel=vel, scale=np.array([scale]), Da=np.zeros((3, 3)), Db=np.zeros((3, 3)),
                Dquat=np.zeros(9), Dvel=np.zeros(9), Dscale=np.zeros(3))
    mujoco.mjd_subQuat(qa, qb, case["Da"], case["Db"])
    mujoco.mjd_quatIntegrate(vel, scale, case["Dquat"], case["Dvel"], case["Dscale"])
    for name in names:
      rows[name].append(case[name].ravel())
  recorder = Recorder()
  for name in names:
    recorder.add(name, np.array(rows[name]))
  recorder.write("quat_derivatives.rec")


if __name__ == "__main__":
  main()
