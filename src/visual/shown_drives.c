// Joints and actuators in the list of geoms.

#include <string.h>

#include "math/vec.h"
#include "visual/shown.h"

// The symbol of a joint: an arrow along its axis, a ball, or a box for a free joint.
static mjvGeom* show_joint_symbol(const ct_Show* s, int objtype, int objid, int joint,
                                  mjtNum length, mjtNum width, mjtNum ball) {
  const mjData* d = s->d;
  const mjtNum *anchor = d->xanchor + 3 * joint, *mat = d->xmat + 9 * s->m->jnt_bodyid[joint];
  mjtNum size[3] = {ball, ball, ball}, tip[3];
  int type = s->m->jnt_type[joint];
  mjvGeom* geom = ct_begin_decor(s, objtype, objid);
  if (!geom) return NULL;
  switch (type) {
    case mjJNT_FREE:
    case mjJNT_BALL:
      mjv_initGeom(geom, type == mjJNT_FREE ? mjGEOM_BOX : mjGEOM_SPHERE, size, anchor, mat, NULL);
      break;
    default:
      ct_add_scl3(tip, anchor, d->xaxis + 3 * joint, length);
      mjv_connector(geom, type == mjJNT_SLIDE ? mjGEOM_ARROW : mjGEOM_ARROW1, width, anchor, tip);
  }
  return geom;
}

void ct_show_joints(const ct_Show* s) {
  const mjModel* m = s->m;
  mjtNum length = ct_decor_size(s, m->vis.scale.jointlength);
  mjtNum width = ct_decor_size(s, m->vis.scale.jointwidth);
  for (int i = 0; i < m->njnt; i++) {
    if (!ct_group_shown(s->opt->jointgroup, m->jnt_group[i])) continue;
    mjvGeom* geom = show_joint_symbol(s, mjOBJ_JOINT, i, i, length, width, (mjtNum)0.3 * length);
    if (!geom) return;
    memcpy(geom->rgba, m->vis.rgba.joint, 3 * sizeof(float));
    ct_mix_with_constraint(s, geom->rgba, ct_limit_impedance(s->d, mjCNSTR_LIMIT_JOINT, i));
    geom->rgba[3] = 1;
    ct_label_if(s, geom, mjLABEL_JOINT, mjOBJ_JOINT, i);
  }
}

// Actuators

// Lower end, rest and upper end of what an actuator is told.
static void actuator_range(const ct_Show* s, int actuator, mjtNum range[3]) {
  const mjModel* m = s->m;
  mjtNum low = -1, high = 1;
  const mjtNum* limits = NULL;
  if (m->actuator_ctrllimited[actuator]) {
    limits = m->actuator_ctrlrange + 2 * actuator;
  } else if (ct_flag(s, mjVIS_ACTIVATION) && m->actuator_actlimited[actuator]) {
    limits = m->actuator_actrange + 2 * actuator;
  }
  if (limits) {
    low = limits[0];
    high = limits[1];
  }
  range[0] = low >= 0 ? -1 : low;
  range[1] = low >= 0 ? low : high <= 0 ? high : 0;
  range[2] = low >= 0 || high > 0 ? high : 1;
  if (range[1] - range[0] < (mjtNum)mjMINVAL) range[0] = range[1] - (mjtNum)mjMINVAL;
  if (range[2] - range[1] < (mjtNum)mjMINVAL) range[2] = range[1] + (mjtNum)mjMINVAL;
}

// Between the colours of the lower end, of rest and of the upper end.
static void actuator_color(const ct_Show* s, int actuator, float rgba[4]) {
  const mjModel* m = s->m;
  mjtNum range[3], x = s->d->ctrl[actuator];
  actuator_range(s, actuator, range);
  if (ct_flag(s, mjVIS_ACTIVATION) && m->actuator_dyntype[actuator] != mjDYN_NONE) {
    x = s->d->act[m->actuator_actadr[actuator] + m->actuator_actnum[actuator] - 1];
  }
  x = ct_clip(x, range[0], range[2]);
  float negative = 0, positive = 0, rest;
  if (x <= range[1]) {
    negative = (float)((range[1] - x) / ct_max(mjMINVAL, range[1] - range[0]));
    rest = 1 - negative;
  } else {
    positive = (float)((x - range[1]) / ct_max(mjMINVAL, range[2] - range[1]));
    rest = 1 - positive;
  }
  for (int i = 0; i < 4; i++) {
    rgba[i] = negative * m->vis.rgba.actuatornegative[i] + rest * m->vis.rgba.actuator[i] +
              positive * m->vis.rgba.actuatorpositive[i];
  }
}

// A shape around a site or geom.
static mjvGeom* show_larger(const ct_Show* s, int actuator, int type, const mjtNum size[3],
                            const mjtNum pos[3], const mjtNum mat[9], const float rgba[4]) {
  mjtNum larger[3];
  ct_scl3(larger, size, (mjtNum)1.05);
  mjvGeom* geom = ct_begin_decor(s, mjOBJ_ACTUATOR, actuator);
  if (geom) mjv_initGeom(geom, type, larger, pos, mat, rgba);
  return geom;
}

static void show_driven_body(const ct_Show* s, int actuator, int body, const float rgba[4]) {
  const mjModel* m = s->m;
  for (int i = m->body_geomadr[body]; i < m->body_geomadr[body] + m->body_geomnum[body]; i++) {
    int type = m->geom_type[i];
    if (type == mjGEOM_PLANE || type == mjGEOM_HFIELD || type == mjGEOM_MESH ||
        type == mjGEOM_SDF) {
      continue;
    }
    show_larger(s, actuator, type, m->geom_size + 3 * i, s->d->geom_xpos + 3 * i,
                s->d->geom_xmat + 9 * i, rgba);
  }
}

static void show_driven_tendon(const ct_Show* s, int actuator, int tendon, const float rgba[4]) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int first = d->ten_wrapadr[tendon], last = first + d->ten_wrapnum[tendon] - 1;
  for (int j = first; j < last; j++) {
    const mjtNum *from, *to;
    bool wrapped;
    if (!ct_tendon_segment(d, j, &from, &to, &wrapped)) continue;
    mjtNum width = m->tendon_width[tendon];
    mjvGeom* geom = ct_begin_decor(s, mjOBJ_ACTUATOR, actuator);
    if (!geom) return;
    mjv_connector(geom, mjGEOM_CAPSULE,
                  (wrapped ? (mjtNum)0.5 * width : width) * m->vis.map.actuatortendon, from, to);
    ct_apply_material(s, geom, m->tendon_matid[tendon], m->tendon_rgba + 4 * tendon);
    memcpy(geom->rgba, rgba, sizeof(geom->rgba));
    if (j == first) ct_label_if(s, geom, mjLABEL_ACTUATOR, mjOBJ_ACTUATOR, actuator);
  }
}

static mjvGeom* show_driven_joint(const ct_Show* s, int actuator, int joint, const float rgba[4]) {
  const mjVisual* vis = &s->m->vis;
  mjtNum length = ct_decor_size(s, vis->scale.actuatorlength);
  mjtNum width = ct_decor_size(s, vis->scale.actuatorwidth);
  mjtNum ball = ct_decor_size(s, vis->scale.jointlength) * (mjtNum)0.33;
  mjvGeom* geom = show_joint_symbol(s, mjOBJ_ACTUATOR, actuator, joint, length, width, ball);
  if (geom) memcpy(geom->rgba, rgba, sizeof(geom->rgba));
  return geom;
}

static void show_actuator(const ct_Show* s, int actuator) {
  const mjModel* m = s->m;
  int id = m->actuator_trnid[2 * actuator];
  mjvGeom* geom = NULL;
  float rgba[4];
  actuator_color(s, actuator, rgba);
  switch (m->actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      geom = show_driven_joint(s, actuator, id, rgba);
      break;
    case mjTRN_SITE:
      geom = show_larger(s, actuator, m->site_type[id], m->site_size + 3 * id,
                         s->d->site_xpos + 3 * id, s->d->site_xmat + 9 * id, rgba);
      break;
    case mjTRN_BODY:
      show_driven_body(s, actuator, id, rgba);
      break;
    case mjTRN_TENDON:
      show_driven_tendon(s, actuator, id, rgba);
      break;
    default:  // slider-cranks are always shown, and not here
      break;
  }
  if (geom) ct_label_if(s, geom, mjLABEL_ACTUATOR, mjOBJ_ACTUATOR, actuator);
}

static bool is_disabled(const mjModel* m, int actuator) {
  int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

void ct_show_actuators(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nu; i++) {
    bool shown = ct_group_shown(s->opt->actuatorgroup, m->actuator_group[i]);
    if (shown && !is_disabled(m, i)) show_actuator(s, i);
  }
}
