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

// Bytes of the buffer that are copied: all but bvh_active, which has a byte for every triangle of a
// mesh and which no step writes. It may be zeroed by a reset, so it is left out only if it is zero.
typedef struct {
  size_t before, left_out, behind;
} Pieces;

static bool is_zero(const mjtByte* x, size_t n) {
  return n == 0 || (x[0] == 0 && memcmp(x, x + 1, n - 1) == 0);
}

static Pieces pieces_of_buffer(const mjModel* m, const mjData* d) {
  Pieces p = {(size_t)d->nbuffer, 0, 0};
  size_t start = (size_t)((const char*)d->bvh_active - (const char*)d->buffer);
  if (m->nbvh == 0 || !is_zero(d->bvh_active, (size_t)m->nbvh)) return p;
  p.before = start;
  p.left_out = (size_t)m->nbvh;
  p.behind = (size_t)d->nbuffer - p.before - p.left_out;
  return p;
}

void* ct_borrow(mjData* d, size_t bytes, bool* lent) {
  *lent = (size_t)(d->narena - d->maxuse_arena) / 4 > bytes;
  return *lent ? ct_stack_alloc(d, bytes, CT_ALIGN) : mju_malloc(bytes);
}

bool ct_keep_data(ct_Kept* kept, const mjModel* m, mjData* d, bool lend) {
  Pieces p = pieces_of_buffer(m, d);
  const char* buffer = (const char*)d->buffer;
  size_t bytes = p.before + p.behind + d->parena + 1;
  copy_fields(m, &kept->fields, d);
  kept->lent = false;
  kept->block = (char*)(lend ? ct_borrow(d, bytes, &kept->lent) : mju_malloc(bytes));
  if (!kept->block) return false;
  kept->before = p.before;
  kept->left_out = p.left_out;
  kept->own = *ct_private(d);
  memcpy(kept->block, buffer, p.before);
  memcpy(kept->block + p.before, buffer + p.before + p.left_out, p.behind);
  CT_UNPOISON(d->arena, d->parena);  // also between its arrays
  memcpy(kept->block + p.before + p.behind, d->arena, d->parena);
  return true;
}

// Handles of plugins stay; they lie before bvh_active.
void ct_load_kept(const ct_Kept* kept, const mjModel* m, mjData* d) {
  char* buffer = (char*)d->buffer;
  size_t behind = (size_t)d->nbuffer - kept->before - kept->left_out;
  size_t handles = (size_t)((char*)d->plugin_data - buffer);
  size_t after = handles + (size_t)m->nplugin * sizeof(uintptr_t);
  copy_fields(m, d, &kept->fields);  // which also takes the block off the stack
  *ct_private(d) = kept->own;
  memcpy(buffer, kept->block, handles);
  memcpy(buffer + after, kept->block + after, kept->before - after);
  memcpy(buffer + kept->before + kept->left_out, kept->block + kept->before, behind);
  CT_UNPOISON(d->arena, d->parena);
  memcpy(d->arena, kept->block + kept->before + behind, d->parena);
  CT_POISON((char*)d->arena + d->parena, (size_t)d->narena - d->pstack - d->parena);
}

void ct_put_back_data(ct_Kept* kept, const mjModel* m, mjData* d) {
  ct_load_kept(kept, m, d);
  if (!kept->lent) mju_free(kept->block);
  kept->block = NULL;
}
