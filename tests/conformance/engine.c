#include "conformance/engine.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/two_libraries.h"

EngineTrap engine_trap;

static void on_error(const char* message) {
  snprintf(engine_trap.message, sizeof(engine_trap.message), "%s", message);
  longjmp(engine_trap.back, 1);
}

// Warnings are part of the data that is compared; their text is not wanted on the terminal.
static void on_warning(const char* message) {
  (void)message;
}

static void set_handler(void* library, const char* name, void (*handler)(const char*)) {
  void (**variable)(const char*) = (void (**)(const char*))library_variable(library, name);
  if (variable) *variable = handler;
}

// The reference's cache can hand out stale assets; an engine without one has nothing to switch off.
static void disable_cache(void* library) {
  __typeof__(&mj_getCache) get = LIBRARY_FUNCTION(library, mj_getCache);
  __typeof__(&mj_setCacheCapacity) set = LIBRARY_FUNCTION(library, mj_setCacheCapacity);
  if (!get || !set) return;
  mjCache* cache = NULL;
  ENGINE_TRY(cache = (mjCache*)get(), cache = NULL);
  if (cache) ENGINE_TRY(set(cache, 0), (void)0);
}

Engine engine_open(const char* path, const char* label) {
  Engine e;
  memset(&e, 0, sizeof(e));
  e.label = label;
  e.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!e.handle) {
    fprintf(stderr, "cannot open %s: %s\n", label, dlerror());
    exit(NO_ENGINE);
  }
#define ENGINE_LOOK_UP_(name_)                                            \
  e.name_ = LIBRARY_FUNCTION(e.handle, name_);                            \
  if (!e.name_) {                                                         \
    fprintf(stderr, "%s (%s) has no function %s\n", label, path, #name_); \
    exit(NO_ENGINE);                                                      \
  }
  ENGINE_FUNCTIONS(ENGINE_LOOK_UP_)
#undef ENGINE_LOOK_UP_
  set_handler(e.handle, "mju_user_error", on_error);
  set_handler(e.handle, "mju_user_warning", on_warning);
  disable_cache(e.handle);
  return e;
}

static int is_library(const struct dirent* entry) {
  size_t n = strlen(entry->d_name);
  return n > 3 && !strcmp(entry->d_name + n - 3, ".so");
}

static int load_from(const Engine* e, const char* folder) {
  char file[8192];
  struct dirent** entries = NULL;
  int found = scandir(folder, &entries, is_library, alphasort);
  int volatile loaded = 0;
  for (int i = 0; i < found; i++) {
    snprintf(file, sizeof(file), "%s/%s", folder, entries[i]->d_name);
    ENGINE_TRY(
        {
          e->mj_loadPluginLibrary(file);
          loaded++;
        },
        fprintf(stderr, "%s: %s\n", file, engine_trap.message));
    free(entries[i]);
  }
  free(entries);
  return loaded;
}

int engine_load_plugins(const Engine* e, const char* path) {
  static const char* const below[] = {"plugin", "corten/plugin"};
  char folder[4096];
  const char* slash = strrchr(path, '/');
  int loaded = 0;
  for (int i = 0; i < 2 && !loaded; i++) {
    snprintf(folder, sizeof(folder), "%.*s/%s", slash ? (int)(slash - path) : 1, slash ? path : ".",
             below[i]);
    loaded = load_from(e, folder);
  }
  return loaded;
}

bool says_missing(const char* message) {
  return strstr(message, "not part of this version") ||
         (strstr(message, "plugin") && strstr(message, "registered"));
}

bool engine_lacks_function(void) {
  return says_missing(engine_trap.message);
}
