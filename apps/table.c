#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

// The next field of a line, without its quotes; *at moves behind it, to NULL after the last.
static char* next_field(char** at) {
  char *from = *at, *to = from, *field = from;
  bool quoted = *from == '"';
  if (quoted) from++;
  for (; *from; from++) {
    if (quoted && from[0] == '"' && from[1] == '"') {
      from++;
    } else if (quoted && *from == '"') {
      quoted = false;
      continue;
    } else if (!quoted && (*from == ',' || *from == '\n' || *from == '\r')) {
      break;
    }
    *to++ = *from;
  }
  *at = *from == ',' ? from + 1 : NULL;
  *to = 0;
  return field;
}

static bool read_names(Table* t, char* line) {
  for (char* at = line; at;) {
    char** names = (char**)realloc(t->names, (size_t)(t->columns + 1) * sizeof(char*));
    if (!names) return false;
    t->names = names;
    t->names[t->columns] = strdup(next_field(&at));
    if (!t->names[t->columns++]) return false;
  }
  return true;
}

// EXIT_FINE, or another code after a message that names the line.
static int read_row(Table* t, char* line, size_t* room, const char* path, long number) {
  if (t->rows == *room) {
    size_t more = *room ? 2 * *room : 256;
    double* values = (double*)realloc(t->values, more * (size_t)t->columns * sizeof(double));
    if (!values) return failed("%s: there is no memory for it", path);
    t->values = values;
    *room = more;
  }
  double* row = t->values + t->rows * (size_t)t->columns;
  char* at = line;
  for (int i = 0; i < t->columns; i++) {
    if (!at)
      return failed("%s:%ld: %d fields, but there are %d columns", path, number, i, t->columns);
    const char* field = next_field(&at);
    char* end;
    row[i] = *field ? strtod(field, &end) : NAN;
    if (*field && (end == field || *end)) {
      return failed("%s:%ld: \"%s\" is not a number", path, number, field);
    }
  }
  t->rows++;
  return EXIT_FINE;
}

// EXIT_FINE, or another code after a message.
static int read_table(Table* t, FILE* f, const char* path) {
  char* line = NULL;
  size_t length = 0, room = 0;
  bool good = true, archive = false;
  if (getline(&line, &length, f) >= 0) {
    archive = !strncmp(line, "PK\3\4", 4);
    good = archive || read_names(t, line);
  }
  int code = EXIT_FINE;
  for (long number = 2; good && !archive && code == EXIT_FINE; number++) {
    if (getline(&line, &length, f) < 0) break;
    if (line[0] != '\n' && line[0] != '\r') code = read_row(t, line, &room, path, number);
  }
  free(line);
  if (code != EXIT_FINE) return code;
  if (!good) return failed("%s: there is no memory for it", path);
  if (archive) {
    return failed("%s: an archive for NumPy; this takes a table, of corten run --csv", path);
  }
  if (t->rows == 0) return failed("%s: not a table with names in its first line", path);
  return EXIT_FINE;
}

int table_read(Table* t, const char* path) {
  FILE* f = fopen(path, "r");
  memset(t, 0, sizeof(*t));
  if (!f) return failed("%s: cannot open the file: %s", path, strerror(errno));
  int code = read_table(t, f, path);
  fclose(f);
  if (code != EXIT_FINE) table_free(t);
  return code;
}

void table_free(Table* t) {
  for (int i = 0; i < t->columns; i++) free(t->names[i]);
  free(t->names);
  free(t->values);
  memset(t, 0, sizeof(*t));
}
