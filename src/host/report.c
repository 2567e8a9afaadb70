// How the host's stages tell what went wrong.

#include "host/report.h"

#include <stdarg.h>
#include <stdio.h>

void ct_warn_or_count(mjData* d, int warning, int info) {
  if (!ct_private(d)->quiet) {
    mj_warning(d, warning, info);
    return;
  }
  d->warning[warning].number++;
  d->warning[warning].lastinfo = info;
}

void ct_no_room(mjData* d, const char* function) {
  ct_Private* p = ct_private(d);
  p->status |= CT_ARENA_FULL;
  if (p->quiet || p->holds_errors) {
    p->held_error = true;
  } else {
    mju_error("%s: the stack has no room; give the model more memory in <size>", function);
  }
}

void ct_wrong_model(mjData* d, const char* format, ...) {
  ct_Private* p = ct_private(d);
  p->status |= CT_BAD_MODEL;
  if (p->quiet) return;
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  mju_error("%s", text);
}

void ct_speak(mjData* d) {
  ct_Private* p = ct_private(d);
  p->quiet = p->holds_errors = p->held_error = false;
}

bool ct_step_failed(const mjData* d) {
  const unsigned grave = CT_ARENA_FULL | CT_BAD_CONTACT | CT_BAD_SENSOR | CT_BAD_MODEL;
  const ct_Private* p = ct_private(d);
  return p->held_error || (p->quiet && (p->status & grave));
}
