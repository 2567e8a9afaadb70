// What the solver minimises, computed apart from both engines:
//
//   F(a) = (a - a_smooth)' M (a - a_smooth) / 2 + sum over rows of s(J a - aref)
//
// with the penalties s of equality, friction, one-sided and conic rows. The reference's rows are
// used for both accelerations, so that the two costs differ by the accelerations alone.

#ifndef TESTS_CONFORMANCE_COST_H_
#define TESTS_CONFORMANCE_COST_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

double cost_of(const mjModel* m, const mjData* d, const mjtNum* qacc);

// The improvement at which the solver itself stops.
double cost_resolution(const mjModel* m);

// Is the row so close to the border between two states, at this acceleration, that a relative
// error of `tolerance` in its residual may put it on either side?
bool at_border(const mjModel* m, const mjData* d, int row, const mjtNum* qacc, double tolerance);

// The same for solvers of the dual problem, which tell a row's state by its force: is the force,
// known up to `error`, on the border? The force of a sliding contact always is: it lies on the
// surface of its cone.
bool at_dual_border(const mjData* d, int row, double error);

#endif  // TESTS_CONFORMANCE_COST_H_
