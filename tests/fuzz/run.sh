#!/bin/sh
# Builds the fuzzers and lets each run for a while on the recorded files of its kind. Findings are left in
# BUILD_DIR/fuzz/findings; one that has been understood belongs into tests/recorded/fuzz, which the ordinary
# tests replay.
# usage: run.sh BUILD_DIR SECONDS [extra options of libFuzzer]
build=$1/fuzz seconds=$2
shift 2
cmake -S . -B "$build" -Wno-dev -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=address \
  -DCORTEN_FUZZ=ON >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
rm -f "$build.log"
cmake --build "$build" --target fuzzers -- --no-print-directory || exit 1
mkdir -p "$build/findings" "$build/corpus/fuzz_mjb"
find tests/recorded/models -name '*.mjb' -size -30k -exec cp {} "$build/corpus/fuzz_mjb" \;
mkdir -p "$build/corpus/fuzz_mjcf"
find models -name '*.xml' -size -30k -exec cp {} "$build/corpus/fuzz_mjcf" \;
"$build/bin/dictionary_mjcf" >"$build/fuzz_mjcf.dict"
failed=0
for fuzzer in "$build"/bin/fuzz_*; do
  name=$(basename "$fuzzer")
  echo "== $name, $seconds seconds"
  mkdir -p "$build/corpus/$name"
  dictionary=
  [ -f "$build/$name.dict" ] && dictionary=-dict=$build/$name.dict
  "$fuzzer" $dictionary -max_total_time="$seconds" -max_len=32768 -len_control=0 -rss_limit_mb=4096 -timeout=20 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$@" "$build/corpus/$name" || failed=1
done
exit $failed
