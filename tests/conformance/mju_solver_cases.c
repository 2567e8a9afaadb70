// Cases of factorisations, solvers, sparse matrices and actuator models.

#include "api/exports.h"
#include "conformance/mju_cases.h"

#include <math.h>
#include <string.h>

// Symmetric positive definite, n x n: a product of random factors plus a diagonal that keeps it
// well conditioned. Rounded to multiples of 2^-20, so that factors differ by their arithmetic and
// not by the input's last bits.
static mjtNum* draw_spd(Case* c, int n) {
  mjtNum* mat = (mjtNum*)case_memory(c, (size_t)(n * n) * sizeof(mjtNum));
  double* half = (double*)case_memory(c, (size_t)(n * n) * sizeof(double));
  if (!c->replay) {
    for (int i = 0; i < n * n; i++) half[i] = 2 * case_random(c) - 1;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = i == j ? 0.5 : 0;
        for (int k = 0; k < n; k++) sum += half[i * n + k] * half[j * n + k];
        mat[i * n + j] = mat[j * n + i] = (mjtNum)(nearbyint(sum * 0x1p20) * 0x1p-20);
      }
    }
  }
  case_input(c, mat, n * n);
  return mat;
}

// The factor L of a well-conditioned matrix with something recognisable above the diagonal.
static mjtNum* draw_factor(Case* c, int n) {
  mjtNum* mat = case_uniforms(c, n * n, -1, 1);
  for (int i = 0; i < n; i++) mat[i * n + i] = 2 + mat[i * n + i];
  case_input(c, mat, n * n);
  return mat;
}

// The last pivot made clearly negative: one that is zero up to rounding would leave the rank to
// chance.
static void make_indefinite(Case* c, mjtNum* mat, int n) {
  if (!c->replay && n > 0) mat[(n - 1) * (n + 1)] = -1;
  case_input(c, mat, n * n);
}

static void case_cholFactor(Case* c) {
  int n = case_size(c);
  mjtNum* mat = draw_spd(c, n);
  if (c->number % 4 == 3) make_indefinite(c, mat, n);
  int rank = CALL(c, mju_cholFactor)(mat, n, (mjtNum)1e-10);
  expect_ints(c, &rank, 1);
  expect_close(c, mat, n * n, 1e-14);
}

static void case_cholSolve(Case* c) {
  int n = case_size(c);
  mjtNum *mat = draw_factor(c, n), *vec = case_numbers(c, n);
  mjtNum* res = case_int(c, 0, 1) ? vec : case_output(c, n);
  CALL(c, mju_cholSolve)(res, mat, vec, n);
  expect_close(c, res, n, 1e-12);
}

static void case_cholUpdate(Case* c) {
  int n = case_size(c), plus = case_int(c, 0, 1);
  mjtNum *mat = draw_factor(c, n), *x = case_uniforms(c, n, (mjtNum)-0.2, (mjtNum)0.2);
  if (!c->replay && n > 2) x[n / 2] = 0;
  if (!c->replay && n > 0 && !plus && case_random(c) < 0.3)
    x[0] = 5;  // more than there is to take away
  case_input(c, x, n);
  int rank = CALL(c, mju_cholUpdate)(mat, x, n, plus);
  expect_ints(c, &rank, 1);
  expect_close(c, mat, n * n, 1e-13);
}

// Band-dense matrices

typedef struct {
  int ntotal, nband, ndense, size;
} BandShape;

static BandShape draw_band_shape(Case* c) {
  BandShape b;
  b.ntotal = case_int(c, 1, c->largest + 1);
  b.nband = case_int(c, 1, b.ntotal);
  b.ndense = case_int(c, 0, b.ntotal);
  b.size = (b.ntotal - b.ndense) * b.nband + b.ndense * b.ntotal;
  return b;
}

// Numbers with a dominant diagonal where the factor needs one.
static mjtNum* draw_band(Case* c, BandShape b, double diagonal) {
  mjtNum* mat = case_uniforms(c, b.size, -1, 1);
  int nsparse = b.ntotal - b.ndense;
  for (int i = 0; i < b.ntotal; i++) {
    int adr =
        i < nsparse ? i * b.nband + b.nband - 1 : nsparse * b.nband + (i - nsparse) * b.ntotal + i;
    mat[adr] += (mjtNum)diagonal;
  }
  case_input(c, mat, b.size);
  return mat;
}

static void case_cholFactorBand(Case* c) {
  BandShape b = draw_band_shape(c);
  mjtNum* mat = draw_band(c, b, c->number % 5 == 4 ? -1.5 : b.ntotal + 1.5);
  mjtNum add = case_uniform(c, 0, 1), mul = case_uniform(c, 0, 1);
  mjtNum least = CALL(c, mju_cholFactorBand)(mat, b.ntotal, b.nband, b.ndense, add, mul);
  expect_close(c, &least, 1, 1e-13);
  expect_close(c, mat, b.size, 1e-14);
}

static void case_cholSolveBand(Case* c) {
  BandShape b = draw_band_shape(c);
  mjtNum *mat = draw_band(c, b, 2), *vec = case_numbers(c, b.ntotal);
  mjtNum* res = case_int(c, 0, 1) ? vec : case_output(c, b.ntotal);
  CALL(c, mju_cholSolveBand)(res, mat, vec, b.ntotal, b.nband, b.ndense);
  expect_close(c, res, b.ntotal, 1e-12);
}

static void case_band2Dense(Case* c) {
  BandShape b = draw_band_shape(c);
  mjtNum *mat = case_numbers(c, b.size), *res = case_output(c, b.ntotal * b.ntotal);
  mjtByte symmetric = (mjtByte)case_int(c, 0, 1);
  CALL(c, mju_band2Dense)(res, mat, b.ntotal, b.nband, b.ndense, symmetric);
  expect_same(c, res, b.ntotal * b.ntotal);
}

static void case_dense2Band(Case* c) {
  BandShape b = draw_band_shape(c);
  mjtNum *mat = case_numbers(c, b.ntotal * b.ntotal), *res = case_output(c, b.size);
  CALL(c, mju_dense2Band)(res, mat, b.ntotal, b.nband, b.ndense);
  expect_same(c, res, b.size);
}

static void case_bandMulMatVec(Case* c) {
  BandShape b = draw_band_shape(c);
  int nvec = case_int(c, 0, 3), symmetric = case_int(c, 0, 1);
  mjtNum *mat = case_uniforms(c, b.size, -1, 1), *vec = case_uniforms(c, nvec * b.ntotal, -1, 1);
  mjtNum* res = case_output(c, nvec * b.ntotal);
  CALL(c, mju_bandMulMatVec)(res, mat, vec, b.ntotal, b.nband, b.ndense, nvec, (mjtByte)symmetric);
  // at most ntotal products of numbers up to one
  double* magnitude = (double*)case_memory(c, (size_t)(nvec * b.ntotal) * sizeof(double));
  for (int i = 0; i < nvec * b.ntotal; i++) magnitude[i] = b.ntotal;
  expect_sum(c, res, nvec * b.ntotal, magnitude, b.ntotal);
}

static void case_bandDiag(Case* c) {
  BandShape b = draw_band_shape(c);
  int address = CALL(c, mju_bandDiag)(case_int(c, 0, b.ntotal - 1), b.ntotal, b.nband, b.ndense);
  expect_ints(c, &address, 1);
}

static void case_eig3(Case* c) {
  mjtNum *val = case_output(c, 3), *vec = case_output(c, 9), *quat = case_output(c, 4);
  mjtNum* mat = case_uniforms(c, 9, -1, 1);
  int kind = case_int(c, 0, 5);
  for (int i = 0; i < 9; i++) {
    int row = i / 3, col = i % 3;
    if (row < col) mat[i] = mat[3 * col + row];
    if (kind == 0 && row != col) mat[i] = 0;                // diagonal already
    if (kind == 1 && row != col) mat[i] *= (mjtNum)1e-7;    // nearly
    if (kind == 2) mat[i] = row == col ? 2 : (mjtNum)0.25;  // a double eigenvalue
    if (kind == 3) mat[i] *= (mjtNum)1e3;
  }
  case_input(c, mat, 9);
  int iterations = CALL(c, mju_eig3)(val, vec, quat, mat);
  expect_ints(c, &iterations, 1);
  expect_close(c, val, 3, 1e-12);
  expect_close(c, vec, 9, 1e-12);
  expect_close(c, quat, 4, 1e-12);
}

static void case_boxQP(Case* c) {
  int n = case_int(c, 1, c->largest + 1);
  mjtNum* H = draw_spd(c, n);
  if (c->number % 8 == 7) make_indefinite(c, H, n);
  mjtNum *g = case_uniforms(c, n, -2, 2), *res = case_uniforms(c, n, -2, 2);
  mjtNum* lower = case_int(c, 0, 3) ? case_uniforms(c, n, -1, (mjtNum)-0.1) : NULL;
  mjtNum* upper = case_int(c, 0, 3) ? case_uniforms(c, n, 0, 1) : NULL;
  int* index = case_int(c, 0, 3) ? case_output_ints(c, n) : NULL;
  mjtNum* R = (mjtNum*)case_memory(c, (size_t)(n * (n + 7)) * sizeof(mjtNum));
  int nfree = CALL(c, mju_boxQP)(res, R, index, H, g, n, lower, upper);
  expect_ints(c, &nfree, 1);
  expect_close(c, res, n, 1e-12);
  if (nfree < 0) return;
  if (index) expect_ints(c, index, nfree);
  for (int i = 0; i < nfree; i++) {
    for (int j = i + 1; j < nfree; j++)
      R[i * nfree + j] = 0;  // what stands above the factor is scratch
  }
  expect_close(c, R, nfree * nfree, 1e-12);
}

static void qcqp_case(Case* c, int n) {
  mjtNum *A = draw_spd(c, n), *b = case_uniforms(c, n, -3, 3),
         *d = case_uniforms(c, n, (mjtNum)0.2, 2);
  mjtNum r = case_uniform(c, (mjtNum)0.1, 4), *res = case_output(c, n);
  if (c->number % 6 == 5) {
    for (int i = 0; i < n * n; i++) A[i] = 1;  // singular
  }
  case_input(c, A, n * n);
  int active = CALL(c, mju_QCQP2)(res, A, b, d, r);
  expect_ints(c, &active, 1);
  expect_close(c, res, n, 1e-12);
}
static void case_QCQP2(Case* c) {
  qcqp_case(c, 2);
}
static void case_QCQP3(Case* c) {
  qcqp_case(c, 3);
}

// Sparse matrices

static mjtNum* draw_holes(Case* c, int nr, int nc) {
  mjtNum* mat = case_numbers(c, nr * nc);
  for (int i = 0; !c->replay && i < nr * nc; i++) {
    if (case_random(c) < 0.6) mat[i] = 0;
  }
  case_input(c, mat, nr * nc);
  return mat;
}

static void case_dense2sparse(Case* c) {
  int nr = case_size(c), nc = case_size(c), room = case_int(c, 0, nr * nc);
  mjtNum *mat = draw_holes(c, nr, nc), *res = case_output(c, room);
  int *rownnz = case_output_ints(c, nr), *rowadr = case_output_ints(c, nr);
  int* colind = case_output_ints(c, room);
  int failed = CALL(c, mju_dense2sparse)(res, mat, nr, nc, rownnz, rowadr, colind, room);
  expect_ints(c, &failed, 1);
  if (failed) return;
  expect_same(c, res, room);
  expect_ints(c, rownnz, nr);
  expect_ints(c, rowadr, nr);
  expect_ints(c, colind, room);
}

static void case_sparse2dense(Case* c) {
  int nr = case_size(c), nc = case_size(c), used = 0;
  mjtNum *mat = case_numbers(c, nr * nc), *res = case_output(c, nr * nc);
  int* rownnz = case_ints(c, nr, 0, nc);
  int* rowadr = (int*)case_memory(c, (size_t)nr * sizeof(int));
  int* colind = (int*)case_memory(c, (size_t)(nr * nc) * sizeof(int));
  for (int i = 0; i < nr; i++) {
    rowadr[i] = used;
    for (int k = 0; k < rownnz[i]; k++) colind[used++] = nc - rownnz[i] + k;
  }
  CALL(c, mju_sparse2dense)(res, mat, nr, nc, rownnz, rowadr, colind);
  expect_same(c, res, nr * nc);
}

// Actuators

// Parameters that make a muscle, around the usual ones.
static mjtNum* draw_muscle(Case* c) {
  static const double usual[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  mjtNum* prm = case_uniforms(c, 9, (mjtNum)0.9, (mjtNum)1.1);
  for (int i = 0; i < 9; i++) prm[i] *= (mjtNum)usual[i];
  if (case_int(c, 0, 1)) prm[2] = -prm[2];
  case_input(c, prm, 9);
  return prm;
}

static mjtNum* draw_lengthrange(Case* c) {
  mjtNum* range = case_uniforms(c, 2, (mjtNum)0.1, (mjtNum)0.4);
  range[1] += range[0];
  case_input(c, range, 2);
  return range;
}

static void case_muscleGain(Case* c) {
  mjtNum *prm = draw_muscle(c), *range = draw_lengthrange(c), acc0 = case_uniform(c, 0, 3);
  mjtNum len = case_uniform(c, range[0] - (mjtNum)0.3, range[1] + (mjtNum)0.3),
         vel = case_number(c);
  mjtNum res = CALL(c, mju_muscleGain)(len, vel, range, acc0, prm);
  double magnitude = 2 * (prm[2] < 0 ? (double)(prm[3] / acc0) : (double)prm[2]);
  expect_sum(c, &res, 1, &magnitude, 16);  // the normalised length cancels digits
}

static void case_muscleBias(Case* c) {
  mjtNum *prm = draw_muscle(c), *range = draw_lengthrange(c), acc0 = case_uniform(c, 0, 3);
  mjtNum len = case_uniform(c, range[0], range[1] + 1);
  mjtNum res = CALL(c, mju_muscleBias)(len, range, acc0, prm);
  double magnitude = 20 * (prm[2] < 0 ? (double)(prm[3] / acc0) : (double)prm[2]);
  expect_sum(c, &res, 1, &magnitude, 8);
}

static void case_muscleDynamics(Case* c) {
  mjtNum ctrl = case_number(c), act = case_uniform(c, (mjtNum)-0.2, (mjtNum)1.2);
  mjtNum* prm = case_uniforms(c, 3, (mjtNum)0.01, (mjtNum)0.1);
  prm[2] = 0;
  if (case_int(c, 0, 1)) prm[2] = case_uniform(c, 0, 1);
  mjtNum res = CALL(c, mju_muscleDynamics)(ctrl, act, prm);
  expect_close(c, &res, 1, 2e-15);
}

static void case_muscleGainLength(Case* c) {
  mjtNum length = case_uniform(c, 0, 2), lmin = case_uniform(c, (mjtNum)0.3, (mjtNum)0.7);
  mjtNum lmax = case_uniform(c, (mjtNum)1.2, (mjtNum)1.9);
  mjtNum res = CALL(c, mju_muscleGainLength)(length, lmin, lmax);
  double magnitude = 1;
  expect_sum(c, &res, 1, &magnitude, 8);
}

static void case_muscleDynamicsTimescale(Case* c) {
  mjtNum dctrl = case_number(c), act = case_uniform(c, 0, 1), deact = case_uniform(c, 0, 1);
  mjtNum width = case_int(c, 0, 1) ? case_uniform(c, 0, 1) : 0;
  mjtNum res = CALL(c, mju_muscleDynamicsTimescale)(dctrl, act, deact, width);
  expect_close(c, &res, 1, 2e-15);
}

static void case_springDamper(Case* c) {
  mjtNum pos = case_number(c), vel = case_number(c), t = case_uniform(c, 0, 2);
  mjtNum kp = case_uniform(c, 0, 8), kv = case_uniform(c, 0, 8);
  if (case_int(c, 0, 4) == 0) kp = kv * kv / 4;  // critical
  case_input(c, &kp, 1);
  mjtNum res = CALL(c, mju_springDamper)(pos, vel, kp, kv, t);
  // near the critical point the two solutions are almost parallel and cancel
  double gap = sqrt(fabs((double)(kv * kv - 4 * kp)));
  double magnitude = (fabs((double)pos) * 8 + fabs((double)vel)) * (1 + 1 / fmax(gap, 1e-7));
  expect_sum(c, &res, 1, &magnitude, 8);
}

static void case_encodePyramid(Case* c) {
  int dim = case_int(c, 2, 6);
  mjtNum *pyramid = case_output(c, 2 * (dim - 1)), *force = case_numbers(c, dim);
  mjtNum* mu = case_uniforms(c, dim - 1, (mjtNum)0.1, 2);
  CALL(c, mju_encodePyramid)(pyramid, force, mu, dim);
  double largest = fabs((double)force[0]);
  for (int i = 1; i < dim; i++) largest = fmax(largest, fabs((double)(force[i] / mu[i - 1])));
  double magnitude[10];
  for (int i = 0; i < 10; i++) magnitude[i] = largest;
  expect_sum(c, pyramid, 2 * (dim - 1), magnitude, 2);
}

static void case_decodePyramid(Case* c) {
  static const int dims[] = {1, 3, 4, 6};
  int dim = dims[case_int(c, 0, 3)], edges = dim == 1 ? 1 : 2 * (dim - 1);
  mjtNum *force = case_output(c, dim), *pyramid = case_numbers(c, edges);
  mjtNum* mu = case_uniforms(c, 5, (mjtNum)0.1, 2);
  CALL(c, mju_decodePyramid)(force, pyramid, mu, dim);
  double sum = 0, magnitude[6];
  for (int i = 0; i < edges; i++) sum += fabs((double)pyramid[i]);
  for (int i = 0; i < 6; i++) magnitude[i] = 2 * sum;
  expect_sum(c, force, dim, magnitude, edges);
}

#define ALL 5     // every flavour
#define FINITE 4  // infinities and NaN would only test the order of operations
#define TAME 2    // ordinary numbers and small integers
#define ENTRY(name_, flavours_) \
  { "mju_" #name_, case_##name_, flavours_ }

MjuTable mju_solver_table(void) {
  static const MjuEntry entries[] = {
      ENTRY(cholFactor, TAME),
      ENTRY(cholSolve, TAME),
      ENTRY(cholUpdate, TAME),
      ENTRY(cholFactorBand, TAME),
      ENTRY(cholSolveBand, TAME),
      ENTRY(band2Dense, ALL),
      ENTRY(dense2Band, ALL),
      ENTRY(bandMulMatVec, TAME),
      ENTRY(bandDiag, 1),
      ENTRY(eig3, 1),
      ENTRY(boxQP, TAME),
      ENTRY(QCQP2, 1),
      ENTRY(QCQP3, 1),
      ENTRY(dense2sparse, ALL),
      ENTRY(sparse2dense, ALL),
      ENTRY(muscleGain, FINITE),
      ENTRY(muscleBias, 1),
      ENTRY(muscleDynamics, FINITE),
      ENTRY(muscleGainLength, 1),
      ENTRY(muscleDynamicsTimescale, FINITE),
      ENTRY(springDamper, FINITE),
      ENTRY(encodePyramid, FINITE),
      ENTRY(decodePyramid, ALL),
  };
  MjuTable table = {entries, (int)(sizeof(entries) / sizeof(entries[0]))};
  return table;
}
