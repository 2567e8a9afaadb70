// The chain of a body: the dofs that move it, from the last one through its parents to the root.
//
// It is there in two forms. dof_parentid links every dof to the one before it on its chain, which
// serves to walk a chain, or two at a time, in falling order. The schedule has one bit per dof of
// the body's tree, which serves to ask about a single dof, or to combine chains by the word:
// columns of a difference of two Jacobians of one point are those of exactly one chain, word1 ^
// word2 within a tree, because common dofs move both sides alike.

#ifndef CT_BASE_MODEL_CHAIN_H_
#define CT_BASE_MODEL_CHAIN_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/private.h"

// The last dof of the chain of body b; -1 if nothing moves it.
LANE_INLINE int ct_last_dof(const mjModel* m, int b) {
  int moved = m->body_weldid[b];
  return moved > 0 ? m->body_dofadr[moved] + m->body_dofnum[moved] - 1 : -1;
}

// The point that motion axes of a body are taken at.
LANE_INLINE const mjtNum* ct_reference_point(const mjModel* m, const mjData* d, int body) {
  return d->subtree_com + 3 * m->body_rootid[body];
}

// The dofs of the chain that ends in dof last_, in falling order, dealt out to the lanes.
#if defined(__CUDACC__) || defined(CT_LANE_THREADS)
#define LANE_CHAIN(k_, g_, m_, last_)                  \
  for (int k_ = (last_), k_##_lane_turn_ = 0; k_ >= 0; \
       k_ = (m_)->dof_parentid[k_], k_##_lane_turn_++) \
    if (k_##_lane_turn_ % lane_count(g_) == lane_rank(g_))
#else
#define LANE_CHAIN(k_, g_, m_, last_) \
  for (int k_ = ((void)(g_), (last_)); k_ >= 0; k_ = (m_)->dof_parentid[k_])
#endif

typedef struct ct_Chain_ {  // a chain as bits
  int first;                // dof of the lowest bit of the first word
  int nword;
  const int* word;  // 32 dofs each
} ct_Chain;

LANE_INLINE ct_Chain ct_chain(const mjData* d, int b) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  ct_Chain chain = {s->chain_first[b], s->chain_adr[b + 1] - s->chain_adr[b],
                    s->chain + s->chain_adr[b]};
  return chain;
}

LANE_INLINE bool ct_chain_has(ct_Chain chain, int dof) {
  int bit = dof - chain.first;
  if (bit < 0 || bit >= 32 * chain.nword) return false;
  return ((unsigned)chain.word[bit / 32] >> bit % 32) & 1;
}

LANE_INLINE int ct_count_bits(unsigned word) {
#ifdef __CUDA_ARCH__
  return __popc(word);
#else
  return __builtin_popcount(word);
#endif
}

LANE_INLINE int ct_highest_bit(unsigned word) {  // of a word that is not 0
#ifdef __CUDA_ARCH__
  return 31 - __clz((int)word);
#else
  return 31 - __builtin_clz(word);
#endif
}

LANE_INLINE int ct_lowest_bit(unsigned word) {  // of a word that is not 0
#ifdef __CUDA_ARCH__
  return __ffs((int)word) - 1;
#else
  return __builtin_ctz(word);
#endif
}

// The bits that are set in a word, lowest first, dealt out to the lanes; place_ is how many are set
// below.
#if defined(__CUDACC__) || defined(CT_LANE_THREADS)
#define LANE_BITS(bit_, place_, g_, word_)                                     \
  for (int bit_ = lane_rank(g_); bit_ < 32; bit_ += lane_count(g_))            \
    if (((unsigned)(word_) >> bit_) & 1u)                                      \
      for (int place_ = ct_count_bits((unsigned)(word_) & ((1u << bit_) - 1)), \
               bit_##_lane_once_ = 1;                                          \
           bit_##_lane_once_; bit_##_lane_once_ = ((void)place_, 0))
#else
#define LANE_BITS(bit_, place_, g_, word_)                                              \
  for (unsigned bit_##_lane_rest_ = ((void)(g_), (unsigned)(word_)); bit_##_lane_rest_; \
       bit_##_lane_rest_ &= bit_##_lane_rest_ - 1)                                      \
    for (int bit_ = ct_lowest_bit(bit_##_lane_rest_),                                   \
             place_ = ct_count_bits((unsigned)(word_) & ((1u << bit_) - 1)),            \
             bit_##_lane_once_ = 1;                                                     \
         bit_##_lane_once_; bit_##_lane_once_ = ((void)place_, 0))
#endif

typedef struct ct_ChainPair_ {  // the chains of two bodies side by side, as bits
  int nspan;                    // 1 within a tree, 2 if the bodies are of two trees
  ct_Chain span[2];             // by rising dof; word is NULL
  const int* word[2][2];        // of each span: words of body 0 and of body 1, NULL for none
} ct_ChainPair;

// Not returned by value: a copy would wait for what was just written.
LANE_INLINE void ct_find_chain_pair(const mjData* d, int body0, int body1, ct_ChainPair* pair) {
  ct_Chain chain0 = ct_chain(d, body0), chain1 = ct_chain(d, body1);
  const ct_Chain none = {0, 0, NULL};
  bool same = chain0.first == chain1.first && chain0.nword > 0 && chain1.nword > 0;
  bool swap = !same && chain1.first < chain0.first;
  int first = swap ? 1 : 0;
  pair->span[0] = swap ? chain1 : chain0;
  pair->span[1] = swap ? chain0 : chain1;
  for (int s = 0; s < 2; s++) {
    pair->word[s][0] = pair->word[s][1] = NULL;
    pair->word[s][s == 0 ? first : 1 - first] = pair->span[s].word;
    pair->span[s].word = NULL;
  }
  if (same) {
    pair->word[0][1] = chain1.word;
    pair->span[1] = none;
  }
  pair->nspan = same ? 1 : 2;
}

// Word w of a span: the dofs that move body 0 or body 1.
LANE_INLINE unsigned ct_pair_word(const ct_ChainPair* pair, int s, int w, int body) {
  const int* word = pair->word[s][body];
  return word ? (unsigned)word[w] : 0;
}

// How many dofs move one of the bodies, or both.
LANE_INLINE int ct_count_either(const mjData* d, int body0, int body1) {
  ct_Chain chain0 = ct_chain(d, body0), chain1 = ct_chain(d, body1);
  bool same = chain0.first == chain1.first;
  int count = 0;
  for (int w = 0; w < chain0.nword; w++) {
    unsigned also = same && w < chain1.nword ? (unsigned)chain1.word[w] : 0;
    count += ct_count_bits((unsigned)chain0.word[w] | also);
  }
  for (int w = same ? chain0.nword : 0; w < chain1.nword; w++) {
    count += ct_count_bits((unsigned)chain1.word[w]);
  }
  return count;
}

// Lists the dofs that move exactly one of two bodies, which are those below the last common one, in
// rising order, and returns how many there are; dofs NULL only counts them.
LANE_INLINE int ct_list_one(const mjModel* m, int b1, int b2, int* dofs) {
  int last1 = ct_last_dof(m, b1), last2 = ct_last_dof(m, b2), count = 0;
  for (int i = last1, j = last2; i != j; count++) {
    int larger = i > j ? i : j;
    i = i == larger ? m->dof_parentid[i] : i;
    j = j == larger ? m->dof_parentid[j] : j;
  }
  if (!dofs) return count;
  for (int i = last1, j = last2, place = count - 1; place >= 0; place--) {
    int larger = i > j ? i : j;
    i = i == larger ? m->dof_parentid[i] : i;
    j = j == larger ? m->dof_parentid[j] : j;
    dofs[place] = larger;
  }
  return count;
}

#endif  // CT_BASE_MODEL_CHAIN_H_
