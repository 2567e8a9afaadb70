"""Records what the reference's plugins compute on the models of tests/plugin, the distance fields of its shapes, and its
surface of a field that has every cell a cube can have.

Writes tests/recorded/plugins.rec. Run it with a Python that has mujoco 3.5.0, which brings its plugins:
    python tests/record/record_plugins.py
"""

import ctypes
import pathlib

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()
library = ctypes.CDLL(str(next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so.*"))))
NUMBERS = ctypes.POINTER(ctypes.c_double)
TEXTS = ctypes.POINTER(ctypes.c_char_p)
CALLBACKS = [("nstate", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)), ("nsensordata", ctypes.c_void_p),
             ("init", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)),
             ("destroy", ctypes.c_void_p), ("copy", ctypes.c_void_p), ("reset", ctypes.c_void_p), ("compute", ctypes.c_void_p),
             ("advance", ctypes.c_void_p), ("visualize", ctypes.c_void_p), ("actuator_act_dot", ctypes.c_void_p),
             ("sdf_distance", ctypes.c_void_p), ("sdf_gradient", ctypes.c_void_p),
             ("sdf_staticdistance", ctypes.CFUNCTYPE(ctypes.c_double, NUMBERS, NUMBERS)),
             ("sdf_attribute", ctypes.CFUNCTYPE(None, NUMBERS, TEXTS, TEXTS)),
             ("sdf_aabb", ctypes.CFUNCTYPE(None, NUMBERS, NUMBERS))]


class Plugin(ctypes.Structure):
  """The public struct mjpPlugin."""
  _fields_ = [("name", ctypes.c_char_p), ("nattribute", ctypes.c_int), ("attributes", TEXTS),
              ("capabilityflags", ctypes.c_int), ("needstage", ctypes.c_int)] + CALLBACKS


library.mjp_getPlugin.restype = ctypes.POINTER(Plugin)


def load(name):
  return mujoco.MjModel.from_xml_path(str(ROOT / "tests" / "plugin" / name))


def record_steps(recorder, name, steps, every, control):
  """States of a model along a few steps, as docs of tests/plugin say."""
  model = load(name + ".xml")
  data = mujoco.MjData(model)
  rows = []
  for step in range(steps):
    data.ctrl[:] = [control(i, step) for i in range(model.nu)]
    mujoco.mj_step(model, data)
    if step % every == every - 1:
      rows.append(np.concatenate([data.qpos, data.qvel, data.act, data.actuator_force]))
  recorder.add(name + "/states", np.array(rows))


SHAPES = [("bolt", {}), ("bolt", {"radius": .2}), ("nut", {}), ("nut", {"radius": .3}), ("bowl", {}),
          ("bowl", {"height": -.2, "radius": .7, "thickness": .1}), ("torus", {}), ("torus", {"radius1": 1, "radius2": .3}),
          ("gear", {}), ("gear", {"alpha": 15, "teeth": 12}), ("gear", {"diameter": 1.5, "innerdiameter": .4, "thickness": .5}),
          ("gear", {"teeth": 200}), ("gear", {"innerdiameter": 5})]


def record_shapes(recorder):
  random = np.random.default_rng(7)
  for i, (name, configuration) in enumerate(SHAPES):
    plugin = library.mjp_getPlugin(b"mujoco.sdf." + name.encode(), None).contents
    count = plugin.nattribute
    keys = [plugin.attributes[k] for k in range(count)]
    values = [str(configuration.get(key.decode(), "")).encode() for key in keys]
    attribute, box = (ctypes.c_double * count)(), (ctypes.c_double * 6)()
    plugin.sdf_attribute(attribute, (ctypes.c_char_p * count)(*keys), (ctypes.c_char_p * count)(*values))
    plugin.sdf_aabb(box, attribute)
    points = random.uniform(-1.1, 1.1, (60, 3)) * np.array(box[3:])
    distances = [plugin.sdf_staticdistance((ctypes.c_double * 3)(*x), attribute) for x in points]
    recorder.add(f"shape{i}/attribute", np.array(attribute[:]))
    recorder.add(f"shape{i}/box", np.array(box[:]))
    recorder.add(f"shape{i}/point", points)
    recorder.add(f"shape{i}/distance", np.array(distances))


def every_pair():
  """Patterns of four corners such that every ordered pair of them comes once, one after the other."""
  left = {a: list(range(16)) for a in range(16)}
  stack, path = [0], []
  while stack:
    if left[stack[-1]]:
      stack.append(left[stack[-1]].pop())
    else:
      path.append(stack.pop())
  return path[::-1]


def record_cells(recorder):
  """The surface of a column of 3 x 3 x 294 cells, whose inner ones have all 256 patterns of signs."""
  size, half = (4, 4, 295), (1, 1, 98)
  field = np.ones(size)
  patterns = every_pair()
  for z, pattern in enumerate(patterns):
    for corner in range(4):
      if pattern >> corner & 1:
        field[1 + (corner & 1), 1 + (corner >> 1), 10 + z] = -1

  def distance(point, _):
    at = [round((point[k] + half[k]) / (2 * half[k]) * (size[k] - 1)) for k in range(3)]
    return field[tuple(at)]

  def box(aabb, _):
    for k in range(3):
      aabb[k], aabb[3 + k] = 0, half[k]

  plugin = Plugin(name=b"record.field", capabilityflags=8)
  types = dict(CALLBACKS)
  plugin.nstate = types["nstate"](lambda m, i: 0)
  plugin.init = types["init"](lambda m, d, i: 0)
  plugin.sdf_staticdistance = types["sdf_staticdistance"](distance)
  plugin.sdf_attribute = types["sdf_attribute"](lambda a, n, v: None)
  plugin.sdf_aabb = types["sdf_aabb"](box)
  nothing = ctypes.CFUNCTYPE(None)(lambda: None)
  plugin.reset = plugin.compute = ctypes.cast(nothing, ctypes.c_void_p)
  library.mjp_registerPlugin(ctypes.byref(plugin))
  model = mujoco.MjModel.from_xml_string("""
      <mujoco><extension><plugin plugin="record.field"><instance name="f"/></plugin></extension>
      <asset><mesh name="f"><plugin instance="f"/></mesh></asset>
      <worldbody><geom type="mesh" mesh="f" contype="0" conaffinity="0"/></worldbody></mujoco>""")
  recorder.add("cells/pattern", np.array(patterns, dtype=np.int32))
  recorder.add("cells/face", model.mesh_face.astype(np.int32))
  recorder.add("cells/vert", np.round(((model.mesh_vert / half + 1) * (np.array(size) - 1))).astype(np.int32))


def record_contacts(recorder):
  model = load("shapes.xml")
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  recorder.add("shapes/geom", np.array([c.geom for c in data.contact], dtype=np.int32))
  recorder.add("shapes/contact", np.array([np.concatenate([[c.dist], c.pos, c.frame]) for c in data.contact]))
  recorder.add("shapes/sizes", np.array([model.nmeshvert, model.nmeshface], dtype=np.int32))
  recorder.add("shapes/inertia", model.body_inertia[1])


def main():
  recorder = Recorder()
  record_steps(recorder, "pid", 100, 10, lambda i, step: .3 * np.sin(.05 * step * (i + 1)))
  record_steps(recorder, "cable", 60, 20, lambda i, step: 0)
  model = load("touch_grid.xml")
  data = mujoco.MjData(model)
  for _ in range(5):
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  recorder.add("touch_grid/sensordata", data.sensordata)
  record_shapes(recorder)
  record_cells(recorder)
  record_contacts(recorder)
  recorder.write("plugins.rec")


main()
