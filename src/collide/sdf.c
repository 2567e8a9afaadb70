// Collision of signed distance fields by descent.
//
// With A(x) and B(x) the distances of a point from the two surfaces, negative inside, points of
// both shapes have max(A, B) <= 0. From starts spread over the common box, gradient descent on A +
// B + |max(A, B)| looks for them; one step on max(A, B) gives the depth. The normal is that of the
// surface A = B between them. (Macklin et al., Local optimization for robust signed distance field
// collision, 2020.)
//
// Each field knows points of its own frame. The descent moves a point of the frame of geom 2.

#include "collide/sdf.h"

#include "collide/contact.h"
#include "math/quat.h"

#define LEAST_LENGTH ((mjtNum)1e-10)  // that something is divided by
#define JUST_INSIDE ((mjtNum)1e-6)  // how far inside of the root of an octree a point is looked up
#define QUOTIENT_STEP ((mjtNum)1e-8)  // of differences that stand for a gradient

// Descent: a step is halved from the first until the value has fallen by enough for its length, or
// it is too short. What is lost counts as far away.
#define FIRST_STEP 1
#define SHORTEST_STEP ((mjtNum)1e-4)
#define ENOUGH_FALL ((mjtNum)0.1)  // share of what the gradient promises
#define NOWHERE ((mjtNum)1e10)

// Rays go on by the distance of the surface until they are on it, or have lost it.
#define RAY_STEPS 40
#define RAY_ARRIVED ((mjtNum)1e-7)
#define RAY_LOST ((mjtNum)1e6)

// Distances and gradients of primitives, s: half sizes.

// From the nearest point of a capsule's axis to x; its length.
LANE_INLINE mjtNum from_axis(mjtNum arm[3], const mjtNum x[3], const mjtNum s[3]) {
  ct_copy3(arm, x);
  arm[2] -= ct_clip(x[2], -s[1], s[1]);
  return ct_norm3(arm);
}

// Outside, the distance of the nearest point. Inside, the length of the way out along a field whose
// lines lead from the centre to the faces, ever steeper the nearer they are.
LANE_FN static mjtNum box_distance(const mjtNum x[3], const mjtNum s[3], mjtNum gradient[3]) {
  mjtNum beyond[3], out[3], field[3], side[3];  // beyond: the faces, negative inside
  bool inside = true;
  for (int k = 0; k < 3; k++) {
    side[k] = x[k] < 0 ? (mjtNum)-1 : (mjtNum)1;
    beyond[k] = ct_abs(x[k]) - s[k];
    out[k] = beyond[k] < 0 ? 0 : beyond[k];
    inside = inside && beyond[k] < 0;
  }
  if (!inside) {
    mjtNum length = ct_norm3(out);
    // descents start in corners of boxes, where the last bits of this choose the way
    for (int k = 0; k < 3; k++) {
      gradient[k] = out[k] > 0 ? out[k] / length * x[k] / ct_abs(x[k]) : 0;
    }
    return length;
  }

  // inside, the shortest of the ways to the three pairs of faces along the field
  for (int k = 0; k < 3; k++) field[k] = -s[k] / beyond[k];
  ct_normalize3(field);
  mjtNum least = -beyond[0] / ct_abs(field[0]);
  for (int k = 1; k < 3; k++) least = ct_min(least, -beyond[k] / ct_abs(field[k]));
  for (int k = 0; k < 3; k++) gradient[k] = field[k] * side[k];
  return -least * ct_norm3(field);
}

// radial, axial: how far beyond the side and beyond the caps.
LANE_FN static mjtNum cylinder_distance(const mjtNum x[3], const mjtNum s[3]) {
  mjtNum radial = ct_sqrt(x[0] * x[0] + x[1] * x[1]) - s[0], axial = ct_abs(x[2]) - s[1];
  mjtNum r = ct_max(radial, 0), h = ct_max(axial, 0);
  return ct_min(ct_max(radial, axial), 0) + ct_sqrt(r * r + h * h);
}

LANE_FN static void cylinder_gradient(mjtNum gradient[3], const mjtNum x[3], const mjtNum s[3]) {
  mjtNum radius = ct_sqrt(x[0] * x[0] + x[1] * x[1]), height = ct_abs(x[2]);
  mjtNum radial = radius - s[0], axial = height - s[1];
  mjtNum divisor = ct_max(radius, LEAST_LENGTH);
  mjtNum sideways[3] = {x[0] / divisor, x[1] / divisor, 0};
  mjtNum upwards[3] = {0, 0, x[2] / ct_max(height, LEAST_LENGTH)};
  if (radial < 0 && axial < 0) {
    ct_copy3(gradient, radial > axial ? sideways : upwards);
    return;
  }
  mjtNum r = ct_max(radial, 0), h = ct_max(axial, 0);
  mjtNum length = ct_max(ct_sqrt(r * r + h * h), LEAST_LENGTH);
  ct_scl3(gradient, sideways, r / length);
  ct_add_to_scl3(gradient, upwards, h / length);
}

// p = |x/s| is 1 on the surface, and q = |x/s^2| is p times the length of p's gradient: to first
// order the surface is at distance p (p - 1) / q. The gradient is that of this formula, as a unit
// vector.
LANE_FN static mjtNum ellipsoid_distance(const mjtNum x[3], const mjtNum s[3], mjtNum gradient[3]) {
  mjtNum once[3], twice[3];
  for (int k = 0; k < 3; k++) {
    once[k] = x[k] / s[k];
    twice[k] = once[k] / s[k];
  }
  mjtNum p = ct_norm3(once), q = ct_norm3(twice);
  for (int k = 0; k < 3; k++) {
    mjtNum dp = twice[k] / p, dq = twice[k] / (s[k] * s[k]) / q;
    gradient[k] = ((2 * p - 1) * dp * q - p * (p - 1) * dq) / (q * q);
  }
  ct_normalize3(gradient);
  return p * (p - 1) / q;
}

// Octree of a mesh: distances at the corners of its cells.

typedef struct {
  int node;      // leaf
  mjtNum at[3];  // place in it, 0 to 1
  bool outside;  // of the root
  mjtNum excess;
} OctreePlace;

LANE_FN static void find_in_octree(OctreePlace* p, const mjModel* m, int root, const mjtNum x[3]) {
  mjtNum moved[3], squared = 0;
  const mjtNum* box = m->oct_aabb + 6 * root;

  // a point outside of the root is moved just inside, and its way there is remembered
  p->outside = false;
  ct_copy3(moved, x);
  for (int k = 0; k < 3; k++) {
    mjtNum offset = x[k] - box[k], excess = ct_abs(offset) - box[3 + k];
    if (!(excess >= 0)) continue;
    p->outside = true;
    squared += excess * excess;
    moved[k] -= (offset > 0 ? 1 : -1) * (excess + JUST_INSIDE);
  }
  p->excess = ct_sqrt(squared);

  // From cell to cell down to a leaf, which has no child. Where a point is in the upper half of a
  // cell, its place there is at least a half, rounded or not, so that no quotients are needed.
  for (int node = root;;) {
    mjtNum inside[3];
    int half = 0;
    box = m->oct_aabb + 6 * node;
    for (int k = 0; k < 3; k++) {
      inside[k] = moved[k] - (box[k] - box[3 + k]);
      half |= (inside[k] >= box[3 + k] && inside[k] > 0) << k;
    }
    int child = m->oct_child[8 * node + half];
    if (child < 0) {
      for (int k = 0; k < 3; k++) p->at[k] = inside[k] / (2 * box[3 + k]);
      p->node = node;
      return;
    }
    node = root + child;
  }
}

LANE_INLINE mjtNum corner_weight(const mjtNum at[3], int corner, int k) {
  return corner & 1 << k ? at[k] : 1 - at[k];
}

LANE_FN static mjtNum octree_distance(const mjModel* m, int root, const mjtNum x[3]) {
  OctreePlace p;
  find_in_octree(&p, m, root, x);
  mjtNum value = 0;
  for (int j = 0; j < 8; j++) {
    value += corner_weight(p.at, j, 0) * corner_weight(p.at, j, 1) * corner_weight(p.at, j, 2) *
             m->oct_coeff[8 * p.node + j];
  }
  return p.excess + value;
}

// Quirk: inside, the gradient is by the place in the cell, not by the point.
LANE_FN static void octree_gradient(const mjModel* m, int root, mjtNum gradient[3],
                                    const mjtNum x[3]) {
  OctreePlace p;
  find_in_octree(&p, m, root, x);
  if (p.outside) {
    mjtNum here = octree_distance(m, root, x);
    for (int k = 0; k < 3; k++) {
      mjtNum moved[3] = {x[0], x[1], x[2]};
      moved[k] += QUOTIENT_STEP;
      gradient[k] = (octree_distance(m, root, moved) - here) / QUOTIENT_STEP;
    }
    return;
  }
  ct_zero3(gradient);
  for (int j = 0; j < 8; j++) {
    for (int k = 0; k < 3; k++) {
      mjtNum sign = j & 1 << k ? (mjtNum)1 : (mjtNum)-1;
      gradient[k] += sign * corner_weight(p.at, j, (k + 1) % 3) *
                     corner_weight(p.at, j, (k + 2) % 3) * m->oct_coeff[8 * p.node + j];
    }
  }
}

LANE_FN mjtNum ct_field_distance(const mjModel* m, const ct_DistanceField* f, const mjtNum x[3]) {
  mjtNum unused[3];
  switch (f->type) {
    case mjGEOM_PLANE:
      return x[2];
    case mjGEOM_SPHERE:
      return ct_norm3(x) - f->size[0];
    case mjGEOM_CAPSULE:
      return from_axis(unused, x, f->size) - f->size[0];
    case mjGEOM_ELLIPSOID:
      return ellipsoid_distance(x, f->size, unused);
    case mjGEOM_CYLINDER:
      return cylinder_distance(x, f->size);
    case mjGEOM_BOX:
      return box_distance(x, f->size, unused);
    default:
      return f->octree < 0 ? (mjtNum)mjMAXVAL : octree_distance(m, f->octree, x);
  }
}

LANE_FN void ct_field_gradient(const mjModel* m, const ct_DistanceField* f, mjtNum gradient[3],
                               const mjtNum x[3]) {
  ct_zero3(gradient);
  switch (f->type) {
    case mjGEOM_PLANE:
      gradient[2] = 1;
      break;
    case mjGEOM_SPHERE:
      ct_scl3(gradient, x, 1 / ct_norm3(x));
      break;
    case mjGEOM_CAPSULE: {
      mjtNum length = from_axis(gradient, x, f->size);
      for (int k = 0; k < 3; k++) gradient[k] /= length;
      break;
    }
    case mjGEOM_ELLIPSOID:
      ellipsoid_distance(x, f->size, gradient);
      break;
    case mjGEOM_CYLINDER:
      cylinder_gradient(gradient, x, f->size);
      break;
    case mjGEOM_BOX:
      box_distance(x, f->size, gradient);
      break;
    default:
      if (f->octree >= 0) octree_gradient(m, f->octree, gradient, x);
      break;
  }
}

LANE_INLINE ct_DistanceField field_of_geom(const mjModel* m, int geom) {
  int mesh = m->geom_dataid[geom];
  bool has_mesh = m->geom_type[geom] == mjGEOM_MESH || m->geom_type[geom] == mjGEOM_SDF;
  ct_DistanceField f = {m->geom_type[geom], m->geom_size + 3 * geom,
                        has_mesh && mesh >= 0 ? m->mesh_octadr[mesh] : -1};
  return f;
}

// What answers for the field of a geom: a plugin, or what its type says. Plugins live on the host;
// the GPU leaves their geoms out.
typedef struct {
  ct_DistanceField field;
#ifndef __CUDACC__
  const mjpPlugin* plugin;  // or NULL
  int instance;
#endif
} Field;

LANE_INLINE Field lookup_field(const mjModel* m, int geom) {
  Field f;
  f.field = field_of_geom(m, geom);
#ifndef __CUDACC__
  f.instance = m->geom_type[geom] == mjGEOM_SDF ? m->geom_plugin[geom] : -1;
  f.plugin = f.instance < 0 ? NULL : mjp_getPluginAtSlot(m->plugin[f.instance]);
#endif
  return f;
}

LANE_FN static inline mjtNum distance_in(const mjModel* m, const mjData* d, const Field* f,
                                         const mjtNum x[3]) {
#ifndef __CUDACC__
  if (f->plugin && f->plugin->sdf_distance) return f->plugin->sdf_distance(x, d, f->instance);
#else
  (void)d;
#endif
  return ct_field_distance(m, &f->field, x);
}

LANE_FN static void gradient_in(const mjModel* m, const mjData* d, const Field* f,
                                mjtNum gradient[3], const mjtNum x[3]) {
#ifndef __CUDACC__
  if (f->plugin && f->plugin->sdf_gradient) {
    f->plugin->sdf_gradient(gradient, x, d, f->instance);
    return;
  }
#else
  (void)d;
#endif
  ct_field_gradient(m, &f->field, gradient, x);
}

LANE_FN mjtNum ct_sdf_distance(const mjModel* m, const mjData* d, int geom, const mjtNum x[3]) {
  Field f = lookup_field(m, geom);
  return distance_in(m, d, &f, x);
}

// What two distances A and B, or their gradients, are combined to.

LANE_FN mjtNum ct_combine_distances(int kind, mjtNum A, mjtNum B) {
  if (kind == mjSDFTYPE_INTERSECTION) return ct_max(A, B);
  if (kind == mjSDFTYPE_MIDSURFACE) return A - B;
  return A + B + ct_abs(ct_max(A, B));
}

LANE_FN void ct_combine_gradients(int kind, mjtNum gradient[3], mjtNum A, mjtNum gA[3], mjtNum B,
                                  mjtNum gB[3]) {
  const mjtNum* larger = A > B ? gA : gB;
  mjtNum sign = ct_max(A, B) > 0 ? (mjtNum)1 : (mjtNum)-1;
  switch (kind) {
    case mjSDFTYPE_MIDSURFACE:
      ct_normalize3(gA);
      ct_normalize3(gB);
      ct_sub3(gradient, gA, gB);
      ct_normalize3(gradient);
      break;
    case mjSDFTYPE_INTERSECTION:
      ct_copy3(gradient, larger);
      break;
    default:
      for (int k = 0; k < 3; k++) gradient[k] = gA[k] + gB[k] + sign * larger[k];
      break;
  }
}

// Two fields; points are in the frame of geom 2, the pose is that of geom 2 in the frame of geom 1.
typedef struct {
  const mjModel* m;
  const mjData* d;
  int geom1, geom2;
  Field field1, field2;  // found once, since looking up a plugin takes a lock
  mjtNum pos[3], mat[9];
} FieldPair;

LANE_INLINE void point_in_first(const FieldPair* p, mjtNum y[3], const mjtNum x[3]) {
  ct_mul_mat_vec3(y, p->mat, x);
  ct_add_to3(y, p->pos);
}

LANE_FN static inline void field_values(const FieldPair* p, const mjtNum x[3], mjtNum* A,
                                        mjtNum* B) {
  mjtNum y[3];
  point_in_first(p, y, x);
  *A = distance_in(p->m, p->d, &p->field2, x);
  *B = distance_in(p->m, p->d, &p->field1, y);
}

// A, B: the distances at x, which midsurfaces do without.
LANE_FN static void field_gradient(const FieldPair* p, int kind, mjtNum gradient[3],
                                   const mjtNum x[3], mjtNum A, mjtNum B) {
  mjtNum y[3], gA[3], gB[3];
  point_in_first(p, y, x);
  gradient_in(p->m, p->d, &p->field2, gA, x);
  gradient_in(p->m, p->d, &p->field1, gB, y);
  ct_mul_mat_t_vec3(gB, p->mat, gB);
  ct_combine_gradients(kind, gradient, A, gA, B, gB);
}

// Moves x, where the distances are A and B, down the gradient; returns the value where it ends,
// early if that has risen. A and B are those of the new place then.
LANE_FN static mjtNum descend(const FieldPair* p, int kind, mjtNum x[3], mjtNum* A, mjtNum* B,
                              int steps) {
  mjtNum value = NOWHERE;
  for (int i = 0; i < steps; i++) {
    mjtNum gradient[3], start[3];
    ct_copy3(start, x);
    field_gradient(p, kind, gradient, start, *A, *B);
    if (ct_is_bad(gradient[0]) || ct_is_bad(gradient[1]) || ct_is_bad(gradient[2])) return NOWHERE;

    // steps of 1, 1/2, 1/4 ... gradients
    mjtNum before = ct_combine_distances(kind, *A, *B), step = 2 * FIRST_STEP;
    mjtNum enough = -2 * FIRST_STEP * ENOUGH_FALL * ct_dot3(gradient, gradient);
    do {
      step /= 2;
      enough /= 2;
      ct_add_scl3(x, start, gradient, -step);
      field_values(p, x, A, B);
      value = ct_combine_distances(kind, *A, *B);
    } while (step > SHORTEST_STEP && value - before > enough);
    if (before < value) return value;
  }
  return value;
}

typedef struct {
  mjtNum pos[3], quat[4];
} FieldPose;

LANE_FN static FieldPose pose_in(const FieldPose* frame, const FieldPose* other) {
  FieldPose inverse, res;
  ct_neg_pose(inverse.pos, inverse.quat, frame->pos, frame->quat);
  ct_mul_pose(res.pos, res.quat, inverse.pos, inverse.quat, other->pos, other->quat);
  return res;
}

// The part of geom 1's box that geom 2's box may share, in frame 1. False if there is none.
LANE_FN static bool common_box(const FieldPair* p, mjtNum low[3], mjtNum high[3]) {
  const mjtNum* box1 = p->m->geom_aabb + 6 * p->geom1;
  const mjtNum* box2 = p->m->geom_aabb + 6 * p->geom2;
  mjtNum low2[3] = {0, 0, 0}, high2[3] = {0, 0, 0};
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3];
    for (int k = 0; k < 3; k++) corner[k] = box2[k] + (i & 1 << k ? box2[3 + k] : -box2[3 + k]);
    point_in_first(p, corner, corner);
    for (int k = 0; k < 3; k++) {
      low2[k] = i == 0 || corner[k] < low2[k] ? corner[k] : low2[k];
      high2[k] = i == 0 || corner[k] > high2[k] ? corner[k] : high2[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    low[k] = ct_max(box1[k] - box1[3 + k], low2[k]);
    high[k] = ct_min(box1[k] + box1[3 + k], high2[k]);
    if (high[k] < low[k]) return false;
  }
  return true;
}

// Number `index` of the van der Corput sequence.
LANE_INLINE mjtNum halton(int index, int base) {
  mjtNum result = 0, weight = 1;
  for (; index > 0; index /= base) {
    weight /= (mjtNum)base;
    result += weight * (mjtNum)(index % base);
  }
  return result;
}

LANE_FN static bool is_kept(const mjtNum (*kept)[3], int count, const mjtNum x[3]) {
  for (int i = 0; i < count; i++) {
    if (ct_dist3(kept[i], x) < (mjtNum)mjMINVAL) return true;
  }
  return false;
}

LANE_FN static bool set_field_hit(const FieldPair* p, ct_Hit* hit, const FieldPose* pose2,
                                  const mjtNum x[3], mjtNum dist) {
  mjtNum frame[9], pos[3];
  field_gradient(p, mjSDFTYPE_MIDSURFACE, frame, x, 0, 0);
  ct_scl3(frame, frame, -1);
  ct_rot_vec_quat(frame, frame, pose2->quat);
  ct_zero3(frame + 3);
  if (!ct_complete_frame(frame)) return false;
  ct_rot_vec_quat(pos, x, pose2->quat);
  ct_add_to3(pos, pose2->pos);
  ct_add_to_scl3(pos, frame, -dist / 2);
  ct_set_hit(hit, dist, pos, frame);
  ct_copy3(hit->frame + 3, frame + 3);
  return true;
}

#ifndef __CUDACC__
// What plugins do before a pair, and before each start.
static void tell_plugin(const mjModel* m, const mjData* d, const Field* f, bool first) {
  const mjpPlugin* plugin = f->plugin;
  if (!plugin) return;
  int instance = f->instance;
  if (first && plugin->reset) {
    plugin->reset(m, NULL, (void*)(uintptr_t)d->plugin_data[instance], instance);
  }
  if (!first && plugin->compute) {
    plugin->compute(m, (mjData*)(uintptr_t)d, instance, mjPLUGIN_SDF);
  }
}
#endif

LANE_FN int ct_sdf_hits(const mjModel* m, const mjData* d, ct_Hit* hit, const ct_Shape* s1,
                        const ct_Shape* s2) {
  FieldPair p;
  FieldPose pose1, pose2;
  mjtNum low[3], high[3], kept[CT_MOST_HITS][3], mat12[9];
  int count = 0;

  // each geom in the frame of the other, by quaternions
  p.m = m;
  p.d = d;
  p.geom1 = s1->geom;
  p.geom2 = s2->geom;
  p.field1 = lookup_field(m, p.geom1);
  p.field2 = lookup_field(m, p.geom2);
  ct_copy3(pose1.pos, s1->pos);
  ct_copy3(pose2.pos, s2->pos);
  ct_mat_to_quat(pose1.quat, s1->mat);
  ct_mat_to_quat(pose2.quat, s2->mat);
  FieldPose second = pose_in(&pose1, &pose2), first = pose_in(&pose2, &pose1);
  ct_copy3(p.pos, second.pos);
  ct_quat_to_mat(p.mat, second.quat);
  ct_quat_to_mat(mat12, first.quat);

  // Without an orientation no start would lead anywhere. Without a position some do in the
  // reference: a box at NaN makes contacts.
  if (!ct_are_finite(p.mat, 9)) return 0;

  // starts fill the common box of both, in frame 1
  if (s1->type == mjGEOM_MESH || !common_box(&p, low, high)) return 0;
#ifndef __CUDACC__
  tell_plugin(m, d, &p.field2, true);
#endif

  for (int j = 0; j < m->opt.sdf_initpoints && count < CT_MOST_HITS; j++) {
    const int base[3] = {2, 3, 5};
    mjtNum x[3];
    for (int k = 0; k < 3; k++) x[k] = low[k] + (high[k] - low[k]) * halton(j, base[k]);
    ct_mul_mat_vec3(x, mat12, x);
    ct_add_to3(x, first.pos);

    // down to a point of both shapes; new points make contacts
#ifndef __CUDACC__
    tell_plugin(m, d, &p.field1, false);
    tell_plugin(m, d, &p.field2, false);
#endif
    mjtNum A, B;
    field_values(&p, x, &A, &B);
    descend(&p, mjSDFTYPE_COLLISION, x, &A, &B, m->opt.sdf_iterations);
    mjtNum dist = descend(&p, mjSDFTYPE_INTERSECTION, x, &A, &B, 1);
    if (dist > 0 || is_kept((const mjtNum(*)[3])kept, count, x)) continue;
    ct_copy3(kept[count], x);
    if (set_field_hit(&p, hit + count, &pose2, x, dist)) count++;
  }
  return count;
}

LANE_FN mjtNum ct_ray_sdf(const mjModel* m, const mjData* d, int geom, const mjtNum from[3],
                          const mjtNum along[3], mjtNum normal[3]) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum o[3], w[3], x[3], total = 0;
  ct_sub3(o, from, pos);
  ct_mul_mat_t_vec3(o, mat, o);
  ct_mul_mat_t_vec3(w, mat, along);
  ct_normalize3(w);
  Field f = lookup_field(m, geom);
  for (int i = 0; i < RAY_STEPS; i++) {
    ct_add_scl3(x, o, w, total);
    mjtNum step = ct_abs(distance_in(m, d, &f, x));
    if (step > RAY_LOST) return -1;
    total += step;
    if (step >= RAY_ARRIVED) continue;
    if (normal) {
      ct_add_scl3(x, o, w, total);
      gradient_in(m, d, &f, normal, x);
      ct_normalize3(normal);
      ct_mul_mat_vec3(normal, mat, normal);
    }
    return total;
  }
  return -1;
}
