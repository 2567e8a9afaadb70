// The dispatcher of derivatives: options, which method is possible, and checks of one against the
// other.

#include <corten/derivative.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/scratch.h"
#include "base/private.h"
#include "derive/difference.h"
#include "derive/keep.h"
#include "derive/parameter.h"
#include "derive/question.h"
#include "derive/runge_kutta_slopes.h"
#include "derive/step_slopes.h"
#include "derive/step_work.h"
#include "host/dynamics.h"
#include "host/report.h"
#include "host/walk.h"
#include "math/scalar.h"

static const char* const reason_texts[] = {
    "the model has flexes",
    "plugins, callbacks, delays, or gains, biases or dynamics of users",
    "trees may sleep",
    "forces of the noslip solver minimise nothing",
    "the integrator",
    "a medium of negative density or viscosity",
    "a tendon where its length has no derivative, or at a limit of its force where actuators of it "
    "are at one too, or are measured",
    "a transmission that is not known",
    "a contact that another one takes the place of under the smallest motion",
    "an equality of flexes",
    "sensors",
    "no room on the stack, a matrix that cannot be factored, or numbers that are not finite",
    "points of some contacts, by differences of the two shapes alone",
    "the limit of a ball joint that is not turned, so that its angle has no axis",
    "points of some contacts, accurate to the tolerance of the convex solver only",
    "a parameter that acts otherwise than by accelerations",
};

const char* ct_derivative_reason(int reason) {
  int count = (int)(sizeof(reason_texts) / sizeof(reason_texts[0]));
  for (int k = 0; k < count; k++) {
    if (reason == 1 << k) return reason_texts[k];
  }
  return "";
}

// Analytic

static bool is_analytic(unsigned reasons) {
  return (reasons & ~(CT_SLOPE_NOTES | (unsigned)CT_NO_SLOPE_SENSOR)) == 0;
}

static bool is_runge_kutta(const mjModel* m) {
  return m->opt.integrator == mjINT_RK4;
}

// With columns of parameters (w) first acc^ is needed, at which these are taken.
static int slopes_at(const mjModel* m, mjData* d, ct_ParameterWork* w, ct_SlopeTarget* to) {
  int status = CT_OK;
  if (w) {
    ct_SlopeTarget first = {.reasons = to->reasons, .smoothing = to->smoothing, .moved = w->moved};
    status = ct_step_slopes(lane_one(), m, d, &first);
    to->reasons = first.reasons;
    if (!status && is_analytic(to->reasons)) status = ct_parameter_columns(w, m, d);
  }
  if (!status && is_analytic(to->reasons)) {
    status =
        is_runge_kutta(m) ? ct_runge_kutta_slopes(m, d, to) : ct_step_slopes(lane_one(), m, d, to);
  }
  if (status) to->reasons |= CT_NO_SLOPE_NUMBERS;
  return status;
}

// With a forward pass before, of which no trace is left. Runge-Kutta evaluates at other states too.
static int slopes_of_state(const mjModel* m, mjData* d, bool evaluated, ct_ParameterWork* w,
                           ct_SlopeTarget* to) {
  if (evaluated && !is_runge_kutta(m)) return slopes_at(m, d, w, to);
  ct_Kept kept;
  if (!ct_keep_data(&kept, m, d, true)) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
    return CT_STACK_FULL;
  }
  int status = ct_walk_silently(m, d, CT_FORWARD & ~(unsigned)CT_ALL_SENSORS);
  if (status & CT_ERRORS) {
    to->reasons |= CT_NO_SLOPE_NUMBERS;
  } else {
    status |= slopes_at(m, d, w, to);
  }
  ct_put_back_data(&kept, m, d);
  return status;
}

// Differences that corten allows itself: Runge-Kutta too. Steps that diverge have none.
static int differences(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                       ct_Transition to, ct_DerivativeReport* report) {
  int status = ct_difference_step(m, d, options->eps, options->centred != 0, true, to);
  report->status |= status & CT_PUBLIC_STATUS;
  if (status) {
    report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  bool good = ct_are_finite(to.A, n * n) && ct_are_finite(to.B, n * nu) &&
              ct_are_finite(to.C, ns * n) && ct_are_finite(to.D, ns * nu);
  if (!good) report->reasons |= CT_NO_SLOPE_NUMBERS;
  return good ? 0 : -1;
}

static bool lacks_sensor_slopes(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (!ct_has_sensor_slope(m, i)) return true;
  }
  return false;
}

// Rows of those sensors in which formulas have left zeros, or all rows.
static void copy_sensors(const mjModel* m, bool all, const mjtNum* from, mjtNum* to,
                         size_t columns) {
  for (int i = 0; to && i < m->nsensor; i++) {
    size_t first = (size_t)m->sensor_adr[i] * columns, count = (size_t)m->sensor_dim[i] * columns;
    if (!all && ct_has_sensor_slope(m, i)) continue;
    memcpy(to + first, from + first, count * sizeof(mjtNum));
  }
}

// What is missing, by differences. Rows of sensors are put between those that are there.
static int fill_by_differences(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                               ct_Transition rest, bool sensed, ct_DerivativeReport* report) {
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  ct_Transition to = rest;
  mjtNum* room = NULL;
  if (rest.C || rest.D) {
    room = (mjtNum*)mju_malloc((ns * (n + nu) + 1) * sizeof(mjtNum));
    if (!room) return -1;
    if (rest.C) to.C = room;
    if (rest.D) to.D = room + ns * n;
  }
  int result = differences(m, d, options, to, report);
  if (result == 0 && rest.C) copy_sensors(m, !sensed, to.C, rest.C, n);
  if (result == 0 && rest.D) copy_sensors(m, !sensed, to.D, rest.D, nu);
  mju_free(room);
  return result;
}

static int dispatch(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                    const ct_DerivativeMatrices* out, ct_DerivativeReport* report) {
  bool wants_sensors = (out->C || out->D) && m->nsensordata > 0;
  bool anything = out->A || out->B || wants_sensors, analytic = false;
  ct_SlopeTarget to = {
      .A = out->A, .B = out->B, .reasons = ct_first_reasons(m), .smoothing = options->smoothing};
  if (wants_sensors && !mjcb_sensor) {  // which may write anything there
    to.C = out->C;
    to.D = out->D;
  }
  if (options->method != CT_DERIVATIVE_DIFFERENCES) {
    if (anything && is_analytic(to.reasons)) {
      int status = slopes_of_state(m, d, options->evaluated != 0, NULL, &to);
      report->status |= status & CT_PUBLIC_STATUS;
      report->worst = to.worst;
      analytic = is_analytic(to.reasons);
    }
    if (wants_sensors && (!to.sensed || lacks_sensor_slopes(m))) to.reasons |= CT_NO_SLOPE_SENSOR;
    report->reasons = (int)to.reasons;
  }
  report->method = analytic ? CT_DERIVATIVE_ANALYTIC : CT_DERIVATIVE_DIFFERENCES;
  bool senses = wants_sensors && (!to.sensed || (to.reasons & CT_NO_SLOPE_SENSOR));
  ct_Transition rest = {analytic ? NULL : out->A, analytic ? NULL : out->B, senses ? out->C : NULL,
                        senses ? out->D : NULL};
  if (!rest.A && !rest.B && !senses) return 0;
  if (options->method == CT_DERIVATIVE_ANALYTIC) return -1;
  return fill_by_differences(m, d, options, rest, to.sensed, report);
}

int ct_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                  const ct_DerivativeMatrices* out, ct_DerivativeReport* report) {
  ct_DerivativeReport mine, *to = report ? report : &mine;
  const ct_DerivativeMatrices nothing = {NULL, NULL, NULL, NULL};
  options = ct_open_question("ct_derivative", m, d, options, to);
  return options ? dispatch(m, d, options, out ? out : &nothing, to) : -1;
}

// Products

static void multiply(const mjModel* m, const mjtNum* A, const mjtNum* B,
                     const ct_DerivativeProduct* p) {
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu;
  for (size_t i = 0; p->dy && i < n; i++) {
    p->dy[i] = 0;
    for (size_t k = 0; p->dx && k < n; k++) p->dy[i] += A[i * n + k] * p->dx[k];
    for (size_t k = 0; p->du && k < nu; k++) p->dy[i] += B[i * nu + k] * p->du[k];
  }
  for (size_t k = 0; p->by_y && p->by_x && k < n; k++) {
    p->by_x[k] = 0;
    for (size_t i = 0; i < n; i++) p->by_x[k] += A[i * n + k] * p->by_y[i];
  }
  for (size_t k = 0; p->by_y && p->by_u && k < nu; k++) {
    p->by_u[k] = 0;
    for (size_t i = 0; i < n; i++) p->by_u[k] += B[i * nu + k] * p->by_y[i];
  }
}

static bool is_finite_product(const mjModel* m, const ct_DerivativeProduct* p) {
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu;
  return ct_are_finite(p->dy, n) && ct_are_finite(p->by_y ? p->by_x : NULL, n) &&
         ct_are_finite(p->by_y ? p->by_u : NULL, nu);
}

static int multiply_matrices(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                             const ct_DerivativeProduct* product, ct_DerivativeReport* report) {
  size_t n = (size_t)(2 * m->nv + m->na), numbers = n * (n + (size_t)m->nu) + 1;
  mjtNum* room = (mjtNum*)mju_malloc(numbers * sizeof(mjtNum));
  if (!room) {
    report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  ct_DerivativeMatrices out = {room, room + n * n, NULL, NULL};
  int result = dispatch(m, d, options, &out, report);
  if (result == 0) multiply(m, out.A, out.B, product);
  mju_free(room);
  if (result == 0 && !is_finite_product(m, product)) {
    report->reasons |= CT_NO_SLOPE_NUMBERS;
    return -1;
  }
  return result;
}

// Behind matrices that had to be made: P' by_y.
static int weigh_parameters(const mjModel* m, mjData* d, ct_ParameterWork* w, const mjtNum* by_y,
                            mjtNum* by, ct_DerivativeReport* report) {
  size_t n = (size_t)(2 * m->nv + m->na), count = (size_t)w->count;
  mjtNum* P = (mjtNum*)mju_malloc((n * count + 1) * sizeof(mjtNum));
  int status = P ? ct_difference_parameters(w, m, d, P) : CT_STACK_FULL;
  for (size_t k = 0; k < count && !status; k++) {
    by[k] = 0;
    for (size_t i = 0; i < n; i++) by[k] += P[i * count + k] * by_y[i];
  }
  mju_free(P);
  if (!status && ct_are_finite(by, count)) return 0;
  report->reasons |= CT_NO_SLOPE_NUMBERS;
  return -1;
}

int ct_multiply_step(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                     const ct_DerivativeProduct* product, ct_ParameterWork* w, mjtNum* by,
                     ct_DerivativeReport* report) {
  options = ct_open_question("ct_derivative_product", m, d, options, report);
  if (!options) return -1;
  ct_ExtraColumns extra = {w ? w->count : 0, w ? w->rhs : NULL, w ? w->other : NULL, NULL, by};
  ct_SlopeTarget target = {.reasons = ct_first_reasons(m),
                           .smoothing = options->smoothing,
                           .product = product,
                           .extra = w ? &extra : NULL};
  bool has_columns = !w || ct_has_parameter_columns(w, m);
  bool analytic = options->method != CT_DERIVATIVE_DIFFERENCES && !is_runge_kutta(m) &&
                  is_analytic(target.reasons) && has_columns;
  int status = CT_OK;
  if (analytic) {
    status = slopes_of_state(m, d, options->evaluated != 0, w, &target);
    analytic = is_analytic(target.reasons);
  }
  if (!analytic) {
    int result = multiply_matrices(m, d, options, product, report);
    bool wants_formulas = options->method != CT_DERIVATIVE_DIFFERENCES;
    if (!has_columns && wants_formulas) report->reasons |= CT_NO_SLOPE_PARAMETER;
    if (!has_columns && options->method == CT_DERIVATIVE_ANALYTIC) return -1;
    if (result == 0 && w) result = weigh_parameters(m, d, w, product->by_y, by, report);
    return result;
  }
  report->method = CT_DERIVATIVE_ANALYTIC;
  report->reasons = (int)target.reasons;
  report->status = status & CT_PUBLIC_STATUS;
  report->worst = target.worst;
  return 0;
}

int ct_derivative_product(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                          const ct_DerivativeProduct* product, ct_DerivativeReport* report) {
  ct_DerivativeReport mine;
  const ct_DerivativeProduct nothing = {NULL, NULL, NULL, NULL, NULL, NULL};
  return ct_multiply_step(m, d, options, product ? product : &nothing, NULL, NULL,
                          report ? report : &mine);
}

// Parameters

int ct_parameter_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                            int count, const ct_Parameter* parameters, mjtNum* P,
                            ct_DerivativeReport* report) {
  ct_DerivativeReport mine, *to = report ? report : &mine;
  ct_ParameterWork w;
  options = ct_open_question("ct_parameter_derivative", m, d, options, to);
  if (!options || !ct_open_parameters(&w, m, count, parameters)) return -1;
  if (!P) {
    ct_close_parameters(&w);
    return 0;
  }
  ct_ExtraColumns extra = {count, w.rhs, w.other, P, NULL};
  ct_SlopeTarget target = {
      .reasons = ct_first_reasons(m), .smoothing = options->smoothing, .extra = &extra};
  int status = CT_OK;
  if (!ct_has_parameter_columns(&w, m)) target.reasons |= CT_NO_SLOPE_PARAMETER;
  bool analytic = options->method != CT_DERIVATIVE_DIFFERENCES && is_analytic(target.reasons);
  if (analytic) {
    status = slopes_of_state(m, d, options->evaluated != 0, &w, &target);
    analytic = is_analytic(target.reasons);
  }
  int result = 0;
  if (!analytic && options->method == CT_DERIVATIVE_ANALYTIC) {
    result = -1;
  } else if (!analytic) {
    status = ct_difference_parameters(&w, m, d, P);
    if (options->method == CT_DERIVATIVE_DIFFERENCES) target.reasons = 0;
    bool good = !status && ct_are_finite(P, (size_t)((2 * m->nv + m->na) * count));
    if (!good) target.reasons |= CT_NO_SLOPE_NUMBERS;
    result = good ? 0 : -1;
  }
  to->method = analytic ? CT_DERIVATIVE_ANALYTIC : CT_DERIVATIVE_DIFFERENCES;
  to->reasons = (int)target.reasons;
  to->status = status & CT_PUBLIC_STATUS;
  to->worst = target.worst;
  ct_close_parameters(&w);
  return result;
}

// Checks

mjtNum ct_derivative_error(const mjtNum* x, const mjtNum* y, int n, mjtNum floor, int* where) {
  mjtNum worst = 0;
  if (where) *where = 0;
  for (int i = 0; i < n; i++) {
    mjtNum size = ct_max(ct_max(ct_abs(x[i]), ct_abs(y[i])), floor);
    mjtNum error = ct_abs(x[i] - y[i]) / size;
    if (error <= worst) continue;
    worst = error;
    if (where) *where = i;
    if (error != error) break;
  }
  return worst;
}

static mjtNum largest_number(const mjtNum* x, int n) {
  mjtNum most = 0;
  for (int i = 0; i < n; i++) most = ct_max(most, ct_abs(x[i]));
  return most;
}

// Largest difference relative to the largest number of both.
static mjtNum matrix_error(const mjtNum* x, const mjtNum* y, int rows, int columns, int* row,
                           int* column) {
  int n = rows * columns, where;
  mjtNum scale = ct_max(largest_number(x, n), largest_number(y, n));
  mjtNum error = ct_derivative_error(x, y, n, scale > 0 ? scale : 1, &where);
  *row = columns ? where / columns : 0;
  *column = columns ? where % columns : 0;
  return error;
}

int ct_check_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                        ct_DerivativeCheck* check) {
  ct_DerivativeReport report;
  ct_DerivativeCheck mine;
  if (!check) check = &mine;
  memset(check, 0, sizeof(*check));
  if (!ct_open_question("ct_check_derivative", m, d, options, &report)) return -1;
  int n = (int)(2 * m->nv + m->na), nu = (int)m->nu, result = -1;
  size_t size = (size_t)n * (size_t)(n + nu);
  mjtNum* room = (mjtNum*)mju_malloc((2 * size + 1) * sizeof(mjtNum));
  if (!room) return -1;
  ct_DerivativeOptions other;
  ct_default_derivative_options(&other);
  if (options) other = *options;
  ct_DerivativeMatrices exact = {room, room + n * n, NULL, NULL};
  ct_DerivativeMatrices rough = {room + size, room + size + n * n, NULL, NULL};
  other.method = CT_DERIVATIVE_ANALYTIC;
  check->analytic = ct_derivative(m, d, &other, &exact, &report) == 0;
  other.method = CT_DERIVATIVE_DIFFERENCES;
  other.centred = 1;
  if (check->analytic && ct_derivative(m, d, &other, &rough, &report) == 0) {
    check->error_A = matrix_error(exact.A, rough.A, n, n, &check->row_A, &check->column_A);
    check->error_B = matrix_error(exact.B, rough.B, n, nu, &check->row_B, &check->column_B);
    result = 0;
  }
  mju_free(room);
  return result;
}

int ct_differences_converge(const mjModel* m, mjData* d, mjtNum tolerance) {
  ct_DerivativeReport report;
  if (!ct_open_question("ct_differences_converge", m, d, NULL, &report)) return 0;
  int n = (int)(2 * m->nv + m->na), row, column, good = 1;
  mjtNum* room = (mjtNum*)mju_malloc((size_t)(2 * n * n + 1) * sizeof(mjtNum));
  if (!room) return 0;
  ct_DerivativeOptions options;
  ct_default_derivative_options(&options);
  options.method = CT_DERIVATIVE_DIFFERENCES;
  for (int k = 4; k <= 8 && good; k++) {
    ct_DerivativeMatrices out = {room + (k % 2) * n * n, NULL, NULL, NULL};
    options.eps = (mjtNum)pow(10, -k);
    good = ct_derivative(m, d, &options, &out, NULL) == 0;
    if (k > 4 && good) good = matrix_error(room, room + n * n, n, n, &row, &column) <= tolerance;
  }
  mju_free(room);
  return good;
}
