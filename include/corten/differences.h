// What differs between two models, told by the names of things and not by their numbers.

#ifndef CORTEN_DIFFERENCES_H_
#define CORTEN_DIFFERENCES_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reports, a line each: objects that only one of the models has; of the others every value that
// differs by more than `tolerance`, relative to the larger one and to 1; settings. Objects belong
// together by name; those without one by where they stand: the second unnamed geom of a body to the
// second unnamed geom of the body of the same name. What follows from other values (bounds, inverse
// weights, addresses) is left out. Returns how many lines there were.
MJAPI int ct_diff_models(const mjModel* a, const mjModel* b, double tolerance,
                         void (*report)(void* arg, const char* line), void* arg);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_DIFFERENCES_H_
