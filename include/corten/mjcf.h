// Checking model files.

#ifndef CORTEN_MJCF_H_
#define CORTEN_MJCF_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads a model file and reports all its mistakes, one message each, where mj_loadXML stops at the
// first. Returns how many there are. What only compiling finds ct_check_spec tells.
MJAPI int ct_check_mjcf(const char* file, const mjVFS* vfs,
                        void (*report)(void* arg, const char* message), void* arg);

// Compiles a spec and reports the mistakes that are found: all of a stage (references, assets,
// bodies, what refers to them), and the stages after it when there are none. Returns how many; a
// warning is reported and not counted. The spec is as after mj_compile.
MJAPI int ct_check_spec(mjSpec* s, const mjVFS* vfs, void (*report)(void* arg, const char* message),
                        void* arg);

// Name of the element that makes a sensor of this type (mjtSensor); NULL: there is no such type.
MJAPI const char* ct_sensor_element(int type);

// Describes the elements of MJCF that have this name, one for each place where it may stand: a line
// with the place and what it is, then a line for each attribute. Returns how many places there are;
// *similar, if not NULL, becomes the nearest name of an element, or NULL.
MJAPI int ct_describe_element(const char* name, void (*report)(void* arg, const char* line),
                              void* arg, const char** similar);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_MJCF_H_
