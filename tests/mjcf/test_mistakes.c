// Mistakes in model files: same verdicts as the reference, and messages that say what to do.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <corten/mjcf.h>

#include "mistakes.h"
#include "refused.h"
#include "spec/spec.h"

static void expect_mistake(const char* text, const char* message) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (spec || !strstr(error, message)) {
    mj_deleteSpec(spec);
    fail_msg("%s\nexpected a message with \"%s\", got \"%s\"", text, message, error);
  }
}

static void expect_fine(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nexpected to be read, got \"%s\"", text, error);
  assert_string_equal(error, "");
  mj_deleteSpec(spec);
}

static void R30_1_documented_mistakes_get_the_reference_verdict_and_a_clear_message(void** state) {
  (void)state;
#define MISTAKE(text_, message_) expect_mistake(text_, message_);
#define FINE(text_) expect_fine(text_);
#include "mistakes.def"
}

static void R30_1_documented_refusals_name_the_element_and_the_reason(void** state) {
  (void)state;
  int wrong = 0, all = 0;
#define REFUSED(text_, message_) all++, wrong += !is_refused(text_, message_, false);
#include "refusals.def"
  print_message("%d refusals\n", all);
  assert_int_equal(wrong, 0);
}

// Where a mistake is

static void a_message_names_file_line_element_and_attribute(void** state) {
  (void)state;
  const char* path = "test_mistakes.xml";
  const char* text =
      "<mujoco>\n<worldbody><body>\n<joint name='knee'\n\n  range='1\n2 "
      "3'/></body></worldbody></mujoco>";
  mjVFS vfs;
  char error[1000];
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, path, text, (int)strlen(text)), 0);
  assert_null(mj_parseXML(path, &vfs, error, sizeof(error)));
  assert_string_equal(error, "test_mistakes.xml:5: joint \"knee\": range needs 2 numbers, got 3");
  mj_deleteVFS(&vfs);
}

static void lines_after_a_value_with_line_breaks_are_counted_right(void** state) {
  (void)state;
  char error[1000];
  assert_null(mj_parseXMLString(
      "<mujoco>\n<custom><numeric name='a' data='1\n2\r\n3'/>\n<wrong/></custom></mujoco>", NULL,
      error, sizeof(error)));
  assert_string_equal(error, "line 5: wrong: not an element of custom");
}

static void a_short_buffer_gets_the_beginning_of_the_message(void** state) {
  (void)state;
  char error[8] = "xxxxxxx";
  assert_null(mj_parseXMLString("<mujoco><a/></mujoco>", NULL, error, 5));
  assert_string_equal(error, "line");
  assert_null(mj_parseXMLString("<mujoco><a/></mujoco>", NULL, NULL, 0));
}

// All of them

static void count_mistake(void* arg, const char* message) {
  assert_non_null(strstr(message, "all.xml:"));
  ++*(int*)arg;
}

static void checking_reports_every_mistake_of_a_file(void** state) {
  (void)state;
  const char* text =
      "<mujoco><option timestep='a'/><compiler angel='radian'/>"
      "<worldbody><geom type='spere'/><body><goem/><geom size='1 1 1 1'/><joint "
      "range='1'/><frame><body><wrong/></body></frame></body></worldbody>"
      "<sensor><touch/></sensor></mujoco>";
  mjVFS vfs;
  int count = 0;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "all.xml", text, (int)strlen(text)), 0);
  assert_int_equal(ct_check_mjcf("all.xml", &vfs, count_mistake, &count), 8);
  assert_int_equal(count, 8);
  mj_deleteVFS(&vfs);
}

// Bad input

static void R30_1_ten_thousand_levels_are_refused_without_harm(void** state) {
  (void)state;
  static const int all_levels[] = {496, 497, 10000};
  static const char* const leaves[] = {"", "<geom size='1'/>"};  // which may be one level deeper
  size_t room = 10000 * 14 + 100;
  char *text = (char*)malloc(room), error[1000];
  for (int k = 0; k < 6; k++) {
    int levels = all_levels[k / 2];
    char* p = text + sprintf(text, "<mujoco><worldbody>");
    for (int i = 0; i < levels; i++) p += sprintf(p, "<body>");
    p += sprintf(p, "%s", leaves[k % 2]);
    for (int i = 0; i < levels; i++) p += sprintf(p, "</body>");
    sprintf(p, "</worldbody></mujoco>");
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (levels == 496) {
      assert_non_null(spec);  // 498 with the root and its world
    } else {
      assert_null(spec);
      assert_non_null(strstr(error, "nested too deeply"));
    }
    mj_deleteSpec(spec);
  }
  free(text);
}

static void R30_1_a_long_attribute_is_read_whole(void** state) {
  (void)state;
  enum { COUNT = 200000 };
  char* text = (char*)malloc(COUNT * 8 + 200);
  char* p = text + sprintf(text, "<mujoco><asset><mesh name='a' vertex='");
  for (int i = 0; i < COUNT; i++) p += sprintf(p, "%d.5\n", i % 1000);
  sprintf(p, "'/></asset></mujoco>");
  char error[1000];
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_non_null(spec);
  const float* vertex;
  int size;
  vertex = ct_floats(mjs_asMesh(mjs_firstElement(spec, mjOBJ_MESH))->uservert, &size);
  assert_int_equal(size, COUNT);
  assert_true(vertex[COUNT - 1] == 999.5f);
  mj_deleteSpec(spec);
  free(text);
}

static void R30_1_gigantic_counts_are_refused(void** state) {
  (void)state;
  expect_mistake(WORLD("<replicate count='2000000000'><geom size='1'/></replicate>"),
                 "copies in all");
  expect_mistake(IN("<worldbody><replicate count='50'><geom size='1'/></replicate></worldbody>"
                    "<sensor><clock/></sensor>"),
                 "every copy doubles the sensors");
  expect_mistake(IN("<asset><hfield size='1 1 1 1' nrow='2000000000' ncol='2000000000'/></asset>"),
                 "too many");
}

static void R30_1_gigantic_sizes_are_refused(void** state) {
  (void)state;
  int wrong = 0;
#define GIGANTIC(text_, message_) wrong += !is_refused(text_, message_, false);
  GIGANTIC(IN("<asset><texture name='t' type='2d' builtin='flat' width='2000000000' "
              "height='2000000000'/></asset>"),
           "texture \"t\": 2000000000 x 2000000000 x 3 bytes are too many")
  GIGANTIC(IN("<asset><texture name='t' builtin='flat' width='2000000000'/></asset>"),
           "texture \"t\": width 2000000000 is too large")
  GIGANTIC(IN("<asset><hfield name='h' size='1 1 1 1' nrow='46341' ncol='46341'/></asset>"),
           "hfield \"h\": 46341 x 46341 points are too many")
  GIGANTIC(IN("<sensor><user dim='2000000000'/><user dim='2000000000'/></sensor>"),
           "sensor 1: the readings of all sensors need more numbers than 2147483647")
  GIGANTIC(IN("<sensor><contact num='2000000000' data='found force'/></sensor>"),
           "sensor 0: the sensor reads too many numbers")
  GIGANTIC(IN("<worldbody><camera name='c' resolution='100000 100000'/></worldbody>"
              "<sensor><rangefinder camera='c'/></sensor>"),
           "sensor 0: the sensor reads too many numbers")
  GIGANTIC(IN("<asset><mesh name='m' builtin='supersphere' params='100000 1 1'/></asset>"),
           "mesh \"m\": built-in mesh supersphere: parameter 0 is 100000, it must be below 20000")
  GIGANTIC(IN("<asset><mesh name='m' builtin='cone' params='2000000000 1'/></asset>"),
           "mesh \"m\": built-in mesh cone: parameter 0 is 2e+09, it must be below")
  GIGANTIC(IN("<asset><mesh name='m' builtin='plate' params='1e300 1e300'/></asset>"),
           "mesh \"m\": built-in mesh plate: parameter 0 is 1e+300, it must be below")
  GIGANTIC(MODEL("<actuator><motor joint='h' nsample='2000000000'/></actuator>"),
           "actuator 0: nsample is 2000000000")
  GIGANTIC(IN("<custom><numeric name='n' size='2000000000'/></custom>"),
           "numeric \"n\": size is 2000000000; 1 to 500 numbers are possible")
  GIGANTIC(IN("<size nuser_geom='2000000000'/><worldbody><geom size='1'/></worldbody>"),
           "size: nuser_geom is 2000000000, more than the 100000000 that are possible")
#undef GIGANTIC
  assert_int_equal(wrong, 0);
  expect_mistake(WORLD("<replicate count='1000000'><replicate count='1000000'><geom size='1'/>"
                       "</replicate></replicate>"),
                 "copies in all");
}

// A main file and others beside it; the message of the first mistake.
static void expect_bad_include(const char* main_text, const char* other, const char* message) {
  mjVFS vfs;
  char error[1000] = "";
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "main.xml", main_text, (int)strlen(main_text)), 0);
  if (other) assert_int_equal(mj_addBufferVFS(&vfs, "o.xml", other, (int)strlen(other)), 0);
  mjSpec* spec = mj_parseXML("main.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (spec || !strstr(error, message)) {
    mj_deleteSpec(spec);
    fail_msg("%s\nexpected \"%s\", got \"%s\"", main_text, message, error);
  }
}

static void R30_1_includes_that_cannot_be_are_refused(void** state) {
  (void)state;
  const char* one = IN("<include file='o.xml'/>");
  expect_bad_include(IN("<include/>"), NULL, "main.xml:1: include: file is missing");
  expect_bad_include(IN("<include file='nowhere.xml'/>"), NULL, "nowhere.xml");
  expect_bad_include(IN("<include file='o.xml'><geom/></include>"), "<a><option/></a>", "include");
  expect_bad_include(IN("<include file='o.xml'><!-- c --></include>"), "<a><option/></a>",
                     "include");
  expect_bad_include(one, "", "o.xml");
  expect_bad_include(one, "<mujoco>", "o.xml:1");
  expect_bad_include(one, "<mujoco/>", "o.xml");
  expect_bad_include(one, "<mujoco><optoin/></mujoco>", "o.xml:1: optoin: not an element");
  expect_bad_include(one, IN("<include file='o.xml'/>"), "o.xml");        // itself
  expect_bad_include(one, IN("<include file='main.xml'/>"), "main.xml");  // in a circle
  expect_bad_include(IN("<include file='o.xml'/><include file='./o.xml'/>"), IN("<option/>"),
                     "o.xml");
  expect_bad_include(IN("<INCLUDE file='o.xml'/>"), IN("<include file='main.xml'/>"), "main.xml");
}

static void R30_1_truncated_files_are_refused_at_every_length(void** state) {
  (void)state;
  const char* text =
      "\xEF\xBB\xBF<?xml version='1.0'?><!-- c --><!DOCTYPE a><mujoco "
      "model='a&lt;\xFF'><worldbody><geom "
      "size=\"1\n2\"/></worldbody><![CDATA[x]]></mujoco>";
  for (size_t n = 0; n < strlen(text); n++) {
    char *part = (char*)calloc(n + 1, 1), error[200];
    memcpy(part, text, n);
    assert_null(mj_parseXMLString(part, NULL, error, sizeof(error)));
    assert_true(strlen(error) > 0);
    free(part);
  }
}

static void R30_1_a_zero_byte_ends_a_file(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int size;
    const char* message;  // NULL: read
  } files[] = {{"<mujoco/>\0<worldbody>", 20, NULL},
               {"<mujoco>\0</mujoco>", 18, "z.xml:1: the file ends without </mujoco>"},
               {"<mujoco model='a\0b'/>", 21, "z.xml:1: the value of model begins with '"},
               {"\0<mujoco/>", 10, "z.xml:1: there is no element in the file"}};
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    mjVFS vfs;
    char error[200] = "";
    mj_defaultVFS(&vfs);
    assert_int_equal(mj_addBufferVFS(&vfs, "z.xml", files[i].text, files[i].size), 0);
    mjSpec* spec = mj_parseXML("z.xml", &vfs, error, sizeof(error));
    assert_int_equal(spec == NULL, files[i].message != NULL);
    if (files[i].message && !strstr(error, files[i].message)) fail_msg("%s", error);
    if (files[i].message) assert_non_null(strstr(error, "zero byte"));
    mj_deleteSpec(spec);
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R30_1_documented_mistakes_get_the_reference_verdict_and_a_clear_message),
      cmocka_unit_test(R30_1_documented_refusals_name_the_element_and_the_reason),
      cmocka_unit_test(a_message_names_file_line_element_and_attribute),
      cmocka_unit_test(lines_after_a_value_with_line_breaks_are_counted_right),
      cmocka_unit_test(a_short_buffer_gets_the_beginning_of_the_message),
      cmocka_unit_test(checking_reports_every_mistake_of_a_file),
      cmocka_unit_test(R30_1_ten_thousand_levels_are_refused_without_harm),
      cmocka_unit_test(R30_1_a_long_attribute_is_read_whole),
      cmocka_unit_test(R30_1_gigantic_counts_are_refused),
      cmocka_unit_test(R30_1_gigantic_sizes_are_refused),
      cmocka_unit_test(R30_1_includes_that_cannot_be_are_refused),
      cmocka_unit_test(R30_1_truncated_files_are_refused_at_every_length),
      cmocka_unit_test(R30_1_a_zero_byte_ends_a_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
