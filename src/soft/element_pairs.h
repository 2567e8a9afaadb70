// Pairs of elements that come near each other, in a flex or between two.

#ifndef CT_SOFT_ELEMENT_PAIRS_H_
#define CT_SOFT_ELEMENT_PAIRS_H_

#include "soft/flex_contacts.h"

// In which order pairs are listed, and which element of a pair comes first.
typedef enum ct_PairOrder_ {
  CT_PAIRS_BY_NUMBER,  // as two loops over elements find them; in a flex the smaller one first
  CT_PAIRS_BY_TREE,    // as the reference's walk down the tree of a flex meets them
  CT_PAIRS_BY_SWEEP,   // as a sweep along the longest axis of the flex meets them
} ct_PairOrder;

typedef struct ct_ElementSearch_ {  // who looks for whom
  int f1, f2;                       // the same for pairs of one flex
  mjtNum margin;
  bool tree;    // both have trees of boxes, and these may be used
  bool layers;  // elements below the active layers are left out
  ct_PairOrder order;
} ct_ElementSearch;

// Lists pairs whose boxes come within the margin and that have no body in common. *pair (count x
// 2) lies on the stack of d: mark before, free after. Returns how many there are, the same on all
// lanes, or -1 without room.
LANE_FN int ct_find_element_pairs(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                  int** pair);

#endif  // CT_SOFT_ELEMENT_PAIRS_H_
