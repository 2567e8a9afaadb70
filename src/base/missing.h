// What a function says that this version of corten does not have. Used by the generated stubs.

#ifndef CT_BASE_MISSING_H_
#define CT_BASE_MISSING_H_

#include <stdio.h>
#include <string.h>

#define CT_MISSING_TEXT "%s is not part of this version of corten"

// Raises that text through mju_error.
void ct_missing(const char* name);

#define CT_MISSING(name_) ct_missing(#name_);

// The same; if the error handler returns, so does the function, with zero.
#define CT_MISSING_RESULT(type_, name_) \
  ct_missing(#name_);                   \
  type_ zero_;                          \
  memset(&zero_, 0, sizeof(zero_));     \
  return zero_;

// Functions that can say it to their caller do so, and return the code of a failure.
#define CT_MISSING_IN_BUFFER(code_, name_)                                               \
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, CT_MISSING_TEXT, #name_); \
  return code_;
#define CT_MISSING_IN_SPEC(code_, name_)              \
  ct_spec_error(ct_spec(s), CT_MISSING_TEXT, #name_); \
  return code_;

#endif  // CT_BASE_MISSING_H_
