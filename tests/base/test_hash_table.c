// The hash table behind names, files, dictionaries and meshes: what was added is found, in the
// order of adding, however it grows, and what was removed is not.

#include "base/hash_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/dictionary.h"
#include "base/hash.h"

enum { MANY = 5000 };

// How often a number is found under a hash.
static int count_found(const ct_HashTable* table, uint64_t hash, int number) {
  int found = 0;
  ct_HashSearch s = ct_hash_search(table, hash);
  while (ct_hash_next(table, &s)) found += s.number == number;
  return found;
}

static void an_empty_table_has_nothing(void** state) {
  (void)state;
  ct_HashTable table = {NULL, 0, 0};
  assert_int_equal(count_found(&table, 0, 0), 0);
  ct_hash_remove(&table, 5, 5);
  ct_hash_clear(&table);
  ct_hash_table_free(&table);
}

static void a_table_that_grows_keeps_everything(void** state) {
  (void)state;
  ct_HashTable table = {NULL, 0, 0};
  for (int i = 0; i < MANY; i++) {
    assert_true(ct_hash_reserve(&table, NULL, (size_t)i + 1));
    ct_hash_add(&table, (uint64_t)i * 64, i);  // hashes with the same lowest bits
  }
  assert_int_equal(table.used, MANY);
  assert_true(table.nslot >= 2 * MANY && table.nslot <= 4 * MANY);
  for (int i = 0; i < MANY; i++) assert_int_equal(count_found(&table, (uint64_t)i * 64, i), 1);
  assert_int_equal(count_found(&table, 63, 0), 0);
  ct_hash_table_free(&table);
}

static void numbers_of_one_hash_come_in_the_order_of_adding(void** state) {
  (void)state;
  ct_Pool pool = {NULL};
  ct_HashTable table = {NULL, 0, 0};
  for (int i = 0; i < 100; i++) {
    assert_true(ct_hash_reserve(&table, &pool, (size_t)i + 1));
    ct_hash_add(&table, 7, i);
  }
  ct_HashSearch s = ct_hash_search(&table, 7);
  for (int i = 0; i < 100; i++) {
    assert_true(ct_hash_next(&table, &s));
    assert_int_equal(s.number, i);
  }
  assert_false(ct_hash_next(&table, &s));
  assert_int_equal(s.number, -1);
  ct_pool_free(&pool);
}

// Few different hashes, so that numbers stand in long runs with holes to be closed.
static void removing_leaves_the_others(void** state) {
  (void)state;
  ct_HashTable table = {NULL, 0, 0};
  assert_true(ct_hash_reserve(&table, NULL, MANY));
  for (int i = 0; i < MANY; i++) ct_hash_add(&table, (uint64_t)(i % 1700), i);
  for (int i = 0; i < MANY; i += 3) ct_hash_remove(&table, (uint64_t)(i % 1700), i);
  ct_hash_remove(&table, 1, 0);  // not there under this hash
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(count_found(&table, (uint64_t)(i % 1700), i), i % 3 ? 1 : 0);
  }
  ct_hash_clear(&table);
  assert_int_equal(count_found(&table, 1, 1), 0);
  ct_hash_add(&table, 1, 2);
  assert_int_equal(count_found(&table, 1, 2), 1);
  ct_hash_table_free(&table);
}

static void a_dictionary_keeps_the_first_meaning_of_a_text(void** state) {
  (void)state;
  static char text[MANY][12];
  ct_Pool pool = {NULL};
  ct_Dictionary d = {{NULL, 0, 0}, NULL, 0};
  assert_null(ct_dictionary_find(&d, "0"));
  for (int i = 0; i < MANY; i++) {
    snprintf(text[i], sizeof(text[i]), "%d", i);
    ct_dictionary_add(&d, &pool, text[i], text[i]);
    ct_dictionary_add(&d, &pool, text[i], text[0]);
  }
  for (int i = 0; i < MANY; i++) {
    char again[12];
    snprintf(again, sizeof(again), "%d", i);
    assert_ptr_equal(ct_dictionary_find(&d, again), text[i]);
  }
  assert_null(ct_dictionary_find(&d, "-1"));
  ct_pool_free(&pool);
}

static void a_hash_goes_on_where_it_stopped(void** state) {
  (void)state;
  uint64_t hash = ct_hash("scene");
  for (const char* c = "/mesh\xff"; *c; c++) hash = ct_hash_byte(hash, *c);
  assert_true(hash == ct_hash("scene/mesh\xff"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_table_has_nothing),
      cmocka_unit_test(a_table_that_grows_keeps_everything),
      cmocka_unit_test(numbers_of_one_hash_come_in_the_order_of_adding),
      cmocka_unit_test(removing_leaves_the_others),
      cmocka_unit_test(a_dictionary_keeps_the_first_meaning_of_a_text),
      cmocka_unit_test(a_hash_goes_on_where_it_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
