// Derivatives of a step: how the next state and the sensors change with state and controls.
//
// With n = 2 nv + na the state is x = (dq, qvel, act), its positions as tangent vectors, so that
// ball and free joints have three rotations each, in the axes of the body. A step is x+ = f(x, u):
//
//   A = df/dx (n x n)   B = df/du (n x nu)   C = dy/dx (nsensordata x n)   D = dy/du
//
// all row by row, y being the sensors of the state before the step. The integrator is the model's.
//
//   analytic     exact derivatives, through constraints and contacts by the implicit function
//                theorem. At a border (a contact that just opens, a control at its limit) they are
//                those of the piece that is active.
//   differences  whole steps from nudged states, as mjd_transitionFD
//   hybrid       analytic where that is written, differences elsewhere; the report says where
//
// docs/derivatives.md tells what is analytic, how it was checked, and what it costs.

#ifndef CORTEN_DERIVATIVE_H_
#define CORTEN_DERIVATIVE_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ct_DerivativeMethod_ {
  CT_DERIVATIVE_HYBRID,
  CT_DERIVATIVE_ANALYTIC,
  CT_DERIVATIVE_DIFFERENCES,
} ct_DerivativeMethod;

typedef struct ct_DerivativeOptions_ {
  int method;       // ct_DerivativeMethod
  mjtNum eps;       // of differences, above 0 and up to 0.01
  mjtByte centred;  // differences to both sides
  mjtByte
      evaluated;     // mj_forward has been called at this state: analytic derivatives start from it
  mjtNum smoothing;  // of analytic derivatives, an acceleration; 0: they are exact. Limits and
                     // contacts have a share 1 / (1 + exp(r / smoothing)) of their weight where the
                     // exact derivative has all or nothing of it, r being by how much they
                     // separate: so that rows that exist but do not push yet are felt.
} ct_DerivativeOptions;

// Hybrid, 1e-6, centred, not evaluated, exact.
MJAPI void ct_default_derivative_options(ct_DerivativeOptions* options);

// Where the results go; NULL: not wanted. Instead of the struct itself NULL may be given too.
typedef struct ct_DerivativeMatrices_ {
  mjtNum *A, *B, *C, *D;
} ct_DerivativeMatrices;

// What has no analytic derivative here, and (CT_SHAPES_...) what is to be known of one that was
// made. What is a property of the state, not of the model, is found only at states where it
// matters, and only what was asked for counts: sensors of users concern C and D alone.
typedef enum ct_DerivativeReason_ {
  CT_NO_SLOPE_FLEX = 1 << 0,
  CT_NO_SLOPE_USER_CODE = 1 << 1,   // plugins, callbacks, gains, biases or dynamics of users
  CT_NO_SLOPE_SLEEP = 1 << 2,       // trees may sleep
  CT_NO_SLOPE_NOSLIP = 1 << 3,      // its forces minimise nothing
  CT_NO_SLOPE_INTEGRATOR = 1 << 4,  // this integrator
  CT_NO_SLOPE_FLUID = 1 << 5,
  CT_NO_SLOPE_TENDON = 1 << 6,        // at the tip of a cone (ends in line with the centre of a
                                      // sphere), or at a limit of its force with actuators at
                                      // limits of theirs, or with sensors of these
  CT_NO_SLOPE_TRANSMISSION = 1 << 7,  // of a kind that is not known
  CT_NO_SLOPE_CONTACT = 1 << 8,       // not even by differences of the two shapes alone
  CT_NO_SLOPE_EQUALITY = 1 << 9,
  CT_NO_SLOPE_SENSOR = 1 << 10,        // C and D are made by differences
  CT_NO_SLOPE_NUMBERS = 1 << 11,       // no room, a matrix that cannot be factored, or numbers that
                                       // are not finite
  CT_SHAPES_BY_DIFFERENCES = 1 << 12,  // some contacts: how the point moves, by differences of the
                                       // two shapes alone; everything else is analytic
  CT_NO_SLOPE_ROTATION = 1 << 13,      // the limit of a ball joint that is not turned at all
  CT_SHAPES_TO_TOLERANCE = 1 << 14,    // some contacts: an iteration found the point, and it and
                                       // its motion are accurate to its tolerance only
  CT_NO_SLOPE_PARAMETER = 1 << 15,     // a parameter that acts otherwise than by accelerations
} ct_DerivativeReason;

typedef struct ct_DerivativeReport_ {
  int method;    // that A and B were made by: analytic or differences
  int reasons;   // bits of ct_DerivativeReason: why not all of it is analytic; with method
                 // CT_DERIVATIVE_DIFFERENCES, why there is no result
  int status;    // bits of ct_Status of the steps that were made
  mjtNum worst;  // how far the accelerations were from the solution of the constraint problem
} ct_DerivativeReport;

// The derivatives at the state and controls of d, which is left as it was, bit for bit. Returns 0
// if everything that was asked for has been written; analytic alone fails where hybrid would take
// differences. Otherwise -1, with an error for options that make no sense and for models that
// cannot be stepped, and with reasons in the report, which may be NULL. With `evaluated` what d
// holds of the forward pass is used as it is. Analytic derivatives take their scratch from the
// stack of d and allocate nothing, unless that is nearly full. A state from which a step begins
// anew from a reset (NaN and numbers beyond 1e10 in what it reads, unless mjDSBL_AUTORESET is set)
// has no derivatives: CT_NO_SLOPE_NUMBERS, and NaN in what differences were to write. Differences
// put d aside in memory from the heap, because steps may reset it.
MJAPI int ct_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                        const ct_DerivativeMatrices* out, ct_DerivativeReport* report);

// Products with A and B, of which no matrix is made: dy = A dx + B du in the direction (dx, du),
// and backwards by_x = A' by_y, by_u = B' by_y, the gradient by state and controls of a function
// that has the gradient by_y at the next state. What dy or by_y is NULL for is not computed.
// Runge-Kutta steps and models without analytic derivative do make matrices, and allocate them.
typedef struct ct_DerivativeProduct_ {
  const mjtNum *dx, *du;  // (n), (nu); NULL: zero
  mjtNum* dy;             // (n) out
  const mjtNum* by_y;     // (n)
  mjtNum *by_x, *by_u;    // (n), (nu) out; NULL: not wanted
} ct_DerivativeProduct;
MJAPI int ct_derivative_product(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                                const ct_DerivativeProduct* product, ct_DerivativeReport* report);

// Derivatives of forward dynamics, qacc of mj_forward by position, velocity, activation, control
// and applied force (qfrc_applied), acceleration i in row i, with nv, nv, na, nu and nv columns;
// NULL: not wanted. No integrator is involved. Otherwise as ct_derivative.
typedef struct ct_ForwardMatrices_ {
  mjtNum *q, *v, *act, *ctrl, *force;
} ct_ForwardMatrices;
MJAPI int ct_forward_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                                const ct_ForwardMatrices* out, ct_DerivativeReport* report);

// Derivatives of inverse dynamics, qfrc_inverse of mj_inverse by position, velocity and
// acceleration at the state and qacc of d, each (nv x nv), force i by coordinate j in row i; NULL:
// not wanted. less_actuation: of qfrc_inverse - qfrc_actuator. Otherwise as ct_derivative.
typedef struct ct_InverseMatrices_ {
  mjtNum *q, *v, *a;
} ct_InverseMatrices;
MJAPI int ct_inverse_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                                mjtByte less_actuation, const ct_InverseMatrices* out,
                                ct_DerivativeReport* report);

// A number of the model: of an array of mjModel, "dof_damping", or of its options, "opt.gravity".
typedef struct ct_Parameter_ {
  const char* field;
  int index;  // in the array, as it lies in memory
} ct_Parameter;

// How the next state changes with parameters: P (n x count). The field alone is meant: what the
// compiler or mj_setConst make of it (invweights of a mass, the bound of a size) stays as it is.
// The implicit function theorem takes the parameter through solver and integrator; how it enters
// the equation of motion is found by differences of inverse dynamics at the same accelerations,
// which are exact but for rounding where the equation is linear in it: mass, inertia, armature,
// damping, stiffness, gains, biases, friction loss. Runge-Kutta, and fields that act beside
// accelerations (opt.timestep, actuator_dynprm, ranges of controls and activations), take
// differences of steps. Allocates.
MJAPI int ct_parameter_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                                  int count, const ct_Parameter* parameters, mjtNum* P,
                                  ct_DerivativeReport* report);

// The same of a rollout from the state of d, whose states are x_0 to x_steps: how all of them
// change with x_0 and the controls; and backwards the gradient by x_0 and all controls of a
// function that has the gradient by_y at every state, by one adjoint step after the other. For that
// the states of the rollout are kept, or as many of them as `checkpoints` says; the others are
// computed again, so that s steps need memory for 2 sqrt(s) states and one step more each. Of
// models with mjENBL_SLEEP all of the data is kept instead of a state, because states do not say
// who sleeps. The worst and the reasons of all steps are reported. d is left as it was. Allocates.
typedef struct ct_RolloutProduct_ {
  int steps;
  const mjtNum* ctrl;     // (steps x nu), NULL: what d has, all along
  int checkpoints;        // 0: every state is kept
  const mjtNum *dx, *du;  // (n), (steps x nu); NULL: zero
  mjtNum* dy;             // ((steps + 1) x n) out, beginning with dx
  const mjtNum* by_y;     // ((steps + 1) x n)
  mjtNum *by_x, *by_u;    // (n), (steps x nu) out; NULL: not wanted
  int nparameter;         // of the model
  const ct_Parameter* parameters;
  mjtNum* by_parameter;  // (nparameter) out, with by_y: the gradient by them
} ct_RolloutProduct;
MJAPI int ct_rollout_product(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                             const ct_RolloutProduct* rollout, ct_DerivativeReport* report);

// All environments of a batch (corten/batch.h), or those of the mask, each with the derivative at
// its own state, on the batch's threads. Every pointer leads to one matrix or vector per
// environment, one after the other: A (count x n x n), by_u of rollouts (count x steps x nu).
// results (count, or NULL) receives what the function would have returned, reports (count, or NULL)
// its report. Returns a ct_BatchResult. On a GPU analytic A, B and products are made
// there, and every pointer but results and reports may be the device's; the forward pass that they
// start from stays in the environments. Differences, C and D, rollouts and environments without
// analytic derivative come to the host.
struct ct_Batch_;
MJAPI int ct_batch_derivative(struct ct_Batch_* b, const mjtByte* mask,
                              const ct_DerivativeOptions* options, const ct_DerivativeMatrices* out,
                              int* results, ct_DerivativeReport* reports);
MJAPI int ct_batch_derivative_product(struct ct_Batch_* b, const mjtByte* mask,
                                      const ct_DerivativeOptions* options,
                                      const ct_DerivativeProduct* products, int* results,
                                      ct_DerivativeReport* reports);
MJAPI int ct_batch_rollout_product(struct ct_Batch_* b, const mjtByte* mask,
                                   const ct_DerivativeOptions* options,
                                   const ct_RolloutProduct* rollouts, int* results,
                                   ct_DerivativeReport* reports);

// What a reason means, in words.
MJAPI const char* ct_derivative_reason(int reason);

// Largest difference of two matrices of n numbers relative to their size: |x - y| / max(|x|, |y|,
// floor). where (may be NULL) receives its place.
MJAPI mjtNum ct_derivative_error(const mjtNum* x, const mjtNum* y, int n, mjtNum floor, int* where);

// How far analytic A and B are from centred differences with the eps of the options, as the largest
// difference relative to the largest number of each matrix; and whether differences with eps from
// 1e-4 to 1e-8 agree with each other to tolerance, in the same measure.
typedef struct ct_DerivativeCheck_ {
  mjtNum error_A, error_B;
  int row_A, column_A, row_B, column_B;  // where
  int analytic;                          // 0: there were no analytic ones
} ct_DerivativeCheck;
MJAPI int ct_check_derivative(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                              ct_DerivativeCheck* check);
MJAPI int ct_differences_converge(const mjModel* m, mjData* d, mjtNum tolerance);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_DERIVATIVE_H_
