// Interfaces are described by tables, one line for each section and item (mjuiDef). Here a line
// becomes an entry; what its last column says depends on its kind.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/ui_parts.h"

enum { MODIFIER_CONTROL = 1, MODIFIER_SHIFT = 2, MODIFIER_ALT = 4, DIVISIONS = 200 };

// Every complaint names the line of the table. Returns false.
static bool refuse(const mjuiDef* def, const char* why) {
  mju_error("mjui_add: \"%s\": %s", def->name, why);
  return false;
}

// "CQ" is control and Q, " #300" the key with number 300 by itself.
static bool read_shortcut(const mjuiDef* def, int* modifier, int* shortcut) {
  const char* text = def->other;
  *modifier = *shortcut = 0;
  if (!text[0]) return true;
  switch (text[0]) {
    case ' ':
      break;
    case 'C':
      *modifier = MODIFIER_CONTROL;
      break;
    case 'S':
      *modifier = MODIFIER_SHIFT;
      break;
    case 'A':
      *modifier = MODIFIER_ALT;
      break;
    default:
      if (!text[1]) return refuse(def, "a shortcut needs a modifier and a key, as in \"CQ\"");
      return refuse(def, "a shortcut begins with C, S, A or a blank");
  }
  if (!text[1]) return refuse(def, "a shortcut needs a modifier and a key, as in \"CQ\"");
  if (text[1] == '#') {
    char* end;
    *shortcut = (int)strtol(text + 2, &end, 10);
    return end != text + 2 || refuse(def, "a shortcut with # needs the number of a key");
  }
  if (text[1] == ' ' || text[2]) return refuse(def, "a shortcut has one key");
  *shortcut = (unsigned char)text[1];
  return true;
}

// Names of elements stand on lines of their own.
static bool read_elements(mjuiItem* item, const mjuiDef* def) {
  const char* at = def->other;
  item->multi.nelem = 0;
  while (*at) {
    size_t n = strcspn(at, "\n");
    if (item->multi.nelem == mjMAXUIMULTI) return refuse(def, "it has too many elements");
    if (n == 0 || n >= mjMAXUINAME) return refuse(def, "the name of an element is empty or long");
    char* name = item->multi.name[item->multi.nelem++];
    memcpy(name, at, n);
    name[n] = 0;
    at += n + (at[n] == '\n');
  }
  return true;
}

static bool read_slider(mjuiItem* item, const mjuiDef* def) {
  struct mjuiItemSlider_* s = &item->slider;
  bool whole = item->type == mjITEM_SLIDERINT;
  int n = sscanf(def->other, "%lf %lf %lf", s->range, s->range + 1, &s->divisions);
  if (n < 2) return refuse(def, "a slider needs its range, \"from to\" or \"from to divisions\"");
  if (n == 2) s->divisions = whole ? s->range[1] - s->range[0] : DIVISIONS;
  if (s->divisions < 1) s->divisions = 1;
  return true;
}

// The number of fields, then a range for each of them or none.
static bool read_fields(mjuiItem* item, const mjuiDef* def) {
  const char* at = def->other;
  char* end;
  int n = (int)strtol(at, &end, 10), count = 0;
  if (end == at) return refuse(def, "it lacks the number of its fields");
  if (n < 1 || n > mjMAXUIEDIT) return refuse(def, "it has more fields than possible, or none");
  item->edit.nelem = n;
  double numbers[2 * mjMAXUIEDIT + 1];
  for (at = end; count <= 2 * n; count++, at = end) {
    numbers[count] = strtod(at, &end);
    if (end == at) break;
  }
  if (count != 0 && count != 2 * n) return refuse(def, "it needs a range for each field, or none");
  memset(item->edit.range, 0, sizeof(item->edit.range));
  if (count) memcpy(item->edit.range, numbers, (size_t)count * sizeof(double));
  return true;
}

static bool read_rest(mjuiItem* item, const mjuiDef* def) {
  switch (item->type) {
    case mjITEM_BUTTON:
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      return read_shortcut(def, &item->single.modifier, &item->single.shortcut);
    case mjITEM_STATIC:
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
    case mjITEM_SELECT:
      return read_elements(item, def);
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      return read_slider(item, def);
    case mjITEM_EDITINT:
    case mjITEM_EDITNUM:
    case mjITEM_EDITFLOAT:
      return read_fields(item, def);
    default:
      return true;
  }
}

static bool add_section(mjUI* ui, const mjuiDef* def) {
  if (ui->nsect == mjMAXUISECT) return refuse(def, "there is no room for another section");
  mjuiSection* s = ui->sect + ui->nsect;
  int state = def->state;
  if (state == mjPRESERVE) {
    state = s->state;
  } else if (state < mjSECT_CLOSED || state > mjSECT_FIXED) {
    return refuse(def, "the state of a section is 0, 1 or 2");
  }
  int modifier, shortcut;
  if (!read_shortcut(def, &modifier, &shortcut)) return false;
  memcpy(s->name, def->name, sizeof(s->name));
  s->state = state;
  s->modifier = modifier;
  s->shortcut = shortcut;
  s->checkbox = def->otherint;
  s->nitem = 0;
  ui->nsect++;
  return true;
}

static bool add_item(mjUI* ui, int section, const mjuiDef* def) {
  if (section < 0) return refuse(def, "it stands before the first section");
  mjuiSection* s = ui->sect + section;
  if (s->nitem == mjMAXUIITEM) return refuse(def, "there is no room for another item");
  bool with_data = def->type >= mjITEM_CHECKINT;
  if (with_data && !def->pdata) return refuse(def, "an item of its kind needs data");
  if (!with_data && def->pdata) return refuse(def, "an item of its kind has no data");
  if (def->state < 0) return refuse(def, "its state is negative");
  mjuiItem* item = s->item + s->nitem;
  int state = def->state == mjPRESERVE ? item->state : def->state;
  memset(item, 0, sizeof(*item));
  item->type = def->type;
  memcpy(item->name, def->name, sizeof(item->name));
  item->state = state;
  item->pdata = def->pdata;
  item->sectionid = section;
  item->itemid = s->nitem;
  item->userid = def->otherint;
  if (!read_rest(item, def)) return false;
  s->nitem++;
  return true;
}

// Lines up to the end of the table. section: where items go that stand before a section.
static void add(mjUI* ui, const mjuiDef* def, int section) {
  for (; def->type != mjITEM_END; def++) {
    bool good = false;
    if (!memchr(def->name, 0, sizeof(def->name)) || !memchr(def->other, 0, sizeof(def->other))) {
      mju_error("mjui_add: a name or text has no end");
    } else if (def->type == mjITEM_SECTION) {
      good = add_section(ui, def);
      section = ui->nsect - 1;
    } else if (def->type < 0 || def->type >= mjNITEM) {
      refuse(def, "there is no such kind of item");
    } else {
      good = add_item(ui, section, def);
    }
    if (!good) return;
  }
}

void mjui_add(mjUI* ui, const mjuiDef* def) {
  add(ui, def, ui->nsect - 1);
}

void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def) {
  add(ui, def, sect < mjMAXUISECT ? sect : -1);
}
