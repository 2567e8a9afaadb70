#include "base/model/names_map.h"

#include <stdbool.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

void ct_names_map_clear(int* table, int64_t nslot) {
  for (int64_t i = 0; i < nslot; i++) table[i] = -1;
}

static int64_t first_slot(const char* name, int64_t nslot) {
  return (int64_t)(ct_hash(name) % (uint64_t)nslot);
}

static int64_t next_slot(int64_t slot, int64_t nslot) {
  return slot + 1 < nslot ? slot + 1 : 0;
}

void ct_names_map_insert(int* table, int64_t nslot, const char* name, int id) {
  if (!name[0]) return;
  int64_t slot = first_slot(name, nslot);
  for (int64_t tried = 0; table[slot] >= 0; tried++) {
    CT_ASSERT(tried < nslot);
    slot = next_slot(slot, nslot);
  }
  table[slot] = id;
}

int ct_names_map_find(const int* table, int64_t nslot, const char* names, const int* address,
                      const char* name) {
  if (nslot <= 0) return -1;
  int64_t slot = first_slot(name, nslot);
  for (int64_t tried = 0; tried < nslot; tried++, slot = next_slot(slot, nslot)) {
    int id = table[slot];
    if (id < 0) return -1;
    bool known = id < nslot / CT_NAMES_MAP_SLOTS_PER_OBJECT;  // a table read from a file may lie
    if (known && !strcmp(names + address[id], name)) return id;
  }
  return -1;
}
