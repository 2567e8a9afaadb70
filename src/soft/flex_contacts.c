// Contacts of flexes with geoms, and the stage that finds all contacts of flexes.
//
//   in    flexvert_xpos, flexelem_aabb, bvh_aabb_dyn, geom_xpos, geom_xmat
//   out   ncon, contact: appended
//
// Planes meet the vertices of a flex, all other geoms its elements. A geom asks the boxes of all
// elements, as far as its bounding sphere reaches the flex at all; lanes share the elements. Then
// flexes meet each other, and themselves (self_contacts.c).
//
// Contacts are in the reference's order, in which flexes count as bodies behind all others: by the
// first body, then by the second one or the flex, so that contacts of body 1 with flexes stand
// between those of geoms of body 1 and of body 2; then by geom and element. Those of two flexes
// and of a flex with itself follow at the end.
//
// Oddity of the reference: a plane of a body that does not move meets a flex if the masks of the
// body do, whatever its own are; not so where the middle phase is disabled.

#include "soft/flex_contacts.h"

#include "base/memory/arena.h"
#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "collide/bounds.h"
#include "soft/element_hits.h"

LANE_FN void ct_append_touches(Lane g, const mjModel* m, mjData* d, ct_ContactWriter* w,
                               const ct_Hit* hit, int found, const ct_Touch* touch) {
  int before = w->ncon, mine = -1;
  for (int r = 0; r < lane_count(g); r++) {
    int hits = lane_exchange_int(g, found, r);
    if (hits < 0) continue;
    size_t wanted = ((size_t)w->ncon + CT_FLEX_HITS) * sizeof(mjContact) + d->pstack;
    if (wanted > (size_t)d->narena) {
      w->refused++;
      continue;
    }
    if (r == lane_rank(g)) mine = w->ncon;
    w->ncon += hits;
  }
  if (w->ncon == before) return;
  LANE_ONCE(g) {
    ct_arena_alloc(d, (size_t)(w->ncon - before) * sizeof(mjContact), sizeof(mjtNum));
  }
  lane_sync(g);
  if (mine >= 0 && found > 0) {
    w->mistakes += !ct_write_touches(m, d->contact + mine, hit, found, touch);
  }
}

// Geoms

LANE_INLINE bool masks_meet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
}

// Could the body touch the flex, by the masks it was compiled with and by those of its geoms?
LANE_FN static bool body_may_touch(const mjModel* m, int b, int f) {
  int contype = 0, conaffinity = 0;
  for (int i = m->body_geomadr[b]; i < m->body_geomadr[b] + m->body_geomnum[b]; i++) {
    contype |= m->geom_contype[i];
    conaffinity |= m->geom_conaffinity[i];
  }
  return masks_meet(contype, conaffinity, m->flex_contype[f], m->flex_conaffinity[f]) &&
         masks_meet(m->body_contype[b], m->body_conaffinity[b], m->flex_contype[f],
                    m->flex_conaffinity[f]);
}

LANE_INLINE ct_Touch geom_touch(const mjModel* m, int geom, int f) {
  ct_Touch touch = {{{geom, -1, -1, -1}, {-1, f, -1, -1}},
                    m->geom_margin[geom] + m->flex_margin[f],
                    m->geom_gap[geom] + m->flex_gap[f],
                    false};
  if (m->opt.enableflags & mjENBL_OVERRIDE) touch.margin = m->opt.o_margin;
  return touch;
}

LANE_FN static void plane_contacts(Lane g, const mjModel* m, mjData* d, int geom, int f,
                                   ct_ContactWriter* w) {
  ct_Hit hit[1];
  ct_Touch touch = geom_touch(m, geom, f);
  for (int base = 0; base < m->flex_vertnum[f]; base += lane_count(g)) {
    int v = base + lane_rank(g), found = -1;
    if (v < m->flex_vertnum[f]) found = ct_plane_vertex(m, d, hit, geom, f, v, touch.margin);
    touch.side[1].vert = v;
    ct_append_touches(g, m, d, w, hit, found > 0 ? found : -1, &touch);
  }
}

// Is a vertex of the element fixed to the body?
LANE_INLINE bool element_on_body(const mjModel* m, int f, int e, int body) {
  const int* vert = ct_element(m, f, e);
  if (m->flex_interp[f]) return false;
  for (int i = 0; i <= m->flex_dim[f]; i++) {
    if (ct_vertex_body(m, f, vert[i]) == body) return true;
  }
  return false;
}

typedef struct {  // a geom that looks for elements
  int geom;
  bool tree;      // by bounding volumes: active elements only, and oriented boxes decide
  bool spheres;   // the box around the bounding sphere decides
  mjtNum box[6];  // around the bounding sphere, margin added
  mjtNum margin;
  mjtNum hull[6];     // around its own box, in the axes of the world
  mjtNum axis[3][3];  // of its own box
  const mjtNum* half;
} GeomSearch;

LANE_FN static GeomSearch start_search(const mjModel* m, const mjData* d, int geom, mjtNum margin,
                                       bool tree) {
  GeomSearch s;
  const mjtNum *mat = d->geom_xmat + 9 * geom, *own = m->geom_aabb + 6 * geom;
  s.geom = geom;
  s.tree = tree;
  s.margin = margin;
  s.spheres = m->geom_rbound[geom] > 0 && (tree || (m->opt.disableflags & mjDSBL_MIDPHASE));
  ct_copy3(s.box, d->geom_xpos + 3 * geom);
  for (int k = 0; k < 3; k++) s.box[3 + k] = m->geom_rbound[geom] + margin;

  s.half = own + 3;
  ct_mul_mat_vec3(s.hull, mat, own);
  ct_add_to3(s.hull, d->geom_xpos + 3 * geom);
  for (int k = 0; k < 3; k++) {
    ct_column3(s.axis[k], mat, k);
    s.hull[3 + k] = 0;
    for (int j = 0; j < 3; j++) s.hull[3 + k] += ct_abs(mat[3 * k + j]) * s.half[j];
  }
  return s;
}

// Could the box of an element be within the margin of the box of the geom? By the normals of the
// faces of both.
LANE_INLINE bool boxes_meet(const GeomSearch* s, const mjtNum box[6]) {
  mjtNum away[3];
  if (!ct_aabbs_meet(box, s->hull, s->margin)) return false;
  ct_sub3(away, box, s->hull);
  for (int k = 0; k < 3; k++) {
    const mjtNum* n = s->axis[k];
    mjtNum reach = ct_abs(n[0]) * box[3] + ct_abs(n[1]) * box[4] + ct_abs(n[2]) * box[5];
    if (ct_abs(ct_dot3(away, n)) > s->half[k] + reach + s->margin) return false;
  }
  return true;
}

LANE_FN static bool element_is_near(const mjModel* m, const mjData* d, const GeomSearch* s, int f,
                                    int e) {
  const mjtNum* box = ct_element_box(m, d, f, e);
  if (s->spheres && !ct_aabbs_meet(box, s->box, 0)) return false;
  if (!s->tree) return true;
  return ct_element_active(m, f, e) && boxes_meet(s, box);
}

LANE_FN static void geom_contacts(Lane g, const mjModel* m, mjData* d, int geom, int f, bool tree,
                                  ct_ContactWriter* w) {
  ct_Hit hit[CT_FLEX_HITS];
  ct_Touch touch = geom_touch(m, geom, f);
  GeomSearch s = start_search(m, d, geom, touch.margin, tree);
  int body = m->geom_bodyid[geom];
  for (int base = 0; base < m->flex_elemnum[f]; base += lane_count(g)) {
    int e = base + lane_rank(g), found = -1;
    bool near = e < m->flex_elemnum[f] && element_is_near(m, d, &s, f, e);
    if (near && !element_on_body(m, f, e, body)) {
      found = ct_geom_element(m, d, hit, geom, f, e, touch.margin);
    }
    touch.side[1].elem = e;
    ct_append_touches(g, m, d, w, hit, found, &touch);
  }
}

LANE_FN static void body_contacts(Lane g, const mjModel* m, mjData* d, int b, int f,
                                  const mjtNum* flex_box, ct_ContactWriter* w) {
  bool midphase = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  bool tree = midphase && m->body_bvhadr[b] >= 0 && m->flex_bvhadr[f] >= 0;
  for (int geom = m->body_geomadr[b]; geom < m->body_geomadr[b] + m->body_geomnum[b]; geom++) {
    bool plane = m->geom_type[geom] == mjGEOM_PLANE;
    bool meet = masks_meet(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[f],
                           m->flex_conaffinity[f]);
    if (!meet && !(plane && tree && m->body_weldid[b] == 0)) continue;
    if (plane) {
      plane_contacts(g, m, d, geom, f, w);
      continue;
    }
    GeomSearch s = start_search(m, d, geom, geom_touch(m, geom, f).margin, tree);
    if (m->geom_rbound[geom] > 0 && !ct_aabbs_meet(flex_box, s.box, 0)) continue;
    geom_contacts(g, m, d, geom, f, tree, w);
  }
}

// The box around all elements of a flex.
LANE_FN static void bound_flex(const mjModel* m, const mjData* d, int f, mjtNum box[6]) {
  mjtNum low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    const mjtNum* x = ct_flex_vertex(m, d, f, v);
    for (int k = 0; k < 3; k++) {
      low[k] = v == 0 || x[k] < low[k] ? x[k] : low[k];
      high[k] = v == 0 || x[k] > high[k] ? x[k] : high[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    box[k] = (low[k] + high[k]) / 2;
    box[3 + k] = (high[k] - low[k]) / 2 + m->flex_radius[f] * (mjtNum)1.001;
  }
}

// All

LANE_FN static int flexes_meet(Lane g, const mjModel* m, mjData* d, const mjtNum* box,
                               ct_ContactWriter* w, bool filter) {
  int status = CT_OK;
  for (int f1 = 0; f1 < m->nflex; f1++) {
    for (int f2 = f1 + 1; f2 < m->nflex; f2++) {
      mjtNum margin = m->flex_margin[f1] + m->flex_margin[f2];
      if (m->opt.enableflags & mjENBL_OVERRIDE) margin = m->opt.o_margin;
      if (!masks_meet(m->flex_contype[f1], m->flex_conaffinity[f1], m->flex_contype[f2],
                      m->flex_conaffinity[f2])) {
        continue;
      }
      if (!ct_aabbs_meet(box + 6 * f1, box + 6 * f2, margin)) continue;
      if (filter && ct_flex_asleep(m, d, f1) && ct_flex_asleep(m, d, f2)) continue;
      status |= ct_mutual_contacts(g, m, d, f1, f2, margin, w);
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    if (!filter || !ct_flex_asleep(m, d, f)) status |= ct_self_contacts(g, m, d, f, w);
  }
  return status;
}

// Which body a contact of geoms belongs to in the order of contacts, or one of a geom and a flex.
LANE_INLINE int first_body(const mjModel* m, const mjContact* con) {
  int body = m->geom_bodyid[con->geom[0]];
  if (con->geom[1] < 0) return body;
  int second = m->geom_bodyid[con->geom[1]];
  return second < body ? second : body;
}

// Moves contacts with flexes, the last `count` of all, in front of those of geoms of later bodies.
// From behind, with a copy of what is overwritten first.
LANE_FN static int merge_contacts(Lane g, const mjModel* m, mjData* d, int geoms, int count) {
  mjContact* con = d->contact;
  if (!geoms || !count) return CT_OK;
  if (first_body(m, con + geoms - 1) <= first_body(m, con + geoms)) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjContact* copy = (mjContact*)lane_scratch_bytes_(g, d, (size_t)count * sizeof(mjContact));
  LANE_ONCE(g) {
    for (int k = 0; copy && k < count; k++) copy[k] = con[geoms + k];
    for (int i = geoms - 1, k = count - 1; copy && k >= 0;) {
      bool geom = i >= 0 && first_body(m, con + i) > first_body(m, copy + k);
      int to = i + k + 1;
      con[to] = geom ? con[i--] : copy[k--];
    }
  }
  lane_free(g, d);
  return copy ? CT_OK : CT_STACK_FULL;
}

LANE_FN static int all_flex_contacts(Lane g, const mjModel* m, mjData* d, mjtNum* box,
                                     ct_ContactWriter* w) {
  LANE_FOR(f, g, m->nflex) {
    bound_flex(m, d, f, box + 6 * f);
  }
  lane_sync(g);
  bool filter = ct_some_asleep(m, d);
  int geoms = w->ncon;
  for (int b = 0; b < m->nbody; b++) {
    for (int f = 0; m->body_geomnum[b] && f < m->nflex; f++) {
      if (filter && d->body_awake[b] != 1 && ct_flex_asleep(m, d, f)) continue;
      if (body_may_touch(m, b, f)) body_contacts(g, m, d, b, f, box + 6 * f, w);
    }
  }
  lane_sync(g);
  int status = merge_contacts(g, m, d, geoms, w->ncon - geoms);
  return status | flexes_meet(g, m, d, box, w, filter);
}

LANE_FN int ct_flex_collision(Lane g, const mjModel* m, mjData* d) {
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) return CT_OK;
  ct_ContactWriter w = {d->ncon, 0, 0};
  int bad;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* box = lane_scratch_num(g, d, 6 * (int)m->nflex);
  int status = box ? all_flex_contacts(g, m, d, box, &w) : CT_STACK_FULL;
  LANE_COUNT(bad, r, g, lane_count(g), r == lane_rank(g) ? w.mistakes : 0);
  LANE_ONCE(g) {
    d->ncon = w.ncon;
    if (w.refused) ct_private(d)->detail.lost = w.refused;
  }
  lane_free(g, d);
  if (w.refused) ct_count_warning(g, d, mjWARN_CONTACTFULL, w.ncon, w.refused);
  return status | (w.refused ? CT_CONTACTS_FULL : CT_OK) | (bad ? CT_BAD_CONTACT : CT_OK);
}

LANE_FN int ct_flex_collision_of_woken(Lane g, const mjModel* m, mjData* d) {
  return ct_has_flexes(m) && ct_private(d)->woken ? ct_flex_collision(g, m, d) : CT_OK;
}
