#include "support/models.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "base/model/model_memory.h"
#include "support/fail.h"
#include "support/recorded.h"

#ifndef mjUSESINGLE

static mjModel* load(const unsigned char* bytes, size_t size, const char* name) {
  (void)name;
  return mj_loadModelBuffer(bytes, (int)size);
}

#else

// The library refuses files of another precision, rightly: mjOption has another layout there. Tests
// only need the arrays, which stand at the end of the file.

static size_t bytes_in_file(const ct_Field* f, const mjModel* m) {
  size_t bytes = ct_field_bytes(f, m, NULL);
  return f->type == CT_TYPE_mjtNum ? 2 * bytes : bytes;
}

static void read_array(const ct_Field* f, mjModel* m, const unsigned char* from) {
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

static mjModel* load(const unsigned char* bytes, size_t size, const char* name) {
  mjModel* sizes = (mjModel*)calloc(1, sizeof(mjModel));
  memcpy(sizes, bytes + 5 * sizeof(int), (size_t)ct_nmodel_size * sizeof(mjtSize));
  char error[200];
  mjModel* m = ct_make_model(sizes, error, sizeof(error));
  free(sizes);
  if (!m) fail_msg("%s: %s", name, error);
  mj_defaultOption(&m->opt);
  for (int i = 0; i < ct_nmodel_field; i++) size -= bytes_in_file(ct_model_fields + i, m);
  for (int i = 0; i < ct_nmodel_field; i++) {
    read_array(ct_model_fields + i, m, bytes + size);
    size += bytes_in_file(ct_model_fields + i, m);
  }
  return m;
}

#endif

enum { MOST_MODELS = 256, NAME_BYTES = 64 };

static int by_name(const void* a, const void* b) {
  return strcmp((const char*)a, (const char*)b);
}

const char* recorded_model_name(int i) {
  static char names[MOST_MODELS][NAME_BYTES];
  static int count;
  if (!count) {
    char path[1024];
    snprintf(path, sizeof(path), "%s/models", recorded_folder());
    DIR* folder = opendir(path);
    if (!folder) fail_msg("cannot open %s", path);
    for (struct dirent* entry; (entry = readdir(folder)) && count < MOST_MODELS;) {
      const char* end = strstr(entry->d_name, ".mjb");
      if (end) {
        snprintf(names[count++], NAME_BYTES, "%.*s", (int)(end - entry->d_name), entry->d_name);
      }
    }
    closedir(folder);
    qsort(names, (size_t)count, NAME_BYTES, by_name);
  }
  return i < count ? names[i] : NULL;
}

unsigned char* recorded_model_bytes(const char* name, size_t* size) {
  char path[1024];
  const char* folder = strchr(name, '/') ? "" : "models/";
  snprintf(path, sizeof(path), "%s/%s%s.mjb", recorded_folder(), folder, name);
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("cannot open %s", path);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  unsigned char* bytes = (unsigned char*)malloc(*size);
  if (fread(bytes, 1, *size, f) != *size) fail_msg("cannot read %s", path);
  fclose(f);
  return bytes;
}

mjModel* recorded_model(const char* name) {
  size_t size;
  unsigned char* bytes = recorded_model_bytes(name, &size);
  mjModel* m = load(bytes, size, name);
  free(bytes);
  if (!m) fail_msg("model %s does not load", name);
  return m;
}
