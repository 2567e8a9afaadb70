#!/bin/sh
# Live comparison with the reference: runs every conform_* program, then the Python package and its own tests on corten.
# usage: run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR
build=$1 venv=$2 corpus=$3
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
corten=$build/lib/libcorten.so
failed=0
for program in "$build"/bin/conform_*; do
  echo "== $(basename "$program")"
  case $program in
    *conform_models)
      set -- "$corpus" models --explained tests/conformance/explained.txt --markdown docs/conformance.md --json "$build/conformance.json" ;;
    *conform_parse | *conform_saving) set -- "$corpus" models ;;
    *conform_mjb | *conform_stage | *conform_support | *conform_scene | *conform_derivatives | *conform_slopes | *conform_loading) set -- "$corpus" ;;
    # over the corpus, conform_models asks about these stages too
    *conform_collision | *conform_rows | *conform_solver) set -- models ;;
    *) set -- ;;
  esac
  "$program" "$reference" "$corten" "$@" || failed=$((failed + 1))
done
echo "== conform_models without constraints and sensors"
"$build/bin/conform_models" "$reference" "$corten" "$corpus" models --smooth --ask forward,trajectory \
  --explained tests/conformance/explained_smooth.txt --markdown docs/conformance-smooth.md --json "$build/conformance-smooth.json" || failed=$((failed + 1))
echo "== python package on corten"
"$venv/bin/python" tests/conformance/python_dropin.py "$build" || failed=$((failed + 1))
echo "== tests of the python package on corten"
"$venv/bin/python" tests/conformance/package_tests.py "$build" || failed=$((failed + 1))
echo "== pictures"
"$venv/bin/python" tests/conformance/pictures.py "$build" "$corpus" --out "$build/pictures" || failed=$((failed + 1))
echo "== pictures of environments"
"$venv/bin/python" tests/conformance/python_pictures.py "$build" || failed=$((failed + 1))
echo "== the viewer of the python package"
"$venv/bin/python" tests/conformance/viewer.py "$build" || failed=$((failed + 1))
echo "== simulate"
"$venv/bin/python" tests/conformance/simulate.py "$build" --out "$build/pictures" || failed=$((failed + 1))
echo "$failed of the comparisons failed"
[ "$failed" = 0 ]
