// Bounding volume trees over the triangles of meshes, which are split by their circumcentres.

#include <math.h>

#include "compile/assets/mesh.h"
#include "compile/assets/volume_tree.h"

static void make_leaf(ct_VolumeLeaf* leaf, const double* vert, const int* corner) {
  const double *v0 = vert + 3 * corner[0], *v1 = vert + 3 * corner[1], *v2 = vert + 3 * corner[2];
  double a[3], b[3], m[3], mixed[3], x[3];
  for (int i = 0; i < 3; i++) {
    double low = fmin(v0[i], fmin(v1[i], v2[i])), high = fmax(v0[i], fmax(v1[i], v2[i]));
    double centre = 0.5 * (low + high), half = 0.5 * (high - low);
    leaf->low[i] = centre - half;
    leaf->high[i] = centre + half;
    a[i] = v0[i] - v2[i];
    b[i] = v1[i] - v2[i];
  }
  ct_cross64(m, a, b);
  double area = sqrt(ct_dot64(m, m)), aa = ct_dot64(a, a), bb = ct_dot64(b, b);
  for (int i = 0; i < 3; i++) mixed[i] = aa * b[i] - bb * a[i];
  ct_cross64(x, mixed, m);
  for (int i = 0; i < 3; i++) leaf->key[i] = x[i] / (2 * area * area) + v2[i];
}

void ct_mesh_make_tree(ct_Compiler* c, ct_WorkMesh* w) {
  ct_MeshArrays* a = w->arrays;
  ct_VolumeLeaf* leaf =
      (ct_VolumeLeaf*)ct_pool_array(&c->scratch, (size_t)a->nface, sizeof(ct_VolumeLeaf));
  for (int i = 0; i < a->nface; i++) make_leaf(&leaf[i], a->vert, a->face + 3 * i);
  ct_VolumeTree tree = ct_make_volume_tree(&c->pool, &c->scratch, leaf, a->nface);
  w->nnode = tree.nnode;
  a->bvh_depth = tree.depth;
  a->bvh_child = tree.child;
  a->bvh_face = tree.leaf;
  a->bvh_box = tree.box;
}
