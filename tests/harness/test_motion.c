// Single steps of trajectories that came apart: what rounding does to one group of numbers excuses
// that group and no other, and everything that a step hands on is looked at.

#include "conformance/motion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/spread.h"
#include "conformance/two_libraries.h"

static Engine genuine, reference, ours;

static int open_engines(void** state) {
  (void)state;
  genuine = engine_open(CT_BINARY_DIR "/lib/libcorten.so", "corten");
  return 0;
}

enum { STEPS = 12 };

typedef void (*Step)(const mjModel* m, mjData* d);

// How many steps of ours agree with those of the reference, each as given.
static int agreeing(const char* model, Step ours_steps, Step reference_steps) {
  char path[400], error[500] = "";
  snprintf(path, sizeof(path), CT_SOURCE_DIR "/models/%s", model);
  reference = ours = genuine;
  reference.mj_step = reference_steps;
  ours.mj_step = ours_steps;
  mjModel* m = genuine.mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  mjData* d = genuine.mj_makeData(m);
  Inquiry q;
  memset(&q, 0, sizeof(q));
  q.reference = &reference;
  q.ours = &ours;
  Random controls = random_seeded("controls", 0);
  int agreed = steps_in_agreement(&q, m, d, &controls, STEPS, sizeof(mjtNum) < 8 ? 1e-4 : 1e-8,
                                  seconds_now() + 20);
  genuine.mj_deleteData(d);
  genuine.mj_deleteModel(m);
  return agreed;
}

static void step(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
}

// Every other time, the reference's first tree gets a velocity of its own.
static void step_by_chance(const mjModel* m, mjData* d) {
  static int tossed;
  genuine.mj_step(m, d);
  d->qvel[0] += (mjtNum)(tossed++ % 2 ? 0.3 : 0);
}

static void step_first_velocity_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  d->qvel[0] += (mjtNum)0.2;
}

static void step_last_velocity_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  d->qvel[m->nv - 1] += (mjtNum)0.2;
}

static void step_first_position_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  d->qpos[0] += (mjtNum)0.01;
}

static void step_activation_off(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  assert_true(m->na > 0);
  d->act[m->na - 1] += (mjtNum)0.01;
}

// From the third step on, the solver would begin elsewhere; the step itself is right.
static void step_with_another_guess(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  if (d->time > 2.5 * (double)m->opt.timestep) d->qacc_warmstart[0] *= (mjtNum)1.01;
}

// A reading that has not come out yet is wrong.
static void step_with_another_past(const mjModel* m, mjData* d) {
  genuine.mj_step(m, d);
  assert_true(m->nhistory > 0);
  d->history[m->nhistory - 1] += (mjtNum)0.01;
}

static void the_same_steps_agree(void** state) {
  (void)state;
  static const char* const models[] = {"muscles.xml", "delays.xml", "humanoid.xml", "sleepers.xml"};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    assert_int_equal(agreeing(models[i], step, step), STEPS);
  }
}

static void chance_excuses_what_it_moves(void** state) {
  (void)state;
  assert_int_equal(agreeing("muscles.xml", step_first_velocity_off, step), 0);
  assert_int_equal(agreeing("muscles.xml", step_first_velocity_off, step_by_chance), STEPS);
}

static void chance_excuses_nothing_else(void** state) {
  (void)state;
  assert_int_equal(agreeing("muscles.xml", step_activation_off, step_by_chance), 0);
  assert_int_equal(agreeing("muscles.xml", step_first_position_off, step_by_chance), 0);
}

static void chance_in_one_tree_excuses_no_other(void** state) {
  (void)state;
  assert_int_equal(agreeing("tree_free_and_chain.xml", step_last_velocity_off, step_by_chance), 0);
}

static void what_the_solver_begins_with_is_judged(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) skip();  // floats are judged more loosely
  assert_int_equal(agreeing("muscles.xml", step_with_another_guess, step), 2);
}

static void buffers_of_delays_are_judged(void** state) {
  (void)state;
  assert_int_equal(agreeing("delays.xml", step_with_another_past, step), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_steps_agree),
      cmocka_unit_test(chance_excuses_what_it_moves),
      cmocka_unit_test(chance_excuses_nothing_else),
      cmocka_unit_test(chance_in_one_tree_excuses_no_other),
      cmocka_unit_test(what_the_solver_begins_with_is_judged),
      cmocka_unit_test(buffers_of_delays_are_judged),
  };
  return cmocka_run_group_tests(tests, open_engines, NULL);
}
