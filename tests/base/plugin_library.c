// A plugin library as a user writes one. Loaded by test_plugin.c, whose program it calls back into.

#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.library.first";
  mjp_registerPlugin(&plugin);
  plugin.name = "test.library.second";
  mjp_registerPlugin(&plugin);
}
