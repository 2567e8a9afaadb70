#include "base/data_memory.h"

#include <string.h>

#include "base/arena.h"
#include "base/fields.h"
#include "base/private.h"

// Where the parts of the block start.
typedef struct {
  size_t schedule, buffer, end;
} Block;

static void* schedule_memory(mjData* d) {
  return (char*)ct_private(d) + CT_ALIGN_UP(sizeof(ct_Private));
}

static bool block_layout(Block* b, size_t schedule_room, size_t nbuffer) {
  b->schedule = CT_ALIGN_UP(sizeof(mjData)) + CT_ALIGN_UP(sizeof(ct_Private));
  return !__builtin_add_overflow(b->schedule, CT_ALIGN_UP(schedule_room), &b->buffer) &&
         !__builtin_add_overflow(b->buffer, nbuffer, &b->end);
}

mjData* ct_make_data(const mjModel* m) {
  size_t nbuffer, schedule_room = ct_schedule_bytes(m);
  Block block;
  if (m->narena < 0 || !ct_place_fields(ct_data_fields, ct_ndata_field, m, NULL, NULL, &nbuffer) ||
      !block_layout(&block, schedule_room, nbuffer)) {
    mju_error("mj_makeData: the sizes of the model ask for more memory than can be addressed");
    return NULL;
  }
  mjData* d = (mjData*)mju_malloc(block.end);
  void* arena = d ? mju_malloc((size_t)m->narena) : NULL;
  if (!arena) {
    mju_free(d);
    return NULL;  // mju_malloc has reported it
  }

  memset((void*)d, 0, block.end);
  d->narena = m->narena;
  d->nbuffer = (mjtSize)nbuffer;
  d->arena = arena;
  d->buffer = (char*)d + block.buffer;
  ct_place_fields(ct_data_fields, ct_ndata_field, m, d, d->buffer, &nbuffer);
  ct_private(d)->schedule_room = schedule_room;
  ct_schedule_build(&ct_private(d)->schedule, schedule_memory(d), m);
  ct_clear_arena(d);
  CT_POISON(arena, (size_t)m->narena);
  return d;
}

bool ct_schedule_fits(const mjData* d, const mjModel* m) {
  return ct_schedule_bytes(m) <= ct_private(d)->schedule_room;
}

static void copy_struct(mjData* dest, const mjData* src) {
  mjData own = *dest;
  *dest = *src;
  dest->buffer = own.buffer;
  dest->arena = own.arena;
  for (int i = 0; i < ct_ndata_field; i++) {
    *ct_field_pointer(ct_data_fields + i, dest) = *ct_field_pointer(ct_data_fields + i, &own);
  }

  // arrays in the arena lie at the same offsets
  for (int i = 0; i < ct_narena_field; i++) {
    const char* from = (const char*)ct_field_array(ct_arena_fields + i, src);
    *ct_field_pointer(ct_arena_fields + i, dest) =
        from ? (char*)dest->arena + (from - (const char*)src->arena) : NULL;
  }
}

static void copy_arrays(mjData* dest, const mjModel* m, const mjData* src, const ct_Field* fields,
                        int nfield, bool for_scene) {
  for (int i = 0; i < nfield; i++) {
    const ct_Field* f = fields + i;
    const void* from = ct_field_array(f, src);
    if (!from || f->offset == offsetof(mjData, plugin_data)) continue;
    if (for_scene && ct_field_unseen(f)) continue;
    size_t bytes = ct_field_bytes(f, m, src);
    if (bytes) memcpy(*ct_field_pointer(f, dest), from, bytes);
  }
}

void ct_copy_data(mjData* dest, const mjModel* m, const mjData* src, bool for_scene) {
  copy_struct(dest, src);
  CT_POISON(dest->arena, (size_t)dest->narena);
  CT_UNPOISON(dest->arena, dest->parena);
  copy_arrays(dest, m, src, ct_data_fields, ct_ndata_field, for_scene);
  copy_arrays(dest, m, src, ct_arena_fields, ct_narena_field, for_scene);
  ct_private(dest)->status = ct_private(src)->status;
  ct_schedule_build(&ct_private(dest)->schedule, schedule_memory(dest), m);
}

void ct_fill_buffer(const mjModel* m, mjData* d, unsigned char byte) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    bool plugins = f->offset == offsetof(mjData, plugin) ||
                   f->offset == offsetof(mjData, plugin_data) ||
                   f->offset == offsetof(mjData, plugin_state);
    if (!plugins) memset(*ct_field_pointer(f, d), byte, ct_field_bytes(f, m, d));
  }
}

void ct_clear_arena(mjData* d) {
  CT_POISON(d->arena, d->parena);
  d->parena = 0;
  for (int i = 0; i < ct_narena_field; i++) *ct_field_pointer(ct_arena_fields + i, d) = NULL;
  d->contact = (mjContact*)d->arena;
}

void ct_free_data(mjData* d) {
  if (!d) return;
  CT_UNPOISON(d->arena, (size_t)d->narena);
  mju_free(d->arena);
  mju_free(d);
}
