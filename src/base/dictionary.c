#include "base/dictionary.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

struct ct_Entry_ {
  const char* text;
  const void* meaning;
};

static const struct ct_Entry_* entry_of(const ct_Dictionary* d, const char* text) {
  ct_HashSearch s = ct_hash_search(&d->table, ct_hash(text));
  while (ct_hash_next(&d->table, &s)) {
    if (!strcmp(d->entry[s.number].text, text)) return &d->entry[s.number];
  }
  return NULL;
}

void* ct_dictionary_find(const ct_Dictionary* d, const char* text) {
  const struct ct_Entry_* entry = entry_of(d, text);
  return entry ? (void*)(uintptr_t)entry->meaning : NULL;
}

void ct_dictionary_add(ct_Dictionary* d, ct_Pool* pool, const char* text, const void* meaning) {
  if (entry_of(d, text)) return;
  size_t count = d->table.used;
  void* entry = ct_pool_grow(pool, d->entry, count, count + 1, &d->room, sizeof(*d->entry));
  if (!entry || !ct_hash_reserve(&d->table, pool, count + 1)) return;  // already an error
  d->entry = (struct ct_Entry_*)entry;
  d->entry[count].text = text;
  d->entry[count].meaning = meaning;
  ct_hash_add(&d->table, ct_hash(text), (int)count);
}
