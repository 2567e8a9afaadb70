// Faces with many corners that lie on each other: at which four of them there are contacts.

#include <stdio.h>

#include "math/vec.h"
#include "support/fail.h"
#include "support/recorded.h"
#include "support/states.h"

static void set_pose(mjData* d, int geom, const double pose[12]) {
  for (int k = 0; k < 3; k++) d->geom_xpos[3 * geom + k] = (mjtNum)pose[k];
  for (int k = 0; k < 9; k++) d->geom_xmat[9 * geom + k] = (mjtNum)pose[3 + k];
}

// Of a polygon with more than four corners four are kept, and which is the reference's
// choice: a search that ends in another quadrilateral gives other contacts.
static void contacts_of_large_polygons_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // areas that hardly differ are compared
  SKIP_IN_FAST_BUILD();
  char error[200] = "";
  size_t count, ignored, at = 0;
  mjModel* m = mj_loadXML(CT_SOURCE_DIR "/tests/collide/polygons.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  mjData* d = mj_makeData(m);
  Recorded* r = recorded_open("polygons.rec");
  const int* what = recorded_ints(r, "what", &count);
  const double* pose = recorded_doubles(r, "pose", &ignored);
  const double* contacts = recorded_doubles(r, "contacts", &ignored);
  assert_int_equal(count, 3 * 120);
  for (int i = 0; i < 120; i++) {
    const int* w = what + 3 * i;
    for (int g = 0; g < m->ngeom; g++) {
      const mjtNum far[3] = {0, 0, (mjtNum)(100 * (g + 1))};
      ct_copy3(d->geom_xpos + 3 * g, far);
    }
    set_pose(d, w[0], pose + 24 * i);
    set_pose(d, w[1], pose + 24 * i + 12);
    mj_collision(m, d);
    if (d->ncon != w[2]) fail_msg("case %d: %d contacts, not %d", i, d->ncon, w[2]);
    for (int k = 0; k < d->ncon; k++, at++) {
      mjtNum want[7];
      for (int n = 0; n < 7; n++) want[n] = (mjtNum)contacts[7 * at + (size_t)n];
      char name[64];
      snprintf(name, sizeof(name), "contact %d of case %d", k, i);
      expect_close(name, &d->contact[k].dist, want, 7, PRECISION(1e-12, 1e-5));
    }
  }
  recorded_close(r);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_of_large_polygons_agree_with_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
