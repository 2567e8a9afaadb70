// Accelerations at states next to one that has been solved.
//
//   G(a) = M a - f_s - J' f(J a - aref) = 0        f_s: qfrc_smooth, f: forces of the rows
//
// has one solution, the minimum of a convex cost. Differences ask for it at states within eps of a
// centre, whose solution a_0 and Hessian H_0 = dG/da are known. From a_0 the chord method
//
//   a <- a - H_0^-1 G(a)
//
// brings the error down by the change of H, a factor of the order of eps, in each iteration: two or
// three reach what rounding leaves of G, without a factor of M, islands, a Hessian or a line
// search. Where nothing but f_s and aref differs and no row changes its piece of the cost, which
// then is quadratic, one iteration is exact. If the error does not shrink like that (a row opens or
// closes), the model's own solver starts from the warm start as in any other step.
//
// The reference lets every step iterate from the warm start up to its tolerance. The result is the
// same up to rounding if the solver gets to the bottom. So the centre is solved to the bottom
// first, and if that moves the solution by more than differences would notice, nothing of this is
// done. That is so for solvers which stop earlier: tolerances that are wide, few iterations,
// elliptic cones whose last iteration was a long one.

#include "derive/neighbour.h"

#include <float.h>
#include <string.h>

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/solver/solver.h"
#include "host/report.h"
#include "math/vec.h"

enum { MOST_CHORDS = 6 };

// Shares of the matrix that the centre may be off by, and of the first step that the last may leave
// behind; rounding errors in the sums of G; an error that shrinks by less than this is another one.
#define CENTRE_ERROR ((mjtNum)1e-8)
#define LAST_ERROR ((mjtNum)1e-10)
#define ROUNDING_OF_SUMS ((mjtNum)(32 * DBL_EPSILON))
#define SLOWEST ((mjtNum)0.2)

typedef struct {  // of the rows of the state at hand
  mjtNum *r, *w;  // (nefc) J a - aref, and its change
} Residual;

static mjtNum square(mjtNum x) {
  return x * x;
}

// x = H_0^-1 x
static void solve_centre(const ct_Centre* c, const mjModel* m, const mjData* d, mjtNum* x) {
  if (c->rows) {
    ct_solve_hessian(lane_one(), &c->problem, &c->hessian, x);
  } else {
    ct_solve(lane_one(), m, d, c->qLD, c->qLDiagInv, x);
  }
}

// Forces of the rows at their residuals, and G in g.
static void evaluate(ct_Centre* c, const mjModel* m, mjData* d, Residual rows) {
  int nv = (int)m->nv;
  if (d->nefc) {
    ct_update_rows(lane_one(), ct_all_rows(d), d->contact, rows.r, false);
    ct_mul_jac_t_vec(lane_one(), m, d, c->push, d->efc_force);
  }
  for (int k = 0; k < nv; k++) {
    c->g[k] = c->Mx[k] - d->qfrc_smooth[k] - (d->nefc ? c->push[k] : 0);
  }
}

// delta = H_0^-1 g; returns g' delta, which measures how far the solution is.
static mjtNum find_chord(ct_Centre* c, const mjModel* m, const mjData* d) {
  ct_copy(c->delta, c->g, (int)m->nv);
  solve_centre(c, m, d, c->delta);
  return ct_dot(c->g, c->delta, (int)m->nv);
}

// a -= delta. Mx is M a as long as it is needed.
static void follow_chord(ct_Centre* c, const mjModel* m, mjData* d, Residual rows, bool last) {
  int nv = (int)m->nv;
  for (int k = 0; k < nv; k++) c->a[k] -= c->delta[k];
  if (!last) {
    ct_mul_M(lane_one(), m, d, c->g, c->delta);
    for (int k = 0; k < nv; k++) c->Mx[k] -= c->g[k];
  }
  if (!d->nefc) return;
  ct_mul_jac_vec(lane_one(), m, d, rows.w, c->delta);
  for (int i = 0; i < d->nefc; i++) rows.r[i] -= rows.w[i];
}

// Forces at the residuals are those of the solution.
static void finish(ct_Centre* c, const mjModel* m, mjData* d, Residual rows) {
  if (d->nefc) {
    ct_update_rows(lane_one(), ct_all_rows(d), d->contact, rows.r, false);
    ct_mul_jac_t_vec(lane_one(), m, d, d->qfrc_constraint, d->efc_force);
  } else {
    ct_zero(d->qfrc_constraint, (int)m->nv);
  }
  ct_copy(d->qacc, c->a, (int)m->nv);
}

// How errors g' H^-1 g of chords go on.
typedef struct {
  mjtNum first, before, rounding;
} Course;

typedef enum { NEXT, LAST, LOST } Verdict;

static Verdict judge_error(Course* s, int k, mjtNum error) {
  bool bottom = error <= s->rounding;
  mjtNum rate = k ? error / s->before : 1;
  if (k == 0) s->first = error;
  s->before = error;
  if (bottom) return LAST;
  if (!(error > 0) || (k && rate > square(SLOWEST))) return LOST;
  return k && rate * error <= square(LAST_ERROR) * s->first ? LAST : NEXT;
}

// From a, Mx and r; false if chords do not lead to the solution.
static bool follow_chords(ct_Centre* c, const mjModel* m, mjData* d, Residual rows) {
  Course course = {0, 0, c->rounding};
  for (int k = 0; k < MOST_CHORDS; k++) {
    evaluate(c, m, d, rows);
    Verdict verdict = judge_error(&course, k, find_chord(c, m, d));
    if (verdict == LOST) return false;
    follow_chord(c, m, d, rows, verdict == LAST);
    if (verdict == LAST) return true;
  }
  return false;
}

// Do rows have the pieces of their costs that they have at the centre?
static bool pieces_stay(const ct_Centre* c, const mjData* d) {
  for (int i = 0; i < c->rows; i++) {
    if (d->efc_state[i] != c->state[i]) return false;
  }
  return true;
}

// One chord where H is H_0.
static bool follow_one(ct_Centre* c, const mjModel* m, mjData* d, Residual rows) {
  evaluate(c, m, d, rows);
  if (!pieces_stay(c, d)) return false;
  find_chord(c, m, d);
  follow_chord(c, m, d, rows, true);
  finish(c, m, d, rows);
  return pieces_stay(c, d);
}

static void start_at_centre(ct_Centre* c, const mjModel* m, mjData* d, Residual rows) {
  int nv = (int)m->nv;
  ct_copy(c->a, c->acc, nv);
  if (c->moved) {
    ct_mul_M(lane_one(), m, d, c->Mx, c->acc);
    if (d->nefc) ct_mul_jac_vec(lane_one(), m, d, rows.r, c->acc);
  } else {
    ct_copy(c->Mx, c->Ma, nv);
    ct_copy(rows.r, c->Ja, c->rows);
  }
  for (int i = 0; i < d->nefc; i++) rows.r[i] -= d->efc_aref[i];
}

// As the steps of mj_step: what was left out so far, then the solver.
static int solve_anew(const ct_Centre* c, const mjModel* m, mjData* d) {
  int status = CT_OK;
  if (c->moved) {
    ct_factor_M(lane_one(), m, d);
    status = ct_island(lane_one(), m, d);
    if (status & CT_ERRORS) return status;
  }
  ct_copy(d->qacc_smooth, d->qfrc_smooth, (int)m->nv);
  ct_solve(lane_one(), m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
  return status | ct_forward_constraint(lane_one(), m, d);
}

static int solve_next_door(ct_Neighbour* n, const mjModel* m, mjData* d) {
  ct_Centre* c = (ct_Centre*)n;
  bool done = false;
  if (c->unasked && d->nefc == 0) {
    ct_copy(d->qacc, c->acc, (int)m->nv);
    ct_zero(d->qfrc_constraint, (int)m->nv);
    return CT_OK;
  }
  if ((c->rows > 0) == (d->nefc > 0) && (c->rows || (c->moved && c->kept)) &&
      lane_mark(lane_one(), d)) {
    Residual rows = {lane_scratch_num(lane_one(), d, d->nefc + 1),
                     lane_scratch_num(lane_one(), d, d->nefc + 1)};
    if (rows.r && rows.w) {
      start_at_centre(c, m, d, rows);
      if (!c->moved && !c->bent) done = follow_one(c, m, d, rows);
      if (!done) {
        start_at_centre(c, m, d, rows);
        done = follow_chords(c, m, d, rows);
        if (done) finish(c, m, d, rows);
      }
    }
    lane_free(lane_one(), d);
  }
  return done ? CT_OK : solve_anew(c, m, d);
}

// Euler's acceleration: (M + h B) x = qfrc_smooth + qfrc_constraint by chords, in x (nv).
static bool follow_damped(ct_Centre* c, const mjModel* m, const mjData* d, mjtNum* x) {
  int nv = (int)m->nv;
  mjtNum h = m->opt.timestep;
  Course course = {0, 0, c->rounding_damped};
  ct_copy(x, c->damped, nv);
  for (int k = 0; k < MOST_CHORDS; k++) {
    ct_mul_M(lane_one(), m, d, c->g, x);
    for (int i = 0; i < nv; i++) {
      c->g[i] += h * m->dof_damping[i] * x[i] - (d->qfrc_smooth[i] + d->qfrc_constraint[i]);
    }
    ct_copy(c->delta, c->g, nv);
    ct_solve(lane_one(), m, d, c->qH, c->qHDiagInv, c->delta);
    Verdict verdict = judge_error(&course, k, ct_dot(c->g, c->delta, nv));
    if (verdict == LOST) return false;
    ct_sub(x, x, c->delta, nv);
    if (verdict == LAST) return true;
  }
  return false;
}

static int integrate_next_door(ct_Neighbour* n, const mjModel* m, mjData* d) {
  ct_Centre* c = (ct_Centre*)n;
  ct_Integration* s = &ct_private(d)->integration;
  if (!c->damped || !c->moved || !follow_damped(c, m, d, s->room)) {
    return ct_integrator_acceleration(lane_one(), m, d);
  }
  s->act_dot = d->act_dot;
  s->qacc = s->room;
  s->qvel = NULL;
  return CT_OK;
}

// The centre

// Is the factor of M worth keeping? Chords take a dozen operations for each of its entries.
static bool has_long_chains(const mjModel* m) {
  double work = 0;
  for (int k = 0; k < m->nv; k++) work += (double)m->M_rownnz[k] * m->M_rownnz[k] / 2;
  return work > 12 * (double)m->nC;
}

// Does the integrator solve with a matrix of its own?
static bool moves_by_itself(const mjModel* m, const mjData* d) {
  return m->opt.integrator != mjINT_EULER || ct_euler_is_implicit(lane_one(), m, d);
}

static bool may_follow(const mjModel* m, const mjData* d) {
  unsigned unusual = mjENBL_SLEEP | mjENBL_FWDINV;
  if (sizeof(mjtNum) < sizeof(double) || m->nv == 0 || m->nflex > 0 || m->nplugin > 0) return false;
  if (((unsigned)m->opt.enableflags & unusual) || m->opt.noslip_iterations > 0) return false;
  if (m->opt.integrator == mjINT_RK4 || ct_has_user_code(m)) return false;
  return d->nefc == 0 || m->opt.solver == mjSOL_NEWTON;
}

static bool take_factors(ct_Centre* c, const mjModel* m, mjData* d, bool damped) {
  int count = damped ? 2 : 1, size = (int)(m->nC + m->nv);
  mjtNum* room = lane_scratch_num(lane_one(), d, count * size);
  if (!room) return false;
  c->qLD = room;
  c->qLDiagInv = room + m->nC;
  ct_copy(c->qLD, d->qLD, (int)m->nC);
  ct_copy(c->qLDiagInv, d->qLDiagInv, (int)m->nv);
  if (!damped) return true;
  c->qH = room + size;
  c->qHDiagInv = c->qH + m->nC;
  ct_copy(c->qH, d->qH, (int)m->nC);
  ct_copy(c->qHDiagInv, d->qHDiagInv, (int)m->nv);
  return true;
}

static bool take_vectors(ct_Centre* c, const mjModel* m, mjData* d) {
  mjtNum *damped,
      **vector[] = {&c->acc, &c->Ma, &c->a, &c->Mx, &c->push, &c->g, &c->delta, &damped};
  int count = (int)(sizeof(vector) / sizeof(vector[0])), stride = c->problem.stride;
  mjtNum* room = lane_scratch_num(lane_one(), d, count * stride);
  c->Ja = lane_scratch_num(lane_one(), d, c->rows + 1);
  c->state = lane_scratch_int(lane_one(), d, c->rows + 1);
  if (!room || !c->Ja || !c->state) return false;
  ct_zero(room, count * stride);
  for (int i = 0; i < count; i++) *vector[i] = room + i * stride;
  if (!c->kept) return true;
  bool euler = m->opt.integrator == mjINT_EULER && moves_by_itself(m, d);
  if (euler) c->damped = damped;
  return take_factors(c, m, d, euler);
}

// Residuals and states of rows at qacc, and H_0 there.
static bool factor_centre(ct_Centre* c, const mjModel* m, mjData* d) {
  if (!c->rows) return true;
  bool elliptic = m->opt.cone == mjCONE_ELLIPTIC;
  ct_mul_jac_vec(lane_one(), m, d, c->Ja, d->qacc);
  for (int i = 0; i < c->rows; i++) c->Ja[i] -= d->efc_aref[i];
  ct_update_rows(lane_one(), ct_all_rows(d), d->contact, c->Ja, elliptic);
  for (int i = 0; i < c->rows; i++) c->bent = c->bent || d->efc_state[i] == mjCNSTRSTATE_CONE;
  if (!ct_open_problem(lane_one(), m, d, &c->problem)) return false;
  if (!ct_open_hessian(lane_one(), d, &c->problem, &c->hessian)) return false;
  ct_factor_hessian(lane_one(), &c->problem, &c->hessian);
  return true;
}

// What g' H^-1 g is where g consists of the rounding errors of its terms.
static mjtNum rounding_error(ct_Centre* c, const mjModel* m, mjData* d) {
  const mjtNum* term[] = {c->Mx, d->qfrc_smooth, c->push};
  mjtNum sum = 0;
  for (int i = 0; i < 3; i++) {
    ct_copy(c->g, term[i], (int)m->nv);
    sum += find_chord(c, m, d);
  }
  return square(ROUNDING_OF_SUMS) * sum;
}

// From the solver's solution to the bottom. True if that made no difference which differences
// notice.
static bool reach_bottom(ct_Centre* c, const mjModel* m, mjData* d, mjtNum eps) {
  int nv = (int)m->nv;
  Residual rows = {c->Ja, lane_scratch_num(lane_one(), d, c->rows + 1)};
  if (!rows.w) return false;
  ct_copy(c->a, d->qacc, nv);
  ct_mul_M(lane_one(), m, d, c->Mx, c->a);
  evaluate(c, m, d, rows);
  c->rounding = rounding_error(c, m, d);
  if (!c->rows) return true;  // solved for by a factor
  if (!follow_chords(c, m, d, rows)) return false;
  mjtNum change = 0, size = 0, h = m->opt.timestep;
  for (int k = 0; k < nv; k++) {
    change = ct_max(change, ct_abs(c->a[k] - d->qacc[k]));
    size = ct_max(size, ct_abs(c->a[k]));
  }
  if (h * change > ct_max(CENTRE_ERROR * eps, ROUNDING_OF_SUMS * h * size)) return false;
  finish(c, m, d, rows);
  return true;
}

// Euler's acceleration at the centre.
static void move_centre(ct_Centre* c, const mjModel* m, const mjData* d) {
  int nv = (int)m->nv;
  for (int k = 0; k < nv; k++) c->damped[k] = c->g[k] = d->qfrc_smooth[k] + d->qfrc_constraint[k];
  ct_solve(lane_one(), m, d, c->qH, c->qHDiagInv, c->damped);
  c->rounding_damped = 2 * square(ROUNDING_OF_SUMS) * ct_dot(c->g, c->damped, nv);
}

static void remember_centre(ct_Centre* c, const mjModel* m, mjData* d) {
  ct_copy(c->acc, d->qacc, (int)m->nv);
  ct_mul_M(lane_one(), m, d, c->Ma, c->acc);
  if (c->rows) ct_mul_jac_vec(lane_one(), m, d, c->Ja, c->acc);
  for (int i = 0; i < c->rows; i++) c->state[i] = d->efc_state[i];
}

bool ct_open_centre(ct_Centre* c, const mjModel* m, mjData* d, mjtNum eps, bool sensed) {
  memset(c, 0, sizeof(*c));
  c->here.solve = solve_next_door;
  c->here.integrate = integrate_next_door;
  if (!may_follow(m, d) || !lane_mark(lane_one(), d)) return false;
  c->rows = d->nefc;
  c->kept = has_long_chains(m);
  c->unasked = !c->rows && !sensed && moves_by_itself(m, d);
  c->problem = ct_whole_problem(m, d);
  size_t needed = 2 * (size_t)d->maxuse_stack;
  bool useful = c->rows || c->kept || c->unasked;
  if (useful && take_vectors(c, m, d) && factor_centre(c, m, d) &&
      (c->unasked || reach_bottom(c, m, d, eps))) {
    remember_centre(c, m, d);
    if (c->damped) move_centre(c, m, d);
    c->here.pstack = d->pstack;
    c->open = ct_arena_free_bytes(d) > needed;
  }
  if (!c->open) lane_free(lane_one(), d);
  return c->open;
}

void ct_move_neighbour(ct_Centre* c, const mjModel* m, int dof) {
  int first = m->dof_bodyid[dof], end = first + 1;
  while (end < m->nbody && m->body_parentid[end] >= first) end++;  // depth comes first
  bool again = c->moved_from < c->moved_to;
  c->here.first_body = again && c->moved_from < first ? c->moved_from : first;
  c->here.end_body = again && c->moved_to > end ? c->moved_to : end;
  c->moved_from = first;
  c->moved_to = end;
}

void ct_check_centre(ct_Centre* c, const mjData* d) {
  if (d->pstack != c->here.pstack) c->open = false;
}
