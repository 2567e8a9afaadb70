// How far rounding moves the reference itself.
//
// Some results are decided by the last bits of the state: the point where two curved surfaces that
// are nearly parallel touch, a direction that a symmetry leaves open, what is left when large
// forces cancel. There, two correct engines differ, and how much they may is measured: the
// reference computes the same state again, several times, each time from positions and velocities
// moved by about one rounding error. What its own results then differ by, times a small factor, is
// added to what is allowed.
//
// All of this happens only after a disagreement has been found.

#ifndef TESTS_CONFORMANCE_SPREAD_H_
#define TESTS_CONFORMANCE_SPREAD_H_

#include <stdbool.h>

#include "conformance/judge.h"
#include "conformance/states.h"

// Starts moved by rounding: as many as can be used, to measure a spread, and as are tried at all.
enum { SPREAD_SAMPLES = 8, MOST_SAMPLES = 64 };

typedef struct {
  mjData* data;   // of the reference's layout; numbers are the largest differences seen, integers
                  // are 1 where another value was seen
  mjtNum cost;    // largest difference of the solver's cost
  int regrouped;  // samples that had other contacts or rows, or in another order: nothing was taken
                  // from them
} RoundingSpread;

// Moves positions and velocities by at most two units in the last place, apart from trees that
// sleep in the other data (which may be the same): a pose that changes would wake them.
void move_by_rounding(const mjModel* m, mjData* d, const mjData* sleepers, Random* r);

// Moves every number of the model by at most two units in the last place: an engine that adds
// masses, sizes and weights in another order has the results of such a model.
void move_model_by_rounding(mjModel* m, Random* r);

// Starts with no difference at all, in an mjData whose arena has room for spread_room(reference).
mjtSize spread_room(const mjData* reference);
void spread_start(const mjModel* m, RoundingSpread* spread, const mjData* reference);

// Takes one more result of the reference into account.
void spread_widen(const mjModel* m, RoundingSpread* spread, const mjData* reference,
                  const mjData* moved);

#endif  // TESTS_CONFORMANCE_SPREAD_H_
