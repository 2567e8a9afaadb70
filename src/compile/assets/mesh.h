// Meshes while they are compiled, and the steps of their compilation.

#ifndef CT_COMPILE_ASSETS_MESH_H_
#define CT_COMPILE_ASSETS_MESH_H_

#include "base/resource/cache.h"
#include "compile/assets/asset_file.h"
#include "compile/work/work.h"

typedef struct ct_MeshArrays_ {
  // as given; numbers of vertices, normals, texture coordinates and triangles
  int nvert, nnormal, ntexcoord, nface;
  double* vert;       // (nvert x 3)
  float* normal;      // (nnormal x 3)
  float* texcoord;    // (ntexcoord x 2)
  int* face;          // (nface x 3) by vertex
  int* facenormal;    // (nface x 3) by normal
  int* facetexcoord;  // (nface x 3) by texture coordinate; NULL: none

  // convex hull, as in the model: sizes, addresses of edges, vertices, edges, triangles
  int ngraph;  // 0: none
  int* graph;
  int nhullface;
  const int* hullface;  // inside graph

  // flat polygons
  int npoly, npolyvert, npolymap;
  int *polyvertadr, *polyvertnum;  // (npoly)
  int* polyvert;
  int *polymapadr, *polymapnum;  // (nvert)
  int* polymap;
  double* polynormal;  // (npoly x 3)

  // bounding volume tree over all triangles, in preorder
  int *bvh_depth, *bvh_child, *bvh_face;
  double* bvh_box;  // (nnode x 6)

  // octree of signed distances
  int noct;
  int *oct_depth, *oct_child;
  double *oct_box, *oct_distance;
} ct_MeshArrays;

// What a file has. Counts are of numbers, not of vertices; memory is c->scratch's.
typedef struct ct_MeshFile_ {
  float *vert, *normal, *texcoord;
  int *face, *facenormal, *facetexcoord;
  int nvert, nnormal, ntexcoord, nface, nfacenormal, nfacetexcoord;
} ct_MeshFile;

// Readers. With `mirrored` the corners of triangles are exchanged, so that they face outwards after
// scaling.
void ct_read_stl(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh);
void ct_read_obj(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh);
void ct_read_msh(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh);

// The surface of the signed distance field of the mesh's plugin.
void ct_read_field(ct_Compiler* c, const ct_WorkMesh* w, ct_MeshFile* mesh);

// Steps, in this order (meshes.c).
void ct_mesh_check_orientation(ct_Compiler* c, const ct_WorkMesh* w);
void ct_mesh_make_hull(ct_Compiler* c, ct_WorkMesh* w);
void ct_mesh_make_normals(ct_Compiler* c, ct_WorkMesh* w);
void ct_mesh_find_polygons(ct_Compiler* c, ct_WorkMesh* w);
void ct_mesh_place(ct_Compiler* c, ct_WorkMesh* w);  // pose, scale, inertia, own frame
void ct_mesh_polygon_normals(ct_Compiler* c, ct_WorkMesh* w);
void ct_mesh_make_tree(ct_Compiler* c, ct_WorkMesh* w);
void ct_mesh_make_octree(ct_Compiler* c, ct_WorkMesh* w);

// The cache of assets (mesh_cache.c): everything that a mesh from a file is made from; the mesh
// that was made from the same before, false if there is none; a mesh to be kept.
ct_CacheKey ct_mesh_key(const ct_WorkMesh* w, const ct_AssetFile* file);
bool ct_mesh_from_cache(ct_Compiler* c, ct_WorkMesh* w, const ct_CacheKey* key);
void ct_mesh_to_cache(ct_Compiler* c, const ct_WorkMesh* w, const ct_CacheKey* key);

// A table from directed edges (and a number beside them) to numbers. See mesh_edges.c.
typedef struct ct_EdgeTable_ {
  ct_HashTable table;
  struct ct_Edge_* edge;
} ct_EdgeTable;

// A table with room for so many different edges.
ct_EdgeTable ct_edges_make(ct_Pool* pool, size_t count);

// Where the number of an edge stands; -1 when it is new.
int* ct_edges_at(ct_EdgeTable* table, int group, int from, int to);

#endif  // CT_COMPILE_ASSETS_MESH_H_
