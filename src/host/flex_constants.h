// What mj_setConst computes for flexes.

#ifndef CT_HOST_FLEX_CONSTANTS_H_
#define CT_HOST_FLEX_CONSTANTS_H_

#include <mujoco/mujoco.h>

// The layout of Jacobians, edges around vertices, and the rest shape of cloth with strains, from
// flex_edgeequality and others that the compiler has set. Before the first kinematics.
void ct_lay_out_flexes(mjModel* m, mjData* d);

// row M^-1 row'; overwrites row (nv).
typedef mjtNum(ct_InverseWeight)(const mjModel* m, const mjData* d, mjtNum* row);

// flexedge_length0 and flexedge_invweight0, at qpos0, M factored.
void ct_set_edges(mjModel* m, mjData* d, ct_InverseWeight* inverse_weight);

#endif  // CT_HOST_FLEX_CONSTANTS_H_
