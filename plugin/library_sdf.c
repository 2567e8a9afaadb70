// The library of sdf plugins: registers them when it is opened.

#include <mujoco/mujoco.h>

#include "plugins.h"

mjPLUGIN_LIB_INIT {
  register_bolt();
  register_bowl();
  register_gear();
  register_nut();
  register_torus();
}
