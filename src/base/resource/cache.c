// The asset cache: a shell. Its capacity can be read and set; nothing is kept in it, because corten
// does not cache compiled assets yet.

#include <mujoco/mujoco.h>
#include <stdatomic.h>

#define FIRST_CAPACITY ((size_t)500 << 20)  // 500 MiB

static atomic_size_t capacity = FIRST_CAPACITY;
static mjCache shared = {&capacity};

mjCache* mj_getCache(void) {
  return &shared;
}

size_t mj_getCacheSize(const mjCache* cache) {
  (void)cache;
  return 0;
}

size_t mj_getCacheCapacity(const mjCache* cache) {
  return cache ? atomic_load((atomic_size_t*)cache->impl_) : 0;
}

size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  if (!cache) return 0;
  atomic_store((atomic_size_t*)cache->impl_, size);
  return size;
}

void mj_clearCache(mjCache* cache) {
  (void)cache;
}
