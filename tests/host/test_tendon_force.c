// Forces along tendons (R4.5), and steps that are implicit in all that tendons couple (R13.7).

#include <corten/integrator.h>
#include <corten/tendon.h>

#include <math.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

// Two hinges in different trees, and everything that a tendon can do without constraints.
static const char coupled[] =
    "<mujoco><option timestep='.01'/><worldbody>"
    "<body><joint name='a' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>"
    "<site name='a' pos='.3 0 0'/></body>"
    "<body pos='0 0 -.5'><joint name='b' axis='0 1 0'/>"
    "<geom type='capsule' size='.04' fromto='0 0 0 .4 0 0'/><site name='b' pos='.3 0 .05'/></body>"
    "</worldbody><tendon>"
    "<fixed name='f' stiffness='7' damping='100' springlength='-.1 .1'><joint joint='a' coef='1'/>"
    "<joint joint='b' coef='-.5'/></fixed>"
    "<spatial name='s' stiffness='20' damping='2' springlength='.2'><site site='a'/>"
    "<site site='b'/></spatial></tendon>"
    "<actuator><motor tendon='s' gear='3'/><general tendon='f' gainprm='2' biastype='affine' "
    "biasprm='1 -3 -.5' gear='-2'/></actuator></mujoco>";

typedef struct {
  mjModel* m;
  mjData* d;
} Pair;

static Pair open_coupled(void) {
  char message[500] = "";
  mjSpec* spec = mj_parseXMLString(coupled, NULL, message, sizeof(message));
  if (!spec) fail_msg("%s", message);
  Pair p;
  p.m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  p.m->opt.disableflags |= mjDSBL_CONSTRAINT;
  p.d = mj_makeData(p.m);
  const mjtNum state[] = {(mjtNum)0.4, (mjtNum)-0.3, (mjtNum)1.5, (mjtNum)-2, (mjtNum)0.7, 1};
  for (int k = 0; k < 2; k++) {
    p.d->qpos[k] = state[k];
    p.d->qvel[k] = state[2 + k];
    p.d->ctrl[k] = state[4 + k];
  }
  mj_forward(p.m, p.d);
  return p;
}

static void close_coupled(Pair p) {
  mj_deleteData(p.d);
  mj_deleteModel(p.m);
}

static void forces_of_tendons_make_the_forces_on_dofs(void** state) {
  (void)state;
  for (int off = 0; off < 4; off++) {
    Pair p = open_coupled();
    if (off & 1) p.m->opt.disableflags |= mjDSBL_SPRING;
    if (off & 2) p.m->opt.disableflags |= mjDSBL_DAMPER;
    mj_forward(p.m, p.d);
    mjtNum force[2], want[2], got[2];
    ct_tendon_force(p.m, p.d, force);
    for (int k = 0; k < 2; k++) {
      want[k] = p.d->qfrc_passive[k] + p.d->qfrc_actuator[k];
      got[k] = p.d->ten_J[k] * force[0] + p.d->ten_J[2 + k] * force[1];
      assert_true(want[k] != 0);
    }
    expect_close("J' force", got, want, 2, PRECISION(1e-13, 1e-5));
    close_coupled(p);
  }
}

// Rows of constraints, made by hand: lower and upper limit of the first tendon, friction of the
// second.
static void forces_of_limits_and_friction_are_counted(void** state) {
  (void)state;
  Pair p = open_coupled();
  mjtNum before[2], after[2];
  ct_tendon_force(p.m, p.d, before);
  int type[] = {mjCNSTR_FRICTION_TENDON, mjCNSTR_LIMIT_TENDON, mjCNSTR_LIMIT_TENDON};
  int id[] = {1, 0, 0};
  p.m->tendon_range[0] = p.d->ten_length[0] + 1;
  p.m->tendon_range[1] = p.d->ten_length[0] - 3;
  mjtNum pos[] = {0, -1, -3}, row_force[] = {-4, 10, 100};
  p.d->nefc = 3;
  p.d->efc_type = type;
  p.d->efc_id = id;
  p.d->efc_pos = pos;
  p.d->efc_force = row_force;
  ct_tendon_force(p.m, p.d, after);
  const mjtNum want[] = {before[0] + 10 - 100, before[1] - 4};
  expect_close("force", after, want, 2, PRECISION(1e-13, 1e-5));
  p.d->nefc = 0;
  p.d->efc_type = p.d->efc_id = NULL;
  p.d->efc_pos = p.d->efc_force = NULL;
  close_coupled(p);
}

// Two tendons held to a cubic of each other, and one held to its length.
static void forces_of_equalities_are_counted(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><worldbody>"
      "<body><joint name='a' axis='0 1 0'/><geom size='.05' pos='.3 0 0'/></body>"
      "<body pos='0 0 -.5'><joint name='b' axis='0 1 0'/><geom size='.05' pos='.4 0 0'/></body>"
      "</worldbody><tendon><fixed name='f'><joint joint='a' coef='2'/></fixed>"
      "<fixed name='g'><joint joint='b' coef='-.5'/><joint joint='a' coef='.1'/></fixed></tendon>"
      "<equality><tendon tendon1='f' tendon2='g' polycoef='.1 .7 -2 3 .5'/>"
      "<tendon tendon1='g' polycoef='.2 0 0 0 0'/></equality></mujoco>";
  char message[500] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, message, sizeof(message));
  if (!spec) fail_msg("%s", message);
  mjModel* m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  mjData* d = mj_makeData(m);
  d->qpos[0] = (mjtNum)0.4;
  d->qpos[1] = (mjtNum)-0.3;
  mj_forward(m, d);
  assert_int_equal(d->nefc, 2);
  mjtNum force[2], got[2];
  ct_tendon_force(m, d, force);
  for (int k = 0; k < 2; k++) {
    got[k] = d->ten_J[k] * force[0] + d->ten_J[2 + k] * force[1];
    assert_true(mju_abs(d->qfrc_constraint[k]) > (mjtNum)0.1);
  }
  expect_close("J' force", got, d->qfrc_constraint, 2, PRECISION(1e-13, 1e-5));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Velocity after a step of some integrator.
static void step_by(int integrator, mjtNum qvel[2]) {
  Pair p = open_coupled();
  p.m->opt.integrator = integrator;
  mj_step(p.m, p.d);
  for (int k = 0; k < 2; k++) qvel[k] = p.d->qvel[k];
  close_coupled(p);
}

// (M - h D) a = f written out for two dofs; each is a tree, so M has a diagonal only. The second
// actuator's slope is -.5 with the moment -2 J. Coriolis terms of a single hinge vanish.
static void exact_step(mjtNum qvel[2]) {
  Pair p = open_coupled();
  mjtNum h = p.m->opt.timestep, A[4], f[2];
  const mjtNum *J = p.d->ten_J, weight[2] = {100 + (mjtNum)0.5 * 4, 2};
  for (int i = 0; i < 2; i++) {
    f[i] = p.d->qfrc_smooth[i];
    for (int j = 0; j < 2; j++) {
      A[2 * i + j] = h * (weight[0] * J[i] * J[j] + weight[1] * J[2 + i] * J[2 + j]);
    }
    A[3 * i] += p.d->M[i];
  }
  mjtNum det = A[0] * A[3] - A[1] * A[2];
  qvel[0] = p.d->qvel[0] + h * (A[3] * f[0] - A[1] * f[1]) / det;
  qvel[1] = p.d->qvel[1] + h * (A[0] * f[1] - A[2] * f[0]) / det;
  close_coupled(p);
}

static void dense_steps_are_implicit_in_couplings_of_trees(void** state) {
  (void)state;
  mjtNum got[2], sparse[2], want[2];
  exact_step(want);
  step_by(CT_INT_DENSE, got);
  step_by(mjINT_IMPLICIT, sparse);
  expect_close("qvel", got, want, 2, PRECISION(1e-12, 1e-4));
  assert_true(fabs((double)(sparse[0] - want[0])) > 0.01);  // couplings of trees are dropped there
}

// Where nothing is coupled across branches both are the same.
static void dense_steps_are_those_of_implicit_on_a_chain(void** state) {
  (void)state;
  mjModel* m = recorded_model("chain");
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mjData *a = mj_makeData(m), *b = mj_makeData(m);
  for (int k = 0; k < m->nv; k++) a->qvel[k] = b->qvel[k] = (mjtNum)(k + 1);
  m->opt.integrator = mjINT_IMPLICIT;
  mj_step(m, a);
  m->opt.integrator = CT_INT_DENSE;
  mj_step(m, b);
  expect_close("qvel", b->qvel, a->qvel, (int)m->nv, PRECISION(1e-12, 1e-4));
  mj_deleteData(b);
  mj_deleteData(a);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_of_tendons_make_the_forces_on_dofs),
      cmocka_unit_test(forces_of_limits_and_friction_are_counted),
      cmocka_unit_test(forces_of_equalities_are_counted),
      cmocka_unit_test(dense_steps_are_implicit_in_couplings_of_trees),
      cmocka_unit_test(dense_steps_are_those_of_implicit_on_a_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
