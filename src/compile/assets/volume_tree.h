// Bounding volume trees of meshes and flexes: halves by the median along the longest side, nodes in
// preorder.

#ifndef CT_COMPILE_ASSETS_VOLUME_TREE_H_
#define CT_COMPILE_ASSETS_VOLUME_TREE_H_

#include "base/pool.h"

typedef struct ct_VolumeLeaf_ {
  double low[3], high[3];
  double key[3];  // what leaves are split by
} ct_VolumeLeaf;

typedef struct ct_VolumeTree_ {
  int nnode;
  int* depth;
  int* child;   // (nnode x 2) -1: none
  int* leaf;    // -1: an inner node
  double* box;  // (nnode x 6) centre, half sizes
} ct_VolumeTree;

// A tree over `count` leaves in the memory of a pool. count 0: without nodes.
ct_VolumeTree ct_make_volume_tree(ct_Pool* pool, ct_Pool* scratch, const ct_VolumeLeaf* leaf,
                                  int count);

// Boxes of trees of bounding volumes, also of bodies. The first sets centre and half size of a box
// along one axis, a little more than nothing, and returns the length; the second is the axis to
// split along.
double ct_box_side(double box[6], int axis, double low, double high);
int ct_longest_side(const double side[3]);

#endif  // CT_COMPILE_ASSETS_VOLUME_TREE_H_
