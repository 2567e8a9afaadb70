// How large an arena would have been enough: every environment that found no room makes its step
// again, on the host, in an mjData with more.
//
// The first one that does not fit finds the size, the others are tried in it, so that most cost one
// step. Those that do not fit either make it larger.

#include <corten/step.h>

#include "base/failure.h"
#include "base/model/options.h"
#include "batch/batch_core.h"
#include "batch/guard.h"
#include "engine/smooth/wrap.h"

typedef struct {
  ct_Batch* b;
  mjModel* m;
  mjData* d;  // with the arena of the last trial
} Trial;

// Scratch that several lanes take and one does not, at most: a GPU may need it beside what the host
// used. In the solver each row has copies of what is known of it (3 integers, 4 numbers) and, in
// problems of 65 to 128 dofs, two words of bits beside a dense Hessian; larger problems list their
// Jacobian by columns. Strings of tendons have their detours, and rows of their own in each lane.
static mjtSize more_for_lanes(const mjModel* m, const mjData* d) {
  enum { LANES = 32, SMALL = 64, DENSE = 128, ALIGNMENT = 2048 };
  mjtSize rows = d->nefc, nv = m->nv, dense = nv < DENSE ? nv : DENSE, bytes = ALIGNMENT;
  bytes += rows * (mjtSize)(3 * sizeof(int) + 4 * sizeof(mjtNum) + 2 * sizeof(uint64_t));
  if (nv > SMALL) bytes += dense * (dense + 8) * (mjtSize)sizeof(mjtNum);
  if (nv > DENSE) bytes += (nv + 1 + 2 * (mjtSize)d->nJ) * (mjtSize)sizeof(int);
  if (m->ntendon) bytes += m->nwrap * (mjtSize)sizeof(ct_Detour);
  if (m->ntendon && ct_is_sparse(m)) {
    bytes += LANES * (nv * (mjtSize)sizeof(mjtNum) + (nv + 31) / 32 * (mjtSize)sizeof(int));
  }
  return bytes;
}

// Does the environment make its step in this arena? Then *used says how much it took.
static bool steps_within(Trial* t, int environment, mjtSize arena, mjtSize* used) {
  t->m->narena = arena;
  if (!t->d || t->d->narena != arena) {
    mj_deleteData(t->d);
    t->d = mj_makeData(t->m);
  }
  if (!t->d) return false;
  mj_resetData(t->m, t->d);
  if (t->b->backend->get_data(t->b->self, environment, t->m, t->d)) return false;
  t->m->narena = arena;
  t->d->maxuse_arena = 0;
  int status = ct_step(t->m, t->d);
  if (status > 0 && (status & CT_ARENA_FULL)) return false;  // below 0: not for want of room
  *used = t->d->maxuse_arena;
  if (t->b->which == CT_BACKEND_GPU) *used += more_for_lanes(t->m, t->d);
  return *used <= arena;
}

// Doubles the arena until the step is made; then what it used is the answer, if it really does and
// is not less than others need. (What is aligned lies elsewhere in an arena of another size.)
static mjtSize arena_for(Trial* t, int environment, mjtSize least) {
  const mjtSize most = (mjtSize)1 << 36, asked = t->b->model->narena;
  mjtSize used = 0, again;
  for (mjtSize arena = 2 * (least > asked ? least : asked) + 65536; arena < most; arena *= 2) {
    if (!steps_within(t, environment, arena, &used)) continue;
    mjtSize needed = (used + 63) / 64 * 64;
    if (needed < least) needed = least;
    while (needed < arena && !steps_within(t, environment, needed, &again)) {
      needed += needed / 64 + 64;
    }
    return needed;
  }
  return 0;
}

mjtSize ct_needed_arena(ct_Batch* b, const int* status) {
  Trial t = {b, NULL, NULL};
  mjtSize needed = 0, used;
  ct_Listener listener;
  ct_listen(&listener);
  for (int i = 0; i < b->setup.count; i++) {
    if (!(status[i] & CT_ARENA_FULL)) continue;
    if (!t.m) t.m = mj_copyModel(NULL, b->model);
    if (!t.m) break;
    if (needed && steps_within(&t, i, needed, &used)) continue;
    needed = arena_for(&t, i, needed);
    if (!needed) break;
  }
  ct_stop_listening(&listener);
  mj_deleteData(t.d);
  mj_deleteModel(t.m);
  return needed;
}
