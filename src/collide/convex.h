// Contacts of two convex shapes.

#ifndef CT_COLLIDE_CONVEX_H_
#define CT_COLLIDE_CONVEX_H_

#include "collide/ccd.h"

// A solver for two shapes, each inflated by half of its margin, with the model's tolerances.
LANE_FN ct_Ccd ct_ccd_start(const mjModel* m, const ct_Shape* s1, mjtNum margin1,
                            const ct_Shape* s2, mjtNum margin2);

// The same from supports.
LANE_FN ct_Ccd ct_ccd_between(const mjModel* m, const ct_Support* s1, const ct_Support* s2);

// One hit at most, by the solver that the model asks for.
LANE_FN int ct_support_hit(const mjModel* m, ct_Hit* hit, const ct_Support* s1,
                           const ct_Support* s2, mjtNum margin);

// The deepest point alone: one hit if the inflated shapes overlap.
LANE_FN int ct_deepest_hit(ct_Ccd* c, ct_Hit* hit, mjtNum margin);

// The pair function of all pairs without one of their own.
LANE_FN int ct_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* s1, const ct_Shape* s2,
                      mjtNum margin);

// The same with a solver that was started for these shapes, and can be looked at afterwards.
LANE_FN int ct_convex_by(const mjModel* m, ct_Ccd* c, ct_Hit* hit, const ct_Shape* s1,
                         const ct_Shape* s2, mjtNum margin);

#endif  // CT_COLLIDE_CONVEX_H_
