// Decoration of bodies: inertias, frames, labels, centres of mass, skeletons, islands.

#include <math.h>
#include <stdio.h>

#include "math/mat.h"
#include "visual/shown.h"

// Inertia

// Half sizes of the box (ellipsoid) of even density with the inertia of the body:
// I_x = m (b^2 + c^2) / 3 for half sizes b, c of a box, / 5 for an ellipsoid.
static void inertia_size(const mjModel* m, int body, mjtNum size[3]) {
  const mjtNum* I = m->body_inertia + 3 * body;
  mjtNum mass = m->body_mass[body];
  mjtNum factor = ct_sqrt(m->vis.global.ellipsoidinertia == 1 ? (mjtNum)5 : (mjtNum)3);
  for (int k = 0; k < 3; k++) {
    mjtNum others = I[(k + 1) % 3] + I[(k + 2) % 3];
    size[k] = ct_sqrt((others - I[k]) / (2 * mass)) * factor;
  }
}

// Scales sizes to the volume that the mass has at the density of water.
static void scale_by_mass(const mjModel* m, int body, mjtNum size[3]) {
  mjtNum unit = m->vis.global.ellipsoidinertia == 1 ? (mjtNum)(4.0 / 3.0) * CT_PI : (mjtNum)8;
  mjtNum volume = unit * size[0] * size[1] * size[2];
  mjtNum density = m->body_mass[body] / ct_max(mjMINVAL, volume) * (mjtNum)0.001;
  ct_scl3(size, size, (mjtNum)pow((double)density, 1.0 / 3.0));
}

static bool body_labelled(const ct_Show* s, int body) {
  int label = s->opt->label;
  return label == mjLABEL_BODY || (label == mjLABEL_SELECTION && s->pert->select == body);
}

void ct_show_inertias(const ct_Show* s) {
  const mjModel* m = s->m;
  int type = m->vis.global.ellipsoidinertia == 1 ? mjGEOM_ELLIPSOID : mjGEOM_BOX;
  for (int i = 1; i < m->nbody; i++) {
    if (!ct_body_wanted(s, i) || !(m->body_mass[i] > mjMINVAL)) continue;
    mjtNum size[3];
    inertia_size(m, i, size);
    if (ct_flag(s, mjVIS_SCLINERTIA)) scale_by_mass(m, i, size);
    mjvGeom* geom = ct_begin_decor(s, mjOBJ_BODY, i);
    if (!geom) return;
    mjv_initGeom(geom, type, size, s->d->xipos + 3 * i, s->d->ximat + 9 * i, m->vis.rgba.inertia);
    if (s->pert->select == i) ct_glow(s, geom);
    if (body_labelled(s, i)) ct_label(s, geom, mjOBJ_BODY, i);
  }
}

// Frames and labels

static void show_body_frame(const ct_Show* s, int body, mjtNum times) {
  const mjVisual* vis = &s->m->vis;
  const mjData* d = s->d;
  bool inertial = ct_flag(s, mjVIS_INERTIA);
  ct_show_frame(s, body, (inertial ? d->xipos : d->xpos) + 3 * body,
                (inertial ? d->ximat : d->xmat) + 9 * body,
                times * ct_decor_size(s, vis->scale.framelength),
                times * ct_decor_size(s, vis->scale.framewidth));
}

void ct_show_body_frames(const ct_Show* s) {
  if (s->opt->frame == mjFRAME_WORLD) show_body_frame(s, 0, 2);
  for (int i = 1; s->opt->frame == mjFRAME_BODY && i < s->m->nbody; i++) {
    if (ct_body_wanted(s, i)) show_body_frame(s, i, 1);
  }
}

static mjvGeom* show_text(const ct_Show* s, int body, const mjtNum pos[3], const mjtNum mat[9]) {
  mjvGeom* geom = ct_begin_decor(s, mjOBJ_UNKNOWN, body);
  if (geom) mjv_initGeom(geom, mjGEOM_LABEL, NULL, pos, mat, NULL);
  return geom;
}

// Inertias carry the labels of their bodies.
void ct_show_body_labels(const ct_Show* s) {
  for (int i = 1; !ct_flag(s, mjVIS_INERTIA) && i < s->m->nbody; i++) {
    if (!body_labelled(s, i) || !ct_body_wanted(s, i)) continue;
    mjvGeom* geom = show_text(s, i, s->d->xpos + 3 * i, s->d->xmat + 9 * i);
    if (!geom) return;
    ct_label(s, geom, mjOBJ_BODY, i);
  }
}

void ct_show_island_labels(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  if (s->opt->label != mjLABEL_ISLAND || d->nisland <= 0) return;
  for (int i = 1; i < m->nbody; i++) {
    int moving = m->body_weldid[i];
    if (m->body_dofnum[moving] == 0) continue;
    int island = d->dof_island[m->body_dofadr[moving]];
    if (island < 0) continue;
    mjvGeom* geom = show_text(s, i, d->xipos + 3 * i, d->ximat + 9 * i);
    if (!geom) return;
    snprintf(geom->label, sizeof(geom->label), "%d", island);
  }
}

// Centres of mass and skeletons

void ct_show_centers_of_mass(const ct_Show* s) {
  const mjModel* m = s->m;
  mjtNum radius = ct_decor_size(s, m->vis.scale.com);
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_rootid[i] != i) continue;
    ct_show_ball(s, mjOBJ_UNKNOWN, i, s->d->subtree_com + 3 * i, NULL, radius, m->vis.rgba.com);
  }
}

// Rods from a body through its joints, last to first, to its parent.
void ct_show_skeleton(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  mjtNum width = ct_decor_size(s, m->vis.scale.connect);
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] == 0) continue;
    const mjtNum* from = d->xipos + 3 * i;
    for (int j = m->body_jntnum[i] - 1; j >= -1; j--) {
      const mjtNum* to =
          j >= 0 ? d->xanchor + 3 * (m->body_jntadr[i] + j) : d->xipos + 3 * m->body_parentid[i];
      ct_show_connector(s, mjOBJ_UNKNOWN, i, mjGEOM_CAPSULE, width, from, to, m->vis.rgba.connect);
      from = to;
    }
  }
}
