// Contacts of two convex shapes: one where they are deepest, and with mjENBL_MULTICCD more.
//
// Shapes are inflated by half of the margin each, so that whatever is within the margin penetrates;
// the margin is added to the distance again. More contacts come from the two faces that touch
// (clip.c), or from turning the shapes a little to and fro where there are no faces.

#include "collide/convex.h"

#include "collide/clip.h"
#include "collide/contact.h"
#include "collide/mpr.h"
#include "collide/surface.h"
#include "math/quat.h"

LANE_FN ct_Ccd ct_ccd_between(const mjModel* m, const ct_Support* s1, const ct_Support* s2) {
  ct_Ccd c;
  c.s1 = *s1;
  c.s2 = *s2;
  c.tolerance = m->opt.ccd_tolerance;
  c.iterations = m->opt.ccd_iterations;
  c.cutoff = 0;
  c.count = 0;
  c.dist = CT_CCD_FAR;
  ct_zero3(c.direction);
  c.witness = c.has_face = c.discrete = false;
  return c;
}

LANE_FN ct_Ccd ct_ccd_start(const mjModel* m, const ct_Shape* s1, mjtNum margin1,
                            const ct_Shape* s2, mjtNum margin2) {
  ct_Support support1 = ct_support_start(m, s1, margin1);
  ct_Support support2 = ct_support_start(m, s2, margin2);
  return ct_ccd_between(m, &support1, &support2);
}

LANE_INLINE void set_witness_hit(ct_Hit* hit, mjtNum dist, const mjtNum x1[3], const mjtNum x2[3]) {
  mjtNum n[3], pos[3];
  ct_sub3(n, x1, x2);
  ct_normalize3(n);
  ct_add3(pos, x1, x2);
  ct_scl3(pos, pos, (mjtNum)0.5);
  ct_set_hit(hit, dist, pos, n);
}

LANE_FN int ct_deepest_hit(ct_Ccd* c, ct_Hit* hit, mjtNum margin) {
  ct_ccd(c);
  if (!(c->dist < 0)) return 0;
  set_witness_hit(hit, margin + c->dist, c->x1, c->x2);
  return 1;
}

LANE_INLINE bool has_faces(int type) {
  return type == mjGEOM_BOX || type == mjGEOM_MESH || type == mjGEOM_SDF;
}

LANE_INLINE bool is_round(int type) {
  return type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID;
}

// A pose turned about a point.
LANE_FN static void turn_shape(mjtNum pos[3], mjtNum mat[9], const ct_Shape* s,
                               const mjtNum turn[9], const mjtNum centre[3]) {
  mjtNum arm[3], turned[3];
  ct_mul_mat_mat3(mat, turn, s->mat);
  ct_sub3(arm, centre, s->pos);
  ct_mul_mat_vec3(turned, turn, arm);
  ct_sub_from3(turned, arm);
  ct_sub3(pos, s->pos, turned);
}

LANE_FN static bool far_from_hits(const ct_Hit* hit, int count, const mjtNum pos[3], mjtNum apart) {
  for (int i = 0; i < count; i++) {
    if (!(ct_dist3(hit[i].pos, pos) > apart)) return false;
  }
  return true;
}

// Hits of the shapes turned against each other by a milliradian about the tangents, to and fro.
LANE_FN static int perturbed_hits(const mjModel* m, ct_Ccd* c, ct_Hit* hit, const ct_Shape* s1,
                                  const ct_Shape* s2, mjtNum margin) {
  const mjtNum angle = (mjtNum)1e-3;
  mjtNum frame[9], r1 = m->geom_rbound[s1->geom], r2 = m->geom_rbound[s2->geom];
  mjtNum apart = angle * ct_min(r1, r2);
  bool legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  int count = 1;
  ct_copy(frame, hit[0].frame, 6);
  if (!ct_complete_frame(frame)) return count;
  for (int axis = 1; axis < 3; axis++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      mjtNum quat[4], turn[9], back[9], pos1[3], pos2[3], mat1[9], mat2[9];
      ct_axis_angle_to_quat(quat, frame + 3 * axis, (mjtNum)sign * angle);
      ct_quat_to_mat(turn, quat);
      ct_transpose3(back, turn);
      turn_shape(pos1, mat1, s1, turn, hit[0].pos);
      turn_shape(pos2, mat2, s2, back, hit[0].pos);
      ct_Shape turned1 = *s1, turned2 = *s2;
      turned1.pos = pos1;
      turned1.mat = mat1;
      turned2.pos = pos2;
      turned2.mat = mat2;
      c->s1.pos = pos1;
      c->s1.mat = mat1;
      c->s2.pos = pos2;
      c->s2.mat = mat2;
      ct_Hit* next = hit + count;
      int found = legacy ? ct_mpr_hit(c, next, margin) : ct_deepest_hit(c, next, margin);
      if (legacy) ct_correct_normals(next, found, &turned1, &turned2);
      if (!found || !far_from_hits(hit, count, next->pos, apart)) continue;
      next->dist = hit[0].dist;
      count++;
    }
  }
  return count;
}

LANE_FN int ct_support_hit(const mjModel* m, ct_Hit* hit, const ct_Support* s1,
                           const ct_Support* s2, mjtNum margin) {
  ct_Ccd c = ct_ccd_between(m, s1, s2);
  bool legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  return legacy ? ct_mpr_hit(&c, hit, margin) : ct_deepest_hit(&c, hit, margin);
}

LANE_FN int ct_convex_by(const mjModel* m, ct_Ccd* c, ct_Hit* hit, const ct_Shape* s1,
                         const ct_Shape* s2, mjtNum margin) {
  bool multi = (m->opt.enableflags & mjENBL_MULTICCD) != 0;
  bool legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  int count = legacy ? ct_mpr_hit(c, hit, margin) : ct_deepest_hit(c, hit, margin);
  if (legacy) ct_correct_normals(hit, count, s1, s2);
  bool faces = !legacy && !(margin > 0) && has_faces(s1->type) && has_faces(s2->type);
  bool boxes = s1->type == mjGEOM_BOX && s2->type == mjGEOM_BOX;  // only if a user asks for it
  if (count && faces && (multi || boxes)) {
    count = ct_clip_faces(m, c, hit, s1, s2, boxes);
  } else if (multi && count == 1 && !is_round(s1->type) && !is_round(s2->type)) {
    count = perturbed_hits(m, c, hit, s1, s2, margin);
  }
  return count;
}

LANE_FN int ct_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* s1, const ct_Shape* s2,
                      mjtNum margin) {
  ct_Ccd c = ct_ccd_start(m, s1, margin, s2, margin);
  return ct_convex_by(m, &c, hit, s1, s2, margin);
}
