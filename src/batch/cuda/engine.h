// All lane code in one translation unit, so that a kernel is compiled as a whole: nothing is called
// through a linker, functions with one caller are inlined, and what a kernel does not reach is not
// in it. The build lists the sources (cmake/cuda.cmake).

#ifndef CT_BATCH_CUDA_ENGINE_H_
#define CT_BATCH_CUDA_ENGINE_H_

#include "engine_sources.h"

#endif  // CT_BATCH_CUDA_ENGINE_H_
