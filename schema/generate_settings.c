// The settings in a model: mjOption, mjVisual and mjStatistic, as rows of text and as struct
// declarations.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "generate.h"

// The value column as text; a list without its macro.
#define TEXT(value) #value
#define VALUES(...) __VA_ARGS__
#define VALUE_TEXT(...) TEXT((__VA_ARGS__))

const Setting settings[] = {
#define OPTION(type, name, extent, value, doc) \
  {'o', "", #type, #name, #extent, VALUE_TEXT(value), doc},
#define STATISTIC(type, name, extent, value, doc) \
  {'s', "", #type, #name, #extent, VALUE_TEXT(value), doc},
#define VISUAL_PART(part, doc) {'p', #part, "", "", "", "", doc},
#define VISUAL(part, type, name, extent, value, doc) \
  {'v', #part, #type, #name, #extent, VALUE_TEXT(value), doc},
#include "settings.def"
};
const int nsetting = COUNT(settings);

static void put_setting(Text* t, const char* indent, const Setting* s) {
  char member[256];
  if (is_single(s)) {
    snprintf(member, sizeof(member), "%s%s %s;", indent, s->type, s->name);
  } else {
    snprintf(member, sizeof(member), "%s%s %s[%s];", indent, s->type, s->name, s->extent);
  }
  put(t, "%-30s  // %s\n", member, s->doc);
}

// A flat struct: all settings of one kind.
static void put_settings_struct(Text* t, char kind, const char* name, const char* doc) {
  put(t, "typedef struct %s_ {  // %s\n", name, doc);
  for (int i = 0; i < nsetting; i++) {
    if (settings[i].kind == kind) put_setting(t, "  ", settings + i);
  }
  put(t, "} %s;\n", name);
}

static void put_visual_struct(Text* t) {
  const char* open = NULL;
  put(t, "typedef struct mjVisual_ {  // how a model is shown; no influence on physics\n");
  for (int i = 0; i < nsetting; i++) {
    const Setting* s = settings + i;
    if (s->kind == 'p') {
      if (open) put(t, "  } %s;\n\n", open);
      put(t, "  struct {  // %s\n", s->doc);
      open = s->part;
    } else if (s->kind == 'v') {
      put_setting(t, "    ", s);
    }
  }
  put(t, "  } %s;\n} mjVisual;\n", open);
}

void put_settings_structs(Text* t) {
  put_settings_struct(t, 'o', "mjOption", "how a model is simulated; may change between steps");
  put(t, "\n");
  put_visual_struct(t);
  put(t, "\n");
  put_settings_struct(t, 's', "mjStatistic", "typical quantities of a model");
}

// The value of a fresh model as people write it: no brackets, no suffix of C's floats.
static void put_value(Text* t, const Setting* s) {
  const char* c = s->value + 1;
  for (; c[1]; c++) {
    bool suffix = *c == 'f' && isdigit((unsigned char)c[-1]);
    if (!suffix) append(t, c, 1);
  }
}

static void put_settings_table(Text* t, const char* name, char kind, const char* part) {
  put(t, "\n%s\n\n| field | type | default | meaning |\n|---|---|---|---|\n", name);
  for (int i = 0; i < nsetting; i++) {
    const Setting* s = settings + i;
    if (s->kind != kind || strcmp(s->part, part)) continue;
    put(t, "| `%s` | `%s", s->name, s->type);
    if (!is_single(s)) put(t, "[%s]", s->extent);
    put(t, "` | ");
    put_value(t, s);
    put(t, " | %s |\n", s->doc);
  }
}

void put_settings_tables(Text* t) {
  put_settings_table(t, "## mjOption", 'o', "");
  put_settings_table(t, "## mjStatistic", 's', "");
  put(t, "\n## mjVisual\n");
  for (int i = 0; i < nsetting; i++) {
    if (settings[i].kind != 'p') continue;
    char name[256];
    snprintf(name, sizeof(name), "### %s: %s", settings[i].part, settings[i].doc);
    put_settings_table(t, name, 'v', settings[i].part);
  }
}
