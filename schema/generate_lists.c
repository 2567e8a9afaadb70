// The lists of mjxmacro.h: macros that hand every field of a public struct to a macro X of the
// program.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

// Fields that no picture needs: XNV instead of X.
static const char* const unseen[] = {
#define UNSEEN(name) #name,
#include "unseen.def"
};

static bool is_unseen(const char* name) {
  for (int i = 0; i < COUNT(unseen); i++) {
    if (!strcmp(unseen[i], name)) return true;
  }
  return false;
}

static bool is_array_of(const Field* f, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (is_array(f + i) && !strcmp(f[i].name, name)) return true;
  }
  return false;
}

static void check_unseen(void) {
  for (int i = 0; i < COUNT(unseen); i++) {
    if (!is_array_of(model_fields, nmodel_field, unseen[i]) &&
        !is_array_of(data_fields, ndata_field, unseen[i])) {
      die("schema/unseen.def names %s, which is not an array of model or data", unseen[i]);
    }
  }
}

// A list macro is written row by row: open_list, any number of put_row, close_list.
static void open_list(Text* t, const char* name) {
  put(t, "#define %-68s", name);
}

__attribute__((format(printf, 2, 3))) static void put_row(Text* t, const char* format, ...) {
  char row[512];
  va_list args;
  va_start(args, format);
  vsnprintf(row, sizeof(row), format, args);
  va_end(args);
  put(t, " \\\n  %-74s", row);
}

static void close_list(Text* t) {
  while (t->text[t->size - 1] == ' ') t->size--;
  put(t, "\n\n");
}

// Is the text a size of the model, or a multiple such as nmocap*3? Its length then, else 0.
static int model_size(const char* text) {
  int n = (int)strcspn(text, "*");
  for (int i = 0; i < nmodel_field; i++) {
    const Field* f = model_fields + i;
    if (f->kind == 's' && (int)strlen(f->name) == n && !strncmp(f->name, text, (size_t)n)) return n;
  }
  return 0;
}

// X(type, name, rows, columns). Sizes other than the rows of a buffer array stand in MJ_M or MJ_D.
static void put_array_row(Text* t, const Field* f) {
  char rows[128], cols[128];
  if (f->kind == 'a') {
    snprintf(rows, sizeof(rows), "%s", f->rows);
  } else {
    snprintf(rows, sizeof(rows), "%s(%s)", model_size(f->rows) ? "MJ_M" : "MJ_D", f->rows);
  }
  int n = model_size(f->cols);
  if (n && f->cols[n]) {
    snprintf(cols, sizeof(cols), "MJ_M(%.*s) * %s", n, f->cols, f->cols + n + 1);
  } else if (n) {
    snprintf(cols, sizeof(cols), "MJ_M(%s)", f->cols);
  } else {
    snprintf(cols, sizeof(cols), "%s", f->cols);
  }
  put_row(t, "%s(%s, %s, %s, %s)", is_unseen(f->name) ? "XNV" : "X", f->type, f->name, rows, cols);
}

// The local variables that the columns of these arrays need while MJ_M(n) is plain n.
static void put_preamble(Text* t, const char* name, const Field* f, int n) {
  Text seen = {0};
  append(&seen, " ", 1);
  open_list(t, name);
  for (int i = 0; i < n; i++) {
    char word[128];
    int length = f[i].kind == 'a' ? model_size(f[i].cols) : 0;
    snprintf(word, sizeof(word), " %.*s ", length, f[i].cols);
    if (!length || strstr(seen.text, word)) continue;
    put(&seen, "%s", word + 1);
    put_row(t, "int %.*s = (int)((m)->%.*s);", length, f[i].cols, length, f[i].cols);
  }
  close_list(t);
  free(seen.text);
}

static void put_settings_lists(Text* t) {
  static const struct {
    const char *list, *type;
  } scalars[] = {{"MJOPTION_FLOATS", "mjtNum"}, {"MJOPTION_INTS", "int"}};

  put(t, "// Numbers of mjOption: X(type, name); vectors: X(name, length).\n");
  for (int k = 0; k < COUNT(scalars); k++) {
    open_list(t, scalars[k].list);
    for (int i = 0; i < nsetting; i++) {
      const Setting* s = settings + i;
      if (s->kind != 'o' || !is_single(s) || strcmp(s->type, scalars[k].type)) continue;
      put_row(t, "X(%s, %s)", s->type, s->name);
    }
    close_list(t);
  }
  put(t, "#define MJOPTION_SCALARS MJOPTION_FLOATS MJOPTION_INTS\n\n");
  open_list(t, "MJOPTION_VECTORS");
  for (int i = 0; i < nsetting; i++) {
    const Setting* s = settings + i;
    if (s->kind == 'o' && !is_single(s)) put_row(t, "X(%s, %s)", s->name, s->extent);
  }
  close_list(t);

  put(t, "// Members of mjStatistic: X(type, name, length).\n");
  open_list(t, "MJSTATISTIC_FIELDS");
  for (int i = 0; i < nsetting; i++) {
    const Setting* s = settings + i;
    if (s->kind == 's') put_row(t, "X(%s, %s, %s)", s->type, s->name, s->extent);
  }
  close_list(t);

  put(t, "// Members of mjVisual: X(part, type, name, length).\n");
  open_list(t, "MJVISUAL_FIELDS");
  for (int i = 0; i < nsetting; i++) {
    const Setting* s = settings + i;
    if (s->kind == 'v') put_row(t, "X(%s, %s, %s, %s)", s->part, s->type, s->name, s->extent);
  }
  close_list(t);
}

static void put_model_lists(Text* t) {
  put(t, "// Sizes of mjModel: X(name).\n");
  open_list(t, "MJMODEL_SIZES");
  for (int i = 0; i < nmodel_field; i++) {
    if (model_fields[i].kind == 's') put_row(t, "X(%s)", model_fields[i].name);
  }
  close_list(t);

  put(t, "// Sizes that stand as columns in the lists below, as local variables.\n");
  put_preamble(t, "MJMODEL_POINTERS_PREAMBLE(m)", model_fields, nmodel_field);

  put(t, "// Arrays of mjModel: X(type, name, rows, columns), one list per kind of object.\n");
  Text all = {0};
  open_list(&all, "MJMODEL_POINTERS");
  const char* tag = "";
  bool open = false;
  for (int i = 0; i < nmodel_field; i++) {
    const Field* f = model_fields + i;
    if (f->kind == 'a' && !open) {
      char name[128];
      snprintf(name, sizeof(name), "MJMODEL_POINTERS_%s", tag);
      open_list(t, name);
      put_row(&all, "%s", name);
      open = true;
    } else if (f->kind != 'a' && open) {
      close_list(t);
      open = false;
    }
    if (f->kind == 'g') tag = f->name;
    if (f->kind == 'a') put_array_row(t, f);
  }
  close_list(&all);
  put(t, "// All of them, in the order of the struct, which is also the order in the buffer.\n");
  append(t, all.text, all.size);
  free(all.text);
}

// Which list of the arena an array belongs to.
static const char* arena_list(const Field* f) {
  if (!strcmp(f->type, "mjContact")) return "CONTACT";
  if (!strcmp(f->stage, "PROJECT")) return "DUAL";
  bool by_island =
      !strcmp(f->stage, "ISLAND") || !strcmp(f->rows, "nidof") || !strncmp(f->name, "iefc_", 5);
  return by_island ? "ISLAND" : "SOLVER";
}

static void put_arena_lists(Text* t) {
  static const char* const lists[] = {"CONTACT", "SOLVER", "DUAL", "ISLAND"};
  put(t, "// Arrays in the arena of mjData: X(type, name, rows, columns), rows in MJ_M or MJ_D.\n");
  for (int k = 0; k < COUNT(lists); k++) {
    char name[128];
    snprintf(name, sizeof(name), "MJDATA_ARENA_POINTERS_%s", lists[k]);
    open_list(t, name);
    for (int i = 0; i < ndata_field; i++) {
      const Field* f = data_fields + i;
      if (f->kind == 'r' && !strcmp(arena_list(f), lists[k])) put_array_row(t, f);
    }
    close_list(t);
  }
  open_list(t, "MJDATA_ARENA_POINTERS");
  for (int k = 0; k < COUNT(lists); k++) put_row(t, "MJDATA_ARENA_POINTERS_%s", lists[k]);
  close_list(t);
}

// Programs know the sizes of an mjData as size_t in these lists, whatever the struct says.
static const char* list_type(const Field* f) {
  return strcmp(f->type, "mjtSize") ? f->type : "size_t";
}

// Memory blocks are pointers and the fingerprint belongs to the model: neither is in a list.
static bool is_listed(const Field* f) {
  return f->kind == 'v' && !strchr(f->type, '*') && strcmp(f->name, "signature");
}

static void put_data_lists(Text* t) {
  put_preamble(t, "MJDATA_POINTERS_PREAMBLE(m)", data_fields, ndata_field);
  put(t, "// Arrays in the buffer of mjData: X(type, name, rows, columns).\n");
  open_list(t, "MJDATA_POINTERS");
  for (int i = 0; i < ndata_field; i++) {
    if (data_fields[i].kind == 'a') put_array_row(t, data_fields + i);
  }
  close_list(t);
  put_arena_lists(t);

  put(t, "// Numbers of mjData: X(type, name).\n");
  open_list(t, "MJDATA_SCALAR");
  for (int i = 0; i < ndata_field; i++) {
    const Field* f = data_fields + i;
    if (is_listed(f) && !*f->rows) put_row(t, "X(%s, %s)", list_type(f), f->name);
  }
  close_list(t);

  put(t, "// Arrays inside mjData itself: X(type, name, rows, columns).\n");
  open_list(t, "MJDATA_VECTOR");
  for (int i = 0; i < ndata_field; i++) {
    const Field* f = data_fields + i;
    char rows[64], cols[64] = "1";
    if (!is_listed(f) || !*f->rows) continue;
    sscanf(f->rows, "[%63[^]* ]%*[* ]%63[^]]", rows, cols);
    put_row(t, "X(%s, %s, %s, %s)", list_type(f), f->name, rows, cols);
  }
  close_list(t);
}

void put_lists(Text* t) {
  check_unseen();
  put_settings_lists(t);
  put_model_lists(t);
  put_data_lists(t);
}
