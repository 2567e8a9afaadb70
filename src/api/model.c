// Public functions that save and load models as .mjb.

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "base/model/mjb.h"

enum { ERROR_BYTES = 512 };

mjtSize mj_sizeModel(const mjModel* m) {
  return (mjtSize)ct_mjb_size(m);
}

static bool write_to_file(void* sink, const void* piece, size_t size) {
  return fwrite(piece, 1, size, (FILE*)sink) == size;
}

static bool write_to_memory(void* sink, const void* piece, size_t size) {
  char** end = (char**)sink;
  memcpy(*end, piece, size);
  *end += size;
  return true;
}

static void save_to_file(const mjModel* m, const char* filename) {
  FILE* f = fopen(filename, "wb");
  if (!f) {
    mju_warning("mj_saveModel: cannot open '%s': %s", filename, strerror(errno));
    return;
  }
  bool written = ct_mjb_write(m, write_to_file, f);
  if (fclose(f) != 0 || !written) {
    mju_warning("mj_saveModel: cannot write '%s': %s", filename, strerror(errno));
  }
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  if (filename) {
    save_to_file(m, filename);
    return;
  }
  size_t size = ct_mjb_size(m);
  if (!buffer || buffer_sz < 0 || (size_t)buffer_sz < size) {
    mju_error("mj_saveModel: the buffer has %d bytes, the model needs %zu (mj_sizeModel)",
              buffer_sz, size);
    return;
  }
  char* end = (char*)buffer;
  ct_mjb_write(m, write_to_memory, &end);
}

mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz) {
  char error[ERROR_BYTES] = "no bytes";
  mjModel* m = NULL;
  if (buffer && buffer_sz > 0) m = ct_mjb_read(buffer, (size_t)buffer_sz, error, sizeof(error));
  if (!m) mju_warning("mj_loadModelBuffer: %s", error);
  return m;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  char error[ERROR_BYTES] = "";
  mjResource* resource = mju_openResource("", filename, vfs, error, sizeof(error));
  if (!resource) {
    mju_warning("mj_loadModel: %s", error);
    return NULL;
  }
  const void* bytes = NULL;
  int size = mju_readResource(resource, &bytes);
  mjModel* m = NULL;
  if (size < 0) {
    snprintf(error, sizeof(error), "cannot be read");
  } else {
    m = ct_mjb_read(bytes, (size_t)size, error, sizeof(error));
  }
  mju_closeResource(resource);
  if (!m) mju_warning("mj_loadModel: '%s': %s", filename, error);
  return m;
}
