// Rows of tendons: dry friction along them, and limits of their lengths.
//
//   in    ten_length, ten_J and its indices
//   out   efc_type, efc_id, efc_pos, efc_margin, efc_frictionloss, efc_J and its indices
//         tendon_efcadr
//
// Rows are plus or minus the row of the tendon. A dense row that is zero makes no constraint; a
// sparse one makes none if it has no columns.
//
// Oddity: tendon_efcadr of a tendon with friction or a limit, if nothing has set it before, is the
// number of rows there are when its turn comes, even if its own row is then left out.

#include "engine/constraint/row_writer.h"

// Entries of the sparse row of a tendon, or whether its dense one has any.
LANE_FN static int tendon_entries(Lane g, const mjModel* m, const mjData* d, int t, bool sparse) {
  if (sparse) return d->ten_J_rownnz[t];
  int count;
  const mjtNum* row = d->ten_J + (size_t)t * (size_t)m->nv;
  LANE_COUNT(count, k, g, m->nv, row[k] != 0 ? 1 : 0);
  return count;
}

typedef struct {  // limits of a tendon that are reached; lower before upper
  int count;
  mjtNum dist[2], sign[2];
} TendonLimits;

LANE_INLINE void add_tendon_limit(TendonLimits* limits, mjtNum dist, mjtNum margin, mjtNum sign) {
  if (!CT_ACTIVE(dist, margin)) return;
  limits->dist[limits->count] = dist;
  limits->sign[limits->count] = sign;
  limits->count++;
}

LANE_INLINE TendonLimits reached_tendon_limits(const mjModel* m, const mjData* d, int t) {
  TendonLimits limits;
  limits.count = 0;
  if (!m->tendon_limited[t]) return limits;
  mjtNum length = d->ten_length[t], margin = m->tendon_margin[t];
  add_tendon_limit(&limits, length - m->tendon_range[2 * t], margin, 1);
  add_tendon_limit(&limits, m->tendon_range[2 * t + 1] - length, margin, -1);
  return limits;
}

LANE_INLINE int count_tendon_rows(const mjModel* m, const mjData* d, int t, bool limits) {
  if (limits) return reached_tendon_limits(m, d, t).count;
  return m->tendon_frictionloss[t] > 0 ? 1 : 0;
}

LANE_FN ct_RowSize ct_count_tendons(Lane g, const mjModel* m, const mjData* d, bool sparse,
                                    bool limits) {
  ct_RowSize size = {0, 0};
  int off = limits ? mjDSBL_LIMIT : mjDSBL_FRICTIONLOSS;
  if ((m->opt.disableflags & off) || m->ntendon == 0) return size;
  if (sparse) {
    LANE_COUNT(size.rows, t, g, m->ntendon,
               d->ten_J_rownnz[t] ? count_tendon_rows(m, d, t, limits) : 0);
    LANE_COUNT(size.entries, t, g, m->ntendon,
               d->ten_J_rownnz[t] * count_tendon_rows(m, d, t, limits));
  } else {
    LANE_COUNT(size.rows, t, g, m->ntendon, count_tendon_rows(m, d, t, limits));
  }
  return size;
}

// The tendon's row times sign.
LANE_FN static void tendon_jacobian(Lane g, const mjModel* m, mjData* d, const ct_RowWriter* w,
                                    int t, mjtNum sign) {
  if (!w->sparse) {
    ct_RowBlock block = ct_next_block(m, d, w, 0);
    const mjtNum* row = d->ten_J + (size_t)t * (size_t)m->nv;
    LANE_FOR(k, g, m->nv) {
      block.J[k] = sign * row[k];
    }
    return;
  }
  int start = d->ten_J_rowadr[t], count = d->ten_J_rownnz[t];
  ct_RowBlock block = ct_next_block(m, d, w, count);
  LANE_FOR(k, g, count) {
    block.J[k] = sign * d->ten_J[start + k];
    block.colind[k] = d->ten_J_colind[start + k];
  }
  LANE_ONCE(g) {
    ct_describe_entries(d, w->row, w->entry, count);
  }
}

LANE_FN static void tendon_address(Lane g, mjData* d, int t, int row) {
  LANE_ONCE(g) {
    if (d->tendon_efcadr[t] == -1) d->tendon_efcadr[t] = row;
  }
}

LANE_FN void ct_write_tendon_friction(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_FRICTIONLOSS) return;
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum loss = m->tendon_frictionloss[t];
    if (!(loss > 0)) continue;
    tendon_address(g, d, t, w->row);
    int entries = tendon_entries(g, m, d, t, w->sparse);
    if (entries == 0) continue;
    tendon_jacobian(g, m, d, w, t, 1);
    LANE_ONCE(g) {
      ct_describe_row(d, w->row, mjCNSTR_FRICTION_TENDON, t, 0, 0, loss);
    }
    w->row++;
    w->entry += entries;
  }
  lane_sync(g);
}

LANE_FN void ct_write_tendon_limits(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_LIMIT) return;
  for (int t = 0; t < m->ntendon; t++) {
    TendonLimits limits = reached_tendon_limits(m, d, t);
    if (limits.count == 0) continue;
    tendon_address(g, d, t, w->row);
    int entries = tendon_entries(g, m, d, t, w->sparse);
    if (entries == 0) continue;
    for (int i = 0; i < limits.count; i++) {
      tendon_jacobian(g, m, d, w, t, limits.sign[i]);
      LANE_ONCE(g) {
        ct_describe_row(d, w->row, mjCNSTR_LIMIT_TENDON, t, limits.dist[i], m->tendon_margin[t], 0);
      }
      w->row++;
      w->entry += entries;
    }
  }
  lane_sync(g);
}
