#include "base/model_memory.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"

// Does a size count the rows or columns of some array?
static bool counts_in(const ct_Field* fields, int nfield, size_t offset) {
  for (int i = 0; i < nfield; i++) {
    if ((!fields[i].rows_in_data && fields[i].rows == offset) || fields[i].columns == offset) {
      return true;
    }
  }
  return false;
}

static bool counts_something(size_t offset) {
  return counts_in(ct_model_fields, ct_nmodel_field, offset) ||
         counts_in(ct_data_fields, ct_ndata_field, offset);
}

// Two slots for every object that can have a name.
static mjtSize names_map_size(const mjModel* m) {
  mjtSize total = 0;
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    if (f->target.size == offsetof(mjModel, nnames)) total += ct_model_size(m, f->rows);
  }
  return 2 * total;
}

bool ct_check_sizes(const mjModel* sizes, char* error, size_t nerror) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    const ct_Member* s = ct_model_sizes + i;
    mjtSize n = ct_model_size(sizes, s->offset);
    bool derived =
        s->offset == offsetof(mjModel, nnames_map) || s->offset == offsetof(mjModel, nbuffer);
    if (derived || (!counts_something(s->offset) && s->offset != offsetof(mjModel, narena)))
      continue;

    // pixels, texts and the arena may take more than other arrays, which are indexed by int
    bool big = s->offset == offsetof(mjModel, ntexdata) ||
               s->offset == offsetof(mjModel, ntextdata) || s->offset == offsetof(mjModel, narena);
    if (n < 0 || (!big && n >= INT_MAX)) {
      snprintf(error, nerror, "size %s is %lld, allowed are 0 to %d", s->name, (long long)n,
               INT_MAX - 1);
      return false;
    }
  }
  if (sizes->nbody == 0) {
    snprintf(error, nerror, "size nbody is 0, but every model has the world body");
    return false;
  }
  if (names_map_size(sizes) >= INT_MAX) {
    snprintf(error, nerror, "more objects than the table of names can hold");
    return false;
  }
  return true;
}

mjModel* ct_make_model(const mjModel* sizes, char* error, size_t nerror) {
  if (!ct_check_sizes(sizes, error, nerror)) return NULL;

  mjModel layout;
  memset(&layout, 0, sizeof(layout));
  for (int i = 0; i < ct_nmodel_size; i++) {
    size_t at = ct_model_sizes[i].offset;
    memcpy((char*)&layout + at, (const char*)sizes + at, sizeof(mjtSize));
  }
  layout.nnames_map = names_map_size(&layout);

  size_t nbuffer;
  if (!ct_place_fields(ct_model_fields, ct_nmodel_field, &layout, NULL, NULL, &nbuffer)) {
    snprintf(error, nerror, "the sizes ask for more memory than can be addressed");
    return NULL;
  }
  layout.nbuffer = (mjtSize)nbuffer;

  mjModel* m = (mjModel*)mju_malloc(sizeof(mjModel));
  void* buffer = m ? mju_malloc(nbuffer) : NULL;
  if (!buffer) {
    mju_free(m);
    snprintf(error, nerror, "no memory for %zu bytes", nbuffer);
    return NULL;
  }
  *m = layout;
  m->buffer = buffer;
  memset(buffer, 0, nbuffer);
  ct_place_fields(ct_model_fields, ct_nmodel_field, m, m, buffer, &nbuffer);
  return m;
}

// Copies the struct, but leaves dest's pointers alone.
static void copy_struct(mjModel* dest, const mjModel* src) {
  mjModel own = *dest;
  *dest = *src;
  dest->buffer = own.buffer;
  for (int i = 0; i < ct_nmodel_field; i++) {
    *ct_field_pointer(ct_model_fields + i, dest) = *ct_field_pointer(ct_model_fields + i, &own);
  }
}

static void copy_array(mjModel* dest, const mjModel* src, const ct_Field* f) {
  size_t bytes = ct_field_bytes(f, src, NULL);
  if (bytes) memcpy(*ct_field_pointer(f, dest), ct_field_array(f, src), bytes);
}

void ct_copy_model(mjModel* dest, const mjModel* src) {
  copy_struct(dest, src);
  for (int i = 0; i < ct_nmodel_field; i++) copy_array(dest, src, ct_model_fields + i);
}

void ct_copy_model_for_scene(mjModel* dest, const mjModel* src) {
  copy_struct(dest, src);
  for (int i = 0; i < ct_nmodel_field; i++) {
    if (!ct_field_unseen(ct_model_fields + i)) copy_array(dest, src, ct_model_fields + i);
  }
}

void ct_free_model(mjModel* m) {
  if (!m) return;
  mju_free(m->buffer);
  mju_free(m);
}
