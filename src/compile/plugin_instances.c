// Plugin instances: which plugin they are of, and their configuration.
//
// An element names an instance, or owns one that was made for it. The plugin must be active in the
// spec under exactly the name it is registered with.

#include <stdio.h>
#include <string.h>

#include "compile/compile.h"

static ct_WorkPlugin* instance_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkPlugin, c->list[mjOBJ_PLUGIN], i);
}

// From elements to instances

// The instance that an element leads to: by name, else the one it owns.
static ct_WorkPlugin* find_instance(ct_Compiler* c, const ct_Element* e, const mjsPlugin* plugin) {
  const char* name = ct_text(plugin->name);
  if (name[0]) {
    return (ct_WorkPlugin*)ct_lookup_or_fail(c, e, "plugin instance", mjOBJ_PLUGIN, name);
  }
  const ct_Element* owned = ct_element(plugin->element);
  if (!owned || ct_type(owned) != mjOBJ_PLUGIN || owned->spec != c->spec || owned->position < 0) {
    ct_fail(c, e, "the plugin has no instance");
  }
  return instance_at(c, owned->position);
}

// An element that says another plugin than its instance prevails.
static const char* agree_on_plugin(ct_WorkPlugin* instance, const mjsPlugin* plugin) {
  const char* name = ct_text(plugin->plugin_name);
  if (!name[0]) return ct_text(instance->v.plugin_name);
  ct_string_set(ct_str(instance->v.plugin_name), name);
  return name;
}

static const char* capability_name(int capability) {
  switch (capability) {
    case mjPLUGIN_ACTUATOR:
      return "be an actuator";
    case mjPLUGIN_SENSOR:
      return "be a sensor";
    case mjPLUGIN_PASSIVE:
      return "make passive forces";
    default:
      return "be a signed distance function";
  }
}

ct_Work* ct_resolve_plugin(ct_Compiler* c, const ct_Element* e, const mjsPlugin* plugin,
                           int capability) {
  if (!plugin->active) return NULL;
  if (!ct_text(plugin->name)[0] && !ct_text(plugin->plugin_name)[0]) {
    ct_fail(c, e, "neither a plugin nor an instance of one is named");
  }
  ct_WorkPlugin* instance = find_instance(c, e, plugin);
  const char* name = agree_on_plugin(instance, plugin);
  const mjpPlugin* registered = mjp_getPlugin(name, NULL);
  if (!registered || !ct_plugin_active(c->spec, name)) {
    ct_fail(c, e, "plugin \"%s\" is not active: name it in the extension section", name);
  }
  if (!(registered->capabilityflags & capability)) {
    ct_fail(c, e, "plugin \"%s\" cannot %s", name, capability_name(capability));
  }
  return &instance->head;
}

// Configuration

static bool declares(const mjpPlugin* plugin, const char* attribute) {
  for (int i = 0; i < plugin->nattribute; i++) {
    if (strcmp(plugin->attributes[i], attribute) == 0) return true;
  }
  return false;
}

static const char* value_of(const ct_Map* attributes, const char* key) {
  const char* value = ct_map_get(attributes, key);
  return value ? value : "";
}

static void flatten(ct_Compiler* c, ct_WorkPlugin* instance, const mjpPlugin* plugin) {
  const ct_Map* attributes = &((const ct_Plugin*)instance->head.element)->attributes;
  for (const ct_MapNode* n = ct_map_first(attributes); n; n = ct_map_next(attributes, n)) {
    const char* key = ct_string_get(&n->key);
    if (declares(plugin, key)) continue;
    char known[100];
    snprintf(known, sizeof(known), "unrecognized attribute 'plugin:%.60s'", key);
    ct_fail_as_known(c, instance->head.element, known, "plugin \"%s\" has no attribute \"%s\"",
                     plugin->name, key);
  }
  size_t bytes = plugin->nattribute > 0 ? 0 : 1;
  for (int i = 0; i < plugin->nattribute; i++) {
    bytes += strlen(value_of(attributes, plugin->attributes[i])) + 1;
  }
  instance->attr = (char*)ct_pool_alloc(&c->pool, bytes);
  instance->nattr = (int)bytes;
  char* end = instance->attr;
  for (int i = 0; i < plugin->nattribute; i++) {
    const char* value = value_of(attributes, plugin->attributes[i]);
    memcpy(end, value, strlen(value) + 1);
    end += strlen(value) + 1;
  }
}

void ct_compile_plugins(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_PLUGIN); i++) {
    ct_WorkPlugin* instance = instance_at(c, i);
    const ct_Element* e = instance->head.element;
    const char* name = ct_text(instance->v.plugin_name);
    const mjpPlugin* plugin = mjp_getPlugin(name, &instance->slot);
    if (!plugin || !ct_plugin_active(c->spec, name)) {
      ct_fail(c, e, "plugin \"%s\" is not active: name it in the extension section", name);
    }
    flatten(c, instance, plugin);
  }
}

// Sizes and arrays

void ct_size_plugins(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_PLUGIN); i++) {
    c->size.npluginattr += instance_at(c, i)->nattr;
  }
}

static int state_size(ct_Compiler* c, int i) {
  const ct_WorkPlugin* instance = instance_at(c, i);
  const mjpPlugin* plugin = mjp_getPluginAtSlot(instance->slot);
  if (!plugin->nstate) {
    ct_fail(c, instance->head.element, "plugin \"%s\" does not tell the size of its state",
            plugin->name);
  }
  int size = plugin->nstate(c->model, i);
  if (size < 0) {
    ct_fail(c, instance->head.element, "plugin \"%s\" says that its state has %d numbers",
            plugin->name, size);
  }
  return size;
}

// Plugins look at their configuration to tell the size of their state, so that all of it comes
// first.
void ct_copy_plugins(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->nplugin; i++) {
    const ct_WorkPlugin* instance = instance_at(c, i);
    m->plugin[i] = instance->slot;
    m->plugin_attradr[i] = adr;
    memcpy(m->plugin_attr + adr, instance->attr, (size_t)instance->nattr);
    adr += instance->nattr;
  }
  for (int i = 0; i < m->nplugin; i++) {
    m->plugin_statenum[i] = state_size(c, i);
    m->plugin_stateadr[i] = (int)m->npluginstate;
    m->npluginstate += m->plugin_statenum[i];
  }
}
