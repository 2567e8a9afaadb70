// The examples in models/ do what their first lines say: a flag in the wind, a cloth over a ball, a
// cable over an edge, a block of rubber under a ball, a soft body between two fingers.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "support/fail.h"

static mjModel* m;
static mjData* d;

static void open_example(const char* path) {
  char why[500] = "";
  m = mj_loadXML(path, NULL, why, sizeof(why));
  if (!m) fail_msg("%s", why);
  d = mj_makeData(m);
  mj_forward(m, d);
}
#define OPEN(name_) open_example(CT_SOURCE_DIR "/models/" name_ ".xml")

static void close_example(void) {
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void run_until(double time) {
  while ((double)d->time < time) mj_step(m, d);
  mj_forward(m, d);
}

// The lowest and highest vertex along an axis.
static void extent(int axis, double* low, double* high) {
  *low = 1e9;
  *high = -1e9;
  for (int i = 0; i < m->nflexvert; i++) {
    double x = (double)d->flexvert_xpos[3 * i + axis];
    *low = fmin(*low, x);
    *high = fmax(*high, x);
  }
}

static double stretch(void) {
  double most = 0;
  for (int i = 0; i < m->nflexedge; i++) {
    most = fmax(most, fabs((double)(d->flexedge_length[i] / m->flexedge_length0[i]) - 1));
  }
  return most;
}

static void a_flag_flies_from_its_pole(void** state) {
  (void)state;
  OPEN("flag");
  mjtNum held[15];
  mju_copy(held, d->flexvert_xpos, 15);  // the first column of the grid
  run_until(1);
  double low, high;
  extent(1, &low, &high);
  for (int i = 0; i < 15; i++) assert_true(d->flexvert_xpos[i] == held[i]);
  if (!(high > 0.05)) fail_msg("the wind has moved it by %g only", high);
  assert_true(stretch() < 0.05);
  close_example();
}

static void a_cloth_comes_to_lie_on_a_ball(void** state) {
  (void)state;
  OPEN("draped_cloth");
  run_until(1.5);
  double low, high;
  extent(2, &low, &high);
  assert_true(low > 0.05 && high > 0.32 && high < 0.34);  // over the ground, on the ball
  assert_true(d->ncon > 10);
  for (int i = 0; i < d->ncon; i++) assert_true(d->contact[i].dist > -2e-3);
  assert_true(stretch() < 0.05);
  assert_true(mju_norm(d->qvel, (int)m->nv) < 0.2);
  close_example();
}

static void a_cable_hangs_over_the_edge_of_a_table(void** state) {
  (void)state;
  OPEN("cable_over_edge");
  run_until(4);
  double low, high;
  extent(2, &low, &high);
  assert_true(high > 0.3 && low < 0.25 && low > 0.05);
  assert_true(stretch() < 0.05);
  const mjtNum* end = d->flexvert_xpos + 3 * (m->nflexvert - 1);
  int weight = mj_name2id(m, mjOBJ_BODY, "weight");
  assert_true(mju_dist3(end, d->xpos + 3 * weight) < 0.04);
  close_example();
}

static double volume(bool* inverted) {
  double sum = 0;
  for (int e = 0; e < m->nflexelem; e++) {
    const int* v = m->flex_elem + 4 * e;
    mjtNum side[3][3], cross[3];
    for (int k = 0; k < 3; k++) {
      mju_sub3(side[k], d->flexvert_xpos + 3 * v[k + 1], d->flexvert_xpos + 3 * v[0]);
    }
    mju_cross(cross, side[0], side[1]);
    double part = -(double)mju_dot3(cross, side[2]) / 6;  // as the compiler orders the vertices
    if (part <= 0) *inverted = true;
    sum += part;
  }
  return sum;
}

static void a_block_gives_way_to_a_ball_and_keeps_its_volume(void** state) {
  (void)state;
  OPEN("soft_block");
  bool inverted = false, touched = false;
  double before = volume(&inverted), least = before;
  while ((double)d->time < 0.4) {
    mj_step(m, d);
    for (int i = 0; i < d->ncon; i++) touched = touched || d->contact[i].geom[0] == 1;
    least = fmin(least, volume(&inverted));
  }
  assert_true(touched && !inverted);
  if (!(least > 0.95 * before)) fail_msg("of %g m^3 %g are left", before, least);
  close_example();
}

static void a_cell_is_squeezed_and_gets_its_shape_back(void** state) {
  (void)state;
  OPEN("soft_cell");
  double low, high, rest, squeezed;
  run_until(0.5);
  extent(1, &low, &high);
  rest = high - low;
  d->ctrl[0] = d->ctrl[1] = (mjtNum)0.05;
  run_until(1.5);
  extent(1, &low, &high);
  squeezed = high - low;
  d->ctrl[0] = d->ctrl[1] = 0;
  run_until(2.5);
  extent(1, &low, &high);
  if (!(squeezed < 0.99 * rest)) fail_msg("%g wide, squeezed %g", rest, squeezed);
  if (!(fabs(high - low - rest) < 0.01 * rest)) fail_msg("%g wide, later %g", rest, high - low);
  close_example();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_flag_flies_from_its_pole),
      cmocka_unit_test(a_cloth_comes_to_lie_on_a_ball),
      cmocka_unit_test(a_cable_hangs_over_the_edge_of_a_table),
      cmocka_unit_test(a_block_gives_way_to_a_ball_and_keeps_its_volume),
      cmocka_unit_test(a_cell_is_squeezed_and_gets_its_shape_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
