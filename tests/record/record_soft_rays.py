"""Records rays that meet, or miss, flexes and skins.

Writes tests/recorded/soft_rays.rec. Flexes are those of the scenes of record_soft.py, whose models must be there, bent by noise:
"<scene>/in/qpos", rays "<scene>/from" and "<scene>/along", how to look for them "<scene>/way" (flex, layer, vertices, edges,
faces, skin), and what mj_rayFlex finds: "<scene>/dist", "<scene>/vertex" (-7 where it wrote none) and "<scene>/normal". Skins are
random triangles: "skin<i>/vert", "skin<i>/face", rays, "skin<i>/dist" and "skin<i>/vertex". Run it with a Python that has mujoco
3.5.0:
    python tests/record/record_soft_rays.py
"""

import ctypes
import pathlib

import numpy as np

from recorded import FOLDER, Recorder, reference

mujoco = reference()

SCENES = "drape ropes block cells heap".split()
RAYS, SKINS, UNTOUCHED = 96, 6, -7


def record_flexes(out, scene):
  model = mujoco.MjModel.from_binary_path(str(FOLDER / "soft" / f"{scene}.mjb"))
  data = mujoco.MjData(model)
  rng = np.random.default_rng(len(scene) + 20)
  data.qpos[:] += rng.normal(size=model.nq) * .004
  mujoco.mj_normalizeQuat(model, data.qpos)
  out.add(f"{scene}/in/qpos", data.qpos)
  mujoco.mj_kinematics(model, data)
  mujoco.mj_flex(model, data)
  rows = {name: [] for name in "from along way dist vertex normal".split()}
  for ray in range(RAYS):
    flex = ray % model.nflex
    first = model.flex_vertadr[flex]
    points = data.flexvert_xpos.reshape(-1, 3)[first:first + model.flex_vertnum[flex]]
    middle, size = points.mean(0), points.std() + .02
    start = middle + rng.normal(size=3) * size * 3
    along = middle + rng.normal(size=3) * size - start
    if ray % 8 == 7:  # near a vertex
      along = points[rng.integers(len(points))] + rng.normal(size=3) * .002 - start
    way = [flex, ray % 3] + [int(x) for x in rng.integers(0, 2, size=4)]
    vertex, normal = np.full(1, UNTOUCHED, np.int32), np.zeros(3)
    dist = mujoco.mj_rayFlex(model, data, *way[1:], flex, start, along, vertex, normal)
    for name, value in dict(way=way, dist=dist, vertex=vertex[0], normal=normal, along=along).items():
      rows[name].append(value)
    rows["from"].append(start)
  for name, value in rows.items():
    out.add(f"{scene}/{name}", np.array(value))
  print(scene, sum(x >= 0 for x in rows["dist"]), "of", RAYS, "rays hit")


def ray_skin():
  """The function itself: the reference's Python cannot hand it arrays."""
  library = next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so.*"))
  function = ctypes.CDLL(str(library)).mju_raySkin
  function.restype = ctypes.c_double
  return function


def record_skin(out, i, function):
  rng = np.random.default_rng(300 + i)
  vert = rng.uniform(-1, 1, size=(4 + 4 * i, 3)).astype(np.float32)
  face = rng.integers(0, len(vert), size=(2 + 5 * i, 3)).astype(np.int32)
  start = rng.uniform(-2, 2, size=(RAYS, 3))
  along = rng.uniform(-.5, .5, size=(RAYS, 3)) - start
  along[::16] = rng.uniform(-1, 1, size=along[::16].shape)  # often past all of it
  dist, vertices = [], []
  for k in range(RAYS):
    vertex = ctypes.c_int(UNTOUCHED)
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (face, vert, start[k], along[k])]
    dist.append(function(len(face), len(vert), *pointers, ctypes.byref(vertex)))
    vertices.append(vertex.value)
  arrays = {"vert": vert, "face": face, "from": start, "along": along, "dist": dist, "vertex": np.array(vertices)}
  for name, value in arrays.items():
    out.add(f"skin{i}/{name}", value)
  print(f"skin{i}", sum(x >= 0 for x in dist), "of", RAYS, "rays hit")


if __name__ == "__main__":
  recorder = Recorder()
  for name_of_scene in SCENES:
    record_flexes(recorder, name_of_scene)
  for number in range(SKINS):
    record_skin(recorder, number, ray_skin())
  recorder.write("soft_rays.rec")
