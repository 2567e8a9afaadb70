// A step as lane code.

#ifndef CT_ENGINE_STEP_H_
#define CT_ENGINE_STEP_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "engine/stages.h"

// One step of one environment: what ct_step does, what a batch does for each of its environments,
// on a CPU or on a GPU. Returns the joined status of its stages (base/failure.h). With a bit of
// CT_GRAVE the step was not made: qpos, qvel, act, time and who sleeps are as before. Says nothing,
// knows nothing beyond m and d, and leaves the status that d keeps alone. The model has been
// checked (base/model/faults.h) and has no callbacks or plugins.
LANE_FN int ct_step_lanes(Lane g, const mjModel* m, mjData* d);

// The stages of the table that stand for themselves.

// What was computed on demand belongs to the state before. Each is forgotten where its stage begins
// and not earlier: the sensor of kinetic energy, one of positions, may still see the old one.
LANE_FN int ct_forget_position(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_forget_velocity(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_forget_body_forces(Lane g, const mjModel* m, mjData* d);

// Contacts again if one of them woke a tree.
LANE_FN int ct_collision_of_woken(Lane g, const mjModel* m, mjData* d);

// All sensors of a stage.
LANE_FN int ct_sensors_of_position(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_sensors_of_velocity(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_sensors_of_forces(Lane g, const mjModel* m, mjData* d);

// Energies, unless a sensor has asked for them before. The first sets both to zero where the model
// does not want them.
LANE_FN int ct_position_energy(Lane g, const mjModel* m, mjData* d);
LANE_FN int ct_velocity_energy(Lane g, const mjModel* m, mjData* d);

#endif  // CT_ENGINE_STEP_H_
