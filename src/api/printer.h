// What the printing of models and data has in common: where the text goes, how a number looks, how
// arrays of the schema are written.

#ifndef CT_API_PRINTER_H_
#define CT_API_PRINTER_H_

#include <stdbool.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "base/model/fields.h"

enum { CT_FORMAT_BYTES = 24 };

typedef struct ct_Printer_ {
  FILE* out;
  bool close;                    // out is ours
  char format[CT_FORMAT_BYTES];  // of one number
} ct_Printer;

// Opens a file, or standard output for NULL. A number format that is not one (or NULL) is replaced
// by the usual one, with a warning; a file that cannot be opened gives a warning and false.
bool ct_printer_open(ct_Printer* p, const char* function, const char* filename, const char* format);
void ct_printer_close(ct_Printer* p);

// One number in the chosen format; n of them, each with a blank behind it.
void ct_print_number(ct_Printer* p, double x);
void ct_print_numbers(ct_Printer* p, const mjtNum* x, mjtSize n);

// Element i of an array: a number in the chosen format or a plain integer.
void ct_print_element(ct_Printer* p, const ct_Field* f, const void* array, mjtSize i);

// "9 KB" or "448 bytes" behind a name; nothing for 0 bytes.
void ct_print_memory(ct_Printer* p, const char* name, size_t bytes);

// Rows of a sparse matrix of nnz entries as "column: value". Rows that a step has not filled in yet
// may point anywhere; they are printed as such.
void ct_print_sparse(ct_Printer* p, const char* title, const mjtNum* value, mjtSize nnz,
                     mjtSize rows, const int* rownnz, const int* rowadr, const int* colind);

// A picture of a sparse matrix: x where it has an entry, D on the diagonal if diag tells where that
// is.
void ct_print_pattern(ct_Printer* p, const char* title, mjtSize rows, mjtSize columns,
                      const int* rownnz, const int* rowadr, const int* colind, const int* diag);

#endif  // CT_API_PRINTER_H_
