// The mass matrix, by composite rigid bodies.
//
//   in    cinert  (nbody x 10)  inertia of every body
//         cdof    (nv x 6)      motion axis of every dof
//         ten_J   (ntendon x nv, or sparse rows)
//   out   crb     (nbody x 10)  inertia of every body and all that hangs on it, taken as rigid
//         M       (nC)          lower triangle by rows: ancestors of the dof, then the diagonal
//         qM      (nM)          the same numbers: diagonal, then the ancestors from near to far
//
// Inertias and axes are taken at one point per tree, see com.c. When only dof i moves, everything
// below it moves as one body. With I_b the inertia of that body and s_i the axis, the momentum is
// I_b s_i, and an ancestor j feels (Featherstone, Rigid Body Dynamics Algorithms, section 6.2)
//
//   M_ij = s_j . I_b(i) s_i,       M_ii also takes the armature of the dof.
//
// Dofs of a simple body (free or sliding, nothing hanging on it, axes through its centre of mass)
// have a constant diagonal, which the model has as dof_M0, and no row beside it.
//
// A tendon with armature a moves with the speed J qd, so that M += a J'J. Products of dofs that are
// not on one chain have no place in M and are dropped, as the reference does.
//
// While trees sleep, rows of their bodies and dofs keep what they had.

#include "engine/smooth/mass_matrix.h"

#include "base/model/awake.h"
#include "base/model/options.h"
#include "base/private.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "math/wide_spatial.h"

// Children are added from the last to the first, the order of a loop over all bodies backwards.
LANE_FN static void gather_composite(const ct_Schedule* s, mjData* d, int b) {
#if LANE_WIDTH > 1
  const mjtNum* own = d->cinert + 10 * b;
  mjtNum* crb = d->crb + 10 * b;
  Wide first = wide_load(own), second = wide_load(own + 4);
  mjtNum mcz = own[8], mass = own[9];
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    const mjtNum* child = d->crb + 10 * s->child[i];
    first += wide_load(child);
    second += wide_load(child + 4);
    mcz += child[8];
    mass += child[9];
  }
  wide_store(crb, first);
  wide_store(crb + 4, second);
  crb[8] = mcz;
  crb[9] = mass;
#else
  mjtNum inertia[10];
  ct_copy(inertia, d->cinert + 10 * b, 10);
  for (int i = s->child_adr[b]; i < s->child_adr[b + 1]; i++) {
    ct_add_to(inertia, d->crb + 10 * s->child[i], 10);
  }
  ct_copy(d->crb + 10 * b, inertia, 10);
#endif
}

LANE_INLINE void composite_row(const mjModel* m, mjData* d, int i) {
  mjtNum* row = d->M + m->M_rowadr[i];
  if (m->dof_simplenum[i]) {
    row[0] = m->dof_M0[i];
    return;
  }
  const int* column = m->M_colind + m->M_rowadr[i];
  int last = m->M_rownnz[i] - 1;
  mjtNum momentum[6];
  ct_mul_inert_vec(momentum, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
  for (int k = 0; k <= last; k++) {
    row[k] = ct_dot6(d->cdof + 6 * column[k], momentum);
  }
  row[last] += m->dof_armature[i];
}

LANE_FN static void composite_rows(Lane g, const mjModel* m, mjData* d, bool filter) {
  LANE_FOR(i, g, m->nv) {
    if (!filter || !ct_dof_asleep(m, d, i)) composite_row(m, d, i);
  }
}

#if LANE_WIDTH > 1

// On one lane. Dofs come branch by branch, so that the axes of a row's columns are a stack: what is
// left of a branch is written over by the next. Each member of the axes has an array of its own,
// and entries of four columns are a word. The momenta of up to four dofs that follow each other on
// one chain are made together, one in each place of a word.
//
// Measured: 1.2 times as fast as rows in the places of words, which take columns one by one.

enum { DEEPEST = 256 };  // rows that are longer are made number by number

typedef struct {
  mjtNum axis[6][DEEPEST + LANE_WIDTH];
  int end;  // the dof after the last that was put on
} AxisStack;

// How many dofs from i on can be made together.
static inline int rows_in_run(const mjModel* m, int i) {
  int n = 1;
  while (n < LANE_WIDTH && i + n < m->nv && m->dof_parentid[i + n] == i + n - 1) n++;
  return m->dof_simplenum[i] ? 1 : n;
}

// Members k and k + 1 of four structs as words.
LANE_INLINE void wide_pairs(Wide res[2], const mjtNum* const from[4], int k) {
  typedef mjtNum Pair
      __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
  Wide even =
      __builtin_shufflevector(*(const Pair*)(from[0] + k), *(const Pair*)(from[2] + k), 0, 1, 2, 3);
  Wide odd =
      __builtin_shufflevector(*(const Pair*)(from[1] + k), *(const Pair*)(from[3] + k), 0, 1, 2, 3);
  res[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  res[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

LANE_INLINE void wide_fours(Wide res[4], const mjtNum* const from[4], int k) {
  for (int t = 0; t < 4; t++) res[t] = wide_load(from[t] + k);
  wide_transpose(res);
}

// Axes of n dofs from i on, which go on the stack, and I_b s_i of them; the places behind them
// repeat the last.
static inline void run_momenta(const mjModel* m, const mjData* d, int i, int n, AxisStack* stack,
                               Wide momentum[6]) {
  const mjtNum *crb[LANE_WIDTH], *axis[LANE_WIDTH];
  for (int t = 0; t < LANE_WIDTH; t++) {
    int j = i + (t < n ? t : n - 1);
    crb[t] = d->crb + 10 * m->dof_bodyid[j];
    axis[t] = d->cdof + 6 * j;
  }
  Wide inertia[10], motion[6];
  wide_fours(inertia, crb, 0);
  wide_fours(inertia + 4, crb, 4);
  wide_pairs(inertia + 8, crb, 8);
  wide_fours(motion, axis, 0);
  wide_pairs(motion + 4, axis, 4);
  int depth = m->M_rownnz[i] - 1;
  for (int k = 0; k < 6; k++) wide_store(stack->axis[k] + depth, motion[k]);
  wide_mul_inert_vec(momentum, inertia, motion);
}

// Is what dof i hangs on on the stack? Files may number dofs in another way.
LANE_INLINE bool stack_is_of(const mjModel* m, const AxisStack* stack, int i) {
  int start = m->M_rowadr[i], depth = m->M_rownnz[i] - 1;
  if (depth == 0) return true;
  const int* before = m->M_colind + m->M_rowadr[i - 1];
  return stack->end == i && start - m->M_rowadr[i - 1] >= depth &&
         before[depth - 1] == m->M_colind[start + depth - 1];
}

static LANE_RARE void fill_stack(const mjModel* m, const mjData* d, int i, AxisStack* stack) {
  const int* column = m->M_colind + m->M_rowadr[i];
  for (int p = 0; p < m->M_rownnz[i] - 1; p++) {
    for (int k = 0; k < 6; k++) stack->axis[k][p] = d->cdof[6 * column[p] + k];
  }
}

// What n dofs, the axes on the stack, feel of a momentum. A last word that is not whole is stored
// whole if the rows behind it are yet to come.
LANE_INLINE void stack_row(const AxisStack* stack, mjtNum* row, int n, bool whole,
                           const Wide momentum[6]) {
  const mjtNum(*s)[DEEPEST + LANE_WIDTH] = stack->axis;
  for (int c = 0; c < n; c += LANE_WIDTH) {
    Wide head = (wide_load(s[0] + c) * momentum[0] + wide_load(s[2] + c) * momentum[2]) +
                (wide_load(s[1] + c) * momentum[1] + wide_load(s[3] + c) * momentum[3]);
    Wide entry = head + (wide_load(s[4] + c) * momentum[4] + wide_load(s[5] + c) * momentum[5]);
    if (whole || c + LANE_WIDTH <= n) {
      wide_store(row + c, entry);
    } else {
      row[c] = entry[0];
      if (c + 1 < n) row[c + 1] = entry[1];
      if (c + 2 < n) row[c + 2] = entry[2];
    }
  }
}

static void rows_of_run(const mjModel* m, mjData* d, int i, int n, bool whole, AxisStack* stack) {
  Wide momentum[6];
  mjtNum momenta[6][LANE_WIDTH];
  if (!stack_is_of(m, stack, i)) fill_stack(m, d, i, stack);
  stack->end = i + n;
  run_momenta(m, d, i, n, stack, momentum);
  for (int k = 0; k < 6; k++) wide_store(momenta[k], momentum[k]);
  for (int t = 0; t < n; t++) {
    mjtNum* row = d->M + m->M_rowadr[i + t];
    int count = m->M_rownnz[i + t];
    Wide all[6];
    for (int k = 0; k < 6; k++) all[k] = wide_all(momenta[k][t]);
    stack_row(stack, row, count, whole && m->M_rowadr[i + t] + count + LANE_WIDTH <= m->nC, all);
    row[count - 1] += m->dof_armature[i + t];
  }
}

static __attribute__((noinline)) void composite_rows_alone(const mjModel* m, mjData* d,
                                                           bool filter) {
  AxisStack stack;
  stack.end = 0;
  for (int i = 0, n; i < m->nv; i += n) {
    if (!filter && m->dof_simplenum[i]) {  // a number each, one after the other
      n = m->dof_simplenum[i];
      ct_copy(d->M + m->M_rowadr[i], m->dof_M0 + i, n);
      continue;
    }
    n = rows_in_run(m, i);
    if (filter && ct_dof_asleep(m, d, i)) continue;
    if (m->dof_simplenum[i] || m->M_rownnz[i + n - 1] > DEEPEST) {
      for (int t = 0; t < n; t++) composite_row(m, d, i + t);
    } else {
      rows_of_run(m, d, i, n, !filter, &stack);
    }
  }
}

#endif

LANE_FN void ct_composite_bodies(Lane g, const mjModel* m, mjData* d) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  bool filter = ct_some_asleep(m, d);
  LANE_LEVELS_AWAKE_UP(b, g, m, d, filter) {
    gather_composite(s, d, b);
  }
  LANE_ONCE(g) {
    ct_zero(d->crb, 10);  // nothing moves the world
  }
  bool alone = false;
#if LANE_WIDTH > 1
  alone = lane_count(g) == 1;
  if (alone) composite_rows_alone(m, d, filter);
#endif
  if (!alone) composite_rows(g, m, d, filter);
  lane_sync(g);
}

#ifndef CT_SIDE_BY_SIDE  // tendons are not

LANE_FN static void add_tendon_sparse(Lane g, const mjModel* m, mjData* d, int t, bool filter) {
  int start = d->ten_J_rowadr[t], n = d->ten_J_rownnz[t];
  const mjtNum* J = d->ten_J + start;
  const int* J_column = d->ten_J_colind + start;
  LANE_FOR(e, g, n) {
    int i = J_column[e];
    if (filter && ct_dof_asleep(m, d, i)) continue;
    ct_add_common_sparse(d->M + m->M_rowadr[i], m->M_colind + m->M_rowadr[i], m->M_rownnz[i], J,
                         J_column, n, m->tendon_armature[t] * J[e]);
  }
}

LANE_FN static void add_tendon_dense(Lane g, const mjModel* m, mjData* d, int t, bool filter) {
  const mjtNum* J = d->ten_J + t * m->nv;
  LANE_FOR(i, g, m->nv) {
    if (J[i] == 0 || (filter && ct_dof_asleep(m, d, i))) continue;
    mjtNum* row = d->M + m->M_rowadr[i];
    const int* column = m->M_colind + m->M_rowadr[i];
    mjtNum scale = m->tendon_armature[t] * J[i];
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      row[k] += scale * J[column[k]];
    }
  }
}

LANE_FN void ct_tendon_inertia(Lane g, const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d), sparse = ct_is_sparse(m);
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t] == 0) continue;
    if (sparse) {
      add_tendon_sparse(g, m, d, t, filter);
    } else {
      add_tendon_dense(g, m, d, t, filter);
    }
    lane_sync(g);  // the next tendon may touch the same rows
  }
}

#endif

// A row of qM from one of M, which runs the other way.
LANE_INLINE void reverse_row(mjtNum* reversed, const mjtNum* row, int n) {
  int k = 0;
#if LANE_WIDTH > 1
  for (; k <= n - LANE_WIDTH; k += LANE_WIDTH) {
    Wide x = wide_load(row + n - LANE_WIDTH - k);
    wide_store(reversed + k, __builtin_shufflevector(x, x, 3, 2, 1, 0));
  }
  if (n >= LANE_WIDTH && k < n) {  // some of them once more
    Wide x = wide_load(row);
    wide_store(reversed + n - LANE_WIDTH, __builtin_shufflevector(x, x, 3, 2, 1, 0));
    return;
  }
#endif
  for (; k < n; k++) reversed[k] = row[n - 1 - k];
}

LANE_FN int ct_mass_matrix(Lane g, const mjModel* m, mjData* d) {
  if (ct_all_asleep(m, d)) return CT_OK;
  ct_composite_bodies(g, m, d);
#ifndef CT_SIDE_BY_SIDE
  ct_tendon_inertia(g, m, d);
#endif
  LANE_FOR(i, g, m->nv) {
    reverse_row(d->qM + m->dof_Madr[i], d->M + m->M_rowadr[i], m->M_rownnz[i]);
  }
  lane_sync(g);
  return CT_OK;
}

// Both of the following add to res[j] its own row first, then what dofs below j contribute, in
// rising order. One lane goes through M once and adds into the ancestors. Several would have to
// meet after every row; there the owner of j goes through the rows below it, whose addresses
// D's pattern has.

LANE_INLINE void add_to_ancestors(const mjModel* m, const mjtNum* M, int i, int lead, mjtNum* res,
                                  const mjtNum* vec) {
  int start = m->M_rowadr[i];
  ct_add_to_scl_led(res, M + start, m->M_colind + start, vec[i], m->M_rownnz[i] - 1, lead);
}

LANE_INLINE void add_from_descendants(const mjModel* m, const mjtNum* M, int j, mjtNum* res,
                                      const mjtNum* vec) {
  int end = m->D_rowadr[j] + m->D_rownnz[j];
  for (int e = m->D_rowadr[j] + m->D_diag[j] + 1; e < end; e++) {
    if (m->mapM2D[e] >= 0) res[j] += M[m->mapM2D[e]] * vec[m->D_colind[e]];
  }
}

LANE_PRIMITIVE_ void mul_symmetric(Lane g, const mjModel* m, const mjData* d, const mjtNum* M,
                                   mjtNum* res, const mjtNum* vec) {
  const int* lead = ct_private(d)->schedule.lead;
  LANE_FOR(i, g, m->nv) {
    int start = m->M_rowadr[i];
    res[i] = ct_dot_led(M + start, m->M_colind + start, m->M_rownnz[i], lead[i], vec);
    if (lane_count(g) == 1) {
      add_to_ancestors(m, M, i, lead[i], res, vec);
    } else {
      add_from_descendants(m, M, i, res, vec);
    }
  }
  lane_sync(g);
}

LANE_FN void ct_mul_like_M(Lane g, const mjModel* m, const mjData* d, const mjtNum* M, mjtNum* res,
                           const mjtNum* vec) {
  mul_symmetric(g, m, d, M, res, vec);
}

LANE_FN LANE_APART void ct_mul_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                                 const mjtNum* vec) {
  mul_symmetric(g, m, d, d->M, res, vec);
}

LANE_FN void ct_mul_root_M(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                           const mjtNum* vec) {
  LANE_FOR(i, g, m->nv) {
    int start = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    mjtNum sum = vec[i] + ct_dot_sparse(d->qLD + start, m->M_colind + start, n, vec);
    res[i] = ct_sqrt(d->qLD[start + n]) * sum;
  }
  lane_sync(g);
}
