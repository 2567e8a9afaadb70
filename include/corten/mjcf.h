// Model files beyond the reference's functions: checking and saving them, and what they read.

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

// Saves a spec so that reading the file gives the model again, where mj_saveXML loses something as
// the reference does: digits, the order of elements that frames stand between, values of class main
// inside other classes, masses that settings have changed, hulls, fitted shapes, empty keyframes,
// energy sensors and more (docs/mjcf.md). Where assets of attached specs have other folders, files
// are named with theirs, seen from the folder of the model. m, a model of the spec as it is now, is
// what is saved; NULL: the spec as it was compiled. Returns 0, or -1 with the reason in `error`. A
// texture that exists in memory only cannot be saved.
MJAPI int ct_save_whole(mjSpec* s, const mjModel* m, const char* file, char* error, int error_sz);

// The same into memory: as mj_saveXMLString, returns the length of the text if xml is too small.
MJAPI int ct_save_whole_string(mjSpec* s, const mjModel* m, char* xml, int xml_sz, char* error,
                               int error_sz);

// Tells of every file on the disk that is read as a resource from now on (models, what they
// include, meshes, textures ...), by its path; NULL: of none. For the whole process: it is set
// while nothing is loaded, and `opened` may be called from several threads at once.
MJAPI void ct_watch_files(void (*opened)(void* arg, const char* path), void* arg);

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
