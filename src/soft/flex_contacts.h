// Contacts in which flexes take part.

#ifndef CT_SOFT_FLEX_CONTACTS_H_
#define CT_SOFT_FLEX_CONTACTS_H_

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>
#endif

#include "collide/collision.h"
#include "math/scalar.h"
#include "soft/flex.h"

// Appends contacts of flexes with geoms, with each other and with themselves to those of geoms.
LANE_FN int ct_flex_collision(Lane g, const mjModel* m, mjData* d);

// The same after trees have woken and contacts of geoms were found again.
LANE_FN int ct_flex_collision_of_woken(Lane g, const mjModel* m, mjData* d);

// What is between the parts of the stage.

enum { CT_FLEX_HITS = mjMAXCONPAIR };  // room for the hits of one pair

typedef struct ct_ContactWriter_ {
  int ncon;      // contacts so far, the same on all lanes
  int refused;   // pairs without room, the same on all lanes
  int mistakes;  // contacts of this lane without a normal or with a wrong condim
} ct_ContactWriter;

// Appends the hits that every lane has found for a pair of its own, in the order of lanes. All
// lanes call it; those that have no pair pass -1 for found.
LANE_FN void ct_append_touches(Lane g, const mjModel* m, mjData* d, ct_ContactWriter* w,
                               const ct_Hit* hit, int found, const ct_Touch* touch);

// Contacts of a flex with itself: self_contacts.c. CT_STACK_FULL without room.
LANE_FN int ct_self_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w);

// Contacts of two flexes: self_contacts.c.
LANE_FN int ct_mutual_contacts(Lane g, const mjModel* m, mjData* d, int f1, int f2, mjtNum margin,
                               ct_ContactWriter* w);

// Do two boxes along the axes of the world, centre and half sizes, come within the margin?
LANE_INLINE bool ct_aabbs_meet(const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
#if defined(__SSE2__) && !defined(mjUSESINGLE) && !defined(__CUDACC__)
  __m128d away = _mm_sub_pd(_mm_loadu_pd(a), _mm_loadu_pd(b));
  __m128d reach = _mm_add_pd(_mm_loadu_pd(a + 3), _mm_loadu_pd(b + 3));
  __m128d far = _mm_andnot_pd(_mm_set1_pd(-0.0), away);
  __m128d apart = _mm_cmpgt_pd(far, _mm_add_pd(reach, _mm_set1_pd(margin)));
  bool apart2 = ct_abs(a[2] - b[2]) > a[5] + b[5] + margin;
  return !(_mm_movemask_pd(apart) | apart2);
#else
  bool apart0 = ct_abs(a[0] - b[0]) > a[3] + b[3] + margin;
  bool apart1 = ct_abs(a[1] - b[1]) > a[4] + b[4] + margin;
  bool apart2 = ct_abs(a[2] - b[2]) > a[5] + b[5] + margin;
  return !(apart0 | apart1 | apart2);  // without branches: they would be guesses
#endif
}

LANE_INLINE const mjtNum* ct_element_box(const mjModel* m, const mjData* d, int f, int e) {
  return d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e);
}

#endif  // CT_SOFT_FLEX_CONTACTS_H_
