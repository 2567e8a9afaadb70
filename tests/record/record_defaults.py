"""Records what the reference's default functions write, and its string tables.

A struct that starts as zeros is recorded as its non-zero 32-bit words: their indices and their values.
"""

import ctypes
import os

import numpy as np

from recorded import Recorder, reference

mujoco = reference()
LIBRARY = ctypes.CDLL(os.path.join(mujoco.__path__[0], "libmujoco.so.3.5.0"))
ROOM = 1 << 22  # more than any of the structs

TABLES = [("mjDISABLESTRING", 19), ("mjENABLESTRING", 6), ("mjTIMERSTRING", 15), ("mjLABELSTRING", 17),
          ("mjFRAMESTRING", 8), ("mjVISSTRING", 93), ("mjRNDSTRING", 33)]


def words_of(function, *before):
  buffer = (ctypes.c_int * (ROOM // 4))()
  getattr(LIBRARY, function)(*before, buffer)
  return np.frombuffer(buffer, dtype=np.int32)


def add_struct(r, name, words):
  index = np.nonzero(words)[0]
  r.add(f"{name}/index", index)
  r.add(f"{name}/word", words[index])


def main():
  r = Recorder()
  for name in ["mj_defaultOption", "mj_defaultVisual", "mj_defaultLROpt", "mjv_defaultCamera",
               "mjv_defaultOption", "mjv_defaultPerturb", "mjv_defaultScene", "mjv_defaultFigure",
               "mjr_defaultContext"]:
    add_struct(r, name, words_of(name))

  m = mujoco.MjModel.from_xml_string("""<mujoco>
    <statistic center="1 2 3" extent="4"/>
    <visual><global azimuth="30" elevation="-20" orthographic="true"/></visual></mujoco>""")
  r.add("mjv_defaultFreeCamera/model", [1.0, 2, 3, 4, 30, -20, 1])
  add_struct(r, "mjv_defaultFreeCamera", words_of("mjv_defaultFreeCamera", ctypes.c_void_p(m._address)))

  solref, solimp = (ctypes.c_double * 2)(), (ctypes.c_double * 5)()
  LIBRARY.mj_defaultSolRefImp(solref, solimp)
  r.add("mj_defaultSolRefImp", list(solref) + list(solimp))

  for name, count in TABLES:
    strings = (ctypes.c_char_p * count).in_dll(LIBRARY, name)
    r.add(name, np.frombuffer(b"\0".join(strings) + b"\0", dtype=np.uint8).astype(int))
  r.add("mjCONDATA_SIZE", list((ctypes.c_int * 7).in_dll(LIBRARY, "mjCONDATA_SIZE")))
  r.add("mju_condataSize", [LIBRARY.mju_condataSize(i) for i in range(-1, 300)])
  r.write("defaults.rec")


if __name__ == "__main__":
  main()
