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
// failed or began anew from a reset (base/failure.h, CT_BAD_STATE), and then fills all matrices
// with NaN; else CT_OK. The data is left as it was. exact: nothing is kept that a
// nudge changes, where the reference does.
int ct_difference_step(const mjModel* m, mjData* d, mjtNum eps, bool centred, bool exact,
                       ct_Transition to);

// Where those of inverse dynamics go, each NULL if nobody wants it. Row i is by number i.
typedef struct ct_InverseTarget_ {
  mjtNum *DfDq, *DfDv, *DfDa;  // (nv x nv)           forces by position, velocity, acceleration
  mjtNum *DsDq, *DsDv, *DsDa;  // (nv x nsensordata)  sensors
  mjtNum* DmDq;                // (nv x nM)           M as in qM
} ct_InverseTarget;

// Differences of inverse dynamics at the qacc of d, to one side or centred; less_actuation: of the
// forces that are left for others than the actuators. Returns the status of what failed, else
// CT_OK. A bad state has derivatives as bad as itself. The data is left as it was. exact: as above.
int ct_difference_inverse(const mjModel* m, mjData* d, mjtNum eps, bool centred, bool exact,
                          bool less_actuation, ct_InverseTarget to);

#endif  // CT_DERIVE_DIFFERENCE_H_
