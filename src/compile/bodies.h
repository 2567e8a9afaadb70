// What fusing bodies shares with compiling them.

#ifndef CT_COMPILE_BODIES_H_
#define CT_COMPILE_BODIES_H_

#include "compile/compile.h"

void ct_weld_children(ct_WorkBody* body);

// Bounding volume hierarchy of the geoms that can collide; built anew if there is one. (bvh.c)
void ct_build_body_tree(ct_Compiler* c, ct_WorkBody* body);

// Rules about the joints of a body together. (joints.c)
void ct_check_joints(ct_Compiler* c, ct_WorkBody* body);

#endif  // CT_COMPILE_BODIES_H_
