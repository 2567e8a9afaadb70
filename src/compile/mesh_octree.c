// Octrees of signed distances, for meshes that geoms of type sdf use.

#include "compile/mesh.h"

void ct_mesh_make_octree(ct_Compiler* c, ct_WorkMesh* w) {
  ct_fail(c, w->head.element,
          "a mesh as signed distance function is not part of this version of corten");
}
