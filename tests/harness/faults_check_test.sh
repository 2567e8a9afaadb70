#!/bin/sh
# What faults_test.sh says about tests that cannot fail.
# usage: faults_check_test.sh FAULTS_TEST WORK_DIR
check=$1 work=$2
rm -rf "$work" && mkdir -p "$work/docs" "$work/tests/one" "$work/tests/recorded"
cat >"$work/docs/reliability.md" <<'MD'
### Which test holds which fault
| fault | test |
|---|---|
| a | `tests/one/test_one.c`: `asserts`, `asserts_in_a_helper`, `asserts_in_a_macro` |
| b | `tests/one/story.c`: `told` |
| c | `tests/one/rules.cmake`: `a_script` |
The test
MD
cat >"$work/tests/one/test_one.c" <<'C'
#include "one/story.h"
#define SAME(a_, b_) \
  do {               \
    assert_true(a_); \
  } while (0)
static void helper(int x) {
  assert_true(x);
}
static void asserts(void** state) {
  assert_int_equal(1, 1);
}
static void asserts_in_a_helper(void** state) {
  helper(1);
}
static void asserts_in_a_macro(void** state) {
  SAME(1, 1);
}
static void asserts_nothing(void** state) {
  print("assert_true(1)");  // assert_true(1)
}
static void is_not_run(void** state) {
  assert_true(1);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(asserts),
      cmocka_unit_test(asserts_in_a_helper),
      cmocka_unit_test(asserts_in_a_macro),
      cmocka_unit_test(asserts_nothing),
  };
}
C
cp "$work/tests/one/test_one.c" "$work/tests/one/test_two.c"
echo 'Story stories[] = {{"told", told}, {"new", new}};' >"$work/tests/one/story.c"
echo '== told' >"$work/tests/recorded/story.txt"
: >"$work/tests/one/rules.cmake"
printf '  Test   #1: test_one\n  Test  #12: a_script\n' >"$work/list.txt"

said=$(sh "$check" "$work" "$work/list.txt" 3) || { echo "these are good: $said"; exit 1; }
sh "$check" "$work" "$work/list.txt" 4 >"$work/said.txt" && { echo "a table that is too short is good"; exit 1; }
cp "$work/docs/reliability.md" "$work/good.md"

expect() {  # FILE NAME WHAT_IS_SAID
  sed "s#^| c .*#| c | \`$1\`: \`$2\` |#" "$work/good.md" >"$work/docs/reliability.md"
  said=$(sh "$check" "$work" "$work/list.txt" 3) && { echo "$2 of $1 is good"; exit 1; }
  echo "$said" | grep -qF "$2: $3" || { echo "expected: $3"; echo "$said"; exit 1; }
}
expect tests/one/test_one.c asserts_nothing 'it asserts nothing'
expect tests/one/test_one.c is_not_run 'nothing in tests/one/test_one.c runs it'
expect tests/one/test_one.c is_not_there 'there is no such function'
expect tests/one/test_two.c asserts 'CTest runs no test_two'
expect tests/one/test_three.c asserts 'there is no file'
expect tests/one/story.c new 'nothing was recorded of new'
expect tests/one/story.c untold 'tests/one/story.c does not list untold'
expect tests/one/rules.cmake another_script 'CTest runs no another_script'
