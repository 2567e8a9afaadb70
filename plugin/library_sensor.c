// The library of sensor plugins: registers them when it is opened.

#include <mujoco/mujoco.h>

#include "plugins.h"

mjPLUGIN_LIB_INIT {
  register_touch_grid();
}
