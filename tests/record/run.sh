#!/bin/sh
# Records everything in tests/recorded anew, then says what moved since the last commit.
# usage: run.sh BUILD_DIR REFERENCE_VENV
set -e
build=$1 python=$2/bin/python
reference=$(ls "$2"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0)
"$python" models/assets/make_assets.py
for script in tests/record/record_*.py; do
  echo "== $(basename "$script")"
  "$python" "$script"
done
echo "== record_mju"
"$build/bin/record_mju" "$reference" tests/recorded/mju.rec
"$python" tests/record/changes.py
