// More contacts where faces of boxes and meshes touch.

#ifndef CT_COLLIDE_CLIP_H_
#define CT_COLLIDE_CLIP_H_

#include "collide/ccd.h"

// hit[0] is the deepest point, which EPA has found in c. Replaces it by the corners of the area
// that touches, all or at most four; leaves it where there is none. Returns how many hits there
// are.
LANE_FN int ct_clip_faces(const mjModel* m, const ct_Ccd* c, ct_Hit* hit, const ct_Shape* s1,
                          const ct_Shape* s2, bool all);

#endif  // CT_COLLIDE_CLIP_H_
