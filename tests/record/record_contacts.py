"""Records contacts, distances and rays of the reference for every pair of shapes in several poses.

Writes tests/recorded/contacts.rec for tests/collide/test_pairs.c. Shapes are those of
tests/collide/shapes.xml; all but the two under test are far away. Per case: the two geoms, flags and
margin, the two poses, and per contact its dist, pos and normal. Run it with a Python that has
mujoco 3.5.0:
    python tests/record/record_contacts.py
"""

import itertools
import pathlib

import mujoco
import numpy as np

from recorded import Recorder

ROOT = pathlib.Path(__file__).resolve().parents[2]
MULTI = int(mujoco.mjtEnableBit.mjENBL_MULTICCD)
LEGACY = int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
PLANE, HFIELD, ELLIPSOID, MESH = (int(getattr(mujoco.mjtGeom, "mjGEOM_" + name))
                                  for name in ("PLANE", "HFIELD", "ELLIPSOID", "MESH"))
QUARTERS = [(1, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1)]

# name, orientation, how the second shape is placed, margin, flags that are disabled and enabled
CASES = [
    ("anywhere", "random", "touch", 0, 0, 0),
    ("face", "quarter", "touch", 0, 0, 0),
    ("edge", "eighth", "touch", 0, 0, 0),
    ("deep", "random", "deep", 0, 0, 0),
    ("margin", "random", "apart", .06, 0, 0),
    ("same", "none", "same", 0, 0, 0),
    ("multi", "quarter", "touch", 0, 0, MULTI),
    ("legacy", "random", "touch", 0, LEGACY, 0),
]


def matrix(quat):
  quat = np.array(quat, float)
  mujoco.mju_normalize4(quat)
  mat = np.zeros(9)
  mujoco.mju_quat2Mat(mat, quat)
  return mat


def orientation(kind, random):
  if kind == "random":
    return matrix(random.normal(size=4))
  if kind == "quarter":
    return matrix(QUARTERS[random.integers(4)])
  if kind == "eighth":
    return matrix(np.array(QUARTERS[random.integers(1, 4)]) * [np.cos(np.pi / 8), *3 * [np.sin(np.pi / 8)]])
  return matrix((1, 0, 0, 0))


def place(model, data, geoms, case, random):
  """Poses of the two geoms: the second comes nearer along a random line until there are contacts."""
  data.geom_xpos[:] = [[1000 * (i + 1), 0, 1000 if i else -1000] for i in range(model.ngeom)]
  data.geom_xmat[:] = matrix((1, 0, 0, 0))
  first, second = geoms
  data.geom_xpos[first] = 0
  data.geom_xmat[second] = orientation(case[1], random)
  if model.geom_type[first] not in (PLANE, HFIELD):
    data.geom_xmat[first] = orientation(case[1] if case[1] != "eighth" else "none", random)
  line = random.normal(size=3)
  line = np.array([0, 0, 1.]) if case[1] in ("quarter", "eighth") else line / np.linalg.norm(line)
  line[2] = abs(line[2])
  aside = np.round(random.uniform(-.1, .1, size=3), 2) * [1, 1, 0]
  steps = {"deep": [.02], "same": [0], "apart": np.arange(.8, 0, -.004)}.get(case[2], np.arange(.8, 0, -.01))
  for step in steps:
    data.geom_xpos[second] = step * line + (0 if case[2] in ("same", "deep") else aside)
    mujoco.mj_collision(model, data)
    if data.ncon:
      return


def main():
  if mujoco.__version__ != "3.5.0":
    raise SystemExit(f"the reference is mujoco 3.5.0, this is {mujoco.__version__}")
  model = mujoco.MjModel.from_xml_path(str(ROOT / "tests" / "collide" / "shapes.xml"))
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  disable, enable = model.opt.disableflags, model.opt.enableflags
  recorder = Recorder()
  recorded = 0
  for geoms in itertools.combinations(range(model.ngeom), 2):
    types = [int(model.geom_type[g]) for g in geoms]
    names = [model.geom(g).name for g in geoms]
    second = [name.endswith("2") for name in names]
    if types[1] <= HFIELD or second[0] or (second[1] and types[0] != types[1]):
      continue
    for number, case in enumerate(CASES):
      convex = types[0] >= ELLIPSOID or types[1] == MESH
      if case[0] in ("multi", "legacy") and not convex:
        continue
      if types[0] == HFIELD and case[2] in ("deep", "same"):
        continue  # up to 50 contacts
      random = np.random.default_rng(1000 * geoms[0] + 10 * geoms[1] + number)
      model.geom_margin[:] = case[3] / 2
      model.opt.disableflags, model.opt.enableflags = disable | case[4], enable | case[5]
      place(model, data, geoms, case, random)
      prefix = f"{names[0]}-{names[1]}/{case[0]}"
      fromto = np.zeros(6)
      dist = mujoco.mj_geomDistance(model, data, geoms[0], geoms[1], 1, fromto)
      origin, normal, seen = np.array([.3, -.8, .9]), np.zeros((3, 1)), np.array([-1], np.int32)
      ray = mujoco.mj_ray(model, data, origin, data.geom_xpos[geoms[1]] - origin, None, 1, -1, seen, normal)
      recorder.add(f"{prefix}/what", [*geoms, case[4], case[5], data.ncon, seen[0]])
      recorder.add(f"{prefix}/pose", [case[3], *data.geom_xpos[geoms[0]], *data.geom_xmat[geoms[0]],
                                      *data.geom_xpos[geoms[1]], *data.geom_xmat[geoms[1]]])
      recorder.add(f"{prefix}/asked", [dist, *fromto, ray, *normal.ravel()])
      contacts = [[c.dist, *c.pos, *c.frame[:3]] for c in data.contact[:data.ncon]]
      recorder.add(f"{prefix}/contacts", np.array(contacts, float).ravel())
      recorded += 1
  recorder.write("contacts.rec")
  print(f"{recorded} cases")


if __name__ == "__main__":
  main()
