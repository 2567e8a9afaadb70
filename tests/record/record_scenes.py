"""Records abstract scenes of the reference: lists of geoms, eyes, lights, triangles of flexes, vertices of skins.

Writes tests/recorded/scenes.rec. Of every scene it has the state as "<model>/<scene>/in/<field>", what was asked for
("options", "view"), and what came of it: whole numbers of geoms (type, dataid, objtype, objid, category, matid, texcoord, a
hash of the label), their floats as bits, eyes and lights. Models with flexes, which need no step to be seen, have the fields
that a scene reads instead of a state. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_scenes.py
"""

import numpy as np

from record_stage import random_state
from recorded import ROOT, Recorder, reference

mujoco = reference()

# model: flags turned over against the defaults, label, frame, and the body that the camera follows if it is not one of the
# model. All flags are here but the last, which is for signed distance fields; all labels and all frames.
SCENES = {
    "humanoid": [([], 0, 0), ([2, 3, 4, 6, 10, 12, 14, 16, 19, 20, 21], 1, 1), ([15, 18, 14, 16, 17], 15, 6), ([20], 1, 7, 3)],
    "tendons": [([2, 4, 5], 7, 0), ([1, 4, 15], 8, 3), ([7], 7, 3)],
    "cranks": [([4], 8, 2)],
    "actuators": [([4], 8, 0), ([2, 4, 5], 2, 0)],
    "sensors": [([14, 3], 4, 3), ([8], 4, 0)],
    "views": [([3, 6], 5, 4), ([3, 6], 6, 5)],
    "equalities": [([9], 9, 7)],
    "meshes": [([0], 3, 2)],
    "touch": [([14], 14, 0), ([29], 0, 0)],
    "sleeve": [([], 11, 0), ([23], 11, 0)],
    "cloth": [([], 10, 0), ([24, 27, 26], 10, 0), ([25, 26], 10, 0)],
    "inertia": [([10, 11], 1, 1), ([10, 28], 0, 0)],
    "tree": [([12, 13, 21], 12, 0, 2), ([12, 21], 13, 2)],
    "contacts": [([14, 15, 16], 16, 6), ([14, 16, 17, 18], 14, 6, 1)],
    "shapes": [([22], 3, 2), ([18], 3, 0, 1)],
    "joints": [([2, 20], 2, 1), ([2, 19], 2, 7)],
    "limits": [([2, 5], 9, 3)],
    "mocap": [([9, 12], 12, 1)],
    "poses": [([3, 6], 5, 4), ([3, 6], 6, 5, 2)],
    "terrain": [([0, 22], 3, 2)],
    "textures": [([1], 3, 0), ([6], 6, 5)],
    "muscles": [([4, 5], 8, 0)],
    "wrapping": [([4], 7, 3)],
    "sleepers": [([14, 15], 16, 1)],
}
STATE = "qpos qvel act ctrl history qfrc_applied xfrc_applied mocap_pos mocap_quat".split()
GIVEN = "xpos xquat xmat xipos ximat geom_xpos geom_xmat flexvert_xpos light_xpos light_xdir".split()


def text_hash(text):
  """FNV-1a, 32 bits."""
  h = 2166136261
  for byte in text.encode():
    h = ((h ^ byte) * 16777619) & 0xFFFFFFFF
  return h - (1 << 32) if h >= 1 << 31 else h


def bits(values):
  return np.concatenate([np.atleast_1d(np.asarray(v, np.float32)).ravel() for v in values]).view(np.int32)


def geom_ints(g):
  return [g.type, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texcoord, text_hash(g.label)]


def geom_floats(g):
  return bits([g.size, g.pos, g.mat, g.rgba, g.emission, g.specular, g.shininess, g.reflectance])


def eye_floats(c):
  return bits([c.pos, c.forward, c.up, c.frustum_center, c.frustum_width, c.frustum_bottom, c.frustum_top,
               c.frustum_near, c.frustum_far])


def light_floats(light):
  return bits([light.pos, light.dir, light.attenuation, light.cutoff, light.exponent, light.ambient, light.diffuse,
               light.specular])


def record_soft(add, model, option, scene):
  if model.nflex:
    add("flexfaceused", scene.flexfaceused)
    used = [slice(a, a + n) for a, n in zip(scene.flexfaceadr, scene.flexfaceused)]
    add("flexface", np.concatenate([bits([scene.flexface.reshape(-1, 9)[s]]) for s in used]))
    add("flexnormal", np.concatenate([bits([scene.flexnormal.reshape(-1, 9)[s]]) for s in used]))
  if model.nskin and option.flags[mujoco.mjtVisFlag.mjVIS_SKIN]:  # they are computed when they are shown
    add("skinvert", bits([scene.skinvert]))
    add("skinnormal", bits([scene.skinnormal]))


def record_scene(recorder, name, number, flags, label, frame, followed=None):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  data = random_state(model, number)

  def add(what, values):
    recorder.add(f"{name}/{number}/{what}", values)

  option, pert, camera = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
  for flag in flags:
    option.flags[flag] = 1 - option.flags[flag]
  option.label, option.frame = label, frame
  mujoco.mjv_defaultFreeCamera(model, camera)
  if followed is not None:
    camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, followed
  elif model.ncam:
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, number % model.ncam
  pert.select, pert.active, pert.localpos[:] = min(1, model.nbody - 1), 3, [0.1, 0.05, -0.1]
  data.bvh_active[:] = 0  # which volumes collision looks at is an engine's own affair
  scene = mujoco.MjvScene(model, 1000)
  for _ in range(2):  # infinite planes follow the camera in the second
    mujoco.mjv_updateScene(model, data, option, pert, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)

  for field in GIVEN if model.nflex else STATE:
    add(f"in/{field}", getattr(data, field))
  add("options", [*option.flags, label, frame, camera.type, camera.fixedcamid, camera.trackbodyid])
  geoms = [scene.geoms[i] for i in range(scene.ngeom)]
  add("geoms", np.array([geom_ints(g) for g in geoms]))
  add("floats", np.concatenate([geom_floats(g) for g in geoms]))
  add("eyes", np.concatenate([eye_floats(c) for c in scene.camera]))
  add("lights", np.concatenate([light_floats(scene.lights[i]) for i in range(scene.nlight)]))
  record_soft(add, model, option, scene)


def main():
  recorder = Recorder()
  for name, scenes in SCENES.items():
    for number, asked in enumerate(scenes):
      record_scene(recorder, name, number, *asked)
  recorder.write("scenes.rec")


if __name__ == "__main__":
  main()
