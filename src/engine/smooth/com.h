// Centres of mass, and inertias and motion axes taken at them.

#ifndef CT_ENGINE_SMOOTH_COM_H_
#define CT_ENGINE_SMOOTH_COM_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// xipos, ximat, xmat, xanchor, xaxis -> subtree_com, cinert, cdof. See com.c.
LANE_FN int ct_com_position(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_SMOOTH_COM_H_
