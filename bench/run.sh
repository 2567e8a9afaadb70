#!/bin/sh
# Runs every benchmark program with the reference and corten side by side; prints ratios.
# usage: run.sh BUILD_DIR REFERENCE_VENV
build=$1 venv=$2
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
for program in "$build"/bin/bench_*; do
  echo "== $(basename "$program")"
  "$program" "$reference" "$build/lib/libcorten.so" || exit 1
done
