// Height fields and what is far away from them, or nowhere.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "collide/convex.h"
#include "collide/height_field.h"
#include "support/fail.h"
#include "support/states.h"
#include "support/text_models.h"

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

// Takes the samples of a field away: the first of them that is read ends the program.
static void* hide_samples(Field f, size_t* size) {
  *size = (size_t)f.m->nhfielddata * sizeof(float);
  void* hidden = mmap(NULL, *size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(hidden != MAP_FAILED);
  f.m->hfield_data = (float*)hidden;
  return hidden;
}

// The sphere over the middle, large enough to cover all of the field.
static void put_large_sphere(Field f) {
  f.m->geom_size[3] = f.m->geom_rbound[1] = 2;
  mj_kinematics(f.m, f.d);
}

// R0.2: four million samples make eight million prisms; no sample is read, by either solver. Bounds
// of the grid see to it as well as the guards, which the next two cases hold.
static void a_pose_without_numbers_ends_at_once(void** state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  const int disable[] = {0, mjDSBL_NATIVECCD};
  Field f = load_field(2000);
  float* samples = f.m->hfield_data;
  put_large_sphere(f);
  assert_true(contacts_at(f, 0, 0, 1.9) > 0);
  size_t size;
  void* hidden = hide_samples(f, &size);
  for (int legacy = 0; legacy < 2; legacy++) {
    f.m->opt.disableflags = disable[legacy];
    for (int i = 0; i < 3; i++) {
      for (int geom = 0; geom < 2; geom++) {
        for (int k = 0; k < 3; k++) {  // one coordinate of the field, or of the sphere
          mj_kinematics(f.m, f.d);
          f.d->geom_xpos[3 * geom + k] = (mjtNum)bad[i];
          mj_collision(f.m, f.d);
          assert_int_equal(f.d->ncon, 0);
        }
      }
      mj_kinematics(f.m, f.d);
      for (int k = 0; k < 9; k++) f.d->geom_xmat[k] = (mjtNum)bad[i];  // of the field
      mj_collision(f.m, f.d);
      assert_int_equal(f.d->ncon, 0);
    }
  }
  f.m->hfield_data = samples;
  munmap(hidden, size);
  free_field(f);
}

// The older solver turns a sphere as it turns other shapes: without an orientation it is nowhere.
// For the other solver it has none, and touches the ground as in the reference.
static void a_sphere_without_orientation_ends_at_once_in_the_older_solver(void** state) {
  (void)state;
  const double bad[] = {NAN, INFINITY};
  Field f = load_field(2000);
  float* samples = f.m->hfield_data;
  put_large_sphere(f);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 9; k++) f.d->geom_xmat[9 + k] = (mjtNum)bad[i];
    f.m->opt.disableflags = 0;
    assert_true(contacts_at(f, 0, 0, 1.9) > 0);
    size_t size;
    void* hidden = hide_samples(f, &size);
    f.m->opt.disableflags = mjDSBL_NATIVECCD;
    assert_int_equal(contacts_at(f, 0, 0, 1.9), 0);
    f.m->hfield_data = samples;
    munmap(hidden, size);
  }
  free_field(f);
}

// Nor is any sample read for a shape without end, which would cover all of them: in the reference
// it touches nothing either.
static void a_shape_without_end_ends_at_once(void** state) {
  (void)state;
  Field f = load_field(20);
  float* samples = f.m->hfield_data;
  size_t size;
  void* hidden = hide_samples(f, &size);
  f.m->geom_size[3] = f.m->geom_rbound[1] = (mjtNum)INFINITY;
  assert_int_equal(contacts_at(f, 0, 0, .05), 0);
  f.m->opt.disableflags = mjDSBL_NATIVECCD;
  assert_int_equal(contacts_at(f, 0, 0, .05), 0);
  f.m->hfield_data = samples;
  munmap(hidden, size);
  free_field(f);
}

// What is not a number, or beyond what an int can say, is the nearer bound of the grid.
static void coordinates_beyond_the_grid_are_its_bounds(void** state) {
  (void)state;
  const double far[] = {10.5, 1e5, 1e9, 3e9, 1e12, 1e30, INFINITY};
  for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
    assert_int_equal(ct_grid_index((mjtNum)far[i], -1, 9), 9);
    assert_int_equal(ct_grid_index((mjtNum)-far[i], -1, 9), -1);
  }
  assert_int_equal(ct_grid_index((mjtNum)NAN, -1, 9), -1);
  assert_int_equal(ct_grid_index((mjtNum)NAN, 0, 10), 0);
  for (int x = -1; x <= 9; x++) assert_int_equal(ct_grid_index((mjtNum)x, -1, 9), x);
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

// Hits of a shape with each prism of a field in the world's frame, one by one.
static int hits_of_prisms(const mjModel* m, const mjData* d, ct_Hit* hit) {
  ct_HeightField f = ct_height_field(m, 0);
  ct_Shape shape = ct_shape_of(m, d, 1);
  mjtNum prism[6][3];
  int found = 0;
  ct_Support over = ct_support_start(m, &shape, 0), below = over;
  below.type = CT_SUPPORT_PRISM;
  below.prism = (const mjtNum(*)[3])prism;
  for (int row = 0; row < f.rows - 1; row++) {
    for (int i = 2; i < 2 * f.columns; i++) {
      for (int k = 0; k < 3; k++) {
        int at = i - 2 + k, r = row + 1 - at % 2, column = at / 2;
        prism[k][0] = prism[k + 3][0] = f.dx * (mjtNum)column - f.sx;
        prism[k][1] = prism[k + 3][1] = f.dy * (mjtNum)r - f.sy;
        prism[k][2] = -f.base;
        prism[k + 3][2] = (mjtNum)f.data[r * f.columns + column] * f.sz;
      }
      if (found < CT_MOST_HITS) found += ct_support_hit(m, hit + found, &below, &over, 0);
    }
  }
  return found;
}

// Prisms that a direction keeps apart from the shape, because it did so for one before, have no
// hits on their own.
static void prisms_that_are_passed_over_have_no_hits(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();
  const char* shapes[] = {"sphere' size='.2", "capsule' size='.1 .2", "ellipsoid' size='.1 .3 .2",
                          "cylinder' size='.2 .1", "box' size='.1 .2 .15"};
  unsigned seed = 1;
  int contacts = 0;
  for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
    char xml[500];
    snprintf(xml, sizeof(xml),
             "<mujoco><asset><hfield name='h' nrow='12' ncol='15' size='1 1 .4 .1'/></asset>"
             "<worldbody><geom type='hfield' hfield='h'/>"
             "<body><freejoint/><geom type='%s'/></body></worldbody></mujoco>",
             shapes[s]);
    mjModel* m = text_model(xml);
    mjData* d = mj_makeData(m);
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 180; i++) {
        seed = seed * 1664525u + 1013904223u;
        m->hfield_data[i] = (float)(seed >> 8) / (1 << 24);
      }
      for (int k = 0; k < 7; k++) {
        seed = seed * 1664525u + 1013904223u;
        d->qpos[k] = (mjtNum)(seed >> 8) / (1 << 23) - 1;
      }
      d->qpos[2] = (mjtNum)0.3 + (mjtNum)0.2 * d->qpos[2];
      mj_kinematics(m, d);
      mj_collision(m, d);
      ct_Hit hit[CT_MOST_HITS];
      assert_int_equal(d->ncon, hits_of_prisms(m, d, hit));
      for (int i = 0; i < d->ncon; i++) {
        assert_true(d->contact[i].dist == hit[i].dist);
        for (int k = 0; k < 3; k++) assert_true(d->contact[i].pos[k] == hit[i].pos[k]);
      }
      contacts += d->ncon;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(contacts > 1000);
}

// A ground that was edited to lie below the bottom of its field: prisms are upside down, and
// support points do not bound them. The reference finds as many hits.
static void prisms_upside_down_are_not_passed_over(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  mjModel* m = text_model(
      "<mujoco><asset><hfield name='h' nrow='12' ncol='15' size='1 1 .4 .1'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/>"
      "<body><freejoint/><geom size='.2'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  unsigned seed = 1;
  int contacts = 0;
  for (int round = 0; round < 300; round++) {
    for (int i = 0; i < 180; i++) {
      seed = seed * 1664525u + 1013904223u;
      m->hfield_data[i] = (float)(seed >> 8) / (1 << 23) - 1.25f;
    }
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      d->qpos[k] = (mjtNum)(seed >> 8) / (1 << 23) - 1;
    }
    d->qpos[2] = 0.2 * d->qpos[2] - 0.2;
    mj_kinematics(m, d);
    mj_collision(m, d);
    contacts += d->ncon;
  }
  assert_int_equal(contacts, 2866);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prisms_that_are_passed_over_have_no_hits),
      cmocka_unit_test(prisms_upside_down_are_not_passed_over),
      cmocka_unit_test(nothing_is_touched_beside_the_field),
      cmocka_unit_test(a_huge_shape_touches_the_field),
      cmocka_unit_test(rays_from_far_away_stay_in_the_field),
      cmocka_unit_test(a_pose_without_numbers_ends_at_once),
      cmocka_unit_test(a_sphere_without_orientation_ends_at_once_in_the_older_solver),
      cmocka_unit_test(a_shape_without_end_ends_at_once),
      cmocka_unit_test(coordinates_beyond_the_grid_are_its_bounds),
      cmocka_unit_test(a_thin_portal_has_the_normal_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
