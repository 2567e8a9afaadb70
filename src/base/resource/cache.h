// The cache of assets: blocks of bytes that were made from files, kept across loads of a process.
//
// A block is found by a key of everything that it was made from: settings and the bytes of the file
// themselves, 128 bits of hash and their number. A file that has changed has another key, so
// nothing in the cache is ever out of date, whatever its time stamp says. What was used least
// recently goes when there is no room. All functions may be called from any thread.

#ifndef CT_BASE_RESOURCE_CACHE_H_
#define CT_BASE_RESOURCE_CACHE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"

typedef struct ct_CacheKey_ {
  uint64_t hash[2];
  uint64_t bytes;
} ct_CacheKey;

// Can anything be kept? If not, keys need not be made.
bool ct_cache_is_on(void);

ct_CacheKey ct_cache_key(void);  // of nothing
void ct_cache_key_add(ct_CacheKey* key, const void* bytes, size_t count);

// A copy of the block with this key, in the pool; NULL: there is none.
void* ct_cache_find(const ct_CacheKey* key, ct_Pool* pool, size_t* size);

// The block itself, to be read until the pool is released, whatever leaves the cache meanwhile;
// NULL: there is none.
const void* ct_cache_borrow(const ct_CacheKey* key, ct_Pool* pool, size_t* size);

// Keeps a copy of a block, if there is room for it.
void ct_cache_add(const ct_CacheKey* key, const void* block, size_t size);

#endif  // CT_BASE_RESOURCE_CACHE_H_
