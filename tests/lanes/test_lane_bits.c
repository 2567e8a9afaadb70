// The bit test: every stage of the engine computes the same bits on one lane and on any number of
// threads. Under ThreadSanitizer it also proves that no stage has a race.

#include <string.h>

#include "lanes/bits.h"
#include "support/fail.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_has_the_same_bits_on_any_number_of_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
