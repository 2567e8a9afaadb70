#include "base/dictionary.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

struct ct_Entry_ {
  uint64_t hash;
  const char* text;  // NULL: free
  const void* meaning;
};

// Slot of the text, or the free one where it would go.
static struct ct_Entry_* slot_of(const ct_Dictionary* d, uint64_t hash, const char* text) {
  size_t i = ct_hash_spread(hash) & (d->nslot - 1);
  while (d->slot[i].text && (d->slot[i].hash != hash || strcmp(d->slot[i].text, text))) {
    i = (i + 1) & (d->nslot - 1);
  }
  return &d->slot[i];
}

static void grow(ct_Dictionary* d, ct_Pool* pool) {
  ct_Dictionary larger = {NULL, d->nslot ? 2 * d->nslot : 64, d->used};
  larger.slot = (struct ct_Entry_*)ct_pool_array(pool, larger.nslot, sizeof(struct ct_Entry_));
  for (size_t i = 0; larger.slot && i < d->nslot; i++) {
    const struct ct_Entry_* entry = &d->slot[i];
    if (entry->text) *slot_of(&larger, entry->hash, entry->text) = *entry;
  }
  if (larger.slot) *d = larger;
}

void* ct_dictionary_find(const ct_Dictionary* d, const char* text) {
  return d->nslot ? (void*)(uintptr_t)slot_of(d, ct_hash(text), text)->meaning : NULL;
}

void ct_dictionary_add(ct_Dictionary* d, ct_Pool* pool, const char* text, const void* meaning) {
  if (2 * (d->used + 1) > d->nslot) grow(d, pool);
  if (2 * (d->used + 1) > d->nslot) return;  // no memory: already an error
  uint64_t hash = ct_hash(text);
  struct ct_Entry_* entry = slot_of(d, hash, text);
  if (entry->text) return;
  entry->hash = hash;
  entry->text = text;
  entry->meaning = meaning;
  d->used++;
}
