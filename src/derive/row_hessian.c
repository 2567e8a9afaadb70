// The share of constraints in H: which entries they fill, and J' W J.

#include "base/model/equality.h"
#include "derive/jacobian_row.h"
#include "derive/slope_block.h"

// Pattern

// The dofs of a row as bits.
LANE_FN static void row_bits(const ct_Slopes* s, int r, unsigned* bits) {
  ct_JacobianRow row = ct_jacobian_row(s, r);
  for (int w = 0; w < s->H.words; w++) bits[w] = 0;
  for (int e = 0; e < row.count; e++) {
    int dof = ct_row_dof(row, e);
    if (row.column || row.value[e] != 0) bits[dof / 32] |= 1u << dof % 32;
  }
}

LANE_FN static void mark_bits(const ct_Slopes* s, const unsigned* bits) {
  for (int w = 0; w < s->H.words; w++) {
    for (unsigned rest = bits[w]; rest; rest &= rest - 1) {
      int i = 32 * w + ct_lowest_bit(rest);
      unsigned* row = s->H.pattern + i * s->H.words;
      for (int v = 0; v < w; v++) row[v] |= bits[v];
      row[w] |= bits[w] & ((1u << i % 32) - 1);
    }
  }
}

// Columns that a contact has are those of its bodies, also where an entry happens to be zero.
LANE_FN static void chain_bits(const ct_Slopes* s, int body, unsigned* bits, bool clear) {
  for (int w = 0; clear && w < s->H.words; w++) bits[w] = 0;
  for (int k = ct_last_dof(s->m, body); k >= 0; k = s->m->dof_parentid[k]) {
    bits[k / 32] |= 1u << k % 32;
  }
}

// Does M couple all dofs that move a body, and nothing moves the other?
LANE_INLINE bool is_coupled(const mjModel* m, int body0, int body1) {
  int last0 = ct_last_dof(m, body0), last1 = ct_last_dof(m, body1);
  int last = last0 < 0 ? last1 : last0;
  return (last0 < 0 || last1 < 0) && last >= 0 && m->dof_simplenum[last] == 0;
}

LANE_FN static void mark_row(const ct_Slopes* s, int r, unsigned* bits) {
  const mjModel* m = s->m;
  int type = s->d->efc_type[r], id = s->d->efc_id[r];
  if (ct_row_rests(s, r)) return;
  if (type >= mjCNSTR_CONTACT_FRICTIONLESS) {
    if (r > 0 && s->d->efc_type[r - 1] == type && s->d->efc_id[r - 1] == id &&
        !ct_row_rests(s, r - 1)) {
      return;
    }
    const mjContact* con = s->d->contact + id;
    int body0 = m->geom_bodyid[con->geom[0]], body1 = m->geom_bodyid[con->geom[1]];
    if (is_coupled(m, body0, body1)) return;
    chain_bits(s, body0, bits, true);
    chain_bits(s, body1, bits, false);
  } else if (type == mjCNSTR_EQUALITY && ct_holds_points(m, id)) {
    chain_bits(s, ct_held_body(m, id, 0), bits, true);
    chain_bits(s, ct_held_body(m, id, 1), bits, false);
  } else if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_LIMIT_JOINT) {
    return;  // dofs of one joint, which M couples
  } else {
    row_bits(s, r, bits);
  }
  mark_bits(s, bits);
}

LANE_FN void ct_row_pattern(Lane g, ct_Slopes* s) {
  LANE_ALONE(g) {
    unsigned* bits = (unsigned*)(void*)s->list;
    for (int r = 0; r < s->d->nefc; r++) mark_row(s, r, bits);
    for (int j = 0; j < s->m->njnt; j++) {  // simple balls have a diagonal M
      int dof = s->m->jnt_dofadr[j], count = s->last[dof] - dof;
      for (int k = 1; k <= count; k++) {
        for (int i = 0; i < k; i++) ct_mark_entry(&s->H, dof + k, dof + i);
      }
    }
  }
}

// Sums

// J' W J of one row.
LANE_FN static void add_row(Lane g, const ct_Slopes* s, int r) {
  ct_JacobianRow row = ct_jacobian_row(s, r);
  mjtNum weight = s->weight[r];
  if (weight == 0) return;
  LANE_FOR(e, g, row.count) {
    mjtNum J = row.value[e];
    int i = ct_row_dof(row, e);
    mjtNum* H = ct_sparse_entry(&s->H, i, 0);
    for (int f = 0; f < row.count && J != 0; f++) {
      int j = ct_row_dof(row, f);
      if (j <= i) H[j] += J * weight * row.value[f];
    }
  }
  lane_sync(g);
}

// A contact: columns of its rows that weigh something, and of W J, dofs rising side by side.
typedef struct {
  int count, stride, rows;
  const int* dof;
  mjtNum *J, *weighed;
} ContactTable;

LANE_FN static ContactTable open_table(Lane g, ct_Slopes* s, int first) {
  const mjModel* m = s->m;
  const mjContact* con = s->d->contact + s->d->efc_id[first];
  int body0 = m->geom_bodyid[con->geom[0]], body1 = m->geom_bodyid[con->geom[1]];
  ct_JacobianRow row = ct_jacobian_row(s, first);
  ContactTable t;
  t.dof = row.column;
  t.count = row.count;
  if (!t.dof) {
    t.dof = s->list;
    t.count = ct_list_one(m, body0, body1, NULL);
    LANE_ALONE(g) {
      ct_list_one(m, body0, body1, s->list);
    }
  }
  t.stride = (t.count + 3) / 4 * 4;
  t.rows = 0;
  t.J = s->table;
  t.weighed = s->table + 10 * t.stride;
  return t;
}

LANE_FN static void load_contact(Lane g, const ct_Slopes* s, int first, int rows, ContactTable* t) {
  const mjContact* con = s->d->contact + s->d->efc_id[first];
  bool cone = s->state[first] == mjCNSTRSTATE_CONE, sparse = ct_is_sparse(s->m);
  mjtNum C[36];
  if (cone) ct_cone_weight(s, first, con, C);
  for (int r = first; r < first + rows; r++) {
    if (!cone && s->weight[r] == 0) continue;
    ct_JacobianRow row = ct_jacobian_row(s, r);
    mjtNum *J = t->J + t->rows * t->stride, *weighed = t->weighed + t->rows * t->stride;
    LANE_FOR(e, g, t->count) {
      J[e] = row.value[sparse ? e : t->dof[e]];
      weighed[e] = s->weight[r] * J[e];
    }
    t->rows++;
  }
  lane_sync(g);
  LANE_FOR(e, g, cone ? t->count : 0) {
    for (int r = 0; r < rows; r++) {
      mjtNum sum = 0;
      for (int k = 0; k < rows; k++) sum += C[6 * r + k] * t->J[k * t->stride + e];
      t->weighed[r * t->stride + e] = sum;
    }
  }
  lane_sync(g);
}

LANE_FN static void add_contact(Lane g, ct_Slopes* s, int first, int rows) {
  ContactTable t = open_table(g, s, first);
  mjtNum* sum = s->row + (size_t)lane_rank(g) * (size_t)s->nv;
  load_contact(g, s, first, rows, &t);
  LANE_FOR(e, g, t.count) {
    mjtNum* H = ct_sparse_entry(&s->H, t.dof[e], 0);
    for (int f = 0; f <= e; f++) sum[f] = 0;
    for (int r = 0; r < t.rows; r++) {
      mjtNum J = t.J[r * t.stride + e], *weighed = t.weighed + r * t.stride;
      for (int f = 0; f <= e; f++) sum[f] += J * weighed[f];
    }
    for (int f = 0; f <= e; f++) H[t.dof[f]] += sum[f];
  }
  lane_sync(g);
}

LANE_INLINE bool is_single(const mjModel* m, const mjData* d, int r) {
  int type = d->efc_type[r];
  return type == mjCNSTR_FRICTION_DOF ||
         (type == mjCNSTR_LIMIT_JOINT && m->jnt_type[d->efc_id[r]] != mjJNT_BALL);
}

LANE_FN void ct_row_hessian(Lane g, ct_Slopes* s, bool blocks) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  for (int r = 0; r < d->nefc; r++) {
    int type = d->efc_type[r], id = d->efc_id[r];
    if (type >= mjCNSTR_CONTACT_FRICTIONLESS) {
      int rows = ct_block_rows(s, r);
      if (blocks && !ct_block_is_idle(s, r, rows)) add_contact(g, s, r, rows);
      r += rows - 1;
    } else if (is_single(m, d, r)) {  // 1 or -1, which is squared
      int dof = type == mjCNSTR_FRICTION_DOF ? id : m->jnt_dofadr[id];
      LANE_ONCE(g) {
        *ct_sparse_entry(&s->H, dof, dof) += s->weight[r];
      }
      lane_sync(g);
    } else if (blocks || !(type == mjCNSTR_EQUALITY && ct_holds_points(m, id))) {
      add_row(g, s, r);
    }
  }
}
