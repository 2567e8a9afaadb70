// Models for tests: what the reference compiled from models/*.xml.

#ifndef TESTS_SUPPORT_MODELS_H_
#define TESTS_SUPPORT_MODELS_H_

#include <mujoco/mujoco.h>
#include <stddef.h>

// Loads tests/recorded/models/<name>.mjb; fails the running test if it cannot. Built for single
// precision, the numbers of the file are rounded, and options and statistics have their defaults.
mjModel* recorded_model(const char* name);

// Names of all recorded models, sorted ("humanoid"); NULL from the count on.
const char* recorded_model_name(int i);

// The bytes of a recorded file, to be freed; fails the running test if there is none.
unsigned char* recorded_model_bytes(const char* name, size_t* size);

#endif  // TESTS_SUPPORT_MODELS_H_
