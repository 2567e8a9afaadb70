// Quadratic programs with bounds: minimise x'H x / 2 + g'x subject to lower <= x <= upper.

#ifndef CT_MATH_BOXQP_H_
#define CT_MATH_BOXQP_H_

#include "base/lanes.h"
#include "mujoco/mjtnum.h"

typedef struct {
  int iterations;     // at most
  mjtNum gradient;    // done when the squared gradient of the free variables is below
  mjtNum backtrack;   // factor on the step when it does not descend enough
  mjtNum least_step;  // give up below
  mjtNum armijo;      // fraction of the promised descent that is enough
} ct_BoxQPOptions;

ct_BoxQPOptions ct_default_boxqp(void);

// How it went.
typedef struct {
  int iterations;
  const char* ended;  // why, for people
} ct_BoxQPReport;

// Numbers that R has room for: the factor and seven vectors, of which six serve as scratch.
#define CT_BOXQP_ROOM(n_) ((n_) * ((n_) + 7))

// Projected Newton (Tassa, Mansard, Todorov: Control-Limited Differential Dynamic Programming,
// 2014, section III).
//   res    (n)           warm start in, solution out
//   R      (n x (n+7))   scratch; out: Cholesky factor of the free block of H, nfree x nfree
//   index  (n) or NULL   out: the free variables, ascending
//   H (n x n) symmetric; the factor and the value that has to descend read its lower triangle only
//   g (n);  lower, upper (n) or NULL
// Returns the number of free variables, or -1 if the free block is not positive definite or no
// descent exists. n must be positive and no lower bound may reach its upper one.
// report may be NULL.
int ct_boxqp(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
             const mjtNum* lower, const mjtNum* upper, const ct_BoxQPOptions* options,
             ct_BoxQPReport* report);

#endif  // CT_MATH_BOXQP_H_
