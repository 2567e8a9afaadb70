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

typedef struct ct_PairPieces_ {  // a list of pairs that comes piece by piece, most often in one
  int* pair;                     // (count x 2) the piece
  int count;
  // Own business of the list; all arrays lie on the stack of mjData.
  bool whole;                // there is one piece
  int total, room;           // pairs in all and in the longest piece
  int next, last;            // key that the next piece begins with; where the last one ends
  int elements;              // of the larger flex
  int* other;                // (room x 2) to sort
  int *start, *tally;        // (elements + 1), (elements)
  int *elem, *rank, *spare;  // (elements) for a sweep
  mjtNum* low;
} ct_PairPieces;

// Looks for pairs whose boxes come within the margin and that have no body in common. Mark before,
// free after. False without room, which is asked for in proportion to the elements, however many
// pairs there are.
LANE_FN bool ct_start_element_pairs(Lane g, const mjModel* m, mjData* d, const ct_ElementSearch* s,
                                    ct_PairPieces* p);

// Lists the next piece in p->pair and p->count, the same on all lanes; false when there is none.
// The piece before is overwritten.
LANE_FN bool ct_next_element_pairs(Lane g, const mjModel* m, const mjData* d,
                                   const ct_ElementSearch* s, ct_PairPieces* p);

#endif  // CT_SOFT_ELEMENT_PAIRS_H_
