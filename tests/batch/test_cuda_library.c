// R11.4: without GPU, driver or library the CPU serves, with one clear message.

#include <corten/batch.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

static int without_library(void** state) {
  setenv("CORTEN_CUDA", "/nowhere/libcorten_cuda.so", 1);
  setenv("CORTEN_CUDA_FLOAT", "/nowhere/libcorten_cuda.so", 1);
  return listen_to_messages(state);
}

static int as_before(void** state) {
  unsetenv("CORTEN_CUDA");
  unsetenv("CORTEN_CUDA_FLOAT");
  return stop_listening(state);
}

static void the_cpu_serves_with_one_message(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  char error[300] = "?";
  options.backend = CT_BACKEND_GPU;
  options.threads = 2;
  options.precision = CT_PRECISION_FLOAT;
  ct_Batch* b = ct_batch_create(m, 4, &options, error, sizeof(error));
  assert_non_null(b);
  assert_string_equal(error, "");
  expect_one_warning("no GPU");
  assert_true(strstr(newest_message(), "the CPU serves with 2 threads") != NULL);
  assert_true(strstr(newest_message(), "/nowhere/libcorten_cuda.so") != NULL);
  assert_int_equal(ct_batch_backend(b), CT_BACKEND_CPU);
  assert_int_equal(ct_batch_options(b)->backend, CT_BACKEND_CPU);
  assert_int_equal(ct_batch_options(b)->precision, CT_PRECISION_STRICT);
  Loop loop = make_loop(m, 4);
  disturb_batch(b);
  control_batch(b, 0);
  assert_int_equal(ct_batch_step(b, NULL, 3), CT_BATCH_OK);
  step_loop(&loop, 0, 3);
  expect_same_bits(b, &loop, "in place of the GPU");
  free_loop(&loop);
  ct_batch_destroy(b);
  assert_int_equal(count_warnings() + count_errors(), 0);
  mj_deleteModel(m);
}

static void who_does_not_insist_hears_nothing(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_BatchOptions options = ct_default_batch_options();
  options.backend = CT_BACKEND_AUTO;
  ct_Batch* b = ct_batch_create(m, 4, &options, NULL, 0);
  assert_int_equal(ct_batch_backend(b), CT_BACKEND_CPU);
  assert_int_equal(count_warnings() + count_errors(), 0);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void who_insists_gets_nothing_and_the_reason(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_BatchOptions options = ct_default_batch_options();
  char error[300];
  options.backend = CT_BACKEND_GPU;
  options.required = 1;
  assert_null(ct_batch_create(m, 4, &options, error, sizeof(error)));
  assert_true(strstr(error, "/nowhere/libcorten_cuda.so") != NULL);
  assert_int_equal(ct_batch_memory(m, 4, &options, error, sizeof(error)), 0);
  assert_int_equal(count_warnings() + count_errors(), 0);
  mj_deleteModel(m);
}

// A device that is not there is no other than no device at all.
static void a_device_that_does_not_exist_is_refused_or_replaced(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_BatchOptions options = ct_default_batch_options();
  char error[300];
  options.backend = CT_BACKEND_GPU;
  options.device = 1000;
  options.required = 1;
  assert_null(ct_batch_create(m, 4, &options, error, sizeof(error)));
  assert_true(error[0] != 0);
  assert_int_equal(count_warnings() + count_errors(), 0);
  options.required = 0;
  ct_Batch* b = ct_batch_create(m, 4, &options, error, sizeof(error));
  assert_non_null(b);
  assert_int_equal(ct_batch_backend(b), CT_BACKEND_CPU);
  expect_one_warning("no GPU");
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_cpu_serves_with_one_message, without_library, as_before),
      cmocka_unit_test_setup_teardown(who_does_not_insist_hears_nothing, without_library,
                                      as_before),
      cmocka_unit_test_setup_teardown(who_insists_gets_nothing_and_the_reason, without_library,
                                      as_before),
      cmocka_unit_test_setup_teardown(a_device_that_does_not_exist_is_refused_or_replaced,
                                      listen_to_messages, stop_listening),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
