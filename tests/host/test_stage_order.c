// R0.4, R0.2: the stages of a step are public functions, and programs call them in orders of their
// own. Every ordered pair of them, on fresh mjData and after a step, leaves memory intact: results
// may mean nothing, but nothing crashes, and the step after it works.

#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/attempts.h"
#include "support/fail.h"
#include "support/models.h"

static void bias(const mjModel* m, mjData* d) {
  mj_rne(m, d, 1, d->qfrc_bias);
}

static void runge_kutta(const mjModel* m, mjData* d) {
  mj_RungeKutta(m, d, 4);
}

static void forward_from_velocity(const mjModel* m, mjData* d) {
  mj_forwardSkip(m, d, mjSTAGE_POS, 0);
}

static void forward_from_acceleration(const mjModel* m, mjData* d) {
  mj_forwardSkip(m, d, mjSTAGE_VEL, 1);
}

static void inverse_from_velocity(const mjModel* m, mjData* d) {
  mj_inverseSkip(m, d, mjSTAGE_POS, 0);
}

static void update_constraint(const mjModel* m, mjData* d) {
  mjtNum cost;
  mj_constraintUpdate(m, d, d->efc_aref, &cost, 1);
}

static void multiply_jacobian(const mjModel* m, mjData* d) {
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
}

static void ask_for_contact_forces(const mjModel* m, mjData* d) {
  mjtNum force[6];
  for (int i = 0; i < d->ncon; i++) mj_contactForce(m, d, i, force);
}

static void reset(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
}

static const struct {
  const char* name;
  void (*run)(const mjModel*, mjData*);
} stages[] = {
    {"mj_step", mj_step},
    {"mj_step1", mj_step1},
    {"mj_step2", mj_step2},
    {"mj_forward", mj_forward},
    {"mj_inverse", mj_inverse},
    {"mj_forwardSkip(pos)", forward_from_velocity},
    {"mj_forwardSkip(vel)", forward_from_acceleration},
    {"mj_inverseSkip(pos)", inverse_from_velocity},
    {"mj_fwdKinematics", mj_fwdKinematics},
    {"mj_fwdPosition", mj_fwdPosition},
    {"mj_fwdVelocity", mj_fwdVelocity},
    {"mj_fwdActuation", mj_fwdActuation},
    {"mj_fwdAcceleration", mj_fwdAcceleration},
    {"mj_fwdConstraint", mj_fwdConstraint},
    {"mj_Euler", mj_Euler},
    {"mj_RungeKutta", runge_kutta},
    {"mj_implicit", mj_implicit},
    {"mj_invPosition", mj_invPosition},
    {"mj_invVelocity", mj_invVelocity},
    {"mj_invConstraint", mj_invConstraint},
    {"mj_compareFwdInv", mj_compareFwdInv},
    {"mj_sensorPos", mj_sensorPos},
    {"mj_sensorVel", mj_sensorVel},
    {"mj_sensorAcc", mj_sensorAcc},
    {"mj_energyPos", mj_energyPos},
    {"mj_energyVel", mj_energyVel},
    {"mj_checkPos", mj_checkPos},
    {"mj_checkVel", mj_checkVel},
    {"mj_checkAcc", mj_checkAcc},
    {"mj_kinematics", mj_kinematics},
    {"mj_comPos", mj_comPos},
    {"mj_camlight", mj_camlight},
    {"mj_tendon", mj_tendon},
    {"mj_transmission", mj_transmission},
    {"mj_crb", mj_crb},
    {"mj_makeM", mj_makeM},
    {"mj_factorM", mj_factorM},
    {"mj_comVel", mj_comVel},
    {"mj_passive", mj_passive},
    {"mj_subtreeVel", mj_subtreeVel},
    {"mj_rne", bias},
    {"mj_rnePostConstraint", mj_rnePostConstraint},
    {"mj_collision", mj_collision},
    {"mj_makeConstraint", mj_makeConstraint},
    {"mj_island", mj_island},
    {"mj_projectConstraint", mj_projectConstraint},
    {"mj_referenceConstraint", mj_referenceConstraint},
    {"mj_constraintUpdate", update_constraint},
    {"mj_mulJacTVec", multiply_jacobian},
    {"mj_contactForce", ask_for_contact_forces},
    {"mj_resetData", reset},
};
enum { NSTAGE = sizeof(stages) / sizeof(stages[0]) };

// One way to make rows and to solve for their forces.
typedef struct {
  const char* model;
  mjtSolver solver;
  mjtJacobian jacobian;
  mjtCone cone;
  int enable, disable, noslip;
} Way;

static void ignore(const char* message) {
  (void)message;
}

static void try_pairs(Attempts* a, const mjModel* m, const mjData* start, const char* where) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < NSTAGE; i++) {
    for (int j = 0; j < NSTAGE; j++) {
      if (!attempt_begins(a, "%s: %s, %s", where, stages[i].name, stages[j].name)) continue;
      mj_copyData(d, m, start);
      stages[i].run(m, d);
      stages[j].run(m, d);
      mj_step(m, d);
    }
  }
  mj_deleteData(d);
}

static void try_way(Attempts* a, void* arg) {
  const Way* way = (const Way*)arg;
  mju_user_error = mju_user_warning = ignore;
  mjModel* m = recorded_model(way->model);
  m->narena = 1 << 20;
  m->opt.solver = way->solver;
  m->opt.jacobian = way->jacobian;
  m->opt.cone = way->cone;
  m->opt.enableflags |= way->enable;
  m->opt.disableflags |= way->disable;
  m->opt.noslip_iterations = way->noslip;
  mjData* start = mj_makeData(m);
  if (m->nkey) mj_resetDataKeyframe(m, start, 0);
  try_pairs(a, m, start, "on fresh data");
  for (int i = 0; i < 3; i++) mj_step(m, start);
  try_pairs(a, m, start, "after a step");
  mj_deleteData(start);
  mj_deleteModel(m);
}

static const Way ways[] = {
    {"contacts", mjSOL_NEWTON, mjJAC_DENSE, mjCONE_PYRAMIDAL, 0, 0, 0},
    {"contacts", mjSOL_NEWTON, mjJAC_SPARSE, mjCONE_ELLIPTIC, mjENBL_ENERGY, 0, 3},
    {"contacts", mjSOL_CG, mjJAC_SPARSE, mjCONE_ELLIPTIC, mjENBL_FWDINV, 0, 0},
    {"contacts", mjSOL_PGS, mjJAC_SPARSE, mjCONE_PYRAMIDAL, 0, 0, 3},
    {"contacts", mjSOL_PGS, mjJAC_DENSE, mjCONE_ELLIPTIC, 0, mjDSBL_ISLAND, 0},
    {"contacts", mjSOL_NEWTON, mjJAC_SPARSE, mjCONE_PYRAMIDAL, 0, mjDSBL_ISLAND, 0},
    {"sleepers", mjSOL_NEWTON, mjJAC_AUTO, mjCONE_PYRAMIDAL, mjENBL_SLEEP, 0, 0},
    {"equalities", mjSOL_NEWTON, mjJAC_SPARSE, mjCONE_PYRAMIDAL, 0, 0, 0},
    {"equalities", mjSOL_CG, mjJAC_DENSE, mjCONE_PYRAMIDAL, 0, 0, 0},
    {"tendons", mjSOL_NEWTON, mjJAC_SPARSE, mjCONE_PYRAMIDAL, 0, 0, 0},
    {"touch", mjSOL_NEWTON, mjJAC_AUTO, mjCONE_ELLIPTIC, 0, 0, 0},
    {"actuators", mjSOL_NEWTON, mjJAC_DENSE, mjCONE_PYRAMIDAL, mjENBL_INVDISCRETE, 0, 0},
};

static void every_ordered_pair_of_stages_is_harmless(void** state) {
  (void)state;
  int findings = 0;
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    char title[200];
    snprintf(title, sizeof(title), "%s, way %zu", ways[i].model, i);
    Way way = ways[i];
    findings += count_harmful_attempts(title, try_way, &way);
  }
  assert_int_equal(findings, 0);
}

// The order that once crashed: rows were made anew, islands were still those of the old rows.
static void rows_made_after_a_step_can_be_solved(void** state) {
  (void)state;
  mjModel* m = recorded_model("contacts");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100 && !d->nefc; i++) mj_step(m, d);
  mj_step(m, d);
  assert_true(d->nefc > 0);
  int dofs_in_islands = d->nidof;
  mj_makeConstraint(m, d);
  assert_int_equal(d->nisland, 0);
  assert_int_equal(d->nidof, dofs_in_islands);
  mj_fwdConstraint(m, d);
  for (int i = 0; i < m->nv; i++) assert_true(d->qacc[i] == d->qacc[i]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Inverse dynamics need no islands; how many dofs were in some is left as it was.
static void inverse_dynamics_leave_no_islands_but_their_dofs_counted(void** state) {
  (void)state;
  mjModel* m = recorded_model("contacts");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100 && !d->nefc; i++) mj_step(m, d);
  mj_forward(m, d);
  int dofs_in_islands = d->nidof;
  assert_true(d->nisland > 0 && dofs_in_islands > 0);
  mj_inverse(m, d);
  assert_int_equal(d->nisland, 0);
  assert_int_equal(d->nidof, dofs_in_islands);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  remember_signals();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_ordered_pair_of_stages_is_harmless),
      cmocka_unit_test(rows_made_after_a_step_can_be_solved),
      cmocka_unit_test(inverse_dynamics_leave_no_islands_but_their_dofs_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
