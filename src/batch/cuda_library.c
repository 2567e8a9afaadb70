// Finds the libraries that have the backend for GPUs, each when the first batch asks for it
// (R11.4): libcorten_cuda.so has the arithmetic of this build, libcorten_cuda_fast.so and
// libcorten_cuda_float.so that of CT_PRECISION_FAST and CT_PRECISION_FLOAT.
//
// Each is looked for where an environment variable says, beside the library or program that this
// code is part of, in the folder lib beside a program's bin, and where the loader looks.

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_core.h"

typedef struct {
  const char *file, *variable;
  void* handle;
} Library;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Library libraries[] = {
    // by ct_BatchPrecision
    {"libcorten_cuda.so", "CORTEN_CUDA", NULL},
    {"libcorten_cuda_fast.so", "CORTEN_CUDA_FAST", NULL},
    {"libcorten_cuda_float.so", "CORTEN_CUDA_FLOAT", NULL},
};

static void* open_beside(const char* below, const char* file) {
  Dl_info info;
  char path[PATH_MAX], whole[PATH_MAX + 64];
  if (!dladdr((const void*)(uintptr_t)&ct_batch_create, &info) || !info.dli_fname) return NULL;
  if (!realpath(info.dli_fname, path)) return NULL;
  snprintf(whole, sizeof(whole), "%s/%s%s", dirname(path), below, file);
  return dlopen(whole, RTLD_NOW | RTLD_LOCAL);
}

static void* open_library(const Library* l, char* error, size_t nerror) {
  const char* path = getenv(l->variable);
  void* found = NULL;
  if (path && *path) {
    found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!found) snprintf(error, nerror, "%s: %s", l->variable, dlerror());
    return found;
  }
  found = open_beside("", l->file);
  if (!found) found = open_beside("../lib/", l->file);
  if (!found) found = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);
  if (!found) snprintf(error, nerror, "%s", dlerror());
  return found;
}

// The function that a library exports under a name.
static void* find_entry(Library* l, const char* name, char* error, size_t nerror) {
  if (!l->handle) l->handle = open_library(l, error, nerror);
  if (!l->handle) return NULL;
  void* symbol = dlsym(l->handle, name);
  if (!symbol) snprintf(error, nerror, "%s has no %s", l->file, name);
  return symbol;
}

static const ct_Backend* refuse_stranger(const Library* l, char* error, size_t nerror) {
  snprintf(error, nerror, "%s belongs to another build of corten", l->file);
  return NULL;
}

static const ct_Backend* ask_library(Library* l, char* error, size_t nerror) {
  void* symbol = find_entry(l, CT_CUDA_ENTRY, error, nerror);
  ct_BackendEntry entry;
  if (!symbol) return NULL;
  memcpy(&entry, &symbol, sizeof(entry));
  const ct_Backend* backend = entry(error, nerror);
  if (!backend) return NULL;
  bool ours = backend->version == CT_BACKEND_VERSION && backend->num_bytes == sizeof(mjtNum);
  return ours ? backend : refuse_stranger(l, error, nerror);
}

static const ct_Backend* ask_float_library(Library* l, char* error, size_t nerror) {
  void* symbol = find_entry(l, CT_FLOAT_GATE_ENTRY, error, nerror);
  ct_FloatGateEntry entry;
  if (!symbol) return NULL;
  memcpy(&entry, &symbol, sizeof(entry));
  const ct_FloatGate* gate = entry(error, nerror);
  if (!gate) return NULL;
  bool ours = gate->version == CT_BACKEND_VERSION && gate->backend->num_bytes == sizeof(float);
  return ours ? ct_float_backend(gate) : refuse_stranger(l, error, nerror);
}

// A build in float has float in its own library. FAST may be strict where nothing faster is there.
static const ct_Backend* ask_for(int precision, char* error, size_t nerror) {
  bool wide = sizeof(mjtNum) == sizeof(double);
  if (wide && precision == CT_PRECISION_FLOAT) {
    return ask_float_library(libraries + CT_PRECISION_FLOAT, error, nerror);
  }
  if (wide && precision == CT_PRECISION_FAST) {
    const ct_Backend* fast = ask_library(libraries + CT_PRECISION_FAST, error, nerror);
    if (fast || getenv(libraries[CT_PRECISION_FAST].variable)) return fast;
  }
  return ask_library(libraries + CT_PRECISION_STRICT, error, nerror);
}

const ct_Backend* ct_open_cuda_backend(int precision, char* error, size_t nerror) {
  pthread_mutex_lock(&lock);
  const ct_Backend* backend = ask_for(precision, error, nerror);
  pthread_mutex_unlock(&lock);
  return backend;
}
