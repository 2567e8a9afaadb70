// Public actuator models: muscles, the damped spring, friction pyramids.

#include <mujoco/mujoco.h>

#include "api/solvers.h"
#include "math/muscle.h"
#include "math/pyramid.h"
#include "math/strict.h"

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
