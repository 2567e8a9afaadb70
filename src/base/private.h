// What corten keeps about one mjData beyond the public struct.
//
// mj_makeData allocates one block: the public mjData, this struct at the next multiple of 64 bytes,
// the schedule's integers, then the buffer with all arrays. The arena is a block of its own.
// Nothing private hangs on an mjModel: it may have been made by somebody else's library.

#ifndef CT_BASE_PRIVATE_H_
#define CT_BASE_PRIVATE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"
#include "base/schedule.h"

// An integration on its way, from its first stage to its last: engine/integrate.c. What it keeps
// lies on the stack of the data, so that stages may be launched one by one.
typedef struct ct_Integration_ {
  int integrator;    // of mjtIntegrator or corten/integrator.h
  bool keep_factor;  // the factor of the last step is still good
  bool slept;        // trees fell asleep, so that accelerations are computed once more
  int pass;          // Runge-Kutta: which evaluation, 0 to 3
  mjtNum* room;      // NULL: none is on its way
  int* tree_asleep;  // (ntree) before it began, if trees may sleep
  const mjtNum *act_dot, *qacc, *qvel;  // what the state advances by; qvel NULL: its new velocities
} ct_Integration;

typedef struct ct_Private_ {
  unsigned status;   // bits of ct_Status (corten/status.h) since they were last cleared
  ct_Detail detail;  // what the newest of them are about
  int woken;         // trees that woke when somebody was last asked (engine/smooth/sleep.h)
  int walk;          // status of a step that is made by separate launches, so far
  ct_Integration integration;
  ct_Schedule schedule;  // built by mj_makeData
  const mjModel* model;  // the last model that somebody stepped it with
  unsigned models_seen;  // ct_models_written, when the schedule was last known to be that model's
  size_t schedule_room;  // bytes that its arrays have behind this struct
  mjData* content;       // data whose block has the arrays since a recompilation; NULL: its own has
  bool one_island;       // a batch: ct_has_one_island, and nobody asks for what islands are kept in
  char* hot;             // GPU: fast memory that scratch is taken from while it lasts
  int hot_room;          // its bytes
  int hot_used;
  int near_at;  // where memory that a kernel has set apart begins in that of its block
} ct_Private;

#define CT_ALIGN 64
#define CT_ALIGN_UP(size_) (((size_) + (CT_ALIGN - 1)) & ~(size_t)(CT_ALIGN - 1))

// The private block of an mjData.
LANE_INLINE ct_Private* ct_private(const mjData* d) {
  return (ct_Private*)((char*)d + CT_ALIGN_UP(sizeof(mjData)));
}

// CT_BAD_MODEL, with the reason.
LANE_FN static inline int ct_blame_model(Lane g, mjData* d, ct_Cause cause, int id) {
  LANE_ONCE(g) {
    ct_private(d)->detail.cause = cause;
    ct_private(d)->detail.id = id;
  }
  lane_sync(g);
  return CT_BAD_MODEL;
}

// CT_BAD_SENSOR, for this one.
LANE_FN static inline int ct_blame_sensor(Lane g, mjData* d, int sensor) {
  LANE_ONCE(g) {
    ct_private(d)->detail.sensor = sensor;
  }
  lane_sync(g);
  return CT_BAD_SENSOR;
}

// Counts a warning (mjtWarning) that a stage has reason for. The host says it.
LANE_FN static inline void ct_count_warning(Lane g, mjData* d, int warning, int info, int times) {
  LANE_ONCE(g) {
    d->warning[warning].lastinfo = info;
    d->warning[warning].number += times;
  }
  lane_sync(g);
}

#endif  // CT_BASE_PRIVATE_H_
