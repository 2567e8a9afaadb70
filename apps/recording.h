// What a run leaves behind: a table of numbers over time, as CSV, as arrays for NumPy, or both.

#ifndef APPS_RECORDING_H_
#define APPS_RECORDING_H_

#include <mujoco/mujoco.h>

typedef struct Recording_ Recording;

enum { MOST_FIELDS = 20 };  // beyond those that every recording has

// Opens the files (either may be NULL) for the data d, with so many further fields of mjData; NULL
// after a message if a file cannot be written, or there is no such field.
Recording* recording_open(const mjModel* m, mjData* d, const char* csv, const char* npz,
                          const char* const* fields, int nfield);

// One sample of the data as it is, its contacts too. EXIT_FINE or EXIT_FAILED after a message.
int recording_add(Recording* r);

// Writes what is left and closes; returns an exit code.
int recording_close(Recording* r);

#endif  // APPS_RECORDING_H_
