// Lane functions that exist for tests: probes of the primitives on plain arrays, and adapters that
// give engine functions the shape of a kernel. Compiled by every build of the lanes.

#ifndef TESTS_LANES_PROBES_H_
#define TESTS_LANES_PROBES_H_

#include <mujoco/mujoco.h>

#include "base/lanes.h"

typedef struct Probe_ {  // arrays of a probe
  int n;
  const mjtNum* x;    // (n) numbers to work on
  const int* counts;  // (n)
  mjtNum* num;        // (n + 4 * LANE_MOST) results; what is not written stays
  int* whole;         // (n + LANE_MOST) results
} Probe;

// LANE_FN void probe_<name>(Lane g, Probe* p). Those named wrong_ have a mistake that a test must
// find.
#define PROBES(probe_)                                                                            \
  probe_(reductions) probe_(scan) probe_(wide) probe_(broadcast) probe_(alone) probe_(elementary) \
      probe_(sums) probe_(votes) probe_(turns) probe_(sync) probe_(wrong_sync) probe_(wrong_sum)

#define DECLARE_PROBE(name_) LANE_FN void probe_##name_(Lane g, Probe* p);
PROBES(DECLARE_PROBE)
#undef DECLARE_PROBE

// Adapters return a status, like stages.

// qacc_smooth = M^-1 qfrc_smooth by the factor in qLD
LANE_FN int adapt_rows(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_solve(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_product(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_inverse(Lane g, const mjModel* m, mjData* d);

// cvel[6 b] = mass of the subtree of body b, pulled from the children by LANE_LEVELS_UP
LANE_FN int adapt_subtree_mass(Lane g, const mjModel* m, mjData* d);

// qacc_smooth = the numbers of qvel backwards, by way of two pieces of scratch
LANE_FN int adapt_scratch(Lane g, const mjModel* m, mjData* d);

// Of the last body: its Jacobian into cdof_dot (as 6 x nv), and the rate of the upper half into
// cinert. Of the first body: the momenta of its subtree into cdof_dot.
LANE_FN int adapt_jacobian(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_jacobian_rate(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_momentum(Lane g, const mjModel* m, mjData* d);

// Moves qpos on, puts the velocity from qpos0 to it into qacc_smooth, applies a force there, and
// puts both energies into qfrc_smooth.
LANE_FN int adapt_position(Lane g, const mjModel* m, mjData* d);

// Steps that adapt_march makes.
enum { MARCH_STRIDE = 10 };

// Two whole steps with the integrator of the model, and with each of those that models seldom ask
// for.
LANE_FN int adapt_step(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_march(Lane g, const mjModel* m, mjData* d);

// After a step, all numbers of A, B, C and D and of a product at the state before it, folded into
// qacc_smooth, qfrc_smooth, qfrc_passive and qfrc_bias. Nothing for models without analytic
// derivative.
LANE_FN int adapt_slopes(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_solver(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_large_solver(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_runge_kutta(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_implicitfast(Lane g, const mjModel* m, mjData* d);
LANE_FN int adapt_spring_damper(Lane g, const mjModel* m, mjData* d);

#endif  // TESTS_LANES_PROBES_H_
