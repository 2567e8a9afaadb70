#include "base/text.h"

#include <mujoco/mujoco.h>
#include <string.h>

char ct_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int ct_same_text(const char* a, const char* b) {
  while (*a && ct_lower(*a) == ct_lower(*b)) {
    a++;
    b++;
  }
  return ct_lower(*a) == ct_lower(*b);
}

char* ct_copy_text(const char* text) {
  size_t bytes = strlen(text) + 1;
  char* copy = (char*)mju_malloc(bytes);
  if (copy) memcpy(copy, text, bytes);
  return copy;
}

// Unlike strncpy, always ends the copy with a zero.
char* mju_strncpy(char* dst, const char* src, int n) {
  if (!dst || !src || n <= 0) return dst;
  size_t length = strnlen(src, (size_t)n - 1);
  memmove(dst, src, length);
  memset(dst + length, 0, (size_t)n - length);
  return dst;
}
