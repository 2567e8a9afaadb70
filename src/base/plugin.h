// Plugins of a model. Their registry is public: mujoco/mujoco.h.

#ifndef CT_BASE_PLUGIN_H_
#define CT_BASE_PLUGIN_H_

#include <mujoco/mujoco.h>

// All instances let go of what they own in the data.
void ct_destroy_plugins(mjData* d);

#endif  // CT_BASE_PLUGIN_H_
