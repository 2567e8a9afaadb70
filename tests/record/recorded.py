"""Writes recorded numbers in the format that tests/support/recorded.h describes."""

import struct

import numpy as np


class Recorder:
  """Collects named arrays and writes them into one file."""

  def __init__(self):
    self._blocks = []

  def add(self, name, values):
    array = np.asarray(values).ravel()
    kind = "i" if array.dtype.kind in "iub" else "d"
    array = array.astype("<i4" if kind == "i" else "<f8")
    encoded = name.encode()
    header = struct.pack("<i", len(encoded)) + encoded + struct.pack("<iq", ord(kind), array.size)
    self._blocks.append(header + array.tobytes())

  def write(self, path):
    with open(path, "wb") as f:
      f.write(b"CTREC1\n")
      for block in self._blocks:
        f.write(block)
