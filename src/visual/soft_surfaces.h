// Surfaces that are not geoms: triangles of flexes, vertices of skins. Exported, not declared in
// the public headers.

#ifndef CT_VISUAL_SOFT_SURFACES_H_
#define CT_VISUAL_SOFT_SURFACES_H_

#include <mujoco/mujoco.h>

// Vertices and triangles of all flexes as the options ask for.
MJAPI void mjv_updateActiveFlex(const mjModel* m, mjData* d, mjvScene* scn, const mjvOption* opt);

// Vertices and normals of all skins; zero if their group is hidden.
MJAPI void mjv_updateActiveSkin(const mjModel* m, const mjData* d, mjvScene* scn,
                                const mjvOption* opt);

#endif  // CT_VISUAL_SOFT_SURFACES_H_
