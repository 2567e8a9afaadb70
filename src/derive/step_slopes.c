// From the slopes of all forces to those of a step.
//
// The integrator moves by acc^ = M^^-1 M a with M^ = M + h B (Euler, where dofs are damped) or M -
// h D (implicit). From M^ acc^ = M a,
//
//   d acc^ = da + M^^-1 [ d(M (a - acc^))/dq + h d(D acc^) - (M^ - M) da ],
//
// where the first term is a slope of inertial forces at rest and the second is that of D at fixed
// acc^. Of the bias, which is quadratic in velocities, D has the slope dc/dv, and
//
//   d(dc/dv x)/dq = c_q(v + x) - c_q(v) - c_q(x),   d(dc/dv x)/dv = dc/dv at velocity x
//
// without second derivatives. Then v+ = v + h acc^ and q+ = q (+) h v+, of which quaternions have
// their own derivatives (math/quat_derivatives.h).

#include "derive/step_slopes.h"

#include <corten/derivative.h>
#include <corten/integrator.h>

#include "base/memory/scratch.h"
#include "derive/contact_motion.h"
#include "derive/slopes.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/fluid.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/velocity_derivative.h"
#include "math/lane_vec.h"
#include "math/lu.h"
#include "math/quat_derivatives.h"

// Scratch

LANE_INLINE mjtNum* take(mjtNum** room, size_t n) {
  mjtNum* start = *room;
  *room += (n + 3) / 4 * 4;
  return start;
}

LANE_INLINE int* take_ints(int** room, size_t n) {
  int* start = *room;
  *room += n;
  return start;
}

typedef struct {
  ct_Slopes s;
  ct_SparseMatrix Mhat;
  mjtNum* other;                   // (nv x width) right-hand side of the integrator
  mjtNum *moved, *rest, *sum;      // (nv) acc^, a - acc^, anything
  mjtNum *qDeriv, *qLU, *qH, *lu;  // what d had; the factor of M - h D
} Workspace;

LANE_FN static size_t numbers_of(const mjModel* m, const mjData* d, size_t width) {
  size_t nv = (size_t)m->nv, nb = (size_t)m->nbody, nt = (size_t)m->ntendon;
  size_t n = 2 * nv * width + 2 * nv * nv + 2 * nv;                  // right-hand sides, H, M^
  n += 8 * nv + 12 * nv + 6 * nb;                                    // vectors, sums before dofs
  n += nb * CT_BODY_SLOPE + nv * (CT_DOF_SLOPE + CT_COLUMN_SLOPE);   // scratch of parts
  n += 2 * nt * nv + (size_t)(m->na + m->nu) + 2 * (size_t)d->nefc;  // tendons, activations, rows
  n += sizeof(ct_ContactMotion) / sizeof(mjtNum) + 36 * (nv + 3) + LANE_MOST * nv;
  n += 3 * (size_t)m->nD + (size_t)m->nC;
  return n + 4 * 40;  // rounding up
}

LANE_FN static size_t ints_of(const mjModel* m, const mjData* d) {
  size_t nv = (size_t)m->nv, words = (nv + 31) / 32;
  size_t matrix = nv * words + 2 * (nv + 1) + nv * nv;
  return 2 * matrix + 3 * nv + words + (size_t)d->nefc + 1;
}

LANE_FN static void place_matrix(ct_SparseMatrix* a, int n, mjtNum** room, int** ints) {
  size_t size = (size_t)n;
  a->n = n;
  a->words = (n + 31) / 32;
  a->value = take(room, size * size);
  a->inverse = take(room, size);
  a->pattern = (unsigned*)take_ints(ints, size * (size_t)a->words);
  a->row_adr = take_ints(ints, size + 1);
  a->col_adr = take_ints(ints, size + 1);
  a->row_col = take_ints(ints, size * size / 2);
  a->col_row = take_ints(ints, size * size / 2);
}

LANE_FN static void place_workspace(Workspace* w, const mjModel* m, mjData* d, int width,
                                    mjtNum* room, int* ints) {
  ct_Slopes* s = &w->s;
  size_t nv = (size_t)m->nv, nb = (size_t)m->nbody, nt = (size_t)m->ntendon;
  s->m = m;
  s->d = d;
  s->nv = (int)nv;
  s->na = (int)m->na;
  s->nu = (int)m->nu;
  s->width = width;
  s->reasons = 0;
  s->rhs = take(&room, nv * (size_t)width);
  w->other = take(&room, nv * (size_t)width);
  place_matrix(&s->H, s->nv, &room, &ints);
  place_matrix(&w->Mhat, s->nv, &room, &ints);
  s->acc = take(&room, nv);
  w->moved = take(&room, nv);
  w->rest = take(&room, nv);
  w->sum = take(&room, nv);
  s->speed_before = take(&room, 6 * nv);
  s->push_before = take(&room, 6 * nv);
  s->push = take(&room, 6 * nb);
  s->body = take(&room, nb * CT_BODY_SLOPE);
  s->dof = take(&room, nv * CT_DOF_SLOPE);
  s->column = take(&room, nv * CT_COLUMN_SLOPE);
  s->table = take(&room, 36 * (nv + 3));
  s->row = take(&room, LANE_MOST * nv);
  s->length_v = take(&room, nt * nv);
  s->length_a = take(&room, nt * nv);
  s->act_by_act = take(&room, (size_t)m->na);
  s->act_by_ctrl = take(&room, (size_t)m->nu);
  s->jar = take(&room, (size_t)d->nefc);
  s->force = take(&room, (size_t)d->nefc);
  s->motion = take(&room, sizeof(ct_ContactMotion) / sizeof(mjtNum));
  w->qDeriv = take(&room, (size_t)m->nD);
  w->qLU = take(&room, (size_t)m->nD);
  w->lu = take(&room, (size_t)m->nD);
  w->qH = take(&room, (size_t)m->nC);
  s->first = take_ints(&ints, nv);
  s->last = take_ints(&ints, nv);
  s->list = take_ints(&ints, nv + (nv + 31) / 32);
  s->state = take_ints(&ints, (size_t)d->nefc);
  s->answer = take_ints(&ints, 1);
}

// Reasons

// The slope of an ellipsoid's wrench, which implicit integrators use, is not exact in all its
// terms.
static bool has_ellipsoids(const mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    if (m->geom_fluid[mjNFLUID * g] != 0) return true;
  }
  return false;
}

unsigned ct_reasons_of_model(const mjModel* m) {
  unsigned reasons = 0;
  int integrator = m->opt.integrator;
  if (m->nflex > 0) reasons |= CT_NO_SLOPE_FLEX;
  if (m->nplugin > 0 || m->nhistory > 0) reasons |= CT_NO_SLOPE_USER_CODE;
  if (m->opt.enableflags & mjENBL_SLEEP) reasons |= CT_NO_SLOPE_SLEEP;
  if (m->opt.noslip_iterations > 0) reasons |= CT_NO_SLOPE_NOSLIP;
  if (integrator != mjINT_EULER && integrator != mjINT_IMPLICIT &&
      integrator != mjINT_IMPLICITFAST && integrator != mjINT_RK4) {
    reasons |= CT_NO_SLOPE_INTEGRATOR;
  }
  if (ct_has_fluid(m) && ct_has_passive(m)) {
    bool negative = m->opt.viscosity < 0 || m->opt.density < 0;
    if (negative || has_ellipsoids(m)) reasons |= CT_NO_SLOPE_FLUID;
  }
  return reasons;
}

// Accelerations

// H starts as M.
LANE_FN static void load_M(Lane g, const mjModel* m, const mjData* d, const ct_SparseMatrix* a,
                           const mjtNum* M) {
  (void)d;
  LANE_FOR(i, g, a->n) {
    ct_zero(ct_sparse_entry(a, i, 0), i + 1);
    for (int w = 0; w < a->words; w++) a->pattern[i * a->words + w] = 0;
    int start = m->M_rowadr[i], end = start + m->M_rownnz[i];
    for (int e = start; e < end; e++) {
      int j = m->M_colind[e];
      *ct_sparse_entry(a, i, j) = M[e];
      if (j != i) ct_mark_entry(a, i, j);
    }
  }
  lane_sync(g);
}

LANE_FN static mjtNum unbalance(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  mjData* d = s->d;
  ct_mul_M(g, s->m, d, w->sum, s->acc);
  lane_sync(g);
  if (d->nefc) {
    ct_mul_jac_t_vec(g, s->m, d, w->rest, s->force);
    lane_sync(g);
  }
  mjtNum worst, scale;
  LANE_MAX(scale, k, g, s->nv, 1, ct_abs(d->qfrc_smooth[k]));
  LANE_MAX(worst, k, g, s->nv, 0,
           ct_abs(w->sum[k] - d->qfrc_smooth[k] - (d->nefc ? w->rest[k] : 0)));
  lane_sync(g);
  return worst / scale;
}

// da in rhs.
LANE_FN static void acceleration_slopes(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  ct_prepare_slopes(g, s);
  lane_set_zero(g, s->rhs, (mjtSize)s->nv * s->width);
  lane_copy(g, s->acc, s->d->qacc, s->nv);
  LANE_ONCE(g) {
    ct_zero6(s->push);
  }
  LANE_FOR(k, g, s->na) {
    s->act_by_act[k] = 0;
  }
  LANE_FOR(i, g, s->nu) {
    s->act_by_ctrl[i] = 0;
  }
  lane_sync(g);
  load_M(g, s->m, s->d, &s->H, s->d->M);
  ct_InertialTarget to = {-1, s->rhs, s->rhs + s->nv, true};
  ct_inertial_slopes(g, s, s->d->qvel, s->acc, true, to);
  ct_row_forces(g, s);
  if (s->m->ntendon) ct_tendon_slopes(g, s);
  ct_force_slopes(g, s);
  if (s->d->nefc) {
    ct_row_pattern(g, s);
    ct_row_slopes(g, s);
  }
  ct_complete_pattern(g, &s->H);
  if (!ct_factor_sparse(g, &s->H)) {
    LANE_ALONE(g) {
      s->reasons |= CT_NO_SLOPE_NUMBERS;
    }
  }
  ct_solve_many(g, &s->H, s->rhs, s->width);
}

// Integrators. All leave d acc^ in rhs, and acc^ in moved.

LANE_FN static void total_force(Lane g, Workspace* w) {
  const mjData* d = w->s.d;
  LANE_FOR(k, g, w->s.nv) {
    w->moved[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  }
  lane_sync(g);
}

// a - acc^, and what d(M (a - acc^))/dq adds to the right-hand side.
LANE_FN static void start_other(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  LANE_FOR(k, g, s->nv) {
    w->rest[k] = s->acc[k] - w->moved[k];
  }
  lane_set_zero(g, w->other, (mjtSize)s->nv * s->width);
  lane_sync(g);
  ct_InertialTarget to = {1, w->other, NULL, false};
  ct_inertial_slopes(g, s, NULL, w->rest, false, to);
}

LANE_FN static void add_other(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  LANE_FOR(i, g, s->nv) {
    mjtNum *row = ct_slope_row(s, i), *more = w->other + (size_t)i * (size_t)s->width;
    for (int c = 0; c < s->width; c++) row[c] += more[c];
  }
  lane_sync(g);
}

LANE_FN static void solve_one(Lane g, const ct_SparseMatrix* a, mjtNum* x) {
  LANE_ALONE(g) {
    for (int i = a->n - 1; i >= 0; i--) {
      for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
        x[a->row_col[e]] -= *ct_sparse_entry(a, i, a->row_col[e]) * x[i];
      }
    }
    for (int i = 0; i < a->n; i++) {
      x[i] *= a->inverse[i];
      for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
        x[i] -= *ct_sparse_entry(a, i, a->row_col[e]) * x[a->row_col[e]];
      }
    }
  }
}

LANE_FN static void euler_slopes(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  if (!ct_euler_is_implicit(g, m, s->d)) {
    lane_copy(g, w->moved, s->acc, s->nv);
    lane_sync(g);
    return;
  }
  mjtNum h = m->opt.timestep;
  load_M(g, m, s->d, &w->Mhat, s->d->M);
  LANE_FOR(k, g, s->nv) {
    *ct_sparse_entry(&w->Mhat, k, k) += h * m->dof_damping[k];
  }
  lane_sync(g);
  ct_complete_pattern(g, &w->Mhat);
  if (!ct_factor_sparse(g, &w->Mhat)) s->reasons |= CT_NO_SLOPE_NUMBERS;
  total_force(g, w);
  solve_one(g, &w->Mhat, w->moved);
  start_other(g, w);
  LANE_FOR(i, g, s->nv) {
    mjtNum *more = w->other + (size_t)i * (size_t)s->width, *da = ct_slope_row(s, i);
    mjtNum damping = h * m->dof_damping[i];
    for (int c = 0; c < s->width && damping != 0; c++) more[c] -= damping * da[c];
  }
  lane_sync(g);
  ct_solve_many(g, &w->Mhat, w->other, s->width);
  add_other(g, w);
}

// Implicit

// Does D change with the position by more than the bias does? Then its slope is not written.
LANE_FN static bool has_bending_D(const mjModel* m, const mjData* d) {
  if (ct_has_fluid(m) && ct_has_passive(m)) return true;
  for (int t = 0; t < m->ntendon; t++) {
    bool spatial = m->tendon_num[t] > 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
    if (spatial && m->tendon_damping[t] != 0) return true;
  }
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
    bool sloped = m->actuator_gaintype[i] > mjGAIN_FIXED || m->actuator_biastype[i] > mjBIAS_NONE;
    if (m->actuator_biastype[i] == mjBIAS_AFFINE && m->actuator_gaintype[i] == mjGAIN_FIXED) {
      sloped = m->actuator_biasprm[mjNBIAS * i + 2] != 0;
    }
    if (m->actuator_gaintype[i] == mjGAIN_AFFINE) {
      sloped =
          m->actuator_gainprm[mjNGAIN * i + 2] != 0 ||
          (m->actuator_biastype[i] == mjBIAS_AFFINE && m->actuator_biasprm[mjNBIAS * i + 2] != 0);
    }
    if (!sloped || ct_actuator_disabled(m, i)) continue;
    if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) return true;
    if (m->actuator_actearly[i] && m->actuator_gaintype[i] == mjGAIN_AFFINE) return true;
    bool fixed = type == mjTRN_JOINT;
    if (type == mjTRN_TENDON) fixed = m->wrap_type[m->tendon_adr[id]] == mjWRAP_JOINT;
    if (!fixed) return true;
  }
  (void)d;
  return false;
}

// Gains that depend on velocity make D depend on the input: columns h gain' m (m.acc^), as far as D
// has places for them.
LANE_FN static void input_columns(Workspace* w, const int* adr, const int* nnz, const int* column,
                                  bool lower) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  const mjData* d = s->d;
  mjtNum h = m->opt.timestep;
  for (int i = 0; i < m->nu; i++) {
    mjtNum slope = m->actuator_gainprm[mjNGAIN * i + 2];
    if (m->actuator_gaintype[i] != mjGAIN_AFFINE || slope == 0) continue;
    if (ct_actuator_disabled(m, i)) continue;
    const mjtNum* range = m->actuator_forcerange + 2 * i;
    mjtNum force = d->actuator_force[i];
    if (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1])) continue;
    int start = d->moment_rowadr[i], count = d->moment_rownnz[i];
    int act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    int to = m->actuator_actadr[i] < 0 ? ct_column_ctrl(s, i) : ct_column_act(s, act);
    for (int e = 0; e < count; e++) {
      int row = d->moment_colind[start + e];
      for (int f = 0; f < count; f++) {
        int other = d->moment_colind[start + f], deep = row > other ? row : other;
        int flat = row > other ? other : row, place = lower ? deep : row;
        int wanted = lower ? flat : other;
        bool has = false;
        for (int k = adr[place]; k < adr[place] + nnz[place]; k++) has |= column[k] == wanted;
        if (!has) continue;
        w->other[(size_t)row * (size_t)s->width + (size_t)to] +=
            h * slope * d->actuator_moment[start + e] * d->actuator_moment[start + f] *
            w->moved[other];
      }
    }
  }
}

// other -= (M^ - M) da = -h D da
LANE_FN static void add_D_columns(Lane g, Workspace* w, bool full) {
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
LANE_FN static void bias_columns(Lane g, Workspace* w) {
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

LANE_FN static int factor_full(Lane g, Workspace* w, const ct_LuPattern* p) {
  const mjModel* m = w->s.m;
  mjData* d = w->s.d;
  int status;
  ct_build_qLU(g, m, d);
  lane_copy(g, w->lu, d->qLU, m->nD);
  lane_sync(g);
  LANE_ANSWER(status, g, ct_lu_factor_sparse(w->lu, p) == CT_OK ? CT_OK : CT_LU_SINGULAR);
  return status;
}

LANE_FN static void solve_full(Lane g, Workspace* w, const ct_LuPattern* p) {
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

LANE_FN static int implicit_slopes(Lane g, Workspace* w) {
  ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  mjData* d = s->d;
  bool full = m->opt.integrator == mjINT_IMPLICIT;
  if (has_bending_D(m, d)) {
    s->reasons |= CT_NO_SLOPE_INTEGRATOR;
    return CT_OK;
  }
  int status = ct_smooth_derivative(g, m, d, full);
  const ct_LuPattern p = {s->nv, NULL, m->D_rownnz, m->D_rowadr, m->D_colind};
  if (status) return status;
  total_force(g, w);
  if (full) {
    status = factor_full(g, w, &p);
    if (status) return status;
    LANE_ALONE(g) {
      ct_lu_solve_sparse(w->moved, w->lu, w->moved, &p);
    }
  } else {
    ct_build_qH(g, m, d);
    load_M(g, m, d, &w->Mhat, d->qH);
    ct_complete_pattern(g, &w->Mhat);
    if (!ct_factor_sparse(g, &w->Mhat)) s->reasons |= CT_NO_SLOPE_NUMBERS;
    solve_one(g, &w->Mhat, w->moved);
  }
  start_other(g, w);
  if (full) bias_columns(g, w);
  LANE_ALONE(g) {
    if (full) {
      input_columns(w, m->D_rowadr, m->D_rownnz, m->D_colind, false);
    } else {
      input_columns(w, m->M_rowadr, m->M_rownnz, m->M_colind, true);
    }
  }
  add_D_columns(g, w, full);
  if (full) {
    solve_full(g, w, &p);
  } else {
    ct_solve_many(g, &w->Mhat, w->other, s->width);
  }
  add_other(g, w);
  return CT_OK;
}

LANE_FN static int integrator_slopes(Lane g, Workspace* w) {
  const mjModel* m = w->s.m;
  mjData* d = w->s.d;
  if (w->s.reasons & ~(unsigned)CT_SHAPES_BY_DIFFERENCES) return CT_OK;
  if (m->opt.integrator == mjINT_EULER) {
    euler_slopes(g, w);
    return CT_OK;
  }
  lane_copy(g, w->qDeriv, d->qDeriv, m->nD);
  lane_copy(g, w->qLU, d->qLU, m->nD);
  lane_copy(g, w->qH, d->qH, m->nC);
  lane_sync(g);
  int status = implicit_slopes(g, w);
  lane_sync(g);
  lane_copy(g, d->qDeriv, w->qDeriv, m->nD);
  lane_copy(g, d->qLU, w->qLU, m->nD);
  lane_copy(g, d->qH, w->qH, m->nC);
  lane_sync(g);
  return status;
}

// The next state

// Row i of the velocities: h d acc^, and one on the diagonal.
LANE_FN static void speed_row(const Workspace* w, int i, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjtNum* row = ct_slope_row(s, i);
  int n = 2 * s->nv + s->na;
  mjtNum h = s->m->opt.timestep;
  if (to->A) {
    mjtNum* out = to->A + (size_t)(s->nv + i) * (size_t)n;
    for (int c = 0; c < n; c++) out[c] = h * row[c];
    out[s->nv + i] += 1;
  }
  if (to->B) {
    mjtNum* out = to->B + (size_t)(s->nv + i) * (size_t)s->nu;
    for (int c = 0; c < s->nu; c++) out[c] = h * row[n + c];
  }
}

// Rows of the positions from those of the velocities (columns of one matrix): h times, with
// quaternions by_z between.
LANE_FN static void place_row(const mjtNum* rows, mjtNum* out, int columns, mjtNum h) {
  for (int c = 0; c < columns; c++) out[c] = h * rows[c];
}

LANE_FN static void turn_rows(const mjtNum* rows, mjtNum* out, int columns, mjtNum h,
                              const mjtNum by_z[9]) {
  size_t n = (size_t)columns;
  for (size_t r = 0; r < 3; r++) {
    mjtNum a = h * by_z[3 * r], b = h * by_z[3 * r + 1], c = h * by_z[3 * r + 2];
    for (size_t k = 0; k < n; k++)
      out[r * n + k] = a * rows[k] + b * rows[n + k] + c * rows[2 * n + k];
  }
}

LANE_FN static void joint_rows(const Workspace* w, int joint, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  int type = m->jnt_type[joint], first = m->jnt_dofadr[joint], n = 2 * s->nv + s->na;
  int straight = type == mjJNT_BALL ? 0 : type == mjJNT_FREE ? 3 : 1;
  mjtNum h = m->opt.timestep;
  size_t speeds = (size_t)s->nv;
  for (int k = first; k < first + straight; k++) {
    if (to->A) {
      mjtNum* out = to->A + (size_t)k * (size_t)n;
      place_row(to->A + (speeds + (size_t)k) * (size_t)n, out, n, h);
      out[k] += 1;
    }
    if (to->B) {
      place_row(to->B + (speeds + (size_t)k) * (size_t)s->nu, to->B + (size_t)k * (size_t)s->nu,
                s->nu, h);
    }
  }
  if (type != mjJNT_BALL && type != mjJNT_FREE) return;
  int turn = first + straight;
  mjtNum z[3], by_quat[9], by_z[9];
  for (int k = 0; k < 3; k++) z[k] = h * (s->d->qvel[turn + k] + h * w->moved[turn + k]);
  ct_deriv_quat_integrate(by_quat, by_z, z);
  if (to->A) {
    mjtNum* out = to->A + (size_t)turn * (size_t)n;
    turn_rows(to->A + (speeds + (size_t)turn) * (size_t)n, out, n, h, by_z);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) out[r * n + turn + c] += by_quat[3 * r + c];
    }
  }
  if (to->B) {
    turn_rows(to->B + (speeds + (size_t)turn) * (size_t)s->nu, to->B + (size_t)turn * (size_t)s->nu,
              s->nu, h, by_z);
  }
}

// How act moves on: act + g act_dot, unless a limit holds it.
LANE_FN static void activation_rows(const Workspace* w, int i, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  int first = m->actuator_actadr[i], last = first + m->actuator_actnum[i] - 1;
  size_t n = (size_t)(2 * s->nv + s->na);
  bool still = (m->opt.disableflags & mjDSBL_ACTUATION) || ct_actuator_disabled(m, i);
  mjtNum h = m->opt.timestep, tau = ct_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  mjtNum time = m->actuator_dyntype[i] == mjDYN_FILTEREXACT ? tau * (1 - ct_exp(-h / tau)) : h;
  for (int k = first; first >= 0 && k <= last; k++) {
    size_t row = (size_t)(2 * s->nv + k);
    mjtNum rate = still ? 0 : s->d->act_dot[k], next = s->d->act[k] + time * rate;
    const mjtNum* range = m->actuator_actrange + 2 * i;
    bool held = m->actuator_actlimited[i] && (next < range[0] || next > range[1]);
    if (m->opt.disableflags & mjDSBL_ACTUATION) held = false;
    mjtNum by_act = held ? 0 : 1, by_ctrl = 0;
    if (k == last && !still && !held) {
      by_act += time * s->act_by_act[k];
      by_ctrl = time * s->act_by_ctrl[i];
    }
    if (to->A) {
      ct_zero(to->A + row * n, (int)n);
      to->A[row * n + row] = by_act;
    }
    if (to->B) {
      ct_zero(to->B + row * (size_t)s->nu, s->nu);
      to->B[row * (size_t)s->nu + (size_t)i] = by_ctrl;
    }
  }
}

LANE_FN static void write_step(Lane g, Workspace* w, ct_SlopeTarget* to) {
  const ct_Slopes* s = &w->s;
  LANE_FOR(i, g, s->nv) {
    speed_row(w, i, to);
  }
  lane_sync(g);
  LANE_FOR(joint, g, s->m->njnt) {
    joint_rows(w, joint, to);
  }
  LANE_FOR(i, g, s->nu) {
    activation_rows(w, i, to);
  }
  lane_sync(g);
}

// Rates: da, and how act_dot changes, for Runge-Kutta.
LANE_FN static void write_rates(Lane g, Workspace* w, const ct_RateTarget* to) {
  const ct_Slopes* s = &w->s;
  const mjModel* m = s->m;
  size_t columns = (size_t)(2 * s->nv + s->na + s->nu);
  LANE_FOR(i, g, s->nv) {
    const mjtNum* row = ct_slope_row(s, i);
    for (size_t c = 0; c < columns; c++) to->acc[(size_t)i * columns + c] = row[c];
  }
  LANE_FOR(k, g, s->na) {
    to->act_by_act[k] = s->act_by_act[k];
    for (int i = 0; i < s->nu; i++) to->act_by_ctrl[(size_t)k * (size_t)s->nu + (size_t)i] = 0;
  }
  lane_sync(g);
  LANE_FOR(i, g, s->nu) {
    int act = m->actuator_actadr[i] < 0 ? -1 : m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (act >= 0) to->act_by_ctrl[(size_t)act * (size_t)s->nu + (size_t)i] = s->act_by_ctrl[i];
  }
  lane_sync(g);
}

LANE_FN static int slopes_in(Lane g, Workspace* w, ct_SlopeTarget* to, const ct_RateTarget* rates) {
  int status = CT_OK;
  acceleration_slopes(g, w);
  to->worst = unbalance(g, w);
  if (!rates) status = integrator_slopes(g, w);
  to->reasons |= w->s.reasons;
  if (status || (to->reasons & ~(unsigned)CT_SHAPES_BY_DIFFERENCES)) return status;
  if (rates) {
    write_rates(g, w, rates);
  } else {
    write_step(g, w, to);
  }
  return status;
}

LANE_FN int ct_step_slopes(Lane g, const mjModel* m, mjData* d, ct_SlopeTarget* to,
                           const ct_RateTarget* rates) {
  int columns = (int)(2 * m->nv + m->na + m->nu);
  int width = (columns + CT_COLUMN_BLOCK - 1) / CT_COLUMN_BLOCK * CT_COLUMN_BLOCK;
  mjtSize stack = d->maxuse_stack, arena = d->maxuse_arena;
  int status = CT_STACK_FULL;
  Workspace w;
  if (!lane_mark(g, d)) return status;
  mjtNum* room = lane_scratch_num(g, d, (int)numbers_of(m, d, (size_t)width));
  int* ints = lane_scratch_int(g, d, (int)ints_of(m, d));
  if (room && ints) {
    place_workspace(&w, m, d, width, room, ints);
    status = slopes_in(g, &w, to, rates);
  }
  lane_free(g, d);
  LANE_ONCE(g) {
    d->maxuse_stack = stack;
    d->maxuse_arena = arena;
  }
  lane_sync(g);
  return status;
}
