// Small functions on text.

#ifndef CT_BASE_TEXT_H_
#define CT_BASE_TEXT_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// A blank as the C locale knows it: line ends, vertical tabs and form feeds too.
static inline bool ct_is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The first character of a text that is not one.
static inline const char* ct_skip_blanks(const char* text) {
  while (ct_is_blank(*text)) text++;
  return text;
}

// An ASCII letter made small; other bytes as they are, whatever the locale says.
char ct_lower(char c);

// Whether two texts are equal but for the case of ASCII letters.
int ct_same_text(const char* a, const char* b);

// A copy of a text, made with mju_malloc.
char* ct_copy_text(const char* text);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_TEXT_H_
