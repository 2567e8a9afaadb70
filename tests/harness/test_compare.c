// The comparison behind `make conformance` must be able to say yes and to say no: equal data agree
// in every field, whatever the order of contacts; one number off by 1e-6, one contact dropped, one
// row swapped are found and named.

#include "conformance/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/made_up.h"

static const int forwards[CONTACTS] = {0, 1, 2, 3}, shuffled[CONTACTS] = {2, 3, 1, 0};

typedef struct {
  long compared, wrong, undefined;
  char fields[512];  // that disagree, each followed by a blank
  long index;        // of the first disagreement
} Findings;

static void collect(void* context, const FieldVerdict* v) {
  Findings* f = (Findings*)context;
  f->compared += v->compared;
  f->undefined += v->undefined;
  if (v->wrong && !f->wrong) f->index = v->worst.index;
  f->wrong += v->wrong;
  size_t used = strlen(f->fields);
  if (v->wrong) snprintf(f->fields + used, sizeof(f->fields) - used, "%s ", v->field);
}

typedef struct {  // data that can be damaged before they are compared
  mjModel* m;
  mjData *a, *b, *ours;
} Bench;

static Bench set_up(bool sparse, const int order[CONTACTS]) {
  Bench x;
  x.m = load_trees(sparse);
  x.a = make_up(x.m, forwards);
  x.b = make_up(x.m, forwards);
  x.ours = make_up(x.m, order);
  return x;
}

static Findings compare_at(Bench* x, When when) {
  Findings f;
  memset(&f, 0, sizeof(f));
  Results results = {x->a, x->b, x->ours, when, NULL};
  compare_data(x->m, &results, NULL, collect, &f);
  return f;
}

static void take_down(Bench* x) {
  delete_made_up(x->a);
  delete_made_up(x->b);
  delete_made_up(x->ours);
  mj_deleteModel(x->m);
}

// Compares with a copy that was damaged.
typedef void (*Damage)(const mjModel* m, mjData* d);

static Findings compare_with(bool sparse, const int order[CONTACTS], Damage damage) {
  Bench x = set_up(sparse, order);
  if (damage) damage(x.m, x.ours);
  Findings f = compare_at(&x, AFTER_FORWARD);
  take_down(&x);
  return f;
}

// Can say yes

static void equal_data_agree(void** state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    Findings f = compare_with(sparse, forwards, NULL);
    assert_true(f.compared > 1000);
    assert_string_equal(f.fields, "");
  }
}

static void add_rounding(const mjModel* m, mjData* d) {
  (void)m;
  d->qpos[3] *= (mjtNum)(1 + 1e-12);
  d->efc_D[2] *= (mjtNum)(1 + 1e-12);
}

static void rounding_is_forgiven(void** state) {
  (void)state;
  assert_string_equal(compare_with(false, forwards, add_rounding).fields, "");
}

static void contacts_are_a_set_and_rows_and_islands_follow_them(void** state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    Findings same = compare_with(sparse, forwards, NULL);
    Findings f = compare_with(sparse, shuffled, NULL);
    assert_string_equal(f.fields, "");
    // nothing is left out but addresses of sparse rows
    assert_true(f.compared >= same.compared - 3 * ROWS);
  }
}

// What rounding moves

// Compares with a copy that was damaged, where the reference, moved by rounding, gave `moved`.
static Findings compare_spread(const int order[CONTACTS], Damage moves, Damage damage) {
  Bench x = set_up(true, forwards);
  mjData* moved = make_up(x.m, order);
  RoundingSpread spread = {mj_makeData(x.m), 0, 0};
  if (moves) moves(x.m, moved);
  damage(x.m, x.ours);
  spread_start(x.m, &spread, x.a);
  spread_widen(x.m, &spread, x.a, moved);
  Findings f;
  memset(&f, 0, sizeof(f));
  Results results = {x.a, x.b, x.ours, AFTER_FORWARD, &spread};
  compare_data(x.m, &results, NULL, collect, &f);
  mj_deleteData(spread.data);
  delete_made_up(moved);
  take_down(&x);
  return f;
}

static void tilt_a_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[1].frame[2] += (mjtNum)1e-6;
  d->efc_J[5] += (mjtNum)1e-6;
  d->efc_vel[4] += (mjtNum)1e-6;
  d->iefc_J[3] -= (mjtNum)1e-6;
  d->qfrc_bias[4] += (mjtNum)1e-6;
  d->efc_state[6] += 1;
}

static void tilt_it_more(const mjModel* m, mjData* d) {
  for (int k = 0; k < 5; k++) tilt_a_contact(m, d);
}

static void what_rounding_moves_in_the_reference_is_nobodys_number(void** state) {
  (void)state;
  Findings plain = compare_with(true, forwards, tilt_it_more);
  assert_string_equal(plain.fields, "qfrc_bias contact.frame efc_vel efc_state efc_J iefc_J ");
  Findings f = compare_spread(forwards, tilt_a_contact, tilt_it_more);
  assert_string_equal(f.fields, "");
  assert_int_equal(f.undefined, plain.undefined + 6);
  assert_int_equal(f.compared, plain.compared - 6);
}

static void tilt_it_far_more(const mjModel* m, mjData* d) {
  for (int k = 0; k < 20; k++) tilt_a_contact(m, d);
}

static void more_than_ten_times_what_rounding_moves_is_wrong(void** state) {
  (void)state;
  Findings f = compare_spread(forwards, tilt_a_contact, tilt_it_far_more);
  assert_string_equal(f.fields, "qfrc_bias contact.frame efc_vel efc_J iefc_J ");
}

static void tilt_another_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[2].frame[2] += (mjtNum)1e-6;
  d->efc_J[26] += (mjtNum)1e-6;
  d->efc_vel[8] += (mjtNum)1e-6;
}

static void rounding_that_moves_one_contact_excuses_no_other(void** state) {
  (void)state;
  Findings f = compare_spread(forwards, tilt_a_contact, tilt_another_contact);
  assert_string_equal(f.fields, "contact.frame efc_vel efc_J ");
  f = compare_spread(forwards, NULL, tilt_another_contact);
  assert_string_equal(f.fields, "contact.frame efc_vel efc_J ");
}

// Where rounding changes the set or the order of contacts, nothing about rows is learnt from it.
static void rounding_that_reorders_contacts_excuses_no_row(void** state) {
  (void)state;
  Findings f = compare_spread(shuffled, NULL, tilt_another_contact);
  assert_string_equal(f.fields, "contact.frame efc_vel efc_J ");
}

static void drop_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->ncon--;
  d->nefc -= ROWS_EACH;
}

// The sample has one contact less, and other accelerations and forces with it.
static void lose_a_contact(const mjModel* m, mjData* d) {
  drop_contact(m, d);
  d->qacc[4] += 5;
  d->qfrc_constraint[4] += 5;
  d->cacc[7] += 5;
  d->xpos[5] += 5;
}

static void disturb_forces(const mjModel* m, mjData* d) {
  (void)m;
  d->qacc[4] += 1;
  d->qfrc_constraint[4] += 1;
  d->cacc[7] += 1;
  d->xpos[5] += 1;
}

static void rounding_that_changes_contacts_excuses_nothing(void** state) {
  (void)state;
  Findings plain = compare_with(true, forwards, disturb_forces);
  Findings f = compare_spread(forwards, lose_a_contact, disturb_forces);
  assert_non_null(strstr(f.fields, "qacc "));
  assert_non_null(strstr(f.fields, "qfrc_constraint "));
  assert_non_null(strstr(f.fields, "cacc "));
  assert_string_equal(f.fields, plain.fields);
}

// Can say no

static void disturb_position(const mjModel* m, mjData* d) {
  (void)m;
  d->qpos[5] += (mjtNum)1e-6;
}

static void one_field_off_by_a_millionth_is_named(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, disturb_position);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.fields, "qpos ");
  assert_int_equal(f.index, 5);
}

static void disturb_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[2].pos[1] += (mjtNum)1e-6;
}

static void the_index_of_a_contact_counts_through_all_contacts(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, disturb_contact);
  assert_string_equal(f.fields, "contact.pos ");
  assert_int_equal(f.index, 2 * 3 + 1);
}

static void a_dropped_contact_is_named(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, drop_contact);
  assert_non_null(strstr(f.fields, "ncon "));
  assert_non_null(strstr(f.fields, "contact "));
  assert_non_null(strstr(f.fields, "efc "));
}

static void move_contact(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[1].geom[1] = 7;  // the same number of contacts, another pair of geoms
}

static void a_contact_between_other_geoms_is_named(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, move_contact);
  assert_non_null(strstr(f.fields, "contact "));
  assert_int_equal(f.index, 1);
}

static void swap_rows(const mjModel* m, mjData* d) {
  bool sparse = m->opt.jacobian == mjJAC_SPARSE;
  int width = sparse ? d->efc_J_rownnz[2] : (int)m->nv;
  for (int k = 0; k < width; k++) {
    mjtNum *x = d->efc_J + 2 * width + k, *y = d->efc_J + 3 * width + k, t = *x;
    *x = *y;
    *y = t;
  }
}

static void swapped_rows_are_named(void** state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    assert_string_equal(compare_with(sparse, forwards, swap_rows).fields, "efc_J ");
    assert_string_equal(compare_with(sparse, shuffled, swap_rows).fields, "efc_J ");
  }
}

static void move_column(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_J_colind[d->efc_J_rowadr[5] + 1] += 1;
}

static void a_wrong_column_of_a_sparse_row_is_named(void** state) {
  (void)state;
  assert_non_null(strstr(compare_with(true, forwards, move_column).fields, "efc_J_colind "));
  assert_non_null(strstr(compare_with(true, shuffled, move_column).fields, "efc_J_colind "));
}

static void lose_address(const mjModel* m, mjData* d) {
  (void)m;
  d->contact[1].efc_address = -1;
}

static void a_wrong_address_of_a_contact_is_named(void** state) {
  (void)state;
  assert_string_equal(compare_with(false, forwards, lose_address).fields, "contact.efc_address ");
  assert_string_equal(compare_with(false, shuffled, lose_address).fields, "contact.efc_address ");
}

static void swap_islands(const mjModel* m, mjData* d) {
  (void)m;
  d->map_efc2iefc[0] = 1;
  d->map_efc2iefc[1] = 0;
}

static void a_wrong_place_in_an_island_is_named(void** state) {
  (void)state;
  assert_string_equal(compare_with(false, forwards, swap_islands).fields, "map_efc2iefc ");
  assert_string_equal(compare_with(false, shuffled, swap_islands).fields, "map_efc2iefc ");
}

static void spoil_projection(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_AR[3] *= (mjtNum)(1 + 1e-6);
}

static void a_wrong_entry_of_the_projected_inertia_is_named(void** state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    assert_string_equal(compare_with(sparse, forwards, spoil_projection).fields, "efc_AR ");
    assert_string_equal(compare_with(sparse, shuffled, spoil_projection).fields, "efc_AR ");
  }
}

static void put_nan(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_D[4] = (mjtNum)NAN;
}

static void nan_against_a_number_is_named(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, put_nan);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.fields, "efc_D ");
}

// Behind the solver, and not

static void disturb_force(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_force[1] *= (mjtNum)(1 + 1e-7);
}

static void disturb_reference(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_aref[1] *= (mjtNum)(1 + 1e-7);
}

static void only_what_is_behind_the_solver_is_judged_by_its_tolerance(void** state) {
  (void)state;
  assert_string_equal(compare_with(false, forwards, disturb_force).fields, "");
  assert_string_equal(compare_with(false, forwards, disturb_reference).fields, "efc_aref ");
}

static void inverse_dynamics_has_no_solver(void** state) {
  (void)state;
  Bench x = set_up(false, forwards);
  disturb_force(x.m, x.ours);
  assert_string_equal(compare_at(&x, AFTER_INVERSE).fields, "efc_force ");
  take_down(&x);
}

static void what_inverse_dynamics_leaves_alone_stays_behind_the_solver(void** state) {
  (void)state;
  Bench x = set_up(false, forwards);
  x.a->qfrc_constraint[2] = x.b->qfrc_constraint[2] = 1;
  x.ours->qfrc_constraint[2] = (mjtNum)(1 + 1e-7);
  assert_string_equal(compare_at(&x, AFTER_INVERSE).fields, "qfrc_constraint ");
  mark_solved(x.m, x.b);
  assert_string_equal(compare_at(&x, AFTER_INVERSE).fields, "");
  x.ours->qfrc_constraint[2] = 2;
  assert_string_equal(compare_at(&x, AFTER_INVERSE).fields, "qfrc_constraint ");
  take_down(&x);
}

// All rows are below their border: the cost of an acceleration grows with its distance from the
// minimum, which here is not where it is.
static void worsen_acceleration(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qacc[i] *= (mjtNum)1.5;
}

static void an_acceleration_that_costs_more_is_named(void** state) {
  (void)state;
  Findings f = compare_with(false, forwards, worsen_acceleration);
  assert_non_null(strstr(f.fields, "qacc "));
  assert_non_null(strstr(f.fields, "cost "));
}

static void change_state(const mjModel* m, mjData* d) {
  (void)m;
  d->efc_state[6] = mjCNSTRSTATE_SATISFIED;
}

static void a_state_may_differ_only_on_its_border(void** state) {
  (void)state;
  Bench x = set_up(false, forwards);
  change_state(x.m, x.ours);
  assert_string_equal(compare_at(&x, AFTER_FORWARD).fields, "efc_state ");
  // aref moved so that the residual of the row vanishes
  mjtNum r = 0;
  for (int k = 0; k < x.m->nv; k++) r += x.a->efc_J[6 * (int)x.m->nv + k] * x.a->qacc[k];
  x.a->efc_aref[6] = x.b->efc_aref[6] = x.ours->efc_aref[6] = r;
  assert_string_equal(compare_at(&x, AFTER_FORWARD).fields, "");
  take_down(&x);
}

// Makes rows 4, 5, 6 an elliptic contact with friction 0.5 and these forces.
static void make_sliding(mjData* d, double normal, double tangent) {
  mjContact* c = d->contact + 1;
  assert_int_equal(c->efc_address, 4);
  c->mu = c->friction[0] = c->friction[1] = (mjtNum)0.5;
  for (int i = 4; i < 7; i++) d->efc_type[i] = mjCNSTR_CONTACT_ELLIPTIC;
  d->efc_force[4] = (mjtNum)normal;
  d->efc_force[5] = (mjtNum)tangent;
  d->efc_force[6] = 0;
}

static void the_border_of_dual_solvers_is_the_cone_of_forces(void** state) {
  (void)state;
  static const struct {
    double tangent;
    const char* wrong;
  } table[] = {{1, ""}, {1 + 1e-8, ""}, {0.9, "efc_state "}, {1.1, "efc_state "}};
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    Bench x = set_up(false, forwards);
    x.m->opt.solver = mjSOL_PGS;
    mjData* const all[] = {x.a, x.b, x.ours};
    for (int k = 0; k < 3; k++) make_sliding(all[k], 2, table[i].tangent);
    x.ours->efc_state[5] = mjCNSTRSTATE_CONE;
    assert_string_equal(compare_at(&x, AFTER_FORWARD).fields, table[i].wrong);
    take_down(&x);
  }
}

// Undefined elements, models

static void elements_that_the_reference_leaves_undefined_are_skipped(void** state) {
  (void)state;
  Bench x = set_up(false, forwards);
  x.b->efc_D[4] = 77;  // the second result differs: nobody wrote this element
  x.ours->efc_D[4] = 12345;
  Findings f = compare_at(&x, AFTER_FORWARD);
  assert_int_equal(f.wrong, 0);
  assert_int_equal(f.undefined, 1);
  take_down(&x);
}

static void a_model_is_compared_field_by_field(void** state) {
  (void)state;
  mjModel *a = load_trees(false), *b = load_trees(false);
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_models(a, b, NULL, collect, &f);
  assert_true(f.compared > 1000);
  assert_int_equal(f.wrong, 0);
  b->body_mass[4] *= (mjtNum)(1 + 1e-6);
  compare_models(a, b, NULL, collect, &f);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.fields, "body_mass ");
  assert_int_equal(f.index, 4);
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void length_ranges_are_judged_by_their_width(void** state) {
  (void)state;
  char error[200] = "";
  mjModel* a = mj_loadXML(CT_SOURCE_DIR "/models/muscles.xml", NULL, error, sizeof(error));
  mjModel* b = mj_copyModel(NULL, a);
  assert_non_null(b);
  mjtNum width = a->actuator_lengthrange[1] - a->actuator_lengthrange[0];
  assert_true(width > 0);
  Findings f;
  memset(&f, 0, sizeof(f));
  b->actuator_lengthrange[0] += (mjtNum)5e-7 * width;
  compare_models(a, b, NULL, collect, &f);
  assert_int_equal(f.wrong, 0);
  b->actuator_lengthrange[0] += (mjtNum)2e-6 * width;
  compare_models(a, b, NULL, collect, &f);
  assert_string_equal(f.fields, "actuator_lengthrange ");
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void filters_choose_fields_and_stages(void** state) {
  (void)state;
  mjModel *a = load_trees(false), *b = load_trees(false);
  b->body_mass[4] *= 2;
  b->jnt_range[2] += 1;
  FieldFilter filter = {"jnt_", NULL};
  Findings f;
  memset(&f, 0, sizeof(f));
  compare_models(a, b, &filter, collect, &f);
  assert_int_equal(f.wrong, 1);
  assert_string_equal(f.fields, "jnt_range ");
  mj_deleteModel(a);
  mj_deleteModel(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_data_agree),
      cmocka_unit_test(rounding_is_forgiven),
      cmocka_unit_test(contacts_are_a_set_and_rows_and_islands_follow_them),
      cmocka_unit_test(what_rounding_moves_in_the_reference_is_nobodys_number),
      cmocka_unit_test(more_than_ten_times_what_rounding_moves_is_wrong),
      cmocka_unit_test(rounding_that_moves_one_contact_excuses_no_other),
      cmocka_unit_test(rounding_that_reorders_contacts_excuses_no_row),
      cmocka_unit_test(rounding_that_changes_contacts_excuses_nothing),
      cmocka_unit_test(one_field_off_by_a_millionth_is_named),
      cmocka_unit_test(the_index_of_a_contact_counts_through_all_contacts),
      cmocka_unit_test(a_dropped_contact_is_named),
      cmocka_unit_test(a_contact_between_other_geoms_is_named),
      cmocka_unit_test(swapped_rows_are_named),
      cmocka_unit_test(a_wrong_column_of_a_sparse_row_is_named),
      cmocka_unit_test(a_wrong_address_of_a_contact_is_named),
      cmocka_unit_test(a_wrong_place_in_an_island_is_named),
      cmocka_unit_test(a_wrong_entry_of_the_projected_inertia_is_named),
      cmocka_unit_test(nan_against_a_number_is_named),
      cmocka_unit_test(only_what_is_behind_the_solver_is_judged_by_its_tolerance),
      cmocka_unit_test(inverse_dynamics_has_no_solver),
      cmocka_unit_test(what_inverse_dynamics_leaves_alone_stays_behind_the_solver),
      cmocka_unit_test(an_acceleration_that_costs_more_is_named),
      cmocka_unit_test(a_state_may_differ_only_on_its_border),
      cmocka_unit_test(the_border_of_dual_solvers_is_the_cone_of_forces),
      cmocka_unit_test(elements_that_the_reference_leaves_undefined_are_skipped),
      cmocka_unit_test(a_model_is_compared_field_by_field),
      cmocka_unit_test(length_ranges_are_judged_by_their_width),
      cmocka_unit_test(filters_choose_fields_and_stages),
  };
#ifdef mjUSESINGLE
  (void)tests;
  return 77;  // skipped: recorded models hold doubles
#else
  return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
