// Forces of constraint rows at a given acceleration: the inverse of the constraint problem, and
// what primal solvers evaluate in every iteration.
//
//   in    jar                (nefc)  J a - aref, how far the acceleration is from the reference
//         efc_D, efc_R, efc_frictionloss, contact.mu, contact.friction
//   out   efc_force          (nefc)  minus the derivative of the cost by jar
//         efc_state          (nefc)  which part of its cost a row is in
//         qfrc_constraint    (nv)    J' efc_force
//         contact.H                  on request: second derivative of the cost of a contact
//
// Each row has a convex cost s(r) of its residual r (Todorov, Convex and analytically-invertible
// dynamics with contacts and constraints, ICRA 2014):
//
//   equality                        D r^2 / 2
//   friction with loss f            D r^2 / 2 where |D r| < f, continued by straight lines
//   limit, frictionless, pyramid    D r^2 / 2 where r < 0, else 0
//   elliptic contact                squared distance from a cone, in scaled residuals
//
// For the last let U_0 = mu r_0, U_j = friction_j r_j, N = U_0 and T = |U_1...|. Where N >= mu T
// the contact separates and costs nothing; where mu N + T <= 0 all rows are quadratic; between them
// lies the cone, with cost Dm (N - mu T)^2 / 2, Dm = D_0 / (mu^2 (1 + mu^2)).

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/constraint/constraint.h"
#include "math/lane_vec.h"
#include "math/vec.h"

LANE_INLINE mjtNum update_quadratic(const ct_RowSet* rows, int i, mjtNum r) {
  rows->state[i] = mjCNSTRSTATE_QUADRATIC;
  rows->force[i] = -rows->D[i] * r;
  return rows->D[i] * r * r / 2;
}

LANE_INLINE mjtNum update_satisfied(const ct_RowSet* rows, int i) {
  rows->state[i] = mjCNSTRSTATE_SATISFIED;
  rows->force[i] = 0;
  return 0;
}

LANE_INLINE mjtNum update_friction(const ct_RowSet* rows, int i, mjtNum r) {
  mjtNum loss = rows->frictionloss[i], knee = rows->R[i] * loss;
  if (r <= -knee) {
    rows->state[i] = mjCNSTRSTATE_LINEARNEG;
    rows->force[i] = loss;
    return loss * (-knee / 2 - r);
  }
  if (r >= knee) {
    rows->state[i] = mjCNSTRSTATE_LINEARPOS;
    rows->force[i] = -loss;
    return loss * (-knee / 2 + r);
  }
  return update_quadratic(rows, i, r);
}

typedef struct {  // an elliptic contact in scaled residuals
  int dim;
  mjtNum mu, N, T, Dm;
  mjtNum scale[6], U[6];
} Cone;

LANE_INLINE Cone scaled_cone(const mjContact* con, const mjtNum* r, mjtNum D) {
  Cone cone;
  mjtNum tangent = 0;
  cone.dim = con->dim;
  cone.mu = con->mu;
  cone.Dm = D / (con->mu * con->mu * (1 + con->mu * con->mu));
  cone.scale[0] = con->mu;
  cone.N = cone.U[0] = con->mu * r[0];
  for (int j = 1; j < con->dim; j++) {
    cone.scale[j] = con->friction[j - 1];
    cone.U[j] = cone.scale[j] * r[j];
    tangent += cone.U[j] * cone.U[j];
  }
  cone.T = ct_sqrt(tangent);
  return cone;
}

// Second derivative of the cost by the residuals, in the zone between.
LANE_INLINE void cone_hessian(mjtNum* H, const Cone* c) {
  mjtNum mu = c->mu, T = ct_max(mjMINVAL, c->T), along = mu * c->N / (T * T * T);
  mjtNum across = mu * mu - mu * c->N / T;
  for (int j = 0; j < c->dim; j++) {
    for (int k = 0; k < c->dim; k++) {
      mjtNum entry = along * c->U[j] * c->U[k] + (j == k ? across : 0);
      if (j == 0 || k == 0) entry = j == k ? 1 : -mu * c->U[j + k] / T;
      H[j * c->dim + k] = c->Dm * c->scale[j] * c->scale[k] * entry;
    }
  }
}

LANE_INLINE mjtNum update_cone(const ct_RowSet* rows, mjContact* con, int i, const mjtNum* r,
                               bool hessian) {
  Cone c = scaled_cone(con, r, rows->D[i]);
  mjtNum cost = 0;
  if (c.N >= c.mu * c.T || (c.T <= 0 && c.N >= 0)) {
    for (int j = 0; j < c.dim; j++) update_satisfied(rows, i + j);
  } else if (c.mu * c.N + c.T <= 0 || (c.T <= 0 && c.N < 0)) {
    for (int j = 0; j < c.dim; j++) cost += update_quadratic(rows, i + j, r[j]);
  } else {
    mjtNum beyond = c.N - c.mu * c.T, normal = -c.Dm * beyond * c.mu;
    rows->force[i] = normal;
    rows->state[i] = mjCNSTRSTATE_CONE;
    for (int j = 1; j < c.dim; j++) {
      rows->force[i + j] = -normal / c.T * c.U[j] * c.scale[j];
      rows->state[i + j] = mjCNSTRSTATE_CONE;
    }
    if (hessian) cone_hessian(con->H, &c);
    cost = c.Dm * beyond * beyond / 2;
  }
  return cost;
}

// Row i, or the whole contact if it starts there; returns the cost.
LANE_INLINE mjtNum update_row(const ct_RowSet* rows, mjContact* contact, const mjtNum* jar, int i,
                              bool hessian) {
  mjtNum r = jar[i];
  if (i < rows->ne) return update_quadratic(rows, i, r);
  if (i < rows->ne + rows->nf) return update_friction(rows, i, r);
  if (!ct_may_be_elliptic() || rows->type[i] != mjCNSTR_CONTACT_ELLIPTIC) {
    return r >= 0 ? update_satisfied(rows, i) : update_quadratic(rows, i, r);
  }
  bool first =
      i == 0 || rows->type[i - 1] != mjCNSTR_CONTACT_ELLIPTIC || rows->id[i - 1] != rows->id[i];
  return first ? update_cone(rows, contact + rows->id[i], i, jar + i, hessian) : 0;
}

#ifndef __CUDACC__

// Four rows at a time, on one lane, where all four are of one kind. Each has the bits that
// update_row gives it, and costs are added as LANE_SUM adds them.

typedef int FourStates __attribute__((vector_size(4 * sizeof(int)), aligned(sizeof(int))));

LANE_INLINE void store_states(int* state, WideMask states) {
  *(FourStates*)state = __builtin_convertvector(states, FourStates);
}

// Quadratic where the mask is set, satisfied elsewhere.
LANE_INLINE Wide update_sided_word(const ct_RowSet* rows, int i, Wide r, WideMask quadratic) {
  Wide t = wide_mul(wide_load(rows->D + i), r);
  store_states(rows->state + i, quadratic & mjCNSTRSTATE_QUADRATIC);
  wide_store(rows->force + i, (Wide)(quadratic & (WideMask)(-t)));
  return (Wide)(quadratic & (WideMask)(t * r / 2));
}

// The same of the last rows, of which there are fewer than four: no branch has to guess their sign.
LANE_INLINE Wide update_last_sided(const ct_RowSet* rows, int i, const mjtNum* jar) {
  int n = rows->nefc - i;
  Wide r = ct_last_word_(jar + i, n), t = wide_mul(ct_last_word_(rows->D + i, n), r);
  WideMask quadratic = ~(WideMask)(r >= 0);
  Wide force = (Wide)(quadratic & (WideMask)(-t));
  Wide cost = (Wide)(quadratic & (WideMask)(t * r / 2));
  quadratic &= mjCNSTRSTATE_QUADRATIC;
  for (int k = 0; k < 3; k++) {
    if (k >= n) break;
    rows->state[i + k] = (int)quadratic[k];
    rows->force[i + k] = force[k];
  }
  return cost;
}

LANE_INLINE Wide update_friction_word(const ct_RowSet* rows, int i, Wide r) {
  Wide loss = wide_load(rows->frictionloss + i), knee = wide_load(rows->R + i) * loss;
  Wide t = wide_mul(wide_load(rows->D + i), r);
  WideMask below = (WideMask)(r <= -knee), above = ~below & (WideMask)(r >= knee);
  WideMask between = ~(below | above);
  store_states(rows->state + i, (below & mjCNSTRSTATE_LINEARNEG) |
                                    (above & mjCNSTRSTATE_LINEARPOS) |
                                    (between & mjCNSTRSTATE_QUADRATIC));
  wide_store(rows->force + i, (Wide)((below & (WideMask)loss) | (above & (WideMask)(-loss)) |
                                     (between & (WideMask)(-t))));
  return (Wide)((below & (WideMask)(loss * (-knee / 2 - r))) |
                (above & (WideMask)(loss * (-knee / 2 + r))) | (between & (WideMask)(t * r / 2)));
}

// Four rows from i on, none of an elliptic contact.
LANE_INLINE Wide update_word(const ct_RowSet* rows, const mjtNum* jar, int i) {
  int friction = rows->ne, sided = rows->ne + rows->nf, end = i + 4;
  if (end <= rows->nefc) {
    Wide r = wide_load(jar + i);
    if (end <= friction) return update_sided_word(rows, i, r, ~(WideMask){0, 0, 0, 0});
    if (i >= friction && end <= sided) return update_friction_word(rows, i, r);
    if (i >= sided) return update_sided_word(rows, i, r, ~(WideMask)(r >= 0));
  } else if (i >= sided) {
    return update_last_sided(rows, i, jar);
  }
  Wide cost = wide_all(0);
  for (int k = 0; k < 4 && i + k < rows->nefc; k++) {
    cost[k] = update_row(rows, NULL, jar, i + k, false);
  }
  return cost;
}

// The elliptic contact whose first row is i, of dimension 3 or 4, with its rows in one word. What
// is stored behind the third of three is the next row's, which is still to come.

LANE_INLINE Wide word_of_contact(const mjtNum* x, int i, int nefc) {
  return i + 4 <= nefc ? wide_load(x + i) : ct_last_word_(x + i, 3);
}

LANE_INLINE void store_contact(const ct_RowSet* rows, int i, Wide force, int state) {
  if (i + 4 <= rows->nefc) {
    WideMask states = {state, state, state, state};
    wide_store(rows->force + i, force);
    store_states(rows->state + i, states);
    return;
  }
  for (int j = 0; j < 3; j++) {
    rows->force[i + j] = force[j];
    rows->state[i + j] = state;
  }
}

// cone_hessian, a row of H at a time. What is stored behind a row of three is the next row's.
// Inlined with dim known, so that numbers find their places in words without way through memory.
LANE_INLINE void cone_hessian_word(mjtNum* H, int dim, mjtNum mu, mjtNum N, mjtNum length,
                                   mjtNum Dm, Wide scale, Wide U) {
  mjtNum T = ct_max(mjMINVAL, length), along = mu * N / (T * T * T);
  mjtNum across = mu * mu - mu * N / T;
  const Wide first = wide_all(-mu) * U / wide_all(T);
  for (int j = 0; j < dim; j++) {
    Wide row = first, diagonal = wide_all(0);
    if (j > 0) {
      diagonal[j] = across;
      row = wide_all(along * U[j]) * U + diagonal;
    }
    row[0] = j > 0 ? first[j] : 1;
    row = wide_all(Dm * scale[j]) * scale * row;
    if (j + 1 < dim || dim == 4) {
      wide_store(H + j * dim, row);
    } else {
      for (int k = 0; k < 3; k++) H[j * dim + k] = row[k];
    }
  }
}

LANE_INLINE mjtNum update_cone_word(const ct_RowSet* rows, mjContact* con, int i, int dim,
                                    const mjtNum* jar, bool hessian) {
  Wide r = word_of_contact(jar, i, rows->nefc), D = word_of_contact(rows->D, i, rows->nefc);
  Wide scale = {con->mu, con->friction[0], con->friction[1], con->friction[2]};
  Wide U = scale * r, square = U * U;
  mjtNum mu = con->mu, N = U[0], T = square[1] + square[2];
  if (dim == 4) T += square[3];
  T = ct_sqrt(T);

  // separated
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    store_contact(rows, i, wide_all(0), mjCNSTRSTATE_SATISFIED);
    return 0;
  }

  // at the bottom
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    Wide cost = D * r * r / wide_all(2);
    store_contact(rows, i, -D * r, mjCNSTRSTATE_QUADRATIC);
    mjtNum sum = 0 + cost[0] + cost[1] + cost[2];
    return dim == 4 ? sum + cost[3] : sum;
  }

  // on the side
  mjtNum Dm = D[0] / (mu * mu * (1 + mu * mu)), beyond = N - mu * T, normal = -Dm * beyond * mu;
  Wide force = wide_all(-normal / T) * U * scale;
  force[0] = normal;
  store_contact(rows, i, force, mjCNSTRSTATE_CONE);
  if (hessian && dim == 3) cone_hessian_word(con->H, 3, mu, N, T, Dm, scale, U);
  if (hessian && dim == 4) cone_hessian_word(con->H, 4, mu, N, T, Dm, scale, U);
  return Dm * beyond * beyond / 2;
}

// A contact of dimension 6 has two words, its last two rows in the second.

LANE_INLINE Wide word_of_two(const mjtNum* x, int i, int nefc) {
  return i + 4 <= nefc ? wide_load(x + i) : ct_last_word_(x + i, 2);
}

LANE_INLINE void store_six(const ct_RowSet* rows, int i, const Wide force[2], int state) {
  WideMask states = {state, state, state, state};
  wide_store(rows->force + i, force[0]);
  rows->force[i + 4] = force[1][0];
  rows->force[i + 5] = force[1][1];
  store_states(rows->state + i, states);
  rows->state[i + 4] = rows->state[i + 5] = state;
}

LANE_INLINE void cone_hessian_six(mjtNum* H, mjtNum mu, mjtNum N, mjtNum length, mjtNum Dm,
                                  const Wide scale[2], const Wide U[2]) {
  mjtNum T = ct_max(mjMINVAL, length), along = mu * N / (T * T * T);
  mjtNum across = mu * mu - mu * N / T;
  const Wide first[2] = {wide_all(-mu) * U[0] / wide_all(T), wide_all(-mu) * U[1] / wide_all(T)};
  for (int j = 0; j < 6; j++) {
    Wide row[2] = {first[0], first[1]}, diagonal[2] = {wide_all(0), wide_all(0)};
    if (j > 0) {
      diagonal[j / 4][j % 4] = across;
      for (int q = 0; q < 2; q++) row[q] = wide_all(along * U[j / 4][j % 4]) * U[q] + diagonal[q];
    }
    row[0][0] = j > 0 ? first[j / 4][j % 4] : 1;
    for (int q = 0; q < 2; q++) row[q] = wide_all(Dm * scale[j / 4][j % 4]) * scale[q] * row[q];
    wide_store(H + 6 * j, row[0]);
    H[6 * j + 4] = row[1][0];
    H[6 * j + 5] = row[1][1];
  }
}

LANE_INLINE mjtNum update_cone_six(const ct_RowSet* rows, mjContact* con, int i, const mjtNum* jar,
                                   bool hessian) {
  const Wide r[2] = {wide_load(jar + i), word_of_two(jar, i + 4, rows->nefc)};
  const Wide D[2] = {wide_load(rows->D + i), word_of_two(rows->D, i + 4, rows->nefc)};
  const Wide scale[2] = {{con->mu, con->friction[0], con->friction[1], con->friction[2]},
                         {con->friction[3], con->friction[4], 0, 0}};
  const Wide U[2] = {scale[0] * r[0], scale[1] * r[1]};
  Wide square = U[0] * U[0], last = U[1] * U[1], force[2] = {wide_all(0), wide_all(0)};
  mjtNum mu = con->mu, N = U[0][0];
  mjtNum T = ct_sqrt(square[1] + square[2] + square[3] + last[0] + last[1]);

  // separated
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    store_six(rows, i, force, mjCNSTRSTATE_SATISFIED);
    return 0;
  }

  // at the bottom
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    square = D[0] * r[0] * r[0] / wide_all(2);
    last = D[1] * r[1] * r[1] / wide_all(2);
    for (int q = 0; q < 2; q++) force[q] = -D[q] * r[q];
    store_six(rows, i, force, mjCNSTRSTATE_QUADRATIC);
    return 0 + square[0] + square[1] + square[2] + square[3] + last[0] + last[1];
  }

  // on the side
  mjtNum Dm = D[0][0] / (mu * mu * (1 + mu * mu)), beyond = N - mu * T, normal = -Dm * beyond * mu;
  for (int q = 0; q < 2; q++) force[q] = wide_all(-normal / T) * U[q] * scale[q];
  force[0][0] = normal;
  store_six(rows, i, force, mjCNSTRSTATE_CONE);
  if (hessian) cone_hessian_six(con->H, mu, N, T, Dm, scale, U);
  return Dm * beyond * beyond / 2;
}

// Adds to place k of the words. A number that was stored alone would have to be waited for.
LANE_INLINE void add_to_slot(Wide* slot, int k, mjtNum cost) {
  static const WideMask place[4] = {{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
  slot[k >> 2] = wide_add(slot[k >> 2], (Wide)(place[k & 3] & (WideMask)wide_all(cost)));
}

// Rows from i on, among which are elliptic contacts: one after the other. slot: (8) sums of costs.
LANE_FN static void update_with_cones(const ct_RowSet* rows, mjContact* contact, const mjtNum* jar,
                                      int i, bool hessian, Wide* slot) {
  for (int dim; i < rows->nefc; i += dim) {
    mjContact* con = contact + rows->id[i];
    mjtNum cost;
    dim = rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC ? con->dim : 1;
    if (dim == 6) {
      cost = update_cone_six(rows, con, i, jar, hessian);
    } else if (dim == 3 || dim == 4) {
      cost = update_cone_word(rows, con, i, dim, jar, hessian);
    } else {  // or 2 or 5, which only edited models have
      cost = update_row(rows, contact, jar, i, hessian);
    }
    add_to_slot(slot, i & 31, cost);
  }
}

// The first row of an elliptic contact; nefc: there is none. Pyramids are not beside them.
LANE_INLINE int first_cone(const ct_RowSet* rows) {
  int i = rows->ne + rows->nf;
  while (i < rows->nefc && rows->type[i] < mjCNSTR_CONTACT_PYRAMIDAL) i++;
  return i < rows->nefc && rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC ? i : rows->nefc;
}

LANE_FN static mjtNum update_rows_alone(const ct_RowSet* rows, mjContact* contact,
                                        const mjtNum* jar, bool hessian) {
  Wide slot[8];
  int cone = first_cone(rows), words = (rows->nefc + 3) / 4, first = words < 8 ? words : 8;
  bool cones = cone < rows->nefc;
  if (cones) words = cone / 4;  // that have none of their rows
  slot[0] = slot[1] = wide_all(0);
  for (int w = cones ? 2 : words; w < first; w++) slot[w] = wide_all(0);
  for (int w = 0; w < words; w++) {
    Wide before = w < 8 ? wide_all(0) : slot[w % 8];
    slot[w % 8] = wide_add(before, update_word(rows, jar, 4 * w));
  }
  if (cones) update_with_cones(rows, contact, jar, 4 * words, hessian, slot);
  return ct_fold_words_(slot, first);
}

#endif

LANE_FN mjtNum ct_update_rows(Lane g, ct_RowSet rows, mjContact* contact, const mjtNum* jar,
                              bool cones) {
#ifndef __CUDACC__
  if (lane_count(g) == 1 && rows.nefc) return update_rows_alone(&rows, contact, jar, cones);
#endif
  mjtNum cost;
  LANE_SUM(cost, i, g, rows.nefc, update_row(&rows, contact, jar, i, cones));
  lane_sync(g);
  return cost;
}

LANE_FN mjtNum ct_constraint_update(Lane g, const mjModel* m, mjData* d, const mjtNum* jar,
                                    bool cones) {
  if (d->nefc == 0) return 0;
  mjtNum cost = ct_update_rows(g, ct_all_rows(d), d->contact, jar, cones);
  ct_mul_jac_t_vec(g, m, d, d->qfrc_constraint, d->efc_force);
  return cost;
}

LANE_FN int ct_inverse_constraint(Lane g, const mjModel* m, mjData* d) {
  if (d->nefc == 0) {
    LANE_FOR(k, g, m->nv) {
      d->qfrc_constraint[k] = 0;
    }
    lane_sync(g);
    return CT_OK;
  }
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* jar = lane_scratch_num(g, d, d->nefc);
  if (jar) {
    ct_mul_jac_vec(g, m, d, jar, d->qacc);
    LANE_FOR(i, g, d->nefc) {
      jar[i] -= d->efc_aref[i];
    }
    lane_sync(g);
    ct_constraint_update(g, m, d, jar, false);
  }
  lane_free(g, d);
  return jar ? CT_OK : CT_STACK_FULL;
}
