// fail_msg of cmocka, or the same for programs that are built without cmocka: say why and leave.

#ifndef TESTS_SUPPORT_FAIL_H_
#define TESTS_SUPPORT_FAIL_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef CT_WITHOUT_CMOCKA
#include <stdio.h>
#include <stdlib.h>
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))
#else
#include <cmocka.h>
#endif

// The fast build may contract and reorder, so tests of bits have nothing to say about it.
#ifdef CT_FAST
#define SKIP_IN_FAST_BUILD() skip()
#else
#define SKIP_IN_FAST_BUILD() ((void)0)
#endif

// Finite differences of single numbers say little.
#ifdef mjUSESINGLE
#define SKIP_IN_SINGLE_PRECISION() skip()
#else
#define SKIP_IN_SINGLE_PRECISION() ((void)0)
#endif

#endif  // TESTS_SUPPORT_FAIL_H_
