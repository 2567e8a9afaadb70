// mj_printSchema: the elements and attributes of MJCF as a table, in text or HTML. The table is the
// reference's to the letter; elements and attributes of our own are left out.

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/schema.h"

typedef struct {
  FILE* file;    // or NULL
  char* buffer;  // or NULL
  size_t room;
  size_t length;  // of the whole text
} Sheet;

static void put(Sheet* sheet, const char* format, ...) {
  char piece[400];
  va_list values;
  va_start(values, format);
  int n = vsnprintf(piece, sizeof(piece), format, values);
  va_end(values);
  if (n < 0) return;
  if (sheet->file) fputs(piece, sheet->file);
  if (sheet->buffer && sheet->length + 1 < sheet->room) {
    size_t fits = sheet->room - 1 - sheet->length;
    memcpy(sheet->buffer + sheet->length, piece, (size_t)n < fits ? (size_t)n : fits);
  }
  sheet->length += (size_t)n;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

enum { MOST = 64, FIRST_COLUMN = 30, LAST_COLUMN = 60 };

static int sorted_names(const ct_Rule* rule, const char* names[MOST]) {
  int n = 0;
  for (int i = 0; i < rule->nallowed && n < MOST; i++) {
    if (!rule->allowed[i].own) names[n++] = rule->allowed[i].attribute->name;
  }
  qsort((void*)names, (size_t)n, sizeof(names[0]), by_name);
  return n;
}

static const char* printed_name(const ct_Rule* rule) {
  return rule->depth == 1 && !strcmp(rule->name, "body") ? "(world)body" : rule->name;
}

static void put_text(Sheet* sheet, const ct_Rule* rule) {
  const char* names[MOST];
  int n = sorted_names(rule, names);
  int used = 3 * rule->depth + (int)strlen(printed_name(rule)) + 4;
  int first = used > FIRST_COLUMN ? used : FIRST_COLUMN, column = first;
  put(sheet, "%*s%s (%c)%*s", 3 * rule->depth, "", printed_name(rule), rule->count, first - used,
      "");
  for (int i = 0; i < n; i++) {
    if (column > LAST_COLUMN) {
      put(sheet, "\n%*s", first, "");
      column = first;
    }
    put(sheet, "%s ", names[i]);
    column += (int)strlen(names[i]) + 1;
  }
  put(sheet, "\n");
}

static void put_html(Sheet* sheet, const ct_Rule* rule, bool pad) {
  const char* names[MOST];
  int n = sorted_names(rule, names);
  put(sheet, "<tr>\n\t<td ");
  if (pad) put(sheet, "style=\"padding-left:%d\" ", 5 + 15 * rule->depth);
  put(sheet, "bgcolor=\"#EEEEEE\" class=\"el\">");
  for (int i = 0; !pad && i < 4 * rule->depth; i++) put(sheet, "&nbsp;");
  put(sheet, "%s</td>\n\t<td class=\"ty\">%c</td>\n\t<td class=\"at\">", printed_name(rule),
      rule->count);
  for (int i = 0; i < n; i++) put(sheet, "%s ", names[i]);
  if (!n) put(sheet, "<span style=\"color:black\"><i>no attributes</i></span>");
  put(sheet, "</td>\n</tr>\n");
}

int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  Sheet sheet = {NULL, buffer, buffer_sz > 0 ? (size_t)buffer_sz : 0, 0};
  if (filename) sheet.file = fopen(filename, "w");
  int n;
  const ct_Rule* rules = ct_rules(&n);
  if (flg_html) put(&sheet, "<table border=\"1\">\n");
  for (int i = 0; i < n; i++) {
    if (rules[i].count == '.' || rules[i].count == '+') continue;  // not in the published schema
    if (flg_html) {
      put_html(&sheet, &rules[i], flg_pad != 0);
    } else {
      put_text(&sheet, &rules[i]);
    }
  }
  if (flg_html) put(&sheet, "</table>\n");
  if (sheet.file) fclose(sheet.file);
  if (buffer && sheet.room) buffer[sheet.length < sheet.room ? sheet.length : sheet.room - 1] = 0;
  return (int)sheet.length;
}
