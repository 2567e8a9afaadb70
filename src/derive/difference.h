// Derivatives by finite differences: what the functions of the reference and those of
// corten/derivative.h share.

#ifndef CT_DERIVE_DIFFERENCE_H_
#define CT_DERIVE_DIFFERENCE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

// Where the derivatives of a step go, each NULL if nobody wants it. With n = 2 nv + na:
typedef struct ct_Transition_ {
  mjtNum* A;  // (n x n)             next state by state
  mjtNum* B;  // (n x nu)            next state by control
  mjtNum* C;  // (nsensordata x n)   sensors by state
  mjtNum* D;  // (nsensordata x nu)  sensors by control
} ct_Transition;

// Differences of whole steps with the model's integrator. Returns the status of the first step that
// failed (base/failure.h), else CT_OK. The data is left as it was. exact: nothing is kept that a
// nudge changes, where the reference does.
int ct_difference_step(const mjModel* m, mjData* d, mjtNum eps, bool centred, bool exact,
                       ct_Transition to);

#endif  // CT_DERIVE_DIFFERENCE_H_
