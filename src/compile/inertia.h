// Inertia of bodies.

#ifndef CT_COMPILE_INERTIA_H_
#define CT_COMPILE_INERTIA_H_

#include "compile/compile.h"

// What the body says itself: full matrix, orientation of the inertial frame.
void ct_compile_given_inertia(ct_Compiler* c, ct_WorkBody* body);

// From geoms where it is to be; defaults, bounds and checks.
void ct_compile_inertia(ct_Compiler* c, ct_WorkBody* body);

// Adds moments along the axes of quat, of a mass at an offset, to a matrix (3 x 3): first the
// turned moments, then what the offset adds.
void ct_add_inertia(double sum[9], const double quat[4], const double moment[3], double mass,
                    const double offset[3]);

#endif  // CT_COMPILE_INERTIA_H_
