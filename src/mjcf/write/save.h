// Writing MJCF, for the public functions that save.

#ifndef CT_MJCF_WRITE_SAVE_H_
#define CT_MJCF_WRITE_SAVE_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

// The text of a compiled spec, made with mju_malloc and closed by a zero; NULL, and the reason in
// error, if it cannot be written. keep_all: nothing of the model is lost, where the reference's
// text loses something.
char* ct_write_mjcf(const mjSpec* s, bool keep_all, size_t* length, char* error, size_t error_size);

// Significant digits of numbers in texts that the calling thread writes: 6 unless set. Exported, as
// the reference exports them, for tests.
MJAPI int _mjPRIVATE__get_xml_precision(void);
MJAPI void _mjPRIVATE__set_xml_precision(int precision);

#endif  // CT_MJCF_WRITE_SAVE_H_
