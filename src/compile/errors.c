// How a compilation ends early: one way out for mistakes of the user, errors of the engine that
// runs on the half-finished model, and lack of memory.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/resource.h"
#include "compile/compile.h"

// The compilation that this thread is at. Engine errors know no compiler, only their thread.
static _Thread_local ct_Compiler* current = NULL;

// Writes `place: message` with as much as fits.
static void compose(char* text, size_t size, const ct_Element* e, const char* format,
                    va_list values) {
  size_t used = 0;
  if (e) {
    ct_describe(e, text, size);
    used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, ": ");
  }
  if (used < size) vsnprintf(text + used, size - used, format, values);
}

void ct_fail(ct_Compiler* c, const ct_Element* e, const char* format, ...) {
  va_list values;
  va_start(values, format);
  size_t used = 0;
  const char* file = c->spec->element.file;
  if (!e && file && *file) {  // of the model as a whole
    used = (size_t)snprintf(c->message, sizeof(c->message), "%.400s: ", file);
  }
  compose(c->message + used, sizeof(c->message) - used, e, format, values);
  va_end(values);
  longjmp(*c->escape, 1);
}

void ct_warn(ct_Compiler* c, const ct_Element* e, const char* format, ...) {
  va_list values;
  va_start(values, format);
  compose(c->warning, sizeof(c->warning), e, format, values);
  va_end(values);
}

bool ct_attempt(ct_Compiler* c, void (*pass)(ct_Compiler* c)) {
  jmp_buf here;
  jmp_buf* volatile outer = c->escape;
  volatile bool done = false;
  c->escape = &here;
  if (setjmp(here) == 0) {
    pass(c);
    done = true;
  }
  c->escape = outer;
  return done;
}

// One element of a loop: a mistake in it is reported, and the loop goes on.
static void attempt_one(ct_Compiler* c, ct_Work* work, ct_CompileOne compile) {
  jmp_buf here;
  jmp_buf* volatile outer = c->escape;
  c->escape = &here;
  if (setjmp(here) == 0) {
    compile(c, work);
  } else {
    c->nmistake++;
    c->report(c->report_arg, c->message);
  }
  c->escape = outer;
}

void ct_each(ct_Compiler* c, const ct_WorkList* list, ct_CompileOne compile) {
  for (int i = 0; i < list->count; i++) {
    if (c->report) {
      attempt_one(c, list->item[i], compile);
    } else {
      compile(c, list->item[i]);
    }
  }
}

void ct_stop_if_mistaken(ct_Compiler* c) {
  if (c->nmistake) longjmp(*c->escape, 1);
}

static void engine_error(const char* message) {
  ct_fail(current, NULL, "%s", message);
}

static void engine_warning(const char* message) {
  ct_warn(current, NULL, "%s", message);
}

bool ct_listen_and_attempt(ct_Compiler* c, void (*pass)(ct_Compiler* c)) {
  ct_Compiler* outer = current;
  ct_MessageHandler error = _mjPRIVATE__get_tls_error_fn();
  ct_MessageHandler warning = _mjPRIVATE__get_tls_warning_fn();
  current = c;
  _mjPRIVATE__set_tls_error_fn(engine_error);
  _mjPRIVATE__set_tls_warning_fn(engine_warning);
  const ct_OpenResource* half_open = ct_resource_opening();
  bool done = ct_attempt(c, pass);
  if (!done) ct_resource_abandon(half_open);
  _mjPRIVATE__set_tls_error_fn(error);
  _mjPRIVATE__set_tls_warning_fn(warning);
  current = outer;
  return done;
}
