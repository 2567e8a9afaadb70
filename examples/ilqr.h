// Iterative linear-quadratic control: controls that bring a model near a target state.
//
//   cost = sum_t 1/2 dx_t' diag(running) dx_t + 1/2 u_t' diag(effort) u_t + 1/2 dx_T' diag(final)
//   dx_T
//
// dx is the way from the target to the state, positions as tangent vectors. Derivatives of steps
// are ct_derivative's, through contacts too.

#ifndef EXAMPLES_ILQR_H_
#define EXAMPLES_ILQR_H_

#include <mujoco/mujoco.h>

typedef struct {
  mjModel* m;
  const mjData* start;
  int steps, iterations;
  const double *target_qpos, *target_qvel;  // (nq), (nv)
  const double *running, *final, *effort;   // (2 nv + na), the same, (nu)
} IlqrProblem;

// Improves ctrl (steps x nu), within control ranges. Returns the cost; history (iterations + 1, or
// NULL) receives that of every iteration, *used how many there were.
double ilqr_solve(const IlqrProblem* p, double* ctrl, double* history, int* used);

#endif  // EXAMPLES_ILQR_H_
