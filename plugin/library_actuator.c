// The library of actuator plugins: registers them when it is opened.

#include <mujoco/mujoco.h>

#include "plugins.h"

mjPLUGIN_LIB_INIT {
  register_pid();
}
