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

LANE_FN ct_RowSize ct_count_dof_friction(Lane g, const mjModel* m, const mjData* d) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_FRICTIONLOSS) return size;
  bool filter = ct_some_asleep(m, d);
  LANE_COUNT(size.rows, k, g, m->nv, is_rubbing(m, d, k, filter) ? 1 : 0);
  size.entries = size.rows;
  return size;
}

// A row with one entry, or three at neighbouring dofs.
LANE_INLINE void write_joint_row(const mjModel* m, mjData* d, ct_RowWriter at, int dof,
                                 const mjtNum* value, int count) {
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
  const mjtNum one = 1;
  for (int base = 0; base < m->nv; base += lane_count(g)) {
    int dof = base + lane_rank(g);
    bool rubs = dof < m->nv && is_rubbing(m, d, dof, filter);
    ct_RowWriter at = ct_append_rows(g, w, rubs ? 1 : 0, rubs ? 1 : 0);
    if (!rubs) continue;
    write_joint_row(m, d, at, dof, &one, 1);
    ct_describe_row(d, at.row, mjCNSTR_FRICTION_DOF, dof, 0, 0, m->dof_frictionloss[dof]);
  }
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

// May the joint have reached a limit? Most have not, and there is no more to them.
LANE_INLINE bool may_be_limited(const mjModel* m, const mjData* d, int j) {
  if (!m->jnt_limited[j]) return false;
  if (m->jnt_type[j] == mjJNT_BALL) return true;
  mjtNum q = d->qpos[m->jnt_qposadr[j]], margin = m->jnt_margin[j];
  const mjtNum* range = m->jnt_range + 2 * j;
  return CT_ACTIVE(q - range[0], margin) || CT_ACTIVE(range[1] - q, margin);
}

LANE_INLINE int count_limits(const mjModel* m, const mjData* d, int j, bool filter) {
  JointLimits limits;
  find_limits(m, d, j, filter, &limits);
  return limits.count;
}

LANE_INLINE int count_limit_entries(const mjModel* m, const mjData* d, int j, bool filter) {
  JointLimits limits;
  find_limits(m, d, j, filter, &limits);
  return limits.count * limits.columns;
}

LANE_FN ct_RowSize ct_count_joint_limits(Lane g, const mjModel* m, const mjData* d, bool sparse) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_LIMIT) return size;
  bool filter = ct_some_asleep(m, d);
  LANE_COUNT(size.rows, j, g, m->njnt, count_limits(m, d, j, filter));
  if (sparse && size.rows) {
    LANE_COUNT(size.entries, j, g, m->njnt, count_limit_entries(m, d, j, filter));
  }
  return size;
}

LANE_FN void ct_write_joint_limits(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_LIMIT) return;
  bool filter = ct_some_asleep(m, d);
  for (int base = 0; base < m->njnt; base += lane_count(g)) {
    int j = base + lane_rank(g);
    if (lane_count(g) == 1 && !may_be_limited(m, d, j)) continue;
    JointLimits limits;
    find_limits(m, d, j < m->njnt ? j : 0, filter, &limits);
    int count = j < m->njnt ? limits.count : 0;
    ct_RowWriter at = ct_append_rows(g, w, count, count * limits.columns);
    for (int i = 0; i < count; i++) {
      write_joint_row(m, d, at, m->jnt_dofadr[j], limits.row[i], limits.columns);
      ct_describe_row(d, at.row, mjCNSTR_LIMIT_JOINT, j, limits.dist[i], m->jnt_margin[j], 0);
      at.row++;
      at.entry += limits.columns;
    }
  }
  lane_sync(g);
}
