// Public models of actuators: muscles, the damped spring, friction pyramids, Hill-type muscles.

#include <string.h>

#include <corten/muscle.h>
#include <mujoco/mujoco.h>

#include "api/exports.h"
#include "math/hill.h"
#include "math/muscle.h"
#include "math/pyramid.h"
#include "math/strict.h"

// Muscles, the damped spring, friction pyramids

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                      const mjtNum prm[9]) {
  return ct_muscle_gain(len, vel, lengthrange, acc0, prm);
}

mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  return ct_muscle_bias(len, lengthrange, acc0, prm);
}

mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  return ct_muscle_dynamics(ctrl, act, prm);
}

mjtNum mju_muscleGainLength(mjtNum stretch, mjtNum shortest, mjtNum longest) {
  return ct_muscle_gain_length(stretch, shortest, longest);
}

mjtNum mju_muscleDynamicsTimescale(mjtNum excess, mjtNum rise, mjtNum fall, mjtNum blend) {
  return ct_muscle_timescale(excess, rise, fall, blend);
}

// Position at time dt of x'' + Kv x' + Kp x = 0 from the roots of its characteristic polynomial:
// two real ones (overdamped), a double one, or a conjugate pair.
mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  mjtNum discriminant = Kv * Kv - 4 * Kp;
  if (discriminant > mjMINVAL) {
    mjtNum root = ct_sqrt(discriminant);
    mjtNum r1 = (-Kv + root) / 2, r2 = (-Kv - root) / 2;
    mjtNum c1 = (pos0 * r2 - vel0) / (r2 - r1), c2 = (pos0 * r1 - vel0) / (r1 - r2);
    return c1 * ct_exp(r1 * dt) + c2 * ct_exp(r2 * dt);
  }
  mjtNum drift = vel0 + Kv * pos0 / 2;
  mjtNum decay = ct_exp(-Kv * dt / 2);
  if (discriminant >= -mjMINVAL) return decay * (pos0 + drift * dt);
  mjtNum omega = ct_sqrt(ct_abs(discriminant)) / 2;
  return decay * (pos0 * ct_cos(omega * dt) + drift / omega * ct_sin(omega * dt));
}

void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  ct_encode_pyramid(pyramid, force, mu, dim);
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  ct_decode_pyramid(force, pyramid, mu, dim);
}

// Hill-type muscles

typedef struct {
  const char* name;
  double force, fibre, slack, pennation;
} HillPreset;

// Adult values that published musculoskeletal models use (Delp et al. 1990 for the leg, Holzbaur et
// al. 2005 for the arm).
static const HillPreset presets[] = {
    {"biceps", 624.3, 0.1157, 0.2723, 0},
    {"quadriceps", 1169, 0.114, 0.31, 0.0873},
    {"gastrocnemius", 1558, 0.06, 0.39, 0.2967},
    {"soleus", 3549, 0.05, 0.25, 0.4363},
};

void ct_default_hill(ct_HillMuscle* muscle) {
  memset(muscle, 0, sizeof(*muscle));
  muscle->force = 1000;
  muscle->fibre = (mjtNum)0.1;
  muscle->vmax = 10;
  muscle->width = (mjtNum)0.45;
  muscle->passive_strain = (mjtNum)0.6;
  muscle->passive_shape = 4;
  muscle->eccentric = (mjtNum)1.4;
  muscle->activation = (mjtNum)0.01;
  muscle->deactivation = (mjtNum)0.04;
}

int ct_hill_preset(ct_HillMuscle* muscle, const char* name) {
  for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
    if (strcmp(presets[i].name, name) != 0) continue;
    ct_default_hill(muscle);
    muscle->force = (mjtNum)presets[i].force;
    muscle->fibre = (mjtNum)presets[i].fibre;
    muscle->slack = (mjtNum)presets[i].slack;
    muscle->pennation = (mjtNum)presets[i].pennation;
    return 1;
  }
  return 0;
}

void ct_set_hill(mjModel* m, int id, const ct_HillMuscle* muscle) {
  if (id < 0 || id >= m->nu) {
    mju_error("ct_set_hill: actuator %d does not exist, ids are 0 to %d", id, (int)m->nu - 1);
    return;
  }
  const mjtNum prm[10] = {
      muscle->force, muscle->fibre,          muscle->slack,         muscle->pennation, muscle->vmax,
      muscle->width, muscle->passive_strain, muscle->passive_shape, muscle->eccentric, CT_HILL};
  m->actuator_gaintype[id] = mjGAIN_USER;
  m->actuator_biastype[id] = mjBIAS_USER;
  memcpy(m->actuator_gainprm + mjNGAIN * id, prm, sizeof(prm));
  memcpy(m->actuator_biasprm + mjNBIAS * id, prm, sizeof(prm));
  if (m->actuator_actadr[id] < 0) return;
  m->actuator_dyntype[id] = mjDYN_MUSCLE;
  m->actuator_dynprm[mjNDYN * id] = muscle->activation;
  m->actuator_dynprm[mjNDYN * id + 1] = muscle->deactivation;
  m->actuator_dynprm[mjNDYN * id + 2] = 0;
}

mjtNum ct_hill_gain(mjtNum len, mjtNum vel, const mjtNum prm[10]) {
  return ct_hill_gain_of(len, vel, prm);
}

mjtNum ct_hill_bias(mjtNum len, const mjtNum prm[10]) {
  return ct_hill_bias_of(len, prm);
}
