#include "base/model/model_memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/model/fields.h"

static atomic_uint models_written;

unsigned ct_models_written(void) {
  return atomic_load_explicit(&models_written, memory_order_relaxed);
}

static void count_model(void) {
  atomic_fetch_add_explicit(&models_written, 1, memory_order_relaxed);
}

// Writes which size is wrong. Slow, but only wrong sizes get here.
static bool refuse_size(size_t offset, mjtSize n, char* error, size_t nerror) {
  const char* name = "";
  for (int i = 0; i < ct_nmodel_size; i++) {
    if (ct_model_sizes[i].offset == offset) name = ct_model_sizes[i].name;
  }
  snprintf(error, nerror, "size %s is %lld, allowed are 0 to %d", name, (long long)n, INT_MAX - 1);
  return false;
}

// Pixels, texts and the arena may take more than other arrays, which are indexed by int.
static bool size_is_good(size_t offset, mjtSize n) {
  bool big = offset == offsetof(mjModel, ntexdata) || offset == offsetof(mjModel, ntextdata) ||
             offset == offsetof(mjModel, narena);
  return n >= 0 && (big || n < INT_MAX);
}

// The sizes that count rows and columns of these arrays.
static bool check_counts(const ct_Field* fields, int nfield, const mjModel* sizes, char* error,
                         size_t nerror) {
  for (int i = 0; i < nfield; i++) {
    const size_t offsets[] = {fields[i].rows, fields[i].columns};
    for (int k = 0; k < 2; k++) {
      if (offsets[k] == CT_NO_MEMBER || offsets[k] == offsetof(mjModel, nnames_map)) continue;
      mjtSize n = ct_model_size(sizes, offsets[k]);
      if (!size_is_good(offsets[k], n)) return refuse_size(offsets[k], n, error, nerror);
    }
  }
  return true;
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
  if (!check_counts(ct_model_fields, ct_nmodel_field, sizes, error, nerror) ||
      !check_counts(ct_data_fields, ct_ndata_field, sizes, error, nerror)) {
    return false;
  }
  if (!size_is_good(offsetof(mjModel, narena), sizes->narena)) {
    return refuse_size(offsetof(mjModel, narena), sizes->narena, error, nerror);
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

// A model of many megabytes is filled at once: with large pages, where the system has them, that
// takes a fraction of the time. Whole ones inside the buffer only, and only memory of our own.
static void ask_for_large_pages(void* buffer, size_t nbuffer) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = 2u << 20;
  if (mju_user_malloc || nbuffer < 2 * page) return;
  uintptr_t first = ((uintptr_t)buffer + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)buffer + nbuffer) / page * page;
  if (first < end) madvise((void*)first, end - first, MADV_HUGEPAGE);
#else
  (void)buffer;
  (void)nbuffer;
#endif
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
  count_model();
  ask_for_large_pages(buffer, nbuffer);
  memset(buffer, 0, nbuffer);
  ct_place_fields(ct_model_fields, ct_nmodel_field, m, m, buffer, &nbuffer);
  return m;
}

// Copies the struct; arrays lie at the same offsets in dest's own buffer.
static void copy_struct(mjModel* dest, const mjModel* src) {
  void* buffer = dest->buffer;
  *dest = *src;
  dest->buffer = buffer;
  ct_rebase_fields(ct_model_fields, ct_nmodel_field, dest, buffer, src, src->buffer);
}

static void copy_array(mjModel* dest, const mjModel* src, const ct_Field* f) {
  size_t bytes = ct_field_bytes(f, src, NULL);
  if (bytes) memcpy(*ct_field_pointer(f, dest), ct_field_array(f, src), bytes);
}

// Struct and arrays, between models of equal sizes; dest keeps its own memory.
static void copy_model(mjModel* dest, const mjModel* src) {
  copy_struct(dest, src);
  memcpy(dest->buffer, src->buffer, (size_t)src->nbuffer);
  count_model();
}

// The same without the arrays that only building, loading and drawing of assets need.
static void copy_model_for_scene(mjModel* dest, const mjModel* src) {
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

// Public functions

mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  if (!src) {
    mju_warning("mj_copyModel: the source is NULL");
    return NULL;
  }
  if (!dest) {
    char error[512];
    dest = ct_make_model(src, error, sizeof(error));
    if (!dest) {
      mju_error("mj_copyModel: %s", error);
      return NULL;
    }
  }
  if (dest->nbuffer != src->nbuffer) {
    mj_deleteModel(dest);
    mju_error("mj_copyModel: dest and src have different sizes; pass NULL to get a new model");
    return NULL;
  }
  if (dest != src) copy_model(dest, src);
  return dest;
}

void mjv_copyModel(mjModel* dest, const mjModel* src) {
  if (dest->nbuffer != src->nbuffer) {
    mju_error("mjv_copyModel: dest and src have different sizes");
    return;
  }
  if (dest != src) copy_model_for_scene(dest, src);
}

void mj_deleteModel(mjModel* m) {
  ct_free_model(m);
}
