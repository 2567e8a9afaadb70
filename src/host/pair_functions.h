// Pair functions that the public headers do not declare but programs link with.

#ifndef CT_HOST_PAIR_FUNCTIONS_H_
#define CT_HOST_PAIR_FUNCTIONS_H_

#include <mujoco/mujoco.h>

#define CT_PAIR_FUNCTION(name_) \
  MJAPI int name_(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin)

CT_PAIR_FUNCTION(mjc_PlaneSphere);
CT_PAIR_FUNCTION(mjc_PlaneCapsule);
CT_PAIR_FUNCTION(mjc_PlaneCylinder);
CT_PAIR_FUNCTION(mjc_PlaneBox);
CT_PAIR_FUNCTION(mjc_SphereSphere);
CT_PAIR_FUNCTION(mjc_SphereCapsule);
CT_PAIR_FUNCTION(mjc_SphereCylinder);
CT_PAIR_FUNCTION(mjc_SphereBox);
CT_PAIR_FUNCTION(mjc_CapsuleCapsule);
CT_PAIR_FUNCTION(mjc_CapsuleBox);
CT_PAIR_FUNCTION(mjc_BoxBox);
CT_PAIR_FUNCTION(mjc_Convex);

#endif  // CT_HOST_PAIR_FUNCTIONS_H_
