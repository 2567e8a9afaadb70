#include "render/gl.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

typedef void (*AnyFunction)(void);
typedef AnyFunction (*GetProcAddress)(const char* name);

// Ways to an OpenGL: a function that finds functions, one that tells whether a context is current,
// and the beginning of the name of the library that has both.
typedef struct Way_ {
  const char *find, *current, *library[2];
} Way;

static const Way ways[] = {
    {"eglGetProcAddress", "eglGetCurrentContext", {"libEGL.so", NULL}},
    {"OSMesaGetProcAddress", "OSMesaGetCurrentContext", {"libOSMesa.so", NULL}},
    {"glXGetProcAddressARB", "glXGetCurrentContext", {"libGLX.so", "libGL.so"}},
};

enum { NWAY = sizeof(ways) / sizeof(ways[0]) };

// C has no cast from object to function pointers.
static AnyFunction function_at(void* address) {
  AnyFunction function;
  memcpy(&function, &address, sizeof(function));
  return function;
}

// A library that is loaded under a name that begins like this.
typedef struct Search_ {
  const char* begin;
  char path[1024];
} Search;

static int look_at_library(struct dl_phdr_info* info, size_t size, void* argument) {
  Search* search = (Search*)argument;
  (void)size;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* name = slash ? slash + 1 : info->dlpi_name;
  if (strncmp(name, search->begin, strlen(search->begin)) != 0) return 0;
  snprintf(search->path, sizeof(search->path), "%s", info->dlpi_name);
  return 1;
}

static void* loaded_library(const char* begin) {
  Search search = {begin, ""};
  if (!begin || !dl_iterate_phdr(look_at_library, &search)) return NULL;
  return dlopen(search.path, RTLD_NOW | RTLD_NOLOAD);
}

// A function of one way: of the process, or of its library if that is loaded.
static AnyFunction function_of_way(const Way* way, const char* name) {
  void* address = dlsym(RTLD_DEFAULT, name);
  for (int i = 0; !address && i < 2; i++) {
    void* library = loaded_library(way->library[i]);
    if (!library) continue;
    address = dlsym(library, name);
    dlclose(library);  // whoever loaded it keeps it
  }
  return function_at(address);
}

// The way by which the current context was made; without one, the first that is there.
static GetProcAddress find_way(void) {
  GetProcAddress first = NULL;
  for (int i = 0; i < NWAY; i++) {
    GetProcAddress find = (GetProcAddress)function_of_way(ways + i, ways[i].find);
    void* (*current)(void) = (void* (*)(void))function_of_way(ways + i, ways[i].current);
    if (find && current && current()) return find;
    if (!first) first = find;
  }
  return first;
}

// What the driver can do.

static bool has_extension(const ct_GL* gl, const char* name) {
  const char* all = (const char*)gl->GetString(GL_EXTENSIONS);
  size_t n = strlen(name);
  for (const char* at = all; at && (at = strstr(at, name)); at += n) {
    if ((at == all || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) return true;
  }
  return false;
}

static ct_GL table;
static bool loaded;

const ct_GL* ct_loaded_gl(void) {
  return loaded ? &table : NULL;
}

const ct_GL* ct_load_gl(void) {
  const char* missing = NULL;
  GetProcAddress find = find_way();
  if (!find) {
    mju_error(
        "mjr_makeContext: no OpenGL library is loaded; make a context with GLFW, EGL or OSMesa");
    return NULL;
  }
#define CT_GL_FIND_(type_, name_, arguments_)           \
  table.name_ = (type_(*) arguments_)find("gl" #name_); \
  if (!table.name_ && !missing) missing = "gl" #name_;
  CT_GL_FUNCTIONS(CT_GL_FIND_)
#undef CT_GL_FIND_
  if (missing || !table.GetString(GL_VERSION)) {
    mju_error("mjr_makeContext: %s; OpenGL 1.5 with framebuffers and the fixed pipeline is needed",
              missing ? missing : "no OpenGL context is current");
    return NULL;
  }
  table.ClipControl = has_extension(&table, "GL_ARB_clip_control")
                          ? (void (*)(unsigned, unsigned))find("glClipControl")
                          : NULL;
  table.float_depth = has_extension(&table, "GL_ARB_depth_buffer_float");
  table.seamless_cubes = has_extension(&table, "GL_ARB_seamless_cube_map");
  table.srgb = has_extension(&table, "GL_EXT_texture_sRGB");
  loaded = true;
  return &table;
}
