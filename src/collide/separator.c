#include "collide/separator.h"

#include "base/meetings.h"
#include "base/private.h"
#include "collide/convex.h"

#ifndef __CUDACC__

// An entry of the table, as integers in the schedule.
typedef struct {
  int geoms;      // the two as one number; 0: nothing is known
  int vertex[2];  // on their hulls, from where to climb to the support points
  float
      direction[3];  // in the frame of the first; along it the first ends before the second begins
} Separator;

_Static_assert(sizeof(Separator) == CT_SEPARATOR_SIZE * sizeof(int), "the table is made of ints");

// The entry of a pair, which it shares with others: the upper bits of the product depend on all
// bits of both geoms. NULL with a negative margin: a shape less its margin has no surface that a
// direction could bound, and one along which two of these seem to be apart proves nothing.
static Separator* separator_of(const mjModel* m, mjData* d, int geoms, mjtNum margin) {
  size_t room = ct_separator_room(m);
  if (room == 0 || !(margin >= 0)) return NULL;
  Separator* table = (Separator*)(uintptr_t)ct_private(d)->schedule.separators;
  return table + ((2654435769u * (unsigned)geoms) >> 20 & (room - 1));
}

// The support point from a vertex that was one, by rules that look around it once.
static void support_from(const mjModel* m, const ct_Shape* shape, mjtNum margin, int vertex,
                         const mjtNum direction[3], mjtNum res[3]) {
  ct_Support s = ct_support_start(m, shape, margin);
  if (s.has_graph && vertex >= 0 && vertex < s.graph.count) s.hull_vertex = vertex;
  ct_legacy_support(&s, res, direction);
}

// Is the pair still apart along the direction, by more than what GJK takes for contact and what
// rounding of hulls and of the direction, whose length is 1 but for that, could hide?
static bool is_still_apart(const mjModel* m, const Separator* separator, const ct_Shape* s1,
                           const ct_Shape* s2, mjtNum margin) {
  const mjtNum rounding = sizeof(mjtNum) == 4 ? (mjtNum)1e-3 : (mjtNum)1e-5;
  mjtNum direction[3], opposite[3], a[3], b[3];
  for (int k = 0; k < 3; k++) direction[k] = (mjtNum)separator->direction[k];
  ct_mul_mat_vec3(direction, s1->mat, direction);
  ct_scl3(opposite, direction, -1);
  support_from(m, s1, margin, separator->vertex[0], direction, a);
  support_from(m, s2, margin, separator->vertex[1], opposite, b);
  mjtNum size = m->geom_rbound[s1->geom] + m->geom_rbound[s2->geom];
  mjtNum doubt = rounding * size + 2 * ct_abs(m->opt.ccd_tolerance);
  return ct_dot3(direction, b) - ct_dot3(direction, a) > doubt;
}

int ct_collide_remembering(const mjModel* m, mjData* d, ct_Hit* hit, ct_GeomPair pair,
                           mjtNum margin) {
  ct_Shape s1 = ct_shape_of(m, d, pair.geom1), s2 = ct_shape_of(m, d, pair.geom2);
  int geoms = ct_two_geoms(pair.geom1, pair.geom2);
  Separator* separator = separator_of(m, d, geoms, margin);
  bool known = separator && separator->geoms == geoms;
  if (known && is_still_apart(m, separator, &s1, &s2, margin)) return 0;
  ct_Ccd c = ct_ccd_start(m, &s1, margin, &s2, margin);
  int count = ct_convex_by(m, &c, hit, &s1, &s2, margin);
  if (known && count > 0) separator->geoms = 0;
  if (separator && count == 0) {
    mjtNum local[3];
    ct_mul_mat_t_vec3(local, s1.mat, c.direction);
    for (int k = 0; k < 3; k++) separator->direction[k] = (float)local[k];
    separator->geoms = geoms;
    separator->vertex[0] = c.s1.hull_vertex;
    separator->vertex[1] = c.s2.hull_vertex;
  }
  return count;
}

#endif
