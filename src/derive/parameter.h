// Parameters of a model: where they lie, and how they enter a step.

#ifndef CT_DERIVE_PARAMETER_H_
#define CT_DERIVE_PARAMETER_H_

#include <stdbool.h>

#include <corten/derivative.h>

#include "derive/step_slopes.h"

// Sides of a parameter that are tried.
enum { CT_SIDE_MINUS, CT_SIDE_PLUS, CT_SIDE_CENTRE, CT_NSIDE };

// A model to change and an mjData to try it in, for a list of parameters.
typedef struct ct_ParameterWork_ {
  int count;
  mjModel* m;
  mjData* d;
  mjtNum** place;                            // (count) in m
  mjtNum *eps, *fine;                        // (count) how far equations and steps are nudged
  bool *beside, *linear;                     // (count) acts beside accelerations; by large steps
  mjtNum *rhs, *other;                       // (count x nv) extra columns
  mjtNum *moved, *before;                    // (nv)
  mjtNum *force[CT_NSIDE], *rest[CT_NSIDE];  // (nv)
  mjtNum* next[CT_NSIDE];                    // (nq + nv + na) states behind a step
  mjtNum* state;                             // mjSTATE_INTEGRATION
} ct_ParameterWork;

// False after an error for parameters that do not exist, or without memory.
bool ct_open_parameters(ct_ParameterWork* w, const mjModel* m, int count,
                        const ct_Parameter* parameters);
void ct_close_parameters(ct_ParameterWork* w);

// Can all of them be taken through accelerations?
bool ct_has_parameter_columns(const ct_ParameterWork* w, const mjModel* m);

// Extra columns at the state and the accelerations of d, behind a forward pass; acc^ is in moved.
// Returns bits of a status.
int ct_parameter_columns(ct_ParameterWork* w, const mjModel* m, const mjData* d);

// P (n x count) by differences of steps from the state of d.
int ct_difference_parameters(ct_ParameterWork* w, const mjModel* m, const mjData* d, mjtNum* P);

// derivative.c: ct_derivative_product, and with w and product->by_y also the gradient by its
// parameters.
int ct_multiply_step(const mjModel* m, mjData* d, const ct_DerivativeOptions* options,
                     const ct_DerivativeProduct* product, ct_ParameterWork* w, mjtNum* by,
                     ct_DerivativeReport* report);

#endif  // CT_DERIVE_PARAMETER_H_
