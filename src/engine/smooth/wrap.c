// The way of a taut string round a sphere or a cylinder.
//
// Both are circles in a plane: for a cylinder that of its x and y axes, for a sphere the plane of
// its centre and the two ends. From an end d outside of a circle of radius r two tangents touch it,
// at
//
//   ( r^2 d  +-  r sqrt(|d|^2 - r^2) K d ) / |d|^2,     K d = (d_y, -d_x)
//
// and a string can go round either way: + at one end and - at the other. Of the two the one whose
// touching points are nearer to the side point is taken, or without a side point the one whose
// touching points are nearer to each other.
//
// A string inside of a circle touches it in one point, where its two straight parts make equal
// angles with the radius. With s the sine of that angle, q_i = r/|d_i| how near the ends are to the
// centre, and g the angle between them as seen from there, the angles of the triangles between the
// centre, an end and the touching point make
//
//   asin(q_0 s) + asin(q_1 s) - 2 asin(s) + g = 0,
//
// which Newton's method solves from s just below 1, where the left side falls. It stops at 1e-6, so
// the result depends on the iterates: they are part of the contract, as are the literal formulas at
// a tangent line, where rounding may turn the arc into NaN or a full circle.
//
// On a cylinder the string is a helix: seen along the axis it is the string of the plane, and it
// climbs in proportion to the length of that.

#include "engine/smooth/wrap.h"

#include "math/mat.h"
#include "math/strict.h"
#include "math/vec.h"

#define WRAP_TOLERANCE ((mjtNum)1e-6)
#define WRAP_START (1 - (mjtNum)1e-7)
#define WRAP_ROUNDS 20
#define WRAP_NEVER ((mjtNum)-10000)  // how good a way is that crosses itself

typedef struct {  // ends, touching points and side point in the plane of the circle, radius r
  mjtNum r;
  mjtNum end[2][2];
  mjtNum touch[2][2];
  const mjtNum* side;  // on the circle; NULL: none
} WrapPlane;

LANE_INLINE mjtNum planar_dot(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

LANE_INLINE mjtNum planar_cross(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

LANE_INLINE mjtNum planar_distance(const mjtNum a[2], const mjtNum b[2]) {
  mjtNum x = a[0] - b[0], y = a[1] - b[1];
  return ct_sqrt(x * x + y * y);
}

// (x, y) scaled to `length`; the first axis if it is too short.
LANE_INLINE void planar_set_length(mjtNum res[2], mjtNum x, mjtNum y, mjtNum length) {
  mjtNum old = ct_sqrt(x * x + y * y);
  res[0] = old < mjMINVAL ? length : length * (x / old);
  res[1] = old < mjMINVAL ? 0 : length * (y / old);
}

// Is part / whole in [0, 1]?
LANE_INLINE bool is_fraction(mjtNum part, mjtNum whole) {
  return whole > 0 ? part >= 0 && part <= whole : part <= 0 && part >= whole;
}

// Do the segments a0 a1 and b0 b1 have a point in common? Parallel ones do not.
LANE_INLINE bool segments_meet(const mjtNum a0[2], const mjtNum a1[2], const mjtNum b0[2],
                               const mjtNum b1[2]) {
  mjtNum a[2] = {a1[0] - a0[0], a1[1] - a0[1]}, b[2] = {b1[0] - b0[0], b1[1] - b0[1]};
  mjtNum between[2] = {b0[0] - a0[0], b0[1] - a0[1]};
  mjtNum det = planar_cross(a, b);
  return !(ct_abs(det) < mjMINVAL) && is_fraction(planar_cross(between, b), det) &&
         is_fraction(planar_cross(between, a), det);
}

typedef struct {  // one way round
  mjtNum touch[2][2];
  bool crosses;  // itself, which no string does
  mjtNum good;   // the larger, the better
} WrapWay;

// Where a tangent through `end` touches: square = |end|^2, root = +- r sqrt(square - r^2).
LANE_INLINE void tangent_point(mjtNum touch[2], const mjtNum end[2], mjtNum r, mjtNum square,
                               mjtNum root) {
  touch[0] = (r * r * end[0] + root * end[1]) / square;
  touch[1] = (r * r * end[1] - root * end[0]) / square;
}

LANE_INLINE WrapWay way_round(const WrapPlane* p, const mjtNum square[2], const mjtNum root[2],
                              mjtNum turn) {
  WrapWay way;
  tangent_point(way.touch[0], p->end[0], p->r, square[0], turn * root[0]);
  tangent_point(way.touch[1], p->end[1], p->r, square[1], -turn * root[1]);
  way.crosses = segments_meet(p->end[0], way.touch[0], p->end[1], way.touch[1]);
  if (way.crosses) {
    way.good = WRAP_NEVER;
  } else if (p->side) {
    mjtNum middle[2];
    planar_set_length(middle, way.touch[0][0] + way.touch[1][0], way.touch[0][1] + way.touch[1][1],
                      1);
    way.good = planar_dot(middle, p->side);
  } else {
    mjtNum x = way.touch[0][0] - way.touch[1][0], y = way.touch[0][1] - way.touch[1][1];
    way.good = -(x * x + y * y);
  }
  return way;
}

// Does the straight line between the ends stay clear of the circle, on the wanted side?
LANE_INLINE bool passes_by(const WrapPlane* p) {
  mjtNum along[2] = {p->end[1][0] - p->end[0][0], p->end[1][1] - p->end[0][1]};
  mjtNum square = planar_dot(along, along);
  if (square < mjMINVAL) return true;
  mjtNum a = ct_clip(-planar_dot(along, p->end[0]) / square, 0, 1);
  mjtNum nearest[2] = {p->end[0][0] + a * along[0], p->end[0][1] + a * along[1]};
  return planar_dot(nearest, nearest) > p->r * p->r &&
         (!p->side || planar_dot(p->side, nearest) >= 0);
}

// Length of the arc between the touching points, in the sense of the way taken.
LANE_INLINE mjtNum arc_length(const WrapPlane* p, mjtNum turn) {
  mjtNum from[2], to[2];
  planar_set_length(from, p->touch[0][0], p->touch[0][1], 1);
  planar_set_length(to, p->touch[1][0], p->touch[1][1], 1);
  mjtNum angle = ct_acos(planar_dot(from, to));
  mjtNum against = -planar_cross(p->touch[0], p->touch[1]) * turn;
  return p->r * (against < 0 ? 2 * CT_PI - angle : angle);
}

// Arc of a string that goes round the circle; negative if it does not.
LANE_FN static mjtNum wrap_around(WrapPlane* p) {
  mjtNum rr = p->r * p->r;
  mjtNum square[2] = {planar_dot(p->end[0], p->end[0]), planar_dot(p->end[1], p->end[1])};
  if (square[0] < rr || square[1] < rr || p->r < mjMINVAL || passes_by(p)) return -1;
  mjtNum root[2] = {p->r * ct_sqrt(square[0] - rr), p->r * ct_sqrt(square[1] - rr)};
  WrapWay one = way_round(p, square, root, 1), other = way_round(p, square, root, -1);
  bool first = one.good > other.good;
  const WrapWay* way = first ? &one : &other;
  if (way->crosses) return -1;
  for (int i = 0; i < 2; i++) {
    p->touch[i][0] = way->touch[i][0];
    p->touch[i][1] = way->touch[i][1];
  }
  return arc_length(p, first ? 1 : -1);
}

// The left side of the equation for the sine of the angle at the touching point.
LANE_INLINE mjtNum angle_excess(mjtNum sine, const mjtNum q[2], mjtNum between) {
  return ct_asin(q[0] * sine) + ct_asin(q[1] * sine) - 2 * ct_asin(sine) + between;
}

// d asin(q sine) / d sine
LANE_INLINE mjtNum asin_slope(mjtNum q, mjtNum sine) {
  return q / ct_max(mjMINVAL, ct_sqrt(1 - q * q * sine * sine));
}

// Solves that equation; false where Newton's method gives up.
LANE_FN static bool touching_sine(mjtNum* solution, const mjtNum q[2], mjtNum between) {
  mjtNum sine = WRAP_START, excess = angle_excess(sine, q, between);
  if (excess > 0) return false;
  for (int round = 0; round < WRAP_ROUNDS && ct_abs(excess) > WRAP_TOLERANCE; round++) {
    mjtNum slope = asin_slope(q[0], sine) + asin_slope(q[1], sine) - 2 * asin_slope(1, sine);
    if (slope > -mjMINVAL) return false;
    mjtNum next = sine - excess / slope;
    if (next > sine) return false;
    sine = next;
    excess = angle_excess(sine, q, between);
    if (excess > WRAP_TOLERANCE) return false;
  }
  *solution = sine;
  return ct_abs(excess) <= WRAP_TOLERANCE;
}

// Is the string free of the circle that it should pass through: an end inside, or cut off by it?
LANE_INLINE bool cannot_be_inside(const WrapPlane* p, const mjtNum length[2], mjtNum square) {
  if (p->r < mjMINVAL) return true;
  for (int i = 0; i < 2; i++) {
    if (length[i] <= p->r || length[i] < mjMINVAL) return true;
  }
  if (square <= mjMINVAL) return false;
  mjtNum along[2] = {p->end[1][0] - p->end[0][0], p->end[1][1] - p->end[0][1]};
  mjtNum a = -planar_dot(along, p->end[0]) / square;
  mjtNum nearest[2] = {p->end[0][0] + a * along[0], p->end[0][1] + a * along[1]};
  return a > 0 && a < 1 && planar_dot(nearest, nearest) <= p->r * p->r;
}

// The touching point of a string held by the inside of the circle: arc 0, or negative if it is not.
LANE_FN static mjtNum wrap_inside(WrapPlane* p) {
  mjtNum length[2], q[2], sine = 0;
  for (int i = 0; i < 2; i++) length[i] = ct_sqrt(planar_dot(p->end[i], p->end[i]));
  mjtNum x = p->end[1][0] - p->end[0][0], y = p->end[1][1] - p->end[0][1], square = x * x + y * y;
  if (cannot_be_inside(p, length, square)) return -1;

  // the angle between the ends, by the law of cosines; none if the centre is between them
  mjtNum cosine =
      (length[0] * length[0] + length[1] * length[1] - square) / (2 * length[0] * length[1]);
  if (cosine < -1 + mjMINVAL) return -1;
  for (int i = 0; i < 2; i++) q[i] = p->r / length[i];
  if (cosine > 1 - mjMINVAL || !touching_sine(&sine, q, ct_acos(cosine))) {
    // ends in one direction, or no solution: halfway between them
    planar_set_length(p->touch[0], (p->end[0][0] + p->end[1][0]) / 2,
                      (p->end[0][1] + p->end[1][1]) / 2, p->r);
  } else {
    // the end from which the touching point lies counter-clockwise, turned by the rest of the angle
    int from = planar_cross(p->end[0], p->end[1]) > 0 ? 0 : 1;
    const mjtNum* end = p->end[from];
    mjtNum s, c;
    ct_sincos(&s, &c, ct_asin(sine) - ct_asin(q[from] * sine));
    p->touch[0][0] = p->r * ((end[0] * c - end[1] * s) / length[from]);
    p->touch[0][1] = p->r * ((end[0] * s + end[1] * c) / length[from]);
  }
  p->touch[1][0] = p->touch[0][0];
  p->touch[1][1] = p->touch[0][1];
  return 0;
}

// Derivatives of that, of the iterates themselves: they stop before the solution.

// How asin(q s), its slope q / sqrt(1 - (q s)^2) by s and its slope by q change with s and q.
typedef struct {
  mjtNum by_s, by_q;              // of asin(q s)
  mjtNum slope_by_s, slope_by_q;  // of by_s
} AsinSlopes;

LANE_INLINE AsinSlopes asin_slopes(mjtNum q, mjtNum s) {
  AsinSlopes a;
  mjtNum root = ct_max(mjMINVAL, ct_sqrt(1 - q * q * s * s)), cube = root * root * root;
  a.by_s = q / root;
  a.by_q = s / root;
  a.slope_by_s = q * q * q * s / cube;
  a.slope_by_q = 1 / cube;
  return a;
}

// One of Newton's iterations, and what it makes of the derivative of the sine by q_0, q_1 and g.
LANE_FN static mjtNum step_with_slope(mjtNum sine, const mjtNum q[2], mjtNum between,
                                      mjtNum by[3]) {
  AsinSlopes a[2] = {asin_slopes(q[0], sine), asin_slopes(q[1], sine)}, one = asin_slopes(1, sine);
  mjtNum excess = angle_excess(sine, q, between), slope = a[0].by_s + a[1].by_s - 2 * one.by_s;
  mjtNum bend = a[0].slope_by_s + a[1].slope_by_s - 2 * one.slope_by_s;
  for (int k = 0; k < 3; k++) {
    mjtNum excess_by = (k < 2 ? a[k].by_q : 1) + slope * by[k];
    mjtNum slope_by = (k < 2 ? a[k].slope_by_q : 0) + bend * by[k];
    by[k] -= (excess_by - excess * slope_by / slope) / slope;
  }
  return sine - excess / slope;
}

// Halfway between the ends, as seen from the centre, where the iteration finds nothing. (Ends in
// one direction, which the engine does not ask it about, have the derivative of their neighbours.)
LANE_INLINE void halfway_slope(const mjtNum end[2][2], mjtNum slope[4]) {
  mjtNum sum[2] = {end[0][0] + end[1][0], end[0][1] + end[1][1]}, square = planar_dot(sum, sum);
  for (int k = 0; k < 4; k++) slope[k] = (k % 2 ? sum[0] : -sum[1]) / square;
}

LANE_FN void ct_wrap_inside_slope(mjtNum r, const mjtNum end[2][2], mjtNum slope[4]) {
  mjtNum q[2], square[2], by[3] = {0, 0, 0}, sine = WRAP_START, ignored;
  for (int i = 0; i < 2; i++) {
    square[i] = planar_dot(end[i], end[i]);
    q[i] = r / ct_sqrt(square[i]);
  }
  mjtNum turned = planar_cross(end[0], end[1]);
  mjtNum between = ct_atan2(ct_abs(turned), planar_dot(end[0], end[1]));
  if (!touching_sine(&ignored, q, between)) {
    halfway_slope(end, slope);
    return;
  }
  for (int k = 0; k < WRAP_ROUNDS && ct_abs(angle_excess(sine, q, between)) > WRAP_TOLERANCE; k++) {
    sine = step_with_slope(sine, q, between, by);
  }

  // the point is turned from end `from` by asin(s) - asin(q s), counter-clockwise
  int from = turned > 0 ? 0 : 1;
  AsinSlopes a = asin_slopes(q[from], sine), one = asin_slopes(1, sine);
  for (int i = 0; i < 2; i++) {
    mjtNum by_between = (one.by_s - a.by_s) * by[2];
    mjtNum by_q = (one.by_s - a.by_s) * by[i] - (i == from ? a.by_q : 0);
    mjtNum by_turn = i == from ? 1 - by_between : by_between;
    for (int k = 0; k < 2; k++) {
      mjtNum across = k ? end[i][0] : -end[i][1];
      slope[2 * i + k] = (by_turn * across - by_q * q[i] * end[i][k]) / square[i];
    }
  }
}

// Axes of the plane through the centre of a sphere and both ends.
LANE_INLINE void sphere_plane(mjtNum axis0[3], mjtNum axis1[3], const mjtNum p0[3],
                              const mjtNum p1[3]) {
  mjtNum normal[3];
  ct_copy3(axis0, p0);
  ct_normalize3(axis0);
  ct_cross(normal, p0, p1);
  if (ct_normalize3(normal) < mjMINVAL) {  // all in line: any plane through the line
    mjtNum size[3] = {ct_abs(axis0[0]), ct_abs(axis0[1]), ct_abs(axis0[2])};
    mjtNum other[3] = {1, 1, 1};
    int largest = size[1] > size[0] && size[1] > size[2]   ? 1
                  : size[2] > size[0] && size[2] > size[1] ? 2
                                                           : 0;
    other[largest] = 0;
    ct_cross(normal, axis0, other);
    ct_normalize3(normal);
  }
  ct_cross(axis1, normal, axis0);
  ct_normalize3(axis1);
}

// Lets the string on a cylinder climb: heights of the touching points between those of the ends,
// and the length of the helix.
LANE_INLINE void climb(const WrapPlane* p, ct_Detour* wrap, mjtNum z0, mjtNum z1) {
  mjtNum before = planar_distance(p->end[0], p->touch[0]);
  mjtNum after = planar_distance(p->end[1], p->touch[1]);
  mjtNum slope = (z1 - z0) / (before + wrap->arc + after);
  wrap->touch[2] = z0 + slope * before;
  wrap->touch[5] = z0 + slope * (before + wrap->arc);
  mjtNum rise = wrap->touch[5] - wrap->touch[2];
  wrap->arc = ct_sqrt(wrap->arc * wrap->arc + rise * rise);
}

LANE_INLINE void to_obstacle(mjtNum res[3], const ct_Obstacle* obstacle, const mjtNum x[3]) {
  mjtNum offset[3];
  ct_sub3(offset, x, obstacle->pos);
  ct_mul_mat_t_vec3(res, obstacle->mat, offset);
}

// The plane of the circle: two axes of the obstacle's frame, or those given.
LANE_INLINE void to_plane(mjtNum res[2], const mjtNum p[3], const mjtNum* axes) {
  res[0] = axes ? ct_dot3(p, axes) : p[0];
  res[1] = axes ? ct_dot3(p, axes + 3) : p[1];
}

LANE_INLINE void from_plane(mjtNum res[3], const mjtNum p[2], const mjtNum* axes) {
  if (axes) {
    ct_scl3(res, axes, p[0]);
    ct_add_to_scl3(res, axes + 3, p[1]);
  } else {
    res[0] = p[0];
    res[1] = p[1];
    res[2] = 0;
  }
}

LANE_FN ct_Detour ct_wrap(const ct_Obstacle* obstacle, const mjtNum x0[3], const mjtNum x1[3],
                          const mjtNum* side) {
  ct_Detour wrap = {-1, {0, 0, 0, 0, 0, 0}};
  WrapPlane p = {obstacle->radius, {{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}, NULL};
  const mjtNum tiny = mjMINVAL * mjMINVAL;
  mjtNum p0[3], p1[3], s[3], on_circle[2], sphere_axes[6];
  to_obstacle(p0, obstacle, x0);
  to_obstacle(p1, obstacle, x1);
  if (ct_dot3(p0, p0) < tiny || ct_dot3(p1, p1) < tiny) return wrap;
  if (!obstacle->cylinder) sphere_plane(sphere_axes, sphere_axes + 3, p0, p1);
  const mjtNum* axes = obstacle->cylinder ? NULL : sphere_axes;
  to_plane(p.end[0], p0, axes);
  to_plane(p.end[1], p1, axes);

  bool inside = false;
  if (side) {
    to_obstacle(s, obstacle, side);
    to_plane(on_circle, s, axes);
    planar_set_length(on_circle, on_circle[0], on_circle[1], p.r);
    p.side = on_circle;
    inside = ct_norm3(s) < p.r;
  }
  wrap.arc = inside ? wrap_inside(&p) : wrap_around(&p);
  if (wrap.arc < 0) return wrap;

  from_plane(wrap.touch, p.touch[0], axes);
  from_plane(wrap.touch + 3, p.touch[1], axes);
  if (obstacle->cylinder) climb(&p, &wrap, p0[2], p1[2]);
  for (int i = 0; i < 2; i++) {
    mjtNum turned[3];
    ct_mul_mat_vec3(turned, obstacle->mat, wrap.touch + 3 * i);
    ct_add3(wrap.touch + 3 * i, turned, obstacle->pos);
  }
  return wrap;
}
