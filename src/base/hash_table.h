// A hash table: from hashes to the numbers of things. The things lie in an array of whoever owns
// the table, who alone knows when two of them are the same.
//
//   ct_HashSearch s = ct_hash_search(&table, ct_hash(text));
//   while (ct_hash_next(&table, &s)) {
//     if (!strcmp(entry[s.number].text, text)) return &entry[s.number];
//   }
//
// Slots hold part of the hash beside the number, so that few things are looked at in vain and the
// table grows without asking for them. Numbers of one hash are found in the order in which they
// were added, as long as none is removed.

#ifndef CT_BASE_HASH_TABLE_H_
#define CT_BASE_HASH_TABLE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"

typedef struct ct_HashSlot_ {
  uint32_t mark;   // of the hash; its lowest bits say where the search begins
  uint32_t taken;  // 0: free; else the number, plus one
} ct_HashSlot;

typedef struct ct_HashTable_ {  // all zero: empty
  ct_HashSlot* slot;
  size_t nslot, used;  // a power of two, at least twice the number used
} ct_HashTable;

typedef struct ct_HashSearch_ {
  int number;  // what ct_hash_next has found; -1: nothing
  uint32_t mark;
  size_t place;  // of the next slot to look at
} ct_HashSearch;

// Makes room for `count` numbers in all. The slots come from the pool, or from the heap without
// one, and then ct_hash_table_free gives them back. False if memory is short: the table is as it
// was.
bool ct_hash_reserve(ct_HashTable* table, ct_Pool* pool, size_t count);
void ct_hash_table_free(ct_HashTable* table);

// Forgets all numbers and keeps the slots.
void ct_hash_clear(ct_HashTable* table);

// Adds a number, for which there must be room; the same hash and number may be added again.
void ct_hash_add(ct_HashTable* table, uint64_t hash, int number);

// Takes a number out, if it is there.
void ct_hash_remove(ct_HashTable* table, uint64_t hash, int number);

// Hashes of names that differ in a few digits lie close together: their bits are stirred first.
static inline uint32_t ct_hash_mark_(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash ^ (hash >> 29));
}

static inline ct_HashSearch ct_hash_search(const ct_HashTable* table, uint64_t hash) {
  uint32_t mark = ct_hash_mark_(hash);
  ct_HashSearch s = {-1, mark, table->nslot ? mark & (table->nslot - 1) : 0};
  return s;
}

// On to the next number that has this hash, or happens to share its mark; false: there is none.
static inline bool ct_hash_next(const ct_HashTable* table, ct_HashSearch* s) {
  s->number = -1;
  while (table->nslot && table->slot[s->place].taken) {
    ct_HashSlot slot = table->slot[s->place];
    s->place = (s->place + 1) & (table->nslot - 1);
    if (slot.mark != s->mark) continue;
    s->number = (int)(slot.taken - 1);
    return true;
  }
  return false;
}

#endif  // CT_BASE_HASH_TABLE_H_
