#include "base/missing.h"

#include <mujoco/mujoco.h>

void ct_missing(const char* name) {
  mju_error(CT_MISSING_TEXT, name);
}
