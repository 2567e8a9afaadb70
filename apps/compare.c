// corten compare: how far two recordings are apart.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "table.h"

static int find_column(const Table* t, const char* name) {
  for (int i = 0; i < t->columns; i++) {
    if (!strcmp(t->names[i], name)) return i;
  }
  return -1;
}

static double value_of(const Table* t, size_t row, int column) {
  return t->values[row * (size_t)t->columns + (size_t)column];
}

// How far apart two numbers are; two that are missing are equal.
static double distance(double a, double b) {
  if (isnan(a) && isnan(b)) return 0;
  return isnan(a) || isnan(b) ? INFINITY : fabs(a - b);
}

// Prints the line of a column that differs. Returns whether it does.
static bool compare_column(const Table* a, const Table* b, int column, int other,
                           double tolerance) {
  size_t rows = a->rows < b->rows ? a->rows : b->rows, first = rows;
  double most = 0;
  for (size_t i = 0; i < rows; i++) {
    double d = distance(value_of(a, i, column), value_of(b, i, other));
    if (d > tolerance && first == rows) first = i;
    if (d > most) most = d;
  }
  if (first == rows) return false;
  char shown[200];
  printf("  %-32s by %-12.5g first at %s %g: %.9g, %.9g\n",
         make_visible(shown, sizeof(shown), a->names[column]), most, a->names[0],
         value_of(a, first, 0), value_of(a, first, column), value_of(b, first, other));
  return true;
}

static int compare_tables(const Table* a, const Table* b, double tolerance) {
  int common = 0, differing = 0;
  for (int i = 0; i < a->columns; i++) {
    int other = find_column(b, a->names[i]);
    if (other < 0) continue;
    common++;
    differing += compare_column(a, b, i, other, tolerance);
  }
  if (!common) return failed("compare: the recordings have no column in common");
  int alone = a->columns + b->columns - 2 * common;
  printf("%d of %d columns differ", differing, common);
  if (alone) printf(", %d are in one recording only", alone);
  if (a->rows != b->rows) printf(", and there are %zu samples and %zu", a->rows, b->rows);
  printf("\n");
  return differing || alone || a->rows != b->rows ? EXIT_FAILED : EXIT_FINE;
}

int command_compare(int argc, char** argv) {
  const char* path[2] = {NULL, NULL};
  int paths = 0;
  double tolerance = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--tolerance")) {
      char* end = NULL;
      if (++i < argc) tolerance = strtod(argv[i], &end);
      if (!end || end == argv[i] || *end || !(tolerance >= 0)) {
        return misused("compare: --tolerance needs a number that is not negative");
      }
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("compare: unknown option %s", argv[i]);
    } else if (paths < 2) {
      path[paths++] = argv[i];
    } else {
      return misused("compare: two recordings, please");
    }
  }
  if (paths < 2) return misused("compare: which two recordings?");
  if (!strcmp(path[0], "-") && !strcmp(path[1], "-")) {
    return misused("compare: standard input is one recording; name the other");
  }
  Table a, b;
  int code = table_read(&a, path[0]);
  if (code != EXIT_FINE) return code;
  code = table_read(&b, path[1]);
  if (code == EXIT_FINE) {
    code = compare_tables(&a, &b, tolerance);
    table_free(&b);
  }
  table_free(&a);
  return code;
}
