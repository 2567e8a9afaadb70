"""Pictures: corten beside the reference under the same OpenGL, through the reference's Python package.

    usage: pictures.py BUILD_DIR CORPUS_DIR [--models N] [--out DIR]

For a choice of models of the corpus, each library draws a picture, its depth and its segments (mujoco.Renderer, 320 x 240,
offscreen through EGL; MUJOCO_GL=osmesa for OSMesa). Both draw the state that corten and the reference compute from the file's
first keyframe, without a step. Compared are the structural similarity of the pictures (mean over windows of 7 x 7 pixels), the share of
pixels whose depth differs by at most 1e-4 of it, and the share of pixels of the same segment. With --out, the ten worst go into a page,
the reference's picture left, corten's in the middle, four times the difference right, and into one picture of all of them (worst.png, half
as large, in two columns). Models that the reference cannot load are left out; one that only corten cannot load or draw fails the run.
"""

import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

WIDTH, HEIGHT = 320, 240
LEAST_SIMILARITY, LEAST_DEPTH, LEAST_SEGMENTS = 0.95, 0.99, 0.99


def choose(corpus, count):
  """Models that are made to be looked at, evenly spread."""
  paths = sorted(p for p in pathlib.Path(corpus).rglob("*.xml") if "test" not in p.parts)
  count = min(count, len(paths))
  return [paths[i * len(paths) // count] for i in range(count)]


def shoot(out, paths):
  """Draws every model with the library that this process has loaded."""
  import mujoco
  result = {}
  for path in paths:
    try:
      model = mujoco.MjModel.from_xml_path(path)
    except ValueError:
      continue
    data = mujoco.MjData(model)
    if model.nkey:
      mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_camlight(model, data)
    mujoco.mj_tendon(model, data)
    model.vis.global_.offwidth, model.vis.global_.offheight = WIDTH, HEIGHT
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
      for _ in range(2):  # infinite planes follow the camera in the second
        renderer.update_scene(data)
      result[f"{path}|rgb"] = renderer.render().copy()
      renderer.enable_depth_rendering()
      result[f"{path}|depth"] = renderer.render().copy()
      renderer.disable_depth_rendering()
      renderer.enable_segmentation_rendering()
      result[f"{path}|segments"] = renderer.render().copy()
  np.savez(out, **result)


def start_shooting(out, paths, library_path):
  environment = dict(os.environ)
  environment.setdefault("MUJOCO_GL", "egl")
  if library_path:
    environment["LD_LIBRARY_PATH"] = str(library_path)
  command = [sys.executable, __file__, "--shoot", out, *map(str, paths)]
  # drivers complain on their way out; what counts is the file
  return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def shoot_both(work, paths, library_path):
  """The pictures of the reference and of corten, which are drawn at the same time."""
  files = [f"{work}/reference.npz", f"{work}/corten.npz"]
  for child in [start_shooting(files[0], paths, None), start_shooting(files[1], paths, library_path)]:
    child.wait()
  return [np.load(file) for file in files]


def window_mean(x, w=7):
  c = np.cumsum(np.cumsum(np.pad(x, ((1, 0), (1, 0))), 0), 1)
  return (c[w:, w:] - c[:-w, w:] - c[w:, :-w] + c[:-w, :-w]) / (w * w)


def similarity(a, b):
  """SSIM (Wang, Bovik, Sheikh and Simoncelli, Image quality assessment, 2004), mean over channels."""
  c1, c2 = (0.01 * 255)**2, (0.03 * 255)**2
  values = []
  for k in range(3):
    x, y = a[..., k].astype(float), b[..., k].astype(float)
    mx, my = window_mean(x), window_mean(y)
    vx, vy = window_mean(x * x) - mx * mx, window_mean(y * y) - my * my
    cov = window_mean(x * y) - mx * my
    values.append(np.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2))))
  return np.mean(values)


def compare(reference, corten, path):
  a, b = reference[f"{path}|depth"], corten[f"{path}|depth"]
  depth = np.mean(np.abs(a - b) <= 1e-4 * np.maximum(1, np.abs(a)))
  segments = np.mean((reference[f"{path}|segments"] == corten[f"{path}|segments"]).all(-1))
  return similarity(reference[f"{path}|rgb"], corten[f"{path}|rgb"]), depth, segments


def write_png(path, image):
  def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
  height, width = image.shape[:2]
  rows = b"".join(b"\0" + row.tobytes() for row in image)
  path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def halve(image):
  """Half as large, by means of four pixels."""
  return image.reshape(HEIGHT // 2, 2, -1, 2, 3).mean((1, 3)).astype(np.uint8)


def write_page(folder, reference, corten, rows):
  folder.mkdir(parents=True, exist_ok=True)
  lines = ["# The least similar pictures", "", "Reference, corten, four times the difference.", ""]
  sheet = []
  for i, (score, depth, segments, path) in enumerate(rows):
    a, b = reference[f"{path}|rgb"], corten[f"{path}|rgb"]
    difference = np.clip(4 * np.abs(a.astype(int) - b), 0, 255).astype(np.uint8)
    three = np.hstack([a, b, difference])
    write_png(folder / f"{i}.png", three)
    sheet.append(halve(three))
    lines += [f"{path}: similarity {score:.4f}, depth {depth:.4f}, segments {segments:.4f}", "", f"![]({i}.png)", ""]
  if len(sheet) % 2:
    sheet.append(np.zeros_like(sheet[0]))
  write_png(folder / "worst.png", np.vstack([np.hstack(sheet[i:i + 2]) for i in range(0, len(sheet), 2)]))
  (folder / "worst.md").write_text("\n".join(lines))


def main():
  if sys.argv[1:2] == ["--shoot"]:
    shoot(sys.argv[2], sys.argv[3:])
    return 0
  parser = argparse.ArgumentParser()
  parser.add_argument("build")
  parser.add_argument("corpus")
  parser.add_argument("--models", type=int, default=80)
  parser.add_argument("--out")
  options = parser.parse_args()
  paths = choose(options.corpus, options.models)
  with tempfile.TemporaryDirectory() as work:
    reference, corten = shoot_both(work, paths, pathlib.Path(options.build).resolve() / "lib/corten")
    drawn = [p for p in paths if f"{p}|rgb" in reference]
    both = [p for p in drawn if f"{p}|segments" in corten]
    rows = sorted((*compare(reference, corten, p), str(p)) for p in both)
    for score, depth, segments, path in rows[:10]:
      print(f"similarity {score:.4f}, depth {depth:.4f}, segments {segments:.4f}: {path}")
    wrong = [r for r in rows if r[0] < LEAST_SIMILARITY or r[1] < LEAST_DEPTH or r[2] < LEAST_SEGMENTS]
    least = [min(r[k] for r in rows) for k in range(3)] if rows else [0, 0, 0]
    print(f"least similarity {least[0]:.4f}, least share of depths {least[1]:.4f}, of segments {least[2]:.4f}")
    missing = [p for p in drawn if p not in both]
    for path in missing:
      print(f"not drawn by corten: {path}")
    print(f"{len(rows)} of {len(drawn)} models drawn by both, {len(wrong)} not alike")
    if options.out:
      write_page(pathlib.Path(options.out), reference, corten, rows[:10])
  return 1 if wrong or missing or not rows else 0


if __name__ == "__main__":
  sys.exit(main())
