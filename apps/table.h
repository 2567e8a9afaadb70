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

// EXIT_FINE, or another code after a message, and then there is nothing to free.
int table_read(Table* t, const char* path);
void table_free(Table* t);

// Whether a table, of that file, can be a recording of a model: EXIT_FINE, or another code after a
// message.
int check_columns(const mjModel* m, const Table* t, const char* path);

#endif  // APPS_TABLE_H_
