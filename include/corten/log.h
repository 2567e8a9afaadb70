// The log file, which corten keeps only when asked to.
//
// Errors and warnings that no handler takes are printed; with a log they are also appended to a
// file, each with the local time before it and a blank line after it.

#ifndef CORTEN_LOG_H_
#define CORTEN_LOG_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Keeps the log in the file `path`, for the whole process. NULL goes back to the environment
// variable CORTEN_LOG, and to no log where it is not set either. Returns 0, or -1 if the path is
// longer than 1023 bytes. A file that cannot be written is ignored.
MJAPI int ct_set_log(const char* path);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_LOG_H_
