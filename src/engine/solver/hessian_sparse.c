// The Hessian of large problems: compressed rows and their L'DL.
//
//   H = M + sum over rows of D J'J + sum over cones of J'CJ
//
// Row i of the factor has the columns that J or M couple to dof i, and what elimination of later
// dofs adds. Sets of dofs are bits, one row of words per dof: the row of the next dof that k is
// tied to inherits the row of k. Values are kept in compressed rows.
//
// Rows are made one after the other, from the last to the first. Row i of H is put together in a
// dense row: M, the rows of J that touch dof i, and what the finished rows k that touch it take
// away, (L_ki D_k) L_k. Lists of entries by column say which those are. Rows of one contact have
// the same columns, so C J of a cone has the places of J.
//
// One lane puts all rows of H together at once if they have room from their first column to the
// last, and goes through J row after row. Rows with the same columns are added together, in their
// order: those of a contact, and those of neighbouring dofs in the factor, of which one hands all
// of its columns on to the next, as the dofs of a body do.
//
// When few rows of J have changed their part in H, most rows of the factor stay: those of dofs that
// neither a changed row of J nor a changed row of the factor touches.

#include "engine/solver/hessian.h"

#include "base/memory/scratch.h"
#include "math/sparse.h"

enum { PAD = 3 };  // numbers that the last word of a row may reach too far

// Rows of dofs as bits: (n) rows of words. first (n): the first word of each row that is not zero,
// since rows of large problems have a few words of many.
typedef struct {
  uint64_t* bits;
  int* first;
} BitRows;

LANE_INLINE uint64_t* pattern_row(const ct_Problem* p, const BitRows* pattern, int i) {
  return pattern->bits + (size_t)i * (size_t)ct_dof_words(p->n);
}

LANE_INLINE void begin_earlier(BitRows* pattern, int i, int word) {
  if (word < pattern->first[i]) pattern->first[i] = word;
}

// Row i of J ties its dofs to each other. bits: room for a row.
LANE_FN static void tie_dofs(const ct_Problem* p, int i, uint64_t* bits, BitRows* pattern) {
  int start = p->J_rowadr[i], n = p->J_rownnz[i];
  if (n == 0) return;
  int first = p->J_colind[start] / 64, last = p->J_colind[start + n - 1] / 64;
  for (int w = first; w <= last; w++) bits[w] = 0;
  for (int k = start; k < start + n; k++) {
    bits[p->J_colind[k] / 64] |= ct_dof_bit(p->J_colind[k] % 64);
  }
  for (int w = first; w <= last; w++) {
    for (uint64_t left = bits[w]; left; left &= left - 1) {
      int bit = ct_lowest_dof(left);
      uint64_t* row = pattern_row(p, pattern, 64 * w + bit);
      for (int v = first; v < w; v++) row[v] |= bits[v];
      row[w] |= bits[w] & (ct_dofs_below(bit) | ct_dof_bit(bit));
      begin_earlier(pattern, 64 * w + bit, first);
    }
  }
}

// Does row i of J have the columns of the row before, as the second row of a contact does?
LANE_INLINE bool repeats_columns(const ct_Problem* p, int i) {
  if (i > 0 && p->J_rowsuper) return p->J_rowsuper[i - 1] > 0;
  if (i == 0 || p->rows.id[i] != p->rows.id[i - 1] || p->J_rownnz[i] != p->J_rownnz[i - 1] ||
      p->J_rowadr[i] != p->J_rowadr[i - 1] + p->J_rownnz[i]) {
    return false;
  }
  const int *a = p->J_colind + p->J_rowadr[i], *b = p->J_colind + p->J_rowadr[i - 1];
  for (int k = 0; k < p->J_rownnz[i]; k++) {
    if (a[k] != b[k]) return false;
  }
  return true;
}

// How many dofs row i has.
LANE_FN static int count_bits(const ct_Problem* p, const BitRows* pattern, int i) {
  const uint64_t* row = pattern_row(p, pattern, i);
  int count = 0;
  for (int w = pattern->first[i]; w <= i / 64; w++) count += ct_count_dofs(row[w]);
  return count;
}

// The largest dof below k in row k; -1: none.
LANE_FN static int highest_below(const ct_Problem* p, const BitRows* pattern, int k) {
  const uint64_t* row = pattern_row(p, pattern, k);
  int w = k / 64;
  uint64_t word = row[w] & ct_dofs_below(k % 64);
  while (!word && w > pattern->first[k]) word = row[--w];
  return word ? 64 * w + ct_highest_dof(word) : -1;
}

LANE_FN static void find_sparse_pattern(const ct_Problem* p, ct_Hessian* h, BitRows* pattern,
                                        uint64_t* bits) {
  int nword = ct_dof_words(p->n);
  for (size_t i = 0; i < (size_t)p->n * (size_t)nword; i++) pattern->bits[i] = 0;
  for (int i = 0; i < p->n; i++) pattern->first[i] = i / 64;
  for (int i = 0; i < p->rows.nefc; i++) {
    h->repeats[i] = repeats_columns(p, i);
    if (!h->repeats[i]) tie_dofs(p, i, bits, pattern);
  }
  h->nsquare = h->nfactor = 0;
  for (int i = 0; i < p->n; i++) {
    uint64_t* row = pattern_row(p, pattern, i);
    h->nsquare += count_bits(p, pattern, i);
    int start = p->M_rowadr[i];
    for (int k = start; k < start + p->M_rownnz[i]; k++) {
      row[p->M_colind[k] / 64] |= ct_dof_bit(p->M_colind[k] % 64);
      begin_earlier(pattern, i, p->M_colind[k] / 64);
    }
  }
  for (int k = p->n - 1; k >= 0; k--) {
    const uint64_t* row = pattern_row(p, pattern, k);
    int next = highest_below(p, pattern, k);
    h->nfactor += count_bits(p, pattern, k);
    if (next < 0) continue;
    uint64_t* heir = pattern_row(p, pattern, next);
    for (int w = pattern->first[k]; w < k / 64; w++) heir[w] |= row[w];
    heir[k / 64] |= row[k / 64] & ct_dofs_below(k % 64);
    begin_earlier(pattern, next, pattern->first[k]);
  }
}

LANE_FN static void list_factor_columns(const ct_Problem* p, ct_Hessian* h,
                                        const BitRows* pattern) {
  int at = 0;
  for (int i = 0; i < p->n; i++) {
    const uint64_t* row = pattern_row(p, pattern, i);
    h->rowadr[i] = at;
    for (int w = pattern->first[i]; w <= i / 64; w++) {
      for (uint64_t left = row[w]; left; left &= left - 1) {
        h->colind[at++] = 64 * w + ct_lowest_dof(left);
      }
    }
    h->rownnz[i] = at - h->rowadr[i];
  }
}

// Entries of compressed rows by column; within a column from the first row to the last, or from
// the last up.
LANE_FN static void list_by_column(ct_ColumnsOfRows* c, int nrow, int ncolumn, const int* rownnz,
                                   const int* rowadr, const int* colind, bool up) {
  for (int j = 0; j <= ncolumn; j++) c->adr[j] = 0;
  for (int i = 0; i < nrow; i++) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) c->adr[colind[k] + 1]++;
  }
  for (int j = 0; j < ncolumn; j++) c->adr[j + 1] += c->adr[j];
  for (int q = 0; q < nrow; q++) {
    int i = up ? nrow - 1 - q : q;
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) {
      int place = c->adr[colind[k]]++;
      c->row[place] = i;
      c->at[place] = k;
    }
  }
  for (int j = ncolumn; j > 0; j--) c->adr[j] = c->adr[j - 1];  // each had moved to its end
  c->adr[0] = 0;
}

LANE_FN static bool open_columns(Lane g, mjData* d, ct_ColumnsOfRows* c, int ncolumn, int nnz) {
  c->adr = lane_scratch_int(g, d, ncolumn + 1 + 2 * nnz);
  if (!c->adr) return false;
  c->row = c->adr + ncolumn + 1;
  c->at = c->row + nnz;
  return true;
}

// Where rows of H start that have room from their first column to the diagonal, so that column j of
// row i is at H[place[i] + j]; returns how much that is, or 0 if it is too much: of the factor, or
// beyond CT_LEAST_ROOM, of the memory that is left.
LANE_FN static int place_rows(const mjData* d, const ct_Hessian* h, int n, int most_room) {
  int64_t left = ((int64_t)d->narena - (int64_t)d->parena - (int64_t)d->pstack) /
                 (8 * (int64_t)sizeof(mjtNum));
  int64_t room = 0, most = most_room * (int64_t)h->nfactor;
  int64_t least = most_room < CT_LEAST_ROOM ? most : CT_LEAST_ROOM * (int64_t)h->nfactor;
  if (most > left) most = left > least ? left : least;
  for (int i = 0; i < n && room <= most; i++) {
    int first = h->colind[h->rowadr[i]];
    h->place[i] = (int)room - first;
    room += i + 1 - first;
  }
  return room <= most ? (int)room : 0;
}

LANE_FN static bool open_rows(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h,
                              int most_room) {
  int nrow = p->rows.nefc, nJ = p->J_rowadr[nrow - 1] + p->J_rownnz[nrow - 1] - p->J_rowadr[0];
  int room = lane_count(g) == 1 ? place_rows(d, h, p->n, most_room) : 0;
  h->H = room ? lane_scratch_num(g, d, room + PAD) : NULL;
  if (room) return h->H != NULL;
  if (!open_columns(g, d, &h->J_by_column, p->n, nJ)) return false;
  LANE_ONCE(g) {
    list_by_column(&h->J_by_column, nrow, p->n, p->J_rownnz, p->J_rowadr, p->J_colind, false);
  }
  lane_sync(g);
  return true;
}

LANE_FN static bool open_values(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h) {
  int nrow = p->rows.nefc, nJ = p->J_rowadr[nrow - 1] + p->J_rownnz[nrow - 1];
  int first = p->J_rowadr[0];
  h->colind = lane_scratch_int(g, d, h->nfactor);
  h->value = lane_scratch_num(g, d, h->nfactor + PAD);
  h->weighed_J = lane_scratch_num(g, d, nJ - first + PAD);
  return h->colind && h->value && h->weighed_J &&
         open_columns(g, d, &h->by_column, p->n, h->nfactor);
}

LANE_FN bool ct_open_sparse_hessian(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h,
                                    int most_room) {
  int n = p->n;
  size_t words = (size_t)ct_dof_words(n);
  h->rownnz = lane_scratch_int(g, d, 4 * n + p->rows.nefc);
  h->work = lane_scratch_num(g, d, 3 * n);
  BitRows pattern;
  pattern.bits = (uint64_t*)lane_scratch_bytes_(g, d, ((size_t)n + 1) * words * sizeof(uint64_t));
  pattern.first = lane_scratch_int(g, d, n);
  if (!h->rownnz || !h->work || !pattern.bits || !pattern.first) return false;
  h->rowadr = h->rownnz + n;
  h->stale = h->rowadr + n;
  h->place = h->stale + n;
  h->repeats = h->place + n;
  h->D = h->work + n;
  h->invD = h->D + n;
  int nsquare = 0, nfactor = 0;
  LANE_ONCE(g) {
    find_sparse_pattern(p, h, &pattern, pattern.bits + (size_t)n * words);
    nsquare = h->nsquare;
    nfactor = h->nfactor;
  }
  lane_sync(g);
  h->nsquare = lane_broadcast_int(g, nsquare);
  h->nfactor = lane_broadcast_int(g, nfactor);
  if (!open_values(g, d, p, h)) return false;
  LANE_ONCE(g) {
    list_factor_columns(p, h, &pattern);
    list_by_column(&h->by_column, n, n, h->rownnz, h->rowadr, h->colind, true);
  }
  lane_sync(g);
  return open_rows(g, d, p, h, most_room);
}

// Values

// C J of a cone whose first row is i, in the places of its rows.
LANE_INLINE void weigh_cone(const ct_Problem* p, mjtNum* weighed, int i) {
  const mjContact* contact = p->contact + p->rows.id[i];
  int dim = contact->dim, nnz = p->J_rownnz[i];
  for (int q = 0; q < dim; q++) {
    mjtNum* to = weighed + (p->J_rowadr[i + q] - p->J_rowadr[0]);
    for (int k = 0; k < nnz; k++) to[k] = 0;
    for (int s = 0; s < dim; s++) {
      const mjtNum* from = p->J + p->J_rowadr[i + s];
      for (int k = 0; k < nnz; k++) to[k] += contact->H[q * dim + s] * from[k];
    }
  }
}

// D J of row i, in the places of J.
LANE_FN static inline void weigh_row(const ct_Problem* p, mjtNum* to, int i) {
  const mjtNum *from = p->J + p->J_rowadr[i], D = p->rows.D[i];
  int n = p->J_rownnz[i], k = 0;
  for (; LANE_WIDTH > 1 && k + LANE_WIDTH <= n; k += LANE_WIDTH) {
    wide_store(to + k, wide_mul(wide_all(D), wide_load(from + k)));
  }
  for (; k < n; k++) to[k] = D * from[k];
}

LANE_FN void ct_weigh_rows(Lane g, const ct_Problem* p, mjtNum* weighed, const int* before) {
  LANE_FOR(i, g, p->rows.nefc) {
    int start = p->J_rowadr[i], state = p->rows.state[i];
    if (state == mjCNSTRSTATE_CONE) {
      bool first = i == 0 || p->rows.id[i - 1] != p->rows.id[i] ||
                   p->rows.type[i - 1] != mjCNSTR_CONTACT_ELLIPTIC;
      if (first) weigh_cone(p, weighed, i);
    } else if (ct_is_quadratic(state) && !(before && ct_is_quadratic(before[i]))) {
      weigh_row(p, weighed + (start - p->J_rowadr[0]), i);
    }
  }
  lane_sync(g);
}

// row[column[e]] += scale * x[e]. Dofs of a body are neighbours, so four columns often are.
LANE_FN static inline void add_scattered(Lane g, mjtNum* row, const int* column, const mjtNum* x,
                                         int n, mjtNum scale) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    int e = 0;
    while (e < n) {
      mjtNum* to = row + column[e];
      if (e + 4 <= n && column[e + 3] == column[e] + 3) {
        wide_store(to, wide_add(wide_load(to), wide_mul(wide_all(scale), wide_load(x + e))));
        e += 4;
      } else {
        *to += scale * x[e];
        e++;
      }
    }
    return;
  }
#endif
  LANE_FOR(e, g, n) {
    row[column[e]] += scale * x[e];
  }
  lane_sync(g);
}

// Row i of H into the dense row.
LANE_FN static void gather_row(Lane g, const ct_Problem* p, const ct_Hessian* h, int i) {
  const int *column = h->colind + h->rowadr[i], *M_column = p->M_colind + p->M_rowadr[i];
  const ct_ColumnsOfRows* c = &h->J_by_column;
  int first = p->J_rowadr[0];
  LANE_FOR(e, g, h->rownnz[i]) {
    h->work[column[e]] = 0;
  }
  lane_sync(g);
  LANE_FOR(k, g, p->M_rownnz[i]) {
    h->work[M_column[k]] = p->M[p->M_rowadr[i] + k];
  }
  lane_sync(g);
  for (int t = c->adr[i]; t < c->adr[i + 1]; t++) {
    int r = c->row[t], start = p->J_rowadr[r], state = p->rows.state[r];
    if (!ct_is_quadratic(state) && state != mjCNSTRSTATE_CONE) continue;
    mjtNum entry = p->J[c->at[t]];
    if (entry == 0) continue;
    add_scattered(g, h->work, p->J_colind + start, h->weighed_J + (start - first),
                  c->at[t] - start + 1, entry);
  }
}

#ifndef __CUDACC__

// Rows of numbers with the same columns, each with its factor.
enum { MOST_TERMS = 6 };

typedef struct {
  int count;
  const mjtNum* x[MOST_TERMS];
  mjtNum scale[MOST_TERMS];
} Terms;

LANE_INLINE bool four_follow(const int* column, int e, int n) {
  return e + 4 <= n && column[e + 3] == column[e] + 3;
}

// Where columns stop being neighbours.
LANE_INLINE int end_of_run(const int* column, int e, int n) {
  if (column[n - 1] - column[e] == n - 1 - e) return n;
  int first = column[e] - e;
  do e++;
  while (column[e] - e == first);
  return e;
}

// Stores the first n places of a word.
LANE_INLINE void store_some(mjtNum* to, Wide before, Wide word, int n) {
  static const WideMask kept[4] = {{0, 0, 0, 0}, {0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}};
  wide_store(to, n < 4 ? wide_choose(kept[n], before, ~kept[n], word) : word);
}

// row[column[e]] += scale * x[e] for all terms, one after the other. Inlined with `count` known.
LANE_INLINE void add_together(int count, mjtNum* row, const int* column, const Terms* t, int n) {
  Wide scale[MOST_TERMS];
  const mjtNum* x[MOST_TERMS];
  for (int q = 0; q < count; q++) {
    scale[q] = wide_all(t->scale[q]);
    x[q] = t->x[q];
  }
  for (int e = 0, end; e < n; e = end) {
    mjtNum* to = row + column[e];
    end = end_of_run(column, e, n);
    for (; e < end; e += 4, to += 4) {
      Wide before = wide_load(to), sum = before;
      for (int q = 0; q < count; q++) {
        sum = wide_add(sum, wide_mul(scale[q], wide_load(x[q] + e)));
      }
      store_some(to, before, sum, end - e);
    }
  }
}

LANE_FN static void add_terms(mjtNum* row, const int* column, const Terms* t, int n) {
  switch (t->count) {
    case 1:
      add_together(1, row, column, t, n);
      break;
    case 2:
      add_together(2, row, column, t, n);
      break;
    case 3:
      add_together(3, row, column, t, n);
      break;
    case 4:
      add_together(4, row, column, t, n);
      break;
    case 5:
      add_together(5, row, column, t, n);
      break;
    default:
      add_together(6, row, column, t, n);
      break;
  }
}

// Does row k of the factor have the columns of row k - 1 and itself?
LANE_INLINE bool extends_row_before(const ct_Hessian* h, int k) {
  return h->rownnz[k] == h->rownnz[k - 1] + 1 &&
         h->colind[h->rowadr[k] + h->rownnz[k] - 2] == k - 1;
}

// Takes from what is to be row i of the factor what its finished rows do. The last entry of the
// column is row i itself.
LANE_FN static void take_finished_rows(const ct_Hessian* h, int i, mjtNum* row) {
  const ct_ColumnsOfRows* c = &h->by_column;
  int end = c->adr[i + 1] - 1;
  Terms terms;
  terms.count = 0;
  for (int t = c->adr[i]; t < end; t++) {
    int k = c->row[t], start = h->rowadr[k], at = c->at[t];
    terms.x[terms.count] = h->value + start;
    terms.scale[terms.count++] = -(h->value[at] * h->D[k]);
    bool more = t + 1 < end && c->row[t + 1] == k - 1 && extends_row_before(h, k);
    if (more && terms.count < MOST_TERMS) continue;
    add_terms(row, h->colind + start, &terms, at - start + 1);
    terms.count = 0;
  }
}

// Rows of J with the same columns, of which `count` are part of H: those of H get their terms.
// Inlined with `count` known. Nothing comes of an entry that is zero: not even another sign of a
// zero, which is why terms that are zeroed are subtracted.
LANE_INLINE void add_rows(int count, const ct_Hessian* h, const int* column, int n,
                          const mjtNum* const* J, const mjtNum* const* weighed) {
  for (int a = 0; a < n; a++) {
    if (!h->stale[column[a]]) continue;
    mjtNum* row = h->H + h->place[column[a]];
    Wide scale[MOST_TERMS];
    WideMask part[MOST_TERMS];
    for (int q = 0; q < count; q++) {
      scale[q] = wide_all(-J[q][a]);
      part[q] = (WideMask)(scale[q] != 0);
    }
    for (int e = 0, end; e <= a; e = end) {
      mjtNum* to = row + column[e];
      end = end_of_run(column, e, a + 1);
      for (; e < end; e += 4, to += 4) {
        Wide before = wide_load(to), sum = before;
        for (int q = 0; q < count; q++) {
          Wide term = wide_mul(scale[q], wide_load(weighed[q] + e));
          sum = wide_sub(sum, (Wide)(part[q] & (WideMask)term));
        }
        store_some(to, before, sum, end - e);
      }
    }
  }
}

// Row r of J and those that repeat its columns; returns the row after them. No more than four at a
// time, because of registers.
LANE_FN static int add_equal_rows(const ct_Problem* p, const ct_Hessian* h, int r) {
  int start = p->J_rowadr[r], n = p->J_rownnz[r], count = 0, end = r + 1;
  const int* column = p->J_colind + start;
  const mjtNum *J[4], *weighed[4];
  while (end < p->rows.nefc && h->repeats[end]) end++;
  for (; r < end; r++) {
    int state = p->rows.state[r];
    if (ct_is_quadratic(state) || state == mjCNSTRSTATE_CONE) {
      J[count] = p->J + p->J_rowadr[r];
      weighed[count++] = h->weighed_J + (p->J_rowadr[r] - p->J_rowadr[0]);
    }
    if (r + 1 < end && count < 4) continue;
    if (count == 1) add_rows(1, h, column, n, J, weighed);
    if (count == 2) add_rows(2, h, column, n, J, weighed);
    if (count == 3) add_rows(3, h, column, n, J, weighed);
    if (count == 4) add_rows(4, h, column, n, J, weighed);
    count = 0;
  }
  return end;
}

// All stale rows of H, where they have room.
LANE_FN static void assemble_rows(const ct_Problem* p, const ct_Hessian* h) {
  for (int i = 0; i < p->n; i++) {
    if (!h->stale[i]) continue;
    mjtNum* row = h->H + h->place[i];
    const int* column = h->colind + h->rowadr[i];
    for (int e = 0, n = h->rownnz[i]; e < n;) {
      if (four_follow(column, e, n)) {
        wide_store(row + column[e], wide_all(0));
        e += 4;
      } else {
        row[column[e++]] = 0;
      }
    }
    int start = p->M_rowadr[i];
    for (int k = start; k < start + p->M_rownnz[i]; k++) row[p->M_colind[k]] = p->M[k];
  }
  for (int r = 0; r < p->rows.nefc;) r = add_equal_rows(p, h, r);
}

#endif

// Marks the rows of the factor that have to be made; by one lane.
LANE_FN static void mark_stale(const ct_Problem* p, const ct_Hessian* h) {
  for (int k = 0; k < p->n; k++) h->stale[k] = !h->factored;
  if (!h->factored) return;
  for (int i = 0; i < p->rows.nefc; i++) {
    if (!ct_part_has_changed(p->rows.state[i], h->state[i])) continue;
    int start = p->J_rowadr[i];
    for (int k = start; k < start + p->J_rownnz[i]; k++) h->stale[p->J_colind[k]] = 1;
  }
  for (int k = p->n - 1; k >= 0; k--) {
    int start = h->rowadr[k];
    for (int e = start; h->stale[k] && e < start + h->rownnz[k]; e++) h->stale[h->colind[e]] = 1;
  }
}

// Row i of H, less what finished rows of the factor take away.
LANE_FN static const mjtNum* make_row(Lane g, const ct_Problem* p, const ct_Hessian* h, int i) {
#ifndef __CUDACC__
  if (h->H) {
    mjtNum* row = h->H + h->place[i];
    take_finished_rows(h, i, row);
    return row;
  }
#endif
  const ct_ColumnsOfRows* c = &h->by_column;
  gather_row(g, p, h, i);
  for (int t = c->adr[i]; t < c->adr[i + 1]; t++) {
    int k = c->row[t], start = h->rowadr[k], at = c->at[t];
    if (k == i) continue;
    add_scattered(g, h->work, h->colind + start, h->value + start, at - start + 1,
                  -(h->value[at] * h->D[k]));
  }
  return h->work;
}

// Row i of the factor: the dense row, divided by its pivot.
LANE_FN static void take_row(Lane g, const ct_Hessian* h, int i, const mjtNum* row,
                             mjtNum inverse) {
  const int* column = h->colind + h->rowadr[i];
  mjtNum* value = h->value + h->rowadr[i];
  int n = h->rownnz[i];
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    for (int e = 0; e < n;) {
      const mjtNum* from = row + column[e];
      if (four_follow(column, e, n)) {
        wide_store(value + e, wide_mul(wide_load(from), wide_all(inverse)));
        e += 4;
      } else {
        value[e++] = *from * inverse;
      }
    }
    return;
  }
#endif
  LANE_FOR(e, g, n) {
    value[e] = row[column[e]] * inverse;
  }
}

LANE_FN void ct_factor_sparse_hessian(Lane g, const ct_Problem* p, ct_Hessian* h) {
  LANE_ONCE(g) {
    mark_stale(p, h);
  }
  ct_weigh_rows(g, p, h->weighed_J, h->factored ? h->state : NULL);
#ifndef __CUDACC__
  if (h->H) assemble_rows(p, h);
#endif
  for (int i = p->n - 1; i >= 0; i--) {
    if (!h->stale[i]) continue;
    const mjtNum* row = make_row(g, p, h, i);
    mjtNum pivot = row[i] < mjMINVAL ? mjMINVAL : row[i], inverse = 1 / pivot;
    take_row(g, h, i, row, inverse);
    LANE_ONCE(g) {
      h->D[i] = pivot;
      h->invD[i] = inverse;
    }
    lane_sync(g);
  }
}

LANE_FN void ct_solve_sparse_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  for (int k = p->n - 1; k > 0; k--) {
    int start = h->rowadr[k];
    mjtNum known = x[k];
    lane_sync(g);
    add_scattered(g, x, h->colind + start, h->value + start, h->rownnz[k] - 1, -known);
  }
  LANE_ALONE(g) {
    for (int k = 0; k < p->n; k++) {
      int start = h->rowadr[k];
      x[k] = x[k] * h->invD[k] -
             ct_dot_sparse(h->value + start, h->colind + start, h->rownnz[k] - 1, x);
    }
  }
}
