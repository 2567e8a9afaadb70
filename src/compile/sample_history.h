// Rules that actuators and sensors share about the past values they keep.

#ifndef CT_COMPILE_SAMPLE_HISTORY_H_
#define CT_COMPILE_SAMPLE_HISTORY_H_

#include "compile/compile.h"

// Refuses a delay without samples, and more samples than a buffer can have.
static inline void ct_check_history(ct_Compiler* c, const ct_Element* e, int nsample,
                                    double delay) {
  const int most = 1 << 24;
  if (nsample < 0) ct_fail(c, e, "nsample is %d, it cannot be negative", nsample);
  if (delay > 0 && nsample == 0) ct_fail(c, e, "delay needs a positive nsample");
  if (nsample > most) ct_fail(c, e, "nsample is %d, at most %d are possible", nsample, most);
}

// Numbers in the buffer of so many samples of `dim` numbers: two of bookkeeping, times, values.
static inline int64_t ct_history_size(int nsample, int dim) {
  return nsample > 0 ? 2 + (int64_t)nsample + (int64_t)nsample * dim : 0;
}

#endif  // CT_COMPILE_SAMPLE_HISTORY_H_
