"""Checks a recording of `corten run`: a sound archive, arrays that fit each other, and the same samples as its table.

    usage: check_npz.py RECORDING.npz RECORDING.csv
"""

import ast
import csv
import struct
import sys
import zipfile


def read_npy(data):
  """Shape and numbers of an NPY file; NumPy need not be there."""
  size = struct.unpack("<H", data[8:10])[0]
  header = ast.literal_eval(data[10:10 + size].decode())
  assert data[:6] == b"\x93NUMPY" and (10 + size) % 64 == 0 and not header["fortran_order"]
  if header["descr"].startswith("<U"):
    each = 4 * int(header["descr"][2:])
    texts = data[10 + size:].decode("utf-32-le")
    return header["shape"], [texts[i:i + each // 4].rstrip("\0") for i in range(0, len(texts), each // 4)]
  kind = {"<f8": "d", "<i4": "i"}[header["descr"]]
  count = 1
  for n in header["shape"]:
    count *= n
  numbers = struct.unpack(f"<{count}{kind}", data[10 + size:])
  return header["shape"], numbers


archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
arrays = {name[:-4]: read_npy(archive.read(name)) for name in archive.namelist()}
with open(sys.argv[2]) as f:
  rows = list(csv.reader(f))
samples = len(rows) - 1
assert arrays.pop("columns")[1] == rows[0]
width = {}
for name, (shape, _) in arrays.items():
  if not name.startswith("contact_"):
    assert shape[0] == samples, (name, shape, samples)
    width[name] = 1
    for n in shape[1:]:
      width[name] *= n
assert sum(width.values()) == len(rows[0])
for i, row in enumerate(rows[1:]):
  kept = [x for name in width for x in arrays[name][1][i * width[name]:(i + 1) * width[name]]]
  assert all(a == float(b) for a, b in zip(kept, row)), i

start, ncon = arrays["contact_start"][1], arrays["ncon"][1]
assert len(start) == samples + 1 and start[0] == 0
assert all(start[i + 1] - start[i] == ncon[i] for i in range(samples))
for name, n in {"geom": 2, "flex": 2, "elem": 2, "vert": 2, "dim": None, "dist": None, "pos": 3, "frame": 9, "force": 6}.items():
  assert arrays["contact_" + name][0] == ((start[-1], n) if n else (start[-1],)), name
for i in range(start[-1]):
  normal = arrays["contact_frame"][1][9 * i:9 * i + 3]
  assert abs(sum(x * x for x in normal) - 1) < 1e-6
  assert arrays["contact_force"][1][6 * i] >= 0
print(f"{samples} samples with {start[-1]} contacts are fine")
