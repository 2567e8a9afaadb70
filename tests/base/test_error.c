// R0.1 R0.2: errors and warnings reach the right listener, and only the built-in reaction ends the
// process.

#include <corten/log.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"

static char heard[8192];
static int count;

static void listen_to_process(const char* message) {
  snprintf(heard, sizeof(heard), "process %s", message);
  count++;
}

static _Thread_local char heard_by_thread[2048];

static void listen_to_thread(const char* message) {
  snprintf(heard_by_thread, sizeof(heard_by_thread), "thread %s", message);
}

static int start_silent(void** state) {
  (void)state;
  mju_clearHandlers();
  _mjPRIVATE__set_tls_error_fn(NULL);
  _mjPRIVATE__set_tls_warning_fn(NULL);
  unsetenv("CORTEN_LOG");
  ct_set_log(NULL);
  heard[0] = heard_by_thread[0] = 0;
  count = 0;
  return 0;
}

static void a_handler_gets_the_formatted_message_and_may_return(void** state) {
  (void)state;
  mju_user_error = listen_to_process;
  mju_error("body %d of %s", 3, "hand");
  assert_string_equal(heard, "process body 3 of hand");
  mju_error_i("id %d", -1);
  assert_string_equal(heard, "process id -1");
  mju_error_s("name %s", "knee");
  assert_string_equal(heard, "process name knee");
  assert_int_equal(count, 3);

  mju_user_warning = listen_to_process;
  mju_warning("%.2f s", 0.5);
  assert_string_equal(heard, "process 0.50 s");
  mju_warning_i("id %d", 7);
  assert_string_equal(heard, "process id 7");
  mju_warning_s("name %s", "hip");
  assert_string_equal(heard, "process name hip");
}

static void long_messages_are_cut_and_raw_ones_are_not(void** state) {
  (void)state;
  char message[5000];
  memset(message, 'x', sizeof(message) - 1);
  message[sizeof(message) - 1] = 0;
  mju_user_error = mju_user_warning = listen_to_process;
  size_t prefix = strlen("process ");
  mju_error("%s", message);
  assert_int_equal(strlen(heard) - prefix, 1023);
  mju_warning("%s", message);
  assert_int_equal(strlen(heard) - prefix, 1023);
  mju_error_raw(message);
  assert_int_equal(strlen(heard) - prefix, 4999);
  mju_error_raw("100%d");
  assert_string_equal(heard, "process 100%d");
}

static void raise_with_list(const char* format, ...) {
  va_list values;
  va_start(values, format);
  mju_error_v(format, values);
  va_end(values);
}

static void an_error_can_take_its_values_from_a_list(void** state) {
  (void)state;
  mju_user_error = listen_to_process;
  raise_with_list("%s %d", "joint", 4);
  assert_string_equal(heard, "process joint 4");
}

static void the_thread_is_heard_before_the_process(void** state) {
  (void)state;
  mju_user_error = mju_user_warning = listen_to_process;
  _mjPRIVATE__set_tls_error_fn(listen_to_thread);
  assert_true(_mjPRIVATE__get_tls_error_fn() == listen_to_thread);
  assert_true(_mjPRIVATE__get_tls_warning_fn() == NULL);

  mju_error("e");
  assert_string_equal(heard_by_thread, "thread e");
  mju_warning("w");
  assert_string_equal(heard, "process w");
  _mjPRIVATE__set_tls_warning_fn(listen_to_thread);
  mju_warning("w");
  assert_string_equal(heard_by_thread, "thread w");
}

static void clearing_handlers_leaves_those_of_threads(void** state) {
  (void)state;
  mju_user_error = mju_user_warning = listen_to_process;
  mju_user_malloc = malloc;
  mju_user_free = free;
  _mjPRIVATE__set_tls_error_fn(listen_to_thread);
  mju_clearHandlers();
  assert_null(mju_user_error);
  assert_null(mju_user_warning);
  assert_null(mju_user_malloc);
  assert_null(mju_user_free);
  assert_true(_mjPRIVATE__get_tls_error_fn() == listen_to_thread);
}

static void* raise_many(void* number) {
  char expected[64];
  long wrong = 0;
  _mjPRIVATE__set_tls_error_fn(listen_to_thread);
  for (int i = 0; i < 1000; i++) {
    mju_error("%d of %d", i, *(int*)number);
    snprintf(expected, sizeof(expected), "thread %d of %d", i, *(int*)number);
    wrong += strcmp(expected, heard_by_thread) != 0;
    wrong += atoi(mju_writeNumBytes((size_t)i * 1024 + 1)) != i * 1024 + 1;
    wrong += strstr(mju_warningText(mjWARN_BADQPOS, (size_t)i), "QPOS") == NULL;
  }
  return (void*)wrong;
}

static void threads_hear_only_their_own_errors(void** state) {
  (void)state;
  mju_user_error = listen_to_process;
  enum { N = 4 };
  pthread_t threads[N];
  int number[N];
  for (int i = 0; i < N; i++) {
    number[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, raise_many, &number[i]), 0);
  }
  for (int i = 0; i < N; i++) {
    void* wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
  assert_int_equal(count, 0);  // nothing fell through to the process
  assert_true(_mjPRIVATE__get_tls_error_fn() == NULL);
}

static jmp_buf way_out;

static void jump_out(const char* message) {
  listen_to_process(message);
  longjmp(way_out, 1);
}

static void a_handler_may_jump_out(void** state) {
  (void)state;
  mju_user_error = jump_out;
  for (volatile int i = 0; i < 3; i++) {
    if (!setjmp(way_out)) {
      mju_error("jump %d", i);
      fail_msg("the handler returned");
    }
  }
  assert_string_equal(heard, "process jump 2");
  mju_user_error = listen_to_process;  // the library is not stuck in the old error
  mju_error("after");
  assert_string_equal(heard, "process after");
}

// Runs `act` in a child process in a fresh folder; gives its standard output and exit code.
static int in_child(void (*act)(void), char* folder, char* output, size_t room) {
  snprintf(folder, 64, "/tmp/corten_error_XXXXXX");
  assert_non_null(mkdtemp(folder));
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]), close(ends[1]);
    if (chdir(folder)) _exit(99);
    act();
    fflush(NULL);
    _exit(0);
  }
  close(ends[1]);
  size_t size = 0;
  ssize_t n;
  while ((n = read(ends[0], output + size, room - 1 - size)) > 0) size += (size_t)n;
  output[size] = 0;
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static size_t read_and_remove(const char* folder, const char* name, char* text, size_t room) {
  char path[256];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* f = fopen(path, "r");
  if (!f) return 0;
  size_t n = fread(text, 1, room - 1, f);
  text[n] = 0;
  fclose(f);
  unlink(path);
  return n;
}

static void warn_then_fail(void) {
  mju_warning("careful %d", 1);
  mju_error("too late");
  printf("not reached");
}

static void without_handlers_an_error_prints_and_ends_the_process(void** state) {
  (void)state;
  char folder[64], output[1024], text[1024];
  int code = in_child(warn_then_fail, folder, output, sizeof(output));
  assert_string_equal(output, "WARNING: careful 1\n\nERROR: too late\n\n");
  assert_int_equal(code, EXIT_FAILURE);
  assert_int_equal(read_and_remove(folder, "MUJOCO_LOG.TXT", text, sizeof(text)), 0);
  assert_int_equal(rmdir(folder), 0);  // no file was left behind
}

static void warn_with_log(void) {
  ct_set_log("log.txt");
  warn_then_fail();
}

static void warn_with_environment(void) {
  setenv("CORTEN_LOG", "log.txt", 1);
  warn_then_fail();
}

// An entry is a line "Sun Nov 15 13:09:54 2026", a line "TYPE: message" and an empty one.
static const char* expect_entry(const char* text, const char* line) {
  char day[4], month[4];
  int date, hour, minute, second, year, length = 0;
  int read = sscanf(text, "%3s %3s %d %d:%d:%d %d%n", day, month, &date, &hour, &minute, &second,
                    &year, &length);
  assert_int_equal(read, 7);
  assert_int_equal(length, 24);
  text += length;
  assert_int_equal(*text++, '\n');
  assert_memory_equal(text, line, strlen(line));
  text += strlen(line);
  assert_memory_equal(text, "\n\n", 2);
  return text + 2;
}

static void a_log_is_kept_when_asked_for(void** state) {
  (void)state;
  void (*const ways[])(void) = {warn_with_log, warn_with_environment};
  for (int i = 0; i < 2; i++) {
    char folder[64], output[1024], text[1024];
    assert_int_equal(in_child(ways[i], folder, output, sizeof(output)), EXIT_FAILURE);
    assert_true(read_and_remove(folder, "log.txt", text, sizeof(text)) > 0);
    const char* rest = expect_entry(text, "WARNING: careful 1");
    rest = expect_entry(rest, "ERROR: too late");
    assert_string_equal(rest, "");
    assert_int_equal(rmdir(folder), 0);
  }
}

static void write_log(void) {
  mju_writeLog("NOTE", "first");
  mju_writeLog("NOTE", "second");
}

static void a_direct_call_writes_the_usual_file(void** state) {
  (void)state;
  char folder[64], output[1024], text[1024];
  assert_int_equal(in_child(write_log, folder, output, sizeof(output)), 0);
  assert_string_equal(output, "");
  assert_true(read_and_remove(folder, "MUJOCO_LOG.TXT", text, sizeof(text)) > 0);
  assert_string_equal(expect_entry(expect_entry(text, "NOTE: first"), "NOTE: second"), "");
  assert_int_equal(rmdir(folder), 0);
}

static void a_log_that_cannot_be_written_is_ignored(void** state) {
  (void)state;
  ct_set_log("/nonexistent/folder/log.txt");
  mju_writeLog("NOTE", "lost");
  char path[2000];
  memset(path, 'a', sizeof(path) - 1);
  path[sizeof(path) - 1] = 0;
  assert_int_equal(ct_set_log(path), -1);
}

static void a_data_tells_each_kind_of_warning_once(void** state) {
  (void)state;
  mjData* d = (mjData*)calloc(1, sizeof(mjData));
  mju_user_warning = mju_user_error = listen_to_process;
  d->time = 1.5;
  mj_warning(d, mjWARN_BADQVEL, 3);
  assert_non_null(strstr(heard, "QVEL"));
  assert_non_null(strstr(heard, "DOF 3"));
  assert_non_null(strstr(heard, " Time = 1.5000."));
  mj_warning(d, mjWARN_BADQVEL, 5);
  assert_int_equal(count, 1);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 2);
  assert_int_equal(d->warning[mjWARN_BADQVEL].lastinfo, 5);
  mj_warning(d, mjWARN_CNSTRFULL, 1 << 20);
  assert_non_null(strstr(heard, " 1M bytes"));
  assert_int_equal(count, 2);

  // a bad type is an error that names it, and touches nothing
  mjData before = *d;
  mj_warning(d, mjNWARNING, 0);
  assert_non_null(strstr(heard, "mj_warning: warning type 8"));
  mj_warning(d, -1, 0);
  assert_non_null(strstr(heard, "mj_warning: warning type -1"));
  assert_memory_equal(&before.warning, &d->warning, sizeof(before.warning));
  free(d);
}

static void every_warning_has_a_text_with_its_number(void** state) {
  (void)state;
  for (int i = 0; i < mjNWARNING; i++) {
    assert_non_null(strstr(mju_warningText(i, 4711), "4711"));
  }
  assert_string_equal(mju_warningText(8, 0), "Unknown warning type 8.");
  assert_string_equal(mju_warningText(-1, 0), "Unknown warning type -1.");
}

static void bytes_are_written_with_a_unit_where_it_is_exact(void** state) {
  (void)state;
  const struct {
    size_t bytes;
    const char* text;
  } cases[] = {{0, "0"},
               {1, "1"},
               {1023, "1023"},
               {1024, "1K"},
               {1536, "1536"},
               {2049, "2049"},
               {1 << 20, "1M"},
               {(size_t)3 << 30, "3G"},
               {(size_t)5 << 40, "5T"},
               {(size_t)7 << 50, "7P"},
               {(size_t)1 << 60, "1E"},
               {(size_t)8 << 60, "8E"},
               {SIZE_MAX, "18446744073709551615"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_string_equal(mju_writeNumBytes(cases[i].bytes), cases[i].text);
  }
}

#define CASE(name_) cmocka_unit_test_setup_teardown(name_, start_silent, start_silent)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(a_handler_gets_the_formatted_message_and_may_return),
      CASE(long_messages_are_cut_and_raw_ones_are_not),
      CASE(an_error_can_take_its_values_from_a_list),
      CASE(the_thread_is_heard_before_the_process),
      CASE(clearing_handlers_leaves_those_of_threads),
      CASE(threads_hear_only_their_own_errors),
      CASE(a_handler_may_jump_out),
      CASE(without_handlers_an_error_prints_and_ends_the_process),
      CASE(a_log_is_kept_when_asked_for),
      CASE(a_direct_call_writes_the_usual_file),
      CASE(a_log_that_cannot_be_written_is_ignored),
      CASE(a_data_tells_each_kind_of_warning_once),
      CASE(every_warning_has_a_text_with_its_number),
      CASE(bytes_are_written_with_a_unit_where_it_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
