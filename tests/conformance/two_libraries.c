#include "conformance/two_libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* open_or_exit(const char* path) {
  void* library = dlopen(path, RTLD_LOCAL | RTLD_NOW);
  if (!library) {
    fprintf(stderr, "cannot open the library: %s\n", dlerror());
    exit(2);
  }
  return library;
}

TwoLibraries two_libraries_open(const char* reference_path, const char* corten_path) {
  TwoLibraries libraries;
  libraries.reference = open_or_exit(reference_path);
  libraries.corten = open_or_exit(corten_path);
  return libraries;
}

AnyFunction library_function(void* library, const char* name) {
  void* address = dlsym(library, name);
  AnyFunction function;
  memcpy(&function, &address, sizeof(function));  // C has no cast from object to function pointers
  return function;
}

void* library_variable(void* library, const char* name) {
  return dlsym(library, name);
}
