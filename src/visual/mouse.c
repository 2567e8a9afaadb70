// What dragging the mouse does: to the camera, to the model in the room, to a selected body.

#include "math/mat.h"
#include "visual/shown.h"
#include "visual/turns.h"

static bool is_turn(int action) {
  return action == mjMOUSE_ROTATE_V || action == mjMOUSE_ROTATE_H;
}

static bool is_vertical(int action) {
  return action == mjMOUSE_MOVE_V || action == mjMOUSE_MOVE_V_REL;
}

static bool is_move(int action) {
  return is_vertical(action) || action == mjMOUSE_MOVE_H || action == mjMOUSE_MOVE_H_REL;
}

static bool is_relative(int action) {
  return action == mjMOUSE_MOVE_V_REL || action == mjMOUSE_MOVE_H_REL;
}

static void refuse_action(const char* function, int action) {
  mju_error("%s: %d is not an action of the mouse (mjtMouse)", function, action);
}

// Motion of the mouse as a vector: x to the right, y away from the viewer, z up; a turn is about
// it.
static void vector_of_action(int action, mjtNum dx, mjtNum dy, const mjtNum forward[3],
                             mjtNum vec[3]) {
  mjtNum raw[3] = {0, 0, 0};
  switch (action) {
    case mjMOUSE_ROTATE_V:
      raw[0] = dy;
      raw[2] = dx;
      break;
    case mjMOUSE_ROTATE_H:
      raw[0] = dy;
      raw[1] = dx;
      break;
    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_V_REL:
      raw[0] = dx;
      raw[2] = -dy;
      break;
    case mjMOUSE_MOVE_H:
    case mjMOUSE_MOVE_H_REL:
      raw[0] = dx;
      raw[1] = -dy;
      break;
    default:
      break;
  }
  mjv_alignToCamera(vec, raw, forward);
}

// Camera

// Moves the point looked at by what the mouse has moved at its distance.
static void move_lookat(int action, mjtNum dx, mjtNum dy, const mjvScene* scn, mjvCamera* cam) {
  mjtNum head[3], forward[3], up[3], right[3], vec[3];
  mjv_cameraInModel(head, forward, up, scn);
  if (is_relative(action)) {
    ct_cross(right, forward, up);
    ct_add_to_scl3(cam->lookat, is_vertical(action) ? up : forward, dy);
    ct_add_to_scl3(cam->lookat, right, dx);
    return;
  }
  vector_of_action(action, dx, dy, forward, vec);
  ct_sub3(head, cam->lookat, head);
  mjtNum scale = mjv_frustumHeight(scn) * ct_dot3(head, forward);
  if (cam->orthographic) scale *= (mjtNum)0.15;
  ct_add_to_scl3(cam->lookat, vec, -scale);
}

void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                    mjvCamera* cam) {
  mjtNum extent = m->stat.extent;
  if (cam->type == mjCAMERA_FIXED) return;
  if (is_turn(action)) {
    cam->azimuth -= reldx * 180;
    cam->elevation -= reldy * 180;
  } else if (is_move(action)) {
    if (cam->type == mjCAMERA_TRACKING) return;
    move_lookat(action, reldx, reldy, scn, cam);
  } else if (action == mjMOUSE_ZOOM) {
    cam->distance -= (mjtNum)log((double)(1 + cam->distance / extent / 3)) * reldy * 9 * extent;
  } else {
    refuse_action("mjv_moveCamera", action);
    return;
  }
  if (cam->azimuth > 180) cam->azimuth -= 360;
  if (cam->azimuth < -180) cam->azimuth += 360;
  cam->elevation = ct_clip(cam->elevation, -89, 89);
  cam->distance = ct_clip(cam->distance, (mjtNum)0.01 * extent, 100 * extent);
}

// Model in the room

static void turn_model(int action, mjtNum dx, mjtNum dy, const mjtNum forward[3],
                       const mjtNum up[3], const mjtNum right[3], mjvScene* scn) {
  mjtNum axis[3], turn[4], rotate[4];
  ct_scl3(axis, action == mjMOUSE_ROTATE_V ? up : forward, dx);
  ct_add_to_scl3(axis, right, dy);
  mjtNum angle = ct_normalize3(axis) * CT_PI;
  ct_turn_about(turn, axis, angle);
  for (int i = 0; i < 4; i++) rotate[i] = scn->rotate[i];
  ct_mul_quat(rotate, turn, rotate);
  ct_normalize4(rotate);
  for (int i = 0; i < 4; i++) scn->rotate[i] = (float)rotate[i];
}

void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3],
                   mjvScene* scn) {
  if (!scn->enabletransform) return;
  mjtNum forward[3] = {1, 0, 0}, right[3];
  mjv_cameraInRoom(NULL, forward, NULL, scn);
  ct_add_to_scl3(forward, roomup, -ct_dot3(forward, roomup));
  ct_normalize3(forward);
  ct_cross(right, forward, roomup);
  ct_normalize3(right);
  if (is_turn(action)) {
    turn_model(action, reldx, reldy, forward, roomup, right, scn);
  } else if (is_move(action)) {
    const mjtNum* other = is_vertical(action) ? roomup : forward;
    for (int i = 0; i < 3; i++) {
      // volatile: GCC 12, vectorising this loop, loses the rounding to float
      volatile float shift = (float)(right[i] * reldx - other[i] * reldy);
      scn->translate[i] = (float)(scn->translate[i] + shift * m->stat.extent);
    }
  } else if (action == mjMOUSE_ZOOM) {
    float scale = scn->scale + (float)(log((double)(1 + scn->scale / 3)) * reldy * 3);
    scn->scale = scale < 0.01f ? 0.01f : scale > 100 ? 100 : scale;
  } else {
    refuse_action("mjv_moveModel", action);
  }
}

// Selected body

// Never further than a quarter turn from where the body is.
static void limit_turn(const mjModel* m, const mjData* d, mjvPerturb* pert) {
  mjtNum own[4], back[4], difference[4], vel[3], turn[4];
  ct_mul_quat(own, d->xquat + 4 * pert->select, m->body_iquat + 4 * pert->select);
  ct_neg_quat(back, own);
  ct_mul_quat(difference, back, pert->refquat);
  ct_quat_to_vel(vel, difference, 1);
  mjtNum angle = ct_normalize3(vel);
  angle = ct_clip(angle, -CT_PI / 2, CT_PI / 2);
  ct_turn_about(turn, vel, angle);
  ct_mul_quat(pert->refquat, own, turn);
}

static void turn_target(const mjModel* m, const mjData* d, const mjtNum vec[3], mjvPerturb* pert) {
  mjtNum axis[3], turn[4];
  ct_copy3(axis, vec);
  mjtNum angle = ct_normalize3(axis) * CT_PI * 2;
  ct_turn_about(turn, axis, angle);
  ct_mul_quat(pert->refquat, turn, pert->refquat);
  ct_normalize4(pert->refquat);
  if (pert->select > 0 && pert->select < m->nbody) limit_turn(m, d, pert);
}

void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy,
                     const mjvScene* scn, mjvPerturb* pert) {
  mjtNum forward[3] = {1, 0, 0}, vec[3];
  mjv_cameraInModel(NULL, forward, NULL, scn);
  vector_of_action(action, reldx, reldy, forward, vec);
  if (is_move(action)) {
    if (is_relative(action)) {
      // by the body's own axes
      const mjtNum* mat = d->xmat + 9 * pert->select;
      int along = is_vertical(action) ? 2 : 0;
      for (int i = 0; i < 3; i++) vec[i] = mat[3 * i + along] * reldy + mat[3 * i + 1] * reldx;
    }
    ct_add_to_scl3(pert->refpos, vec, pert->scale);
    ct_add_to_scl3(pert->refselpos, vec, pert->scale);
  } else if (is_turn(action)) {
    turn_target(m, d, vec, pert);
  } else if (action != mjMOUSE_ZOOM) {
    refuse_action("mjv_movePerturb", action);
  }
}
