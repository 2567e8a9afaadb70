// Public decompositions and solvers: argument checks, then src/math.

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "api/solvers.h"
#include "math/band.h"
#include "math/boxqp.h"
#include "math/cholesky.h"
#include "math/eig3.h"
#include "math/qcqp.h"

int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  return ct_cholesky_factor_wide(mat, n, mindiag);
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  ct_cholesky_solve_wide(res, mat, vec, n);
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  return ct_cholesky_update(mat, x, n, flg_plus);
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                          mjtNum diagmul) {
  return ct_band_factor(mat, ct_band(ntotal, nband, ndense), diagadd, diagmul);
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense) {
  ct_band_solve(res, mat, vec, ct_band(ntotal, nband, ndense));
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                    mjtByte flg_sym) {
  ct_band_to_dense(res, mat, ct_band(ntotal, nband, ndense), flg_sym);
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  ct_dense_to_band(res, mat, ct_band(ntotal, nband, ndense));
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                       int ndense, int nvec, mjtByte flg_sym) {
  ct_band_mul(res, mat, vec, ct_band(ntotal, nband, ndense), nvec, flg_sym);
}

int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  return ct_band_diag(ct_band(ntotal, nband, ndense), i);
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  return ct_eig3(eigval, eigvec, quat, mat);
}

int mju_QCQP2(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius) {
  return ct_qcqp2(x, A, b, scale, radius);
}

int mju_QCQP3(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius) {
  return ct_qcqp3(x, A, b, scale, radius);
}

// Raises an error unless the problem makes sense.
static int boxqp_arguments_ok(int n, const mjtNum* lower, const mjtNum* upper) {
  if (n <= 0) {
    mju_error("mju_boxQP: the problem needs at least one variable, n is %d", n);
    return 0;
  }
  for (int i = 0; lower && upper && i < n; i++) {
    if (lower[i] >= upper[i]) {
      mju_error("mju_boxQP: variable %d has lower bound %g, which must be below its upper bound %g",
                i, (double)lower[i], (double)upper[i]);
      return 0;
    }
  }
  return 1;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
              const mjtNum* lower, const mjtNum* upper) {
  if (!boxqp_arguments_ok(n, lower, upper)) return -1;
  ct_BoxQPOptions options = ct_default_boxqp();
  return ct_boxqp(res, R, index, H, g, n, lower, upper, &options, NULL);
}

int mju_boxQPoption(mjtNum* x, mjtNum* room, int* free_index, const mjtNum* hessian,
                    const mjtNum* slope, int size, const mjtNum* least, const mjtNum* most,
                    int iterations, mjtNum least_gradient, mjtNum shorten, mjtNum least_step,
                    mjtNum enough, char* report_text, int report_room) {
  if (!boxqp_arguments_ok(size, least, most)) return -1;
  ct_BoxQPOptions options = {iterations, least_gradient, shorten, least_step, enough};
  ct_BoxQPReport report;
  int nfree = ct_boxqp(x, room, free_index, hessian, slope, size, least, most, &options, &report);
  if (report_text && report_room > 0) {
    snprintf(report_text, (size_t)report_room,
             "box QP: %s after %d iterations, %d of %d variables free\n", report.ended,
             report.iterations, nfree, size);
  }
  return nfree;
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                     mjtNum** lower, mjtNum** upper) {
  if (!boxqp_arguments_ok(n, NULL, NULL)) return;
  size_t vector = (size_t)n * sizeof(mjtNum);
  *res = (mjtNum*)mju_malloc(vector);
  *R = (mjtNum*)mju_malloc(vector * (size_t)(n + 7));
  *H = (mjtNum*)mju_malloc(vector * (size_t)n);
  *g = (mjtNum*)mju_malloc(vector);
  if (index) *index = (int*)mju_malloc((size_t)n * sizeof(int));
  if (lower) *lower = (mjtNum*)mju_malloc(vector);
  if (upper) *upper = (mjtNum*)mju_malloc(vector);
}
