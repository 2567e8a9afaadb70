// A walk through stages on the host: which ones, for whom, and the user's code that runs between
// them.

#ifndef CT_HOST_WALK_H_
#define CT_HOST_WALK_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "engine/stages.h"

// Somebody who knows accelerations of a state next door. With a neighbour a step makes neither the
// factor of M nor islands nor qacc_smooth, and asks for accelerations: `solve` stands for the
// stages acceleration, without qfrc_smooth, and constraint, `integrate` for integrator.
typedef struct ct_Neighbour_ {
  int (*solve)(struct ct_Neighbour_* n, const mjModel* m, mjData* d);
  int (*integrate)(struct ct_Neighbour_* n, const mjModel* m, mjData* d);
  int first_body, end_body;  // those that are not where they were in the last step
  size_t pstack;             // of the data as long as it is valid: a reset forgets what it keeps
} ct_Neighbour;

typedef struct ct_Walk_ {
  const mjModel* m;
  mjData* d;
  bool strict;              // ct_step: everything grave ends it
  bool silent;              // nothing is said
  int integrator;           // opt.integrator, unless the user asked for another one
  bool keep_factor;         // what it factored in the last step is still good
  bool whole;               // a step from its beginning to its end
  bool factored_ahead;      // what the integrator factors has been factored with M
  int failed;               // the stage that ended it; -1: none
  bool timed;               // the user has given a clock
  int timer;                // whose time runs, of timers of single stages; -1: nobody's
  mjtNum since;             // when it began
  ct_Neighbour* neighbour;  // NULL: none
  int bad;                  // numbers that mj_step has warned of (CT_BAD_QPOS and so on)
} ct_Walk;

// Stages of `parts` (ct_Part) in the order of a step, as far as the model needs them. What is wrong
// becomes a warning, or an error that names the stage or `function`.
void ct_walk(const mjModel* m, mjData* d, unsigned parts, const char* function);

// One stage, whether the model needs it or not.
void ct_walk_one(const mjModel* m, mjData* d, ct_Stage stage, const char* function);

// Stages with the user's code. They return a status, like those that they stand for (_instead) or
// run behind (_after).
int ct_collide_with_users(ct_Walk* w);          // instead: filter, functions for pairs of types
int ct_actuate_with_users(ct_Walk* w);          // instead: dynamics, gains, biases, plugins
int ct_passive_of_users(ct_Walk* w);            // after
int ct_sense_for_users(ct_Walk* w, int stage);  // after
int ct_advance_plugins(ct_Walk* w);             // after

// Would a step of the model run code of the user's, so that lanes alone cannot make it?
bool ct_has_user_code(const mjModel* m);
bool ct_has_callbacks(const mjModel* m);  // or plugins
bool ct_has_pair_functions_of_users(void);

// Would such code take part in the motion? Sensors and clocks only look on.
bool ct_user_code_acts(const mjModel* m);

// The plugin of an instance; NULL, with bits of status, if nothing is registered at its slot.
const mjpPlugin* ct_plugin_of(const mjModel* m, mjData* d, int instance, int* status);

#endif  // CT_HOST_WALK_H_
