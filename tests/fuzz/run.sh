#!/bin/sh
# Builds the fuzzers and lets each run for a while on files of its kind: our own models and assets, and those below
# FUZZ_CORPUS if that names a folder. Findings are left in BUILD_DIR/fuzz/findings; one that has been
# understood belongs into tests/recorded/fuzz/KIND, which the ordinary tests replay.
# usage: run.sh BUILD_DIR SECONDS "KINDS" [extra options of libFuzzer]
build=$1/fuzz seconds=$2 kinds=${3:-mjb mjcf model urdf stl obj msh gmsh png raw hfield skin edits}
shift 3
mkdir -p "$build/findings"
cmake -S . -B "$build" -Wno-dev -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=address \
  -DCORTEN_FUZZ=ON >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
rm -f "$build.log"
cmake --build "$build" --target fuzzers -- --no-print-directory || exit 1
"$build/bin/dictionary_mjcf" >"$build/fuzz_mjcf.dict"
cp "$build/fuzz_mjcf.dict" "$build/fuzz_model.dict"

# seeds KIND PATTERN [SIZE]: small files of that name become the starting points of KIND.
seeds() {
  mkdir -p "$build/corpus/$1"
  n=0
  find models tests/recorded/models tests/recorded/soft tests/compile/models ${FUZZ_CORPUS:+"$FUZZ_CORPUS"} -name "$2" -size -${3:-30k} | while read -r file; do
    n=$((n + 1))
    cp "$file" "$build/corpus/$1/seed-$n-$(basename "$file")"
  done
}
seeds mjb '*.mjb' 60k  # the smallest flexes have 50k
seeds mjcf '*.xml'
seeds model '*.xml'
seeds urdf '*.urdf'
for kind in stl obj msh png; do seeds $kind "*.$kind"; done
seeds gmsh '*_[24][21]*.msh'
seeds raw '*.bin'
seeds hfield '*.bin'
seeds skin '*.skn'

failed=0
for kind in $kinds; do
  echo "== $kind, $seconds seconds"
  [ -d "tests/recorded/fuzz/$kind" ] && cp tests/recorded/fuzz/$kind/* "$build/corpus/$kind"
  dictionary=
  [ -f "$build/fuzz_$kind.dict" ] && dictionary=-dict=$build/fuzz_$kind.dict
  "$build/bin/fuzz_$kind" $dictionary -max_total_time="$seconds" -max_len=32768 -len_control=0 -rss_limit_mb=4096 \
    -timeout=20 -print_final_stats=1 -artifact_prefix="$build/findings/$kind-" "$@" "$build/corpus/$kind" || failed=1
done
exit $failed
