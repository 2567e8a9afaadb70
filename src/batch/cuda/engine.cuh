// The engine on the GPU: every lane source as it is, in one translation unit, so that the compiler
// sees through all calls. The build writes lane_sources.inc, a list of #include lines, from
// src/engine, src/collide and src/soft.
//
// One unit means that static functions of different stages need different names.

#ifndef CT_BATCH_CUDA_ENGINE_CUH_
#define CT_BATCH_CUDA_ENGINE_CUH_

#include "lane_sources.inc"

#endif  // CT_BATCH_CUDA_ENGINE_CUH_
