// The bit test: every stage of the engine computes the same bits on one lane and on any number of
// threads. Under ThreadSanitizer it also proves that no stage has a race.

#include <string.h>

#include "base/private.h"
#include "engine/constraint/constraint.h"
#include "lanes/bits.h"
#include "lanes/march.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

static void every_stage_has_the_same_bits_on_any_number_of_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  int recorded = 0;
  for (int kernel = 0; kernel < lane_kernel_count(); kernel++) {
    if (!strcmp(lane_kernel_name(kernel), "march")) continue;  // has tests of its own
    if (!lane_kernel_is_recorded(kernel)) continue;            // a stage that whole steps test
    recorded++;
    for (int nlane = 1; nlane <= 8; nlane *= 2) {
      BitReport report = compare_kernel_bits(kernel, lanes_threads(), nlane);
      if (report.ndifferent) {
        fail_msg("%s on %d lanes: %s", lane_kernel_name(kernel), nlane, report.first);
      }
      assert_true(report.nstate > 0 && strlen(report.wrote) > 0);
    }
  }
  assert_true(recorded >= 32);
}

// Threads of a sanitizer are slow, and races show in the first steps. build/release/cuda/bits
// marches farther, on a GPU.
#if defined(__SANITIZE_THREAD__) || defined(CT_ASAN)
enum { SOME = MARCH_STRIDE, MANY = MARCH_STRIDE, MOST_LANES = 2 };
#else
enum { SOME = 2 * MARCH_STRIDE, MANY = 20 * MARCH_STRIDE, MOST_LANES = 16 };
#endif

static MarchReport expect_same_march(March march, int nlane) {
  if (nlane > MOST_LANES) nlane = MOST_LANES;
  MarchReport report = compare_march(&march, lanes_threads(), nlane);
  if (report.bits.ndifferent) {
    fail_msg("%s, %s: %s", march.model, march_way_name(march.way), report.bits.first);
  }
  return report;
}

static void every_model_steps_with_the_same_bits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  int compared = 0, with_contacts = 0, with_islands = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    March march = {recorded_model_name(i), 0, SOME};
    if (!march_is_possible(&march)) continue;
    MarchReport report = expect_same_march(march, 4);
    compared += report.bits.nstate > 0;  // all but unstable ones
    with_contacts += report.ncon > 0;
    with_islands += report.nisland > 1;
  }
  assert_true(compared >= 60 && with_contacts >= 5 && with_islands >= 2);
}

// R20.1: flexes of all kinds, after they have met things.
static void flexes_step_with_the_same_bits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  const char* const models[] = {"soft/drape", "soft/shell", "soft/strained",
                                "soft/ropes", "soft/block", "soft/heap",
#ifndef mjUSESINGLE  // there recorded models have default options, with which it diverges
                                "soft/cells"
#endif
  };
  enum { COUNT = sizeof(models) / sizeof(models[0]) };
  int nlane = 2, with_contacts = 0;
  for (int i = 0; i < COUNT; i++) {
    March march = {models[i], 0, 2 * MARCH_STRIDE};  // before, some have not met anything
    with_contacts += expect_same_march(march, nlane).ncon > 0;
    nlane = nlane == MOST_LANES ? 2 : 2 * nlane;
  }
  assert_true(with_contacts >= COUNT - 2);
}

static void every_solver_and_integrator_steps_with_the_same_bits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  const char* const models[] = {"contacts", "equalities", "humanoid", "tendons"};
  int nlane = 2, compared = 0;
  for (int way = 0; way < march_way_count(); way++) {
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
      March march = {models[i], way, SOME};
      compared += expect_same_march(march, nlane).bits.nstate > 0;
      nlane = nlane == MOST_LANES ? 2 : 2 * nlane;
    }
  }
  assert_true(compared >= 3 * march_way_count());
}

// Pairs of all shapes, one and many contacts per pair.
static void a_heap_of_all_shapes_falls_with_the_same_bits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  for (int way = 0; way < march_way_count(); way++) {
    if (way && !strstr(march_way_name(way), "con")) {
      continue;
    }
    March march = {"heap", way, SOME};
    MarchReport report = expect_same_march(march, 4);
    assert_true(report.ncon > 30);
  }
}

static void the_humanoid_walks_far_with_the_same_bits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  March march = {"humanoid", 0, MANY};
  MarchReport report = expect_same_march(march, 8);
  assert_true(report.ncon > 0);
}

// A batch tells environments of one tree that they need not look for islands.
static void a_tree_alone_moves_the_same_without_a_search_for_islands(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  assert_true(ct_has_one_island(m));
  mjData *searching = march_start(m), *told = march_start(m);
  ct_private(told)->one_island = true;
  int kernel = 0, contacts = 0, nlane = MOST_LANES < 16 ? MOST_LANES : LANE_MOST;
  while (strcmp(lane_kernel_name(kernel), "march") != 0) kernel++;
  BitReport report;
  memset(&report, 0, sizeof(report));
  for (int k = MARCH_STRIDE; k <= 5 * MARCH_STRIDE; k += MARCH_STRIDE) {
    march_steer(m, searching, k);
    march_steer(m, told, k);
    lanes_one()->run_kernel(kernel, 1, m, searching);
    if (k % 20) {
      lanes_one()->run_kernel(kernel, 1, m, told);
    } else {
      lanes_threads()->run_kernel(kernel, nlane, m, told);
    }
    compare_data(&report, "", m, searching, told);
    assert_int_equal(searching->nisland, told->nisland);
    assert_int_equal(searching->nidof, told->nidof);
    size_t rows = (size_t)searching->nefc;
    assert_memory_equal(searching->efc_force, told->efc_force, rows * sizeof(mjtNum));
    assert_memory_equal(searching->efc_state, told->efc_state, rows * sizeof(int));
    contacts += searching->ncon;
  }
  if (report.ndifferent) fail_msg("%s", report.first);
  assert_true(contacts > 0);
  mj_deleteData(told);
  mj_deleteData(searching);
  mj_deleteModel(m);
}

static int kernel_named(const char* name) {
  int kernel = 0;
  while (strcmp(lane_kernel_name(kernel), name) != 0) kernel++;
  return kernel;
}

// One of the 32 combinations of solver, cone, storage and islands.
static void set_solver(mjModel* m, int k) {
  m->opt.solver = k & 1 ? mjSOL_NEWTON : k & 2 ? mjSOL_CG : mjSOL_PGS;
  m->opt.noslip_iterations = (k & 1) && (k & 2) ? 3 : 0;
  m->opt.cone = k & 4 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  m->opt.jacobian = k & 8 ? mjJAC_SPARSE : mjJAC_DENSE;
  m->opt.disableflags = k & 16 ? mjDSBL_ISLAND : 0;
  m->opt.iterations = 10;
}

static void expect_bits(const char* what, const char* model, int combination, const void* a,
                        const void* b, size_t bytes) {
  if (bytes && memcmp(a, b, bytes) != 0) {
    fail_msg("%s%s differs with combination %d", model, what, combination);
  }
}

static void expect_same_solution(const RecordedState* s, const mjData* b, int k) {
  const mjData* a = s->data;
  size_t dofs = (size_t)s->model->nv * sizeof(mjtNum), rows = (size_t)a->nefc;
  expect_bits("qacc", s->prefix, k, a->qacc, b->qacc, dofs);
  expect_bits("qfrc_constraint", s->prefix, k, a->qfrc_constraint, b->qfrc_constraint, dofs);
  expect_bits("efc_force", s->prefix, k, a->efc_force, b->efc_force, rows * sizeof(mjtNum));
  expect_bits("efc_state", s->prefix, k, a->efc_state, b->efc_state, rows * sizeof(int));
  expect_bits("solver_niter", s->prefix, k, a->solver_niter, b->solver_niter,
              sizeof(a->solver_niter));
}

// Every solver, cone and storage, on the rows that one lane has made.
static void solvers_have_the_same_bits_on_any_number_of_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  const int kernels[2] = {kernel_named("solver"), kernel_named("large_solver")};
  int with_rows = 0;
  RECORDED_STATES(s, "step") {
    for (int k = 0; k < 32; k++) {
      set_solver(s.model, k);
      mj_forward(s.model, s.data);
      int kernel = kernels[k & 16 && k & 1];  // without islands, Newton
      mjData* copy = mj_copyData(NULL, s.model, s.data);
      lanes_one()->run_kernel(kernel, 1, s.model, s.data);
      lanes_threads()->run_kernel(kernel, k % 3 ? 4 : 8, s.model, copy);
      expect_same_solution(&s, copy, k);
      with_rows += s.data->nefc > 0;
      mj_deleteData(copy);
    }
  }
  assert_true(with_rows > 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_has_the_same_bits_on_any_number_of_lanes),
      cmocka_unit_test(solvers_have_the_same_bits_on_any_number_of_lanes),
      cmocka_unit_test(every_model_steps_with_the_same_bits),
      cmocka_unit_test(flexes_step_with_the_same_bits),
      cmocka_unit_test(every_solver_and_integrator_steps_with_the_same_bits),
      cmocka_unit_test(a_heap_of_all_shapes_falls_with_the_same_bits),
      cmocka_unit_test(the_humanoid_walks_far_with_the_same_bits),
      cmocka_unit_test(a_tree_alone_moves_the_same_without_a_search_for_islands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
