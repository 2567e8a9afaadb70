// Flexes while they are compiled, and the steps of their compilation (flexes.c).

#ifndef CT_COMPILE_FLEX_ARRAYS_H_
#define CT_COMPILE_FLEX_ARRAYS_H_

#include "compile/assets/volume_tree.h"
#include "compile/work/work.h"

enum {
  CT_FLEX_STIFFNESS = 21,  // numbers of elasticity per element
  CT_FLEX_BENDING = 17,    // numbers of bending per edge
};

typedef struct ct_FlexArrays_ {
  int dim;
  int nvert, nnode, nelem, nedge, nshell, nevpair, ntexcoord;
  int order;  // of interpolation; 0: vertices move by themselves
  bool rigid, centred;
  ct_WorkBody** vertbody;     // (nvert) of vertices; NULL if they are interpolated
  ct_WorkBody** nodebody;     // (nnode)
  const double *vert, *node;  // (nvert x 3), (nnode x 3) in their bodies; NULL: zeros
  double* vert_world;         // (nvert x 3) at qpos0
  double* node_world;         // (nnode x 3)
  const float* texcoord;      // (ntexcoord x 2)
  int* elem;                  // (nelem x (dim + 1)) vertices
  const int* elemtexcoord;    // the same as texture coordinates
  int* edge;                  // (nedge x 2) vertices, the smaller first
  int* flap;                  // (nedge x 2) opposite vertices; -1: none
  int* edge_order;            // (nedge x 2) vertices as in the first triangle
  int* elemedge;              // (nelem x 1, 3 or 6) edges
  int* layer;                 // (nelem) connections to the border
  int* shell;                 // (nshell x dim) vertices
  int* evpair;                // (nevpair x 2) element, vertex
  ct_VolumeTree tree;
  double size[3];
  double* vert0;                 // (nvert x 3) share of the box
  double* stiffness;             // (nelem x 21)
  double* bending;               // (nedge x 17)
  mjtSize nedge_dof, nvert_dof;  // entries of the Jacobians of edges and vertices
} ct_FlexArrays;

static inline ct_WorkFlex* ct_flex_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkFlex, c->list[mjOBJ_FLEX], i);
}

// Edges of an element, and the local vertices of each.
int ct_flex_element_edges(int dim);
const int* ct_flex_local_edge(int dim, int i);

// Edges, flaps, border, layers and pairs of elements and vertices (flex_topology.c).
void ct_flex_find_edges(ct_Compiler* c, ct_FlexArrays* f);
void ct_flex_find_flaps(ct_Compiler* c, ct_FlexArrays* f);
void ct_flex_find_border(ct_Compiler* c, ct_FlexArrays* f);

// Elasticity (flex_elasticity.c).
void ct_flex_elements_stiffness(ct_Compiler* c, const ct_WorkFlex* w);
void ct_flex_edges_bending(ct_Compiler* c, const ct_WorkFlex* w);
void ct_flex_nodes_stiffness(ct_Compiler* c, const ct_WorkFlex* w);

#endif  // CT_COMPILE_FLEX_ARRAYS_H_
