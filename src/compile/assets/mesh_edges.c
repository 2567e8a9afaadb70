// Directed edges of meshes: a hash table with open addressing.

#include <stdint.h>

#include "compile/assets/mesh.h"

struct ct_EdgeSlot_ {
  int group, from, to;
  int number;
  bool used;
};

ct_EdgeTable ct_edges_make(ct_Pool* pool, size_t count) {
  ct_EdgeTable table = {NULL, 16};
  while (table.nslot < 2 * count) table.nslot *= 2;
  table.slot = (struct ct_EdgeSlot_*)ct_pool_array(pool, table.nslot, sizeof(*table.slot));
  return table;
}

static size_t hash(int group, int from, int to) {
  uint64_t h = (uint32_t)from | (uint64_t)(uint32_t)to << 32;
  h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15u;
  h += (uint32_t)group;
  h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
  return (size_t)(h ^ (h >> 32));
}

int* ct_edges_at(ct_EdgeTable* table, int group, int from, int to) {
  size_t i = hash(group, from, to) & (table->nslot - 1);
  for (;; i = (i + 1) & (table->nslot - 1)) {
    struct ct_EdgeSlot_* slot = &table->slot[i];
    if (!slot->used) {
      slot->used = true;
      slot->group = group;
      slot->from = from;
      slot->to = to;
      slot->number = -1;
      return &slot->number;
    }
    if (slot->group == group && slot->from == from && slot->to == to) return &slot->number;
  }
}
