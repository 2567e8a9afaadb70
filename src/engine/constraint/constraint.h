// Constraints as rows: equalities, friction, limits and contacts, each row a soft scalar
// constraint.
//
//   ct_make_constraint       rows, their Jacobian, regularisation       position
//   ct_island                trees that rows tie together               position
//   ct_project_constraint    J M^-1 J' + R, for dual solvers            position
//   ct_reference_constraint  acceleration that each row strives for     velocity
//   ct_constraint_update     forces of the rows at an acceleration      solvers, inverse dynamics
//
// All arrays of rows and islands live in the arena, behind the contacts. What has no room there is
// given up as a whole: the function returns CT_ROWS_FULL and counts mjWARN_CNSTRFULL, and there are
// no constraints.

#ifndef CT_ENGINE_CONSTRAINT_CONSTRAINT_H_
#define CT_ENGINE_CONSTRAINT_CONSTRAINT_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "base/private.h"
#include "math/lane_vec.h"

// Rows of all active constraints, from contact and the position stage: ne, nf, nl, nefc, nJ, efc_*
// up to efc_R, tendon_efcadr, contact.efc_address and contact.mu. CT_MIXED_SOLREF: some have a
// solref of mixed signs. See constraint_rows.c.
LANE_FN int ct_make_constraint(Lane g, const mjModel* m, mjData* d);

// Islands and what is kept in their order: nisland, nidof, island_*, map_*, iM*, iLD*, iefc_* up to
// iefc_R. CT_BAD_MODEL if a row belongs to no tree; then there are no islands. See island.c.
LANE_FN int ct_island(Lane g, const mjModel* m, mjData* d);

// Has the tendon a row of Jacobian that is never zero? Fixed ones have, unless all coefficients
// are.
LANE_INLINE bool ct_tendon_moves_dofs(const mjModel* m, int tendon) {
  int first = m->tendon_adr[tendon];
  if (m->wrap_type[first] != mjWRAP_JOINT) return false;
  for (int k = first; k < first + m->tendon_num[tendon]; k++) {
    if (m->wrap_prm[k] != 0) return true;
  }
  return false;
}

// Is all of the model one tree that every row there can be belongs to? Then there is one island
// whenever there are rows, and its order is that of the model. A batch that knows so (one_island in
// ct_Private) sets nisland and nidof, and leaves out what is kept in the order of islands. On a CPU
// its arrays have their room all the same, so that an environment of a batch fills its arena as it
// would alone.
LANE_INLINE bool ct_has_one_island(const mjModel* m) {
  if (m->ntree != 1 || m->nflex || (m->opt.enableflags & mjENBL_SLEEP)) return false;
  for (int i = 0; i < m->ntendon; i++) {
    bool rows = m->tendon_limited[i] || m->tendon_frictionloss[i] > 0;
    if (rows && !ct_tendon_moves_dofs(m, i)) return false;
  }
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] == mjEQ_JOINT) continue;  // its first joint has a coefficient of one
    if (m->eq_type[i] > mjEQ_WELD || m->eq_objtype[i] != mjOBJ_BODY) return false;
    if (m->body_treeid[m->eq_obj1id[i]] < 0 && m->body_treeid[m->eq_obj2id[i]] < 0) return false;
  }
  return true;
}

LANE_INLINE bool ct_islands_have_room(const mjData* d) {
#ifdef __CUDACC__
  return !ct_private(d)->one_island;
#else
  (void)d;
  return true;
#endif
}

// Does one island have all dofs and rows, in the order of the model?
LANE_INLINE bool ct_is_everything(const mjModel* m, const mjData* d) {
  return d->nisland == 1 && d->nidof == m->nv;
}

// efc_AR, if the options ask for it. See constraint_project.c.
LANE_FN int ct_project_constraint(Lane g, const mjModel* m, mjData* d);

// efc_vel and efc_aref. See constraint_reference.c.
LANE_FN int ct_reference_constraint(Lane g, const mjModel* m, mjData* d);

// res (nefc) = J vec, res (nv) = J' vec. Nothing is written without rows.
LANE_FN void ct_mul_jac_vec(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                            const mjtNum* vec);
LANE_FN void ct_mul_jac_t_vec(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                              const mjtNum* vec);

// Rows whose forces are asked for: those of the model (ct_all_rows) or of one island.
typedef struct ct_RowSet_ {
  int ne, nf, nefc;  // equalities come first, then friction
  const int* type;
  const int* id;
  const mjtNum *D, *R, *frictionloss;
  int* state;     // (nefc) out
  mjtNum* force;  // (nefc) out
} ct_RowSet;

LANE_INLINE ct_RowSet ct_all_rows(mjData* d) {
  ct_RowSet rows = {d->ne,        d->nf,       d->nefc,  d->efc_type,
                    d->efc_id,    d->efc_D,    d->efc_R, d->efc_frictionloss,
                    d->efc_state, d->efc_force};
  return rows;
}

LANE_INLINE ct_RowSet ct_island_rows(mjData* d, int island) {
  int first = d->island_iefcadr[island];
  ct_RowSet rows = {d->island_ne[island], d->island_nf[island],         d->island_nefc[island],
                    d->iefc_type + first, d->iefc_id + first,           d->iefc_D + first,
                    d->iefc_R + first,    d->iefc_frictionloss + first, d->iefc_state + first,
                    d->iefc_force + first};
  return rows;
}

// Force and state of each row at the residuals jar = J a - aref (nefc); returns the cost, the same
// on all lanes. cones: also contact.H of elliptic contacts between sticking and separating. The
// results are visible to all lanes. See constraint_update.c.
LANE_FN mjtNum ct_update_rows(Lane g, ct_RowSet rows, mjContact* contact, const mjtNum* jar,
                              bool cones);

// The same for all rows, and qfrc_constraint = J' efc_force. Without rows nothing is written.
LANE_FN mjtNum ct_constraint_update(Lane g, const mjModel* m, mjData* d, const mjtNum* jar,
                                    bool cones);

// Constraint forces at the acceleration qacc: efc_state, efc_force, qfrc_constraint.
LANE_FN int ct_inverse_constraint(Lane g, const mjModel* m, mjData* d);

// y[0..n) = x[0..n) for vectors of rows or dofs, which are short: one lane ends with a word of
// which some numbers are already there, instead of going through the last one by one.
LANE_FN static inline void ct_copy_numbers(Lane g, mjtNum* y, const mjtNum* x, int n) {
#ifndef __CUDACC__
  if (lane_count(g) == 1 && n >= 4) {
    for (int k = 0; k + 4 < n; k += 4) wide_store(y + k, wide_load(x + k));
    wide_store(y + n - 4, wide_load(x + n - 4));
    return;
  }
#endif
  lane_copy(g, y, x, n);
}

// Counts the warning, and returns the status, of rows that had no room in the arena.
LANE_FN int ct_rows_full(Lane g, mjData* d);

#endif  // CT_ENGINE_CONSTRAINT_CONSTRAINT_H_
