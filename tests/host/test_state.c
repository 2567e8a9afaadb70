// R0.1 R14.1: the state of an mjData as a vector and as a keyframe, against what the reference
// recorded.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/state.h"
#include "support/recorded.h"

#define EVERYTHING mjSTATE_INTEGRATION

// The parts of a recorded model and data that have to do with the state.
typedef struct {
  Recorded* recorded;
  mjModel* m;
  mjData* d;
} Fixture;

static char message[1024];

static void remember(const char* text) {
  snprintf(message, sizeof(message), "%s", text);
}

static mjtNum* numbers(const Recorded* r, const char* name, size_t* count) {
  size_t n;
  const double* values = recorded_doubles(r, name, &n);
  if (!values) fail_msg("%s is not recorded", name);
  mjtNum* copy = (mjtNum*)malloc((n + 1) * sizeof(mjtNum));
  for (size_t i = 0; i < n; i++) copy[i] = (mjtNum)values[i];
  if (count) *count = n;
  return copy;
}

// The arrays of an mjData that make up its state, in the order of their bits; eq_active is of
// bytes.
static mjtNum** number_array(mjData* d, int i) {
  mjtNum** const arrays[] = {
      &d->qpos,       &d->qvel,         &d->act,          &d->history, &d->qacc_warmstart,
      &d->ctrl,       &d->qfrc_applied, &d->xfrc_applied, NULL,        &d->mocap_pos,
      &d->mocap_quat, &d->userdata,     &d->plugin_state};
  return arrays[i];
}

static const char* const array_names[] = {
    "zoo/qpos",       "zoo/qvel",         "zoo/act",          "zoo/history",   "zoo/qacc_warmstart",
    "zoo/ctrl",       "zoo/qfrc_applied", "zoo/xfrc_applied", "zoo/eq_active", "zoo/mocap_pos",
    "zoo/mocap_quat", "zoo/userdata",     "zoo/plugin_state"};

#define NARRAY (int)(sizeof(array_names) / sizeof(array_names[0]))
#define EQ_ACTIVE 8

static mjData* recorded_data(const Recorded* r) {
  mjData* d = (mjData*)calloc(1, sizeof(mjData));
  d->time = (mjtNum)recorded_doubles(r, "zoo/time", NULL)[0];
  for (int i = 0; i < NARRAY; i++) {
    if (i != EQ_ACTIVE) *number_array(d, i) = numbers(r, array_names[i], NULL);
  }
  size_t n;
  const int* active = recorded_ints(r, array_names[EQ_ACTIVE], &n);
  d->eq_active = (mjtByte*)malloc(n);
  for (size_t i = 0; i < n; i++) d->eq_active[i] = (mjtByte)active[i];
  return d;
}

static void delete_data(mjData* d) {
  for (int i = 0; i < NARRAY; i++) {
    if (i != EQ_ACTIVE) free(*number_array(d, i));
  }
  free(d->eq_active);
  free(d);
}

static mjtNum** key_array(mjModel* m, int i) {
  mjtNum** const arrays[] = {&m->key_time, &m->key_qpos,  &m->key_qvel, &m->key_act,
                             &m->key_mpos, &m->key_mquat, &m->key_ctrl};
  return arrays[i];
}

static const char* const key_names[] = {"key_time", "key_qpos",  "key_qvel", "key_act",
                                        "key_mpos", "key_mquat", "key_ctrl"};

static int set_up(void** state) {
  Fixture* f = (Fixture*)calloc(1, sizeof(Fixture));
  f->recorded = recorded_open("names_state.rec");
  f->m = (mjModel*)calloc(1, sizeof(mjModel));
  const int* counts = recorded_ints(f->recorded, "zoo/counts", NULL);
  const int* sizes = recorded_ints(f->recorded, "zoo/sizes", NULL);
  f->m->nbody = counts[0], f->m->neq = counts[14], f->m->nu = counts[16], f->m->nkey = counts[21];
  f->m->nq = sizes[0], f->m->nv = sizes[1], f->m->na = sizes[2], f->m->nhistory = sizes[3];
  f->m->nmocap = sizes[4], f->m->nuserdata = sizes[5], f->m->npluginstate = sizes[6];
  for (int i = 0; i < 7; i++) {
    char name[64];
    snprintf(name, sizeof(name), "zoo/before/%s", key_names[i]);
    *key_array(f->m, i) = numbers(f->recorded, name, NULL);
  }
  f->d = recorded_data(f->recorded);
  mju_user_error = remember;
  message[0] = 0;
  *state = f;
  return 0;
}

static int tear_down(void** state) {
  Fixture* f = (Fixture*)*state;
  for (int i = 0; i < 7; i++) free(*key_array(f->m, i));
  delete_data(f->d);
  free(f->m);
  recorded_close(f->recorded);
  free(f);
  mju_clearHandlers();
  return 0;
}

static void expect_equal(const mjtNum* a, const mjtNum* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) fail_msg("entry %zu is %.17g, expected %.17g", i, (double)a[i], (double)b[i]);
  }
}

static void vectors_are_those_of_the_reference(void** state) {
  Fixture* f = (Fixture*)*state;
  size_t nsig;
  const int* sig = recorded_ints(f->recorded, "zoo/signatures", &nsig);
  assert_true(nsig > 20);
  for (size_t i = 0; i < nsig; i++) {
    char name[64];
    size_t size;
    snprintf(name, sizeof(name), "zoo/state%d", sig[i]);
    mjtNum* expected = numbers(f->recorded, name, &size);
    assert_int_equal(mj_stateSize(f->m, sig[i]), size);
    mjtNum* vector = (mjtNum*)malloc((size + 1) * sizeof(mjtNum));
    vector[size] = 42;
    mj_getState(f->m, f->d, vector, sig[i]);
    expect_equal(vector, expected, size);
    assert_true(vector[size] == 42);
    free(vector);
    free(expected);
  }
}

// Fills all of a state with numbers that differ from the recorded ones.
static mjtNum* another_state(const Fixture* f) {
  int size = mj_stateSize(f->m, EVERYTHING);
  mjtNum* vector = (mjtNum*)malloc((size_t)size * sizeof(mjtNum));
  for (int i = 0; i < size; i++) vector[i] = (mjtNum)(100 + i % 150);  // bytes must hold them too
  return vector;
}

// Setting the elements of sig changes them and leaves all others.
static void setting_changes_only_what_is_named(void** state) {
  Fixture* f = (Fixture*)*state;
  mjtNum* vector = another_state(f);
  size_t size = (size_t)mj_stateSize(f->m, EVERYTHING);
  mjtNum* before = (mjtNum*)malloc(size * sizeof(mjtNum));
  mjtNum* after = (mjtNum*)malloc(size * sizeof(mjtNum));
  for (int bit = 0; bit < mjNSTATE; bit++) {
    mjData* d = recorded_data(f->recorded);
    mj_getState(f->m, d, before, EVERYTHING);
    mj_setState(f->m, d, vector, 1 << bit);
    mj_getState(f->m, d, after, EVERYTHING);
    size_t start = (size_t)mj_stateSize(f->m, (1 << bit) - 1);
    size_t end = (size_t)mj_stateSize(f->m, (2 << bit) - 1);
    expect_equal(after, before, start);
    expect_equal(after + start, vector, end - start);
    expect_equal(after + end, before + end, size - end);
    delete_data(d);
  }
  free(vector), free(before), free(after);
}

static void getting_gives_back_what_was_set(void** state) {
  Fixture* f = (Fixture*)*state;
  mjtNum* vector = another_state(f);
  size_t size = (size_t)mj_stateSize(f->m, EVERYTHING);
  mjtNum* result = (mjtNum*)malloc(size * sizeof(mjtNum));
  mj_setState(f->m, f->d, vector, EVERYTHING);
  mj_getState(f->m, f->d, result, EVERYTHING);
  expect_equal(result, vector, size);
  free(vector), free(result);
}

static void numbers_become_bytes_as_in_the_reference(void** state) {
  Fixture* f = (Fixture*)*state;
  size_t n;
  const double* x = recorded_doubles(f->recorded, "zoo/numbers", &n);
  const int* expected = recorded_ints(f->recorded, "zoo/as_bytes", NULL);
  f->m->neq = 1;
  for (size_t i = 0; i < n; i++) {
    mjtNum number = (mjtNum)x[i];
    mj_setState(f->m, f->d, &number, mjSTATE_EQ_ACTIVE);
    assert_int_equal(f->d->eq_active[0], expected[i]);
  }
}

static void copying_equals_getting_and_setting(void** state) {
  Fixture* f = (Fixture*)*state;
  mjtNum* vector = another_state(f);
  size_t size = (size_t)mj_stateSize(f->m, EVERYTHING);
  mjtNum* one = (mjtNum*)malloc(size * sizeof(mjtNum));
  mjtNum* two = (mjtNum*)malloc(size * sizeof(mjtNum));
  const int signatures[] = {0, mjSTATE_PHYSICS, mjSTATE_FULLPHYSICS, mjSTATE_USER, EVERYTHING};
  mj_setState(f->m, f->d, vector, EVERYTHING);
  for (int i = 0; i < 5; i++) {
    mjData *copied = recorded_data(f->recorded), *set = recorded_data(f->recorded);
    mj_copyState(f->m, f->d, copied, signatures[i]);
    mj_getState(f->m, f->d, one, signatures[i]);
    mj_setState(f->m, set, one, signatures[i]);
    mj_getState(f->m, copied, one, EVERYTHING);
    mj_getState(f->m, set, two, EVERYTHING);
    expect_equal(one, two, size);
    delete_data(copied), delete_data(set);
  }
  free(vector), free(one), free(two);
}

static void extracting_picks_elements_out_of_a_vector(void** state) {
  Fixture* f = (Fixture*)*state;
  size_t nsig;
  const int* sig = recorded_ints(f->recorded, "zoo/signatures", &nsig);
  size_t size = (size_t)mj_stateSize(f->m, EVERYTHING);
  mjtNum* source = (mjtNum*)malloc((size + 1) * sizeof(mjtNum));
  mjtNum* expected = (mjtNum*)malloc((size + 1) * sizeof(mjtNum));
  mjtNum* result = (mjtNum*)malloc((size + 1) * sizeof(mjtNum));
  for (size_t i = 0; i < nsig; i++) {
    for (size_t j = 0; j < nsig; j++) {
      int wanted = sig[i] & sig[j];
      size_t n = (size_t)mj_stateSize(f->m, wanted);
      mj_getState(f->m, f->d, source, sig[i]);
      mj_getState(f->m, f->d, expected, wanted);
      mj_extractState(f->m, source, sig[i], result, wanted);
      expect_equal(result, expected, n);
      mj_extractState(f->m, source, sig[i], source, wanted);  // in place
      expect_equal(source, expected, n);
    }
  }
  assert_string_equal(message, "");
  free(source), free(expected), free(result);
}

static void bad_signatures_are_errors_that_touch_nothing(void** state) {
  Fixture* f = (Fixture*)*state;
  mjtNum x[2] = {1, 2};
  const int bad[] = {-1, 1 << mjNSTATE, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(mj_stateSize(f->m, bad[i]), 0);
    assert_non_null(strstr(message, "mj_stateSize"));
    mj_getState(f->m, f->d, x, bad[i]);
    assert_non_null(strstr(message, "mj_getState"));
    mj_setState(f->m, f->d, x, bad[i]);
    assert_non_null(strstr(message, "mj_setState"));
    mj_copyState(f->m, f->d, f->d, bad[i]);
    assert_non_null(strstr(message, "mj_copyState"));
    mj_extractState(f->m, x, bad[i], x, 0);
    assert_non_null(strstr(message, "mj_extractState"));
    message[0] = 0;
    mj_extractState(f->m, x, mjSTATE_TIME, x + 1, bad[i]);
    assert_non_null(strstr(message, "mj_extractState"));
  }
  mj_extractState(f->m, x, mjSTATE_TIME, x + 1, mjSTATE_TIME | mjSTATE_QPOS);
  assert_non_null(strstr(message, "dstsig 3"));
  assert_true(x[0] == 1 && x[1] == 2);
}

static void a_keyframe_is_set_as_in_the_reference(void** state) {
  Fixture* f = (Fixture*)*state;
  mj_setKeyframe(f->m, f->d, 1);
  for (int i = 0; i < 7; i++) {
    char name[64];
    size_t n;
    snprintf(name, sizeof(name), "zoo/after/%s", key_names[i]);
    mjtNum* expected = numbers(f->recorded, name, &n);
    expect_equal(*key_array(f->m, i), expected, n);
    free(expected);
  }
}

static void a_keyframe_brings_back_exactly_what_was_kept(void** state) {
  Fixture* f = (Fixture*)*state;
  size_t size = (size_t)mj_stateSize(f->m, EVERYTHING);
  mjtNum* before = (mjtNum*)malloc(size * sizeof(mjtNum));
  mjtNum* after = (mjtNum*)malloc(size * sizeof(mjtNum));
  mjtNum* other = another_state(f);
  int kept = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_CTRL |
             mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT;
  mj_getState(f->m, f->d, before, kept);
  mj_setKeyframe(f->m, f->d, 2);
  mj_setState(f->m, f->d, other, EVERYTHING);
  ct_load_keyframe(f->m, f->d, 2);
  mj_getState(f->m, f->d, after, kept);
  expect_equal(after, before, (size_t)mj_stateSize(f->m, kept));
  free(before), free(after), free(other);
}

static void a_keyframe_that_does_not_exist_is_an_error(void** state) {
  Fixture* f = (Fixture*)*state;
  const int bad[] = {-1, (int)f->m->nkey, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 4; i++) {
    message[0] = 0;
    mj_setKeyframe(f->m, f->d, bad[i]);
    assert_non_null(strstr(message, "mj_setKeyframe"));
  }
}

#define CASE(name_) cmocka_unit_test_setup_teardown(name_, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(vectors_are_those_of_the_reference),
      CASE(setting_changes_only_what_is_named),
      CASE(getting_gives_back_what_was_set),
      CASE(numbers_become_bytes_as_in_the_reference),
      CASE(copying_equals_getting_and_setting),
      CASE(extracting_picks_elements_out_of_a_vector),
      CASE(bad_signatures_are_errors_that_touch_nothing),
      CASE(a_keyframe_is_set_as_in_the_reference),
      CASE(a_keyframe_brings_back_exactly_what_was_kept),
      CASE(a_keyframe_that_does_not_exist_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
