#include "base/model/mjb.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/model/fields.h"
#include "base/model/model_memory.h"
#include "base/model/validate.h"

typedef struct {
  int value;
  const char* meaning;
} HeaderNumber;

static const HeaderNumber header[] = {
    // clang-format off
    {54321, "mark of a binary model"},
    {(int)sizeof(mjtNum), "bytes of a real number"},
    {CT_NMODEL_SIZE, "number of sizes"},
    {mjVERSION_HEADER, "version"},
    {CT_NMODEL_ARRAY, "number of arrays"},
    // clang-format on
};
enum { HEADER_COUNT = sizeof(header) / sizeof(header[0]) };

// The structs between sizes and arrays.
typedef struct {
  size_t offset, bytes;
  const char* name;
} Part;

static const Part parts[] = {
    {offsetof(mjModel, opt), sizeof(mjOption), "opt"},
    {offsetof(mjModel, vis), sizeof(mjVisual), "vis"},
    {offsetof(mjModel, stat), sizeof(mjStatistic), "stat"},
};
enum { PART_COUNT = sizeof(parts) / sizeof(parts[0]) };

// Bytes before the first array.
static size_t front_size(void) {
  size_t size = HEADER_COUNT * sizeof(int) + CT_NMODEL_SIZE * sizeof(mjtSize);
  for (int i = 0; i < PART_COUNT; i++) size += parts[i].bytes;
  return size;
}

size_t ct_mjb_size(const mjModel* m) {
  size_t size = front_size();
  for (int i = 0; i < ct_nmodel_field; i++) size += ct_field_bytes(ct_model_fields + i, m, NULL);
  return size;
}

bool ct_mjb_write(const mjModel* m, ct_MjbSink write, void* sink) {
  for (int i = 0; i < HEADER_COUNT; i++) {
    if (!write(sink, &header[i].value, sizeof(int))) return false;
  }
  for (int i = 0; i < ct_nmodel_size; i++) {
    if (!write(sink, (const char*)m + ct_model_sizes[i].offset, sizeof(mjtSize))) return false;
  }
  for (int i = 0; i < PART_COUNT; i++) {
    if (!write(sink, (const char*)m + parts[i].offset, parts[i].bytes)) return false;
  }
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    size_t bytes = ct_field_bytes(f, m, NULL);
    if (bytes && !write(sink, ct_field_array(f, m), bytes)) return false;
  }
  return true;
}

// Bytes being read; taking from them never goes beyond the end.
typedef struct {
  const char* bytes;
  size_t left;
} Reader;

static bool take(Reader* r, void* to, size_t n) {
  if (n > r->left) return false;
  if (n) memcpy(to, r->bytes, n);
  r->bytes += n;
  r->left -= n;
  return true;
}

static bool read_header(Reader* r, char* error, size_t nerror) {
  int found[HEADER_COUNT];
  if (!take(r, found, sizeof(found))) {
    snprintf(error, nerror, "only %zu bytes, not even a header", r->left);
    return false;
  }
  for (int i = 0; i < HEADER_COUNT; i++) {
    if (found[i] != header[i].value) {
      // what is no model is not quoted: it may be a file of other secrets
      if (i == 0) {
        snprintf(error, nerror, "not a binary model: its first number is not their mark");
      } else {
        snprintf(
            error, nerror,
            "header number %d (%s) is %d, expected %d: saved by another version; save it again "
            "with this one",
            i, header[i].meaning, found[i], header[i].value);
      }
      return false;
    }
  }
  return true;
}

// Reads the sizes into a struct that has nothing else, and checks what they promise against what is
// there.
static bool read_sizes(Reader* r, mjModel* sizes, char* error, size_t nerror) {
  memset(sizes, 0, sizeof(*sizes));
  for (int i = 0; i < ct_nmodel_size; i++) {
    if (!take(r, (char*)sizes + ct_model_sizes[i].offset, sizeof(mjtSize))) {
      snprintf(error, nerror, "ends within the sizes, at %s", ct_model_sizes[i].name);
      return false;
    }
  }
  if (!ct_check_sizes(sizes, error, nerror)) return false;

  // before any memory is asked for: a few bytes must not make us allocate gigabytes
  size_t needed = front_size() - HEADER_COUNT * sizeof(int) - CT_NMODEL_SIZE * sizeof(mjtSize);
  for (int i = 0; i < ct_nmodel_field; i++) {
    size_t bytes;
    if (!ct_field_bytes_checked(ct_model_fields + i, sizes, &bytes) ||
        __builtin_add_overflow(needed, bytes, &needed) || needed > r->left) {
      snprintf(error, nerror, "ends early: %zu bytes after the sizes do not reach the end of %s",
               r->left, ct_model_fields[i].name);
      return false;
    }
  }
  if (needed < r->left) {
    snprintf(error, nerror, "%zu bytes left over after the last array", r->left - needed);
    return false;
  }
  return true;
}

// Do the sizes that follow from others have the stored values?
static bool derived_sizes_agree(const mjModel* m, const mjModel* stored, char* error,
                                size_t nerror) {
  const char* name = NULL;
  mjtSize is = 0, expected = 0;
  if (m->nnames_map != stored->nnames_map) {
    name = "nnames_map", is = stored->nnames_map, expected = m->nnames_map;
  } else if (m->nbuffer != stored->nbuffer) {
    name = "nbuffer", is = stored->nbuffer, expected = m->nbuffer;
  }
  if (name) {
    snprintf(error, nerror, "size %s is %lld, but the other sizes make it %lld", name,
             (long long)is, (long long)expected);
  }
  return !name;
}

mjModel* ct_mjb_read(const void* bytes, size_t size, char* error, size_t nerror) {
  Reader r = {(const char*)bytes, size};
  mjModel sizes;
  if (!read_header(&r, error, nerror) || !read_sizes(&r, &sizes, error, nerror)) return NULL;

  mjModel* m = ct_make_model(&sizes, error, nerror);
  if (!m) return NULL;
  if (!derived_sizes_agree(m, &sizes, error, nerror)) {
    ct_free_model(m);
    return NULL;
  }

  // read_sizes has made sure that all of this is there
  for (int i = 0; i < PART_COUNT; i++) take(&r, (char*)m + parts[i].offset, parts[i].bytes);
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    take(&r, *ct_field_pointer(f, m), ct_field_bytes(f, m, NULL));
  }

  const char* problem = mj_validateReferences(m);
  if (problem) {
    snprintf(error, nerror, "%s", problem);
    ct_free_model(m);
    return NULL;
  }
  return m;
}
