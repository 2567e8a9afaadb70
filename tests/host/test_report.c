// What is told about models that were edited into something that cannot be stepped: a status of
// ct_step, an error of mj_step that names the thing.

#include "host/report.h"

#include <stdio.h>

#include <corten/step.h>

#include "base/memory/arena.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/states.h"
#include "support/text_models.h"

static mjModel* m;
static mjData* d;

static const char scene[] =
    "<mujoco><worldbody><geom name='wall' type='sphere' size='.3' pos='5 0 0'/>"
    "<body pos='5 .1 0'><geom name='pillar' type='sphere' size='.3'/></body>"
    "<body name='a'><joint name='x'/><geom size='.1'/><site name='s' pos='1 0 0'/></body>"
    "<body pos='2 0 0'><joint name='y'/><geom name='g' size='.1'/><site name='t' pos='1 0 0'/>"
    "</body></worldbody><tendon><spatial name='rope'><site site='s'/>"
    "<geom geom='g' sidesite='t'/><site site='t'/></spatial></tendon>"
    "<equality><joint joint1='x' joint2='y'/><tendon tendon1='rope' active='false'/></equality>"
    "<actuator><motor joint='x'/></actuator>%s</mujoco>";

static void open_scene(const char* more) {
  char xml[2000], why[300] = "";
  snprintf(xml, sizeof(xml), scene, more);
  mjSpec* spec = mj_parseXMLString(xml, NULL, why, sizeof(why));
  if (!spec) fail_msg("%s", why);
  m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  assert_non_null(m);
  d = mj_makeData(m);
}

static int listen(void** state) {
  return listen_to_messages(state);
}

static int close_all(void** state) {
  if (d) mj_deleteData(d);
  if (m) mj_deleteModel(m);
  d = NULL;
  m = NULL;
  return stop_listening(state);
}

// R0.5: the step is not made, twice; then the error of mj_step.
static void expect_refusal(const char* error) {
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ct_step(m, d), CT_BAD_MODEL);
    assert_true(d->time == 0);
  }
  assert_int_equal(count_errors(), 0);
  assert_int_equal(ct_status(d), CT_BAD_MODEL);
  mj_forward(m, d);
  expect_one_error(error);
}

static void unknown_types_are_a_status_R0_5(void** state) {
  (void)state;
  open_scene("");
  m->eq_type[0] = 9;
  expect_refusal("equality 0 has type 9");
  m->eq_type[0] = mjEQ_JOINT;
  m->actuator_trntype[0] = 17;
  ct_clear_status(d);
  expect_refusal("actuator 0 has transmission type 17");
  m->actuator_trntype[0] = mjTRN_JOINT;
  m->opt.solver = 5;
  ct_clear_status(d);
  expect_refusal("unknown solver type");
  m->opt.solver = mjSOL_NEWTON;
  m->wrap_prm[1] = 33;
  ct_clear_status(d);
  expect_refusal("wrap_prm[1] is 33");
  m->wrap_prm[1] = (mjtNum)1e20;
  ct_clear_status(d);
  expect_refusal("wrap_prm[1] is 1e+20");
  m->wrap_prm[1] = 1;
  assert_int_equal(ct_step(m, d), CT_OK);
  assert_true(d->time > 0);
}

static void equalities_of_tendons_beside_sleep_are_a_status_R0_5(void** state) {
  (void)state;
  open_scene("");
  m->opt.enableflags |= mjENBL_SLEEP;
  mj_resetData(m, d);
  d->eq_active[1] = 1;
  expect_refusal("equality 1 is between tendons");
}

static void contacts_that_nothing_can_move_are_a_status_R0_5(void** state) {
  (void)state;
  open_scene("<contact><pair geom1='wall' geom2='pillar'/></contact>");
  expect_refusal("has no dof that could move");
  m->opt.disableflags |= mjDSBL_ISLAND;
  assert_int_equal(ct_step(m, d), CT_OK);
}

// A model of one tree has its only island without a search, but not where nothing can move a row.
static void nor_are_they_overlooked_beside_a_single_tree_R0_5(void** state) {
  (void)state;
  m = text_model(
      "<mujoco><worldbody><geom name='wall' size='.3'/><geom name='pillar' size='.3' pos='.1 0 0'/>"
      "<body pos='2 0 0'><joint/><geom size='.1' pos='.2 0 0'/></body></worldbody>"
      "<contact><pair geom1='wall' geom2='pillar'/></contact></mujoco>");
  d = mj_makeData(m);
  assert_int_equal(m->ntree, 1);
  expect_refusal("has no dof that could move");
}

// Takes all that is left of the stack.
static void fill_stack(void) {
  for (size_t bytes = (size_t)d->narena; bytes > 0; bytes /= 2) {
    while (ct_stack_alloc(d, bytes, 1)) {
    }
  }
}

// Bits of the status last; what an error says is about this step.
static void want_of_room_is_not_blamed_on_an_older_problem(void** state) {
  (void)state;
  open_scene("");
  m->opt.integrator = mjINT_IMPLICIT;
  mj_forward(m, d);
  ct_private(d)->status |= CT_LU_SINGULAR;
  mj_markStack(d);
  fill_stack();
  mj_implicit(m, d);
  expect_one_error("stack overflow");
  mj_freeStack(d);
  assert_int_equal(ct_status(d), CT_LU_SINGULAR | CT_ARENA_FULL);
}

// R0.5: nothing old is passed off as new.
static void tendons_without_room_are_an_error(void** state) {
  (void)state;
  open_scene("");
  m->opt.jacobian = mjJAC_SPARSE;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_markStack(d);
  fill_stack();
  mj_tendon(m, d);
  expect_one_error("stack overflow in mj_tendon");
  assert_int_equal(ct_status(d), CT_ARENA_FULL);
  mj_freeStack(d);
  ct_clear_status(d);
  mj_tendon(m, d);
  assert_int_equal(ct_status(d) + count_errors(), 0);
  assert_true(d->ten_length[0] > 0);
}

// R0.5: every stage that needs scratch says so, in a forward pass too, and the step is not made.
static void forward_passes_without_room_are_an_error(void** state) {
  (void)state;
  open_scene("");
  m->opt.jacobian = mjJAC_SPARSE;
  mj_markStack(d);
  fill_stack();
  mj_forward(m, d);
  expect_one_error("stack overflow");
  mj_step(m, d);
  expect_one_error("stack overflow");
  assert_int_equal(ct_step(m, d), CT_ARENA_FULL);
  assert_true(d->time == 0 && count_errors() == 0);
  mj_freeStack(d);
  assert_int_equal(ct_step(m, d), CT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(unknown_types_are_a_status_R0_5, listen, close_all),
      cmocka_unit_test_setup_teardown(equalities_of_tendons_beside_sleep_are_a_status_R0_5, listen,
                                      close_all),
      cmocka_unit_test_setup_teardown(contacts_that_nothing_can_move_are_a_status_R0_5, listen,
                                      close_all),
      cmocka_unit_test_setup_teardown(nor_are_they_overlooked_beside_a_single_tree_R0_5, listen,
                                      close_all),
      cmocka_unit_test_setup_teardown(tendons_without_room_are_an_error, listen, close_all),
      cmocka_unit_test_setup_teardown(forward_passes_without_room_are_an_error, listen, close_all),
      cmocka_unit_test_setup_teardown(want_of_room_is_not_blamed_on_an_older_problem, listen,
                                      close_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
