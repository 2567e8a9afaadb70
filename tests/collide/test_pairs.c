// Contacts, distances and rays of every pair of shapes: what the reference found, and laws that
// need no reference.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "math/quat.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/recorded.h"
#include "support/states.h"

typedef struct {
  mjModel* m;
  mjData* d;
} Shapes;

static Shapes load_shapes(void) {
  char error[200] = "";
  Shapes s;
  s.m = mj_loadXML(CT_SOURCE_DIR "/tests/collide/shapes.xml", NULL, error, sizeof(error));
  if (!s.m) fail_msg("%s", error);
  s.d = mj_makeData(s.m);
  return s;
}

static void free_shapes(Shapes s) {
  mj_deleteData(s.d);
  mj_deleteModel(s.m);
}

static void set_numbers(mjtNum* to, const double* from, int n) {
  for (int i = 0; i < n; i++) to[i] = (mjtNum)from[i];
}

// Everything far away from everything else, above the plane.
static void spread_shapes(Shapes s) {
  for (int i = 0; i < s.m->ngeom; i++) {
    const mjtNum pos[3] = {(mjtNum)(1000 * (i + 1)), 0, i ? 1000 : -1000};
    const mjtNum unit[4] = {1, 0, 0, 0};
    ct_copy3(s.d->geom_xpos + 3 * i, pos);
    ct_quat_to_mat(s.d->geom_xmat + 9 * i, unit);
  }
}

static void set_margin(Shapes s, double margin) {
  for (int i = 0; i < s.m->ngeom; i++) s.m->geom_margin[i] = (mjtNum)(margin / 2);
}

static void put(Shapes s, int geom, const mjtNum pos[3], const mjtNum mat[9]) {
  ct_copy3(s.d->geom_xpos + 3 * geom, pos);
  ct_copy(s.d->geom_xmat + 9 * geom, mat, 9);
}

// The two geoms of a recorded case at their places; its flags and margin.
static const int* set_case(Shapes s, const Recorded* r, const char* prefix) {
  char name[160];
  size_t count;
  snprintf(name, sizeof(name), "%s/what", prefix);
  const int* what = recorded_ints(r, name, &count);
  snprintf(name, sizeof(name), "%s/pose", prefix);
  const double* pose = recorded_doubles(r, name, &count);
  assert_int_equal(count, 25);
  spread_shapes(s);
  set_margin(s, pose[0]);
  for (int i = 0; i < 2; i++) {
    set_numbers(s.d->geom_xpos + 3 * what[i], pose + 1 + 12 * i, 3);
    set_numbers(s.d->geom_xmat + 9 * what[i], pose + 4 + 12 * i, 9);
  }
  s.m->opt.disableflags = what[2];
  s.m->opt.enableflags = what[3];
  return what;
}

// Runs a check on each recorded case.
static void each_case(void (*check)(Shapes s, const Recorded* r, const char* prefix,
                                    const int* what)) {
  SKIP_IN_SINGLE_PRECISION();  // poses are rounded, and what just touches may not
  Shapes s = load_shapes();
  Recorded* r = recorded_open("contacts.rec");
  int cases = 0;
  for (int i = 0; i < recorded_count(r); i++) {
    char prefix[128];
    snprintf(prefix, sizeof(prefix), "%s", recorded_name(r, i));
    char* end = strstr(prefix, "/what");
    if (!end) continue;
    *end = 0;
    check(s, r, prefix, set_case(s, r, prefix));
    cases++;
  }
  assert_true(cases > 200);
  recorded_close(r);
  free_shapes(s);
}

static void check_contacts(Shapes s, const Recorded* r, const char* prefix, const int* what) {
  char name[160];
  size_t count;
  mj_collision(s.m, s.d);
  if (s.d->ncon != what[4]) fail_msg("%s: %d contacts, not %d", prefix, s.d->ncon, what[4]);
  snprintf(name, sizeof(name), "%s/contacts", prefix);
  const double* want = recorded_doubles(r, name, &count);
  assert_int_equal(count, 7 * what[4]);
  for (int i = 0; i < s.d->ncon; i++) {
    mjtNum numbers[7];
    set_numbers(numbers, want + 7 * i, 7);
    expect_close(name, &s.d->contact[i].dist, numbers, 7, PRECISION(1e-9, 1e-3));
  }
}

static void contacts_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();  // ties, as of parallel edges, and iterations end elsewhere with
                         // contraction
  each_case(check_contacts);
}

static void check_distance(Shapes s, const Recorded* r, const char* prefix, const int* what) {
  char name[160];
  size_t count;
  mjtNum got[7], want[7];
  snprintf(name, sizeof(name), "%s/asked", prefix);
  set_numbers(want, recorded_doubles(r, name, &count), 7);
  got[0] = mj_geomDistance(s.m, s.d, what[0], what[1], 1, got + 1);
  expect_close(name, got, want, 7, PRECISION(1e-9, 1e-3));
}

static void distances_agree_with_the_reference(void** state) {
  (void)state;
  SKIP_IN_FAST_BUILD();  // ties, as of parallel edges, and iterations end elsewhere with
                         // contraction
  each_case(check_distance);
}

static void check_ray(Shapes s, const Recorded* r, const char* prefix, const int* what) {
  char name[160];
  size_t count;
  mjtNum got[4], want[4], vec[3];
  const mjtNum from[3] = {(mjtNum).3, (mjtNum)-.8, (mjtNum).9};
  int seen;
  snprintf(name, sizeof(name), "%s/asked", prefix);
  set_numbers(want, recorded_doubles(r, name, &count) + 7, 4);
  ct_sub3(vec, s.d->geom_xpos + 3 * what[1], from);
  got[0] = mj_ray(s.m, s.d, from, vec, NULL, 1, -1, &seen, got + 1);
  assert_int_equal(seen, what[5]);
  expect_close(name, got, want, 4, PRECISION(1e-12, 1e-3));
}

static void rays_agree_with_the_reference(void** state) {
  (void)state;
  each_case(check_ray);
}

static mjContact first_contact(Shapes s) {
  mj_collision(s.m, s.d);
  assert_true(s.d->ncon > 0);
  return s.d->contact[0];
}

// Two geoms of one type change places: the normal turns round, the rest stays.
static void swapping_equal_shapes_turns_the_normal_round(void** state) {
  (void)state;
  Shapes s = load_shapes();
  const char* const names[][2] = {{"sphere", "sphere2"}, {"capsule", "capsule2"}};
  const mjtNum here[3] = {0, 0, 0}, there[3] = {(mjtNum).1, (mjtNum).2, (mjtNum).15};
  const mjtNum quat1[4] = {1, 0, 0, 0}, quat2[4] = {(mjtNum).8, (mjtNum).6, 0, 0};
  mjtNum mat1[9], mat2[9], back[3];
  ct_quat_to_mat(mat1, quat1);
  ct_quat_to_mat(mat2, quat2);
  for (int i = 0; i < 2; i++) {
    int a = mj_name2id(s.m, mjOBJ_GEOM, names[i][0]), b = mj_name2id(s.m, mjOBJ_GEOM, names[i][1]);
    ct_copy3(s.m->geom_size + 3 * b, s.m->geom_size + 3 * a);
    s.m->geom_rbound[b] = s.m->geom_rbound[a];
    spread_shapes(s);
    put(s, a, here, mat1);
    put(s, b, there, mat2);
    mjContact before = first_contact(s);
    put(s, b, here, mat1);
    put(s, a, there, mat2);
    mjContact after = first_contact(s);
    ct_scl3(back, after.frame, -1);
    expect_close("dist", &after.dist, &before.dist, 1, PRECISION(1e-14, 1e-5));
    expect_close("pos", after.pos, before.pos, 3, PRECISION(1e-14, 1e-5));
    expect_close("normal", back, before.frame, 3, PRECISION(1e-14, 1e-5));
  }
  free_shapes(s);
}

// Both geoms move together, and the contact with them. Pairs with formulas only: the convex solver
// stops within its tolerance, and where depends on the last bits.
static void rigid_motion_moves_contacts_along(void** state) {
  (void)state;
  Shapes s = load_shapes();
  const char* const names[][2] = {{"sphere", "capsule"}, {"sphere", "cylinder"},
                                  {"sphere", "box"},     {"capsule", "capsule2"},
                                  {"capsule", "box"},    {"box", "box2"}};
  const mjtNum here[3] = {0, 0, 0}, there[3] = {(mjtNum).08, (mjtNum).1, (mjtNum).12};
  const mjtNum shift[3] = {1, -2, 3}, unit[4] = {1, 0, 0, 0};
  mjtNum quat2[4] = {(mjtNum).9, (mjtNum).3, (mjtNum).2, (mjtNum).1}, turn[4] = {1, 2, 3, 4};
  mjtNum mat1[9], mat2[9], mat[9], pos[3], turned[9];
  ct_normalize4(quat2);
  ct_normalize4(turn);
  ct_quat_to_mat(mat1, unit);
  ct_quat_to_mat(mat2, quat2);
  ct_quat_to_mat(mat, turn);
  for (int i = 0; i < 6; i++) {
    int a = mj_name2id(s.m, mjOBJ_GEOM, names[i][0]), b = mj_name2id(s.m, mjOBJ_GEOM, names[i][1]);
    spread_shapes(s);
    put(s, a, here, mat1);
    put(s, b, there, mat2);
    mjContact before = first_contact(s);
    put(s, a, shift, mat);
    ct_mul_mat_vec3(pos, mat, there);
    ct_add_to3(pos, shift);
    ct_mul_mat_mat3(turned, mat, mat2);
    put(s, b, pos, turned);
    mjContact after = first_contact(s);
    ct_mul_mat_vec3(pos, mat, before.pos);
    ct_add_to3(pos, shift);
    ct_mul_mat_vec3(before.frame, mat, before.frame);
    expect_close(names[i][1], &after.dist, &before.dist, 1, PRECISION(1e-13, 1e-4));
    expect_close(names[i][1], after.pos, pos, 3, PRECISION(1e-13, 1e-4));
    expect_close(names[i][1], after.frame, before.frame, 3, PRECISION(1e-12, 1e-4));
  }
  free_shapes(s);
}

static void check_frame(Shapes s, const Recorded* r, const char* prefix, const int* what) {
  (void)r;
  (void)prefix;
  (void)what;
  mj_collision(s.m, s.d);
  for (int i = 0; i < s.d->ncon; i++) {
    const mjtNum* frame = s.d->contact[i].frame;
    const mjtNum unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mjtNum product[9], z[3];
    ct_mul_mat_mat_t3(product, frame, frame);
    ct_cross(z, frame, frame + 3);
    expect_close("frame frame'", product, unit, 9, PRECISION(1e-14, 1e-5));
    expect_close("z = x cross y", frame + 6, z, 3, PRECISION(1e-14, 1e-5));
  }
}

static void frames_are_right_handed(void** state) {
  (void)state;
  each_case(check_frame);
}

// Both geoms near the origin, with one number of the first replaced: of its pose or its size.
static void put_bad_pair(Shapes s, int g1, int g2, int place, mjtNum bad) {
  const mjtNum pos[3] = {(mjtNum)0.01, (mjtNum)0.02, (mjtNum)0.03}, none[3] = {0, 0, 0};
  const mjtNum unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  put(s, g1, pos, unit);
  put(s, g2, none, unit);
  if (place < 3) s.d->geom_xpos[3 * g1 + place] = bad;
  if (place >= 3 && place < 12) s.d->geom_xmat[9 * g1 + place - 3] = bad;
  if (place >= 12) s.m->geom_size[3 * g1 + place - 12] = bad;
}

static void look_at_bad_pair(Shapes s, int g1, int g2) {
  mjtNum fromto[6], dist[1], normal[3];
  const mjtNum from[3] = {(mjtNum)0.1, (mjtNum)0.2, 3}, down[3] = {0, (mjtNum)0.01, -1};
  mj_collision(s.m, s.d);
  assert_true(s.d->ncon >= 0 && s.d->ncon <= 2 * mjMAXCONPAIR);
  mj_geomDistance(s.m, s.d, g1, g2, 1, fromto);
  mj_geomDistance(s.m, s.d, g2, g1, 1, NULL);
  mj_ray(s.m, s.d, from, down, NULL, 1, -1, NULL, normal);
  mj_multiRay(s.m, s.d, from, down, NULL, 1, -1, NULL, dist, normal, 1, mjMAXVAL);
}

// R0.2: what they give may be nonsense, but they end, stay in their memory and leave nothing
// behind.
static void bad_numbers_end_and_stay_in_memory(void** state) {
  listen_to_messages(state);
  Shapes s = load_shapes();
  const mjtNum bad[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-1e30, 0};
  const int disable[] = {0, mjDSBL_NATIVECCD}, enable[] = {0, mjENBL_MULTICCD};
  for (int g1 = 0; g1 < s.m->ngeom; g1++) {
    for (int g2 = 0; g2 < s.m->ngeom; g2++) {
      if (g1 == g2) continue;
      for (int place = 0; place < 15; place++) {
        int k = (g1 + g2 + place) % 4;  // each pair meets each of them
        mjtNum size[3];
        s.m->opt.disableflags = disable[k % 2];
        s.m->opt.enableflags = enable[k / 2];
        ct_copy3(size, s.m->geom_size + 3 * g1);
        spread_shapes(s);
        put_bad_pair(s, g1, g2, place, bad[(g1 + place) % 4]);
        look_at_bad_pair(s, g1, g2);
        ct_copy3(s.m->geom_size + 3 * g1, size);
        assert_true(s.d->pstack == 0 && s.d->parena == (size_t)s.d->ncon * sizeof(mjContact));
      }
    }
  }
  free_shapes(s);
  stop_listening(state);
}

// R0.2: convex solvers do not use up the passes that a model allows, here hours of them, where a
// pose has no numbers. If one did, the alarm would end the test.
static void poses_without_numbers_take_few_passes(void** state) {
  listen_to_messages(state);
  Shapes s = load_shapes();
  const mjtNum bad[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-INFINITY};
  s.m->opt.ccd_iterations = INT_MAX;
  alarm(300);
  for (int g1 = 0; g1 < s.m->ngeom; g1++) {
    for (int g2 = 0; g2 < s.m->ngeom; g2++) {
      if (g1 == g2) continue;
      for (int place = 0; place < 12; place++) {
        for (int k = 0; k < 3; k++) {
          int way = (g1 + g2 + place) % 4;
          s.m->opt.disableflags = way % 2 ? mjDSBL_NATIVECCD : 0;
          s.m->opt.enableflags = way / 2 ? mjENBL_MULTICCD : 0;
          spread_shapes(s);
          put_bad_pair(s, g1, g2, place, bad[k]);
          look_at_bad_pair(s, g1, g2);
        }
      }
    }
  }
  alarm(0);
  free_shapes(s);
  stop_listening(state);
}

// Filters reject what is too far, and a pose that is not a number is never too far: some pairs make
// contacts of it, with distances that are no numbers either. Columns: the position of the second
// geom is NaN, infinite; its orientation is NaN, infinite.
static void poses_without_numbers_have_the_contacts_of_the_reference(void** state) {
  static const struct {
    const char* name[2];
    int count[4];
  } cases[] = {
      {{"plane", "sphere"}, {1, 1, 1, 1}},    {{"plane", "capsule"}, {2, 2, 2, 2}},
      {{"plane", "ellipsoid"}, {1, 1, 1, 1}}, {{"plane", "cylinder"}, {0, 0, 0, 0}},
      {{"plane", "box"}, {4, 4, 4, 4}},       {{"plane", "stone"}, {1, 1, 1, 1}},
      {{"terrain", "sphere"}, {0, 0, 7, 7}},  {{"terrain", "capsule"}, {0, 0, 0, 0}},
      {{"terrain", "box"}, {0, 0, 0, 0}},     {{"sphere", "sphere2"}, {1, 0, 1, 1}},
      {{"sphere", "capsule"}, {1, 0, 1, 0}},  {{"sphere", "cylinder2"}, {1, 0, 1, 1}},
      {{"sphere", "box"}, {1, 0, 1, 0}},      {{"capsule", "capsule2"}, {2, 0, 2, 2}},
      {{"capsule", "box"}, {0, 0, 0, 0}},     {{"ellipsoid", "ellipsoid2"}, {0, 0, 0, 0}},
      {{"cylinder", "stone"}, {0, 0, 0, 0}},  {{"box", "box2"}, {0, 0, 0, 0}},
  };
  const mjtNum here[3] = {0, 0, 0}, there[3] = {(mjtNum).01, (mjtNum).02, (mjtNum).05};
  const mjtNum unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  (void)state;
  Shapes s = load_shapes();
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int a = mj_name2id(s.m, mjOBJ_GEOM, cases[i].name[0]);
    int b = mj_name2id(s.m, mjOBJ_GEOM, cases[i].name[1]);
    for (int k = 0; k < 4; k++) {
      mjtNum bad = (mjtNum)(k % 2 ? INFINITY : NAN);
      int count = 0;
      spread_shapes(s);
      put(s, a, here, unit);
      put(s, b, there, unit);
      for (int j = 0; j < 3 && k < 2; j++) s.d->geom_xpos[3 * b + j] = bad;
      for (int j = 0; j < 9 && k >= 2; j++) s.d->geom_xmat[9 * b + j] = bad;
      mj_collision(s.m, s.d);
      for (int c = 0; c < s.d->ncon; c++) {
        const int* geom = s.d->contact[c].geom;
        count += (geom[0] == a && geom[1] == b) || (geom[0] == b && geom[1] == a);
      }
      if (count != cases[i].count[k]) {
        fail_msg("%s and %s: %d contacts in column %d, not %d", cases[i].name[0], cases[i].name[1],
                 count, k, cases[i].count[k]);
      }
    }
  }
  free_shapes(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_agree_with_the_reference),
      cmocka_unit_test(distances_agree_with_the_reference),
      cmocka_unit_test(rays_agree_with_the_reference),
      cmocka_unit_test(swapping_equal_shapes_turns_the_normal_round),
      cmocka_unit_test(rigid_motion_moves_contacts_along),
      cmocka_unit_test(frames_are_right_handed),
      cmocka_unit_test(bad_numbers_end_and_stay_in_memory),
      cmocka_unit_test(poses_without_numbers_take_few_passes),
      cmocka_unit_test(poses_without_numbers_have_the_contacts_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
