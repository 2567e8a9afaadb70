// An NPZ file: a ZIP archive of NPY files, one array each, stored as they are.

#ifndef APPS_NPZ_H_
#define APPS_NPZ_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  FILE* f;
  unsigned char* central;  // the directory at the end, as far as it is known
  size_t size;
  unsigned count;
} Npz;

// An array with one to three dimensions. type, as NumPy has it: f8 for doubles, i4 for 32-bit
// integers, U and a number for texts of at most so many characters of 32 bits. False: it is larger
// than an archive can hold, or there is no memory.
bool npz_add(Npz* npz, const char* name, const char* type, int dimensions, const size_t* shape,
             const void* data);

// The directory; false if it cannot be written. The file stays open.
bool npz_finish(Npz* npz);

#endif  // APPS_NPZ_H_
