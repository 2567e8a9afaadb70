// R10.5, R11.1: what goes wrong in some environments on a GPU is said of those, and leaves the bits
// of all others alone; streams and memory of the caller. Skipped where there is no GPU, or no
// libcorten_cuda.so (`make cuda`).

#include <corten/batch.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "batch/pairs.h"
#include "support/fail.h"
#include "support/models.h"

// A batch on the GPU in this precision, or NULL, if kernels of that precision are not there.
static ct_Batch* make_in(const mjModel* m, int precision, mjtSize arena) {
  char error[500];
  ct_BatchOptions o = ct_default_batch_options();
  o.backend = CT_BACKEND_GPU;
  o.required = 1;
  o.precision = precision;
  o.arena = arena;
  ct_Batch* b = ct_batch_create(m, N, &o, error, sizeof(error));
  if (!b && precision == CT_PRECISION_STRICT) fail_msg("%s", error);
  if (!b) printf("skipped: %s\n", error);
  return b;
}

static void must(ct_Batch* b, int code) {
  if (code) fail_msg("%s", ct_batch_error(b));
}

// qpos of one that has fallen; all limbs touch the ground.
static void lie_down(const mjModel* m, mjtNum* qpos) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 600; i++) mj_step(m, d);
  assert_true(d->ncon > 3);
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_deleteData(d);
}

// Environments 0 to 3 fly; the last one lies, if there is a pose.
static void place(ct_Batch* b, const mjModel* m, const mjtNum* lying) {
  size_t nq = (size_t)m->nq;
  mjtNum* qpos = (mjtNum*)calloc(N * nq, sizeof(mjtNum));
  must(b, ct_batch_get(b, "qpos", NULL, qpos));
  for (size_t i = 0; i < N; i++) qpos[i * nq + 2] = 10 + (mjtNum)i;
  if (lying) memcpy(qpos + (N - 1) * nq, lying, nq * sizeof(mjtNum));
  must(b, ct_batch_set(b, "qpos", NULL, qpos));
  free(qpos);
}

static void control(ct_Batch* b, const mjModel* m, int t) {
  size_t nu = (size_t)m->nu;
  mjtNum* ctrl = (mjtNum*)calloc(N * nu + 1, sizeof(mjtNum));
  for (int i = 0; i < N; i++) choose_controls(m, ctrl + (size_t)i * nu, i, t);
  must(b, ct_batch_set(b, "ctrl", NULL, ctrl));
  free(ctrl);
}

// An arena in which flying environments are stepped, and no more: what is said to be needed when
// there is next to nothing.
static mjtSize arena_to_fly(const mjModel* m, int precision) {
  ct_Batch* b = make_in(m, precision, 1024);
  ct_BatchCounts counts = {0};
  if (!b) return 0;
  place(b, m, NULL);
  must(b, ct_batch_step(b, NULL, 1));
  assert_int_equal(ct_batch_failed(b), N);
  must(b, ct_batch_counts(b, &counts));
  ct_batch_destroy(b);
  return counts.arena_needed * 5 / 4;  // joints may come to their limits
}

static void set_one(ct_Batch* b, const char* field, int environment, int element, double value) {
  size_t size = (size_t)ct_batch_field_size(b, field, NULL);
  mjtNum* x = (mjtNum*)calloc(N * size, sizeof(mjtNum));
  mjtByte mask[N] = {0};
  mask[environment] = 1;
  must(b, ct_batch_get(b, field, NULL, x));
  x[(size_t)environment * size + (size_t)element] = (mjtNum)value;
  must(b, ct_batch_set(b, field, mask, x));
  free(x);
}

static void expect_same_row(ct_Batch* a, ct_Batch* b, const mjModel* m, int environment) {
  size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum *x = (mjtNum*)calloc(N * size, sizeof(mjtNum)),
         *y = (mjtNum*)calloc(N * size, sizeof(mjtNum));
  must(a, ct_batch_get_state(a, mjSTATE_INTEGRATION, NULL, x));
  must(b, ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, y));
  size_t at = (size_t)environment * size;
  assert_memory_equal(x + at, y + at, size * sizeof(mjtNum));
  free(x);
  free(y);
}

// Environment 0 gets bad velocities, 1 is left out for a while, 2 has a gravity of its own, 4 has
// contacts that its arena has no room for. Beside it a batch without any of that; 3 is as there,
// and 1 and 2 are as in one that has only their peculiarity.
static void trouble_in_some(int precision) {
  mjModel* m = recorded_model("humanoid");
  mjtNum* lying = (mjtNum*)calloc((size_t)m->nq, sizeof(mjtNum));
  mjtNum gravity[3 * N];
  lie_down(m, lying);
  mjtSize arena = arena_to_fly(m, precision);
  if (!arena) {
    free(lying);
    mj_deleteModel(m);
    skip();
  }
  for (int i = 0; i < 3 * N; i++) gravity[i] = m->opt.gravity[i % 3] * (i / 3 == 2 ? 2 : 1);
  ct_Batch *b = make_in(m, precision, arena), *calm = make_in(m, precision, m->narena);
  place(b, m, lying);
  place(calm, m, NULL);
  must(b, ct_batch_set(b, "opt.gravity", NULL, gravity));
  must(calm, ct_batch_set(calm, "opt.gravity", NULL, gravity));
  for (int t = 0; t < 14; t++) {
    bool away = t >= 4 && t < 9;
    mjtByte mask[N] = {1, !away, 1, 1, 1};
    int status[N];
    control(b, m, t);
    control(calm, m, t);
    if (t == 3) set_one(b, "qvel", 0, 5, NAN);
    if (t == 6) set_one(b, "qpos", 0, 1, 1e12);
    must(b, ct_batch_step(b, mask, 2));
    must(calm, ct_batch_step(calm, mask, 2));
    must(b, ct_batch_get(b, "status", NULL, status));
    for (int i = 0; i < N; i++) {
      int bad = i == 0 && t == 3   ? CT_BAD_QVEL
                : i == 0 && t == 6 ? CT_BAD_QPOS
                : i == 4 && t == 0 ? CT_ARENA_FULL
                                   : 0;
      if (i != 4 || t == 0) assert_int_equal(status[i], bad);
    }
    if (t == 3) assert_true(strstr(ct_batch_reason(b, 0), "environment 0: bad qvel") != NULL);
    if (t == 0) assert_true(strstr(ct_batch_reason(b, 4), "options.arena") != NULL);
    for (int i = 1; i < 4; i++) expect_same_row(b, calm, m, i);
    if (t == 3 || t == 6) {  // what is reset by itself would stand on the ground
      must(b, ct_batch_reset_one(b, 0));
      set_one(b, "qpos", 0, 2, 10);
    }
    if (t == 0) place(b, m, NULL);  // 4 rises again
    if (t == 0) place(calm, m, NULL);
  }
  ct_batch_destroy(b);
  ct_batch_destroy(calm);
  free(lying);
  mj_deleteModel(m);
}

static void trouble_in_some_leaves_the_others_alone(void** state) {
  (void)state;
  NEEDS_GPU();
  trouble_in_some(CT_PRECISION_STRICT);
}

static void trouble_in_float_leaves_the_others_alone(void** state) {
  (void)state;
  NEEDS_GPU();
  trouble_in_some(CT_PRECISION_FLOAT);
}

// What ct_batch_counts says of the environment that found no room.
static void arena_needed_suffices(int precision) {
  mjModel* m = recorded_model("humanoid");
  mjtNum* lying = (mjtNum*)calloc((size_t)m->nq, sizeof(mjtNum));
  lie_down(m, lying);
  mjtSize arena = arena_to_fly(m, precision);
  ct_BatchCounts counts = {0};
  for (int again = 0; arena && again < 2; again++) {
    ct_Batch* b = make_in(m, precision, again ? counts.arena_needed : arena);
    place(b, m, lying);
    must(b, ct_batch_step(b, NULL, 1));
    assert_int_equal(ct_batch_failed(b), again ? 0 : 1);
    if (!again) must(b, ct_batch_counts(b, &counts));
    if (!again) assert_true(counts.arena_needed > arena);
    ct_batch_destroy(b);
  }
  free(lying);
  mj_deleteModel(m);
  if (!arena) skip();
}

static void the_arena_that_is_called_needed_suffices(void** state) {
  (void)state;
  NEEDS_GPU();
  arena_needed_suffices(CT_PRECISION_STRICT);
}

static void the_arena_that_is_called_needed_suffices_in_float(void** state) {
  (void)state;
  NEEDS_GPU();
  arena_needed_suffices(CT_PRECISION_FLOAT);
}

// Streams and memory of the caller

// The driver, which is there if the GPU is.
typedef struct {
  void* library;
  int (*make_stream)(void** stream, unsigned flags);
  int (*free_stream)(void* stream);
  int (*allocate)(unsigned long long* at, size_t bytes);
  int (*release)(unsigned long long at);
  int (*to_device)(unsigned long long to, const void* from, size_t bytes);
  int (*to_host)(void* to, unsigned long long from, size_t bytes);
  int (*wait)(void* stream);
} Driver;

static void find(const Driver* driver, const char* name, void* function) {
  void* found = dlsym(driver->library, name);
  if (!found) fail_msg("the driver has no %s", name);
  memcpy(function, &found, sizeof(found));
}

static Driver open_driver(void) {
  Driver d = {dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), 0, 0, 0, 0, 0, 0, 0};
  if (!d.library) fail_msg("%s", dlerror());
  find(&d, "cuStreamCreate", &d.make_stream);
  find(&d, "cuStreamDestroy_v2", &d.free_stream);
  find(&d, "cuMemAlloc_v2", &d.allocate);
  find(&d, "cuMemFree_v2", &d.release);
  find(&d, "cuMemcpyHtoD_v2", &d.to_device);
  find(&d, "cuMemcpyDtoH_v2", &d.to_host);
  find(&d, "cuStreamSynchronize", &d.wait);
  return d;
}

// R10.3, R11.1: controls in and states out of device memory, on a stream of the caller, have the
// bits of those through the host.
static void streams_and_device_memory_are_the_callers(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  Driver driver = open_driver();
  void* stream;
  unsigned long long controls, states;
  size_t nu = (size_t)m->nu, size = (size_t)mj_stateSize(m, mjSTATE_PHYSICS);
  mjtNum* ctrl = (mjtNum*)calloc(N * nu, sizeof(mjtNum));
  mjtNum *a = (mjtNum*)calloc(N * size, sizeof(mjtNum)),
         *b = (mjtNum*)calloc(N * size, sizeof(mjtNum));
  assert_int_equal(driver.make_stream(&stream, 1), 0);
  assert_int_equal(driver.allocate(&controls, N * nu * sizeof(mjtNum)), 0);
  assert_int_equal(driver.allocate(&states, N * size * sizeof(mjtNum)), 0);
  disturb_both(p);
  assert_int_equal(ct_batch_set_stream(p->gpu, stream), CT_BATCH_OK);
  expect_refusal(p->cpu, ct_batch_set_stream(p->cpu, stream), CT_BATCH_UNSUPPORTED, "stream");
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < N; i++) choose_controls(m, ctrl + (size_t)i * nu, i, t);
    assert_int_equal(driver.to_device(controls, ctrl, N * nu * sizeof(mjtNum)), 0);
    assert_int_equal(ct_batch_follow_stream(p->gpu, NULL), CT_BATCH_OK);
    BOTH(ct_batch_set(p->cpu, "ctrl", NULL, ctrl),
         ct_batch_set(p->gpu, "ctrl", NULL, (const void*)(uintptr_t)controls));
    step_both(p, NULL, 5);
    BOTH(ct_batch_get_state(p->cpu, mjSTATE_PHYSICS, NULL, a),
         ct_batch_get_state(p->gpu, mjSTATE_PHYSICS, NULL, (mjtNum*)(uintptr_t)states));
    if (t % 2) {
      assert_int_equal(driver.wait(stream), 0);
    } else {  // the copy is made on the default stream, for which this one does not wait by itself
      assert_int_equal(ct_batch_lead_stream(p->gpu, NULL), CT_BATCH_OK);
    }
    assert_int_equal(driver.to_host(b, states, N * size * sizeof(mjtNum)), 0);
    expect_same_matrix(p, "the state", (const char*)a, (const char*)b, size * sizeof(mjtNum));
  }
  assert_int_equal(ct_batch_set_stream(p->gpu, NULL), CT_BATCH_OK);
  step_both(p, NULL, 3);
  expect_same(p);
  driver.release(controls);
  driver.release(states);
  driver.free_stream(stream);
  free(ctrl);
  free(a);
  free(b);
  free_pair(p);
  dlclose(driver.library);
  mj_deleteModel(m);
}

// A copy has the state, the kept arrays and what varies; its contacts come with its next step.
static void a_copy_goes_on_as_what_it_was_made_of(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  BOTH(ct_batch_keep(p->cpu, "xpos"), ct_batch_keep(p->gpu, "xpos"));
  BOTH(ct_batch_keep(p->cpu, "ncon"), ct_batch_keep(p->gpu, "ncon"));
  disturb_both(p);
  step_both(p, NULL, 150);
  BOTH(ct_batch_copy(p->cpu, 1, 3), ct_batch_copy(p->gpu, 1, 3));
  expect_same_field_of_both(p, "xpos");
  expect_same(p);
  step_both(p, NULL, 1);
  expect_same_field_of_both(p, "ncon");
  expect_same_row(p->gpu, p->cpu, m, 3);
  free_pair(p);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trouble_in_some_leaves_the_others_alone),
      cmocka_unit_test(trouble_in_float_leaves_the_others_alone),
      cmocka_unit_test(the_arena_that_is_called_needed_suffices),
      cmocka_unit_test(the_arena_that_is_called_needed_suffices_in_float),
      cmocka_unit_test(streams_and_device_memory_are_the_callers),
      cmocka_unit_test(a_copy_goes_on_as_what_it_was_made_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
