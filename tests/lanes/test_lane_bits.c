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

static int kernel_named(const char* name) {
  int kernel = 0;
  while (strcmp(lane_kernel_name(kernel), name) != 0) kernel++;
  return kernel;
}

// Two steps at a time on one lane and on four, without looking at the numbers in between: what
// differs in the last bit would grow.
static void hundred_steps_of_the_humanoid_have_the_same_bits_on_four_lanes(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  int kernel = kernel_named("step");
  RECORDED_STATES_OF(s, "step", "humanoid") {
    mjData* copy = mj_copyData(NULL, s.model, s.data);
    for (int i = 0; i < 50; i++) {
      lanes_one()->run_kernel(kernel, 1, s.model, s.data);
      lanes_threads()->run_kernel(kernel, 4, s.model, copy);
    }
    assert_memory_equal(s.data->qpos, copy->qpos, (size_t)s.model->nq * sizeof(mjtNum));
    assert_memory_equal(s.data->qvel, copy->qvel, (size_t)s.model->nv * sizeof(mjtNum));
    assert_true(s.data->time > 99 * s.model->opt.timestep);
    mj_deleteData(copy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stage_has_the_same_bits_on_any_number_of_lanes),
      cmocka_unit_test(hundred_steps_of_the_humanoid_have_the_same_bits_on_four_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
