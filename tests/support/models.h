// Models for tests: what the reference compiled from models/*.xml.

#ifndef TESTS_SUPPORT_MODELS_H_
#define TESTS_SUPPORT_MODELS_H_

#include <mujoco/mujoco.h>

// Loads tests/recorded/models/<name>.mjb; fails the running test if it cannot. Built for single
// precision, the numbers of the file are rounded, and options and statistics have their defaults.
mjModel* recorded_model(const char* name);

#endif  // TESTS_SUPPORT_MODELS_H_
