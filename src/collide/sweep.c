// The reference finds pairs of bodies by sorting intervals along one axis, with keys rounded to
// single precision. Two bodies whose intervals touch within that rounding may be missed, depending
// on their order. A contact can be lost by this only if the bounding spheres of its geoms touch
// within the same rounding; then, and only then, the decision is reproduced here.
//
// The axes are the rows of F, the matrix whose columns are the principal axes of the centres of all
// geoms (the reference mixes up rows and columns; any rotation would do).

#include "collide/sweep.h"

#include "base/model/awake.h"
#include "math/eig3.h"

#define HIDDEN_BY_ROUNDING ((mjtNum)1e-6)  // overlap, beside the numbers it is computed from
#define CLEARLY_INSIDE ((mjtNum)0.99)      // of the squared reach: no root is needed to decide

// Do the bounding spheres overlap by so little that rounding could hide it?
LANE_FN static bool barely_touches(const mjModel* m, const mjData* d, ct_GeomPair p) {
  if (p.pair >= 0 || p.geom1 < 0) return false;
  int b1 = m->geom_bodyid[p.geom1], b2 = m->geom_bodyid[p.geom2];
  mjtNum r1 = m->geom_rbound[p.geom1], r2 = m->geom_rbound[p.geom2];
  if (!b1 || !b2 || !(r1 > 0) || !(r2 > 0)) return false;
  const mjtNum *p1 = d->geom_xpos + 3 * p.geom1, *p2 = d->geom_xpos + 3 * p.geom2;
  mjtNum reach = r1 + r2 + ct_pair_margin(m, p), apart[3];
  ct_sub3(apart, p1, p2);
  mjtNum squared = ct_dot3(apart, apart);
  if (!(squared > CLEARLY_INSIDE * reach * reach)) return false;  // the usual case
  mjtNum overlap = reach - ct_sqrt(squared);
  return !(overlap > HIDDEN_BY_ROUNDING * (ct_norm3(p1) + ct_norm3(p2) + reach));
}

// Principal axes of the centres of all geoms that belong to a body.
LANE_FN static void principal_axes(const mjModel* m, const mjData* d, mjtNum F[9]) {
  mjtNum mean[3] = {0, 0, 0}, C[9], value[3], quat[4];
  int first = m->body_geomadr[0] >= 0 ? m->body_geomadr[0] + m->body_geomnum[0] : 0, count = 0;
  for (int i = first; i < m->ngeom; i++, count++) ct_add_to3(mean, d->geom_xpos + 3 * i);
  for (int i = 0; i < m->nflexvert; i++) {
    if (m->flex_vertbodyid[i] <= 0) continue;
    ct_add_to3(mean, d->flexvert_xpos + 3 * i);
    count++;
  }
  mjtNum share = 1 / (mjtNum)(count ? count : 1);
  ct_scl3(mean, mean, share);
  ct_zero(C, 9);
  for (int i = first; i < m->ngeom + m->nflexvert; i++) {
    int v = i - (int)m->ngeom;
    if (v >= 0 && m->flex_vertbodyid[v] <= 0) continue;
    mjtNum q[3];
    ct_sub3(q, v >= 0 ? d->flexvert_xpos + 3 * v : d->geom_xpos + 3 * i, mean);
    for (int r = 0; r < 3; r++) ct_add_to_scl3(C + 3 * r, q, q[r]);
  }
  ct_scl(C, C, share, 9);
  ct_eig3(value, F, quat, C);
}

LANE_FN static void body_interval(const mjModel* m, const mjData* d, int b, const mjtNum axis[3],
                                  mjtNum* low, mjtNum* high) {
  bool override = (m->opt.enableflags & mjENBL_OVERRIDE) != 0;
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    int geom = m->body_geomadr[b] + i;
    mjtNum u = ct_dot3(d->geom_xpos + 3 * geom, axis), r = m->geom_rbound[geom];
    mjtNum margin = override ? m->opt.o_margin / 2 : m->geom_margin[geom];
    mjtNum from = u - r - margin, to = u + r + margin;
    *low = i == 0 || from < *low ? from : *low;
    *high = i == 0 || to > *high ? to : *high;
  }
}

// Does the sweep report the bodies b1 < b2? Ends of intervals that fall together keep the order
// b1's low, b1's high, b2's low, b2's high.
LANE_FN static bool sweep_reports(const mjModel* m, const mjData* d, int b1, int b2,
                                  const mjtNum F[9]) {
  mjtNum low[2] = {0, 0}, high[2] = {0, 0};
  for (int row = 2; row >= 0; row--) {
    body_interval(m, d, b1, F + 3 * row, low, high);
    body_interval(m, d, b2, F + 3 * row, low + 1, high + 1);
    if (row && (low[0] > high[1] || low[1] > high[0])) return false;
  }
  bool opens_first = (float)low[0] <= (float)low[1];
  return opens_first ? (float)high[0] > (float)low[1] : (float)high[1] >= (float)low[0];
}

LANE_INLINE bool has_plane(const mjModel* m, int b) {
  if (m->body_weldid[b]) return false;
  for (int i = 0; i < m->body_geomnum[b]; i++) {
    if (m->geom_type[m->body_geomadr[b] + i] == mjGEOM_PLANE) return true;
  }
  return false;
}

LANE_FN void ct_drop_touching(Lane g, const mjModel* m, mjData* d, ct_PairList* list) {
  int touching;
  mjtNum F[9];
  LANE_COUNT(touching, i, g, list->count, barely_touches(m, d, list->pair[i]));
  if (!touching) return;
  principal_axes(m, d, F);
  LANE_FOR(i, g, list->count) {
    ct_GeomPair* p = list->pair + i;
    if (!barely_touches(m, d, *p)) continue;
    int b1 = m->geom_bodyid[p->geom1], b2 = m->geom_bodyid[p->geom2];
    if (has_plane(m, b1) || has_plane(m, b2)) continue;  // not found by the sweep
    if (!sweep_reports(m, d, b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1, F)) p->geom1 = -1;
  }
  lane_sync(g);
}
