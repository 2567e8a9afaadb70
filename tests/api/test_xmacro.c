// The list macros of mjxmacro.h hand the same rows to X as in MuJoCo 3.5.0, in the same
// order, and what programs do with them works. tests/recorded/xmacro.def holds the rows of the
// reference.

#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The start of a model file: five ints, all sizes, the settings. Arrays follow without gaps.
static long read_sizes(mjModel* m, const char* path) {
  int header[5];
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("cannot open %s", path);
  size_t good = fread(header, sizeof(header), 1, f);
#define X(name) good += fread(&m->name, sizeof(m->name), 1, f);
  MJMODEL_SIZES
#undef X
  assert_int_equal(good, 1 + 89);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  fclose(f);
  return size - (long)(sizeof(header) + 89 * sizeof(mjtSize) + sizeof(mjOption) + sizeof(mjVisual) +
                       sizeof(mjStatistic));
}

// What a program written for MuJoCo does, with the macros as they stand: the arrays back to back as
// in a file, and each at the next multiple of 64 as in memory.
static void lists_of_arrays_add_up_to_file_and_buffer(void** state) {
  (void)state;
  if (sizeof(mjtNum) != sizeof(double)) skip();  // the file has doubles
  mjModel* m = (mjModel*)calloc(1, sizeof(mjModel));
  long in_file = read_sizes(m, CT_SOURCE_DIR "/tests/recorded/models/humanoid.mjb");
  mjtSize packed = 0, padded = 0;
  int count = 0;
  {MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, rows, cols)                             \
  {                                                           \
    mjtSize bytes = (mjtSize)sizeof(type) * m->rows * (cols); \
    assert_int_equal(sizeof(m->name[0]), sizeof(type));       \
    packed += bytes;                                          \
    padded = (padded + 63) / 64 * 64 + bytes;                 \
    count++;                                                  \
  }
       MJMODEL_POINTERS
#undef X
  } assert_int_equal(count, 456);
  assert_int_equal(packed, in_file);
  assert_int_equal(padded, m->nbuffer);
  free(m);
}

static void lists_of_data_arrays_compile_as_they_stand(void** state) {
  (void)state;
  mjModel* m = (mjModel*)calloc(1, sizeof(mjModel));
  m->nv = 6, m->ntendon = 2;
  mjtSize reals_of_tendons = 0;
  int count = 0;
  MJDATA_POINTERS_PREAMBLE(m)
#define X(type, name, rows, cols) \
  count++, reals_of_tendons += strcmp(#name, "ten_J") ? 0 : m->rows * (cols);
  MJDATA_POINTERS
#undef X
  assert_int_equal(count, 95);
  assert_int_equal(reals_of_tendons, 2 * 6);
  free(m);
}

// Settings: the lists cover their structs without a gap.
static void lists_of_settings_cover_their_structs(void** state) {
  (void)state;
  size_t option = 0, statistic = 0, visual = 0;
#define X(type, name) option += sizeof(type);
  MJOPTION_SCALARS
#undef X
#define X(name, n) option += sizeof(mjtNum) * (n);
  MJOPTION_VECTORS
#undef X
#define X(type, name, n) statistic += sizeof(type) * (n);
  MJSTATISTIC_FIELDS
#undef X
#define X(part, type, name, n) visual += sizeof(type) * (n);
  MJVISUAL_FIELDS
#undef X
  assert_in_range(sizeof(mjOption) - option, 0, sizeof(mjtNum) - 1);
  assert_int_equal(statistic, sizeof(mjStatistic));
  assert_int_equal(visual, sizeof(mjVisual));
}

#undef MJ_M
#undef MJ_D
#undef XNV
#define MJ_M(n) m->n
#define MJ_D(n) d->n
#define TEXT(...) #__VA_ARGS__
#define X(...) "X(" TEXT(__VA_ARGS__) ")",
#define XNV(...) "XNV(" TEXT(__VA_ARGS__) ")",

typedef struct {
  const char* name;
  const char* const* rows;
} List;

// clang-format off
#define LIST(name) {#name, (const char* const[]){name NULL}}
// clang-format on
static const List lists[] = {
    LIST(MJDATA_ARENA_POINTERS),
    LIST(MJDATA_ARENA_POINTERS_CONTACT),
    LIST(MJDATA_ARENA_POINTERS_DUAL),
    LIST(MJDATA_ARENA_POINTERS_ISLAND),
    LIST(MJDATA_ARENA_POINTERS_SOLVER),
    LIST(MJDATA_POINTERS),
    LIST(MJDATA_SCALAR),
    LIST(MJDATA_VECTOR),
    LIST(MJMODEL_POINTERS),
    LIST(MJMODEL_POINTERS_ACTUATOR),
    LIST(MJMODEL_POINTERS_BODY),
    LIST(MJMODEL_POINTERS_CAMERA),
    LIST(MJMODEL_POINTERS_DOF),
    LIST(MJMODEL_POINTERS_EQUALITY),
    LIST(MJMODEL_POINTERS_EXCLUDE),
    LIST(MJMODEL_POINTERS_FLEX),
    LIST(MJMODEL_POINTERS_GEOM),
    LIST(MJMODEL_POINTERS_HFIELD),
    LIST(MJMODEL_POINTERS_JOINT),
    LIST(MJMODEL_POINTERS_LIGHT),
    LIST(MJMODEL_POINTERS_MATERIAL),
    LIST(MJMODEL_POINTERS_MESH),
    LIST(MJMODEL_POINTERS_PAIR),
    LIST(MJMODEL_POINTERS_SENSOR),
    LIST(MJMODEL_POINTERS_SITE),
    LIST(MJMODEL_POINTERS_SKIN),
    LIST(MJMODEL_POINTERS_TENDON),
    LIST(MJMODEL_POINTERS_TEXTURE),
    LIST(MJMODEL_POINTERS_TREE),
    LIST(MJMODEL_SIZES),
    LIST(MJOPTION_FLOATS),
    LIST(MJOPTION_INTS),
    LIST(MJOPTION_SCALARS),
    LIST(MJOPTION_VECTORS),
    LIST(MJSTATISTIC_FIELDS),
    LIST(MJVISUAL_FIELDS),
};

// The recorded lists one after the other: a line has the name of a list, or a row of it.
typedef struct {
  const char *list, *row;
} Line;

static const Line recorded[] = {
#define XLIST(name) {#name, NULL},
#define XROW(text) {NULL, text},
#include "recorded/xmacro.def"
    {"the end", NULL},
};

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static void lists_have_the_rows_of_the_reference(void** state) {
  (void)state;
  int different = 0, compared = 0;
  for (int i = 0, at = 0; i < COUNT(lists); i++) {
    assert_string_equal(recorded[at].list, lists[i].name);
    at++;
    for (int k = 0; recorded[at].row || lists[i].rows[k]; k++, compared++) {
      const char* theirs = recorded[at].row ? recorded[at].row : "nothing";
      const char* ours = lists[i].rows[k] ? lists[i].rows[k] : "nothing";
      if (strcmp(ours, theirs)) {
        print_error("%s, row %d: %s, the reference has %s\n", lists[i].name, k, ours, theirs);
        different++;
      }
      if (!recorded[at].row || !lists[i].rows[k]) break;  // one list is longer: said once
      at++;
    }
    while (recorded[at].row) at++;
  }
  assert_int_equal(different, 0);
  assert_int_equal(compared, COUNT(recorded) - COUNT(lists) - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_of_arrays_add_up_to_file_and_buffer),
      cmocka_unit_test(lists_of_data_arrays_compile_as_they_stand),
      cmocka_unit_test(lists_of_settings_cover_their_structs),
      cmocka_unit_test(lists_have_the_rows_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
