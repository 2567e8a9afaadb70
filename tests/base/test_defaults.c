// R0.1 R14.3: default structs, string tables and callbacks are those of the reference.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/exports.h"
#include "support/recorded.h"

// Compares a struct with the recorded non-zero words of the reference's. Layouts with mjtNum are
// recorded in double precision.
static void expect_words(const char* function, const void* memory, size_t size) {
  Recorded* r = recorded_open("defaults.rec");
  char name[64];
  size_t count, next = 0;
  snprintf(name, sizeof(name), "%s/index", function);
  const int* index = recorded_ints(r, name, &count);
  snprintf(name, sizeof(name), "%s/word", function);
  const int* word = recorded_ints(r, name, NULL);
  assert_true(count == 0 || (word && (size_t)index[count - 1] < size / 4));
  for (size_t i = 0; i < size / 4; i++) {
    int32_t actual, expected = 0;
    memcpy(&actual, (const char*)memory + 4 * i, 4);
    if (next < count && (size_t)index[next] == i) expected = word[next++];
    if (actual != expected) {
      fail_msg("%s: byte %zu: word %08x, expected %08x", function, 4 * i, (unsigned)actual,
               (unsigned)expected);
    }
  }
  assert_int_equal(next, count);
  recorded_close(r);
}

// Runs a default function on a struct full of rubbish and compares every word.
#define EXPECT_DEFAULT(type_, function_)         \
  do {                                           \
    type_* x_ = (type_*)malloc(sizeof(type_));   \
    memset(x_, 0xAB, sizeof(type_));             \
    function_(x_);                               \
    expect_words(#function_, x_, sizeof(type_)); \
    free(x_);                                    \
  } while (0)

static void structs_without_real_numbers_start_as_in_the_reference(void** state) {
  (void)state;
  EXPECT_DEFAULT(mjVisual, mj_defaultVisual);
  EXPECT_DEFAULT(mjvOption, mjv_defaultOption);
  EXPECT_DEFAULT(mjvScene, mjv_defaultScene);
  EXPECT_DEFAULT(mjrContext, mjr_defaultContext);
}

#ifndef mjUSESINGLE

static void structs_with_real_numbers_start_as_in_the_reference(void** state) {
  (void)state;
  EXPECT_DEFAULT(mjOption, mj_defaultOption);
  EXPECT_DEFAULT(mjLROpt, mj_defaultLROpt);
  EXPECT_DEFAULT(mjvCamera, mjv_defaultCamera);
  EXPECT_DEFAULT(mjvPerturb, mjv_defaultPerturb);
  EXPECT_DEFAULT(mjvFigure, mjv_defaultFigure);  // its colours come from mju_Halton
}

static void the_free_camera_looks_at_the_model(void** state) {
  (void)state;
  Recorded* r = recorded_open("defaults.rec");
  const double* values = recorded_doubles(r, "mjv_defaultFreeCamera/model", NULL);
  mjModel* m = (mjModel*)calloc(1, sizeof(mjModel));
  for (int i = 0; i < 3; i++) m->stat.center[i] = values[i];
  m->stat.extent = values[3];
  m->vis.global.azimuth = (float)values[4];
  m->vis.global.elevation = (float)values[5];
  m->vis.global.orthographic = (int)values[6];
  mjvCamera camera;
  memset(&camera, 0xAB, sizeof(camera));
  mjv_defaultFreeCamera(m, &camera);
  expect_words("mjv_defaultFreeCamera", &camera, sizeof(camera));
  free(m);
  recorded_close(r);
}

#endif

static void solver_parameters_start_as_in_the_reference(void** state) {
  (void)state;
  Recorded* r = recorded_open("defaults.rec");
  const double* expected = recorded_doubles(r, "mj_defaultSolRefImp", NULL);
  mjtNum solref[mjNREF] = {0}, solimp[mjNIMP] = {0};
  mj_defaultSolRefImp(solref, solimp);
  for (int i = 0; i < mjNREF; i++) assert_true(solref[i] == (mjtNum)expected[i]);
  for (int i = 0; i < mjNIMP; i++) assert_true(solimp[i] == (mjtNum)expected[mjNREF + i]);
  solref[0] = solimp[0] = -1;  // either may be left out
  mj_defaultSolRefImp(NULL, solimp);
  assert_true(solref[0] == -1 && solimp[0] == (mjtNum)expected[mjNREF]);
  mj_defaultSolRefImp(solref, NULL);
  assert_true(solref[0] == (mjtNum)expected[0]);
  recorded_close(r);
}

static void expect_strings(const Recorded* r, const char* name, const char* const* strings,
                           int count) {
  size_t length, at = 0;
  const int* expected = recorded_ints(r, name, &length);
  for (int i = 0; i < count; i++) {
    for (const char* c = strings[i];; c++, at++) {
      assert_true(at < length);
      if (*c != (char)expected[at]) fail_msg("%s: entry %d is \"%s\"", name, i, strings[i]);
      if (!*c) break;
    }
    at++;
  }
  assert_int_equal(at, length);
}

static void string_tables_are_those_of_the_reference(void** state) {
  (void)state;
  Recorded* r = recorded_open("defaults.rec");
  expect_strings(r, "mjDISABLESTRING", mjDISABLESTRING, mjNDISABLE);
  expect_strings(r, "mjENABLESTRING", mjENABLESTRING, mjNENABLE);
  expect_strings(r, "mjTIMERSTRING", mjTIMERSTRING, mjNTIMER);
  expect_strings(r, "mjLABELSTRING", mjLABELSTRING, mjNLABEL);
  expect_strings(r, "mjFRAMESTRING", mjFRAMESTRING, mjNFRAME);
  expect_strings(r, "mjVISSTRING", mjVISSTRING[0], 3 * mjNVISFLAG);
  expect_strings(r, "mjRNDSTRING", mjRNDSTRING[0], 3 * mjNRNDFLAG);
  recorded_close(r);
}

static void fields_of_contact_sensors_have_their_sizes(void** state) {
  (void)state;
  Recorded* r = recorded_open("defaults.rec");
  const int* sizes = recorded_ints(r, "mjCONDATA_SIZE", NULL);
  assert_memory_equal(mjCONDATA_SIZE, sizes, sizeof(mjCONDATA_SIZE));
  size_t count;
  const int* sums = recorded_ints(r, "mju_condataSize", &count);
  for (size_t i = 0; i < count; i++) assert_int_equal(mju_condataSize((int)i - 1), sums[i]);
  recorded_close(r);
}

static void passive(const mjModel* m, mjData* d) {
  (void)m, (void)d;
}

static int contact_filter(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)m, (void)d, (void)geom1, (void)geom2;
  return 0;
}

static void sensor(const mjModel* m, mjData* d, int stage) {
  (void)m, (void)d, (void)stage;
}

static mjtNum now(void) {
  return 1;
}

static mjtNum act(const mjModel* m, const mjData* d, int id) {
  (void)m, (void)d, (void)id;
  return 0;
}

static void expect_no_callbacks(void) {
  assert_true(!mjcb_passive && !mjcb_control && !mjcb_contactfilter && !mjcb_sensor && !mjcb_time);
  assert_true(!mjcb_act_dyn && !mjcb_act_gain && !mjcb_act_bias);
}

static void callbacks_start_and_reset_to_nothing(void** state) {
  (void)state;
  expect_no_callbacks();
  mjcb_passive = mjcb_control = passive;
  mjcb_contactfilter = contact_filter;
  mjcb_sensor = sensor;
  mjcb_time = now;
  mjcb_act_dyn = mjcb_act_gain = mjcb_act_bias = act;
  mj_resetCallbacks();
  expect_no_callbacks();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structs_without_real_numbers_start_as_in_the_reference),
#ifndef mjUSESINGLE
      cmocka_unit_test(structs_with_real_numbers_start_as_in_the_reference),
      cmocka_unit_test(the_free_camera_looks_at_the_model),
#endif
      cmocka_unit_test(solver_parameters_start_as_in_the_reference),
      cmocka_unit_test(string_tables_are_those_of_the_reference),
      cmocka_unit_test(fields_of_contact_sensors_have_their_sizes),
      cmocka_unit_test(callbacks_start_and_reset_to_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
