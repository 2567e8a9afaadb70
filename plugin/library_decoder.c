// The library of decoders: registers them when it is opened.

#include <mujoco/mujoco.h>

#include "plugins.h"

mjPLUGIN_LIB_INIT {
  register_stl();
  register_obj();
}
