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
  bool sleep;
  mjtNum *box, *block_box;  // of trees and of blocks of trees, in words
  int blocks;
  int* partner;          // trees that one tree meets
  int *word, words;      // words of blocks that a block of trees meets
  int *near_slot, near;  // geoms of one tree that the box of another meets
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
  t->partner = lane_scratch_int(g, d, ntree + block_words + t->list->nslot);
  if (!t->box || !t->partner) return false;
  t->block_box = t->box + CT_BOX_WORD_SIZE * words;
  t->word = t->partner + ntree;
  t->near_slot = t->word + block_words;
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

LANE_FN static bool may_meet(const Trees* t, int g1, int g2, bool close) {
  const mjModel* m = t->m;
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  ct_GeomPair pair = {g1, g2, -1};
  return ct_masks_fit(m->geom_contype[g1], m->geom_conaffinity[g1], m->geom_contype[g2],
                      m->geom_conaffinity[g2]) &&
         ct_types_collide(m->geom_type[g1], m->geom_type[g2]) &&
         (close || ct_spheres_meet(m, t->d, g1, g2, ct_pair_margin(m, pair))) &&
         ct_bodies_can_meet(m, b1, b2) && !(t->sleep && ct_sleep_apart(m, t->d, b1, b2)) &&
         !(m->npair && ct_is_predefined(m, ct_pair_of_bodies(b1, b2), g1, g2));
}

LANE_FN static bool make_room(Lane g, mjData* d, ct_NearPairs* to) {
  int room = 2 * to->room + 64;
  ct_NearPair* pair = (ct_NearPair*)lane_scratch_bytes_(g, d, (size_t)room * sizeof(ct_NearPair));
  if (!pair) return false;
  for (int i = 0; i < to->count; i++) pair[i] = to->pair[i];
  to->pair = pair;
  to->room = room;
  return true;
}

// g1 belongs to the tree with the smaller number.
LANE_FN static bool append(Lane g, mjData* d, const Trees* t, int g1, int g2, bool close,
                           ct_NearPairs* to) {
  const mjModel* m = t->m;
  if (!may_meet(t, g1, g2, close)) return true;
  if (to->count == to->room && !make_room(g, d, to)) return false;
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  bool by_tree = ct_meet_by_tree(m, b1, b2), swap = by_tree && m->geom_type[g1] > m->geom_type[g2];
  ct_NearPair* p = to->pair + to->count++;
  p->bodies = ct_pair_of_bodies(b1, b2);
  p->geoms = (unsigned)(swap ? ct_two_geoms(g2, g1) : ct_two_geoms(g1, g2));
  p->how = by_tree ? CT_MEET_BY_TREE : CT_MEET_BY_LOOPS;
  p->close = close;
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

LANE_FN static bool pair_trees(Lane g, mjData* d, Trees* t, int tree1, int tree2,
                               ct_NearPairs* to) {
  ct_Box box1 = ct_box_at(t->box, tree1), box2 = ct_box_at(t->box, tree2);
  const int* slots = t->list->slots;
  find_near_slots(t, tree1, &box2);
  for (int w = 0; t->near && WORD * w < slots_of(t, tree2); w++) {
    const mjtNum* four = four_of(t, tree2, w);
    unsigned met = spheres_met(&box1, four) & real_slots(t, tree2, w);
    for (int n = 0; met && n < t->near; n++) {
      int slot = t->near_slot[n], first2 = first_slot(t, tree2) + WORD * w;
      const mjtNum* own = t->spheres + CT_FOUR_SPHERES * (slot / WORD) + slot % WORD;
      Wide one[4];
      for (int k = 0; k < 4; k++) one[k] = wide_all(own[LANE_WIDTH * k]);
      ct_FourAnswers answers = ct_ask_four(one, four);
      for (unsigned left = met & ~answers.apart; left; left &= left - 1) {
        int bit = lane_lowest_bit(left);
        bool close = answers.close >> bit & 1;
        if (!append(g, d, t, slots[slot], slots[first2 + bit], close, to)) return false;
      }
    }
  }
  return true;
}

LANE_INLINE bool precedes(const ct_NearPair* a, const ct_NearPair* b) {
  return a->bodies != b->bodies ? a->bodies < b->bodies : a->geoms < b->geoms;
}

// Insertion: those of one tree, which are few.
LANE_FN static void sort_from(ct_NearPairs* to, int first) {
  for (int i = first + 1; i < to->count; i++) {
    ct_NearPair moved = to->pair[i];
    int j = i;
    for (; j > first && precedes(&moved, to->pair + j - 1); j--) to->pair[j] = to->pair[j - 1];
    to->pair[j] = moved;
  }
}

LANE_FN bool ct_find_between_trees(Lane g, const mjModel* m, mjData* d, const ct_Meetings* list,
                                   const mjtNum* spheres, ct_NearPairs* to) {
  Trees t = {m, d, list, spheres, ct_some_asleep(m, d), NULL, NULL, 0, NULL, NULL, 0, NULL, 0};
  if (!open_trees(g, d, &t)) return false;
  for (int tree = 0; tree < list->ntree; tree++) {
    int first = to->count, partners = find_partners(&t, tree);
    for (int i = 0; i < partners; i++) {
      if (!pair_trees(g, d, &t, tree, t.partner[i], to)) return false;
    }
    sort_from(to, first);
  }
  return true;
}

#endif
