// A plugin that may be used for anything and does nothing: what tests of models with plugins
// register.

#ifndef CORTEN_TESTS_SUPPORT_IDLE_PLUGIN_H_
#define CORTEN_TESTS_SUPPORT_IDLE_PLUGIN_H_

#include <mujoco/mujoco.h>

// Fills all that a plugin needs to be registered: no state, no readings, callbacks that do nothing.
// The caller may replace any of them before it registers the plugin.
void make_idle_plugin(mjpPlugin* plugin, const char* name, const char* const* attributes,
                      int nattribute, int capabilities);

#endif
