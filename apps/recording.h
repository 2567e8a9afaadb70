// What a run leaves behind: a table of numbers over time, as CSV, as arrays for NumPy, or both.

#ifndef APPS_RECORDING_H_
#define APPS_RECORDING_H_

#include <mujoco/mujoco.h>

typedef struct Recording_ Recording;

// Opens the files (either may be NULL); NULL after a message if one cannot be written.
Recording* recording_open(const mjModel* m, const char* csv, const char* npz);

// One row: time, qpos, qvel, act, ctrl, sensordata, number of contacts. EXIT_FINE or EXIT_FAILED
// after a message.
int recording_add(Recording* r, const mjData* d);

// Writes what is left and closes; returns an exit code.
int recording_close(Recording* r);

#endif  // APPS_RECORDING_H_
