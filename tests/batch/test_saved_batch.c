// A batch that was saved goes on bit for bit where it is restored; bytes that are none are refused.

#include <corten/batch.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/models.h"

enum { N = 5 };

static void walk(ct_Batch* b, int from, int to) {
  for (int t = from; t < to; t++) {
    control_batch(b, t);
    ct_batch_noise(b, "qfrc_applied", NULL, CT_NOISE_NORMAL, CT_NOISE_SET, 0, (mjtNum)0.1);
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  }
}

static void expect_same_state(ct_Batch* a, ct_Batch* b) {
  size_t bytes = N * (size_t)mj_stateSize(ct_batch_model(a), mjSTATE_INTEGRATION) * sizeof(mjtNum);
  mjtNum *x = (mjtNum*)malloc(bytes), *y = (mjtNum*)malloc(bytes);
  ct_batch_get_state(a, mjSTATE_INTEGRATION, NULL, x);
  ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, y);
  assert_memory_equal(x, y, bytes);
  free(x);
  free(y);
}

static void a_restored_batch_goes_on_bit_for_bit(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "sensors", "sleepers", "delays"};
  for (int k = 0; k < 4; k++) {
    mjModel* m = recorded_model(names[k]);
    ct_BatchOptions options = ct_default_batch_options();
    options.seed = 7;
    ct_Batch* a = ct_batch_create(m, N, &options, NULL, 0);
    disturb_batch(a);
    ct_batch_keep(a, "xpos");
    ct_batch_noise(a, "body_mass", NULL, CT_NOISE_UNIFORM, CT_NOISE_SCALE, (mjtNum)0.9, 1);
    walk(a, 0, 25);
    size_t size = ct_batch_saved_size(a);
    void* saved = malloc(size);
    assert_int_equal(ct_batch_save(a, saved, size), CT_BATCH_OK);
    walk(a, 25, 50);

    options.seed = 99;
    options.threads = 2;
    ct_Batch* b = ct_batch_create(m, N, &options, NULL, 0);
    ct_batch_vary(b, "dof_damping");
    ct_batch_noise(b, "dof_damping", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, 1, 2);
    walk(b, 0, 3);
    if (ct_batch_restore(b, saved, size)) fail_msg("%s", ct_batch_error(b));
    walk(b, 25, 50);
    expect_same_state(a, b);
    free(saved);
    ct_batch_destroy(a);
    ct_batch_destroy(b);
    mj_deleteModel(m);
  }
}

// Whoever keeps it has it twice: in the matrix, and in the mjData that the environments have.
static void what_slept_goes_on_sleeping_where_that_is_kept(void** state) {
  (void)state;
  static const char* const kept[] = {"tree_asleep", "body_awake", "dof_awake_ind", "nv_awake"};
  mjModel* m = recorded_model("sleepers");
  m->opt.enableflags |= mjENBL_SLEEP;  // recorded models have default options in single precision
  for (int keeper = 1; keeper < 4; keeper++) {  // the first batch, the second, both
    ct_Batch *a = make_batch(m, N, 2), *b = make_batch(m, N, 1);
    for (int k = 0; k < 4; k++) {
      if (keeper & 1) assert_int_equal(ct_batch_keep(a, kept[k]), CT_BATCH_OK);
      if (keeper & 2) assert_int_equal(ct_batch_keep(b, kept[k]), CT_BATCH_OK);
    }
    size_t ntree = (size_t)m->ntree;
    int asleep = 0, *trees = (int*)malloc(N * ntree * sizeof(int));
    for (int t = 0; t < 4000 && !asleep; t++) {
      assert_int_equal(ct_batch_step(a, NULL, 10), CT_BATCH_OK);
      assert_int_equal(ct_batch_get(a, "tree_asleep", NULL, trees), CT_BATCH_OK);
      for (size_t i = 0; i < N * ntree; i++) asleep += trees[i] >= 0;
    }
    assert_true(asleep > 0);
    assert_int_equal(ct_batch_step(b, NULL, 3), CT_BATCH_OK);
    size_t size = ct_batch_saved_size(a);
    void* saved = malloc(size);
    assert_int_equal(ct_batch_save(a, saved, size), CT_BATCH_OK);
    assert_int_equal(ct_batch_restore(b, saved, size), CT_BATCH_OK);
    for (int t = 0; t < 60; t++) {
      expect_same_state(a, b);
      int counts[2][N], bytes[2][N * 64];
      for (int k = 0; k < 3; k++) {
        size_t row = (size_t)ct_batch_field_size(a, kept[k], NULL);
        assert_true(row <= 64);
        ct_batch_get(a, kept[k], NULL, bytes[0]);
        ct_batch_get(b, kept[k], NULL, bytes[1]);
        assert_memory_equal(bytes[0], bytes[1], N * row * sizeof(int));
      }
      if (keeper == 3) {
        ct_batch_get(a, kept[3], NULL, counts[0]);
        ct_batch_get(b, kept[3], NULL, counts[1]);
        assert_memory_equal(counts[0], counts[1], sizeof(counts[0]));
      }
      assert_int_equal(ct_batch_step(a, NULL, 1), CT_BATCH_OK);
      assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    }
    free(saved);
    free(trees);
    ct_batch_destroy(a);
    ct_batch_destroy(b);
  }
  mj_deleteModel(m);
}

// Fields that the saved batch had not are those of a reset, not zero.
static void what_was_not_saved_begins_anew(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  ct_Batch *a = make_batch(m, N, 1), *kept = make_batch(m, N, 1);
  options.own_data = 1;
  ct_Batch* own = ct_batch_create(m, N, &options, NULL, 0);
  mjData* fresh = mj_makeData(m);
  int trees[2][N * 64];
  assert_true(m->ntree <= 64 && fresh->tree_asleep[0] != 0);
  assert_int_equal(ct_batch_keep(kept, "tree_asleep"), CT_BATCH_OK);
  disturb_batch(a);
  walk(a, 0, 10);
  walk(own, 0, 5);
  walk(kept, 0, 5);
  size_t size = ct_batch_saved_size(a);
  void* saved = malloc(size);
  assert_int_equal(ct_batch_save(a, saved, size), CT_BATCH_OK);
  assert_int_equal(ct_batch_restore(own, saved, size), CT_BATCH_OK);
  assert_int_equal(ct_batch_restore(kept, saved, size), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(own, "tree_asleep", NULL, trees[0]), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(kept, "tree_asleep", NULL, trees[1]), CT_BATCH_OK);
  for (int i = 0; i < N * m->ntree; i++) {
    assert_int_equal(trees[0][i], fresh->tree_asleep[i % m->ntree]);
    assert_int_equal(trees[1][i], fresh->tree_asleep[i % m->ntree]);
  }
  walk(a, 10, 20);
  walk(own, 10, 20);
  walk(kept, 10, 20);
  expect_same_state(a, own);
  expect_same_state(a, kept);
  free(saved);
  mj_deleteData(fresh);
  ct_batch_destroy(a);
  ct_batch_destroy(own);
  ct_batch_destroy(kept);
  mj_deleteModel(m);
}

static void bytes_of_something_else_change_nothing(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *other = recorded_model("pendulum");
  ct_Batch *a = make_batch(m, N, 1), *b = make_batch(m, N, 1);
  ct_Batch *fewer = make_batch(m, N - 1, 1), *different = make_batch(other, N, 1);
  disturb_batch(a);
  disturb_batch(b);
  size_t size = ct_batch_saved_size(a);
  char* saved = (char*)malloc(size);
  assert_int_equal(ct_batch_save(a, saved, size), CT_BATCH_OK);
  const int bad = CT_BATCH_BAD_ARGUMENT;
  expect_refusal(a, ct_batch_save(a, saved, size - 1), bad, "bytes are needed");
  expect_refusal(a, ct_batch_save(a, NULL, size), bad, "bytes are needed");
  expect_refusal(b, ct_batch_restore(b, saved, size - 1), bad, "only");
  expect_refusal(b, ct_batch_restore(b, saved, 10), bad, "nothing is there");
  expect_refusal(b, ct_batch_restore(b, NULL, size), bad, "nothing is there");
  expect_refusal(fewer, ct_batch_restore(fewer, saved, size), bad, "5 environments were saved");
  expect_refusal(different, ct_batch_restore(different, saved, size), bad, "another model");
  walk(b, 0, 2);
  walk(a, 0, 2);
  for (size_t at = 0; at < 2000 && at < size; at += 3) {  // whatever is damaged, nothing breaks
    saved[at] = (char)(saved[at] ^ 0x55);
    if (ct_batch_restore(b, saved, size) == CT_BATCH_OK) ct_batch_step(b, NULL, 1);
    saved[at] = (char)(saved[at] ^ 0x55);
  }
  saved[0] = 'X';
  expect_refusal(b, ct_batch_restore(b, saved, size), bad, "not a batch");
  free(saved);
  ct_batch_destroy(a);
  ct_batch_destroy(b);
  ct_batch_destroy(fewer);
  ct_batch_destroy(different);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

// Forged bytes whose sum is right

enum { SUM = 8, BYTES = 16, NFIELD = 44, HEADER = 56, NAME = 48 };  // places in a header, and sizes

static void seal(char* saved) {
  uint64_t bytes, word, sum = 0xcbf29ce484222325u;
  memcpy(&bytes, saved + BYTES, sizeof(bytes));
  for (size_t at = BYTES; at + 8 <= (size_t)bytes; at += 8) {
    memcpy(&word, saved + at, sizeof(word));
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  memcpy(saved + SUM, &sum, sizeof(sum));
}

// A saved batch with one more field, of integers that are all `value`; to be freed.
static char* with_integers(ct_Batch* b, const char* name, int count, int value, size_t* size) {
  size_t before = ct_batch_saved_size(b), matrix = ((size_t)(N * count) * sizeof(int) + 7) / 8 * 8;
  char* saved = (char*)calloc(1, before + NAME + 8 + matrix);
  assert_int_equal(ct_batch_save(b, saved, before), CT_BATCH_OK);
  int nfield;
  memcpy(&nfield, saved + NFIELD, sizeof(nfield));
  nfield++;
  *size = before + NAME + 8 + matrix;
  uint64_t bytes = *size, more = matrix;
  memcpy(saved + NFIELD, &nfield, sizeof(nfield));
  memcpy(saved + BYTES, &bytes, sizeof(bytes));
  snprintf(saved + before, NAME, "%s", name);
  memcpy(saved + before + NAME, &more, sizeof(more));
  for (int i = 0; i < N * count; i++) {
    memcpy(saved + before + NAME + 8 + (size_t)i * sizeof(int), &value, sizeof(int));
  }
  seal(saved);
  return saved;
}

static void expect_forgery_refused(const char* model, const char* name, int count, int value,
                                   const char* text) {
  mjModel* m = recorded_model(model);
  ct_Batch *b = make_batch(m, N, 1), *before = make_batch(m, N, 1);
  walk(b, 0, 3);
  walk(before, 0, 3);
  size_t size;
  char* saved = with_integers(b, name, count < 0 ? (int)m->ntree : count, value, &size);
  walk(b, 3, 5);
  walk(before, 3, 5);
  expect_refusal(b, ct_batch_restore(b, saved, size), CT_BATCH_BAD_ARGUMENT, text);
  expect_same_state(b, before);
  walk(b, 5, 7);
  free(saved);
  ct_batch_destroy(b);
  ct_batch_destroy(before);
  mj_deleteModel(m);
}

static void forged_structure_is_refused(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  int njnt = (int)m->njnt, nbody = (int)m->nbody;
  mj_deleteModel(m);
  expect_forgery_refused("humanoid", "model.jnt_qposadr", njnt, 1 << 28, "structure");
  expect_forgery_refused("humanoid", "model.body_parentid", nbody, 5, "structure");
  expect_forgery_refused("sleepers", "tree_asleep", -1, 77777, "there is no tree 77777");
}

static void forged_headers_are_refused(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, N, 1);
  size_t size = ct_batch_saved_size(b);
  char *saved = (char*)malloc(size), *forged = (char*)malloc(size);
  assert_int_equal(ct_batch_save(b, saved, size), CT_BATCH_OK);
  const int counts[] = {0, -1, 1 << 30};
  for (int k = 0; k < 3; k++) {
    memcpy(forged, saved, size);
    memcpy(forged + NFIELD, counts + k, sizeof(int));
    seal(forged);
    expect_refusal(b, ct_batch_restore(b, forged, size), CT_BATCH_BAD_ARGUMENT,
                   k < 2 ? "makes no sense" : "cut off");
  }
  const uint64_t sizes[] = {0, 8, HEADER - 1};
  for (int k = 0; k < 3; k++) {
    memcpy(forged, saved, size);
    memcpy(forged + BYTES, sizes + k, sizeof(uint64_t));
    seal(forged);
    expect_refusal(b, ct_batch_restore(b, forged, size), CT_BATCH_BAD_ARGUMENT, "makes no sense");
  }
  memcpy(forged, saved, size);
  forged[size - 1] = (char)(forged[size - 1] ^ 1);
  expect_refusal(b, ct_batch_restore(b, forged, size), CT_BATCH_BAD_ARGUMENT, "damaged");
  free(saved);
  free(forged);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Steps that are counted stop at the largest number there is.
static void steps_beyond_counting_stay(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, N, 1);
  size_t size;
  int steps[N];
  char* saved = with_integers(b, "steps", 1, INT_MAX, &size);
  assert_int_equal(ct_batch_restore(b, saved, size), CT_BATCH_OK);
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(b, "steps", NULL, steps), CT_BATCH_OK);
  for (int i = 0; i < N; i++) assert_int_equal(steps[i], INT_MAX);
  free(saved);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_restored_batch_goes_on_bit_for_bit),
      cmocka_unit_test(what_slept_goes_on_sleeping_where_that_is_kept),
      cmocka_unit_test(what_was_not_saved_begins_anew),
      cmocka_unit_test(bytes_of_something_else_change_nothing),
      cmocka_unit_test(forged_structure_is_refused),
      cmocka_unit_test(forged_headers_are_refused),
      cmocka_unit_test(steps_beyond_counting_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
