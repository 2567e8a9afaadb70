// Plugins of a model. Their registry is public: mujoco/mujoco.h.

#ifndef CT_BASE_PLUGIN_H_
#define CT_BASE_PLUGIN_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// The plugin of an instance; NULL after an error if nothing is registered at its slot.
const mjpPlugin* ct_plugin_of(const mjModel* m, int instance, const char* function);

// What is wrong if nothing is registered at the slot of an instance, in words.
void ct_describe_empty_slot(const mjModel* m, int instance, char* text, size_t size);

// All instances let go of what they own in the data.
void ct_destroy_plugins(mjData* d);

// Lets every plugin instance of the model initialise itself in the data.
MJAPI void mj_initPlugin(const mjModel* m, mjData* d);

#endif  // CT_BASE_PLUGIN_H_
