// Status of an mjData: what went wrong, as bits. Engine code raises them; it never prints or stops.

#ifndef CORTEN_STATUS_H_
#define CORTEN_STATUS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ct_Status_ {          // R0.5
  CT_OK = 0,                       // nothing to report
  CT_BAD_TIMESTEP = 1 << 0,        // opt.timestep is not a positive number
  CT_BAD_QPOS = 1 << 1,            // NaN or |x| > 1e10 in qpos
  CT_BAD_QVEL = 1 << 2,            // the same in qvel
  CT_BAD_QACC = 1 << 3,            // the same in qacc
  CT_CHOLESKY_FAILED = 1 << 4,     // a matrix that must be positive definite is not
  CT_LU_SINGULAR = 1 << 5,         // pivot of the sparse LU too small
  CT_MASS_SINGULAR = 1 << 6,       // mass matrix has a non-positive pivot
  CT_SOLVER_UNCONVERGED = 1 << 7,  // the constraint solver ran out of iterations
  CT_ARENA_FULL = 1 << 8,          // the arena or stack has no room
  CT_MIXED_SOLREF = 1 << 9,        // a solref has one positive number and one that is not
  CT_BAD_CONTACT = 1 << 10,        // a contact without a normal, or with a wrong condim
  CT_BAD_SENSOR = 1 << 11,         // a sensor that cannot be computed
  CT_BAD_MODEL = 1 << 12,          // types that do not exist, constraints that nothing can satisfy
  CT_BAD_CONTROL = 1 << 13,        // NaN or |x| > 1e10 in ctrl: all controls were taken for 0
} ct_Status;

#define CT_NSTATUS 14  // number of bits

// Bits raised since the data was made, reset or cleared.
MJAPI int ct_status(const mjData* d);

// Forgets all bits.
MJAPI void ct_clear_status(mjData* d);

// Name ("arena full") and one-sentence explanation with remedy of a single bit; CT_OK has both too.
// Unknown values give NULL.
MJAPI const char* ct_status_name(int bit);
MJAPI const char* ct_status_message(int bit);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_STATUS_H_
