// What sizes and arrays of the tree share.

#ifndef CT_COMPILE_TREE_H_
#define CT_COMPILE_TREE_H_

#include "compile/compile.h"

// mjtSameFrame: which frame of its body, if any, a pose equals; with body NULL the inertial frame
// is not asked.
int ct_sameframe(const mjsBody* body, const double pos[3], const double quat[4]);

#endif  // CT_COMPILE_TREE_H_
