// What GJK asks of the faces of a tetrahedron: all at once, with the bits of one by one.

#include <string.h>

#include "collide/face_planes.h"
#include "support/fail.h"

static unsigned seed = 1;

// Between -1 and 1, in few steps, so that some vertices coincide and some faces have no area.
static mjtNum coarse_number(int steps) {
  seed = seed * 1664525u + 1013904223u;
  return (mjtNum)((int)(seed >> 8) % (2 * steps + 1) - steps) / (mjtNum)steps;
}

static void compare_planes(const ct_CcdVertex* const v[4]) {
  ct_FacePlanes once, one_by_one;
  ct_planes_at_once(&once, v);
  ct_planes_one_by_one(&one_by_one, v);
  for (int i = 0; i < 4; i++) {
    if (memcmp(once.behind + i, one_by_one.behind + i, sizeof(mjtNum)) != 0) {
      fail_msg("face %d is %g and %g in front of the origin", i, (double)once.behind[i],
               (double)one_by_one.behind[i]);
    }
    if (once.behind[i] == CT_CCD_FAR) continue;  // nobody looks at its normal
    for (int k = 0; k < 3; k++) {
      assert_memory_equal(once.normal[k] + i, one_by_one.normal[k] + i, sizeof(mjtNum));
    }
  }
}

static void planes_at_once_have_the_bits_of_one_by_one(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  const mjtNum scales[] = {1, (mjtNum)1e-7, (mjtNum)1e9};
  int bad = 0;
  for (int round = 0; round < 3000; round++) {
    ct_CcdVertex vertex[4];
    const ct_CcdVertex* v[4];
    for (int i = 0; i < 4; i++) {
      v[i] = vertex + (i + round) % 4;
      for (int k = 0; k < 3; k++) {
        vertex[i].w[k] = coarse_number(round % 2 ? 2 : 100000) * scales[round % 3];
      }
    }
    if (round % 100 == 0) vertex[round / 100 % 4].w[1] = (mjtNum)HUGE_VAL;
    compare_planes(v);
    bad += ct_plane_opposite(v, 0).behind == CT_CCD_FAR;
  }
  assert_in_range(bad, 100, 2900);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planes_at_once_have_the_bits_of_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
