#include "base/error.h"

#include <corten/log.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MESSAGE_BYTES 1024  // longer formatted messages are cut, as in the reference
#define PATH_BYTES 1024

void (*mju_user_error)(const char*) = NULL;
void (*mju_user_warning)(const char*) = NULL;
void* (*mju_user_malloc)(size_t) = NULL;
void (*mju_user_free)(void*) = NULL;

static _Thread_local ct_MessageHandler thread_error = NULL;
static _Thread_local ct_MessageHandler thread_warning = NULL;

ct_MessageHandler _mjPRIVATE__get_tls_error_fn(void) {
  return thread_error;
}

ct_MessageHandler _mjPRIVATE__get_tls_warning_fn(void) {
  return thread_warning;
}

void _mjPRIVATE__set_tls_error_fn(ct_MessageHandler handler) {
  thread_error = handler;
}

void _mjPRIVATE__set_tls_warning_fn(ct_MessageHandler handler) {
  thread_warning = handler;
}

// The handlers of threads stay: a binding that set one still relies on it.
void mju_clearHandlers(void) {
  mju_user_error = NULL;
  mju_user_warning = NULL;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

// The log. One lock guards the chosen path and keeps entries of several threads apart.

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_path[PATH_BYTES];

int ct_set_log(const char* path) {
  size_t length = path ? strlen(path) : 0;
  if (length >= PATH_BYTES) return -1;
  pthread_mutex_lock(&log_lock);
  if (path) memcpy(log_path, path, length);
  log_path[length] = 0;
  pthread_mutex_unlock(&log_lock);
  return 0;
}

// Appends an entry to the log that was asked for, else to `fallback`, else nowhere.
static void append_to_log(const char* type, const char* message, const char* fallback) {
  pthread_mutex_lock(&log_lock);
  const char* asked = log_path[0] ? log_path : getenv("CORTEN_LOG");
  const char* path = asked && asked[0] ? asked : fallback;
  FILE* file = path ? fopen(path, "a") : NULL;
  if (file) {
    time_t now = time(NULL);
    struct tm local;
    char date[32] = "\n";
    if (localtime_r(&now, &local)) asctime_r(&local, date);  // ends in a newline
    fprintf(file, "%s%s: %s\n\n", date, type, message);
    fclose(file);
  }
  pthread_mutex_unlock(&log_lock);
}

// A direct call is a request, so it has a file even where no log was set up.
void mju_writeLog(const char* type, const char* message) {
  append_to_log(type, message, "MUJOCO_LOG.TXT");
}

// What happens to a message that no handler takes.
static void report(const char* type, const char* message) {
  append_to_log(type, message, NULL);
  printf("%s: %s\n\n", type, message);
}

void mju_error_raw(const char* message) {
  if (thread_error) {
    thread_error(message);
  } else if (mju_user_error) {
    mju_user_error(message);
  } else {
    report("ERROR", message);
    exit(EXIT_FAILURE);
  }
}

static void raise_warning(const char* message) {
  if (thread_warning) {
    thread_warning(message);
  } else if (mju_user_warning) {
    mju_user_warning(message);
  } else {
    report("WARNING", message);
  }
}

void mju_error_v(const char* format, va_list values) {
  char message[MESSAGE_BYTES];
  vsnprintf(message, sizeof(message), format, values);
  mju_error_raw(message);
}

void mju_error(const char* format, ...) {
  va_list values;
  va_start(values, format);
  mju_error_v(format, values);
  va_end(values);
}

void mju_warning(const char* format, ...) {
  char message[MESSAGE_BYTES];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof(message), format, values);
  va_end(values);
  raise_warning(message);
}

void mju_error_i(const char* format, int value) {
  mju_error(format, value);
}

void mju_error_s(const char* format, const char* value) {
  mju_error(format, value);
}

void mju_warning_i(const char* format, int value) {
  mju_warning(format, value);
}

void mju_warning_s(const char* format, const char* value) {
  mju_warning(format, value);
}

// Warnings that a simulation raises, in the order of mjtWarning. Each text has one %s for the
// detail, which is a number or an amount of memory.
typedef struct {
  const char* text;
  bool bytes;
} WarningText;

static const WarningText warning_texts[mjNWARNING] = {
    {"Nearly singular inertia at DOF %s. Give its joint armature, or the bodies it moves mass.",
     false},
    {"The arena has no room for further contacts after %s. Raise memory in <size>.", false},
    {"The constraints of this step need more than the %s bytes of the arena. Raise memory in "
     "<size>.",
     true},
    {"The scene has no room for further geoms. Make it with maxgeom above %s.", false},
    {"QPOS is not finite or beyond 1e10 at DOF %s. The motion has diverged; try a smaller "
     "timestep.",
     false},
    {"QVEL is not finite or beyond 1e10 at DOF %s. The motion has diverged; try a smaller "
     "timestep.",
     false},
    {"QACC is not finite or beyond 1e10 at DOF %s. The motion has diverged; try a smaller "
     "timestep.",
     false},
    {"CTRL is not finite or beyond 1e10 at ACTUATOR %s. All controls of this step count as zero.",
     false},
};

const char* mju_writeNumBytes(size_t nbytes) {
  static _Thread_local char text[32];
  static const char unit[] = " KMGTPE";
  int power = 0;
  while (nbytes && nbytes % 1024 == 0 && unit[power + 1]) {
    nbytes /= 1024;
    power++;
  }
  if (power) {
    snprintf(text, sizeof(text), "%zu%c", nbytes, unit[power]);
  } else {
    snprintf(text, sizeof(text), "%zu", nbytes);
  }
  return text;
}

const char* mju_warningText(int warning, size_t info) {
  static _Thread_local char text[MESSAGE_BYTES];
  if (warning < 0 || warning >= mjNWARNING) {
    snprintf(text, sizeof(text), "Unknown warning type %d.", warning);
    return text;
  }
  const WarningText* w = warning_texts + warning;
  char detail[32];
  snprintf(detail, sizeof(detail), "%zu", info);
  snprintf(text, sizeof(text), w->text, w->bytes ? mju_writeNumBytes(info) : detail);
  return text;
}

void ct_say_warning(const mjData* d, int warning) {
  size_t info = (size_t)d->warning[warning].lastinfo;
  mju_warning("%s Time = %.4f.", mju_warningText(warning, info), (double)d->time);
}

// Only the first warning of each kind is told; the others are counted.
void mj_warning(mjData* d, int warning, int info) {
  if (warning < 0 || warning >= mjNWARNING) {
    mju_error("mj_warning: warning type %d is outside 0..%d", warning, mjNWARNING - 1);
    return;
  }
  mjWarningStat* stat = d->warning + warning;
  stat->lastinfo = info;
  if (stat->number == 0) ct_say_warning(d, warning);
  stat->number++;
}
