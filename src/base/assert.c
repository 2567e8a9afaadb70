#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void ct_assert_failed(const char* condition, const char* file, int line) {
  fprintf(stderr, "%s:%d: assumption does not hold: %s\n", file, line, condition);
  abort();
}
