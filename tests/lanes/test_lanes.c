// The primitives of base/lanes.h: the right results on one lane, and the same bits on threads.

#include <string.h>

#include "base/lanes.h"
#include "lanes/bits.h"
#include "lanes/probes.h"
#include "support/fail.h"
#include "support/states.h"

enum { N = 77 };

static mjtNum num[N + 4 * LANE_MOST];
static int whole[N + LANE_MOST];

static int probe_number(const char* name) {
  for (int i = 0; i < lane_probe_count(); i++) {
    if (!strcmp(lane_probe_name(i), name)) return i;
  }
  fail_msg("no probe %s", name);
  return 0;
}

static void run_on_one_lane(const char* probe, const mjtNum* x, const int* counts, int n) {
  Probe p = {n, x, counts, num, whole};
  lanes_one()->run_probe(probe_number(probe), 1, &p);
}

// Small integers have exact sums in any order.
static void reductions_are_right(void** state) {
  (void)state;
  mjtNum x[N], sum = 0;
  int counts[N] = {0}, positive = 0;
  for (int i = 0; i < N; i++) {
    x[i] = (mjtNum)(i * 37 % 101 - 50);
    sum += x[i];
    positive += x[i] > 0;
  }
  run_on_one_lane("reductions", x, counts, N);
  assert_true(num[0] == sum);
  assert_true(num[LANE_MOST] == 50 && num[2 * LANE_MOST] == -50);
  assert_int_equal(whole[0], positive);
}

static void reductions_of_nothing_are_their_start(void** state) {
  (void)state;
  run_on_one_lane("reductions", NULL, NULL, 0);
  assert_true(num[0] == 0 && num[LANE_MOST] == -1 && num[2 * LANE_MOST] == 1);
  assert_int_equal(whole[0], 0);
}

// The documented tree, written out: slots modulo 32, then halving.
static void a_sum_has_the_documented_order(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  mjtNum x[N], slot[LANE_MOST] = {0};
  int counts[N] = {0};
  for (int i = 0; i < N; i++) {
    x[i] = (mjtNum)1 / (mjtNum)(i * i + 3) * (i % 3 ? 1 : -1000);
    slot[i % LANE_MOST] += x[i];
  }
  for (int half = LANE_MOST / 2; half > 0; half /= 2) {
    for (int s = 0; s < half; s++) slot[s] += slot[s + half];
  }
  run_on_one_lane("reductions", x, counts, N);
  assert_memory_equal(&num[0], &slot[0], sizeof(mjtNum));
}

static void three_sums_at_once_have_the_bits_of_each_alone(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  mjtNum x[N];
  int counts[N] = {0};
  for (int i = 0; i < N; i++) x[i] = (mjtNum)1 / (mjtNum)(i * i + 3) * (i % 3 ? 1 : -1000);
  run_on_one_lane("reductions", x, counts, N);
  mjtNum alone = num[0];
  run_on_one_lane("sums", x, counts, N);
  assert_memory_equal(&num[0], &alone, sizeof(mjtNum));
  assert_true(num[LANE_MOST] > 0 && whole[0] == 1);
}

static void votes_are_counted_and_turns_are_taken(void** state) {
  (void)state;
  mjtNum x[5] = {1, -1, 2, 0, 3};
  int counts[5] = {0};
  run_on_one_lane("votes", x, counts, 5);
  const int before[5] = {0, 1, 1, 2, 2};
  assert_memory_equal(whole, before, sizeof(before));
  assert_int_equal(whole[5], 3);
  run_on_one_lane("turns", x, counts, 5);
  const mjtNum backwards[5] = {3, 0, 2, -1, 1};
  expect_close("turns", num, backwards, 5, 0);
}

static void a_scan_counts_what_came_before(void** state) {
  (void)state;
  mjtNum x[N] = {0};
  int counts[N], before = 0;
  for (int i = 0; i < N; i++) counts[i] = i * 7 % 5;
  run_on_one_lane("scan", x, counts, N);
  for (int i = 0; i < N; i++) {
    assert_int_equal(whole[i], before);
    before += counts[i];
  }
  assert_int_equal(whole[N], before);
}

static void what_one_lane_does_alone_all_see(void** state) {
  (void)state;
  mjtNum x[3] = {0};
  int counts[3] = {2, 3, 5};
  run_on_one_lane("alone", x, counts, 3);
  const mjtNum sums_backwards[3] = {10, 5, 2};
  expect_close("once", num, sums_backwards, 3, 0);
  const int twice[3] = {2, 7, 17};
  assert_memory_equal(whole, twice, sizeof(twice));
  assert_true(num[3] == 17 && num[3 + LANE_MOST - 1] == 17);
}

static void wide_words_and_their_rest_cover_every_element(void** state) {
  (void)state;
  mjtNum x[N], want[N];
  int counts[N] = {0};
  for (int i = 0; i < N; i++) {
    x[i] = (mjtNum)i / 8;
    want[i] = (3 * x[i] - x[i] * x[i]) / (x[i] + 4) - 2;
  }
  for (int n = 0; n <= N; n++) {
    memset(num, 0, sizeof(num));
    run_on_one_lane("wide", x, counts, n);
    expect_close("wide", num, want, n, PRECISION(1e-15, 1e-6));
    assert_true(n == N || num[n] == 0);
  }
}

// All probes, any number of lanes.
// Threads of a sanitizer wait for each other for minutes when there are many.
#if defined(__SANITIZE_THREAD__) || defined(CT_ASAN)
enum { MOST_LANES = 8 };
#else
enum { MOST_LANES = LANE_MOST };
#endif

static void lanes_do_not_change_a_bit(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  for (int probe = 0; probe < lane_probe_count(); probe++) {
    if (lane_probe_is_wrong(probe)) continue;
    for (int nlane = 1; nlane <= MOST_LANES; nlane *= 2) {
      BitReport report = compare_probe_bits(probe, lanes_threads(), nlane);
      if (report.ndifferent) {
        fail_msg("%s on %d lanes: %s", lane_probe_name(probe), nlane, report.first);
      }
      assert_true(report.nstate > 70);
    }
  }
}

static void the_comparison_notices_a_sum_that_depends_on_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  BitReport report = compare_probe_bits(probe_number("wrong_sum"), lanes_threads(), 4);
  assert_true(report.ndifferent > 10);
  assert_non_null(strstr(report.first, "num"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions_are_right),
      cmocka_unit_test(reductions_of_nothing_are_their_start),
      cmocka_unit_test(a_sum_has_the_documented_order),
      cmocka_unit_test(three_sums_at_once_have_the_bits_of_each_alone),
      cmocka_unit_test(votes_are_counted_and_turns_are_taken),
      cmocka_unit_test(a_scan_counts_what_came_before),
      cmocka_unit_test(what_one_lane_does_alone_all_see),
      cmocka_unit_test(wide_words_and_their_rest_cover_every_element),
      cmocka_unit_test(lanes_do_not_change_a_bit),
      cmocka_unit_test(the_comparison_notices_a_sum_that_depends_on_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
