// What actuators act on.

#ifndef CT_BASE_MODEL_ACTUATOR_TARGET_H_
#define CT_BASE_MODEL_ACTUATOR_TARGET_H_

#include <mujoco/mujoco.h>

// Type of the object that a transmission (mjtTrn) names first; mjOBJ_UNKNOWN: not a transmission.
static inline mjtObj ct_transmission_object(int type) {
  switch (type) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return mjOBJ_JOINT;
    case mjTRN_TENDON:
      return mjOBJ_TENDON;
    case mjTRN_SLIDERCRANK:
    case mjTRN_SITE:
      return mjOBJ_SITE;
    case mjTRN_BODY:
      return mjOBJ_BODY;
    default:
      return mjOBJ_UNKNOWN;
  }
}

#endif  // CT_BASE_MODEL_ACTUATOR_TARGET_H_
