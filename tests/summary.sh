#!/bin/sh
# Adds up what CTest logged for each variant and closes with one line: N passed, N failed, N skipped.
build=$1
shift
passed=0 failed=0 skipped=0
for variant in "$@"; do
  log=$build/$variant/Testing/Temporary/LastTest.log
  p=$(grep -c '^Test Passed\.' "$log")
  f=$(grep -c '^Test Failed\.' "$log")
  s=$(grep -c '^Test Skipped\.\|^Test Not Run' "$log")
  printf '%-8s %4d passed %4d failed %4d skipped\n' "$variant" "$p" "$f" "$s"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
