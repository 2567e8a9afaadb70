// Errors and warnings: from a printf-like call to whoever listens.
//
// A message goes to the first of: the handler of the calling thread, the handler of the process
// (mju_user_error, mju_user_warning), the built-in reaction. The built-in reaction prints to
// standard output; after an error it ends the process. A handler may return, and then so does the
// call that raised the error: code after mju_error must leave its function in a sane state.
//
// The public part (mju_error, mju_warning, mj_warning ...) is declared in mujoco/mujoco.h. What
// follows is exported for language bindings, which set a handler around each call into the library.

#ifndef CT_BASE_ERROR_H_
#define CT_BASE_ERROR_H_

#include <mujoco/mujoco.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*ct_MessageHandler)(const char* message);

// Handlers of the calling thread; NULL: none.
MJAPI ct_MessageHandler _mjPRIVATE__get_tls_error_fn(void);
MJAPI ct_MessageHandler _mjPRIVATE__get_tls_warning_fn(void);
MJAPI void _mjPRIVATE__set_tls_error_fn(ct_MessageHandler handler);
MJAPI void _mjPRIVATE__set_tls_warning_fn(ct_MessageHandler handler);

// mju_error with its values in a list, and with a finished message of any length.
MJAPI void mju_error_v(const char* format, va_list values);
MJAPI void mju_error_raw(const char* message);

// Says a warning (mjtWarning) that has been counted in d.
void ct_say_warning(const mjData* d, int warning);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_ERROR_H_
