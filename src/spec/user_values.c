// Pointers that a program hangs on elements, by key. An element has few, so they are a chain.

#include "spec/user_values.h"

#include <stdlib.h>
#include <string.h>

struct ct_UserValue_ {
  ct_UserValue* next;
  const void* data;
  void (*cleanup)(const void*);
  char key[];
};

// The link to the value, or where it would be; NULL if element or key are.
static ct_UserValue** find(mjsElement* element, const char* key) {
  if (!element || !key) return NULL;
  ct_UserValue** link = &ct_element(element)->user;
  while (*link && strcmp((*link)->key, key) != 0) link = &(*link)->next;
  return link;
}

static void clean(const ct_UserValue* value) {
  if (value->cleanup) value->cleanup(value->data);
}

void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                 void (*cleanup)(const void*)) {
  static const char name[] = "mjs_setUserValue";
  if (ct_is_null(element, name, "element") || ct_is_null(key, name, "key")) return;
  ct_UserValue** link = find(element, key);
  if (*link) {
    clean(*link);
  } else {
    size_t length = strlen(key) + 1;
    *link = (ct_UserValue*)calloc(1, sizeof(ct_UserValue) + length);
    if (!*link) {
      mju_error("out of memory: no room for the user value \"%s\"", key);
      return;
    }
    memcpy((*link)->key, key, length);
  }
  (*link)->data = data;
  (*link)->cleanup = cleanup;
}

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  mjs_setUserValueWithCleanup(element, key, data, NULL);
}

const void* mjs_getUserValue(mjsElement* element, const char* key) {
  ct_UserValue** link = find(element, key);
  return link && *link ? (*link)->data : NULL;
}

static void take_out(ct_UserValue** link) {
  ct_UserValue* value = *link;
  *link = value->next;
  clean(value);
  free(value);
}

void mjs_deleteUserValue(mjsElement* element, const char* key) {
  ct_UserValue** link = find(element, key);
  if (link && *link) take_out(link);
}

void ct_user_values_free(ct_Element* e) {
  while (e->user) take_out(&e->user);
}
