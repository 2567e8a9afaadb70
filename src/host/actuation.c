// Public functions of actuation and smooth acceleration: the stages, with the user's callbacks and
// plugins between their parts.

#include "host/actuation.h"

#include <stdbool.h>

#include "base/plugin.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/actuation.h"
#include "host/report.h"
#include "host/timer.h"

int mj_actuatorDisabled(const mjModel* m, int actuator) {
  return ct_actuator_disabled(m, actuator);
}

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

static void call_plugin_dynamics(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = ct_plugin_of(m, i, "mj_fwdActuation");
    if (!plugin) return;
    bool drives = (plugin->capabilityflags & mjPLUGIN_ACTUATOR) != 0;
    if (drives && plugin->actuator_act_dot) plugin->actuator_act_dot(m, d, i);
  }
}

static void call_plugin_forces(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    if (!ct_plugin_compute(m, d, i, mjPLUGIN_ACTUATOR, "mj_fwdActuation")) return;
  }
}

// Rates and forces with the user's code between them.
static int activate_with_hooks(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  int bad = ct_bad_control(g, m, d);
  ct_activation_rates(g, m, d, bad >= 0);
  call_dynamics(m, d);
  call_plugin_dynamics(m, d);
  ct_actuator_forces(g, m, d, bad >= 0);
  call_gains_and_biases(m, d, bad >= 0);
  call_plugin_forces(m, d);
  return bad;
}

void mj_fwdActuation(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  if (!ct_actuation_starts(g, m, d)) return;
  mjtNum start = ct_clock();
  bool hooks = mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || m->nplugin > 0;
  int bad = hooks ? activate_with_hooks(m, d) : ct_activate(g, m, d);
  if (bad >= 0) ct_warn_or_count(d, mjWARN_BADCTRL, bad);
  ct_limit_actuator_forces(g, m, d);
  ct_actuator_forces_on_dofs(g, m, d);
  ct_timer_count(d, mjTIMER_ACTUATION, start);
}

void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  ct_acceleration(lane_one(), m, d);
}
