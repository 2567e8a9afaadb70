// The fields of mjModel and mjData: the tables as rows of text, the struct declarations, and the
// page that documents them.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "generate.h"

#define BY(n) #n
#define BY_SIZE(size) #size
#define BY_TIMES(n, size) #size "*" #n
#define MODEL(size) #size
#define DATA(size) #size

#define NO_TARGET \
  { ' ', "", "" }
#define NOTHING NO_TARGET
#define ENUM(name) \
  { 'e', #name, "" }
#define ID(size) \
  { 'i', #size, "" }
#define SPAN(size, count) \
  { 's', #size, #count }
#define UNCHECKED(size) \
  { 'u', #size, "" }

const Field model_fields[] = {
#define MODEL_GROUP(tag, title) {'g', "", #tag, "", "", NO_TARGET, "", title},
#define MODEL_SIZE(name, doc) {'s', "mjtSize", #name, "", "", NO_TARGET, "", doc},
#define MODEL_VALUE(type, name, doc) {'v', #type, #name, "", "", NO_TARGET, "", doc},
#define MODEL_ARRAY(type, name, rows, cols, target, doc) \
  {'a', #type, #name, #rows, cols, target, "", doc},
#include "model.def"
};
const int nmodel_field = COUNT(model_fields);

const Field data_fields[] = {
#define DATA_GROUP(title) {'g', "", "", "", "", NO_TARGET, "", title},
#define DATA_VALUE(type, name, extent, doc) {'v', #type, #name, #extent, "", NO_TARGET, "", doc},
#define DATA_ARRAY(type, name, rows, cols, stage, doc) \
  {'a', #type, #name, #rows, cols, NO_TARGET, #stage, doc},
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc) \
  {'r', #type, #name, rows, cols, NO_TARGET, #stage, doc},
#include "data.def"
};
const int ndata_field = COUNT(data_fields);

// "nbody x 3", or "nbody" where a row is one number.
static void put_shape(Text* t, const Field* f) {
  put(t, "%s", f->rows);
  if (strcmp(f->cols, "1")) put(t, " x %s", f->cols);
}

// The declaration of a member without its comment. Returns its length.
static int declaration(char* text, size_t room, const Field* f) {
  return snprintf(text, room, "  %s%s %s%s;", f->type, is_array(f) ? "*" : "", f->name,
                  is_array(f) ? "" : f->rows);
}

// The longest declaration of the group that starts at f.
static int group_width(const Field* f, const Field* end) {
  int width = 0;
  for (f++; f < end && f->kind != 'g'; f++) {
    char text[256];
    int length = declaration(text, sizeof(text), f);
    if (length > width) width = length;
  }
  return width;
}

// One member, its comment at the column that its group agrees on.
static void put_member(Text* t, const Field* f, int width) {
  char text[256];
  declaration(text, sizeof(text), f);
  put(t, "%-*s  // ", width, text);
  if (is_array(f)) {
    put(t, "(");
    put_shape(t, f);
    put(t, ") ");
  }
  put(t, "%s", f->doc);
  if (f->target.kind == 'e') put(t, " (%s)", f->target.of);
  put(t, "\n");
}

static void put_struct(Text* t, const char* name, const char* doc, const Field* f, int n) {
  put(t, "typedef struct %s_ {  // %s\n", name, doc);
  int width = 0;
  for (int i = 0; i < n; i++) {
    if (f[i].kind == 'g') {
      put(t, "%s  // %s\n", i ? "\n" : "", f[i].doc);
      width = group_width(f + i, f + n);
    } else {
      put_member(t, f + i, width);
    }
  }
  put(t, "} %s;\n", name);
}

void put_model_struct(Text* t) {
  put_struct(t, "mjModel", "a compiled model; arrays live in one buffer", model_fields,
             nmodel_field);
}

void put_data_struct(Text* t) {
  put_struct(t, "mjData", "state and results of one simulation", data_fields, ndata_field);
}

// What the entries of an array of the model stand for.
static void put_target(Text* t, const Target* target) {
  switch (target->kind) {
    case 'e':
      put(t, "`%s`", target->of);
      break;
    case 'i':
      put(t, "index below `%s`", target->of);
      break;
    case 's':
      put(t, "first of `%s`, below `%s`", target->count, target->of);
      break;
    case 'u':
      put(t, "index below `%s`, not checked", target->of);
      break;
  }
}

static void put_stage(Text* t, const char* stage) {
  for (; *stage; stage++) put(t, "%c", tolower((unsigned char)*stage));
}

// Rows of a table in Markdown: sizes and values in three columns, arrays in five.
static void put_row(Text* t, const Field* f) {
  put(t, "| `%s` | `%s%s` | ", f->name, f->type, is_array(f) ? "*" : f->rows);
  if (is_array(f)) {
    put_shape(t, f);
    put(t, " | ");
    put_target(t, &f->target);
    put_stage(t, f->stage);
    put(t, " | ");
  }
  put(t, "%s |\n", f->doc);
}

// The groups of one struct, each a table, or two where plain members and arrays meet.
static void put_tables(Text* t, const char* name, const char* fourth, const Field* f, int n) {
  put(t, "\n## %s\n", name);
  for (int i = 0; i < n; i++) {
    if (f[i].kind == 'g') {
      put(t, "\n### %c%s\n", toupper((unsigned char)f[i].doc[0]), f[i].doc + 1);
      continue;
    }
    if (f[i - 1].kind == 'g' || is_array(f + i) != is_array(f + i - 1)) {
      if (is_array(f + i)) {
        put(t, "\n| field | type | shape | %s | meaning |\n|---|---|---|---|---|\n", fourth);
      } else {
        put(t, "\n| field | type | meaning |\n|---|---|---|\n");
      }
    }
    put_row(t, f + i);
  }
}

void put_fields_page(Text* t) {
  put(t,
      "# Fields of model and data\n\n"
      "Generated by `schema/generate` from `schema/model.def`, `schema/settings.def` and "
      "`schema/data.def`; do not edit. "
      "[schema.md](schema.md) explains the tables.\n\n"
      "Arrays are stored row after row. Lengths are metres, angles radians, masses kilograms, "
      "times "
      "seconds unless the model chose other units; quaternions are (w, x, y, z), unit length. "
      "Frames "
      "are the world's unless another is named. *com*: centre of mass; *dof*: degree of freedom. "
      "Indices count from 0 and -1 means none. "
      "*Written by* names the stage of a step that fills an array of the data: the words are "
      "explained "
      "at the top of `schema/data.def`.\n");
  put_tables(t, "mjModel", "entries are", model_fields, nmodel_field);
  put_settings_tables(t);
  put_tables(t, "mjData", "written by", data_fields, ndata_field);
}
