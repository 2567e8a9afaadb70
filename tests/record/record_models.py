"""Compiles every model in models/ with the reference and keeps the binary in tests/recorded/models/; URDF files, those
of models/urdf in tests/recorded/models/urdf/.

Tests then have compiled models without needing a compiler. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_models.py [name ...]
"""

import sys

from recorded import FOLDER, ROOT, reference

mujoco = reference()
LARGEST = 150_000  # bytes; models are small so that the repository stays small


def record(path, folder):
  model = mujoco.MjModel.from_xml_path(str(path))
  target = folder / (path.stem + ".mjb")
  mujoco.mj_saveModel(model, str(target))
  size = target.stat().st_size
  if size > LARGEST:
    raise SystemExit(f"{target} has {size} bytes, more than {LARGEST}: make the model smaller")
  print(f"{path.stem:20s} nq {model.nq:3d}  nv {model.nv:3d}  nu {model.nu:3d}  {size} bytes")


def record_all(models, folder, wanted):
  folder.mkdir(parents=True, exist_ok=True)
  names = {path.stem for path in models}
  for old in folder.glob("*.mjb"):
    if old.stem not in names:
      old.unlink()
  for path in models:
    if not wanted or path.stem in wanted:
      record(path, folder)


def main():
  wanted = sys.argv[1:]
  record_all(sorted((ROOT / "models").glob("*.xml")), FOLDER / "models", wanted)
  record_all(sorted((ROOT / "models" / "urdf").glob("*.urdf")), FOLDER / "models" / "urdf", wanted)


if __name__ == "__main__":
  main()
