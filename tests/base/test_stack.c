// R0.2: arena and stack of an mjData. Offsets are the reference's; running out of room is an error
// for public functions and a status for the engine's, and memory stays whole.

#include "base/memory/stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/arena.h"
#include "support/messages.h"
#include "support/models.h"

enum { NARENA = 4096 };

typedef struct {
  mjModel* m;
  mjData* d;
} Fixture;

static int setup(void** state) {
  static Fixture f;
  listen_to_messages(state);
  f.m = recorded_model("pendulum");
  f.m->narena = NARENA;
  f.d = mj_makeData(f.m);
  *state = &f;
  return 0;
}

static int teardown(void** state) {
  Fixture* f = (Fixture*)*state;
  mj_deleteData(f->d);
  mj_deleteModel(f->m);
  return stop_listening(state);
}

// The example of the behaviour sheet, and what the reference did when asked.
static void offsets_are_those_of_the_reference(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  if (CT_RED_ZONE || sizeof(mjtNum) != 8) skip();  // red zones and other numbers move everything
  mj_markStack(d);
  assert_int_equal(d->pstack, 24);
  mj_stackAllocInt(d, 3);
  assert_int_equal(d->pstack, 36);
  mj_markStack(d);
  assert_int_equal(d->pstack, 64);
  mj_freeStack(d);
  assert_int_equal(d->pstack, 36);
  mj_stackAllocNum(d, 1);
  assert_int_equal(d->pstack, 48);
  assert_int_equal((uintptr_t)mj_stackAllocByte(d, 1, 64) % 64, 0);
  assert_int_equal(d->pstack, 64);
  assert_null(mj_stackAllocByte(d, 0, 8));
  assert_int_equal(d->maxuse_stack, 64);

  assert_ptr_equal(mj_arenaAllocByte(d, 10, 8), d->arena);
  assert_ptr_equal(mj_arenaAllocByte(d, 10, 16), (char*)d->arena + 16);
  assert_int_equal(d->parena, 26);
  assert_int_equal(d->maxuse_arena, 64 + 26);
  assert_int_equal(mj_stackBytesAvailable(d), NARENA - 64 - 26);
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
  assert_int_equal(d->pbase, 0);
  mj_freeStack(d);  // without a mark: nothing
  assert_int_equal(d->pstack, 0);
  assert_int_equal(d->maxuse_arena, 64 + 26);
}

static void frees_give_back_everything_since_their_mark(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  mj_markStack(d);
  mjtNum* outer = mj_stackAllocNum(d, 4);
  outer[0] = 1, outer[3] = 4;
  for (int i = 0; i < 1000; i++) {
    mj_markStack(d);
    memset(mj_stackAllocByte(d, 100, 8), i & 255, 100);
    mj_freeStack(d);
  }
  assert_true(outer[0] == 1 && outer[3] == 4);
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
  assert_int_equal(count_errors(), 0);
}

static void overflow_is_an_error_that_names_the_caller_and_changes_nothing(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  mj_markStack(d);
  size_t pstack = d->pstack;
  assert_null(mj_stackAllocInfo(d, NARENA, 8, "some_function", 42));
  expect_one_error("some_function, line 42: 4096 bytes wanted");
  assert_null(mj_stackAllocByte(d, SIZE_MAX, 8));
  expect_one_error("stack overflow");
  assert_null(mj_stackAllocNum(d, SIZE_MAX / 2));
  expect_one_error("more than can be addressed");
  assert_null(mj_stackAllocInt(d, SIZE_MAX / 2));
  expect_one_error("more than can be addressed");
  assert_null(mj_stackAllocByte(d, 8, 24));
  expect_one_error("not a power of two");
  assert_null(mj_arenaAllocByte(d, NARENA, 8));
  assert_int_equal(count_errors(), 0);
  assert_int_equal(d->pstack, pstack);
  assert_int_equal(d->parena, 0);
  mj_freeStack(d);

  // a stack that is full to the last mark
  int marks = 0;
  while (!count_errors() && marks < NARENA) mj_markStack(d), marks++;
  assert_in_range(marks, 10, NARENA / 24 + 1);
  for (; marks > 1; marks--) mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
}

// Stages make their status of it, the public functions one of the data.
static void the_engine_gets_nothing_instead(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  ct_clear_status(d);
  assert_non_null(ct_stack_alloc(d, 4 * sizeof(mjtNum), sizeof(mjtNum)));
  assert_null(ct_stack_alloc(d, NARENA * sizeof(int), sizeof(int)));
  assert_null(ct_stack_alloc(d, SIZE_MAX, sizeof(mjtNum)));
  assert_null(ct_arena_alloc(d, SIZE_MAX - 3, 64));
  assert_int_equal(ct_status(d), CT_OK);
  assert_int_equal(count_errors() + count_warnings(), 0);
  assert_null(mj_arenaAllocByte(d, NARENA, 8));
  assert_int_equal(ct_status(d), CT_ARENA_FULL);
  ct_clear_status(d);
  assert_null(mj_stackAllocByte(d, NARENA, 8));
  expect_one_error("stack overflow");
  assert_int_equal(ct_status(d), CT_ARENA_FULL);
  mj_resetData(((Fixture*)*state)->m, d);
  assert_int_equal(ct_status(d), CT_OK);
  assert_int_equal(d->pstack, 0);
}

// Stack and arena grow towards each other, and neither gets a byte of the other.
static void the_stack_ends_where_the_arena_does(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  assert_non_null(mj_arenaAllocByte(d, NARENA / 2, 8));
  size_t room = ct_arena_free_bytes(d) - 2 * CT_RED_ZONE;
  assert_null(ct_stack_alloc(d, room + 1, 1));
  assert_null(ct_stack_alloc(d, (size_t)NARENA - 1, 1));
  assert_null(ct_stack_alloc(d, SIZE_MAX, 1));
  assert_int_equal(d->pstack, 0);
  char* all = (char*)ct_stack_alloc(d, room, 1);
  assert_non_null(all);
  assert_true(all >= (char*)d->arena + d->parena);
  assert_null(ct_stack_alloc(d, 1, 1));
}

#ifdef CT_ASAN
__attribute__((noinline)) static void mark_and_forget(mjData* d) {
  mj_markStack(d);
  __asm__ volatile("");  // keeps the call from becoming a jump, which would lend it our frame
}

static void a_mark_of_another_function_is_noticed(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  mark_and_forget(d);
  mj_freeStack(d);
  expect_one_error("made by another function");
  mj_resetData(((Fixture*)*state)->m, d);
}

static void memory_beyond_an_allocation_is_poisoned(void** state) {
  mjData* d = ((Fixture*)*state)->d;
  mj_markStack(d);
  char* a = (char*)mj_stackAllocByte(d, 16, 8);
  assert_false(__asan_address_is_poisoned(a) || __asan_address_is_poisoned(a + 15));
  assert_true(__asan_address_is_poisoned(a - 1) && __asan_address_is_poisoned(a + 16));
  mj_freeStack(d);
  assert_true(__asan_address_is_poisoned(a));
  char* b = (char*)mj_arenaAllocByte(d, 32, 8);
  assert_false(__asan_address_is_poisoned(b + 31));
  assert_true(__asan_address_is_poisoned(b + 32));
  mj_resetData(((Fixture*)*state)->m, d);
  assert_true(__asan_address_is_poisoned(b));
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(offsets_are_those_of_the_reference, setup, teardown),
      cmocka_unit_test_setup_teardown(frees_give_back_everything_since_their_mark, setup, teardown),
      cmocka_unit_test_setup_teardown(
          overflow_is_an_error_that_names_the_caller_and_changes_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(the_stack_ends_where_the_arena_does, setup, teardown),
      cmocka_unit_test_setup_teardown(the_engine_gets_nothing_instead, setup, teardown),
#ifdef CT_ASAN
      cmocka_unit_test_setup_teardown(a_mark_of_another_function_is_noticed, setup, teardown),
      cmocka_unit_test_setup_teardown(memory_beyond_an_allocation_is_poisoned, setup, teardown),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
