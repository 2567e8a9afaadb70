// R20.1: positions, strains, forces, rows and contacts of flexes are those that the reference
// found. tests/record/record_soft.py writes scenes and states: cloth over spheres, boxes and
// capsules, shells, strains, ropes, solids, interpolated cells, flexes that meet each other.
// Single precision has nothing to say about contacts, and so not about what follows from them.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/recorded.h"

#ifdef mjUSESINGLE
enum { SINGLE = 1 };
#else
enum { SINGLE = 0 };
#endif

static Recorded* recorded;
static char prefix[64];  // "drape/0"
static mjModel* m;
static mjData* d;

static const double* numbers(const char* what, size_t* count) {
  return recorded_numbers_of(recorded, prefix, what, count);
}

static const int* ints(const char* what) {
  return recorded_ints_of(recorded, prefix, what);
}

static void set(const char* what, mjtNum* target, size_t n) {
  recorded_fill(recorded, prefix, what, target, n);
}

static void open_state(void) {
  char model[80];
  snprintf(model, sizeof(model), "soft/%.*s", (int)strcspn(prefix, "/"), prefix);
  m = recorded_model(model);
  d = mj_makeData(m);
  set("in/qpos", d->qpos, (size_t)m->nq);
  set("in/qvel", d->qvel, (size_t)m->nv);
  set("in/qacc_warmstart", d->qacc_warmstart, (size_t)m->nv);
}

static int for_all_states(void (*check)(void)) {
  int states = 0;
  for (int i = 0; recorded_next_state(recorded, &i, prefix, sizeof(prefix));) {
    open_state();
    check();
    mj_deleteData(d);
    mj_deleteModel(m);
    states++;
  }
  return states;
}

// To a part of the largest number; written so that NaN fails.
static void expect(const char* what, const mjtNum* got, double tolerance) {
  size_t count;
  const double* want = numbers(what, &count);
  double most = 1e-3;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(want[i]));
  for (size_t i = 0; i < count; i++) {
    if (!(fabs((double)got[i] - want[i]) <= tolerance * most)) {
      fail_msg("%s: %s[%zu] is %.17g, expected %.17g", prefix, what, i, (double)got[i], want[i]);
    }
  }
}

static void check_positions(void) {
  double tolerance = SINGLE ? 1e-5 : 1e-12;
  mj_fwdKinematics(m, d);
  expect("out/flexvert_xpos", d->flexvert_xpos, tolerance);
  expect("out/flexelem_aabb", d->flexelem_aabb, tolerance);
  expect("out/flexedge_length", d->flexedge_length, tolerance);
  expect("out/flexedge_J", d->flexedge_J, SINGLE ? 1e-4 : 1e-11);
  expect("out/flexvert_length", d->flexvert_length, SINGLE ? 1e-3 : 1e-11);
  expect("out/flexvert_J", d->flexvert_J, SINGLE ? 1e-4 : 1e-11);
}

static void positions_edges_and_strains_are_those_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(for_all_states(check_positions), 18);
}

static void check_forces(void) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  expect("out/flexedge_velocity", d->flexedge_velocity, SINGLE ? 1e-4 : 1e-11);
  expect("out/qfrc_damper", d->qfrc_damper, SINGLE ? 1e-3 : 1e-10);
  if (SINGLE) return;  // differences of squared lengths, and contacts that are springs
  expect("out/qfrc_spring", d->qfrc_spring, 1e-10);
  expect("out/qfrc_passive", d->qfrc_passive, 1e-10);
}

static void elastic_forces_are_those_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(for_all_states(check_forces), 18);
}

static void expect_part(const char* what, int contact, const mjtNum* got, int n) {
  size_t count;
  const double* want = numbers(what, &count) + n * contact;
  for (int i = 0; i < n; i++) {
    if (!(fabs((double)got[i] - want[i]) <= 1e-8)) {
      fail_msg("%s: contact %d: %s[%d] is %.17g, expected %.17g", prefix, contact, what, i,
               (double)got[i], want[i]);
    }
  }
}

static void expect_integers(const char* what, int contact, const int* got, int n) {
  const int* want = ints(what) + n * contact;
  for (int i = 0; i < n; i++) {
    if (got[i] != want[i]) {
      fail_msg("%s: contact %d: %s[%d] is %d, expected %d", prefix, contact, what, i, got[i],
               want[i]);
    }
  }
}

static void check_contacts(void) {
  mj_fwdPosition(m, d);
  const int* counts = ints("out/counts");
  if (d->ncon != counts[0]) fail_msg("%s: %d contacts, expected %d", prefix, d->ncon, counts[0]);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    expect_integers("contact/geom", i, c->geom, 2);
    expect_integers("contact/flex", i, c->flex, 2);
    expect_integers("contact/elem", i, c->elem, 2);
    expect_integers("contact/vert", i, c->vert, 2);
    expect_integers("contact/dim", i, &c->dim, 1);
    expect_integers("contact/exclude", i, &c->exclude, 1);
    expect_part("contact/dist", i, &c->dist, 1);
    expect_part("contact/pos", i, c->pos, 3);
    expect_part("contact/frame", i, c->frame, 9);
    expect_part("contact/includemargin", i, &c->includemargin, 1);
    expect_part("contact/friction", i, c->friction, 5);
    expect_part("contact/solref", i, c->solref, 2);
    expect_part("contact/solimp", i, c->solimp, 5);
  }
}

static void contacts_are_those_of_the_reference_in_its_order(void** state) {
  (void)state;
  if (!SINGLE) assert_int_equal(for_all_states(check_contacts), 18);
}

static void check_accelerations(void) {
  mj_forward(m, d);
  const int* counts = ints("out/counts");
  assert_int_equal(d->ne, counts[1]);
  assert_int_equal(d->nefc, counts[2]);
  expect("out/qfrc_smooth", d->qfrc_smooth, 1e-10);
  expect("out/qfrc_constraint", d->qfrc_constraint, 1e-6);
  expect("out/qacc", d->qacc, 1e-6);
  mj_step(m, d);
  expect("step/qvel", d->qvel, 1e-6);
}

static void accelerations_and_steps_are_those_of_the_reference(void** state) {
  (void)state;
  if (!SINGLE) assert_int_equal(for_all_states(check_accelerations), 18);
}

static int open_recording(void** state) {
  (void)state;
  recorded = recorded_open("soft.rec");
  return 0;
}

static int close_recording(void** state) {
  (void)state;
  recorded_close(recorded);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_edges_and_strains_are_those_of_the_reference),
      cmocka_unit_test(elastic_forces_are_those_of_the_reference),
      cmocka_unit_test(contacts_are_those_of_the_reference_in_its_order),
      cmocka_unit_test(accelerations_and_steps_are_those_of_the_reference),
  };
  return cmocka_run_group_tests(tests, open_recording, close_recording);
}
