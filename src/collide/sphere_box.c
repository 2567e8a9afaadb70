// Spheres and capsules against boxes.

#include "collide/sphere.h"

// The centre is inside: push it out through the nearest face.
LANE_FN static void point_in_box(ct_Hit* hit, const mjtNum c[3], mjtNum radius,
                                 const ct_Shape* box) {
  const mjtNum* s = box->size;
  mjtNum depth = 2 * (s[0] + s[1] + s[2]), normal[3] = {0, 0, 0}, pos[3];
  int axis = 0;
  mjtNum side = 1;
  for (int k = 0; k < 3; k++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      mjtNum to_face = ct_abs((mjtNum)sign * s[k] - c[k]);
      if (to_face < depth) {
        depth = to_face;
        axis = k;
        side = (mjtNum)-sign;  // the normal points into the box
      }
    }
  }
  normal[axis] = side;
  ct_add_scl3(pos, c, normal, (radius - depth) / 2);
  ct_mul_mat_vec3(pos, box->mat, pos);
  ct_add_to3(pos, box->pos);
  ct_mul_mat_vec3(normal, box->mat, normal);
  ct_set_hit(hit, -depth - radius, pos, normal);
}

LANE_FN int ct_point_box(ct_Hit* hit, const mjtNum centre[3], mjtNum radius, const ct_Shape* box,
                         mjtNum margin) {
  mjtNum c[3], q[3], towards[3], surface[3], pos[3];
  ct_sub3(c, centre, box->pos);
  ct_mul_mat_t_vec3(c, box->mat, c);
  for (int k = 0; k < 3; k++) {
    q[k] = box->size[k] > 0 ? ct_clip(c[k], -box->size[k], box->size[k]) : c[k];
  }
  ct_sub3(towards, q, c);
  mjtNum length = ct_normalize3(towards);
  if (length - radius > margin) return 0;
  if (length <= (mjtNum)mjMINVAL) {
    point_in_box(hit, c, radius, box);
    return 1;
  }
  ct_add_scl3(surface, c, towards, radius);  // nearest point of the sphere
  ct_scl3(pos, q, (mjtNum)0.5);
  ct_add_to_scl3(pos, surface, (mjtNum)0.5);
  ct_mul_mat_vec3(pos, box->mat, pos);
  ct_add_to3(pos, box->pos);
  ct_mul_mat_vec3(towards, box->mat, towards);
  ct_set_hit(hit, length - radius, pos, towards);
  return 1;
}

// Where a segment comes nearest to a box. All in the frame of the box: the segment is c + t H with
// |t| <= 1, the box has half sizes S.
typedef struct {
  mjtNum c[3], axis[3], H[3], h;  // axis has length 1, H = h axis
  const mjtNum* S;
  int octant;    // bit k: H[k] > 0
  mjtNum best;   // squared distance so far
  mjtNum t;      // nearest point of the segment
  mjtNum along;  // place on the edge of the box, in [-1, 1]
  int kind;      // what of the box is nearest
  int end;       // face: which end of the segment, -1 or 1
  int face;      // face: clamped axis, -1: the end is inside
  int edge;      // edge: its axis
  int corner;    // edge: code of its lower corner; corner: its code
} SegmentBox;

enum { NOTHING_NEAR, NEAR_FACE, NEAR_EDGE, NEAR_CORNER };

// Ends of the segment that are nearest to a face, or inside.
LANE_FN static void try_segment_ends(SegmentBox* s) {
  for (int end = -1; end <= 1; end += 2) {
    int clamped = 0, face = -1;
    mjtNum squared = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum x = s->c[k] + (mjtNum)end * s->H[k];
      mjtNum inside = ct_clip(x, -s->S[k], s->S[k]);
      if (inside != x) {
        clamped++;
        face = k;
      }
      squared += (x - inside) * (x - inside);
    }
    if (clamped <= 1 && squared < s->best) {
      s->best = squared;
      s->t = (mjtNum)end;
      s->kind = NEAR_FACE;
      s->end = end;
      s->face = face;
    }
  }
}

// The edge along axis j through corner i. As for two capsules, with the edge as first segment.
LANE_FN static void try_box_edge(SegmentBox* s, int i, int j) {
  const mjtNum *S = s->S, *H = s->H;
  mjtNum e[3];
  for (int k = 0; k < 3; k++) {
    mjtNum middle = k == j ? 0 : i & 1 << k ? S[k] : -S[k];
    e[k] = middle - s->c[k];
  }
  mjtNum a = S[j] * S[j], b = -S[j] * H[j], g = s->h * s->h;
  mjtNum u = -S[j] * e[j], v = ct_dot3(H, e), det = a * g - b * b;
  if (ct_abs(det) < (mjtNum)mjMINVAL) return;
  mjtNum inverse = 1 / det, inverse_g = 1 / g, inverse_a = 1 / a;
  mjtNum x1 = (g * u - b * v) * inverse, x2 = (a * v - b * u) * inverse;

  int clamped = 0;  // set by every clamp and never cleared
  if (x1 > 1) {
    x1 = 1;
    clamped = 1;
    x2 = (v - b) * inverse_g;
  } else if (x1 < -1) {
    x1 = -1;
    clamped = -1;
    x2 = (v + b) * inverse_g;
  }
  if (x2 > 1 || x2 < -1) {
    bool over = x2 > 1;
    x2 = over ? (mjtNum)1 : (mjtNum)-1;
    x1 = (over ? u - b : u + b) * inverse_a;
    if (x1 > 1) {
      x1 = 1;
      clamped = 1;
    } else if (x1 < -1) {
      x1 = -1;
      clamped = -1;
    }
  }

  mjtNum apart[3];
  ct_add_scl3(apart, e, H, -x2);
  apart[j] += x1 * S[j];
  mjtNum squared = ct_dot3(apart, apart);
  if (!(squared < s->best - (mjtNum)mjMINVAL)) return;
  s->best = squared;
  s->t = x2;
  s->along = x1;
  s->edge = j;
  s->kind = clamped ? NEAR_CORNER : NEAR_EDGE;
  s->corner = i + (clamped > 0 ? 1 << j : 0);
}

LANE_INLINE int lowest_bit3(int bits) {
  return bits & 1 ? 0 : bits & 2 ? 1 : 2;
}

LANE_INLINE int is_one_bit3(int bits) {
  return bits == 1 || bits == 2 || bits == 4;
}

// Steps along the segment from the nearest point to a second one, while the segment stays above the
// box; false if there is none. One function for each of the three kinds.
LANE_FN static bool second_from_corner(const SegmentBox* s, mjtNum* step) {
  const mjtNum *S = s->S, *H = s->H;
  int differ = s->octant ^ s->corner;
  if (differ == 0 || differ == 7) return false;
  mjtNum direction = 1, forward = 1 - s->t, backward = 1 + s->t;
  if (!is_one_bit3(differ)) {
    direction = -1;
    differ = 7 - differ;
    forward = 1 + s->t;
    backward = 1 - s->t;
  }
  int k = lowest_bit3(differ), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  if (s->axis[k] * s->axis[k] > (mjtNum)0.5) {
    *step = direction * ct_min(2 * S[k] / ct_abs(H[k]), forward);
  } else {
    mjtNum reach = ct_min(2 * S[k1] / ct_abs(H[k1]), backward);
    *step = -direction * ct_min(2 * S[k2] / ct_abs(H[k2]), reach);
  }
  return true;
}

LANE_FN static bool second_from_edge(const SegmentBox* s, mjtNum* step) {
  const mjtNum *S = s->S, *H = s->H;
  int j = s->edge, differ = (s->octant ^ s->corner) & ~(1 << j);
  if (!is_one_bit3(differ)) return false;
  int k1 = (j + 1) % 3, k2 = (j + 2) % 3;
  if (ct_abs(s->axis[k1]) > ct_abs(s->axis[k2])) k1 = k2;
  k2 = 3 - j - k1;
  bool same = (differ & 1 << k2) != 0;
  mjtNum direction = same ? (mjtNum)1 : (mjtNum)-1;
  mjtNum reach = 1 - direction * s->t;
  reach = ct_min(2 * S[k2] / ct_abs(H[k2]), reach);
  bool upwards = (s->octant & 1 << j) != 0;
  mjtNum room = upwards == same ? 1 - s->along : 1 + s->along;
  reach = ct_min(S[j] * room / ct_abs(H[j]), reach);
  *step = reach * direction;
  return true;
}

LANE_FN static bool second_from_face(const SegmentBox* s, mjtNum* step) {
  if (s->face < 0) return false;
  mjtNum direction = (mjtNum)-s->end, reach = 2, q[3];
  ct_add_scl3(q, s->c, s->H, -direction);
  for (int k = 0; k < 3; k++) {
    if (k == s->face) continue;
    for (int sign = 1; sign >= -1; sign -= 2) {
      mjtNum y = ((mjtNum)sign * s->S[k] - q[k]) / s->H[k] * direction;
      if (y > 0 && y < reach) reach = y;
    }
  }
  *step = reach * direction;
  return true;
}

// The sphere around the point c + t H of the segment, against the box.
LANE_FN static int capsule_point_box(ct_Hit* hit, const SegmentBox* s, mjtNum t, mjtNum radius,
                                     const ct_Shape* box, mjtNum margin) {
  mjtNum centre[3];
  ct_add_scl3(centre, s->c, s->H, t);
  ct_mul_mat_vec3(centre, box->mat, centre);
  ct_add_to3(centre, box->pos);
  return ct_point_box(hit, centre, radius, box, margin);
}

LANE_FN int ct_capsule_box(ct_Hit* hit, const ct_Shape* capsule, const ct_Shape* box,
                           mjtNum margin) {
  mjtNum radius = capsule->size[0], step = 0;
  const mjtNum* S = box->size;
  SegmentBox s;
  s.S = S;
  s.h = capsule->size[1];
  ct_sub3(s.c, capsule->pos, box->pos);
  ct_mul_mat_t_vec3(s.c, box->mat, s.c);
  ct_column3(s.axis, capsule->mat, 2);
  ct_mul_mat_t_vec3(s.axis, box->mat, s.axis);
  ct_scl3(s.H, s.axis, s.h);
  s.octant = (s.H[0] > 0) + 2 * (s.H[1] > 0) + 4 * (s.H[2] > 0);
  s.best = margin + 2 * (radius + s.h + S[0] + S[1] + S[2]);
  s.t = s.along = 0;
  s.kind = NOTHING_NEAR;
  s.end = s.face = s.edge = s.corner = 0;

  try_segment_ends(&s);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 8; i++) {
      if (!(i & 1 << j)) try_box_edge(&s, i, j);
    }
  }
  if (s.kind == NOTHING_NEAR) return 0;
  bool second = s.kind == NEAR_CORNER ? second_from_corner(&s, &step)
                : s.kind == NEAR_EDGE ? second_from_edge(&s, &step)
                                      : second_from_face(&s, &step);
  int count = capsule_point_box(hit, &s, s.t, radius, box, margin);
  if (second) count += capsule_point_box(hit + count, &s, step + s.t, radius, box, margin);
  return count;
}
