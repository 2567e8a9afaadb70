// Checks of our own assumptions, in debug and test builds (CT_CHECKS). Mistakes of the user are
// errors in every build and go through mju_error.

#ifndef CT_BASE_ASSERT_H_
#define CT_BASE_ASSERT_H_

#if !defined(CT_CHECKS)
#define CT_ASSERT(condition_) ((void)sizeof(condition_))  // not evaluated, but must compile
#elif defined(__CUDACC__)
#include <assert.h>
#define CT_ASSERT(condition_) assert(condition_)
#else
#define CT_ASSERT(condition_) \
  ((condition_) ? (void)0 : ct_assert_failed(#condition_, __FILE__, __LINE__))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Prints the broken assumption to standard error and aborts.
__attribute__((noreturn)) void ct_assert_failed(const char* condition, const char* file, int line);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_ASSERT_H_
