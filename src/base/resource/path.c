#include "base/resource/path.h"

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <string.h>

static bool is_separator(char c) {
  return c == '/' || c == '\\';
}

size_t ct_path_prefix(const char* path) {
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  if (provider) return strlen(provider->prefix) + 1;
  if (is_separator(path[0])) return 1;
  const char* drive = strstr(path, ":/");
  if (!drive) drive = strstr(path, ":\\");
  return drive ? (size_t)(drive - path) + 2 : 0;
}

// End of the segment that starts here: the next separator or the end of the text.
static const char* segment_end(const char* segment) {
  while (*segment && !is_separator(*segment)) segment++;
  return segment;
}

static bool segment_is(const char* segment, const char* end, const char* text) {
  size_t length = strlen(text);
  return (size_t)(end - segment) == length && memcmp(segment, text, length) == 0;
}

// Takes the last segment off the text that ends at *end and starts at `first`, with its separator.
// Refuses if there is none or if it is itself a step upwards.
static bool take_back(const char* first, char** end) {
  if (*end == first) return false;
  char* start = *end - 1;  // the separator that closes the segment
  while (start > first && start[-1] != '/') start--;
  if (segment_is(start, *end - 1, "..")) return false;
  *end = start;
  return true;
}

// Writes the reduced path to `out`, which has room for the path itself: reducing never makes it
// longer.
static void reduce_into(char* out, const char* path) {
  size_t prefix = ct_path_prefix(path);
  memcpy(out, path, prefix);
  char* first = out + prefix;
  char* end = first;  // every segment written so far is closed by a separator

  const char* segment = path + prefix;
  const char* stop = segment_end(segment);
  for (; *stop; segment = stop + 1, stop = segment_end(segment)) {
    if (segment_is(segment, stop, ".")) continue;
    if (segment_is(segment, stop, "..") && take_back(first, &end)) continue;
    memcpy(end, segment, (size_t)(stop - segment));
    end += stop - segment;
    *end++ = '/';
  }
  strcpy(end, segment);
}

char* ct_path_reduce(const char* path) {
  char* reduced = (char*)mju_malloc(strlen(path) + 1);
  if (reduced) reduce_into(reduced, path);
  return reduced;
}

char* ct_path_join(const char* dir, const char* name) {
  size_t length = dir ? strlen(dir) : 0;
  if (length == 0 || ct_path_prefix(name)) return ct_path_reduce(name);

  size_t bytes = length + 1 + strlen(name) + 1;
  char* joined = (char*)mju_malloc(bytes);
  if (!joined) return NULL;
  memcpy(joined, dir, length);
  if (!is_separator(dir[length - 1])) joined[length++] = '/';
  strcpy(joined + length, name);

  char* reduced = ct_path_reduce(joined);
  mju_free(joined);
  return reduced;
}

const char* ct_path_base(const char* path) {
  const char* base = path;
  for (; *path; path++) {
    if (is_separator(*path)) base = path + 1;
  }
  return base;
}

char* ct_path_lower_base(const char* path) {
  char* base = ct_copy_text(ct_path_base(path));
  for (char* c = base; c && *c; c++) *c = ct_lower(*c);
  return base;
}
