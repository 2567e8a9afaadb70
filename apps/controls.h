// Where the controls of a run come from.

#ifndef APPS_CONTROLS_H_
#define APPS_CONTROLS_H_

#include <mujoco/mujoco.h>
#include <stdint.h>

typedef enum { CONTROLS_NONE, CONTROLS_CONSTANT, CONTROLS_NOISE, CONTROLS_TABLE } ControlsKind;

typedef struct {
  ControlsKind kind;
  double value;     // the constant, or the standard deviation of noise
  uint64_t random;  // state of its generator
  double* table;    // (rows x nu)
  int rows, nu;
} Controls;

// "0.3": the same for all actuators; "noise" or "noise:0.2": normal around the middle of each
// range, in shares of half of it; otherwise the name of a file of numbers, one line per step.
// EXIT_FINE or another code after a message.
int controls_open(Controls* c, const mjModel* m, const char* text, uint64_t seed);
void controls_close(Controls* c);

// Controls of a step. The last line of a table stays.
void controls_apply(Controls* c, const mjModel* m, mjData* d, long step);

#endif  // APPS_CONTROLS_H_
