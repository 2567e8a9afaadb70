// Flexes are not part of this version: models that have some are refused.

#include "compile/compile.h"

void ct_compile_flexes(ct_Compiler* c) {
  if (CT_COUNT(c, mjOBJ_FLEX) == 0) return;
  ct_fail(c, c->list[mjOBJ_FLEX].item[0]->element, "this version of corten cannot compile flexes");
}

void ct_size_flexes(ct_Compiler* c) {
  (void)c;
}

void ct_copy_flexes(ct_Compiler* c) {
  (void)c;
}
