// The arithmetic behind `make bench`: medians, turns, growth, and the form of its tables.

#include "measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_near(double found, double expected) {
  if (!(fabs(found - expected) <= 1e-12 * (1 + fabs(expected)))) {
    fail_msg("%.15g, expected %.15g", found, expected);
  }
}

static void quantiles_lie_between_sorted_samples(void** state) {
  (void)state;
  double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
  expect_near(quantile(odd, 3, 0.5), 3);
  expect_near(quantile(even, 4, 0.5), 2.5);
  expect_near(quantile(even, 4, 0.25), 1.75);
  expect_near(quantile(even, 4, 0), 1);
  expect_near(quantile(even, 4, 1), 4);
  expect_near(quantile(one, 1, 0.75), 7);
  assert_true(isnan(quantile(NULL, 0, 0.5)));
}

// One round that another program disturbed moves neither the ratio nor its quartiles.
static void one_disturbed_round_does_not_count(void** state) {
  (void)state;
  Rounds* r = (Rounds*)calloc(1, sizeof(Rounds));
  for (int i = 0; i < 9; i++) assert_true(add_round(r, 3, 2));
  assert_true(add_round(r, 3, 1000));
  Comparison c = compare_rounds(r);
  expect_near(c.ratio.median, 1.5);
  expect_near(c.ratio.low, 1.5);
  expect_near(c.ratio.high, 1.5);
  expect_near(c.reference, 3);
  expect_near(c.corten, 2);
  free(r);
}

// The ratio is taken round by round: a machine that slows down for both does not change it.
static void a_slower_machine_does_not_change_the_ratio(void** state) {
  (void)state;
  Rounds* r = (Rounds*)calloc(1, sizeof(Rounds));
  for (int i = 1; i <= 20; i++) add_round(r, 2.0 * i, 1.0 * i);
  Comparison c = compare_rounds(r);
  expect_near(c.ratio.low, 2);
  expect_near(c.ratio.high, 2);
  free(r);
}

static void rounds_beyond_the_room_are_refused(void** state) {
  (void)state;
  Rounds* r = (Rounds*)calloc(1, sizeof(Rounds));
  for (int i = 0; i < MAX_ROUNDS; i++) assert_true(add_round(r, 1, 1));
  assert_false(add_round(r, 100, 1));
  assert_int_equal(r->rounds, MAX_ROUNDS);
  free(r);
}

static void engines_take_turns_in_going_first(void** state) {
  (void)state;
  int first = 0;
  for (int i = 0; i < 100; i++) {
    first += reference_goes_first(i);
    assert_true(reference_goes_first(i) != reference_goes_first(i + 1));
  }
  assert_int_equal(first, 50);
}

static void exponents_of_powers_are_found(void** state) {
  (void)state;
  const double size[] = {10, 100, 1000};
  const double square[] = {3e2, 3e4, 3e6}, linear[] = {7e1, 7e2, 7e3}, gap[] = {1, -1, 1e4};
  const double alone[] = {-1, -1, 1};
  expect_near(growth_exponent(size, square, 3), 2);
  expect_near(growth_exponent(size, linear, 3), 1);
  expect_near(growth_exponent(size, gap, 3), 2);  // a time that was not measured is left out
  assert_true(isnan(growth_exponent(size, alone, 3)));
}

// A message of an engine stays one field of one line.
static void texts_do_not_break_a_table(void** state) {
  (void)state;
  char* text = NULL;
  size_t length = 0;
  FILE* f = open_memstream(&text, &length);
  assert_non_null(f);
  write_csv_text(f, "a, \"b\"\nc");
  fclose(f);
  assert_string_equal(text, "a   b  c");
  free(text);
}

// All clocks run while something is computed.
static void clocks_run_forward(void** state) {
  (void)state;
  double thread = thread_seconds(), process = process_seconds(), wall = wall_seconds();
  volatile double sum = 0;
  for (int i = 0; i < 100000; i++) sum += i;
  thread = thread_seconds() - thread;
  wall = wall_seconds() - wall;
  process = process_seconds() - process;
  assert_true(thread > 0 && wall > 0 && process >= 0.5 * thread);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_lie_between_sorted_samples),
      cmocka_unit_test(one_disturbed_round_does_not_count),
      cmocka_unit_test(a_slower_machine_does_not_change_the_ratio),
      cmocka_unit_test(rounds_beyond_the_room_are_refused),
      cmocka_unit_test(engines_take_turns_in_going_first),
      cmocka_unit_test(exponents_of_powers_are_found),
      cmocka_unit_test(texts_do_not_break_a_table),
      cmocka_unit_test(clocks_run_forward),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
