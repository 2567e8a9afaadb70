// A dictionary: texts to pointers, for work that is given up as a whole (pool.h).

#ifndef CT_BASE_DICTIONARY_H_
#define CT_BASE_DICTIONARY_H_

#include <stddef.h>

#include "base/hash_table.h"
#include "base/pool.h"

typedef struct ct_Dictionary_ {  // all zero: empty
  ct_HashTable table;
  struct ct_Entry_* entry;
  size_t room;
} ct_Dictionary;

// What a text stands for; NULL: nothing.
void* ct_dictionary_find(const ct_Dictionary* d, const char* text);

// Lets a text stand for something, if it does not stand for anything yet. The text must live as
// long as the dictionary.
void ct_dictionary_add(ct_Dictionary* d, ct_Pool* pool, const char* text, const void* meaning);

#endif  // CT_BASE_DICTIONARY_H_
