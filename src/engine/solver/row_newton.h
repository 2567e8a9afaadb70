// Newton's direction found in the space of rows, where there are few of them. See row_newton.c.

#ifndef CT_ENGINE_SOLVER_ROW_NEWTON_H_
#define CT_ENGINE_SOLVER_ROW_NEWTON_H_

#include "base/model/options.h"
#include "engine/solver/problem.h"

typedef struct ct_RowNewton_ {
  int stride;               // of matrices and vectors of rows: nefc, rounded up to four
  mjtNum* J;                // (stride x p->stride) rows of the Jacobian
  mjtNum* X;                // (stride x p->stride) rows of J M^-1, on one lane
  mjtNum* Xt;               // (n x stride) their transpose, on several
  mjtNum* A;                // (stride x stride) J M^-1 J'
  mjtNum* K;                // (stride x stride) A + R of the quadratic rows, then its factor
  mjtNum* invD;             // (stride) inverse pivots
  mjtNum* b;                // (stride) right side, then solution
  mjtNum* from_start;       // (stride) J (a_0 - a_s)
  mjtNum left;              // c: how much of the start is left
  mjtNum* force;            // (stride) l: forces that have been taken up
  mjtNum* change;           // (stride) m: how they are to change
  mjtNum* shift;            // (stride) what those of others do to the rows
  int nlisted, nquadratic;  // rows whose forces change, quadratic ones first
  int* listed;              // (nefc)
} ct_RowNewton;

enum { CT_MOST_ROWS = 32 };

// Is this how to solve a problem of so many dofs and rows? Measured on one lane: with one row and a
// humanoid's 27 dofs 2.4 times as fast as with a Hessian, and as fast with 16 rows and 27 dofs, 10
// and 14, or 8 and 9. On a GPU both cost the same with fewer. All builds and kernels decide alike,
// because bits differ.
LANE_INLINE bool ct_has_few_rows(const mjModel* m, int n, int nefc) {
  enum { ALWAYS_FEW = 8, MOST_DOFS = 2 * CT_MOST_ROWS };
  bool few = nefc <= ALWAYS_FEW ? nefc <= n : 2 * nefc <= n;
  return few && n <= MOST_DOFS && ct_solver(m) == mjSOL_NEWTON && ct_cone(m) == mjCONE_PYRAMIDAL;
}

// Takes scratch and makes A; false without room. r: residuals at the start, r_smooth: at the smooth
// acceleration (nefc).
LANE_FN bool ct_open_row_newton(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                const mjtNum* r_smooth);

// Newton's direction from where residuals are r (nefc), and forces and states those in p->rows: v
// and M v (p->stride each, pads zero) and J v (nefc). away = a_0 - a_s and pull = M a_0 - f_s
// (p->stride) are those of the start.
LANE_FN void ct_row_direction(Lane g, const ct_Problem* p, ct_RowNewton* k, const mjtNum* away,
                              const mjtNum* pull, const mjtNum* r, mjtNum* v, mjtNum* Mv,
                              mjtNum* Jv);

// Takes up that a has moved by alpha v.
LANE_FN void ct_row_move(Lane g, ct_RowNewton* k, mjtNum alpha);

// res (p->stride) = J' times the forces in p->rows.
LANE_FN void ct_row_push(Lane g, const ct_Problem* p, const ct_RowNewton* k, mjtNum* res);

#endif  // CT_ENGINE_SOLVER_ROW_NEWTON_H_
