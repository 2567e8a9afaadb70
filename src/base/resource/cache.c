// The cache of assets. See cache.h.

#include "base/resource/cache.h"

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"

#define FIRST_CAPACITY ((size_t)500 << 20)  // 500 MiB

typedef struct {  // a block, counted by those who use it at the moment and by the cache
  size_t size;
  int holders;
  _Alignas(16) char bytes[];
} Block;

typedef struct {
  ct_CacheKey key;
  Block* block;      // NULL: the entry is free
  int newer, older;  // in the order of use; -1: none
} Entry;

static struct {
  pthread_mutex_t guard;
  ct_HashTable table;  // from keys to numbers of entries
  Entry* entry;
  int count, room;
  int newest, oldest, vacant;  // the vacant ones hang together by `older`
  size_t size, capacity;
} cache = {.guard = PTHREAD_MUTEX_INITIALIZER,
           .newest = -1,
           .oldest = -1,
           .vacant = -1,
           .capacity = FIRST_CAPACITY};

static mjCache shared = {&cache};

// Keys

// Two products with different odd factors, turned after each word: a change of any bit reaches both
// halves of both.
static uint64_t turned(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

ct_CacheKey ct_cache_key(void) {
  ct_CacheKey key = {{0x243f6a8885a308d3u, 0x13198a2e03707344u}, 0};
  return key;
}

static void add_word(ct_CacheKey* key, uint64_t word) {
  key->hash[0] = turned((key->hash[0] ^ word) * 0x9e3779b97f4a7c15u, 29);
  key->hash[1] = turned((key->hash[1] + word) * 0xc2b2ae3d27d4eb4fu, 37) ^ key->hash[0];
}

void ct_cache_key_add(ct_CacheKey* key, const void* bytes, size_t count) {
  const char* p = (const char*)bytes;
  uint64_t word;
  size_t i = 0;
  for (; i + sizeof(word) <= count; i += sizeof(word)) {
    memcpy(&word, p + i, sizeof(word));
    add_word(key, word);
  }
  word = 0;
  if (i < count) memcpy(&word, p + i, count - i);
  add_word(key, word);
  add_word(key, count);
  key->bytes += count;
}

// Entries, with the guard held

static int find(const ct_CacheKey* key) {
  ct_HashSearch s = ct_hash_search(&cache.table, key->hash[0]);
  while (ct_hash_next(&cache.table, &s)) {
    const ct_CacheKey* other = &cache.entry[s.number].key;
    if (other->hash[0] == key->hash[0] && other->hash[1] == key->hash[1] &&
        other->bytes == key->bytes)
      return s.number;
  }
  return -1;
}

static void let_go(Block* block) {
  if (--block->holders == 0) free(block);
}

static void unlink_entry(int i) {
  Entry* e = &cache.entry[i];
  if (e->newer >= 0) {
    cache.entry[e->newer].older = e->older;
  } else {
    cache.newest = e->older;
  }
  if (e->older >= 0) {
    cache.entry[e->older].newer = e->newer;
  } else {
    cache.oldest = e->newer;
  }
}

static void put_first(int i) {
  cache.entry[i].newer = -1;
  cache.entry[i].older = cache.newest;
  if (cache.newest >= 0) cache.entry[cache.newest].newer = i;
  cache.newest = i;
  if (cache.oldest < 0) cache.oldest = i;
}

static void drop_oldest(void) {
  int i = cache.oldest;
  Entry* e = &cache.entry[i];
  unlink_entry(i);
  ct_hash_remove(&cache.table, e->key.hash[0], i);
  cache.size -= e->block->size;
  let_go(e->block);
  e->block = NULL;
  e->older = cache.vacant;
  cache.vacant = i;
}

static void shrink_to(size_t size) {
  while (cache.size > size) drop_oldest();
}

// An entry that is free; -1: memory is short.
static int new_entry(void) {
  if (cache.vacant >= 0) {
    int i = cache.vacant;
    cache.vacant = cache.entry[i].older;
    return i;
  }
  if (cache.count == cache.room) {
    int room = cache.room ? 2 * cache.room : 64;
    Entry* grown = (Entry*)realloc(cache.entry, (size_t)room * sizeof(Entry));
    if (!grown) return -1;
    cache.entry = grown;
    cache.room = room;
  }
  return ct_hash_reserve(&cache.table, NULL, (size_t)cache.count + 1) ? cache.count++ : -1;
}

// Blocks

bool ct_cache_is_on(void) {
  return mj_getCacheCapacity(&shared) > 0;
}

// The block with this key, now held once more; NULL: there is none.
static Block* hold(const ct_CacheKey* key) {
  Block* block = NULL;
  pthread_mutex_lock(&cache.guard);
  int i = find(key);
  if (i >= 0) {
    unlink_entry(i);
    put_first(i);
    block = cache.entry[i].block;
    block->holders++;
  }
  pthread_mutex_unlock(&cache.guard);
  return block;
}

static void give_back(void* block) {
  pthread_mutex_lock(&cache.guard);
  let_go((Block*)block);
  pthread_mutex_unlock(&cache.guard);
}

void* ct_cache_find(const ct_CacheKey* key, ct_Pool* pool, size_t* size) {
  Block* block = hold(key);
  if (!block) return NULL;

  // others need not wait for the copy
  *size = block->size;
  void* copy = ct_pool_alloc(pool, block->size);
  if (copy) memcpy(copy, block->bytes, block->size);
  give_back(block);
  return copy;
}

const void* ct_cache_borrow(const ct_CacheKey* key, ct_Pool* pool, size_t* size) {
  Block* block = hold(key);
  if (!block) return NULL;
  *size = block->size;
  if (ct_pool_hold(pool, give_back, block)) return block->bytes;
  give_back(block);
  return NULL;
}

// Takes the block over, unless somebody has added the same meanwhile.
static bool enter(const ct_CacheKey* key, Block* block) {
  if (block->size > cache.capacity || find(key) >= 0) return false;
  shrink_to(cache.capacity - block->size);
  int i = new_entry();
  if (i < 0) return false;
  cache.entry[i].key = *key;
  cache.entry[i].block = block;
  ct_hash_add(&cache.table, key->hash[0], i);
  put_first(i);
  cache.size += block->size;
  return true;
}

void ct_cache_add(const ct_CacheKey* key, const void* bytes, size_t size) {
  if (size > mj_getCacheCapacity(&shared)) return;
  Block* block = (Block*)malloc(sizeof(Block) + size);
  if (!block) return;
  block->size = size;
  block->holders = 1;
  memcpy(block->bytes, bytes, size);
  pthread_mutex_lock(&cache.guard);
  if (!enter(key, block)) let_go(block);
  pthread_mutex_unlock(&cache.guard);
}

// Public functions

mjCache* mj_getCache(void) {
  return &shared;
}

static size_t locked(const size_t* number) {
  pthread_mutex_lock(&cache.guard);
  size_t value = *number;
  pthread_mutex_unlock(&cache.guard);
  return value;
}

size_t mj_getCacheSize(const mjCache* c) {
  return c ? locked(&cache.size) : 0;
}

size_t mj_getCacheCapacity(const mjCache* c) {
  return c ? locked(&cache.capacity) : 0;
}

size_t mj_setCacheCapacity(mjCache* c, size_t size) {
  if (!c) return 0;
  pthread_mutex_lock(&cache.guard);
  cache.capacity = size;
  shrink_to(size);
  pthread_mutex_unlock(&cache.guard);
  return size;
}

void mj_clearCache(mjCache* c) {
  if (!c) return;
  pthread_mutex_lock(&cache.guard);
  shrink_to(0);
  pthread_mutex_unlock(&cache.guard);
}
