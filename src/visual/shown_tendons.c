// Tendons and slider-cranks in the list of geoms.
//
// A tendon between two sites that nothing pulls hangs like a string, everything else is straight
// between the points of its path.

#include <string.h>

#include "math/mat.h"
#include "visual/hanging_string.h"
#include "visual/shown.h"

// Straight

static const float grey[4] = {0.5f, 0.5f, 0.5f, 1};

static void color_tendon(const ct_Show* s, mjvGeom* geom, int tendon) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  float rgba[4];
  memcpy(rgba, m->tendon_rgba + 4 * tendon, sizeof(rgba));

  // a tendon without a colour of its own tells whether its limit is active
  if (m->tendon_matid[tendon] < 0 && !memcmp(rgba, grey, sizeof(rgba))) {
    ct_mix_with_constraint(s, rgba, ct_limit_impedance(d, mjCNSTR_LIMIT_TENDON, tendon));
  }
  ct_apply_material(s, geom, m->tendon_matid[tendon], rgba);
  if (ct_flag(s, mjVIS_ISLAND)) {
    geom->matid = -1;
    int row = d->nisland > 0 ? d->tendon_efcadr[tendon] : -1;
    ct_island_color(geom->rgba, ct_dof_of_row(d, row), true);
  }
}

static void show_straight(const ct_Show* s, int tendon) {
  const mjData* d = s->d;
  int first = d->ten_wrapadr[tendon], last = first + d->ten_wrapnum[tendon] - 1;
  for (int j = first; j < last; j++) {
    const mjtNum *from, *to;
    bool wrapped;
    if (!ct_tendon_segment(d, j, &from, &to, &wrapped)) continue;
    mjtNum width = s->m->tendon_width[tendon];
    mjvGeom* geom = ct_begin_geom(s, mjOBJ_TENDON, tendon, mjCAT_DYNAMIC);
    if (!geom) return;
    mjv_connector(geom, mjGEOM_CAPSULE, wrapped ? (mjtNum)0.5 * width : width, from, to);
    color_tendon(s, geom, tendon);
    if (j == first) ct_label_if(s, geom, mjLABEL_TENDON, mjOBJ_TENDON, tendon);
  }
}

// Hanging

static bool is_driven(const mjModel* m, int tendon) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon) return true;
  }
  return false;
}

// The length of a tendon that hangs like a string: one with a spring that only pulls, or with a
// limit and nothing else, longer than what it spans. 0: it does not hang.
static mjtNum hanging_length(const mjModel* m, const mjData* d, int tendon) {
  const mjtNum* spring = m->tendon_lengthspring + 2 * tendon;
  const mjtNum* range = m->tendon_range + 2 * tendon;
  bool heavy =
      !(m->opt.disableflags & mjDSBL_GRAVITY) && ct_norm3(m->opt.gravity) > (mjtNum)mjMINVAL;
  bool elastic = m->tendon_stiffness[tendon] > 0 && spring[0] == 0 && spring[1] > 0;
  bool limited = m->tendon_stiffness[tendon] == 0 && m->tendon_limited[tendon] && range[0] == 0 &&
                 d->ten_length[tendon] < range[1];
  if (!heavy || m->tendon_num[tendon] != 2 || elastic == limited) return 0;
  if (m->tendon_damping[tendon] != 0 || m->tendon_frictionloss[tendon] != 0) return 0;
  if (is_driven(m, tendon)) return 0;
  return limited ? range[1] : spring[1];
}

static void show_hanging(const ct_Show* s, int tendon, mjtNum length) {
  const mjModel* m = s->m;
  const mjtNum* ends = s->d->wrap_xpos + 3 * s->d->ten_wrapadr[tendon];
  mjtNum point[CT_MOST_STRING_POINTS][3];
  int n = m->vis.quality.numslices + 1;
  if (n > CT_MOST_STRING_POINTS) n = CT_MOST_STRING_POINTS;
  n = ct_hang_string(point, n, ends, ends + 3, m->opt.gravity, length);
  for (int i = 0; i < n - 1; i++) {
    mjvGeom* geom = ct_begin_geom(s, mjOBJ_TENDON, tendon, mjCAT_DYNAMIC);
    if (!geom) return;
    mjv_connector(geom, mjGEOM_CAPSULE, m->tendon_width[tendon], point[i], point[i + 1]);
    ct_apply_material(s, geom, m->tendon_matid[tendon], m->tendon_rgba + 4 * tendon);
    ct_label_if(s, geom, mjLABEL_TENDON, mjOBJ_TENDON, tendon);
  }
}

void ct_show_tendons(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->ntendon; i++) {
    if (!ct_group_shown(s->opt->tendongroup, m->tendon_group[i])) continue;
    if (s->d->ten_wrapnum[i] == 0) continue;
    mjtNum length = hanging_length(m, s->d, i);
    if (length > 0) {
      show_hanging(s, i, length);
    } else {
      show_straight(s, i);
    }
  }
}

// Slider-cranks

// Where the rod meets the slider's axis: at a from the slider with |p - a axis| = rod, p from
// slider to crank. False, with the nearest point, if the rod is too short.
static bool slider_end(const mjtNum p[3], const mjtNum axis[3], mjtNum rod, mjtNum* at) {
  mjtNum along = ct_dot3(p, axis);
  mjtNum square = along * along + rod * rod - ct_dot3(p, p);
  bool reaches = !(square < 0);
  *at = along - ct_sqrt(reaches ? square : 0);
  return reaches;
}

static mjvGeom* show_rod(const ct_Show* s, int actuator, int type, mjtNum width,
                         const mjtNum from[3], const mjtNum to[3], const float rgba[4]) {
  mjvGeom* geom = ct_begin_geom(s, mjOBJ_ACTUATOR, actuator, mjCAT_DYNAMIC);
  if (!geom) return NULL;
  mjv_connector(geom, type, width, from, to);
  memcpy(geom->rgba, rgba, sizeof(geom->rgba));
  return geom;
}

void ct_show_slidercranks(const ct_Show* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  mjtNum width = ct_decor_size(s, m->vis.scale.slidercrank);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_SLIDERCRANK) continue;
    const int* sites = m->actuator_trnid + 2 * i;
    const mjtNum *crank = d->site_xpos + 3 * sites[0], *slider = d->site_xpos + 3 * sites[1];
    const mjtNum* mat = d->site_xmat + 9 * sites[1];
    mjtNum axis[3] = {mat[2], mat[5], mat[8]}, p[3], at, end[3];
    ct_sub3(p, crank, slider);
    bool reaches = slider_end(p, axis, m->actuator_cranklength[i], &at);
    ct_scl3(end, axis, at);
    ct_add3(end, slider, end);

    mjvGeom* geom = show_rod(s, i, mjGEOM_CYLINDER, width, slider, end, m->vis.rgba.slidercrank);
    if (!geom) return;
    ct_label_if(s, geom, mjLABEL_ACTUATOR, mjOBJ_ACTUATOR, i);
    show_rod(s, i, mjGEOM_CAPSULE, width / 2, end, crank,
             reaches ? m->vis.rgba.slidercrank : m->vis.rgba.crankbroken);
  }
}
