// What an interface looks like. mjui_update draws it, or a part of it, into its auxiliary buffer,
// whose pixels are those of the interface; mjui_render copies what is visible into the window, and
// draws what does not stay: the scroll bar and the open list of a select item.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/flat.h"
#include "render/fonts.h"
#include "ui/ui_edit.h"
#include "ui/ui_parts.h"

enum { CORNER = 8, TICKS = 30 };  // points of a corner; divisions above which a slider has no ticks

// What drawing needs to know.
typedef struct Brush_ {
  const ct_GL* gl;
  const mjUI* ui;
  const mjrContext* con;
  mjuiThemeSpacing s;
  int line, thin;  // pixels of a line of text with its margins, of an outline
} Brush;

// Shapes

static void set_colour(const Brush* b, const float rgb[3]) {
  b->gl->Color4f(rgb[0], rgb[1], rgb[2], 1);
}

static void fill(const Brush* b, mjrRect r, const float rgb[3]) {
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  ct_fill_rectangle(b->gl, (float)r.left, (float)r.bottom, (float)r.width, (float)r.height, rgba);
}

static mjrRect shrink(mjrRect r, int by) {
  mjrRect inner = {r.left + by, r.bottom + by, r.width - 2 * by, r.height - 2 * by};
  return inner;
}

// Points of the quarter of a circle, by its corner from the lower left one against the clock; the
// colour goes from one at the upper edge to another at the lower one.
static void add_corner(const Brush* b, mjrRect r, int corner, int radius, const float upper[3],
                       const float lower[3]) {
  float x = (float)(corner == 1 || corner == 2 ? r.left + r.width - radius : r.left + radius);
  float y = (float)(corner >= 2 ? r.bottom + r.height - radius : r.bottom + radius);
  int points = radius > 0 ? CORNER : 0;
  for (int i = 0; i <= points; i++) {
    float angle = 1.57079633f * ((float)(corner + 2) + (float)i / CORNER), rgb[3];
    float py = y + (float)radius * sinf(angle), t = (py - (float)r.bottom) / (float)r.height;
    for (int k = 0; k < 3; k++) rgb[k] = lower[k] + t * (upper[k] - lower[k]);
    set_colour(b, rgb);
    b->gl->Vertex2f(x + (float)radius * cosf(angle), py);
  }
}

// A rectangle with its upper and its lower corners rounded.
static void fill_round(const Brush* b, mjrRect r, int above, int below, const float upper[3],
                       const float lower[3]) {
  if (r.width < 1 || r.height < 1) return;
  b->gl->Begin(GL_TRIANGLE_FAN);
  add_corner(b, r, 0, below, upper, lower);
  add_corner(b, r, 1, below, upper, lower);
  add_corner(b, r, 2, above, upper, lower);
  add_corner(b, r, 3, above, upper, lower);
  b->gl->End();
}

static void frame(const Brush* b, mjrRect r, const float rgb[3]) {
  fill(b, r, rgb);
  fill(b, shrink(r, b->thin), b->ui->color.sectpane);
}

// Down for what is open, left for what is closed.
static void draw_triangle(const Brush* b, mjrRect title, bool open) {
  float size = 0.25f * (float)title.height, x = (float)(title.left + title.width) - 2.2f * size;
  float y = (float)title.bottom + 0.5f * (float)title.height;
  set_colour(b, b->ui->color.sectsymbol);
  b->gl->Begin(open ? GL_TRIANGLES : GL_LINE_LOOP);
  if (open) {
    b->gl->Vertex2f(x - size, y + size);
    b->gl->Vertex2f(x, y - size);
    b->gl->Vertex2f(x + size, y + size);
  } else {
    b->gl->Vertex2f(x + size, y + size);
    b->gl->Vertex2f(x - size, y);
    b->gl->Vertex2f(x + size, y - size);
  }
  b->gl->End();
}

// Text

// A line at the left of a rectangle; what is too long is cut off.
static void write(const Brush* b, mjrRect r, int margin, const char* text, const float rgb[3]) {
  int room = r.width - margin, n = 0;
  for (int width = 0; text[n] && text[n] != '\n'; n++) {
    unsigned char code = (unsigned char)text[n];
    width += code < 127 ? b->con->charWidth[code] : 0;
    if (width > room) break;
  }
  float y = (float)r.bottom + 0.5f * (float)(r.height - b->con->charHeight);
  ct_write_line(b->gl, b->con, mjFONT_NORMAL, text, n, (float)(r.left + margin), y, rgb);
}

static const float* font_colour(const Brush* b, const mjuiItem* item) {
  return ct_ui_enabled(b->ui, item) ? b->ui->color.fontactive : b->ui->color.fontinactive;
}

// Colour of an item's decoration.
static const float* decor(const Brush* b, const mjuiItem* item, const float* rgb) {
  return ct_ui_enabled(b->ui, item) ? rgb : b->ui->color.decorinactive;
}

static void name_of_key(int key, char text[16]) {
  static const struct {
    int key;
    const char* name;
  } names[] = {
      {mjKEY_ESCAPE, "Esc"},     {mjKEY_ENTER, "Enter"},  {mjKEY_TAB, "Tab"},
      {mjKEY_BACKSPACE, "Back"}, {mjKEY_INSERT, "Ins"},   {mjKEY_DELETE, "Del"},
      {mjKEY_RIGHT, "Right"},    {mjKEY_LEFT, "Left"},    {mjKEY_DOWN, "Down"},
      {mjKEY_UP, "Up"},          {mjKEY_PAGE_UP, "PgUp"}, {mjKEY_PAGE_DOWN, "PgDn"},
      {mjKEY_HOME, "Home"},      {mjKEY_END, "End"},      {' ', "Space"},
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (names[i].key == key) {
      snprintf(text, 16, "%s", names[i].name);
      return;
    }
  }
  if (key >= mjKEY_F1 && key <= mjKEY_F12) {
    snprintf(text, 16, "F%d", key - mjKEY_F1 + 1);
  } else {
    snprintf(text, 16, "%c", key > 32 && key < 127 ? key : '?');
  }
}

// The shortcut of an item at the right of its rectangle, while help is shown.
static void draw_shortcut(const Brush* b, mjrRect r, int modifier, int shortcut) {
  char key[16], text[32];
  if (!b->ui->mousehelp || !shortcut) return;
  name_of_key(shortcut, key);
  snprintf(text, sizeof(text), "%s%s%s%s", modifier & 1 ? "Ctrl " : "",
           modifier & 2 ? "Shift " : "", modifier & 4 ? "Alt " : "", key);
  mjrRect box = r;
  box.width = ct_text_width(b->con, mjFONT_NORMAL, text) + b->s.texthor;
  box.left = r.left + r.width - box.width;
  fill(b, shrink(box, 1), b->ui->color.shortcut);
  write(b, box, b->s.texthor / 2, text, b->ui->color.fontactive);
}

// Items

static bool is_held(const Brush* b, const mjuiItem* item) {
  return b->ui->mousesect == item->sectionid + 1 && b->ui->mouseitem == item->itemid;
}

static void draw_button(const Brush* b, const mjuiItem* item) {
  const float* rgb = decor(b, item, b->ui->color.button);
  int radius = item->rect.height / 2;
  fill_round(b, item->rect, radius, radius, rgb, rgb);
  if (!is_held(b, item)) {
    mjrRect inner = shrink(item->rect, b->thin);
    const float* pane = b->ui->color.sectpane;
    fill_round(b, inner, inner.height / 2, inner.height / 2, pane, pane);
  }
  write(b, item->rect, b->s.texthor, item->name, font_colour(b, item));
  draw_shortcut(b, item->rect, item->single.modifier, item->single.shortcut);
}

static void draw_check(const Brush* b, const mjuiItem* item) {
  bool on = item->type == mjITEM_CHECKINT ? *(const int*)item->pdata : *(const mjtByte*)item->pdata;
  const float* rgb = decor(b, item, b->ui->color.check);
  if (on) {
    fill(b, item->rect, rgb);
  } else {
    frame(b, item->rect, rgb);
  }
  write(b, item->rect, b->s.texthor, item->name, font_colour(b, item));
  draw_shortcut(b, item->rect, item->single.modifier, item->single.shortcut);
}

static void draw_radio(const Brush* b, const mjuiItem* item) {
  bool in_line = item->type == mjITEM_RADIOLINE;
  int columns = in_line ? item->multi.nelem : ct_ui_radio_columns(b->ui);
  const float* rgb = decor(b, item, b->ui->color.radio);
  frame(b, item->rect, rgb);
  for (int i = 0; i < item->multi.nelem; i++) {
    int column = i % columns, top = item->rect.bottom + item->rect.height;
    mjrRect cell = {item->rect.left + column * item->rect.width / columns,
                    top - (i / columns + 1) * b->line, 0, b->line};
    cell.width = item->rect.left + (column + 1) * item->rect.width / columns - cell.left;
    if (*(const int*)item->pdata == i) fill(b, cell, rgb);
    int width = ct_text_width(b->con, mjFONT_NORMAL, item->multi.name[i]);
    int margin = in_line && width < cell.width ? (cell.width - width) / 2 : b->s.texthor;
    write(b, cell, margin, item->multi.name[i], font_colour(b, item));
  }
}

static void draw_select(const Brush* b, const mjuiItem* item) {
  int chosen = *(const int*)item->pdata;
  fill(b, item->rect, decor(b, item, b->ui->color.select));
  if (chosen >= 0 && chosen < item->multi.nelem) {
    write(b, item->rect, b->s.texthor, item->multi.name[chosen], font_colour(b, item));
  }
}

static void draw_slider(const Brush* b, const mjuiItem* item) {
  const struct mjuiItemSlider_* s = &item->slider;
  bool whole = item->type == mjITEM_SLIDERINT;
  double value = whole ? *(const int*)item->pdata : (double)*(const mjtNum*)item->pdata;
  double range = s->range[1] - s->range[0];
  double share = range > 0 ? fmin(1, fmax(0, (value - s->range[0]) / range)) : 0;
  mjrRect part = item->rect;
  char text[40];
  fill(b, item->rect, decor(b, item, b->ui->color.slider));
  part.width = (int)floor(share * part.width + 0.5);
  bool enabled = ct_ui_enabled(b->ui, item);
  fill(b, part, enabled ? b->ui->color.slider2 : b->ui->color.decorinactive2);
  for (int i = 1; s->divisions <= TICKS && i < s->divisions; i++) {
    mjrRect tick = {item->rect.left + (int)(i * item->rect.width / s->divisions), item->rect.bottom,
                    b->thin, b->s.textver};
    fill(b, tick, b->ui->color.sectpane);
  }
  snprintf(text, sizeof(text), whole ? "%.0f" : "%.3g", value);
  write(b, item->rect, b->s.texthor, text, font_colour(b, item));
}

// A field that is edited shows the text from editscroll on, and the cursor.
static void draw_field(const Brush* b, const mjuiItem* item) {
  const mjUI* ui = b->ui;
  char text[mjMAXUITEXT];
  if (ui->editsect != item->sectionid + 1 || ui->edititem != item->itemid) {
    frame(b, item->rect, decor(b, item, ui->color.edit));
    ct_ui_field_text(item, text);
    write(b, item->rect, b->s.texthor, text, font_colour(b, item));
    return;
  }
  fill(b, item->rect, ct_ui_field_accepts(item, ui->edittext) ? ui->color.edit : ui->color.edit2);
  write(b, item->rect, b->s.texthor, ui->edittext + ui->editscroll, ui->color.fontactive);
  int n = ui->editcursor - ui->editscroll;
  snprintf(text, sizeof(text), "%.*s", n > 0 ? n : 0, ui->edittext + ui->editscroll);
  mjrRect cursor = shrink(item->rect, b->thin);
  cursor.left = item->rect.left + b->s.texthor + ct_text_width(b->con, mjFONT_NORMAL, text);
  cursor.width = b->thin;
  fill(b, cursor, ui->color.cursor);
}

static void draw_lines(const Brush* b, const mjuiItem* item) {
  int height = item->multi.nelem ? item->rect.height / item->multi.nelem : 0;
  for (int i = 0; i < item->multi.nelem; i++) {
    mjrRect line = item->rect;
    line.bottom += item->rect.height - (i + 1) * height;
    line.height = height;
    write(b, line, b->s.texthor, item->multi.name[i], font_colour(b, item));
  }
}

static void draw_separator(const Brush* b, const mjuiItem* item) {
  const mjuiThemeColor* c = &b->ui->color;
  bool open = item->state == mjSEPCLOSED + 1, opens = open || item->state == mjSEPCLOSED;
  fill_round(b, item->rect, opens ? b->s.cornersep : 0, 0, c->separator, c->separator2);
  write(b, item->rect, b->s.texthor, item->name, c->fontactive);
  if (opens) draw_triangle(b, item->rect, open);
}

static void draw_item(const Brush* b, const mjuiItem* item) {
  bool narrow = item->type >= mjITEM_BUTTON && item->type <= mjITEM_CHECKBYTE;
  if (item->type == mjITEM_SEPARATOR) {
    draw_separator(b, item);
    return;
  }
  fill(b, item->rect, b->ui->color.sectpane);
  if (!narrow && item->name[0]) {
    mjrRect label = {b->s.section + b->s.itemside, item->rect.bottom, b->s.label,
                     item->rect.height};
    fill(b, label, b->ui->color.sectpane);
    label.bottom += label.height - b->line;  // beside the first line
    label.height = b->line;
    write(b, label, b->s.texthor, item->name, font_colour(b, item));
  }
  if (item->type == mjITEM_BUTTON) {
    draw_button(b, item);
  } else if (narrow) {
    draw_check(b, item);
  } else if (item->type == mjITEM_STATIC) {
    draw_lines(b, item);
  } else if (item->type == mjITEM_RADIO || item->type == mjITEM_RADIOLINE) {
    draw_radio(b, item);
  } else if (item->type == mjITEM_SELECT) {
    draw_select(b, item);
  } else if (item->type == mjITEM_SLIDERINT || item->type == mjITEM_SLIDERNUM) {
    draw_slider(b, item);
  } else {
    draw_field(b, item);
  }
}

// Sections

static void draw_title(const Brush* b, const mjuiSection* section) {
  const mjuiThemeColor* c = &b->ui->color;
  const float *upper = c->secttitle, *lower = c->secttitle2;
  bool open = section->state == mjSECT_OPEN;
  int margin = b->s.texthor;
  if (section->checkbox == 1) upper = c->secttitleuncheck, lower = c->secttitleuncheck2;
  if (section->checkbox == 2) upper = c->secttitlecheck, lower = c->secttitlecheck2;
  fill_round(b, section->rtitle, b->s.cornersect, open ? 0 : b->s.cornersect, upper, lower);
  if (section->checkbox) {
    int side = section->rtitle.height / 2;
    mjrRect box = {section->rtitle.left + side / 2, section->rtitle.bottom + side / 2, side, side};
    fill(b, box, c->sectsymbol);
    if (section->checkbox == 1) fill(b, shrink(box, b->thin), upper);
    margin = 2 * side;
  }
  write(b, section->rtitle, margin, section->name, c->sectfont);
  draw_triangle(b, section->rtitle, open);
  draw_shortcut(b, section->rtitle, section->modifier, section->shortcut);
}

static void draw_section(const Brush* b, const mjuiSection* section) {
  bool fixed = section->state == mjSECT_FIXED;
  if (!fixed) draw_title(b, section);
  if (section->state == mjSECT_CLOSED) return;
  const float* pane = b->ui->color.sectpane;
  fill_round(b, section->rcontent, fixed ? b->s.cornersect : 0, b->s.cornersect, pane, pane);
  for (int i = 0; i < section->nitem; i++) {
    if (!section->item[i].skip) draw_item(b, section->item + i);
  }
}

static bool begin(Brush* b, mjrRect viewport, const mjUI* ui, const mjrContext* con) {
  b->gl = con->glInitialized ? ct_begin_flat(viewport) : NULL;
  b->ui = ui;
  b->con = con;
  b->s = ct_ui_spacing(ui, con);
  b->line = ct_ui_line(ui, con);
  b->thin = con->fontScale >= 200 ? 3 : 2;
  return b->gl != NULL;
}

void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state,
                 const mjrContext* con) {
  Brush b;
  mjrRect all = {0, 0, ui->width, ui->maxheight > ui->height ? ui->maxheight : ui->height};
  (void)state;
  if (!con->glInitialized || section >= ui->nsect) return;
  mjr_setAux(ui->auxid, con);
  if (begin(&b, all, ui, con)) {
    const mjuiSection* one = section >= 0 ? ui->sect + section : NULL;
    if (!one) fill(&b, all, ui->color.master);
    for (int i = 0; !one && i < ui->nsect; i++) draw_section(&b, ui->sect + i);
    if (one && item < 0) draw_section(&b, one);
    bool visible = one && item >= 0 && item < one->nitem && one->state != mjSECT_CLOSED;
    if (visible && !one->item[item].skip) draw_item(&b, one->item + item);
  }
  mjr_restoreBuffer(con);
}

// The window

// The list of a select item that is held, with the element under the mouse in another colour.
static void draw_list(const Brush* b, const mjuiItem* item, const mjuiState* state) {
  const mjrRect* r = state->rect + b->ui->rectid;
  mjrRect list = ct_ui_list_rect(b->ui, item, b->con);
  list.bottom -= ct_ui_shift(b->ui, state) + r->bottom;  // in the window's rectangle
  for (int i = 0; i < item->multi.nelem; i++) {
    mjrRect element = {list.left, list.bottom + list.height - (i + 1) * b->line, list.width,
                       b->line};
    int x = (int)floor(state->x) - r->left - element.left;
    int y = (int)floor(state->y) - r->bottom - element.bottom;
    bool under = x >= 0 && x < element.width && y >= 0 && y < element.height;
    fill(b, element, under ? b->ui->color.select : b->ui->color.select2);
    write(b, element, b->s.texthor, item->multi.name[i], b->ui->color.fontactive);
  }
}

void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  Brush b;
  mjrRect r = state->rect[ui->rectid];
  if (r.width < 1 || r.height < 1 || !con->glInitialized) return;
  int excess = ct_ui_excess(ui, state);
  if (ui->scroll > excess) ui->scroll = excess;
  const float* master = ui->color.master;
  mjr_rectangle(r, master[0], master[1], master[2], 1);
  mjrRect seen = {0, ui->height - ui->scroll - r.height, ui->width, r.height};
  int bottom = r.bottom;
  if (seen.bottom < 0) {
    bottom -= seen.bottom;
    seen.height += seen.bottom;
    seen.bottom = 0;
  }
  if (seen.width > r.width) seen.width = r.width;
  mjr_blitAux(ui->auxid, seen, r.left, bottom, con);
  if (!begin(&b, r, ui, con)) return;
  if (excess) {
    mjrRect thumb = ct_ui_thumb(ui, state, con);
    thumb.left -= r.left;
    thumb.bottom -= r.bottom;
    fill(&b, thumb, ui->color.thumb);
  }
  const mjuiItem* held = ct_ui_held(ui);
  if (held && held->type == mjITEM_SELECT) draw_list(&b, held, state);
}
