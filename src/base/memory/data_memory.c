#include "base/memory/data_memory.h"

#include <string.h>

#include "base/memory/arena.h"
#include "base/model/fields.h"
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

// Are the sizes those of the arrays that the model has, each of them? What is made from them would
// read beyond them otherwise.
static bool has_its_arrays(const mjModel* m) {
  return m->nbuffer <= 0 ||
         ct_fields_have_room(ct_model_fields, ct_nmodel_field, m, m, m->buffer, (size_t)m->nbuffer);
}

// The first array, or the arena, whose size makes no sense: negative, or beyond all memory.
static const char* senseless(const mjModel* m) {
  if (m->narena < 0) return "narena";
  for (int i = 0; i < ct_ndata_field; i++) {
    size_t bytes;
    if (!ct_place_fields(ct_data_fields + i, 1, m, NULL, NULL, &bytes)) {
      return ct_data_fields[i].name;
    }
  }
  return "all together";
}

mjData* ct_make_data(const mjModel* m) {
  size_t nbuffer, schedule_room = 0;
  Block block;
  bool good =
      m->narena >= 0 && ct_place_fields(ct_data_fields, ct_ndata_field, m, NULL, NULL, &nbuffer);
  if (good && !has_its_arrays(m)) {
    mju_warning(
        "mj_makeData: the sizes of the model are larger than its own arrays: "
        "restore those that it was made with");
    return NULL;
  }
  if (good) schedule_room = ct_schedule_bytes(m);
  if (!good || !block_layout(&block, schedule_room, nbuffer)) {
    mju_warning("mj_makeData: the sizes of the model ask for more memory than can be addressed: %s",
                senseless(m));
    return NULL;
  }
  // The arena, whose size a file can ask for, comes first: an error handler need not return.
  void* arena = mju_malloc((size_t)m->narena);
  mjData* d = arena ? (mjData*)mju_malloc(block.end) : NULL;
  if (!d) {
    mju_free(arena);
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
  return ct_schedule_bytes(m) == ct_private(d)->schedule_room;
}

bool ct_renew_schedule(const mjModel* m, mjData* d) {
  ct_Schedule* s = &ct_private(d)->schedule;
  bool edited_sizes = ct_schedule_sources(m) != (size_t)s->nsource;
  if (edited_sizes || ct_schedule_is_of(s, m)) return true;
  if (!ct_schedule_fits(d, m)) {
    mju_error(
        "the trees of the model are not those that its mjData was made for: call mj_makeData");
    return false;
  }
  ct_schedule_build(s, (void*)(uintptr_t)ct_schedule_memory(s), m);
  return true;
}

// Copies the struct; arrays lie at the same offsets in dest's own blocks.
static void copy_struct(mjData* dest, const mjData* src) {
  void *buffer = dest->buffer, *arena = dest->arena;
  *dest = *src;
  dest->buffer = buffer;
  dest->arena = arena;
  ct_rebase_fields(ct_data_fields, ct_ndata_field, dest, buffer, src, src->buffer);
  ct_rebase_fields(ct_arena_fields, ct_narena_field, dest, arena, src, src->arena);
}

// The whole buffer but plugin_data, which points at what the plugins of dest own.
static void copy_buffer(mjData* dest, const mjModel* m, const mjData* src) {
  size_t kept = (size_t)((char*)dest->plugin_data - (char*)dest->buffer);
  size_t behind = kept + (size_t)m->nplugin * sizeof(uintptr_t);
  memcpy(dest->buffer, src->buffer, kept);
  memcpy((char*)dest->buffer + behind, (const char*)src->buffer + behind,
         (size_t)dest->nbuffer - behind);
}

// for_scene: what drawing does not need is left as it is.
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

// Arrays of the arena that drawing does not need: their room stays, but nothing leads there.
static void hide_unseen(mjData* d) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    if (ct_field_unseen(f)) *ct_field_pointer(f, d) = NULL;
  }
}

// The schedule's integers, into dest's own memory.
static void copy_schedule(mjData* dest, const mjModel* m, const mjData* src) {
  ct_Schedule* to = &ct_private(dest)->schedule;
  const ct_Schedule* from = &ct_private(src)->schedule;
  void* memory = (void*)(uintptr_t)ct_schedule_memory(to);
  memcpy(memory, ct_schedule_memory(from), ct_schedule_bytes(m));
  *to = *from;
  ct_schedule_place(to, memory, m);
}

void ct_copy_data(mjData* dest, const mjModel* m, const mjData* src, bool for_scene) {
  copy_struct(dest, src);
  CT_POISON(dest->arena, (size_t)dest->narena);
  CT_UNPOISON(dest->arena, dest->parena);
  if (for_scene) {
    copy_arrays(dest, m, src, ct_data_fields, ct_ndata_field, true);
  } else {
    copy_buffer(dest, m, src);
  }
  copy_arrays(dest, m, src, ct_arena_fields, ct_narena_field, for_scene);
  if (for_scene) hide_unseen(dest);
  ct_private(dest)->status = ct_private(src)->status;
  ct_private(dest)->model = ct_private(src)->model;
  ct_private(dest)->models_seen = ct_private(src)->models_seen;
  copy_schedule(dest, m, src);
}

// One fill is faster than many, but plugin, plugin_data and plugin_state have to survive.
void ct_fill_buffer(const mjModel* m, mjData* d, unsigned char byte) {
  if (!m->nplugin && !m->npluginstate) {
    memset(d->buffer, byte, (size_t)d->nbuffer);
    return;
  }
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

// The arena and the block that the arrays are in, unless that is d's own.
static void free_content(mjData* d) {
  CT_UNPOISON(d->arena, (size_t)d->narena);
  mju_free(d->arena);
  mju_free(ct_private(d)->content);
}

void ct_replace_data(mjData* d, mjData* content) {
  free_content(d);
  *d = *content;
  *ct_private(d) = *ct_private(content);
  ct_private(d)->content = content;
}

void ct_free_data(mjData* d) {
  if (!d) return;
  free_content(d);
  mju_free(d);
}
