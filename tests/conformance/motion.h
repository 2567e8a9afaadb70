// The state of a motion as one vector, and what a single step of ours is worth.

#ifndef TESTS_CONFORMANCE_MOTION_H_
#define TESTS_CONFORMANCE_MOTION_H_

#include "conformance/judge.h"
#include "conformance/questions.h"
#include "conformance/states.h"

// qpos, qvel, act, time.
int motion_length(const mjModel* m);
void motion_state(const mjModel* m, const mjData* d, double* x);

// Where two such states differ most, relative to max(1, |x|); the error is infinite where a number
// is not finite in one of them only.
Worst motion_difference(int n, const double* x, const double* y);

// The field of element *i of a state; *i becomes its index in that field.
const char* motion_field(const mjModel* m, long* i);

// Time of the processor, so that other work on the machine shortens no trajectory.
double seconds_now(void);

// Lets ours go on from d, with new controls from `controls` every ten steps, and judges every step
// by itself: the reference begins it in the state that ours has then. Returns how many steps, at
// most `most`, agree before the first that does not, or before time is up. Beside the state, what
// the solver begins the next step with and buffers of delays are judged. A difference that adds up
// to `agreement` in all these steps at most is none; where it is larger, the reference makes the
// same step several times more, its state and the numbers of its model moved by rounding, and
// `spread_factor` times what its own results differ by is allowed: by tree and kind of number, so
// that what rounding does to one thing does not excuse another.
int steps_in_agreement(const Inquiry* q, const mjModel* m, mjData* d, Random* controls, int most,
                       double agreement, double until);

#endif  // TESTS_CONFORMANCE_MOTION_H_
