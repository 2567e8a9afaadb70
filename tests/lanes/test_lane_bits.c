// The bit test: every stage of the engine computes the same bits on one lane and on any number of
// threads. Under ThreadSanitizer it also proves that no stage has a race.

#include <string.h>

#include "lanes/bits.h"
#include "support/fail.h"
#include "support/states.h"

static void every_stage_has_the_same_bits_on_any_number_of_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  for (int kernel = 0; kernel < lane_kernel_count(); kernel++) {
    for (int nlane = 1; nlane <= 8; nlane *= 2) {
      BitReport report = compare_kernel_bits(kernel, lanes_threads(), nlane);
      if (report.ndifferent) {
        fail_msg("%s on %d lanes: %s", lane_kernel_name(kernel), nlane, report.first);
      }
      assert_true(report.nstate > 0 && strlen(report.wrote) > 0);
    }
  }
}

// What differs in the last bit would grow. Threads of the sanitizer are slow, and races show in the
// first steps. docs/lanes.md has the hashes of a GPU.
static void thousand_steps_of_the_humanoid_have_the_same_bits_on_four_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
#ifdef __SANITIZE_THREAD__
  int nstep = MARCH_LOOK;
#else
  int nstep = MARCH;
#endif
  unsigned long long one[MARCH / MARCH_LOOK], four[MARCH / MARCH_LOOK];
  BitReport report = compare_march_bits(lanes_one(), 1, nstep, one);
  assert_int_equal(report.ndifferent, 0);
  report = compare_march_bits(lanes_threads(), 4, nstep, four);
  if (report.ndifferent) fail_msg("%s", report.first);
  assert_int_equal(report.nstate, nstep / MARCH_LOOK);
  assert_memory_equal(one, four, (size_t)report.nstate * sizeof(one[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_has_the_same_bits_on_any_number_of_lanes),
      cmocka_unit_test(thousand_steps_of_the_humanoid_have_the_same_bits_on_four_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
