// Which library this is.

#ifndef CORTEN_VERSION_H_
#define CORTEN_VERSION_H_

#include <mujoco/mjexport.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of corten. No other library has this name, so a program that finds it runs on corten.
MJAPI const char* ct_version(void);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_VERSION_H_
