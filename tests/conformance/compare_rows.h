// Contacts, constraint rows and islands of two data objects.
//
// Contacts are a set, and rows follow their contacts (matching.h). Where both come in the same
// order, every array of the arena is compared as it is. Where the order differs, numbers of
// contacts, rows and places are translated, matrices are compared entry by entry with rows and
// columns moved, and addresses of sparse rows are used, not compared.

#ifndef TESTS_CONFORMANCE_COMPARE_ROWS_H_
#define TESTS_CONFORMANCE_COMPARE_ROWS_H_

#include "conformance/compare.h"

void compare_rows(const Job* job, const Results* results);

#endif  // TESTS_CONFORMANCE_COMPARE_ROWS_H_
