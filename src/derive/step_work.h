// What analytic derivatives of a step work with: scratch of all parts, and how the integrator turns
// da into d acc^.

#ifndef CT_DERIVE_STEP_WORK_H_
#define CT_DERIVE_STEP_WORK_H_

#include "derive/slopes.h"

// acc^ = M^^-1 M a, by what M^ is:
typedef enum ct_Mover_ {
  CT_MOVES_BY_A,    // M: acc^ is a
  CT_MOVES_DAMPED,  // M + h B, Euler
  CT_MOVES_FAST,    // M - h D, symmetric
  CT_MOVES_BY_LU,   // M - h D
} ct_Mover;

typedef struct ct_StepWork_ {
  ct_Slopes s;
  ct_Mover mover;
  bool opened;                     // arrays of d have to be put back
  bool lean;                       // only weights are asked for: neither rhs nor other is made
  bool columns;                    // matrices are asked for, not only products with vectors
  ct_SparseMatrix Mhat;            // factored, for columns, unless by LU
  mjtNum *LD, *invD;               // (nC), (nv) the same as the engine has it, for vectors
  mjtNum* other;                   // (nv x width) right-hand side of the integrator
  mjtNum *moved, *rest, *sum;      // (nv) acc^, a - acc^, anything
  mjtNum *qDeriv, *qLU, *qH, *lu;  // what d had; the factor of M - h D
  mjtNum *along, *across;          // (nv) of products
  mjtNum* column;                  // (2 nv + na)
} ct_StepWork;

// Columns of a right-hand side, those of state and controls, in whole blocks.
LANE_INLINE int ct_slope_width(const mjModel* m) {
  int columns = (int)(2 * m->nv + m->na + m->nu);
  return (columns + CT_COLUMN_BLOCK - 1) / CT_COLUMN_BLOCK * CT_COLUMN_BLOCK;
}

// Numbers and ints that all of it takes, with so many rows of constraints.
LANE_FN size_t ct_step_work_numbers(const mjModel* m, int rows, size_t width);
LANE_FN size_t ct_step_work_ints(const mjModel* m, int rows);
LANE_FN void ct_place_step_work(ct_StepWork* w, const mjModel* m, mjData* d, int width,
                                mjtNum* room, int* ints);

// a starts as M, or what else has its pattern.
LANE_FN void ct_load_M(Lane g, const mjModel* m, const ct_SparseMatrix* a, const mjtNum* M);

// A factor with the pattern of M, as the engine has it, which is free of fill-in.
LANE_FN void ct_load_factor(Lane g, const mjModel* m, const ct_SparseMatrix* a, const mjtNum* LD,
                            const mjtNum* invD);

// integrator_slopes.c: acc^ in moved, M^ factored, and in `other` what d acc^ has beside da:
//
//   d acc^ = da + M^^-1 [ other + (M - M^) da ]
//
// Arrays of d that it needs are put back by ct_close_integrator, which follows in any case, also
// where nothing was opened.
LANE_FN int ct_open_integrator(Lane g, ct_StepWork* w);
LANE_FN void ct_close_integrator(Lane g, ct_StepWork* w);

// Columns of da in rhs become those of d acc^; other is used up.
LANE_FN void ct_move_columns(Lane g, ct_StepWork* w);

// The same for one column, `more` being its part of other; and backwards: from the weights x of d
// acc^ those of da, in the same place, and those of other in z.
LANE_FN void ct_move_vector(Lane g, ct_StepWork* w, mjtNum* x, mjtNum* more);
LANE_FN void ct_move_weights(Lane g, ct_StepWork* w, mjtNum* x, mjtNum* z);

// What `other` has beside inertia, weighed by across.
LANE_FN void ct_weigh_other(Lane g, ct_StepWork* w);

// tendon_inertia_slopes.c: the share of d(M (a - acc^))/dq that comes from tendons, in `other` or
// weighed by across.
LANE_FN void ct_tendon_inertia_other(Lane g, ct_StepWork* w);

// damping_slopes.c: the share of h d(D acc^) at fixed acc^ that comes from actuators, tendons and
// the medium, in `other` or weighed by across. Needs length_v and drive.
LANE_FN void ct_damping_slopes(Lane g, ct_StepWork* w);

// sensor_slopes.c: C and D (either may be NULL) from da in rhs; rows of sensors without slope
// become zero.
LANE_FN bool ct_has_sensor_slope(const mjModel* m, int sensor);
LANE_FN void ct_sensor_slopes(Lane g, ct_StepWork* w, mjtNum* C, mjtNum* D);

#endif  // CT_DERIVE_STEP_WORK_H_
