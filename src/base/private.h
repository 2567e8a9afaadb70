// What corten keeps about one data beyond the public struct.
//
// mj_makeData allocates one block: the public mjData, this struct at the next multiple of 64 bytes,
// the schedule's integers, then the buffer with all arrays. The arena is a block of its own.
// Nothing private hangs on an mjModel: it may have been made by somebody else's library.

#ifndef CT_BASE_PRIVATE_H_
#define CT_BASE_PRIVATE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/schedule.h"

typedef struct ct_Private_ {
  unsigned status;       // bits of ct_Status (corten/status.h) raised since they were last cleared
  int bad_sensor;        // which one CT_BAD_SENSOR was raised for
  bool quiet;            // ct_step runs: no messages (host/report.h)
  bool holds_errors;     // Runge-Kutta runs: errors for want of room wait
  bool held_error;       // there was one
  ct_Schedule schedule;  // built by mj_makeData
  size_t schedule_room;  // bytes that its arrays have behind this struct
  mjData* content;       // data whose block has the arrays since a recompilation; NULL: its own has
} ct_Private;

#define CT_ALIGN 64
#define CT_ALIGN_UP(size_) (((size_) + (CT_ALIGN - 1)) & ~(size_t)(CT_ALIGN - 1))

// The private block of a data.
LANE_INLINE ct_Private* ct_private(const mjData* d) {
  return (ct_Private*)((char*)d + CT_ALIGN_UP(sizeof(mjData)));
}

#endif  // CT_BASE_PRIVATE_H_
