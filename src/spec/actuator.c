// Actuator shortcuts: well-known actuators as settings of gain, bias and activation. MJCF's
// elements motor, position, ... are these functions. Each returns "" or what is wrong; what was set
// before stays set.

#include <string.h>

#include <mujoco/mujoco.h>

// Fields of an actuator's kinds, which nearly all shortcuts end with.
static void set_kinds(mjsActuator* a, mjtDyn dyn, mjtGain gain, mjtBias bias) {
  a->dyntype = dyn;
  a->gaintype = gain;
  a->biastype = bias;
}

static int has_range(const double range[2]) {
  return range[0] != 0 || range[1] != 0;
}

static const char no_actuator[] = "the actuator is NULL";

const char* mjs_setToMotor(mjsActuator* actuator) {
  if (!actuator) return no_actuator;
  actuator->gainprm[0] = 1;
  set_kinds(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  return "";
}

// A servo is a spring towards its target, f = stiffness (target - length), braked by f = -damping
// velocity. The damping is given as such or as a fraction of the critical one, which depends on the
// inertia that the servo moves: the compiler computes it, and knows a fraction by its positive
// sign.
static const char* set_brake(mjsActuator* a, const double* damping, const double* fraction) {
  if (damping && fraction) return "the servo is damped twice: leave out kv or dampratio";
  if (damping && *damping < 0) return "kv is negative: the damping of a servo takes energy away";
  if (fraction && *fraction < 0) return "dampratio is negative: 0 is undamped, 1 critically damped";
  if (damping) a->biasprm[2] = -*damping;
  if (fraction) a->biasprm[2] = *fraction;
  return "";
}

// A target that follows the control with a delay; no delay, no activation.
static const char* set_delay(mjsActuator* a, const double* delay) {
  if (!delay) return "";
  if (*delay < 0) return "timeconst is negative: the servo cannot act before its control";
  a->dynprm[0] = *delay;
  a->dyntype = *delay == 0 ? mjDYN_NONE : mjDYN_FILTEREXACT;
  return "";
}

const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                              double timeconst[1], double inheritrange) {
  if (!actuator) return no_actuator;
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  const char* wrong = set_brake(actuator, kv, dampratio);
  if (!*wrong) wrong = set_delay(actuator, timeconst);
  if (*wrong) return wrong;
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && has_range(actuator->ctrlrange)) {
    return "inheritrange sets ctrlrange from the target: leave out one of them";
  }
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  return "";
}

// A position servo whose target is integrated; what is wrong with the servo goes unnoticed, as in
// the reference.
const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                 double dampratio[1], double timeconst[1], double inheritrange) {
  if (!actuator) return no_actuator;
  mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->actlimited = mjLIMITED_TRUE;
  if (inheritrange > 0 && has_range(actuator->actrange)) {
    return "inheritrange sets actrange from the target: leave out one of them";
  }
  return "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  if (!actuator) return no_actuator;
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  set_kinds(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

static int negative_control(const mjsActuator* a) {
  return a->ctrlrange[0] < 0 || a->ctrlrange[1] < 0;
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  if (!actuator) return no_actuator;
  memset(actuator->gainprm, 0, sizeof(actuator->gainprm));
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = mjLIMITED_TRUE;
  set_kinds(actuator, mjDYN_NONE, mjGAIN_AFFINE, mjBIAS_NONE);
  if (kv < 0) return "kv of a damper cannot be negative";
  if (negative_control(actuator)) return "ctrlrange of a damper cannot be negative";
  return "";
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                              double diameter) {
  if (!actuator) return no_actuator;
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
  set_kinds(actuator, mjDYN_FILTER, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

// Built-in numbers of an actuator mean "not given" for a muscle and become its own defaults.
static void muscle_defaults(mjsActuator* a) {
  static const double gain[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  if (a->dynprm[0] == 1) a->dynprm[0] = 0.01;
  if (a->dynprm[1] == 0) a->dynprm[1] = 0.04;
  for (int i = 0; i < 9; i++) {
    if (a->gainprm[i] == (i == 0 ? 1 : 0)) a->gainprm[i] = gain[i];
  }
}

const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                            double range[2], double force, double scale, double lmin, double lmax,
                            double vmax, double fpmax, double fvmax) {
  if (!actuator) return no_actuator;
  muscle_defaults(actuator);
  if (tausmooth < 0) return "tausmooth of a muscle cannot be negative";
  actuator->dynprm[2] = tausmooth;
  for (int i = 0; i < 2; i++) {
    if (timeconst && timeconst[i] >= 0) actuator->dynprm[i] = timeconst[i];
  }
  const double given[9] = {
      range ? range[0] : -1, range ? range[1] : -1, force, scale, lmin, lmax, vmax, fpmax, fvmax};
  for (int i = 0; i < 9; i++) {
    if (given[i] >= 0) actuator->gainprm[i] = given[i];
    actuator->biasprm[i] = actuator->gainprm[i];
  }
  set_kinds(actuator, mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE);
  return "";
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  if (!actuator) return no_actuator;
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  set_kinds(actuator, actuator->dyntype, mjGAIN_FIXED, mjBIAS_NONE);
  if (gain < 0) return "gain of an adhesion actuator cannot be negative";
  if (negative_control(actuator)) return "ctrlrange of an adhesion actuator cannot be negative";
  return "";
}
