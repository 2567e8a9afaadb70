// Rows of equalities of flexes: edges that keep their length, vertices that keep their strains.
//
//   in    flexedge_length, flexedge_J, flexvert_length, flexvert_J
//   out   efc_type, efc_id, efc_pos, efc_margin, efc_frictionloss, efc_J and its indices
//         efc_diagApprox: the inverse weight at qpos0 of each row, for row_parameters.c
//
// An equality of edges has a row for every edge that is not rigid, one of strains two for every
// vertex. Rows are those that the position stage has computed. Each is a constraint of its own, so
// a row that is zero (dense) or has no columns (sparse) is left out alone.
//
// Oddity of the reference: inverse weights are dealt out as if no row had been left out.

#include "engine/constraint/row_writer.h"
#include "soft/flex.h"

typedef struct {     // row r of an equality
  int start, count;  // its entries in J and columns; count < 0: there is no such row
  const mjtNum* J;
  const int* column;
  mjtNum pos, weight;
} FlexRow;

LANE_INLINE int count_flex_rows(const mjModel* m, int i) {
  int f = m->eq_obj1id[i];
  return m->eq_type[i] == mjEQ_FLEX ? m->flex_edgenum[f] : 2 * m->flex_vertnum[f];
}

LANE_INLINE FlexRow find_flex_row(const mjModel* m, const mjData* d, int i, int r) {
  FlexRow row = {0, -1, NULL, NULL, 0, 0};
  int f = m->eq_obj1id[i];
  if (m->eq_type[i] == mjEQ_FLEX) {
    int edge = m->flex_edgeadr[f] + r;
    if (m->flexedge_rigid[edge]) return row;
    row.start = m->flexedge_J_rowadr[edge];
    row.count = m->flexedge_J_rownnz[edge];
    row.J = d->flexedge_J + row.start;
    row.column = m->flexedge_J_colind + row.start;
    row.pos = d->flexedge_length[edge] - m->flexedge_length0[edge];
    row.weight = m->flexedge_invweight0[edge];
    return row;
  }
  int at = 2 * m->flex_vertadr[f] + r, body = m->flex_vertbodyid[at / 2];
  row.start = m->flexvert_J_rowadr[at];
  row.count = m->flexvert_J_rownnz[at];
  row.J = d->flexvert_J + row.start;
  row.column = m->flexvert_J_colind + row.start;
  row.pos = d->flexvert_length[at];
  row.weight = body >= 0 ? m->body_invweight0[2 * body] : 0;
  return row;
}

LANE_INLINE int columns_of(const mjModel* m, const mjData* d, int i, int r) {
  int count = find_flex_row(m, d, i, r).count;
  return count > 0 ? count : 0;
}

LANE_FN ct_RowSize ct_count_flex_rows(Lane g, const mjModel* m, const mjData* d, int i,
                                      bool sparse) {
  ct_RowSize size = {0, 0};
  int n = count_flex_rows(m, i);
  LANE_COUNT(size.rows, r, g, n, find_flex_row(m, d, i, r).count >= (sparse ? 1 : 0) ? 1 : 0);
  if (sparse) LANE_COUNT(size.entries, r, g, n, columns_of(m, d, i, r));
  return size;
}

LANE_INLINE bool has_entries(const FlexRow* row, bool sparse) {
  if (sparse) return row->count > 0;
  for (int k = 0; k < row->count; k++) {
    if (row->J[k] != 0) return true;
  }
  return false;
}

LANE_FN static void write_flex_row(const mjModel* m, mjData* d, int i, const FlexRow* row,
                                   const ct_RowWriter* w) {
  ct_RowBlock block = ct_next_block(m, d, w, row->count);
  for (int k = 0; k < row->count; k++) {
    block.J[w->sparse ? k : row->column[k]] = row->J[k];
    if (w->sparse) block.colind[k] = row->column[k];
  }
  if (w->sparse) ct_describe_entries(d, w->row, w->entry, row->count);
  ct_describe_row(d, w->row, mjCNSTR_EQUALITY, i, row->pos, 0, 0);
}

LANE_FN void ct_write_flex_rows(Lane g, const mjModel* m, mjData* d, int i, ct_RowWriter* w) {
  int n = count_flex_rows(m, i), start = w->row, before = 0;
  for (int base = 0; base < n; base += lane_count(g)) {
    int r = base + lane_rank(g);
    FlexRow none = {0, -1, NULL, NULL, 0, 0}, row = r < n ? find_flex_row(m, d, i, r) : none;
    bool written = has_entries(&row, w->sparse);
    int turn = ct_lane_append(g, row.count >= 0 ? 1 : 0, &before);
    ct_RowWriter own = ct_append_rows(g, w, written ? 1 : 0, written ? row.count : 0);
    if (written) write_flex_row(m, d, i, &row, &own);
    if (row.count >= 0 && (!w->sparse || row.count)) d->efc_diagApprox[start + turn] = row.weight;
  }
  lane_sync(g);
}
