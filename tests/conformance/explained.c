#include "conformance/explained.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NCOLUMN = 4, LINE = 1000 };
typedef struct {
  char* column[NCOLUMN];
  int question;
} Explanation;

static char* trimmed(char* text) {
  while (isspace((unsigned char)*text)) text++;
  size_t n = strlen(text);
  while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = 0;
  return text;
}

static bool ends_with(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && !strcmp(text + n - k, end);
}

// Splits a line in place; false if it lacks a column or asks a question that there is not.
static bool split(char* line, Explanation* e) {
  e->question = -1;
  for (int k = 0; k < NCOLUMN; k++) {
    char* bar = k + 1 < NCOLUMN ? strchr(line, '|') : NULL;
    if (k + 1 < NCOLUMN && !bar) return false;
    if (bar) *bar = 0;
    e->column[k] = trimmed(line);
    if (!*e->column[k]) return false;
    if (bar) line = bar + 1;
  }
  for (int q = 0; q < NQUESTION; q++) {
    if (!strcmp(e->column[1], question_names[q])) e->question = q;
  }
  return e->question >= 0;
}

// A whole name of a file, or whole names of it and of folders around it.
static bool is_about(const Explanation* e, const ModelReport* r) {
  size_t n = strlen(r->path), k = strlen(e->column[0]);
  if (!ends_with(r->path, e->column[0])) return false;
  return n == k || r->path[n - k - 1] == '/' || e->column[0][0] == '/';
}

// Is one of the places, separated by semicolons, a part of `where`? "state 2" is none of "state
// 21".
static bool is_place(const char* where, const char* places) {
  while (*places) {
    size_t n = strcspn(places, ";");
    for (const char* at = where; n > 0 && *at; at++) {
      if (!strncmp(at, places, n) && !isalnum((unsigned char)at[n])) return true;
    }
    places += n;
    while (*places == ';' || *places == ' ') places++;
  }
  return false;
}

// Was everything that is wrong found where the explanation says?
static bool covers(const Explanation* e, const ModelReport* r) {
  const Answer* a = r->answers + e->question;
  long seen = 0;
  for (int i = 0; i < r->nmismatch; i++) {
    const Mismatch* m = r->mismatches + i;
    if (strcmp(m->kind, "result") || strcmp(m->question, question_names[e->question])) continue;
    if (!is_place(m->where, e->column[2])) return false;
    seen += m->count;
  }
  return seen > 0 && seen == a->wrong;
}

// 1 if the model agrees, so that the line says too much.
static int apply(const Explanation* e, ModelReport* r) {
  Answer* a = r->answers + e->question;
  if (!strcmp(a->verdict, "yes")) {
    printf("%s: %s: agrees, take it off the list of what is explained\n", r->name, e->column[1]);
    return 1;
  }
  if (strcmp(a->verdict, "no") || !covers(e, r)) return 0;
  snprintf(a->verdict, sizeof(a->verdict), "explained");
  snprintf(a->detail, sizeof(a->detail), "%s", e->column[3]);
  return 0;
}

int apply_explanations(const char* path, ModelReport* reports, int count) {
  FILE* file = fopen(path, "r");
  if (!file) return -1;
  char line[LINE];
  int wrong = 0;
  for (int number = 1; fgets(line, sizeof(line), file); number++) {
    Explanation e;
    line[strcspn(line, "#")] = 0;
    if (!*trimmed(line)) continue;
    if (!split(line, &e)) {
      printf("%s:%d: not \"model | question | where | reason\"\n", path, number);
      wrong++;
      continue;
    }
    for (int i = 0; i < count; i++) {
      if (is_about(&e, reports + i)) wrong += apply(&e, reports + i);
    }
  }
  fclose(file);
  return wrong;
}
