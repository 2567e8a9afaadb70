// A batch in float on a device, for a host in double: what goes in is narrowed, what comes out is
// widened, and nothing else changes. The device is float_device.c.

#include <corten/batch.h>
#include <corten/derivative.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

#ifndef CT_FLOAT_DEVICE  // builds in float have no other precision
static void hosts_in_double_narrow(void** state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hosts_in_double_narrow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else

enum { N = 4, T = 3 };

static const mjtByte some[N] = {1, 0, 0, 1};
static const mjtNum third = (mjtNum)1 / 3;  // has more digits than a float

static mjModel* model;
static ct_Batch* batch;

static int make(void** state) {
  char error[300];
  setenv("CORTEN_CUDA_FLOAT", CT_FLOAT_DEVICE, 1);
  model = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.backend = CT_BACKEND_GPU;
  options.precision = CT_PRECISION_FLOAT;
  options.required = 1;
  batch = ct_batch_create(model, N, &options, error, sizeof(error));
  if (!batch) fail_msg("%s", error);
  return listen_to_messages(state);
}

static int destroy(void** state) {
  ct_batch_destroy(batch);
  mj_deleteModel(model);
  unsetenv("CORTEN_CUDA_FLOAT");
  return stop_listening(state);
}

static mjtNum* numbers(size_t count) {
  return (mjtNum*)calloc(count + 1, sizeof(mjtNum));
}

static mjtNum in_float(mjtNum x) {
  return (mjtNum)(float)x;
}

static void good(int code) {
  if (code) fail_msg("%s", ct_batch_error(batch));
}

static void options_say_what_was_made(void** state) {
  (void)state;
  assert_int_equal(ct_batch_backend(batch), CT_BACKEND_GPU);
  assert_int_equal(ct_batch_options(batch)->precision, CT_PRECISION_FLOAT);
  assert_int_equal(ct_batch_options(batch)->arena, 4711);
  ct_BatchOptions same = *ct_batch_options(batch);
  assert_int_equal(ct_batch_memory(model, N, &same, NULL, 0), N * 1000);
}

// R10.3
static void matrices_are_narrowed_and_widened(void** state) {
  (void)state;
  size_t nq = (size_t)model->nq;
  mjtNum *in = numbers(N * nq), *out = numbers(N * nq);
  for (size_t i = 0; i < N * nq; i++) in[i] = third * (mjtNum)(i + 1);
  for (size_t i = 0; i < N * nq; i++) out[i] = third;
  good(ct_batch_set(batch, "qpos", NULL, in));
  good(ct_batch_get(batch, "qpos", some, out));
  for (size_t i = 0; i < N * nq; i++) {
    assert_true(out[i] == (some[i / nq] ? in_float(in[i]) : third));
  }
  good(ct_batch_reset(batch, NULL));
  good(ct_batch_set(batch, "qpos", some, in));
  good(ct_batch_get(batch, "qpos", NULL, out));
  for (size_t i = 0; i < N * nq; i++) {
    assert_true(out[i] == (some[i / nq] ? in_float(in[i]) : 0));
  }
  free(in);
  free(out);
}

static void integers_stay_as_they_are(void** state) {
  (void)state;
  int status[N] = {1, 1, 1, 1};
  good(ct_batch_get(batch, "status", NULL, status));
  for (int i = 0; i < N; i++) assert_int_equal(status[i], 0);
}

static void views_have_floats(void** state) {
  (void)state;
  ct_BatchView view;
  good(ct_batch_view(batch, "sensordata", &view));
  assert_int_equal(view.element, sizeof(float));
  assert_int_equal(view.type, CT_NUMBER);
  assert_true(view.on_device);
}

static void models_come_narrowed_and_vary(void** state) {
  (void)state;
  size_t nbody = (size_t)model->nbody;
  mjtNum gravity[3 * N], *mass = numbers(N * nbody);
  good(ct_batch_get(batch, "opt.gravity", NULL, gravity));
  for (int i = 0; i < 3 * N; i++) assert_true(gravity[i] == in_float(model->opt.gravity[i % 3]));
  good(ct_batch_get(batch, "body_mass", NULL, mass));
  for (size_t i = 0; i < N * nbody; i++) {
    assert_true(mass[i] == in_float(model->body_mass[i % nbody]));
  }
  for (size_t i = 0; i < N * nbody; i++) mass[i] = third + (mjtNum)i;
  good(ct_batch_set(batch, "body_mass", NULL, mass));
  mjModel* m = mj_copyModel(NULL, model);
  good(ct_batch_get_data(batch, 2, m, NULL));
  for (size_t k = 0; k < nbody; k++) assert_true(m->body_mass[k] == in_float(mass[2 * nbody + k]));
  assert_true(m->opt.gravity[2] == model->opt.gravity[2]);  // what does not vary has its digits
  mj_deleteModel(m);
  free(mass);
}

// Controls in, time and sensors out, in both orders.
static void expect_rollout(int time_first, const mjtByte* mask) {
  size_t nu = (size_t)model->nu, ns = (size_t)model->nsensordata;
  mjtNum *ctrl = numbers(N * T * nu), *seen = numbers(N * T * nu), *time = numbers(N * T),
         *sensors = numbers(N * T * ns);
  int status[N * T];
  for (size_t i = 0; i < N * T * nu; i++) ctrl[i] = third * (mjtNum)(i + 1);
  for (size_t i = 0; i < N * T; i++) time[i] = third;
  ct_BatchRecord record[] = {{NULL, mjSTATE_TIME, time},
                             {"sensordata", 0, sensors},
                             {"ctrl", 0, seen},
                             {"status", 0, status}};
  ct_Rollout rollout = {T, 2, ctrl, 0, time_first, record, 4};
  good(ct_batch_reset(batch, NULL));
  good(ct_batch_rollout(batch, mask, &rollout));
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < T; t++) {
      size_t at = time_first ? (size_t)(t * N + i) : (size_t)(i * T + t);
      bool ran = !mask || mask[i];
      assert_true(time[at] == (ran ? (mjtNum)0.5 * (mjtNum)(t + 1) : third));
      for (size_t k = 0; ran && k < ns; k++) assert_true(sensors[at * ns + k] == time[at]);
      for (size_t k = 0; ran && k < nu; k++) {
        assert_true(seen[at * nu + k] == in_float(ctrl[at * nu + k]));
      }
      if (ran) assert_int_equal(status[at], 0);
    }
  }
  free(ctrl);
  free(seen);
  free(time);
  free(sensors);
}

static void rollouts_go_through(void** state) {
  (void)state;
  expect_rollout(0, NULL);
  expect_rollout(1, NULL);
  expect_rollout(0, some);
  expect_rollout(1, some);
}

static void resets_take_states(void** state) {
  (void)state;
  mjtNum time[N] = {third, 2 * third, third, third}, seen[N];
  good(ct_batch_step(batch, NULL, 4));
  good(ct_batch_reset_state(batch, some, mjSTATE_TIME, time));
  good(ct_batch_get(batch, "time", NULL, seen));
  for (int i = 0; i < N; i++) assert_true(seen[i] == (some[i] ? in_float(time[i]) : 1));
}

static void shift(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)argument;
  d->qvel[0] = third + (mjtNum)environment;
}

static void environments_come_and_go(void** state) {
  (void)state;
  mjData* d = mj_makeData(model);
  size_t nv = (size_t)model->nv;
  mjtNum* qvel = numbers(N * nv);
  good(ct_batch_step(batch, NULL, 1));
  good(ct_batch_get_data(batch, 1, NULL, d));
  assert_true(d->time == (mjtNum)0.25 && d->qpos[0] == in_float((mjtNum)0.1));
  assert_true(d->sensordata[0] == (mjtNum)0.25);
  d->time = third;
  d->qvel[nv - 1] = third;
  good(ct_batch_set_data(batch, 3, d));
  good(ct_batch_get_data(batch, 3, NULL, d));
  assert_true(d->time == in_float(third) && d->qvel[nv - 1] == in_float(third));
  good(ct_batch_apply(batch, some, shift, NULL, 1));
  good(ct_batch_get(batch, "qvel", NULL, qvel));
  for (size_t i = 0; i < N; i++) {
    assert_true(qvel[i * nv] == (some[i] ? in_float(third + (mjtNum)i) : 0));
  }
  good(ct_batch_copy(batch, 3, 2));
  good(ct_batch_get(batch, "qvel", NULL, qvel));
  assert_true(qvel[2 * nv] == in_float(third + 3));
  mj_deleteData(d);
  free(qvel);
}

// The host derives at the state that the device has.
static void derivatives_come_from_the_host(void** state) {
  (void)state;
  size_t n = (size_t)(2 * model->nv + model->na);
  mjtNum *A = numbers(N * n * n), *B = numbers(n * n);
  ct_DerivativeMatrices all = {A, NULL, NULL, NULL}, one = {B, NULL, NULL, NULL};
  mjData* d = mj_makeData(model);
  good(ct_batch_derivative(batch, NULL, NULL, &all, NULL, NULL));
  good(ct_batch_get_data(batch, 0, NULL, d));
  assert_int_equal(ct_derivative(model, d, NULL, &one, NULL), 0);
  assert_memory_equal(A, B, n * n * sizeof(mjtNum));
  mj_deleteData(d);
  free(A);
  free(B);
}

static void noise_and_saved_batches_go_through(void** state) {
  (void)state;
  mjtNum time[N];
  good(ct_batch_noise(batch, "time", NULL, CT_NOISE_NORMAL, CT_NOISE_SET, third, 1));
  size_t size = ct_batch_saved_size(batch);
  char* bytes = (char*)malloc(size);
  good(ct_batch_save(batch, bytes, size));
  good(ct_batch_reset(batch, NULL));
  good(ct_batch_restore(batch, bytes, size));
  good(ct_batch_get(batch, "time", NULL, time));
  for (int i = 0; i < N; i++) assert_true(time[i] == in_float(third + 1));
  mjtNum drawn[2], again[2];
  good(ct_batch_draw(batch, 1, CT_NOISE_UNIFORM, 0, 1, drawn, 2));
  good(ct_batch_draw(batch, 1, CT_NOISE_UNIFORM, 0, 1, again, 2));
  assert_true(drawn[0] != again[0] && drawn[1] != again[1]);  // the counter went on
  free(bytes);
}

// A function that raises an error flags its environment; the others go on.
static void fail_in_one(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)argument;
  if (environment == 2) mju_error("this one is bad");
  d->qvel[0] = 7;
}

static void an_error_in_a_function_harms_one_environment_only(void** state) {
  (void)state;
  size_t nv = (size_t)model->nv;
  mjtNum* qvel = numbers(N * nv);
  int status[N];
  good(ct_batch_apply(batch, NULL, fail_in_one, NULL, 1));
  good(ct_batch_get(batch, "qvel", NULL, qvel));
  good(ct_batch_get(batch, "status", NULL, status));
  for (int i = 0; i < N; i++) {
    assert_true(qvel[(size_t)i * nv] == (i == 2 ? 0 : 7));
    assert_int_equal(status[i], i == 2 ? CT_BAD_MODEL : 0);
  }
  assert_true(strstr(ct_batch_reason(batch, 2), "this one is bad") != NULL);
  free(qvel);
}

static void fail_in_most(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d, (void)argument;
  if (environment != 1) mju_error("number %d is bad", environment);
}

static void every_environment_has_the_words_of_its_own_error(void** state) {
  (void)state;
  for (int again = 0; again < 2; again++) {
    good(ct_batch_apply(batch, NULL, fail_in_most, NULL, 0));
    assert_int_equal(ct_batch_failed(batch), N - 1);
    assert_true(strstr(ct_batch_reason(batch, 0), "number 0 is bad") != NULL);
    assert_string_equal(ct_batch_reason(batch, 1), "");
    assert_true(strstr(ct_batch_reason(batch, 2), "number 2 is bad") != NULL);
    assert_true(strstr(ct_batch_reason(batch, 3), "number 3 is bad") != NULL);
  }
}

// What is said to be needed where environment 1 has found no room.
static mjtSize needed_at(ct_Batch* b, const mjtNum* qpos) {
  const int full[N] = {0, CT_ARENA_FULL, 0, 0};
  ct_BatchCounts counts;
  assert_int_equal(ct_batch_set(b, "qpos", NULL, qpos), CT_BATCH_OK);
  assert_int_equal(ct_batch_set(b, "status", NULL, full), CT_BATCH_OK);
  assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
  return counts.arena_needed;
}

// The host makes the step with one lane; several of a GPU take more scratch.
static void lanes_count_in_the_arena_that_is_called_needed(void** state) {
  (void)state;
  mjData* d = mj_makeData(model);
  size_t nq = (size_t)model->nq;
  mjtNum* qpos = numbers(N * nq);
  ct_Batch* host = make_batch(model, N, 1);
  for (int i = 0; i < 600; i++) mj_step(model, d);  // it lies on the ground
  for (size_t i = 0; i < N * nq; i++) qpos[i] = in_float(d->qpos[i % nq]);
  mjtSize here = needed_at(host, qpos), there = needed_at(batch, qpos);
  mjtSize rows = d->nefc * (mjtSize)(3 * sizeof(int) + 4 * sizeof(mjtNum));
  assert_true(d->nefc > 0 && there > here + rows && there < here + 4 * rows + 8192);
  free(qpos);
  ct_batch_destroy(host);
  mj_deleteData(d);
}

static void a_restored_seed_reaches_the_device(void** state) {
  (void)state;
  mjtNum time[N];
  size_t size = ct_batch_saved_size(batch);
  char* bytes = (char*)malloc(size);
  good(ct_batch_save(batch, bytes, size));
  ct_BatchOptions options = *ct_batch_options(batch);
  options.seed = 77;
  char error[300];
  ct_Batch* other = ct_batch_create(model, N, &options, error, sizeof(error));
  if (!other) fail_msg("%s", error);
  good(ct_batch_restore(other, bytes, size));
  // this device gives the seed instead of numbers for a spread of zero
  good(ct_batch_noise(other, "time", NULL, CT_NOISE_NORMAL, CT_NOISE_SET, 0, 0));
  good(ct_batch_get(other, "time", NULL, time));
  for (int i = 0; i < N; i++) assert_true(time[i] == 0);
  ct_batch_destroy(other);
  free(bytes);
}

static void refusals_have_the_devices_words(void** state) {
  (void)state;
  expect_refusal(batch, ct_batch_vary(batch, "dof_damping"), CT_BATCH_UNSUPPORTED,
                 "the device says no");
}

#define ON_DEVICE(test_) cmocka_unit_test_setup_teardown(test_, make, destroy)

int main(void) {
  const struct CMUnitTest tests[] = {
      ON_DEVICE(options_say_what_was_made),
      ON_DEVICE(matrices_are_narrowed_and_widened),
      ON_DEVICE(integers_stay_as_they_are),
      ON_DEVICE(views_have_floats),
      ON_DEVICE(models_come_narrowed_and_vary),
      ON_DEVICE(rollouts_go_through),
      ON_DEVICE(resets_take_states),
      ON_DEVICE(environments_come_and_go),
      ON_DEVICE(derivatives_come_from_the_host),
      ON_DEVICE(noise_and_saved_batches_go_through),
      ON_DEVICE(an_error_in_a_function_harms_one_environment_only),
      ON_DEVICE(every_environment_has_the_words_of_its_own_error),
      ON_DEVICE(lanes_count_in_the_arena_that_is_called_needed),
      ON_DEVICE(a_restored_seed_reaches_the_device),
      ON_DEVICE(refusals_have_the_devices_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif  // CT_FLOAT_DEVICE
