"""Recordings: writes and reads the format that tests/support/recorded.h describes."""

import pathlib
import struct

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "recorded"
FORMAT = "CTREC2"
REFERENCE = "3.5.0"


def reference():
  """The mujoco module, if it is the reference; without its asset cache, which can hand out stale meshes."""
  import mujoco
  if mujoco.__version__ != REFERENCE:
    raise SystemExit(f"the reference is mujoco {REFERENCE}, this is {mujoco.__version__}")
  mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
  return mujoco


class Recorder:
  """Collects named arrays and writes them into one file. origin: whose numbers they are."""

  def __init__(self, origin=f"mujoco {REFERENCE}"):
    self._origin = origin
    self._blocks = []

  def add(self, name, values):
    array = np.asarray(values).ravel()
    kind = "i" if array.dtype.kind in "iub" else "d"
    array = array.astype("<i4" if kind == "i" else "<f8")
    encoded = name.encode()
    header = struct.pack("<i", len(encoded)) + encoded + struct.pack("<iq", ord(kind), array.size)
    self._blocks.append(header + array.tobytes())

  def write(self, name):
    """Into tests/recorded/."""
    data = f"{FORMAT} {self._origin}\n".encode() + b"".join(self._blocks)
    (FOLDER / name).write_bytes(data)
    print(f"{name:24s} {len(data)} bytes")


def read(data):
  """First line and arrays by name, from the bytes of a file."""
  end = data.index(b"\n") + 1
  arrays, at = {}, end
  while at < len(data):
    length, = struct.unpack_from("<i", data, at)
    name = data[at + 4:at + 4 + length].decode()
    at += 4 + length
    kind, count = struct.unpack_from("<iq", data, at)
    at += 12
    dtype = np.dtype("<i4" if kind == ord("i") else "<f8")
    arrays[name] = np.frombuffer(data, dtype, count, at)
    at += count * dtype.itemsize
  return data[:end].decode().strip(), arrays
