// The problem that a primal solver works on: dofs, constraint rows and inertia of the whole model
// or of one island.
//
//   minimise over a   (a - a_s)' M (a - a_s) / 2 + sum over rows of cost_i(J_i a - aref_i)
//
// Rows come in blocks. A pyramid's edges are n + mu t_k and n - mu t_k, so all of its rows are
// combinations of the basis n, mu t_1, mu t_2, ...: three vectors for four rows, six for ten.
// Products with J and the Hessian go through the basis. Rows that touch one dof, which are friction
// of dofs and limits of hinges and slides, have no basis: a dof and a factor.
//
// Up to CT_SMALL dofs all of that is dense scratch with rows padded to four numbers, and a set of
// dofs is one word. Beyond, J is used as it is stored if that is sparse, else made sparse.

#ifndef CT_ENGINE_SOLVER_PROBLEM_H_
#define CT_ENGINE_SOLVER_PROBLEM_H_

#include <stdbool.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/memory/scratch.h"
#include "engine/constraint/constraint.h"

// A kernel for problems that are smaller still may say so.
#ifndef CT_SMALL
#define CT_SMALL 64
#endif

// No directions by rows (row_newton.h): close to the solution they live on differences of sums that
// single precision, and sums in any order, lose; steps failed there where the start was good. A
// library for GPUs that does not promise the CPU's bits says so too: solvers with both are half as
// large again.
#if (defined(mjUSESINGLE) || defined(CT_FAST)) && !defined(CT_ONLY_HESSIANS)
#define CT_ONLY_HESSIANS
#endif

// A set of dofs of a small problem. A kernel for few dofs has narrow words.
#if CT_SMALL <= 32 && (defined(CT_ONLY_DENSE) || defined(CT_ONLY_ISLANDS))
typedef uint32_t ct_DofSet;
#else
typedef uint64_t ct_DofSet;
#endif

// Tests of convergence are no finer than the arithmetic: with float a slope, a cost or a gradient
// counts as zero within so much of the terms that it is the sum of. Tolerances of models are meant
// for double, where nothing changes.
LANE_INLINE mjtNum ct_rounding(mjtNum terms) {
#ifdef mjUSESINGLE
  return (mjtNum)1e-6 * terms;
#else
  (void)terms;
  return 0;
#endif
}

typedef struct ct_Block_ {
  int kind;        // CT_BLOCK_...
  int row, nrow;   // its rows
  int basis, dim;  // its vectors in the basis; none for a unit row
  int dof;         // of a unit row
  mjtNum factor;   // of a unit row: the one entry of its Jacobian
  ct_DofSet dofs;  // columns that may be other than zero
} ct_Block;

enum { CT_BLOCK_PLAIN, CT_BLOCK_PYRAMID, CT_BLOCK_ELLIPTIC, CT_BLOCK_UNIT };

typedef struct ct_Problem_ {
  int n;         // dofs
  int stride;    // of vectors and matrices in scratch: n, rounded up to four
  int island;    // -1: the whole model
  bool alone;    // the only island, in the order of the model
  mjtNum scale;  // of costs and gradients in tests of convergence
  ct_RowSet rows;
  mjContact* contact;
  const mjtNum *acc_smooth, *frc_smooth;  // (n)
  mjtNum *acc, *frc_constraint;           // (n) start, then result; result

  // inertia and its factor, lower triangle by rows
  const int *M_rownnz, *M_rowadr, *M_colind;
  const mjtNum *M, *LD, *invD;

  // Jacobian as it is stored: dense (nefc x n) or sparse
  bool sparse;
  const mjtNum* J;
  const int *J_rownnz, *J_rowadr, *J_colind;
  const int* J_rowsuper;  // rows after it with the same columns; NULL: not known
  int no_four_before;     // row before which none has the columns of the three after it

  // small problems
  int near;  // numbers taken of the memory that a kernel has set apart for them (CT_NEAR)
  bool small;
  bool few_rows;  // Newton's directions come from rows: row_newton.h
  int nblock, nbasis;
  ct_Block* block;
  int* block_of_row;    // (nefc)
  mjtNum* dense_M;      // (n x stride) NULL until it is made, here or by ct_start_dense_M
  mjtNum* basis;        // (nbasis x stride)
  mjtNum* coefficient;  // (nbasis) scratch of products
} ct_Problem;

LANE_INLINE int ct_pad4(int n) {
  return (n + 3) & ~3;
}

// Both are known before in kernels that were made for such problems only.
LANE_INLINE bool ct_problem_is_small(const ct_Problem* p) {
#if defined(CT_ONLY_DENSE) || defined(CT_ONLY_ISLANDS)
  (void)p;
  return true;
#else
  return p->small;
#endif
}

LANE_INLINE bool ct_problem_is_sparse(const ct_Problem* p) {
#ifdef CT_ONLY_DENSE
  (void)p;
  return false;
#else
  return p->sparse;
#endif
}

LANE_INLINE bool ct_problem_has_few_rows(const ct_Problem* p) {
#ifdef CT_ONLY_HESSIANS
  (void)p;
  return false;
#else
  return p->few_rows;
#endif
}

// The first row from row i on that has the columns of the three after it; how many rows there are,
// if none has.
LANE_INLINE int ct_next_four_alike(const ct_Problem* p, int i) {
  const int* after = p->J_rowsuper;
  int count = p->rows.nefc;
  if (!after) return count;
  if (i < p->no_four_before) i = p->no_four_before;
  while (i < count && after[i] < 3) i++;
  return i;
}

// Bits of a set of dofs.
LANE_INLINE int ct_lowest_dof(ct_DofSet dofs) {
#ifdef __CUDA_ARCH__
  return (sizeof(dofs) == 4 ? __ffs((int)dofs) : __ffsll((long long)dofs)) - 1;
#else
  return __builtin_ctzll(dofs);
#endif
}

LANE_INLINE int ct_highest_dof(ct_DofSet dofs) {
#ifdef __CUDA_ARCH__
  return sizeof(dofs) == 4 ? 31 - __clz((int)dofs) : 63 - __clzll((long long)dofs);
#else
  return 63 - __builtin_clzll(dofs);
#endif
}

LANE_INLINE int ct_count_dofs(ct_DofSet dofs) {
#ifdef __CUDA_ARCH__
  return sizeof(dofs) == 4 ? __popc((unsigned)dofs) : __popcll(dofs);
#else
  return __builtin_popcountll(dofs);
#endif
}

LANE_INLINE ct_DofSet ct_dof_bit(int dof) {
  return (ct_DofSet)1 << dof;
}

// Dofs 0 to dof - 1.
LANE_INLINE ct_DofSet ct_dofs_below(int dof) {
  return ct_dof_bit(dof) - 1;
}

// Scratch of a small problem that depends on its dofs alone, n numbers, a multiple of four. Kernels
// with CT_NEAR have ct_near_numbers of it set apart.
LANE_FN static inline mjtNum* ct_problem_scratch(Lane g, mjData* d, ct_Problem* p, int n) {
#ifdef CT_NEAR
  (void)g;
  p->near += n;
  return (mjtNum*)lane_near_scratch(d) + (p->near - n);
#else
  (void)p;
  return lane_scratch_num(g, d, n);
#endif
}

// Vectors of a descent, and rows beside the Hessian: pivots and their inverses, a block that is
// weighed, rows that changed.
enum { CT_DESCENT_VECTORS = 13, CT_MOST_UPDATES = 3, CT_HESSIAN_EXTRA = 8 + CT_MOST_UPDATES };

// All that a small problem with n dofs takes in this way: its inertia, vectors and Hessian.
LANE_INLINE int ct_near_numbers(int n) {
  return (2 * n + CT_DESCENT_VECTORS + CT_HESSIAN_EXTRA) * ct_pad4(n);
}

// M of all dofs for one lane that is going to solve a small problem with all of them: it starts
// from the matrix that ct_open_problem would make. NULL: it does not, or there is no room.
LANE_FN mjtNum* ct_start_dense_M(Lane g, const mjModel* m, mjData* d);

// M vec of all dofs, for the start; dense_M: as above. Terms of a row are added in the order of
// dofs, as ct_mul_M does. Kernels with memory set apart spread M there, and ct_open_problem finds
// it. Comes before it.
LANE_FN void ct_start_mul_M(Lane g, const mjModel* m, mjData* d, const mjtNum* dense_M, mjtNum* res,
                            const mjtNum* vec);

// The problem of all rows, or of one island, as the arena has it. What small problems need beside
// it is made by ct_open_problem, in scratch that the caller has marked; false without room.
LANE_FN ct_Problem ct_whole_problem(const mjModel* m, mjData* d);
LANE_FN ct_Problem ct_island_problem(const mjModel* m, mjData* d, int island);
LANE_FN bool ct_open_problem(Lane g, const mjModel* m, mjData* d, ct_Problem* p);

// Of a small problem whose J is sparse, the blocks and their dofs alone.
LANE_FN bool ct_open_stored_blocks(Lane g, const mjModel* m, mjData* d, ct_Problem* p);

// Products. Vectors of dofs are in scratch: `stride` numbers, zero behind the n. All results are
// visible to all lanes.
LANE_FN void ct_problem_mul_J(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec);
LANE_FN void ct_problem_mul_JT(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec);
LANE_FN void ct_problem_mul_M(Lane g, const ct_Problem* p, mjtNum* res, const mjtNum* vec);

// res (nrow) = A vec and res (stride) = A' vec, rows of A `stride` apart: padded ones, in scratch.
// Visible after a lane_sync.
LANE_FN void ct_problem_mul_rows(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec, int nrow,
                                 int stride);
LANE_FN void ct_problem_add_rows(Lane g, mjtNum* res, const mjtNum* A, const mjtNum* vec, int nrow,
                                 int stride);

// x = M^-1 x
LANE_FN void ct_problem_solve_M(Lane g, const mjModel* m, const mjData* d, const ct_Problem* p,
                                mjtNum* x);

#endif  // CT_ENGINE_SOLVER_PROBLEM_H_
