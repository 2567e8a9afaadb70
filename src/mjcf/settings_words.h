// Flags of mjOption by the number of their bit, for reading and writing.

#ifndef CT_MJCF_SETTINGS_WORDS_H_
#define CT_MJCF_SETTINGS_WORDS_H_

#include <mujoco/mujoco.h>

extern const char* const ct_disable_flags[mjNDISABLE];
extern const char* const ct_enable_flags[mjNENABLE];

#endif  // CT_MJCF_SETTINGS_WORDS_H_
