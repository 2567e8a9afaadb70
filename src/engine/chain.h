// The chain of a body: the dofs that move it, from the last one through its parents to the root.
//
// It is there in two forms. dof_parentid links every dof to the one before it on its chain, which
// serves to walk a chain, or two at a time, in falling order. The schedule has one bit per dof of
// the body's tree, which serves to ask about a single dof, or to combine chains by the word:
// columns of a difference of two Jacobians of one point are those of exactly one chain, word1 ^
// word2 within a tree, because common dofs move both sides alike.

#ifndef CT_ENGINE_CHAIN_H_
#define CT_ENGINE_CHAIN_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/private.h"

// The last dof of the chain of body b; -1 if nothing moves it.
LANE_INLINE int ct_last_dof(const mjModel* m, int b) {
  int moved = m->body_weldid[b];
  return moved > 0 ? m->body_dofadr[moved] + m->body_dofnum[moved] - 1 : -1;
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

// Lists of the dofs of two chains, in rising order. Both return how many there are; dofs NULL only
// counts them. _either: the dofs that move one body or both. _one: those that move exactly one,
// which are the dofs below the last common one.

LANE_INLINE int ct_list_dofs_(const mjModel* m, int b1, int b2, int* dofs, bool common) {
  int last1 = ct_last_dof(m, b1), last2 = ct_last_dof(m, b2), count = 0;
  for (int i = last1, j = last2; (i >= 0 || j >= 0) && (common || i != j); count++) {
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

LANE_INLINE int ct_list_either(const mjModel* m, int b1, int b2, int* dofs) {
  return ct_list_dofs_(m, b1, b2, dofs, true);
}

LANE_INLINE int ct_list_one(const mjModel* m, int b1, int b2, int* dofs) {
  return ct_list_dofs_(m, b1, b2, dofs, false);
}

#endif  // CT_ENGINE_CHAIN_H_
