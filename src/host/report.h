// How the host's stages tell what went wrong, and to whom.
//
// mj_ functions warn and stop by messages. ct_step wants neither: while it runs the data is quiet,
// and what would be a message stays in the status. Runge-Kutta has left its state and taken scratch
// when a stage finds no room, so it holds that error until it has put everything back.

#ifndef CT_HOST_REPORT_H_
#define CT_HOST_REPORT_H_

#include <corten/status.h>
#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/private.h"

// mj_warning, which is only counted if the data is quiet.
void ct_warn_or_count(mjData* d, int warning, int info);

// The stack has no room: CT_ARENA_FULL, and an error of `function` unless it is held.
void ct_no_room(mjData* d, const char* function);

// The model, as it was edited, cannot be stepped: CT_BAD_MODEL, and this error unless the data is
// quiet.
void ct_wrong_model(mjData* d, const char* format, ...);

// Messages again, in case that a handler of the user left a step by a jump.
void ct_speak(mjData* d);

// Did a stage of this step find what keeps the step from being made?
bool ct_step_failed(const mjData* d);

#endif  // CT_HOST_REPORT_H_
