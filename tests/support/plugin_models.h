// Models with plugins: files of tests/plugin, and texts that are refused.

#ifndef TESTS_SUPPORT_PLUGIN_MODELS_H_
#define TESTS_SUPPORT_PLUGIN_MODELS_H_

#include <mujoco/mujoco.h>

// Loads tests/plugin/<name>; fails the running test if it cannot.
mjModel* plugin_model(const char* name);

// Fails the running test unless the text of a model is refused with a message that has this part.
void expect_refused_model(const char* xml, const char* part);

// Steps the model of a file and compares with what tests/record/record_plugins.py wrote: positions,
// velocities, activations and actuator forces after every `every` steps.
void expect_recorded_steps(const char* name, int steps, int every, double tolerance,
                           double (*control)(int actuator, int step));

#endif  // TESTS_SUPPORT_PLUGIN_MODELS_H_
