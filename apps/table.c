#include "table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "command.h"
#include "input.h"

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
  bool good = getline(&line, &length, f) < 0 || read_names(t, line);
  int code = EXIT_FINE;
  for (long number = 2; good && code == EXIT_FINE; number++) {
    if (getline(&line, &length, f) < 0) break;
    if (line[0] != '\n' && line[0] != '\r') code = read_row(t, line, &room, path, number);
  }
  free(line);
  if (code != EXIT_FINE) return code;
  if (!good) return failed("%s: there is no memory for it", path);
  if (t->columns == 0) return failed("%s is empty; a table begins with a line of names", path);
  if (t->rows == 0) return failed("%s: no samples follow the names in its first line", path);
  return EXIT_FINE;
}

// Archives for NumPy

// More columns, with numbers for names until the archive has said better ones.
static bool add_columns(Table* t, const Array* a) {
  int columns = t->columns + (int)a->width;
  char** names = (char**)realloc(t->names, ((size_t)columns + 1) * sizeof(char*));
  double* values = (double*)malloc((a->rows * (size_t)columns + 1) * sizeof(double));
  if (names) t->names = names;
  if (!names || !values) {
    free(values);
    return false;
  }
  for (size_t i = 0; i < a->rows; i++) {
    double* row = values + i * (size_t)columns;
    if (t->columns) {
      memcpy(row, t->values + i * (size_t)t->columns, (size_t)t->columns * sizeof(double));
    }
    for (size_t k = 0; k < a->width; k++) {
      row[(size_t)t->columns + k] = array_number(a, i * a->width + k);
    }
  }
  free(t->values);
  t->values = values;
  t->rows = a->rows;
  for (int k = 0; t->columns < columns; k++) {
    char name[120];
    snprintf(name, sizeof(name), a->width > 1 ? "%s.%d" : "%s", a->name, k);
    t->names[t->columns] = strdup(name);
    if (!t->names[t->columns]) return false;
    t->columns++;
  }
  return true;
}

static bool set_names(Table* t, char* const* names, size_t count) {
  if (count != (size_t)t->columns) return true;
  for (size_t i = 0; i < count; i++) {
    char* name = strdup(names[i]);
    if (!name) return false;
    free(t->names[i]);
    t->names[i] = name;
  }
  return true;
}

// One array: names of columns, columns, or contacts, which are not for a table.
static int take_array(Table* t, const Array* a, Table* names, const char* path) {
  bool good = true;
  if (a->kind == 'U' && !strcmp(a->name, "columns")) {
    names->names = (char**)calloc(a->rows + 1, sizeof(char*));
    good = names->names != NULL;
    for (size_t i = 0; good && i < a->rows; i++) {
      char text[400];
      array_text(a, i, text, sizeof(text));
      names->names[i] = strdup(text);
      good = names->names[i] != NULL;
      names->columns += good;
    }
  } else if (a->kind != 'U' && strncmp(a->name, "contact_", 8) != 0) {
    if (t->columns && a->rows != t->rows) {
      return failed("%s: %s has %zu samples, but there are %zu of what is before it", path, a->name,
                    a->rows, t->rows);
    }
    if (a->width > INT_MAX / 2 - (size_t)t->columns) return failed("%s: too many columns", path);
    good = a->width == 0 || add_columns(t, a);
  }
  return good ? EXIT_FINE : failed("%s: there is no memory for it", path);
}

static int read_archive(Table* t, FILE* f, const char* path) {
  Archive* archive = archive_open(f, path);
  if (!archive) return EXIT_FAILED;
  Table names = {0};
  Array a;
  bool more = true;
  int code = archive_next(archive, &a, &more);
  while (more && code == EXIT_FINE) {
    code = names.names && !strcmp(a.name, "columns") ? EXIT_FINE : take_array(t, &a, &names, path);
    if (code == EXIT_FINE) code = archive_next(archive, &a, &more);
  }
  archive_close(archive);
  if (code == EXIT_FINE && !set_names(t, names.names, (size_t)names.columns)) {
    code = failed("%s: there is no memory for it", path);
  }
  table_free(&names);
  if (code == EXIT_FINE && t->rows == 0) code = failed("%s: there are no samples in it", path);
  return code;
}

int table_read(Table* t, const char* path) {
  bool input = !strcmp(path, "-");
  FILE* f = input ? input_open() : fopen(path, "r");
  char start[4] = "";
  memset(t, 0, sizeof(*t));
  if (input && !f) return EXIT_FAILED;
  if (!f) return failed("%s: cannot open the file: %s", path, strerror(errno));
  bool archive = fread(start, 1, 4, f) == 4 && !memcmp(start, "PK\3\4", 4);
  if (input) {
    input_open();
  } else if (fseek(f, 0, SEEK_SET) != 0) {
    fclose(f);
    return failed("%s: a pipe has no beginning to come back to; give it as standard input, with -",
                  path);
  }
  int code = archive ? read_archive(t, f, path) : read_table(t, f, path);
  if (!input) fclose(f);
  if (code != EXIT_FINE) table_free(t);
  return code;
}

void table_free(Table* t) {
  for (int i = 0; i < t->columns; i++) free(t->names[i]);
  free(t->names);
  free(t->values);
  memset(t, 0, sizeof(*t));
}

// Whether a column is one of a field: called so, or with something behind a point.
static bool belongs_to(const char* column, const char* field) {
  size_t n = strlen(field);
  return !strncmp(column, field, n) && (!column[n] || column[n] == '.');
}

int table_find(const Table* t, const char* field, int* count) {
  int first = 0;
  while (first < t->columns && !belongs_to(t->names[first], field)) first++;
  int end = first;
  while (end < t->columns && belongs_to(t->names[end], field)) end++;
  *count = end - first;
  return first < end ? first : -1;
}

const double* table_field(const Table* t, size_t row, const char* field) {
  int count, first = table_find(t, field, &count);
  return first < 0 ? NULL : t->values + row * (size_t)t->columns + first;
}
