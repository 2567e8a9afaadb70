#include "support/models.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/model_memory.h"
#include "support/fail.h"
#include "support/recorded.h"

#ifndef mjUSESINGLE

static mjModel* load(const char* path) {
  return mj_loadModel(path, NULL);
}

#else

// The library refuses files of another precision, rightly: mjOption has another layout there. Tests
// only need the arrays, which stand at the end of the file.

static size_t bytes_in_file(const ct_Field* f, const mjModel* m) {
  size_t bytes = ct_field_bytes(f, m, NULL);
  return f->type == CT_TYPE_mjtNum ? 2 * bytes : bytes;
}

static void read_array(const ct_Field* f, mjModel* m, const char* from) {
  void* array = *ct_field_pointer(f, m);
  if (f->type != CT_TYPE_mjtNum) {
    memcpy(array, from, bytes_in_file(f, m));
    return;
  }
  for (size_t i = 0; i < bytes_in_file(f, m) / sizeof(double); i++) {
    double x;
    memcpy(&x, from + i * sizeof(double), sizeof(double));
    ((mjtNum*)array)[i] = (mjtNum)x;
  }
}

static mjModel* convert(const char* bytes, size_t size, const char* path) {
  mjModel* sizes = (mjModel*)calloc(1, sizeof(mjModel));
  memcpy(sizes, bytes + 5 * sizeof(int), (size_t)ct_nmodel_size * sizeof(mjtSize));
  char error[200];
  mjModel* m = ct_make_model(sizes, error, sizeof(error));
  free(sizes);
  if (!m) fail_msg("%s: %s", path, error);
  mj_defaultOption(&m->opt);
  for (int i = 0; i < ct_nmodel_field; i++) size -= bytes_in_file(ct_model_fields + i, m);
  for (int i = 0; i < ct_nmodel_field; i++) {
    read_array(ct_model_fields + i, m, bytes + size);
    size += bytes_in_file(ct_model_fields + i, m);
  }
  return m;
}

static mjModel* load(const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  size_t size = (size_t)ftell(f);
  rewind(f);
  char* bytes = (char*)malloc(size);
  if (fread(bytes, 1, size, f) != size) fail_msg("cannot read %s", path);
  fclose(f);
  mjModel* m = convert(bytes, size, path);
  free(bytes);
  return m;
}

#endif

mjModel* recorded_model(const char* name) {
  char path[1024];
  snprintf(path, sizeof(path), "%s/models/%s.mjb", recorded_folder(), name);
  mjModel* m = load(path);
  if (!m) fail_msg("cannot load %s", path);
  return m;
}
