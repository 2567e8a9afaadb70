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


# GMSH files: a shell of two triangles and a block of twelve tetrahedra, six in each of two cells. The reference reads
# binary files of format 2.2 if their counts have two digits, each element has its own header, and there are as many
# elements as nodes.

def block():
  points = [(0.1 * x, 0.1 * y, 0.1 * z + 0.01 * x * y) for x in range(3) for y in range(2) for z in range(2)]
  corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
  cuts = [(0, 3, 1, 7), (0, 1, 4, 7), (1, 3, 2, 7), (1, 2, 6, 7), (1, 5, 4, 7), (1, 6, 5, 7)]
  number = lambda x, at: 4 * (x + at[0]) + 2 * at[1] + at[2] + 1
  return points, [tuple(number(x, corner[k]) for k in cut) for x in range(2) for cut in cuts]


SHELL = [(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0.02), (0, 0.1, 0)], [(1, 2, 3), (1, 3, 4)]
BLOCK = block()


def gmsh_22(mesh, binary=False):
  points, elements = mesh
  kind = 2 if len(elements[0]) == 3 else 4
  text = lambda *words: (" ".join(map(str, words)) + "\n").encode()
  data = text("$MeshFormat") + text(2.2, int(binary), 8) + (ints([1]) + b"\n" if binary else b"")
  data += text("$EndMeshFormat") + text("$Nodes") + text(len(points))
  for i, p in enumerate(points, 1):
    data += ints([i]) + struct.pack("<3d", *p) if binary else text(i, *p)
  data += (b"\n" if binary else b"") + text("$EndNodes") + text("$Elements") + text(len(elements))
  for i, e in enumerate(elements, 1):
    data += ints([kind, 1, 2, i, 0, 1, *e]) if binary else text(i, kind, 2, 0, 1, *e)
  return data + (b"\n" if binary else b"") + text("$EndElements")


def gmsh_41(mesh, binary=False):
  points, elements = mesh
  dim = len(elements[0]) - 1
  kind, n, ne = {2: 2, 3: 4}[dim], len(points), len(elements)
  text = lambda *words: (" ".join(map(str, words)) + "\n").encode()
  longs = lambda numbers: struct.pack(f"<{len(numbers)}Q", *numbers)
  head = text("$MeshFormat") + text(4.1, int(binary), 8)
  if not binary:
    data = head + text("$EndMeshFormat") + text("$Nodes") + text(1, n, 1, n) + text(dim, 1, 0, n)
    data += b"".join(text(i) for i in range(1, n + 1)) + b"".join(text(*p) for p in points)
    data += text("$EndNodes") + text("$Elements") + text(1, ne, 1, ne) + text(dim, 1, kind, ne)
    return data + b"".join(text(i, *e) for i, e in enumerate(elements, 1)) + text("$EndElements")
  data = head + ints([1]) + b"\n" + text("$EndMeshFormat") + text("$Nodes")
  data += longs([1, n, 1, n]) + ints([dim, 1, 0]) + longs([n]) + longs(range(1, n + 1))
  data += b"".join(struct.pack("<3d", *p) for p in points) + b"\n" + text("$EndNodes") + text("$Elements")
  data += longs([1, ne, 1, ne]) + ints([dim, 1, kind]) + longs([ne])
  data += b"".join(longs([i, *e]) for i, e in enumerate(elements, 1))
  return data + b"\n" + text("$EndElements")


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
  save("shell_22.msh", gmsh_22(SHELL))
  save("block_22_binary.msh", gmsh_22(BLOCK, binary=True))
  save("block_41.msh", gmsh_41(BLOCK))
  save("shell_41_binary.msh", gmsh_41(SHELL, binary=True))
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
