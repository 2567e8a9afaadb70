// Rows of equalities: points that stay together or at a distance, frames that stay together, joints
// and tendons that follow each other.
//
//   in    xpos, xmat, xquat, site_xpos, qpos, ten_length, ten_J, cdof, subtree_com, eq_active
//   out   efc_type, efc_id, efc_pos, efc_margin, efc_frictionloss, efc_J and its indices
//         tendon_efcadr
//
// Connect: the points p0 of body 0 and p1 of body 1 coincide; three rows, residual p0 - p1.
// Weld: three such rows, and with u = q0 * relative quaternion, w = conjugate of q1 three for the
// vector part of w * u, scaled by torquescale s. When body 0 turns with w0 and body 1 with w1, that
// changes by s/2 vec(w * (0, w0 - w1) * u), which is linear: a 3 x 3 matrix, found once per weld.
// Distance: one row, residual |p0 - p1| - distance, whose Jacobian is that of a connect along the
// line from p1 to p0. Points that coincide have no line; the x axis takes its place, so that they
// are driven apart.
// Joint, tendon: x0 - ref0 = polynomial of (x1 - ref1), one row.
//
// A block whose dense rows are zero makes no constraint; a sparse one makes none if it has no
// columns. Equalities of flexes: flex_rows.c.
//
// Oddities: anchors of a weld are stored in the opposite order to those of a connect; no sign of
// the quaternion is preferred; tendon_efcadr of a tendon in an equality is the id of the equality.

#include "base/model/options.h"
#include "engine/constraint/four_columns.h"
#include "engine/constraint/row_writer.h"
#include "engine/smooth/jacobian.h"
#include "math/mat.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "soft/flex.h"

// Whose object is awake? An equality sleeps if neither is; what is static is not awake.
LANE_FN static bool equality_object_awake(const mjModel* m, const mjData* d, int i, int id) {
  if (id < 0) return false;
  switch (m->eq_type[i]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
    case mjEQ_DISTANCE:
      return d->body_awake[m->eq_objtype[i] == mjOBJ_SITE ? m->site_bodyid[id] : id] == 1;
    case mjEQ_JOINT:
      return d->body_awake[m->jnt_bodyid[id]] == 1;
    case mjEQ_TENDON:
      return m->tendon_treenum[id] > 0 && !ct_tendon_asleep(m, d, id);
    case mjEQ_FLEX:
    case mjEQ_FLEXVERT:
      return !ct_flex_asleep(m, d, id);
    default:
      return true;
  }
}

LANE_FN static bool equality_acts(const mjModel* m, const mjData* d, int i, bool filter) {
  if (!d->eq_active[i]) return false;
  return !filter || equality_object_awake(m, d, i, m->eq_obj1id[i]) ||
         equality_object_awake(m, d, i, m->eq_obj2id[i]);
}

typedef struct {  // the two things that a connect, weld or distance ties together
  int body[2];
  mjtNum point[2][3];
  mjtNum offset[2][3];  // of the points from where cdof is taken
} Anchors;

// Not returned by value: a copy would wait for what was just written.
LANE_INLINE void find_anchors(const mjModel* m, const mjData* d, int i, Anchors* anchors) {
  const mjtNum* data = m->eq_data + mjNEQDATA * i;
  bool weld = m->eq_type[i] == mjEQ_WELD;
  for (int k = 0; k < 2; k++) {
    int body = anchors->body[k] = ct_held_body(m, i, k);
    mjtNum* point = anchors->point[k];
    if (m->eq_objtype[i] == mjOBJ_SITE) {
      int site = k ? m->eq_obj2id[i] : m->eq_obj1id[i];
      ct_copy3(point, d->site_xpos + 3 * site);
    } else {
      bool second = (k == 1) != weld;
      ct_mul_mat_vec3(point, d->xmat + 9 * body, data + (second ? 3 : 0));
      ct_add_to3(point, d->xpos + 3 * body);
    }
    ct_sub3(anchors->offset[k], point, ct_reference_point(m, d, body));
  }
}

// Orientation error of a weld, and the matrix that takes a relative angular velocity to its rate.
LANE_INLINE void weld_rotation(const mjModel* m, const mjData* d, int i, const int body[2],
                               mjtNum error[3], mjtNum rate[9]) {
  const mjtNum* data = m->eq_data + mjNEQDATA * i;
  mjtNum u[4], w[4], product[4];
  if (m->eq_objtype[i] == mjOBJ_SITE) {
    ct_mul_quat(u, d->xquat + 4 * body[0], m->site_quat + 4 * m->eq_obj1id[i]);
    ct_mul_quat(w, d->xquat + 4 * body[1], m->site_quat + 4 * m->eq_obj2id[i]);
    ct_neg_quat(w, w);
  } else {
    ct_mul_quat(u, d->xquat + 4 * body[0], data + 6);
    ct_neg_quat(w, d->xquat + 4 * body[1]);
  }
  ct_mul_quat(product, w, u);
  ct_scl3(error, product + 1, data[10]);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3] = {0, 0, 0}, turned[4];
    axis[k] = 1;
    ct_mul_quat_axis(turned, w, axis);
    ct_mul_quat(product, turned, u);
    for (int r = 0; r < 3; r++) rate[3 * r + k] = data[10] * product[r + 1] / 2;
  }
}

typedef struct {  // what a block is made of besides the three rows of points
  int rows;
  const mjtNum* line;  // of a distance: the points count along it, in one row; otherwise NULL
  const mjtNum* rate;  // of a weld: three more rows of rotation; otherwise NULL
} AnchorRows;

// The entries of one dof in the rows of a block.
LANE_INLINE void anchor_column(const mjtNum cdof[6], const Anchors* anchors, const bool moves[2],
                               const AnchorRows* block, mjtNum* J, int stride) {
  mjtNum column[2][3] = {{0, 0, 0}, {0, 0, 0}}, turn[3] = {0, 0, 0};
  for (int k = 0; k < 2; k++) {
    if (moves[k]) ct_jac_column(column[k], cdof, anchors->offset[k]);
  }
  if (block->line) {
    ct_sub_from3(column[0], column[1]);
    J[0] = ct_dot3(block->line, column[0]);
    return;
  }
  for (int r = 0; r < 3; r++) J[r * stride] = column[0][r] - column[1][r];
  if (!block->rate) return;
  if (moves[0] != moves[1]) {
    ct_mul_mat_vec3(turn, block->rate, cdof);
    if (moves[1]) ct_scl3(turn, turn, -1);
  }
  for (int r = 0; r < 3; r++) J[(3 + r) * stride] = turn[r];
}

#if LANE_WIDTH > 1
// Four neighbouring dofs of a dense row, by one lane, with the bits of anchor_column. moves: which
// of them move which body.
LANE_INLINE void anchor_columns_of_four(const mjtNum* cdof, const Anchors* anchors,
                                        const unsigned moves[2], const AnchorRows* rows, mjtNum* J,
                                        int stride) {
  const mjtNum* const four[4] = {cdof, cdof + 6, cdof + 12, cdof + 18};
  Wide axis[6], column[2][3], one[2] = {ct_one_at(moves[0]), ct_one_at(moves[1])};
  ct_load_four_axes(axis, four);
  for (int k = 0; k < 2; k++) {
    ct_four_jac_columns(column[k], axis, anchors->offset[k]);
    for (int i = 0; i < 3; i++) {
      column[k][i] = ct_only_at((WideMask)(one[k] != 0), column[k][i]);
    }
  }
  for (int i = 0; i < 3; i++) column[0][i] = column[0][i] - column[1][i];
  if (rows->line) {
    WideMask moving = (WideMask)(one[0] + one[1] != 0);
    wide_store(J, ct_only_at(moving, ct_four_dots(rows->line, column[0])));
    return;
  }
  for (int r = 0; r < 3; r++) wide_store(J + r * stride, column[0][r]);
  Wide sign = one[0] - one[1];
  for (int r = 0; rows->rate && r < 3; r++) {
    Wide turn = ct_four_dots(rows->rate + 3 * r, axis) * sign;
    wide_store(J + (3 + r) * stride, ct_only_at((WideMask)(sign != 0), turn));
  }
}

// Dense columns among 32 dofs from `first` on; false, and some are missing, where dofs are too few
// for words.
LANE_INLINE bool dense_anchor_columns(const mjModel* m, const mjData* d, const Anchors* anchors,
                                      const AnchorRows* rows, ct_RowBlock block, int first,
                                      const unsigned word[2]) {
  for (unsigned columns = word[0] | word[1]; columns;) {
    int bit = ct_take_dense_four(&columns, (int)m->nv - 4 - first), dof = first + bit;
    if (bit < 0) return false;
    const unsigned moves[2] = {word[0] >> bit & 15, word[1] >> bit & 15};
    anchor_columns_of_four(d->cdof + 6 * dof, anchors, moves, rows, block.J + dof, block.stride);
  }
  return true;
}
#endif

LANE_FN static void anchor_jacobian(Lane g, const mjModel* m, const mjData* d,
                                    const Anchors* anchors, const ct_ChainPair* pair,
                                    const AnchorRows* rows, ct_RowBlock block) {
  int before = 0;
  bool sparse = block.colind != NULL;
  for (int s = 0; s < pair->nspan; s++) {
    for (int w = 0; w < pair->span[s].nword; w++) {
      unsigned moves0 = ct_pair_word(pair, s, w, 0), moves1 = ct_pair_word(pair, s, w, 1);
      int first = pair->span[s].first + 32 * w, start = before;
      before += ct_count_bits(moves0 | moves1);
#if LANE_WIDTH > 1
      const unsigned word[2] = {moves0, moves1};
      if (lane_count(g) == 1 && !sparse &&
          dense_anchor_columns(m, d, anchors, rows, block, first, word)) {
        continue;
      }
#else
      (void)m;
#endif
      LANE_BITS(bit, place, g, moves0 | moves1) {
        int dof = first + bit, at = sparse ? start + place : dof;
        const bool moves[2] = {((moves0 >> bit) & 1) != 0, ((moves1 >> bit) & 1) != 0};
        anchor_column(d->cdof + 6 * dof, anchors, moves, rows, block.J + at, block.stride);
        for (int i = 0; sparse && i < rows->rows; i++) block.colind[i * block.stride + at] = dof;
      }
    }
  }
}

// How many of n numbers are not zero; one lane stops at the first.
LANE_FN static int count_nonzero(Lane g, const mjtNum* x, int n) {
  int some = 0;
  if (lane_count(g) == 1) {
    while (some < n && x[some] == 0) some++;
    return some < n;
  }
  LANE_COUNT(some, k, g, n, x[k] != 0 ? 1 : 0);
  return some;
}

// Ends a block that may be dense and zero: it is kept if it is not, and written over otherwise.
LANE_FN static void keep_block(Lane g, const mjModel* m, const mjData* d, ct_RowWriter* w, int rows,
                               int columns) {
  int some = 1;
  lane_sync(g);
  if (!w->sparse) {
    some = count_nonzero(g, d->efc_J + (size_t)w->row * (size_t)m->nv, rows * (int)m->nv);
  }
  if (!some) return;
  w->row += rows;
  w->entry += rows * columns;
}

// Connect, weld or distance.
LANE_FN static void write_anchors(Lane g, const mjModel* m, mjData* d, int i, ct_RowWriter* w) {
  bool weld = m->eq_type[i] == mjEQ_WELD, distance = m->eq_type[i] == mjEQ_DISTANCE;
  int rows = distance ? 1 : weld ? 6 : 3;
  Anchors anchors;
  ct_ChainPair pair;
  find_anchors(m, d, i, &anchors);
  ct_find_chain_pair(d, anchors.body[0], anchors.body[1], &pair);
  int columns = w->sparse ? ct_count_either(d, anchors.body[0], anchors.body[1]) : 0;
  if (w->sparse && columns == 0) return;
  mjtNum residual[6], rate[9], line[3];
  ct_sub3(residual, anchors.point[0], anchors.point[1]);
  if (weld) weld_rotation(m, d, i, anchors.body, residual + 3, rate);
  if (distance) {
    ct_copy3(line, residual);
    residual[0] = ct_normalize3(line) - m->eq_data[mjNEQDATA * i];
  }
  AnchorRows made_of = {rows, distance ? line : NULL, weld ? rate : NULL};
  anchor_jacobian(g, m, d, &anchors, &pair, &made_of, ct_next_block(m, d, w, columns));
  LANE_ONCE(g) {
    for (int r = 0; r < rows; r++) {
      ct_describe_row(d, w->row + r, mjCNSTR_EQUALITY, i, residual[r], 0, 0);
      if (w->sparse) ct_describe_entries(d, w->row + r, w->entry + r * columns, columns);
    }
  }
  keep_block(g, m, d, w, rows, columns);
}

// Residual of x0 = c0 + c1 x + ... + c4 x^4, x0 and x counted from their references, and its slope
// in x.
LANE_INLINE mjtNum coupling(const mjtNum c[5], mjtNum x0, mjtNum x, mjtNum* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return x0 - c[0] - x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

LANE_FN static void write_joint_equality(Lane g, const mjModel* m, mjData* d, int i,
                                         ct_RowWriter* w) {
  int joint0 = m->eq_obj1id[i], joint1 = m->eq_obj2id[i];
  int dof0 = m->jnt_dofadr[joint0], dof1 = joint1 >= 0 ? m->jnt_dofadr[joint1] : dof0;
  int at0 = m->jnt_qposadr[joint0], at1 = joint1 >= 0 ? m->jnt_qposadr[joint1] : at0;
  const mjtNum* c = m->eq_data + mjNEQDATA * i;
  mjtNum slope = 0, x0 = d->qpos[at0] - m->qpos0[at0], residual = x0 - c[0];
  if (joint1 >= 0) residual = coupling(c, x0, d->qpos[at1] - m->qpos0[at1], &slope);

  int columns = dof0 == dof1 ? 1 : 2;
  ct_RowBlock block = ct_next_block(m, d, w, columns);
  LANE_ONCE(g) {
    int place0 = w->sparse ? (dof0 > dof1 ? 1 : 0) : dof0;
    int place1 = w->sparse ? (dof1 > dof0 ? 1 : 0) : dof1;
    block.J[place1] = -slope;
    block.J[place0] = dof0 == dof1 ? 1 - slope : 1;
    if (w->sparse) {
      block.colind[place1] = dof1;
      block.colind[place0] = dof0;
      ct_describe_entries(d, w->row, w->entry, columns);
    }
    ct_describe_row(d, w->row, mjCNSTR_EQUALITY, i, residual, 0, 0);
  }
  keep_block(g, m, d, w, 1, columns);
}

LANE_INLINE int tendon_equality_columns(const mjModel* m, const mjData* d, int i) {
  int t0 = m->eq_obj1id[i], t1 = m->eq_obj2id[i];
  if (t1 < 0) return d->ten_J_rownnz[t0];
  return ct_union_count(d->ten_J_colind + d->ten_J_rowadr[t0], d->ten_J_rownnz[t0],
                        d->ten_J_colind + d->ten_J_rowadr[t1], d->ten_J_rownnz[t1]);
}

// The sparse row J0 - slope J1, by one lane.
LANE_FN static void combine_tendons(const mjData* d, int t0, int t1, mjtNum slope,
                                    ct_RowBlock block) {
  int start0 = d->ten_J_rowadr[t0], n0 = d->ten_J_rownnz[t0];
  for (int k = 0; k < n0; k++) {
    block.J[k] = d->ten_J[start0 + k];
    block.colind[k] = d->ten_J_colind[start0 + k];
  }
  if (t1 < 0) return;
  int start1 = d->ten_J_rowadr[t1];
  ct_add_sparse_row(block.J, block.colind, n0, d->ten_J + start1, d->ten_J_colind + start1,
                    d->ten_J_rownnz[t1], -slope);
}

LANE_FN static void write_tendon_equality(Lane g, const mjModel* m, mjData* d, int i,
                                          ct_RowWriter* w) {
  int t0 = m->eq_obj1id[i], t1 = m->eq_obj2id[i], nv = (int)m->nv;
  const mjtNum* c = m->eq_data + mjNEQDATA * i;
  mjtNum slope = 0, x0 = d->ten_length[t0] - m->tendon_length0[t0], residual = x0 - c[0];
  if (t1 >= 0) residual = coupling(c, x0, d->ten_length[t1] - m->tendon_length0[t1], &slope);
  LANE_ONCE(g) {
    if (d->tendon_efcadr[t0] == -1) d->tendon_efcadr[t0] = i;
    if (t1 >= 0 && d->tendon_efcadr[t1] == -1) d->tendon_efcadr[t1] = i;
  }
  int columns = w->sparse ? tendon_equality_columns(m, d, i) : 0;
  if (w->sparse && columns == 0) return;
  ct_RowBlock block = ct_next_block(m, d, w, columns);
  if (!w->sparse) {
    const mjtNum* row0 = d->ten_J + (size_t)t0 * (size_t)nv;
    const mjtNum* row1 = d->ten_J + (size_t)(t1 >= 0 ? t1 : t0) * (size_t)nv;
    LANE_FOR(k, g, nv) {
      block.J[k] = t1 >= 0 ? row0[k] - slope * row1[k] : row0[k];
    }
  }
  LANE_ONCE(g) {
    if (w->sparse) {
      combine_tendons(d, t0, t1, slope, block);
      ct_describe_entries(d, w->row, w->entry, columns);
    }
    ct_describe_row(d, w->row, mjCNSTR_EQUALITY, i, residual, 0, 0);
  }
  keep_block(g, m, d, w, 1, columns);
}

// Rows that an equality makes, and its columns if they are sparse.

LANE_INLINE int equality_columns(const mjModel* m, const mjData* d, int i) {
  switch (m->eq_type[i]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
    case mjEQ_DISTANCE:
      return ct_count_either(d, ct_held_body(m, i, 0), ct_held_body(m, i, 1));
    case mjEQ_JOINT:
      return m->eq_obj2id[i] >= 0 &&
                     m->jnt_dofadr[m->eq_obj2id[i]] != m->jnt_dofadr[m->eq_obj1id[i]]
                 ? 2
                 : 1;
    case mjEQ_TENDON:
      return tendon_equality_columns(m, d, i);
    default:
      return 0;
  }
}

LANE_FN static int rows_of_equality(const mjModel* m, const mjData* d, int i, bool sparse,
                                    bool filter) {
  if (!equality_acts(m, d, i, filter)) return 0;
  if (sparse && equality_columns(m, d, i) == 0) return 0;
  switch (m->eq_type[i]) {
    case mjEQ_CONNECT:
      return 3;
    case mjEQ_WELD:
      return 6;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
    case mjEQ_DISTANCE:
      return 1;
    default:
      return 0;
  }
}

LANE_FN static int equality_entries(const mjModel* m, const mjData* d, int i, bool filter) {
  int rows = rows_of_equality(m, d, i, true, filter);
  return rows ? rows * equality_columns(m, d, i) : 0;
}

LANE_FN ct_RowSize ct_count_equalities(Lane g, const mjModel* m, const mjData* d, bool sparse) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_EQUALITY) return size;
  bool filter = ct_some_asleep(m, d);
  LANE_COUNT(size.rows, i, g, m->neq, rows_of_equality(m, d, i, sparse, filter));
  if (sparse && size.rows) {
    LANE_COUNT(size.entries, i, g, m->neq, equality_entries(m, d, i, filter));
  }
  for (int i = 0; m->nflex && i < m->neq; i++) {
    if (!ct_is_flex_equality(m, i) || !equality_acts(m, d, i, filter)) continue;
    ct_RowSize rows = ct_count_flex_rows(g, m, d, i, sparse);
    size.rows += rows.rows;
    size.entries += rows.entries;
  }
  return size;
}

LANE_FN void ct_write_equalities(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_EQUALITY) return;
  bool filter = ct_some_asleep(m, d);
  for (int i = 0; i < m->neq; i++) {
    if (!equality_acts(m, d, i, filter)) continue;
    switch (m->eq_type[i]) {
      case mjEQ_CONNECT:
      case mjEQ_WELD:
      case mjEQ_DISTANCE:
        write_anchors(g, m, d, i, w);
        break;
      case mjEQ_JOINT:
        write_joint_equality(g, m, d, i, w);
        break;
      case mjEQ_TENDON:
        write_tendon_equality(g, m, d, i, w);
        break;
      case mjEQ_FLEX:
      case mjEQ_FLEXVERT:
        if (ct_has_flexes(m)) ct_write_flex_rows(g, m, d, i, w);
        break;
      default:
        break;
    }
  }
  lane_sync(g);
}
