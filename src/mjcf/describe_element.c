// ct_describe_element: what an element of MJCF takes, for people.

#include <corten/mjcf.h>
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "mjcf/schema.h"

enum { LINE = 600 };

// "mujoco/worldbody/body/joint"
static void put_place(char* text, size_t room, const ct_Rule* rule) {
  const ct_Rule* above[8];
  int n = 0;
  for (; rule && n < 8; rule = rule->parent) above[n++] = rule;
  size_t used = 0;
  text[0] = 0;
  while (n-- > 0 && used < room) {
    bool tree = above[n]->depth == 1 && !strcmp(above[n]->name, "body");
    used += (size_t)snprintf(text + used, room - used, "%s%s", used ? "/" : "",
                             tree ? "worldbody/body" : above[n]->name);
  }
}

static void put_words(char* text, size_t room, const ct_Attribute* a) {
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < a->nword && used < room; i++) {
    used += (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", a->word[i].text);
  }
}

// What an attribute takes: "3 reals", "1 to 2 reals", "true, false".
static void put_type(char* text, size_t room, const ct_Attribute* a) {
  const char* noun =
      a->kind == CT_VALUE_INTEGER || a->kind == CT_VALUE_INTEGERS ? "integer" : "real";
  if (a->kind == CT_VALUE_OTHER) {
    snprintf(text, room, "%s", a->takes);
  } else if (a->kind == CT_VALUE_WORD) {
    put_words(text, room, a);
  } else if (a->kind == CT_VALUE_TEXT) {
    snprintf(text, room, "name or text");
  } else if (a->max == 0) {
    snprintf(text, room, "%ss", noun);
  } else if (a->max == 1) {
    snprintf(text, room, "%s", noun);
  } else if (a->min == a->max) {
    snprintf(text, room, "%d %ss", a->max, noun);
  } else {
    snprintf(text, room, "%d to %d %ss", a->min, a->max, noun);
  }
}

static void describe(const ct_Rule* rule, void (*report)(void* arg, const char* line), void* arg) {
  char place[200], type[300], line[LINE];
  put_place(place, sizeof(place), rule);
  snprintf(line, sizeof(line), "%s: %s", place, rule->doc);
  report(arg, line);
  for (int i = 0; i < rule->nallowed; i++) {
    const ct_Allowed* allowed = &rule->allowed[i];
    put_type(type, sizeof(type), allowed->attribute);
    snprintf(line, sizeof(line), "  %-18s %s: %s%s%s", allowed->attribute->name, type,
             allowed->attribute->doc, allowed->required ? " (required)" : "",
             allowed->idle ? " (no effect)" : "");
    report(arg, line);
  }
  if (!rule->nallowed) report(arg, "  no attributes");
}

int ct_describe_element(const char* name, void (*report)(void* arg, const char* line), void* arg,
                        const char** similar) {
  int count, places = 0;
  const ct_Rule* rules = ct_rules(&count);
  ct_Spelling nearest = {name, NULL, 0};
  const char* searched = !strcmp(name, "worldbody") ? "body" : name;
  for (int i = 0; i < count; i++) {
    ct_spelling_add(&nearest, rules[i].name);
    if (strcmp(rules[i].name, searched)) continue;
    describe(&rules[i], report, arg);
    places++;
  }
  if (similar) *similar = places ? NULL : nearest.found;
  return places;
}
