// How the integrator turns accelerations into those that it moves by: acc^ = M^^-1 M a with M^ = M
// + h B (Euler, where dofs are damped) or M - h D (implicit). From M^ acc^ = M a,
//
//   d acc^ = da + M^^-1 [ d(M (a - acc^))/dq + h d(D acc^) - (M^ - M) da ],
//
// where the first term is a slope of inertial forces at rest and the second is that of D at fixed
// acc^. Of the bias, which is quadratic in velocities, D has the slope dc/dv, and
//
//   d(dc/dv x)/dq = c_q(v + x) - c_q(v) - c_q(x),   d(dc/dv x)/dv = dc/dv at velocity x
//
// without second derivatives. How the rest of D changes is in damping_slopes.c. Backwards, weights
// x of d acc^ become z = M^^-T x on the bracket and x - (M^ - M)' z on da.

#include <corten/derivative.h>

#include "derive/step_work.h"
#include "engine/integrate.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/velocity_derivative.h"
#include "math/lane_vec.h"
#include "math/lu.h"

#ifdef mjUSESINGLE
#define LARGEST_INVERSE ((mjtNum)1e37)
#else
#define LARGEST_INVERSE ((mjtNum)1e300)
#endif

LANE_FN static void total_force(Lane g, ct_StepWork* w) {
  const mjData* d = w->s.d;
  LANE_FOR(k, g, w->s.nv) {
    w->moved[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  }
  lane_sync(g);
}

// a - acc^, and what d(M (a - acc^))/dq adds to the right-hand side.
LANE_FN static void start_other(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  LANE_FOR(k, g, s->nv) {
    w->rest[k] = s->acc[k] - w->moved[k];
  }
  if (!w->lean) lane_set_zero(g, w->other, (mjtSize)s->nv * s->width);
  lane_sync(g);
  ct_InertialTarget to = {1, w->other, NULL, false};
  if (w->lean) return;
  ct_inertial_slopes(g, s, NULL, w->rest, false, to);
  ct_tendon_inertia_other(g, w);
}

// Of the matrix in LD. It need not be positive: forces that grow with velocity may outweigh M.
LANE_FN static void factor_Mhat(Lane g, ct_StepWork* w) {
  const ct_Slopes* s = &w->s;
  int bad;
  ct_factor(g, s->m, s->d, w->LD, w->invD);
  LANE_COUNT(bad, k, g, s->nv, !(ct_abs(w->invD[k]) > 0 && ct_abs(w->invD[k]) < LARGEST_INVERSE));
  LANE_ALONE(g) {
    if (bad) *s->reasons |= CT_NO_SLOPE_NUMBERS;
  }
  if (w->columns) ct_load_factor(g, s->m, &w->Mhat, w->LD, w->invD);
}

LANE_FN static void solve_Mhat(Lane g, const ct_StepWork* w, mjtNum* x) {
  ct_solve(g, w->s.m, w->s.d, w->LD, w->invD, x);
  lane_sync(g);
}

// Euler

LANE_FN static void open_euler(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  if (!ct_euler_is_implicit(g, m, s->d)) {
    w->mover = CT_MOVES_BY_A;
    lane_copy(g, w->moved, s->acc, s->nv);
    lane_sync(g);
    return;
  }
  mjtNum h = m->opt.timestep;
  w->mover = CT_MOVES_DAMPED;
  lane_copy(g, w->LD, s->d->M, m->nC);
  lane_sync(g);
  LANE_FOR(k, g, s->nv) {
    w->LD[m->M_rowadr[k] + m->M_rownnz[k] - 1] += h * m->dof_damping[k];
  }
  lane_sync(g);
  factor_Mhat(g, w);
  total_force(g, w);
  solve_Mhat(g, w, w->moved);
  start_other(g, w);
}

LANE_FN static void add_damped_columns(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  mjtNum h = s->m->opt.timestep;
  LANE_FOR(i, g, s->nv) {
    mjtNum *more = w->other + (size_t)i * (size_t)s->width, *da = ct_slope_row(s, i);
    mjtNum damping = h * s->m->dof_damping[i];
    for (int c = 0; c < s->width && damping != 0; c++) more[c] -= damping * da[c];
  }
  lane_sync(g);
}

// Implicit

// other -= (M^ - M) da = -h D da
LANE_FN static void add_D_columns(Lane g, ct_StepWork* w, bool full) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  const mjData* d = s->d;
  mjtNum h = m->opt.timestep;
  LANE_ALONE(g) {
    for (int i = 0; i < s->nv; i++) {
      mjtNum* mine = w->other + (size_t)i * (size_t)s->width;
      if (full) {
        for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
          const mjtNum* da = ct_slope_row(s, m->D_colind[e]);
          mjtNum scale = h * d->qDeriv[e];
          for (int c = 0; c < s->width && scale != 0; c++) mine[c] += scale * da[c];
        }
        continue;
      }
      for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i]; e++) {
        int j = m->M_colind[e];
        mjtNum scale = h * d->qDeriv[m->mapD2M[e]];
        mjtNum* his = w->other + (size_t)j * (size_t)s->width;
        const mjtNum *da_j = ct_slope_row(s, j), *da_i = ct_slope_row(s, i);
        for (int c = 0; c < s->width && scale != 0; c++) {
          mine[c] += scale * da_j[c];
          if (j != i) his[c] += scale * da_i[c];
        }
      }
    }
  }
}

// The part of the bias in h d(D acc^).
LANE_FN static void bias_columns(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  const mjtNum* v = s->d->qvel;
  mjtNum h = s->m->opt.timestep;
  LANE_FOR(k, g, s->nv) {
    w->sum[k] = v[k] + w->moved[k];
  }
  lane_sync(g);
  ct_InertialTarget both = {-h, w->other, NULL, false}, less = {h, w->other, NULL, false};
  ct_InertialTarget by_v = {-h, NULL, w->other + s->nv, false};
  ct_inertial_slopes(g, s, w->sum, NULL, false, both);
  ct_inertial_slopes(g, s, v, NULL, false, less);
  ct_inertial_slopes(g, s, w->moved, NULL, false, less);
  ct_inertial_slopes(g, s, w->moved, NULL, false, by_v);
}

LANE_INLINE ct_LuPattern lu_pattern(const mjModel* m) {
  ct_LuPattern p = {(int)m->nv, NULL, m->D_rownnz, m->D_rowadr, m->D_colind};
  return p;
}

LANE_FN static int factor_full(Lane g, ct_StepWork* w, const ct_LuPattern* p) {
  const mjModel* m = w->s.m;
  mjData* d = w->s.d;
  int status;
  ct_build_qLU(g, m, d);
  lane_copy(g, w->lu, d->qLU, m->nD);
  lane_sync(g);
  LANE_ANSWER(status, g, ct_lu_factor_sparse(w->lu, p) == CT_OK ? CT_OK : CT_LU_SINGULAR);
  return status;
}

LANE_FN static void solve_full(Lane g, ct_StepWork* w, const ct_LuPattern* p) {
  ct_Slopes* s = &w->s;
  LANE_ALONE(g) {
    for (int c = 0; c < 2 * s->nv + s->na + s->nu; c++) {
      for (int i = 0; i < s->nv; i++)
        w->sum[i] = w->other[(size_t)i * (size_t)s->width + (size_t)c];
      ct_lu_solve_sparse(w->sum, w->lu, w->sum, p);
      for (int i = 0; i < s->nv; i++)
        w->other[(size_t)i * (size_t)s->width + (size_t)c] = w->sum[i];
    }
  }
}

LANE_FN static int open_implicit(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  mjData* d = s->d;
  bool full = m->opt.integrator == mjINT_IMPLICIT;
  const ct_LuPattern p = lu_pattern(m);
  int status = ct_smooth_derivative(g, m, d, full);
  if (status) return status;
  w->mover = full ? CT_MOVES_BY_LU : CT_MOVES_FAST;

  // M^ and acc^
  total_force(g, w);
  if (full) {
    status = factor_full(g, w, &p);
    if (status) return status;
    LANE_ALONE(g) {
      ct_lu_solve_sparse(w->moved, w->lu, w->moved, &p);
    }
  } else {
    ct_build_qH(g, m, d);
    lane_copy(g, w->LD, d->qH, m->nC);
    lane_sync(g);
    factor_Mhat(g, w);
    solve_Mhat(g, w, w->moved);
  }

  // what changes beside da
  start_other(g, w);
  if (full) bias_columns(g, w);
  if (!w->lean) ct_damping_slopes(g, w);
  return CT_OK;
}

LANE_FN int ct_open_integrator(Lane g, ct_StepWork* w) {
  const mjModel* m = w->s.m;
  mjData* d = w->s.d;
  w->mover = CT_MOVES_BY_A;
  w->opened = true;
  if (m->opt.integrator == mjINT_EULER) {
    open_euler(g, w);
    return CT_OK;
  }
  lane_copy(g, w->qDeriv, d->qDeriv, m->nD);
  lane_copy(g, w->qLU, d->qLU, m->nD);
  lane_copy(g, w->qH, d->qH, m->nC);
  lane_sync(g);
  int status = open_implicit(g, w);
  lane_sync(g);
  return status;
}

LANE_FN void ct_close_integrator(Lane g, ct_StepWork* w) {
  const mjModel* m = w->s.m;
  mjData* d = w->s.d;
  if (!w->opened || m->opt.integrator == mjINT_EULER) return;
  lane_sync(g);
  lane_copy(g, d->qDeriv, w->qDeriv, m->nD);
  lane_copy(g, d->qLU, w->qLU, m->nD);
  lane_copy(g, d->qH, w->qH, m->nC);
  lane_sync(g);
}

// Columns

LANE_FN void ct_move_columns(Lane g, ct_StepWork* w) {
  ct_Slopes* s = &w->s;
  const ct_LuPattern p = lu_pattern(s->m);
  if (w->mover == CT_MOVES_BY_A) return;
  if (w->mover == CT_MOVES_DAMPED) {
    add_damped_columns(g, w);
  } else {
    add_D_columns(g, w, w->mover == CT_MOVES_BY_LU);
  }
  if (w->mover == CT_MOVES_BY_LU) {
    solve_full(g, w, &p);
  } else {
    ct_solve_many(g, &w->Mhat, w->other, s->width);
  }
  LANE_FOR(i, g, s->nv) {
    mjtNum *row = ct_slope_row(s, i), *more = w->other + (size_t)i * (size_t)s->width;
    for (int c = 0; c < s->width; c++) row[c] += more[c];
  }
  lane_sync(g);
}

// Vectors

// res += (M - M^) x, or its transpose.
LANE_FN static void add_difference(const ct_StepWork* w, mjtNum* res, const mjtNum* x,
                                   bool transposed) {
  const mjModel* m = w->s.m;
  const mjData* d = w->s.d;
  mjtNum h = m->opt.timestep;
  for (int i = 0; i < w->s.nv; i++) {
    if (w->mover == CT_MOVES_DAMPED) {
      res[i] -= h * m->dof_damping[i] * x[i];
    } else if (w->mover == CT_MOVES_BY_LU) {
      for (int e = m->D_rowadr[i]; e < m->D_rowadr[i] + m->D_rownnz[i]; e++) {
        int j = m->D_colind[e];
        if (transposed) {
          res[j] += h * d->qDeriv[e] * x[i];
        } else {
          res[i] += h * d->qDeriv[e] * x[j];
        }
      }
    } else {
      for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i]; e++) {
        int j = m->M_colind[e];
        mjtNum entry = h * d->qDeriv[m->mapD2M[e]];
        res[i] += entry * x[j];
        if (j != i) res[j] += entry * x[i];
      }
    }
  }
}

// x = (A')^-1 x with A = (I + U) L, so that A' = L' (I + U').
LANE_FN static void solve_transposed(const ct_LuPattern* p, const mjtNum* lu, mjtNum* x) {
  for (int r = p->n - 1; r >= 0; r--) {
    int diagonal = ct_lu_find(p, r, r);
    x[r] /= lu[diagonal];
    for (int k = p->rowadr[r]; k < diagonal; k++) x[p->colind[k]] -= lu[k] * x[r];
  }
  for (int r = 0; r < p->n; r++) {
    for (int k = p->rowadr[r] + p->rownnz[r] - 1; p->colind[k] > r; k--) {
      x[p->colind[k]] -= lu[k] * x[r];
    }
  }
}

LANE_FN void ct_move_vector(Lane g, ct_StepWork* w, mjtNum* x, mjtNum* more) {
  const ct_LuPattern p = lu_pattern(w->s.m);
  if (w->mover == CT_MOVES_BY_A) return;
  LANE_ALONE(g) {
    add_difference(w, more, x, false);
    if (w->mover == CT_MOVES_BY_LU) ct_lu_solve_sparse(more, w->lu, more, &p);
  }
  if (w->mover != CT_MOVES_BY_LU) solve_Mhat(g, w, more);
  lane_sync(g);
  LANE_FOR(i, g, w->s.nv) {
    x[i] += more[i];
  }
  lane_sync(g);
}

LANE_FN void ct_move_weights(Lane g, ct_StepWork* w, mjtNum* x, mjtNum* z) {
  const ct_LuPattern p = lu_pattern(w->s.m);
  if (w->mover == CT_MOVES_BY_A) return;
  lane_copy(g, z, x, w->s.nv);
  lane_sync(g);
  if (w->mover != CT_MOVES_BY_LU) solve_Mhat(g, w, z);
  LANE_ALONE(g) {
    if (w->mover == CT_MOVES_BY_LU) solve_transposed(&p, w->lu, z);
    add_difference(w, x, z, true);
  }
}

LANE_FN void ct_weigh_other(Lane g, ct_StepWork* w) {
  if (w->mover != CT_MOVES_BY_A) ct_tendon_inertia_other(g, w);
  if (w->mover == CT_MOVES_FAST) ct_damping_slopes(g, w);
}
