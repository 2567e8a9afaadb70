// A dictionary: texts to pointers, for work that is given up as a whole (pool.h).

#ifndef CT_BASE_DICTIONARY_H_
#define CT_BASE_DICTIONARY_H_

#include <stddef.h>

#include "base/pool.h"

typedef struct ct_Dictionary_ {  // all zero: empty
  struct ct_Entry_* slot;
  size_t nslot, used;  // a power of two, at least twice the number used
} ct_Dictionary;

// What a text stands for; NULL: nothing.
void* ct_dictionary_find(const ct_Dictionary* d, const char* text);

// Lets a text stand for something, if it does not stand for anything yet. The text must live as
// long as the dictionary.
void ct_dictionary_add(ct_Dictionary* d, ct_Pool* pool, const char* text, const void* meaning);

#endif  // CT_BASE_DICTIONARY_H_
