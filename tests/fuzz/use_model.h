// What programs do with a model from somewhere else: look at names, simulate, ask questions, print.
// Nothing of it may crash or hang, whatever the numbers of the model are.

#ifndef TESTS_FUZZ_USE_MODEL_H_
#define TESTS_FUZZ_USE_MODEL_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// Names of objects by id, and ids by name.
void use_names(const mjModel* m);

// Steps, inverts, measures, casts rays and copies, in mjData of its own; prints it too, which takes
// longer than all the rest, if asked to. Models that ask for unreasonable memory are left alone.
// The model's constants are computed anew at the end.
void use_model(mjModel* m, bool printed);

#endif  // TESTS_FUZZ_USE_MODEL_H_
