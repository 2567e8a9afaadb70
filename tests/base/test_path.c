// R30.5: paths are reduced and joined as in the reference.

#include "base/resource/path.h"

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int never_opens(mjResource* resource) {
  (void)resource;
  return 0;
}

static int reads_nothing(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = NULL;
  return 0;
}

static void closes(mjResource* resource) {
  (void)resource;
}

// The recorded paths contain the scheme "web:", which counts as a root once somebody serves it.
static int register_scheme(void** state) {
  (void)state;
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = "web";
  provider.open = never_opens;
  provider.read = reads_nothing;
  provider.close = closes;
  return mjp_registerResourceProvider(&provider) == 1 ? 0 : -1;
}

static void expect_text(char* got, const char* expected) {
  assert_non_null(got);
  assert_string_equal(got, expected);
  mju_free(got);
}

static void reduction_agrees_with_the_reference(void** state) {
  (void)state;
  static const struct {
    const char *path, *reduced;
  } recorded[] = {
#define REDUCED(path_, reduced_) {path_, reduced_},
#define BASE64(text_, bytes_)
#define TIMESTAMP(contents_, text_)
#define START()
#define ADD(name_, code_)
#define DELETE(name_, code_)
#define UNMOUNT(name_, code_)
#define OPEN(dir_, name_, opened_, contents_, ndir_)
#define MISSING(dir_, name_)
#include "recorded/files.def"
  };
  size_t count = sizeof(recorded) / sizeof(recorded[0]);
  assert_true(count >= 400);
  for (size_t i = 0; i < count; i++) {
    expect_text(ct_path_reduce(recorded[i].path), recorded[i].reduced);
  }
}

static void reducing_twice_changes_nothing(void** state) {
  (void)state;
  static const char* paths[] = {"a/../../b",    "./.", "//..//x",
                                "C:\\a\\..\\b", "..",  "a/b/c/../../../.."};
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
    char* once = ct_path_reduce(paths[i]);
    expect_text(ct_path_reduce(once), once);
    mju_free(once);
  }
}

static void an_absolute_name_ignores_the_directory(void** state) {
  (void)state;
  expect_text(ct_path_join("dir", "name"), "dir/name");
  expect_text(ct_path_join("dir/", "name"), "dir/name");
  expect_text(ct_path_join("dir\\", "name"), "dir/name");
  expect_text(ct_path_join("", "name"), "name");
  expect_text(ct_path_join(NULL, "name"), "name");
  expect_text(ct_path_join("dir", "/name"), "/name");
  expect_text(ct_path_join("dir", "C:/name"), "C:/name");
  expect_text(ct_path_join("dir", "web:name"), "web:name");
  expect_text(ct_path_join("dir", "unknown:name"), "dir/unknown:name");
  expect_text(ct_path_join("a/b", "../c"), "a/c");
}

static void a_base_name_follows_the_last_separator(void** state) {
  (void)state;
  expect_text(ct_path_lower_base("a/B/File.OBJ"), "file.obj");
  expect_text(ct_path_lower_base("a\\File.OBJ"), "file.obj");
  expect_text(ct_path_lower_base("FILE"), "file");
  expect_text(ct_path_lower_base("dir/"), "");
  expect_text(ct_path_lower_base("\xc3\x84.TXT"),
              "\xc3\x84.txt");  // only ASCII letters have a case
}

// Ten thousand levels down and up again: linear work, and nothing of the stack.
static void deep_paths_are_reduced(void** state) {
  (void)state;
  enum { DEPTH = 10000 };
  char* path = (char*)malloc(5 * DEPTH + 8);
  for (int i = 0; i < DEPTH; i++) memcpy(path + 2 * i, "d/", 2);
  for (int i = 0; i < DEPTH; i++) memcpy(path + 2 * DEPTH + 3 * i, "../", 3);
  strcpy(path + 5 * DEPTH, "end");
  expect_text(ct_path_reduce(path), "end");
  free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduction_agrees_with_the_reference),
      cmocka_unit_test(reducing_twice_changes_nothing),
      cmocka_unit_test(an_absolute_name_ignores_the_directory),
      cmocka_unit_test(a_base_name_follows_the_last_separator),
      cmocka_unit_test(deep_paths_are_reduced),
  };
  return cmocka_run_group_tests(tests, register_scheme, NULL);
}
