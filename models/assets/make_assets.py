"""Writes the binary files beside it: tiny meshes, pictures, height fields and a skin for models/.

They come out the same on every machine, byte for byte. Text files here are written by hand. Run it with any Python 3:
    python models/assets/make_assets.py
"""

import pathlib
import struct
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent


def save(name, data):
  (FOLDER / name).write_bytes(data)
  print(f"{name:16s} {len(data)} bytes")


def floats(values):
  return struct.pack(f"<{len(values)}f", *values)


def ints(values):
  return struct.pack(f"<{len(values)}i", *values)


# Meshes

def stl(vertex, face):
  """Binary STL: 80 bytes of anything, the number of triangles, then normal, corners and two spare bytes of each."""
  data = b"written for corten".ljust(80, b"\0") + ints([len(face)])
  for corners in face:
    data += floats([0, 0, 0]) + b"".join(floats(vertex[i]) for i in corners) + b"\0\0"
  return data


def msh(vertex, normal, texcoord, face):
  """The reference's own format: four counts, then the arrays."""
  data = ints([len(vertex), len(normal), len(texcoord), len(face)])
  return data + b"".join(floats(row) for row in vertex + normal + texcoord) + b"".join(ints(f) for f in face)


RAMP = [(0, 0, 0), (3, 0, 0), (3, 2, 0), (0, 2, 0), (0, 0, 1), (0, 2, 1)]
RAMP_FACES = [(0, 2, 1), (0, 3, 2), (0, 1, 4), (3, 5, 2), (0, 4, 3), (3, 4, 5), (1, 2, 4), (2, 5, 4)]

ROOF = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, 1.5)]
ROOF_NORMALS = [(-0.6, -0.6, 0.529), (0.6, -0.6, 0.529), (0.6, 0.6, 0.529), (-0.6, 0.6, 0.529), (0, 0, 1)]
ROOF_TEXCOORDS = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5)]
ROOF_FACES = [(0, 2, 1), (0, 3, 2), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]

# a pebble with more corners than its hull needs, for a limit on them
PEBBLE = [(2, 0, 0), (-2, 0, 0), (0, 1.5, 0), (0, -1.5, 0), (0, 0, 1), (0, 0, -1),
          (1.3, 0.9, 0.1), (-1.3, -0.9, 0.1), (1.2, -0.9, -0.2), (-1.2, 0.9, -0.2)]
PEBBLE_FACES = [(0, 6, 4), (6, 2, 4), (2, 9, 4), (9, 1, 4), (1, 7, 4), (7, 3, 4), (3, 8, 4), (8, 0, 4),
                (6, 0, 5), (2, 6, 5), (9, 2, 5), (1, 9, 5), (7, 1, 5), (3, 7, 5), (8, 3, 5), (0, 8, 5)]


# Pictures

def png(rows, colour_type, extra=b""):
  """8 bits per channel. rows: lists of tuples. colour_type: 0 grey, 2 RGB, 6 RGBA."""
  def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

  raw = b"".join(b"\0" + bytes(v for texel in row for v in texel) for row in rows)
  # stored, not compressed: a compressor may change its mind from one version to the next
  blocks = b"\x78\x01\x01" + struct.pack("<HH", len(raw), len(raw) ^ 0xffff) + raw
  blocks += struct.pack(">I", zlib.adler32(raw))
  header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, colour_type, 0, 0, 0)
  return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", blocks) + chunk(b"IEND", b"")


def picture(width, height, texel):
  return [[texel(r, c) for c in range(width)] for r in range(height)]


def flag(r, c):
  return (40 * c, 60 * r, 255 - 30 * (r + c))


def face(k):
  return lambda r, c: (40 * k, 80 * r, 80 * c)


def unfolded(r, c):
  return (60 * (r // 2) + 5, 60 * (c // 2) + 5, 100 * (r % 2) + 50 * (c % 2))


# The files

def main():
  save("ramp.stl", stl(RAMP, RAMP_FACES))
  save("pebble.bin", stl(PEBBLE, PEBBLE_FACES))
  save("roof.msh", msh(ROOF, ROOF_NORMALS, ROOF_TEXCOORDS, ROOF_FACES))
  save("flag.png", png(picture(5, 3, flag), 2))
  save("mask.png", png(picture(2, 2, lambda r, c: (90 * r, 90 * c, 200, 255 - 60 * (r + c))), 6))
  save("unfolded.png", png(picture(8, 6, unfolded), 2))
  for k, side in enumerate("right left up down front back".split()):
    save(f"sky_{side}.png", png(picture(2, 2, face(k)), 2))
  save("emblem.img", png(picture(3, 3, lambda r, c: (200 - 60 * r, 70 * c, 20)), 2))
  save("bumps.img", png(picture(5, 4, lambda r, c: ((37 * r * c + 11 * r + 50 * c) % 256,)), 0))
  save("dunes.dat", ints([3, 4]) + floats([0, 1, 2, 1, 0.5, 2, 3, 1, 0, 1, 1.5, 0.25]))
  bone = lambda name, pos, quat, ids, weights: (
      name.encode().ljust(40, b"\0") + floats(pos + quat) + ints([len(ids)]) + ints(ids) + floats(weights))
  save("sleeve.skn", ints([6, 6, 4, 2])
       + floats([0, 0.05, 0, 0, -0.05, 0, 0.2, 0.05, 0, 0.2, -0.05, 0, 0.4, 0.05, 0, 0.4, -0.05, 0])
       + floats([0, 0, 0, 1, 0.5, 0, 0.5, 1, 1, 0, 1, 1])
       + ints([0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4])
       + bone("upper", [0, 0, 0], [1, 0, 0, 0], [0, 1, 2, 3], [1, 1, 0.5, 0.5])
       + bone("lower", [0.2, 0, 0], [1, 0, 0, 0], [2, 3, 4, 5], [0.5, 0.5, 1, 1]))


if __name__ == "__main__":
  main()
