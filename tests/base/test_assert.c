// Checks of our own assumptions: a broken one stops test builds and costs nothing in others.

#include "base/assert.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void a_condition_is_evaluated_in_test_builds_only(void** state) {
  (void)state;
  int evaluated = 0;
  CT_ASSERT(++evaluated);
#ifdef CT_CHECKS
  assert_int_equal(evaluated, 1);
#else
  assert_int_equal(evaluated, 0);
#endif
}

static void a_broken_assumption_is_printed_and_aborts(void** state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    ct_assert_failed("n > 0", "some.c", 12);
  }
  close(ends[1]);
  char text[256];
  ssize_t n = read(ends[0], text, sizeof(text) - 1);
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  assert_true(n > 0);
  text[n] = 0;
  assert_non_null(strstr(text, "some.c:12"));
  assert_non_null(strstr(text, "n > 0"));
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_condition_is_evaluated_in_test_builds_only),
      cmocka_unit_test(a_broken_assumption_is_printed_and_aborts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
