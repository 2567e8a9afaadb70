// Fields that are typed into: a line with a cursor. The text of several numbers is one line, with
// blanks between them.

#include "ui/ui_edit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/ui_parts.h"

void ct_ui_field_text(const mjuiItem* item, char text[mjMAXUITEXT]) {
  text[0] = 0;
  if (item->type == mjITEM_EDITTXT) {
    snprintf(text, mjMAXUITEXT, "%s", (const char*)item->pdata);
    return;
  }
  for (int i = 0, at = 0; i < item->edit.nelem; i++) {
    const char* blank = i ? "  " : "";
    size_t room = (size_t)(mjMAXUITEXT - at);
    if (item->type == mjITEM_EDITINT) {
      at += snprintf(text + at, room, "%s%d", blank, ((const int*)item->pdata)[i]);
    } else if (item->type == mjITEM_EDITNUM) {
      at += snprintf(text + at, room, "%s%.4g", blank, (double)((const mjtNum*)item->pdata)[i]);
    } else {
      at += snprintf(text + at, room, "%s%.4g", blank, (double)((const float*)item->pdata)[i]);
    }
  }
}

// The numbers of a text; false if there are more or fewer than the item has, if one is outside its
// range, or if something else stands there.
static bool read_numbers(const mjuiItem* item, const char* text, double numbers[mjMAXUIEDIT]) {
  bool whole = item->type == mjITEM_EDITINT;
  for (int i = 0; i < item->edit.nelem; i++) {
    const double* range = item->edit.range[i];
    char* end;
    numbers[i] = whole ? (double)strtol(text, &end, 10) : strtod(text, &end);
    if (end == text || (*end && !isspace((unsigned char)*end))) return false;
    if (range[0] < range[1] && !(numbers[i] >= range[0] && numbers[i] <= range[1])) return false;
    text = end;
  }
  return text[strspn(text, " \t")] == 0;
}

bool ct_ui_field_accepts(const mjuiItem* item, const char* text) {
  double numbers[mjMAXUIEDIT];
  return item->type == mjITEM_EDITTXT || read_numbers(item, text, numbers);
}

static void store_text(mjuiItem* item, const char* text) {
  double numbers[mjMAXUIEDIT];
  if (item->type == mjITEM_EDITTXT) {
    memcpy(item->pdata, text, strlen(text) + 1);
    return;
  }
  if (!read_numbers(item, text, numbers)) return;
  for (int i = 0; i < item->edit.nelem; i++) {
    if (item->type == mjITEM_EDITINT) {
      ((int*)item->pdata)[i] = (int)numbers[i];
    } else if (item->type == mjITEM_EDITNUM) {
      ((mjtNum*)item->pdata)[i] = (mjtNum)numbers[i];
    } else {
      ((float*)item->pdata)[i] = (float)numbers[i];
    }
  }
}

static int width_of(const mjrContext* con, const char* text, int n) {
  int width = 0;
  for (int i = 0; i < n; i++) {
    unsigned char code = (unsigned char)text[i];
    if (code < 127) width += con->charWidth[code];
  }
  return width;
}

// Keeps the cursor in sight.
static void follow_cursor(mjUI* ui, const mjrContext* con) {
  const mjuiItem* item = ct_ui_edited(ui);
  int room = item->rect.width - 2 * ct_ui_spacing(ui, con).texthor;
  if (ui->editscroll > ui->editcursor) ui->editscroll = ui->editcursor;
  while (width_of(con, ui->edittext + ui->editscroll, ui->editcursor - ui->editscroll) > room) {
    ui->editscroll++;
  }
}

void ct_ui_edit_begin(mjUI* ui, const mjuiItem* item, int x, const mjrContext* con) {
  ui->editsect = item->sectionid + 1;
  ui->edititem = item->itemid;
  ui->editscroll = 0;
  ct_ui_field_text(item, ui->edittext);
  ct_ui_edit_point(ui, x, con);
}

void ct_ui_edit_point(mjUI* ui, int x, const mjrContext* con) {
  const mjuiItem* item = ct_ui_edited(ui);
  int at = item->rect.left + ct_ui_spacing(ui, con).texthor, n = (int)strlen(ui->edittext);
  for (ui->editcursor = ui->editscroll; ui->editcursor < n; ui->editcursor++) {
    int width = width_of(con, ui->edittext + ui->editcursor, 1);
    if (2 * (x - at) <= width) break;
    at += width;
  }
}

mjuiItem* ct_ui_edit_end(mjUI* ui) {
  mjuiItem* item = ct_ui_edited(ui);
  ui->editsect = 0;
  if (!item || !ct_ui_field_accepts(item, ui->edittext)) return NULL;
  store_text(item, ui->edittext);
  ui->editchanged = item;
  return item;
}

// Typing

static void insert(mjUI* ui, char c) {
  size_t n = strlen(ui->edittext), at = (size_t)ui->editcursor;
  if (n + 1 >= mjMAXUITEXT) return;
  memmove(ui->edittext + at + 1, ui->edittext + at, n - at + 1);
  ui->edittext[at] = c;
  ui->editcursor++;
}

static void erase(mjUI* ui, int at) {
  size_t n = strlen(ui->edittext);
  if (at < 0 || (size_t)at >= n) return;
  memmove(ui->edittext + at, ui->edittext + at + 1, n - (size_t)at);
  ui->editcursor = at;
}

// What a key types into a text; 0: nothing. Keys have the numbers of capital letters, and of what
// stands on the lower half of a key.
static char typed_text(const mjuiState* state) {
  static const char lower[] = "',-./;=[\\]`", upper[] = "\"<_>?:+{|}~";
  int key = state->key;
  if (key < 32 || key > 126) return 0;
  if (!state->shift) return (char)tolower(key);
  const char* at = strchr(lower, key);
  return at ? upper[at - lower] : (char)key;
}

// The same for numbers, for which no shift is needed.
static char typed_number(const mjuiItem* item, const mjuiState* state) {
  int key = state->key;
  if (key >= mjKEY_NUMPAD_0 && key <= mjKEY_NUMPAD_9) key += '0' - mjKEY_NUMPAD_0;
  if (key == '=') key = '+';
  if (key < 32 || key > 126) return 0;
  if (isdigit(key) || strchr(" -+", key)) return (char)key;
  bool whole = item->type == mjITEM_EDITINT;
  return !whole && strchr(".eE", key) ? (char)tolower(key) : 0;
}

mjuiItem* ct_ui_edit_key(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjuiItem* item = ct_ui_edited(ui);
  int n = (int)strlen(ui->edittext);
  char c;
  switch (state->key) {
    case mjKEY_ESCAPE:
      ui->editsect = 0;
      return NULL;
    case mjKEY_ENTER:
      return ct_ui_field_accepts(item, ui->edittext) ? ct_ui_edit_end(ui) : NULL;
    case mjKEY_LEFT:
      if (ui->editcursor > 0) ui->editcursor = state->control ? 0 : ui->editcursor - 1;
      break;
    case mjKEY_RIGHT:
      if (ui->editcursor < n) ui->editcursor = state->control ? n : ui->editcursor + 1;
      break;
    case mjKEY_HOME:
      ui->editcursor = 0;
      break;
    case mjKEY_END:
      ui->editcursor = n;
      break;
    case mjKEY_BACKSPACE:
      erase(ui, ui->editcursor - 1);
      break;
    case mjKEY_DELETE:
      erase(ui, ui->editcursor);
      break;
    default:
      c = item->type == mjITEM_EDITTXT ? typed_text(state) : typed_number(item, state);
      if (c) insert(ui, c);
  }
  follow_cursor(ui, con);
  return NULL;
}
