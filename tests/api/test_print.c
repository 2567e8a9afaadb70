// Printing of models and data: everything that the schema has is in the text.

#include <ctype.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/model/fields.h"
#include "support/messages.h"
#include "support/models.h"

#define PATH CT_BINARY_DIR "/test_print.txt"

// The text of the file that was just printed, to be freed.
static char* printed(void) {
  FILE* f = fopen(PATH, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  size_t size = (size_t)ftell(f);
  rewind(f);
  char* text = (char*)calloc(size + 1, 1);
  assert_int_equal(fread(text, 1, size, f), size);
  fclose(f);
  remove(PATH);
  return text;
}

static void expect_text(const char* text, const char* part) {
  if (!strstr(text, part)) fail_msg("'%s' is not in:\n%.2000s", part, text);
}

// Sizes that are not zero, names of objects, and every array of every object are there.
static void a_printed_model_has_every_array_of_its_objects(void** state) {
  (void)state;
  static const char* const groups[] = {"BODY",   "JOINT",   "DOF",      "TREE",     "GEOM",
                                       "SITE",   "CAMERA",  "LIGHT",    "FLEX",     "MESH",
                                       "SKIN",   "HFIELD",  "TEXTURE",  "PAIR",     "MATERIAL",
                                       "TENDON", "EXCLUDE", "EQUALITY", "ACTUATOR", "SENSOR"};
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    mj_printModel(m, PATH);
    char* text = printed();
    for (int k = 0; k < ct_nmodel_size; k++) {
      if (ct_model_size(m, ct_model_sizes[k].offset)) expect_text(text, ct_model_sizes[k].name);
    }
    for (int k = 0; k < ct_nmodel_field; k++) {
      const ct_Field* f = ct_model_fields + k;
      const char* group = ct_field_group(f, ct_model_groups, ct_nmodel_group)->tag;
      bool of_object = false;
      for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
        of_object |= !strcmp(group, groups[g]);
      }
      // arrays of vertices, elements and the like are left out
      static const char* const parts[] = {"vert",  "face",     "data",  "edge", "elem",
                                          "poly",  "node",     "pair",  "bone", "nJ",
                                          "graph", "texcoord", "normal"};
      bool inner = false;
      for (size_t w = 0; w < sizeof(parts) / sizeof(parts[0]); w++) {
        inner |= strstr(f->rows_name, parts[w]) != NULL;
      }
      if (of_object && (!inner || !strcmp(f->rows_name, "npair")) && ct_field_bytes(f, m, NULL)) {
        expect_text(text, f->name);
      }
    }
    for (int g = 0; g < m->ngeom; g++) {
      if (mj_id2name(m, mjOBJ_GEOM, g)) expect_text(text, mj_id2name(m, mjOBJ_GEOM, g));
    }
    free(text);
    mj_deleteModel(m);
  }
}

static void a_printed_data_has_every_array_that_is_not_empty(void** state) {
  (void)state;
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    mjData* d = mj_makeData(m);
    mj_printData(m, d, PATH);
    char* text = printed();
    for (int k = 0; k < ct_ndata_field; k++) {
      const ct_Field* f = ct_data_fields + k;
      if (strstr(f->name, "awake_ind") && !d->nparent_awake) continue;  // a list of nothing
      char heading[80] = "\n";
      for (int c = 0; f->name[c]; c++) heading[c + 1] = (char)toupper(f->name[c]);
      strcat(heading, "\n");
      if (!strcmp(f->name, "history")) strcpy(heading, "\nDELAY\n");
      if (ct_field_bytes(f, m, d)) expect_text(text, heading);
    }
    free(text);

    // data filled with rubbish is printed without looking where it points
    mj_resetDataDebug(m, d, 0x11);
    mj_printData(m, d, PATH);
    free(printed());
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void numbers_have_the_format_that_was_asked_for(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  m->qpos0[0] = (mjtNum)0.123456;
  mj_printFormattedModel(m, PATH, "%-12.4f");
  char* text = printed();
  expect_text(text, "\nqpos0                0.1235       \n");
  free(text);
  mj_printFormattedModel(m, PATH, "%.3Le");
  text = printed();
  expect_text(text, "1.235e-01");
  free(text);
  assert_int_equal(count_warnings(), 0);

  const char* bad[] = {
      "",   "x",   "%",  "%d", "%s", "%g%g", "%--g", "%.2f ", "% 0123456789123456789.2g",
      "%n", "%*g", "%lg"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    mj_printFormattedModel(m, PATH, bad[i]);
    expect_one_warning("is not a format of a number");
    text = printed();
    expect_text(text, "\nqpos0                 0.12");
    free(text);
  }
  mj_deleteModel(m);
}

static void what_cannot_be_printed_is_said(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  mjData* d = mj_makeData(m);
  mj_printModel(m, "no/such/folder/out.txt");
  expect_one_warning("cannot open 'no/such/folder/out.txt'");
  mj_printData(m, d, "no/such/folder/out.txt");
  expect_one_warning("cannot open 'no/such/folder/out.txt'");
  mj_markStack(d);
  mj_printData(m, d, PATH);
  expect_one_error("stack of the data is in use");
  mj_freeStack(d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Standard output goes to a file while a matrix is printed.
static void matrices_are_printed_row_by_row(void** state) {
  (void)state;
  const mjtNum dense[] = {1, 2, 3, 4}, sparse[] = {5, 6};
  const int rownnz[] = {1, 0, 1}, rowadr[] = {0, 1, 1}, colind[] = {2, 0};
  fflush(stdout);
  int own = dup(1);
  assert_non_null(freopen(PATH, "w", stdout));
  mju_printMat(dense, 2, 2);
  mju_printMatSparse(sparse, 3, rownnz, rowadr, colind);
  fflush(stdout);
  dup2(own, 1);
  close(own);
  char* text = printed();
  assert_string_equal(text,
                      "1.00000000 2.00000000 \n3.00000000 4.00000000 \n\n"
                      "(0 2):  5.000000  \n\n(2 0):  6.000000  \n\n");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_printed_model_has_every_array_of_its_objects),
      cmocka_unit_test(a_printed_data_has_every_array_that_is_not_empty),
      cmocka_unit_test(numbers_have_the_format_that_was_asked_for),
      cmocka_unit_test(what_cannot_be_printed_is_said),
      cmocka_unit_test(matrices_are_printed_row_by_row),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
