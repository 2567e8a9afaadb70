// What mouse and keys do to an interface. Whatever changes is drawn again into its buffer.

#include <math.h>
#include <string.h>

#include "ui/ui_edit.h"
#include "ui/ui_parts.h"

enum { THUMB = -1 };  // mousesect while the thumb of the scroll bar is held

// The upper and right edges belong to a rectangle too.
static bool inside(const mjrRect* r, int x, int y) {
  return x >= r->left && x <= r->left + r->width && y >= r->bottom && y <= r->bottom + r->height;
}

// Buttons end in half circles.
static bool inside_item(const mjuiItem* item, int x, int y) {
  const mjrRect* r = &item->rect;
  if (item->skip || !inside(r, x, y)) return false;
  if (item->type != mjITEM_BUTTON) return true;
  double radius = 0.5 * r->height, dy = y - (r->bottom + radius);
  double dx = fmax(r->left + radius - x, x - (r->left + r->width - radius));
  return dx <= 0 || dx * dx + dy * dy <= radius * radius;
}

static void limit_scroll(mjUI* ui, const mjuiState* state) {
  int most = ct_ui_excess(ui, state);
  if (ui->scroll > most) ui->scroll = most;
  if (ui->scroll < 0) ui->scroll = 0;
}

static void redraw_item(const mjUI* ui, const mjuiItem* item, const mjuiState* state,
                        const mjrContext* con) {
  mjui_update(item->sectionid, item->itemid, ui, state, con);
}

// After sections or separators were opened or closed.
static void lay_out_again(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjui_resize(ui, con);
  mjui_update(-1, -1, ui, state, con);
}

// Values

// A slider under the mouse at x.
static void drag_slider(const mjuiItem* item, int x) {
  const struct mjuiItemSlider_* s = &item->slider;
  double share = (double)(x - item->rect.left) / (item->rect.width > 1 ? item->rect.width : 1);
  share = floor(fmin(1, fmax(0, share)) * s->divisions + 0.5) / s->divisions;
  double value = (1 - share) * s->range[0] + share * s->range[1];
  if (item->type == mjITEM_SLIDERINT) {
    *(int*)item->pdata = (int)floor(value + 0.5);
  } else {
    *(mjtNum*)item->pdata = (mjtNum)value;
  }
}

// Which element of a radio item lies at a point; -1: none.
static int element_at(const mjUI* ui, const mjuiItem* item, int x, int y, const mjrContext* con) {
  bool in_line = item->type == mjITEM_RADIOLINE;
  int columns = in_line ? item->multi.nelem : ct_ui_radio_columns(ui);
  int line = ct_ui_line(ui, con), rows = item->rect.height / line;
  int column = (x - item->rect.left) * columns / item->rect.width;
  int row = (item->rect.bottom + item->rect.height - y) / line;
  if (row >= rows) row = rows - 1;
  if (!in_line && column >= columns) column = columns - 1;
  int element = row * columns + column;
  return element < item->multi.nelem ? element : -1;
}

// Turns a box over.
static void toggle(const mjuiItem* item) {
  if (item->type == mjITEM_CHECKINT) {
    *(int*)item->pdata = !*(int*)item->pdata;
  } else if (item->type == mjITEM_CHECKBYTE) {
    *(mjtByte*)item->pdata = !*(mjtByte*)item->pdata;
  }
}

// The left button on things

static void hold(mjUI* ui, const mjuiItem* item) {
  ui->mousesect = item->sectionid + 1;
  ui->mouseitem = item->itemid;
}

// Returns the item if its value changed, or a button was pressed.
static mjuiItem* press_item(mjUI* ui, mjuiItem* item, int x, int y, const mjuiState* state,
                            const mjrContext* con) {
  mjuiItem* changed = NULL;
  int element;
  if (item->type == mjITEM_SEPARATOR) {
    if (item->state != mjSEPCLOSED && item->state != mjSEPCLOSED + 1) return NULL;
    item->state = item->state == mjSEPCLOSED ? mjSEPCLOSED + 1 : mjSEPCLOSED;
    lay_out_again(ui, state, con);
    return NULL;
  }
  if (!ct_ui_enabled(ui, item)) return NULL;
  switch (item->type) {
    case mjITEM_BUTTON:
      hold(ui, item);
      changed = item;
      break;
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      toggle(item);
      changed = item;
      break;
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
      element = element_at(ui, item, x, y, con);
      if (element < 0) return NULL;
      *(int*)item->pdata = element;
      changed = item;
      break;
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      hold(ui, item);
      drag_slider(item, x);
      changed = item;
      break;
    case mjITEM_SELECT:
      hold(ui, item);
      break;
    case mjITEM_EDITINT:
    case mjITEM_EDITNUM:
    case mjITEM_EDITFLOAT:
    case mjITEM_EDITTXT:
      hold(ui, item);
      if (item == ct_ui_edited(ui)) {
        ct_ui_edit_point(ui, x, con);
      } else {
        ct_ui_edit_begin(ui, item, x, con);
      }
      break;
    default:
      return NULL;
  }
  redraw_item(ui, item, state, con);
  return changed;
}

// A title opens and closes its section; a double click opens all, or closes all. Its box is the
// caller's business.
static void press_title(mjUI* ui, mjuiSection* section, int x, const mjuiState* state,
                        const mjrContext* con) {
  bool box = section->checkbox && x <= section->rtitle.left + section->rtitle.height;
  ui->mousesectcheck = box ? (int)(section - ui->sect) + 1 : 0;
  if (box) return;
  bool open = section->state == mjSECT_OPEN;
  if (!state->doubleclick) {
    section->state = open ? mjSECT_CLOSED : mjSECT_OPEN;
  } else {
    for (int i = 0; i < ui->nsect; i++) {
      mjuiSection* s = ui->sect + i;
      if (s->state != mjSECT_FIXED) s->state = open ? mjSECT_OPEN : mjSECT_CLOSED;
    }
  }
  lay_out_again(ui, state, con);
}

// Finds what lies there, and presses it; returns the item that changed.
static mjuiItem* press_point(mjUI* ui, int x, int y, const mjuiState* state,
                             const mjrContext* con) {
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    if (section->state != mjSECT_FIXED && inside(&section->rtitle, x, y)) {
      section->lastclick = ui->mouseclicks;
      press_title(ui, section, x, state, con);
      return NULL;
    }
    if (section->state == mjSECT_CLOSED || !inside(&section->rcontent, x, y)) continue;
    for (int k = 0; k < section->nitem; k++) {
      mjuiItem* item = section->item + k;
      if (!inside_item(item, x, y)) continue;
      section->lastclick = ui->mouseclicks;
      return press_item(ui, item, x, y, state, con);
    }
  }
  return NULL;
}

// Beside the thumb, the bar leads to the end.
static void press_bar(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjrRect thumb = ct_ui_thumb(ui, state, con);
  int y = (int)floor(state->y);
  if (y >= thumb.bottom && y < thumb.bottom + thumb.height) {
    ui->mousesect = THUMB;
    ui->mouseitem = 0;
    return;
  }
  ui->scroll = y < thumb.bottom ? ui->height : 0;
  limit_scroll(ui, state);
}

static mjuiItem* press(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const mjrRect* r = state->rect + ui->rectid;
  ui->mouseclicks++;
  if (state->button == mjBUTTON_RIGHT) {
    ui->mousehelp = 1;
    mjui_update(-1, -1, ui, state, con);
  }
  if (state->button != mjBUTTON_LEFT) return NULL;
  int x = (int)floor(state->x) - r->left, y = (int)floor(state->y) + ct_ui_shift(ui, state);
  mjuiItem *edited = ct_ui_edited(ui), *changed = NULL;
  if (edited && !inside(&edited->rect, x, y)) {
    changed = ct_ui_edit_end(ui);
    redraw_item(ui, edited, state, con);
  }
  mjrRect bar = *r;
  bar.width = ct_ui_spacing(ui, con).scroll;
  bar.left += r->width - bar.width;
  if (ct_ui_excess(ui, state) && inside(&bar, (int)floor(state->x), (int)floor(state->y))) {
    press_bar(ui, state, con);
    return changed;
  }
  mjuiItem* pressed = press_point(ui, x, y, state, con);
  return pressed ? pressed : changed;
}

static mjuiItem* move(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const mjrRect* r = state->rect + ui->rectid;
  mjuiItem* item = ct_ui_held(ui);
  if (ui->mousesect == THUMB && r->height > 0) {
    ui->scroll -= (int)floor(state->dy * ui->height / r->height + 0.5);
    limit_scroll(ui, state);
  }
  if (!item) return NULL;
  if (item->type == mjITEM_SLIDERINT || item->type == mjITEM_SLIDERNUM) {
    drag_slider(item, (int)floor(state->x) - r->left);
    redraw_item(ui, item, state, con);
    return item;
  }
  if (item == ct_ui_edited(ui)) {
    ct_ui_edit_point(ui, (int)floor(state->x) - r->left, con);
    redraw_item(ui, item, state, con);
  }
  return NULL;
}

static mjuiItem* release(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjuiItem *item = ct_ui_held(ui), *changed = NULL;
  if (item && item->type == mjITEM_SELECT) {
    mjrRect list = ct_ui_list_rect(ui, item, con);
    int x = (int)floor(state->x) - state->rect[ui->rectid].left;
    int y = (int)floor(state->y) + ct_ui_shift(ui, state);
    // the edges are not part of it
    if (inside(&list, x, y) && inside(&list, x + 1, y + 1) && inside(&list, x - 1, y - 1)) {
      *(int*)item->pdata = (list.bottom + list.height - 1 - y) / ct_ui_line(ui, con);
      changed = item;
    }
  }
  ui->mousesect = 0;
  if (item) redraw_item(ui, item, state, con);
  if (ui->mousehelp) {
    ui->mousehelp = 0;
    mjui_update(-1, -1, ui, state, con);
  }
  return changed;
}

// Keys

static bool is_shortcut(int modifier, int shortcut, const mjuiState* state) {
  int held = (state->control ? 1 : 0) | (state->shift ? 2 : 0) | (state->alt ? 4 : 0);
  return shortcut && shortcut == state->key && modifier == held;
}

// Opens one section and closes the others.
static void open_only(mjUI* ui, const mjuiSection* only, const mjuiState* state,
                      const mjrContext* con) {
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* s = ui->sect + i;
    if (s->state != mjSECT_FIXED) s->state = s == only ? mjSECT_OPEN : mjSECT_CLOSED;
  }
  lay_out_again(ui, state, con);
}

// A key that is taken is 0 for whoever comes next.
static mjuiItem* press_key(mjUI* ui, mjuiState* state, const mjrContext* con) {
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    if (is_shortcut(section->modifier, section->shortcut, state)) {
      open_only(ui, section, state, con);
      state->key = 0;
      return NULL;
    }
    for (int k = 0; k < section->nitem; k++) {
      mjuiItem* item = section->item + k;
      bool single = item->type >= mjITEM_BUTTON && item->type <= mjITEM_CHECKBYTE;
      if (!single || !is_shortcut(item->single.modifier, item->single.shortcut, state)) continue;
      state->key = 0;
      if (!ct_ui_enabled(ui, item)) return NULL;
      toggle(item);
      redraw_item(ui, item, state, con);
      return item;
    }
  }
  return NULL;
}

mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con) {
  mjuiItem *edited = ct_ui_edited(ui), *changed = NULL;
  ui->editchanged = NULL;
  switch (state->type) {
    case mjEVENT_PRESS:
      return press(ui, state, con);
    case mjEVENT_MOVE:
      return move(ui, state, con);
    case mjEVENT_RELEASE:
      return release(ui, state, con);
    case mjEVENT_SCROLL:
      ui->scroll -= (int)floor(state->sy * ct_ui_spacing(ui, con).linescroll + 0.5);
      limit_scroll(ui, state);
      return NULL;
    case mjEVENT_KEY:
      if (!edited) return press_key(ui, state, con);
      changed = ct_ui_edit_key(ui, state, con);
      state->key = 0;
      redraw_item(ui, edited, state, con);
      return changed;
    default:
      return NULL;
  }
}
