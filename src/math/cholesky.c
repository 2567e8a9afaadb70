// Cholesky factor and solve for one core, in blocks of four.
//
// Strict arithmetic may not reorder a sum, so an inner product is a chain of dependent operations.
// The factor therefore works on outer products: once four columns of L are known, they are
// subtracted from everything to their right, row by row, which is four independent operations at a
// time and no chain at all. Every element still subtracts its products one by one in ascending
// order, so the bits are those of ct_cholesky_factor.

#include "math/cholesky.h"

#include "base/lanes.h"

// A Wide is four numbers: neighbours in one row, or one column of four rows.

static inline void transpose(Wide t[4]) {
  Wide a = __builtin_shufflevector(t[0], t[1], 0, 4, 2, 6);
  Wide b = __builtin_shufflevector(t[0], t[1], 1, 5, 3, 7);
  Wide c = __builtin_shufflevector(t[2], t[3], 0, 4, 2, 6);
  Wide d = __builtin_shufflevector(t[2], t[3], 1, 5, 3, 7);
  t[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  t[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  t[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  t[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Below this size blocks do not pay.
#define SMALL 8

// Columns whose four multipliers are held at a time: 8 kB of stack.
#define CHUNK 256

// Factorises four rows of a triangle that starts at a, what lies left of it having been subtracted.
// inverse receives 1 / its diagonal.
static inline void factor_corner(mjtNum* a, int stride, mjtNum mindiag, mjtNum inverse[4],
                                 int* rank) {
  mjtNum *b = a + stride, *c = b + stride, *d = c + stride;
  mjtNum a0 = ct_cholesky_pivot(a[0], mindiag, rank), i0 = 1 / a0;
  mjtNum b0 = b[0] * i0, c0 = c[0] * i0, d0 = d[0] * i0;
  mjtNum b1 = ct_cholesky_pivot(b[1] - b0 * b0, mindiag, rank), i1 = 1 / b1;
  mjtNum c1 = (c[1] - c0 * b0) * i1, d1 = (d[1] - d0 * b0) * i1;
  mjtNum c2 = ct_cholesky_pivot(c[2] - c0 * c0 - c1 * c1, mindiag, rank), i2 = 1 / c2;
  mjtNum d2 = (d[2] - d0 * c0 - d1 * c1) * i2;
  mjtNum d3 = ct_cholesky_pivot(d[3] - d0 * d0 - d1 * d1 - d2 * d2, mindiag, rank), i3 = 1 / d3;
  a[0] = a0;
  b[0] = b0, b[1] = b1;
  c[0] = c0, c[1] = c1, c[2] = c2;
  d[0] = d0, d[1] = d1, d[2] = d2, d[3] = d3;
  inverse[0] = i0, inverse[1] = i1, inverse[2] = i2, inverse[3] = i3;
}

// The last rows, fewer than four.
static void factor_end(mjtNum* corner, int stride, int count, mjtNum mindiag, int* rank) {
  for (int j = 0; j < count; j++) {
    mjtNum* above = corner + j * stride;
    mjtNum pivot = above[j];
    for (int k = 0; k < j; k++) {
      pivot -= above[k] * above[k];
    }
    above[j] = ct_cholesky_pivot(pivot, mindiag, rank);
    mjtNum inverse = 1 / above[j];
    for (int i = j + 1; i < count; i++) {
      mjtNum* row = corner + i * stride;
      mjtNum rest = row[j];
      for (int k = 0; k < j; k++) {
        rest -= row[k] * above[k];
      }
      row[j] = rest * inverse;
    }
  }
}

// Four rows from row r on, of which the last is repeated where the matrix ends; copies of it
// compute the same numbers.
typedef struct {
  mjtNum *a, *b, *c, *d;
} Rows;

static inline Rows rows_at(mjtNum* mat, int n, int r) {
  Rows rows;
  int last = n - 1;
  rows.a = mat + r * n;
  rows.b = mat + (r + 1 < last ? r + 1 : last) * n;
  rows.c = mat + (r + 2 < last ? r + 2 : last) * n;
  rows.d = mat + (r + 3 < last ? r + 3 : last) * n;
  return rows;
}

static inline void load_columns(Wide tile[4], Rows rows, int column) {
  tile[0] = wide_load(rows.a + column);
  tile[1] = wide_load(rows.b + column);
  tile[2] = wide_load(rows.c + column);
  tile[3] = wide_load(rows.d + column);
  transpose(tile);
}

// Four columns of L below their corner: one triangular system with four unknowns for each row.
static void solve_below(mjtNum* mat, int n, int first, const mjtNum inverse[4]) {
  const mjtNum *l1 = mat + (first + 1) * n + first, *l2 = l1 + n, *l3 = l2 + n;
  for (int r = first + 4; r < n; r += 4) {
    Rows rows = rows_at(mat, n, r);
    Wide x[4];
    load_columns(x, rows, first);
    x[0] = x[0] * inverse[0];
    x[1] = (x[1] - x[0] * l1[0]) * inverse[1];
    x[2] = (x[2] - x[0] * l2[0] - x[1] * l2[1]) * inverse[2];
    x[3] = (x[3] - x[0] * l3[0] - x[1] * l3[1] - x[2] * l3[2]) * inverse[3];
    transpose(x);
    wide_store(rows.a + first, x[0]);
    wide_store(rows.b + first, x[1]);
    wide_store(rows.c + first, x[2]);
    wide_store(rows.d + first, x[3]);
  }
}

// Four columns of L, transposed: columns[k][j] multiplies column j of the triangle.
typedef mjtNum Columns[4][CHUNK + 4];

// row[j] -= sum_k l[k] columns[k][j]
static inline Wide less(Wide row, const mjtNum l[4], Columns columns, int j) {
  row -= wide_load(columns[0] + j) * l[0];
  row -= wide_load(columns[1] + j) * l[1];
  row -= wide_load(columns[2] + j) * l[2];
  row -= wide_load(columns[3] + j) * l[3];
  return row;
}

// The first n columns of two rows, n a multiple of four.
static inline void subtract_pair(mjtNum* a, const mjtNum la[4], mjtNum* b, const mjtNum lb[4],
                                 Columns columns, int n) {
  mjtNum a0 = la[0], a1 = la[1], a2 = la[2], a3 = la[3];
  mjtNum b0 = lb[0], b1 = lb[1], b2 = lb[2], b3 = lb[3];
  for (int j = 0; j < n; j += 4) {
    Wide c0 = wide_load(columns[0] + j), c1 = wide_load(columns[1] + j);
    Wide c2 = wide_load(columns[2] + j), c3 = wide_load(columns[3] + j);
    wide_store(a + j, wide_load(a + j) - c0 * a0 - c1 * a1 - c2 * a2 - c3 * a3);
    wide_store(b + j, wide_load(b + j) - c0 * b0 - c1 * b1 - c2 * b2 - c3 * b3);
  }
}

// The first n columns of one row, any n.
static inline void subtract_row(mjtNum* row, const mjtNum l[4], Columns columns, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    wide_store(row + j, less(wide_load(row + j), l, columns, j));
  }
  for (; j < n; j++) {
    mjtNum rest = row[j] - columns[0][j] * l[0];
    row[j] = rest - columns[1][j] * l[1] - columns[2][j] * l[2] - columns[3][j] * l[3];
  }
}

// The triangle where four rows meet the diagonal. What stands above it is written back as it was
// read.
static inline void subtract_diagonal(Rows rows, int column, int first, Columns columns, int j) {
  Wide a = wide_load(rows.a + column), b = wide_load(rows.b + column);
  Wide c = wide_load(rows.c + column), d = wide_load(rows.d + column);
  wide_store(rows.a + column,
             __builtin_shufflevector(less(a, rows.a + first, columns, j), a, 0, 5, 6, 7));
  wide_store(rows.b + column,
             __builtin_shufflevector(less(b, rows.b + first, columns, j), b, 0, 1, 6, 7));
  wide_store(rows.c + column,
             __builtin_shufflevector(less(c, rows.c + first, columns, j), c, 0, 1, 2, 7));
  wide_store(rows.d + column, less(d, rows.d + first, columns, j));
}

static void subtract_chunk(mjtNum* mat, int n, int first, int from, int to) {
  Columns columns;
  for (int r = from; r < to; r += 4) {
    Wide tile[4];
    load_columns(tile, rows_at(mat, n, r), first);
    wide_store(columns[0] + r - from, tile[0]);
    wide_store(columns[1] + r - from, tile[1]);
    wide_store(columns[2] + r - from, tile[2]);
    wide_store(columns[3] + r - from, tile[3]);
  }
  int r = from;
  for (; r + 4 <= n; r += 4) {
    Rows rows = rows_at(mat, n, r);
    int end = r < to ? r : to;
    subtract_pair(rows.a + from, rows.a + first, rows.b + from, rows.b + first, columns,
                  end - from);
    subtract_pair(rows.c + from, rows.c + first, rows.d + from, rows.d + first, columns,
                  end - from);
    if (r < to) subtract_diagonal(rows, r, first, columns, r - from);
  }
  for (; r < n; r++) {
    mjtNum* row = mat + r * n;
    subtract_row(row + from, row + first, columns, (r < to ? r + 1 : to) - from);
  }
}

int ct_cholesky_factor_wide(mjtNum* mat, int n, mjtNum mindiag) {
  if (n < SMALL) return ct_cholesky_factor(mat, n, mindiag);
  int rank = n, first = 0;
  for (; first + 4 <= n; first += 4) {
    mjtNum inverse[4];
    factor_corner(mat + first * (n + 1), n, mindiag, inverse, &rank);
    solve_below(mat, n, first, inverse);
    for (int from = first + 4; from < n; from += CHUNK) {
      subtract_chunk(mat, n, first, from, n - from < CHUNK ? n : from + CHUNK);
    }
  }
  factor_end(mat + first * (n + 1), n, n - first, mindiag, &rank);
  return rank;
}

// Four rows of the forward substitution advance together; the backward one runs along rows and is
// wide already.
void ct_cholesky_solve_wide(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const mjtNum *r0 = mat + i * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    mjtNum a = vec[i], b = vec[i + 1], c = vec[i + 2], d = vec[i + 3];
    for (int j = 0; j < i; j++) {
      mjtNum x = res[j];
      a -= r0[j] * x;
      b -= r1[j] * x;
      c -= r2[j] * x;
      d -= r3[j] * x;
    }
    a /= r0[i];
    b = (b - r1[i] * a) / r1[i + 1];
    c = (c - r2[i] * a - r2[i + 1] * b) / r2[i + 2];
    d = (d - r3[i] * a - r3[i + 1] * b - r3[i + 2] * c) / r3[i + 3];
    res[i] = a;
    res[i + 1] = b;
    res[i + 2] = c;
    res[i + 3] = d;
  }
  for (; i < n; i++) {
    const mjtNum* row = mat + i * n;
    mjtNum rest = vec[i];
    for (int j = 0; j < i; j++) {
      rest -= row[j] * res[j];
    }
    res[i] = rest / row[i];
  }
  for (i = n - 1; i >= 0; i--) {
    const mjtNum* row = mat + i * n;
    mjtNum x = res[i] / row[i];
    res[i] = x;
    for (int j = 0; j < i; j++) {
      res[j] -= row[j] * x;
    }
  }
}
