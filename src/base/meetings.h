// Which geoms can meet at all: what masks, parents, welds, exclusions and predefined pairs say,
// before anybody asks where the geoms are.
//
// The pairs that are left are listed in the schedule, in the order in which their contacts are
// stored, so that a step only looks at bounds. Users may edit these integers between steps: the
// list comes with a copy of all that it was made from, which a step on the CPU compares with the
// model, and it is made anew when they differ. A GPU compares what may vary between the
// environments of a batch, the masks. Whoever finds no list that holds searches (collide/search.c).
//
// Where these are too many, the list is one of pairs within trees of bodies and with what does not
// move. Pairs of two trees are found by one lane (collide/trees.c); several lanes search for all.

#ifndef CT_BASE_MEETINGS_H_
#define CT_BASE_MEETINGS_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/schedule.h"

// How a listed pair came about, where it is not the number of a predefined pair.
enum {
  CT_MEET_BY_LOOPS = -1,
  CT_MEET_BY_TREE = -2,  // both bodies have a tree and one has several geoms: boxes are tested too
};

enum { CT_NO_MEETINGS = -1 };  // as a count: there is no list

// Two geoms as one number.
LANE_INLINE int ct_two_geoms(int g1, int g2) {
  return (int)((unsigned)g1 << 16 | (unsigned)g2);
}

LANE_INLINE int ct_first_geom(int two) {
  return (int)((unsigned)two >> 16);
}

LANE_INLINE int ct_second_geom(int two) {
  return two & 0xffff;
}

// What the list was made from beside arrays: flags, and whether masks of geoms were left alone.
LANE_INLINE int ct_meeting_key(const mjModel* m, bool all_masks) {
  return (m->opt.disableflags & (mjDSBL_FILTERPARENT | mjDSBL_MIDPHASE)) |
         (all_masks ? 1 << 30 : 0);
}

// The arrays that it was made from, but for the tree of bodies, which ct_schedule_is_of looks at.
// mj_copyModel may bring a model of the same sizes whose geoms are on other bodies. The masks come
// first: a GPU looks at them only.
#define CT_MEETING_MASKS(array_)                                                                   \
  array_(geom_contype, m->ngeom) array_(geom_conaffinity, m->ngeom) array_(body_contype, m->nbody) \
      array_(body_conaffinity, m->nbody)
#define CT_MEETING_INTEGERS(array_)                                                        \
  CT_MEETING_MASKS(array_)                                                                 \
  array_(geom_type, m->ngeom) array_(body_weldid, m->nbody) array_(body_geomnum, m->nbody) \
      array_(exclude_signature, m->nexclude) array_(pair_geom1, m->npair)                  \
          array_(pair_geom2, m->npair) array_(pair_signature, m->npair)

// Makes the list, in arrays that ct_schedule_build has placed. all_masks: masks of single geoms
// decide nothing, because a callback does.
void ct_list_meetings(ct_Meetings* to, const mjModel* m, bool all_masks);

// Has the list room for this model? Exclusions and predefined pairs are no part of an mjData, so
// that models that differ in them may share one.
LANE_INLINE bool ct_meetings_fit(const ct_Meetings* meetings, const mjModel* m) {
  return meetings->room > 0 && meetings->nexclude == m->nexclude && meetings->npair == m->npair;
}

// Are the model's integers those that the list was made from? It has room for the model.
bool ct_meetings_hold(const ct_Meetings* meetings, const mjModel* m, bool all_masks);

// Rules

LANE_INLINE bool ct_masks_fit(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

LANE_INLINE bool ct_geom_collides(const mjModel* m, int geom) {
  return m->geom_contype[geom] || m->geom_conaffinity[geom];
}

LANE_INLINE bool ct_body_collides(const mjModel* m, int b) {
  return m->body_geomnum[b] > 0 && (m->body_contype[b] || m->body_conaffinity[b]);
}

// Is there a pair function for these two types, in any order?
LANE_INLINE bool ct_types_collide(int type1, int type2) {
  int low = type1 < type2 ? type1 : type2, high = type1 < type2 ? type2 : type1;
  return low >= mjGEOM_PLANE && high <= mjGEOM_SDF && high > mjGEOM_HFIELD &&
         !(low == mjGEOM_HFIELD && high == mjGEOM_SDF);
}

// Two bodies as one number, as in exclude_signature and pair_signature.
LANE_INLINE unsigned ct_pair_of_bodies(int b1, int b2) {
  return ((unsigned)b1 << 16) + (unsigned)b2;
}

LANE_INLINE int ct_first_body(int two) {
  return (int)((unsigned)two >> 16);
}

LANE_INLINE int ct_second_body(int two) {
  return two & 0xffff;
}

LANE_INLINE bool ct_is_excluded(const mjModel* m, unsigned signature) {
  int found = 0, n = (int)m->nexclude;  // mostly none is, and a loop to the end is a wide one
  for (int i = 0; i < n; i++) found |= (unsigned)m->exclude_signature[i] == signature;
  return found != 0;
}

// Do the bodies that are rigidly connected to b1 and b2 rule out contacts?
LANE_INLINE bool ct_welds_apart(const mjModel* m, int b1, int b2) {
  int weld1 = m->body_weldid[b1], weld2 = m->body_weldid[b2];
  if (weld1 == weld2) return true;
  return !(m->opt.disableflags & mjDSBL_FILTERPARENT) && weld1 && weld2 &&
         (weld1 == m->body_weldid[m->body_parentid[weld2]] ||
          weld2 == m->body_weldid[m->body_parentid[weld1]]);
}

// May geoms of the two bodies meet at all?
LANE_INLINE bool ct_bodies_can_meet(const mjModel* m, int b1, int b2) {
  return ct_masks_fit(m->body_contype[b1], m->body_conaffinity[b1], m->body_contype[b2],
                      m->body_conaffinity[b2]) &&
         !ct_welds_apart(m, b1, b2) && !ct_is_excluded(m, ct_pair_of_bodies(b1, b2));
}

// Was the pair of geoms tested already, as a predefined pair of the same two bodies?
LANE_INLINE bool ct_is_predefined(const mjModel* m, unsigned signature, int g1, int g2) {
  for (int k = 0; k < m->npair; k++) {
    int p1 = m->pair_geom1[k], p2 = m->pair_geom2[k];
    if ((unsigned)m->pair_signature[k] == signature &&
        ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1))) {
      return true;
    }
  }
  return false;
}

// Are the geoms of the two bodies found by trees? Then their boxes are tested too, and contacts are
// sorted.
LANE_INLINE bool ct_meet_by_tree(const mjModel* m, int b1, int b2) {
  bool single = m->body_geomnum[b1] == 1 && m->body_geomnum[b2] == 1;
  return !single && !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->body_bvhadr[b1] >= 0 &&
         m->body_bvhadr[b2] >= 0;
}

#endif  // CT_BASE_MEETINGS_H_
