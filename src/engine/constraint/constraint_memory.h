// Where the arrays of constraint rows and islands lie: in the arena, behind the contacts, in the
// order of these lists, each at the next multiple of its element's size.

#ifndef CT_ENGINE_CONSTRAINT_CONSTRAINT_MEMORY_H_
#define CT_ENGINE_CONSTRAINT_CONSTRAINT_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/memory/arena.h"

// array_(type, name, count), with m, d and the number of rows in reach.

// clang-format off
#define CT_ROW_ARRAYS(array_)                                                                      \
  array_(int, efc_type, nefc) array_(int, efc_id, nefc)                                            \
  array_(int, efc_J_rownnz, nefc) array_(int, efc_J_rowadr, nefc) array_(int, efc_J_rowsuper, nefc) \
  array_(int, efc_J_colind, d->nJ) array_(mjtNum, efc_J, d->nJ)                                    \
  array_(mjtNum, efc_pos, nefc) array_(mjtNum, efc_margin, nefc)                                   \
  array_(mjtNum, efc_frictionloss, nefc) array_(mjtNum, efc_diagApprox, nefc)                      \
  array_(mjtNum, efc_KBIP, 4 * nefc) array_(mjtNum, efc_D, nefc) array_(mjtNum, efc_R, nefc)       \
  array_(int, tendon_efcadr, m->ntendon)                                                           \
  array_(mjtNum, efc_vel, nefc) array_(mjtNum, efc_aref, nefc) array_(mjtNum, efc_b, nefc)         \
  array_(int, efc_state, nefc) array_(mjtNum, efc_force, nefc)

#define CT_ISLAND_ARRAYS(array_)                                                                   \
  array_(int, tree_island, m->ntree) array_(int, island_ntree, d->nisland)                         \
  array_(int, island_itreeadr, d->nisland) array_(int, map_itree2tree, m->ntree)                   \
  array_(int, dof_island, m->nv) array_(int, island_nv, d->nisland)                                \
  array_(int, island_idofadr, d->nisland) array_(int, island_dofadr, d->nisland)                   \
  array_(int, map_dof2idof, m->nv) array_(int, map_idof2dof, m->nv)                                \
  array_(mjtNum, ifrc_smooth, d->nidof) array_(mjtNum, iacc_smooth, d->nidof)                      \
  array_(int, iM_rownnz, d->nidof) array_(int, iM_rowadr, d->nidof)                                \
  array_(int, iM_colind, m->nC) array_(mjtNum, iM, m->nC) array_(mjtNum, iLD, m->nC)               \
  array_(mjtNum, iLDiagInv, d->nidof) array_(mjtNum, iacc, d->nidof)                               \
  array_(int, efc_island, nefc) array_(int, island_ne, d->nisland)                                 \
  array_(int, island_nf, d->nisland) array_(int, island_nefc, d->nisland)                          \
  array_(int, island_iefcadr, d->nisland)                                                          \
  array_(int, map_efc2iefc, nefc) array_(int, map_iefc2efc, nefc)                                  \
  array_(int, iefc_type, nefc) array_(int, iefc_id, nefc)                                          \
  array_(int, iefc_J_rownnz, nefc) array_(int, iefc_J_rowadr, nefc)                                \
  array_(int, iefc_J_rowsuper, nefc)                                                               \
  array_(int, iefc_J_colind, d->nJ) array_(mjtNum, iefc_J, d->nJ)                                  \
  array_(mjtNum, iefc_frictionloss, nefc) array_(mjtNum, iefc_D, nefc)                             \
  array_(mjtNum, iefc_R, nefc) array_(mjtNum, iefc_aref, nefc)                                     \
  array_(int, iefc_state, nefc) array_(mjtNum, iefc_force, nefc)                                   \
  array_(mjtNum, ifrc_constraint, d->nidof)

#define CT_PROJECT_INDICES(array_) array_(int, efc_AR_rownnz, nefc) array_(int, efc_AR_rowadr, nefc)
#define CT_PROJECT_ARRAYS(array_) array_(mjtNum, efc_AR, d->nA)
#define CT_PROJECT_COLUMNS(array_) array_(int, efc_AR_colind, d->nA)
// clang-format on

// Moves *end behind an array of that many elements and returns where it starts.
LANE_INLINE size_t ct_next_place(size_t* end, mjtSize count, size_t element) {
  size_t start = (*end + element - 1) & ~(element - 1);
  *end = start + (size_t)count * element;
  return start;
}

// Places a list of arrays in the arena as one request; false without room. For one lane, as the
// body of a function that has m, d and nefc.
#define CT_PLACE_ARRAYS(list_)                                       \
  size_t start = d->parena, end = start;                             \
  list_(CT_MEASURE_ARRAY_) if (!ct_arena_alloc(d, end - start, 1)) { \
    return false;                                                    \
  }                                                                  \
  end = start;                                                       \
  list_(CT_PLACE_ARRAY_) return true
#define CT_MEASURE_ARRAY_(type_, name_, count_) ct_next_place(&end, (count_), sizeof(type_));
#define CT_PLACE_ARRAY_(type_, name_, count_) \
  d->name_ = (type_*)(void*)((char*)d->arena + ct_next_place(&end, (count_), sizeof(type_)));

#define CT_FORGET_ARRAY(type_, name_, count_) d->name_ = NULL;

#endif  // CT_ENGINE_CONSTRAINT_CONSTRAINT_MEMORY_H_
