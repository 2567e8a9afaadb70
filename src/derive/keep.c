#include "derive/keep.h"

#include <stddef.h>
#include <string.h>

#include "base/memory/arena.h"

// Nine tenths of the struct are statistics of solvers, of which a step writes those of its islands
// and iterations.
static void copy_fields(const mjModel* m, mjData* to, const mjData* from) {
  size_t start = offsetof(mjData, solver), end = start + sizeof(from->solver);
  size_t islands = (size_t)(m->ntree < 1 ? 1 : m->ntree > mjNISLAND ? mjNISLAND : m->ntree);
  int most = m->opt.iterations + m->opt.noslip_iterations;
  size_t iterations = (size_t)(most < 0 ? 0 : most > mjNSOLVER ? mjNSOLVER : most);
  memcpy(to, from, start);
  memcpy((char*)to + end, (const char*)from + end, sizeof(mjData) - end);
  for (size_t i = 0; i < islands; i++) {
    memcpy(to->solver + i * mjNSOLVER, from->solver + i * mjNSOLVER,
           iterations * sizeof(from->solver[0]));
  }
}

bool ct_keep_data(ct_Kept* kept, const mjModel* m, mjData* d) {
  size_t nbuffer = (size_t)d->nbuffer;
  kept->block = (char*)mju_malloc(nbuffer + d->parena + 1);
  if (!kept->block) return false;
  copy_fields(m, &kept->fields, d);
  kept->own = *ct_private(d);
  memcpy(kept->block, d->buffer, nbuffer);
  CT_UNPOISON(d->arena, d->parena);  // also between its arrays
  memcpy(kept->block + nbuffer, d->arena, d->parena);
  return true;
}

void ct_put_back_data(ct_Kept* kept, const mjModel* m, mjData* d) {
  size_t nbuffer = (size_t)d->nbuffer;
  size_t before = (size_t)((char*)d->plugin_data - (char*)d->buffer);
  size_t behind = before + (size_t)m->nplugin * sizeof(uintptr_t);
  copy_fields(m, d, &kept->fields);
  *ct_private(d) = kept->own;
  memcpy(d->buffer, kept->block, before);
  memcpy((char*)d->buffer + behind, kept->block + behind, nbuffer - behind);
  CT_POISON(d->arena, (size_t)d->narena - d->pstack);
  CT_UNPOISON(d->arena, d->parena);
  memcpy(d->arena, kept->block + nbuffer, d->parena);
  mju_free(kept->block);
  kept->block = NULL;
}
