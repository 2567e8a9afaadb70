// The run-time tables of fields agree with the structs and with each other.

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/model/fields.h"

static const ct_Field* find(const ct_Field* fields, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (!strcmp(fields[i].name, name)) return fields + i;
  }
  fail_msg("no field %s", name);
  return NULL;
}

// Pointers stand one after the other, so a missing, repeated or misplaced line shows as a gap.
static void arrays_follow_each_other_without_gaps(void** state) {
  (void)state;
  assert_int_equal(ct_nmodel_size, CT_NMODEL_SIZE);
  assert_int_equal(ct_nmodel_field, CT_NMODEL_ARRAY);
  assert_int_equal(ct_model_sizes[0].offset, 0);
  for (int i = 1; i < ct_nmodel_size; i++) {
    assert_int_equal(ct_model_sizes[i].offset, ct_model_sizes[i - 1].offset + sizeof(mjtSize));
  }
  assert_int_equal(ct_model_fields[0].offset, offsetof(mjModel, buffer) + sizeof(void*));
  for (int i = 1; i < ct_nmodel_field; i++) {
    assert_int_equal(ct_model_fields[i].offset, ct_model_fields[i - 1].offset + sizeof(void*));
  }
  assert_int_equal(ct_data_fields[0].offset, offsetof(mjData, arena) + sizeof(void*));
  for (int i = 1; i < ct_ndata_field; i++) {
    assert_int_equal(ct_data_fields[i].offset, ct_data_fields[i - 1].offset + sizeof(void*));
  }
  assert_int_equal(ct_arena_fields[0].offset,
                   ct_data_fields[ct_ndata_field - 1].offset + sizeof(void*));
  for (int i = 1; i < ct_narena_field; i++) {
    assert_int_equal(ct_arena_fields[i].offset, ct_arena_fields[i - 1].offset + sizeof(void*));
  }
}

static void spans_have_their_lengths_beside_them(void** state) {
  (void)state;
  int spans = 0;
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    if (f->target.kind != CT_TARGET_SPAN) continue;
    const ct_Field* count = NULL;
    for (int k = 0; k < ct_nmodel_field; k++) {
      if (ct_model_fields[k].offset == f->target.count) count = ct_model_fields + k;
    }
    assert_non_null(count);
    assert_int_equal(count->type, CT_TYPE_int);
    assert_int_equal(count->rows, f->rows);
    assert_int_equal(count->factor, f->factor);
    spans++;
  }
  assert_true(spans > 20);
}

static void columns_groups_stages_and_targets_are_those_of_the_schema(void** state) {
  (void)state;
  mjModel m;
  memset(&m, 0, sizeof(m));
  m.nkey = 5, m.nmocap = 2, m.nq = 9, m.nbody = 3;
  const ct_Field* mquat = find(ct_model_fields, ct_nmodel_field, "key_mquat");
  assert_int_equal(ct_field_rows(mquat, &m, NULL), 5);
  assert_int_equal(ct_field_columns(mquat, &m), 8);
  assert_int_equal(ct_field_bytes(mquat, &m, NULL), 40 * sizeof(mjtNum));
  const ct_Field* parent = find(ct_model_fields, ct_nmodel_field, "body_parentid");
  assert_string_equal(ct_field_group(parent, ct_model_groups, ct_nmodel_group)->tag, "BODY");
  assert_int_equal(parent->target.kind, CT_TARGET_ID);
  assert_string_equal(parent->target.name, "nbody");
  assert_string_equal(find(ct_data_fields, ct_ndata_field, "qpos")->stage, "STATE");

  mjData d;
  memset(&d, 0, sizeof(d));
  d.nefc = 7;
  const ct_Field* force = find(ct_arena_fields, ct_narena_field, "efc_force");
  assert_int_equal(ct_field_rows(force, &m, &d), 7);
}

static void sizes_that_do_not_fit_are_noticed(void** state) {
  (void)state;
  mjModel m;
  memset(&m, 0, sizeof(m));
  size_t bytes, nbuffer;
  const ct_Field* user = find(ct_model_fields, ct_nmodel_field, "body_user");
  const mjtSize wide = 8 / sizeof(mjtNum);
  m.nbody = wide << 31, m.nuser_body = 1ll << 30;  // 2^64 bytes
  assert_false(ct_field_bytes_checked(user, &m, &bytes));
  m.nuser_body = -1;
  assert_false(ct_field_bytes_checked(user, &m, &bytes));
  m.nuser_body = 1ll << 28;  // 2^62 bytes: each array fits, their sum does not
  assert_true(ct_field_bytes_checked(user, &m, &bytes));
  m.nuser_jnt = 1ll << 28, m.njnt = wide << 31;
  assert_false(ct_place_fields(ct_model_fields, ct_nmodel_field, &m, NULL, NULL, &nbuffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_follow_each_other_without_gaps),
      cmocka_unit_test(spans_have_their_lengths_beside_them),
      cmocka_unit_test(columns_groups_stages_and_targets_are_those_of_the_schema),
      cmocka_unit_test(sizes_that_do_not_fit_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
