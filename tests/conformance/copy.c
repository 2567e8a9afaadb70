#include "conformance/copy.h"

#include <stddef.h>
#include <string.h>

#include "base/memory/arena.h"

bool belongs_to_plugins(const ct_Field* f) {
  return f->offset == offsetof(mjData, plugin) || f->offset == offsetof(mjData, plugin_data);
}

static void copy_counts(mjData* to, const mjData* from) {
  to->ncon = from->ncon;
  to->ne = from->ne;
  to->nf = from->nf;
  to->nl = from->nl;
  to->nefc = from->nefc;
  to->nJ = from->nJ;
  to->nA = from->nA;
  to->nisland = from->nisland;
  to->nidof = from->nidof;
  to->nbody_awake = from->nbody_awake;
  to->nparent_awake = from->nparent_awake;
  to->ntree_awake = from->ntree_awake;
  to->nv_awake = from->nv_awake;
  to->time = from->time;
}

void copy_whole_data(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    if (bytes && !belongs_to_plugins(f))
      memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
  }
  copy_counts(to, from);
  to->parena = 0;
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    const void* array = *(void* const*)((const char*)from + f->offset);
    size_t bytes = array ? ct_field_bytes(f, m, from) : 0;
    void* copy = NULL;
    if (bytes) {
      to->parena = (to->parena + 63) & ~(size_t)63;
      copy = (char*)to->arena + to->parena;
      to->parena += bytes;
      CT_UNPOISON(copy, bytes);
      memcpy(copy, array, bytes);
    }
    *ct_field_pointer(f, to) = copy;
  }
}
