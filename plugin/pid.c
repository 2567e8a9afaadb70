// mujoco.pid: an actuator that steers its length towards a setpoint.
//
//   force = kp e + ki s + kd (dr/dt - velocity),   e = r - length,   s = integral of e
//
// r is the control, or the last activation if the actuator has dynamics of its own. Activations:
// the integral s if there is ki, then the last setpoint if there is slewmax, then what `dyntype`
// keeps. All of it is documented in docs/plugins.md.

#include <float.h>
#include <math.h>

#include "config.h"
#include "plugins.h"

typedef struct {
  double kp, ki, kd;
  double smax;     // of the integral; infinite without imax
  double slewmax;  // of the setpoint, per second
  bool slews;
} Pid;

// Configuration

static bool read_config(const mjModel* m, int instance, Pid* pid) {
  bool limited = false;
  double imax = 0;
  if (!config_read(m, instance, "kp", &pid->kp, 1, NULL) ||
      !config_read(m, instance, "ki", &pid->ki, 1, NULL) ||
      !config_read(m, instance, "kd", &pid->kd, 1, NULL) ||
      !config_read(m, instance, "imax", &imax, 1, &limited) ||
      !config_read(m, instance, "slewmax", &pid->slewmax, 1, &pid->slews)) {
    return false;
  }
  pid->smax = limited && pid->ki != 0 ? imax / pid->ki : INFINITY;
  if (pid->smax < 0) {
    mju_warning("mujoco.pid: imax is %g and ki is %g, they should have the same sign", imax,
                pid->ki);
    return false;
  }
  if (pid->slewmax < 0) {
    mju_warning("mujoco.pid: slewmax is %g, it should not be negative", pid->slewmax);
    return false;
  }
  return true;
}

static bool keeps_control(const mjModel* m, int actuator) {
  int dynamics = m->actuator_dyntype[actuator];
  return dynamics == mjDYN_INTEGRATOR || dynamics == mjDYN_FILTER || dynamics == mjDYN_FILTEREXACT;
}

static bool check_actuators(const mjModel* m, int instance, const Pid* pid) {
  int users = 0;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    users++;
    int wanted = (pid->ki != 0) + pid->slews + keeps_control(m, i);
    if (m->actuator_actnum[i] == wanted) continue;
    mju_warning("mujoco.pid: actuator %d has actdim %d, it needs actdim=\"%d\"", i,
                m->actuator_actnum[i], wanted);
    return false;
  }
  if (users == 0) mju_warning("mujoco.pid: no actuator uses instance %d", instance);
  return users > 0;
}

// Setpoint and error

// What the last activation will be after the step.
static double next_activation(const mjModel* m, const mjData* d, int actuator, int last) {
  double act = (double)d->act[last], rate = (double)d->act_dot[last];
  double h = (double)m->opt.timestep;
  if (m->actuator_dyntype[actuator] == mjDYN_FILTEREXACT) {
    double tau = fmax((double)mjMINVAL, (double)m->actuator_dynprm[mjNDYN * actuator]);
    act += rate * tau * (1 - exp(-h / tau));
  } else {
    act += rate * h;
  }
  if (!m->actuator_actlimited[actuator]) return act;
  const mjtNum* range = m->actuator_actrange + 2 * actuator;
  return fmin(fmax(act, (double)range[0]), (double)range[1]);
}

static double wanted_setpoint(const mjModel* m, const mjData* d, int actuator, bool early) {
  if (m->actuator_dyntype[actuator] != mjDYN_NONE) {
    int last = m->actuator_actadr[actuator] + m->actuator_actnum[actuator] - 1;
    return early ? next_activation(m, d, actuator, last) : (double)d->act[last];
  }
  double control = (double)d->ctrl[actuator];
  if (!m->actuator_ctrllimited[actuator]) return control;
  const mjtNum* range = m->actuator_ctrlrange + 2 * actuator;
  return control < (double)range[0]   ? (double)range[0]
         : control > (double)range[1] ? (double)range[1]
                                      : control;  // NaN stays
}

// The setpoint moves no faster than slewmax, but for the first step.
static double setpoint(const mjModel* m, const mjData* d, const Pid* pid, int actuator,
                       bool early) {
  double wanted = wanted_setpoint(m, d, actuator, early);
  if (!pid->slews || !(d->time > 0)) return wanted;
  double before = (double)d->act[m->actuator_actadr[actuator] + (pid->ki != 0)];
  double most = pid->slewmax * (double)m->opt.timestep;
  return wanted < before - most ? before - most : wanted > before + most ? before + most : wanted;
}

// The integral after the step.
static double next_integral(const mjModel* m, const mjData* d, const Pid* pid, int actuator,
                            double error) {
  double s = (double)d->act[m->actuator_actadr[actuator]] + error * (double)m->opt.timestep;
  return s < -pid->smax ? -pid->smax : s > pid->smax ? pid->smax : s;
}

// Callbacks

static int pid_nstate(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static int pid_init(const mjModel* m, mjData* d, int instance) {
  Pid pid = {0};
  if (!read_config(m, instance, &pid) || !check_actuators(m, instance, &pid)) return -1;
  Pid* kept = (Pid*)mju_malloc(sizeof(Pid));
  if (!kept) return -1;
  *kept = pid;
  d->plugin_data[instance] = (uintptr_t)kept;
  return 0;
}

static void pid_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void pid_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
}

static void pid_act_dot(const mjModel* m, mjData* d, int instance) {
  const Pid* pid = (const Pid*)d->plugin_data[instance];
  double h = (double)m->opt.timestep;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    double r = setpoint(m, d, pid, i, false);
    int at = m->actuator_actadr[i];
    if (pid->ki != 0) {
      double s = next_integral(m, d, pid, i, r - (double)d->actuator_length[i]);
      d->act_dot[at] = (mjtNum)((s - (double)d->act[at]) / h);
      at++;
    }
    if (pid->slews) d->act_dot[at] = (mjtNum)((r - (double)d->act[at]) / h);
  }
}

static void pid_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const Pid* pid = (const Pid*)d->plugin_data[instance];
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    double error = setpoint(m, d, pid, i, m->actuator_actearly[i]) - (double)d->actuator_length[i];
    double rate = 0;  // of the setpoint
    if (m->actuator_dyntype[i] != mjDYN_NONE) {
      rate = (double)d->act_dot[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
    }
    double integral = pid->ki != 0 ? pid->ki * next_integral(m, d, pid, i, error) : 0;
    d->actuator_force[i] =
        (mjtNum)(pid->kp * error + integral + pid->kd * (rate - (double)d->actuator_velocity[i]));
  }
}

void register_pid(void) {
  static const char* const attributes[] = {"kp", "ki", "kd", "imax", "slewmax"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "mujoco.pid";
  plugin.capabilityflags = mjPLUGIN_ACTUATOR;
  plugin.nattribute = sizeof(attributes) / sizeof(attributes[0]);
  plugin.attributes = attributes;
  plugin.nstate = pid_nstate;
  plugin.init = pid_init;
  plugin.destroy = pid_destroy;
  plugin.reset = pid_reset;
  plugin.actuator_act_dot = pid_act_dot;
  plugin.compute = pid_compute;
  mjp_registerPlugin(&plugin);
}
