// Where sections and items lie. Rows are laid out from above and then turned over, because OpenGL
// counts them from below.

#include <math.h>
#include <string.h>

#include "render/gl.h"
#include "ui/ui_parts.h"

static int scaled(int distance, const mjrContext* con) {
  return (int)floor(0.01 * distance * con->fontScale + 0.5);
}

mjuiThemeSpacing ct_ui_spacing(const mjUI* ui, const mjrContext* con) {
  mjuiThemeSpacing s = ui->spacing;
  int* const distances[] = {&s.total,      &s.scroll,    &s.label,    &s.section,
                            &s.cornersect, &s.cornersep, &s.itemside, &s.itemmid,
                            &s.itemver,    &s.texthor,   &s.textver,  &s.linescroll};
  for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
    *distances[i] = scaled(*distances[i], con);
  }
  return s;
}

int ct_ui_line(const mjUI* ui, const mjrContext* con) {
  return con->charHeight + 2 * scaled(ui->spacing.textver, con);
}

bool ct_ui_enabled(const mjUI* ui, const mjuiItem* item) {
  if (item->state < 2 || !ui->predicate) return item->state != 0;
  return ui->predicate(item->state, ui->userdata) != 0;
}

static mjuiItem* item_at(mjUI* ui, int section, int item) {
  if (section < 1 || section > ui->nsect) return NULL;
  mjuiSection* s = ui->sect + section - 1;
  return item >= 0 && item < s->nitem ? s->item + item : NULL;
}

mjuiItem* ct_ui_edited(mjUI* ui) {
  return item_at(ui, ui->editsect, ui->edititem);
}

mjuiItem* ct_ui_held(mjUI* ui) {
  return item_at(ui, ui->mousesect, ui->mouseitem);
}

int ct_ui_radio_columns(const mjUI* ui) {
  return ui->radiocol > 0 ? ui->radiocol : 2;
}

int ct_ui_excess(const mjUI* ui, const mjuiState* state) {
  int excess = ui->height - state->rect[ui->rectid].height;
  return excess > 0 ? excess : 0;
}

int ct_ui_shift(const mjUI* ui, const mjuiState* state) {
  const mjrRect* r = state->rect + ui->rectid;
  int scroll = ct_ui_excess(ui, state) ? ui->scroll : 0;
  return ui->height - scroll - (r->bottom + r->height);
}

mjrRect ct_ui_thumb(const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const mjrRect* r = state->rect + ui->rectid;
  mjuiThemeSpacing s = ct_ui_spacing(ui, con);
  mjrRect thumb = {r->left + r->width - s.scroll, r->bottom, s.scroll, r->height};
  if (ui->height > r->height) {
    double share = (double)r->height / ui->height;
    thumb.height = (int)floor(share * r->height + 0.5);
    thumb.bottom = r->bottom + r->height - (int)floor(share * ui->scroll + 0.5) - thumb.height;
  }
  return thumb;
}

mjrRect ct_ui_list_rect(const mjUI* ui, const mjuiItem* item, const mjrContext* con) {
  mjrRect list = item->rect;
  list.height = ct_ui_line(ui, con) * item->multi.nelem;
  list.bottom -= list.height;
  return list;
}

// Height of an item, without what is between items.
static int height_of(const mjUI* ui, const mjuiItem* item, const mjrContext* con) {
  int line = ct_ui_line(ui, con), columns = ct_ui_radio_columns(ui);
  if (item->type == mjITEM_STATIC) {
    return item->multi.nelem * (con->charHeight + scaled(ui->spacing.textver, con));
  }
  if (item->type == mjITEM_RADIO) return line * ((item->multi.nelem + columns - 1) / columns);
  return line;
}

// Items of these kinds stand side by side, two of the same kind in a row.
static bool is_narrow(const mjuiItem* item) {
  return item->type == mjITEM_BUTTON || item->type == mjITEM_CHECKINT ||
         item->type == mjITEM_CHECKBYTE;
}

// Lays out the items below row `top`, or only measures them as if all were open; returns the rows
// they take.
static int place_items(const mjUI* ui, mjuiSection* section, int top, bool measure,
                       const mjrContext* con) {
  mjuiThemeSpacing s = ct_ui_spacing(ui, con);
  int left = s.section + s.itemside;
  int width = s.total - s.scroll - 2 * s.section - 2 * s.itemside, y = 0;
  bool skip = false, beside = false;
  for (int i = 0; i < section->nitem; i++) {
    mjuiItem* item = section->item + i;
    bool separator = item->type == mjITEM_SEPARATOR;
    if (separator) skip = !measure && item->state == mjSEPCLOSED;
    mjrRect rect = {0, 0, 0, 0};
    if (separator || !skip) {
      bool second = beside && is_narrow(item) && item->type == item[-1].type;
      rect.left = left;
      rect.width = width;
      rect.height = height_of(ui, item, con);
      if (!second) y += separator ? s.section : s.itemver;
      rect.bottom = top + y - (second ? rect.height : 0);
      if (!second) y += rect.height;
      if (is_narrow(item)) {
        rect.width = (width - s.itemmid) / 2;
        if (second) rect.left += rect.width + s.itemmid;
      } else if (!separator && item->name[0]) {
        rect.left += s.label;
        rect.width -= s.label;
      }
      beside = is_narrow(item) && !second;
    } else {
      beside = false;
    }
    if (measure) continue;
    item->skip = skip && !separator;
    item->rect = rect;
  }
  return y + s.itemver;
}

static void turn_over(mjrRect* r, int height) {
  r->bottom = height - r->bottom - r->height;
}

// Rows of the whole with every section open.
static int highest(mjUI* ui, const mjrContext* con) {
  mjuiThemeSpacing s = ct_ui_spacing(ui, con);
  int y = s.section, line = ct_ui_line(ui, con);
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    y += section->state == mjSECT_FIXED ? 0 : line;
    y += place_items(ui, section, 0, true, con) + s.section;
  }
  return y;
}

static void place(mjUI* ui, const mjrContext* con) {
  mjuiThemeSpacing s = ct_ui_spacing(ui, con);
  int y = s.section, width = s.total - s.scroll - 2 * s.section, line = ct_ui_line(ui, con);
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    int title = section->state == mjSECT_FIXED ? 0 : line;
    int content = place_items(ui, section, y + title, false, con);
    section->rtitle = (mjrRect){s.section, y, width, title};
    section->rcontent = (mjrRect){s.section, y + title, width, content};
    y += title + (section->state == mjSECT_CLOSED ? 0 : content) + s.section;
  }
  ui->width = s.total;
  ui->height = y;
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    turn_over(&section->rtitle, y);
    turn_over(&section->rcontent, y);
    for (int k = 0; k < section->nitem; k++) turn_over(&section->item[k].rect, y);
  }
}

// Closes the open section that was clicked longest ago; false if none is open.
static bool close_oldest(mjUI* ui) {
  mjuiSection* oldest = NULL;
  for (int i = 0; i < ui->nsect; i++) {
    mjuiSection* section = ui->sect + i;
    bool older = !oldest || section->lastclick < oldest->lastclick;
    if (section->state == mjSECT_OPEN && older) oldest = section;
  }
  if (oldest) oldest->state = mjSECT_CLOSED;
  return oldest != NULL;
}

void mjui_resize(mjUI* ui, const mjrContext* con) {
  const ct_GL* gl = con->glInitialized ? ct_loaded_gl() : NULL;
  int most = 0;
  if (gl) gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  ui->maxheight = highest(ui, con);
  if (most > 0 && ui->maxheight > most) ui->maxheight = most;
  place(ui, con);
  while (most > 0 && ui->height > most && close_oldest(ui)) place(ui, con);
}
