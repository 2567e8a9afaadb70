// The cache of assets: what is found, what goes when there is no room, and many threads at once.

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/resource/cache.h"

enum { BLOCK = 1000 };

static ct_CacheKey key_of(int number) {
  ct_CacheKey key = ct_cache_key();
  ct_cache_key_add(&key, &number, sizeof(number));
  return key;
}

static void add(int number) {
  char block[BLOCK];
  memset(block, number & 127, sizeof(block));
  ct_CacheKey key = key_of(number);
  ct_cache_add(&key, block, sizeof(block));
}

static bool has(int number) {
  ct_Pool pool = {NULL};
  ct_CacheKey key = key_of(number);
  size_t size = 0;
  const char* block = (const char*)ct_cache_find(&key, &pool, &size);
  bool found = block != NULL;
  if (found) {
    assert_int_equal(size, BLOCK);
    assert_int_equal(block[0], number & 127);
    assert_int_equal(block[BLOCK - 1], number & 127);
  }
  ct_pool_free(&pool);
  return found;
}

static int start_empty(void** state) {
  (void)state;
  mj_clearCache(mj_getCache());
  mj_setCacheCapacity(mj_getCache(), 100 * BLOCK);
  return 0;
}

static void what_was_added_is_found(void** state) {
  (void)state;
  assert_false(has(1));
  add(1);
  add(2);
  assert_true(has(1) && has(2));
  assert_false(has(3));
  assert_int_equal(mj_getCacheSize(mj_getCache()), 2 * BLOCK);
}

// Borrowed blocks outlive their place in the cache, and are released with the pool.
static void what_is_borrowed_stays_until_its_pool_goes(void** state) {
  (void)state;
  ct_Pool pool = {NULL}, other = {NULL};
  ct_CacheKey key = key_of(5);
  size_t size = 0;
  assert_null(ct_cache_borrow(&key, &pool, &size));
  add(5);
  const char* one = (const char*)ct_cache_borrow(&key, &pool, &size);
  const char* again = (const char*)ct_cache_borrow(&key, &other, &size);
  assert_non_null(one);
  assert_ptr_equal(one, again);
  assert_int_equal(size, BLOCK);
  ct_pool_alloc(&pool, 10);
  mj_clearCache(mj_getCache());
  assert_int_equal(mj_getCacheSize(mj_getCache()), 0);
  assert_false(has(5));
  ct_pool_free(&other);
  assert_int_equal(one[BLOCK - 1], 5);
  ct_pool_join(&other, &pool);
  assert_int_equal(one[0], 5);
  ct_pool_free(&other);
}

static void adding_twice_changes_nothing(void** state) {
  (void)state;
  add(1);
  add(1);
  assert_int_equal(mj_getCacheSize(mj_getCache()), BLOCK);
}

static void what_was_used_least_recently_goes_first(void** state) {
  (void)state;
  mj_setCacheCapacity(mj_getCache(), 3 * BLOCK);
  add(1);
  add(2);
  add(3);
  assert_true(has(1));
  add(4);
  assert_true(has(1) && !has(2) && has(3) && has(4));
  assert_int_equal(mj_getCacheSize(mj_getCache()), 3 * BLOCK);
  assert_int_equal(mj_setCacheCapacity(mj_getCache(), BLOCK), BLOCK);
  assert_true(!has(1) && !has(3) && has(4));
}

static void it_can_be_switched_off_and_emptied(void** state) {
  (void)state;
  add(1);
  mj_setCacheCapacity(mj_getCache(), 0);
  assert_false(ct_cache_is_on());
  assert_int_equal(mj_getCacheSize(mj_getCache()), 0);
  add(2);
  assert_false(has(1) || has(2));
  mj_setCacheCapacity(mj_getCache(), 10 * BLOCK);
  add(3);
  mj_clearCache(mj_getCache());
  assert_false(has(3));
  assert_int_equal(mj_getCacheCapacity(mj_getCache()), 10 * BLOCK);
}

static void what_is_larger_than_the_cache_is_not_kept(void** state) {
  (void)state;
  mj_setCacheCapacity(mj_getCache(), BLOCK - 1);
  add(1);
  assert_false(has(1));
}

// Bytes, their order, how they are split and how many there are: all of it counts.
static void keys_tell_bytes_apart(void** state) {
  (void)state;
  static const char* const texts[] = {"",   "a",        "b",        "ab",
                                      "ba", "abcdefgh", "abcdefgi", "abcdefgha"};
  enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };
  ct_CacheKey key[TEXTS + 2];
  for (int i = 0; i < TEXTS + 2; i++) key[i] = ct_cache_key();
  for (int i = 0; i < TEXTS; i++) ct_cache_key_add(&key[i], texts[i], strlen(texts[i]));
  ct_cache_key_add(&key[TEXTS], "a", 1);
  ct_cache_key_add(&key[TEXTS], "b", 1);
  ct_cache_key_add(&key[TEXTS + 1], "\0", 1);
  for (int i = 0; i < TEXTS + 2; i++) {
    for (int k = 0; k < i; k++) assert_memory_not_equal(&key[i], &key[k], sizeof(ct_CacheKey));
  }
}

static void* use_the_cache(void* arg) {
  int first = *(int*)arg;
  for (int i = 0; i < 2000; i++) {
    int number = (first + 7 * i) % 50;
    ct_Pool pool = {NULL};
    ct_CacheKey key = key_of(number);
    size_t size;
    const char* block = (const char*)ct_cache_find(&key, &pool, &size);
    if (!block) {
      add(number);
    } else if (block[0] != (number & 127) || block[BLOCK - 1] != (number & 127)) {
      abort();
    }
    ct_pool_free(&pool);
    if (i % 500 == 0) mj_setCacheCapacity(mj_getCache(), (size_t)(10 + first) * BLOCK);
  }
  return NULL;
}

static void threads_share_it(void** state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t thread[THREADS];
  int first[THREADS];
  for (int i = 0; i < THREADS; i++) {
    first[i] = 11 * i;
    assert_int_equal(pthread_create(&thread[i], NULL, use_the_cache, &first[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  assert_true(mj_getCacheSize(mj_getCache()) <= mj_getCacheCapacity(mj_getCache()));
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup(name_, start_empty)
  const struct CMUnitTest tests[] = {
      TEST(what_was_added_is_found),
      TEST(what_is_borrowed_stays_until_its_pool_goes),
      TEST(adding_twice_changes_nothing),
      TEST(what_was_used_least_recently_goes_first),
      TEST(it_can_be_switched_off_and_emptied),
      TEST(what_is_larger_than_the_cache_is_not_kept),
      TEST(keys_tell_bytes_apart),
      TEST(threads_share_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
