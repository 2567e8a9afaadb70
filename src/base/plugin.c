// Engine plugins: the table of registered ones, their configuration in a model, and the libraries
// that bring them.

#include <dirent.h>
#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/plugin.h"
#include "base/registry.h"
#include "base/text.h"

#define MAX_NAME 1024  // room for a name with its zero
#define MAX_ATTRIBUTES 255

static ct_Registry plugins = CT_REGISTRY_INIT;

void mjp_defaultPlugin(mjpPlugin* plugin) {
  if (plugin) memset(plugin, 0, sizeof(*plugin));
}

static int has_name(const void* item, const void* name) {
  return ct_same_text(((const mjpPlugin*)item)->name, (const char*)name);
}

// Raises an error and returns false if the plugin cannot be registered.
static bool is_acceptable(const mjpPlugin* plugin) {
  if (!plugin->name || !plugin->name[0]) {
    mju_error("mjp_registerPlugin: the plugin has no name");
    return false;
  }
  if (strlen(plugin->name) >= MAX_NAME) {
    mju_error("mjp_registerPlugin: the name '%.40s...' has more than %d characters", plugin->name,
              MAX_NAME - 1);
    return false;
  }
  if (plugin->nattribute < 0 || plugin->nattribute > MAX_ATTRIBUTES) {
    mju_error("mjp_registerPlugin: plugin '%s' has %d attributes; 0 to %d are possible",
              plugin->name, plugin->nattribute, MAX_ATTRIBUTES);
    return false;
  }
  for (int i = 0; i < plugin->nattribute; i++) {
    if (!plugin->attributes[i] || strlen(plugin->attributes[i]) >= MAX_NAME) {
      mju_error(
          "mjp_registerPlugin: attribute %d of plugin '%s' has no name or one with more than %d "
          "characters",
          i, plugin->name, MAX_NAME - 1);
      return false;
    }
  }
  return true;
}

// A field-by-field comparison, because padding is not part of the value.
static bool same_callbacks(const mjpPlugin* a, const mjpPlugin* b) {
  return a->nstate == b->nstate && a->nsensordata == b->nsensordata && a->init == b->init &&
         a->destroy == b->destroy && a->copy == b->copy && a->reset == b->reset &&
         a->compute == b->compute && a->advance == b->advance && a->visualize == b->visualize &&
         a->actuator_act_dot == b->actuator_act_dot && a->sdf_distance == b->sdf_distance &&
         a->sdf_gradient == b->sdf_gradient && a->sdf_staticdistance == b->sdf_staticdistance &&
         a->sdf_attribute == b->sdf_attribute && a->sdf_aabb == b->sdf_aabb;
}

static bool same_plugin(const mjpPlugin* a, const mjpPlugin* b) {
  if (strcmp(a->name, b->name) != 0 || a->nattribute != b->nattribute ||
      a->capabilityflags != b->capabilityflags || a->needstage != b->needstage ||
      !same_callbacks(a, b)) {
    return false;
  }
  for (int i = 0; i < a->nattribute; i++) {
    if (strcmp(a->attributes[i], b->attributes[i]) != 0) return false;
  }
  return true;
}

// The plugin, its name and its attributes in one block.
static mjpPlugin* copy_plugin(const mjpPlugin* plugin) {
  size_t table = (size_t)plugin->nattribute * sizeof(char*);
  size_t bytes = sizeof(mjpPlugin) + table + strlen(plugin->name) + 1;
  for (int i = 0; i < plugin->nattribute; i++) bytes += strlen(plugin->attributes[i]) + 1;

  mjpPlugin* copy = (mjpPlugin*)mju_malloc(bytes);
  if (!copy) return NULL;
  const char** attributes = (const char**)(copy + 1);
  char* text = (char*)attributes + table;
  *copy = *plugin;
  copy->name = strcpy(text, plugin->name);
  text += strlen(text) + 1;
  for (int i = 0; i < plugin->nattribute; i++) {
    attributes[i] = strcpy(text, plugin->attributes[i]);
    text += strlen(text) + 1;
  }
  copy->attributes = plugin->nattribute ? attributes : NULL;
  return copy;
}

int mjp_registerPlugin(const mjpPlugin* plugin) {
  if (!plugin) {
    mju_warning("mjp_registerPlugin: the plugin is NULL");
    return -1;
  }
  if (!is_acceptable(plugin)) return -1;
  mjpPlugin* copy = copy_plugin(plugin);
  if (!copy) return -1;
  int added = 0;
  int slot = ct_registry_add(&plugins, copy, has_name, plugin->name, &added);
  if (!added) mju_free(copy);
  if (slot < 0) return -1;
  if (!same_plugin((const mjpPlugin*)ct_registry_item(&plugins, slot), plugin)) {
    mju_error("another plugin '%s' is already registered", plugin->name);
    return -1;
  }
  return slot;
}

int mjp_pluginCount(void) {
  return ct_registry_count(&plugins);
}

const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  int index = name ? ct_registry_find(&plugins, has_name, name) : -1;
  if (slot) *slot = index;
  return mjp_getPluginAtSlot(index);
}

const mjpPlugin* mjp_getPluginAtSlot(int slot) {
  return (const mjpPlugin*)ct_registry_item(&plugins, slot);
}

// The model holds one text per attribute of the plugin, in the plugin's order, each closed by a
// zero.
const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  if (!m || plugin_id < 0 || plugin_id >= m->nplugin || !attrib) return NULL;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[plugin_id]);
  if (!plugin) return NULL;
  const char* value = m->plugin_attr + m->plugin_attradr[plugin_id];
  const char* end = m->plugin_attr + m->npluginattr;
  for (int i = 0; i < plugin->nattribute && value < end; i++) {
    const char* zero = (const char*)memchr(value, 0, (size_t)(end - value));
    if (!zero) break;
    if (strcmp(plugin->attributes[i], attrib) == 0) return value;
    value = zero + 1;
  }
  return NULL;
}

// A plugin library calls mjp_registerPlugin and others by name, and must find them here. If this
// library was opened for somebody's private use (as Python opens extensions), its names are not
// visible to libraries that come later, so it is made visible. In a program with the archive inside
// only the linker can do that: -rdynamic.
static void show_own_names(const char* own) {
  void* handle = dlopen(own, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  if (handle) dlclose(handle);  // it stays visible
}

// Plugin libraries made for the reference ask the loader for libmujoco.so.3.5.0. The one that is
// installed with corten answers that; the names still come from here, which are found first.
static bool open_namesake(const char* own) {
  static const char* const places[] = {"corten", "../lib/corten"};
  const char* slash = strrchr(own, '/');
  bool opened = false;
  for (int i = 0; i < 2 && slash && !opened; i++) {
    char path[4096];
    int n = snprintf(path, sizeof(path), "%.*s/%s/libmujoco.so.3.5.0", (int)(slash - own), own,
                     places[i]);
    opened = n < (int)sizeof(path) && dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  }
  return opened;
}

// The file that this function is in.
static const char* own_file(char* room, size_t size) {
  Dl_info own;
  if (dladdr((const void*)(uintptr_t)mjp_registerPlugin, &own) && strchr(own.dli_fname, '/')) {
    return own.dli_fname;
  }
  ssize_t n = readlink("/proc/self/exe", room, size - 1);
  room[n > 0 ? n : 0] = 0;
  return room;
}

// The plugins register themselves while the library is being opened.
void mj_loadPluginLibrary(const char* path) {
  if (!path) {
    mju_warning("mj_loadPluginLibrary: the path is NULL");
    return;
  }
  char room[4096];
  const char* own = own_file(room, sizeof(room));
  show_own_names(own);
  if (dlopen(path, RTLD_NOW | RTLD_LOCAL)) return;
  char why[1000];
  snprintf(why, sizeof(why), "%s", dlerror());
  if (strstr(why, "libmujoco.so") && open_namesake(own) && dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    return;
  }
  mju_error("cannot load plugin library '%s': %s", path, why);
}

static bool is_library(const char* path) {
  struct stat status;
  size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".so") == 0 && stat(path, &status) == 0 &&
         S_ISREG(status.st_mode);
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  DIR* folder = directory ? opendir(directory) : NULL;
  if (!folder) return;
  for (struct dirent* file = readdir(folder); file; file = readdir(folder)) {
    size_t bytes = strlen(directory) + 1 + strlen(file->d_name) + 1;
    char* path = (char*)mju_malloc(bytes);
    if (!path) break;
    snprintf(path, bytes, "%s/%s", directory, file->d_name);
    if (is_library(path)) {
      int before = mjp_pluginCount();
      mj_loadPluginLibrary(path);
      int count = mjp_pluginCount() - before;
      if (callback) callback(file->d_name, count ? before : -1, count);
    }
    mju_free(path);
  }
  closedir(folder);
}

void ct_destroy_plugins(mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->destroy) plugin->destroy(d, i);
  }
}
