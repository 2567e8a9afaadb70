#!/bin/sh
# Every test that the table of faults in docs/reliability.md names can fail: CTest runs its program, the program runs it, and
# it asserts something, itself or in functions of its file or its folder that it calls. A story of tests/spec is told by a program that
# CTest runs, and compared with what was recorded of it.
# usage: faults_test.sh SOURCE_DIR LIST_OF_TESTS LEAST_ROWS
#   LIST_OF_TESTS: what `ctest -N` prints
source=$1 list=$2 least=$3
tools=$(cd "$(dirname "$0")" && pwd)
cd "$source" || exit 1
table=$(sed -n '/^### Which test holds which fault/,/^The test/p' docs/reliability.md | grep '`tests/')
[ "$(echo "$table" | wc -l)" -ge "$least" ] || { echo "docs/reliability.md: the table of faults is not found"; exit 1; }

runs() {  # does CTest run a test of this name?
  grep -q "^ *Test *#[0-9]*: $1\$" "$list"
}

# Says what is wrong with a test, or nothing.
judge() {
  file=$1 name=$2 program=$(basename "$1" .c)
  [ -f "$file" ] || { echo "there is no file $file"; return; }
  case $file in
    */test_*.c)
      runs "$program" || echo "CTest runs no $program"
      helpers=$(ls "$(dirname "$file")"/*.c | grep -v '/test_')
      awk -v name="$name" -f "$tools/case_can_fail.awk" "$file" $helpers ;;
    *.c)
      grep -q "{\"$name\", $name}" "$file" || echo "$file does not list $name"
      grep -qr "^=* *$name\>" tests/recorded || echo "nothing was recorded of $name"
      told=
      for teller in $(grep -l "#include \".*$program.h\"" tests/*/test_*.c); do runs "$(basename "$teller" .c)" && told=yes; done
      [ "$told" ] || echo "no program that CTest runs tells $name" ;;
    *) runs "$name" || echo "CTest runs no $name" ;;
  esac
}

echo "$table" | sed 's/.*| `\(tests[^`]*\)`: /\1 /; s/[`,|]//g' | {
  wrong=0
  while read -r file names; do
    [ "$names" ] || { echo "docs/reliability.md: a row names no test: $file"; wrong=1; }
    for name in $names; do
      said=$(judge "$file" "$name")
      [ -z "$said" ] || { echo "docs/reliability.md: $name: $said"; wrong=1; }
    done
  done
  exit $wrong
}
