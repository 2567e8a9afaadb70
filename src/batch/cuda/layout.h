// The data as it is on a GPU: the public mjData without what nobody reads there, which is the
// statistics of solver iterations and the stacks of threads (161 of 163 kB). Every CUDA source of
// this folder that runs engine code, or builds an mjData for it, includes this before anything else
// (nvcc -include), so that the engine's own includes find mjData in this shape.

#ifndef CT_BATCH_CUDA_LAYOUT_H_
#define CT_BATCH_CUDA_LAYOUT_H_

#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>

#undef mjNSOLVER
#define mjNSOLVER 0
#undef mjMAXTHREAD
#define mjMAXTHREAD 0

#include <mujoco/mjdata.h>

#endif  // CT_BATCH_CUDA_LAYOUT_H_
