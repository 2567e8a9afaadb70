// Forces inside flexes, one function per kind. All add to qfrc_spring and qfrc_damper. And the
// energy of what bends by angles.

#ifndef CT_SOFT_ELASTICITY_H_
#define CT_SOFT_ELASTICITY_H_

#include "soft/flex.h"

// What springs and dampers of a step do; both may be wanted.
typedef struct ct_PassiveKinds_ {
  bool spring, damper;
} ct_PassiveKinds;

// Elasticity of triangles and tetrahedra: elasticity.c. CT_STACK_FULL without room.
LANE_FN int ct_element_forces(Lane g, const mjModel* m, mjData* d, int f);

// Springs and dampers along the edges: elasticity.c.
LANE_FN void ct_edge_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds);

// Bending of shells: bending.c.
LANE_FN int ct_bending_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds);

// What a flex that bends by angles has stored by that; 0 for others: bending.c. Equal on all lanes.
LANE_FN mjtNum ct_bending_energy(Lane g, const mjModel* m, const mjData* d, int f);

// Elasticity of interpolated flexes: interpolated_elasticity.c.
LANE_FN int ct_node_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds);

// All of them, for passive forces: soft_forces.c.
LANE_FN int ct_soft_forces(Lane g, const mjModel* m, mjData* d);

#endif  // CT_SOFT_ELASTICITY_H_
