#!/bin/sh
# Adds up what CTest wrote for each variant and closes with one line: N passed, N failed, N skipped. Programs that were not
# run count as skipped. Cases that a program skips by itself stand beside it: the program ran, those did not.
# usage: summary.sh BUILD_DIR VARIANT...      (reads BUILD_DIR/VARIANT/tests.xml)
build=$1
shift
passed=0 failed=0 skipped=0
for variant in "$@"; do
  results=$build/$variant/tests.xml
  [ -f "$results" ] || { echo "$variant: there is no $results"; failed=$((failed + 1)); continue; }
  p=$(grep -c '<testcase .*status="run"' "$results")
  f=$(grep -c '<testcase .*status="fail"' "$results")
  s=$(grep -c '<testcase .*status="\(notrun\|disabled\)"' "$results")
  cases=$(sed -n 's/.*\[  SKIPPED \] \([0-9]*\) test(s).*/\1/p' "$results" | awk '{ n += $1 } END { print n + 0 }')
  inside=
  [ "$cases" = 0 ] || inside=" ($cases cases skipped in others)"
  printf '%-8s %4d passed %4d failed %4d skipped%s\n' "$variant" "$p" "$f" "$s" "$inside"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
