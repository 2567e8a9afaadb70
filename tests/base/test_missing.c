// Functions that this version does not have say so where their caller looks: the generated stubs
// are made like these.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/missing.h"
#include "spec/spec.h"
#include "support/messages.h"

static int absent_with_buffer(char* error, int error_sz) {
  ct_missing_in_buffer("absent_with_buffer", error, error_sz);
  return -1;
}

static int absent_with_spec(mjSpec* s) {
  ct_spec_error(ct_spec(s), CT_MISSING_TEXT, "absent_with_spec");
  return 0;
}

static double absent_number(void) {
  ct_missing("absent_number");
  static double zero;
  return zero;
}

static void an_error_buffer_gets_the_message(void** state) {
  (void)state;
  char error[100] = "";
  assert_int_equal(absent_with_buffer(error, sizeof(error)), -1);
  assert_string_equal(error, "absent_with_buffer is not part of this version of corten");
  assert_int_equal(absent_with_buffer(NULL, 0), -1);
  assert_int_equal(count_errors(), 0);
}

static void a_spec_gets_the_message(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  assert_int_equal(absent_with_spec(spec), 0);
  assert_string_equal(mjs_getError(spec), "absent_with_spec is not part of this version of corten");
  mj_deleteSpec(spec);
  assert_int_equal(count_errors(), 0);
}

static void all_others_raise_an_error_and_return_zero(void** state) {
  (void)state;
  assert_true(absent_number() == 0);
  expect_one_error("absent_number is not part of this version of corten");
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, listen_to_messages, stop_listening)
  const struct CMUnitTest tests[] = {
      TEST(an_error_buffer_gets_the_message),
      TEST(a_spec_gets_the_message),
      TEST(all_others_raise_an_error_and_return_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
