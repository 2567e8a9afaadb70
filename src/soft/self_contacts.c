// Contacts of flexes with themselves and with each other.
//
//   in    flexvert_xpos, flexelem_aabb, bvh_aabb_dyn
//   out   ncon, contact: appended
//
// Pairs of elements that come near each other are listed (element_pairs.c), then tested, dealt out
// to the lanes.
//
// Two elements of one flex touch if their balls overlap, whatever the margin; a flex that is folded
// to and fro is one side of a contact with another part of itself. Internal contacts keep elements
// from folding over: of lines and triangles the vertex of a neighbour against the element
// (flex_evpair), of tetrahedra each vertex against the face opposite it.

#include "base/memory/scratch.h"
#include "soft/element_hits.h"
#include "soft/element_pairs.h"

// Tests the pairs of a list, one per lane at a time.
LANE_FN static void test_piece(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                               const ct_PairPieces* p, ct_Touch touch, ct_ContactWriter* w) {
  ct_Hit hit[CT_FLEX_HITS];
  for (int base = 0; base < p->count; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < p->count) {
      int e1 = p->pair[2 * at], e2 = p->pair[2 * at + 1];
      touch.side[0].elem = e1;
      touch.side[1].elem = e2;
      found = ct_element_element(m, d, hit, s->f1, e1, s->f2, e2, touch.margin);
    }
    ct_append_touches(g, m, d, w, hit, found, &touch);
  }
}

LANE_FN static int test_pairs(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                              ct_Touch touch, ct_ContactWriter* w) {
  ct_PairPieces pieces;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  bool room = ct_start_element_pairs(g, m, d, s, &pieces);
  while (room && ct_next_element_pairs(g, m, d, s, &pieces)) {
    test_piece(g, m, d, s, &pieces, touch, w);
  }
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_mutual_contacts(Lane g, const mjModel* m, mjData* d, int f1, int f2, mjtNum margin,
                               ct_ContactWriter* w) {
  bool midphase = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  bool tree = midphase && m->flex_bvhadr[f1] >= 0 && m->flex_bvhadr[f2] >= 0;
  ct_ElementSearch s = {f1, f2, margin, tree, tree, CT_PAIRS_BY_NUMBER};
  ct_Touch touch = {
      {{-1, f1, -1, -1}, {-1, f2, -1, -1}}, margin, m->flex_gap[f1] + m->flex_gap[f2], false};
  return test_pairs(g, m, d, &s, touch, w);
}

LANE_INLINE ct_Touch own_touch(int f) {
  ct_Touch touch = {{{-1, f, -1, -1}, {-1, f, -1, -1}}, 0, 0, false};
  return touch;
}

// Neighbours of lines and triangles.
LANE_FN static void neighbour_contacts(Lane g, const mjModel* m, mjData* d, int f,
                                       ct_ContactWriter* w) {
  ct_Hit hit[1];
  ct_Touch touch = own_touch(f);
  int n = m->flex_evpairnum[f];
  for (int base = 0; base < n; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < n) {
      const int* evpair = m->flex_evpair + 2 * (m->flex_evpairadr[f] + at);
      touch.side[0].vert = evpair[1];
      touch.side[1].elem = evpair[0];
      mjtNum box[6] = {0, 0, 0, 0, 0, 0};
      ct_copy3(box, ct_flex_vertex(m, d, f, evpair[1]));
      bool near = ct_aabbs_meet(box, ct_element_box(m, d, f, evpair[0]),
                                m->flex_margin[f] + m->flex_radius[f]);
      found = near ? ct_vertex_element(m, d, hit, f, evpair[1], evpair[0]) : -1;
    }
    ct_append_touches(g, m, d, w, hit, found, &touch);
  }
}

// Faces and opposite vertices of tetrahedra.
LANE_FN static void fold_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w) {
  ct_Hit hit[1];
  ct_Touch touch = own_touch(f);
  int n = 4 * m->flex_elemnum[f];
  touch.frictionless = true;
  for (int base = 0; base < n; base += lane_count(g)) {
    int at = base + lane_rank(g), found = -1;
    if (at < n) {
      touch.side[0].elem = at / 4;
      found = ct_face_vertex(m, d, hit, f, at / 4, at % 4, &touch.side[1].vert);
    }
    ct_append_touches(g, m, d, w, hit, found > 0 ? found : -1, &touch);
  }
}

LANE_FN int ct_self_contacts(Lane g, const mjModel* m, mjData* d, int f, ct_ContactWriter* w) {
  if (m->flex_rigid[f] || !(m->flex_contype[f] & m->flex_conaffinity[f])) return CT_OK;
  if (m->flex_internal[f]) {
    if (m->flex_dim[f] < 3) {
      neighbour_contacts(g, m, d, f, w);
    } else {
      fold_contacts(g, m, d, f, w);
    }
  }
  int mode = m->flex_selfcollide[f];
  if (mode == mjFLEXSELF_NONE) return CT_OK;
  bool tree = !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->flex_bvhadr[f] >= 0;
  bool solid = m->flex_dim[f] == 3;
  ct_ElementSearch s = {f, f, 0, tree, true, CT_PAIRS_BY_SWEEP};
  if (mode == mjFLEXSELF_BVH || (mode == mjFLEXSELF_AUTO && solid)) s.order = CT_PAIRS_BY_TREE;
  if (mode == mjFLEXSELF_NARROW || !tree) s.order = CT_PAIRS_BY_NUMBER;
  return test_pairs(g, m, d, &s, own_touch(f), w);
}
