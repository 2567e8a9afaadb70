// Plugins that a spec may use.

#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

bool ct_plugin_active(const ct_Spec* spec, const char* name) {
  for (int i = 0; i < spec->nplugin; i++) {
    if (!strcmp(spec->plugin[i], name)) return true;
  }
  return false;
}

void ct_plugin_activate(ct_Spec* spec, const char* name) {
  if (ct_plugin_active(spec, name)) return;
  if (spec->nplugin == spec->plugin_room) {
    int room = spec->plugin_room ? 2 * spec->plugin_room : 4;
    const char** grown = (const char**)realloc((void*)spec->plugin, (size_t)room * sizeof(*grown));
    if (!grown) {
      mju_error("out of memory: a spec cannot take another plugin");
      return;
    }
    spec->plugin = grown;
    spec->plugin_room = room;
  }
  spec->plugin[spec->nplugin++] = ct_spec_text(spec, name);
}

// The registry knows names without regard to case; what is active is the plugin under its own name.
int mjs_activatePlugin(mjSpec* s, const char* name) {
  const mjpPlugin* plugin = mjp_getPlugin(name, NULL);
  if (!plugin) return -1;
  ct_plugin_activate(ct_spec(s), plugin->name);
  return 0;
}
