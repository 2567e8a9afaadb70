// Names of fields, and matrices of them: what the schema has can be had, row by row.

#include <corten/batch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_fields.h"
#include "batch/environments.h"
#include "support/fail.h"
#include "support/models.h"

static ct_BatchField find(const mjModel* m, const char* name) {
  ct_BatchField field;
  char why[300];
  if (!ct_find_batch_field(m, name, &field, why, sizeof(why))) fail_msg("%s", why);
  return field;
}

static void names_lead_to_their_places(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchField f = find(m, "qpos");
  assert_true(f.place == CT_PLACE_STATE && f.state == mjSTATE_QPOS && f.size == m->nq);
  f = find(m, "eq_active");
  assert_true(f.place == CT_PLACE_STATE && f.type == CT_NUMBER);
  f = find(m, "xmat");
  assert_true(f.place == CT_PLACE_DATA && f.size == 9 * m->nbody && f.type == CT_NUMBER);
  f = find(m, "ncon");
  assert_true(f.place == CT_PLACE_DATA && f.size == 1 && f.type == CT_INT && !f.array);
  f = find(m, "body_mass");
  assert_true(f.place == CT_PLACE_MODEL && f.size == m->nbody);
  f = find(m, "geom_rgba");
  assert_true(f.place == CT_PLACE_MODEL && f.type == CT_FLOAT && f.size == 4 * m->ngeom);
  f = find(m, "opt.gravity");
  assert_true(f.place == CT_PLACE_MODEL && f.size == 3 && f.type == CT_NUMBER);
  f = find(m, "opt.iterations");
  assert_true(f.place == CT_PLACE_MODEL && f.size == 1 && f.type == CT_INT);
  f = find(m, "stat.meaninertia");
  assert_true(f.place == CT_PLACE_MODEL && f.size == 1);
  f = find(m, "status");
  assert_true(f.place == CT_PLACE_OUTCOME && f.type == CT_INT);
  assert_true(find(m, "plugin").place == CT_PLACE_DATA);
  assert_true(find(m, "model.plugin").place == CT_PLACE_MODEL);
  assert_true(find(m, "data.xpos").place == CT_PLACE_DATA);
  mj_deleteModel(m);
}

static void every_name_leads_to_one_field(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchField f, g;
  int count = 0;
  for (int place = CT_PLACE_DATA; place <= CT_PLACE_MODEL; place++) {
    for (int i = 0; ct_nth_batch_field(m, (ct_BatchPlace)place, i, &f); i++) {
      char name[100] = "model.";
      if (place == CT_PLACE_DATA) name[0] = 0;
      strcat(name, f.name);
      g = find(m, name);
      assert_true(g.place == f.place && g.offset == f.offset && g.size == f.size);
      count++;
    }
  }
  assert_true(count > 500);
  mj_deleteModel(m);
}

// Rows that a mask leaves out stay, in both directions.
static void masks_choose_rows(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 4 };
  size_t nv = (size_t)m->nv;
  ct_Batch* b = make_batch(m, N, 1);
  mjtNum* rows = (mjtNum*)malloc(N * nv * sizeof(mjtNum));
  for (size_t k = 0; k < N * nv; k++) rows[k] = (mjtNum)k;
  const mjtByte mask[N] = {0, 1, 0, 1};
  assert_int_equal(ct_batch_set(b, "qvel", mask, rows), CT_BATCH_OK);
  for (size_t k = 0; k < N * nv; k++) rows[k] = -1;
  assert_int_equal(ct_batch_get(b, "qvel", NULL, rows), CT_BATCH_OK);
  for (size_t k = 0; k < N * nv; k++) assert_true(rows[k] == (mask[k / nv] ? (mjtNum)k : 0));
  const mjtByte others[N] = {1, 0, 1, 0};
  for (size_t k = 0; k < N * nv; k++) rows[k] = -1;
  assert_int_equal(ct_batch_get(b, "qvel", others, rows), CT_BATCH_OK);
  for (size_t k = 0; k < N * nv; k++) assert_true(rows[k] == (others[k / nv] ? 0 : -1));
  free(rows);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void kept_fields_are_the_environments_own(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 3 };
  ct_Batch* b = make_batch(m, N, 2);
  assert_int_equal(ct_batch_keep(b, "xpos"), CT_BATCH_OK);
  assert_int_equal(ct_batch_keep(b, "xpos"), CT_BATCH_OK);
  assert_int_equal(ct_batch_keep(b, "qpos"), CT_BATCH_OK);  // always is
  assert_int_equal(ct_batch_keep(b, "nefc"), CT_BATCH_OK);
  ct_BatchView xpos, again;
  ct_batch_view(b, "xpos", &xpos);
  for (int i = 0; i < N; i++) ((mjtNum*)((char*)xpos.data + (size_t)i * xpos.stride))[4] = i + 1;
  const mjtByte mask[N] = {1, 0, 1};
  ct_batch_step(b, mask, 1);
  for (int i = 0; i < N; i++) {
    mjtNum x = ((mjtNum*)((char*)xpos.data + (size_t)i * xpos.stride))[4];
    assert_int_equal(x == i + 1, i == 1);
  }
  ct_batch_view(b, "xpos", &again);
  assert_ptr_equal(again.data, xpos.data);
  int rows[N];
  expect_refusal(b, ct_batch_set(b, "nefc", NULL, rows), CT_BATCH_BAD_ARGUMENT, "result of a step");
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_lead_to_their_places),
      cmocka_unit_test(every_name_leads_to_one_field),
      cmocka_unit_test(masks_choose_rows),
      cmocka_unit_test(kept_fields_are_the_environments_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
