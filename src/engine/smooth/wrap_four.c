// Four strings round cylinders at once: on the CPU, what wrap.c does for one.
//
// A way round is a long chain of roots and quotients, each of which waits for the one before. Four
// ways do not wait for each other, and a word of four roots takes hardly longer than one. Every
// number is made by the operations of wrap.c in their order, so it has the same bits; where wrap.c
// decides, both sides are computed and one is taken. What is rare, a sphere, a string inside or an
// end on the axis, is left to wrap.c.
//
// It is the divider that is busy, so roots and quotients that serve decisions only are left out
// where the decision is clear without them: beyond what rounding could turn round.

#include "engine/smooth/wrap.h"

#ifndef __CUDACC__

#include "math/strict.h"
#include "math/vec.h"

#define NEVER ((mjtNum)-10000)

// The sign of a sum of two products is sure if the sum is more than this part of their sizes: some
// hundred roundings.
#ifdef mjUSESINGLE
#define SURE ((mjtNum)1e-5)
#else
#define SURE ((mjtNum)1e-14)
#endif

typedef struct {
  Wide x, y;
} Planar;

LANE_INLINE Wide choose(WideMask where, Wide yes, Wide no) {
  return wide_choose(where, yes, ~where, no);
}

LANE_INLINE Wide wide_size(Wide x) {
  Wide minus = wide_all(-(mjtNum)0);
  return (Wide)((WideMask)x & ~(WideMask)minus);
}

LANE_INLINE Wide cross2(Planar a, Planar b) {
  return a.x * b.y - a.y * b.x;
}

LANE_INLINE Wide dot2(Planar a, Planar b) {
  return a.x * b.x + a.y * b.y;
}

// The same, and where its sign is sure, also if a and b were scaled first: none of them is too
// short to have a direction.
LANE_INLINE Wide judge_dot2(Planar a, Planar b, WideMask* sure) {
  Wide x = a.x * b.x, y = a.y * b.y, sum = x + y, size = wide_size(x) + wide_size(y);
  const mjtNum shortest = 4 * mjMINVAL * mjMINVAL;
  *sure = (WideMask)(wide_size(sum) > SURE * size + shortest) & (WideMask)(dot2(a, a) > shortest) &
          (WideMask)(dot2(b, b) > shortest);
  return sum;
}

LANE_INLINE Planar between(Planar a, Planar b) {
  Planar d = {b.x - a.x, b.y - a.y};
  return d;
}

// Scaled to `length`; the first axis where it is too short.
LANE_INLINE Planar with_length(Planar a, Wide length) {
  Wide old = wide_sqrt(a.x * a.x + a.y * a.y);
  WideMask none = (WideMask)(old < mjMINVAL);
  Planar b = {choose(none, length, length * (a.x / old)),
              choose(none, wide_all(0), length * (a.y / old))};
  return b;
}

// Arc cosine

#if defined(mjUSESINGLE) || defined(CT_FAST)

LANE_INLINE Wide wide_acos(Wide x) {
  Wide angle = {ct_acos(x[0]), ct_acos(x[1]), ct_acos(x[2]), ct_acos(x[3])};
  return angle;
}

#else

// ct_asin_polynomial
LANE_INLINE Wide asin_polynomial(Wide z) {
  Wide sum = {ct_asin_polynomial(z[0]), ct_asin_polynomial(z[1]), ct_asin_polynomial(z[2]),
              ct_asin_polynomial(z[3])};
  return sum;
}

// What x^2 leaves out of the product, as in ct_exact_product.
LANE_INLINE Wide square_error(Wide x, Wide square) {
  Wide cut = 134217729.0 * x, high = cut - (cut - x), low = x - high;
  Wide error = high * high - square;
  error += high * low;
  error += low * high;
  return error + low * low;
}

LANE_INLINE Wide wide_acos(Wide x) {
  Wide size = wide_size(x);
  WideMask small = (WideMask)(size <= 0.5);
  Wide z = choose(small, x * x, (1 - size) / 2), polynomial = asin_polynomial(z);

  // up to 1/2
  Wide hi = CT_PI_HI / 2 + -x, lo = -x - (hi - CT_PI_HI / 2);
  Wide flat = hi + (lo + (CT_PI_LO / 2 - x * z * polynomial));

  // near one
  Wide root = wide_sqrt(z), square = root * root;
  Wide rest = ((z - square) - square_error(root, square)) / (2 * root);
  Wide twice = 2 * root, more = 2 * (rest + root * z * polynomial);
  Wide steep = twice + more, steep_lo = more - (steep - twice);
  WideMask at_one = (WideMask)(z == 0);
  steep = choose(at_one, wide_all(0), steep);
  steep_lo = choose(at_one, wide_all(0), steep_lo);
  hi = CT_PI_HI + -steep;
  lo = -steep - (hi - CT_PI_HI);
  Wide back = hi + (lo + (CT_PI_LO - steep_lo));

  Wide angle = choose(small, flat, choose((WideMask)(x > 0), steep, back));
  return choose((WideMask)(size <= 1), angle, wide_all(NAN));
}

#endif

// The circle

typedef struct {
  Wide r;
  Planar end[2], side;  // the side point, scaled to the circle where this is `exact`
  WideMask has_side;
  bool exact;
} Circle;

typedef struct {
  Planar touch[2];
  WideMask crosses, sure;  // is the sign of `good` sure, if that is about the side?
  Wide good;
} Way;

LANE_INLINE WideMask is_fraction(Wide part, Wide whole) {
  WideMask positive = (WideMask)(whole > 0);
  return (positive & (WideMask)(part >= 0) & (WideMask)(part <= whole)) |
         (~positive & (WideMask)(part <= 0) & (WideMask)(part >= whole));
}

LANE_INLINE WideMask segments_meet(Planar a0, Planar a1, Planar b0, Planar b1) {
  Planar a = between(a0, a1), b = between(b0, b1), c = between(a0, b0);
  Wide det = cross2(a, b);
  return ~(WideMask)(wide_size(det) < mjMINVAL) & is_fraction(cross2(c, b), det) &
         is_fraction(cross2(c, a), det);
}

LANE_INLINE Planar tangent_point(Planar end, Wide r, Wide square, Wide root) {
  Planar touch = {(r * r * end.x + root * end.y) / square, (r * r * end.y - root * end.x) / square};
  return touch;
}

LANE_INLINE Way way_round(const Circle* c, const Wide square[2], const Wide root[2], mjtNum turn) {
  Way way;
  way.touch[0] = tangent_point(c->end[0], c->r, square[0], turn * root[0]);
  way.touch[1] = tangent_point(c->end[1], c->r, square[1], -turn * root[1]);
  way.crosses = segments_meet(c->end[0], way.touch[0], c->end[1], way.touch[1]);
  Planar sum = {way.touch[0].x + way.touch[1].x, way.touch[0].y + way.touch[1].y};
  Wide along_side = judge_dot2(c->exact ? with_length(sum, wide_all(1)) : sum, c->side, &way.sure);
  Planar apart = between(way.touch[1], way.touch[0]);
  Wide nearness = -(apart.x * apart.x + apart.y * apart.y);
  way.good = choose(way.crosses, wide_all(NEVER), choose(c->has_side, along_side, nearness));
  return way;
}

// unsure: only scaled sides can tell.
LANE_INLINE WideMask passes_by(const Circle* c, WideMask* unsure) {
  Planar along = between(c->end[0], c->end[1]);
  Wide square = dot2(along, along), a = -dot2(along, c->end[0]) / square;
  a = choose((WideMask)(a < 0), wide_all(0), choose((WideMask)(a > 1), wide_all(1), a));
  Planar nearest = {c->end[0].x + a * along.x, c->end[0].y + a * along.y};
  WideMask clear = (WideMask)(dot2(nearest, nearest) > c->r * c->r);
  WideMask sure, right = ~c->has_side | (WideMask)(judge_dot2(c->side, nearest, &sure) >= 0);
  *unsure = c->has_side & clear & ~sure;
  return (WideMask)(square < mjMINVAL) | (clear & right);
}

// Arcs and touching points of strings that go round; returns those that do not. unsure: these are
// right only if the circle is exact.
static WideMask wrap_around(const Circle* c, Planar touch[2], Wide* arc, WideMask* unsure) {
  Wide rr = c->r * c->r, square[2], root[2];
  for (int i = 0; i < 2; i++) {
    square[i] = dot2(c->end[i], c->end[i]);
    root[i] = c->r * wide_sqrt(square[i] - rr);
  }
  WideMask free = (WideMask)(square[0] < rr) | (WideMask)(square[1] < rr) |
                  (WideMask)(c->r < mjMINVAL) | passes_by(c, unsure);
  Way one = way_round(c, square, root, 1), other = way_round(c, square, root, -1);
  WideMask first = (WideMask)(one.good > other.good);
  WideMask apart = (WideMask)(one.good > 0) ^ (WideMask)(other.good > 0);
  *unsure |= c->has_side & ~free & ~(one.sure & other.sure & apart);
  for (int i = 0; i < 2; i++) {
    touch[i].x = choose(first, one.touch[i].x, other.touch[i].x);
    touch[i].y = choose(first, one.touch[i].y, other.touch[i].y);
  }
  Planar from = with_length(touch[0], wide_all(1)), to = with_length(touch[1], wide_all(1));
  Wide angle = wide_acos(dot2(from, to)), turn = choose(first, wide_all(1), wide_all(-1));
  Wide against = -cross2(touch[0], touch[1]) * turn;
  *arc = c->r * choose((WideMask)(against < 0), 2 * CT_PI - angle, angle);
  return free | (first & one.crosses) | (~first & other.crosses);
}

// Between the frames

LANE_INLINE Wide take(const mjtNum* const from[4], int i) {
  Wide word = {from[0][i], from[1][i], from[2][i], from[3][i]};
  return word;
}

typedef struct {
  Wide pos[3], mat[9];
} Frame;

LANE_INLINE void to_frame(Wide res[3], const Frame* f, const mjtNum* const x[4]) {
  Wide offset[3];
  for (int i = 0; i < 3; i++) offset[i] = take(x, i) - f->pos[i];
  for (int i = 0; i < 3; i++) {
    res[i] = f->mat[i] * offset[0] + f->mat[3 + i] * offset[1] + f->mat[6 + i] * offset[2];
  }
}

LANE_INLINE void from_frame(Wide res[3], const Frame* f, const Wide p[3]) {
  for (int i = 0; i < 3; i++) {
    Wide turned = f->mat[3 * i] * p[0] + f->mat[3 * i + 1] * p[1] + f->mat[3 * i + 2] * p[2];
    res[i] = turned + f->pos[i];
  }
}

LANE_INLINE Wide distance(Planar a, Planar b) {
  Planar d = between(b, a);
  return wide_sqrt(d.x * d.x + d.y * d.y);
}

// Helices on the cylinders, from heights z0 to z1, of those that `count`. The square root of a
// square is what was squared, so an arc between equal heights stays as it is.
LANE_INLINE void climb(const Circle* c, Wide point[2][3], Wide* arc, Wide z0, Wide z1,
                       WideMask count) {
  WideMask level =
      (WideMask)(z0 == z1) & (WideMask)(*arc > mjMINVAL) & (WideMask)(*arc < 1 / mjMINVAL);
  if (!wide_bits(count & ~level)) {
    point[0][2] = point[1][2] = z0 + 0;
    return;
  }
  Planar touch[2] = {{point[0][0], point[0][1]}, {point[1][0], point[1][1]}};
  Wide before = distance(c->end[0], touch[0]), after = distance(c->end[1], touch[1]);
  Wide slope = (z1 - z0) / (before + *arc + after);
  point[0][2] = z0 + slope * before;
  point[1][2] = z0 + slope * (before + *arc);
  Wide rise = point[1][2] - point[0][2];
  *arc = wide_sqrt(*arc * *arc + rise * rise);
}

LANE_INLINE Wide length3(const Wide p[3]) {
  return p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
}

void ct_wrap_four(const ct_WrapTask task[4], ct_Detour* const to[4]) {
  const mjtNum *pos[4], *mat[4], *x0[4], *x1[4], *side[4];
  Circle c;
  for (int k = 0; k < 4; k++) {
    pos[k] = task[k].obstacle.pos;
    mat[k] = task[k].obstacle.mat;
    x0[k] = task[k].x0;
    x1[k] = task[k].x1;
    side[k] = task[k].side ? task[k].side : task[k].x0;
    c.r[k] = task[k].obstacle.radius;
    c.has_side[k] = task[k].side ? -1 : 0;
  }
  Frame f;
  Wide p0[3], p1[3], s[3], point[2][3], arc;
  for (int i = 0; i < 3; i++) f.pos[i] = take(pos, i);
  for (int i = 0; i < 9; i++) f.mat[i] = take(mat, i);
  to_frame(p0, &f, x0);
  to_frame(p1, &f, x1);
  to_frame(s, &f, side);

  // ct_wrap asks again, with a root that is never below r unless this is.
  WideMask inside = c.has_side & (WideMask)(length3(s) < c.r * c.r);
  const mjtNum tiny = mjMINVAL * mjMINVAL;
  Planar flat = {s[0], s[1]}, ends[2] = {{p0[0], p0[1]}, {p1[0], p1[1]}}, touch[2];
  c.end[0] = ends[0];
  c.end[1] = ends[1];
  WideMask odd = inside | (WideMask)(length3(p0) < tiny) | (WideMask)(length3(p1) < tiny);
  c.exact = false;
  c.side = flat;
  WideMask unsure, straight = wrap_around(&c, touch, &arc, &unsure);
  if (wide_bits(unsure & ~odd)) {
    c.exact = true;
    c.side = with_length(flat, c.r);
    straight = wrap_around(&c, touch, &arc, &unsure);
  }
  unsigned rare = wide_bits(odd), missed = wide_bits(straight);
  for (int i = 0; i < 2; i++) {
    point[i][0] = touch[i].x;
    point[i][1] = touch[i].y;
  }
  climb(&c, point, &arc, p0[2], p1[2], ~straight & ~odd);
  for (int i = 0; i < 2; i++) {
    Wide local[3] = {point[i][0], point[i][1], point[i][2]};
    from_frame(point[i], &f, local);
  }
  for (int k = 0; k < 4; k++) {
    const ct_WrapTask* t = task + k;
    ct_Detour none = {-1, {0, 0, 0, 0, 0, 0}};
    if (!t->obstacle.cylinder || (rare >> k & 1)) {
      *to[k] = ct_wrap(&t->obstacle, t->x0, t->x1, t->side);
    } else if (missed >> k & 1) {
      *to[k] = none;
    } else {
      to[k]->arc = arc[k];
      for (int i = 0; i < 6; i++) to[k]->touch[i] = point[i / 3][i % 3][k];
    }
  }
}

#endif
