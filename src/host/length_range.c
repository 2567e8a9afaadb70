// mj_setLengthRange: the shortest and longest an actuator can get, by pulling at it both ways until
// the limits of joints and tendons hold. It simulates the model as it is, gravity, contacts and
// timestep included; the compiler switches off what disturbs before it calls this.

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "math/vec.h"

// Who gets one

static bool is_wanted(const mjModel* m, int index, const mjLROpt* opt) {
  int gain = m->actuator_gaintype[index], bias = m->actuator_biastype[index];
  bool muscle = gain == mjGAIN_MUSCLE || bias == mjBIAS_MUSCLE;
  bool user = gain == mjGAIN_USER || bias == mjBIAS_USER;
  if (opt->mode == mjLRMODE_NONE) return false;
  if (opt->mode == mjLRMODE_MUSCLE && !muscle) return false;
  if (opt->mode == mjLRMODE_MUSCLEUSER && !muscle && !user) return false;
  const mjtNum* range = m->actuator_lengthrange + 2 * index;
  return !(opt->useexisting && range[0] < range[1]);
}

// Range of the joint or tendon that the actuator acts on, if it is limited. Oddity of the
// reference, kept because it decides numbers: the target is read at position `index` of the pairs
// of ids, which is the target of another actuator, or nobody's, for all but the first.
static const mjtNum* range_of_target(const mjModel* m, int index) {
  int id = m->actuator_trnid[index];
  switch (m->actuator_trntype[index]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return id >= 0 && id < m->njnt && m->jnt_limited[id] ? m->jnt_range + 2 * id : NULL;
    case mjTRN_TENDON:
      return id >= 0 && id < m->ntendon && m->tendon_limited[id] ? m->tendon_range + 2 * id : NULL;
    default:
      return NULL;
  }
}

enum { MOST_STEPS = 1000000 };  // of one simulation; with the options as they are it takes 1000

// Pulling

// Forces on the joints that accelerate the actuator's length by opt->accel in this direction.
static void pull(const mjModel* m, mjData* d, int index, mjtNum direction, const mjLROpt* opt) {
  int nv = (int)m->nv, start = d->moment_rowadr[index];
  mj_markStack(d);
  mjtNum* moment = mj_stackAllocNum(d, (size_t)nv + 1);
  mjtNum* motion = mj_stackAllocNum(d, (size_t)nv + 1);
  ct_zero(moment, nv);
  for (int k = start; k < start + d->moment_rownnz[index]; k++) {
    moment[d->moment_colind[k]] = d->actuator_moment[k];
  }
  mj_solveM(m, d, motion, moment, 1);
  mjtNum scale = direction * (mjtNum)opt->accel / ct_max(mjMINVAL, ct_norm(motion, nv));
  ct_scl(d->qfrc_applied, moment, scale, nv);
  mjtNum force = ct_norm(d->qfrc_applied, nv);
  if (opt->maxforce > 0 && force > (mjtNum)opt->maxforce) {
    ct_scl(d->qfrc_applied, d->qfrc_applied, (mjtNum)opt->maxforce / force, nv);
  }
  mj_freeStack(d);
}

// Lengths near the end of a simulation with a constant pull; false if it was unstable. A simulation
// that is reset again and again, because of numbers that are none, is one whose time stands still.
static bool simulate(const mjModel* m, mjData* d, int index, int side, const mjLROpt* opt,
                     mjtNum range[2]) {
  mjtNum decay = mju_exp(-m->opt.timestep / (mjtNum)fmax(0.01, opt->timeconst));
  bool first = true;
  mj_resetData(m, d);
  while (d->time < (mjtNum)opt->inttotal) {
    mjtNum before = d->time;
    ct_scl(d->qvel, d->qvel, decay, (int)m->nv);
    mj_step1(m, d);
    pull(m, d, index, (mjtNum)(2 * side - 1), opt);
    mj_step2(m, d);
    mjtNum length = d->actuator_length[index];
    if (!(d->time > before)) return false;
    if (d->time <= (mjtNum)(opt->inttotal - opt->interval)) continue;
    if (first || length < range[0]) range[0] = length;
    if (first || length > range[1]) range[1] = length;
    first = false;
  }
  return !first;
}

// The whole

static int refuse(char* error, int error_sz, const char* format, ...) {
  va_list values;
  va_start(values, format);
  if (error && error_sz > 0) vsnprintf(error, (size_t)error_sz, format, values);
  va_end(values);
  return 0;
}

static int find_range(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                      int error_sz) {
  if (!(opt->inttotal <= MOST_STEPS * (double)m->opt.timestep)) {
    return refuse(error, error_sz,
                  "actuator %d: its length range takes more than %d steps: inttotal is %g, the "
                  "timestep %g",
                  index, MOST_STEPS, opt->inttotal, (double)m->opt.timestep);
  }
  mjtNum side[2][2] = {{0, 0}, {0, 0}};
  for (int s = 0; s < 2; s++) {
    if (!simulate(m, d, index, s, opt, side[s])) {
      return refuse(error, error_sz, "actuator %d: the simulation of its length range is unstable",
                    index);
    }
  }
  mjtNum low = side[0][0], high = side[1][1];
  mjtNum* range = m->actuator_lengthrange + 2 * index;
  range[0] = low;
  range[1] = high;
  if (high <= low) {
    return refuse(
        error, error_sz,
        "actuator %d: its length range is from %g to %g, as if nothing changed the length; set "
        "lengthrange, or let it act on what moves",
        index, (double)low, (double)high);
  }
  for (int s = 0; s < 2; s++) {
    mjtNum spread = side[s][1] - side[s][0];
    if (spread > (mjtNum)opt->tolrange * (high - low)) {
      return refuse(error, error_sz,
                    "actuator %d: its length range did not converge: side %d still varies by %g of "
                    "%g; limit its joints, or give lengthrange",
                    index, s, (double)spread, (double)(high - low));
    }
  }
  return 1;
}

int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                      int error_sz) {
  if (index < 0 || index >= m->nu) {
    mju_error("mj_setLengthRange: there is no actuator %d, the model has %d", index, (int)m->nu);
    return 0;
  }
  if (!is_wanted(m, index, opt)) return 1;
  const mjtNum* known = opt->uselimit ? range_of_target(m, index) : NULL;
  if (known) {
    ct_copy(m->actuator_lengthrange + 2 * index, known, 2);
    return 1;
  }
  return find_range(m, d, index, opt, error, error_sz);
}
