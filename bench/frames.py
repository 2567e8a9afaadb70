"""Frames per second of mjr_render, corten beside the reference, on the same software renderer.

    usage: frames.py BUILD_DIR MODEL...

Each library draws in a process of its own (mujoco.Renderer, 320 x 240, EGL); the two take turns, frame by frame, so that both see the same
machine. Counted is the processor time of a frame, all threads together, because others may use the machine; printed are the medians, in
milliseconds, and the ratio of frames per second.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

FRAMES = 15


def draw(path):
  """Draws a frame for each line of standard input, and answers with the processor time it took."""
  import mujoco
  model = mujoco.MjModel.from_xml_path(path)
  data = mujoco.MjData(model)
  if model.nkey:
    mujoco.mj_resetDataKeyframe(model, data, 0)
  mujoco.mj_forward(model, data)
  with mujoco.Renderer(model, 240, 320) as renderer:
    renderer.update_scene(data)
    renderer.render()
    print("ready", flush=True)
    for _ in sys.stdin:
      start = time.process_time()
      renderer.update_scene(data)
      renderer.render()
      print(time.process_time() - start, flush=True)


def start(path, library_path):
  environment = dict(os.environ, MUJOCO_GL="egl")
  if library_path:
    environment["LD_LIBRARY_PATH"] = str(library_path)
  process = subprocess.Popen([sys.executable, __file__, "--draw", path], env=environment, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
  assert process.stdout.readline().strip() == "ready", f"{path} cannot be drawn"
  return process


def main():
  if sys.argv[1:2] == ["--draw"]:
    draw(sys.argv[2])
    return
  library = pathlib.Path(sys.argv[1]).resolve() / "lib/corten"
  ratios = []
  for path in sys.argv[2:]:
    pair = [start(path, None), start(path, library)]
    times = [[], []]
    for _ in range(FRAMES):
      for k in range(2):
        pair[k].stdin.write("\n")
        pair[k].stdin.flush()
        times[k].append(float(pair[k].stdout.readline()))
    for process in pair:
      process.stdin.close()
      process.wait()
    reference, corten = (1000 * statistics.median(t) for t in times)
    ratios.append(reference / corten)
    print(f"reference {reference:8.1f} ms, corten {corten:8.1f} ms, ratio {reference / corten:.2f}: {path}", flush=True)
  print(f"geometric mean {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
  main()
