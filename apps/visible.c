// Text of a model on a terminal: names and messages can hold anything, also what a terminal would
// obey. Control characters and bytes that are no UTF-8 are shown as \\x1b.

#include <stdio.h>

#include "command.h"

int utf8_length(const unsigned char* p) {
  int n = *p < 0x80 ? 1 : *p < 0xC2 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F)) return 0;
  if ((*p == 0xF0 && p[1] < 0x90) || (*p == 0xF4 && p[1] > 0x8F)) return 0;
  return n;
}

// Also the second set of control characters, U+0080 to U+009F.
static int is_control(const unsigned char* p) {
  return *p < 32 || *p == 127 || (*p == 0xC2 && p[1] < 0xA0);
}

const char* make_visible(char* shown, size_t room, const char* text) {
  size_t used = 0;
  const unsigned char* p = (const unsigned char*)text;
  while (*p && used + 5 < room) {
    int n = utf8_length(p);
    if (n == 0 || is_control(p)) {
      used += (size_t)snprintf(shown + used, room - used, "\\x%02x", *p++);
      continue;
    }
    for (int i = 0; i < n; i++) shown[used++] = (char)*p++;
  }
  shown[used] = 0;
  return shown;
}
