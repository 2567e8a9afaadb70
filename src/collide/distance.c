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

// How far a geom reaches from its centre, by its size, which users may edit; -1: nobody knows.
LANE_INLINE mjtNum reach_of(const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1];
    case mjGEOM_CYLINDER:
      return size[0] + size[1];
    case mjGEOM_BOX:
      return size[0] + size[1] + size[2];
    case mjGEOM_ELLIPSOID:
      return ct_max(size[0], ct_max(size[1], size[2]));
    default:
      return -1;
  }
}

// Only where the distance is that of nearest points: other pair functions measure along a normal.
LANE_FN bool ct_surely_farther(const mjModel* m, const mjData* d, int geom1, int geom2,
                               mjtNum than) {
  int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  bool solved = !(m->opt.disableflags & mjDSBL_NATIVECCD) && ct_is_convex_pair(type1, type2);
  bool capsules = type1 == mjGEOM_CAPSULE && type2 == mjGEOM_CAPSULE;
  if (!solved && !capsules && type1 != mjGEOM_SPHERE && type2 != mjGEOM_SPHERE) return false;
  mjtNum reach1 = reach_of(m, geom1), reach2 = reach_of(m, geom2);
  if (!(reach1 >= 0 && reach2 >= 0)) return false;
  mjtNum between = ct_dist3(d->geom_xpos + 3 * geom1, d->geom_xpos + 3 * geom2);
  mjtNum rounding = (mjtNum)1e-5 * (between + reach1 + reach2);
  return between - reach1 - reach2 - rounding > than;
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
