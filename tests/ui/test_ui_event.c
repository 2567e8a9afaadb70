// Widgets without a picture: what tables become, where things lie, what mouse and keys do. Rows and
// columns are those of the reference for the same table.

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

enum { WINDOW = 700 };

// What the items show and change.
static struct {
  int box, radio, line, choice, slider, fields[3];
  mjtByte byte;
  mjtNum number, pair[2];
  float single;
  char text[mjMAXUITEXT];
} v;

static int allow(int category, void* data) {
  (void)data;
  return category != 3;
}

// clang-format off
static const mjuiDef table[] = {
  {mjITEM_SECTION, "File", mjSECT_OPEN, NULL, "AF", 0},
  {mjITEM_BUTTON, "Save", 2, NULL, " #32", 0},
  {mjITEM_BUTTON, "Other", 1, NULL, "CQ", 0},
  {mjITEM_BUTTON, "Never", 3, NULL, "SQ", 0},
  {mjITEM_CHECKINT, "Box", 1, &v.box, " #257", 0},
  {mjITEM_STATIC, "Text", 1, NULL, "line one\nline two", 0},
  {mjITEM_SEPARATOR, "Choices", mjSEPCLOSED + 1, NULL, "", 0},
  {mjITEM_RADIO, "Radio", 1, &v.radio, "aa\nbb\ncc\ndd\nee", 0},
  {mjITEM_RADIOLINE, "Line", 1, &v.line, "x\ny\nz", 0},
  {mjITEM_SELECT, "Select", 1, &v.choice, "one\ntwo\nthree", 0},
  {mjITEM_SEPARATOR, "Numbers", 1, NULL, "", 0},
  {mjITEM_SLIDERINT, "Whole", 1, &v.slider, "0 10", 0},
  {mjITEM_SLIDERNUM, "Slider", 1, &v.number, "0 1", 0},
  {mjITEM_EDITINT, "Ints", 1, v.fields, "3", 0},
  {mjITEM_EDITNUM, "Pair", 1, v.pair, "2 0 1 -1 1", 0},
  {mjITEM_EDITTXT, "Name", 1, v.text, "1", 0},
  {mjITEM_SECTION, "Closed", mjSECT_CLOSED, NULL, "CO", 0},
  {mjITEM_BUTTON, "Hidden", 1, NULL, " B", 0},
  {mjITEM_SECTION, "Boxed", mjSECT_OPEN, NULL, "", 2},
  {mjITEM_CHECKBYTE, "Byte", 1, &v.byte, "", 0},
  {mjITEM_END, "", 0, NULL, "", 0},
};
// clang-format on

enum {
  SAVE,
  OTHER,
  NEVER,
  BOX,
  TEXT,
  CHOICES,
  RADIO,
  LINE,
  SELECT,
  NUMBERS,
  WHOLE,
  SLIDER,
  INTS,
  PAIR,
  NAME
};

typedef struct {
  mjUI ui;
  mjuiState state;
  mjrContext con;
} Desk;

static int open_desk(void** state) {
  Desk* k = (Desk*)calloc(1, sizeof(Desk));
  memset(&v, 0, sizeof(v));
  v.radio = v.choice = 1;
  v.number = (mjtNum)0.25;
  v.pair[0] = (mjtNum)0.5;
  strcpy(v.text, "hello");
  for (int i = 0; i < 3; i++) v.fields[i] = i + 1;
  k->con.fontScale = 100;
  k->con.charHeight = 18;
  for (int i = 32; i < 127; i++) k->con.charWidth[i] = 8;
  k->ui.spacing = mjui_themeSpacing(0);
  k->ui.color = mjui_themeColor(0);
  k->ui.rectid = 1;
  k->ui.predicate = allow;
  mjui_add(&k->ui, table);
  mjui_resize(&k->ui, &k->con);
  k->state.nrect = 2;
  k->state.rect[1] = (mjrRect){0, 0, k->ui.width, WINDOW};
  *state = k;
  return 0;
}

static int close_desk(void** state) {
  free(*state);
  return 0;
}

// Columns and rows of the window from the lower left corner of an item.
static void point(Desk* k, int section, int item, int dx, int dy) {
  const mjrRect* r = &k->ui.sect[section].item[item].rect;
  k->state.x = r->left + dx;
  k->state.y = r->bottom + dy + WINDOW - k->ui.height + k->ui.scroll;
}

static mjuiItem* event(Desk* k, int type) {
  k->state.type = type;
  return mjui_event(&k->ui, &k->state, &k->con);
}

static mjuiItem* press(Desk* k, int section, int item, int dx, int dy) {
  point(k, section, item, dx, dy);
  k->state.button = mjBUTTON_LEFT;
  return event(k, mjEVENT_PRESS);
}

static mjuiItem* key(Desk* k, int code, int control, int shift, int alt) {
  k->state.key = code;
  k->state.control = control;
  k->state.shift = shift;
  k->state.alt = alt;
  return event(k, mjEVENT_KEY);
}

static void type(Desk* k, const char* text) {
  for (; *text; text++) key(k, *text, 0, 0, 0);
}

static void assert_rect(const mjrRect* r, int left, int bottom, int width, int height) {
  if (r->left == left && r->bottom == bottom && r->width == width && r->height == height) return;
  fail_msg("%d %d %d %d instead of %d %d %d %d", r->left, r->bottom, r->width, r->height, left,
           bottom, width, height);
}

static void sections_and_items_lie_where_the_reference_has_them(void** state) {
  Desk* k = (Desk*)*state;
  const mjuiSection* s = k->ui.sect;
  int top = k->ui.height;
  assert_int_equal(k->ui.width, 270);
  assert_rect(&s[0].rtitle, 8, top - 34, 239, 26);
  assert_rect(&s[0].item[SAVE].rect, 12, top - 64, 113, 26);
  assert_rect(&s[0].item[OTHER].rect, 129, top - 64, 113, 26);
  assert_rect(&s[0].item[NEVER].rect, 12, top - 94, 113, 26);
  assert_rect(&s[0].item[BOX].rect, 12, top - 124, 113, 26);
  assert_rect(&s[0].item[TEXT].rect, 132, top - 172, 111, 44);
  assert_rect(&s[0].item[CHOICES].rect, 12, top - 206, 231, 26);
  assert_rect(&s[0].item[RADIO].rect, 132, top - 288, 111, 78);
  assert_rect(&s[0].item[NAME].rect, 132, 114, 111, 26);
  // the closed section has a title of 26 rows; with it open there would be 34 more
  assert_int_equal(k->ui.maxheight, k->ui.height + 34);
  assert_rect(&s[2].rcontent, 8, 8, 239, 34);
}

static void distances_grow_with_the_font(void** state) {
  Desk* k = (Desk*)*state;
  k->con.fontScale = 200;
  k->con.charHeight = 37;
  mjui_resize(&k->ui, &k->con);
  assert_int_equal(k->ui.width, 540);
  assert_int_equal(k->ui.sect[0].rtitle.height, 37 + 16);
}

static void shortcuts_names_and_ranges_are_read(void** state) {
  Desk* k = (Desk*)*state;
  const mjuiItem* item = k->ui.sect[0].item;
  assert_int_equal(item[SAVE].single.modifier, 0);
  assert_int_equal(item[SAVE].single.shortcut, 32);
  assert_int_equal(item[OTHER].single.modifier, 1);
  assert_int_equal(item[OTHER].single.shortcut, 'Q');
  assert_int_equal(item[RADIO].multi.nelem, 5);
  assert_string_equal(item[RADIO].multi.name[4], "ee");
  assert_true(item[WHOLE].slider.divisions == 10);
  assert_true(item[SLIDER].slider.divisions == 200);
  assert_int_equal(item[PAIR].edit.nelem, 2);
  assert_true(item[PAIR].edit.range[1][0] == -1);
  assert_int_equal(k->ui.sect[2].checkbox, 2);
}

static void buttons_answer_when_pressed_and_end_in_half_circles(void** state) {
  Desk* k = (Desk*)*state;
  assert_ptr_equal(press(k, 0, SAVE, 20, 10), k->ui.sect[0].item + SAVE);
  assert_int_equal(k->ui.mousesect, 1);
  assert_null(event(k, mjEVENT_RELEASE));
  assert_int_equal(k->ui.mousesect, 0);
  assert_null(press(k, 0, SAVE, 1, 1));
  assert_null(press(k, 0, NEVER, 20, 10));  // the predicate says no
}

static void boxes_radios_and_lists_change_numbers(void** state) {
  Desk* k = (Desk*)*state;
  assert_non_null(press(k, 0, BOX, 20, 10));
  assert_int_equal(v.box, 1);
  assert_non_null(press(k, 2, 0, 20, 10));
  assert_int_equal(v.byte, 1);
  assert_non_null(press(k, 0, RADIO, 60, 30));
  assert_int_equal(v.radio, 3);
  assert_null(press(k, 0, RADIO, 60, 10));  // five elements in six places
  assert_non_null(press(k, 0, LINE, 80, 10));
  assert_int_equal(v.line, 2);
  // a list opens below its item while the button is down
  assert_null(press(k, 0, SELECT, 20, 10));
  point(k, 0, SELECT, 20, -60);
  assert_non_null(event(k, mjEVENT_RELEASE));
  assert_int_equal(v.choice, 2);
  press(k, 0, SELECT, 20, 10);
  point(k, 0, SELECT, 20, 100);
  assert_null(event(k, mjEVENT_RELEASE));
  assert_int_equal(v.choice, 2);
}

static void sliders_follow_the_mouse_in_steps(void** state) {
  Desk* k = (Desk*)*state;
  assert_non_null(press(k, 0, WHOLE, 50, 10));
  assert_int_equal(v.slider, 5);
  point(k, 0, WHOLE, 500, 90);
  assert_non_null(event(k, mjEVENT_MOVE));
  assert_int_equal(v.slider, 10);
  event(k, mjEVENT_RELEASE);
  press(k, 0, SLIDER, 50, 10);
  assert_true(v.number == (mjtNum)0.45);
}

static void sections_and_separators_open_and_close(void** state) {
  Desk* k = (Desk*)*state;
  int before = k->ui.height;
  press(k, 0, CHOICES, 20, 10);
  assert_int_equal(k->ui.sect[0].item[RADIO].skip, 1);
  assert_int_equal(k->ui.height, before - 78 - 2 * 26 - 3 * 4);
  press(k, 0, CHOICES, 20, 10);
  assert_int_equal(k->ui.height, before);
  // a title
  k->state.x = 50;
  k->state.y = WINDOW - 20;
  event(k, mjEVENT_PRESS);
  assert_int_equal(k->ui.sect[0].state, mjSECT_CLOSED);
  k->state.doubleclick = 1;  // all as this one is
  event(k, mjEVENT_PRESS);
  assert_int_equal(k->ui.sect[2].state, mjSECT_CLOSED);
  // the box of a title is the caller's business
  k->state.doubleclick = 0;
  k->state.x = 20;
  k->state.y = WINDOW - k->ui.height + k->ui.sect[2].rtitle.bottom + 10;
  event(k, mjEVENT_PRESS);
  assert_int_equal(k->ui.mousesectcheck, 3);
  assert_int_equal(k->ui.sect[2].checkbox, 2);
}

static void fields_are_edited_and_refuse_what_they_cannot_be(void** state) {
  Desk* k = (Desk*)*state;
  assert_null(press(k, 0, INTS, 20, 10));
  assert_int_equal(k->ui.editsect, 1);
  assert_string_equal(k->ui.edittext, "1  2  3");
  key(k, mjKEY_END, 0, 0, 0);
  type(k, "4.X");  // neither a point nor a letter belongs to a whole number
  assert_string_equal(k->ui.edittext, "1  2  34");
  assert_non_null(key(k, mjKEY_ENTER, 0, 0, 0));
  assert_int_equal(v.fields[2], 34);
  assert_int_equal(k->ui.editsect, 0);
  // out of range
  press(k, 0, PAIR, 20, 10);
  key(k, mjKEY_HOME, 0, 0, 0);
  type(k, "7");
  assert_null(key(k, mjKEY_ENTER, 0, 0, 0));
  assert_int_equal(k->ui.editsect, 1);
  key(k, mjKEY_ESCAPE, 0, 0, 0);
  assert_true(v.pair[0] == (mjtNum)0.5);
  // a click elsewhere takes the text
  press(k, 0, NAME, 100, 10);
  key(k, 'X', 0, 1, 0);
  type(k, "Y");
  press(k, 0, TEXT, 20, 10);
  assert_string_equal(v.text, "helloXy");
}

static void keys_press_buttons_and_open_sections(void** state) {
  Desk* k = (Desk*)*state;
  assert_ptr_equal(key(k, 'Q', 1, 0, 0), k->ui.sect[0].item + OTHER);
  assert_int_equal(k->state.key, 0);  // taken
  assert_null(key(k, 'Q', 0, 0, 0));
  assert_int_equal(k->state.key, 'Q');
  assert_null(key(k, 'Q', 0, 1, 0));  // cannot be used
  assert_int_equal(k->state.key, 0);
  assert_non_null(key(k, mjKEY_ENTER, 0, 0, 0));
  assert_int_equal(v.box, 1);
  assert_non_null(key(k, 'B', 0, 0, 0));  // its section is closed, but it works
  assert_null(key(k, 'O', 1, 0, 0));
  assert_int_equal(k->ui.sect[0].state, mjSECT_CLOSED);
  assert_int_equal(k->ui.sect[1].state, mjSECT_OPEN);
}

static void what_does_not_fit_is_scrolled(void** state) {
  Desk* k = (Desk*)*state;
  k->state.rect[1].height = 200;
  k->state.sy = -1;
  event(k, mjEVENT_SCROLL);
  assert_int_equal(k->ui.scroll, 30);
  k->state.sy = -100;
  event(k, mjEVENT_SCROLL);
  assert_int_equal(k->ui.scroll, k->ui.height - 200);
  // above the thumb, to the upper end; on it, the thumb is held
  k->state.x = 260;
  k->state.y = 195;
  k->state.button = mjBUTTON_LEFT;
  event(k, mjEVENT_PRESS);
  assert_int_equal(k->ui.scroll, 0);
  event(k, mjEVENT_PRESS);
  assert_int_equal(k->ui.mousesect, -1);
  k->state.dy = -20;
  event(k, mjEVENT_MOVE);
  assert_int_equal(k->ui.scroll, (20 * k->ui.height + 100) / 200);
}

static void wrong_tables_are_refused(void** state) {
  Desk* k = (Desk*)*state;
  static const struct {
    mjuiDef def;
    const char* message;
  } wrong[] = {
      {{mjITEM_BUTTON, "a", 1, NULL, "X", 0}, "modifier and a key"},
      {{mjITEM_BUTTON, "a", 1, NULL, "ZX", 0}, "begins with C, S, A or a blank"},
      {{mjITEM_BUTTON, "a", 1, NULL, " XY", 0}, "has one key"},
      {{mjITEM_BUTTON, "a", 1, NULL, " #", 0}, "the number of a key"},
      {{mjITEM_BUTTON, "a", 1, &v.box, "", 0}, "has no data"},
      {{mjITEM_CHECKINT, "a", 1, NULL, "", 0}, "needs data"},
      {{mjITEM_SLIDERNUM, "a", 1, &v.number, "0", 0}, "needs its range"},
      {{mjITEM_EDITNUM, "a", 1, v.pair, "2 0 1", 0}, "a range for each field"},
      {{mjITEM_EDITNUM, "a", 1, v.pair, "8", 0}, "more fields than possible"},
      {{mjITEM_EDITNUM, "a", 1, v.pair, "", 0}, "number of its fields"},
      {{mjITEM_RADIO, "a", 1, &v.radio, "x\n\ny", 0}, "empty or long"},
      {{mjITEM_BUTTON, "a", -3, NULL, "", 0}, "state is negative"},
      {{14, "a", 1, NULL, "", 0}, "no such kind"},
      {{mjITEM_SECTION, "a", 7, NULL, "", 0}, "0, 1 or 2"},
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjuiDef def[2] = {wrong[i].def, {mjITEM_END, "", 0, NULL, "", 0}};
    int items = k->ui.sect[2].nitem;
    mjui_add(&k->ui, def);
    expect_one_error(wrong[i].message);
    assert_int_equal(k->ui.sect[2].nitem, items);
  }
  mjUI* empty = (mjUI*)calloc(1, sizeof(mjUI));
  mjuiDef def[2] = {{mjITEM_BUTTON, "a", 1, NULL, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}};
  mjui_add(empty, def);
  expect_one_error("before the first section");
  free(empty);
}

int main(void) {
#define DESK_TEST(f_) cmocka_unit_test_setup_teardown(f_, open_desk, close_desk)
  const struct CMUnitTest tests[] = {
      DESK_TEST(sections_and_items_lie_where_the_reference_has_them),
      DESK_TEST(distances_grow_with_the_font),
      DESK_TEST(shortcuts_names_and_ranges_are_read),
      DESK_TEST(buttons_answer_when_pressed_and_end_in_half_circles),
      DESK_TEST(boxes_radios_and_lists_change_numbers),
      DESK_TEST(sliders_follow_the_mouse_in_steps),
      DESK_TEST(sections_and_separators_open_and_close),
      DESK_TEST(fields_are_edited_and_refuse_what_they_cannot_be),
      DESK_TEST(keys_press_buttons_and_open_sections),
      DESK_TEST(what_does_not_fit_is_scrolled),
      DESK_TEST(wrong_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
