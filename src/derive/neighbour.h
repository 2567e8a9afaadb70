// Accelerations at states next to one that has been solved. See neighbour.c.

#ifndef CT_DERIVE_NEIGHBOUR_H_
#define CT_DERIVE_NEIGHBOUR_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "engine/solver/hessian.h"
#include "host/walk.h"

typedef struct ct_Centre_ {
  ct_Neighbour here;  // what the host is told; first, so that it leads back
  bool open;          // there is something to start from
  bool moved;         // the state at hand has another position
  bool bent;          // some contact is on the side of its cone, where costs are not quadratic
  bool unasked;       // nobody asks for accelerations before the integrator
  bool kept;          // factors of M and of Euler's matrix are kept
  int rows;           // of constraints
  int moved_from, moved_to;  // bodies that are not where they are at the centre
  ct_Problem problem;        // of which only sizes are used
  ct_Hessian hessian;
  mjtNum rounding, rounding_damped;          // of g' H^-1 g, and for Euler's matrix
  mjtNum *acc, *Ma, *Ja;                     // (stride), (stride), (rows) at the centre
  mjtNum* damped;                            // (stride) Euler's acceleration there
  int* state;                                // (rows)
  mjtNum *a, *Mx, *push, *g, *delta;         // (stride) of the state at hand
  mjtNum *qLD, *qLDiagInv, *qH, *qHDiagInv;  // what d had
} ct_Centre;

// Starts from the step that d has just made. False, and not open, where accelerations have to be
// solved for by the solver of the model everywhere. eps: of the nudges that follow; sensed: sensors
// will be looked at.
bool ct_open_centre(ct_Centre* c, const mjModel* m, mjData* d, mjtNum eps, bool sensed);

// Says which bodies a nudge of that dof moves; those that the last one moved are placed anew too.
void ct_move_neighbour(ct_Centre* c, const mjModel* m, int dof);

// Is the scratch still there? A reset of the data forgets it.
void ct_check_centre(ct_Centre* c, const mjData* d);

#endif  // CT_DERIVE_NEIGHBOUR_H_
