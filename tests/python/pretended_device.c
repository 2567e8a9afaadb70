// A backend in place of libcorten_cuda.so that computes on the host and says that its memory is a
// GPU's, so that the way of arrays from and to a device can be tested where there is none.

#include <stdlib.h>

#include "batch/backend.h"

static ct_Backend backend;

static int view(void* self, const ct_BatchField* field, ct_BatchView* to) {
  int code = ct_cpu_backend.view(self, field, to);
  to->on_device = 1;
  return code;
}

static int set_stream(void* self, void* stream) {
  (void)self, (void)stream;
  return CT_BATCH_OK;
}

const ct_Backend* ct_cuda_backend(char* error, size_t nerror);
const ct_Backend* ct_cuda_backend(char* error, size_t nerror) {
  (void)error, (void)nerror;
  backend = ct_cpu_backend;
  backend.name = "pretended";
  backend.view = view;
  backend.set_stream = set_stream;
  backend.set_hooks = NULL;
  backend.apply = NULL;
  return &backend;
}
