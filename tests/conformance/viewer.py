"""The viewer of the reference's Python package on corten, in a window of a virtual screen.

    usage: viewer.py BUILD_DIR

mujoco.viewer.launch_passive opens, shows a scene, is driven by mouse and keys, and closes; the same is done with the reference's
library, and what both say of camera, flags, selection and perturbation must agree. Needs Xvfb and xdotool; without them it says so.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

MODEL = """
<mujoco>
  <visual><quality shadowsize="512"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom size=".5"/></body>
  </worldbody>
</mujoco>
"""


def drive():
  """Runs with the library that this process has loaded; prints what the viewer says."""
  import mujoco
  import mujoco.viewer
  model = mujoco.MjModel.from_xml_string(MODEL)
  data = mujoco.MjData(model)
  keys = []

  def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL)

  with mujoco.viewer.launch_passive(model, data, key_callback=keys.append) as viewer:
    def wait(seconds):
      end = time.time() + seconds
      while time.time() < end and viewer.is_running():
        mujoco.mj_step(model, data)
        viewer.sync()
        time.sleep(0.01)

    def wait_for(condition):
      end = time.time() + 10
      while time.time() < end and not condition():
        wait(0.1)

    wait_for(lambda: viewer.viewport is not None and viewer.viewport.width > 0)
    wait(2)
    view = viewer.viewport
    print("running", viewer.is_running(), "view", view.left, view.bottom, view.width, view.height)
    viewer.cam.lookat[:], viewer.cam.distance = (0, 0, .5), 3
    wait(1)
    x, y = view.left + view.width // 2, view.height // 2
    xdotool("mousemove", x, y)
    wait(0.3)
    xdotool("mousedown", 1)
    wait(0.5)  # a busy machine sees the button before the mouse moves
    for _ in range(4):
      xdotool("mousemove_relative", "--", 10, 5)
      wait(0.2)
    xdotool("mouseup", 1)
    wait(0.5)
    print(f"camera {viewer.cam.azimuth:.6f} {viewer.cam.elevation:.6f} {viewer.cam.distance:.6f}")
    xdotool("key", "c")
    wait(0.5)
    print("contact points", int(viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT]), "keys", keys)
    xdotool("mousemove", x, y, "click", "--repeat", 2, "--delay", 40, 1)
    wait_for(lambda: viewer.perturb.select)
    print("selected", viewer.perturb.select)
    xdotool("keydown", "ctrl", "mousedown", 3)
    wait(0.5)
    for _ in range(3):
      xdotool("mousemove_relative", "--", 10, 0)
      wait(0.2)
    print("pulls", viewer.perturb.active, "force", bool(abs(data.xfrc_applied).max() > 0))
    xdotool("mouseup", 3, "keyup", "ctrl")
    wait(0.5)
    print("pulls", viewer.perturb.active)
    viewer.user_scn.ngeom = 0
    viewer.close()
  print("closed")


def drive_apart(library_path):
  environment = dict(os.environ)
  if library_path:
    environment["LD_LIBRARY_PATH"] = str(library_path)
  done = subprocess.run([sys.executable, __file__, "--drive"], env=environment, capture_output=True, text=True, timeout=180)
  return done.stdout + (f"exit code {done.returncode}\n{done.stderr}" if done.returncode else "")


def main():
  if sys.argv[1:2] == ["--drive"]:
    drive()
    return 0
  if not (shutil.which("Xvfb") and shutil.which("xdotool")):
    print("skipped: needs Xvfb and xdotool (Debian packages xvfb, xdotool)")
    return 0
  read, write = os.pipe()
  screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24"], pass_fds=[write], stderr=subprocess.DEVNULL)
  try:
    os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
    reference = drive_apart(None)
    corten = drive_apart(pathlib.Path(sys.argv[1]).resolve() / "lib/corten")
  finally:
    screen.terminate()
    screen.wait()
  if corten == reference and "closed" in corten:
    print(f"the viewer does the same on both:\n{corten}", end="")
    return 0
  print(f"the reference:\n{reference}corten:\n{corten}", end="")
  return 1


if __name__ == "__main__":
  sys.exit(main())
