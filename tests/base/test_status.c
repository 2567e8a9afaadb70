// R0.5: the status of an mjData, bit by bit and in words.

#include <corten/status.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/private.h"

static mjData* data_with_private_block(void) {
  return (mjData*)calloc(1, CT_ALIGN_UP(sizeof(mjData)) + sizeof(ct_Private));
}

static void a_fresh_data_is_ok_and_bits_add_up(void** state) {
  (void)state;
  mjData* d = data_with_private_block();
  assert_int_equal(ct_status(d), CT_OK);
  ct_private(d)->status |= CT_BAD_QVEL;
  ct_private(d)->status |= CT_ARENA_FULL;
  assert_int_equal(ct_status(d), CT_BAD_QVEL | CT_ARENA_FULL);
  ct_clear_status(d);
  assert_int_equal(ct_status(d), CT_OK);
  free(d);
}

static void every_bit_has_its_own_name_and_message(void** state) {
  (void)state;
  for (int i = -1; i < CT_NSTATUS; i++) {
    int bit = i < 0 ? CT_OK : 1 << i;
    assert_non_null(ct_status_name(bit));
    assert_non_null(ct_status_message(bit));
    for (int j = i + 1; j < CT_NSTATUS; j++) {
      assert_string_not_equal(ct_status_name(bit), ct_status_name(1 << j));
      assert_string_not_equal(ct_status_message(bit), ct_status_message(1 << j));
    }
  }
  assert_string_equal(ct_status_name(CT_OK), "ok");
  assert_string_equal(ct_status_name(CT_ARENA_FULL), "arena full");
  assert_non_null(strstr(ct_status_message(CT_BAD_TIMESTEP), "opt.timestep"));
}

static void what_is_no_single_bit_has_no_name(void** state) {
  (void)state;
  const int unknown[] = {-1, 3, 1 << CT_NSTATUS, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 5; i++) {
    assert_null(ct_status_name(unknown[i]));
    assert_null(ct_status_message(unknown[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fresh_data_is_ok_and_bits_add_up),
      cmocka_unit_test(every_bit_has_its_own_name_and_message),
      cmocka_unit_test(what_is_no_single_bit_has_no_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
