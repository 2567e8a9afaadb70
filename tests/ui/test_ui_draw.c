// Widgets as pictures, through whatever OpenGL there is without a window; skipped where there is
// none.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"
#include "support/screen.h"

enum { WIDTH = 300, HEIGHT = 200 };

static int box = 1, choice = 0;
static mjtNum number = (mjtNum)0.5;

// clang-format off
static const mjuiDef table[] = {
  {mjITEM_SECTION, "Title", mjSECT_OPEN, NULL, "AT", 0},
  {mjITEM_CHECKINT, "", 1, &box, "", 0},
  {mjITEM_SLIDERNUM, "", 1, &number, "0 1", 0},
  {mjITEM_SELECT, "", 1, &choice, "one\ntwo", 0},
  {mjITEM_BUTTON, "Last", 1, NULL, "", 0},
  {mjITEM_END, "", 0, NULL, "", 0},
};
// clang-format on

enum { BOX, SLIDER, SELECT };

typedef struct {
  ct_Offscreen offscreen;
  mjrContext con;
  mjUI ui;
  mjuiState state;
  unsigned char rgb[HEIGHT][WIDTH][3];
} Screen;

// NULL where there is no OpenGL.
static int open_screen(void** state) {
  Screen* s = (Screen*)calloc(1, sizeof(Screen));
  if (!open_test_screen(&s->offscreen)) {
    free(s);
    s = NULL;
  }
  *state = s;
  if (!s) return 0;
  mjr_defaultContext(&s->con);
  mjr_makeContext(NULL, &s->con, mjFONTSCALE_100);
  s->con.readPixelFormat = 0x1907;  // RGB, as with a model
  mjr_setBuffer(mjFB_OFFSCREEN, &s->con);
  s->ui.spacing = mjui_themeSpacing(0);
  s->ui.color = mjui_themeColor(0);
  s->ui.rectid = 1;
  mjui_add(&s->ui, table);
  mjui_resize(&s->ui, &s->con);
  mjr_addAux(s->ui.auxid, s->ui.width, s->ui.maxheight, s->ui.spacing.samples, &s->con);
  s->state.nrect = 2;
  s->state.rect[1] = (mjrRect){20, 0, s->ui.width, HEIGHT};
  mjui_update(-1, -1, &s->ui, &s->state, &s->con);
  return 0;
}

static int close_screen(void** state) {
  Screen* s = (Screen*)*state;
  if (!s) return 0;
  mjr_freeContext(&s->con);
  close_test_screen(&s->offscreen);
  free(s);
  return 0;
}

static void look(Screen* s) {
  mjrRect all = {0, 0, WIDTH, HEIGHT};
  mjr_rectangle(all, 0, 0, 0, 1);
  mjui_render(&s->ui, &s->state, &s->con);
  mjr_readPixels(&s->rgb[0][0][0], NULL, all, &s->con);
  assert_int_equal(mjr_getError(), 0);
}

// The colour at a point of an item, as shares of its size, or near it.
static const unsigned char* seen(const Screen* s, int item, double across, double up) {
  const mjrRect* r = &s->ui.sect[0].item[item].rect;
  int x = s->state.rect[1].left + r->left + (int)(across * r->width);
  int y = r->bottom + (int)(up * r->height) + HEIGHT - s->ui.height + s->ui.scroll;
  return s->rgb[y][x];
}

static void assert_colour(const unsigned char* rgb, const float* wanted) {
  for (int i = 0; i < 3; i++) {
    double difference = rgb[i] - 255 * (double)wanted[i];
    if (difference < -2 || difference > 2) {
      fail_msg("%d %d %d instead of %g %g %g", rgb[0], rgb[1], rgb[2], 255 * (double)wanted[0],
               255 * (double)wanted[1], 255 * (double)wanted[2]);
    }
  }
}

static void items_have_the_colours_of_their_theme(void** state) {
  Screen* s = (Screen*)*state;
  if (!s) skip();
  const mjuiThemeColor* c = &s->ui.color;
  look(s);
  assert_colour(seen(s, BOX, 0.8, 0.5), c->check);
  assert_colour(seen(s, SLIDER, 0.4, 0.8), c->slider2);
  assert_colour(seen(s, SLIDER, 0.6, 0.8), c->slider);
  assert_colour(seen(s, SELECT, 0.8, 0.5), c->select);
  assert_colour(s->rgb[HEIGHT - 2][30], c->master);
  const float black[3] = {0, 0, 0};
  assert_colour(s->rgb[100][10], black);  // beside the interface
}

static void what_an_event_changes_is_drawn_again(void** state) {
  Screen* s = (Screen*)*state;
  if (!s) skip();
  const mjrRect* r = &s->ui.sect[0].item[SLIDER].rect;
  s->state.type = mjEVENT_PRESS;
  s->state.button = mjBUTTON_LEFT;
  s->state.x = s->state.rect[1].left + r->left + (int)(0.9 * r->width);
  s->state.y = r->bottom + 10 + HEIGHT - s->ui.height;
  assert_non_null(mjui_event(&s->ui, &s->state, &s->con));
  look(s);
  assert_colour(seen(s, SLIDER, 0.7, 0.8), s->ui.color.slider2);
}

static void the_list_of_a_select_item_covers_what_is_below(void** state) {
  Screen* s = (Screen*)*state;
  if (!s) skip();
  const mjrRect* r = &s->ui.sect[0].item[SELECT].rect;
  s->state.type = mjEVENT_PRESS;
  s->state.button = mjBUTTON_LEFT;
  s->state.x = s->state.rect[1].left + r->left + 10;
  s->state.y = r->bottom + 10 + HEIGHT - s->ui.height;
  mjui_event(&s->ui, &s->state, &s->con);
  look(s);
  assert_colour(seen(s, SELECT, 0.8, -0.5), s->ui.color.select2);
  s->state.y -= 26;  // on the first element
  look(s);
  assert_colour(seen(s, SELECT, 0.8, -0.5), s->ui.color.select);
}

static void the_scroll_bar_shows_when_something_is_hidden(void** state) {
  Screen* s = (Screen*)*state;
  if (!s) skip();
  s->state.rect[1].height = 100;
  look(s);
  assert_colour(s->rgb[95][20 + 262], s->ui.color.thumb);
  assert_colour(s->rgb[2][20 + 262], s->ui.color.master);
}

int main(void) {
#define SCREEN_TEST(f_) cmocka_unit_test_setup_teardown(f_, open_screen, close_screen)
  const struct CMUnitTest tests[] = {
      SCREEN_TEST(items_have_the_colours_of_their_theme),
      SCREEN_TEST(what_an_event_changes_is_drawn_again),
      SCREEN_TEST(the_list_of_a_select_item_covers_what_is_below),
      SCREEN_TEST(the_scroll_bar_shows_when_something_is_hidden),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
