// Where the arrays of the arena lie: contacts first, then one group of arrays after the other, as
// stages find out how many rows, islands and entries there are. The column `placed` of
// schema/data.def says which arrays form a group; within it they lie in the order of the schema,
// each at the next multiple of its element's size.

#ifndef CT_BASE_MEMORY_ARENA_ARRAYS_H_
#define CT_BASE_MEMORY_ARENA_ARRAYS_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/memory/arena.h"

typedef enum ct_Placed_ {  // the schema's words
  CT_PLACED_CONTACTS,
  CT_PLACED_ROWS,
  CT_PLACED_ISLANDS,
  CT_PLACED_AR_ROWS,
  CT_PLACED_AR,
  CT_PLACED_AR_COLUMNS,
} ct_Placed;

// Moves *end behind an array of that many elements and returns where it starts.
LANE_INLINE size_t ct_next_place(size_t* end, mjtSize count, size_t element) {
  size_t start = (*end + element - 1) & ~(element - 1);
  *end = start + (size_t)count * element;
  return start;
}

// Places the arrays of a group, the first of them at `start`, without asking for room, and returns
// where the last one ends. The group is a constant of the caller, so nothing remains of the others.
LANE_INLINE size_t ct_walk_arrays_(const mjModel* m, mjData* d, ct_Placed group, size_t start) {
  size_t end = start;
#define MODEL(size_) m->size_
#define DATA(count_) d->count_
#define BY(n_) n_
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc)               \
  if (group == CT_PLACED_##placed) {                                         \
    size_t at = ct_next_place(&end, (mjtSize)(rows) * (cols), sizeof(type)); \
    d->name = (type*)(void*)((char*)d->arena + at);                          \
  }
#include "data.def"
#undef MODEL
#undef DATA
#undef BY
  return end;
}

// Places a group of arrays, for the counts that d has, behind what the arena holds; false, and the
// arrays are nowhere, without room for all of them. By one lane.
LANE_INLINE bool ct_place_arrays(const mjModel* m, mjData* d, ct_Placed group) {
  size_t start = d->parena, end = ct_walk_arrays_(m, d, group, start);
  if (ct_arena_alloc(d, end - start, 1)) return true;
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc) \
  if (group == CT_PLACED_##placed) d->name = NULL;
#include "data.def"
  return false;
}

// Contacts stay, everything behind them in the arena goes. By one lane.
LANE_INLINE void ct_forget_row_arrays(mjData* d) {
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc) \
  if (CT_PLACED_##placed != CT_PLACED_CONTACTS) d->name = NULL;
#include "data.def"
  ct_arena_cut(d, (size_t)d->ncon * sizeof(mjContact));
}

// Forgets rows and islands and gives their memory back; contacts stay, without rows.
LANE_FN static inline void ct_forget_rows(Lane g, mjData* d) {
  lane_sync(g);
  LANE_ONCE(g) {
    ct_forget_row_arrays(d);
    d->nefc = d->nisland = 0;
  }
  LANE_FOR(c, g, d->ncon) {
    d->contact[c].efc_address = -1;
  }
  lane_sync(g);
}

#endif  // CT_BASE_MEMORY_ARENA_ARRAYS_H_
