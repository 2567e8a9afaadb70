// Stages of the smooth part of a step for four environments side by side. What is behind this fence
// knows an mjModel and an mjData with words in place of numbers (base/four.h), so that they pass it
// as bytes.

#ifndef CT_BATCH_FOUR_STAGES_H_
#define CT_BATCH_FOUR_STAGES_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/schedule.h"

enum {  // parts that a model may have to do one by one: ct_run_four
  CT_FOUR_INERTIA = 1,
  CT_FOUR_PASSIVE = 2,
  CT_FOUR_BIAS = 4,
  CT_FOUR_ACTUATION = 8,
  CT_FOUR_ACCELERATION = 16,
  CT_FOUR_DAMPED = 32,
};

// The two structs, and where something is in them: the pointer of each line of four_fields.def,
// first those of the model, then the inputs and results; in the model, the first of all pointers.
size_t ct_four_model_bytes(void);
size_t ct_four_data_bytes(void);
size_t ct_four_field_offset(int field);
size_t ct_four_model_pointers(void);

// Numbers of a model that lie in the struct.
typedef struct ct_FourOptions_ {
  double timestep, gravity[3];
  int disableflags;
} ct_FourOptions;
void ct_four_set_options(void* four_model, const ct_FourOptions* options);
void ct_four_set_schedule(void* four_data, const ct_Schedule* schedule);

// From the inputs to whatever parts ask for, beside positions and velocities of bodies. room: 12
// words for each body. On return its results are those of the stages, in every place. The second
// has the same bits, and is for processors with AVX-512.
typedef void ct_RunFour(const void* four_model, void* four_data, void* room, unsigned parts);
ct_RunFour ct_run_four, ct_run_four_avx512;

#endif  // CT_BATCH_FOUR_STAGES_H_
