// Signed distances of shapes and of pairs of them: what the reference computes, and what is
// refused.

#include "collide/sdf.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/recorded.h"
#include "support/states.h"

static mjModel* m;
static mjData* d;

static int open_fields(void** state) {
  char error[200] = "";
  m = mj_loadXML(CT_SOURCE_DIR "/tests/collide/fields.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  d = mj_makeData(m);
  return listen_to_messages(state);
}

static int close_fields(void** state) {
  mj_deleteData(d);
  mj_deleteModel(m);
  return stop_listening(state);
}

static void expect_near(const char* what, int i, double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance)) {
    fail_msg("%s of case %d is %.17g, expected %.17g", what, i, got, want);
  }
}

// Octrees of two compilers differ by some 1e-9, and beside their root a gradient is a difference
// quotient with step 1e-8, of which single precision leaves nothing.
static void distances_and_gradients_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  Recorded* r = recorded_open("sdf.rec");
  size_t count, ignored;
  const int* what = recorded_ints(r, "what", &count);
  const double *pos = recorded_doubles(r, "pos", &ignored),
               *mat = recorded_doubles(r, "mat", &ignored);
  const double* point = recorded_doubles(r, "point", &ignored);
  const double* distance = recorded_doubles(r, "distance", &ignored);
  const double* gradient = recorded_doubles(r, "gradient", &ignored);
  assert_int_equal(count, 5 * 120);
  for (int i = 0; i < 120; i++) {
    const int* w = what + 5 * i;
    const mjpPlugin* none[2] = {NULL, NULL};
    int id[2] = {w[2], w[4]};
    mjtGeom type[2] = {(mjtGeom)w[1], (mjtGeom)w[3]};
    mjtNum relpos[3], relmat[9], x[3], got[3];
    for (int k = 0; k < 3; k++) relpos[k] = (mjtNum)pos[3 * i + k];
    for (int k = 0; k < 9; k++) relmat[k] = (mjtNum)mat[9 * i + k];
    for (int k = 0; k < 3; k++) x[k] = (mjtNum)point[3 * i + k];
    mjSDF s = {none, id, (mjtSDFType)w[0], relpos, relmat, type};
    bool octree = w[1] == mjGEOM_SDF || w[3] == mjGEOM_SDF;
    expect_near("the distance", i, (double)mjc_distance(m, d, &s, x), distance[i],
                octree ? 1e-7 : 1e-12);
    mjc_gradient(m, d, &s, got, x);
    for (int k = 0; k < 3; k++) {
      expect_near("the gradient", i, (double)got[k], gradient[3 * i + k], octree ? 1e-5 : 1e-12);
    }
  }
  assert_int_equal(count_errors(), 0);
  recorded_close(r);
}

// Searches start in a corner of the common box, which is often a corner of the box.
static void a_box_has_unit_gradients_however_close_outside(void** state) {
  (void)state;
  const mjpPlugin* none[2] = {NULL, NULL};
  int box = 0;
  while (box < m->ngeom && m->geom_type[box] != mjGEOM_BOX) box++;
  assert_true(box < m->ngeom);
  int id[2] = {box, box};
  mjtGeom type[2] = {mjGEOM_BOX, mjGEOM_BOX};
  const mjtNum* size = m->geom_size + 3 * box;
  mjtNum origin[9] = {0},
         x[3] = {-size[0] * (mjtNum)(1 + (sizeof(mjtNum) < 8 ? 0x1p-22 : 0x1p-51)), 0, -size[2]},
         gradient[3];
  mjSDF s = {none, id, mjSDFTYPE_SINGLE, origin, origin, type};
  mjc_gradient(m, d, &s, gradient, x);
  expect_near("gradient[0]", 0, (double)gradient[0], -1, 0);
  expect_near("gradient[1]", 0, (double)gradient[1], 0, 0);
  expect_near("gradient[2]", 0, (double)gradient[2], 0, 0);
  x[0] = -size[0];  // on an edge there is no direction
  mjc_gradient(m, d, &s, gradient, x);
  for (int k = 0; k < 3; k++) expect_near("gradient", k, (double)gradient[k], 0, 0);
}

static void what_has_no_distance_is_refused(void** state) {
  (void)state;
  const mjpPlugin* none[2] = {NULL, NULL};
  int id[2] = {0, 0};
  mjtGeom type[2] = {mjGEOM_HFIELD, mjGEOM_SPHERE};
  mjtNum x[3] = {0, 0, 0}, gradient[3];
  mjSDF s = {none, id, mjSDFTYPE_SINGLE, x, x, type};
  mjc_distance(m, d, &s, x);
  expect_one_error("type 1 has no signed distance");
  type[0] = mjGEOM_SDF;
  id[0] = 1;  // there is one mesh
  mjc_gradient(m, d, &s, gradient, x);
  expect_one_error("shape 1");
  s.type = (mjtSDFType)4;
  mjc_distance(m, d, &s, x);
  expect_one_error("mjtSDFType");
  assert_null(mjc_getSDF(m, 6));
  expect_one_error("geom 6 has no plugin");
}

// R0.2: without an orientation no start is tried, of hours of them here, which the alarm would end.
static void a_field_without_orientation_has_no_starts(void** state) {
  (void)state;
  int stone = mj_name2id(m, mjOBJ_GEOM, "stone"), starts = m->opt.sdf_initpoints;
  mj_kinematics(m, d);
  m->opt.sdf_initpoints = INT_MAX;
  alarm(60);
  for (int geom = 1; geom < stone; geom++) {
    for (int turned = 0; turned < 2; turned++) {
      mjtNum* mat = d->geom_xmat + 9 * (turned ? stone : geom);
      for (int k = 0; k < 9; k++) mat[k] = (mjtNum)(k % 2 ? NAN : INFINITY);
      assert_true(mj_geomDistance(m, d, geom, stone, 1, NULL) == 1);
      mj_kinematics(m, d);
    }
  }
  alarm(0);
  m->opt.sdf_initpoints = starts;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(distances_and_gradients_agree_with_the_reference, open_fields,
                                      close_fields),
      cmocka_unit_test_setup_teardown(a_box_has_unit_gradients_however_close_outside, open_fields,
                                      close_fields),
      cmocka_unit_test_setup_teardown(what_has_no_distance_is_refused, open_fields, close_fields),
      cmocka_unit_test_setup_teardown(a_field_without_orientation_has_no_starts, open_fields,
                                      close_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
