// R30.1: numbers that make no sense, in every attribute that takes numbers, do no harm.
//
// The models in models/ set every attribute. Each attribute of each kind of element is spoiled
// once: its first number becomes NaN, an infinity, zero or negative. The model is then refused with
// a message, or compiled; what it does is not asked.

#include <dirent.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char* const bad_numbers[] = {"nan", "inf", "-1", "0"};
enum { NBAD = 4, MOST = 4000, LONGEST = 80 };

typedef struct {
  char seen[MOST][LONGEST];  // "element attribute"
  int nseen;
  int tried, refused;
} Spoiler;

static bool is_new(Spoiler* s, const char* key) {
  for (int i = 0; i < s->nseen; i++) {
    if (!strcmp(s->seen[i], key)) return false;
  }
  assert_true(s->nseen < MOST);
  snprintf(s->seen[s->nseen++], LONGEST, "%s", key);
  return true;
}

static char* read_text(const char* path) {
  FILE* f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char* text = (char*)calloc((size_t)size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  fclose(f);
  return text;
}

// Loads a text in the place of a file, so that the files that it names are found.
static void load(Spoiler* s, const char* text, const char* name) {
  mjVFS vfs;
  char error[1000] = "", path[1200];
  mj_defaultVFS(&vfs);
  snprintf(path, sizeof(path), "%s/models/%s", CT_SOURCE_DIR, name);
  assert_int_equal(mj_addBufferVFS(&vfs, path, text, (int)strlen(text)), 0);
  mjModel* m = mj_loadXML(path, &vfs, error, sizeof(error));
  s->tried++;
  if (!m) {
    s->refused++;
    if (!*error) fail_msg("%s is refused without a word", name);
  }
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

// Length of the number that a text starts with; 0: it starts with none.
static size_t number_length(const char* text) {
  char* end;
  strtod(text, &end);
  bool number = end > text && strchr("0123456789+-.", *text);
  return number && strchr(" \t\n\"'", *end) ? (size_t)(end - text) : 0;
}

static void spoil_number(Spoiler* s, const char* text, size_t at, size_t length, const char* name) {
  size_t room = strlen(text) + 16;
  char* spoiled = (char*)malloc(room);
  assert_non_null(spoiled);
  for (int i = 0; i < NBAD; i++) {
    snprintf(spoiled, room, "%.*s%s%s", (int)at, text, bad_numbers[i], text + at + length);
    load(s, spoiled, name);
  }
  free(spoiled);
}

// All attributes of one tag, which starts behind its "<".
static void spoil_tag(Spoiler* s, const char* text, const char* tag, const char* name) {
  int element = (int)strcspn(tag, " \t\r\n/>");
  const char* p = tag + element;
  while (*p && *p != '>' && *p != '/') {
    p += strspn(p, " \t\r\n");
    size_t attribute = strcspn(p, "= \t\r\n/>");
    const char* start = p;
    p += attribute;
    if (*p != '=') return;
    const char* value = p + 2;
    const char* stop = strchr(value, p[1]);
    if (!stop) return;
    char key[LONGEST];
    snprintf(key, sizeof(key), "%.*s %.*s", element, tag, (int)attribute, start);
    size_t length = number_length(value);
    if (length && is_new(s, key)) spoil_number(s, text, (size_t)(value - text), length, name);
    p = stop + 1;
  }
}

static void spoil_model(Spoiler* s, const char* name) {
  char path[1200];
  snprintf(path, sizeof(path), "%s/models/%s", CT_SOURCE_DIR, name);
  char* text = read_text(path);
  for (const char* p = text; *p; p++) {
    if (!strncmp(p, "<!--", 4)) {
      p = strstr(p, "-->");
      if (!p) break;
    } else if (*p == '<' && p[1] != '/') {
      spoil_tag(s, text, p + 1, name);
    }
  }
  free(text);
}

static void be_quiet(const char* message) {
  (void)message;
}

static void R30_1_bad_numbers_in_every_attribute_do_no_harm(void** state) {
  (void)state;
  Spoiler* s = (Spoiler*)calloc(1, sizeof(Spoiler));
  assert_non_null(s);
  mju_user_warning = be_quiet;
  DIR* folder = opendir(CT_SOURCE_DIR "/models");
  assert_non_null(folder);
  for (struct dirent* entry; (entry = readdir(folder));) {
    const char* dot = strrchr(entry->d_name, '.');
    if (dot && !strcmp(dot, ".xml")) spoil_model(s, entry->d_name);
  }
  closedir(folder);
  mju_user_warning = NULL;
  print_message("%d attributes, %d models, %d of them refused\n", s->nseen, s->tried, s->refused);
  assert_true(s->nseen > 400);
  assert_true(s->refused > 100);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R30_1_bad_numbers_in_every_attribute_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
