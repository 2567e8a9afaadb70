// The front of an environment on the device: its mjData as layout.h has it, and the private block.

#ifndef CT_BATCH_CUDA_FRONT_H_
#define CT_BATCH_CUDA_FRONT_H_

#include "base/private.h"

// A multiple of 16, which is what a thread moves at a time.
enum { CT_FRONT = (CT_ALIGN_UP(sizeof(mjData)) + sizeof(ct_Private) + 15) / 16 * 16 };

#endif  // CT_BATCH_CUDA_FRONT_H_
