"""Records what the reference computes in each stage: its inputs and its outputs at random states.

Writes tests/recorded/<stage>.rec with arrays "<model>/<state>/in/<field>" and ".../out/<field>" for some
models of models/. A new stage is one line in STAGES. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_stage.py [stage ...]
"""

import sys
import zlib

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()

NSTATE = 3
TREES = ("tree_hinge tree_two_links tree_branching tree_ball_chain tree_free_and_chain tree_mixed "
         "humanoid tendons")

# stage: fields of mjData that it reads, fields that it writes. `seen` fields are recorded as inputs because
# the stage's test wants to know them. `models`: only those, to keep large recordings small.
STAGES = {
    "kinematics": dict(
        reads="qpos mocap_pos mocap_quat",
        writes="xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat",
        models="poses humanoid mocap tree_mixed"),
    "com_position": dict(reads="xipos ximat xmat xanchor xaxis", writes="subtree_com cinert cdof",
                         models="poses humanoid tree_mixed tree_ball_chain"),
    "camlight": dict(reads="xpos xquat xmat subtree_com",
                     writes="cam_xpos cam_xmat light_xpos light_xdir", models="poses humanoid"),
    "tendon": dict(reads="qpos site_xpos geom_xpos geom_xmat cdof subtree_com",
                   writes="ten_length ten_J ten_J_rownnz ten_J_rowadr ten_J_colind ten_wrapadr "
                          "ten_wrapnum wrap_obj wrap_xpos",
                   seen="qvel", models="tendons actuators hand_sparse"),
    "transmission": dict(
        reads="qpos xquat site_xpos site_xmat cdof subtree_com ten_length ten_J ten_J_rownnz "
              "ten_J_rowadr ten_J_colind",
        writes="actuator_length actuator_moment moment_rownnz moment_rowadr moment_colind",
        seen="qvel actuator_velocity", models="actuators humanoid hand_sparse"),
    "actuation": dict(
        reads="ctrl act history actuator_length actuator_velocity actuator_moment moment_rownnz "
              "moment_rowadr moment_colind qfrc_gravcomp",
        writes="act_dot actuator_force qfrc_actuator", models="actuators humanoid hand_sparse"),
    "acceleration": dict(
        reads="qfrc_passive qfrc_bias qfrc_applied qfrc_actuator xfrc_applied qLD qLDiagInv cdof "
              "subtree_com xipos",
        writes="qfrc_smooth qacc_smooth", models="actuators humanoid tree_mixed"),
    "passive": dict(
        reads="qpos qvel ten_length ten_velocity ten_J ten_J_rownnz ten_J_rowadr ten_J_colind cdof "
              "subtree_com xipos ximat cvel geom_xpos geom_xmat",
        writes="qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive",
        models="swimmer poses tendons hand_sparse"),
    "step": dict(reads="qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat history",
                 writes="qacc_smooth", models="humanoid swimmer actuators hand_sparse"),
    # whole steps with sensors, for the bit test
    "sensor": dict(reads="qpos qvel act ctrl qfrc_applied xfrc_applied history", writes="sensordata",
                   models="sensors touch delays humanoid"),
    # contacts lie in the arena: only the bit test looks at them, tests/collide has numbers of its own
    "collision": dict(reads="geom_xpos geom_xmat xipos ximat", writes="",
                      models="humanoid contacts convoy free_chain meshes mesh_shapes terrain touch cables"),
    "com_velocity": dict(reads="qvel cdof", writes="cvel cdof_dot", seen="xipos subtree_com", models=TREES),
    "mass_matrix": dict(reads="cinert cdof ten_J ten_J_rownnz ten_J_rowadr ten_J_colind",
                        writes="crb M qM", seen="qpos", models=TREES),
    "factor": dict(reads="M", writes="qLD qLDiagInv", models=TREES),
    "bias": dict(reads="cinert cdof cvel cdof_dot qvel ten_J ten_J_rownnz ten_J_rowadr ten_J_colind "
                       "site_xpos subtree_com",
                 writes="qfrc_bias", seen="qacc qpos", models=TREES),
    "post_constraint": dict(
        reads="qacc qvel cinert cvel cdof cdof_dot xfrc_applied xipos subtree_com",
        writes="cacc cfrc_ext cfrc_int", constraints=False,
        models="humanoid tree_mixed tree_ball_chain tree_branching"),
    "subtree": dict(reads="cvel xipos ximat subtree_com", writes="subtree_linvel subtree_angmom",
                    seen="cinert cdof qvel", models="humanoid tree_mixed tree_ball_chain mocap"),
    "solve": dict(reads="qLD qLDiagInv qfrc_smooth", writes="qacc_smooth", models=TREES),
}


def random_state(model, seed):
  """An mjData after mj_forward at a random position and velocity, with random applied forces."""
  random = np.random.default_rng(seed)
  data = mujoco.MjData(model)
  mujoco.mj_integratePos(model, data.qpos, random.normal(size=model.nv), 0.5)
  data.qvel[:] = random.normal(size=model.nv)
  data.qfrc_applied[:] = random.normal(size=model.nv)
  data.ctrl[:] = random.uniform(-1, 1, size=model.nu)
  data.mocap_pos[:] += random.normal(size=data.mocap_pos.shape)
  data.mocap_quat[:] += random.normal(size=data.mocap_quat.shape)
  data.act[:] = random.uniform(0, 1, size=model.na)
  data.xfrc_applied[1::2] = random.normal(size=data.xfrc_applied[1::2].shape)
  for i in range(model.nu):
    n, adr = model.actuator_history[i][0], model.actuator_historyadr[i]
    data.history[adr + 2 + n:adr + 2 + 2 * n] = random.uniform(-1, 1, size=n)
  mujoco.mj_forward(model, data)
  mujoco.mj_rnePostConstraint(model, data)  # these two run only if somebody asks
  mujoco.mj_subtreeVel(model, data)
  return data


def record(stage, models):
  recorder = Recorder()
  table = STAGES[stage]
  for path in models:
    if path.stem not in table.get("models", path.stem).split():
      continue
    model = mujoco.MjModel.from_xml_path(str(path))
    if not table.get("constraints", True):  # a recording has no constraint rows
      model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    for state in range(NSTATE):
      data = random_state(model, zlib.crc32(path.stem.encode()) + state)
      prefix = f"{path.stem}/{state}"
      for field in (table["reads"] + " " + table.get("seen", "")).split():
        recorder.add(f"{prefix}/in/{field}", getattr(data, field))
      for field in table["writes"].split():
        recorder.add(f"{prefix}/out/{field}", getattr(data, field))
  recorder.write(f"{stage}.rec")


def main():
  models = sorted((ROOT / "models").glob("*.xml"))
  for stage in sys.argv[1:] or STAGES:
    record(stage, models)


if __name__ == "__main__":
  main()
