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

bool ct_keep_data(ct_Kept* kept, const mjModel* m, mjData* d, bool lend) {
  size_t nbuffer = (size_t)d->nbuffer, bytes = nbuffer + d->parena + 1;
  copy_fields(m, &kept->fields, d);
  kept->lent = lend && (size_t)(d->narena - d->maxuse_arena) / 4 > bytes;
  kept->block = (char*)(kept->lent ? ct_stack_alloc(d, bytes, CT_ALIGN) : mju_malloc(bytes));
  if (!kept->block) return false;
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
  copy_fields(m, d, &kept->fields);  // which also takes the block off the stack
  *ct_private(d) = kept->own;
  memcpy(d->buffer, kept->block, before);
  memcpy((char*)d->buffer + behind, kept->block + behind, nbuffer - behind);
  CT_UNPOISON(d->arena, d->parena);
  memcpy(d->arena, kept->block + nbuffer, d->parena);
  CT_POISON((char*)d->arena + d->parena, (size_t)d->narena - d->pstack - d->parena);
  if (!kept->lent) mju_free(kept->block);
  kept->block = NULL;
}
