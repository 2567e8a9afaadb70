// Poses of everything that moves with the joints.

#ifndef CT_ENGINE_SMOOTH_KINEMATICS_H_
#define CT_ENGINE_SMOOTH_KINEMATICS_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "math/quat.h"

// qpos, mocap_pos, mocap_quat -> poses of bodies, inertial frames, joints, geoms and sites. See
// kinematics.c.
LANE_FN int ct_kinematics(Lane g, const mjModel* m, mjData* d);

// The same for bodies from `first` to `end`, on one lane: all others, and the bodies above these,
// have their poses. Nothing sleeps.
LANE_FN void ct_kinematics_of(const mjModel* m, mjData* d, int first, int end);

// World position of a point given in the frame of a body. sameframe (mjtSameFrame) says that the
// compiler found the frame around it equal to one of the body's own.
LANE_INLINE void ct_attached_position(const mjData* d, mjtNum xpos[3], const mjtNum pos[3],
                                      int body, int sameframe) {
  const mjtNum* origin = d->xpos + 3 * body;
  if (sameframe == mjSAMEFRAME_BODY) {
    ct_copy3(xpos, origin);
  } else if (sameframe == mjSAMEFRAME_INERTIA) {
    ct_copy3(xpos, d->xipos + 3 * body);
  } else {
    mjtNum turned[3];
    ct_mul_mat_vec3(turned, d->xmat + 9 * body, pos);
    ct_add3(xpos, turned, origin);
  }
}

// World orientation of a frame attached to a body by quat. Not normalised: users may scale quat.
LANE_INLINE void ct_attached_orientation(const mjData* d, mjtNum xmat[9], const mjtNum quat[4],
                                         int body, int sameframe) {
  if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    ct_copy(xmat, d->xmat + 9 * body, 9);
  } else if (sameframe == mjSAMEFRAME_INERTIA || sameframe == mjSAMEFRAME_INERTIAROT) {
    ct_copy(xmat, d->ximat + 9 * body, 9);
  } else {
    mjtNum turned[4];
    ct_mul_quat(turned, d->xquat + 4 * body, quat);
    ct_rotation_of(xmat, turned);
  }
}

#endif  // CT_ENGINE_SMOOTH_KINEMATICS_H_
