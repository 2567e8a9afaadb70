// Exported tables that the public headers do not declare.

#ifndef CT_API_STRINGS_H_
#define CT_API_STRINGS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// How many numbers each field of a contact sensor has (mjtConDataField), and all fields of a bit
// mask.
MJAPI extern const int mjCONDATA_SIZE[mjNCONDATA];
MJAPI int mju_condataSize(int field_mask);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_STRINGS_H_
