// Analytic derivatives of accelerations and of a step.

#ifndef CT_DERIVE_STEP_SLOPES_H_
#define CT_DERIVE_STEP_SLOPES_H_

#include <stdbool.h>

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

// Columns beside those of state and controls, such as those of parameters of the model: -dG/dp and
// the integrator's d(M a - M^ acc^)/dp, both at fixed a and acc^.
typedef struct ct_ExtraColumns_ {
  int count;
  const mjtNum *rhs, *other;  // (count x nv)
  mjtNum* out;                // ((2 nv + na) x count) derivative of the next state, or NULL
  mjtNum* by;                 // (count) the same times product->by_y, or NULL
} ct_ExtraColumns;

typedef struct ct_SlopeTarget_ {
  mjtNum* A;      // (2 nv + na)^2, NULL: not wanted
  mjtNum* B;      // (2 nv + na) x nu
  mjtNum *C, *D;  // nsensordata x (2 nv + na), nsensordata x nu; see ct_has_sensor_slope
  bool sensed;    // out: C and D have been written
  unsigned
      reasons;   // out: bits of ct_DerivativeReason; nothing is written with those that forbid it
  mjtNum worst;  // out: how far M a is from all forces, relative to the largest
  mjtNum smoothing;  // of ct_DerivativeOptions
  const ct_DerivativeProduct* product;
  const ct_ExtraColumns* extra;
  mjtNum* moved;                      // (nv) out: acc^
  const ct_RateTarget* rates;         // instead of all others
  const ct_ForwardMatrices* forward;  // the same
  const ct_InverseMatrices* inverse;  // the same; d holds a pass of inverse dynamics
  bool less_actuation;                // of inverse dynamics: actuators are on the other side
} ct_SlopeTarget;

// Reasons that say something of an analytic derivative, not that there is none.
#define CT_SLOPE_NOTES ((unsigned)(CT_SHAPES_BY_DIFFERENCES | CT_SHAPES_TO_TOLERANCE))

// Reasons that a model has whatever its state is. Of plugins lanes know nothing: they count as
// reasons, whatever they do.
LANE_FN unsigned ct_reasons_of_model(const mjModel* m);

// Would a step from the forward pass that d holds begin anew, because accelerations are bad? Then
// it has no derivatives.
LANE_FN bool ct_step_resets(Lane g, const mjModel* m, mjData* d);

// What the target asks for, of the step that would follow the forward pass which d holds. All
// arrays of d are left as they were.
LANE_FN int ct_step_slopes(Lane g, const mjModel* m, mjData* d, ct_SlopeTarget* to);

#endif  // CT_DERIVE_STEP_SLOPES_H_
