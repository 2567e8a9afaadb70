// Exported functions on data that are not in mujoco/mujoco.h.

#ifndef CT_HOST_DATA_H_
#define CT_HOST_DATA_H_

#include <mujoco/mujoco.h>

// Memory for an mjData of this model, neither reset nor with plugins. *dest is reused if its sizes
// fit, else replaced.
MJAPI void mj_makeRawData(mjData** dest, const mjModel* m);

// Lets every plugin instance of the model initialise itself in the data.
MJAPI void mj_initPlugin(const mjModel* m, mjData* d);

#endif  // CT_HOST_DATA_H_
