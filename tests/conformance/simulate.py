"""The simulate interface of the reference's Python package on corten, in a window of a virtual screen.

    usage: simulate.py BUILD_DIR [--out DIR]

mujoco.viewer.launch runs the whole of simulate: panels on both sides, help, info, plots, its own thread of physics. It is started by
`corten exec`, driven by keys and mouse, photographed and closed, and the same is done with the reference's library. What both say in the end
(the state, what was reset, which flags are on) must agree, and the pictures must be alike: characters have shapes of corten's own, so windows
full of text are similar to 0.85 or more, not equal. Needs Xvfb, xdotool and ffmpeg; without them it says so.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pictures

WIDTH, HEIGHT = 1280, 900
LEAST_SIMILARITY = 0.85
MODEL = """
<mujoco model="swing">
  <visual><quality shadowsize="512"/></visual>
  <statistic center="0 0 .6" extent="1.5"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="2 2 .1" rgba=".4 .5 .4 1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom size=".5" rgba=".8 .3 .2 1"/></body>
    <body pos="0 1 1"><joint name="swing" axis="0 1 0" damping=".1"/><geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/></body>
  </worldbody>
  <actuator><motor name="push" joint="swing" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/><jointvel name="speed" joint="swing"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 1"/></keyframe>
</mujoco>
"""


def launch():
  """Blocks until the window is closed."""
  import ctypes
  import mujoco
  import mujoco.viewer
  model = mujoco.MjModel.from_xml_string(MODEL)
  data = mujoco.MjData(model)
  corten = hasattr(ctypes.CDLL("libmujoco.so.3.5.0"), "ct_version")
  print("library", "corten" if corten else "reference", flush=True)
  mujoco.viewer.launch(model, data)
  print(f"closed at time {data.time:.3f}, qpos {np.round(data.qpos, 6).tolist()}", flush=True)


class Session:
  """One run of simulate, and the pictures of it."""

  def __init__(self, command, folder):
    folder.mkdir(parents=True)
    self.folder = folder
    self.child = subprocess.Popen([*command, sys.executable, __file__, "--launch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True)
    self.xdotool("search", "--sync", "--onlyvisible", "--name", "MuJoCo")
    time.sleep(3)
    self.xdotool("search", "--onlyvisible", "--name", "MuJoCo", "windowmove", "%@", 0, 0, "windowsize", "%@", WIDTH, HEIGHT)
    time.sleep(1)
    self.xdotool("search", "--onlyvisible", "--name", "MuJoCo", "windowfocus", "%@")

  def xdotool(self, *words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL, timeout=120)

  def keys(self, *names):
    for name in names:
      self.xdotool("key", name)
      time.sleep(0.3)

  def shoot(self, name):
    time.sleep(2)
    path = self.folder / f"{name}.png"
    raw = subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "x11grab", "-video_size", f"{WIDTH}x{HEIGHT}", "-i", os.environ["DISPLAY"],
                          "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True).stdout
    image = np.frombuffer(raw, np.uint8).reshape(HEIGHT, WIDTH, 3)
    pictures.write_png(path, image)
    return image

  def drive(self):
    """Pauses first, so that what is seen does not depend on the clock."""
    shots = {}
    self.keys("space", "BackSpace")
    shots["start"] = self.shoot("start")
    self.keys("F1")
    shots["help"] = self.shoot("help")
    self.keys("F1", "F2")
    shots["info"] = self.shoot("info")
    self.keys("F2", "j", "c", "i", "t")
    shots["flags"] = self.shoot("flags")
    self.keys("j", "c", "i", "t", *["Right"] * 10)
    self.xdotool("mousemove", WIDTH // 2, HEIGHT // 2, "mousedown", 1, "mousemove_relative", "--", 40, 20, "mouseup", 1)
    shots["stepped and turned"] = self.shoot("stepped")
    # on a busy machine, two clicks may be too far apart to be one of them
    for _ in range(5):
      self.xdotool("mousemove", WIDTH // 2, HEIGHT // 2, "click", "--repeat", 2, "--delay", 40, 1)
      shots["selected"] = self.shoot("selected")
      if (shots["selected"] != shots["stepped and turned"]).mean() > 0.1:
        break
    self.keys("Tab", "shift+Tab")
    shots["without panels"] = self.shoot("plain")
    self.keys("Tab", "shift+Tab", "ctrl+l")
    time.sleep(2)
    self.keys("BackSpace")
    time.sleep(2)  # a reset waits for the next frame; steps do not
    self.keys(*["Right"] * 5)
    shots["reloaded and stepped"] = self.shoot("reloaded")
    self.keys("ctrl+q")
    out, err = self.child.communicate(timeout=120)
    return shots, out + (f"exit code {self.child.returncode}\n{err}" if self.child.returncode else "")


def run_both(build, folder):
  reference = Session([], folder / "reference").drive()
  corten = Session([str(build / "bin/corten"), "exec"], folder / "corten").drive()
  return reference, corten


def main():
  if sys.argv[1:2] == ["--launch"]:
    launch()
    return 0
  if not all(shutil.which(tool) for tool in ("Xvfb", "xdotool", "ffmpeg")):
    print("skipped: needs Xvfb, xdotool and ffmpeg (Debian packages xvfb, xdotool, ffmpeg)")
    return 0
  build = pathlib.Path(sys.argv[1]).resolve()
  with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(sys.argv[3] if sys.argv[2:3] == ["--out"] else work) / "simulate"
    shutil.rmtree(folder, ignore_errors=True)
    read, write = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"], pass_fds=[write],
                              stderr=subprocess.DEVNULL)
    try:
      os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
      (theirs, said), (ours, answered) = run_both(build, folder)
    finally:
      screen.terminate()
      screen.wait()
  print(f"the reference:\n{said}corten:\n{answered}", end="")
  wrong = 0
  for name, picture in ours.items():
    score = pictures.similarity(theirs[name], picture)
    wrong += score < LEAST_SIMILARITY
    print(f"similarity {score:.4f}: {name}")
  same = said.replace("library reference", "library corten") == answered
  print("the end is the same" if same else "the ends differ")
  return 0 if same and "closed" in answered and not wrong else 1


if __name__ == "__main__":
  sys.exit(main())
