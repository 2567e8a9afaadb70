#include "base/missing.h"

#include <stdio.h>

#include <mujoco/mujoco.h>

void ct_missing(const char* name) {
  mju_error(CT_MISSING_TEXT, name);
}

void ct_missing_in_buffer(const char* name, char* error, int error_sz) {
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, CT_MISSING_TEXT, name);
}
