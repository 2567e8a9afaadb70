// Noise comes from a counter: the same for any number of threads and any order of calls, and with
// the distribution that it should have.

#include <corten/batch.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "batch/philox.h"
#include "support/fail.h"
#include "support/models.h"

// The vectors that the authors of Philox publish with their code (kat_vectors: philox4x32, 10
// rounds).
static void philox_gives_the_published_blocks(void** state) {
  (void)state;
  const ct_RandomBlock zero = {{0, 0, 0, 0}};
  const ct_RandomBlock ones = {{~0u, ~0u, ~0u, ~0u}};
  const ct_RandomBlock pi = {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}};
  const uint32_t want[3][4] = {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u},
                               {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu},
                               {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}};
  ct_RandomBlock got[3] = {ct_philox(zero, 0, 0), ct_philox(ones, ~0u, ~0u),
                           ct_philox(pi, 0xa4093822u, 0x299f31d0u)};
  for (int i = 0; i < 3; i++) assert_memory_equal(got[i].word, want[i], sizeof(want[i]));
}

static void numbers_have_their_distribution(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, 2, 1);
  enum { MANY = 20000 };
  mjtNum* x = (mjtNum*)malloc(MANY * sizeof(mjtNum));
  assert_int_equal(ct_batch_draw(b, 0, CT_NOISE_UNIFORM, 2, 6, x, MANY), CT_BATCH_OK);
  double sum = 0, square = 0;
  for (int i = 0; i < MANY; i++) {
    assert_true(x[i] >= 2 && x[i] < 6);
    sum += (double)x[i];
    square += (double)(x[i] * x[i]);
  }
  double mean = sum / MANY, variance = square / MANY - mean * mean;
  assert_true(fabs(mean - 4) < 0.03 && fabs(variance - 16. / 12) < 0.03);
  assert_int_equal(ct_batch_draw(b, 1, CT_NOISE_NORMAL, 1, 3, x, MANY), CT_BATCH_OK);
  sum = square = 0;
  double fourth = 0;
  for (int i = 0; i < MANY; i++) {
    double z = ((double)x[i] - 1) / 3;
    sum += z;
    square += z * z;
    fourth += z * z * z * z;
  }
  assert_true(fabs(sum / MANY) < 0.03 && fabs(square / MANY - 1) < 0.04);
  assert_true(fabs(fourth / MANY - 3) < 0.3);
  free(x);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// A batch of environments 2 to 4 of five draws what they would.
static void parts_of_a_batch_draw_what_the_whole_would(void** state) {
  (void)state;
  enum { ALL = 5, FIRST = 2, PART = 3 };
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.seed = 9;
  ct_Batch* whole = ct_batch_create(m, ALL, &options, NULL, 0);
  options.first = FIRST;
  ct_Batch* part = ct_batch_create(m, PART, &options, NULL, 0);
  assert_non_null(whole);
  assert_non_null(part);
  ct_BatchView a, b;
  assert_int_equal(ct_batch_noise(whole, "ctrl", NULL, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, 1), 0);
  assert_int_equal(ct_batch_noise(part, "ctrl", NULL, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, 1), 0);
  ct_batch_view(whole, "ctrl", &a);
  ct_batch_view(part, "ctrl", &b);
  mjtNum x[7], y[7];
  for (int i = 0; i < PART; i++) {
    assert_memory_equal((char*)a.data + (size_t)(FIRST + i) * a.stride,
                        (char*)b.data + (size_t)i * b.stride, (size_t)a.size * sizeof(mjtNum));
    ct_batch_draw(whole, FIRST + i, CT_NOISE_UNIFORM, 0, 1, x, 7);
    ct_batch_draw(part, i, CT_NOISE_UNIFORM, 0, 1, y, 7);
    assert_memory_equal(x, y, sizeof(x));
  }
  options.first = -1;
  char error[200];
  assert_null(ct_batch_create(m, PART, &options, error, sizeof(error)));
  assert_non_null(strstr(error, "first"));
  ct_batch_destroy(whole);
  ct_batch_destroy(part);
  mj_deleteModel(m);
}

static void draw_in_hook(const mjModel* m, mjData* d, int environment, void* argument) {
  ct_batch_draw((ct_Batch*)argument, environment, CT_NOISE_NORMAL, 0, 1, d->qvel, (int)m->nv);
}

// State after the same calls, by batches with different threads and masks in another order.
static void noise_does_not_depend_on_threads_or_order(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 9 };
  size_t bytes = N * (size_t)mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum);
  mjtNum *first = (mjtNum*)malloc(bytes), *got = (mjtNum*)malloc(bytes);
  for (int threads = 1; threads <= 4; threads++) {
    ct_BatchOptions options = ct_default_batch_options();
    options.threads = threads;
    options.seed = 123;
    ct_Batch* b = ct_batch_create(m, N, &options, NULL, 0);
    const ct_BatchHooks hooks = {NULL, draw_in_hook, b};
    ct_batch_set_hooks(b, &hooks);
    ct_batch_reset(b, NULL);
    mjtByte even[N], odd[N];
    for (int i = 0; i < N; i++) even[i] = !(odd[i] = (mjtByte)(i % 2));
    const mjtByte* order[2] = {threads % 2 ? even : odd, threads % 2 ? odd : even};
    for (int t = 0; t < 5; t++) {
      for (int k = 0; k < 2; k++) {
        ct_batch_noise(b, "ctrl", order[k], CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1);
        ct_batch_noise(b, "qpos", order[k], CT_NOISE_NORMAL, CT_NOISE_ADD, 0, (mjtNum)0.01);
        ct_batch_step(b, order[k], 1);
      }
    }
    ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, threads == 1 ? first : got);
    if (threads > 1) assert_memory_equal(got, first, bytes);
    mjtSize drawn[N];
    ct_batch_get(b, "noise", NULL, drawn);
    for (int i = 0; i < N; i++) assert_int_equal(drawn[i], m->nv + 5 * (m->nu + m->nq));
    ct_batch_destroy(b);
  }
  size_t row = bytes / N / sizeof(mjtNum);
  assert_memory_not_equal(first, first + row, row * sizeof(mjtNum));
  free(first);
  free(got);
  mj_deleteModel(m);
}

static void quaternions_stay_unit(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, 3, 1);
  ct_batch_noise(b, "qpos", NULL, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, 1);
  ct_BatchView qpos;
  ct_batch_view(b, "qpos", &qpos);
  for (int i = 0; i < 3; i++) {
    const mjtNum* q = (mjtNum*)((char*)qpos.data + (size_t)i * qpos.stride) + 3;
    assert_true(fabs((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1) < 1e-6);
  }
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void models_can_be_disturbed_too(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 4 };
  size_t n = (size_t)m->nbody;
  ct_Batch* b = make_batch(m, N, 1);
  assert_int_equal(ct_batch_noise(b, "body_mass", NULL, CT_NOISE_UNIFORM, CT_NOISE_SCALE,
                                  (mjtNum)0.8, (mjtNum)1.2),
                   CT_BATCH_OK);
  mjtNum* mass = (mjtNum*)malloc(N * n * sizeof(mjtNum));
  ct_batch_get(b, "body_mass", NULL, mass);
  for (size_t k = 0; k < N * n; k++) {
    mjtNum was = m->body_mass[k % n];
    assert_true(mass[k] >= (mjtNum)0.79 * was && mass[k] <= (mjtNum)1.21 * was);
  }
  assert_true(mass[1] != mass[n + 1]);
  ct_BatchView rgba;
  assert_int_equal(ct_batch_noise(b, "geom_rgba", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, 0, 1),
                   CT_BATCH_OK);
  assert_int_equal(ct_batch_view(b, "geom_rgba", &rgba), CT_BATCH_OK);
  assert_true(((float*)rgba.data)[0] != ((float*)rgba.data)[1]);
  const int bad = CT_BATCH_BAD_ARGUMENT;
  expect_refusal(b, ct_batch_noise(b, "geom_condim", NULL, 0, 0, 0, 1), bad, "integers");
  expect_refusal(b, ct_batch_noise(b, "xpos", NULL, 0, 0, 0, 1), bad, "ct_batch_keep");
  expect_refusal(b, ct_batch_noise(b, "qpos", NULL, 5, 0, 0, 1), bad, "noise 5");
  expect_refusal(b, ct_batch_noise(b, "qpos", NULL, 0, 5, 0, 1), bad, "use 5");
  expect_refusal(b, ct_batch_noise(b, "qpos", NULL, 0, 0, (mjtNum)NAN, 1), bad, "finite");
  expect_refusal(b, ct_batch_noise(b, "qpos", NULL, 1, 1, 0, (mjtNum)INFINITY), bad, "finite");
  expect_refusal(b, ct_batch_draw(b, 0, 0, (mjtNum)-INFINITY, 1, mass, 1), bad, "finite");
  expect_refusal(b, ct_batch_draw(b, N, 0, 0, 1, mass, 1), bad, "ct_batch_draw");
  free(mass);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Finite numbers whose distance is not.
static void ranges_that_are_too_wide_are_refused(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, 2, 1);
  const mjtNum most = sizeof(mjtNum) == sizeof(double) ? (mjtNum)DBL_MAX : (mjtNum)FLT_MAX;
  mjtNum x[50], before[2], after[2];
  mjtSize drawn[2];
  assert_int_equal(m->nv, 1);
  assert_int_equal(ct_batch_get(b, "qvel", NULL, before), CT_BATCH_OK);
  expect_refusal(b, ct_batch_noise(b, "qvel", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -most, most),
                 CT_BATCH_BAD_ARGUMENT, "does not reach that far");
  expect_refusal(b, ct_batch_draw(b, 0, CT_NOISE_UNIFORM, most, -most / 8, x, 50),
                 CT_BATCH_BAD_ARGUMENT, "does not reach that far");
  assert_int_equal(ct_batch_get(b, "qvel", NULL, after), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(b, "noise", NULL, drawn), CT_BATCH_OK);
  assert_memory_equal(before, after, sizeof(before));
  assert_true(drawn[0] == 0 && drawn[1] == 0);
  assert_int_equal(ct_batch_draw(b, 0, CT_NOISE_UNIFORM, -most / 2, most / 2, x, 50), CT_BATCH_OK);
  for (int i = 0; i < 50; i++) assert_true(x[i] >= -most / 2 && x[i] <= most / 2);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(philox_gives_the_published_blocks),
      cmocka_unit_test(numbers_have_their_distribution),
      cmocka_unit_test(parts_of_a_batch_draw_what_the_whole_would),
      cmocka_unit_test(noise_does_not_depend_on_threads_or_order),
      cmocka_unit_test(quaternions_stay_unit),
      cmocka_unit_test(models_can_be_disturbed_too),
      cmocka_unit_test(ranges_that_are_too_wide_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
