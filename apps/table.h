// A table of numbers with named columns, read from a CSV file or from an NPZ file.

#ifndef APPS_TABLE_H_
#define APPS_TABLE_H_

#include <mujoco/mujoco.h>
#include <stddef.h>

typedef struct {
  char** names;  // (columns)
  int columns;
  double* values;  // (rows x columns); a field that is empty is NaN
  size_t rows;
} Table;

// Of a file, - for standard input. EXIT_FINE, or another code after a message, and then there is
// nothing to free.
int table_read(Table* t, const char* path);
void table_free(Table* t);

// The first of the columns that belong to a field (qpos, or qpos.knee), and how many follow each
// other; -1: there are none.
int table_find(const Table* t, const char* field, int* count);

// The numbers of these columns in a row; NULL: there are none.
const double* table_field(const Table* t, size_t row, const char* field);

// Whether a table, of that file, can be a recording of a model: it has time and qpos, and what else
// a recording of corten run has is as wide as there, in any order, with the names of the model or
// with numbers for names. EXIT_FINE, or another code after a message.
int check_columns(const mjModel* m, const Table* t, const char* path);

#endif  // APPS_TABLE_H_
