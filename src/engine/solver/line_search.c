// Exact line search: along a + alpha v the cost is convex, piecewise quadratic but for the sides of
// elliptic cones, and its slope and curvature are cheap.
//
//   in    r = J a - aref, w = J v     (nefc)
//         Gauss cost along the line   q0 + q1 alpha + q2 alpha^2
//   out   alpha, scaled slope there, number of evaluations
//
// Equalities are quadratic everywhere and join the Gauss cost. Friction rows are quadratic between
// their knees -R loss and R loss and linear outside, one-sided rows (limits, contacts without
// friction, edges of pyramids) quadratic where x = r + alpha w is negative and zero elsewhere. For
// an elliptic contact, let h be the normal part of its residual times mu, and s the length of its
// tangential part, each component times its friction. Along the line h is linear in alpha and s^2
// quadratic. The cost is zero where h >= mu s, in the cone; the quadratic of the rows where
// mu h + s <= 0, in the dual cone, at the bottom; and between them, on the side, k (h - mu s)^2 / 2
// with k = D / (mu^2 (1 + mu^2)). Numbers of rows stand in arrays side by side, so that four rows
// are one word; their terms are summed in fixed order.
//
// The search brackets the root of the slope by Newton steps, then narrows the bracket with Newton
// points of both ends and the midpoint.

#include "engine/solver/line_search.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "math/lane_vec.h"
#include "math/scalar.h"

typedef struct {
  mjtNum alpha, cost, slope, curvature;
} Point;

// Scratch

// Where rows of a kind are put: friction, then one-sided, then cones, each from a multiple of four.
LANE_FN static void list_line_rows(const ct_Problem* p, ct_Line* l, bool write) {
  int ne = p->rows.ne, nf = p->rows.nf, sided = ct_pad4(nf), at = sided, cone = 0;
  int cones = sided + (write ? ct_pad4(l->nsided) : 0);
  for (int i = ne; write && i < ne + nf; i++) l->row[i - ne] = i;
  for (int i = ne + nf; i < p->rows.nefc;) {
    if (p->rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      if (write) l->row[cones + cone] = i;
      cone++;
      i += p->contact[p->rows.id[i]].dim;
    } else {
      if (write) l->row[at] = i;
      at++;
      i++;
    }
  }
  if (write) return;
  l->nfriction = nf;
  l->nsided = at - sided;
  l->ncone = cone;
  l->nterm = sided + ct_pad4(l->nsided) + ct_pad4(cone);
}

// The same by several lanes, which look at a row each.
LANE_FN static void list_line_rows_lanes(Lane g, const ct_Problem* p, ct_Line* l, bool write) {
  int first = p->rows.ne + p->rows.nf, sided = ct_pad4(p->rows.nf), at = sided, cone = 0;
  int cones = sided + (write ? ct_pad4(l->nsided) : 0);
  LANE_FOR(i, g, write ? p->rows.nf : 0) {
    l->row[i] = p->rows.ne + i;
  }
  LANE_ROLLED for (int base = first; base < p->rows.nefc; base += lane_count(g)) {
    int i = base + lane_rank(g), nsided, ncone;
    bool row = i < p->rows.nefc;
    bool elliptic = ct_may_be_elliptic() && row && p->rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC;
    bool begins = elliptic && (p->rows.type[i - 1 < 0 ? 0 : i - 1] != mjCNSTR_CONTACT_ELLIPTIC ||
                               i == 0 || p->rows.id[i - 1] != p->rows.id[i]);
    int before = lane_sum_before(g, row && !elliptic, &nsided);
    int before_cone = lane_sum_before(g, begins, &ncone);
    if (write && row && !elliptic) l->row[at + before] = i;
    if (write && begins) l->row[cones + cone + before_cone] = i;
    at += nsided;
    cone += ncone;
  }
  l->nfriction = p->rows.nf;
  l->nsided = at - sided;
  l->ncone = cone;
  l->nterm = sided + ct_pad4(l->nsided) + ct_pad4(cone);
}

LANE_FN static void line_constants(Lane g, const ct_Problem* p, ct_Line* l) {
  const ct_RowSet* rows = &p->rows;
  int sided = ct_pad4(l->nfriction), cones = sided + ct_pad4(l->nsided);
  mjtNum *r = l->own, *w = r + cones, *D = w + cones;
  LANE_FOR(k, g, cones) {
    bool friction = k < l->nfriction, used = friction || (k >= sided && k < sided + l->nsided);
    int i = used ? l->row[k] : 0;
    D[k] = used ? rows->D[i] : 0;
    l->loss[k] = friction ? rows->frictionloss[i] : 0;
    l->knee[k] = friction ? rows->R[i] * rows->frictionloss[i] : 0;
    r[k] = w[k] = 0;
  }
  LANE_FOR(k, g,
           ct_may_be_elliptic() ? ct_pad4(l->ncone) : 0) {  // pads lie where nothing costs anything
    int i = k < l->ncone ? l->row[cones + k] : 0;
    mjtNum mu = k < l->ncone ? p->contact[rows->id[i]].mu : 1;
    for (int z = 0; z < CT_CONE_NUMBERS; z++) l->cone[z][k] = 0;
    l->cone[CT_CONE_HEIGHT][k] = 1;
    l->cone[CT_CONE_MU][k] = mu;
    l->cone[CT_CONE_STIFFNESS][k] = k < l->ncone ? rows->D[i] / (mu * mu * (1 + mu * mu)) : 0;
  }
}

LANE_FN bool ct_open_line(Lane g, mjData* d, const ct_Problem* p, ct_Line* l) {
  if (lane_count(g) == 1) {
    list_line_rows(p, l, false);
  } else {
    list_line_rows_lanes(g, p, l, false);
  }
  int rows = ct_pad4(l->nfriction) + ct_pad4(l->nsided), cones = ct_pad4(l->ncone);
  l->row = lane_scratch_int(g, d, l->nterm);
  mjtNum* x = lane_scratch_num(g, d, 5 * rows + CT_CONE_NUMBERS * cones);
  if (!l->row || !x) return false;
  l->r = l->own = x;
  l->w = l->r + rows;
  l->D = l->w + rows;
  l->knee = x + 3 * rows;
  l->loss = l->knee + rows;
  x = l->loss + rows;
  for (int z = 0; z < CT_CONE_NUMBERS; z++, x += cones) l->cone[z] = x;
  if (lane_count(g) == 1) {
    list_line_rows(p, l, true);
  } else {
    list_line_rows_lanes(g, p, l, true);
  }
  lane_sync(g);
  line_constants(g, p, l);
  lane_sync(g);
  return true;
}

LANE_FN void ct_open_line_in_place(const ct_Problem* p, ct_Line* l, const mjtNum* r,
                                   const mjtNum* w) {
  l->nfriction = l->ncone = 0;
  l->nsided = p->rows.nefc;
  l->nterm = ct_pad4(l->nsided);
  l->r = r;
  l->w = w;
  l->D = p->rows.D;
  l->own = NULL;
}

// One search: numbers of rows along the line

// Numbers of an elliptic contact along the line, r and w of its first row.
LANE_FN static void line_cone(const ct_Line* l, int k, const mjContact* contact, const mjtNum* D,
                              const mjtNum* r, const mjtNum* w) {
  mjtNum width = 0, widen = 0, curve = 0, bottom[3] = {0, 0, 0};
  for (int j = 0; j < contact->dim; j++) {
    bottom[0] += D[j] * r[j] * r[j];
    bottom[1] += D[j] * r[j] * w[j];
    bottom[2] += D[j] * w[j] * w[j];
    if (j == 0) continue;
    mjtNum start = contact->friction[j - 1] * r[j], change = contact->friction[j - 1] * w[j];
    width += start * start;
    widen += start * change;
    curve += change * change;
  }
  l->cone[CT_CONE_HEIGHT][k] = contact->mu * r[0];
  l->cone[CT_CONE_CLIMB][k] = contact->mu * w[0];
  l->cone[CT_CONE_WIDTH][k] = width;
  l->cone[CT_CONE_WIDEN][k] = widen;
  l->cone[CT_CONE_CURVE][k] = curve;
  l->cone[CT_CONE_BOTTOM][k] = bottom[0] / 2;
  l->cone[CT_CONE_BOTTOM_SLOPE][k] = bottom[1];
  l->cone[CT_CONE_BOTTOM_CURVE][k] = bottom[2] / 2;
}

#ifndef __CUDACC__

LANE_INLINE Wide numbers_of_rows(const mjtNum* x, const int* row, int n) {
  Wide word = {x[row[0]], 0, 0, 0};
  if (n > 1) word[1] = x[row[1]];
  if (n > 2) word[2] = x[row[2]];
  if (n > 3) word[3] = x[row[3]];
  return word;
}

// One lane stores words, which is how they are read next.
LANE_FN static void start_rows(const ct_Line* l, int first, int n, const mjtNum* r,
                               const mjtNum* w) {
  mjtNum *own_r = l->own, *own_w = own_r + (l->w - l->r);
  for (int k = 0; k < n; k += 4) {
    const int* row = l->row + first + k;
    wide_store(own_r + first + k, numbers_of_rows(r, row, n - k));
    wide_store(own_w + first + k, numbers_of_rows(w, row, n - k));
  }
}

#endif

LANE_FN static void start_rows_lanes(Lane g, const ct_Line* l, int first, int n, const mjtNum* r,
                                     const mjtNum* w) {
  mjtNum *own_r = l->own, *own_w = own_r + (l->w - l->r);
  LANE_FOR(k, g, n) {
    own_r[first + k] = r[l->row[first + k]];
    own_w[first + k] = w[l->row[first + k]];
  }
}

LANE_INLINE Point cone_terms(const ct_Line* l, int k, mjtNum alpha) {
  // h and s here
  mjtNum climb = l->cone[CT_CONE_CLIMB][k], widen = l->cone[CT_CONE_WIDEN][k];
  mjtNum curve = l->cone[CT_CONE_CURVE][k], mu = l->cone[CT_CONE_MU][k];
  mjtNum h = l->cone[CT_CONE_HEIGHT][k] + alpha * climb;
  mjtNum square = l->cone[CT_CONE_WIDTH][k] + alpha * (2 * widen + alpha * curve);
  mjtNum s = square > 0 ? ct_sqrt(square) : 0;
  bool on_axis = !(square > 0);

  // in the cone
  Point none = {alpha, 0, 0, 0};
  if (on_axis ? h >= 0 : h >= mu * s) return none;

  // at the bottom
  if (on_axis || mu * h + s <= 0) {
    mjtNum linear = l->cone[CT_CONE_BOTTOM_SLOPE][k], quadratic = l->cone[CT_CONE_BOTTOM_CURVE][k];
    Point bottom = {alpha, l->cone[CT_CONE_BOTTOM][k] + alpha * (linear + alpha * quadratic),
                    linear + 2 * alpha * quadratic, 2 * quadratic};
    return bottom;
  }

  // on the side, whose distance is h - mu s: (s^2)' / 2 = s s', (s^2)'' / 2 = s'^2 + s s''
  mjtNum half_slope = widen + alpha * curve, ds = half_slope / s;
  mjtNum dds = curve / s - half_slope * ds / square;
  mjtNum apart = h - mu * s, d_apart = climb - mu * ds, stiffness = l->cone[CT_CONE_STIFFNESS][k];
  Point side = {alpha, stiffness * apart * apart / 2, stiffness * apart * d_apart,
                stiffness * (d_apart * d_apart - mu * apart * dds)};
  return side;
}

// One term, whatever it is of.
LANE_INLINE Point line_term(const ct_Line* l, int k, mjtNum alpha) {
  int sided = ct_pad4(l->nfriction), cones = sided + ct_pad4(l->nsided);
  if (ct_may_be_elliptic() && k >= cones) return cone_terms(l, k - cones, alpha);
  mjtNum w = l->w[k], x = l->r[k] + alpha * w, D = l->D[k], push = 0, linear = 0;
  if (k >= sided) {
    D = x < 0 ? D : 0;
  } else {
    mjtNum knee = l->knee[k], loss = l->loss[k];
    mjtNum above = x >= knee ? loss : 0, below = -knee >= x ? loss : 0;
    D = -knee < x && x < knee ? D : 0;
    push = above - below;
    linear = push * x - (mjtNum)0.5 * (knee * (above + below));
  }
  mjtNum t = D * x, half = (mjtNum)0.5 * (t * x);
  Point term = {alpha, half, t * w, D * w * w};
  if (k < sided) {
    term.cost = half + linear;
    term.slope = (t + push) * w;
  }
  return term;
}

// Several lanes keep their terms to themselves and share three sums.
LANE_FN static Point sum_terms_lanes(Lane g, const ct_Line* l, mjtNum alpha) {
  LaneSums sums = lane_no_sums(g);
  LANE_SUMS_FOR(k, g, l->nterm) {
    Point term = {alpha, 0, 0, 0};
    if (k < l->nterm) term = line_term(l, k, alpha);
    lane_sums_add(&sums, term.cost, term.slope, term.curvature);
  }
  lane_sums_fold(g, &sums);
  Point all = {alpha, sums.of[0], sums.of[1], sums.of[2]};
  return all;
}

#ifndef __CUDACC__

// One lane makes four terms at a time, with the same operations, and adds them as LANE_SUM does:
// the 32 slots of a sum are eight words. What terms cost is asked of few points, and left out
// elsewhere; the next are inlined with `costs` known.

typedef struct {
  Wide cost[8], slope[8], curvature[8];
} LineSlots;

// The first of a slot is added to 0, which makes +0 of a -0.
LANE_INLINE void add_term(Wide* slot, bool first, Wide term) {
  *slot = wide_add(first ? wide_all(0) : *slot, term);
}

LANE_INLINE void add_terms(bool costs, LineSlots* slots, int k, Wide cost, Wide slope,
                           Wide curvature) {
  unsigned w = (unsigned)k / 4 % 8;
  if (k < 32) {
    if (costs) add_term(slots->cost + w, true, cost);
    add_term(slots->slope + w, true, slope);
    add_term(slots->curvature + w, true, curvature);
    return;
  }
  if (costs) add_term(slots->cost + w, false, cost);
  add_term(slots->slope + w, false, slope);
  add_term(slots->curvature + w, false, curvature);
}

// Rows of friction: D x^2 / 2 between the knees, loss (|x| - knee / 2) outside.
LANE_INLINE void friction_word(bool costs, const ct_Line* l, LineSlots* slots, int k, Wide A) {
  Wide half = wide_all((mjtNum)0.5), zero = wide_all(0);
  Wide w = wide_load(l->w + k), x = wide_add(wide_load(l->r + k), wide_mul(A, w));
  Wide knee = wide_load(l->knee + k), loss = wide_load(l->loss + k);
  Wide D = wide_if_less(wide_sub(zero, knee), x, wide_if_less(x, knee, wide_load(l->D + k)));
  Wide above = wide_if_not_less(x, knee, loss);
  Wide below = wide_if_not_less(wide_sub(zero, knee), x, loss);
  Wide push = wide_sub(above, below), t = wide_mul(D, x);
  Wide offset = wide_mul(half, wide_mul(knee, wide_add(above, below)));
  Wide linear = wide_sub(wide_mul(push, x), offset);
  add_terms(costs, slots, k, wide_add(wide_mul(half, wide_mul(t, x)), linear),
            wide_mul(wide_add(t, push), w), wide_mul(wide_mul(D, w), w));
}

// One-sided rows: D x^2 / 2 where x < 0.
LANE_INLINE void sided_word(bool costs, const ct_Line* l, LineSlots* slots, int k, Wide A) {
  Wide w = wide_load(l->w + k), x = wide_add(wide_load(l->r + k), wide_mul(A, w));
  Wide D = wide_if_less(x, wide_all(0), wide_load(l->D + k)), t = wide_mul(D, x);
  add_terms(costs, slots, k, wide_mul(wide_all((mjtNum)0.5), wide_mul(t, x)), wide_mul(t, w),
            wide_mul(wide_mul(D, w), w));
}

// Elliptic contacts k - first to k - first + 3: cone_terms with every case computed and one chosen.
LANE_INLINE void cone_word(bool costs, const ct_Line* l, LineSlots* slots, int k, int first,
                           Wide A) {
  Wide n[CT_CONE_NUMBERS];
  for (int z = 0; z < CT_CONE_NUMBERS; z++) n[z] = wide_load(l->cone[z] + k - first);
  Wide climb = n[CT_CONE_CLIMB], widen = n[CT_CONE_WIDEN], curve = n[CT_CONE_CURVE];
  Wide mu = n[CT_CONE_MU], h = n[CT_CONE_HEIGHT] + A * climb;
  Wide square = n[CT_CONE_WIDTH] + A * (2 * widen + A * curve);
  WideMask off_axis = (WideMask)(square > 0);
  Wide s = wide_sqrt((Wide)(off_axis & (WideMask)square));
  WideMask inside = (off_axis & (WideMask)(h >= mu * s)) | (~off_axis & (WideMask)(h >= 0));
  WideMask bottom = ~inside & (~off_axis | (WideMask)(mu * h + s <= 0));
  WideMask side = ~inside & ~bottom;

  Wide linear = n[CT_CONE_BOTTOM_SLOPE], quadratic = n[CT_CONE_BOTTOM_CURVE];
  Wide bottom_cost = n[CT_CONE_BOTTOM] + A * (linear + A * quadratic);
  Wide bottom_slope = linear + 2 * A * quadratic, bottom_curve = 2 * quadratic;

  Wide half_slope = widen + A * curve, ds = half_slope / s;
  Wide dds = curve / s - half_slope * ds / square;
  Wide apart = h - mu * s, d_apart = climb - mu * ds, stiffness = n[CT_CONE_STIFFNESS];
  Wide side_slope = stiffness * apart * d_apart, side_cost = stiffness * apart * apart / 2;
  Wide side_curve = stiffness * (d_apart * d_apart - mu * apart * dds);
  add_terms(costs, slots, k, wide_choose(bottom, bottom_cost, side, side_cost),
            wide_choose(bottom, bottom_slope, side, side_slope),
            wide_choose(bottom, bottom_curve, side, side_curve));
}

LANE_INLINE Point fold_slots(bool costs, const LineSlots* slots, int words, mjtNum alpha) {
  Wide sums = ct_fold_four(costs ? ct_fold_to_word_(slots->cost, words) : wide_all(0),
                           ct_fold_to_word_(slots->slope, words),
                           ct_fold_to_word_(slots->curvature, words), wide_all(0));
  Point all = {alpha, sums[0], sums[1], sums[2]};
  return all;
}

// All terms of equalities, n > 0.
LANE_FN static void sum_equalities_alone(int n, const mjtNum* D, const mjtNum* r, const mjtNum* w,
                                         mjtNum sum[3]) {
  LineSlots slots;
  int words = (n + 3) / 4;
  for (int z = 0; z < 2; z++) {  // for the compiler
    slots.cost[z] = slots.slope[z] = slots.curvature[z] = wide_all(0);
  }
  for (int i = 0; i < n; i += 4) {
    bool whole = i + 4 <= n;
    Wide d = whole ? wide_load(D + i) : ct_last_word_(D + i, n - i);
    Wide x = whole ? wide_load(r + i) : ct_last_word_(r + i, n - i);
    Wide y = whole ? wide_load(w + i) : ct_last_word_(w + i, n - i), t = wide_mul(d, x);
    add_terms(true, &slots, i, wide_mul(t, x), wide_mul(t, y), wide_mul(wide_mul(d, y), y));
  }
  Point all = fold_slots(true, &slots, words < 8 ? words : 8, 0);
  sum[0] = all.cost;
  sum[1] = all.slope;
  sum[2] = all.curvature;
}

// Few one-sided rows alone: slots are registers. Inlined with `words` known.
LANE_INLINE Point sum_sided(int words, const ct_Line* l, mjtNum alpha) {
  LineSlots slots;
  for (int w = 0; w < words; w++) sided_word(false, l, &slots, 4 * w, wide_all(alpha));
  return fold_slots(false, &slots, words, alpha);
}

LANE_INLINE Point sum_all(bool costs, const ct_Line* l, mjtNum alpha) {
  Wide A = wide_all(alpha);
  int sided = ct_pad4(l->nfriction), cones = sided + ct_pad4(l->nsided);
  int words = l->nterm / 4 < 8 ? l->nterm / 4 : 8;
  Point none = {alpha, 0, 0, 0};
  LineSlots slots;
  if (!words) return none;
  for (int k = 0; k < sided; k += 4) friction_word(costs, l, &slots, k, A);
  for (int k = sided; k < cones; k += 4) sided_word(costs, l, &slots, k, A);
  for (int k = cones; k < l->nterm; k += 4) cone_word(costs, l, &slots, k, cones, A);
  return fold_slots(costs, &slots, words, alpha);
}

// Slope and curvature alone.
LANE_FN static Point sum_terms(const ct_Line* l, mjtNum alpha) {
  if (l->nfriction == 0 && l->ncone == 0) {
    if (l->nterm == 4) return sum_sided(1, l, alpha);
    if (l->nterm == 8) return sum_sided(2, l, alpha);
    if (l->nterm == 12) return sum_sided(3, l, alpha);
    if (l->nterm == 16) return sum_sided(4, l, alpha);
  }
  return sum_all(false, l, alpha);
}

LANE_FN LANE_RARE static mjtNum sum_costs(const ct_Line* l, mjtNum alpha) {
  return sum_all(true, l, alpha).cost;
}

#endif

// Sums of D r r, D r w and D w w.
LANE_FN static inline void sum_equalities(Lane g, int n, const mjtNum* D, const mjtNum* r,
                                          const mjtNum* w, mjtNum sum[3]) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    sum_equalities_alone(n, D, r, w, sum);
    return;
  }
#endif
  LANE_SUM(sum[0], i, g, n, D[i] * r[i] * r[i]);
  LANE_SUM(sum[1], i, g, n, D[i] * r[i] * w[i]);
  LANE_SUM(sum[2], i, g, n, D[i] * w[i] * w[i]);
}

LANE_FN static void start_line(Lane g, const ct_Problem* p, ct_Line* l, const mjtNum* r,
                               const mjtNum* w, const mjtNum gauss[3]) {
  const mjtNum* D = p->rows.D;
  int sided = ct_pad4(l->nfriction), cones = sided + ct_pad4(l->nsided), ne = p->rows.ne;
#ifndef __CUDACC__
  if (lane_count(g) == 1 && l->own) {
    start_rows(l, 0, l->nfriction, r, w);
    start_rows(l, sided, l->nsided, r, w);
  }
#endif
  if (LANE_WIDTH == 1 || lane_count(g) > 1) {
    start_rows_lanes(g, l, 0, l->nfriction, r, w);
    start_rows_lanes(g, l, sided, l->nsided, r, w);
  }
  LANE_FOR(k, g, ct_may_be_elliptic() ? l->ncone : 0) {
    int i = l->row[cones + k];
    line_cone(l, k, p->contact + p->rows.id[i], D + i, r + i, w + i);
  }
  for (int z = 0; z < 3; z++) l->quadratic[z] = gauss[z];
  if (ne) {
    mjtNum sum[3];
    sum_equalities(g, ne, D, r, w, sum);
    l->quadratic[0] += sum[0] / 2;
    l->quadratic[1] += sum[1];
    l->quadratic[2] += sum[2] / 2;
  }
  l->neval = 0;
  lane_sync(g);
}

LANE_INLINE mjtNum smooth_cost(const ct_Line* l, mjtNum alpha) {
  return l->quadratic[0] + alpha * (l->quadratic[1] + alpha * l->quadratic[2]);
}

// The cost of the point stands for that of the rest on one lane, until find_cost is asked.
LANE_FN static inline Point evaluate_line(Lane g, ct_Line* l, mjtNum alpha) {
  const mjtNum* q = l->quadratic;
  Point at = {alpha, smooth_cost(l, alpha), q[1] + 2 * alpha * q[2], 2 * q[2]};
#ifdef __CUDACC__
  Point rows = sum_terms_lanes(g, l, alpha);
#else
  Point rows = lane_count(g) == 1 ? sum_terms(l, alpha) : sum_terms_lanes(g, l, alpha);
#endif
  at.cost += rows.cost;
  at.slope += rows.slope;
  at.curvature += rows.curvature;
  if (!(at.curvature > 0)) at.curvature = mjMINVAL;
  l->neval++;
  return at;
}

LANE_FN static inline void find_cost(Lane g, const ct_Line* l, Point* p) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) p->cost = smooth_cost(l, p->alpha) + sum_costs(l, p->alpha);
#else
  (void)g;
  (void)l;
  (void)p;
#endif
}

LANE_INLINE mjtNum newton_alpha(Point p) {
  return p.alpha - p.slope / p.curvature;
}

// Is the slope of b on the same side of zero as that of a, and closer to it?
LANE_INLINE bool is_closer(Point a, Point b) {
  return (a.slope < 0 && b.slope < 0 && a.slope < b.slope) ||
         (a.slope > 0 && b.slope > 0 && b.slope < a.slope);
}

// Moves an end of the bracket to the best of the candidates. True if it moved.
LANE_INLINE bool move_end(Point* end, const Point candidate[3]) {
  bool moved = false;
  LANE_UNROLL_ for (int i = 0; i < 3; i++) {
    if (!is_closer(*end, candidate[i])) continue;
    *end = candidate[i];
    moved = true;
  }
  return moved;
}

// The cheapest candidate whose slope is small enough; false: there is none.
LANE_FN static inline bool flat_candidate(Lane g, const ct_Line* l, Point candidate[3],
                                          mjtNum tolerance, Point* best) {
  bool any = false;
  LANE_UNROLL_ for (int i = 0; i < 3; i++) {
    if (ct_abs(candidate[i].slope) >= tolerance) continue;
    if (any) {
      find_cost(g, l, best);
      find_cost(g, l, candidate + i);
    }
    if (!any || candidate[i].cost < best->cost) *best = candidate[i];
    any = true;
  }
  return any;
}

// The end of the bracket that costs less than the start, if one does; else to stay there.
LANE_FN static inline Point cheaper_end(Lane g, const ct_Line* l, Point end[2], Point start) {
  find_cost(g, l, end);
  find_cost(g, l, end + 1);
  find_cost(g, l, &start);
  if (end[0].cost <= end[1].cost && end[0].cost < start.cost) return end[0];
  if (end[1].cost <= end[0].cost && end[1].cost < start.cost) return end[1];
  start.alpha = 0;
  return start;
}

// The line is evaluated at one place of the code, whoever needs a point: where a call would cost
// registers, that is what is fast.
LANE_FN static Point search_line(Lane g, ct_Line* l, mjtNum tolerance, int limit) {
  enum { START, BRACKET, FIRST_END, SECOND_END, MIDDLE } why = START;
  Point start = {0, 0, 0, 0}, end[2] = {start, start}, next[2] = {start, start};
  mjtNum alpha = 0, direction = 0;
  bool second = false;  // a Newton point of the second end is to follow
  LANE_ROLLED for (;;) {
    Point at = evaluate_line(g, l, alpha);
    if (why == START) {
      mjtNum smooth = l->quadratic[1], rows = at.slope - smooth;
      tolerance = ct_max(tolerance, ct_rounding(ct_abs(smooth) + ct_abs(rows)));
      start = end[0] = at;
      why = BRACKET;
      alpha = newton_alpha(at);
      continue;
    }

    // Newton steps until the slope is small or its sign another one
    if (why == BRACKET) {
      end[1] = end[0];
      end[0] = at;
      if (ct_abs(at.slope) < tolerance) return at;
      if (direction == 0) direction = at.slope < 0 ? 1 : -1;
      if (l->neval >= limit) return at;
      if (!(direction * at.slope <= -tolerance)) {
        next[1] = at;
        why = FIRST_END;
      }
      alpha = newton_alpha(at);
      continue;
    }

    // the bracket [end[0], end[1]] narrows by the best of the middle and the ends' Newton points
    if (why == MIDDLE) {
      Point candidate[3] = {next[0], next[1], at}, best = at;
      if (flat_candidate(g, l, candidate, tolerance, &best)) return best;
      bool first = move_end(end, candidate);
      second = move_end(end + 1, candidate);
      if (!first && !second) return at;
      why = first ? FIRST_END : SECOND_END;
      second = first && second;
      alpha = first ? newton_alpha(end[0]) : newton_alpha(end[1]);
      continue;
    }
    if (why == FIRST_END) {
      next[0] = at;
    } else {
      next[1] = at;
    }
    if (second) {
      second = false;
      why = SECOND_END;
      alpha = newton_alpha(end[1]);
      continue;
    }
    if (l->neval >= limit) return cheaper_end(g, l, end, start);
    why = MIDDLE;
    alpha = (end[0].alpha + end[1].alpha) / 2;
  }
}

LANE_FN ct_LineResult ct_line_search(Lane g, const mjModel* m, const ct_Problem* p, ct_Line* l,
                                     const mjtNum* r, const mjtNum* w, const mjtNum gauss[3],
                                     mjtNum length) {
  ct_LineResult result = {0, 1, 0};
  if (length < mjMINVAL) return result;
  start_line(g, p, l, r, w, gauss);
  mjtNum tolerance = m->opt.tolerance * m->opt.ls_tolerance * length / p->scale;
  Point found = search_line(g, l, tolerance, m->opt.ls_iterations);
  result.alpha = found.alpha;
  result.slope = ct_abs(found.slope) * p->scale / length;
  result.neval = l->neval;
  return result;
}
