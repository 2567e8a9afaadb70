// What acts, in the list of geoms: the mouse, external forces, equalities, contacts.

#include <stdio.h>
#include <string.h>

#include "base/model/equality.h"
#include "math/mat.h"
#include "math/quat.h"
#include "visual/shown.h"

// The mouse

// Two buttons, two colours: the second one swaps red and green.
static void color_of_buttons(const mjvPerturb* pert, int bit, const float c[4], float rgba[4]) {
  float first = (pert->active & bit) ? 1 : 0, second = (pert->active2 & bit) ? 1 : 0;
  float a[2] = {first * c[0], first * c[1]}, b[2] = {second * c[1], second * c[0]};
  for (int i = 0; i < 2; i++) rgba[i] = a[i] > b[i] ? a[i] : b[i];
  rgba[2] = c[2];
  rgba[3] = c[3];
}

static void show_pull(const ct_Show* s, const mjtNum mat[9]) {
  const mjModel* m = s->m;
  const mjvPerturb* pert = s->pert;
  mjtNum point[3], width = ct_decor_size(s, m->vis.scale.constraint);
  float rgba[4];
  color_of_buttons(pert, mjPERT_TRANSLATE, m->vis.rgba.constraint, rgba);
  ct_body_point(s->d, point, pert->localpos, pert->select);
  ct_show_connector(s, mjOBJ_UNKNOWN, pert->select, mjGEOM_CAPSULE, width, point, pert->refselpos,
                    rgba);
  ct_show_ball(s, mjOBJ_UNKNOWN, pert->select, pert->refselpos, mat, 2 * width, rgba);
}

// The box around all geoms of the body, or one of the usual size.
static void show_twist(const ct_Show* s, const mjtNum mat[9]) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int body = s->pert->select;
  mjtNum usual = (float)m->stat.meansize, size[3] = {usual, usual, usual}, pos[3];
  float rgba[4];
  ct_copy3(pos, d->xipos + 3 * body);
  if (m->body_bvhnum[body] > 0) {
    const mjtNum* aabb = m->bvh_aabb + 6 * m->body_bvhadr[body];
    mjtNum centre[3];
    ct_mul_mat_vec3(centre, d->ximat + 9 * body, aabb);
    ct_add_to3(pos, centre);
    ct_copy3(size, aabb + 3);
  }
  color_of_buttons(s->pert, mjPERT_ROTATE, m->vis.rgba.inertia, rgba);
  mjvGeom* geom = ct_begin_decor(s, mjOBJ_UNKNOWN, body);
  if (geom) mjv_initGeom(geom, mjGEOM_BOX, size, pos, mat, rgba);
}

void ct_show_perturbation(const ct_Show* s) {
  const mjvPerturb* pert = s->pert;
  int active = pert->active | pert->active2;
  if (pert->select <= 0 || pert->select >= s->m->nbody) return;
  mjtNum mat[9];
  ct_quat_to_mat(mat, pert->refquat);
  if (active & mjPERT_TRANSLATE) show_pull(s, mat);
  if (active & mjPERT_ROTATE) show_twist(s, mat);
}

void ct_show_selected_point(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjvPerturb* pert = s->pert;
  if (pert->select <= 0 || pert->select >= m->nbody) return;
  const mjtNum* local = pert->localpos;
  mjtNum x[3];
  ct_body_point(s->d, x, local, pert->select);
  mjvGeom* geom = ct_show_ball(s, mjOBJ_UNKNOWN, pert->select, x, NULL,
                               ct_decor_size(s, m->vis.scale.selectpoint), m->vis.rgba.selectpoint);
  if (geom && s->opt->label == mjLABEL_SELPNT) {
    snprintf(geom->label, sizeof(geom->label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)",
             (double)x[0], (double)x[1], (double)x[2], (double)local[0], (double)local[1],
             (double)local[2]);
  }
}

// Length of an arrow per force.
static mjtNum length_per_force(const mjModel* m) {
  return m->vis.map.force / m->stat.meanmass;
}

void ct_show_external_forces(const ct_Show* s) {
  const mjModel* m = s->m;
  mjtNum width = ct_decor_size(s, m->vis.scale.forcewidth);
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum *force = s->d->xfrc_applied + 6 * i, *from = s->d->xipos + 3 * i;
    if (!(ct_norm3(force) > (mjtNum)mjMINVAL)) continue;
    mjtNum to[3];
    ct_scl3(to, force, length_per_force(m));
    ct_add_to3(to, from);
    ct_show_connector(s, mjOBJ_UNKNOWN, i, mjGEOM_ARROW, width, from, to, m->vis.rgba.force);
  }
}

// Equalities

// One end of a connect, weld or distance; returns the orientation that it is shown with.
static const mjtNum* equality_end(const ct_Show* s, int equality, int end, mjtNum pos[3]) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int id = end == 0 ? m->eq_obj1id[equality] : m->eq_obj2id[equality];
  if (m->eq_objtype[equality] == mjOBJ_SITE) {
    ct_copy3(pos, d->site_xpos + 3 * id);
    return d->site_xmat + 9 * id;
  }
  // a connect has its anchors in order, a weld has them swapped
  bool second = (end == 1) != (m->eq_type[equality] == mjEQ_WELD);
  ct_body_point(d, pos, m->eq_data + mjNEQDATA * equality + (second ? 3 : 0), id);
  return d->xmat + 9 * id;
}

void ct_show_equalities(const ct_Show* s) {
  const mjModel* m = s->m;
  mjtNum radius = ct_decor_size(s, m->vis.scale.constraint);
  for (int i = 0; i < m->neq; i++) {
    if (!s->d->eq_active[i] || !ct_holds_points(m, i)) continue;
    for (int end = 0; end < 2; end++) {
      mjtNum pos[3];
      const mjtNum* mat = equality_end(s, i, end, pos);
      mjvGeom* geom = ct_show_ball(s, mjOBJ_EQUALITY, i, pos, mat, radius,
                                   end == 0 ? m->vis.rgba.connect : m->vis.rgba.constraint);
      if (geom) ct_label_if(s, geom, mjLABEL_CONSTRAINT, mjOBJ_EQUALITY, i);
    }
  }
}

// Contacts

static mjtNum contact_size(const mjModel* m, float scale) {
  return scale * m->stat.meansize;
}

// "floor | box", "cloth.e12 | g3"
static void contact_part(const mjModel* m, const mjContact* con, int k, char text[48]) {
  const int size = 48;
  if (con->geom[k] >= 0) {
    const char* name = mj_id2name(m, mjOBJ_GEOM, con->geom[k]);
    if (name && name[0]) {
      snprintf(text, (size_t)size, "%s", name);
    } else {
      snprintf(text, (size_t)size, "g%d", con->geom[k]);
    }
    return;
  }
  const char* name = mj_id2name(m, mjOBJ_FLEX, con->flex[k]);
  bool element = con->elem[k] >= 0;
  int id = element ? con->elem[k] : con->vert[k];
  if (name && name[0]) {
    snprintf(text, (size_t)size, "%s.%c%d", name, element ? 'e' : 'v', id);
  } else {
    snprintf(text, (size_t)size, "f%d.%c%d", con->flex[k], element ? 'e' : 'v', id);
  }
}

static void show_contact_point(const ct_Show* s, int id) {
  const mjModel* m = s->m;
  const mjContact* con = s->d->contact + id;
  const mjtNum* f = con->frame;

  // a disc across the normal, thick enough to be seen through the penetration
  float height = (float)contact_size(m, m->vis.scale.contactheight);
  float depth = (float)(-con->dist / 2);
  mjtNum size[3] = {contact_size(m, m->vis.scale.contactwidth), height > depth ? height : depth, 0};
  mjtNum mat[9] = {f[3], f[6], f[0], f[4], f[7], f[1], f[5], f[8], f[2]};
  const float* color = con->efc_address >= 0 ? m->vis.rgba.contactpoint : m->vis.rgba.contactgap;
  mjvGeom* geom = ct_begin_decor(s, mjOBJ_UNKNOWN, id);
  if (!geom) return;
  mjv_initGeom(geom, mjGEOM_CYLINDER, size, con->pos, mat, color);
  if (ct_flag(s, mjVIS_ISLAND) && con->efc_address >= 0) {
    ct_island_color(geom->rgba, ct_dof_of_row(s->d, con->efc_address), true);
  }
  if (s->opt->label == mjLABEL_CONTACTPOINT) {
    char part[2][48];
    for (int k = 0; k < 2; k++) contact_part(m, con, k, part[k]);
    snprintf(geom->label, sizeof(geom->label), "%s | %s", part[0], part[1]);
  }
}

// Number of what is in contact, by which the direction of the arrow is chosen.
static int contact_body(const mjModel* m, const mjContact* con, int k) {
  return con->geom[k] >= 0 ? m->geom_bodyid[con->geom[k]] : (int)m->nbody + con->flex[k];
}

static mjvGeom* show_arrow(const ct_Show* s, int id, int type, mjtNum vector[3], mjtNum scale,
                           const float rgba[4]) {
  const mjContact* con = s->d->contact + id;
  ct_scl3(vector, vector, scale);
  ct_add_to3(vector, con->pos);
  return ct_show_connector(s, mjOBJ_UNKNOWN, id, type,
                           contact_size(s->m, s->m->vis.scale.forcewidth), con->pos, vector, rgba);
}

static void show_contact_force(const ct_Show* s, int id) {
  const mjModel* m = s->m;
  const mjContact* con = s->d->contact + id;
  mjtNum force[6];
  mj_contactForce(m, s->d, id, force);
  for (int k = con->dim; k < 3; k++) force[k] = 0;
  mjtNum strength = ct_norm3(force);
  if (strength < (mjtNum)mjMINVAL) return;

  // it points to what has the larger number
  int body[2] = {contact_body(m, con, 0), contact_body(m, con, 1)};
  bool split = ct_flag(s, mjVIS_CONTACTSPLIT) && con->dim > 1;
  mjtNum scale = length_per_force(m) * (body[0] > body[1] ? -1 : 1);
  int type = body[0] > 0 && body[1] > 0 && !split ? mjGEOM_ARROW2 : mjGEOM_ARROW;
  mjtNum vector[3], normal[3] = {force[0], 0, 0}, friction[3] = {0, force[1], force[2]};
  ct_mul_mat_t_vec3(vector, con->frame, split ? normal : force);
  mjvGeom* geom = show_arrow(s, id, type, vector, scale, m->vis.rgba.contactforce);
  if (!geom) return;
  if (s->opt->label == mjLABEL_CONTACTFORCE) {
    snprintf(geom->label, sizeof(geom->label), "%-.3g", (double)strength);
  }
  if (!split) return;
  ct_mul_mat_t_vec3(vector, con->frame, friction);
  show_arrow(s, id, type, vector, scale, m->vis.rgba.contactfriction);
}

void ct_show_contacts(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < s->d->ncon; i++) {
    const mjContact* con = s->d->contact + i;
    if (ct_flag(s, mjVIS_CONTACTPOINT)) show_contact_point(s, i);
    if (s->opt->frame == mjFRAME_CONTACT) {
      mjtNum mat[9];
      ct_transpose3(mat, con->frame);
      ct_show_frame(s, i, con->pos, mat, contact_size(m, m->vis.scale.framelength) / 2,
                    contact_size(m, m->vis.scale.framewidth) / 2);
    }
    if (con->efc_address >= 0 && ct_flag(s, mjVIS_CONTACTFORCE)) show_contact_force(s, i);
  }
}
