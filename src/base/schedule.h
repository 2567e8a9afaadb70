// Schedules: integers that say in which order and by which addresses a stage walks the model.
//
// They depend on the model's integers alone (parents, sparsity), never on values, because users edit
// values between steps. They are computed when a data is made and live behind it (base/private.h).

#ifndef CT_BASE_SCHEDULE_H_
#define CT_BASE_SCHEDULE_H_

#include <mujoco/mujoco.h>

typedef struct ct_Schedule_ {
  int nlevel;             // depth of the body tree; the world is not counted
  const int* level_adr;   // (nlevel + 1) first entry of each level in level_body
  const int* level_body;  // (nbody - 1) bodies ordered by depth, then by id
} ct_Schedule;

// Bytes that ct_schedule_build needs for this model.
size_t ct_schedule_bytes(const mjModel* m);

// Fills the schedule; its arrays are placed in `memory` (64-byte aligned, ct_schedule_bytes long).
void ct_schedule_build(ct_Schedule* s, void* memory, const mjModel* m);

#endif  // CT_BASE_SCHEDULE_H_
