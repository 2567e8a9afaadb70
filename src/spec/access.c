// Reading and writing the strings and vectors of elements from C.

#include <string.h>

#include "base/text.h"
#include "spec/names.h"
#include "spec/spec.h"

void mjs_setString(mjString* dest, const char* text) {
  static const char name[] = "mjs_setString";
  if (ct_is_null(dest, name, "string") || ct_is_null(text, name, "text")) return;
  ct_string_set((ct_String*)dest, text);
}

const char* mjs_getString(const mjString* source) {
  return source ? ct_text(source) : NULL;
}

// Vectors

// Is there a vector to write to, and an array, unless it has no numbers?
static bool are_given(const void* dest, const void* array, int size, const char* function) {
  if (ct_is_null(dest, function, "vector")) return false;
  return size <= 0 || !ct_is_null(array, function, "array");
}

static void set_vector(void* dest, const void* array, int size, size_t element,
                       const char* function) {
  if (!are_given(dest, array, size, function)) return;
  ct_vector_set((ct_Vector*)dest, array, size > 0 ? (size_t)size : 0, element);
}

void mjs_setBuffer(mjByteVec* dest, const void* array, int size) {
  set_vector(dest, array, size, 1, "mjs_setBuffer");
}

void mjs_setInt(mjIntVec* dest, const int* array, int size) {
  set_vector(dest, array, size, sizeof(int), "mjs_setInt");
}

void mjs_setFloat(mjFloatVec* dest, const float* array, int size) {
  set_vector(dest, array, size, sizeof(float), "mjs_setFloat");
}

void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) {
  set_vector(dest, array, size, sizeof(double), "mjs_setDouble");
}

void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  if (!are_given(dest, array, size, "mjs_appendIntVec")) return;
  ct_vectors_append((ct_Vector*)dest, array, size > 0 ? (size_t)size : 0, sizeof(int));
}

void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  if (!are_given(dest, array, size, "mjs_appendFloatVec")) return;
  ct_vectors_append((ct_Vector*)dest, array, size > 0 ? (size_t)size : 0, sizeof(float));
}

const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  int count = 0;
  const double* values = source ? ct_doubles(source, &count) : NULL;
  if (size) *size = count;
  return values;
}

// Vectors of strings

void mjs_appendString(mjStringVec* dest, const char* text) {
  static const char name[] = "mjs_appendString";
  if (ct_is_null(dest, name, "vector") || ct_is_null(text, name, "text")) return;
  ct_strings_append((ct_Vector*)dest, text);
}

// Words are separated by white space.
void mjs_setStringVec(mjStringVec* dest, const char* text) {
  static const char name[] = "mjs_setStringVec";
  if (ct_is_null(dest, name, "vector") || ct_is_null(text, name, "text")) return;
  ct_Vector* words = (ct_Vector*)dest;
  ct_String word;
  memset(&word, 0, sizeof(word));
  ct_strings_free(words);
  for (;;) {
    text = ct_skip_blanks(text);
    size_t length = 0;
    while (text[length] && !ct_is_blank(text[length])) length++;
    if (!length) break;
    ct_string_set_n(&word, text, length);
    ct_strings_append(words, ct_string_get(&word));
    text += length;
  }
  ct_string_free(&word);
}

mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  static const char name[] = "mjs_setInStringVec";
  if (ct_is_null(dest, name, "vector") || ct_is_null(text, name, "text")) return 0;
  ct_Vector* strings = (ct_Vector*)dest;
  int count = (int)ct_vector_count(strings, sizeof(ct_String));
  if (i < 0 || i >= count) {
    mju_warning("mjs_setInStringVec: there is no entry %d, the vector has %d", i, count);
    return 0;
  }
  ct_string_set(ct_strings_at(strings, (size_t)i), text);
  return 1;
}

// Names

// Who has the address may write to it, so the table of names is no longer believed.
mjString* mjs_getName(mjsElement* element) {
  if (!element) return NULL;
  ct_Element* e = ct_element(element);
  ct_names_given_out(e->spec);
  return &e->name;
}

int mjs_setName(mjsElement* element, const char* name) {
  if (!element) return -1;
  ct_Element* e = ct_element(element);
  if (!name) return ct_spec_error(e->spec, "mjs_setName: the name is NULL");
  if (ct_type(e) == mjOBJ_DEFAULT) {
    ct_string_set(&e->name, name);
    return 0;
  }
  if (ct_set_name(e, name)) return 0;
  return ct_spec_error(
      e->spec, "Error: repeated name '%s' in %s: two elements of a type cannot have the same", name,
      e->kind->name);
}

// Plugin attributes

// An element's link to a plugin leads to the instance, which has the attributes.
static ct_Plugin* instance_of(const mjsPlugin* plugin) {
  ct_Element* e = plugin ? ct_element(plugin->element) : NULL;
  return e && ct_type(e) == mjOBJ_PLUGIN ? (ct_Plugin*)e : NULL;
}

const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  ct_Plugin* instance = instance_of(plugin);
  return instance ? &instance->attributes : NULL;
}

void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  ct_Plugin* instance = instance_of(plugin);
  if (instance && attributes) ct_map_copy(&instance->attributes, (const ct_Map*)attributes);
}
