// The reference and corten side by side in one process.
//
// Both export the same names, so neither is linked; each is opened with its symbols to itself.

#ifndef TESTS_CONFORMANCE_TWO_LIBRARIES_H_
#define TESTS_CONFORMANCE_TWO_LIBRARIES_H_

typedef struct {
  void* reference;
  void* corten;
} TwoLibraries;

typedef void (*AnyFunction)(void);

// Opens both; on failure prints which file cannot be opened and why, and ends the program with
// status 2.
TwoLibraries two_libraries_open(const char* reference_path, const char* corten_path);

// A function of one library, or NULL.
AnyFunction library_function(void* library, const char* name);

// A variable of one library (a callback pointer, a string table), or NULL.
void* library_variable(void* library, const char* name);

// A declared function of one library under its own type:
//   LIBRARY_FUNCTION(libraries.corten, mju_dot)(a, b, n)
#define LIBRARY_FUNCTION(library_, name_) ((__typeof__(&name_))library_function(library_, #name_))

#endif  // TESTS_CONFORMANCE_TWO_LIBRARIES_H_
