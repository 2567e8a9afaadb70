// Texts that grow, and files that are written only when their text changes, so that a build that
// changes nothing touches nothing.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

void die(const char* format, const char* what) {
  fprintf(stderr, "generate: ");
  fprintf(stderr, format, what);
  fprintf(stderr, "\n");
  exit(1);
}

void append(Text* t, const char* piece, size_t n) {
  if (t->size + n + 1 > t->room) {
    t->room = 2 * (t->size + n + 1);
    t->text = (char*)realloc(t->text, t->room);
    if (!t->text) die("%s", "out of memory");
  }
  memcpy(t->text + t->size, piece, n);
  t->size += n;
  t->text[t->size] = 0;
}

void put(Text* t, const char* format, ...) {
  char line[4096];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof(line)) die("line too long: %s", format);
  append(t, line, (size_t)n);
}

bool read_file(Text* t, const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) return false;
  char block[65536];
  size_t n;
  while ((n = fread(block, 1, sizeof(block), f)) > 0) append(t, block, n);
  fclose(f);
  if (!t->text) append(t, "", 0);
  return true;
}

void write_if_changed(const char* path, const Text* t) {
  Text old = {0};
  bool same = read_file(&old, path) && old.size == t->size && !memcmp(old.text, t->text, t->size);
  free(old.text);
  if (same) return;
  FILE* f = fopen(path, "wb");
  if (!f || fwrite(t->text, 1, t->size, f) != t->size || fclose(f)) die("cannot write %s", path);
}

void write_region(const char* root, const char* name, const char* label, const Text* body) {
  char path[1024], mark[128];
  snprintf(path, sizeof(path), "%s/%s", root, name);
  snprintf(mark, sizeof(mark), "// BEGIN generated %s ", label);
  Text old = {0}, fresh = {0};
  if (!read_file(&old, path)) die("cannot read %s", path);
  char* begin = strstr(old.text, mark);
  char* end = begin ? strstr(begin, "// END generated") : NULL;
  if (!end) die("%s has no region that starts with BEGIN generated and its label", path);
  begin = strchr(begin, '\n') + 1;
  append(&fresh, old.text, (size_t)(begin - old.text));
  append(&fresh, body->text, body->size);
  append(&fresh, end, strlen(end));
  write_if_changed(path, &fresh);
  free(old.text);
  free(fresh.text);
}

void write_page(const char* root, const char* name, const Text* page) {
  char path[1024];
  snprintf(path, sizeof(path), "%s/%s", root, name);
  write_if_changed(path, page);
}
