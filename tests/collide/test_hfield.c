// Height fields and what is far away from them, or nowhere.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/fail.h"
#include "support/states.h"

typedef struct {
  mjModel* m;
  mjData* d;
} Field;

// A flat field of n x n samples over a square of side 2, and a sphere over its middle.
static Field load_field(int n) {
  char xml[400], error[200] = "";
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><hfield name='h' nrow='%d' ncol='%d' size='1 1 .5 .1'/></asset>"
           "<worldbody><geom type='hfield' hfield='h'/>"
           "<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
           n, n);
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  Field f;
  f.m = mj_compile(spec, NULL);
  if (!f.m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  f.d = mj_makeData(f.m);
  mj_kinematics(f.m, f.d);
  return f;
}

static void free_field(Field f) {
  mj_deleteData(f.d);
  mj_deleteModel(f.m);
}

static int contacts_at(Field f, double x, double y, double z) {
  f.d->geom_xpos[3] = (mjtNum)x;
  f.d->geom_xpos[4] = (mjtNum)y;
  f.d->geom_xpos[5] = (mjtNum)z;
  mj_collision(f.m, f.d);
  return f.d->ncon;
}

// A margin larger than the distance lets all bounds pass, but there is no ground below the sphere,
// however far away it is: also where the number of its cell is beyond what an int can hold.
static void nothing_is_touched_beside_the_field(void** state) {
  (void)state;
  const double far[] = {3, 1e3, 1e6, 1e9, 1e10, 1e12, 1e15, 1e18, 1e30};
  for (int n = 999; n <= 1000; n++) {
    Field f = load_field(n);
    assert_true(contacts_at(f, 0, 0, .05) > 0);
    for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
      for (int side = -1; side <= 1; side += 2) {
        double away = side * far[i];
        f.m->geom_margin[0] = f.m->geom_margin[1] = (mjtNum)(2 * far[i]);
        assert_int_equal(contacts_at(f, away, 0, .05), 0);
        assert_int_equal(contacts_at(f, 0, away, .05), 0);
        assert_int_equal(contacts_at(f, away, -away, .05), 0);
      }
    }
    free_field(f);
  }
}

// What covers the whole field and reaches far beyond it touches it.
static void a_huge_shape_touches_the_field(void** state) {
  (void)state;
  Field f = load_field(20);
  const double most = PRECISION(1e12, 1e3);  // beyond it a float cannot tell the field from a point
  for (double r = 1; r < most; r *= 100) {
    f.m->geom_size[3] = f.m->geom_rbound[1] = (mjtNum)r;
    assert_true(contacts_at(f, 0, 0, (double)(mjtNum)r * .5) > 0);
  }
  free_field(f);
}

// Rays that start far away: the cells they pass are computed from rounded numbers.
static void rays_from_far_away_stay_in_the_field(void** state) {
  (void)state;
  Field f = load_field(100);
  for (double away = 10; away < 1e35; away *= 10) {
    const mjtNum from[3] = {(mjtNum)away, (mjtNum)(away / 3), (mjtNum)(away / 2)};
    const mjtNum to[3] = {-from[0], -from[1], -from[2]};
    mjtNum normal[3];
    mj_rayHfield(f.m, f.d, 0, from, to, normal);
    assert_true(normal[0] * normal[0] <= 1);
  }
  const mjtNum from[3] = {0, 0, 1}, down[3] = {0, 0, -1}, nowhere[3] = {(mjtNum)NAN, 0, 1};
  assert_true(mj_rayHfield(f.m, f.d, 0, from, down, NULL) > 0);
  assert_true(mj_rayHfield(f.m, f.d, 0, nowhere, down, NULL) == -1);
  free_field(f);
}

// R0.2: four million samples make eight million prisms; none of them is looked at.
static void a_pose_without_numbers_ends_at_once(void** state) {
  (void)state;
  Field f = load_field(2000);
  const double bad[] = {NAN, INFINITY, -INFINITY};
  clock_t start = clock();
  for (int i = 0; i < 3; i++) {
    assert_int_equal(contacts_at(f, bad[i], 0, 0), 0);
    assert_int_equal(contacts_at(f, 0, bad[i], 0), 0);
    assert_int_equal(contacts_at(f, 0, 0, bad[i]), 0);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (!(seconds < 0.5)) fail_msg("nine collisions took %g s", seconds);
  free_field(f);
}

// The older convex solver, a cylinder 3e-5 deep in a prism: the portal that it ends with is thin,
// and the nearest point of it is the direction of the contact. The numbers are the reference's,
// which move by 3e-8 with the last bits of the pose; from a scene of
// tests/conformance/random_models.py.
static void a_thin_portal_has_the_normal_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  SKIP_IN_FAST_BUILD();
  static const float height[20] = {0.635519564f,
                                   0.846889615f,
                                   0.8083058f,
                                   0.642292142f,
                                   0.316874504f,
                                   0.741073132f,
                                   0.812180758f,
                                   0.875699103f,
                                   0.953854024f,
                                   0.551531494f,
                                   0.429679632f,
                                   0.863749325f,
                                   1,
                                   0,
                                   0.344735861f,
                                   0.841997027f,
                                   0.704030395f,
                                   0.109374009f,
                                   0.246990889f,
                                   0.437456816f};
  char error[300] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option><flag nativeccd='disable'/></option><asset><hfield name='h' nrow='4' "
      "ncol='5' size='1.5048 1.70683 0.243885 .2'/></asset><worldbody><geom type='hfield' "
      "hfield='h' pos='0.0636876 -0.0580948 -0.199431'/>"
      "<body pos='-0.11207604982431166 -0.10718493225436868 0.11989997668178401' "
      "quat='0.57369585810548562 0.73126974851807691 -0.31340204800550897 0.19467093671339794'>"
      "<freejoint/><geom type='cylinder' size='0.177692 0.185546'/></body></worldbody></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) fail_msg("%s%s", error, spec ? mjs_getError(spec) : "");
  memcpy(m->hfield_data, height, sizeof(height));
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  const double normal[3] = {0.53737015442353009, -0.38551725120924335, 0.75007317386699046};
  int found = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    if (fabs((double)c->dist + 2.9923732625788626e-05) > 1e-12) continue;
    found++;
    for (int k = 0; k < 3; k++) {
      if (!(fabs((double)c->frame[k] - normal[k]) < 3e-7)) {
        fail_msg("normal[%d] is %.12g, expected %.12g", k, (double)c->frame[k], normal[k]);
      }
    }
  }
  assert_int_equal(found, 1);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_touched_beside_the_field),
      cmocka_unit_test(a_huge_shape_touches_the_field),
      cmocka_unit_test(rays_from_far_away_stay_in_the_field),
      cmocka_unit_test(a_pose_without_numbers_ends_at_once),
      cmocka_unit_test(a_thin_portal_has_the_normal_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
