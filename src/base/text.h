// Small functions on text.

#ifndef CT_BASE_TEXT_H_
#define CT_BASE_TEXT_H_

#ifdef __cplusplus
extern "C" {
#endif

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
