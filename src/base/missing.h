// What a function says that this version of corten does not have. Used by the generated stubs.

#ifndef CT_BASE_MISSING_H_
#define CT_BASE_MISSING_H_

#define CT_MISSING_TEXT "%s is not part of this version of corten"

// Raises that text through mju_error.
void ct_missing(const char* name);

// Writes it to the error buffer of a function that has one.
void ct_missing_in_buffer(const char* name, char* error, int error_sz);

#endif  // CT_BASE_MISSING_H_
