// Strings, vectors and maps of a spec: the byte layout that libc++ programs assume, and the
// operations.

#include "spec/containers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void short_strings_live_inside_the_object(void** state) {
  (void)state;
  ct_String s = {{0, ""}};
  const unsigned char* bytes = (const unsigned char*)&s;
  assert_true(ct_string_empty(&s));
  ct_string_set(&s, "1234567890123456789012");  // 22 characters: the longest
  assert_int_equal(bytes[0], 44);
  assert_memory_equal(bytes + 1, "1234567890123456789012", 23);
  assert_int_equal(ct_string_length(&s), 22);
  ct_string_free(&s);
}

static void long_strings_have_a_buffer_of_even_size(void** state) {
  (void)state;
  ct_String s = {{0, ""}};
  char text[200];
  for (size_t n = 23; n < sizeof(text); n++) {
    memset(text, 'x', n);
    text[n] = 0;
    ct_string_set(&s, text);
    uint64_t words[3];
    memcpy(words, &s, sizeof(words));
    assert_int_equal(words[0] & 1, 1);
    assert_int_equal((words[0] - 1) % 2, 0);
    assert_true(words[0] - 1 > n);
    assert_int_equal(words[1], n);
    assert_string_equal((const char*)(uintptr_t)words[2], text);
  }
  ct_string_set(&s, "short again");  // keeps the long form and its buffer
  assert_true(ct_string_equal(&s, "short again"));
  ct_string_free(&s);
}

static void a_string_may_be_set_from_itself_and_hold_zeros(void** state) {
  (void)state;
  ct_String s = {{0, ""}};
  ct_string_set(&s, "prefix/name");
  ct_string_set(&s, ct_string_get(&s) + 7);
  assert_true(ct_string_equal(&s, "name"));
  ct_string_set_n(&s, "a\0b", 3);
  assert_int_equal(ct_string_length(&s), 3);
  assert_false(ct_string_equal(&s, "a"));
  ct_string_free(&s);
}

static void vectors_are_three_pointers_and_keep_storage(void** state) {
  (void)state;
  ct_Vector v = {NULL, NULL, NULL};
  double values[100];
  for (int i = 0; i < 100; i++) values[i] = i;
  ct_vector_set(&v, values, 100, sizeof(double));
  assert_int_equal(ct_vector_count(&v, sizeof(double)), 100);
  char* storage = v.begin;
  ct_vector_set(&v, values, 3, sizeof(double));
  assert_ptr_equal(v.begin, storage);
  ct_vector_set(&v, NULL, 0, sizeof(double));
  assert_ptr_equal(v.begin, storage);
  assert_int_equal(ct_vector_count(&v, sizeof(double)), 0);
  ct_vector_resize(&v, 5, sizeof(double));
  for (int i = 0; i < 5; i++) assert_true(((double*)(void*)v.begin)[i] == 0);
  ct_vector_free(&v);
}

static void vectors_of_strings_and_vectors_copy_deeply(void** state) {
  (void)state;
  ct_Vector a = {NULL, NULL, NULL}, b = {NULL, NULL, NULL};
  for (int i = 0; i < 50; i++) {
    char text[64];
    snprintf(text, sizeof(text), "%d %s", i, i % 2 ? "a text that needs a buffer of its own" : "");
    ct_strings_append(&a, text);
  }
  ct_strings_copy(&b, &a);
  ct_strings_free(&a);
  assert_int_equal(ct_vector_count(&b, sizeof(ct_String)), 50);
  assert_true(ct_string_equal(ct_strings_at(&b, 7), "7 a text that needs a buffer of its own"));
  ct_strings_free(&b);

  int values[3] = {1, 2, 3};
  ct_vectors_append(&a, values, 3, sizeof(int));
  ct_vectors_append(&a, NULL, 0, sizeof(int));
  ct_vectors_copy(&b, &a, sizeof(int));
  ct_vectors_free(&a);
  assert_int_equal(ct_vector_count(ct_vectors_at(&b, 0), sizeof(int)), 3);
  assert_int_equal(ct_vector_count(ct_vectors_at(&b, 1), sizeof(int)), 0);
  ct_vectors_free(&b);
}

static void maps_are_ordered_and_linked_both_ways(void** state) {
  (void)state;
  ct_Map map, copy;
  ct_map_init(&map);
  ct_map_init(&copy);
  assert_null(ct_map_first(&map));
  const char* keys[] = {"m", "c", "x", "a", "d", "z", "mm", ""};
  for (int i = 0; i < 8; i++) ct_map_set(&map, keys[i], keys[7 - i]);
  ct_map_set(&map, "d", "replaced");
  assert_int_equal(map.size, 8);
  assert_string_equal(ct_map_get(&map, "d"), "replaced");
  assert_null(ct_map_get(&map, "missing"));
  ct_map_copy(&copy, &map);
  ct_map_free(&map);
  assert_null(ct_map_first(&map));

  const char* sorted[] = {"", "a", "c", "d", "m", "mm", "x", "z"};
  int i = 0;
  for (const ct_MapNode* n = ct_map_first(&copy); n; n = ct_map_next(&copy, n)) {
    assert_string_equal(ct_string_get(&n->key), sorted[i++]);
    if (n->left) assert_ptr_equal(n->left->parent, n);
    if (n->right) assert_ptr_equal(n->right->parent, n);
  }
  assert_int_equal(i, 8);
  assert_ptr_equal(copy.root->parent, &copy.root);  // the end node
  ct_map_free(&copy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_strings_live_inside_the_object),
      cmocka_unit_test(long_strings_have_a_buffer_of_even_size),
      cmocka_unit_test(a_string_may_be_set_from_itself_and_hold_zeros),
      cmocka_unit_test(vectors_are_three_pointers_and_keep_storage),
      cmocka_unit_test(vectors_of_strings_and_vectors_copy_deeply),
      cmocka_unit_test(maps_are_ordered_and_linked_both_ways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
