// Newton's direction found in the space of rows, where there are few of them. See row_newton.c, and
// row_project.c for what is made once.

#ifndef CT_ENGINE_SOLVER_ROW_NEWTON_H_
#define CT_ENGINE_SOLVER_ROW_NEWTON_H_

#include "base/model/options.h"
#include "engine/solver/problem.h"

typedef struct ct_RowNewton_ {
  int stride;               // of matrices and vectors of rows: nefc, rounded up to four
  mjtNum* J;                // (stride x p->stride) rows of the Jacobian
  mjtNum* X;                // (stride x p->stride) rows of J M^-1, on one lane
  mjtNum* Xt;               // (n x stride) their transpose, on several
  mjtNum* A;                // (stride x stride) J M^-1 J' + R; on one lane up to the diagonal
  mjtNum* K;                // (stride x stride) A of the quadratic rows, then its factor
  int nlisted, nquadratic;  // rows whose forces change, quadratic ones first
  int* listed;              // (stride)
  int* old_state;           // (stride) states where the last step started, unless rows are sided

  // on one lane, bit i: row i
  bool sided;                  // all rows are one-sided
  unsigned quadratic, before;  // quadratic rows, now and where the last step started

  // rows (stride), pads zero
  mjtNum* invD;          // inverse pivots
  mjtNum* b;             // right side, then solution
  mjtNum *r, *change_r;  // residuals, and their change along v
  mjtNum* from_start;    // J (a_0 - a_s)
  mjtNum* gone;          // J (a - a_s)
  mjtNum* force;         // l: forces that have been taken up
  mjtNum* change;        // m: how they are to change
  mjtNum* shift;         // what those of others do to the rows, on several lanes
  mjtNum* excess;        // l - f
  mjtNum *D, *R, *f;     // on one lane: of the problem, and forces where we are

  // dofs (p->stride), pads zero
  mjtNum *a, *v;        // where we are, and the direction
  mjtNum *away, *pull;  // a_0 - a_s, M (a_0 - a_s)
  mjtNum energy;        // away . pull
  mjtNum left;          // c: how much of the start is left
} ct_RowNewton;

enum { CT_MOST_ROWS = 16 };

// Is this how to solve a problem of so many dofs and rows? Measured on one lane: with one row and a
// humanoid's 27 dofs 2.4 times as fast as with a Hessian, and as fast with more than 20 rows and 27
// dofs, 20 and 32, 15 and 14, or 16 and 8. Kernels on a GPU have fast memory for fewer. All builds
// and kernels that promise equal bits decide alike; others have Hessians only (problem.h).
LANE_INLINE bool ct_has_few_rows(const mjModel* m, int n, int nefc) {
#ifdef CT_ONLY_HESSIANS
  (void)m, (void)n, (void)nefc;
  return false;
#else
  enum { ALWAYS_FEW = 12, MOST_DOFS = 64 };
  bool few = nefc <= ALWAYS_FEW ? 2 * nefc <= 3 * n : nefc <= CT_MOST_ROWS && 3 * nefc <= 2 * n;
  return few && n <= MOST_DOFS && ct_solver(m) == mjSOL_NEWTON && ct_cone(m) == mjCONE_PYRAMIDAL;
#endif
}

// Takes scratch, makes X and A, and may bring rows to arrays with room for whole words; false
// without room. r, Ma: residuals and M a at the start, r_smooth: residuals at the smooth
// acceleration (nefc, n, nefc).
LANE_FN bool ct_open_row_newton(Lane g, mjData* d, ct_Problem* p, ct_RowNewton* k, const mjtNum* r,
                                const mjtNum* r_smooth, const mjtNum* Ma);

// Forces and states where residuals are those of k; returns the cost of rows. States of sided rows
// are k->quadratic, until ct_row_close writes them.
LANE_FN mjtNum ct_row_update(Lane g, const ct_Problem* p, ct_RowNewton* k);

// The Gauss cost, the length of the gradient, and what of it is rounding, with the forces in
// p->rows.
LANE_FN void ct_row_measure(Lane g, const ct_Problem* p, ct_RowNewton* k, mjtNum* gauss,
                            mjtNum* length_g, mjtNum* rounding_g);

// Newton's direction with forces and states in p->rows.
LANE_FN void ct_row_direction(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                              ct_RowNewton* k, bool first);

// Along it: slope and curvature of the Gauss cost, v . v.
LANE_FN void ct_row_look_along(Lane g, const ct_Problem* p, const ct_RowNewton* k, mjtNum of[3]);

// a += alpha v
LANE_FN void ct_row_move(Lane g, const ct_Problem* p, ct_RowNewton* k, mjtNum alpha);

// What the problem asks for: a, J' times the forces in p->rows, and states.
LANE_FN void ct_row_close(Lane g, const ct_Problem* p, ct_RowNewton* k);

// What row_project.c and row_newton.c share.

// One lane of a CPU has words.
LANE_PRIMITIVE_ bool ct_has_words(Lane g) {
#ifdef __CUDACC__
  (void)g;
  return false;
#else
  return lane_count(g) == 1;
#endif
}

// Several lanes: a lane has a row, and as many dofs or rows at a time as there are lanes for.
typedef struct ct_RowLane_ {
  int row, first, step;
} ct_RowLane;

LANE_PRIMITIVE_ ct_RowLane ct_lane_of_row(Lane g, int stride) {
  int width = 4;
  while (width < stride && width < lane_count(g)) width *= 2;
  ct_RowLane own = {lane_rank(g) % width, lane_rank(g) / width, lane_count(g) / width};
  if (width > lane_count(g)) {  // two lanes
    ct_RowLane each = {lane_rank(g), 0, 1};
    return each;
  }
  return own;
}

#endif  // CT_ENGINE_SOLVER_ROW_NEWTON_H_
