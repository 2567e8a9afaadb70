// Newton's method and preconditioned conjugate gradients on accelerations.
//
//   minimise over a   F(a) = (a - a_s)' M (a - a_s) / 2 + sum over rows of cost_i(J_i a - aref_i)
//
//   in    start: acc, r = J acc - aref
//   out   acc, force and state of rows, frc_constraint = J' force, statistics of iterations
//
// F is convex and has a continuous gradient g = M a - f_s - J' force. Newton's direction is
// -H^-1 g with the exact Hessian of the piece of F that a is in; conjugate gradients take
// -M^-1 g + beta v with beta of Polak and Ribiere, not below zero. Both search along it exactly and
// stop when cost or gradient, scaled, are within tolerance.

#include "engine/solver/solver.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/solver/hessian.h"
#include "engine/solver/line_search.h"
#include "engine/solver/row_newton.h"
#include "math/lane_vec.h"
#include "math/scalar.h"

typedef struct {
  // vectors of dofs, all padded
  mjtNum *a, *a_s, *f_s;
  mjtNum *Ma, *pull;  // pull = M a - f_s
  mjtNum *v, *Mv;     // direction
  mjtNum* push;       // J' force
  mjtNum* g;          // gradient
  mjtNum* Pg;         // conjugate gradients: M^-1 g
  mjtNum *g_old, *Pg_old;
  mjtNum* away;    // a - a_s
  mjtNum *r, *w;   // (nefc) residuals, their change along v
  int* old_state;  // (nefc)
  mjtNum gauss, cost, length_g, rounding_g;
} Descent;

typedef struct {  // how a direction is found; neither: conjugate gradients
  ct_Hessian* hessian;
  ct_RowNewton* rows;
} Method;

LANE_FN static bool open_descent(Lane g, mjData* d, ct_Problem* p, Descent* s, mjtNum* r,
                                 const mjtNum* Ma) {
  int stride = p->stride;
  mjtNum* x = ct_problem_scratch(g, d, p, CT_DESCENT_VECTORS * stride);
  s->w = lane_scratch_num(g, d, p->rows.nefc);
  if (!x || !s->w) return false;
  mjtNum** vector[CT_DESCENT_VECTORS] = {&s->a,     &s->a_s,    &s->f_s,  &s->Ma, &s->pull,
                                         &s->v,     &s->Mv,     &s->push, &s->g,  &s->Pg,
                                         &s->g_old, &s->Pg_old, &s->away};
  for (int i = 0; i < CT_DESCENT_VECTORS; i++) *vector[i] = x + i * stride;
  if (lane_count(g) == 1) {  // pads, and the direction before the first
    for (int i = 1; i <= CT_DESCENT_VECTORS; i++) {
      for (int j = i * stride - 4; j < i * stride; j += LANE_WIDTH) wide_store(x + j, wide_all(0));
    }
    lane_set_zero(g, s->v, p->n);
  } else {
    LANE_WIDE(j, g, CT_DESCENT_VECTORS * stride) {
      wide_store(x + j, wide_all(0));
    }
  }
  lane_sync(g);
  ct_copy_numbers(g, s->a, p->acc, p->n);
  ct_copy_numbers(g, s->a_s, p->acc_smooth, p->n);
  ct_copy_numbers(g, s->f_s, p->frc_smooth, p->n);
  ct_copy_numbers(g, s->Ma, Ma, p->n);
  s->r = r;
  lane_sync(g);
  return true;
}

// Forces, cost and gradient at a.
LANE_FN static void look_around(Lane g, const ct_Problem* p, Descent* s, bool cones) {
  mjtNum rows = ct_update_rows(g, p->rows, p->contact, s->r, cones);
  ct_problem_mul_JT(g, p, s->push, p->rows.force);
  LANE_WIDE(j, g, p->stride) {
    Wide pull = wide_sub(wide_load(s->Ma + j), wide_load(s->f_s + j));
    wide_store(s->pull + j, pull);
    wide_store(s->away + j, wide_sub(wide_load(s->a + j), wide_load(s->a_s + j)));
    wide_store(s->g + j, wide_sub(pull, wide_load(s->push + j)));
  }
  lane_sync(g);
  mjtNum dots[3];
  const mjtNum* terms = ct_rounding(1) > 0 ? s->Ma : NULL;
  lane_dot_three(g, dots, s->pull, s->away, s->g, s->g, terms, terms, p->stride);
  s->gauss = dots[0] / 2;
  s->cost = s->gauss + rows;
  s->length_g = ct_sqrt(dots[1]);
  s->rounding_g = ct_rounding(ct_sqrt(dots[2]));
}

// The same by rows, which do not know a gradient at the start: nobody asks for it.
LANE_FN static void look_around_by_rows(Lane g, const ct_Problem* p, Descent* s, ct_RowNewton* k,
                                        bool first) {
  mjtNum rows = ct_row_update(g, p, k);
  if (first) {
    s->gauss = k->energy / 2;
  } else {
    ct_row_measure(g, p, k, &s->gauss, &s->length_g, &s->rounding_g);
  }
  s->cost = s->gauss + rows;
}

// v = -H^-1 g
LANE_FN static void newton_direction(Lane g, const ct_Problem* p, ct_Hessian* h, Descent* s) {
  ct_factor_hessian(g, p, h);
  LANE_WIDE(j, g, p->stride) {
    wide_store(s->v + j, wide_sub(wide_all(0), wide_load(s->g + j)));
  }
  lane_sync(g);
  ct_solve_hessian(g, p, h, s->v);
}

// v = -M^-1 g + beta v
LANE_FN static void conjugate_direction(Lane g, const mjModel* m, const mjData* d,
                                        const ct_Problem* p, Descent* s, bool first) {
  mjtNum* old = s->Pg_old;
  s->Pg_old = s->Pg;
  s->Pg = old;
  LANE_WIDE(j, g, p->stride) {
    wide_store(s->Pg + j, wide_load(s->g + j));
  }
  lane_sync(g);
  ct_problem_solve_M(g, m, d, p, s->Pg);
  mjtNum beta = 0;
  if (!first) {
    mjtNum change = lane_dot(g, s->g, s->Pg, p->stride) - lane_dot(g, s->g, s->Pg_old, p->stride);
    mjtNum before = lane_dot(g, s->g_old, s->Pg_old, p->stride);
    beta = ct_max(0, change / ct_max(mjMINVAL, before));
  }
  lane_sync(g);
  LANE_WIDE(j, g, p->stride) {
    Wide v = wide_mul(wide_all(beta), wide_load(s->v + j));
    wide_store(s->v + j, wide_sub(v, wide_load(s->Pg + j)));
    wide_store(s->g_old + j, wide_load(s->g + j));
  }
  lane_sync(g);
}

// v, M v and J v.
LANE_FN static void find_direction(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                                   Descent* s, const Method* by, bool first) {
  if (by->hessian) {
    newton_direction(g, p, by->hessian, s);
  } else {
    conjugate_direction(g, m, d, p, s, first);
  }
  ct_problem_mul_M(g, p, s->Mv, s->v);
  ct_problem_mul_J(g, p, s->w, s->v);
}

LANE_FN static ct_LineResult search_along(Lane g, const mjModel* m, const ct_Problem* p,
                                          ct_Line* line, const Descent* s, const ct_RowNewton* k) {
  mjtNum dots[3];
  if (k) {
    ct_row_look_along(g, p, k, dots);
  } else {
    lane_dot_three(g, dots, s->v, s->pull, s->v, s->Mv, s->v, s->v, p->stride);
  }
  mjtNum gauss[3] = {s->gauss, dots[0], dots[1] / 2};
  return ct_line_search(g, m, p, line, k ? k->r : s->r, k ? k->change_r : s->w, gauss,
                        ct_sqrt(dots[2]));
}

LANE_FN static void move_along(Lane g, const ct_Problem* p, Descent* s, mjtNum alpha) {
  Wide A = wide_all(alpha);
  LANE_WIDE(j, g, p->stride) {
    wide_store(s->a + j, wide_add(wide_load(s->a + j), wide_mul(A, wide_load(s->v + j))));
    wide_store(s->Ma + j, wide_add(wide_load(s->Ma + j), wide_mul(A, wide_load(s->Mv + j))));
  }
  LANE_WIDE(i, g, p->rows.nefc) {
    wide_store(s->r + i, wide_add(wide_load(s->r + i), wide_mul(A, wide_load(s->w + i))));
  }
  LANE_WIDE_REST(i, g, p->rows.nefc) {
    s->r[i] += alpha * s->w[i];
  }
  lane_sync(g);
}

LANE_FN static mjSolverStat descent_statistics(Lane g, const ct_Problem* p, const Descent* s,
                                               const ct_RowNewton* k, ct_LineResult found,
                                               mjtNum improvement, bool newton) {
  mjSolverStat stat;
  const int *now = p->rows.state, *old = s->old_state;
  int n = p->rows.nefc;
  stat.improvement = improvement;
  stat.gradient = p->scale * s->length_g;
  stat.lineslope = found.slope;
  stat.neval = found.neval;
  stat.nactive = stat.nchange = stat.nupdate = 0;
  if (!mjNSOLVER) return stat;  // nobody keeps them
  if (k && k->sided) {
    stat.nactive = ct_count_dofs(k->quadratic);
    stat.nchange = stat.nupdate = ct_count_dofs(k->quadratic ^ k->before);
    return stat;
  }
  int active = 0, change = 0, update = 0;
  LANE_FOR(i, g, n) {
    active += now[i] != mjCNSTRSTATE_SATISFIED;
    change += now[i] != old[i];
    update += (ct_is_quadratic(now[i]) != ct_is_quadratic(old[i])) + (now[i] == mjCNSTRSTATE_CONE);
  }
  stat.nactive = lane_sum_int(g, active);
  stat.nchange = lane_sum_int(g, change);
  if (newton) stat.nupdate = lane_sum_int(g, update);
  return stat;
}

// Iterations from the start in s; *count: how many counted.
LANE_FN static int run_descent(Lane g, const mjModel* m, mjData* d, const ct_Problem* p, Descent* s,
                               ct_Line* line, const Method* by, int* count) {
  bool newton = by->hessian || by->rows, converged = false;
  bool cones = newton && ct_cone(m) == mjCONE_ELLIPTIC;
  int done = 0;
  mjtNum before = 0, improvement = 0;
  ct_LineResult found = {0, 0, 0};
  for (;; done++) {
    if (by->rows) {
      look_around_by_rows(g, p, s, by->rows, done == 0);
    } else {
      look_around(g, p, s, cones);
    }
    if (done > 0) {
      improvement = p->scale * (before - s->cost);
      mjSolverStat stat = descent_statistics(g, p, s, by->rows, found, improvement, newton);
      LANE_ONCE(g) {
        ct_save_statistics(d, p->island, done - 1, stat);
      }
      mjtNum smallest = p->scale * ct_rounding(ct_abs(s->gauss) + ct_abs(s->cost - s->gauss));
      converged = improvement < ct_max(m->opt.tolerance, smallest) ||
                  stat.gradient < ct_max(m->opt.tolerance, p->scale * s->rounding_g);
    }
    if (converged || done >= m->opt.iterations || ct_hopeless(improvement, done)) break;
    if (by->rows) {
      ct_row_direction(g, m, d, p, by->rows, done == 0);
    } else {
      find_direction(g, m, d, p, s, by, done == 0);
    }
    found = search_along(g, m, p, line, s, by->rows);
    if (found.alpha == 0) {
      converged = true;
      break;
    }
    before = s->cost;
    lane_sync(g);
    if (!(by->rows && by->rows->sided)) {
      lane_copy_int(g, s->old_state, p->rows.state, p->rows.nefc);
    }
    if (by->rows) {
      ct_row_move(g, p, by->rows, found.alpha);
    } else {
      move_along(g, p, s, found.alpha);
    }
  }
  *count = done;
  return converged ? CT_OK : CT_SOLVER_UNCONVERGED;
}

// What solver_nnz reports.
LANE_INLINE int hessian_entries(const mjModel* m, const ct_Problem* p, const ct_Hessian* h) {
  if (!ct_is_sparse(m)) return p->n * p->n;
  int last = p->n - 1, inertia = p->M_rowadr[last] + p->M_rownnz[last];
  int factors = ct_cone(m) == mjCONE_ELLIPTIC ? 2 : 1;
  return factors * h->nfactor + h->nsquare + inertia;
}

// Several lanes bring what they know of the rows to scratch, which may be faster memory, and work
// there, and directions by rows have forces in scratch; return_rows takes results back from where
// they are.
LANE_FN static bool bring_rows(Lane g, mjData* d, ct_RowSet* rows) {
  if (lane_count(g) == 1) return true;
  const ct_RowSet from = *rows;
  int n = rows->nefc;
  int* whole = lane_scratch_int(g, d, 3 * n);
  mjtNum* x = lane_scratch_num(g, d, 4 * n);
  if (!whole || !x) return false;
  LANE_FOR(i, g, n) {
    whole[i] = from.type[i];
    whole[n + i] = from.id[i];
    x[i] = from.D[i];
    x[n + i] = from.R[i];
    x[2 * n + i] = from.frictionloss[i];
  }
  rows->type = whole;
  rows->id = whole + n;
  rows->state = whole + 2 * n;
  rows->D = x;
  rows->R = x + n;
  rows->frictionloss = x + 2 * n;
  rows->force = x + 3 * n;
  lane_sync(g);
  return true;
}

LANE_FN static void return_rows(Lane g, const ct_RowSet* rows, const ct_RowSet* to) {
  if (rows->force == to->force) return;
  ct_copy_numbers(g, to->force, rows->force, rows->nefc);
  if (rows->state == to->state) return;
  LANE_FOR(i, g, rows->nefc) {
    to->state[i] = rows->state[i];
  }
}

// What is known of rows and inertia in all iterations, and the start. Kernels with memory set apart
// find M where the start has left it, so it comes first.
LANE_FN static bool open_method(Lane g, const mjModel* m, mjData* d, ct_Problem* p, Method* by,
                                Descent* s, mjtNum* r, const mjtNum* Ma, const mjtNum* r_smooth) {
  if (!by->rows) {
    s->old_state = lane_scratch_int(g, d, p->rows.nefc);
    return s->old_state && ct_open_problem(g, m, d, p) && open_descent(g, d, p, s, r, Ma) &&
           (!by->hessian || ct_open_hessian(g, d, p, by->hessian));
  }
  bool counted = ct_problem_is_sparse(p);  // entries of a Hessian that is not made
  if (counted && !ct_open_stored_blocks(g, m, d, p)) return false;
  if (counted && !ct_open_pattern(g, d, p, by->hessian)) return false;
  if (!ct_open_row_newton(g, d, p, by->rows, r, r_smooth, Ma)) return false;
  s->old_state = by->rows->old_state;
  return true;
}

LANE_FN static bool open_line(Lane g, mjData* d, const ct_Problem* p, ct_Line* line,
                              const ct_RowNewton* k) {
#ifndef __CUDACC__
  if (lane_count(g) == 1 && k && k->sided) {
    ct_open_line_in_place(p, line, k->r, k->change_r);
    return true;
  }
#else
  (void)k;
#endif
  return ct_open_line(g, d, p, line);
}

LANE_FN int ct_solve_primal(Lane g, const mjModel* m, mjData* d, ct_Problem* p, mjtNum* r,
                            const mjtNum* Ma, const mjtNum* r_smooth) {
  bool newton = ct_solver(m) == mjSOL_NEWTON;
  int problem = p->island < 0 ? 0 : p->island;
  const ct_RowSet home = p->rows;
  Descent s;
  ct_Line line;
  ct_Hessian h;
  ct_RowNewton k;
  Method by = {newton ? &h : NULL, newton && ct_problem_has_few_rows(p) ? &k : NULL};
  if (!bring_rows(g, d, &p->rows) || !open_method(g, m, d, p, &by, &s, r, Ma, r_smooth) ||
      !open_line(g, d, p, &line, by.rows)) {
    return CT_STACK_FULL;
  }
  int done, status = run_descent(g, m, d, p, &s, &line, &by, &done);
  if (by.rows) {
    ct_row_close(g, p, by.rows);
  } else {
    ct_copy_numbers(g, p->acc, s.a, p->n);
    ct_copy_numbers(g, p->frc_constraint, s.push, p->n);
  }
  return_rows(g, &p->rows, &home);
  LANE_ONCE(g) {
    if (problem < mjNISLAND) {
      d->solver_niter[problem] = done;
      d->solver_nnz[problem] = newton ? hessian_entries(m, p, &h) : 0;
    }
  }
  lane_sync(g);
  return status;
}
