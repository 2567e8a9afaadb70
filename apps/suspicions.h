// What a model may mean, but hardly does: NaN, a timestep of nothing, degrees written as radians.

#ifndef APPS_SUSPICIONS_H_
#define APPS_SUSPICIONS_H_

#include <mujoco/mujoco.h>

// Prints a line for each suspicion; returns how many there are. spec: what the file says, compiled
// into the model; NULL: it is not known, and then nothing can be said of lines and orientations.
int print_suspicions(const char* file, mjSpec* spec, const mjModel* m);

#endif  // APPS_SUSPICIONS_H_
