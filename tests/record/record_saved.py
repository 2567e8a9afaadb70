"""Records the texts that the reference saves for models/*.xml, as hashes of their lines: tests/recorded/saved.rec.

"<model>/plain" is the text of the compiled model, "<model>/back" the text with a changed model put back (see change). A
hash is FNV-1a of the bytes of a line, of which the upper 31 bits are kept. Run it
with a Python that has mujoco 3.5.0:
    python tests/record/record_saved.py
"""

import os
import tempfile

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()


def line_hash(line):
  h = 0xcbf29ce484222325
  for byte in line.encode():
    h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
  return h >> 33


def change(model):
  """Other numbers in what a program edits most; tests/mjcf/test_write.c does the same."""
  for field in ("body_pos body_mass body_user jnt_range jnt_stiffness dof_damping geom_size geom_friction site_pos "
                "cam_fovy light_pos pair_margin eq_data tendon_range actuator_gainprm actuator_ctrlrange sensor_cutoff "
                "numeric_data key_qpos").split():
    values = getattr(model, field)
    values *= 1.25
    values += 0.0625
  model.opt.timestep *= 2
  model.stat.meansize *= 2


def lines(text):
  return [line_hash(line) for line in text.split("\n")]


def save(model):
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "saved.xml")
    mujoco.mj_saveLastXML(path, model)
    with open(path, newline="") as f:
      return f.read()


def main():
  recorder = Recorder()
  for path in sorted((ROOT / "models").glob("*.xml")):
    model = mujoco.MjModel.from_xml_path(str(path))
    spec = mujoco.MjSpec.from_file(str(path))
    recorder.add(f"{path.stem}/plain", np.array(lines(spec.to_xml()), dtype=np.int32))
    mujoco.MjModel.from_xml_path(str(path))
    change(model)
    recorder.add(f"{path.stem}/back", np.array(lines(save(model)), dtype=np.int32))
  recorder.write("saved.rec")


if __name__ == "__main__":
  main()
