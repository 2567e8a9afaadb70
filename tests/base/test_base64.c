// Base64 as RFC 4648 and the reference have it.

#include "base/resource/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The examples of RFC 4648, section 10.
static void the_examples_of_the_standard_hold(void** state) {
  (void)state;
  static const char* examples[][2] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
    char text[16];
    uint8_t bytes[16];
    size_t length = strlen(examples[i][0]);
    size_t written = mju_encodeBase64(text, (const uint8_t*)examples[i][0], length);
    assert_string_equal(text, examples[i][1]);
    assert_int_equal(written, strlen(text) + 1);
    assert_int_equal(mju_isValidBase64(text), length);
    assert_int_equal(mju_decodeBase64(bytes, text), length);
    assert_memory_equal(bytes, examples[i][0], length);
  }
}

static void every_byte_survives_the_way_there_and_back(void** state) {
  (void)state;
  uint8_t bytes[256], back[258];
  char text[345];
  for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
  for (size_t start = 0; start < 3; start++) {
    size_t count = 256 - start;
    assert_int_equal(mju_encodeBase64(text, bytes + start, count), (count + 2) / 3 * 4 + 1);
    assert_int_equal(mju_decodeBase64(back, text), count);
    assert_memory_equal(back, bytes + start, count);
  }
}

static void validity_agrees_with_the_reference(void** state) {
  (void)state;
  static const struct {
    const char* text;
    size_t bytes;
  } recorded[] = {
#define REDUCED(path_, reduced_)
#define BASE64(text_, bytes_) {text_, bytes_},
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
  assert_true(count > 40);
  for (size_t i = 0; i < count; i++) {
    if (mju_isValidBase64(recorded[i].text) != recorded[i].bytes) {
      fail_msg("'%s' stands for %zu bytes, got %zu", recorded[i].text, recorded[i].bytes,
               mju_isValidBase64(recorded[i].text));
    }
  }
}

// The reference reads beyond the end of such a text; we stop.
static void an_incomplete_group_is_left_out(void** state) {
  (void)state;
  uint8_t bytes[6];
  assert_int_equal(mju_decodeBase64(bytes, "A"), 0);
  assert_int_equal(mju_decodeBase64(bytes, "QUJDQ"), 3);
  assert_memory_equal(bytes, "ABC", 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard_hold),
      cmocka_unit_test(every_byte_survives_the_way_there_and_back),
      cmocka_unit_test(validity_agrees_with_the_reference),
      cmocka_unit_test(an_incomplete_group_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
