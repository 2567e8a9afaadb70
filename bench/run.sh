#!/bin/sh
# Runs every benchmark program with the reference and corten side by side; prints ratios.
# usage: run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR
build=$1 venv=$2 corpus=$3
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
mkdir -p bench/results
for program in "$build"/bin/bench_*; do
  name=$(basename "$program")
  echo "== $name"
  if [ "$name" = bench_step ]; then
    "$program" "$reference" "$build/lib/libcorten.so" "$corpus" 5 bench/results/step.csv || exit 1
  else
    "$program" "$reference" "$build/lib/libcorten.so" || exit 1
  fi
done
