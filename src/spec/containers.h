// Strings, vectors and maps inside a spec, in the memory layout that existing programs assume.
//
// Programs written in C++ (the Python package among them) read and write these objects through the
// pointers in the mjs structs, with the inline code of their own standard library: libc++ on 64-bit
// little-endian machines. So each object is 24 bytes laid out as libc++ lays out std::string,
// std::vector and std::map, and buffers come from malloc and go back by free, because either side
// may replace them at any time.
//
// All 24 bytes zero is an empty string and an empty vector; a map must be initialised.

#ifndef CT_SPEC_CONTAINERS_H_
#define CT_SPEC_CONTAINERS_H_

#include <stdbool.h>
#include <stddef.h>

typedef union ct_String_ {
  struct {
    unsigned char twice_length;  // 2 * length; even marks the short form
    char text[23];               // up to 22 characters and the closing zero
  } brief;
  struct {
    size_t room;    // bytes allocated, always even, plus 1: odd marks the long form
    size_t length;  // without the closing zero
    char* text;
  } full;
} ct_String;

typedef struct ct_Vector_ {
  char *begin, *end, *limit;
} ct_Vector;

typedef struct ct_MapNode_ {
  struct ct_MapNode_ *left, *right, *parent;
  unsigned char black;
  ct_String key, value;
} ct_MapNode;

typedef struct ct_Map_ {
  ct_MapNode* first;  // leftmost node, or the end node
  ct_MapNode* root;   // the address of this member, read as a node, is the end node
  size_t size;
} ct_Map;

// Strings

const char* ct_string_get(const ct_String* s);
size_t ct_string_length(const ct_String* s);
bool ct_string_equal(const ct_String* s, const char* text);
static inline bool ct_string_empty(const ct_String* s) {
  return ct_string_length(s) == 0;
}

// Replaces the text; a buffer that is large enough is kept. `text` may lie inside s.
void ct_string_set(ct_String* s, const char* text);
void ct_string_set_n(ct_String* s, const char* text, size_t length);
void ct_string_free(ct_String* s);

// Vectors of plain elements

static inline size_t ct_vector_count(const ct_Vector* v, size_t element) {
  return (size_t)(v->end - v->begin) / element;
}

// Sets the length; new elements are zero, storage is kept when it is large enough.
void ct_vector_resize(ct_Vector* v, size_t count, size_t element);

// Replaces the content by a copy.
void ct_vector_set(ct_Vector* v, const void* values, size_t count, size_t element);
void ct_vector_append(ct_Vector* v, const void* value, size_t element);
void ct_vector_free(ct_Vector* v);

// Vectors of strings and vectors of vectors

ct_String* ct_strings_at(const ct_Vector* v, size_t i);
void ct_strings_append(ct_Vector* v, const char* text);
void ct_strings_copy(ct_Vector* to, const ct_Vector* from);
void ct_strings_free(ct_Vector* v);

ct_Vector* ct_vectors_at(const ct_Vector* v, size_t i);
void ct_vectors_append(ct_Vector* v, const void* values, size_t count, size_t element);
void ct_vectors_copy(ct_Vector* to, const ct_Vector* from, size_t element);
void ct_vectors_free(ct_Vector* v);

// Maps from string to string, ordered by the bytes of the key

void ct_map_init(ct_Map* map);
const ct_MapNode* ct_map_first(const ct_Map* map);                      // NULL: empty
const ct_MapNode* ct_map_next(const ct_Map* map, const ct_MapNode* n);  // NULL: that was the last
const char* ct_map_get(const ct_Map* map, const char* key);             // NULL: no such key
void ct_map_set(ct_Map* map, const char* key, const char* value);
void ct_map_copy(ct_Map* to, const ct_Map* from);  // replaces the content of `to`
void ct_map_free(ct_Map* map);                     // leaves it empty and usable

#endif  // CT_SPEC_CONTAINERS_H_
