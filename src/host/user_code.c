// The user's code between stages: callbacks and plugins, which lane code does not know.

#include "base/private.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/passive.h"
#include "host/timer.h"
#include "host/walk.h"

bool ct_has_callbacks(const mjModel* m) {
  return m->nplugin > 0 || mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain ||
         mjcb_act_bias || mjcb_sensor || mjcb_time;
}

bool ct_has_user_code(const mjModel* m) {
  return ct_has_callbacks(m) || ct_has_pair_functions_of_users();
}

bool ct_user_code_acts(const mjModel* m) {
  if (mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias) return true;
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin || plugin->capabilityflags & ~mjPLUGIN_SENSOR) return true;
  }
  return ct_has_pair_functions_of_users();
}

const mjpPlugin* ct_plugin_of(const mjModel* m, mjData* d, int instance, int* status) {
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin) *status |= ct_blame_model(lane_one(), d, CT_CAUSE_PLUGIN_SLOT, instance);
  return plugin;
}

// The same, if it has the capability.
static const mjpPlugin* plugin_for(ct_Walk* w, int instance, int capability, int* status) {
  const mjpPlugin* plugin = ct_plugin_of(w->m, w->d, instance, status);
  return plugin && (plugin->capabilityflags & capability) ? plugin : NULL;
}

// Lets an instance compute what it is there for.
static int compute(ct_Walk* w, const mjpPlugin* plugin, int instance, int capability) {
  if (!plugin->compute) {
    return ct_blame_model(lane_one(), w->d, CT_CAUSE_PLUGIN_COMPUTE, instance);
  }
  plugin->compute(w->m, w->d, instance, capability);
  return CT_OK;
}

// All instances with the capability, up to the first that cannot.
static int compute_all(ct_Walk* w, int capability) {
  int status = CT_OK;
  for (int i = 0; i < w->m->nplugin && !status; i++) {
    const mjpPlugin* plugin = plugin_for(w, i, capability, &status);
    if (plugin) status |= compute(w, plugin, i, capability);
  }
  return status;
}

// Actuation

// Rates of activations whose dynamics the engine does not know. A callback returns the rate of a
// single activation and writes several itself.
static void call_dynamics(const mjModel* m, mjData* d) {
  bool filter = ct_some_asleep(m, d);
  for (int i = 0; i < m->nu && mjcb_act_dyn; i++) {
    int type = m->actuator_dyntype[i], first = m->actuator_actadr[i];
    bool built_in = type >= mjDYN_NONE && type < mjDYN_USER;
    if (first < 0 || built_in || (filter && ct_actuator_asleep(m, d, i))) continue;
    mjtNum rate = mjcb_act_dyn(m, d, i);
    if (m->actuator_actnum[i] == 1) d->act_dot[first] = rate;
  }
}

static int call_plugin_dynamics(ct_Walk* w) {
  int status = CT_OK;
  for (int i = 0; i < w->m->nplugin && !status; i++) {
    const mjpPlugin* plugin = plugin_for(w, i, mjPLUGIN_ACTUATOR, &status);
    if (plugin && plugin->actuator_act_dot) plugin->actuator_act_dot(w->m, w->d, i);
  }
  return status;
}

// Forces of actuators whose gain or bias a callback knows.
static void call_gains_and_biases(const mjModel* m, mjData* d, bool silent) {
  bool filter = ct_some_asleep(m, d);
  if (!mjcb_act_gain && !mjcb_act_bias) return;
  for (int i = 0; i < m->nu; i++) {
    bool gain_asked = mjcb_act_gain && m->actuator_gaintype[i] == mjGAIN_USER &&
                      !ct_is_hill(m->actuator_gainprm + mjNGAIN * i);
    bool bias_asked = mjcb_act_bias && m->actuator_biastype[i] == mjBIAS_USER &&
                      !ct_is_hill(m->actuator_biasprm + mjNBIAS * i);
    if (!(gain_asked || bias_asked) || !ct_actuator_computed(m, d, i, filter)) continue;
    mjtNum gain = gain_asked ? mjcb_act_gain(m, d, i) : ct_actuator_gain(m, d, i);
    mjtNum bias = bias_asked ? mjcb_act_bias(m, d, i) : ct_actuator_bias(m, d, i);
    d->actuator_force[i] =
        gain * ct_actuator_input(m, d, i, silent ? 0 : ct_control(m, d, i)) + bias;
  }
}

// Rates and forces with the user's code between them.
static int activate_with_users(ct_Walk* w, int* bad) {
  Lane g = lane_one();
  *bad = ct_bad_control(g, w->m, w->d);
  ct_activation_rates(g, w->m, w->d, *bad >= 0);
  call_dynamics(w->m, w->d);
  int status = call_plugin_dynamics(w);
  ct_actuator_forces(g, w->m, w->d, *bad >= 0);
  call_gains_and_biases(w->m, w->d, *bad >= 0);
  return status ? status : compute_all(w, mjPLUGIN_ACTUATOR);
}

int ct_actuate_with_users(ct_Walk* w) {
  Lane g = lane_one();
  if (!ct_actuation_starts(g, w->m, w->d)) return CT_OK;
  mjtNum start = ct_clock();
  bool users = mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || w->m->nplugin > 0;
  int bad, status = CT_OK;
  if (users) {
    status = activate_with_users(w, &bad);
  } else {
    bad = ct_activate(g, w->m, w->d);
  }
  status |= ct_finish_actuation(g, w->m, w->d, bad);
  ct_timer_count(w->d, mjTIMER_ACTUATION, start);
  return status;
}

// Callback and plugins add to qfrc_passive. They too are off if springs and dampers are.
int ct_passive_of_users(ct_Walk* w) {
  if (!ct_has_passive(w->m)) return CT_OK;
  if (mjcb_passive) mjcb_passive(w->m, w->d);
  return compute_all(w, mjPLUGIN_PASSIVE);
}

// Sensors

// Without a callback they are zero, which no cutoff changes.
static void call_user_sensors(const mjModel* m, mjData* d, int stage) {
  int count = 0;
  if (!mjcb_sensor) return;
  for (int i = 0; i < m->nsensor; i++) {
    count += m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == stage;
  }
  if (!count) return;
  mjcb_sensor(m, d, stage);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    ct_sensor_cutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

// Clamps the sensors of an instance. Those without a stage are left alone.
static void clamp_plugin_sensors(const mjModel* m, mjData* d, int instance, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    bool its = m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance;
    if (its && m->sensor_needstage[i] == stage) {
      ct_sensor_cutoff(m, i, d->sensordata + m->sensor_adr[i]);
    }
  }
}

// Plugins without a stage run with the positions.
static int sense_with_plugins(ct_Walk* w, int stage) {
  int status = CT_OK;
  for (int i = 0; i < w->m->nplugin && !status; i++) {
    const mjpPlugin* plugin = plugin_for(w, i, mjPLUGIN_SENSOR, &status);
    bool early = plugin && plugin->needstage == mjSTAGE_NONE && stage == mjSTAGE_POS;
    if (!plugin || (plugin->needstage != stage && !early)) continue;
    if (plugin->compute) status |= ct_provide_for_users(lane_one(), w->m, w->d, stage);
    status |= compute(w, plugin, i, mjPLUGIN_SENSOR);
    if (!status) clamp_plugin_sensors(w->m, w->d, i, stage);
  }
  return status;
}

int ct_sense_for_users(ct_Walk* w, int stage) {
  call_user_sensors(w->m, w->d, stage);
  return sense_with_plugins(w, stage);
}

// What plugins do at the end of a step.
int ct_advance_plugins(ct_Walk* w) {
  int status = CT_OK;
  for (int i = 0; i < w->m->nplugin && !status; i++) {
    const mjpPlugin* plugin = ct_plugin_of(w->m, w->d, i, &status);
    if (plugin && plugin->advance) plugin->advance(w->m, w->d, i);
  }
  return status;
}
