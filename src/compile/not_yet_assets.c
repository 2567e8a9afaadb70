// Places of assets in a compilation. Until each has its own file, models that have some are
// refused.

#include "compile/compile.h"

static void refuse(ct_Compiler* c, mjtObj type) {
  if (CT_COUNT(c, type) > 0) {
    const ct_Element* e = c->list[type].item[0]->element;
    ct_fail(c, e, "this version of corten cannot compile %ss yet", e->kind->name);
  }
}

void ct_compile_meshes(ct_Compiler* c) {
  refuse(c, mjOBJ_MESH);
}
void ct_size_meshes(ct_Compiler* c) {
  (void)c;
}
void ct_copy_meshes(ct_Compiler* c) {
  (void)c;
}

