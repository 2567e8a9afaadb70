#!/bin/sh
# Every test that the table of faults in docs/reliability.md names is where the table says.
# usage: faults_test.sh SOURCE_DIR
cd "$1" || exit 1
table=$(sed -n '/^### Which test holds which fault/,/^The test/p' docs/reliability.md | grep '`tests/')
[ "$(echo "$table" | wc -l)" -ge 30 ] || { echo "docs/reliability.md: the table of faults is not found"; exit 1; }
echo "$table" | sed 's/.*| `\(tests[^`]*\)`: /\1 /; s/[`,|]//g' | {
  missing=0
  while read -r file names; do
    for name in $names; do
      grep -q "\<$name\>" "$file" || { echo "docs/reliability.md: there is no $name in $file"; missing=1; }
    done
  done
  exit $missing
}
