// R1, R2: every mju_ function gives the numbers that the reference gave, on ordinary and on edge
// inputs. The cases, with the tolerance of each, are in tests/conformance; the library is the
// shared one, as programs see it.

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/mju_cases.h"
#include "support/recorded.h"

static Recorded* recorded;
static void* corten;
static mjData* data;
static jmp_buf on_missing;
static char error_text[256];

static void catch_error(const char* message) {
  snprintf(error_text, sizeof(error_text), "%s", message);
  longjmp(on_missing, 1);
}

// Replays the cases of one function.
static void agrees_with_the_reference(void** state) {
  const MjuEntry* e = (const MjuEntry*)*state;
  size_t count;
  const double* values = recorded_doubles(recorded, e->name, &count);
  if (!values) fail_msg("%s is not recorded: run record_mju", e->name);
  Tape tape;
  memset(&tape, 0, sizeof(tape));
  tape.values = (double*)(uintptr_t)values;  // replaying only reads
  tape.count = count;
  AnyFunction function = library_function(corten, e->name);
  assert_true(function != NULL);
  if (setjmp(on_missing)) fail_msg("%s", error_text);
  for (int i = 0; i < MJU_RECORDED_CASES; i++) {
    Case c = mju_case(e, i, MJU_RECORDED_LARGEST, &tape);
    c.function = function;
    c.data = data;
    if (!case_replay(&c, e->run)) fail_msg("%s", c.message);
  }
  assert_int_equal(tape.position, tape.count);
}

// The comparison is worth something: a result that is off by 1e-13 is a mismatch that names the
// place.
static void a_changed_number_is_noticed(void** state) {
  (void)state;
  const MjuEntry* e = mju_entry(0);
  for (int i = 0; strcmp(e->name, "mju_cholFactor"); i++) e = mju_entry(i);
  size_t count;
  const double* values = recorded_doubles(recorded, e->name, &count);
  Tape tape;
  memset(&tape, 0, sizeof(tape));
  tape.values = (double*)calloc(count, sizeof(double));
  tape.count = count;
  memcpy(tape.values, values, count * sizeof(double));

  int noticed = 0;
  for (int pass = 0; pass < 2; pass++) {
    tape.position = 0;
    for (int i = 0; i < MJU_RECORDED_CASES; i++) {
      Case c = mju_case(e, i, MJU_RECORDED_LARGEST, &tape);
      c.function = library_function(corten, e->name);
      if (!case_replay(&c, e->run)) {
        noticed++;
        assert_non_null(strstr(c.message, "mju_cholFactor case"));
      }
      // the last number of the case is the last element of its factor
      if (pass == 0 && tape.position > 0) tape.values[tape.position - 1] *= 1 + 1e-13;
    }
  }
  assert_true(noticed >= MJU_RECORDED_CASES / 2);
  free(tape.values);
}

static int is_covered(const char* name) {
  const MjuEntry* e;
  const MjuException* x;
  for (int i = 0; (e = mju_entry(i)); i++) {
    if (!strcmp(e->name, name)) return 1;
  }
  for (int i = 0; (x = mju_exception(i)); i++) {
    if (!strcmp(x->name, name)) return 1;
  }
  return 0;
}

// Every mju_ function, declared or only exported, has cases, or a reason why not.
static void every_function_is_covered(void** state) {
  (void)state;
  static const char* const names[] = {
#define SECTION(title)
#define FUNCTION(type, name, arguments, doc) #name,
#define EXPORT(name) #name,
#include "functions.def"
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strncmp(names[i], "mju_", 4) && !is_covered(names[i])) {
      fail_msg("%s has neither cases nor a reason in tests/conformance", names[i]);
    }
  }
}

int main(void) {
#ifdef mjUSESINGLE
  printf("the reference's numbers are double: nothing to compare in a single precision build\n");
  return 0;
#endif
  recorded = recorded_open("mju.rec");
  corten = two_libraries_open(CT_BINARY_DIR "/lib/libcorten.so", CT_BINARY_DIR "/lib/libcorten.so")
               .corten;
  void (**handler)(const char*) =
      (void (**)(const char*))library_variable(corten, "mju_user_error");
  *handler = catch_error;

  data = mju_data_of(corten);

  int count = 0;
  while (mju_entry(count)) count++;
  struct CMUnitTest* tests =
      (struct CMUnitTest*)calloc((size_t)count + 2, sizeof(struct CMUnitTest));
  for (int i = 0; i < count; i++) {
    tests[i].name = mju_entry(i)->name;
    tests[i].test_func = agrees_with_the_reference;
    tests[i].initial_state = (void*)(uintptr_t)mju_entry(i);
  }
  tests[count].name = "every_function_is_covered";
  tests[count].test_func = every_function_is_covered;
  tests[count + 1].name = "a_changed_number_is_noticed";
  tests[count + 1].test_func = a_changed_number_is_noticed;
  int failed = _cmocka_run_group_tests("mju_recorded", tests, (size_t)count + 2, NULL, NULL);
  free(tests);
  LIBRARY_FUNCTION(corten, mj_deleteData)(data);
  recorded_close(recorded);
  return failed;
}
