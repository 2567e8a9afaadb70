// Cholesky factor and solve for one core, four rows at a time.
//
// A row of L solves a triangular system with the rows above it. Alone, that is a chain of dependent
// subtractions, because strict arithmetic may not reorder a sum. Four rows are four independent
// chains: they are held transposed, so that one four-wide operation advances all of them by one
// term, and four columns at once give enough of these to fill the pipeline. Every element still
// subtracts its products one by one in ascending order, so the bits are those of
// ct_cholesky_factor.

#include "math/cholesky.h"

// Four neighbours of one column.
typedef mjtNum Wide __attribute__((vector_size(4 * sizeof(mjtNum))));

// Longest stretch of columns that is held transposed at a time: 4 kB of stack.
#define STRETCH 128

// Four rows of mat; a panel at the bottom with fewer repeats its last one, which is then not
// stored.
typedef struct {
  mjtNum* row[4];
  int count;
} Panel;

static inline Wide load(const Panel* p, int column) {
  Wide w = {p->row[0][column], p->row[1][column], p->row[2][column], p->row[3][column]};
  return w;
}

static inline void store(Panel* p, int column, Wide w) {
  for (int r = 0; r < p->count; r++) {
    p->row[r][column] = w[r];
  }
}

// rest[c] -= sum_k solved[k] l[c][k] for four columns c, k ascending.
static inline void subtract4(Wide rest[4], const Wide* solved, const mjtNum* const l[4], int n) {
  Wide a = rest[0], b = rest[1], c = rest[2], d = rest[3];
  for (int k = 0; k < n; k++) {
    a -= solved[k] * l[0][k];
    b -= solved[k] * l[1][k];
    c -= solved[k] * l[2][k];
    d -= solved[k] * l[3][k];
  }
  rest[0] = a;
  rest[1] = b;
  rest[2] = c;
  rest[3] = d;
}

static inline Wide subtract1(Wide rest, const Wide* solved, const mjtNum* l, int n) {
  for (int k = 0; k < n; k++) {
    rest -= solved[k] * l[k];
  }
  return rest;
}

// Solves for columns start .. start + n - 1 of a panel, all earlier columns having been subtracted.
static void solve_stretch(Panel* p, Wide* solved, const mjtNum* mat, int stride, int start, int n) {
  const mjtNum* corner = mat + start * stride + start;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const mjtNum* l[4];
    Wide rest[4];
    for (int c = 0; c < 4; c++) {
      l[c] = corner + (j + c) * stride;
      rest[c] = load(p, start + j + c);
    }
    subtract4(rest, solved, l, j);
    for (int c = 0; c < 4; c++) {
      Wide last = subtract1(rest[c], solved + j, l[c] + j, c);
      solved[j + c] = last * (1 / l[c][j + c]);
    }
  }
  for (; j < n; j++) {
    const mjtNum* l = corner + j * stride;
    solved[j] = subtract1(load(p, start + j), solved, l, j) * (1 / l[j]);
  }
  for (int k = 0; k < n; k++) {
    store(p, start + k, solved[k]);
  }
}

// Subtracts a solved stretch from columns from .. to - 1 behind it.
static void subtract_stretch(Panel* p, const Wide* solved, const mjtNum* mat, int stride, int start,
                             int n, int from, int to) {
  int j = from;
  for (; j + 4 <= to; j += 4) {
    const mjtNum* l[4];
    Wide rest[4];
    for (int c = 0; c < 4; c++) {
      l[c] = mat + (j + c) * stride + start;
      rest[c] = load(p, j + c);
    }
    subtract4(rest, solved, l, n);
    for (int c = 0; c < 4; c++) {
      store(p, j + c, rest[c]);
    }
  }
  for (; j < to; j++) {
    store(p, j, subtract1(load(p, j), solved, mat + j * stride + start, n));
  }
}

// Subtracts a solved stretch from the panel's own corner, of which only the lower triangle exists.
static void subtract_from_corner(Panel* p, const Wide* solved, int first, int n) {
  for (int c = 0; c < p->count; c++) {
    Wide rest = {0};
    for (int r = c; r < p->count; r++) {
      rest[r] = p->row[r][first + c];
    }
    for (int k = 0; k < n; k++) {
      rest -= solved[k] * solved[k][c];
    }
    for (int r = c; r < p->count; r++) {
      p->row[r][first + c] = rest[r];
    }
  }
}

static void factor_corner(Panel* p, int first, mjtNum mindiag, int* rank) {
  for (int r = 0; r < p->count; r++) {
    mjtNum* row = p->row[r] + first;
    for (int c = 0; c <= r; c++) {
      const mjtNum* other = p->row[c] + first;
      mjtNum rest = row[c];
      for (int k = 0; k < c; k++) {
        rest -= row[k] * other[k];
      }
      row[c] = c < r ? rest * (1 / other[c]) : ct_cholesky_pivot(rest, mindiag, rank);
    }
  }
}

int ct_cholesky_factor_wide(mjtNum* mat, int n, mjtNum mindiag) {
  Wide solved[STRETCH];
  int rank = n;
  for (int first = 0; first < n; first += 4) {
    Panel p;
    p.count = n - first < 4 ? n - first : 4;
    for (int r = 0; r < 4; r++) {
      p.row[r] = mat + (first + (r < p.count ? r : p.count - 1)) * n;
    }
    for (int start = 0; start < first; start += STRETCH) {
      int length = first - start < STRETCH ? first - start : STRETCH;
      solve_stretch(&p, solved, mat, n, start, length);
      subtract_stretch(&p, solved, mat, n, start, length, start + length, first);
      subtract_from_corner(&p, solved, first, length);
    }
    factor_corner(&p, first, mindiag, &rank);
  }
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
