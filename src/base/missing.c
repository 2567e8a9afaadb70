#include "base/missing.h"

#include <mujoco/mujoco.h>

void ct_missing(const char* name) {
  mju_error("%s is not part of this version of corten", name);
}
