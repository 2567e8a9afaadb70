// Trees that fall asleep and wake (R3.5): the counts, rings and reasons of the reference, seen by
// experiment (docs/behaviour-notes.md), and what a step leaves alone meanwhile.

#include "engine/smooth/sleep.h"

#include <stdio.h>
#include <string.h>

#include "base/private.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/states.h"

// Two sliding balls and a driven one; a tendon of limited length and a weld between the first two.
static const char two_balls[] =
    "<mujoco><option gravity='0 0 0'><flag sleep='enable' contact='disable'/></option><worldbody>"
    "<body><joint type='slide' axis='1 0 0'/><geom name='a' size='.05'/><site name='a'/></body>"
    "<body pos='1 0 0'><joint type='slide' axis='1 0 0'/><geom name='b' size='.05'/>"
    "<site name='b'/></body>"
    "<body pos='2 0 0'><joint name='j' type='slide'/><geom size='.05'/></body>"
    "<geom name='ground' type='plane' size='1 1 1' pos='0 0 -3'/></worldbody>"
    "<tendon><spatial limited='%s' range='0 1.1'><site site='a'/><site "
    "site='b'/></spatial></tendon>"
    "<equality><connect site1='a' site2='b' active='false'/></equality>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

typedef struct {
  mjModel* m;
  mjData* d;
} Pair;

static Pair open_balls(bool limited) {
  char text[2000], message[500] = "";
  snprintf(text, sizeof(text), two_balls, limited ? "true" : "false");
  mjSpec* spec = mj_parseXMLString(text, NULL, message, sizeof(message));
  if (!spec) fail_msg("%s", message);
  Pair p;
  p.m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  assert_non_null(p.m);
  p.m->opt.disableflags |= mjDSBL_CONSTRAINT;
  p.d = mj_makeData(p.m);
  return p;
}

static void close_balls(Pair p) {
  mj_deleteData(p.d);
  mj_deleteModel(p.m);
}

static void run(Pair p, int steps) {
  for (int i = 0; i < steps; i++) mj_step(p.m, p.d);
}

static void assert_counts(Pair p, int a, int b) {
  assert_int_equal(p.d->tree_asleep[0], a);
  assert_int_equal(p.d->tree_asleep[1], b);
}

static void trees_sleep_in_their_tenth_quiet_step(void** state) {
  (void)state;
  Pair p = open_balls(false);
  p.d->qvel[0] = p.m->opt.sleep_tolerance / 2;
  run(p, 9);
  assert_counts(p, -2, -2);
  mjtNum before = p.d->qpos[0];
  run(p, 1);
  assert_counts(p, 0, 1);
  assert_true(p.d->qpos[0] == before);  // the old velocity is not integrated
  assert_true(p.d->qvel[0] == 0 && p.d->qacc[0] == 0);
  assert_int_equal(p.d->tree_asleep[2], -11);  // what an actuator moves never sleeps
  assert_int_equal(p.d->ntree_awake, 1);
  assert_int_equal(p.d->nv_awake, 1);
  assert_int_equal(p.d->dof_awake_ind[0], 2);
  assert_int_equal(p.d->nbody_awake, 2);
  assert_int_equal(p.d->body_awake[0], -1);
  close_balls(p);
}

static int pushes;

// A push on the third ball that grows from call to call.
static void push_harder(const mjModel* m, mjData* d) {
  (void)m;
  d->qfrc_applied[2] = (mjtNum)++pushes;
}

// When trees fall asleep the accelerations are computed once more, and come too late: the reference
// moves what is awake with the first ones, for every integrator and with or without damping.
static void what_is_awake_moves_by_the_acceleration_before_the_others_slept(void** state) {
  (void)state;
  const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; i < 6; i++) {
    Pair p = open_balls(false);
    p.m->opt.integrator = integrators[i / 2];
    p.m->dof_damping[0] = i % 2;
    pushes = 0;
    mjcb_control = push_harder;
    run(p, 9);
    mjtNum before = p.d->qvel[2], h = p.m->opt.timestep;
    run(p, 1);
    mjcb_control = NULL;
    assert_counts(p, 0, 1);
    assert_int_equal(pushes, 11);
    double moved = (double)((p.d->qvel[2] - before) / h * p.m->body_mass[3]);
    if (!(moved > 9.9 && moved < 10.1)) fail_msg("integrator %d: %g", integrators[i / 2], moved);
    double computed = (double)(p.d->qacc[2] * p.m->body_mass[3]);
    assert_true(computed > 10.9 && computed < 11.1);
    close_balls(p);
  }
}

static void a_bit_of_velocity_or_force_wakes(void** state) {
  (void)state;
  Pair p = open_balls(false);
  mjtNum* written[] = {p.d->qvel, p.d->qfrc_applied, p.d->xfrc_applied + 6};
  for (int i = 0; i < 3; i++) {
    mj_resetData(p.m, p.d);
    run(p, 12);
    assert_counts(p, 0, 1);
    *written[i] = (mjtNum)-0.0;  // one bit
    mj_forward(p.m, p.d);
    assert_counts(p, -11, 1);
  }
  close_balls(p);
}

static void a_written_pose_wakes(void** state) {
  (void)state;
  Pair p = open_balls(false);
  run(p, 12);
  p.d->qpos[1] += (mjtNum)0.01;
  mj_forward(p.m, p.d);
  assert_counts(p, 0, -11);
  assert_true(p.d->xipos[6] == p.d->xpos[6] && p.d->geom_xpos[3] == p.d->xpos[3]);
  close_balls(p);
}

static void all_wake_when_sleep_is_disabled(void** state) {
  (void)state;
  Pair p = open_balls(false);
  run(p, 12);
  p.m->opt.enableflags &= ~mjENBL_SLEEP;
  mj_forward(p.m, p.d);
  assert_counts(p, -11, -11);
  assert_int_equal(p.d->nv_awake, p.m->nv);
  close_balls(p);
}

// The neighbour's count is the one that it had before this step counted.
static void a_tendon_at_its_limit_wakes_the_other_end(void** state) {
  (void)state;
  Pair p = open_balls(true);
  run(p, 12);
  p.d->qvel[1] = 5;
  run(p, 11);
  assert_counts(p, 0, -11);
  assert_true(p.d->ten_length[0] < (mjtNum)1.105);
  run(p, 1);
  assert_counts(p, -10, -11);
  close_balls(p);
}

static void an_equality_wakes_both_rings(void** state) {
  (void)state;
  Pair p = open_balls(false);
  run(p, 12);
  p.d->eq_active[0] = 1;
  mj_forward(p.m, p.d);
  assert_counts(p, -11, -11);
  close_balls(p);
}

static void a_contact_wakes_with_the_count_of_the_other(void** state) {
  (void)state;
  Pair p = open_balls(false);
  run(p, 12);
  p.d->qvel[1] = 5;
  mj_forward(p.m, p.d);
  p.d->tree_asleep[1] = -7;
  mjContact touch, *kept = p.d->contact;
  memset(&touch, 0, sizeof(touch));
  touch.geom[0] = mj_name2id(p.m, mjOBJ_GEOM, "a");
  touch.geom[1] = mj_name2id(p.m, mjOBJ_GEOM, "ground");
  p.d->contact = &touch;
  p.d->ncon = 1;
  assert_int_equal(ct_wake_touched(lane_one(), p.m, p.d), CT_OK);
  assert_int_equal(ct_private(p.d)->woken, 0);  // the ground has no tree
  touch.geom[1] = mj_name2id(p.m, mjOBJ_GEOM, "b");
  assert_int_equal(ct_wake_touched(lane_one(), p.m, p.d), CT_OK);
  assert_int_equal(ct_private(p.d)->woken, 1);
  assert_counts(p, -7, -7);
  p.d->contact = kept;
  p.d->ncon = 0;
  close_balls(p);
}

// An island of the first two trees, made by hand.
static void an_island_sleeps_and_wakes_as_a_ring(void** state) {
  (void)state;
  Pair p = open_balls(false);
  mjData* d = p.d;
  int tree_island[] = {0, 0, -1}, map_itree2tree[] = {0, 1, 2}, itreeadr[] = {0}, ntree[] = {2};
  mj_forward(p.m, d);
  d->nisland = 1;
  d->tree_island = tree_island;
  d->map_itree2tree = map_itree2tree;
  d->island_itreeadr = itreeadr;
  d->island_ntree = ntree;
  d->tree_asleep[0] = -2;
  assert_int_equal(ct_sleep_where_ready(lane_one(), p.m, d), 0);  // the other is not ready
  assert_counts(p, -1, -10);
  d->tree_asleep[1] = -2;
  assert_int_equal(ct_sleep_where_ready(lane_one(), p.m, d), 2);
  assert_counts(p, 1, 0);
  d->nisland = 0;
  d->tree_island = d->map_itree2tree = d->island_itreeadr = d->island_ntree = NULL;
  ct_update_awake(lane_one(), p.m, d, false);
  d->qfrc_applied[0] = 1;
  mj_forward(p.m, d);
  assert_counts(p, -11, -11);
  close_balls(p);
}

// Sleeping parts keep what they had, whatever stands there.
static void stages_leave_sleeping_parts_alone(void** state) {
  (void)state;
  Pair p = open_balls(false);
  run(p, 12);
  mjtNum* kept[] = {p.d->xipos + 3, p.d->geom_xpos,    p.d->subtree_com + 3, p.d->cinert + 10,
                    p.d->cdof,      p.d->cvel + 6,     p.d->cdof_dot,        p.d->M,
                    p.d->qLD,       p.d->qfrc_passive, p.d->qfrc_bias,       p.d->qfrc_smooth};
  enum { N = sizeof(kept) / sizeof(kept[0]) };
  for (int i = 0; i < N; i++) *kept[i] = 7;
  run(p, 1);
  for (int i = 0; i < N; i++) assert_true(*kept[i] == 7);
  assert_counts(p, 0, 1);
  close_balls(p);
}

static void equalities_of_tendons_cannot_sleep(void** state) {
  (void)state;
  Pair p = open_balls(false);
  p.m->eq_type[0] = mjEQ_TENDON;
  p.d->eq_active[0] = 1;
  mj_forward(p.m, p.d);
  expect_one_error("cannot be combined with sleep");
  close_balls(p);
}

// The numbers of the reference for models/sleepers.xml after 60 steps in free fall without gravity.
static void policies_are_kept(void** state) {
  (void)state;
  char why[300] = "";
  mjModel* m = mj_loadXML(CT_SOURCE_DIR "/models/sleepers.xml", NULL, why, sizeof(why));
  if (!m) fail_msg("%s", why);
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_GRAVITY;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 60; i++) mj_step(m, d);
  assert_int_equal(d->tree_asleep[0], 0);    // auto
  assert_int_equal(d->tree_asleep[1], -11);  // never
  assert_int_equal(d->tree_asleep[2], 2);    // allowed
  assert_int_equal(d->tree_asleep[3], -11);  // driven
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void trees_may_start_asleep(void** state) {
  (void)state;
  Pair p = open_balls(false);
  p.m->tree_sleep_policy[1] = mjSLEEP_INIT;
  mj_resetData(p.m, p.d);
  assert_counts(p, -10, 1);  // the others were counted once
  assert_int_equal(p.d->nefc, 0);
  run(p, 1);
  assert_counts(p, -9, 1);
  p.m->tree_sleep_policy[2] = mjSLEEP_INIT;
  p.m->opt.sleep_tolerance = -1;
  mj_resetData(p.m, p.d);
  expect_one_error("start asleep");
  close_balls(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_sleep_in_their_tenth_quiet_step),
      cmocka_unit_test(what_is_awake_moves_by_the_acceleration_before_the_others_slept),
      cmocka_unit_test(a_bit_of_velocity_or_force_wakes),
      cmocka_unit_test(a_written_pose_wakes),
      cmocka_unit_test(all_wake_when_sleep_is_disabled),
      cmocka_unit_test(a_tendon_at_its_limit_wakes_the_other_end),
      cmocka_unit_test(an_equality_wakes_both_rings),
      cmocka_unit_test(a_contact_wakes_with_the_count_of_the_other),
      cmocka_unit_test(an_island_sleeps_and_wakes_as_a_ring),
      cmocka_unit_test(stages_leave_sleeping_parts_alone),
      cmocka_unit_test_setup_teardown(equalities_of_tendons_cannot_sleep, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(policies_are_kept),
      cmocka_unit_test_setup_teardown(trees_may_start_asleep, listen_to_messages, stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
