// Velocity derivatives against difference quotients. Numbers of the reference: test_step.c.

#include "engine/smooth/velocity_derivative.h"

#include <string.h>

#include "api/exports.h"
#include "support/fail.h"
#include "support/states.h"

// Everything qDeriv is the derivative of.
static void smooth_force(const mjModel* m, mjData* d, mjtNum* force) {
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  for (int k = 0; k < m->nv; k++) {
    force[k] = d->qfrc_passive[k] + d->qfrc_actuator[k] - d->qfrc_bias[k];
  }
}

static void set_up(mjModel* m) {
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CLAMPCTRL;
  m->opt.integrator = mjINT_IMPLICIT;
  for (int t = 0; t < m->ntendon; t++) m->tendon_armature[t] = 0;  // has no derivative
  for (int i = 0; i < m->nu; i++) m->actuator_delay[i] = 0;        // nor have delays
}

// Column k of the derivative by central differences.
static void difference_column(const mjModel* m, mjData* d, int k, mjtNum* column, mjtNum* other) {
  const mjtNum small = (mjtNum)1e-5, v = d->qvel[k];
  d->qvel[k] = v + small;
  smooth_force(m, d, column);
  d->qvel[k] = v - small;
  smooth_force(m, d, other);
  d->qvel[k] = v;
  for (int i = 0; i < m->nv; i++) column[i] = (column[i] - other[i]) / (2 * small);
}

// Where tendons and actuators couple dofs across branches, qDeriv has no place for it, but what it
// has must be right.
static void equals_difference_quotients_where_it_has_entries(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  RECORDED_STATES(s, "trajectory") {
    mjModel* m = s.model;
    mjData* d = s.data;
    if (s.prefix[strlen(s.prefix) - 2] != '0') continue;  // the same start for all integrators
    set_up(m);
    mj_forward(m, d);
    mjd_smooth_vel(m, d, 1);
    mj_markStack(d);
    mjtNum* column = mj_stackAllocNum(d, (size_t)m->nv);
    mjtNum* other = mj_stackAllocNum(d, (size_t)m->nv);
    for (int k = 0; k < m->nv; k++) {
      difference_column(m, d, k, column, other);
      for (int i = 0; i < m->nv; i++) {
        for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
          if (m->D_colind[e] != k) continue;
          mjtNum error = mju_abs(d->qDeriv[e] - column[i]) / (1 + mju_abs(column[i]));
          if (!(error < 1e-5)) {
            fail_msg("%s(%d, %d): %g, by differences %g", s.prefix, i, k, (double)d->qDeriv[e],
                     (double)column[i]);
          }
        }
      }
    }
    mj_freeStack(d);
  }
}

// Without velocity there are no Coriolis forces to differentiate.
static void bias_has_no_derivative_at_rest(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "trajectory", "tree_mixed") {
    mjModel* m = s.model;
    set_up(m);
    m->opt.disableflags |= mjDSBL_DAMPER | mjDSBL_SPRING | mjDSBL_ACTUATION;
    mju_zero(s.data->qvel, (int)m->nv);
    mj_forward(m, s.data);
    mjd_smooth_vel(m, s.data, 1);
    assert_true(mju_norm(s.data->qDeriv, (int)m->nD) < PRECISION(1e-14, 1e-6));
  }
}

static void implicitfast_has_the_symmetric_part_of_the_medium(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "trajectory", "swimmer") {
    mjModel* m = s.model;
    set_up(m);
    m->opt.density = 1000;
    m->opt.integrator = mjINT_IMPLICITFAST;
    mj_forward(m, s.data);
    mjd_smooth_vel(m, s.data, 0);
    for (int i = 0; i < m->nv; i++) {
      for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_diag[i]; e++) {
        int k = m->D_colind[e], f = m->D_rowadr[k];
        while (m->D_colind[f] != i) f++;
        mjtNum scale = 1 + mju_abs(s.data->qDeriv[e]);
        assert_true(mju_abs(s.data->qDeriv[e] - s.data->qDeriv[f]) <
                    PRECISION(1e-12, 1e-3) * scale);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_difference_quotients_where_it_has_entries),
      cmocka_unit_test(bias_has_no_derivative_at_rest),
      cmocka_unit_test(implicitfast_has_the_symmetric_part_of_the_medium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
