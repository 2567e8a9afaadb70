// Statistics of a model.

#ifndef CT_HOST_STATISTICS_H_
#define CT_HOST_STATISTICS_H_

#include <mujoco/mujoco.h>

// stat and dof_length, from the pose and the mass matrix that d has. What a model without bodies or
// without dofs does not tell stays as it is.
void ct_set_statistics(mjModel* m, mjData* d);

#endif  // CT_HOST_STATISTICS_H_
