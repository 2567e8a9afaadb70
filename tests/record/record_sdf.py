"""Records the reference's signed distances and gradients of shapes and of pairs of shapes.

Writes tests/recorded/sdf.rec: "what" with a row (combination, type, id, type, id) per case, "pos", "mat" (pose of the
point in the second shape), "point", and the results "distance" and "gradient". The shapes are those of
tests/collide/fields.xml. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_sdf.py
"""

import ctypes
import pathlib

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()
library = ctypes.CDLL(str(next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so.*"))))
library.mjc_distance.restype = ctypes.c_double


class Pair(ctypes.Structure):
  """The public struct mjSDF."""
  _fields_ = [("plugin", ctypes.c_void_p), ("id", ctypes.c_void_p), ("type", ctypes.c_int), ("relpos", ctypes.c_void_p),
              ("relmat", ctypes.c_void_p), ("geomtype", ctypes.c_void_p)]


def evaluate(model, data, case):
  kind, type1, id1, type2, id2 = case["what"]
  arrays = [(ctypes.c_void_p * 2)(), (ctypes.c_int * 2)(id1, id2), (ctypes.c_double * 3)(*case["pos"]),
            (ctypes.c_double * 9)(*case["mat"]), (ctypes.c_int * 2)(type1, type2)]
  at = [ctypes.cast(a, ctypes.c_void_p) for a in arrays]
  pair = Pair(at[0], at[1], kind, at[2], at[3], at[4])
  point, gradient = (ctypes.c_double * 3)(*case["point"]), (ctypes.c_double * 3)()
  m, d = ctypes.c_void_p(model._address), ctypes.c_void_p(data._address)
  case["distance"] = library.mjc_distance(m, d, ctypes.byref(pair), point)
  library.mjc_gradient(m, d, ctypes.byref(pair), gradient, point)
  case["gradient"] = list(gradient)


def main():
  random = np.random.default_rng(1)
  model = mujoco.MjModel.from_xml_path(str(ROOT / "tests" / "collide" / "fields.xml"))
  data = mujoco.MjData(model)
  sides = []
  for geom in range(model.ngeom):
    field = model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_SDF
    sides.append((model.geom_type[geom], model.geom_dataid[geom] if field else geom))
  cases = []
  for i in range(120):
    quat, mat = random.normal(size=4), np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
    first, second = sides[i % model.ngeom], sides[random.integers(model.ngeom)]
    case = dict(what=[i % 4, *first, *second], pos=random.uniform(-.2, .2, 3), mat=mat,
                point=random.uniform(-.3, .3, 3))
    evaluate(model, data, case)
    cases.append(case)
  recorder = Recorder()
  for name in "what pos mat point distance gradient".split():
    recorder.add(name, np.array([case[name] for case in cases]))
  recorder.write("sdf.rec")


if __name__ == "__main__":
  main()
