#include "derive/sparse_factor.h"

#include <stddef.h>

#include "base/model/chain.h"

// Eliminating dof i ties together all dofs of its row. They meet in the row of the last of them,
// which hands them on when its turn comes.
LANE_FN static void fill_pattern(const ct_SparseMatrix* a) {
  for (int i = a->n - 1; i >= 0; i--) {
    const unsigned* row = a->pattern + i * a->words;
    int last = i / 32;
    while (last >= 0 && !row[last]) last--;
    if (last < 0) continue;
    int bit = ct_highest_bit(row[last]);
    unsigned* other = a->pattern + (32 * last + bit) * a->words;
    for (int v = 0; v < last; v++) other[v] |= row[v];
    other[last] |= row[last] & ((1u << bit) - 1);
  }
}

LANE_FN void ct_list_columns(const ct_SparseMatrix* a) {
  int n = a->n;
  for (int j = 0; j < n; j++) a->col_adr[j + 1] += a->col_adr[j];
  for (int i = 0; i < n; i++) {  // col_adr[j] moves on to the end of column j
    for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
      a->col_row[a->col_adr[a->row_col[e]]++] = i;
    }
  }
  for (int j = n; j > 0; j--) a->col_adr[j] = a->col_adr[j - 1];
  a->col_adr[0] = 0;
}

LANE_FN static void list_pattern(const ct_SparseMatrix* a) {
  int n = a->n, count = 0;
  for (int j = 0; j <= n; j++) a->col_adr[j] = 0;
  for (int i = 0; i < n; i++) {
    a->row_adr[i] = count;
    for (int w = 0; w < a->words; w++) {
      for (unsigned rest = a->pattern[i * a->words + w]; rest; rest &= rest - 1) {
        int j = 32 * w + ct_lowest_bit(rest);
        a->row_col[count++] = j;
        a->col_adr[j + 1]++;
      }
    }
  }
  a->row_adr[n] = count;
  ct_list_columns(a);
}

LANE_FN void ct_complete_pattern(Lane g, ct_SparseMatrix* a) {
  LANE_ALONE(g) {
    fill_pattern(a);
    list_pattern(a);
  }
}

// Row i is divided by its pivot and taken off the rows of its columns; these belong to a lane each.
LANE_FN static void eliminate(Lane g, const ct_SparseMatrix* a, int i) {
  const mjtNum* row = ct_sparse_entry(a, i, 0);
  int start = a->row_adr[i], count = a->row_adr[i + 1] - start;
  const int* column = a->row_col + start;
  mjtNum inverse = a->inverse[i];
  LANE_FOR(e, g, count) {
    mjtNum* other = ct_sparse_entry(a, column[e], 0);
    mjtNum scale = row[column[e]] * inverse;
    for (int f = 0; f <= e; f++) other[column[f]] -= scale * row[column[f]];
  }
  lane_sync(g);
}

LANE_FN bool ct_factor_sparse(Lane g, ct_SparseMatrix* a) {
  bool good = true;
  for (int i = a->n - 1; i >= 0; i--) {
    mjtNum pivot = *ct_sparse_entry(a, i, i);
    good = good && pivot > 0;
    LANE_ONCE(g) {
      a->inverse[i] = 1 / pivot;
    }
    lane_sync(g);
    eliminate(g, a, i);
  }
  LANE_FOR(i, g, a->n) {  // L has a unit diagonal
    for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
      *ct_sparse_entry(a, i, a->row_col[e]) *= a->inverse[i];
    }
  }
  lane_sync(g);
  return good;
}

// Two blocks at a time fill the registers of a CPU; lanes of a GPU are better off with one each.
enum {
  BLOCKS_AT_ONCE = LANE_WIDTH > 1 ? 2 : 1,
  BLOCK_WORDS = CT_COLUMN_BLOCK / LANE_WIDTH,
  MOST_WORDS = BLOCKS_AT_ONCE * BLOCK_WORDS
};

LANE_FN static inline void take_off(Wide* sum, mjtNum factor, const mjtNum* other,
                                    const int words) {
  const Wide scale = wide_all(factor);
  for (int c = 0; c < words; c++) {
    sum[c] = wide_sub(sum[c], wide_mul(scale, wide_load(other + c * LANE_WIDTH)));
  }
}

// So many words of columns. Both halves gather, so that a row is stored once.
LANE_FN static inline void solve_words(const ct_SparseMatrix* a, mjtNum* x, int width,
                                       const int words) {
  int n = a->n;
  Wide sum[MOST_WORDS];
  for (int j = n - 1; j >= 0; j--) {  // L' y = x, where column j of L is row j of L'
    mjtNum* mine = x + (size_t)j * (size_t)width;
    for (int c = 0; c < words; c++) sum[c] = wide_load(mine + c * LANE_WIDTH);
    for (int e = a->col_adr[j]; e < a->col_adr[j + 1]; e++) {
      int i = a->col_row[e];
      take_off(sum, *ct_sparse_entry(a, i, j), x + (size_t)i * (size_t)width, words);
    }
    for (int c = 0; c < words; c++) wide_store(mine + c * LANE_WIDTH, sum[c]);
  }
  for (int i = 0; i < n; i++) {  // D, then L
    mjtNum* mine = x + (size_t)i * (size_t)width;
    const mjtNum* row = ct_sparse_entry(a, i, 0);
    const Wide inverse = wide_all(a->inverse[i]);
    for (int c = 0; c < words; c++) sum[c] = wide_mul(wide_load(mine + c * LANE_WIDTH), inverse);
    for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
      int j = a->row_col[e];
      take_off(sum, row[j], x + (size_t)j * (size_t)width, words);
    }
    for (int c = 0; c < words; c++) wide_store(mine + c * LANE_WIDTH, sum[c]);
  }
}

LANE_FN void ct_solve_many(Lane g, const ct_SparseMatrix* a, mjtNum* x, int width) {
  const int most = BLOCKS_AT_ONCE * CT_COLUMN_BLOCK;
  LANE_FOR(part, g, (width + most - 1) / most) {
    mjtNum* start = x + part * most;
    if (width - part * most < most) {
      solve_words(a, start, width, BLOCK_WORDS);
    } else {
      solve_words(a, start, width, MOST_WORDS);
    }
  }
  lane_sync(g);
}

LANE_FN void ct_solve_sparse(Lane g, const ct_SparseMatrix* a, mjtNum* x) {
  LANE_ALONE(g) {
    for (int i = a->n - 1; i >= 0; i--) {
      for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
        x[a->row_col[e]] -= *ct_sparse_entry(a, i, a->row_col[e]) * x[i];
      }
    }
    for (int i = 0; i < a->n; i++) {
      x[i] *= a->inverse[i];
      for (int e = a->row_adr[i]; e < a->row_adr[i + 1]; e++) {
        x[i] -= *ct_sparse_entry(a, i, a->row_col[e]) * x[a->row_col[e]];
      }
    }
  }
}
