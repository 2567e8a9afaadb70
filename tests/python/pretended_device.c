// A backend in place of libcorten_cuda.so that computes on the host and says that its memory is a
// GPU's, so that the way of arrays from and to a device can be tested where there is none. What it
// is told about streams it keeps in a list of words that a test reads.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"

static ct_Backend backend;
static char told[1000];

static void note(const char* what, void* stream) {
  size_t used = strlen(told);
  snprintf(told + used, sizeof(told) - used, "%s%s %zu", used ? ", " : "", what, (size_t)stream);
}

static int view(void* self, const ct_BatchField* field, ct_BatchView* to) {
  int code = ct_cpu_backend.view(self, field, to);
  to->on_device = 1;
  return code;
}

static int set_stream(void* self, void* stream) {
  (void)self;
  note("set", stream);
  return CT_BATCH_OK;
}

static int order(void* self, void* stream, bool follow) {
  (void)self;
  note(follow ? "follow" : "lead", stream);
  return CT_BATCH_OK;
}

// What was said of streams since the last time.
const char* pretended_streams(void);
const char* pretended_streams(void) {
  static char last[sizeof(told)];
  memcpy(last, told, sizeof(told));
  told[0] = 0;
  return last;
}

const ct_Backend* ct_cuda_backend(char* error, size_t nerror);
const ct_Backend* ct_cuda_backend(char* error, size_t nerror) {
  (void)error, (void)nerror;
  backend = ct_cpu_backend;
  backend.name = "pretended";
  backend.view = view;
  backend.set_stream = set_stream;
  backend.order = order;
  backend.set_hooks = NULL;
  backend.apply = NULL;
  return &backend;
}
