// Exported functions on data that are not in mujoco/mujoco.h.

#ifndef CT_HOST_DATA_H_
#define CT_HOST_DATA_H_

#include <mujoco/mujoco.h>

// Memory for an mjData of this model, neither reset nor with plugins. *dest is reused if its sizes
// fit, else replaced.
MJAPI void mj_makeRawData(mjData** dest, const mjModel* m);

#endif  // CT_HOST_DATA_H_
