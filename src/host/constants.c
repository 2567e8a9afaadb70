// mj_setConst: fields of the model that follow from others, most of them from the pose qpos0.
//
//   without a pose   body_subtreemass, ngravcomp, tendon_treenum, tendon_treeid, tree_sleep_policy
//   at qpos0         dof_M0, *_invweight0, *_length0, actuator_acc0, eq_data, offsets of cameras
//                    and lights, damping of servos that is given as a ratio; statistics
//                    (statistics.c); edges of flexes (flex_constants.c)
//   at qpos_spring   tendon_lengthspring
//
// The data stays in the last of these poses.
//
// Inverse weights are entries of J M^-1 J'. With M = L' D L they are squares, |D^-1/2 L^-T J'|^2,
// and L^-T reaches only from a dof to its ancestors. So the work for a body is that of its chain
// and not that of the model.

#include <mujoco/mujoco.h>

#include "base/model/options.h"
#include "engine/smooth/camlight.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/mass_matrix.h"
#include "host/flex_constants.h"
#include "host/statistics.h"
#include "math/mat.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec.h"

// Masses and trees

static void add_up_masses(mjModel* m) {
  m->ngravcomp = 0;
  for (int b = 0; b < m->nbody; b++) {
    m->body_subtreemass[b] = m->body_mass[b];
    if (m->body_gravcomp[b] > 0) m->ngravcomp++;
  }
  for (int b = (int)m->nbody - 1; b > 0; b--) {
    m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
  }
}

// Body that a part of a tendon's path is on; -1: pulley.
static int wrap_body(const mjModel* m, int wrap) {
  int id = m->wrap_objid[wrap];
  switch (m->wrap_type[wrap]) {
    case mjWRAP_JOINT:
      return m->jnt_bodyid[id];
    case mjWRAP_SITE:
      return m->site_bodyid[id];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return m->geom_bodyid[id];
    default:
      return -1;
  }
}

// Tree that a part of a tendon's path moves with; -1: none.
static int wrap_tree(const mjModel* m, int wrap) {
  int body = wrap_body(m, wrap);
  return body < 0 ? -1 : m->body_treeid[body];
}

// `seen` (ntree) holds for every tree the last tendon that was found to touch it.
static void count_tendon_trees(mjModel* m, mjData* d) {
  mj_markStack(d);
  int* seen = mj_stackAllocInt(d, (size_t)m->ntree + 1);
  for (int i = 0; i < m->ntree; i++) seen[i] = -1;
  for (int t = 0; t < m->ntendon; t++) {
    int count = 0;
    m->tendon_treeid[2 * t] = m->tendon_treeid[2 * t + 1] = -1;
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
      int tree = wrap_tree(m, w);
      if (tree < 0 || seen[tree] == t) continue;
      seen[tree] = t;
      if (count < 2) m->tendon_treeid[2 * t + count] = tree;
      count++;
    }
    m->tendon_treenum[t] = count;
  }
  mj_freeStack(d);
}

// Sleep policies

static void keep_awake(mjModel* m, int tree) {
  if (tree >= 0 && m->tree_sleep_policy[tree] == mjSLEEP_AUTO) {
    m->tree_sleep_policy[tree] = mjSLEEP_AUTO_NEVER;
  }
}

static void keep_awake_by_actuator(mjModel* m, int actuator) {
  int id = m->actuator_trnid[2 * actuator];
  switch (m->actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      keep_awake(m, m->body_treeid[m->jnt_bodyid[id]]);
      break;
    case mjTRN_SITE:
    case mjTRN_SLIDERCRANK:
      keep_awake(m, m->body_treeid[m->site_bodyid[id]]);
      break;
    case mjTRN_BODY:
      keep_awake(m, m->body_treeid[id]);
      break;
    case mjTRN_TENDON:
      for (int w = m->tendon_adr[id]; w < m->tendon_adr[id] + m->tendon_num[id]; w++) {
        keep_awake(m, wrap_tree(m, w));
      }
      break;
    default:
      break;
  }
}

// A tendon that passes forces from tree to tree would have to wake them; one with a limit alone
// does so as a constraint, if it spans no more than two.
static bool couples_trees(const mjModel* m, int tendon) {
  bool spring = m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0;
  return m->tendon_treenum[tendon] > 2 || (m->tendon_treenum[tendon] == 2 && spring);
}

static void keep_awake_by_tendon(mjModel* m, int tendon) {
  if (!couples_trees(m, tendon)) return;
  for (int w = m->tendon_adr[tendon]; w < m->tendon_adr[tendon] + m->tendon_num[tendon]; w++) {
    int tree = wrap_tree(m, w);
    if (tree < 0) continue;
    int policy = m->tree_sleep_policy[tree];
    if (policy == mjSLEEP_ALLOWED || policy == mjSLEEP_INIT) {
      mju_error("tree %d cannot be allowed to sleep: tendon %d couples it with other trees", tree,
                tendon);
      return;
    }
    keep_awake(m, tree);
  }
}

static void keep_awake_by_flex(mjModel* m, int flex) {
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    keep_awake(m, m->body_treeid[m->flex_nodebodyid[m->flex_nodeadr[flex] + i]]);
  }
  if (m->flex_interp[flex]) return;
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    keep_awake(m, m->body_treeid[m->flex_vertbodyid[m->flex_vertadr[flex] + i]]);
  }
}

static void decide_sleep_policies(mjModel* m) {
  for (int i = 0; i < m->nu; i++) keep_awake_by_actuator(m, i);
  for (int i = 0; i < m->ntendon; i++) keep_awake_by_tendon(m, i);
  for (int i = 0; i < m->nflex; i++) keep_awake_by_flex(m, i);
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] == mjSLEEP_AUTO) m->tree_sleep_policy[i] = mjSLEEP_AUTO_ALLOWED;
  }
}

// Poses

static void go_to(const mjModel* m, mjData* d, const mjtNum* qpos) {
  ct_copy(d->qpos, qpos, (int)m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

// Diagonal of the mass matrix without tendons. The matrix itself takes it from here for the dofs of
// simple bodies, so it comes first.
static void set_diagonal_inertia(mjModel* m, mjData* d) {
  ct_composite_bodies(lane_one(), m, d);
  for (int i = 0; i < m->nv; i++) {
    const mjtNum* axis = d->cdof + 6 * i;
    mjtNum momentum[6];
    ct_mul_inert_vec(momentum, d->crb + 10 * m->dof_bodyid[i], axis);
    m->dof_M0[i] = m->dof_armature[i] + ct_dot6(axis, momentum);
  }
}

static void go_to_qpos0(mjModel* m, mjData* d) {
  go_to(m, d, m->qpos0);
  ct_camlight_fixed(lane_one(), m, d);
  set_diagonal_inertia(m, d);
  if (m->nflex) mj_flex(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);
}

// Inverse weights

enum { NROW = 6 };  // rows of a body's Jacobian: three of translation, three of rotation

// From the last dof of a chain up: x := L^-T x, and sum[r] = |D^-1/2 x_r|^2. x holds NROW numbers
// per dof; the chain's are zero again at the end.
static void square_along_chain(const mjModel* m, const mjData* d, int last, mjtNum* x,
                               mjtNum sum[NROW]) {
  ct_zero(sum, NROW);
  for (int i = last; i >= 0; i = m->dof_parentid[i]) {
    mjtNum* xi = x + NROW * i;
    int start = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    for (int r = 0; r < NROW; r++) sum[r] += xi[r] * xi[r] * d->qLDiagInv[i];
    for (int k = 0; k < n; k++) {
      ct_add_to_scl(x + NROW * m->M_colind[start + k], xi, -d->qLD[start + k], NROW);
    }
    ct_zero(xi, NROW);
  }
}

// Jacobian of a body's centre of mass, one group of NROW numbers per dof of its chain.
static void load_body_jacobian(const mjModel* m, const mjData* d, int body, int last, mjtNum* x) {
  mjtNum offset[3];
  ct_sub3(offset, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  for (int i = last; i >= 0; i = m->dof_parentid[i]) {
    const mjtNum* axis = d->cdof + 6 * i;
    mjtNum* xi = x + NROW * i;
    ct_cross(xi, axis, offset);
    ct_add_to3(xi, axis + 3);
    ct_copy3(xi + 3, axis);
  }
}

static void set_body_weight(mjModel* m, const mjData* d, int body, mjtNum* x) {
  mjtNum* weight = m->body_invweight0 + 2 * body;
  int weld = m->body_weldid[body];
  weight[0] = weight[1] = 0;
  if (weld == 0) return;
  if (m->body_simple[body] == 2) {
    weight[0] = 1 / ct_max(mjMINVAL, m->body_mass[body]);
    return;
  }
  int last = m->body_dofadr[weld] + m->body_dofnum[weld] - 1;
  mjtNum sum[NROW];
  load_body_jacobian(m, d, body, last, x);
  square_along_chain(m, d, last, x, sum);
  weight[0] = (sum[0] + sum[1] + sum[2]) / 3;
  weight[1] = (sum[3] + sum[4] + sum[5]) / 3;
  if (weight[0] < mjMINVAL && weight[1] > mjMINVAL) weight[0] = weight[1];
  if (weight[1] < mjMINVAL && weight[0] > mjMINVAL) weight[1] = weight[0];
}

static void average3(mjtNum* x) {
  mjtNum mean = (x[0] + x[1] + x[2]) / 3;
  x[0] = x[1] = x[2] = mean;
}

static void set_dof_weights(mjModel* m, const mjData* d, mjtNum* x) {
  mjtNum sum[NROW];
  for (int i = 0; i < m->nv; i++) {
    int body = m->dof_bodyid[i];
    if (m->body_simple[body] == 2) {
      m->dof_invweight0[i] = 1 / ct_max(mjMINVAL, m->body_mass[body]);
      continue;
    }
    x[NROW * i] = 1;
    square_along_chain(m, d, i, x, sum);
    m->dof_invweight0[i] = sum[0];
  }
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* weight = m->dof_invweight0 + m->jnt_dofadr[j];
    if (m->jnt_type[j] == mjJNT_FREE) average3(weight + 3);
    if (m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL) average3(weight);
  }
}

static void set_weights_of_bodies_and_dofs(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* x = mj_stackAllocNum(d, (size_t)(NROW * (m->nv + 1)));
  ct_zero(x, NROW * (int)m->nv);
  for (int b = 0; b < m->nbody; b++) set_body_weight(m, d, b, x);
  set_dof_weights(m, d, x);
  mj_freeStack(d);
}

// Tendons and actuators

typedef struct {  // dofs first <= i < end: from the first to the last tree that a row touches
  int first, end;
} Span;

static Span span_of(const mjModel* m, const int* column, int n) {
  Span span = {(int)m->nv, 0};
  for (int k = 0; k < n; k++) {
    int tree = m->dof_treeid[column[k]], first = m->tree_dofadr[tree];
    int end = first + m->tree_dofnum[tree];
    if (first < span.first) span.first = first;
    if (end > span.end) span.end = end;
  }
  if (span.end == 0) span.first = 0;
  return span;
}

// The norm of a row that is zero elsewhere, added up as that of all dofs is: in groups of four.
static mjtNum norm_of(const mjModel* m, const mjtNum* row, Span span) {
  int nv = (int)m->nv, first = span.first - span.first % 4, end = (span.end + 3) / 4 * 4;
  if (end > nv - nv % 4) end = nv;
  return ct_norm(row + first, end - first);
}

// A row of a sparse matrix as nv numbers, all of them zero before.
static Span spread(const mjModel* m, const mjtNum* value, const int* column, int n, mjtNum* row) {
  for (int k = 0; k < n; k++) row[column[k]] = value[k];
  return span_of(m, column, n);
}

static Span spread_tendon(const mjModel* m, const mjData* d, int tendon, mjtNum* row) {
  if (ct_is_sparse(m)) {
    int start = d->ten_J_rowadr[tendon];
    return spread(m, d->ten_J + start, d->ten_J_colind + start, d->ten_J_rownnz[tendon], row);
  }
  Span all = {0, (int)m->nv};
  ct_copy(row, d->ten_J + tendon * m->nv, all.end);
  return all;
}

static Span spread_moment(const mjModel* m, const mjData* d, int actuator, mjtNum* row) {
  int start = d->moment_rowadr[actuator];
  return spread(m, d->actuator_moment + start, d->moment_colind + start, d->moment_rownnz[actuator],
                row);
}

// row M^-1 row', by the half of a solve that only visits dofs on the way to the roots.
static mjtNum weight_within(const mjModel* m, const mjData* d, mjtNum* row, Span span) {
  mjtNum sum = 0;
  for (int i = span.end - 1; i >= span.first; i--) {
    if (row[i] == 0) continue;
    int start = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    for (int k = start; k < start + n; k++) row[m->M_colind[k]] -= d->qLD[k] * row[i];
    sum += row[i] * row[i] * d->qLDiagInv[i];
  }
  return sum;
}

static mjtNum inverse_weight(const mjModel* m, const mjData* d, mjtNum* row) {
  Span all = {0, (int)m->nv};
  return weight_within(m, d, row, all);
}

// A row touches few trees of many: work and clearing stay inside of them, so that a model of n
// robots with n actuators takes n steps and not their square.
static void set_tendons_and_actuators(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* row = mj_stackAllocNum(d, (size_t)m->nv + 1);
  ct_zero(row, (int)m->nv);
  for (int i = 0; i < m->ntendon; i++) {
    Span span = spread_tendon(m, d, i, row);
    m->tendon_length0[i] = d->ten_length[i];
    m->tendon_invweight0[i] = weight_within(m, d, row, span);
    ct_zero(row + span.first, span.end - span.first);
  }
  for (int i = 0; i < m->nu; i++) {
    Span span = spread_moment(m, d, i, row);
    m->actuator_length0[i] = d->actuator_length[i];
    ct_solve_trees(lane_one(), m, d, d->qLD, d->qLDiagInv, row, span.first, span.end);
    m->actuator_acc0[i] = norm_of(m, row, span);
    ct_zero(row + span.first, span.end - span.first);
  }
  mj_freeStack(d);
}

// A positive damping of a servo is a ratio: 1 is critical for the inertia that the actuator feels.
static void resolve_damping_ratios(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    mjtNum kp = m->actuator_gainprm[mjNGAIN * i];
    mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
    if (kp != -bias[1] || bias[2] <= 0) continue;
    mjtNum inertia = 0;
    int start = d->moment_rowadr[i];
    for (int k = start; k < start + d->moment_rownnz[i]; k++) {
      mjtNum square = d->actuator_moment[k] * d->actuator_moment[k];
      if (square > mjMINVAL) inertia += m->dof_M0[d->moment_colind[k]] / square;
    }
    bias[2] = -2 * bias[2] * mju_sqrt(kp * inertia);
  }
}

// Equalities

// Where an anchor of one body is, seen from the other.
static void anchor_in(mjtNum res[3], const mjData* d, int body, const mjtNum anchor[3], int other) {
  mjtNum point[3];
  ct_mul_mat_vec3(point, d->xmat + 9 * body, anchor);
  ct_add_to3(point, d->xpos + 3 * body);
  ct_sub_from3(point, d->xpos + 3 * other);
  ct_mul_mat_t_vec3(res, d->xmat + 9 * other, point);
}

static void complete_weld(mjtNum* data, const mjData* d, int body1, int body2) {
  bool given = data[6] != 0 || data[7] != 0 || data[8] != 0 || data[9] != 0;
  if (given) {
    ct_normalize4(data + 6);
    return;
  }
  mjtNum inverse[4];
  anchor_in(data + 3, d, body2, data, body1);
  ct_neg_quat(inverse, d->xquat + 4 * body1);
  ct_mul_quat(data + 6, inverse, d->xquat + 4 * body2);
}

// A distance of zero is that of the initial pose.
static void complete_distance(mjtNum* data, const mjData* d, int site1, int site2) {
  mjtNum line[3];
  ct_sub3(line, d->site_xpos + 3 * site1, d->site_xpos + 3 * site2);
  if (data[0] == 0) data[0] = ct_norm(line, 3);
  ct_zero(data + 1, mjNEQDATA - 1);
}

static void complete_equalities(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->neq; i++) {
    mjtNum* data = m->eq_data + mjNEQDATA * i;
    int one = m->eq_obj1id[i], other = m->eq_obj2id[i];
    bool bodies = m->eq_objtype[i] == mjOBJ_BODY;
    if (m->eq_type[i] == mjEQ_CONNECT) {
      if (bodies) {
        anchor_in(data + 3, d, one, data, other);
      } else {
        ct_zero(data, mjNEQDATA);
      }
    }
    if (m->eq_type[i] == mjEQ_WELD && bodies) complete_weld(data, d, one, other);
    if (m->eq_type[i] == mjEQ_DISTANCE) complete_distance(data, d, one, other);
  }
}

// Cameras and lights
//
// A view may later follow a point while it keeps its direction: the body that carries it, or the
// centre of mass of a subtree. Its place is kept relative to both, along the axes of the world.

typedef struct {  // a point, and what it may follow
  const mjtNum* place;
  int carrier, watched;  // bodies; watched is negative if it watches none
} View;

static void keep_offsets(const mjData* d, View view, mjtNum to_carrier[3], mjtNum to_mass[3]) {
  int subtree = view.watched < 0 ? view.carrier : view.watched;
  ct_sub3(to_carrier, view.place, d->xpos + 3 * view.carrier);
  ct_sub3(to_mass, view.place, d->subtree_com + 3 * subtree);
}

static void keep_views(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ncam; i++) {
    View camera = {d->cam_xpos + 3 * i, m->cam_bodyid[i], m->cam_targetbodyid[i]};
    keep_offsets(d, camera, m->cam_pos0 + 3 * i, m->cam_poscom0 + 3 * i);
    ct_copy(m->cam_mat0 + 9 * i, d->cam_xmat + 9 * i, 9);
  }
  for (int i = 0; i < m->nlight; i++) {
    View light = {d->light_xpos + 3 * i, m->light_bodyid[i], m->light_targetbodyid[i]};
    keep_offsets(d, light, m->light_pos0 + 3 * i, m->light_poscom0 + 3 * i);
    ct_copy3(m->light_dir0 + 3 * i, d->light_xdir + 3 * i);
  }
}

// Springs

// A tendon whose spring has no range yet, which is said by -1 at both ends, is at rest in the pose
// qpos_spring.
static void let_springs_rest(mjModel* m, mjData* d) {
  const mjtNum unknown = -1;
  go_to(m, d, m->qpos_spring);
  mj_tendon(m, d);
  mj_transmission(m, d);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum *shortest = m->tendon_lengthspring + 2 * t, *longest = shortest + 1;
    if (*shortest != unknown || *longest != unknown) continue;
    *shortest = *longest = d->ten_length[t];
  }
}

void mj_setConst(mjModel* m, mjData* d) {
  add_up_masses(m);
  count_tendon_trees(m, d);
  decide_sleep_policies(m);
  ct_lay_out_flexes(m, d);

  go_to_qpos0(m, d);
  set_weights_of_bodies_and_dofs(m, d);
  ct_set_edges(m, d, inverse_weight);
  set_tendons_and_actuators(m, d);
  complete_equalities(m, d);
  keep_views(m, d);
  resolve_damping_ratios(m, d);
  ct_set_statistics(m, d);

  let_springs_rest(m, d);
}
