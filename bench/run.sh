#!/bin/sh
# Runs every benchmark program with the reference and corten side by side, prints ratios, and writes the
# table of whole steps to docs/performance.md. Constraints are not part of this version: --smooth disables them.
# usage: run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR
build=$1 venv=$2 corpus=$3
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
corten=$build/lib/libcorten.so
mkdir -p bench/results
for program in "$build"/bin/bench_*; do
  name=$(basename "$program")
  echo "== $name"
  case $name in
    bench_step)
      "$program" "$reference" "$corten" "$corpus" 5 bench/results/step.csv --smooth || exit 1
      echo "== $name, reference against a copy of itself: what 1.00 looks like on this machine"
      cp "$reference" "$build/reference-copy.so"
      "$program" "$reference" "$build/reference-copy.so" "$corpus" 1 bench/results/itself.csv humanoid --smooth || exit 1
      ;;
    bench_load)
      "$program" "$reference" "$corten" bench/results/load.csv 1 "$corpus"/gymnasium/*.xml || exit 1
      ;;
    *) "$program" "$reference" "$corten" || exit 1 ;;
  esac
done
sh bench/report.sh bench/results/step.csv >docs/performance.md
