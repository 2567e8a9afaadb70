// Where constraint rows are written: what the files that make rows of one kind have in common.
//
// A dense row has nv entries, zero unless somebody writes them. A sparse row has the entries that
// were counted for it; rows of one block (a contact, a weld) have the same columns. Either way
// entry k of row i of a block stands at J + i * stride + at, where `at` is the dof, or the place
// of the dof among the columns.

#ifndef CT_ENGINE_CONSTRAINT_ROW_WRITER_H_
#define CT_ENGINE_CONSTRAINT_ROW_WRITER_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/model/awake.h"
#include "base/model/chain.h"
#include "base/model/equality.h"

typedef struct ct_RowWriter_ {  // the same on all lanes
  bool sparse;
  int row;    // rows that are written
  int entry;  // their entries, if sparse
} ct_RowWriter;

typedef struct ct_RowSize_ {
  int rows, entries;  // of a block; entries of all its rows together, if sparse
} ct_RowSize;

typedef struct ct_RowBlock_ {  // the next rows
  mjtNum* J;                   // of the first row
  int* colind;                 // the same, if sparse
  int stride;                  // from row to row
} ct_RowBlock;

LANE_INLINE ct_RowBlock ct_next_block(const mjModel* m, const mjData* d, const ct_RowWriter* w,
                                      int columns) {
  ct_RowBlock block;
  size_t start = w->sparse ? (size_t)w->entry : (size_t)w->row * (size_t)m->nv;
  block.J = d->efc_J + start;
  block.colind = w->sparse ? d->efc_J_colind + start : NULL;
  block.stride = w->sparse ? columns : (int)m->nv;
  return block;
}

// What a row is, without its Jacobian.
LANE_INLINE void ct_describe_row(mjData* d, int row, int type, int id, mjtNum pos, mjtNum margin,
                                 mjtNum frictionloss) {
  d->efc_type[row] = type;
  d->efc_id[row] = id;
  d->efc_pos[row] = pos;
  d->efc_margin[row] = margin;
  d->efc_frictionloss[row] = frictionloss;
}

LANE_INLINE void ct_describe_entries(mjData* d, int row, int start, int count) {
  d->efc_J_rownnz[row] = count;
  d->efc_J_rowadr[row] = start;
}

// Places for `own` things of each lane, in the order of lanes: returns this lane's first and adds
// those of all lanes to *total. Called by all lanes.
LANE_FN static inline int ct_lane_append(Lane g, int own, int* total) {
  int upto = own, rank = lane_rank(g);
  for (int stride = 1; stride < lane_count(g); stride *= 2) {
    int lower = lane_exchange_int(g, upto, rank >= stride ? rank - stride : rank);
    upto += rank >= stride ? lower : 0;
  }
  int first = *total + upto - own;
  *total += lane_exchange_int(g, upto, lane_count(g) - 1);
  return first;
}

// Room for that many rows and entries of each lane, in the order of lanes.
LANE_FN static inline ct_RowWriter ct_append_rows(Lane g, ct_RowWriter* w, int rows, int entries) {
  ct_RowWriter own = *w;
  own.row = ct_lane_append(g, rows, &w->row);
  if (w->sparse) own.entry = ct_lane_append(g, entries, &w->entry);
  return own;
}

// Joints that have reached a limit, as one lane found them when it counted rows: there is no need
// to look for them again unless there were more.
#ifdef __CUDACC__
#define CT_MOST_LIMITED 1
#else
#define CT_MOST_LIMITED 128
#endif
typedef struct ct_LimitedJoints_ {
  int count;
  int joint[CT_MOST_LIMITED];
} ct_LimitedJoints;

// Is a limit at this distance reached? NaN is not.
#define CT_ACTIVE(distance_, margin_) ((distance_) < (margin_))

// Rows of each kind: how large they are, and writing them. See the files of the same names.
LANE_FN ct_RowSize ct_count_equalities(Lane g, const mjModel* m, const mjData* d, bool sparse);
LANE_FN void ct_write_equalities(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w);

// Those of one equality of a flex, which is active.
LANE_FN ct_RowSize ct_count_flex_rows(Lane g, const mjModel* m, const mjData* d, int i,
                                      bool sparse);
LANE_FN void ct_write_flex_rows(Lane g, const mjModel* m, mjData* d, int i, ct_RowWriter* w);

LANE_FN ct_RowSize ct_count_dof_friction(Lane g, const mjModel* m, const mjData* d);
LANE_FN void ct_write_dof_friction(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w);
LANE_FN ct_RowSize ct_count_joint_limits(Lane g, const mjModel* m, const mjData* d, bool sparse,
                                         ct_LimitedJoints* limited);
LANE_FN void ct_write_joint_limits(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w,
                                   const ct_LimitedJoints* limited);

LANE_FN ct_RowSize ct_count_tendons(Lane g, const mjModel* m, const mjData* d, bool sparse,
                                    bool limits);
LANE_FN void ct_write_tendon_friction(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w);
LANE_FN void ct_write_tendon_limits(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w);

LANE_FN ct_RowSize ct_count_contact_rows(Lane g, const mjModel* m, const mjData* d, bool sparse);
LANE_FN void ct_write_contact_rows(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w);

// Regularisation and reference parameters of all rows, and contact.mu; returns how many rows have
// a solref that mixes its two formats. See row_parameters.c.
LANE_FN int ct_row_parameters(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_CONSTRAINT_ROW_WRITER_H_
