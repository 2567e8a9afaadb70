// R2: the mass matrix. The reference's numbers, energies that no reference is needed for, products
// against a dense slow twin, and what sleep leaves alone.

#include "engine/smooth/mass_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/smooth/sleep.h"
#include "host/stage_functions.h"
#include "math/spatial.h"
#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

enum { MOST = 64 };  // dofs of a test model

static void clear(mjtNum* x, mjtSize n) {
  memset(x, 0, (size_t)n * sizeof(mjtNum));
}

static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    clear(s.data->qM, s.model->nM);  // as after a reset: rows of simple dofs are never written
    mj_makeM(s.model, s.data);
    EXPECT_FIELD(s, crb, PRECISION(1e-14, 1e-5));
    EXPECT_FIELD(s, M, PRECISION(1e-14, 1e-4));
    EXPECT_FIELD(s, qM, PRECISION(1e-14, 1e-4));
  }
}

static void composite_bodies_leave_tendons_and_the_legacy_copy_out(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "mass_matrix", "tendons") {
    mjtNum with[MOST * MOST];
    clear(s.data->qM, s.model->nM);
    mj_makeM(s.model, s.data);
    memcpy(with, s.data->M, (size_t)s.model->nC * sizeof(mjtNum));
    clear(s.data->qM, s.model->nM);
    mj_crb(s.model, s.data);
    for (int a = 0; a < s.model->nM; a++) assert_true(s.data->qM[a] == 0);
    assert_true(memcmp(with, s.data->M, (size_t)s.model->nC * sizeof(mjtNum)) != 0);
    mj_tendonArmature(s.model, s.data);
    assert_memory_equal(with, s.data->M, (size_t)s.model->nC * sizeof(mjtNum));
  }
}

typedef struct {
  int n;
  double full[MOST][MOST];
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
}

// R2.2: single hinge, two links, branching tree, ball chain, free body and chain, mixed; and the
// humanoid. Cholesky needs no pivoting and meets no pivot below zero.
static void is_positive_definite(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    static Dense a;
    mj_makeM(s.model, s.data);
    dense_from_sparse(&a, s.model, s.data->M);
    for (int k = 0; k < a.n; k++) {
      if (!(a.full[k][k] > 0)) fail_msg("%s: pivot %d is %g", s.prefix, k, a.full[k][k]);
      for (int i = k + 1; i < a.n; i++) {
        double f = a.full[i][k] / a.full[k][k];
        for (int j = k + 1; j < a.n; j++) a.full[i][j] -= f * a.full[k][j];
      }
    }
  }
}

static void the_full_matrix_is_symmetric_and_the_sparse_one(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    static Dense a;
    static mjtNum full[MOST * MOST];
    int nv = (int)s.model->nv;
    clear(s.data->qM, s.model->nM);
    mj_makeM(s.model, s.data);
    mj_fullM(s.model, full, s.data->qM);
    dense_from_sparse(&a, s.model, s.data->M);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) assert_true((double)full[i * nv + j] == a.full[i][j]);
    }
  }
}

static void fill_with_waves(mjtNum* x, int n, double phase) {
  for (int i = 0; i < n; i++) x[i] = (mjtNum)sin(1.7 * i + phase);
}

// Twice the kinetic energy, body by body, with the motors and the tendons.
static double twice_the_energy(const mjModel* m, const mjData* d) {
  double sum = 0;
  for (int b = 1; b < m->nbody; b++) {
    mjtNum momentum[6];
    ct_mul_inert_vec(momentum, d->cinert + 10 * b, d->cvel + 6 * b);
    sum += (double)ct_dot6(momentum, d->cvel + 6 * b);
  }
  for (int i = 0; i < m->nv; i++) sum += (double)(m->dof_armature[i] * d->qvel[i] * d->qvel[i]);
  for (int t = 0; t < m->ntendon; t++) {
    double speed = (double)ct_dot(d->ten_J + t * m->nv, d->qvel, (int)m->nv);
    sum += (double)m->tendon_armature[t] * speed * speed;
  }
  return sum;
}

// M has no room for products of dofs in different trees, so the tendon with inertia ends at a site
// of the lower arm instead of at the weight.
static void keep_tendons_in_one_tree(mjModel* m) {
  int hoist = mj_name2id(m, mjOBJ_TENDON, "hoist");
  if (hoist < 0) return;
  int last = m->tendon_adr[hoist] + m->tendon_num[hoist] - 1;
  m->wrap_objid[last] = mj_name2id(m, mjOBJ_SITE, "l2");
  m->tendon_armature[hoist] = 1;
}

static void measures_the_kinetic_energy_of_bodies_motors_and_tendons(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    mjtNum product[MOST], energy, expected;
    keep_tendons_in_one_tree(s.model);
    fill_with_waves(s.data->qvel, (int)s.model->nv, 1);
    mj_kinematics(s.model, s.data);
    mj_comPos(s.model, s.data);
    mj_tendon(s.model, s.data);
    mj_comVel(s.model, s.data);
    mj_makeM(s.model, s.data);
    mj_mulM(s.model, s.data, product, s.data->qvel);
    energy = ct_dot(product, s.data->qvel, (int)s.model->nv);
    expected = (mjtNum)twice_the_energy(s.model, s.data);
    expect_close(s.prefix, &energy, &expected, 1, PRECISION(1e-13, 1e-4));
  }
}

static void product_agrees_with_the_dense_one(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    static Dense a;
    mjtNum x[MOST], product[MOST], expected[MOST];
    mj_makeM(s.model, s.data);
    dense_from_sparse(&a, s.model, s.data->M);
    fill_with_waves(x, a.n, 2);
    mj_mulM(s.model, s.data, product, x);
    for (int i = 0; i < a.n; i++) {
      double sum = 0;
      for (int j = 0; j < a.n; j++) sum += a.full[i][j] * (double)x[j];
      expected[i] = (mjtNum)sum;
    }
    expect_close("M x", product, expected, a.n, PRECISION(1e-13, 1e-4));
  }
}

// R2.3: whoever divides by M uses its factor; that undoes a product.
static void a_solve_undoes_a_product(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    mjtNum x[MOST], y[MOST];
    mj_makeM(s.model, s.data);
    mj_factorM(s.model, s.data);
    fill_with_waves(x, (int)s.model->nv, 3);
    mj_mulM(s.model, s.data, y, x);
    mj_solveM(s.model, s.data, y, y, 1);
    expect_close(s.prefix, y, x, (int)s.model->nv, PRECISION(1e-11, 1e-2));
  }
}

static void half_a_product_squares_to_a_whole_one(void** state) {
  (void)state;
  RECORDED_STATES(s, "mass_matrix") {
    int nv = (int)s.model->nv;
    mjtNum x[MOST], whole[MOST], half[MOST];
    mj_makeM(s.model, s.data);
    mj_factorM(s.model, s.data);
    fill_with_waves(x, nv, 4);
    mj_mulM(s.model, s.data, whole, x);
    mj_mulM2(s.model, s.data, half, x);
    mjtNum square = ct_dot(half, half, nv), product = ct_dot(x, whole, nv);
    expect_close(s.prefix, &square, &product, 1, PRECISION(1e-12, 1e-4));
  }
}

// The reference adds to a dense matrix the lower triangle only.
static void adding_to_a_dense_matrix_leaves_its_upper_triangle_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "mass_matrix", "tree_mixed") {
    static Dense a;
    static mjtNum sum[MOST * MOST];
    int nv = (int)s.model->nv;
    mj_makeM(s.model, s.data);
    dense_from_sparse(&a, s.model, s.data->M);
    for (int i = 0; i < nv * nv; i++) sum[i] = 5;
    mj_addM(s.model, s.data, sum, NULL, NULL, NULL);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) {
        mjtNum expected = j <= i ? (mjtNum)(5 + a.full[i][j]) : 5;
        assert_true(sum[i * nv + j] == expected);
      }
    }
  }
}

// Rows of a sparse matrix grow: here each starts with its first column alone.
static void adding_to_a_sparse_matrix_merges_rows(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "mass_matrix", "tree_mixed") {
    static Dense a;
    static mjtNum sum[MOST * MOST];
    static int rownnz[MOST], rowadr[MOST], colind[MOST * MOST];
    int nv = (int)s.model->nv;
    mj_makeM(s.model, s.data);
    dense_from_sparse(&a, s.model, s.data->M);
    for (int i = 0; i < nv; i++) {
      rownnz[i] = 1;
      rowadr[i] = i * nv;
      colind[i * nv] = 0;
      sum[i * nv] = 3;
      a.full[i][0] += 3;
    }
    mj_addM(s.model, s.data, sum, rownnz, rowadr, colind);
    for (int i = 0; i < nv; i++) {
      bool has_first = s.model->M_colind[s.model->M_rowadr[i]] == 0;
      assert_int_equal(rownnz[i], s.model->M_rownnz[i] + (has_first ? 0 : 1));
      for (int k = 0; k < rownnz[i]; k++) {
        assert_true(sum[i * nv + k] == (mjtNum)a.full[i][colind[i * nv + k]]);
      }
    }
  }
}

// Poses first, so that the tendons can be made again in the other layout.
static void tendon_inertia_is_the_same_in_sparse_and_dense_layout(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "mass_matrix", "tendons") {
    mjtNum M[2][MOST * MOST];
    for (int sparse = 0; sparse < 2; sparse++) {
      s.model->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
      mj_kinematics(s.model, s.data);
      mj_comPos(s.model, s.data);
      mj_tendon(s.model, s.data);
      mj_makeM(s.model, s.data);
      memcpy(M[sparse], s.data->M, (size_t)s.model->nC * sizeof(mjtNum));
    }
    expect_close("M", M[1], M[0], (int)s.model->nC, PRECISION(1e-15, 1e-6));
  }
}

static void rows_of_sleeping_trees_are_left_alone(void** state) {
  (void)state;
  RECORDED_STATES_OF(s, "mass_matrix", "tree_mixed") {
    s.model->opt.enableflags |= mjENBL_SLEEP;
    s.data->tree_asleep[1] = 1;
    ct_update_awake(lane_one(), s.model, s.data, false);
    for (int a = 0; a < s.model->nC; a++) s.data->M[a] = 99;
    for (int i = 0; i < 10 * s.model->nbody; i++) s.data->crb[i] = 99;
    mj_makeM(s.model, s.data);
    for (int i = 0; i < s.model->nv; i++) {
      bool asleep = s.model->dof_treeid[i] == 1;
      assert_int_equal(s.data->M[s.model->M_rowadr[i]] == 99, asleep);
    }
    for (int b = 0; b < s.model->nbody; b++) {
      assert_int_equal(s.data->crb[10 * b] == 99, s.model->body_treeid[b] == 1);
    }
  }
}

// Rows of a short chain are stored in words that would reach into the rows of the tree behind it.
static void rows_do_not_reach_into_those_of_a_sleeping_tree(void** state) {
  (void)state;
  const char link[] = "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.1 0 0'/>";
  char text[1024];
  snprintf(text, sizeof(text),
           "<mujoco><worldbody>%s%s</body></body>%s%s%s</body></body></body></worldbody></mujoco>",
           link, link, link, link, link);
  mjModel* m = text_model(text);
  m->opt.enableflags |= mjENBL_SLEEP;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  d->tree_asleep[1] = 1;
  ct_update_awake(lane_one(), m, d, false);
  for (int a = 0; a < m->nC; a++) d->M[a] = 99;
  mj_makeM(m, d);
  for (int a = 0; a < m->nC; a++) assert_int_equal(d->M[a] == 99, a >= m->M_rowadr[2]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Long rows are made number by number, and leave no axes behind for a branch that comes after them:
// a chain with a twig that shifts its runs of four, and twigs on its last links.
static mjModel* long_chain(int links) {
  char* text = (char*)malloc((size_t)links * 300 + 200);
  assert_non_null(text);
  const char link[] = "<body pos='.02 .001 0'><joint axis='0 .6 .8'/><geom size='.01'/>";
  const char twig[] = "<body pos='0 .03 0'><joint axis='1 0 0'/><geom size='.02'/></body>";
  char* end = text + sprintf(text, "<mujoco><worldbody>");
  for (int i = 0; i < links; i++) end += sprintf(end, "%s%s", link, i == 1 ? twig : "");
  for (int i = 0; i < links; i++) end += sprintf(end, "%s</body>", i && i < 8 ? twig : "");
  sprintf(end, "</worldbody></mujoco>");
  mjModel* m = text_model(text);
  free(text);
  return m;
}

static void branches_of_long_chains_have_the_inertia_that_inverse_dynamics_feels(void** state) {
  (void)state;
  mjModel* m = long_chain(260);
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  mjtNum *column = (mjtNum*)malloc(2 * (size_t)nv * sizeof(mjtNum)), *felt = column + nv;
  m->opt.gravity[2] = 0;
  for (int k = 0; k < nv; k++) d->qpos[k] = (mjtNum)(0.3 * sin(k));
  mj_forward(m, d);
  mju_zero(d->qvel, nv);
  mj_fwdVelocity(m, d);
  for (int k = 0; k < nv; k++) {
    mju_zero(d->qacc, nv);
    d->qacc[k] = 1;
    mj_mulM(m, d, column, d->qacc);
    mj_rne(m, d, 1, felt);
    for (int i = 0; i < nv; i++) {
      if (ct_abs(column[i] - felt[i]) > PRECISION(1e-11, 1e-2) * (1 + ct_abs(felt[i]))) {
        fail_msg("row %d, column %d: %.10g, inverse dynamics says %.10g", i, k, (double)column[i],
                 (double)felt[i]);
      }
    }
  }
  free(column);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(composite_bodies_leave_tendons_and_the_legacy_copy_out),
      cmocka_unit_test(is_positive_definite),
      cmocka_unit_test(the_full_matrix_is_symmetric_and_the_sparse_one),
      cmocka_unit_test(measures_the_kinetic_energy_of_bodies_motors_and_tendons),
      cmocka_unit_test(product_agrees_with_the_dense_one),
      cmocka_unit_test(a_solve_undoes_a_product),
      cmocka_unit_test(half_a_product_squares_to_a_whole_one),
      cmocka_unit_test(adding_to_a_dense_matrix_leaves_its_upper_triangle_alone),
      cmocka_unit_test(adding_to_a_sparse_matrix_merges_rows),
      cmocka_unit_test(tendon_inertia_is_the_same_in_sparse_and_dense_layout),
      cmocka_unit_test(rows_of_sleeping_trees_are_left_alone),
      cmocka_unit_test(rows_do_not_reach_into_those_of_a_sleeping_tree),
      cmocka_unit_test(branches_of_long_chains_have_the_inertia_that_inverse_dynamics_feels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
