// Arrays of an NPZ file: of corten run --npz, or of NumPy.

#ifndef APPS_ARCHIVE_H_
#define APPS_ARCHIVE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Archive_ Archive;

// One of its arrays: rows by the first dimension, all others in the width of a row.
typedef struct {
  char name[100];
  char kind;  // 'f', 'i', or 'U' for texts
  int size;   // bytes of a number, or characters of a text
  size_t rows, width;
  const unsigned char* data;
} Array;

// Of a file that can be read from its start; `path` is for messages. NULL after a message.
Archive* archive_open(FILE* f, const char* path);
void archive_close(Archive* a);

// The next array, which is there until the one after it is read; *more becomes false behind the
// last. EXIT_FINE, or another code after a message.
int archive_next(Archive* a, Array* array, bool* more);

double array_number(const Array* a, size_t i);

// A text as UTF-8, cut off where there is no room.
void array_text(const Array* a, size_t i, char* text, size_t room);

#endif  // APPS_ARCHIVE_H_
