// R30.1, R30.3, R30.5: every file that once broke a reader, and a few made by hand for the same
// purpose, is read again: tests/recorded/fuzz/KIND/NAME goes to the reader of its kind. Nothing may
// crash, hang or leak (this runs under the sanitizers too).

#include <dirent.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"
#include "support/fail.h"

static void ignore(const char* message) {
  (void)message;
}

static void feed_file(const char* path, void (*feed)(const uint8_t*, size_t)) {
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t* bytes = (uint8_t*)malloc(size ? size : 1);
  assert_int_equal(fread(bytes, 1, size, file), size);
  fclose(file);
  feed(bytes, size);
  free(bytes);
}

static int feed_folder(const char* kind, void (*feed)(const uint8_t*, size_t)) {
  char folder[500], path[1000];
  snprintf(folder, sizeof(folder), CT_SOURCE_DIR "/tests/recorded/fuzz/%s", kind);
  DIR* open = opendir(folder);
  if (!open) return 0;
  int n = 0;
  for (struct dirent* entry; (entry = readdir(open));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    feed_file(path, feed);
    n++;
  }
  closedir(open);
  return n;
}

static void what_was_found_once_is_read_without_harm(void** state) {
  (void)state;
  mju_user_error = mju_user_warning = ignore;
  int n = 0;
#define FOLDER(kind_) n += feed_folder(#kind_, feed_##kind_);
  FOLDER(mjb)
  FOLDER(mjcf)
  FOLDER(model)
  FOLDER(urdf)
  FOLDER(stl)
  FOLDER(obj)
  FOLDER(msh)
  FOLDER(gmsh)
  FOLDER(png)
  FOLDER(raw)
  FOLDER(hfield)
  FOLDER(skin)
  FOLDER(edits)
#undef FOLDER
  assert_true(n > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_found_once_is_read_without_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
