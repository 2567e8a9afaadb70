// Rows of joints: dry friction of their dofs, and limits.
//
//   in    qpos
//   out   efc_type, efc_id, efc_pos, efc_margin, efc_frictionloss, efc_J and its indices
//
// A friction row has a one at its dof. A hinge or slide limit has distance q - lower and a one, or
// upper - q and a minus one. A ball joint has one limit: the angle of its rotation stays below the
// larger of the two numbers of its range, and the row is minus the axis. Which sources make rows
// is found in the order of their ids, a source per lane.

#include "engine/constraint/row_writer.h"
#include "math/quat.h"

LANE_INLINE bool is_rubbing(const mjModel* m, const mjData* d, int dof, bool filter) {
  return m->dof_frictionloss[dof] != 0 && !(filter && ct_dof_asleep(m, d, dof));
}

// The first dof from k on that may rub, where one lane passes by four that do not at a time; k for
// several lanes, which ask about all.
LANE_FN static inline int next_rubbing(Lane g, const mjModel* m, int k) {
  if (lane_count(g) > 1) return k;
#if LANE_WIDTH > 1
  if (k < m->nv && m->dof_frictionloss[k] != 0) return k;
  while (k + 4 <= m->nv && !wide_bits((WideMask)(wide_load(m->dof_frictionloss + k) != 0))) k += 4;
#endif
  while (k < m->nv && m->dof_frictionloss[k] == 0) k++;
  return k;
}

LANE_FN ct_RowSize ct_count_dof_friction(Lane g, const mjModel* m, const mjData* d) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_FRICTIONLOSS) return size;
  bool filter = ct_some_asleep(m, d);
  int first = next_rubbing(g, m, 0);
  if (first == m->nv) return size;
  LANE_COUNT(size.rows, k, g, m->nv, is_rubbing(m, d, k, filter) ? 1 : 0);
  size.entries = size.rows;
  return size;
}

LANE_INLINE void write_one_entry(const mjModel* m, mjData* d, ct_RowWriter at, int dof,
                                 mjtNum value) {
  if (!at.sparse) {
    d->efc_J[(size_t)at.row * (size_t)m->nv + (size_t)dof] = value;
    return;
  }
  d->efc_J[at.entry] = value;
  d->efc_J_colind[at.entry] = dof;
  ct_describe_entries(d, at.row, at.entry, 1);
}

// A row with one entry, or three at neighbouring dofs.
LANE_INLINE void write_joint_row(const mjModel* m, mjData* d, ct_RowWriter at, int dof,
                                 const mjtNum* value, int count) {
  if (count == 1) {
    write_one_entry(m, d, at, dof, value[0]);
    return;
  }
  ct_RowBlock block = ct_next_block(m, d, &at, count);
  for (int i = 0; i < count; i++) {
    block.J[at.sparse ? i : dof + i] = value[i];
    if (at.sparse) block.colind[i] = dof + i;
  }
  if (at.sparse) ct_describe_entries(d, at.row, at.entry, count);
}

LANE_FN void ct_write_dof_friction(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_FRICTIONLOSS) return;
  bool filter = ct_some_asleep(m, d);
  ct_RowWriter next = *w;
  for (int base = next_rubbing(g, m, 0); base < m->nv;
       base = next_rubbing(g, m, base + lane_count(g))) {
    int dof = base + lane_rank(g);
    bool rubs = dof < m->nv && is_rubbing(m, d, dof, filter);
    ct_RowWriter at = ct_append_rows(g, &next, rubs ? 1 : 0, rubs ? 1 : 0);
    if (!rubs) continue;
    write_one_entry(m, d, at, dof, 1);
    ct_describe_row(d, at.row, mjCNSTR_FRICTION_DOF, dof, 0, 0, m->dof_frictionloss[dof]);
  }
  *w = next;
  lane_sync(g);
}

typedef struct {     // limits of a joint that are reached
  int count;         // 0, 1 or 2; lower before upper
  int columns;       // entries of each row
  mjtNum dist[2];    // to the limit
  mjtNum row[2][3];  // Jacobian
} JointLimits;

LANE_INLINE void add_joint_limit(JointLimits* limits, mjtNum dist, mjtNum margin, mjtNum sign) {
  if (!CT_ACTIVE(dist, margin)) return;
  limits->dist[limits->count] = dist;
  limits->row[limits->count][0] = sign;
  limits->count++;
}

LANE_INLINE void add_ball_limit(JointLimits* limits, const mjtNum* qpos, const mjtNum range[2],
                                mjtNum margin) {
  mjtNum quat[4], turn[3];
  ct_copy4(quat, qpos);
  ct_normalize4(quat);
  ct_quat_to_vel(turn, quat, 1);
  mjtNum angle = ct_normalize3(turn);
  mjtNum dist = ct_max(range[0], range[1]) - angle;
  limits->columns = 3;
  if (!CT_ACTIVE(dist, margin)) return;
  limits->dist[0] = dist;
  ct_scl3(limits->row[0], turn, -1);
  limits->count = 1;
}

// Not returned by value: a copy would wait for the two counts to be in memory.
LANE_INLINE void find_limits(const mjModel* m, const mjData* d, int j, bool filter,
                             JointLimits* limits) {
  limits->count = 0;
  limits->columns = 1;
  if (!m->jnt_limited[j] || (filter && ct_body_asleep(d, m->jnt_bodyid[j]))) return;
  const mjtNum *range = m->jnt_range + 2 * j, *qpos = d->qpos + m->jnt_qposadr[j];
  mjtNum margin = m->jnt_margin[j];
  if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
    add_joint_limit(limits, qpos[0] - range[0], margin, 1);
    add_joint_limit(limits, range[1] - qpos[0], margin, -1);
  } else if (m->jnt_type[j] == mjJNT_BALL) {
    add_ball_limit(limits, qpos, range, margin);
  }
}

LANE_INLINE ct_RowSize count_limits(const mjModel* m, const mjData* d, int j, bool filter) {
  JointLimits limits;
  find_limits(m, d, j, filter, &limits);
  ct_RowSize size = {limits.count, limits.count * limits.columns};
  return size;
}

// Joint j, by one lane.
LANE_INLINE void count_and_list(const mjModel* m, const mjData* d, int j, bool filter,
                                ct_RowSize* size, ct_LimitedJoints* limited) {
  ct_RowSize more = count_limits(m, d, j, filter);
  if (more.rows == 0) return;
  size->rows += more.rows;
  size->entries += more.entries;
  if (limited->count < CT_MOST_LIMITED) limited->joint[limited->count] = j;
  limited->count++;
}

#if LANE_WIDTH > 1
// Which of four joints from j on may have reached a limit, as bits. Hinges and slides are the two
// types that have this bit; others are all taken.
LANE_INLINE unsigned near_of_four(const mjModel* m, const mjData* d, int j) {
  const int *type = m->jnt_type + j, *at = m->jnt_qposadr + j;
  if (!(type[0] & type[1] & type[2] & type[3] & mjJNT_SLIDE) || at[3] != at[0] + 3) return 15;
  Wide q = wide_load(d->qpos + at[0]), margin = wide_load(m->jnt_margin + j);
  Wide a = wide_load(m->jnt_range + 2 * j), b = wide_load(m->jnt_range + 2 * j + 4);
  Wide lower = __builtin_shufflevector(a, b, 0, 2, 4, 6);
  Wide upper = __builtin_shufflevector(a, b, 1, 3, 5, 7);
  return wide_bits((WideMask)(q - lower < margin) | (WideMask)(upper - q < margin));
}
#endif

// By one lane, which passes by four joints at a time that are far from their limits, as most are.
LANE_FN static ct_RowSize list_joint_limits(const mjModel* m, const mjData* d, bool filter,
                                            ct_LimitedJoints* limited) {
  ct_RowSize size = {0, 0};
  int j = 0;
#if LANE_WIDTH > 1
  for (; j + 4 <= m->njnt; j += 4) {
    for (unsigned bits = near_of_four(m, d, j); bits; bits &= bits - 1) {
      count_and_list(m, d, j + lane_lowest_bit(bits), filter, &size, limited);
    }
  }
#endif
  for (; j < m->njnt; j++) count_and_list(m, d, j, filter, &size, limited);
  return size;
}

LANE_FN ct_RowSize ct_count_joint_limits(Lane g, const mjModel* m, const mjData* d, bool sparse,
                                         ct_LimitedJoints* limited) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_LIMIT) return size;
  bool filter = ct_some_asleep(m, d);
  if (lane_count(g) == 1) return list_joint_limits(m, d, filter, limited);
  LANE_COUNT(size.rows, j, g, m->njnt, count_limits(m, d, j, filter).rows);
  if (sparse && size.rows) {
    LANE_COUNT(size.entries, j, g, m->njnt, count_limits(m, d, j, filter).entries);
  }
  return size;
}

LANE_FN void ct_write_joint_limits(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w,
                                   const ct_LimitedJoints* limited) {
  if (m->opt.disableflags & mjDSBL_LIMIT) return;
  bool filter = ct_some_asleep(m, d);
  bool listed = lane_count(g) == 1 && limited->count <= CT_MOST_LIMITED;
  int n = listed ? limited->count : (int)m->njnt;
  ct_RowWriter next = *w;
  for (int base = 0; base < n; base += lane_count(g)) {
    int j = listed ? limited->joint[base] : base + lane_rank(g);
    JointLimits limits;
    find_limits(m, d, j < m->njnt ? j : 0, filter, &limits);
    int count = j < m->njnt ? limits.count : 0;
    ct_RowWriter at = ct_append_rows(g, &next, count, count * limits.columns);
    for (int i = 0; i < count; i++) {
      write_joint_row(m, d, at, m->jnt_dofadr[j], limits.row[i], limits.columns);
      ct_describe_row(d, at.row, mjCNSTR_LIMIT_JOINT, j, limits.dist[i], m->jnt_margin[j], 0);
      at.row++;
      at.entry += limits.columns;
    }
  }
  *w = next;
  lane_sync(g);
}
