// R3.1 R6.1 R27.1: contacts, constraint rows, constraint forces and sensor readings are those that
// the reference found in whole forward steps. tests/record/record_forward.py writes the states:
// models that have run for a while, so that things have met, some with another solver, cone or
// Jacobian than their own. Single precision has nothing to say here: its contacts are others where
// things barely touch.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/recorded.h"

static Recorded* recorded;
static char prefix[64];  // "contacts@sparse/0"
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

static int setting(const char* name) {
  char path[128];
  size_t count;
  snprintf(path, sizeof(path), "%.*s/opt/%s", (int)strcspn(prefix, "/"), prefix, name);
  return recorded_ints(recorded, path, &count)[0];
}

static void open_state(void) {
  char model[64];
  snprintf(model, sizeof(model), "%.*s", (int)strcspn(prefix, "@/"), prefix);
  m = recorded_model(model);
  m->opt.solver = setting("solver");
  m->opt.cone = setting("cone");
  m->opt.jacobian = setting("jacobian");
  m->opt.noslip_iterations = setting("noslip_iterations");
  d = mj_makeData(m);
  set("in/qpos", d->qpos, (size_t)m->nq);
  set("in/qvel", d->qvel, (size_t)m->nv);
  set("in/act", d->act, (size_t)m->na);
  set("in/ctrl", d->ctrl, (size_t)m->nu);
  set("in/qfrc_applied", d->qfrc_applied, (size_t)m->nv);
  set("in/xfrc_applied", d->xfrc_applied, 6 * (size_t)m->nbody);
  set("in/mocap_pos", d->mocap_pos, 3 * (size_t)m->nmocap);
  set("in/mocap_quat", d->mocap_quat, 4 * (size_t)m->nmocap);
  set("in/history", d->history, (size_t)m->nhistory);
  set("in/qacc_warmstart", d->qacc_warmstart, (size_t)m->nv);
  set("in/time", &d->time, 1);
  set("in/energy", d->energy, 2);
  d->flg_energyvel = (m->opt.enableflags & mjENBL_ENERGY) != 0;  // the states come after steps
  const int* active = ints("in/eq_active");
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = (mjtByte)active[i];
}

// Calls a check at every recorded state; returns how many there are.
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

// Written so that NaN fails.
static void expect(const char* what, const mjtNum* got, const double* want, size_t n,
                   double tolerance) {
  for (size_t i = 0; i < n; i++) {
    if (!(fabs((double)got[i] - want[i]) <= tolerance * (1 + fabs(want[i])))) {
      fail_msg("%s: %s[%zu] is %.17g, expected %.17g", prefix, what, i, (double)got[i], want[i]);
    }
  }
}

static void expect_recorded(const char* what, const mjtNum* got, double tolerance) {
  size_t count;
  const double* want = numbers(what, &count);
  expect(what, got, want, count, tolerance);
}

static void expect_count(const char* what, int got) {
  int want = ints(what)[0];
  if (got != want) fail_msg("%s: %s is %d, expected %d", prefix, what, got, want);
}

// Contacts

static void find_contacts(void) {
  mj_fwdKinematics(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);
}

// Shapes that an iteration finds to a tolerance meet at a point that is good to it.
static double contact_tolerance(const mjContact* c) {
  int types[2] = {m->geom_type[c->geom[0]], m->geom_type[c->geom[1]]};
  for (int i = 0; i < 2; i++) {
    bool exact = types[i] == mjGEOM_PLANE || types[i] == mjGEOM_SPHERE ||
                 types[i] == mjGEOM_CAPSULE || types[i] == mjGEOM_BOX;
    if (!exact) return 1e-6;
  }
  return 1e-9;
}

static void check_contacts(void) {
  find_contacts();
  expect_count("out/ncon", (int)d->ncon);
  const int *geom = ints("contact/geom"), *dim = ints("contact/dim");
  const int* exclude = ints("contact/exclude");
  size_t n;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    double tolerance = contact_tolerance(c);
    if (c->geom[0] != geom[2 * i] || c->geom[1] != geom[2 * i + 1] || c->dim != dim[i] ||
        c->exclude != exclude[i]) {
      fail_msg("%s: contact %d is of geoms %d %d, dimension %d, exclusion %d", prefix, i,
               c->geom[0], c->geom[1], c->dim, c->exclude);
    }
    expect("dist", &c->dist, numbers("contact/dist", &n) + i, 1, tolerance);
    expect("pos", c->pos, numbers("contact/pos", &n) + 3 * i, 3, tolerance);
    expect("frame", c->frame, numbers("contact/frame", &n) + 9 * i, 9, tolerance);
    expect("margin", &c->includemargin, numbers("contact/includemargin", &n) + i, 1, 1e-12);
    expect("friction", c->friction, numbers("contact/friction", &n) + 5 * i, 5, 1e-12);
    expect("solref", c->solref, numbers("contact/solref", &n) + 2 * i, 2, 1e-12);
    expect("solreffriction", c->solreffriction, numbers("contact/solreffriction", &n) + 2 * i, 2,
           1e-12);
    expect("solimp", c->solimp, numbers("contact/solimp", &n) + 5 * i, 5, 1e-12);
  }
}

static void R27_1_contacts_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  assert_true(for_all_states(check_contacts) >= 30);
}

// Rows

// The recorded contacts, so that rows are judged by themselves.
static void take_recorded_contacts(void) {
  size_t n;
  for (int i = 0; i < d->ncon; i++) {
    mjContact* c = d->contact + i;
    c->dist = (mjtNum)numbers("contact/dist", &n)[i];
    for (int k = 0; k < 3; k++) c->pos[k] = (mjtNum)numbers("contact/pos", &n)[3 * i + k];
    for (int k = 0; k < 9; k++) c->frame[k] = (mjtNum)numbers("contact/frame", &n)[9 * i + k];
  }
}

static void make_rows(void) {
  find_contacts();
  take_recorded_contacts();
  mj_makeConstraint(m, d);
  mj_island(m, d);
  mj_transmission(m, d);
  mj_projectConstraint(m, d);
}

static void check_rows(void) {
  make_rows();
  expect_count("out/ne", (int)d->ne);
  expect_count("out/nf", (int)d->nf);
  expect_count("out/nl", (int)d->nl);
  expect_count("out/nefc", (int)d->nefc);
  expect_count("out/nisland", (int)d->nisland);
  const int *type = ints("out/efc_type"), *id = ints("out/efc_id");
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_type[i] != type[i] || d->efc_id[i] != id[i])
      fail_msg("%s: row %d is of type %d, id %d", prefix, i, d->efc_type[i], d->efc_id[i]);
  }
  expect_recorded("out/efc_J", d->efc_J, 1e-9);
  expect_recorded("out/efc_pos", d->efc_pos, 1e-9);
  expect_recorded("out/efc_margin", d->efc_margin, 1e-12);
  expect_recorded("out/efc_frictionloss", d->efc_frictionloss, 1e-12);
  expect_recorded("out/efc_diagApprox", d->efc_diagApprox, 1e-9);
  expect_recorded("out/efc_KBIP", d->efc_KBIP, 1e-9);
  expect_recorded("out/efc_D", d->efc_D, 1e-8);
  expect_recorded("out/efc_R", d->efc_R, 1e-8);
}

static void R3_1_rows_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  assert_true(for_all_states(check_rows) >= 30);
}

// Forces

// Solvers stop at a tolerance, so their results agree relative to the largest one.
static void expect_solved(const char* what, const mjtNum* got) {
  size_t n;
  const double* want = numbers(what, &n);
  double largest = 1, wrong = 0;
  for (size_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(want[i]));
    wrong = fmax(wrong, fabs((double)got[i] - want[i]));
    if (isnan(got[i])) fail_msg("%s: %s[%zu] is NaN", prefix, what, i);
  }
  if (wrong > 1e-6 * largest)
    fail_msg("%s: %s is off by %.3g; its largest value is %.3g", prefix, what, wrong, largest);
}

static void check_forces(void) {
  make_rows();
  mj_fwdVelocity(m, d);
  mj_referenceConstraint(m, d);
  expect_recorded("out/efc_vel", d->efc_vel, 1e-9);
  expect_recorded("out/efc_aref", d->efc_aref, 1e-8);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  expect_recorded("out/qacc_smooth", d->qacc_smooth, 1e-8);
  mj_fwdConstraint(m, d);
  expect_solved("out/efc_force", d->efc_force);
  expect_solved("out/qfrc_constraint", d->qfrc_constraint);
  expect_solved("out/qacc", d->qacc);
}

static void R3_1_forces_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  assert_true(for_all_states(check_forces) >= 30);
}

// Sensors

// Distances of shapes that an iteration finds are good to its tolerance, forces to the solver's.
static double reading_tolerance(int sensor) {
  int type = m->sensor_type[sensor];
  bool distance = type >= mjSENS_GEOMDIST && type <= mjSENS_GEOMFROMTO;
  return distance || m->sensor_needstage[sensor] == mjSTAGE_ACC ? 1e-6 : 1e-9;
}

static int readings;

static void check_readings(void) {
  size_t count;
  const double* want = numbers("out/sensordata", &count);
  for (int i = 0; i < m->nsensordata; i++) d->sensordata[i] = NAN;
  mj_forward(m, d);
  for (int i = 0; i < m->nsensor; i++) {
    const double* its = want + m->sensor_adr[i];
    double largest = 1;
    if (m->sensor_needstage[i] == mjSTAGE_NONE) continue;
    for (int k = 0; k < m->sensor_dim[i]; k++) {
      largest = fmax(largest, fabs(its[k]));
    }
    for (int k = 0; k < m->sensor_dim[i]; k++) {
      double got = (double)d->sensordata[m->sensor_adr[i] + k];
      readings++;
      if (fabs(got - its[k]) <= reading_tolerance(i) * largest) continue;  // a NaN fails
      fail_msg("%s: sensor %d (type %d), number %d: %.17g, expected %.17g", prefix, i,
               m->sensor_type[i], k, got, its[k]);
    }
  }
}

static void R6_1_readings_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  readings = 0;
  for_all_states(check_readings);
  assert_true(readings > 400);
}

// Tests

static int open_recording(void** state) {
  (void)state;
  recorded = recorded_open("forward.rec");
  return 0;
}

static int close_recording(void** state) {
  (void)state;
  recorded_close(recorded);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R27_1_contacts_are_those_of_the_reference),
      cmocka_unit_test(R3_1_rows_are_those_of_the_reference),
      cmocka_unit_test(R3_1_forces_are_those_of_the_reference),
      cmocka_unit_test(R6_1_readings_are_those_of_the_reference),
  };
  return cmocka_run_group_tests(tests, open_recording, close_recording);
}
