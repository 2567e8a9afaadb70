#include "conformance/spelling.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int spelling_distance(const char* a, const char* b) {
  // Wagner, Fischer: The string-to-string correction problem (1974); one row of the table at a time
  size_t n = strlen(b);
  int* row = (int*)malloc(sizeof(int) * (n + 1));
  for (size_t j = 0; j <= n; j++) row[j] = (int)j;
  for (size_t i = 0; a[i]; i++) {
    int diagonal = row[0];
    row[0] = (int)i + 1;
    for (size_t j = 0; j < n; j++) {
      int same = tolower((unsigned char)a[i]) == tolower((unsigned char)b[j]);
      int best = diagonal + !same;
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
      diagonal = row[j + 1];
      row[j + 1] = best;
    }
  }
  int distance = row[n];
  free(row);
  return distance;
}

bool parse_questions(const char* list, unsigned* ask) {
  *ask = 0;
  for (const char* word = list;; word++) {
    size_t n = strcspn(word, ",");
    int nearest = 0, found = -1, best = 1000;
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)(n < 63 ? n : 63), word);
    for (int i = 0; i < NQUESTION; i++) {
      int distance = spelling_distance(text, question_names[i]);
      if (!strcmp(text, question_names[i])) found = i;
      if (distance < best) {
        best = distance;
        nearest = i;
      }
    }
    if (found < 0) {
      fprintf(stderr, "--ask %s: there is no question \"%s\"; did you mean \"%s\"?\n", list, text,
              question_names[nearest]);
      return false;
    }
    *ask |= 1u << found;
    word += n;
    if (!*word) return true;
  }
}

// Filters

typedef struct {
  const FieldFilter* filter;
  bool matches;
  const char *field, *stage;  // nearest names so far
  int field_distance, stage_distance;
} Search;

static bool contains(const char* text, const char* part) {
  return !part || strstr(text, part);
}

static void keep_nearest(const char* wanted, const char* name, const char** nearest, int* best) {
  if (!wanted) return;
  int distance = spelling_distance(wanted, name);
  if (!*nearest || distance < *best) {
    *best = distance;
    *nearest = name;
  }
}

static void look_at(Search* s, const char* field, const char* stage) {
  if (contains(field, s->filter->field) && contains(stage, s->filter->stage)) s->matches = true;
  keep_nearest(s->filter->field, field, &s->field, &s->field_distance);
  keep_nearest(s->filter->stage, stage, &s->stage, &s->stage_distance);
}

// Every field that a comparison can name.
static void look_at_tables(Search* s, unsigned ask) {
  if (ask & (1u << ASK_MODEL)) {
    static const char* const embedded[] = {"opt", "opt flags", "vis", "stat", "signature"};
    for (size_t i = 0; i < sizeof(embedded) / sizeof(embedded[0]); i++) {
      look_at(s, embedded[i], "options");
    }
    for (int i = 0; i < ct_nmodel_size; i++) look_at(s, ct_model_sizes[i].name, "sizes");
    for (int i = 0; i < ct_nmodel_field; i++) {
      const ct_Field* f = ct_model_fields + i;
      look_at(s, f->name, ct_field_group(f, ct_model_groups, ct_nmodel_group)->title);
    }
  }
  if (ask & (1u << ASK_FORWARD)) {
    static const char* const contacts[] = {"contact",          "contact.dist",
                                           "contact.pos",      "contact.frame",
                                           "contact.solref",   "contact.includemargin",
                                           "contact.friction", "contact.solreffriction",
                                           "contact.solimp",   "contact.mu",
                                           "contact.dim",      "contact.geom",
                                           "contact.flex",     "contact.elem",
                                           "contact.vert",     "contact.exclude",
                                           "contact.geom1",    "contact.geom2"};
    for (size_t i = 0; i < sizeof(contacts) / sizeof(contacts[0]); i++) {
      look_at(s, contacts[i], "COLLISION");
    }
    look_at(s, "contact.efc_address", "CONSTRAINT");
    look_at(s, "efc", "CONSTRAINT");
    look_at(s, "contact.H", "SOLVER");
    look_at(s, "cost", "SOLVER");
    for (int i = 0; i < ct_ndata_value; i++) look_at(s, ct_data_values[i].name, "values");
    for (int i = 0; i < ct_ndata_field; i++) {
      look_at(s, ct_data_fields[i].name, ct_data_fields[i].stage);
    }
    for (int i = 0; i < ct_narena_field; i++) {
      look_at(s, ct_arena_fields[i].name, ct_arena_fields[i].stage);
    }
  }
}

bool filter_matches(const FieldFilter* filter, unsigned ask) {
  Search s;
  memset(&s, 0, sizeof(s));
  s.filter = filter;
  if (!filter->field && !filter->stage) return true;
  look_at_tables(&s, ask);
  if (s.matches) return true;
  fprintf(stderr, "no field of these questions matches");
  if (filter->field) fprintf(stderr, " --field %s", filter->field);
  if (filter->stage) fprintf(stderr, " --stage %s", filter->stage);
  if (s.field) fprintf(stderr, "; the nearest field is \"%s\"", s.field);
  if (s.stage) fprintf(stderr, "; the nearest stage or group is \"%s\"", s.stage);
  fprintf(stderr, "\n");
  return false;
}
