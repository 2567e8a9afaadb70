#include "support/recorded.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"

typedef struct {
  char* name;
  char type;  // 'd' or 'i'
  size_t count;
  void* values;  // own copy: the file does not align
} Block;

struct Recorded_ {
  Block* blocks;
  int nblock;
};

static void must_read(FILE* f, void* to, size_t n, const char* path) {
  if (fread(to, 1, n, f) != n) fail_msg("%s ends early", path);
}

// A recording says in its first line which format it has and whose numbers it holds.
static void check_origin(FILE* f, const char* path) {
  char line[100] = "", expected[100];
  snprintf(expected, sizeof(expected), "CTREC2 mujoco %s\n", mj_versionString());
  if (!fgets(line, sizeof(line), f)) fail_msg("%s is empty", path);
  if (strcmp(line, expected) != 0 && strcmp(line, "CTREC2 exact\n") != 0)
    fail_msg("%s is \"%.40s\", not \"%.40s\": run make record", path, line, expected);
}

const char* recorded_folder(void) {
  const char* folder = getenv("CORTEN_RECORDED");
  return folder ? folder : CT_SOURCE_DIR "/tests/recorded";
}

bool recorded_exists(const char* name) {
  char path[1024];
  snprintf(path, sizeof(path), "%s/%s", recorded_folder(), name);
  FILE* f = fopen(path, "rb");
  if (f) fclose(f);
  return f != NULL;
}

Recorded* recorded_open(const char* name) {
  char path[1024];
  snprintf(path, sizeof(path), "%s/%s", recorded_folder(), name);
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("cannot open %s", path);
  check_origin(f, path);

  Recorded* r = (Recorded*)calloc(1, sizeof(Recorded));
  int32_t length, type;
  int64_t count;
  while (fread(&length, sizeof(length), 1, f) == 1) {
    r->blocks = (Block*)realloc(r->blocks, (size_t)(r->nblock + 1) * sizeof(Block));
    Block* b = r->blocks + r->nblock++;
    b->name = (char*)calloc((size_t)length + 1, 1);
    must_read(f, b->name, (size_t)length, path);
    must_read(f, &type, sizeof(type), path);
    must_read(f, &count, sizeof(count), path);
    size_t bytes = (size_t)count * (type == 'd' ? sizeof(double) : sizeof(int32_t));
    b->type = (char)type;
    b->count = (size_t)count;
    b->values = malloc(bytes ? bytes : 1);
    must_read(f, b->values, bytes, path);
  }
  fclose(f);
  return r;
}

void recorded_close(Recorded* r) {
  if (!r) return;
  for (int i = 0; i < r->nblock; i++) {
    free(r->blocks[i].name);
    free(r->blocks[i].values);
  }
  free(r->blocks);
  free(r);
}

static const void* find(const Recorded* r, const char* name, char type, size_t* count) {
  for (int i = 0; i < r->nblock; i++) {
    if (r->blocks[i].type == type && !strcmp(r->blocks[i].name, name)) {
      if (count) *count = r->blocks[i].count;
      return r->blocks[i].values;
    }
  }
  if (count) *count = 0;
  return NULL;
}

const double* recorded_doubles(const Recorded* r, const char* name, size_t* count) {
  return (const double*)find(r, name, 'd', count);
}

const int* recorded_ints(const Recorded* r, const char* name, size_t* count) {
  return (const int*)find(r, name, 'i', count);
}

int recorded_count(const Recorded* r) {
  return r->nblock;
}

const char* recorded_name(const Recorded* r, int i) {
  return r->blocks[i].name;
}

enum { NAME_BYTES = 128 };

static void join(char name[NAME_BYTES], const char* state, const char* what) {
  snprintf(name, NAME_BYTES, "%s/%s", state, what);
}

const double* recorded_numbers_of(const Recorded* r, const char* state, const char* what,
                                  size_t* count) {
  char name[NAME_BYTES];
  join(name, state, what);
  const double* values = recorded_doubles(r, name, count);
  if (!values) fail_msg("%s is not recorded", name);
  return values;
}

const int* recorded_ints_of(const Recorded* r, const char* state, const char* what) {
  char name[NAME_BYTES];
  join(name, state, what);
  const int* values = recorded_ints(r, name, NULL);
  if (!values) fail_msg("%s is not recorded", name);
  return values;
}

void recorded_fill(const Recorded* r, const char* state, const char* what, mjtNum* target,
                   size_t n) {
  size_t count;
  const double* values = recorded_numbers_of(r, state, what, &count);
  if (count != n) fail_msg("%s/%s has %zu numbers, not %zu", state, what, count, n);
  for (size_t i = 0; i < n; i++) target[i] = (mjtNum)values[i];
}

bool recorded_next_state(const Recorded* r, int* i, char* state, size_t size) {
  for (; *i < r->nblock; ++*i) {
    const char* end = strstr(r->blocks[*i].name, "/in/qpos");
    if (!end) continue;
    snprintf(state, size, "%.*s", (int)(end - r->blocks[*i].name), r->blocks[*i].name);
    ++*i;
    return true;
  }
  return false;
}
