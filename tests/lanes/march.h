// Marches: many whole steps of a model on one lane and by another runner, everything compared on
// the way. What differs in the last bit would grow.

#ifndef TESTS_LANES_MARCH_H_
#define TESTS_LANES_MARCH_H_

#include "lanes/compare.h"
#include "lanes/probes.h"
#include "lanes/runner.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a march changes in a model, by number: solvers, cones, storage, integrators, sleep, convex
// collision. The first changes nothing, the second leaves constraints out.
int march_way_count(void);
const char* march_way_name(int way);

typedef struct March_ {
  const char* model;  // a recorded one, heap, or a file that ends in .mjb
  int way;
  int nstep;  // a multiple of MARCH_STRIDE, after which everything is compared
} March;

typedef struct MarchReport_ {
  BitReport bits;           // stops at the first comparison that finds something
  int ncon, nefc, nisland;  // most that were seen
  int nasleep;              // most trees asleep
  unsigned long long hash;  // of the other runner's state in the end
} MarchReport;

// Changes a model the way that this number has.
void march_change(mjModel* m, int way);

// Data to march from: at rest under sleep, so that something falls asleep, elsewhere everything
// moves. The arena has the same bytes in every run, so that what a step leaves unset can be
// compared too.
mjData* march_start(const mjModel* m);

// Controls at step k, made from integers, so that they are the same everywhere.
void march_steer(const mjModel* m, mjData* d, int k);

// Everything that a step writes, as far as this build can compare it. Timers are left out, and how
// much scratch was used.
void march_compare(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                   const mjData* b);

// False if the engine cannot step the model (plugins).
bool march_is_possible(const March* march);

// A march ends early where the model is unstable and velocities become infinite.
MarchReport compare_march(const March* march, const LaneRunner* other, int nlane);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_LANES_MARCH_H_
