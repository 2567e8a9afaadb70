// Geoms of the list that stand for objects of the model as such: flexes, skins, geoms, sites.

#include <math.h>
#include <string.h>

#include "math/mat.h"
#include "visual/shown.h"

// Flexes and skins have one geom each, for the list and the material; what is drawn of them lies in
// arrays of their own.
void ct_show_flexes(const ct_Show* s) {
  const mjModel* m = s->m;
  bool any = ct_flag(s, mjVIS_FLEXVERT) || ct_flag(s, mjVIS_FLEXEDGE) ||
             ct_flag(s, mjVIS_FLEXFACE) || ct_flag(s, mjVIS_FLEXSKIN);
  for (int i = 0; any && i < m->nflex; i++) {
    if (!ct_group_shown(s->opt->flexgroup, m->flex_group[i])) continue;
    mjvGeom* geom = ct_begin_geom(s, mjOBJ_FLEX, i, mjCAT_DYNAMIC);
    if (!geom) return;
    const mjtNum* first = s->d->flexvert_xpos + 3 * m->flex_vertadr[i];
    mjv_initGeom(geom, mjGEOM_FLEX, NULL, first, NULL, NULL);
    geom->size[0] = (float)m->flex_radius[i];
    ct_apply_material(s, geom, m->flex_matid[i], m->flex_rgba + 4 * i);
    geom->texcoord = m->flex_texcoordadr[i] >= 0;
    if (!geom->texcoord) geom->matid = -1;
    if (s->pert->flexselect == i) ct_glow(s, geom);
    ct_label_if(s, geom, mjLABEL_FLEX, mjOBJ_FLEX, i);
    if (geom->rgba[3] == 0) ct_drop_geom(s);
  }
}

void ct_show_skins(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nskin; i++) {
    if (!ct_group_shown(s->opt->skingroup, m->skin_group[i])) continue;
    mjvGeom* geom = ct_begin_geom(s, mjOBJ_SKIN, i, mjCAT_DYNAMIC);
    if (!geom) return;
    int body = m->skin_bonebodyid[m->skin_boneadr[i]];
    mjv_initGeom(geom, mjGEOM_SKIN, NULL, s->d->xpos + 3 * body, NULL, NULL);
    ct_apply_material(s, geom, m->skin_matid[i], m->skin_rgba + 4 * i);
    geom->texcoord = m->skin_texcoordadr[i] >= 0;
    if (s->pert->skinselect == i) ct_glow(s, geom);
    ct_label_if(s, geom, mjLABEL_SKIN, mjOBJ_SKIN, i);
    if (geom->rgba[3] == 0) ct_drop_geom(s);
  }
}

// Model geoms

// A sleeping tree stands for all trees of its ring: the one with the smallest number. A ring that
// somebody wrote need not come back, nor lead to trees that are there.
static int first_tree_of_ring(const mjModel* m, const mjData* d, int tree) {
  int first = tree, next = d->tree_asleep[tree];
  for (int left = (int)m->ntree; left > 0 && next != tree; left--) {
    if (next < 0 || next >= m->ntree) break;
    if (next < first) first = next;
    next = d->tree_asleep[next];
  }
  return first;
}

// First dof of the island that a body with dofs belongs to; alone, of its tree if trees can sleep.
static int island_of_geom(const ct_Show* s, int body, int dof) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  if (d->nisland > 0 && d->dof_island[dof] >= 0) return d->island_dofadr[d->dof_island[dof]];
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return -1;
  int tree = m->dof_treeid[dof];
  if (!d->body_awake[body]) tree = first_tree_of_ring(m, d, tree);
  return m->tree_dofadr[tree];
}

static void color_by_island(const ct_Show* s, mjvGeom* geom, int body) {
  const mjModel* m = s->m;
  int moving = m->body_weldid[body];
  if (m->body_dofnum[moving] == 0) return;
  int dof = island_of_geom(s, body, m->body_dofadr[moving]);
  geom->matid = -1;
  ct_island_color(geom->rgba, dof, s->d->body_awake[body] != 0);
}

static mjtNum rounded_to_int(mjtNum x) {
  mjtNum below = (mjtNum)floor((double)x), above = (mjtNum)ceil((double)x);
  return x - below < above - x ? below : above;
}

// An infinite plane is drawn as a large one that follows the eyes, in steps that its texture or
// grid does not show.
static void recentre_plane(const ct_Show* s, mjvGeom* geom, int id) {
  const mjModel* m = s->m;
  const mjvScene* scn = s->scn;
  const mjtNum *home = s->d->geom_xpos + 3 * id, *mat = s->d->geom_xmat + 9 * id;
  mjtNum pos[3], eyes[3];
  ct_copy3(pos, home);
  for (int i = 0; i < 3; i++) {
    eyes[i] = (mjtNum)0.5 * (scn->camera[0].pos[i] + scn->camera[1].pos[i]) - home[i];
  }
  for (int k = 0; k < 2; k++) {
    if (m->geom_size[3 * id + k] > 0) continue;
    int material = m->geom_matid[id];
    float repeat = material >= 0 ? m->mat_texrepeat[2 * material + k] : 0;
    mjtNum zfar = m->vis.map.zfar * m->stat.extent;
    mjtNum step = repeat > 0 ? (mjtNum)(2 / repeat) : (mjtNum)2.1 * zfar / (mjMAXPLANEGRID - 2);
    mjtNum axis[3] = {mat[k], mat[3 + k], mat[6 + k]};
    mjtNum steps = rounded_to_int((mjtNum)0.5 * ct_dot3(eyes, axis) / step);
    ct_add_to_scl3(pos, axis, 2 * step * steps);
  }
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)pos[i];
}

static bool is_mesh(int type) {
  return type == mjGEOM_MESH || type == mjGEOM_SDF;
}

// Meshes have two lists of triangles each: their own and their hull's.
static int mesh_dataid(const ct_Show* s, int id) {
  const mjModel* m = s->m;
  int mesh = m->geom_dataid[id];
  bool collides = m->geom_contype[id] || m->geom_conaffinity[id];
  bool hull = ct_flag(s, mjVIS_CONVEXHULL) && mesh >= 0 && m->mesh_graphadr[mesh] >= 0 && collides;
  return 2 * mesh + hull;
}

// False if there is no room for it.
static bool show_geom(const ct_Show* s, int id, int plane) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int body = m->geom_bodyid[id], type = m->geom_type[id], mesh = m->geom_dataid[id];
  mjvGeom* geom = ct_begin_geom(s, mjOBJ_GEOM, id, ct_category_of_body(m, body));
  if (!geom) return false;
  mjv_initGeom(geom, type, m->geom_size + 3 * id, d->geom_xpos + 3 * id, d->geom_xmat + 9 * id,
               NULL);
  geom->dataid = mesh;
  geom->modelrbound = (float)m->geom_rbound[id];

  // colour, and whether there is anything to see
  ct_apply_material(s, geom, m->geom_matid[id], m->geom_rgba + 4 * id);
  if (ct_flag(s, mjVIS_ISLAND)) color_by_island(s, geom, body);
  if (is_mesh(type) && mesh >= 0) geom->texcoord = m->mesh_texcoordadr[mesh] >= 0;
  if (geom->rgba[3] == 0) {
    ct_drop_geom(s);
    return true;
  }
  if (s->pert->select > 0 && s->pert->select == body) ct_glow(s, geom);
  ct_label_if(s, geom, mjLABEL_GEOM, mjOBJ_GEOM, id);

  // what is drawn in its place
  if (is_mesh(type)) geom->dataid = mesh_dataid(s, id);
  if (type == mjGEOM_PLANE) {
    geom->dataid = plane;
    recentre_plane(s, geom, id);
  }
  return true;
}

void ct_show_geoms(const ct_Show* s) {
  const mjModel* m = s->m;
  int plane = -1;  // number among all planes, hidden ones too
  for (int i = 0; i < m->ngeom; i++) {
    plane += m->geom_type[i] == mjGEOM_PLANE;
    if (!ct_body_wanted(s, m->geom_bodyid[i])) continue;
    if (!ct_group_shown(s->opt->geomgroup, m->geom_group[i])) continue;
    if (!show_geom(s, i, plane)) return;
  }
}

void ct_show_sites(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  for (int i = 0; i < m->nsite; i++) {
    int body = m->site_bodyid[i];
    if (!ct_body_wanted(s, body)) continue;
    if (!ct_group_shown(s->opt->sitegroup, m->site_group[i])) continue;
    mjvGeom* geom = ct_begin_geom(s, mjOBJ_SITE, i, ct_category_of_body(m, body));
    if (!geom) return;
    mjv_initGeom(geom, m->site_type[i], m->site_size + 3 * i, d->site_xpos + 3 * i,
                 d->site_xmat + 9 * i, NULL);
    ct_apply_material(s, geom, m->site_matid[i], m->site_rgba + 4 * i);
    if (s->pert->select > 0 && s->pert->select == body) ct_glow(s, geom);
    ct_label_if(s, geom, mjLABEL_SITE, mjOBJ_SITE, i);
    if (geom->rgba[3] == 0) ct_drop_geom(s);
  }
}

// Frames

// What a frame belongs to counts as hidden by its material if it has one.
static bool is_hidden(const mjModel* m, int material, const float rgba[4]) {
  return (material >= 0 ? m->mat_rgba + 4 * material : rgba)[3] == 0;
}

static void show_object_frame(const ct_Show* s, int id, const mjtNum pos[3], const mjtNum mat[9]) {
  const mjVisual* vis = &s->m->vis;
  ct_show_frame(s, id, pos, mat, ct_decor_size(s, vis->scale.framelength),
                ct_decor_size(s, vis->scale.framewidth));
}

void ct_show_geom_frames(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; s->opt->frame == mjFRAME_GEOM && i < m->ngeom; i++) {
    if (!ct_body_wanted(s, m->geom_bodyid[i])) continue;
    if (!ct_group_shown(s->opt->geomgroup, m->geom_group[i])) continue;
    if (is_hidden(m, m->geom_matid[i], m->geom_rgba + 4 * i)) continue;
    show_object_frame(s, i, s->d->geom_xpos + 3 * i, s->d->geom_xmat + 9 * i);
  }
}

void ct_show_site_frames(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; s->opt->frame == mjFRAME_SITE && i < m->nsite; i++) {
    if (!ct_body_wanted(s, m->site_bodyid[i])) continue;
    if (!ct_group_shown(s->opt->sitegroup, m->site_group[i])) continue;
    if (is_hidden(m, m->site_matid[i], m->site_rgba + 4 * i)) continue;
    show_object_frame(s, i, s->d->site_xpos + 3 * i, s->d->site_xmat + 9 * i);
  }
}
