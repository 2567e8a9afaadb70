// Memory of a model: the struct and one buffer, 64-byte aligned, with all arrays in the order of
// the public struct, each at the next multiple of 64 bytes.

#ifndef CT_BASE_MODEL_MODEL_MEMORY_H_
#define CT_BASE_MODEL_MODEL_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

// Are the size members fit for a model? Otherwise writes into error which is not and why. nbuffer
// and nnames_map are not looked at: they follow from the others.
bool ct_check_sizes(const mjModel* sizes, char* error, size_t nerror);

// A model with the sizes of the given struct; nbuffer and nnames_map are computed. Everything else,
// options and arrays, is zero. Returns NULL with a text in error if the sizes are bad or memory is
// short.
mjModel* ct_make_model(const mjModel* sizes, char* error, size_t nerror);

void ct_free_model(mjModel* m);

// How many models this process has made or written over so far. Whoever keeps what follows from a
// model asks whether it may be another one since.
unsigned ct_models_written(void);

#endif  // CT_BASE_MODEL_MODEL_MEMORY_H_
