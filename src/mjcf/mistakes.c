// Mistakes in a file: what they are called, and where reading goes on after them.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/read.h"

// `file.xml:41: joint "knee": `; as much of it as is known.
static size_t describe(char* text, size_t size, const ct_Xml* xml, const char* attribute) {
  if (!xml) return 0;
  int line = attribute ? ct_xml_line(xml, attribute) : xml->line;
  const char* name = ct_xml_value(xml, "name");
  const char* file = *xml->file->name ? xml->file->name : "line ";
  int n = snprintf(text, size, "%s%s%d: %s", file, *xml->file->name ? ":" : "", line, xml->name);
  if (n > 0 && (size_t)n < size && name && *name)
    n += snprintf(text + n, size - (size_t)n, " \"%.60s\"", name);
  if (n > 0 && (size_t)n < size) n += snprintf(text + n, size - (size_t)n, ": ");
  return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

// An attribute, or a whole message, that has been told of one element.
typedef struct ct_Told_ {
  const char* attribute;  // NULL: the message counts
  const char* message;
  struct ct_Told_* next;
} Told;

// One mistake of an attribute is enough: others may follow from it, or the same is met twice.
static bool is_told(ct_Reader* r, const ct_Xml* xml, const char* attribute) {
  if (r->told_of != xml) r->told = NULL;
  r->told_of = xml;
  for (const Told* told = r->told; told; told = told->next) {
    if (attribute && told->attribute ? !strcmp(told->attribute, attribute)
                                     : !strcmp(told->message, r->message))
      return true;
  }
  Told* told = (Told*)ct_pool_alloc(&r->pool, sizeof(Told));
  told->attribute = attribute ? ct_pool_text(&r->pool, attribute) : NULL;
  told->message = ct_pool_text(&r->pool, r->message);
  told->next = r->told;
  r->told = told;
  return false;
}

static void note(ct_Reader* r, const ct_Xml* xml, const char* attribute, const char* format,
                 va_list values) {
  size_t used = describe(r->message, sizeof(r->message), xml, attribute);
  vsnprintf(r->message + used, sizeof(r->message) - used, format, values);
  if (r->check && xml && is_told(r, xml, attribute)) return;
  r->nmistake++;
  if (r->report) r->report(r->report_arg, r->message);
}

void ct_refuse(ct_Reader* r, const ct_Xml* xml, const char* attribute, const char* format, ...) {
  va_list values;
  va_start(values, format);
  note(r, xml, attribute, format, values);
  va_end(values);
  longjmp(*r->out, 1);
}

void ct_mistake(ct_Reader* r, const ct_Xml* xml, const char* attribute, const char* format, ...) {
  va_list values;
  va_start(values, format);
  note(r, xml, attribute, format, values);
  va_end(values);
  if (!r->check) longjmp(*r->out, 1);
}

void ct_caution(const ct_Xml* xml, const char* message) {
  char place[600] = "";
  describe(place, sizeof(place), xml, NULL);
  mju_warning("%s%s", place, message);
}

void ct_guarded(ct_Reader* r, ct_ReadElement read, const ct_Xml* xml, void* arg) {
  if (!r->check) {
    read(r, xml, arg);
    return;
  }
  jmp_buf here;
  jmp_buf* outer = r->out;
  if (!setjmp(here)) {
    r->out = &here;
    read(r, xml, arg);
  }
  r->out = outer;
}
