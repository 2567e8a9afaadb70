// Building blocks of the list of geoms: new ones, connectors, materials, colours, labels.

#include "visual/shown.h"

#include <stdio.h>
#include <string.h>

#include "math/mat.h"
#include "visual/turns.h"

static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};

// Public: a geom from its parts

static void rounded(float* to, const mjtNum* from, int n) {
  for (int i = 0; i < n; i++) to[i] = (float)from[i];
}

static void set_size(mjvGeom* geom, const mjtNum size[3]) {
  // round shapes repeat their radius, so that size is what a unit shape is scaled by
  switch (geom->type) {
    case mjGEOM_SPHERE:
      geom->size[0] = geom->size[1] = geom->size[2] = (float)size[0];
      break;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      geom->size[0] = geom->size[1] = (float)size[0];
      geom->size[2] = (float)size[1];
      break;
    default:
      rounded(geom->size, size, 3);
  }
}

void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                  const mjtNum mat[9], const float rgba[4]) {
  static const mjtNum small[3] = {(mjtNum)0.1, (mjtNum)0.1, (mjtNum)0.1};
  static const mjtNum origin[3] = {0, 0, 0};
  static const mjtNum upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  // pose, size and colour
  geom->type = type;
  if (size) {
    set_size(geom, size);
  } else {
    rounded(geom->size, small, 3);
  }
  rounded(geom->pos, pos ? pos : origin, 3);
  rounded(geom->mat, mat ? mat : upright, 9);
  memcpy(geom->rgba, rgba ? rgba : grey, sizeof(geom->rgba));

  // surface
  geom->dataid = geom->matid = -1;
  geom->texcoord = 0;
  geom->emission = geom->reflectance = geom->modelrbound = 0;
  geom->specular = geom->shininess = 0.5f;
  geom->label[0] = 0;
}

void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                   const mjtNum to[3]) {
  bool centred = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  if (!centred && type != mjGEOM_ARROW && type != mjGEOM_ARROW1 && type != mjGEOM_ARROW2 &&
      type != mjGEOM_LINE) {
    mju_error("mjv_connector: type %d does not connect; take a capsule, cylinder, arrow or line",
              type);
    return;
  }
  mjtNum along[3], mat[9];
  ct_sub3(along, to, from);
  ct_turn_z_to(mat, along);
  rounded(geom->mat, mat, 9);
  geom->type = type;
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)ct_norm3(along);
  if (centred) geom->size[2] /= 2;  // its origin is in the middle
  for (int i = 0; i < 3; i++) {
    geom->pos[i] = (float)(centred ? (mjtNum)0.5 * (from[i] + to[i]) : from[i]);
  }
}

// The list

mjvGeom* ct_begin_geom(const ct_Show* s, int objtype, int objid, int category) {
  mjvScene* scn = s->scn;
  if (scn->ngeom >= scn->maxgeom) {
    scn->status = 1;
    return NULL;
  }
  mjvGeom* geom = scn->geoms + scn->ngeom;
  memset(geom, 0, sizeof(*geom));
  mjv_initGeom(geom, mjGEOM_NONE, NULL, NULL, NULL, NULL);
  geom->objtype = objtype;
  geom->objid = objid;
  geom->category = category;
  geom->segid = scn->ngeom++;
  return geom;
}

mjvGeom* ct_begin_decor(const ct_Show* s, int objtype, int objid) {
  return ct_begin_geom(s, objtype, objid, mjCAT_DECOR);
}

void ct_drop_geom(const ct_Show* s) {
  s->scn->ngeom--;
}

mjvGeom* ct_show_connector(const ct_Show* s, int objtype, int objid, int type, mjtNum width,
                           const mjtNum from[3], const mjtNum to[3], const float rgba[4]) {
  mjvGeom* geom = ct_begin_decor(s, objtype, objid);
  if (!geom) return NULL;
  mjv_connector(geom, type, width, from, to);
  memcpy(geom->rgba, rgba, sizeof(geom->rgba));
  return geom;
}

void ct_show_line(const ct_Show* s, int objtype, int objid, const mjtNum from[3],
                  const mjtNum to[3], const float rgba[4]) {
  const mjtNum pixels = 3;
  ct_show_connector(s, objtype, objid, mjGEOM_LINE, pixels, from, to, rgba);
}

// The columns of the matrix are two sides and the normal, each of length 1 and not orthogonal in
// general; the sizes are what they were divided by.
void ct_show_triangle(const ct_Show* s, int objtype, int objid, const mjtNum v0[3],
                      const mjtNum v1[3], const mjtNum v2[3], const float rgba[4]) {
  mjvGeom* geom = ct_begin_decor(s, objtype, objid);
  if (!geom) return;
  mjtNum column[3][3], size[3], mat[9];
  ct_sub3(column[0], v1, v0);
  ct_sub3(column[1], v2, v0);
  ct_cross(column[2], column[0], column[1]);
  for (int j = 0; j < 3; j++) {
    size[j] = ct_normalize3(column[j]);
    for (int i = 0; i < 3; i++) mat[3 * i + j] = column[j][i];
  }
  mjv_initGeom(geom, mjGEOM_TRIANGLE, size, v0, mat, rgba);
}

mjvGeom* ct_show_ball(const ct_Show* s, int objtype, int objid, const mjtNum pos[3],
                      const mjtNum mat[9], mjtNum radius, const float rgba[4]) {
  const mjtNum size[3] = {radius, radius, radius};
  mjvGeom* geom = ct_begin_decor(s, objtype, objid);
  if (geom) mjv_initGeom(geom, mjGEOM_SPHERE, size, pos, mat, rgba);
  return geom;
}

void ct_show_frame(const ct_Show* s, int objid, const mjtNum pos[3], const mjtNum mat[9],
                   mjtNum length, mjtNum width) {
  for (int j = 0; j < 3; j++) {
    mjtNum tip[3] = {0, 0, 0};
    float rgba[4] = {0, 0, 0, 1};
    tip[j] = (mjtNum)(float)length;
    rgba[j] = 0.9f;
    ct_mul_mat_vec3(tip, mat, tip);
    ct_add_to3(tip, pos);
    ct_show_connector(s, mjOBJ_UNKNOWN, objid, mjGEOM_CYLINDER, (mjtNum)(float)width, pos, tip,
                      rgba);
  }
}

// Colours and surfaces

static bool is_grey(const float rgba[4]) {
  return rgba[0] == 0.5f && rgba[1] == 0.5f && rgba[2] == 0.5f && rgba[3] == 1;
}

void ct_apply_material(const ct_Show* s, mjvGeom* geom, int material, const float rgba[4]) {
  const mjModel* m = s->m;
  if (material >= 0) {
    memcpy(geom->rgba, m->mat_rgba + 4 * material, sizeof(geom->rgba));
    geom->emission = m->mat_emission[material];
    geom->specular = m->mat_specular[material];
    geom->shininess = m->mat_shininess[material];
    geom->reflectance = m->mat_reflectance[material];
  }

  // a colour other than the default was chosen, and wins
  if (material < 0 || !is_grey(rgba)) memcpy(geom->rgba, rgba, sizeof(geom->rgba));
  geom->matid = ct_flag(s, mjVIS_TEXTURE) && material >= 0 ? material : -1;
  if (ct_flag(s, mjVIS_TRANSPARENT) && geom->category == mjCAT_DYNAMIC) {
    geom->rgba[3] *= m->vis.map.alpha;
  }
}

void ct_glow(const ct_Show* s, mjvGeom* geom) {
  geom->emission += s->m->vis.global.glow;
}

static void rgb_of_hsv(float rgb[3], float hue, float saturation, float value) {
  if (saturation <= 0) {
    rgb[0] = rgb[1] = rgb[2] = value;
    return;
  }
  float sector = hue * 6;
  int i = (int)sector;
  float f = sector - (float)i;
  float p = value * (1 - saturation);
  float q = value * (1 - saturation * f);
  float t = value * (1 - saturation * (1 - f));
  const float table[6][3] = {{value, t, p}, {q, value, p}, {p, value, t},
                             {p, q, value}, {t, p, value}, {value, p, q}};
  memcpy(rgb, table[i >= 0 && i < 5 ? i : 5], 3 * sizeof(float));
}

void ct_island_color(float rgba[4], int dof, bool awake) {
  float hue = 1, saturation = 0, value = 0.7f;
  if (dof >= 0) {
    hue = (float)ct_halton(dof + 1, 7);
    saturation = (float)((mjtNum)0.5 + (mjtNum)0.5 * ct_halton(dof + 1, 3));
    value = (float)((mjtNum)0.6 + (mjtNum)0.4 * ct_halton(dof + 1, 5));
  }
  if (!awake) {
    value = (float)(value * 0.6);
    saturation = (float)(saturation * 0.7);
  }
  rgb_of_hsv(rgba, hue, saturation, value);
  rgba[3] = 1;
}

int ct_dof_of_row(const mjData* d, int row) {
  return d->nisland > 0 && row >= 0 ? d->island_dofadr[d->efc_island[row]] : -1;
}

mjtNum ct_limit_impedance(const mjData* d, int kind, int id) {
  mjtNum impedance = 0;
  int first = d->ne + d->nf;
  for (int row = first; row < first + d->nl; row++) {
    if (d->efc_type[row] == kind && d->efc_id[row] == id) impedance = d->efc_KBIP[4 * row + 2];
  }
  return impedance;
}

void ct_mix_with_constraint(const ct_Show* s, float rgb[3], mjtNum impedance) {
  const float* constraint = s->m->vis.rgba.constraint;
  for (int i = 0; i < 3; i++) {
    rgb[i] = (float)((1 - impedance) * rgb[i] + impedance * constraint[i]);
  }
}

// Labels

void ct_label(const ct_Show* s, mjvGeom* geom, int objtype, int objid) {
  const char* name = mj_id2name(s->m, objtype, objid);
  if (name && name[0]) {
    snprintf(geom->label, sizeof(geom->label), "%s", name);
  } else {
    snprintf(geom->label, sizeof(geom->label), "%s %d", mju_type2Str(objtype), objid);
  }
}

void ct_label_if(const ct_Show* s, mjvGeom* geom, int label, int objtype, int objid) {
  if (s->opt->label == label) ct_label(s, geom, objtype, objid);
}

// Questions

bool ct_flag(const ct_Show* s, int flag) {
  return s->opt->flags[flag] != 0;
}

bool ct_group_shown(const mjtByte groups[mjNGROUP], int group) {
  int clamped = group < 0 ? 0 : group >= mjNGROUP ? mjNGROUP - 1 : group;
  return groups[clamped] != 0;
}

// What hangs on a mocap body has no dofs but moves.
int ct_category_of_body(const mjModel* m, int body) {
  bool fixed = m->body_weldid[body] == 0 && m->body_mocapid[m->body_rootid[body]] == -1;
  return fixed ? mjCAT_STATIC : mjCAT_DYNAMIC;
}

bool ct_body_wanted(const ct_Show* s, int body) {
  return (ct_category_of_body(s->m, body) & s->categories) != 0;
}

float ct_decor_size(const ct_Show* s, float scale) {
  return scale * (float)s->m->stat.meansize;
}

void ct_body_point(const mjData* d, mjtNum res[3], const mjtNum local[3], int body) {
  ct_mul_mat_vec3(res, d->xmat + 9 * body, local);
  ct_add_to3(res, d->xpos + 3 * body);
}

bool ct_tendon_segment(const mjData* d, int point, const mjtNum** from, const mjtNum** to,
                       bool* wrapped) {
  const int pulley = -2, *on = d->wrap_obj + point;
  *from = d->wrap_xpos + 3 * point;
  *to = *from + 3;
  *wrapped = on[0] >= 0 && on[1] >= 0;
  return on[0] != pulley && on[1] != pulley;
}
