// Analytic derivatives of a Runge-Kutta step.

#ifndef CT_DERIVE_RUNGE_KUTTA_SLOPES_H_
#define CT_DERIVE_RUNGE_KUTTA_SLOPES_H_

#include "derive/step_slopes.h"

// A and B at the state of d, whose forward pass has been made. The state, and whatever depends on
// it, is another one afterwards: the caller has kept d. Takes memory from the heap.
int ct_runge_kutta_slopes(const mjModel* m, mjData* d, ct_SlopeTarget* to);

#endif  // CT_DERIVE_RUNGE_KUTTA_SLOPES_H_
