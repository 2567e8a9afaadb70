// Solvers that work on forces: projected Gauss-Seidel, and the pass that stops slip.
//
//   minimise over f   f' AR f / 2 + f' b   subject to limits of friction, f >= 0 or cones
//
//   in    efc_AR = J M^-1 J' + R, efc_b, start in efc_force
//   out   efc_force, efc_state, qfrc_constraint = J' efc_force, qacc, statistics
//
// A sweep takes block by block: a single row, or all rows of an elliptic contact. A contact moves
// along its ray first, which changes the normal force, then in its tangents with the normal fixed,
// where it is a quadratic program with an ellipsoid (math/qcqp.h). What would make the cost rise is
// taken back.
//
// The second pass works with AR - R on friction alone: opposing edges of a pyramid with their sum
// fixed, tangents of elliptic contacts with the normal fixed.

#include "engine/solver/solver.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/smooth/factor.h"
#include "math/lane_vec.h"
#include "math/qcqp.h"
#include "math/sparse.h"

enum { SWEEPS = 8 };  // with one residual

#define MOST_RISE ((mjtNum)1e-10)       // of the cost of a block before its change is taken back
#define LEAST_DIAGONAL ((mjtNum)1e-10)  // of a block without regularisation

// AR

// Four sums side by side: rows of AR are long, and one sum would wait for its own additions. No
// wide loads: they would wait for the force that was just written.
LANE_INLINE mjtNum long_dot_sparse(const mjtNum* sparse, const int* column, int n,
                                   const mjtNum* dense) {
  mjtNum s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += sparse[k] * dense[column[k]];
    s1 += sparse[k + 1] * dense[column[k + 1]];
    s2 += sparse[k + 2] * dense[column[k + 2]];
    s3 += sparse[k + 3] * dense[column[k + 3]];
  }
  for (; k < n; k++) s0 += sparse[k] * dense[column[k]];
  return (s0 + s2) + (s1 + s3);
}

LANE_INLINE mjtNum AR_times_force(const mjData* d, int i, bool sparse) {
  if (sparse) {
    int start = d->efc_AR_rowadr[i];
    return long_dot_sparse(d->efc_AR + start, d->efc_AR_colind + start, d->efc_AR_rownnz[i],
                           d->efc_force);
  }
  return ct_dot(d->efc_AR + (size_t)i * (size_t)d->nefc, d->efc_force, d->nefc);
}

#ifndef __CUDACC__

// long_dot_sparse for forces that were not written just now, so that neighbours are a word.
LANE_INLINE mjtNum long_dot_words(const mjtNum* sparse, const int* column, int n,
                                  const mjtNum* dense) {
  Wide sum = wide_all(0);
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    const int* c = column + k;
    Wide x = {dense[c[0]], dense[c[1]], dense[c[2]], dense[c[3]]};
    if (c[3] == c[0] + 3) x = wide_load(dense + c[0]);
    sum = wide_add(sum, wide_mul(wide_load(sparse + k), x));
  }
  mjtNum first = sum[0];
  for (; k < n; k++) first += sparse[k] * dense[column[k]];
  return (first + sum[2]) + (sum[1] + sum[3]);
}

#endif

LANE_FN void ct_AR_times_force(Lane g, const mjModel* m, const mjData* d, mjtNum* res) {
  bool sparse = ct_is_sparse(m);
#ifndef __CUDACC__
  if (sparse && lane_count(g) == 1) {
    for (int i = 0; i < d->nefc; i++) {
      int start = d->efc_AR_rowadr[i];
      res[i] = long_dot_words(d->efc_AR + start, d->efc_AR_colind + start, d->efc_AR_rownnz[i],
                              d->efc_force);
    }
    return;
  }
#endif
  LANE_FOR(i, g, d->nefc) {
    res[i] = AR_times_force(d, i, sparse);
  }
}

// Entry (i, i) of AR; the rest of a block follows it, in this row and at the same place in others.
LANE_FN static const mjtNum* AR_diagonal(const mjModel* m, const mjData* d, int i) {
  if (!ct_is_sparse(m)) return d->efc_AR + (size_t)i * (size_t)d->nefc + (size_t)i;
  int low = d->efc_AR_rowadr[i], high = low + d->efc_AR_rownnz[i] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (d->efc_AR_colind[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return d->efc_AR + low;
}

#ifndef __CUDACC__

// long_dot_sparse for `dim` neighbouring rows with the same columns. Words of forces are put
// together from numbers, because the last ones were written just now. Inlined with dim known.
LANE_INLINE void dots_together(const mjData* d, int row, int dim, mjtNum* res) {
  int start = d->efc_AR_rowadr[row], n = d->efc_AR_rownnz[row], k = 0;
  const int* column = d->efc_AR_colind + start;
  const mjtNum *AR = d->efc_AR + start, *force = d->efc_force;
  Wide sum[6];
  for (int q = 0; q < dim; q++) sum[q] = wide_all(0);
  for (; k + 4 <= n; k += 4) {
    const int* c = column + k;
    Wide x = {force[c[0]], force[c[1]], force[c[2]], force[c[3]]};
    for (int q = 0; q < dim; q++) {
      sum[q] = wide_add(sum[q], wide_mul(wide_load(AR + q * n + k), x));
    }
  }
  for (int q = 0; q < dim; q++) {
    mjtNum first = sum[q][0];
    for (int e = k; e < n; e++) first += AR[q * n + e] * force[column[e]];
    res[q] = (first + sum[q][2]) + (sum[q][1] + sum[q][3]);
  }
}

#endif

// res (dim) = rows of AR times the force.
LANE_FN static void block_times_force(Lane g, const mjModel* m, const mjData* d, int row, int dim,
                                      mjtNum* res) {
  bool sparse = ct_is_sparse(m);
#ifndef __CUDACC__
  if (sparse && lane_count(g) == 1) {
    if (dim == 1) dots_together(d, row, 1, res);
    if (dim == 2) dots_together(d, row, 2, res);
    if (dim == 3) dots_together(d, row, 3, res);
    if (dim > 3) dots_together(d, row, dim, res);
    return;
  }
#endif
  (void)g;
  for (int q = 0; q < dim; q++) res[q] = AR_times_force(d, row + q, sparse);
}

typedef struct {
  int row, dim;
  mjtNum A[36];             // its block of AR
  mjtNum residual[6];       // b + AR f
  mjtNum old[6], force[6];  // before and after
} DualBlock;

// residual (nefc): b + AR f of all rows; NULL: it is added up here, without the regularisation.
LANE_FN static DualBlock open_dual_block(Lane g, const mjModel* m, const mjData* d, int row,
                                         int dim, const mjtNum* residual) {
  DualBlock b;
  bool without = !residual;
  const mjtNum* A = AR_diagonal(m, d, row);
  size_t stride = (size_t)(ct_is_sparse(m) ? d->efc_AR_rownnz[row] : d->nefc);
  b.row = row;
  b.dim = dim;
  if (without) block_times_force(g, m, d, row, dim, b.residual);
  for (int q = 0; q < dim; q++) {
    int i = row + q;
    b.residual[q] = residual ? residual[i] : d->efc_b[i] + b.residual[q];
    b.old[q] = b.force[q] = d->efc_force[i];
    if (without) b.residual[q] -= d->efc_R[i] * b.old[q];
    for (int s = 0; s < dim; s++) b.A[q * dim + s] = A[(size_t)q * stride + (size_t)s];
    if (without) {
      b.A[q * dim + q] = ct_max(LEAST_DIAGONAL, b.A[q * dim + q] - d->efc_R[i]);
    }
  }
  lane_sync(g);
  return b;
}

// What the new forces add to the cost.
LANE_FN static mjtNum rise_of_block(const DualBlock* b) {
  mjtNum rise = 0;
  for (int q = 0; q < b->dim; q++) {
    mjtNum sum = 0, step = b->force[q] - b->old[q];
    for (int s = 0; s < b->dim; s++) sum += b->A[q * b->dim + s] * (b->force[s] - b->old[s]);
    rise += step * (sum / 2 + b->residual[q]);
  }
  return rise;
}

// Writes the forces unless they make the cost rise; returns its change.
LANE_FN static mjtNum close_dual_block(Lane g, mjData* d, const DualBlock* b) {
  mjtNum rise = rise_of_block(b);
  if (rise > MOST_RISE) return 0;
  LANE_ONCE(g) {
    for (int q = 0; q < b->dim; q++) d->efc_force[b->row + q] = b->force[q];
  }
  lane_sync(g);
  return rise;
}

// Blocks

LANE_INLINE mjtNum clamp_friction(const mjData* d, int row, mjtNum force) {
  mjtNum loss = d->efc_frictionloss[row];
  return ct_max(-loss, ct_min(loss, force));
}

// Along the ray of the present force, or along the normal if there is none.
LANE_INLINE void move_along_ray(DualBlock* b) {
  if (b->force[0] < mjMINVAL) {
    b->force[0] = ct_max(0, b->force[0] - b->residual[0] / b->A[0]);
    for (int q = 1; q < b->dim; q++) b->force[q] = 0;
    return;
  }
  mjtNum curvature = 0, slope = 0;
  for (int q = 0; q < b->dim; q++) {
    mjtNum sum = 0;
    for (int s = 0; s < b->dim; s++) sum += b->A[q * b->dim + s] * b->old[s];
    curvature += b->old[q] * sum;
    slope += b->old[q] * b->residual[q];
  }
  if (curvature < mjMINVAL) return;
  mjtNum x = ct_max(-1, -slope / curvature);
  for (int q = 0; q < b->dim; q++) b->force[q] += x * b->old[q];
}

// Tangential forces for the normal force b->force[0].
LANE_FN static void solve_tangents(const mjContact* contact, DualBlock* b) {
  int n = b->dim - 1, dim = b->dim;
  mjtNum A[25], bias[5], x[5], normal = b->force[0];
  if (normal < mjMINVAL) {
    for (int q = 1; q < dim; q++) b->force[q] = 0;
    return;
  }
  for (int q = 0; q < n; q++) {
    const mjtNum* row = b->A + (q + 1) * dim;
    mjtNum sum = 0;
    for (int s = 0; s < n; s++) {
      A[q * n + s] = row[s + 1];
      sum += row[s + 1] * b->old[s + 1];
    }
    bias[q] = b->residual[q + 1] - sum + row[0] * (normal - b->old[0]);
  }
  const mjtNum* mu = contact->friction;
  int active = n == 2   ? ct_qcqp2(x, A, bias, mu, normal)
               : n == 3 ? ct_qcqp3(x, A, bias, mu, normal)
                        : ct_qcqp(x, A, bias, mu, normal, n);
  mjtNum scale = 1;
  if (active) {
    mjtNum sum = 0;
    for (int q = 0; q < n; q++) sum += x[q] * x[q] / (mu[q] * mu[q]);
    scale = ct_sqrt(normal * normal / ct_max(mjMINVAL, sum));
  }
  for (int q = 0; q < n; q++) b->force[q + 1] = x[q] * scale;
}

LANE_INLINE int dual_dim(const mjData* d, int row) {
  return d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC ? d->contact[d->efc_id[row]].dim : 1;
}

// State of the block of `dim` rows that starts at row, with these forces.
LANE_FN static inline int dual_state(const mjData* d, int row, int dim, const mjtNum* f) {
  if (row < d->ne) return mjCNSTRSTATE_QUADRATIC;
  if (row < d->ne + d->nf) {
    mjtNum loss = d->efc_frictionloss[row];
    if (f[0] <= -loss) return mjCNSTRSTATE_LINEARPOS;
    return f[0] >= loss ? mjCNSTRSTATE_LINEARNEG : mjCNSTRSTATE_QUADRATIC;
  }
  if (d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC) {
    return f[0] <= 0 ? mjCNSTRSTATE_SATISFIED : mjCNSTRSTATE_QUADRATIC;
  }
  const mjContact* contact = d->contact + d->efc_id[row];
  mjtNum mu = contact->mu, normal = f[0] / mu, tangent = 0;
  for (int q = 1; q < dim; q++) {
    mjtNum scaled = f[q] / contact->friction[q - 1];
    tangent += scaled * scaled;
  }
  tangent = ct_sqrt(tangent);
  if (mu * normal >= tangent) return mjCNSTRSTATE_SATISFIED;
  return normal + mu * tangent <= 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_CONE;
}

// Rows of the block that starts at this row; 0 if it starts before.
LANE_INLINE int dual_block_at(const mjData* d, int row) {
  if (d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC) return 1;
  const mjContact* contact = d->contact + d->efc_id[row];
  return contact->efc_address == row ? contact->dim : 0;
}

typedef struct {        // what a sweep changes
  mjtNum fall;          // of the cost
  int active, changed;  // how many rows more are active; how many have another state
} Sweep;

LANE_FN static inline void note_move(Sweep* sweep, const mjData* d, int row, int dim,
                                     const mjtNum* old, const mjtNum* force, mjtNum rise) {
  int before = dual_state(d, row, dim, old), after = dual_state(d, row, dim, force);
  sweep->fall -= rise;
  if (before == after) return;
  sweep->changed += dim;
  if (row < d->ne + d->nf) return;  // always active
  if (before == mjCNSTRSTATE_SATISFIED) sweep->active += dim;
  if (after == mjCNSTRSTATE_SATISFIED) sweep->active -= dim;
}

// residual += step * column of AR, which is a row of it. Sums of products with AR would wait for
// the force that was just written and for their own additions; these do not wait for each other,
// and where a force stays there are none.
LANE_FN static inline void add_to_residual(Lane g, const mjData* d, mjtNum* residual, int row,
                                           mjtNum step, bool sparse) {
  if (sparse) {
    const mjtNum* AR = d->efc_AR + d->efc_AR_rowadr[row];
    const int* column = d->efc_AR_colind + d->efc_AR_rowadr[row];
    LANE_FOR(k, g, d->efc_AR_rownnz[row]) {
      residual[column[k]] += step * AR[k];
    }
  } else {
    lane_add_scaled(g, residual, d->efc_AR + (size_t)row * (size_t)d->nefc, step, d->nefc);
  }
  lane_sync(g);
}

// A row of an equality or of friction. inverse: of the diagonal of AR, diagonal.
LANE_FN static inline void move_row(Lane g, mjData* d, mjtNum* residual, int row, bool sparse,
                                    mjtNum diagonal, mjtNum inverse, Sweep* sweep) {
  mjtNum old = d->efc_force[row], slope = residual[row], force = old - slope * inverse;
  if (row >= d->ne) force = clamp_friction(d, row, force);
  mjtNum step = force - old, rise = step * (diagonal * step / 2 + slope);
  if (step == 0 || rise > MOST_RISE) return;
  note_move(sweep, d, row, 1, &old, &force, rise);
  lane_sync(g);
  LANE_ONCE(g) {
    d->efc_force[row] = force;
  }
  add_to_residual(g, d, residual, row, step, sparse);
}

// A row that pushes only. Its step, which others wait for, is known before its force.
LANE_FN static inline void push_row(Lane g, mjData* d, mjtNum* residual, int row, bool sparse,
                                    mjtNum diagonal, mjtNum inverse, Sweep* sweep) {
  mjtNum old = d->efc_force[row], slope = residual[row], wanted = -inverse * slope;
  mjtNum step = -old > wanted ? -old : wanted, force = old + step;
  if (step == 0) return;
  mjtNum rise = step * (diagonal * step / 2 + slope);
  if (rise > MOST_RISE) return;
  sweep->fall -= rise;
  sweep->active += (old <= 0) - (force <= 0);
  sweep->changed += (old <= 0) != (force <= 0);
  lane_sync(g);
  LANE_ONCE(g) {
    d->efc_force[row] = force;
  }
  add_to_residual(g, d, residual, row, step, sparse);
}

typedef struct {  // rows that one lane takes together
  int* at;        // (nefc) where the list of the four rows that start here begins; -1: one by one
  int* list;      // of places in rows of AR, by run
} Fours;

#ifndef __CUDACC__

// One lane takes four rows that push at a time, where they stand together: they see each other's
// steps in registers, and the residuals of all others are read and written once for the four.

// Places of columns in the rows of a run: those that stand in fours in a run, then the others.
// Before them stand what is added to a row of the run for its own place, and how many there are of
// both. Into a list unless that is NULL; returns its length.
LANE_FN static int list_places(const mjData* d, int row, int* list) {
  const int* column = d->efc_AR_colind + d->efc_AR_rowadr[row];
  int n = d->efc_AR_rownnz[row], places = 3, words = 0;
  for (int rest = 0; rest < 2; rest++) {
    for (int k = 0, count; k < n; k += count) {
      count = d->efc_J_rowsuper[column[k]] + 1;
      int whole = count / 4 * 4, first = rest ? whole : 0, end = rest ? count : whole;
      for (int place = first; place < end; place += rest ? 1 : 4) {
        if (list) list[places] = k + place;
        places++;
      }
      if (list && column[k] == row) list[0] = k - row;
    }
    if (!rest) words = places - 3;
  }
  if (list) {
    list[1] = words;
    list[2] = places - 3 - words;
  }
  return places;
}

LANE_INLINE bool row_pushes(const mjData* d, int row) {
  return row >= d->ne + d->nf && d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC;
}

LANE_INLINE bool four_push(const mjData* d, int row) {
  for (int q = 0; q < 4; q++) {
    if (row + q >= d->nefc || !row_pushes(d, row + q)) return false;
  }
  return true;
}

// Fours stand in runs of rows, whose columns are the same; false without room. A dense AR has none:
// it is small, few of its rows move, and a sweep would go through all columns for one of four.
// Measured: 5 % of Gymnasium's Humanoid.
LANE_FN static bool find_fours(Lane g, mjData* d, Fours* f) {
  int size = 0, filled = 0;
  f->at = lane_scratch_int(g, d, d->nefc);
  if (!f->at) return false;
  for (int row = 0; row < d->nefc; row++) f->at[row] = -1;
  for (int row = 0; row < d->nefc; row += d->efc_J_rowsuper[row] + 1) {
    if (d->efc_J_rowsuper[row] >= 3) size += list_places(d, row, NULL);
  }
  f->list = lane_scratch_int(g, d, size);
  if (!f->list) return false;
  for (int row = 0, count; row < d->nefc; row += count) {
    count = d->efc_J_rowsuper[row] + 1;
    for (int k = 0; k + 4 <= count; k += 4) {
      if (four_push(d, row + k)) f->at[row + k] = filled;
    }
    if (count >= 4) filled += list_places(d, row, f->list + filled);
  }
  return true;
}

typedef struct {
  const mjtNum* A;   // the first of four rows of AR
  ptrdiff_t stride;  // from one to the next
  mjtNum step[4];
} FourSteps;

// What four rows add to neighbouring residuals, from place k of the rows on.
LANE_INLINE void add_four_to_word(mjtNum* residual, const FourSteps* s, int k) {
  Wide x = wide_load(residual);
  for (int q = 0; q < 4; q++) {
    x = wide_add(x, wide_mul(wide_all(s->step[q]), wide_load(s->A + q * s->stride + k)));
  }
  wide_store(residual, x);
}

LANE_INLINE void add_four_to_one(mjtNum* residual, const FourSteps* s, int k) {
  mjtNum x = *residual;
  for (int q = 0; q < 4; q++) x += s->step[q] * s->A[q * s->stride + k];
  *residual = x;
}

LANE_FN static void add_four_steps(const mjData* d, mjtNum* residual, const FourSteps* s, int row,
                                   const int* list) {
  const int *column = d->efc_AR_colind + d->efc_AR_rowadr[row], *place = list + 3;
  for (int w = 0; w < list[1]; w++, place++) {
    add_four_to_word(residual + column[*place], s, *place);
  }
  for (int w = 0; w < list[2]; w++, place++) {
    add_four_to_one(residual + column[*place], s, *place);
  }
}

// push_row for four rows.
LANE_FN static void push_four_rows(mjData* d, mjtNum* residual, int row, const Fours* f,
                                   const mjtNum* diagonal, Sweep* sweep) {
  const int* list = f->list + f->at[row];
  mjtNum* force = d->efc_force + row;
  mjtNum slope[4];
  FourSteps s;
  bool moved = false;
  s.stride = d->efc_AR_rownnz[row];
  s.A = d->efc_AR + d->efc_AR_rowadr[row];
  const mjtNum* block = s.A + list[0] + row;
  for (int q = 0; q < 4; q++) slope[q] = residual[row + q];
  for (int q = 0; q < 4; q++) {
    mjtNum old = force[q], wanted = -diagonal[2 * (row + q) + 1] * slope[q];
    mjtNum step = -old > wanted ? -old : wanted;
    mjtNum rise = step * (diagonal[2 * (row + q)] * step / 2 + slope[q]);
    s.step[q] = 0;
    if (step == 0 || rise > MOST_RISE) continue;
    s.step[q] = step;
    force[q] = old + step;
    moved = true;
    sweep->fall -= rise;
    sweep->active += (old <= 0) - (force[q] <= 0);
    sweep->changed += (old <= 0) != (force[q] <= 0);
    for (int t = q + 1; t < 4; t++) slope[t] += step * block[q * s.stride + t];
  }
  if (moved) add_four_steps(d, residual, &s, row, list);
}

#endif

// All rows of an elliptic contact.
LANE_FN static void move_cone(Lane g, const mjModel* m, mjData* d, mjtNum* residual, int row,
                              int dim, bool sparse, Sweep* sweep) {
  DualBlock b = open_dual_block(g, m, d, row, dim, residual);
  move_along_ray(&b);
  solve_tangents(d->contact + d->efc_id[row], &b);
  mjtNum rise = rise_of_block(&b);
  if (rise > MOST_RISE) return;
  note_move(sweep, d, row, dim, b.old, b.force, rise);
  LANE_ONCE(g) {
    for (int q = 0; q < dim; q++) d->efc_force[row + q] = b.force[q];
  }
  for (int q = 0; q < dim; q++) {
    mjtNum step = b.force[q] - b.old[q];
    if (step != 0) add_to_residual(g, d, residual, row + q, step, sparse);
  }
  lane_sync(g);
}

// One sweep over all blocks. residual (nefc) = b + AR f; diagonal (nefc x 2): of AR, and its
// inverse; fours: NULL on several lanes, and if AR is dense.
LANE_FN static Sweep sweep_forces(Lane g, const mjModel* m, mjData* d, mjtNum* residual,
                                  const mjtNum* diagonal, const Fours* fours) {
  Sweep sweep = {0, 0, 0};
  bool sparse = ct_is_sparse(m);
  int nefc = d->nefc, held = d->ne + d->nf;
  for (int row = 0; row < held; row++) {
    move_row(g, d, residual, row, sparse, diagonal[2 * row], diagonal[2 * row + 1], &sweep);
  }
  for (int row = held; row < nefc;) {
#ifndef __CUDACC__
    if (fours && fours->at[row] >= 0) {
      push_four_rows(d, residual, row, fours, diagonal, &sweep);
      row += 4;
      continue;
    }
#else
    (void)fours;
#endif
    int dim = dual_dim(d, row);
    if (dim == 1) {
      push_row(g, d, residual, row, sparse, diagonal[2 * row], diagonal[2 * row + 1], &sweep);
    } else {
      move_cone(g, m, d, residual, row, dim, sparse, &sweep);
    }
    row += dim;
  }
  return sweep;
}

// The second pass

// Friction rows: no regularisation, and nothing is taken back.
LANE_FN static mjtNum sweep_friction(Lane g, const mjModel* m, mjData* d) {
  mjtNum fall = 0;
  for (int row = d->ne; row < d->ne + d->nf; row++) {
    DualBlock b = open_dual_block(g, m, d, row, 1, NULL);
    mjtNum A = ct_max(mjMINVAL, *AR_diagonal(m, d, row) - d->efc_R[row]);
    mjtNum force = clamp_friction(d, row, b.old[0] - b.residual[0] / A), step = force - b.old[0];
    fall -= A * step * step / 2 + step * b.residual[0];
    LANE_ONCE(g) {
      d->efc_force[row] = force;
    }
    lane_sync(g);
  }
  return fall;
}

// Two opposing edges of a pyramid with their sum fixed: an equal share each, and what is shifted
// from one to the other.
LANE_INLINE void balance_edges(DualBlock* b) {
  const mjtNum* A = b->A;
  mjtNum share = (b->old[0] + b->old[1]) / 2, shift = 0;

  // what the residuals are without the two, then slope and curvature of the cost by the shift
  mjtNum without0 = b->residual[0] - (A[0] * b->old[0] + A[1] * b->old[1]);
  mjtNum without1 = b->residual[1] - (A[2] * b->old[0] + A[3] * b->old[1]);
  mjtNum slope = share * (A[0] - A[3]) + without0 - without1;
  mjtNum curvature = A[0] + A[3] - A[1] - A[2];
  if (curvature >= mjMINVAL) shift = ct_max(-share, ct_min(share, -slope / curvature));
  b->force[0] = share + shift;
  b->force[1] = share - shift;
}

LANE_FN static mjtNum sweep_contacts(Lane g, const mjModel* m, mjData* d) {
  mjtNum fall = 0;
  for (int row = d->ne + d->nf + d->nl; row < d->nefc;) {
    int type = d->efc_type[row];
    const mjContact* contact = d->contact + d->efc_id[row];
    if (type == mjCNSTR_CONTACT_PYRAMIDAL) {
      for (int end = row + 2 * (contact->dim - 1); row < end; row += 2) {
        DualBlock b = open_dual_block(g, m, d, row, 2, NULL);
        balance_edges(&b);
        fall -= close_dual_block(g, d, &b);
      }
    } else if (type == mjCNSTR_CONTACT_ELLIPTIC) {
      DualBlock b = open_dual_block(g, m, d, row, contact->dim, NULL);
      solve_tangents(contact, &b);
      fall -= close_dual_block(g, d, &b);
      row += contact->dim;
    } else {
      row++;
    }
  }
  return fall;
}

// Statistics

// Sets all states and counts what is active and what changed.
LANE_FN static mjSolverStat set_dual_states(Lane g, mjData* d) {
  mjSolverStat stat = {0, 0, 0, 0, 0, 0, 0};
  int active = 0, changed = 0;
  LANE_FOR(row, g, d->nefc) {
    int dim = dual_block_at(d, row);
    if (dim == 0) continue;
    int state = dual_state(d, row, dim, d->efc_force + row);
    for (int q = 0; q < dim; q++) {
      changed += d->efc_state[row + q] != state;
      d->efc_state[row + q] = state;
    }
    if (row < d->ne + d->nf || state != mjCNSTRSTATE_SATISFIED) active += dim;
  }
  LANE_COUNT(stat.nactive, r, g, lane_count(g), r == lane_rank(g) ? active : 0);
  LANE_COUNT(stat.nchange, r, g, lane_count(g), r == lane_rank(g) ? changed : 0);
  lane_sync(g);
  return stat;
}

// qfrc_constraint = J' efc_force, qacc = M^-1 of it + qacc_smooth
LANE_FN static void dual_to_acceleration(Lane g, const mjModel* m, mjData* d) {
  ct_mul_jac_t_vec(g, m, d, d->qfrc_constraint, d->efc_force);
  lane_sync(g);
  LANE_FOR(k, g, m->nv) {
    d->qacc[k] = d->qfrc_constraint[k];
  }
  lane_sync(g);
  ct_solve(g, m, d, d->qLD, d->qLDiagInv, d->qacc);
  lane_sync(g);
  LANE_FOR(k, g, m->nv) {
    d->qacc[k] += d->qacc_smooth[k];
  }
  lane_sync(g);
}

LANE_INLINE mjtNum dual_scale(const mjModel* m) {
  return 1 / (m->stat.meaninertia * (mjtNum)(m->nv > 1 ? m->nv : 1));
}

// What rounding has left of b + AR f after some sweeps is made new.
LANE_FN static void renew_residual(Lane g, const mjModel* m, const mjData* d, mjtNum* residual) {
  lane_sync(g);
  ct_AR_times_force(g, m, d, residual);
  LANE_FOR(i, g, d->nefc) {
    residual[i] = d->efc_b[i] + residual[i];
  }
  lane_sync(g);
}

LANE_FN int ct_solve_dual(Lane g, const mjModel* m, mjData* d, mjtNum* residual) {
  int done = 0, nnz = d->nefc * d->nefc;
  bool converged = false;
  mjtNum* diagonal = lane_scratch_num(g, d, 2 * d->nefc);
  if (!diagonal) return CT_STACK_FULL;
  LANE_FOR(i, g, d->nefc) {
    diagonal[2 * i] = *AR_diagonal(m, d, i);
    diagonal[2 * i + 1] = 1 / diagonal[2 * i];
  }
  lane_sync(g);
  if (ct_is_sparse(m)) {
    LANE_COUNT(nnz, i, g, d->nefc, d->efc_AR_rownnz[i]);
  }
  const Fours* together = NULL;
#ifndef __CUDACC__
  Fours fours;
  if (lane_count(g) == 1 && ct_is_sparse(m)) {
    if (!find_fours(g, d, &fours)) return CT_STACK_FULL;
    together = &fours;
  }
#endif
  mjSolverStat stat = set_dual_states(g, d);
  while (done < m->opt.iterations && !converged) {
    if (done && done % SWEEPS == 0) renew_residual(g, m, d, residual);
    Sweep sweep = sweep_forces(g, m, d, residual, diagonal, together);
    stat.improvement = sweep.fall * dual_scale(m);
    stat.nactive += sweep.active;
    stat.nchange = sweep.changed;
    LANE_ONCE(g) {
      ct_save_statistics(d, -1, done, stat);
    }
    done++;
    converged = stat.improvement < m->opt.tolerance;
    if (ct_hopeless(stat.improvement, done)) break;
  }
  lane_sync(g);
  set_dual_states(g, d);
  LANE_ONCE(g) {
    d->solver_niter[0] = done;
    d->solver_nnz[0] = nnz;
  }
  dual_to_acceleration(g, m, d);
  return converged ? CT_OK : CT_SOLVER_UNCONVERGED;
}

LANE_FN int ct_stop_slip(Lane g, const mjModel* m, mjData* d) {
  int before = d->solver_niter[0], done = 0;
  mjtNum regularised;
  LANE_SUM(regularised, i, g, d->nefc, d->efc_force[i] * d->efc_force[i] * d->efc_R[i]);
  lane_sync(g);
  set_dual_states(g, d);
  while (done < m->opt.noslip_iterations) {
    mjtNum fall = done == 0 ? regularised / 2 : 0;
    fall += sweep_friction(g, m, d);
    fall += sweep_contacts(g, m, d);
    fall *= dual_scale(m);
    mjSolverStat stat = set_dual_states(g, d);
    stat.improvement = fall;
    LANE_ONCE(g) {
      ct_save_statistics(d, -1, before + done, stat);
    }
    done++;
    if (fall < m->opt.noslip_tolerance || ct_hopeless(fall, done)) break;
  }
  lane_sync(g);
  LANE_ONCE(g) {
    d->solver_niter[0] = before + done;
  }
  dual_to_acceleration(g, m, d);
  return CT_OK;
}
