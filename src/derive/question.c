#include "derive/question.h"

#include <math.h>
#include <string.h>

#include "derive/step_slopes.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "host/walk.h"
#include "math/scalar.h"

#define STANDARD_OPTIONS \
  { CT_DERIVATIVE_HYBRID, (mjtNum)1e-6, 1, 0, 0 }

void ct_default_derivative_options(ct_DerivativeOptions* options) {
  ct_DerivativeOptions standard = STANDARD_OPTIONS;
  *options = standard;
}

static bool options_are_good(const char* function, const ct_DerivativeOptions* options) {
  if (options->method < CT_DERIVATIVE_HYBRID || options->method > CT_DERIVATIVE_DIFFERENCES) {
    mju_error("%s: there is no method %d; take one of ct_DerivativeMethod", function,
              options->method);
    return false;
  }
  if (!(options->eps > 0 && options->eps <= (mjtNum)0.01)) {
    mju_error("%s: eps is %g; it must be above 0 and at most 0.01", function, (double)options->eps);
    return false;
  }
  if (!(options->smoothing >= 0)) {
    mju_error("%s: smoothing is %g; it must be 0 or above", function, (double)options->smoothing);
    return false;
  }
  return true;
}

static bool are_given(const char* function, const mjModel* m, const mjData* d) {
  if (m && d) return true;
  mju_error("%s: the %s is NULL", function, m ? "mjData" : "mjModel");
  return false;
}

static bool are_bad(const mjtNum* x, size_t n) {
  bool bad = false;
  for (size_t i = 0; i < n; i++) bad |= ct_is_bad(x[i]) != 0;
  return bad;
}

// Controls are none of it: a step takes bad ones for zero.
static bool has_bad_state(const mjModel* m, const mjData* d) {
  size_t nv = (size_t)m->nv;
  return are_bad(d->qpos, (size_t)m->nq) || are_bad(d->qvel, nv) ||
         are_bad(d->act, (size_t)m->na) || are_bad(d->qfrc_applied, nv) ||
         are_bad(d->xfrc_applied, 6 * (size_t)m->nbody);
}

const ct_DerivativeOptions* ct_open_any_question(const char* function, const mjModel* m,
                                                 const mjData* d,
                                                 const ct_DerivativeOptions* options,
                                                 ct_DerivativeReport* report) {
  static const ct_DerivativeOptions standard = STANDARD_OPTIONS;
  memset(report, 0, sizeof(*report));
  if (!options) options = &standard;
  if (!are_given(function, m, d) || !options_are_good(function, options)) return NULL;
  if (!ct_can_step(m, function)) return NULL;
  if (has_bad_state(m, d)) {
    report->reasons |= CT_NO_SLOPE_NUMBERS;
    return NULL;
  }
  return options;
}

const ct_DerivativeOptions* ct_open_question(const char* function, const mjModel* m,
                                             const mjData* d, const ct_DerivativeOptions* options,
                                             ct_DerivativeReport* report) {
  options = ct_open_any_question(function, m, d, options, report);
  if (options && m->nhistory > 0) {
    mju_error("%s: delays of actuators or sensors are not part of the state", function);
    return NULL;
  }
  return options;
}

bool ct_are_finite(const mjtNum* x, size_t n) {
  bool good = true;
  for (size_t i = 0; x && i < n; i++) good &= isfinite((double)x[i]) != 0;
  return good;
}

unsigned ct_first_reasons(const mjModel* m) {
  unsigned reasons = ct_reasons_of_model(m) & ~(unsigned)CT_NO_SLOPE_USER_CODE;
  if (m->nhistory > 0 || ct_user_code_acts(m)) reasons |= CT_NO_SLOPE_USER_CODE;
  return reasons;
}
