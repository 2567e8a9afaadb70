// The comparison behind `make conformance` must be able to say yes and to say no: equal data agree
// in every field; one number off by 1e-6, one contact dropped, one row moved or swapped are found
// and named.

#include "conformance/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------ data with contacts and rows

enum { NCON = 3, ROWS_PER_CONTACT = 4, NEFC = NCON * ROWS_PER_CONTACT };

static mjModel* load_humanoid(void) {
  mjModel* m = mj_loadModel(CT_SOURCE_DIR "/tests/recorded/models/humanoid.mjb", NULL);
  assert_non_null(m);
  return m;
}

static void* from_arena(mjData* d, size_t bytes) {
  void* p = malloc(bytes);
  assert_non_null(p);
  assert_true(d->narena > 0);
  return p;
}

// A data with invented contacts and rows, the same numbers every time.
static mjData* made_up_data(const mjModel* m) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) d->qpos[i] = (mjtNum)(0.1 * i);
  d->ncon = NCON;
  d->nefc = NEFC;
  d->nJ = NEFC * (int)m->nv;
  d->contact = (mjContact*)calloc(NCON, sizeof(mjContact));
  d->efc_type = (int*)from_arena(d, NEFC * sizeof(int));
  d->efc_id = (int*)from_arena(d, NEFC * sizeof(int));
  d->efc_J = (mjtNum*)from_arena(d, (size_t)d->nJ * sizeof(mjtNum));
  d->efc_D = (mjtNum*)from_arena(d, NEFC * sizeof(mjtNum));
  for (int i = 0; i < NCON; i++) {
    mjContact* c = d->contact + i;
    c->geom[0] = c->geom1 = 0;
    c->geom[1] = c->geom2 = 1 + i;
    c->pos[0] = i;
    c->dist = (mjtNum)(-0.01 * (i + 1));
    c->efc_address = i * ROWS_PER_CONTACT;
  }
  for (int i = 0; i < NEFC; i++) {
    d->efc_type[i] = mjCNSTR_CONTACT_PYRAMIDAL;
    d->efc_id[i] = i / ROWS_PER_CONTACT;
    d->efc_D[i] = (mjtNum)(1 + 0.1 * i);
    for (int j = 0; j < m->nv; j++) d->efc_J[i * (int)m->nv + j] = (mjtNum)(i + 0.01 * j);
  }
  return d;
}

static void delete_made_up(mjData* d) {
  free(d->contact);
  free(d->efc_type);
  free(d->efc_id);
  free(d->efc_J);
  free(d->efc_D);
  mj_deleteData(d);
}

typedef struct {
  long compared, wrong;
  char first[64];  // field of the first disagreement
  long index;
} Findings;

static void collect(void* context, const FieldVerdict* v) {
  Findings* f = (Findings*)context;
  f->compared += v->compared;
  if (v->wrong && !f->wrong) {
    strncpy(f->first, v->field, sizeof(f->first) - 1);
    f->index = v->index;
  }
  f->wrong += v->wrong;
}

typedef void (*Damage)(const mjModel* m, mjData* d);

// Compares made-up data with a damaged copy.
static Findings compare_with(Damage damage) {
  mjModel* m = load_humanoid();
  mjData *a = made_up_data(m), *b = made_up_data(m), *ours = made_up_data(m);
  if (damage) damage(m, ours);
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_data(m, a, b, ours, false, NULL, collect, &f);
  delete_made_up(a);
  delete_made_up(b);
  delete_made_up(ours);
  mj_deleteModel(m);
  return f;
}

// ------------------------------------------------------------------ can say yes

static void equal_data_agree(void** state) {
  (void)state;
  Findings f = compare_with(NULL);
  assert_true(f.compared > 1000);
  assert_int_equal(f.wrong, 0);
}

static void add_rounding(const mjModel* m, mjData* d) {
  (void)m;
  d->qpos[3] *= (mjtNum)(1 + 1e-12);
  d->efc_D[2] *= (mjtNum)(1 + 1e-12);
}

static void rounding_is_forgiven(void** state) {
  (void)state;
  assert_int_equal(compare_with(add_rounding).wrong, 0);
}

static void reverse_contacts(const mjModel* m, mjData* d) {
  mjData copy = *d;
  mjData* original = made_up_data(m);
  for (int i = 0; i < NCON; i++) {
    copy.contact[i] = original->contact[NCON - 1 - i];
    copy.contact[i].efc_address = i * ROWS_PER_CONTACT;
  }
  for (int i = 0; i < NEFC; i++) {
    int from = (NCON - 1 - i / ROWS_PER_CONTACT) * ROWS_PER_CONTACT + i % ROWS_PER_CONTACT;
    copy.efc_D[i] = original->efc_D[from];
    memcpy(copy.efc_J + i * (int)m->nv, original->efc_J + from * (int)m->nv,
           sizeof(mjtNum) * (size_t)m->nv);
  }
  delete_made_up(original);
}

static void contacts_are_a_set_and_rows_follow_them(void** state) {
  (void)state;
  assert_int_equal(compare_with(reverse_contacts).wrong, 0);
}

// ------------------------------------------------------------------ can say no

static void disturb_one_number(const mjModel* m, mjData* d) {
  (void)m;
  d->qpos[5] += (mjtNum)1e-6;
}

static void one_field_off_by_a_millionth_is_named(void** state) {
  (void)state;
  Findings f = compare_with(disturb_one_number);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.first, "qpos");
  assert_int_equal(f.index, 5);
}

static void drop_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->ncon--;
  d->nefc -= ROWS_PER_CONTACT;
}

static void a_dropped_contact_is_named(void** state) {
  (void)state;
  Findings f = compare_with(drop_contact);
  assert_true(f.wrong > 0);
  assert_string_equal(f.first, "ncon");
}

static void move_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[1].geom[1] = 7;  // the same number of contacts, another pair of geoms
}

static void a_contact_between_other_geoms_is_named(void** state) {
  (void)state;
  Findings f = compare_with(move_contact);
  assert_true(f.wrong > 0);
  assert_string_equal(f.first, "contact");
  assert_int_equal(f.index, 1);
}

static void swap_rows(const mjModel* m, mjData* d) {
  for (int j = 0; j < m->nv; j++) {
    mjtNum* J = d->efc_J;
    mjtNum t = J[2 * (int)m->nv + j];
    J[2 * (int)m->nv + j] = J[3 * (int)m->nv + j];
    J[3 * (int)m->nv + j] = t;
  }
}

static void swapped_rows_are_named(void** state) {
  (void)state;
  Findings f = compare_with(swap_rows);
  assert_true(f.wrong > 0);
  assert_string_equal(f.first, "efc_J");
}

static void put_nan(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_D[4] = (mjtNum)NAN;
}

static void nan_against_a_number_is_named(void** state) {
  (void)state;
  Findings f = compare_with(put_nan);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.first, "efc_D");
}

// ------------------------------------------------------------------ undefined elements, models

static void elements_that_the_reference_leaves_undefined_are_skipped(void** state) {
  (void)state;
  mjModel* m = load_humanoid();
  mjData *a = made_up_data(m), *b = made_up_data(m), *ours = made_up_data(m);
  b->efc_D[4] = 77;  // the second result differs: nobody wrote this element
  ours->efc_D[4] = 12345;
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_data(m, a, b, ours, false, NULL, collect, &f);
  assert_int_equal(f.wrong, 0);
  delete_made_up(a);
  delete_made_up(b);
  delete_made_up(ours);
  mj_deleteModel(m);
}

static void a_model_is_compared_field_by_field(void** state) {
  (void)state;
  mjModel *a = load_humanoid(), *b = load_humanoid();
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_models(a, b, NULL, collect, &f);
  assert_true(f.compared > 1000);
  assert_int_equal(f.wrong, 0);
  b->body_mass[4] *= (mjtNum)(1 + 1e-6);
  compare_models(a, b, NULL, collect, &f);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.first, "body_mass");
  assert_int_equal(f.index, 4);
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void filters_choose_fields_and_stages(void** state) {
  (void)state;
  mjModel *a = load_humanoid(), *b = load_humanoid();
  b->body_mass[4] *= 2;
  b->jnt_range[2] += 1;
  FieldFilter filter = {"jnt_", NULL};
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_models(a, b, &filter, collect, &f);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.first, "jnt_range");
  mj_deleteModel(a);
  mj_deleteModel(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_data_agree),
      cmocka_unit_test(rounding_is_forgiven),
      cmocka_unit_test(contacts_are_a_set_and_rows_follow_them),
      cmocka_unit_test(one_field_off_by_a_millionth_is_named),
      cmocka_unit_test(a_dropped_contact_is_named),
      cmocka_unit_test(a_contact_between_other_geoms_is_named),
      cmocka_unit_test(swapped_rows_are_named),
      cmocka_unit_test(nan_against_a_number_is_named),
      cmocka_unit_test(elements_that_the_reference_leaves_undefined_are_skipped),
      cmocka_unit_test(a_model_is_compared_field_by_field),
      cmocka_unit_test(filters_choose_fields_and_stages),
  };
#ifdef mjUSESINGLE
  (void)tests;
  return 77;  // skipped: recorded models hold doubles
#else
  return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
