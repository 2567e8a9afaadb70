#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static void put(ct_HashTable* table, ct_HashSlot entry) {
  size_t i = entry.mark & (table->nslot - 1);
  while (table->slot[i].taken) i = (i + 1) & (table->nslot - 1);
  table->slot[i] = entry;
}

bool ct_hash_reserve(ct_HashTable* table, ct_Pool* pool, size_t count) {
  if (2 * count <= table->nslot) return true;
  ct_HashTable larger = {NULL, 16, table->used};
  while (larger.nslot < 2 * count) larger.nslot *= 2;
  larger.slot = (ct_HashSlot*)(pool ? ct_pool_array(pool, larger.nslot, sizeof(ct_HashSlot))
                                    : calloc(larger.nslot, sizeof(ct_HashSlot)));
  if (!larger.slot) return false;
  for (size_t i = 0; i < table->nslot; i++) {
    if (table->slot[i].taken) put(&larger, table->slot[i]);
  }
  if (!pool) free(table->slot);
  *table = larger;
  return true;
}

void ct_hash_table_free(ct_HashTable* table) {
  free(table->slot);
  memset(table, 0, sizeof(*table));
}

void ct_hash_clear(ct_HashTable* table) {
  if (table->used) memset(table->slot, 0, table->nslot * sizeof(ct_HashSlot));
  table->used = 0;
}

void ct_hash_add(ct_HashTable* table, uint64_t hash, int number) {
  CT_ASSERT(2 * (table->used + 1) <= table->nslot);
  put(table, (ct_HashSlot){ct_hash_mark_(hash), (uint32_t)number + 1});
  table->used++;
}

// What stands behind in the same run moves up, so that no search ends at the hole.
void ct_hash_remove(ct_HashTable* table, uint64_t hash, int number) {
  ct_HashSearch s = ct_hash_search(table, hash);
  while (ct_hash_next(table, &s) && s.number != number) continue;
  if (s.number != number) return;
  size_t last = table->nslot - 1, hole = (s.place + last) & last;
  for (size_t i = s.place; table->slot[i].taken; i = (i + 1) & last) {
    size_t wanted = table->slot[i].mark & last;
    bool reachable = ((i - wanted) & last) >= ((i - hole) & last);
    if (!reachable) continue;
    table->slot[hole] = table->slot[i];
    hole = i;
  }
  table->slot[hole].taken = 0;
  table->used--;
}
