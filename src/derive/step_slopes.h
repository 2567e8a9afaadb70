// Analytic derivatives of accelerations and of a step.

#ifndef CT_DERIVE_STEP_SLOPES_H_
#define CT_DERIVE_STEP_SLOPES_H_

#include <corten/derivative.h>
#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// How rates change, each with its own state and the controls.
typedef struct ct_RateTarget_ {
  mjtNum* acc;          // (nv x (2 nv + na + nu)) qacc by q, v, act, ctrl
  mjtNum* act_by_act;   // (na) act_dot by the same activation
  mjtNum* act_by_ctrl;  // (na x nu)
} ct_RateTarget;

typedef struct ct_SlopeTarget_ {
  mjtNum* A;  // (2 nv + na)^2, NULL: not wanted
  mjtNum* B;  // (2 nv + na) x nu
  unsigned
      reasons;   // out: bits of ct_DerivativeReason; nothing is written with those that forbid it
  mjtNum worst;  // out: how far M a is from all forces, relative to the largest
  const ct_DerivativeProduct* product;
  const ct_RateTarget* rates;  // instead of all others
} ct_SlopeTarget;

// Reasons that a model has whatever its state is.
unsigned ct_reasons_of_model(const mjModel* m);

// What the target asks for, of the step that would follow the forward pass which d holds. All
// arrays of d are left as they were.
LANE_FN int ct_step_slopes(Lane g, const mjModel* m, mjData* d, ct_SlopeTarget* to);

#endif  // CT_DERIVE_STEP_SLOPES_H_
