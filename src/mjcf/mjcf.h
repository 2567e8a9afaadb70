// Reading model files: what other parts of the library call.

#ifndef CT_MJCF_MJCF_H_
#define CT_MJCF_MJCF_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// Is this file read as XML?
bool ct_is_xml(const char* file, const char* content_type);

#ifdef __cplusplus
extern "C" {
#endif

// Reports every mistake of a file, one message each; returns how many there are. What only
// compiling finds is not among them.
MJAPI int ct_check_mjcf(const char* file, const mjVFS* vfs,
                        void (*report)(void* arg, const char* message), void* arg);

#ifdef __cplusplus
}
#endif

#endif  // CT_MJCF_MJCF_H_
