// R2: sparse L'DL of the mass matrix. The reference's numbers, a dense slow twin, and what sleep
// leaves alone.

#include "engine/smooth/factor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "engine/smooth/sleep.h"
#include "support/fail.h"
#include "support/states.h"

enum { MOST = 64 };  // dofs of a test model

// R2.1: in the CSR layout of the reference
static void factor_agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "factor") {
    mj_factorM(s.model, s.data);
    EXPECT_FIELD(s, qLD, PRECISION(1e-12, 1e-3));
    EXPECT_FIELD(s, qLDiagInv, PRECISION(1e-12, 1e-3));
  }
}

static void solve_agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "solve") {
    mj_solveM(s.model, s.data, s.data->qacc_smooth, s.data->qfrc_smooth, 1);
    EXPECT_FIELD(s, qacc_smooth, PRECISION(1e-12, 1e-3));
  }
}

// The slow twin: the whole symmetric matrix, factored as LL' by the textbook, all in double.
typedef struct {
  int n;
  double full[MOST][MOST], L[MOST][MOST];
} Dense;

static void dense_from_sparse(Dense* a, const mjModel* m, const mjtNum* M) {
  memset(a, 0, sizeof(*a));
  a->n = (int)m->nv;
  for (int i = 0; i < a->n; i++) {
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      int j = m->M_colind[m->M_rowadr[i] + k];
      a->full[i][j] = a->full[j][i] = (double)M[m->M_rowadr[i] + k];
    }
  }
  for (int i = 0; i < a->n; i++) {
    for (int j = 0; j <= i; j++) {
      double x = a->full[i][j];
      for (int k = 0; k < j; k++) x -= a->L[i][k] * a->L[j][k];
      a->L[i][j] = i == j ? sqrt(x) : x / a->L[j][j];
    }
  }
}

static void dense_solve(const Dense* a, double* x) {
  for (int i = 0; i < a->n; i++) {
    for (int j = 0; j < i; j++) x[i] -= a->L[i][j] * x[j];
    x[i] /= a->L[i][i];
  }
  for (int i = a->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < a->n; j++) x[i] -= a->L[j][i] * x[j];
    x[i] /= a->L[i][i];
  }
}

static mjtNum next_random(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (mjtNum)((int)(*seed >> 8) % 2001 - 1000) / 1000;
}

// A well-conditioned matrix with the pattern of M: random below the diagonal, which outweighs them.
static void fill_with_random_matrix(const mjModel* m, mjtNum* M, unsigned seed) {
  mjtNum weight[MOST] = {0};
  for (int i = 0; i < m->nv; i++) {
    for (int a = m->M_rowadr[i]; a < m->M_rowadr[i] + m->M_rownnz[i] - 1; a++) {
      M[a] = next_random(&seed);
      weight[i] += (mjtNum)fabs((double)M[a]);
      weight[m->M_colind[a]] += (mjtNum)fabs((double)M[a]);
    }
  }
  for (int i = 0; i < m->nv; i++) {
    M[m->M_rowadr[i] + m->M_rownnz[i] - 1] =
        weight[i] + 1 + (mjtNum)fabs((double)next_random(&seed));
  }
}

// Solves for one right-hand side both ways; the data's qLD must be the factor of its M.
static void expect_dense_solution(const char* what, const mjModel* m, mjData* d, double tolerance) {
  static Dense a;
  dense_from_sparse(&a, m, d->M);
  mjtNum y[MOST], x[MOST];
  double want[MOST], largest = 0;
  unsigned seed = 7;
  for (int i = 0; i < m->nv; i++) {
    y[i] = next_random(&seed);
    want[i] = (double)y[i];
  }
  mj_solveM(m, d, x, y, 1);
  dense_solve(&a, want);
  for (int i = 0; i < m->nv; i++) largest = fmax(largest, fabs(want[i]));
  for (int i = 0; i < m->nv; i++) {
    if (!(fabs((double)x[i] - want[i]) <= tolerance * largest)) {
      fail_msg("%s: x[%d] is %.17g, dense Cholesky says %.17g", what, i, (double)x[i], want[i]);
    }
  }
}

// R2.2: single hinge, two links, branching tree, ball chain, free body and chain, mixed; and the
// humanoid.
static void agrees_with_dense_cholesky(void** state) {
  (void)state;
  RECORDED_STATES(s, "factor") {
    assert_true(s.model->nv <= MOST);
    mj_factorM(s.model, s.data);
    expect_dense_solution(s.prefix, s.model, s.data, PRECISION(1e-12, 1e-3));
    for (unsigned seed = 1; seed <= 5; seed++) {
      fill_with_random_matrix(s.model, s.data->M, seed);
      mj_factorM(s.model, s.data);
      expect_dense_solution(s.prefix, s.model, s.data, PRECISION(1e-12, 1e-5));
    }
  }
}

// L'DL written out as a full matrix: row k of L contributes D_k times its products.
static void multiply_factors(const mjModel* m, const mjtNum* LD, double product[MOST][MOST]) {
  memset(product, 0, sizeof(double[MOST][MOST]));
  for (int k = 0; k < m->nv; k++) {
    const mjtNum* row = LD + m->M_rowadr[k];
    const int* column = m->M_colind + m->M_rowadr[k];
    int n = m->M_rownnz[k] - 1;
    for (int i = 0; i <= n; i++) {
      for (int j = 0; j <= i; j++) {
        double left = i == n ? 1 : (double)row[i], right = j == n ? 1 : (double)row[j];
        product[column[i]][column[j]] += left * (double)row[n] * right;
      }
    }
  }
}

static void factors_multiply_to_the_matrix(void** state) {
  (void)state;
  RECORDED_STATES(s, "factor") {
    static double product[MOST][MOST];
    static Dense a;
    mj_factorM(s.model, s.data);
    multiply_factors(s.model, s.data->qLD, product);
    dense_from_sparse(&a, s.model, s.data->M);
    for (int i = 0; i < s.model->nv; i++) {
      double tolerance = PRECISION(1e-13, 1e-4) * (1 + fabs(a.full[i][i]));
      for (int j = 0; j <= i; j++) assert_true(fabs(product[i][j] - a.full[i][j]) <= tolerance);
    }
  }
}

static void the_inverse_diagonal_is_one_over_the_diagonal(void** state) {
  (void)state;
  RECORDED_STATES(s, "factor") {
    const mjModel* m = s.model;
    mj_factorM(m, s.data);
    for (int i = 0; i < m->nv; i++) {
      mjtNum diagonal = s.data->qLD[m->M_rowadr[i] + m->M_rownnz[i] - 1];
      assert_true(s.data->qLDiagInv[i] == 1 / diagonal);
    }
  }
}

// mj_solveM2 is the half of mj_solveM whose square is y' M^-1 y; vectors may be many and in place.
static void half_a_solve_squares_to_a_whole_one(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "factor", "humanoid") {
    int nv = (int)s.model->nv;
    mj_factorM(s.model, s.data);
    mjtNum y[3 * MOST], whole[3 * MOST], half[3 * MOST], root[MOST];
    unsigned seed = 3;
    for (int i = 0; i < 3 * nv; i++) whole[i] = y[i] = next_random(&seed);
    for (int i = 0; i < nv; i++) root[i] = (mjtNum)sqrt((double)s.data->qLDiagInv[i]);
    mj_solveM(s.model, s.data, whole, whole, 3);
    mj_solveM2(s.model, s.data, half, y, root, 3);
    for (int v = 0; v < 3; v++) {
      mjtNum square = 0, product = 0;
      for (int i = v * nv; i < (v + 1) * nv; i++) {
        square += half[i] * half[i];
        product += y[i] * whole[i];
      }
      expect_close("|half|^2", &square, &product, 1, PRECISION(1e-12, 1e-4));
    }
  }
}

static void expect_same_bits(const RecordedState* s, const char* what, const mjtNum* got,
                             const mjtNum* want, mjtSize n) {
  for (int i = 0; i < n; i++) {
    if (memcmp(got + i, want + i, sizeof(mjtNum)) == 0) continue;
    fail_msg("%s%s[%d] is %.17g, want %.17g", s->prefix, what, i, (double)got[i], (double)want[i]);
  }
}

// M and M + hB in one pass are what they are one after the other.
static void two_factors_at_once_have_the_bits_of_each_alone(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  int count = 0;
  Lane g = lane_one();
  RECORDED_STATES(s, "factor") {
    mjModel* m = s.model;
    mjData *d = s.data, *alone = mj_copyData(NULL, m, d);
    for (int k = 0; k < m->nv; k++) m->dof_damping[k] = (mjtNum)(k % 3) / 7;
    m->opt.timestep = (mjtNum)0.3;
    if (ct_factor_M_and_damped(g, m, d)) {
      ct_factor_M(g, m, alone);
      mju_copy(alone->qH, d->M, (int)m->nC);
      for (int k = 0; k < m->nv; k++) {
        alone->qH[m->M_rowadr[k] + m->M_rownnz[k] - 1] += m->opt.timestep * m->dof_damping[k];
      }
      ct_factor(g, m, d, alone->qH, alone->qHDiagInv);
      expect_same_bits(&s, "qLD", d->qLD, alone->qLD, m->nC);
      expect_same_bits(&s, "qLDiagInv", d->qLDiagInv, alone->qLDiagInv, m->nv);
      expect_same_bits(&s, "qH", d->qH, alone->qH, m->nC);
      expect_same_bits(&s, "qHDiagInv", d->qHDiagInv, alone->qHDiagInv, m->nv);
      count++;
    }
    mj_deleteData(alone);
  }
  assert_true(count > 10);
}

static void rows_of_sleeping_trees_are_left_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "factor", "tree_mixed") {
    s.model->opt.enableflags |= mjENBL_SLEEP;
    s.data->tree_asleep[1] = 1;
    ct_update_awake(lane_one(), s.model, s.data, false);
    for (int i = 0; i < s.model->nv; i++) s.data->qLDiagInv[i] = 99;
    for (int a = 0; a < s.model->nC; a++) s.data->qLD[a] = 99;
    mj_factorM(s.model, s.data);
    for (int i = 0; i < s.model->nv; i++) {
      bool asleep = s.model->dof_treeid[i] == 1;
      assert_int_equal(s.data->qLDiagInv[i] == 99, asleep);
      assert_int_equal(s.data->qLD[s.model->M_rowadr[i]] == 99, asleep);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factor_agrees_with_the_reference),
      cmocka_unit_test(solve_agrees_with_the_reference),
      cmocka_unit_test(agrees_with_dense_cholesky),
      cmocka_unit_test(factors_multiply_to_the_matrix),
      cmocka_unit_test(the_inverse_diagonal_is_one_over_the_diagonal),
      cmocka_unit_test(half_a_solve_squares_to_a_whole_one),
      cmocka_unit_test(two_factors_at_once_have_the_bits_of_each_alone),
      cmocka_unit_test(rows_of_sleeping_trees_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
