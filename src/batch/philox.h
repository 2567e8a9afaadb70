// Random numbers from a counter: block k of a stream is a function of k, so that nobody has to draw
// the numbers before it.
//
// Philox 4x32 with ten rounds. J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as
// easy as 1, 2, 3, SC11, section 4.3 and table 2: per round
//   (c0, c1, c2, c3) <- (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)),
// and the key grows by the golden ratio and by sqrt(3) - 1.

#ifndef CT_BATCH_PHILOX_H_
#define CT_BATCH_PHILOX_H_

#include <stdint.h>

#include "math/strict.h"

typedef struct ct_RandomBlock_ {
  uint32_t word[4];
} ct_RandomBlock;

LANE_INLINE ct_RandomBlock ct_philox(ct_RandomBlock counter, uint32_t key0, uint32_t key1) {
  uint32_t* c = counter.word;
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c[0], p1 = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t c0 = (uint32_t)(p1 >> 32) ^ c[1] ^ key0, c2 = (uint32_t)(p0 >> 32) ^ c[3] ^ key1;
    c[0] = c0;
    c[1] = (uint32_t)p1;
    c[2] = c2;
    c[3] = (uint32_t)p0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

// The block of number `counter` of an environment.
LANE_INLINE ct_RandomBlock ct_random_block(uint64_t seed, int environment, uint64_t counter) {
  ct_RandomBlock c = {
      {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)environment, 0x636F7274u}};
  return ct_philox(c, (uint32_t)seed, (uint32_t)(seed >> 32));
}

// 53 bits of two words: 0 <= x < 1.
LANE_INLINE double ct_unit_interval(uint32_t high, uint32_t low) {
  uint64_t bits = ((uint64_t)high << 32 | low) >> 11;
  return (double)bits * 0x1p-53;
}

LANE_INLINE double ct_random_uniform(ct_RandomBlock block) {
  return ct_unit_interval(block.word[0], block.word[1]);
}

// Box and Muller: sqrt(-2 log u) cos(2 pi v), with u > 0.
LANE_INLINE double ct_random_normal(ct_RandomBlock block) {
  double u = 1 - ct_unit_interval(block.word[0], block.word[1]);
  double v = ct_unit_interval(block.word[2], block.word[3]);
  return sqrt(-2 * ct_log64(u)) * ct_cos64(6.283185307179586 * v);
}

#endif  // CT_BATCH_PHILOX_H_
