// Marching cubes: the surface on which a field sampled on a grid is zero.

#ifndef CT_COMPILE_ASSETS_MARCHING_CUBES_H_
#define CT_COMPILE_ASSETS_MARCHING_CUBES_H_

#include "base/pool.h"

typedef struct ct_Isosurface_ {
  int nvert, nface;
  float* vert;    // (nvert x 3) in units of the grid
  float* normal;  // (nvert x 3) unit length
  int* face;      // (nface x 3)
} ct_Isosurface;

// The field is value[(z * n[1] + y) * n[0] + x]; inside is where it is negative. Memory is the
// pool's. Counts are 0 if the field has the same sign everywhere.
ct_Isosurface ct_marching_cubes(ct_Pool* pool, const float* value, const int n[3]);

#endif  // CT_COMPILE_ASSETS_MARCHING_CUBES_H_
