// The list of constraint rows: how many there are, where they lie, and in which order.
//
//   in    contact, positions, Jacobians of tendons (see the files of the kinds)
//   out   ne, nf, nl, nefc, nJ; efc_type to efc_R; tendon_efcadr; contact.efc_address, contact.mu
//
// Equalities come first, then friction of dofs and of tendons, limits of joints and of tendons, and
// contacts; each kind in the order of its ids. Rows are counted, then placed in the arena by one
// request, then written, then given their parameters.
//
// Dense rows are counted before it is known which of them are zero and make no constraint. Then
// arrays are longer than nefc, and nJ stays at what was counted, as in the reference.

#include <limits.h>

#include "base/memory/arena_arrays.h"
#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "base/private.h"
#include "engine/constraint/constraint.h"
#include "engine/constraint/row_writer.h"
#include "math/sparse.h"
#include "soft/contact_bodies.h"

LANE_FN int ct_rows_full(Lane g, mjData* d) {
  ct_count_warning(g, d, mjWARN_CNSTRFULL, (int)d->narena, 1);
  return CT_ROWS_FULL;
}

LANE_INLINE void add_size(ct_RowSize* sum, ct_RowSize more) {
  sum->rows += more.rows;
  sum->entries += more.entries;
}

LANE_FN static ct_RowSize count_rows(Lane g, const mjModel* m, const mjData* d, bool sparse,
                                     ct_LimitedJoints* limited) {
  ct_RowSize size = {0, 0};
  if (m->nv == 0) return ct_count_contact_rows(g, m, d, sparse);  // oddity: none is written
  if (m->neq) add_size(&size, ct_count_equalities(g, m, d, sparse));
  add_size(&size, ct_count_dof_friction(g, m, d));
  add_size(&size, ct_count_joint_limits(g, m, d, sparse, limited));
  if (m->ntendon) {
    add_size(&size, ct_count_tendons(g, m, d, sparse, false));
    add_size(&size, ct_count_tendons(g, m, d, sparse, true));
  }
  if (d->ncon) add_size(&size, ct_count_contact_rows(g, m, d, sparse));
  return size;
}

// Writes all rows; on return ne, nf, nl and nefc are what was written. Without dofs there is
// nothing to write but where rows of tendons would be.
LANE_FN static void write_rows(Lane g, const mjModel* m, mjData* d, bool sparse,
                               const ct_LimitedJoints* limited) {
  ct_RowWriter w = {sparse, 0, 0};
  if (m->neq && m->nv) ct_write_equalities(g, m, d, &w);
  int ne = w.row;
  ct_write_dof_friction(g, m, d, &w);
  if (m->ntendon) ct_write_tendon_friction(g, m, d, &w);
  int nf = w.row - ne;
  ct_write_joint_limits(g, m, d, &w, limited);
  if (m->ntendon) ct_write_tendon_limits(g, m, d, &w);
  int nl = w.row - ne - nf;
  if (d->ncon && m->nv) ct_write_contact_rows(g, m, d, &w);
  LANE_ALONE(g) {
    d->ne = ne;
    d->nf = nf;
    d->nl = nl;
    d->nefc = w.row;
    if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
    if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
  }
}

// What rows are written into: dense ones are zero where nobody writes.
LANE_FN static void clear_row_arrays(Lane g, const mjModel* m, mjData* d, bool sparse) {
  LANE_FOR(t, g, m->ntendon) {
    d->tendon_efcadr[t] = -1;
  }
  if (!sparse) {
    LANE_FOR(k, g, d->nJ) {
      d->efc_J[k] = 0;
    }
  }
  lane_sync(g);
}

// Contacts have no rows yet, and what lay behind them in the arena is gone: old rows, and islands
// of old rows, which a caller of single stages must not find counted here. How many dofs they had
// stays known, as in the reference after mj_collision and mj_inverse.
LANE_FN static void begin_rows(Lane g, const mjModel* m, mjData* d) {
  lane_sync(g);
  LANE_ONCE(g) {
    d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = 0;
    if (!(m->opt.disableflags & mjDSBL_CONSTRAINT)) {
      ct_forget_row_arrays(d);
      d->nisland = 0;
    }
  }
  bool passive = ct_has_flexes(m) && !(m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT));
  LANE_FOR(c, g, d->ncon) {
    d->contact[c].efc_address = -1;
    if (passive && ct_is_passive_contact(m, d->contact + c)) d->contact[c].exclude = 4;
  }
  lane_sync(g);
}

// Runs of sparse rows with the same columns; those of a contact have them.
LANE_FN static void find_supernodes(Lane g, mjData* d) {
  int *super = d->efc_J_rowsuper, rows = d->nefc;
  if (lane_count(g) > 1) {
    ct_find_supernodes(g, rows, super, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_colind);
    return;
  }
  super[rows - 1] = 0;
  for (int i = rows - 2; i >= 0; i--) {
    bool same_contact =
        d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS && d->efc_id[i] == d->efc_id[i + 1];
    bool alike = same_contact ||
                 ct_same_columns(i, i + 1, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_colind);
    super[i] = alike ? super[i + 1] + 1 : 0;
  }
}

LANE_FN int ct_make_constraint(Lane g, const mjModel* m, mjData* d) {
  begin_rows(g, m, d);
  if (m->opt.disableflags & mjDSBL_CONSTRAINT) return CT_OK;
  bool sparse = ct_is_sparse(m);
  ct_LimitedJoints limited;
  limited.count = 0;
  ct_RowSize size = count_rows(g, m, d, sparse, &limited);
  mjtSize entries = sparse ? size.entries : (mjtSize)size.rows * m->nv;
  int placed;
  LANE_ALONE(g) {
    d->nefc = size.rows;
    d->nJ = entries < INT_MAX ? (int)entries : INT_MAX;
  }
  LANE_ANSWER(placed, g, d->nJ == entries && ct_place_arrays(m, d, CT_PLACED_ROWS));
  if (!placed) {
    ct_forget_rows(g, d);
    return ct_rows_full(g, d);
  }
  bool none = size.rows == 0 && d->ncon == 0;
  if (none && m->ntendon == 0) return CT_OK;  // all is as it began
  clear_row_arrays(g, m, d, sparse);
  if (none && m->nv > 0) return CT_OK;
  write_rows(g, m, d, sparse, &limited);
  if (d->nefc == 0) return CT_OK;
  if (sparse) find_supernodes(g, d);
  return ct_row_parameters(g, m, d) ? CT_MIXED_SOLREF : CT_OK;
}
