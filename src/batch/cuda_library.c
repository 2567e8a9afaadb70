// Finds libcorten_cuda.so, which has the backend for GPUs, when the first batch asks for it
// (R11.4).
//
// It is looked for where the environment variable CORTEN_CUDA says, beside the library or program
// that this code is part of, in the folder lib beside a program's bin, and where the loader looks.

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_core.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* library = NULL;

static void* open_beside(const char* below) {
  Dl_info info;
  char path[PATH_MAX], whole[PATH_MAX + 64];
  if (!dladdr((const void*)(uintptr_t)&ct_batch_create, &info) || !info.dli_fname) return NULL;
  if (!realpath(info.dli_fname, path)) return NULL;
  snprintf(whole, sizeof(whole), "%s/%s%s", dirname(path), below, CT_CUDA_LIBRARY);
  return dlopen(whole, RTLD_NOW | RTLD_LOCAL);
}

static void* open_library(char* error, size_t nerror) {
  const char* path = getenv("CORTEN_CUDA");
  void* found = NULL;
  if (path && *path) {
    found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!found) snprintf(error, nerror, "CORTEN_CUDA: %s", dlerror());
    return found;
  }
  found = open_beside("");
  if (!found) found = open_beside("../lib/");
  if (!found) found = dlopen(CT_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!found) snprintf(error, nerror, "%s", dlerror());
  return found;
}

static const ct_Backend* ask_library(char* error, size_t nerror) {
  if (!library) library = open_library(error, nerror);
  if (!library) return NULL;
  void* symbol = dlsym(library, CT_CUDA_ENTRY);
  if (!symbol) {
    snprintf(error, nerror, "%s has no %s", CT_CUDA_LIBRARY, CT_CUDA_ENTRY);
    return NULL;
  }
  ct_BackendEntry entry;
  memcpy(&entry, &symbol, sizeof(entry));
  const ct_Backend* backend = entry(error, nerror);
  if (!backend) return NULL;
  if (backend->version != CT_BACKEND_VERSION || backend->num_bytes != sizeof(mjtNum)) {
    snprintf(error, nerror, "%s belongs to another build of corten", CT_CUDA_LIBRARY);
    return NULL;
  }
  return backend;
}

const ct_Backend* ct_open_cuda_backend(char* error, size_t nerror) {
  pthread_mutex_lock(&lock);
  const ct_Backend* backend = ask_library(error, nerror);
  pthread_mutex_unlock(&lock);
  return backend;
}
