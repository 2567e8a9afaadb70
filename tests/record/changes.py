"""Says what moved in tests/recorded since a commit: which file, which field, how many values, and by how much.

Needs a Python that has mujoco 3.5.0, which reads the binary models:
    python tests/record/changes.py [--all] [commit]
Without a commit, the last one. --all: every field, not just the first of each file. Exit status 0 even if
something moved.
"""

import argparse
import difflib
import subprocess
import sys
import tempfile

import numpy as np

from recorded import FOLDER, ROOT, read, reference

SHOWN = 8  # fields of a file


def git(*arguments):
  return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True).stdout


# What is in a file: arrays by name

def recording(data):
  title, arrays = read(data)
  return {"(format and origin)": title, **arrays}


def values_of(struct, prefix, found):
  """Numbers and arrays of a struct of the Python package, and of the structs inside it."""
  for name in dir(struct):
    if name.startswith("_"):
      continue
    try:
      value = getattr(struct, name)
    except Exception:  # a field that this model does not have
      continue
    if isinstance(value, (int, float, np.ndarray)):
      found[prefix + name] = np.asarray(value).ravel()
    elif isinstance(value, bytes):
      found[prefix + name] = np.frombuffer(value, np.uint8)
    elif name in ("opt", "vis", "stat") or prefix:
      if not callable(value):
        values_of(value, f"{prefix}{name}.", found)


def binary_model(data):
  with tempfile.NamedTemporaryFile(suffix=".mjb") as file:
    file.write(data)
    file.flush()
    model = reference().MjModel.from_binary_path(file.name)
  found = {}
  values_of(model, "", found)
  found.pop("signature", None)  # of the spec; a file does not carry it
  return found


READERS = {".rec": recording, ".mjb": binary_model}


# What changed

def describe(old, new):
  """What became of an array, or None."""
  if isinstance(old, str):
    return None if old == new else f'"{old}" became "{new}"'
  if old.size != new.size:
    return f"{old.size} values became {new.size}"
  same = (old == new) | (np.isnan(old) & np.isnan(new)) if old.dtype.kind == "f" else old == new
  if same.all():
    return None
  with np.errstate(invalid="ignore"):
    change = np.where(same, 0, np.abs(new.astype(float) - old.astype(float)))
  worst = int(np.nanargmax(change)) if np.isfinite(change).any() else int(np.argmin(same))
  return (f"{int((~same).sum())} of {old.size} values, largest change {change[worst]:.3g} at {worst}: "
          f"{old[worst]:.17g} became {new[worst]:.17g}")


def compare_arrays(old, new):
  lines = []
  for name in list(old) + [name for name in new if name not in old]:
    if name not in new:
      lines.append(f"{name}: gone ({old[name].size} values)")
    elif name not in old:
      lines.append(f"{name}: new ({new[name].size} values)")
    else:
      text = describe(old[name], new[name])
      if text:
        lines.append(f"{name}: {text}")
  return lines


def compare_texts(old, new):
  rows = difflib.unified_diff(old.decode().splitlines(), new.decode().splitlines(), lineterm="", n=0)
  return [row for row in rows if not row.startswith(("---", "+++", "@@"))]


def compare(path, old, new):
  reader = READERS.get(path.suffix)
  if not reader:
    return compare_texts(old, new)
  return compare_arrays(reader(old), reader(new)) or ["bytes that no field shows"]


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("commit", nargs="?", default="HEAD")
  parser.add_argument("--all", action="store_true", help="every field that moved")
  arguments = parser.parse_args()
  tracked = git("ls-tree", "-r", "--name-only", arguments.commit, "tests/recorded").decode().split()
  before = {ROOT / name for name in tracked}
  after = {path for path in FOLDER.rglob("*") if path.is_file()}
  moved = 0
  for path in sorted(before | after):
    name = path.relative_to(FOLDER)
    if path not in after or path not in before:
      moved += 1
      print(f"{name}: {'gone' if path in before else 'new'}")
      continue
    old = git("show", f"{arguments.commit}:{path.relative_to(ROOT)}")
    new = path.read_bytes()
    if old == new:
      continue
    moved += 1
    lines = compare(path, old, new)
    print(f"{name}: {len(lines)} {'fields' if path.suffix in READERS else 'lines'} moved")
    shown = lines if arguments.all else lines[:SHOWN]
    for line in shown:
      print(f"    {line[:200]}")
    if len(lines) > len(shown):
      print(f"    and {len(lines) - len(shown)} more; --all shows them")
  size = sum(path.stat().st_size for path in after)
  print(f"{moved} of {len(before | after)} files moved since {arguments.commit}; {size / 1e6:.1f} MB in all")


if __name__ == "__main__":
  sys.exit(main())
