#include "spec/containers.h"

#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

_Static_assert(sizeof(ct_String) == 24 && sizeof(ct_Vector) == 24 && sizeof(ct_Map) == 24,
               "layout");
_Static_assert(sizeof(ct_MapNode) == 80 && offsetof(ct_MapNode, key) == 32,
               "layout of a map's node");

enum { BRIEF = 22 };  // longest text that fits without a buffer

// malloc that does not return without memory.
static void* allocate(size_t bytes) {
  void* p = malloc(bytes ? bytes : 1);
  if (!p) mju_error("out of memory: a spec needs %zu more bytes", bytes);
  return p;
}

// Strings

static bool is_full(const ct_String* s) {
  return s->brief.twice_length & 1;
}

const char* ct_string_get(const ct_String* s) {
  return is_full(s) ? s->full.text : s->brief.text;
}

size_t ct_string_length(const ct_String* s) {
  return is_full(s) ? s->full.length : (size_t)(s->brief.twice_length >> 1);
}

bool ct_string_equal(const ct_String* s, const char* text) {
  size_t n = strlen(text);
  return ct_string_length(s) == n && !memcmp(ct_string_get(s), text, n);
}

static size_t room_of(const ct_String* s) {
  return is_full(s) ? s->full.room - 1 : BRIEF + 1;
}

// Closes the text of a string whose characters are in place.
static void set_length(ct_String* s, size_t length) {
  if (is_full(s)) {
    s->full.length = length;
    s->full.text[length] = 0;
  } else {
    s->brief.twice_length = (unsigned char)(2 * length);
    s->brief.text[length] = 0;
  }
}

void ct_string_set_n(ct_String* s, const char* text, size_t length) {
  if (length < room_of(s)) {
    memmove(is_full(s) ? s->full.text : s->brief.text, text, length);
    set_length(s, length);
    return;
  }
  size_t room = (length + 16) & ~(size_t)15;
  char* buffer = (char*)allocate(room);
  if (!buffer) return;
  memcpy(buffer, text, length);
  ct_string_free(s);
  buffer[length] = 0;
  s->full.room = room + 1;
  s->full.length = length;
  s->full.text = buffer;
}

void ct_string_set(ct_String* s, const char* text) {
  ct_string_set_n(s, text, strlen(text));
}

void ct_string_free(ct_String* s) {
  if (is_full(s)) free(s->full.text);
  memset(s, 0, sizeof(*s));
}

// Vectors

// Makes room for that many bytes, keeping the content. At least doubles, so appending stays linear.
static bool reserve(ct_Vector* v, size_t bytes) {
  size_t room = (size_t)(v->limit - v->begin), used = (size_t)(v->end - v->begin);
  if (bytes <= room && v->begin) return true;
  if (bytes < 2 * room) bytes = 2 * room;
  char* buffer = (char*)allocate(bytes);
  if (!buffer) return false;
  if (used) memcpy(buffer, v->begin, used);
  free(v->begin);
  v->begin = buffer;
  v->end = buffer + used;
  v->limit = buffer + bytes;
  return true;
}

void ct_vector_resize(ct_Vector* v, size_t count, size_t element) {
  size_t used = (size_t)(v->end - v->begin), bytes = count * element;
  if (bytes > used) {
    if (!reserve(v, bytes)) return;
    memset(v->begin + used, 0, bytes - used);
  }
  v->end = v->begin ? v->begin + bytes : NULL;
}

void ct_vector_set(ct_Vector* v, const void* values, size_t count, size_t element) {
  size_t bytes = count * element;
  if (!bytes) {
    v->end = v->begin;
    return;
  }
  if (bytes > (size_t)(v->limit - v->begin)) {
    v->end = v->begin;  // nothing to keep
    if (!reserve(v, bytes)) return;
  }
  memmove(v->begin, values, bytes);
  v->end = v->begin + bytes;
}

void ct_vector_append(ct_Vector* v, const void* value, size_t element) {
  size_t used = (size_t)(v->end - v->begin);
  if (!reserve(v, used + element)) return;
  memcpy(v->end, value, element);
  v->end += element;
}

void ct_vector_free(ct_Vector* v) {
  free(v->begin);
  memset(v, 0, sizeof(*v));
}

// Strings and vectors in vectors

ct_String* ct_strings_at(const ct_Vector* v, size_t i) {
  return (ct_String*)v->begin + i;
}

void ct_strings_append(ct_Vector* v, const char* text) {
  ct_String s;
  memset(&s, 0, sizeof(s));
  ct_string_set(&s, text);
  ct_vector_append(v, &s, sizeof(s));
}

void ct_strings_copy(ct_Vector* to, const ct_Vector* from) {
  if (to == from) return;
  ct_strings_free(to);
  size_t n = ct_vector_count(from, sizeof(ct_String));
  ct_vector_resize(to, n, sizeof(ct_String));
  for (size_t i = 0; i < n; i++) {
    const ct_String* s = ct_strings_at(from, i);
    ct_string_set_n(ct_strings_at(to, i), ct_string_get(s), ct_string_length(s));
  }
}

void ct_strings_free(ct_Vector* v) {
  size_t n = ct_vector_count(v, sizeof(ct_String));
  for (size_t i = 0; i < n; i++) ct_string_free(ct_strings_at(v, i));
  ct_vector_free(v);
}

ct_Vector* ct_vectors_at(const ct_Vector* v, size_t i) {
  return (ct_Vector*)v->begin + i;
}

void ct_vectors_append(ct_Vector* v, const void* values, size_t count, size_t element) {
  ct_Vector inner;
  memset(&inner, 0, sizeof(inner));
  ct_vector_set(&inner, values, count, element);
  ct_vector_append(v, &inner, sizeof(inner));
}

void ct_vectors_copy(ct_Vector* to, const ct_Vector* from, size_t element) {
  if (to == from) return;
  ct_vectors_free(to);
  size_t n = ct_vector_count(from, sizeof(ct_Vector));
  for (size_t i = 0; i < n; i++) {
    const ct_Vector* inner = ct_vectors_at(from, i);
    ct_vectors_append(to, inner->begin, ct_vector_count(inner, element), element);
  }
}

void ct_vectors_free(ct_Vector* v) {
  size_t n = ct_vector_count(v, sizeof(ct_Vector));
  for (size_t i = 0; i < n; i++) ct_vector_free(ct_vectors_at(v, i));
  ct_vector_free(v);
}

// Maps
//
// A map of ours is a sorted chain: each node is the right child of the one before. Readers only
// follow links, so balance and colours do not matter to them; plugin attributes are few.

static ct_MapNode* end_node(const ct_Map* map) {
  return (ct_MapNode*)(size_t)&map->root;  // its `left` is the root
}

void ct_map_init(ct_Map* map) {
  map->first = end_node(map);
  map->root = NULL;
  map->size = 0;
}

const ct_MapNode* ct_map_first(const ct_Map* map) {
  return map->size ? map->first : NULL;
}

// In-order successor by the links alone: the map may have been built by somebody else.
const ct_MapNode* ct_map_next(const ct_Map* map, const ct_MapNode* n) {
  if (n->right) {
    n = n->right;
    while (n->left) n = n->left;
    return n;
  }
  while (n->parent != end_node(map) && n == n->parent->right) n = n->parent;
  return n->parent == end_node(map) ? NULL : n->parent;
}

static int compare_keys(const ct_String* a, const char* b) {
  size_t n = ct_string_length(a), k = strlen(b);
  int order = memcmp(ct_string_get(a), b, n < k ? n : k);
  return order ? order : (n > k) - (n < k);
}

static const ct_MapNode* find(const ct_Map* map, const char* key) {
  const ct_MapNode* n = map->root;
  while (n) {
    int order = compare_keys(&n->key, key);
    if (!order) return n;
    n = order < 0 ? n->right : n->left;
  }
  return NULL;
}

const char* ct_map_get(const ct_Map* map, const char* key) {
  const ct_MapNode* n = find(map, key);
  return n ? ct_string_get(&n->value) : NULL;
}

// Adds a leaf where the search for its key ends.
static void insert(ct_Map* map, ct_MapNode* fresh) {
  ct_MapNode *parent = end_node(map), *n = map->root;
  bool left = true;
  while (n) {
    parent = n;
    left = compare_keys(&n->key, ct_string_get(&fresh->key)) > 0;
    n = left ? n->left : n->right;
  }
  fresh->parent = parent;
  if (left) {
    parent->left = fresh;  // of the end node: the root
  } else {
    parent->right = fresh;
  }
  if (parent == map->first && left) map->first = fresh;
  map->size++;
}

void ct_map_set(ct_Map* map, const char* key, const char* value) {
  const ct_MapNode* found = find(map, key);
  if (found) {
    ct_string_set((ct_String*)(size_t)&found->value, value);
    return;
  }
  ct_MapNode* fresh = (ct_MapNode*)allocate(sizeof(ct_MapNode));
  if (!fresh) return;
  memset(fresh, 0, sizeof(*fresh));
  fresh->black = 1;
  ct_string_set(&fresh->key, key);
  ct_string_set(&fresh->value, value);
  insert(map, fresh);
}

void ct_map_copy(ct_Map* to, const ct_Map* from) {
  if (to == from) return;
  ct_map_free(to);
  for (const ct_MapNode* n = ct_map_first(from); n; n = ct_map_next(from, n)) {
    ct_map_set(to, ct_string_get(&n->key), ct_string_get(&n->value));
  }
}

void ct_map_free(ct_Map* map) {
  // unlink leaves until nothing is left: no recursion, whatever the shape of the tree
  ct_MapNode* n = map->root;
  while (n && n != end_node(map)) {
    if (n->left) {
      n = n->left;
    } else if (n->right) {
      n = n->right;
    } else {
      ct_MapNode* parent = n->parent;
      if (parent->left == n) {
        parent->left = NULL;
      } else {
        parent->right = NULL;
      }
      ct_string_free(&n->key);
      ct_string_free(&n->value);
      free(n);
      n = parent;
    }
  }
  ct_map_init(map);
}
