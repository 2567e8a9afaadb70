// The callbacks of a plugin that does nothing.

#include "idle_plugin.h"

static int no_state(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static int no_reading(const mjModel* m, int instance, int sensor_id) {
  (void)m;
  (void)instance;
  (void)sensor_id;
  return 0;
}

static int init(const mjModel* m, mjData* d, int instance) {
  (void)m;
  (void)d;
  (void)instance;
  return 0;
}

static void reset(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance) {
  (void)m;
  (void)plugin_state;
  (void)plugin_data;
  (void)instance;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability_bit) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability_bit;
}

void make_idle_plugin(mjpPlugin* plugin, const char* name, const char* const* attributes,
                      int nattribute, int capabilities) {
  mjp_defaultPlugin(plugin);
  plugin->name = name;
  plugin->nattribute = nattribute;
  plugin->attributes = attributes;
  plugin->capabilityflags = capabilities;
  plugin->nstate = no_state;
  plugin->nsensordata = no_reading;
  plugin->init = init;
  plugin->reset = reset;
  plugin->compute = compute;
}
