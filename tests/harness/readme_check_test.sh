#!/bin/sh
# The check of the README's numbers sees numbers that moved, tables that are gone, and models that disagree.
# usage: readme_check_test.sh README_TEST WORK_DIR ROOT
check=$1 work=$2 root=$3
rm -rf "$work" && mkdir -p "$work"
conformance=$root/docs/conformance.md performance=$root/docs/performance.md

# expect WORDS README CONFORMANCE PERFORMANCE
expect() {
  words=$1
  shift
  said=$(sh "$check" "$@") && { echo "expected a failure with: $words"; exit 1; }
  echo "$said" | grep -qF "$words" || { echo "expected: $words"; echo "$said"; exit 1; }
}
sed 's/^\(| humanoid .*|\) [0-9.]* |\( [0-9.]* \.\. [0-9.]* |\)$/\1 9.87 |\2/' "$performance" >"$work/faster.md"
expect "a humanoid with contacts steps 9.87 times as fast" "$root/README.md" "$conformance" "$work/faster.md"
sed 's/^\(| model  *| *\)[0-9]*/\17654/' "$conformance" >"$work/more.md"
expect "of 7654 models" "$root/README.md" "$work/more.md" "$performance"
sed 's/^\(| forward  *|[^|]*|[^|]*| *\)0/\11/' "$conformance" >"$work/wrong.md"
expect "disagree or crash (forward)" "$root/README.md" "$work/wrong.md" "$performance"
grep -v "^| trajectory " "$conformance" >"$work/gone.md"
expect "has no number for" "$root/README.md" "$work/gone.md" "$performance"
expect "there is no" "$root/README.md" "$work/nowhere.md" "$performance"
