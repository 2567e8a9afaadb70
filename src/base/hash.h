// Names to ids by hashing: the tables in mjModel.names_map, which the reference reads and writes
// too.
//
// A table for n objects has 2n slots, each an id or -1. A name lies in the slot of its hash, or in
// the next free one, going round. Objects without a name are not in the table.

#ifndef CT_BASE_HASH_H_
#define CT_BASE_HASH_H_

#include <stdint.h>

#define CT_HASH_SLOTS_PER_OBJECT 2

// h = 5381, then h = (33 h) xor c for each byte, modulo 2^64. Bytes are signed: from 128 on they
// extend with ones into the upper bits, on every machine.
uint64_t ct_hash(const char* name);

// The same number with its bits stirred, for tables of our own: names that differ in a few digits
// at their ends have hashes that lie close together.
static inline uint64_t ct_hash_spread(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

// Empties all slots of a table.
void ct_hash_clear(int* table, int64_t nslot);

// Puts an id into the first free slot for its name; an empty name is left out. The table must have
// a free slot.
void ct_hash_insert(int* table, int64_t nslot, const char* name, int id);

// The id of a name, or -1. The name of id i starts at names + address[i]; ids are below nslot / 2.
int ct_hash_find(const int* table, int64_t nslot, const char* names, const int* address,
                 const char* name);

#endif  // CT_BASE_HASH_H_
