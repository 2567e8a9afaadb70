// A run of a model, as the command line asks for it.

#ifndef APPS_RUN_H_
#define APPS_RUN_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "recording.h"

typedef enum { RUN_TEXT, RUN_JSON, RUN_SILENT } RunAnswer;

typedef struct {
  double time, steps, every, timestep;
  uint64_t seed;
  bool smooth;
  const char *csv, *npz, *key, *ctrl;
  int integrator, solver;          // -1: the model's
  const char* field[MOST_FIELDS];  // to be recorded, too
  int fields;
  RunAnswer answer;
} RunOptions;

// One second of what the model says.
RunOptions run_defaults(void);

// Takes an option with its value, which may be NULL for none, if a run has such an option: *used
// becomes the number of arguments that it takes. EXIT_FINE, or EXIT_USAGE after a message.
int run_take_option(RunOptions* o, const char* command, const char* name, const char* value,
                    int* used);

// Runs the model, which the options may change. Returns an exit code.
int run_model(mjModel* m, const RunOptions* o);

#endif  // APPS_RUN_H_
