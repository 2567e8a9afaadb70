// A backend in place of libcorten_cuda.so, to fail on demand: it has no environments, only says
// yes.
//
// BROKEN_DEVICE in the environment: "full" has no room for any batch, a number makes so many steps
// and then fails.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"

typedef struct {
  int left;  // steps until it fails
  const char* error;
} Device;

static int estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                    size_t nerror) {
  (void)setup, (void)error, (void)nerror;
  *each = 1000;
  *once = 0;
  return CT_BATCH_OK;
}

static void* create(ct_BatchSetup* setup, char* error, size_t nerror) {
  const char* how = getenv("BROKEN_DEVICE");
  Device* device = (Device*)calloc(1, sizeof(Device));
  if (device && how && strcmp(how, "full") != 0) {
    device->left = atoi(how);
    device->error = "";
    return device;
  }
  free(device);
  snprintf(error, nerror, "%d environments of 1000 bytes do not fit; 3 would", setup->count);
  return NULL;
}

static void destroy(void* self) {
  free(self);
}

static const char* last_error(void* self) {
  return ((Device*)self)->error;
}

static int run(void* self, const ct_BatchRun* r) {
  Device* device = (Device*)self;
  (void)r;
  if (device->left-- > 0) return CT_BATCH_OK;
  device->error = "GPU 0 is lost";
  return CT_BATCH_DEVICE_FAILED;
}

static int read_field(void* self, const ct_BatchField* field, const mjtByte* mask, void* to) {
  (void)self, (void)field, (void)mask, (void)to;
  return CT_BATCH_OK;
}

static const ct_Backend backend = {
    .version = CT_BACKEND_VERSION,
    .num_bytes = sizeof(mjtNum),
    .name = "broken",
    .estimate = estimate,
    .create = create,
    .destroy = destroy,
    .error = last_error,
    .run = run,
    .read = read_field,
};

const ct_Backend* ct_cuda_backend(char* error, size_t nerror);
const ct_Backend* ct_cuda_backend(char* error, size_t nerror) {
  (void)error, (void)nerror;
  return &backend;
}
