#include "support/messages.h"

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // messages come from any thread
static int errors, warnings;
static char text[1024];

static void note(const char* message, int* count) {
  pthread_mutex_lock(&lock);
  ++*count;
  snprintf(text, sizeof(text), "%s", message);
  pthread_mutex_unlock(&lock);
}

static void note_error(const char* message) {
  note(message, &errors);
}

static void note_warning(const char* message) {
  note(message, &warnings);
}

int listen_to_messages(void** state) {
  (void)state;
  errors = warnings = 0;
  text[0] = 0;
  mju_user_error = note_error;
  mju_user_warning = note_warning;
  return 0;
}

int stop_listening(void** state) {
  (void)state;
  mju_user_error = NULL;
  mju_user_warning = NULL;
  return 0;
}

int count_errors(void) {
  int n = errors;
  errors = 0;
  return n;
}

int count_warnings(void) {
  int n = warnings;
  warnings = 0;
  return n;
}

const char* newest_message(void) {
  return text;
}

static void expect_one(int count, const char* kind, const char* part) {
  if (count != 1) fail_msg("%d %ss instead of one about '%s'; newest: %s", count, kind, part, text);
  if (!strstr(text, part)) fail_msg("the %s '%s' does not say '%s'", kind, text, part);
}

void expect_one_error(const char* part) {
  expect_one(count_errors(), "error", part);
}

void expect_one_warning(const char* part) {
  expect_one(count_warnings(), "warning", part);
}
