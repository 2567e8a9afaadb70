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

# model: flags turned over against the defaults, label, frame
SCENES = {
    "humanoid": [([], 0, 0), ([2, 3, 4, 6, 10, 12, 14, 16, 19, 20, 21], 1, 1), ([15, 18, 14, 16, 17], 15, 6)],
    "tendons": [([2, 4, 5], 7, 0), ([1, 4, 15], 8, 3)],
    "cranks": [([4], 8, 2)],
    "actuators": [([4], 8, 0), ([2, 4, 5], 2, 0)],
    "sensors": [([14, 3], 4, 3)],
    "views": [([3, 6], 5, 4), ([3, 6], 6, 5)],
    "equalities": [([9], 9, 7)],
    "meshes": [([0], 3, 2)],
    "touch": [([14], 14, 0)],
    "sleeve": [([], 11, 0)],
    "cloth": [([], 10, 0), ([24, 27, 26], 10, 0)],
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


def record_soft(add, model, scene):
  if model.nflex:
    add("flexfaceused", scene.flexfaceused)
    used = [slice(a, a + n) for a, n in zip(scene.flexfaceadr, scene.flexfaceused)]
    add("flexface", np.concatenate([bits([scene.flexface.reshape(-1, 9)[s]]) for s in used]))
    add("flexnormal", np.concatenate([bits([scene.flexnormal.reshape(-1, 9)[s]]) for s in used]))
  if model.nskin:
    add("skinvert", bits([scene.skinvert]))
    add("skinnormal", bits([scene.skinnormal]))


def record_scene(recorder, name, number, flags, label, frame):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  data = random_state(model, number)

  def add(what, values):
    recorder.add(f"{name}/{number}/{what}", values)

  option, pert, camera = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
  for flag in flags:
    option.flags[flag] = 1 - option.flags[flag]
  option.label, option.frame = label, frame
  mujoco.mjv_defaultFreeCamera(model, camera)
  if model.ncam:
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, number % model.ncam
  pert.select, pert.active, pert.localpos[:] = min(1, model.nbody - 1), 3, [0.1, 0.05, -0.1]
  scene = mujoco.MjvScene(model, 1000)
  for _ in range(2):  # infinite planes follow the camera in the second
    mujoco.mjv_updateScene(model, data, option, pert, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)

  for field in GIVEN if model.nflex else STATE:
    add(f"in/{field}", getattr(data, field))
  add("options", [*option.flags, label, frame, camera.type, camera.fixedcamid])
  geoms = [scene.geoms[i] for i in range(scene.ngeom)]
  add("geoms", np.array([geom_ints(g) for g in geoms]))
  add("floats", np.concatenate([geom_floats(g) for g in geoms]))
  add("eyes", np.concatenate([eye_floats(c) for c in scene.camera]))
  add("lights", np.concatenate([light_floats(scene.lights[i]) for i in range(scene.nlight)]))
  record_soft(add, model, scene)


def main():
  recorder = Recorder()
  for name, scenes in SCENES.items():
    for number, (flags, label, frame) in enumerate(scenes):
      record_scene(recorder, name, number, flags, label, frame)
  recorder.write("scenes.rec")


if __name__ == "__main__":
  main()
