// Checking model files.

#ifndef CORTEN_MJCF_H_
#define CORTEN_MJCF_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads a model file and reports all its mistakes, one message each, where mj_loadXML stops at the
// first. Returns how many there are. What only compiling finds is not among them.
MJAPI int ct_check_mjcf(const char* file, const mjVFS* vfs,
                        void (*report)(void* arg, const char* message), void* arg);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_MJCF_H_
