// The Hessian of the constraint problem and its factor. See hessian.c.

#ifndef CT_ENGINE_SOLVER_HESSIAN_H_
#define CT_ENGINE_SOLVER_HESSIAN_H_

#include "base/model/options.h"
#include "engine/solver/problem.h"

// More changed rows than CT_MOST_UPDATES (problem.h): assembling and factoring anew is faster.
#define CT_LEAST_PIVOT_LEFT ((mjtNum)1e-10)  // share of a pivot below which a change is not applied

typedef struct ct_ColumnsOfRows_ {  // a matrix in compressed rows, by columns
  int* adr;                         // (columns + 1) where each column starts in the other two
  int* row;                         // row of an entry
  int* at;                          // and its address
} ct_ColumnsOfRows;

typedef struct ct_Panel_ {  // rows of a small problem that are eliminated together: k, k - 1, ...
  int k, width;
  int lo, end;          // words of columns of ancestors, as far as they are not
  int own;              // the panel's own, up to that of k
  ct_DofSet rows;       // k, k - 1, ...
  ct_DofSet ancestors;  // columns of all of them, below the last
} ct_Panel;

typedef struct ct_Hessian_ {
  int nsquare;       // entries of the lower triangle of J'J
  int nfactor;       // entries of L, diagonal included
  bool factored;     // is there a factor?
  bool had_cones;    // did it have contacts on the side of their cone?
  int* state;        // (nefc) states that it belongs to
  mjtNum *D, *invD;  // (stride) pivots

  // small problems, and large ones on several lanes: dense rows, `stride` apart, and the columns of
  // each as bits
  mjtNum* H;           // (n x stride) L without its unit diagonal; of large problems see below
  uint64_t* bits;      // (n x words) of large problems
  mjtNum* weighed;     // (6 x stride) S B of one block
  mjtNum* change;      // (CT_MOST_UPDATES x stride) rows that changed
  ct_DofSet* pattern;  // (n)

  // small problems on one lane: what stays of a factor where little changes
  bool patched;     // was it changed by rank-one terms?
  int npanel;       // 0: not yet listed
  ct_Panel* panel;  // (npanel) from the last row to the first
  mjtNum* kept;     // (n x stride) rows of L before they were divided by their pivots

  // large problems: compressed rows of L, columns ascending, diagonal last
  int *rownnz, *rowadr, *colind;
  mjtNum* value;
  ct_ColumnsOfRows by_column;  // of L
  int* repeats;                // (nefc) are the columns of a row of J those of the row before?
  mjtNum* weighed_J;           // D J, C J or 0 in the places of J
  int* place;                  // (n) where rows of H have their column 0, if they have room there;
  ct_ColumnsOfRows J_by_column;  // else H is NULL, and rows are made one by one
  mjtNum* work;                  // (n) one row of H, dense
  int* stale;                    // (n) does the row of L have to be made again?
} ct_Hessian;

// Takes scratch and finds the pattern; false without room.
LANE_FN bool ct_open_hessian(Lane g, mjData* d, ct_Problem* p, ct_Hessian* h);

// Takes scratch and finds the pattern of a small problem alone, whose entries are counted if J is
// sparse.
LANE_FN bool ct_open_pattern(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h);

// The factor of H at the states in p->rows and the cones in contact.H.
LANE_FN void ct_factor_hessian(Lane g, const ct_Problem* p, ct_Hessian* h);

// x = H^-1 x
LANE_FN void ct_solve_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x);

// Is the row part of H with its weight D?
LANE_INLINE bool ct_is_quadratic(int state) {
  return state == mjCNSTRSTATE_QUADRATIC;
}

// May what a row adds to H differ from what it added?
LANE_INLINE bool ct_part_has_changed(int now, int before) {
  return now == mjCNSTRSTATE_CONE || before == mjCNSTRSTATE_CONE ||
         ct_is_quadratic(now) != ct_is_quadratic(before);
}

// The weight of a row in H.
LANE_INLINE mjtNum ct_active_weight(const ct_Problem* p, int row) {
  return ct_is_quadratic(p->rows.state[row]) ? p->rows.D[row] : 0;
}

// S (dim x dim) of a block; false if it is zero. dim is that of the block, for callers that know
// it.
LANE_INLINE bool ct_block_weights(int dim, const ct_Problem* p, const ct_Block* b, mjtNum S[36]) {
  bool any = false;
  if (ct_may_be_elliptic() && b->kind == CT_BLOCK_ELLIPTIC &&
      p->rows.state[b->row] == mjCNSTRSTATE_CONE) {
    const mjtNum* cone = p->contact[p->rows.id[b->row]].H;
    for (int i = 0; i < dim * dim; i++) S[i] = cone[i];
    return true;
  }
  for (int i = 0; i < dim * dim; i++) S[i] = 0;
  if (b->kind == CT_BLOCK_PYRAMID) {
    for (int q = 1; q < dim; q++) {
      mjtNum plus = ct_active_weight(p, b->row + 2 * q - 2),
             minus = ct_active_weight(p, b->row + 2 * q - 1);
      S[0] += plus + minus;
      S[q] = S[q * dim] = plus - minus;
      S[q * dim + q] = plus + minus;
    }
    return S[0] != 0;
  }
  for (int q = 0; q < dim; q++) {
    S[q * dim + q] = ct_active_weight(p, b->row + q);
    any = any || S[q * dim + q] != 0;
  }
  return any;
}

// What small problems do on several lanes: hessian_lanes.c.
LANE_FN void ct_find_pattern_lanes(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_assemble_lanes(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_factor_lanes(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN bool ct_update_factor_lanes(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_solve_lanes(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x);

// What they do where every dof has a lane: hessian_columns.c. The largest column:
#define CT_COLUMN (CT_SMALL < 32 ? CT_SMALL : 32)
LANE_FN void ct_factor_columns(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN bool ct_update_factor_columns(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_solve_columns(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x);

LANE_PRIMITIVE_ bool ct_dofs_have_lanes(Lane g, const ct_Problem* p) {
#ifdef CT_LANE_COUNT
  if (CT_SMALL <= CT_LANE_COUNT) return true;  // nothing else is compiled
#endif
  return p->stride <= lane_count(g) && p->n <= CT_COLUMN;
}

// What large problems do: hessian_sparse.c, and on several lanes, if they are not very large,
// hessian_dense.c.
// One lane keeps rows of H whole if they take no more room than so many times the factor's, or
// less, where memory is short.
enum { CT_MOST_DENSE = 128, CT_MOST_ROOM = 64, CT_LEAST_ROOM = 4 };

LANE_PRIMITIVE_ bool ct_lanes_keep_dense(Lane g, const ct_Problem* p) {
  return lane_count(g) > 1 && p->n <= CT_MOST_DENSE;
}

// Words of a set of dofs.
LANE_INLINE int ct_dof_words(int n) {
  return (n + 63) / 64;
}

// What row i adds to H is J_i' times its weighed row, in the places of J; of a row that adds
// nothing it is not written, nor of one that was quadratic before: those states may be NULL.
LANE_FN void ct_weigh_rows(Lane g, const ct_Problem* p, mjtNum* weighed, const int* before);

LANE_FN bool ct_open_dense_hessian(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_factor_dense_hessian(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_solve_dense_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x);
LANE_FN bool ct_open_sparse_hessian(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h,
                                    int most_room);
LANE_FN void ct_factor_sparse_hessian(Lane g, const ct_Problem* p, ct_Hessian* h);
LANE_FN void ct_solve_sparse_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x);

#endif  // CT_ENGINE_SOLVER_HESSIAN_H_
