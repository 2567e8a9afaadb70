// The Hessian of problems that are neither small nor very large, by several lanes: dense rows.
//
// One lane keeps compressed rows (hessian_sparse.c). Lanes that share such rows would have to meet
// after every term, and wait for one that lists entries by column. Here they own columns of dense
// rows. Entries outside of the pattern are zero and change no sum, and every entry gets its terms
// in the order of hessian_sparse.c: M, rows of J, rows of the factor from the last up.
//
// L stands below the diagonal, and once more, transposed, above it: solving goes along rows only.

#include "base/memory/scratch.h"
#include "engine/solver/hessian.h"

LANE_INLINE bool has_bit(const uint64_t* bits, int k) {
  return (bits[k / 64] >> (k % 64) & 1) != 0;
}

// Pattern

// Columns of every row of J as bits.
LANE_FN static void find_row_bits(Lane g, const ct_Problem* p, uint64_t* row_bits) {
  int nword = ct_dof_words(p->n);
  LANE_FOR(r, g, p->rows.nefc) {
    uint64_t* bits = row_bits + (size_t)r * (size_t)nword;
    int start = p->J_rowadr[r];
    for (int w = 0; w < nword; w++) bits[w] = 0;
    for (int k = start; k < start + p->J_rownnz[r]; k++) {
      bits[p->J_colind[k] / 64] |= ct_dof_bit(p->J_colind[k] % 64);
    }
  }
  lane_sync(g);
}

// Dofs up to i that rows of J tie to dof i; how many.
LANE_FN static int tie_dof(const ct_Problem* p, int i, const uint64_t* row_bits, uint64_t* bits) {
  int nword = ct_dof_words(p->n), count = 0;
  for (int w = 0; w < nword; w++) bits[w] = 0;
  for (int r = 0; r < p->rows.nefc; r++) {
    const uint64_t* row = row_bits + (size_t)r * (size_t)nword;
    if (!has_bit(row, i)) continue;
    for (int w = 0; w <= i / 64; w++) bits[w] |= row[w];
  }
  bits[i / 64] &= ct_dofs_below(i % 64) | ct_dof_bit(i % 64);
  for (int w = 0; w < nword; w++) count += ct_count_dofs(bits[w]);
  return count;
}

// The row of the next dof that k is tied to inherits the row of k. By one lane; counts entries.
LANE_FN static int fill_in(int n, uint64_t* pattern) {
  int nword = ct_dof_words(n), count = 0;
  for (int k = n - 1; k >= 0; k--) {
    uint64_t* row = pattern + (size_t)k * (size_t)nword;
    for (int w = 0; w < nword; w++) count += ct_count_dofs(row[w]);
    row[k / 64] &= ~ct_dof_bit(k % 64);
    int w = k / 64;
    while (w > 0 && !row[w]) w--;
    if (row[w]) {
      int next = 64 * w + ct_highest_dof(row[w]);
      uint64_t* heir = pattern + (size_t)next * (size_t)nword;
      for (int v = 0; v <= w; v++) heir[v] |= row[v];
    }
    row[k / 64] |= ct_dof_bit(k % 64);
  }
  return count;
}

LANE_FN static void find_pattern(Lane g, const ct_Problem* p, ct_Hessian* h, uint64_t* row_bits) {
  int nword = ct_dof_words(p->n);
  find_row_bits(g, p, row_bits);
  LANE_FOR(i, g, p->n) {
    uint64_t* bits = h->bits + (size_t)i * (size_t)nword;
    h->stale[i] = tie_dof(p, i, row_bits, bits);
    int start = p->M_rowadr[i];
    for (int k = start; k < start + p->M_rownnz[i]; k++) {
      bits[p->M_colind[k] / 64] |= ct_dof_bit(p->M_colind[k] % 64);
    }
  }
  lane_sync(g);
  LANE_COUNT(h->nsquare, i, g, p->n, h->stale[i]);
  LANE_ANSWER(h->nfactor, g, fill_in(p->n, h->bits));
}

LANE_FN bool ct_open_dense_hessian(Lane g, mjData* d, const ct_Problem* p, ct_Hessian* h) {
  int n = p->n, nrow = p->rows.nefc;
  int nJ = p->J_rowadr[nrow - 1] + p->J_rownnz[nrow - 1] - p->J_rowadr[0];
  size_t word_bytes = (size_t)ct_dof_words(n) * sizeof(uint64_t);
  h->stale = lane_scratch_int(g, d, n);
  h->work = lane_scratch_num(g, d, 4 * n);
  h->weighed_J = lane_scratch_num(g, d, nJ);
  h->H = lane_scratch_num(g, d, n * p->stride);
  h->bits = (uint64_t*)lane_scratch_bytes_(g, d, (size_t)(n + nrow) * word_bytes);
  if (!h->stale || !h->work || !h->weighed_J || !h->H || !h->bits) return false;
  h->D = h->work + n;
  h->invD = h->D + n;
  find_pattern(g, p, h, h->bits + (size_t)n * (size_t)ct_dof_words(n));
  return true;
}

// Values

// Rows of the factor that have to be made again: those of dofs that a changed row of J or a changed
// row of the factor touches.
LANE_FN static void mark_stale(Lane g, const ct_Problem* p, const ct_Hessian* h) {
  int nword = ct_dof_words(p->n);
  LANE_FOR(k, g, p->n) {
    h->stale[k] = !h->factored;
  }
  lane_sync(g);
  if (!h->factored) return;
  for (int r = 0; r < p->rows.nefc; r++) {
    if (!ct_part_has_changed(p->rows.state[r], h->state[r])) continue;
    LANE_FOR(k, g, p->J_rownnz[r]) {
      h->stale[p->J_colind[p->J_rowadr[r] + k]] = 1;
    }
    lane_sync(g);
  }
  for (int k = p->n - 1; k > 0; k--) {
    if (h->stale[k]) {
      LANE_FOR(j, g, k) {
        if (has_bit(h->bits + (size_t)k * (size_t)nword, j)) h->stale[j] = 1;
      }
    }
    lane_sync(g);
  }
}

// Rows of H that are stale, from the diagonal down.
LANE_FN static void assemble(Lane g, const ct_Problem* p, ct_Hessian* h) {
  for (int i = 0; i < p->n; i++) {
    if (!h->stale[i]) continue;
    LANE_FOR(j, g, i + 1) {
      h->H[i * p->stride + j] = 0;
    }
  }
  lane_sync(g);
  LANE_FOR(i, g, p->n) {
    int start = p->M_rowadr[i];
    for (int k = start; h->stale[i] && k < start + p->M_rownnz[i]; k++) {
      h->H[i * p->stride + p->M_colind[k]] = p->M[k];
    }
  }
  lane_sync(g);
  for (int r = 0; r < p->rows.nefc; r++) {
    int start = p->J_rowadr[r], state = p->rows.state[r];
    const mjtNum* weighed = h->weighed_J + (start - p->J_rowadr[0]);
    if (!ct_is_quadratic(state) && state != mjCNSTRSTATE_CONE) continue;
    for (int a = 0; a < p->J_rownnz[r]; a++) {
      int i = p->J_colind[start + a];
      mjtNum entry = p->J[start + a];
      if (entry == 0 || !h->stale[i]) continue;
      LANE_FOR(b, g, a + 1) {
        h->H[i * p->stride + p->J_colind[start + b]] += entry * weighed[b];
      }
    }
    lane_sync(g);
  }
}

// Row i of H becomes that of L, and its pivot.
LANE_FN static void eliminate(Lane g, const ct_Problem* p, ct_Hessian* h, int i) {
  int n = p->n, stride = p->stride;
  mjtNum *row = h->H + i * stride, *factor = h->work;
  LANE_FOR(k, g, n - i - 1) {
    int at = i + 1 + k;
    factor[at] = -(h->H[at * stride + i] * h->D[at]);
  }
  lane_sync(g);
  LANE_FOR(j, g, i + 1) {
    mjtNum sum = row[j];
    for (int k = n - 1; k > i; k--) sum += factor[k] * h->H[k * stride + j];
    row[j] = sum;
  }
  lane_sync(g);
  mjtNum pivot = row[i] < mjMINVAL ? mjMINVAL : row[i], inverse = 1 / pivot;
  lane_sync(g);
  LANE_FOR(j, g, i) {
    row[j] *= inverse;
    h->H[j * stride + i] = row[j];
  }
  LANE_ONCE(g) {
    h->D[i] = pivot;
    h->invD[i] = inverse;
  }
  lane_sync(g);
}

LANE_FN void ct_factor_dense_hessian(Lane g, const ct_Problem* p, ct_Hessian* h) {
  mark_stale(g, p, h);
  ct_weigh_rows(g, p, h->weighed_J, NULL);
  assemble(g, p, h);
  for (int i = p->n - 1; i >= 0; i--) {
    if (h->stale[i]) eliminate(g, p, h, i);
  }
}

LANE_FN void ct_solve_dense_hessian(Lane g, const ct_Problem* p, const ct_Hessian* h, mjtNum* x) {
  int n = p->n;
  for (int k = n - 1; k > 0; k--) {
    mjtNum known = -x[k];
    const mjtNum* row = h->H + k * p->stride;
    LANE_FOR(j, g, k) {
      x[j] += known * row[j];
    }
    lane_sync(g);
  }
  mjtNum *sum = h->work, *found = h->work + 3 * n;
  LANE_FOR(k, g, n) {
    sum[k] = 0;
  }
  lane_sync(g);
  for (int j = 0; j < n; j++) {
    mjtNum known = x[j] * h->invD[j] - sum[j];
    const mjtNum* column = h->H + j * p->stride;
    LANE_FOR(k, g, n) {
      if (k > j) sum[k] += column[k] * known;
      if (k == j) found[k] = known;
    }
    lane_sync(g);
  }
  LANE_FOR(k, g, n) {
    x[k] = found[k];
  }
  lane_sync(g);
}
