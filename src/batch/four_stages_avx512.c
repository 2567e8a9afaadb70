// The stages of four_stages.c once more, compiled for processors with AVX-512
// (cmake/library.cmake). Words stay words of four: what is new to them is that 32 registers hold
// them instead of 16.
//
// Measured on an Intel core: 3 to 5 % of a batch's step of ants, 3 % of half cheetahs, 2 % of
// humanoids. Words of eight make the stages themselves a fifth faster, which is 3 % of a step, but
// whatever else such a processor does becomes 6 to 10 % slower while it works on 512 bits; all in
// all 2 to 5 % are lost.

#ifdef __AVX512VL__

#define CT_FOUR_AVX512
#include "batch/four_stages.c"

#else  // compilers for other processors have no such instructions

#include "batch/four_stages.h"

void ct_run_four_avx512(const void* four_model, void* four_data, void* room, unsigned parts) {
  ct_run_four(four_model, four_data, room, parts);
}

#endif
