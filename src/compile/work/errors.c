// How a compilation ends early: one way out for mistakes of the user, errors of the engine that
// runs on the half-finished model, and lack of memory.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/resource/resource.h"
#include "compile/work/work.h"

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

// Writes the place of a setting, or the file of the model; returns how much was written.
static size_t describe_setting(char* text, size_t size, const ct_Spec* spec, ct_Setting setting) {
  const char* section = setting == CT_SETTING_TIMESTEP ? "option" : "size";
  const ct_Place* place = &spec->setting[setting];
  const char* file = spec->element.file ? spec->element.file : "";
  int n = 0;
  if (place->line && *place->file) {
    n = snprintf(text, size, "%.400s:%d: %s: ", place->file, place->line, section);
  } else if (place->line) {
    n = snprintf(text, size, "line %d: %s: ", place->line, section);
  } else if (*file) {
    n = snprintf(text, size, "%.400s: ", file);
  }
  return (size_t)n;
}

static void fail_setting(ct_Compiler* c, ct_Setting setting, const char* format, va_list values) {
  size_t used = describe_setting(c->message, sizeof(c->message), c->spec, setting);
  vsnprintf(c->message + used, sizeof(c->message) - used, format, values);
}

void ct_fail(ct_Compiler* c, const ct_Element* e, const char* format, ...) {
  va_list values;
  va_start(values, format);
  if (e) {
    compose(c->message, sizeof(c->message), e, format, values);
  } else {
    fail_setting(c, CT_SETTING_NONE, format, values);
  }
  va_end(values);
  longjmp(*c->escape, 1);
}

static void append_known(char* text, size_t size, const ct_Element* e, const char* known) {
  size_t used = strlen(text);
  const char* info = ct_info(e);
  snprintf(text + used, size - used, "\nError: %s\nElement name '%s', id %d%s%s", known, ct_name(e),
           ct_element_id(e), *info ? ", " : "", info);
}

void ct_fail_as_known(ct_Compiler* c, const ct_Element* e, const char* known, const char* format,
                      ...) {
  va_list values;
  va_start(values, format);
  compose(c->message, sizeof(c->message), e, format, values);
  va_end(values);
  if (e->line <= 0 && !c->report) append_known(c->message, sizeof(c->message), e, known);
  longjmp(*c->escape, 1);
}

void ct_fail_setting(ct_Compiler* c, ct_Setting setting, const char* format, ...) {
  va_list values;
  va_start(values, format);
  fail_setting(c, setting, format, values);
  va_end(values);
  longjmp(*c->escape, 1);
}

void ct_fail_as_told(ct_Compiler* c, const char* message) {
  snprintf(c->message, sizeof(c->message), "%s", message);
  longjmp(*c->escape, 1);
}

void ct_warn(ct_Compiler* c, const ct_Element* e, const char* format, ...) {
  va_list values;
  va_start(values, format);
  compose(c->warning, sizeof(c->warning), e, format, values);
  va_end(values);
}

// Runs a pass as part of this compilation; false, with c->message set, if it failed.
static bool attempt(ct_Compiler* c, void (*pass)(ct_Compiler* c)) {
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

static void tell(ct_Compiler* c) {
  c->nmistake++;
  c->report(c->report_arg, c->message);
}

void ct_complain(ct_Compiler* c, const ct_Element* e, const char* format, ...) {
  va_list values;
  va_start(values, format);
  compose(c->message, sizeof(c->message), e, format, values);
  va_end(values);
  if (!c->report) longjmp(*c->escape, 1);
  tell(c);
}

// One element of a loop: a mistake in it is reported, and the loop goes on.
static void attempt_one(ct_Compiler* c, ct_Work* work, ct_CompileOne compile) {
  jmp_buf here;
  jmp_buf* volatile outer = c->escape;
  c->escape = &here;
  if (setjmp(here) == 0) {
    compile(c, work);
  } else {
    work->mistaken = true;
    tell(c);
  }
  c->escape = outer;
}

void ct_one(ct_Compiler* c, ct_Work* work, ct_CompileOne compile) {
  if (!c->report) {
    compile(c, work);
  } else if (!work->mistaken) {
    attempt_one(c, work, compile);
  }
}

void ct_each(ct_Compiler* c, const ct_WorkList* list, ct_CompileOne compile) {
  for (int i = 0; i < list->count; i++) ct_one(c, list->item[i], compile);
}

void ct_stop_if_mistaken(ct_Compiler* c) {
  if (!c->nmistake) return;
  c->stopped = true;
  longjmp(*c->escape, 1);
}

// The setting that is behind an error of the engine, by how its message begins.
static ct_Setting setting_behind(const char* message) {
  static const struct {
    const char* beginning;
    ct_Setting setting;
  } known[] = {{"mju_malloc:", CT_SETTING_MEMORY},
               {"mj_stackAlloc:", CT_SETTING_MEMORY},
               {"mj_resetData: the model has delays", CT_SETTING_TIMESTEP}};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (!strncmp(message, known[i].beginning, strlen(known[i].beginning))) return known[i].setting;
  }
  return CT_SETTING_NONE;
}

// The sensor whose readings take memory that is not there, if there is one.
static const ct_Element* gigantic_sensor(const ct_Compiler* c) {
  enum { GIGANTIC = 100000000 };
  for (int i = 0; i < CT_COUNT(c, mjOBJ_SENSOR); i++) {
    const ct_Element* e = c->list[mjOBJ_SENSOR].item[i]->element;
    if (CT_VALUES(mjsSensor, e)->dim > GIGANTIC) return e;
  }
  return NULL;
}

// The first body that is to start asleep.
static const ct_Element* first_sleeper(const ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_BODY); i++) {
    const ct_WorkBody* body = CT_WORK(ct_WorkBody, c->list[mjOBJ_BODY], i);
    if (body->v.sleep == mjSLEEP_INIT) return body->head.element;
  }
  return NULL;
}

// The element that an error of the engine names by number; NULL: none.
static const ct_Element* element_behind(const ct_Compiler* c, const char* message) {
  int tendon, flex;
  if (sscanf(message, "tree %*d cannot be allowed to sleep: tendon %d", &tendon) == 1)
    return c->list[mjOBJ_TENDON].item[tendon]->element;
  if (sscanf(message, "mj_setConst: flex %d is not flat", &flex) == 1)
    return c->list[mjOBJ_FLEX].item[flex]->element;
  if (strstr(message, "trees are to start asleep")) return first_sleeper(c);
  return NULL;
}

static void engine_error(const char* message) {
  const ct_Element* gigantic = strstr(message, "no memory") ? gigantic_sensor(current) : NULL;
  if (gigantic) {
    ct_fail(current, gigantic, "there is no memory for its dim of %d",
            CT_VALUES(mjsSensor, gigantic)->dim);
  }
  const ct_Element* e = element_behind(current, message);
  static const char* const functions[] = {"mj_resetData: ", "mj_setConst: "};
  size_t skip = 0;
  for (int i = 0; e && i < 2; i++) {
    if (!strncmp(message, functions[i], strlen(functions[i]))) skip = strlen(functions[i]);
  }
  if (e) ct_fail(current, e, "%s", message + skip);

  // a plugin says in a warning why it could not start
  bool reason = strstr(message, "could not initialise") && current->warning[0];
  ct_fail_setting(current, setting_behind(message), "%s%s%s", message, reason ? ": " : "",
                  reason ? current->warning : "");
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
  bool done = attempt(c, pass);
  if (!done) ct_resource_abandon(half_open);
  _mjPRIVATE__set_tls_error_fn(error);
  _mjPRIVATE__set_tls_warning_fn(warning);
  current = outer;
  return done;
}
