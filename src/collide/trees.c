// Pairs of geoms of two trees of bodies, where there are too many to list them.
//
// A tree is bounded by a box, and so are blocks of eight trees. Where boxes of two trees meet, the
// geoms of each are asked about the box of the other first, four at a time, and the few that are
// left about each other. What could not meet wherever it was is left out last, because next to
// nothing gets so far.
//
// Boxes are a little larger than the spheres in them, so that what they keep apart is apart beyond
// rounding, and the pairs found are those whose spheres meet.

#include "collide/trees.h"

#ifndef __CUDACC__

#include <math.h>

#include "base/meetings.h"
#include "base/memory/scratch.h"
#include "collide/boxes.h"
#include "collide/candidates.h"
#include "collide/spheres.h"

enum { BLOCK = 8, WORD = 4 };

typedef struct {
  const mjModel* m;
  const mjData* d;
  const ct_Meetings* list;
  const mjtNum* spheres;
  bool sleep, loose;
  mjtNum *box, *block_box;  // of trees and of blocks of trees, in words
  int blocks;
  int* partner;          // trees that one tree meets
  int *word, words;      // words of blocks that a block of trees meets
  int *near_slot, near;  // geoms of one tree that the box of another meets
  int* near_four;        // of each four geoms of the other those that the box of the one meets
  unsigned bodies;       // two bodies, and what is known of them
  bool may_meet, by_tree;
} Trees;

LANE_INLINE int first_slot(const Trees* t, int tree) {
  return t->list->trees[2 * tree];
}

LANE_INLINE int slots_of(const Trees* t, int tree) {
  return t->list->trees[2 * tree + 1];
}

// The spheres of four slots of a tree, and which of them are none that fill the word, as bits.
LANE_INLINE const mjtNum* four_of(const Trees* t, int tree, int word) {
  return t->spheres + CT_FOUR_SPHERES * (first_slot(t, tree) / WORD + word);
}

LANE_INLINE unsigned real_slots(const Trees* t, int tree, int word) {
  int left = slots_of(t, tree) - WORD * word;
  return left >= WORD ? 15u : (1u << left) - 1;
}

LANE_INLINE Wide enlarged(const mjtNum* four) {
  return wide_load(four + 3 * LANE_WIDTH) * wide_all((mjtNum)1.00001);
}

// Endless if some sphere is not known.
LANE_FN static ct_Box box_around_tree(const Trees* t, int tree) {
  const mjtNum far = (mjtNum)HUGE_VAL;
  Wide low[3], high[3], reach = wide_all(0);
  for (int k = 0; k < 3; k++) {
    low[k] = wide_all(far);
    high[k] = wide_all(-far);
  }
  for (int w = 0; WORD * w < slots_of(t, tree); w++) {
    const mjtNum* four = four_of(t, tree, w);
    Wide r = enlarged(four);
    reach += r;
    for (int k = 0; k < 3; k++) {
      Wide x = wide_load(four + LANE_WIDTH * k);
      low[k] = wide_smaller(low[k], x - r);
      high[k] = wide_larger(high[k], x + r);
    }
  }
  if (wide_bits((WideMask)(reach < wide_all(far))) != 15) return ct_endless_box();
  ct_Box box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = low[k][0];
    box.high[k] = high[k][0];
    for (int i = 1; i < WORD; i++) {
      if (low[k][i] < box.low[k]) box.low[k] = low[k][i];
      if (high[k][i] > box.high[k]) box.high[k] = high[k][i];
    }
  }
  return box;
}

// Which of four spheres does a box meet? Those that are not known always.
LANE_INLINE unsigned spheres_met(const ct_Box* box, const mjtNum* four) {
  Wide r = enlarged(four);
  WideMask apart = (WideMask)wide_all(0);
  for (int k = 0; k < 3; k++) {
    Wide x = wide_load(four + LANE_WIDTH * k);
    apart |= (WideMask)(x - r > wide_all(box->high[k])) | (WideMask)(x + r < wide_all(box->low[k]));
  }
  return wide_bits(apart) ^ 15u;
}

LANE_FN static bool open_trees(Lane g, mjData* d, Trees* t) {
  int ntree = t->list->ntree;
  t->blocks = (ntree + BLOCK - 1) / BLOCK;
  int words = ct_words_of_boxes(ntree), block_words = ct_words_of_boxes(t->blocks);
  t->box = lane_scratch_num(g, d, CT_BOX_WORD_SIZE * (words + block_words));
  t->partner = lane_scratch_int(g, d, ntree + block_words + 2 * t->list->nslot);
  if (!t->box || !t->partner) return false;
  t->block_box = t->box + CT_BOX_WORD_SIZE * words;
  t->word = t->partner + ntree;
  t->near_slot = t->word + block_words;
  t->near_four = t->near_slot + t->list->nslot;
  for (int block = 0, tree = 0; block < t->blocks; block++) {
    ct_Box all = {{0, 0, 0}, {0, 0, 0}};
    for (int first = tree; tree < ntree && tree < first + BLOCK; tree++) {
      ct_Box box = box_around_tree(t, tree);
      ct_set_box(t->box, tree, &box);
      if (tree == first) all = box;
      ct_grow_box(&all, &box);
    }
    ct_set_box(t->block_box, block, &all);
  }
  return true;
}

LANE_FN static void find_near_words(Trees* t, int block) {
  ct_Box box = ct_box_at(t->block_box, block);
  t->words = 0;
  for (int w = block / WORD; w < ct_words_of_boxes(t->blocks); w++) {
    if (ct_boxes_met_of(&box, t->block_box, w, block, t->blocks)) t->word[t->words++] = w;
  }
}

// Trees behind one tree whose boxes meet that of it; returns how many.
LANE_FN static int find_partners(Trees* t, int tree) {
  int count = 0, ntree = t->list->ntree, block = tree / BLOCK;
  ct_Box box = ct_box_at(t->box, tree);
  if (tree % BLOCK == 0) find_near_words(t, block);
  for (int n = 0; n < t->words; n++) {
    unsigned blocks = ct_boxes_met_of(&box, t->block_box, t->word[n], block, t->blocks);
    for (; blocks; blocks &= blocks - 1) {
      int first = BLOCK * (WORD * t->word[n] + lane_lowest_bit(blocks));
      for (int w = first / WORD; w < (first + BLOCK) / WORD && WORD * w < ntree; w++) {
        if (WORD * (w + 1) <= tree) continue;
        unsigned met = ct_boxes_met_of(&box, t->box, w, tree + 1, ntree);
        for (; met; met &= met - 1) t->partner[count++] = WORD * w + lane_lowest_bit(met);
      }
    }
  }
  return count;
}

// What holds for all geoms of two bodies is asked once.
LANE_FN static void ask_bodies(Trees* t, int b1, int b2) {
  const mjModel* m = t->m;
  t->bodies = ct_pair_of_bodies(b1, b2);
  t->may_meet = ct_bodies_can_meet(m, b1, b2) && !(t->sleep && ct_sleep_apart(m, t->d, b1, b2));
  t->by_tree = ct_meet_by_tree(m, b1, b2);
}

LANE_INLINE bool geoms_may_meet(Trees* t, int g1, int g2, bool close) {
  const mjModel* m = t->m;
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  ct_GeomPair pair = {g1, g2, -1};
  if (t->bodies != ct_pair_of_bodies(b1, b2)) ask_bodies(t, b1, b2);
  return t->may_meet &&
         ct_masks_fit(m->geom_contype[g1], m->geom_conaffinity[g1], m->geom_contype[g2],
                      m->geom_conaffinity[g2]) &&
         ct_types_collide(m->geom_type[g1], m->geom_type[g2]) &&
         (close || ct_spheres_meet(m, t->d, g1, g2, ct_pair_margin(m, pair))) &&
         !(m->npair && ct_is_predefined(m, t->bodies, g1, g2));
}

LANE_FN static bool make_room(Lane g, mjData* d, ct_NearPairs* to) {
  int room = 2 * to->room + 64;
  uint64_t* pair = (uint64_t*)lane_scratch_bytes_(g, d, (size_t)room * sizeof(uint64_t));
  if (!pair) return false;
  for (int i = 0; i < to->count; i++) pair[i] = to->pair[i];
  to->pair = pair;
  to->room = room;
  return true;
}

// g1 belongs to the tree with the smaller number.
LANE_INLINE bool append(Lane g, mjData* d, Trees* t, int g1, int g2, bool close, ct_NearPairs* to) {
  const mjModel* m = t->m;
  if (!geoms_may_meet(t, g1, g2, close)) return true;
  int how = t->by_tree ? CT_MEET_BY_TREE : CT_MEET_BY_LOOPS;
  ct_GeomPair p = ct_ordered_pair(m, g1, g2, -1);
  if (!ct_may_touch(m, d, p, how, close, t->sleep, t->loose)) return true;
  if (to->count == to->room && !make_room(g, d, to)) return false;
  int geoms = t->by_tree ? ct_two_geoms(p.geom1, p.geom2) : ct_two_geoms(g1, g2);
  to->pair[to->count++] = (uint64_t)t->bodies << 32 | (unsigned)geoms;
  return true;
}

LANE_FN static void find_near_slots(Trees* t, int tree, const ct_Box* box) {
  t->near = 0;
  for (int w = 0; WORD * w < slots_of(t, tree); w++) {
    unsigned met = spheres_met(box, four_of(t, tree, w)) & real_slots(t, tree, w);
    for (; met; met &= met - 1) {
      t->near_slot[t->near++] = first_slot(t, tree) + WORD * w + lane_lowest_bit(met);
    }
  }
}

// One geom of the first tree with those of the second.
LANE_FN static bool pair_slot(Lane g, mjData* d, Trees* t, int slot, int tree2, ct_NearPairs* to) {
  const int *slots = t->list->slots, *slots2 = slots + first_slot(t, tree2);
  const mjtNum* own = t->spheres + CT_FOUR_SPHERES * (slot / WORD) + slot % WORD;
  Wide one[4];
  for (int k = 0; k < 4; k++) one[k] = wide_all(own[LANE_WIDTH * k]);
  for (int w = 0; WORD * w < slots_of(t, tree2); w++) {
    if (!t->near_four[w]) continue;
    ct_FourAnswers answers = ct_ask_four(one, four_of(t, tree2, w));
    for (unsigned left = (unsigned)t->near_four[w] & ~answers.apart; left; left &= left - 1) {
      int bit = lane_lowest_bit(left);
      bool close = answers.close >> bit & 1;
      if (!append(g, d, t, slots[slot], slots2[WORD * w + bit], close, to)) return false;
    }
  }
  return true;
}

LANE_FN static bool pair_trees(Lane g, mjData* d, Trees* t, int tree1, int tree2,
                               ct_NearPairs* to) {
  ct_Box box1 = ct_box_at(t->box, tree1), box2 = ct_box_at(t->box, tree2);
  find_near_slots(t, tree1, &box2);
  if (!t->near) return true;
  for (int w = 0; WORD * w < slots_of(t, tree2); w++) {
    t->near_four[w] = (int)(spheres_met(&box1, four_of(t, tree2, w)) & real_slots(t, tree2, w));
  }
  for (int n = 0; n < t->near; n++) {
    if (!pair_slot(g, d, t, t->near_slot[n], tree2, to)) return false;
  }
  return true;
}

// Shell's: pairs of one tree, mostly few and nearly in order.
LANE_FN static void sort_pairs(uint64_t* pair, int count) {
  int gap = 1;
  while (gap < count / 8) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (int i = gap; i < count; i++) {
      uint64_t moved = pair[i];
      int j = i;
      for (; j >= gap && moved < pair[j - gap]; j -= gap) pair[j] = pair[j - gap];
      pair[j] = moved;
    }
  }
}

LANE_FN bool ct_find_between_trees(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                   const mjtNum* spheres, bool loose, ct_NearPairs* to) {
  Trees t = {
      m,    d, list,  spheres, ct_some_asleep(m, d), loose, NULL, NULL, 0, NULL, NULL, 0, NULL, 0,
      NULL, 0, false, false};
  if (!open_trees(g, d, &t)) return false;
  for (int tree = 0; tree < list->ntree; tree++) {
    int first = to->count, partners = find_partners(&t, tree);
    for (int i = 0; i < partners; i++) {
      if (!pair_trees(g, d, &t, tree, t.partner[i], to)) return false;
    }
    sort_pairs(to->pair + first, to->count - first);
  }
  return true;
}

#endif
