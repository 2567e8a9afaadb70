// R30.3: binary models. Recorded files come back byte for byte; damaged ones are refused with a
// message and never crash, which the sanitizer builds of this program prove.

#include <corten/status.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/model/fields.h"
#include "support/messages.h"
#include "support/models.h"

// The recorded files hold doubles; a build with single precision refuses them.
#ifdef mjUSESINGLE
#define NEEDS_DOUBLES() skip()
#else
#define NEEDS_DOUBLES() (void)0
#endif

enum { HEADER = 5 * sizeof(int), SIZES = HEADER + CT_NMODEL_SIZE * sizeof(mjtSize) };

static void every_recorded_model_comes_back_byte_for_byte(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  for (int i = 0; recorded_model_name(i); i++) {
    size_t size;
    unsigned char* bytes = recorded_model_bytes(recorded_model_name(i), &size);
    mjModel* m = recorded_model(recorded_model_name(i));
    assert_int_equal(mj_sizeModel(m), size);
    unsigned char* again = (unsigned char*)malloc(size);
    mj_saveModel(m, NULL, again, (int)size);
    assert_memory_equal(bytes, again, size);
    assert_int_equal(m->signature, 0);
    assert_int_equal((uintptr_t)m->buffer % 64, 0);
    mj_deleteModel(m);
    free(again);
    free(bytes);
  }
}

static void a_model_goes_through_a_file_and_a_virtual_file(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  mjModel* m = recorded_model("chain");
  const char* path = CT_BINARY_DIR "/test_mjb_chain.mjb";
  mj_saveModel(m, path, NULL, 0);
  mjModel* loaded = mj_loadModel(path, NULL);
  assert_non_null(loaded);
  assert_int_equal(loaded->nbuffer, m->nbuffer);
  mj_deleteModel(loaded);
  remove(path);

  size_t size;
  unsigned char* bytes = recorded_model_bytes("chain", &size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "virtual.mjb", bytes, (int)size), 0);
  loaded = mj_loadModel("virtual.mjb", &vfs);
  assert_non_null(loaded);
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);
  free(bytes);
  mj_deleteModel(m);
}

static void files_that_are_not_there_give_a_warning(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  assert_null(mj_loadModel("no/such/file.mjb", NULL));
  expect_one_warning("no/such/file.mjb");
  mjModel* m = recorded_model("empty");
  mj_saveModel(m, "no/such/folder/out.mjb", NULL, 0);
  expect_one_warning("no/such/folder/out.mjb");
  char small[10];
  mj_saveModel(m, NULL, small, sizeof(small));
  expect_one_error("the buffer has 10 bytes");
  mj_deleteModel(m);
  assert_null(mj_loadModelBuffer(NULL, 0));
  expect_one_warning("no bytes");
}

// A copy on the heap of exactly that length, so that a read beyond its end shows.
static mjModel* load_exactly(const unsigned char* bytes, size_t size) {
  unsigned char* copy = (unsigned char*)malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  mjModel* m = mj_loadModelBuffer(copy, (int)size);
  free(copy);
  return m;
}

static void a_file_cut_off_anywhere_is_refused(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  size_t size;
  unsigned char* bytes = recorded_model_bytes("pendulum", &size);
  for (size_t n = 0; n < size; n++) {
    assert_null(load_exactly(bytes, n));
    assert_int_equal(count_warnings(), 1);
  }
  free(bytes);
}

static void a_file_that_goes_on_is_refused(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  size_t size;
  unsigned char* bytes = recorded_model_bytes("pendulum", &size);
  bytes = (unsigned char*)realloc(bytes, size + 1);
  bytes[size] = 0;
  assert_null(load_exactly(bytes, size + 1));
  expect_one_warning("1 bytes left over");
  free(bytes);
}

static void every_flipped_bit_of_the_header_is_refused(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  size_t size;
  unsigned char* bytes = recorded_model_bytes("pendulum", &size);
  for (int bit = 0; bit < 8 * HEADER; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_null(load_exactly(bytes, size));
    expect_one_warning(bit < 32 ? "not a binary model" : "another version");
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  free(bytes);
}

// What a program does with a model that has been loaded: must be safe whatever passed validation.
static void use_and_delete(mjModel* m) {
  if (!m) return;
  mjtSize data =
      m->narena + m->nuserdata + m->nsensordata + m->nhistory + m->nJmom + m->npluginstate;
  if (data <= 1 << 24) {  // more would only take time
    mjData* d = mj_makeData(m);
    if (d) mj_deleteData(d);
    count_errors();
  }
  mjModel* copy = mj_copyModel(NULL, m);
  for (int type = 0; type < mjNOBJECT; type++) {
    mj_id2name(copy, type, 0);
    mj_name2id(copy, type, "x");
  }
  mj_deleteModel(copy);
  mj_deleteModel(m);
}

static void every_flipped_bit_of_the_sizes_is_refused_or_harmless(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  size_t size;
  unsigned char* bytes = recorded_model_bytes("keyframes", &size);
  int loaded = 0;
  for (int bit = 8 * HEADER; bit < 8 * (int)SIZES; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    mjModel* m = load_exactly(bytes, size);
    assert_int_equal(count_warnings(), m ? 0 : 1);
    loaded += m != NULL;
    use_and_delete(m);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  // njmax, nconmax, nemax, ngravcomp and the arena are only bounds; sizes of data can grow
  assert_in_range(loaded, 4 * 64, 12 * 64);
  free(bytes);
}

static void sizes_that_overflow_are_refused_before_memory_is_asked_for(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  size_t size;
  unsigned char* bytes = recorded_model_bytes("pendulum", &size);
  const mjtSize hostile[] = {
      -1,        INT64_MIN,           INT64_MAX, INT_MAX, INT_MAX - 1ll, 1 << 30, (1ll << 32) + 1,
      1ll << 60, 0x5555555555555555ll};
  unsigned char own[sizeof(mjtSize)];
  for (int i = 0; i < CT_NMODEL_SIZE; i++) {
    if (strstr("njmax nconmax nemax ngravcomp narena", ct_model_sizes[i].name)) continue;
    unsigned char* at = bytes + HEADER + (size_t)i * sizeof(mjtSize);
    memcpy(own, at, sizeof(own));
    for (size_t k = 0; k < sizeof(hostile) / sizeof(hostile[0]); k++) {
      memcpy(at, hostile + k, sizeof(mjtSize));
      mjModel* m = load_exactly(bytes, size);
      // the user's data, and user arrays of objects that are not there, take nothing in the file
      bool unused =
          !strcmp(ct_model_sizes[i].name, "nuserdata") || strstr(ct_model_sizes[i].name, "nuser_");
      if (m && (!unused || hostile[k] < 0 || hostile[k] >= INT_MAX)) {
        fail_msg("size %s may be %lld", ct_model_sizes[i].name, (long long)hostile[k]);
      }
      assert_int_equal(count_warnings(), m ? 0 : 1);
      mj_deleteModel(m);
    }
    memcpy(at, own, sizeof(own));
  }
  // two at once: 4 * nkey * nmocap numbers of key_mquat take 2^64 bytes, which wraps around to none
  for (int i = 0; i < CT_NMODEL_SIZE; i++) {
    mjtSize nkey = 1ll << 29, nmocap = 1ll << 30;
    unsigned char* at = bytes + HEADER + (size_t)i * sizeof(mjtSize);
    if (!strcmp(ct_model_sizes[i].name, "nkey")) memcpy(at, &nkey, sizeof(nkey));
    if (!strcmp(ct_model_sizes[i].name, "nmocap")) memcpy(at, &nmocap, sizeof(nmocap));
  }
  assert_null(load_exactly(bytes, size));
  expect_one_warning("ends early");
  free(bytes);
}

// Where the array of a field starts in the file of this model.
static size_t place_in_file(const mjModel* m, const ct_Field* wanted) {
  size_t at = SIZES + sizeof(mjOption) + sizeof(mjVisual) + sizeof(mjStatistic);
  for (const ct_Field* f = ct_model_fields; f != wanted; f++) at += ct_field_bytes(f, m, NULL);
  return at;
}

// Every entry of every index array of every model is set to numbers that are out of range, or in
// range but wrong.
static void every_wrong_index_is_refused_or_harmless(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  const int wrong[] = {-2, -1, 0, 1, 77, INT_MAX, INT_MIN};
  for (int i = 0; recorded_model_name(i); i++) {
    size_t size;
    unsigned char* bytes = recorded_model_bytes(recorded_model_name(i), &size);
    if (size > 25000) {  // the small ones have everything
      free(bytes);
      continue;
    }
    mjModel* m = recorded_model(recorded_model_name(i));
    for (int k = 0; k < ct_nmodel_field; k++) {
      const ct_Field* f = ct_model_fields + k;
      size_t n = ct_field_bytes(f, m, NULL) / sizeof(int);
      if (f->type != CT_TYPE_int || n == 0) continue;
      size_t stride = n > 12 ? n / 12 : 1;
      for (size_t entry = 0; entry < n; entry += stride) {
        unsigned char* at = bytes + place_in_file(m, f) + entry * sizeof(int);
        int own;
        memcpy(&own, at, sizeof(int));
        for (size_t w = 0; w < sizeof(wrong) / sizeof(wrong[0]); w++) {
          memcpy(at, wrong + w, sizeof(int));
          mjModel* damaged = mj_loadModelBuffer(bytes, (int)size);
          bool index = f->target.kind == CT_TARGET_ID || f->target.kind == CT_TARGET_SPAN;
          if (index && damaged && (wrong[w] < -1 || wrong[w] == INT_MAX)) {
            fail_msg("%s: %s[%zu] may be %d", recorded_model_name(i), f->name, entry, wrong[w]);
          }
          assert_int_equal(count_warnings(), damaged ? 0 : 1);
          if (damaged && w == 0)
            use_and_delete(damaged);
          else
            mj_deleteModel(damaged);
        }
        memcpy(at, &own, sizeof(int));
      }
    }
    mj_deleteModel(m);
    free(bytes);
  }
}

static void a_build_with_other_numbers_refuses_the_file(void** state) {
  (void)state;
  size_t size;
  unsigned char* bytes = recorded_model_bytes("empty", &size);
  int other = sizeof(mjtNum) == 8 ? 4 : 8;
  memcpy(bytes + sizeof(int), &other, sizeof(int));
  assert_null(load_exactly(bytes, size));
  expect_one_warning("bytes of a real number");
  free(bytes);
}

static void copies_of_models_are_the_same_and_independent(void** state) {
  (void)state;
  NEEDS_DOUBLES();
  mjModel *m = recorded_model("tetrahedron"), *other = recorded_model("empty");
  m->signature = 12345;
  mjModel* copy = mj_copyModel(NULL, m);
  assert_int_equal(copy->signature, 12345);
  assert_ptr_not_equal(copy->buffer, m->buffer);
  assert_ptr_equal(copy->qpos0, (char*)copy->buffer);
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    assert_memory_equal(ct_field_array(f, copy), ct_field_array(f, m), ct_field_bytes(f, m, NULL));
  }

  // into an existing model; for a scene, without the arrays that live on the graphics card
  m->body_mass[1] = 7;
  m->mesh_vert[0] = 7;
  mjv_copyModel(copy, m);
  assert_true(copy->body_mass[1] == 7);
  assert_false(copy->mesh_vert[0] == 7);
  assert_ptr_equal(mj_copyModel(copy, m), copy);
  assert_true(copy->mesh_vert[0] == 7);

  mjv_copyModel(other, m);
  expect_one_error("different sizes");
  assert_null(mj_copyModel(other, m));  // deletes dest, as in the reference
  expect_one_error("different sizes");
  mj_deleteModel(copy);
  mj_deleteModel(m);
  mj_deleteModel(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_recorded_model_comes_back_byte_for_byte),
      cmocka_unit_test(a_model_goes_through_a_file_and_a_virtual_file),
      cmocka_unit_test(files_that_are_not_there_give_a_warning),
      cmocka_unit_test(a_file_cut_off_anywhere_is_refused),
      cmocka_unit_test(a_file_that_goes_on_is_refused),
      cmocka_unit_test(every_flipped_bit_of_the_header_is_refused),
      cmocka_unit_test(every_flipped_bit_of_the_sizes_is_refused_or_harmless),
      cmocka_unit_test(sizes_that_overflow_are_refused_before_memory_is_asked_for),
      cmocka_unit_test(every_wrong_index_is_refused_or_harmless),
      cmocka_unit_test(a_build_with_other_numbers_refuses_the_file),
      cmocka_unit_test(copies_of_models_are_the_same_and_independent),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
