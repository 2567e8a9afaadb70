// Rows of contacts.
//
//   in    contact, cdof, subtree_com
//   out   efc_type, efc_id, efc_pos, efc_margin, efc_frictionloss, efc_J and its indices
//         contact.efc_address; contact.exclude = 3 for contacts of bodies that cannot move
//
// With n, t1, t2 the axes of the contact frame, a contact of dimension dim has the basis
//
//   n.v  t1.v  t2.v  n.w  t1.w  t2.w      (the first dim of them)
//
// where v, w are velocity at the contact point and angular velocity of body 1 less those of body 0.
// An elliptic contact, or one without friction, has these as rows; a pyramidal one has its edges,
// basis 0 plus and minus friction_k times basis k. A dof that moves both bodies moves them alike
// at a common point, so its entries are exactly zero and never computed. All rows of a contact are
// written in one walk over the dofs, a dof per lane.
//
// A contact with a flex acts on several bodies, each with its weight (soft/contact_bodies.h): its
// columns are the dofs of all of them.

#include "base/model/options.h"
#include "engine/constraint/row_writer.h"
#include "engine/smooth/jacobian.h"
#include "soft/contact_bodies.h"

LANE_INLINE int contact_body(const mjModel* m, const mjContact* con, int side) {
  return m->geom_bodyid[con->geom[side]];
}

LANE_INLINE bool contact_counts(const mjContact* con) {
  return con->exclude == 0;
}

// Where the reference looks for islands, dense rows of a contact with a flex that nothing can move
// end the program; here it has none, as with sparse rows.
LANE_FN static inline bool contact_has_rows(const mjModel* m, const mjData* d,
                                            const mjContact* con) {
  if (!contact_counts(con)) return false;
  if (!ct_touches_flex(con) || (m->opt.disableflags & mjDSBL_ISLAND)) return true;
  return !ct_is_static_contact(m, d, con);
}

LANE_INLINE int contact_rows(const mjModel* m, const mjContact* con) {
  return con->dim > 1 && ct_cone(m) == mjCONE_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
}

// Columns of a sparse row of the contact.
LANE_FN static inline int contact_columns(const mjModel* m, const mjData* d, const mjContact* con) {
  if (ct_touches_flex(con)) {
    ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
    return ct_count_walk(m, &bodies);
  }
  return ct_count_either(d, contact_body(m, con, 0), contact_body(m, con, 1));
}

LANE_FN static ct_RowSize count_sparse_rows(Lane g, const mjModel* m, const mjData* d) {
  ct_RowSize mine = {0, 0}, all;
  LANE_FOR(c, g, d->ncon) {
    const mjContact* con = d->contact + c;
    int columns = contact_counts(con) ? contact_columns(m, d, con) : 0;
    if (columns == 0) continue;
    mine.rows += contact_rows(m, con);
    mine.entries += contact_rows(m, con) * columns;
  }
  LANE_COUNT(all.rows, r, g, lane_count(g), r == lane_rank(g) ? mine.rows : 0);
  LANE_COUNT(all.entries, r, g, lane_count(g), r == lane_rank(g) ? mine.entries : 0);
  return all;
}

LANE_FN ct_RowSize ct_count_contact_rows(Lane g, const mjModel* m, const mjData* d, bool sparse) {
  ct_RowSize size = {0, 0};
  if (m->opt.disableflags & mjDSBL_CONTACT) return size;
  if (sparse) return count_sparse_rows(g, m, d);
  const mjContact* con = d->contact;
  LANE_COUNT(size.rows, c, g, d->ncon,
             contact_has_rows(m, d, con + c) ? contact_rows(m, con + c) : 0);
  return size;
}

// The basis of a contact at one dof. offset: from the point that cdof is taken at to the contact.
LANE_INLINE void contact_basis(mjtNum basis[6], const mjContact* con, const mjtNum cdof[6],
                               const mjtNum offset[3], mjtNum sign) {
  mjtNum column[3], turn[3];
  ct_jac_column(column, cdof, offset);
  ct_scl3(column, column, sign);
  for (int i = 0; i < 3; i++) basis[i] = ct_dot3(con->frame + 3 * i, column);
  if (con->dim <= 3) return;
  ct_scl3(turn, cdof, sign);
  for (int i = 0; i < 3; i++) basis[3 + i] = ct_dot3(con->frame + 3 * i, turn);
}

// Writes the entries of one dof in all rows of a contact.
LANE_INLINE void write_contact_column(mjtNum* J, int stride, const mjContact* con,
                                      const mjtNum basis[6], bool pyramid) {
  if (!pyramid) {
    for (int i = 0; i < con->dim; i++) J[i * stride] = basis[i];
    return;
  }
  for (int i = 0; i < con->dim - 1; i++) {
    mjtNum along = con->friction[i] * basis[i + 1];
    J[0] = basis[0] + along;
    J[stride] = basis[0] - along;
    J += 2 * stride;
  }
}

LANE_INLINE void describe_contact(const mjModel* m, mjData* d, const mjContact* con, int c, int row,
                                  int i) {
  bool pyramid = con->dim > 1 && ct_cone(m) == mjCONE_PYRAMIDAL;
  bool normal = i == 0 || pyramid;
  int type = con->dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS
             : pyramid     ? mjCNSTR_CONTACT_PYRAMIDAL
                           : mjCNSTR_CONTACT_ELLIPTIC;
  ct_describe_row(d, row + i, type, c, normal ? con->dist : 0, normal ? con->includemargin : 0, 0);
}

// The Jacobian of a contact.
LANE_FN static void contact_jacobian(Lane g, const mjModel* m, mjData* d, const mjContact* con,
                                     const ct_ChainPair* pair, ct_RowBlock block) {
  int nrow = contact_rows(m, con), before = 0;
  bool pyramid = con->dim > 1 && ct_cone(m) == mjCONE_PYRAMIDAL, sparse = block.colind != NULL;
  mjtNum offset[2][3], none[6] = {0, 0, 0, 0, 0, 0};
  for (int side = 0; side < 2; side++) {
    ct_sub3(offset[side], con->pos, ct_reference_point(m, d, contact_body(m, con, side)));
  }
  for (int s = 0; s < pair->nspan; s++) {
    for (int w = 0; w < pair->span[s].nword; w++) {
      unsigned moves0 = ct_pair_word(pair, s, w, 0), moves1 = ct_pair_word(pair, s, w, 1);
      unsigned columns = sparse ? moves0 | moves1 : moves0 ^ moves1;
      LANE_BITS(bit, place, g, columns) {
        int dof = pair->span[s].first + 32 * w + bit, at = sparse ? before + place : dof;
        bool on1 = (moves1 >> bit) & 1, both = on1 && ((moves0 >> bit) & 1);
        mjtNum basis[6];
        if (!both) {
          contact_basis(basis, con, d->cdof + 6 * dof, offset[on1], on1 ? (mjtNum)1 : (mjtNum)-1);
        }
        write_contact_column(block.J + at, block.stride, con, both ? none : basis, pyramid);
        for (int i = 0; sparse && i < nrow; i++) block.colind[i * block.stride + at] = dof;
      }
      before += ct_count_bits(columns);
    }
  }
}

// The Jacobian of a contact with a flex. All lanes walk, each writes its share of the columns.
LANE_FN static void flex_jacobian(Lane g, const mjModel* m, mjData* d, const mjContact* con,
                                  ct_RowBlock block, int columns) {
  ct_ContactBodies bodies = ct_contact_bodies(m, d, con);
  int nrow = contact_rows(m, con), place = columns;
  bool pyramid = con->dim > 1 && ct_cone(m) == mjCONE_PYRAMIDAL, sparse = block.colind != NULL;
  ct_walk_start(m, &bodies);
  for (int dof = ct_walk_dof(&bodies); dof >= 0; dof = ct_walk_next(m, &bodies, dof)) {
    int at = sparse ? --place : dof;
    if (!LANE_OWNS(g, dof)) continue;
    mjtNum move[3], turn[3], basis[6];
    ct_walk_column(m, d, &bodies, con->pos, dof, move, turn);
    for (int i = 0; i < 3; i++) basis[i] = ct_dot3(con->frame + 3 * i, move);
    for (int i = 0; i < 3; i++) basis[3 + i] = ct_dot3(con->frame + 3 * i, turn);
    write_contact_column(block.J + at, block.stride, con, basis, pyramid);
    for (int i = 0; sparse && i < nrow; i++) block.colind[i * block.stride + at] = dof;
  }
}

LANE_FN static void write_contact(Lane g, const mjModel* m, mjData* d, int c, ct_RowWriter* w) {
  mjContact* con = d->contact + c;
  int nrow = contact_rows(m, con), columns = w->sparse ? contact_columns(m, d, con) : 0;
  if (w->sparse && columns == 0) return;
  ct_RowBlock block = ct_next_block(m, d, w, columns);
  if (ct_touches_flex(con)) {
    flex_jacobian(g, m, d, con, block, columns);
  } else {
    ct_ChainPair pair;
    ct_find_chain_pair(d, contact_body(m, con, 0), contact_body(m, con, 1), &pair);
    contact_jacobian(g, m, d, con, &pair, block);
  }
  LANE_FOR(i, g, nrow) {
    describe_contact(m, d, con, c, w->row, i);
    if (w->sparse) ct_describe_entries(d, w->row + i, w->entry + i * columns, columns);
  }
  LANE_ONCE(g) {
    con->efc_address = w->row;
  }
  w->row += nrow;
  w->entry += nrow * columns;
}

LANE_FN void ct_write_contact_rows(Lane g, const mjModel* m, mjData* d, ct_RowWriter* w) {
  if (m->opt.disableflags & mjDSBL_CONTACT) return;
  for (int c = 0; c < d->ncon; c++) {
    if (contact_has_rows(m, d, d->contact + c)) write_contact(g, m, d, c, w);
  }
  lane_sync(g);
  if (!w->sparse && !ct_has_flexes(m)) return;
  LANE_FOR(c, g, d->ncon) {
    mjContact* con = d->contact + c;
    if (contact_counts(con) && con->efc_address < 0) con->exclude = 3;
  }
  lane_sync(g);
}
