// Meshes of GMSH files, and surfaces of mesh files, for flexes that are made while MJCF is read.

#ifndef CT_COMPILE_ASSETS_GMSH_H_
#define CT_COMPILE_ASSETS_GMSH_H_

#include "compile/assets/mesh.h"

typedef struct ct_Gmsh_ {
  int dim;  // of its elements: lines 1, triangles 2, tetrahedra 3
  int npoint, nelem;
  double* point;  // (npoint x 3)
  int* elem;      // (nelem x (dim + 1)) points, counted from 0
} ct_Gmsh;

// Formats 2.2 and 4.1, text and binary. Memory is c->pool's.
void ct_read_gmsh(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, ct_Gmsh* gmsh);

// A file that a flex is made from. All memory is the pool's; false: the message says why not.
typedef struct ct_FlexSource_ {
  ct_Element* flex;
  const mjVFS* vfs;
  const char* file;
  ct_Pool* pool;
  char message[1000];
} ct_FlexSource;

bool ct_load_gmsh(ct_FlexSource* source, ct_Gmsh* gmsh);

// Vertices of the same place are one; faces are by vertex.
bool ct_load_surface(ct_FlexSource* source, ct_MeshFile* mesh);

#endif  // CT_COMPILE_ASSETS_GMSH_H_
