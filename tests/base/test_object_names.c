// R0.1 R14.1: names of objects, as the reference finds them. The models are recorded in parts:
// names, addresses and hash tables.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/model/names_map.h"
#include "base/model/objects.h"
#include "support/recorded.h"

// Types with names, in the order in which they are recorded, and what their arrays are called.
static const struct {
  int type;
  const char* field;
} kinds[] = {
    {mjOBJ_BODY, "body"},       {mjOBJ_JOINT, "jnt"},         {mjOBJ_GEOM, "geom"},
    {mjOBJ_SITE, "site"},       {mjOBJ_CAMERA, "cam"},        {mjOBJ_LIGHT, "light"},
    {mjOBJ_FLEX, "flex"},       {mjOBJ_MESH, "mesh"},         {mjOBJ_SKIN, "skin"},
    {mjOBJ_HFIELD, "hfield"},   {mjOBJ_TEXTURE, "tex"},       {mjOBJ_MATERIAL, "mat"},
    {mjOBJ_PAIR, "pair"},       {mjOBJ_EXCLUDE, "exclude"},   {mjOBJ_EQUALITY, "eq"},
    {mjOBJ_TENDON, "tendon"},   {mjOBJ_ACTUATOR, "actuator"}, {mjOBJ_SENSOR, "sensor"},
    {mjOBJ_NUMERIC, "numeric"}, {mjOBJ_TEXT, "text"},         {mjOBJ_TUPLE, "tuple"},
    {mjOBJ_KEY, "key"},         {mjOBJ_PLUGIN, "plugin"},
};

#define NKIND (int)(sizeof(kinds) / sizeof(kinds[0]))

static const char* const models[] = {"zoo", "crowd", "empty"};

// An array of one model in the recording, as a copy that may be written.
static int* part(const Recorded* r, const char* model, const char* name, size_t* count) {
  char path[64];
  size_t n;
  snprintf(path, sizeof(path), "%s/%s", model, name);
  const int* values = recorded_ints(r, path, &n);
  if (!values) fail_msg("%s is not recorded", path);
  int* copy = (int*)malloc((n + 1) * sizeof(int));
  if (n) memcpy(copy, values, n * sizeof(int));
  if (count) *count = n;
  return copy;
}

static char* text_part(const Recorded* r, const char* model, const char* name, size_t* count) {
  size_t n;
  int* values = part(r, model, name, &n);
  char* text = (char*)malloc(n + 1);
  for (size_t i = 0; i < n; i++) text[i] = (char)values[i];
  free(values);
  if (count) *count = n;
  return text;
}

static mjModel* model_with_names(const Recorded* r, const char* name) {
  mjModel* m = (mjModel*)calloc(1, sizeof(mjModel));
  size_t n;
  m->names = text_part(r, name, "names", &n);
  m->nnames = (mjtSize)n;
  m->names_map = part(r, name, "names_map", &n);
  m->nnames_map = (mjtSize)n;
  int* counts = part(r, name, "counts", NULL);
  for (int k = 0; k < NKIND; k++) {
    const ct_ObjectType* t = ct_object_type(kinds[k].type);
    char field[32];
    snprintf(field, sizeof(field), "adr_%s", kinds[k].field);
    *(mjtSize*)((char*)m + t->count_offset) = counts[k];
    *(int**)((char*)m + t->name_adr_offset) = part(r, name, field, NULL);
  }
  free(counts);
  return m;
}

static void delete_model(mjModel* m) {
  for (int k = 0; k < NKIND; k++) {
    free(*(int**)((char*)m + ct_object_type(kinds[k].type)->name_adr_offset));
  }
  free(m->names);
  free(m->names_map);
  free(m);
}

static void names_are_found_where_the_reference_finds_them(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  for (int i = 0; i < 3; i++) {
    mjModel* m = model_with_names(r, models[i]);
    size_t nfound, length;
    int* found = part(r, models[i], "found", &nfound);
    char* queries = text_part(r, models[i], "queries", &length);
    size_t k = 0;
    for (const char* name = queries; name < queries + length; name += strlen(name) + 1) {
      for (int type = -1; type < 30; type++, k++) {
        if (mj_name2id(m, type, name) != found[k]) {
          fail_msg("%s, type %d, \"%s\": %d, expected %d", models[i], type, name,
                   mj_name2id(m, type, name), found[k]);
        }
      }
    }
    assert_int_equal(k, nfound);
    free(found);
    free(queries);
    delete_model(m);
  }
  recorded_close(r);
}

static void every_name_leads_back_to_its_id(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  int named = 0, unnamed = 0;
  for (int i = 0; i < 3; i++) {
    mjModel* m = model_with_names(r, models[i]);
    for (int k = 0; k < NKIND; k++) {
      for (int id = 0; id < ct_object_count(m, kinds[k].type); id++) {
        const char* name = mj_id2name(m, kinds[k].type, id);
        if (name) assert_int_equal(mj_name2id(m, kinds[k].type, name), id);
        name ? named++ : unnamed++;
      }
    }
    delete_model(m);
  }
  assert_true(named > 100);
  assert_true(unnamed > 10);
  recorded_close(r);
}

static void names_beyond_ascii_are_names(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  mjModel* m = model_with_names(r, "zoo");
  const char* name = "caf\xc3\xa9 \xe6\xad\xa9\xe3\x81\x8f";
  int id = mj_name2id(m, mjOBJ_BODY, name);
  assert_true(id > 0);
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, id), name);
  assert_int_equal(mj_name2id(m, mjOBJ_XBODY, name), id);
  delete_model(m);
  recorded_close(r);
}

static void bad_questions_have_no_answer(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  mjModel* m = model_with_names(r, "zoo");
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, 0), "world");
  assert_null(mj_id2name(m, mjOBJ_BODY, -1));
  assert_null(mj_id2name(m, mjOBJ_BODY, (int)m->nbody));
  assert_null(mj_id2name(m, mjOBJ_KEY, 1));  // it has no name
  const int nameless[] = {-1,          mjOBJ_UNKNOWN, mjOBJ_DOF, mjNOBJECT,
                          mjOBJ_FRAME, mjOBJ_MODEL,   1 << 30};
  for (int i = 0; i < 7; i++) {
    assert_null(mj_id2name(m, nameless[i], 0));
    assert_int_equal(mj_name2id(m, nameless[i], "world"), -1);
  }
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, ""), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, NULL), -1);
  delete_model(m);
  recorded_close(r);
}

static void a_damaged_table_ends_the_search(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  mjModel* m = model_with_names(r, "zoo");
  for (mjtSize i = 0; i < m->nnames_map; i++) m->names_map[i] = 1000000;
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "world"), -1);
  for (mjtSize i = 0; i < m->nnames_map; i++)
    m->names_map[i] = 0;  // full: no empty slot to stop at
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "world"), 0);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "absent"), -1);
  delete_model(m);
  recorded_close(r);
}

static void inserting_in_id_order_rebuilds_the_tables_of_the_reference(void** state) {
  (void)state;
  Recorded* r = recorded_open("names_state.rec");
  for (int i = 0; i < 3; i++) {
    mjModel* m = model_with_names(r, models[i]);
    int* map = (int*)malloc((size_t)(m->nnames_map + 1) * sizeof(int));
    ct_names_map_clear(map, m->nnames_map);
    int64_t end = 0;
    for (int k = 0; k < NKIND; k++) {
      int count = ct_object_count(m, kinds[k].type);
      assert_int_equal(ct_object_map_start(m, kinds[k].type), end);
      for (int id = 0; id < count; id++) {
        const char* name = m->names + ct_object_name_adr(m, kinds[k].type)[id];
        ct_names_map_insert(map + end, 2 * count, name, id);
      }
      end += 2 * count;
    }
    assert_int_equal(end, m->nnames_map);
    assert_memory_equal(map, m->names_map, (size_t)end * sizeof(int));
    free(map);
    delete_model(m);
  }
  recorded_close(r);
}

static void the_hash_takes_bytes_as_signed(void** state) {
  (void)state;
  assert_true(ct_hash("") == 5381);
  assert_true(ct_hash("a") == ((5381u * 33u) ^ 97u));
  assert_true(ct_hash("\xff") == (5381ull * 33 ^ UINT64_MAX));
}

static void types_have_names_and_back(void** state) {
  (void)state;
  assert_null(mju_type2Str(mjOBJ_UNKNOWN));
  assert_null(mju_type2Str(-1));
  assert_null(mju_type2Str(mjNOBJECT));
  assert_null(mju_type2Str(mjOBJ_DEFAULT));
  assert_null(mju_type2Str(mjOBJ_MODEL));
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    assert_int_equal(mju_str2Type(mju_type2Str(type)), type);
  }
  assert_string_equal(mju_type2Str(mjOBJ_XBODY), "xbody");
  assert_string_equal(mju_type2Str(mjOBJ_DOF), "dof");
  assert_string_equal(mju_type2Str(mjOBJ_PLUGIN), "plugin");
  assert_string_equal(mju_type2Str(mjOBJ_FRAME), "frame");
  assert_int_equal(mju_str2Type("frame"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type("Body"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(""), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(NULL), mjOBJ_UNKNOWN);
}

static void the_version_is_the_one_of_the_interface(void** state) {
  (void)state;
  assert_int_equal(mj_version(), 3005000);
  assert_string_equal(mj_versionString(), "3.5.0");
}

static void copies_of_strings_always_end(void** state) {
  (void)state;
  char text[8] = "1234567";
  assert_ptr_equal(mju_strncpy(text, "ab", 5), text);
  assert_memory_equal(text,
                      "ab\0\0\0"
                      "67",
                      8);
  mju_strncpy(text, "abcdefghij", 4);
  assert_memory_equal(text,
                      "abc\0\0"
                      "67",
                      8);
  mju_strncpy(text, "xyz", 1);
  assert_string_equal(text, "");
  text[0] = 'q';
  assert_ptr_equal(mju_strncpy(text, "xyz", 0), text);
  mju_strncpy(text, NULL, 3);
  assert_null(mju_strncpy(NULL, "x", 3));
  assert_int_equal(text[0], 'q');
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_found_where_the_reference_finds_them),
      cmocka_unit_test(every_name_leads_back_to_its_id),
      cmocka_unit_test(names_beyond_ascii_are_names),
      cmocka_unit_test(bad_questions_have_no_answer),
      cmocka_unit_test(a_damaged_table_ends_the_search),
      cmocka_unit_test(inserting_in_id_order_rebuilds_the_tables_of_the_reference),
      cmocka_unit_test(the_hash_takes_bytes_as_signed),
      cmocka_unit_test(types_have_names_and_back),
      cmocka_unit_test(the_version_is_the_one_of_the_interface),
      cmocka_unit_test(copies_of_strings_always_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
