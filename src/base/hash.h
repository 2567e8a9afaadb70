// The hash of a text. Tables of our own are those of base/hash_table.h; base/model/names_map.h has
// the ones that a model carries.

#ifndef CT_BASE_HASH_H_
#define CT_BASE_HASH_H_

#include <stdint.h>

// h = 5381, then h = (33 h) xor c for each byte, modulo 2^64. Bytes are signed: from 128 on they
// extend with ones into the upper bits, on every machine.
#define CT_HASH_START 5381

static inline uint64_t ct_hash_byte(uint64_t hash, char byte) {
  return (33 * hash) ^ (uint64_t)(int64_t)(signed char)byte;
}

static inline uint64_t ct_hash(const char* text) {
  uint64_t hash = CT_HASH_START;
  while (*text) hash = ct_hash_byte(hash, *text++);
  return hash;
}

#endif  // CT_BASE_HASH_H_
