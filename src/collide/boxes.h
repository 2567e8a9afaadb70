// Boxes in words of four, each of which is asked at once: for search.c and trees.c.

#ifndef CT_COLLIDE_BOXES_H_
#define CT_COLLIDE_BOXES_H_

#if defined(__AVX__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "collide/bounds.h"

// Coordinate k of the low corner of box i is at 24 (i / 4) + 4 k + i % 4, that of the high corner
// 12 further.
enum { CT_BOX_WORD = 4, CT_BOX_WORD_SIZE = 6 * CT_BOX_WORD };

LANE_INLINE int ct_words_of_boxes(int boxes) {
  return (boxes + CT_BOX_WORD - 1) / CT_BOX_WORD;
}

LANE_INLINE ct_Box ct_box_at(const mjtNum* boxes, int i) {
  unsigned word = (unsigned)i / CT_BOX_WORD, place = (unsigned)i % CT_BOX_WORD;
  const mjtNum* from = boxes + CT_BOX_WORD_SIZE * word + place;
  ct_Box box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = from[CT_BOX_WORD * k];
    box.high[k] = from[CT_BOX_WORD * (3 + k)];
  }
  return box;
}

LANE_INLINE void ct_set_box(mjtNum* boxes, int i, const ct_Box* box) {
  mjtNum* to = boxes + CT_BOX_WORD_SIZE * (i / CT_BOX_WORD) + i % CT_BOX_WORD;
  for (int k = 0; k < 3; k++) {
    to[CT_BOX_WORD * k] = box->low[k];
    to[CT_BOX_WORD * (3 + k)] = box->high[k];
  }
}

// Which boxes of a word have a point in common with the box? Bit k for box k. What is not a number
// meets everything.
LANE_INLINE unsigned ct_boxes_met(const ct_Box* box, const mjtNum* word) {
#if defined(__AVX__) && !defined(mjUSESINGLE) && !defined(__CUDACC__)
  __m256d apart = _mm256_setzero_pd();
  for (int k = 0; k < 3; k++) {
    __m256d low = _mm256_loadu_pd(word + CT_BOX_WORD * k),
            high = _mm256_loadu_pd(word + CT_BOX_WORD * (3 + k));
    __m256d above = _mm256_cmp_pd(_mm256_set1_pd(box->low[k]), high, _CMP_GT_OQ);
    __m256d below = _mm256_cmp_pd(low, _mm256_set1_pd(box->high[k]), _CMP_GT_OQ);
    apart = _mm256_or_pd(apart, _mm256_or_pd(above, below));
  }
  return (unsigned)_mm256_movemask_pd(apart) ^ 15u;
#else
  unsigned met = 0;
  for (int i = 0; i < CT_BOX_WORD; i++) {
    bool apart = false;
    for (int k = 0; k < 3; k++) {
      apart = apart || box->low[k] > word[CT_BOX_WORD * (3 + k) + i] ||
              word[CT_BOX_WORD * k + i] > box->high[k];
    }
    met |= (unsigned)!apart << i;
  }
  return met;
#endif
}

// The same for word number w of `count` boxes, without those before `first`.
LANE_INLINE unsigned ct_boxes_met_of(const ct_Box* box, const mjtNum* boxes, int w, int first,
                                     int count) {
  unsigned met = ct_boxes_met(box, boxes + CT_BOX_WORD_SIZE * w);
  if (first > CT_BOX_WORD * w) met &= ~0u << (first - CT_BOX_WORD * w);
  if (count - CT_BOX_WORD * w < CT_BOX_WORD) met &= (1u << (count - CT_BOX_WORD * w)) - 1;
  return met;
}

#endif  // CT_COLLIDE_BOXES_H_
