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
#include "engine/constraint/four_columns.h"
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

// What the columns of a contact have in common.
typedef struct {
  const mjContact* con;
  ct_RowBlock block;
  int nrow;
  bool pyramid;
  mjtNum offset[2][3];  // of the contact, from the points that cdof of its bodies is taken at
} ContactColumns;

LANE_INLINE void find_contact_columns(const mjModel* m, const mjData* d, const mjContact* con,
                                      ct_RowBlock block, ContactColumns* c) {
  c->con = con;
  c->block = block;
  c->nrow = contact_rows(m, con);
  c->pyramid = con->dim > 1 && ct_cone(m) == mjCONE_PYRAMIDAL;
  for (int side = 0; side < 2; side++) {
    ct_sub3(c->offset[side], con->pos, ct_reference_point(m, d, contact_body(m, con, side)));
  }
}

// The column of a dof that moves body 0, body 1 or both, at place `at` of each row.
LANE_INLINE void contact_column(const mjData* d, const ContactColumns* c, int dof, int at,
                                bool moves0, bool moves1) {
  mjtNum basis[6], none[6] = {0, 0, 0, 0, 0, 0};
  bool both = moves0 && moves1;
  if (!both) {
    contact_basis(basis, c->con, d->cdof + 6 * dof, c->offset[moves1],
                  moves1 ? (mjtNum)1 : (mjtNum)-1);
  }
  write_contact_column(c->block.J + at, c->block.stride, c->con, both ? none : basis, c->pyramid);
  for (int i = 0; c->block.colind && i < c->nrow; i++) {
    c->block.colind[i * c->block.stride + at] = dof;
  }
}

#if LANE_WIDTH > 1

// One lane takes four dofs of a tree at a time, with the bits of contact_column.

// Columns from place `at` on. side: of a body that they move; moves: bits of four dofs, for each
// body.
LANE_INLINE void contact_columns_of_four(const ContactColumns* c, const mjtNum* const cdof[4],
                                         int at, int side, const unsigned moves[2]) {
  const mjContact* con = c->con;
  const mjtNum* offset = c->offset[side];
  Wide sign = ct_one_at(moves[1]) - ct_one_at(moves[0]);
  WideMask one_body = (WideMask)(sign != 0);
  Wide axis[6], move[3], turn[3], basis[6];
  ct_load_four_axes(axis, cdof);
  ct_four_jac_columns(move, axis, offset);
  for (int i = 0; i < 3; i++) move[i] = move[i] * sign;
  for (int i = 0; i < 3; i++) {
    basis[i] = ct_only_at(one_body, ct_four_dots(con->frame + 3 * i, move));
  }
  if (con->dim > 3) {
    for (int i = 0; i < 3; i++) turn[i] = axis[i] * sign;
    for (int i = 0; i < 3; i++) {
      basis[3 + i] = ct_only_at(one_body, ct_four_dots(con->frame + 3 * i, turn));
    }
  }
  mjtNum* J = c->block.J + at;
  int stride = c->block.stride;
  if (!c->pyramid) {
    for (int i = 0; i < con->dim; i++) wide_store(J + i * stride, basis[i]);
    return;
  }
  for (int i = 0; i < con->dim - 1; i++, J += 2 * stride) {
    Wide along = con->friction[i] * basis[i + 1];
    wide_store(J, basis[0] + along);
    wide_store(J + stride, basis[0] - along);
  }
}

// Dense columns of 32 dofs from `first` on, with zeros between them; false, and some are missing,
// where fewer than four dofs are left.
LANE_INLINE bool dense_columns(const mjModel* m, const mjData* d, const ContactColumns* c,
                               int first, int side, const unsigned word[2]) {
  for (unsigned columns = word[0] ^ word[1]; columns;) {
    int bit = ct_take_dense_four(&columns, (int)m->nv - 4 - first);
    if (bit < 0) return false;
    const mjtNum* cdof = d->cdof + 6 * (first + bit);
    const mjtNum* const four[4] = {cdof, cdof + 6, cdof + 12, cdof + 18};
    const unsigned moves[2] = {word[0] >> bit & 15, word[1] >> bit & 15};
    contact_columns_of_four(c, four, first + bit, side, moves);
  }
  return true;
}

// Sparse ones, at `before` and behind; false, and none are written, if these are fewer than four.
LANE_INLINE bool sparse_columns(const mjData* d, const ContactColumns* c, int first, int before,
                                int side, const unsigned word[2]) {
  typedef int FourInts __attribute__((vector_size(16), aligned(4), may_alias));
  const mjtNum *start = d->cdof + 6 * first, *cdof[32];
  int bit[32], n = 0;
  for (unsigned rest = word[0] | word[1]; rest; rest &= rest - 1, n++) {
    bit[n] = ct_lowest_bit(rest);
    cdof[n] = start + 6 * (size_t)(unsigned)bit[n];
  }
  if (n < 4) return false;
  bool mixed = word[0] && word[1];
  for (int k = 0; k < n; k += 4) {
    if (k > n - 4) k = n - 4;
    unsigned moves[2] = {word[0] ? 15 : 0, word[1] ? 15 : 0};
    if (mixed) {
      moves[0] = moves[1] = 0;
      for (int i = 0; i < 4; i++) {
        moves[0] |= (word[0] >> bit[k + i] & 1) << i;
        moves[1] |= (word[1] >> bit[k + i] & 1) << i;
      }
    }
    contact_columns_of_four(c, cdof + k, before + k, side, moves);
    FourInts dofs = {bit[k], bit[k + 1], bit[k + 2], bit[k + 3]};
    int* colind = c->block.colind + before + k;
    for (int i = 0; i < c->nrow; i++, colind += c->block.stride) *(FourInts*)colind = dofs + first;
  }
  return true;
}

#endif

// The Jacobian of a contact.
LANE_FN static void contact_jacobian(Lane g, const mjModel* m, mjData* d, const ContactColumns* c,
                                     const ct_ChainPair* pair) {
  int before = 0;
  bool sparse = c->block.colind != NULL;
  for (int s = 0; s < pair->nspan; s++) {
    for (int w = 0; w < pair->span[s].nword; w++) {
      unsigned moves0 = ct_pair_word(pair, s, w, 0), moves1 = ct_pair_word(pair, s, w, 1);
      unsigned columns = sparse ? moves0 | moves1 : moves0 ^ moves1;
      int first = pair->span[s].first + 32 * w, start = before;
      before += ct_count_bits(columns);
#if LANE_WIDTH > 1
      const unsigned word[2] = {moves0, moves1};
      int side = pair->word[s][1] ? 1 : 0;  // bodies of one tree have their point in common
      if (lane_count(g) == 1 && (sparse ? sparse_columns(d, c, first, start, side, word)
                                        : dense_columns(m, d, c, first, side, word))) {
        continue;
      }
#endif
      LANE_BITS(bit, place, g, columns) {
        contact_column(d, c, first + bit, sparse ? start + place : first + bit,
                       ((moves0 >> bit) & 1) != 0, ((moves1 >> bit) & 1) != 0);
      }
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
    ContactColumns of_contact;
    find_contact_columns(m, d, con, block, &of_contact);
    ct_find_chain_pair(d, contact_body(m, con, 0), contact_body(m, con, 1), &pair);
    contact_jacobian(g, m, d, &of_contact, &pair);
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
