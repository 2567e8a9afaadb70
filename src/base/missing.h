// What a function says that this version of corten does not have. Used by the generated stubs.

#ifndef CT_BASE_MISSING_H_
#define CT_BASE_MISSING_H_

#include <string.h>

// Raises "NAME is not part of this version of corten" through mju_error.
void ct_missing(const char* name);

#define CT_MISSING(name_) ct_missing(#name_);

// The same; if the error handler returns, so does the function, with zero.
#define CT_MISSING_RESULT(type_, name_) \
  ct_missing(#name_);                   \
  type_ zero_;                          \
  memset(&zero_, 0, sizeof(zero_));     \
  return zero_;

#endif  // CT_BASE_MISSING_H_
