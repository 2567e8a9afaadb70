// R10.5, R11.4: devices that have no room or fail in between. The library of GPUs is replaced by
// one that does so on demand (broken_device.c).

#include <corten/batch.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

enum { N = 5 };

static int with_library(void** state) {
  setenv("CORTEN_CUDA", CT_BROKEN_DEVICE, 1);
  return listen_to_messages(state);
}

static int without_library(void** state) {
  unsetenv("CORTEN_CUDA");
  unsetenv("BROKEN_DEVICE");
  return stop_listening(state);
}

static ct_BatchOptions on_the_device(const char* how) {
  setenv("BROKEN_DEVICE", how, 1);
  ct_BatchOptions options = ct_default_batch_options();
  options.backend = CT_BACKEND_GPU;
  options.threads = 2;
  return options;
}

static void a_device_without_room_says_how_many_fit(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = on_the_device("full");
  char error[300];
  options.required = 1;
  assert_null(ct_batch_create(m, N, &options, error, sizeof(error)));
  assert_true(strstr(error, "5 environments of 1000 bytes do not fit; 3 would") != NULL);
  assert_int_equal(count_warnings() + count_errors(), 0);

  options.required = 0;
  ct_Batch* b = ct_batch_create(m, N, &options, error, sizeof(error));
  assert_non_null(b);
  expect_one_warning("3 would); the CPU serves with 2 threads");
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  control_batch(b, 0);
  assert_int_equal(ct_batch_step(b, NULL, 3), CT_BATCH_OK);
  step_loop(&loop, 0, 3);
  expect_same_bits(b, &loop, "in place of the device");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Its batch can only be destroyed; a batch beside it does not notice.
static void a_device_that_fails_in_between_ends_its_batch_only(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = on_the_device("2");
  options.required = 1;
  char error[300];
  ct_Batch* b = ct_batch_create(m, N, &options, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  assert_int_equal(ct_batch_backend(b), CT_BACKEND_GPU);
  ct_Batch* beside = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(beside);
  for (int t = 0; t < 5; t++) {
    control_batch(beside, t);
    assert_int_equal(ct_batch_step(beside, NULL, 1), CT_BATCH_OK);
    step_loop(&loop, t, 1);
    int code = ct_batch_step(b, NULL, 1);
    if (t < 2) assert_int_equal(code, CT_BATCH_OK);
    if (t == 2) expect_refusal(b, code, CT_BATCH_DEVICE_FAILED, "GPU 0 is lost");
    if (t > 2) expect_refusal(b, code, CT_BATCH_DEVICE_FAILED, "restore a saved one");
  }
  mjtNum time[N];
  expect_refusal(b, ct_batch_get(b, "time", NULL, time), CT_BATCH_DEVICE_FAILED, "has failed");
  expect_refusal(b, ct_batch_reset(b, NULL), CT_BATCH_DEVICE_FAILED, "has failed");
  expect_same_bits(beside, &loop, "beside a device that failed");
  free_loop(&loop);
  ct_batch_destroy(b);
  ct_batch_destroy(beside);
  mj_deleteModel(m);
  assert_int_equal(count_warnings() + count_errors(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_device_without_room_says_how_many_fit, with_library,
                                      without_library),
      cmocka_unit_test_setup_teardown(a_device_that_fails_in_between_ends_its_batch_only,
                                      with_library, without_library),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
