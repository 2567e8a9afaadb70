// Random but valid states of a model, the same for every engine and every run.

#ifndef TESTS_CONFORMANCE_STATES_H_
#define TESTS_CONFORMANCE_STATES_H_

#include <stdint.h>

#include "conformance/engine.h"

// A generator of numbers that depends on its seed alone.
typedef struct {
  uint64_t state;
} Random;

Random random_seeded(const char* text, int number);
double random_uniform(Random* r, double low, double high);

// Puts random positions (inside joint ranges), velocities, activations, controls, applied forces
// and mocap poses into d, which must have been reset by the same engine.
void randomise_state(const Engine* e, const mjModel* m, mjData* d, Random* r);

// New random controls within their ranges.
void randomise_controls(const mjModel* m, mjData* d, Random* r);

#endif  // TESTS_CONFORMANCE_STATES_H_
