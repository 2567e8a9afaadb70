// Cases of the mju_ functions that both libraries export without a public declaration: sparse
// matrices, small vector helpers, basis functions.

#include "api/exports.h"
#include "conformance/mju_cases.h"

#include <math.h>
#include <string.h>

// A sparse matrix with random holes; rows are packed unless they get room.
typedef struct {
  int nr, nc, size;
  mjtNum* values;
  int *rownnz, *rowadr, *colind;
} Sparse;

typedef enum { ANY, SYMMETRIC, LOWER } Shape;

// Whether element (i, j) is stored. Symmetric patterns hold their diagonal.
static bool stored(Shape shape, const int* pattern, int nc, int i, int j) {
  if (shape == ANY) return pattern[i * nc + j] > 0;
  if (i == j) return true;
  if (shape == LOWER && j > i) return false;
  return pattern[i > j ? i * nc + j : j * nc + i] > 0;
}

static Sparse draw_sparse(Case* c, Shape shape, int nr, int nc, bool room) {
  Sparse s;
  s.nr = nr;
  s.nc = nc;
  s.size = nr * nc;
  s.values = case_uniforms(c, s.size, -1, 1);
  s.rownnz = (int*)case_memory(c, (size_t)nr * sizeof(int));
  s.rowadr = (int*)case_memory(c, (size_t)nr * sizeof(int));
  s.colind = (int*)case_memory(c, (size_t)s.size * sizeof(int));
  int* pattern = case_ints(c, s.size, -1, 1);
  int used = 0;
  for (int i = 0; i < nr; i++) {
    s.rowadr[i] = room ? i * nc : used;
    for (int j = 0; j < nc; j++) {
      if (!stored(shape, pattern, nc, i, j)) continue;
      s.colind[s.rowadr[i] + s.rownnz[i]++] = j;
    }
    used += s.rownnz[i];
  }
  return s;
}

// Any matrix of at least one row and column: the reference's transpose leaves its outputs alone
// without.
static Sparse draw_any(Case* c, bool room) {
  int nr = case_int(c, 1, c->largest), nc = case_int(c, 1, c->largest);
  return draw_sparse(c, ANY, nr, nc, room);
}

// So narrow that patterns repeat.
static Sparse draw_narrow(Case* c) {
  int nr = case_size(c), nc = case_int(c, 0, 2);
  return draw_sparse(c, ANY, nr, nc, false);
}

// Makes a symmetric or lower matrix positive definite, and its upper values equal to the lower
// ones.
static void make_definite(Sparse* s) {
  for (int i = 0; i < s->nr; i++) {
    for (int k = s->rowadr[i]; k < s->rowadr[i] + s->rownnz[i]; k++) {
      int j = s->colind[k];
      if (i == j) s->values[k] = (mjtNum)(s->nr + 1) + s->values[k];
      for (int l = s->rowadr[j]; j > i && l < s->rowadr[j] + s->rownnz[j]; l++) {
        if (s->colind[l] == i) s->values[k] = s->values[l];
      }
    }
  }
}

static mjtNum* dense_of(Case* c, const mjtNum* values, int nr, int nc, const int* rownnz,
                        const int* rowadr, const int* colind) {
  mjtNum* dense = (mjtNum*)case_memory(c, (size_t)(nr * nc) * sizeof(mjtNum));
  for (int i = 0; i < nr; i++) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) dense[i * nc + colind[k]] = values[k];
  }
  return dense;
}

// Every number of these cases is at most one, so a sum of n products is known to n roundings of n.
static void expect_small_sums(Case* c, const mjtNum* x, int n, int terms) {
  double* magnitude = (double*)case_memory(c, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) magnitude[i] = terms + 1;
  expect_sum(c, x, n, magnitude, terms);
}

// The stored elements of each row, whatever stands between the rows.
static void expect_sparse(Case* c, const mjtNum* values, int nr, const int* rownnz,
                          const int* rowadr, const int* colind, int terms) {
  expect_ints(c, rownnz, nr);
  for (int i = 0; i < nr; i++) {
    expect_ints(c, colind + rowadr[i], rownnz[i]);
    expect_small_sums(c, values + rowadr[i], rownnz[i], terms);
  }
}

static void case_dotSparse2(Case* c) {
  Sparse s = draw_sparse(c, ANY, 2, 1 + case_size(c), false);
  mjtNum res = CALL(c, mju_dotSparse2)(s.values, s.colind, s.rownnz[0], s.values + s.rowadr[1],
                                       s.colind + s.rowadr[1], s.rownnz[1]);
  expect_small_sums(c, &res, 1, s.nc);
}

static void case_combineSparseCount(Case* c) {
  Sparse s = draw_sparse(c, ANY, 2, 1 + case_size(c), false);
  int count =
      CALL(c, mju_combineSparseCount)(s.rownnz[0], s.rownnz[1], s.colind, s.colind + s.rowadr[1]);
  expect_ints(c, &count, 1);
}

static void case_mulMatVecSparse(Case* c) {
  Sparse s = draw_any(c, false);
  mjtNum *res = case_output(c, s.nr), *vec = case_uniforms(c, s.nc, -1, 1);
  CALL(c, mju_mulMatVecSparse)(res, s.values, vec, s.nr, s.rownnz, s.rowadr, s.colind, NULL);
  expect_small_sums(c, res, s.nr, s.nc);
}

static void case_mulMatTVecSparse(Case* c) {
  Sparse s = draw_any(c, false);
  mjtNum *res = case_output(c, s.nc), *vec = case_uniforms(c, s.nr, -1, 1);
  CALL(c, mju_mulMatTVecSparse)(res, s.values, vec, s.nr, s.nc, s.rownnz, s.rowadr, s.colind);
  expect_small_sums(c, res, s.nc, s.nr);
}

static void case_mulSymVecSparse(Case* c) {
  int n = case_size(c);
  Sparse s = draw_sparse(c, LOWER, n, n, false);
  mjtNum *res = case_output(c, n), *vec = case_uniforms(c, n, -1, 1);
  CALL(c, mju_mulSymVecSparse)(res, s.values, vec, n, s.rownnz, s.rowadr, s.colind);
  expect_small_sums(c, res, n, n);
}

static void case_addToMatSparse(Case* c) {
  Sparse a = draw_any(c, true), b = draw_sparse(c, ANY, a.nr, a.nc, false);
  mjtNum* values = case_output(c, a.nc);
  int* indices = case_output_ints(c, a.nc);
  CALL(c, mju_addToMatSparse)
  (a.values, a.rownnz, a.rowadr, a.colind, a.nr, b.values, b.rownnz, b.rowadr, b.colind, values,
   indices);
  expect_sparse(c, a.values, a.nr, a.rownnz, a.rowadr, a.colind, 1);
}

static void case_addToSymSparse(Case* c) {
  int n = case_size(c), upper = case_int(c, 0, 1);
  Sparse s = draw_sparse(c, LOWER, n, n, false);
  mjtNum* res = case_uniforms(c, n * n, -1, 1);
  CALL(c, mju_addToSymSparse)(res, s.values, n, s.rownnz, s.rowadr, s.colind, upper);
  expect_small_sums(c, res, n * n, 1);
}

static void case_compressSparse(Case* c) {
  Sparse s = draw_any(c, true);
  mjtNum least = case_uniform(c, -1, 1);
  for (int i = 0; i < s.size; i += 3) s.values[i] = 0;
  int total =
      CALL(c, mju_compressSparse)(s.values, s.nr, s.nc, s.rownnz, s.rowadr, s.colind, least);
  expect_ints(c, &total, 1);
  expect_ints(c, s.rowadr, s.nr);
  expect_sparse(c, s.values, s.nr, s.rownnz, s.rowadr, s.colind, 0);
}

static void case_transposeSparse(Case* c) {
  Sparse s = draw_any(c, false);
  mjtNum* res = case_output(c, s.size);
  int *nnz = case_output_ints(c, s.nc), *adr = case_output_ints(c, s.nc),
      *ind = case_output_ints(c, s.size);
  int* super = case_int(c, 0, 1) ? case_output_ints(c, s.nc) : NULL;
  CALL(c, mju_transposeSparse)
  (res, s.values, s.nr, s.nc, nnz, adr, ind, super, s.rownnz, s.rowadr, s.colind);
  expect_ints(c, adr, s.nc);
  expect_sparse(c, res, s.nc, nnz, adr, ind, 0);
  if (super) expect_ints(c, super, s.nc);
}

static void case_superSparse(Case* c) {
  Sparse s = draw_narrow(c);
  int* super = case_output_ints(c, s.nr);
  CALL(c, mju_superSparse)(s.nr, super, s.rownnz, s.rowadr, s.colind);
  expect_ints(c, super, s.nr);
}

// The transpose of a matrix, made by the case.
static Sparse transposed(Case* c, Sparse s) {
  Sparse t = s;
  t.nr = s.nc;
  t.nc = s.nr;
  t.values = (mjtNum*)case_memory(c, (size_t)s.size * sizeof(mjtNum));
  t.rownnz = (int*)case_memory(c, (size_t)t.nr * sizeof(int));
  t.rowadr = (int*)case_memory(c, (size_t)t.nr * sizeof(int));
  t.colind = (int*)case_memory(c, (size_t)s.size * sizeof(int));
  int used = 0;
  for (int j = 0; j < s.nc; j++) {
    t.rowadr[j] = used;
    for (int i = 0; i < s.nr; i++) {
      for (int k = s.rowadr[i]; k < s.rowadr[i] + s.rownnz[i]; k++) {
        if (s.colind[k] != j) continue;
        t.values[used] = s.values[k];
        t.colind[used++] = i;
      }
    }
    t.rownnz[j] = used - t.rowadr[j];
  }
  return t;
}

// mju_sqrMatTDSparse and mju_sqrMatTDSparse_row: one signature. Where a column is empty, the latter
// has no diagonal to point at.
static void square_case(Case* c, bool diagonal) {
  Sparse s = draw_any(c, false), t = transposed(c, s);
  mjtNum* diag = case_int(c, 0, 1) ? case_uniforms(c, s.nr, -1, 1) : NULL;
  bool mirror = case_int(c, 0, 1);
  int n = s.nc, *nnz = case_output_ints(c, n), *adr = case_output_ints(c, n),
      *ind = case_output_ints(c, n * n);
  int* diagind = mirror ? case_output_ints(c, n) : NULL;
  mjtNum* res = case_output(c, n * n);
  for (int i = 0; i < n; i++) adr[i] = i * n;
  CALL(c, mju_sqrMatTDSparse)
  (res, s.values, t.values, diag, s.nr, n, nnz, adr, ind, s.rownnz, s.rowadr, s.colind, NULL,
   t.rownnz, t.rowadr, t.colind, NULL, c->data, diagind);
  expect_sparse(c, res, n, nnz, adr, ind, s.nr);
  for (int i = 0; diagind && i < n; i++) {
    if (diagonal || t.rownnz[i]) expect_ints(c, diagind + i, 1);
  }
}
static void case_sqrMatTDSparse(Case* c) {
  square_case(c, true);
}
static void case_sqrMatTDSparse_row(Case* c) {
  square_case(c, false);
}

static void case_sqrMatTDSparseCount(Case* c) {
  Sparse s = draw_any(c, false), t = transposed(c, s);
  int *nnz = case_output_ints(c, s.nc), *adr = case_output_ints(c, s.nc), upper = case_int(c, 0, 1);
  int total = CALL(c, mju_sqrMatTDSparseCount)(nnz, adr, s.nc, s.rownnz, s.rowadr, s.colind,
                                               t.rownnz, t.rowadr, t.colind, NULL, c->data, upper);
  expect_ints(c, &total, 1);
  expect_ints(c, nnz, s.nc);
  expect_ints(c, adr, s.nc);
}

static void case_sqrMatTDUncompressedInit(Case* c) {
  int n = case_size(c), *adr = case_output_ints(c, n);
  CALL(c, mju_sqrMatTDUncompressedInit)(adr, n);
  expect_ints(c, adr, n);
}

static void case_sparseMap(Case* c) {
  int n = case_size(c);
  Sparse full = draw_sparse(c, SYMMETRIC, n, n, false), part = full;
  part.rownnz = (int*)case_memory(c, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++)
    part.rownnz[i] = (full.rownnz[i] + 1) / 2;  // the first half of each row
  int* map = case_output_ints(c, full.size);
  CALL(c, mju_sparseMap)
  (map, n, part.rowadr, part.rownnz, part.colind, full.rowadr, full.rownnz, full.colind);
  expect_ints(c, map, full.size);
}

static void case_lower2SymMap(Case* c) {
  int n = case_size(c);
  Sparse sym = draw_sparse(c, SYMMETRIC, n, n, false), low = sym;
  low.rownnz = (int*)case_memory(c, (size_t)n * sizeof(int));
  low.rowadr = (int*)case_memory(c, (size_t)n * sizeof(int));
  low.colind = (int*)case_memory(c, (size_t)low.size * sizeof(int));
  int used = 0, thin = case_int(c, 0, 1);
  for (int i = 0; i < n; i++) {
    low.rowadr[i] = used;
    for (int k = sym.rowadr[i]; k < sym.rowadr[i] + sym.rownnz[i] && sym.colind[k] <= i; k++) {
      if (thin && sym.colind[k] < i && k % 2) continue;  // the lower triangle may lack elements
      low.colind[used++] = sym.colind[k];
    }
    low.rownnz[i] = used - low.rowadr[i];
  }
  int *map = case_output_ints(c, sym.size), *cursor = case_output_ints(c, n);
  CALL(c, mju_lower2SymMap)
  (map, n, sym.rowadr, sym.rownnz, sym.colind, low.rowadr, low.rownnz, low.colind, cursor);
  expect_ints(c, map, sym.size);
}

static void case_cholFactorSparse(Case* c) {
  int n = case_size(c);
  Sparse s = draw_sparse(c, LOWER, n, n, true);
  make_definite(&s);
  int rank = CALL(c, mju_cholFactorSparse)(s.values, n, (mjtNum)1e-10, s.rownnz, s.rowadr, s.colind,
                                           c->data);
  expect_ints(c, &rank, 1);
  expect_ints(c, s.rownnz, n);
  expect_close(c, dense_of(c, s.values, n, n, s.rownnz, s.rowadr, s.colind), n * n, 1e-13);
}

// The factor of a full matrix takes any change.
static void case_cholUpdateSparse(Case* c) {
  int n = 1 + case_size(c), plus = case_int(c, 0, 1);
  mjtNum *L = case_uniforms(c, n * n, -1, 1), *x = case_uniforms(c, n, (mjtNum)-0.1, (mjtNum)0.1);
  int *nnz = case_output_ints(c, n), *adr = case_output_ints(c, n),
      *ind = case_output_ints(c, n * n);
  int *x_ind = case_output_ints(c, n), step = case_int(c, 1, 3), x_nnz = 0;
  for (int i = 0; i < n; i++) {
    nnz[i] = i + 1;
    adr[i] = i * n;
    for (int j = 0; j <= i; j++) ind[i * n + j] = j;
    L[i * n + i] += 2 * (mjtNum)n;  // dominant, so that taking away leaves it well conditioned
    if (i % step == 0) x_ind[x_nnz++] = i;
  }
  int rank = CALL(c, mju_cholUpdateSparse)(L, x, n, plus, nnz, adr, ind, x_nnz, x_ind, c->data);
  expect_ints(c, &rank, 1);
  expect_close(c, L, n * n, 1e-12);
}

typedef struct {
  int total, *nnz, *adr, *ind, *nnzT, *adrT, *indT, *map;
} Pattern;

// Both phases of the symbolic factorisation by one library.
static Pattern symbolic(Case* c, __typeof__(&mju_cholFactorSymbolic) f, Sparse s) {
  int n = s.nr;
  Pattern p;
  p.nnz = case_output_ints(c, n), p.adr = case_output_ints(c, n),
  p.ind = case_output_ints(c, n * n);
  p.nnzT = case_output_ints(c, n), p.adrT = case_output_ints(c, n),
  p.indT = case_output_ints(c, n * n);
  p.map = case_output_ints(c, n * n);
  p.total =
      f(NULL, p.nnz, p.adr, NULL, p.nnzT, p.adrT, NULL, s.rownnz, s.rowadr, s.colind, n, c->data);
  f(p.ind, p.nnz, p.adr, p.indT, p.nnzT, p.adrT, p.map, s.rownnz, s.rowadr, s.colind, n, c->data);
  return p;
}

static void case_cholFactorSymbolic(Case* c) {
  int n = case_size(c);
  Sparse s = draw_sparse(c, SYMMETRIC, n, n, false);
  Pattern p = symbolic(c, CALL(c, mju_cholFactorSymbolic), s);
  expect_ints(c, &p.total, 1);
  expect_ints(c, p.nnz, n);
  expect_ints(c, p.adr, n);
  expect_ints(c, p.ind, n * n);
  expect_ints(c, p.nnzT, n);
  expect_ints(c, p.adrT, n);
  expect_ints(c, p.indT, n * n);
  expect_ints(c, p.map, n * n);
}

// On a full pattern, whose symbolic factor the case knows.
static void case_cholFactorNumeric(Case* c) {
  int n = case_size(c);
  Sparse s = draw_sparse(c, SYMMETRIC, n, n, false);
  make_definite(&s);
  int *nnz = case_output_ints(c, n), *adr = case_output_ints(c, n),
      *ind = case_output_ints(c, n * n);
  int *nnzT = case_output_ints(c, n), *adrT = case_output_ints(c, n),
      *indT = case_output_ints(c, n * n);
  int *map = case_output_ints(c, n * n), used = 0, usedT = 0;
  for (int i = 0; i < n; i++) {
    adr[i] = used;
    nnz[i] = i + 1;
    for (int j = 0; j <= i; j++) ind[used++] = j;
  }
  for (int j = 0; j < n; j++) {
    adrT[j] = usedT;
    nnzT[j] = n - j;
    for (int i = j; i < n; i++) {
      map[usedT] = adr[i] + j;
      indT[usedT++] = i;
    }
  }
  mjtNum* L = case_output(c, used);
  int rank = CALL(c, mju_cholFactorNumeric)(L, n, (mjtNum)1e-10, nnz, adr, ind, nnzT, adrT, indT,
                                            map, s.values, s.rownnz, s.rowadr, s.colind, c->data);
  expect_ints(c, &rank, 1);
  expect_close(c, L, used, 1e-13);
}

// Rows and columns dealt out to blocks in a random order.
typedef struct {
  int nb, *perm_r, *perm_c, *nr, *nc, *r, *c;
} Blocks;

static int* shuffled(Case* c, int n) {
  int* order = (int*)case_memory(c, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = case_int(c, 0, i), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  return order;
}

static Blocks draw_blocks(Case* c, int nr, int nc) {
  Blocks b;
  b.nb = 1 + case_int(c, 0, 2);
  if (b.nb > nr && nr > 0) b.nb = nr;  // no block is empty
  b.perm_r = shuffled(c, nr);
  b.perm_c = shuffled(c, nc);
  b.nr = case_output_ints(c, b.nb), b.nc = case_output_ints(c, b.nb);
  b.r = case_output_ints(c, b.nb), b.c = case_output_ints(c, b.nb);
  for (int i = 0; i < b.nb; i++) {
    b.r[i] = i * nr / b.nb;
    b.c[i] = i * nc / b.nb;
    b.nr[i] = (i + 1) * nr / b.nb - b.r[i];
    b.nc[i] = (i + 1) * nc / b.nb - b.c[i];
  }
  return b;
}

static void case_blockDiag(Case* c) {
  int nr = case_size(c), nc = case_size(c);
  Blocks b = draw_blocks(c, nr, nc);
  mjtNum *mat = case_uniforms(c, nr * nc, -1, 1), *res = case_output(c, nr * nc);
  CALL(c, mju_blockDiag)(res, mat, nc, nc, b.nb, b.perm_r, b.perm_c, b.nr, b.nc, b.r, b.c);
  expect_same(c, res, nr * nc);
}

static void case_blockDiagSparse(Case* c) {
  Sparse s = draw_any(c, false);
  Blocks b = draw_blocks(c, s.nr, s.nc);
  mjtNum *res = case_output(c, s.size), *res2 = case_int(c, 0, 1) ? case_output(c, s.size) : NULL;
  int *nnz = case_output_ints(c, s.nr), *adr = case_output_ints(c, s.nr),
      *ind = case_output_ints(c, s.size);
  CALL(c, mju_blockDiagSparse)
  (res, nnz, adr, ind, s.values, s.rownnz, s.rowadr, s.colind, s.nr, b.nb, b.perm_r, b.perm_c, b.r,
   b.c, res2, res2 ? s.values : NULL);
  expect_ints(c, nnz, s.nr);
  expect_ints(c, adr, s.nr);
  expect_ints(c, ind, s.size);
  expect_same(c, res, s.size);
  if (res2) expect_same(c, res2, s.size);
}

static void case_boxQPoption(Case* c) {
  int n = 1 + case_size(c);
  Sparse s = draw_sparse(c, SYMMETRIC, n, n, false);
  make_definite(&s);
  mjtNum* H = dense_of(c, s.values, n, n, s.rownnz, s.rowadr, s.colind);
  mjtNum *g = case_uniforms(c, n, -3, 3), *x = case_uniforms(c, n, -1, 1),
         *R = case_output(c, n * (n + 7));
  mjtNum *lower = case_uniforms(c, n, (mjtNum)-0.3, 0),
         *upper = case_uniforms(c, n, (mjtNum)0.01, (mjtNum)0.3);
  int* index = case_output_ints(c, n);
  int iterations = case_int(c, 1, 20);
  mjtNum backtrack = case_uniform(c, (mjtNum)0.4, (mjtNum)0.9);
  int nfree =
      CALL(c, mju_boxQPoption)(x, R, index, H, g, n, lower, upper, iterations, (mjtNum)1e-16,
                               backtrack, (mjtNum)1e-22, (mjtNum)0.1, NULL, 0);
  expect_ints(c, &nfree, 1);
  expect_close(c, x, n, 1e-12);
  expect_ints(c, index, nfree < 0 ? 0 : nfree);
}

// Small vectors

#define CASE_MAT3(name_)                                              \
  static void case_##name_(Case* c) {                                 \
    mjtNum *res = case_output(c, 9), *a = case_uniforms(c, 9, -1, 1), \
           *b = case_uniforms(c, 9, -1, 1);                           \
    CALL(c, mju_##name_)(res, a, b);                                  \
    expect_small_sums(c, res, 9, 3);                                  \
  }
CASE_MAT3(mulMatMat3)
CASE_MAT3(mulMatTMat3)
CASE_MAT3(mulMatMatT3)

static void case_mulInertVec(Case* c) {
  mjtNum *res = case_output(c, 6), *inertia = case_uniforms(c, 10, -1, 1),
         *vec = case_uniforms(c, 6, -1, 1);
  CALL(c, mju_mulInertVec)(res, inertia, vec);
  expect_small_sums(c, res, 6, 5);
}

static void case_equal3(Case* c) {
  mjtNum *a = case_uniforms(c, 3, -1, 1), *b = case_copy(c, a, 3);
  int i = case_int(c, 0, 2), steps = case_int(c, -2, 2);
  b[i] += (mjtNum)steps * (mjtNum)8e-16;
  case_input(c, b, 3);
  int equal = CALL(c, mju_equal3)(a, b);
  expect_ints(c, &equal, 1);
}

static void case_zeroInt(Case* c) {
  int n = case_size(c), *res = case_output_ints(c, n + 1);
  CALL(c, mju_zeroInt)(res, n);
  expect_ints(c, res, n + 1);
}

static void case_copyInt(Case* c) {
  int n = case_size(c), *res = case_output_ints(c, n + 1), *vec = case_ints(c, n, -9, 9);
  CALL(c, mju_copyInt)(res, vec, n);
  expect_ints(c, res, n + 1);
}

static void case_isZeroByte(Case* c) {
  int n = case_size(c), set = case_int(c, -n, n);
  unsigned char* bytes = (unsigned char*)case_memory(c, (size_t)n + 1);
  if (set >= 0) bytes[set] = 3;  // the one behind the last does not count
  int zero = CALL(c, mju_isZeroByte)(bytes, n);
  expect_ints(c, &zero, 1);
}

static void case_gather(Case* c) {
  int n = case_size(c), *ind = case_ints(c, n, 0, 4);
  mjtNum *res = case_output(c, n + 1), *vec = case_numbers(c, 5);
  CALL(c, mju_gather)(res, vec, ind, n);
  expect_same(c, res, n + 1);
}

static void case_gatherMasked(Case* c) {
  int n = case_size(c), *ind = case_ints(c, n, -2, 4);
  mjtNum *res = case_output(c, n + 1), *vec = case_numbers(c, 5);
  CALL(c, mju_gatherMasked)(res, vec, ind, n);
  expect_same(c, res, n + 1);
}

static void case_scatter(Case* c) {
  int n = case_size(c), *ind = case_ints(c, n, 0, 4);
  mjtNum *res = case_output(c, 5), *vec = case_numbers(c, n);
  CALL(c, mju_scatter)(res, vec, ind, n);
  expect_same(c, res, 5);
}

static void case_gatherInt(Case* c) {
  int n = case_size(c), *ind = case_ints(c, n, 0, 4), *vec = case_ints(c, 5, -9, 9);
  int* res = case_output_ints(c, n + 1);
  CALL(c, mju_gatherInt)(res, vec, ind, n);
  expect_ints(c, res, n + 1);
}

static void case_scatterInt(Case* c) {
  int n = case_size(c), *ind = case_ints(c, n, 0, 4), *vec = case_ints(c, n, -9, 9);
  int* res = case_output_ints(c, 5);
  CALL(c, mju_scatterInt)(res, vec, ind, n);
  expect_ints(c, res, 5);
}

static void case_geomSemiAxes(Case* c) {
  mjtNum *res = case_output(c, 3), *size = case_uniforms(c, 3, 0, 1);
  CALL(c, mju_geomSemiAxes)(res, size, case_int(c, mjGEOM_SPHERE, mjGEOM_BOX));
  expect_same(c, res, 3);
}

static void case_outsideBox(Case* c) {
  mjtNum *point = case_uniforms(c, 3, -1, 1), *pos = case_uniforms(c, 3, (mjtNum)-0.1, (mjtNum)0.1);
  mjtNum mat[9] = {1, 0, 0, 0, (mjtNum)0.6, (mjtNum)-0.8, 0, (mjtNum)0.8, (mjtNum)0.6};
  mjtNum* size = case_uniforms(c, 3, (mjtNum)0.5, 1);
  int where = CALL(c, mju_outsideBox)(point, pos, mat, size, case_int(c, 0, 1) ? 1 : (mjtNum)1.3);
  expect_ints(c, &where, 1);
}

// Basis functions of interpolated flexes

static void case_evalBasis(Case* c) {
  int order = case_int(c, 1, 2), count = (order + 1) * (order + 1) * (order + 1);
  mjtNum* x = case_uniforms(c, 3, 0, 1);
  mjtNum res = CALL(c, mju_evalBasis)(x, case_int(c, 0, count - 1), order);
  expect_small_sums(c, &res, 1, 8);
}

static void case_interpolate3D(Case* c) {
  int order = case_int(c, 1, 2), count = (order + 1) * (order + 1) * (order + 1);
  mjtNum *x = case_uniforms(c, 3, 0, 1), *coeff = case_uniforms(c, 3 * count, -1, 1),
         *res = case_output(c, 3);
  CALL(c, mju_interpolate3D)(res, x, coeff, order);
  expect_small_sums(c, res, 3, count);
}

static void case_defGradient(Case* c) {
  int order = case_int(c, 1, 2), count = (order + 1) * (order + 1) * (order + 1);
  mjtNum *x = case_uniforms(c, 3, 0, 1), *coeff = case_uniforms(c, 3 * count, -1, 1),
         *res = case_output(c, 9);
  CALL(c, mju_defGradient)(res, x, coeff, order);
  expect_small_sums(c, res, 9, 2 * count);
}

#define ALL 5  // every flavour
#define ENTRY(name_, flavours_) \
  { "mju_" #name_, case_##name_, flavours_ }

MjuTable mju_export_table(void) {
  static const MjuEntry entries[] = {
      ENTRY(dotSparse2, 1),
      ENTRY(combineSparseCount, 1),
      ENTRY(mulMatVecSparse, 1),
      ENTRY(mulMatTVecSparse, 1),
      ENTRY(mulSymVecSparse, 1),
      ENTRY(addToMatSparse, 1),
      ENTRY(addToSymSparse, 1),
      ENTRY(compressSparse, 1),
      ENTRY(transposeSparse, 1),
      ENTRY(superSparse, 1),
      ENTRY(sqrMatTDSparse, 1),
      ENTRY(sqrMatTDSparse_row, 1),
      ENTRY(sqrMatTDSparseCount, 1),
      ENTRY(sqrMatTDUncompressedInit, 1),
      ENTRY(sparseMap, 1),
      ENTRY(lower2SymMap, 1),
      ENTRY(cholFactorSparse, 1),
      ENTRY(cholUpdateSparse, 1),
      ENTRY(cholFactorSymbolic, 1),
      ENTRY(cholFactorNumeric, 1),
      ENTRY(blockDiag, 1),
      ENTRY(blockDiagSparse, 1),
      ENTRY(boxQPoption, 1),
      ENTRY(mulMatMat3, 1),
      ENTRY(mulMatTMat3, 1),
      ENTRY(mulMatMatT3, 1),
      ENTRY(mulInertVec, 1),
      ENTRY(equal3, 1),
      ENTRY(zeroInt, 1),
      ENTRY(copyInt, 1),
      ENTRY(isZeroByte, 1),
      ENTRY(gather, ALL),
      ENTRY(gatherMasked, ALL),
      ENTRY(scatter, ALL),
      ENTRY(gatherInt, 1),
      ENTRY(scatterInt, 1),
      ENTRY(geomSemiAxes, 1),
      ENTRY(outsideBox, 1),
      ENTRY(evalBasis, 1),
      ENTRY(interpolate3D, 1),
      ENTRY(defGradient, 1),
  };
  MjuTable table = {entries, (int)(sizeof(entries) / sizeof(entries[0]))};
  return table;
}
