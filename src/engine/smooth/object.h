// Frames of objects, and how fast they move.

#ifndef CT_ENGINE_SMOOTH_OBJECT_H_
#define CT_ENGINE_SMOOTH_OBJECT_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "engine/smooth/jacobian.h"

typedef struct ct_ObjectFrame_ {  // where an object is and what it moves with
  int body;
  const mjtNum* pos;  // (3)
  const mjtNum* mat;  // (9)
} ct_ObjectFrame;

// The body that carries an object; -1 for what hangs on none.
LANE_INLINE int ct_body_of_object(const mjModel* m, int type, int id) {
  switch (type) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return id;
    case mjOBJ_JOINT:
      return m->jnt_bodyid[id];
    case mjOBJ_DOF:
      return m->dof_bodyid[id];
    case mjOBJ_GEOM:
      return m->geom_bodyid[id];
    case mjOBJ_SITE:
      return m->site_bodyid[id];
    case mjOBJ_CAMERA:
      return m->cam_bodyid[id];
    case mjOBJ_LIGHT:
      return m->light_bodyid[id];
    default:
      return -1;
  }
}

// The frame of an object: mjOBJ_BODY is the inertial frame of a body, mjOBJ_XBODY its own one.
// False for types that have no frame.
LANE_INLINE bool ct_object_frame(const mjModel* m, const mjData* d, int type, int id,
                                 ct_ObjectFrame* frame) {
  switch (type) {
    case mjOBJ_BODY:
      frame->body = id;
      frame->pos = d->xipos + 3 * id;
      frame->mat = d->ximat + 9 * id;
      return true;
    case mjOBJ_XBODY:
      frame->body = id;
      frame->pos = d->xpos + 3 * id;
      frame->mat = d->xmat + 9 * id;
      return true;
    case mjOBJ_GEOM:
      frame->body = m->geom_bodyid[id];
      frame->pos = d->geom_xpos + 3 * id;
      frame->mat = d->geom_xmat + 9 * id;
      return true;
    case mjOBJ_SITE:
      frame->body = m->site_bodyid[id];
      frame->pos = d->site_xpos + 3 * id;
      frame->mat = d->site_xmat + 9 * id;
      return true;
    case mjOBJ_CAMERA:
      frame->body = m->cam_bodyid[id];
      frame->pos = d->cam_xpos + 3 * id;
      frame->mat = d->cam_xmat + 9 * id;
      return true;
    default:
      return false;
  }
}

// Velocity (angular, linear) of a frame, in its own axes or the world's. Zero for what cannot move.
LANE_INLINE void ct_frame_velocity(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                                   bool local, mjtNum velocity[6]) {
  if (m->body_weldid[frame.body] == 0) {
    ct_zero6(velocity);
    return;
  }
  ct_transform_motion(velocity, d->cvel + 6 * frame.body, frame.pos,
                      ct_reference_point(m, d, frame.body), local ? frame.mat : NULL);
}

// Acceleration of a frame from cacc. A spatial acceleration is the rate of the velocity of whatever
// passes the point; the point itself turns with the body, which adds w x v. cacc counts gravity as
// an upward acceleration of the world, yet what cannot move gets zero here.
LANE_INLINE void ct_frame_acceleration(const mjModel* m, const mjData* d, ct_ObjectFrame frame,
                                       bool local, mjtNum acceleration[6]) {
  if (m->body_weldid[frame.body] == 0) {
    ct_zero6(acceleration);
    return;
  }
  mjtNum velocity[6], turning[3];
  ct_frame_velocity(m, d, frame, local, velocity);
  ct_transform_motion(acceleration, d->cacc + 6 * frame.body, frame.pos,
                      ct_reference_point(m, d, frame.body), local ? frame.mat : NULL);
  ct_cross(turning, velocity, velocity + 3);
  ct_add_to3(acceleration + 3, turning);
}

#endif  // CT_ENGINE_SMOOTH_OBJECT_H_
