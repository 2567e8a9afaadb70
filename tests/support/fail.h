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

#endif  // TESTS_SUPPORT_FAIL_H_
