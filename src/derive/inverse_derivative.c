// Derivatives of inverse dynamics: -R and H of the equation of motion at given accelerations, or
// differences.

#include <corten/derivative.h>

#include "base/failure.h"
#include "base/memory/scratch.h"
#include "base/private.h"
#include "derive/difference.h"
#include "derive/keep.h"
#include "derive/question.h"
#include "derive/step_slopes.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "host/walk.h"
#include "math/scalar.h"

// The forces of the slopes are those of this pass.
static int evaluate(const mjModel* m, mjData* d, bool less_actuation) {
  int status = ct_inverse_skipping(m, d, mjSTAGE_NONE, 1) & CT_ERRORS;
  if (!status && less_actuation) mj_fwdActuation(m, d);
  return status;
}

static int analytic(const mjModel* m, mjData* d, ct_SlopeTarget* to) {
  ct_Kept kept;
  if (!ct_keep_data(&kept, m, d, true)) return CT_STACK_FULL;
  int status = evaluate(m, d, to->less_actuation);
  if (!status) status = ct_step_slopes(lane_one(), m, d, to);
  ct_put_back_data(&kept, m, d);
  return status;
}

// mjd_inverseFD has inputs in rows.
static void transpose(mjtNum* x, size_t n) {
  for (size_t i = 0; x && i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      mjtNum keep = x[i * n + j];
      x[i * n + j] = x[j * n + i];
      x[j * n + i] = keep;
    }
  }
}

static int differences(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                       bool less_actuation, const ct_InverseMatrices* out,
                       ct_DerivativeReport* report) {
  size_t nv = (size_t)m->nv, n = nv * nv;
  ct_InverseTarget target = {.DfDq = out->q, .DfDv = out->v, .DfDa = out->a};
  bool centred = options->centred != 0;
  int status = ct_difference_inverse(m, d, options->eps, centred, true, less_actuation, target);
  report->status |= status & CT_PUBLIC_STATUS;
  if (status || !ct_are_finite(out->q, n) || !ct_are_finite(out->v, n) ||
      !ct_are_finite(out->a, n)) {
    report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  transpose(out->q, nv);
  transpose(out->v, nv);
  transpose(out->a, nv);
  return 0;
}

int ct_inverse_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                          mjtByte less_actuation, const ct_InverseMatrices* out,
                          ct_DerivativeReport* report) {
  ct_DerivativeReport mine, *to = report ? report : &mine;
  const ct_InverseMatrices nothing = {NULL, NULL, NULL};
  if (!out) out = &nothing;
  options = ct_open_any_question("ct_inverse_derivative", m, d, options, to);
  if (!options) return -1;
  for (int i = 0; i < m->nv; i++) {
    if (!ct_is_bad(d->qacc[i])) continue;
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }

  // which integrator there is does not matter, unless accelerations are those of its steps
  bool discrete = (m->opt.enableflags & mjENBL_INVDISCRETE) != 0;
  unsigned reasons = ct_first_reasons(m) & ~(unsigned)CT_NO_SLOPE_INTEGRATOR;
  if (discrete) reasons |= CT_NO_SLOPE_INTEGRATOR;
  ct_SlopeTarget target = {
      .reasons = reasons, .inverse = out, .less_actuation = less_actuation != 0};
  if (options->method != CT_DERIVATIVE_DIFFERENCES && reasons == 0) {
    int status = analytic(m, d, &target);
    to->status = status & CT_PUBLIC_STATUS;
    bool good = !status && ct_are_finite(out->a, (size_t)m->nv * (size_t)m->nv);
    if (!good) target.reasons |= CT_NO_SLOPE_NUMBERS;
  }
  bool done =
      options->method != CT_DERIVATIVE_DIFFERENCES && (target.reasons & ~CT_SLOPE_NOTES) == 0;
  to->method = done ? CT_DERIVATIVE_ANALYTIC : CT_DERIVATIVE_DIFFERENCES;
  to->reasons = options->method == CT_DERIVATIVE_DIFFERENCES ? 0 : (int)target.reasons;
  if (done) return 0;
  if (m->opt.noslip_iterations > 0) to->reasons |= CT_NO_SLOPE_NOSLIP;
  if (options->method == CT_DERIVATIVE_ANALYTIC || m->opt.noslip_iterations > 0) return -1;
  return differences(m, d, options, less_actuation != 0, out, to);
}
