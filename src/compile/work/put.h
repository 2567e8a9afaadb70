// Numbers of a spec, which are always double, into arrays of the model.

#ifndef CT_COMPILE_WORK_PUT_H_
#define CT_COMPILE_WORK_PUT_H_

#include <mujoco/mujoco.h>
#include <string.h>

static inline void ct_put(mjtNum* row, const double* numbers, int count) {
  for (int i = 0; i < count; i++) row[i] = (mjtNum)numbers[i];
}

// Solver parameters are of the engine's precision already.
static inline void ct_put_nums(mjtNum* row, const mjtNum* numbers, int count) {
  memcpy(row, numbers, (size_t)count * sizeof(mjtNum));
}

static inline void ct_put_floats(float* row, const float* numbers, int count) {
  memcpy(row, numbers, (size_t)count * sizeof(float));
}

#endif  // CT_COMPILE_WORK_PUT_H_
