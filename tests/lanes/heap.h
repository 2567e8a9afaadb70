// A heap for marches: shapes of every kind fall on a plane, on a height field and on each other, so
// that all pair functions and the convex solvers have work.

#ifndef TESTS_LANES_HEAP_H_
#define TESTS_LANES_HEAP_H_

#include <mujoco/mujoco.h>

mjModel* heap_model(void);

#endif  // TESTS_LANES_HEAP_H_
