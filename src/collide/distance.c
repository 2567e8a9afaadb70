#include "collide/distance.h"

#include "collide/convex.h"
#include "collide/pairs.h"

LANE_FN mjtNum ct_nearest_hit(const ct_Hit* hit, int count, bool swapped, mjtNum distmax,
                              mjtNum fromto[6]) {
  const ct_Hit* best = NULL;
  for (int i = 0; i < count; i++) {
    if (hit[i].dist < (best ? best->dist : distmax)) best = hit + i;
  }
  if (!best) return distmax;
  if (fromto) {
    mjtNum half = swapped ? -best->dist / 2 : best->dist / 2;
    ct_add_scl3(fromto, best->pos, best->frame, -half);
    ct_add_scl3(fromto + 3, best->pos, best->frame, half);
  }
  return best->dist;
}

LANE_FN mjtNum ct_convex_distance(const mjModel* m, const mjData* d, int geom1, int geom2,
                                  mjtNum distmax, mjtNum fromto[6]) {
  ct_Shape s1 = ct_shape_of(m, d, geom1), s2 = ct_shape_of(m, d, geom2);
  ct_Ccd c = ct_ccd_start(m, &s1, 0, &s2, 0);
  c.cutoff = distmax;
  ct_ccd(&c);
  if (fromto && c.witness) {
    ct_copy3(fromto, c.x1);
    ct_copy3(fromto + 3, c.x2);
  }
  return ct_min(c.dist, distmax);
}

LANE_FN mjtNum ct_geom_distance(const mjModel* m, const mjData* d, int geom1, int geom2,
                                mjtNum distmax, mjtNum fromto[6]) {
  ct_Hit hit[CT_MOST_HITS];
  int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  bool swapped = type1 > type2;
  if (fromto) ct_zero(fromto, 6);
  if (!ct_types_collide(type1, type2)) return distmax;
  if (!(m->opt.disableflags & mjDSBL_NATIVECCD) && ct_is_convex_pair(type1, type2)) {
    return ct_convex_distance(m, d, geom1, geom2, distmax, fromto);
  }
  ct_GeomPair pair = {swapped ? geom2 : geom1, swapped ? geom1 : geom2, -1};
  int count = ct_raw_hits(m, d, hit, pair, distmax);
  return ct_nearest_hit(hit, count, swapped, distmax, fromto);
}
