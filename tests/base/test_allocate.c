// R0.2: memory comes from one place, aligned, and through the user's hooks when there are any.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char message[1024];
static size_t asked;
static void* freed;

static void remember(const char* text) {
  strncpy(message, text, sizeof(message) - 1);
}

static void* ask(size_t size) {
  asked = size;
  return malloc(size);
}

static void* refuse(size_t size) {
  asked = size;
  return NULL;
}

static void give_back(void* memory) {
  freed = memory;
  free(memory);
}

static int reset(void** state) {
  (void)state;
  mju_clearHandlers();
  message[0] = 0;
  asked = 12345;
  freed = NULL;
  return 0;
}

static void blocks_are_aligned_and_writable_up_to_the_next_64_bytes(void** state) {
  (void)state;
  for (size_t size = 0; size < 300; size += 7) {
    char* memory = (char*)mju_malloc(size);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    memset(memory, 1, (size + 63) / 64 * 64);
    mju_free(memory);
  }
  mju_free(NULL);
}

static void hooks_see_the_size_as_given(void** state) {
  (void)state;
  mju_user_malloc = ask;
  mju_user_free = give_back;
  void* memory = mju_malloc(100);
  assert_int_equal(asked, 100);
  mju_free(NULL);
  assert_null(freed);
  mju_free(memory);
  assert_ptr_equal(freed, memory);
}

static void a_refusal_is_an_error(void** state) {
  (void)state;
  mju_user_error = remember;
  mju_user_malloc = refuse;
  assert_null(mju_malloc(100));
  assert_non_null(strstr(message, "100 bytes"));
  assert_int_equal(asked, 100);
}

static void sizes_that_wrap_around_are_errors(void** state) {
  (void)state;
  mju_user_error = remember;
  assert_null(mju_malloc(SIZE_MAX));
  assert_non_null(strstr(message, "mju_malloc"));
  message[0] = 0;
  assert_null(mju_malloc(SIZE_MAX - 62));
  assert_non_null(strstr(message, "mju_malloc"));
}

#define CASE(name_) cmocka_unit_test_setup_teardown(name_, reset, reset)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(blocks_are_aligned_and_writable_up_to_the_next_64_bytes),
      CASE(hooks_see_the_size_as_given),
      CASE(a_refusal_is_an_error),
      CASE(sizes_that_wrap_around_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
