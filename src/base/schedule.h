// Schedules: integers that say in which order and by which addresses a stage walks the model.
//
// They depend on the model's integers alone (parents, sparsity), never on values, because users
// edit values between steps. They are computed when an mjData is made and live behind it
// (base/private.h), and anew where a model with another tree is stepped. The list of geoms that can
// meet also depends on integers that users do edit: it is made anew when they have
// (base/meetings.h). With them lives what collision remembers from step to step on the CPU, on
// which no number depends.

#ifndef CT_BASE_SCHEDULE_H_
#define CT_BASE_SCHEDULE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

// Items of a tree by their distance from the root; walked by LANE_LEVELS.
typedef struct ct_Levels_ {
  int first, end;    // items are first <= id < end; parents have smaller ids than their children
  int count;         // number of levels
  const int* level;  // (end) level of every item
  const int* adr;    // (count + 1) where each level starts in `item`
  const int* item;   // (end - first) ids ordered by level, then by id
} ct_Levels;

// Pairs of geoms that can meet, in the order of their contacts: base/meetings.h.
typedef struct ct_Meetings_ {
  int count;            // CT_NO_MEETINGS: no list, somebody has to search
  int room;             // 0: never a list, the model is too large
  int nexclude, npair;  // of the model that there is room for; another one may use the same mjData
  int key;              // flags that it was made under
  const int* geoms;     // (count) the two as one number, that of the smaller type first
  const int* how;       // (count) the predefined pair, or one of CT_MEET_...
  int nslot;            // geoms of pairs that are not predefined: four neighbours share a word
  const int* slots;     // (nslot) their ids, rising; with trees, each of these has its own words
  int ntree;            // above 0: pairs of two trees are not in the list
  const int* trees;     // (ntree x 2) the first slot of each tree, and how many geoms it has there
  int nrow;             // slots that have partners behind them
  const int* rows;      // (nrow x 2) the slot, and where its partners end in `words`
  const int* words;     // four slots: which four, times 16, and which of them are partners, as bits
  const int* places;    // (words x 2) where the pairs with these four are in the list: 16 bits each
  const int* integers;  // copy of the model's arrays that it was made from
} ct_Meetings;

// A dof, or two of which the second hangs on the first, so that their rows of the mass matrix have
// the same columns before those of the two.
typedef struct ct_DofBlock_ {
  int last, size;  // 1 or 2 dofs, and which is the last
  int n, parent;   // columns before those of the block, and the last of these, -1 if there are none
  int lead;        // how many of them but the last follow each other, from the first on
  int row, above;  // where the row of the last dof starts, and that of the first
} ct_DofBlock;
enum { CT_DOF_BLOCK_SIZE = sizeof(ct_DofBlock) / sizeof(int) };

// Rows that begin with so many columns in a row are solved by wide sums, each alone.
enum { CT_LONG_LEAD = 16 };

typedef struct ct_Schedule_ {
  ct_Levels bodies;         // all but the world
  ct_Levels dofs;           // by number of ancestors that the mass matrix couples them to; from the
                            // first that has one to the last
  const int* child_adr;     // (nbody + 1) where the children of each body start in `child`
  const int* child;         // (nbody - 1) children of each body, largest id first
  const int* chain_first;   // (nbody) first dof of the body's tree, see base/model/chain.h
  const int* chain_adr;     // (nbody + 1) where the words of each body's chain start in `chain`
  const int* chain;         // bit k mod 32 of word k / 32: dof chain_first + k moves the body
  const int* row_of_entry;  // (nC) entry (i, j) of the mass matrix: address where row j starts
  const int* pair_adr;  // (nv) where rows of the mass matrix begin if its entries are pairs, and
                        // rows have an even number of them
  const int* lead;      // (nv) columns of a row before its diagonal: how many, from the first on,
                        // follow each other
  const int* blocks;    // (CT_DOF_BLOCK_SIZE each) ct_DofBlocks from the first to the last of dofs
  const int* block_of;  // (nv) which of them a dof is in; nblock behind the last
  int nblock;
  const int* dofs_above;    // (nv x 2) for 64 dofs at most: bits of the columns of a row before its
  const int* dofs_below;    // (nv x 2) diagonal, and of the rows that have the dof as such a column
  const int* edges_end;     // (nflexvert) where the edges of each flex vertex end in `edges`
  const int* edges;         // (2 nflexedge) edges around each vertex, in rising order
  const int* elements_end;  // (nflexedge) where the elements of each flex edge end in `elements`
  const int* elements;      // (nflexelemedge) places in flex_elemedge that name the edge
  ct_Meetings meetings;     // geoms that can meet
  const int* separators;    // (CT_SEPARATOR_SIZE each) the table of collide/separator.c
  const int* sources;       // copy of the model's arrays that all but the meetings were made from
  int nsource;
} ct_Schedule;

// The arrays of a schedule, each with its room in ints: what allocates or moves a schedule loops
// over them.
// clang-format off
#define CT_SCHEDULE_ARRAYS(array_)                    \
  array_(bodies.level, m->nbody)                      \
  array_(bodies.adr, m->nbody + 1)                    \
  array_(bodies.item, m->nbody)                       \
  array_(dofs.level, m->nv)                           \
  array_(dofs.adr, m->nv + 1)                         \
  array_(dofs.item, m->nv)                            \
  array_(child_adr, m->nbody + 1)                     \
  array_(child, m->nbody)                             \
  array_(chain_first, m->nbody)                       \
  array_(chain_adr, m->nbody + 1)                     \
  array_(chain, ct_chain_words(m))                    \
  array_(row_of_entry, m->nC)                         \
  array_(pair_adr, m->nv)                             \
  array_(lead, m->nv)                                 \
  array_(blocks, CT_DOF_BLOCK_SIZE * m->nv)           \
  array_(block_of, m->nv)                             \
  array_(dofs_above, 2 * m->nv)                       \
  array_(dofs_below, 2 * m->nv)                       \
  array_(edges_end, m->nflexvert)                     \
  array_(edges, 2 * m->nflexedge)                     \
  array_(elements_end, m->nflexedge)                  \
  array_(elements, m->nflexelemedge)                  \
  array_(meetings.geoms, ct_meeting_room(m))          \
  array_(meetings.how, ct_meeting_room(m))            \
  array_(meetings.slots, ct_meeting_slots(m))         \
  array_(meetings.trees, ct_meeting_trees(m))         \
  array_(meetings.rows, 2 * ct_meeting_slots(m))      \
  array_(meetings.words, ct_meeting_room(m))          \
  array_(meetings.places, 2 * ct_meeting_room(m))     \
  array_(meetings.integers, ct_meeting_integers(m))   \
  array_(separators,                                  \
         CT_SEPARATOR_SIZE * ct_separator_room(m))    \
  array_(sources, ct_schedule_sources(m))

// The arrays of a model that a schedule is made from, but for its meetings.
#define CT_SCHEDULE_SOURCES(array_)                     \
  array_(body_parentid, m->nbody)                       \
  array_(body_treeid, m->nbody)                         \
  array_(body_dofadr, m->nbody)                         \
  array_(body_dofnum, m->nbody)                         \
  array_(tree_dofadr, m->ntree)                         \
  array_(tree_dofnum, m->ntree)                         \
  array_(M_rownnz, m->nv)                               \
  array_(M_rowadr, m->nv)                               \
  array_(M_colind, m->nC)                               \
  array_(flex_dim, m->nflex)                            \
  array_(flex_vertadr, m->nflex)                        \
  array_(flex_edgeadr, m->nflex)                        \
  array_(flex_edgenum, m->nflex)                        \
  array_(flex_elemnum, m->nflex)                        \
  array_(flex_elemedgeadr, m->nflex)                    \
  array_(flex_edge, 2 * m->nflexedge)                   \
  array_(flex_elemedge, m->nflexelemedge)
// clang-format on

// Words that the chains of all bodies have together: one per body and 32 dofs of its tree.
size_t ct_chain_words(const mjModel* m);

// Pairs that the list of meetings has room for, their geoms, and integers that it is made from. By
// sizes of the model alone, so that an edited model still fits its data. 0: there is never a list.
size_t ct_meeting_room(const mjModel* m);
size_t ct_meeting_slots(const mjModel* m);
size_t ct_meeting_trees(const mjModel* m);
size_t ct_meeting_integers(const mjModel* m);

// Entries of the table of separators, a power of two, and ints of each.
enum { CT_SEPARATOR_SIZE = 6 };
size_t ct_separator_room(const mjModel* m);

// Integers in all CT_SCHEDULE_SOURCES.
size_t ct_schedule_sources(const mjModel* m);

// Are these what the schedule was made from? Not to be asked of a model with other sizes.
bool ct_schedule_is_of(const ct_Schedule* s, const mjModel* m);

// Bytes that ct_schedule_build needs for this model.
size_t ct_schedule_bytes(const mjModel* m);

// Points the arrays at their places in `memory` (64-byte aligned, ct_schedule_bytes long), where
// they stand one after the other; ct_schedule_memory: where they do.
void ct_schedule_place(ct_Schedule* s, void* memory, const mjModel* m);
const void* ct_schedule_memory(const ct_Schedule* s);

// Fills the schedule; its arrays are placed in `memory`.
void ct_schedule_build(ct_Schedule* s, void* memory, const mjModel* m);

#endif  // CT_BASE_SCHEDULE_H_
