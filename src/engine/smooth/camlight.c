// Where cameras and lights are and where they look.
//
//   in    xpos, xquat, xmat     (nbody x 3, x 4, x 9)
//         subtree_com           (nbody x 3)
//   out   cam_xpos, cam_xmat    (ncam x 3, x 9)    a camera looks along its -z, y is up
//         light_xpos, light_xdir (nlight x 3)      directions have length 1
//
// Modes (mjtCamLight):
//   fixed          moves and turns with its body
//   track          moves with its body, keeps the direction it has in the initial configuration
//   trackcom       the same for the centre of mass of the body's subtree
//   targetbody     moves with its body, looks at another one
//   targetbodycom  the same for the centre of mass of the other one's subtree

#include "engine/smooth/camlight.h"

#include <stddef.h>

#include "base/model/awake.h"
#include "engine/smooth/kinematics.h"

// The point that a camera or light of this mode looks at; NULL if there is none.
LANE_INLINE const mjtNum* target_point(const mjData* d, int mode, int target) {
  if (target < 0) return NULL;
  if (mode == mjCAMLIGHT_TARGETBODY) return d->xpos + 3 * target;
  if (mode == mjCAMLIGHT_TARGETBODYCOM) return d->subtree_com + 3 * target;
  return NULL;
}

// Orientation of a camera at xpos that looks at a point with its x axis level. Straight up or down,
// normalising the zero vector makes x the world's.
LANE_INLINE void look_at(mjtNum xmat[9], const mjtNum xpos[3], const mjtNum point[3]) {
  const mjtNum up[3] = {0, 0, 1};
  mjtNum x[3], y[3], z[3];
  ct_sub3(z, xpos, point);
  ct_normalize3(z);
  ct_cross(x, up, z);
  ct_normalize3(x);
  ct_cross(y, z, x);
  ct_normalize3(y);
  for (int row = 0; row < 3; row++) {
    xmat[3 * row] = x[row];
    xmat[3 * row + 1] = y[row];
    xmat[3 * row + 2] = z[row];
  }
}

LANE_FN static void place_camera(const mjModel* m, mjData* d, int i, int mode) {
  int body = m->cam_bodyid[i];
  mjtNum *xpos = d->cam_xpos + 3 * i, *xmat = d->cam_xmat + 9 * i;
  if (mode == mjCAMLIGHT_TRACK) {
    ct_add3(xpos, d->xpos + 3 * body, m->cam_pos0 + 3 * i);
    ct_copy(xmat, m->cam_mat0 + 9 * i, 9);
    return;
  }
  if (mode == mjCAMLIGHT_TRACKCOM) {
    ct_add3(xpos, d->subtree_com + 3 * body, m->cam_poscom0 + 3 * i);
    ct_copy(xmat, m->cam_mat0 + 9 * i, 9);
    return;
  }
  ct_attached_position(d, xpos, m->cam_pos + 3 * i, body, mjSAMEFRAME_NONE);
  const mjtNum* point = target_point(d, mode, m->cam_targetbodyid[i]);
  if (point) {
    look_at(xmat, xpos, point);
  } else {
    ct_attached_orientation(d, xmat, m->cam_quat + 4 * i, body, mjSAMEFRAME_NONE);
  }
}

LANE_FN static void place_light(const mjModel* m, mjData* d, int i, int mode) {
  int body = m->light_bodyid[i];
  mjtNum *xpos = d->light_xpos + 3 * i, *xdir = d->light_xdir + 3 * i;
  if (mode == mjCAMLIGHT_TRACK) {
    ct_add3(xpos, d->xpos + 3 * body, m->light_pos0 + 3 * i);
    ct_copy3(xdir, m->light_dir0 + 3 * i);
  } else if (mode == mjCAMLIGHT_TRACKCOM) {
    ct_add3(xpos, d->subtree_com + 3 * body, m->light_poscom0 + 3 * i);
    ct_copy3(xdir, m->light_dir0 + 3 * i);
  } else {
    ct_attached_position(d, xpos, m->light_pos + 3 * i, body, mjSAMEFRAME_NONE);
    const mjtNum* point = target_point(d, mode, m->light_targetbodyid[i]);
    if (point) {
      ct_sub3(xdir, point, xpos);
    } else {
      ct_rot_vec_quat(xdir, m->light_dir + 3 * i, d->xquat + 4 * body);
    }
  }
  ct_normalize3(xdir);
}

// Is the body that carries it, or the one that it looks at, awake?
LANE_INLINE bool sees_motion(const mjData* d, int body, int target) {
  return d->body_awake[body] == 1 || (target >= 0 && d->body_awake[target] == 1);
}

// All of them, in their own modes or as if they were fixed.
LANE_FN static int place_views(Lane g, const mjModel* m, mjData* d, bool fixed) {
  bool filter = ct_some_asleep(m, d);
  LANE_FOR(i, g, m->ncam) {
    if (filter && !sees_motion(d, m->cam_bodyid[i], m->cam_targetbodyid[i])) continue;
    place_camera(m, d, i, fixed ? mjCAMLIGHT_FIXED : m->cam_mode[i]);
  }
  LANE_FOR(i, g, m->nlight) {
    if (filter && !sees_motion(d, m->light_bodyid[i], m->light_targetbodyid[i])) continue;
    place_light(m, d, i, fixed ? mjCAMLIGHT_FIXED : m->light_mode[i]);
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN int ct_camlight(Lane g, const mjModel* m, mjData* d) {
  return place_views(g, m, d, false);
}

LANE_FN int ct_camlight_fixed(Lane g, const mjModel* m, mjData* d) {
  return place_views(g, m, d, true);
}
