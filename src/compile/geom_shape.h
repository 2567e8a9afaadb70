// Shapes of geoms: sizes, bounds, volumes, inertias.

#ifndef CT_COMPILE_GEOM_SHAPE_H_
#define CT_COMPILE_GEOM_SHAPE_H_

#include "compile/compile.h"

// Sets pose and sizes from the two ends of a capsule, cylinder, ellipsoid or box; NULL, or what is
// wrong.
const char* ct_shape_from_ends(mjtGeom type, const double fromto[6], double pos[3], double quat[4],
                               double size[3]);

// Fails unless the sizes of a geom or site fit its type.
void ct_shape_check(ct_Compiler* c, const ct_Element* e, mjtGeom type, const double size[3]);

// Volume, or surface of a shell. Not for meshes.
double ct_shape_volume(mjtGeom type, mjtGeomInertia where, const double size[3]);

// Moments about the shape's own frame. A solid box also stands for height fields, and for meshes,
// whose box of equal inertia it is.
void ct_shape_inertia(double inertia[3], mjtGeom type, mjtGeomInertia where, const double size[3],
                      double mass);

// Virtual masses and inertias of the ellipsoid that stands for a geom in a fluid.
void ct_shape_fluid(double mass[3], double inertia[3], mjtGeom type, const double size[3]);

#endif  // CT_COMPILE_GEOM_SHAPE_H_
