// Pictures through whatever OpenGL there is without a window; skipped where there is none. What is
// seen: sizes, order of rows, depth, colours of segments, light, shadow, sky, texture, texts.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/screen.h"

enum { WIDTH = 160, HEIGHT = 120 };

static ct_Offscreen screen;
static bool available;

static int open_context(void** state) {
  (void)state;
  available = open_test_screen(&screen);
  return 0;
}

static int close_context(void** state) {
  (void)state;
  close_test_screen(&screen);
  return 0;
}

// A model with what it takes to draw it.
typedef struct {
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvScene scn;
  mjrContext con;
  unsigned char rgb[HEIGHT][WIDTH][3];  // the lowest row first
  float depth[HEIGHT][WIDTH];
} Scenery;

static Scenery* open_scenery(const char* inside) {
  Scenery* s = (Scenery*)calloc(1, sizeof(Scenery));
  char text[4000], error[500] = "";
  snprintf(text, sizeof(text),
           "<mujoco><visual><quality offsamples='0' shadowsize='1024'/><map znear='.1' "
           "zfar='10'/></visual>"
           "<statistic extent='1' meansize='.1' center='0 0 0'/>%s</mujoco>",
           inside);
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  s->m = mj_compile(spec, NULL);
  assert_non_null(s->m);
  mj_deleteSpec(spec);
  s->d = mj_makeData(s->m);
  mj_forward(s->m, s->d);
  mjv_defaultOption(&s->opt);
  mjv_defaultFreeCamera(s->m, &s->cam);
  mjv_defaultScene(&s->scn);
  mjv_makeScene(s->m, &s->scn, 100);
  mjr_defaultContext(&s->con);
  mjr_makeContext(s->m, &s->con, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &s->con);
  return s;
}

static void close_scenery(Scenery* s) {
  mjr_freeContext(&s->con);
  mjv_freeScene(&s->scn);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
  free(s);
}

static const mjrRect whole = {0, 0, WIDTH, HEIGHT};

static void read_picture(Scenery* s) {
  mjr_readPixels(&s->rgb[0][0][0], &s->depth[0][0], whole, &s->con);
}

static void shoot(Scenery* s) {
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  mjr_render(whole, &s->scn, &s->con);
  read_picture(s);
  assert_int_equal(mjr_getError(), 0);
}

static void expect_pixel(const Scenery* s, int x, int y, int r, int g, int b, int tolerance) {
  const unsigned char* p = s->rgb[y][x];
  if (abs(p[0] - r) <= tolerance && abs(p[1] - g) <= tolerance && abs(p[2] - b) <= tolerance) {
    return;
  }
  fail_msg("pixel %d %d is %d %d %d, not %d %d %d", x, y, p[0], p[1], p[2], r, g, b);
}

#define NEEDS_OPENGL() \
  if (!available) skip()

// A box one half wide, seen from the front: camera at (0, -2, 0) looking along y.
static Scenery* open_box(const char* height) {
  char text[500];
  snprintf(text, sizeof(text),
           "<visual><headlight ambient='.4 .4 .4' diffuse='0 0 0' specular='0 0 0'/></visual>"
           "<worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1' fovy='45'/>"
           "<geom type='box' size='.5 .5 .5' pos='0 0 %s' rgba='1 .5 0 1'/></worldbody>",
           height);
  Scenery* s = open_scenery(text);
  s->cam.type = mjCAMERA_FIXED;
  s->cam.fixedcamid = 0;
  return s;
}

static void a_lit_box_has_the_colour_of_its_light(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_box("0");
  shoot(s);
  expect_pixel(s, WIDTH / 2, HEIGHT / 2, 102, 51, 0, 1);  // .4 of its colour
  expect_pixel(s, 2, 2, 0, 0, 0, 0);
  close_scenery(s);
}

static void the_first_row_is_the_lowest(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_box(".7");
  shoot(s);
  assert_int_equal(s->rgb[2][WIDTH / 2][0], 0);
  assert_int_equal(s->rgb[HEIGHT - 3][WIDTH / 2][0], 102);
  close_scenery(s);
}

// z_b = n (f - z) / (z (f - n)) at z = 1.5, n = .1, f = 10
// Programs turn depth into distance with numbers of the projection that are rounded to float, as
// the Python package does. Far away nearly all digits of a depth cancel, so they must be the same
// numbers.
static void far_depth_becomes_the_distance_by_rounded_numbers(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery(
      "<worldbody><camera pos='0 -50 0' xyaxes='1 0 0 0 0 1' fovy='45'/>"
      "<geom type='box' size='9 .5 9'/></worldbody>");
  s->cam.type = mjCAMERA_FIXED;
  s->cam.fixedcamid = 0;
  s->m->vis.map.znear = 0.011f;
  s->m->vis.map.zfar = 55;
  s->con.readDepthMap = mjDEPTH_ZEROFAR;
  shoot(s);
  float n = 0.011f, f = 55, c0 = -(f + n) / (f - n), d0 = -2 * f * n / (f - n);
  double c = -0.5 * (double)c0 - 0.5, d = -0.5 * (double)d0;
  double distance = d / ((double)s->depth[HEIGHT / 2][WIDTH / 2] + c);
  if (!(fabs(distance - 49.5) < 1e-3)) fail_msg("49.5 m away seem to be %.6f", distance);
  close_scenery(s);
}

static void depth_is_between_the_planes(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_box("0");
  const float z_b = 0.1f * (10 - 1.5f) / (1.5f * (10 - 0.1f));
  shoot(s);
  assert_float_equal(s->depth[HEIGHT / 2][WIDTH / 2], 1 - z_b, 1e-6);
  assert_float_equal(s->depth[2][2], 1, 0);
  s->con.readDepthMap = mjDEPTH_ZEROFAR;
  shoot(s);
  assert_float_equal(s->depth[HEIGHT / 2][WIDTH / 2], z_b, 1e-6);
  assert_float_equal(s->depth[2][2], 0, 0);
  close_scenery(s);
}

static void segments_have_their_numbers_as_colours(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_box("0");
  s->scn.flags[mjRND_SEGMENT] = s->scn.flags[mjRND_IDCOLOR] = 1;
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  s->scn.geoms[0].segid = 0x030201;
  mjr_render(whole, &s->scn, &s->con);
  read_picture(s);
  expect_pixel(s, WIDTH / 2, HEIGHT / 2, 2, 2, 3, 0);  // segid + 1, low byte first
  expect_pixel(s, 2, 2, 0, 0, 0, 0);
  close_scenery(s);
}

static void samples_smooth_edges_and_not_segments(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery(
      "<visual><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/>"
      "<quality offsamples='4'/></visual>"
      "<worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1'/>"
      "<geom type='box' size='.5 .01 .5' euler='0 20 0' rgba='1 1 1 1'/></worldbody>");
  s->cam.type = mjCAMERA_FIXED;
  s->cam.fixedcamid = 0;
  int between[2];
  for (int segment = 0; segment < 2; segment++) {
    s->scn.flags[mjRND_SEGMENT] = s->scn.flags[mjRND_IDCOLOR] = (mjtByte)segment;
    shoot(s);
    between[segment] = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      int red = s->rgb[i / WIDTH][i % WIDTH][0];
      between[segment] += red != 0 && red != (segment ? 1 : 255);
    }
  }
  if (s->con.offSamples > 1) assert_true(between[0] > 50);
  assert_int_equal(between[1], 0);
  close_scenery(s);
}

// A light straight above; a box over the floor.
static void a_box_casts_a_shadow(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery(
      "<visual><headlight ambient='.2 .2 .2' diffuse='0 0 0' specular='0 0 0'/></visual>"
      "<worldbody><light directional='true' pos='0 0 3' dir='0 0 -1' diffuse='.6 .6 .6'"
      " specular='0 0 0' ambient='0 0 0'/>"
      "<geom type='plane' size='2 2 .1' rgba='1 1 1 1'/>"
      "<geom type='box' size='.1 .1 .05' pos='0 0 .4' rgba='1 0 0 1'/></worldbody>");
  s->cam.elevation = -40;
  s->cam.azimuth = 90;
  s->cam.distance = 2;
  shoot(s);
  expect_pixel(s, 10, 20, 204, 204, 204, 2);              // lit: .2 + .6
  expect_pixel(s, WIDTH / 2, HEIGHT / 2, 51, 51, 51, 2);  // in the shadow: .2
  s->scn.flags[mjRND_SHADOW] = 0;
  shoot(s);
  expect_pixel(s, WIDTH / 2, HEIGHT / 2, 204, 204, 204, 2);
  close_scenery(s);
}

static void the_sky_is_behind_everything(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery(
      "<asset><texture type='skybox' builtin='flat' rgb1='0 0 1' rgb2='0 0 1' width='8' "
      "height='8'/></asset>"
      "<worldbody><geom size='.2' rgba='1 0 0 1'/></worldbody>");
  shoot(s);
  expect_pixel(s, 3, HEIGHT - 3, 0, 0, 255, 1);
  assert_true(s->rgb[HEIGHT / 2][WIDTH / 2][2] == 0 || s->rgb[HEIGHT / 2][WIDTH / 2][0] > 0);
  s->scn.flags[mjRND_SKYBOX] = 0;
  shoot(s);
  expect_pixel(s, 3, HEIGHT - 3, 0, 0, 0, 0);
  close_scenery(s);
}

// Alpha a is drawn twice: what is behind keeps (1 - a)^2.
static void transparent_geoms_cover_twice(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery(
      "<visual><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/></visual>"
      "<worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1'/>"
      "<geom type='box' size='.5 .1 .5' pos='0 .5 0' rgba='1 1 1 1'/>"
      "<geom type='box' size='.3 .1 .3' rgba='0 0 0 .5'/></worldbody>");
  s->cam.type = mjCAMERA_FIXED;
  s->cam.fixedcamid = 0;
  shoot(s);
  expect_pixel(s, WIDTH / 2, HEIGHT / 2, 64, 64, 64, 2);
  close_scenery(s);
}

static void figures_say_where_their_axes_are(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery("");
  mjvFigure* fig = (mjvFigure*)calloc(1, sizeof(mjvFigure));
  const float data[6] = {0, -0.3f, 1, 2.7f, 2, 11.2f};
  const int x[2] = {45, 150}, y[2] = {58, 83};
  mjv_defaultFigure(fig);
  strcpy(fig->title, "T");
  strcpy(fig->xlabel, "x");
  memcpy(fig->linedata[0], data, sizeof(data));
  fig->linepnt[0] = 3;
  mjr_figure(whole, fig, &s->con);
  assert_memory_equal(fig->xaxispixel, x, sizeof(x));
  assert_memory_equal(fig->yaxispixel, y, sizeof(y));
  assert_float_equal(fig->xaxisdata[1], 2, 0);
  assert_float_equal(fig->yaxisdata[0], -10, 1e-5);
  assert_float_equal(fig->yaxisdata[1], 20, 1e-5);
  free(fig);
  close_scenery(s);
}

// "abc\nd" at the top left: pixels x 5..43, y 68..113 of 160 x 120, darkened by half.
static void overlays_have_boxes_of_the_size_of_their_text(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery("");
  mjr_rectangle(whole, 1, 0, 0, 1);
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, whole, "abc\nd", NULL, &s->con);
  read_picture(s);
  int left = WIDTH, right = 0, low = HEIGHT, high = 0, white = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    const unsigned char* p = s->rgb[i / WIDTH][i % WIDTH];
    if (p[0] == 255 && p[1] == 0) continue;
    left = i % WIDTH < left ? i % WIDTH : left;
    right = i % WIDTH > right ? i % WIDTH : right;
    low = i / WIDTH < low ? i / WIDTH : low;
    high = i / WIDTH > high ? i / WIDTH : high;
    white += p[1] == 255;
  }
  assert_true(left == 5 && right == 43 && low == 68 && high == 113);
  assert_true(white > 20);
  close_scenery(s);
}

// Labels lie over each other and over anything: white on red, each white pixel has black ones, or
// other white ones, beside it on all sides, and red only two pixels away or more.
static void labels_have_a_dark_outline(void** state) {
  (void)state;
  NEEDS_OPENGL();
  Scenery* s = open_scenery("");
  mjr_rectangle(whole, 1, 0, 0, 1);
  mjr_text(mjFONT_SHADOW, "wide", &s->con, 0.3f, 0.4f, 1, 1, 1);
  read_picture(s);
  int white = 0, red = 0;
  for (int y = 2; y < HEIGHT - 2; y++) {
    for (int x = 2; x < WIDTH - 2; x++) {
      if (s->rgb[y][x][1] != 255) continue;
      white++;
      for (int k = 0; k < 9; k++) {
        const unsigned char* p = s->rgb[y + k / 3 - 1][x + k % 3 - 1];
        red += p[0] > 0 && p[1] == 0;
      }
    }
  }
  if (white < 40 || red) fail_msg("%d white pixels, %d red ones beside them", white, red);
  close_scenery(s);
}

static void mistakes_are_errors(void** state) {
  NEEDS_OPENGL();
  Scenery* s = open_scenery("");
  listen_to_messages(state);
  mjr_changeFont(120, &s->con);
  expect_one_error("scale 120");
  mjr_addAux(10, 5, 5, 0, &s->con);
  expect_one_error("buffer 10");
  mjr_setAux(3, &s->con);
  expect_one_error("mjr_addAux first");
  mjr_uploadMesh(s->m, &s->con, 0);
  expect_one_error("mesh 0 does not exist");
  mjr_addAux(3, 20, 10, 0, &s->con);
  mjr_setAux(3, &s->con);
  mjr_restoreBuffer(&s->con);
  assert_int_equal(count_errors(), 0);
  stop_listening(state);
  close_scenery(s);
}

static void rectangles_are_found(void** state) {
  (void)state;
  const mjrRect rects[2] = {{0, 0, 10, 10}, {5, 5, 10, 10}};
  assert_int_equal(mjr_findRect(7, 7, 2, rects), 0);
  assert_int_equal(mjr_findRect(10, 10, 2, rects), 1);
  assert_int_equal(mjr_findRect(15, 10, 2, rects), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lit_box_has_the_colour_of_its_light),
      cmocka_unit_test(the_first_row_is_the_lowest),
      cmocka_unit_test(depth_is_between_the_planes),
      cmocka_unit_test(far_depth_becomes_the_distance_by_rounded_numbers),
      cmocka_unit_test(segments_have_their_numbers_as_colours),
      cmocka_unit_test(samples_smooth_edges_and_not_segments),
      cmocka_unit_test(a_box_casts_a_shadow),
      cmocka_unit_test(the_sky_is_behind_everything),
      cmocka_unit_test(transparent_geoms_cover_twice),
      cmocka_unit_test(figures_say_where_their_axes_are),
      cmocka_unit_test(overlays_have_boxes_of_the_size_of_their_text),
      cmocka_unit_test(labels_have_a_dark_outline),
      cmocka_unit_test(mistakes_are_errors),
      cmocka_unit_test(rectangles_are_found),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
