// How stages fail: the one protocol.
//
// Every stage returns an int with bits of ct_Status, CT_OK (0) if all went well, the same on all
// lanes. Its caller joins the bits of several stages with | and hands them on. A stage without room
// for its scratch returns CT_STACK_FULL and has done nothing; what else it left undone stands
// beside the function. Nobody prints, and nobody writes to the status that the data keeps: that is
// up to whoever began, ct_step, a batch, or a public function that warns and stops (host/report.h).
// The exception is mj_stackAlloc and its neighbours (base/memory/stack.c), which users call outside
// of any stage: they set the bit and raise the error themselves.
//
// Which thing a bit is about is in the ct_Detail of the private block.

#ifndef CT_BASE_FAILURE_H_
#define CT_BASE_FAILURE_H_

#include <corten/status.h>

// Bits that ct_Status does not have. They tell the host what to say.
#define CT_NO_SCRATCH (1 << 16)      // beside CT_ARENA_FULL: scratch had no room, an error
#define CT_NO_ROWS (1 << 17)         // beside CT_ARENA_FULL: rows had none, mjWARN_CNSTRFULL
#define CT_FEWER_CONTACTS (1 << 18)  // beside CT_ARENA_FULL: contacts had none, mjWARN_CONTACTFULL
#define CT_PUBLIC_STATUS ((1 << CT_NSTATUS) - 1)

#define CT_STACK_FULL (CT_ARENA_FULL | CT_NO_SCRATCH)
#define CT_ROWS_FULL (CT_ARENA_FULL | CT_NO_ROWS)
#define CT_CONTACTS_FULL (CT_ARENA_FULL | CT_FEWER_CONTACTS)

// With one of these a step is not made. Other bits say that its numbers are doubtful.
#define CT_GRAVE                                                                                   \
  (CT_BAD_TIMESTEP | CT_BAD_QPOS | CT_BAD_QVEL | CT_BAD_QACC | CT_LU_SINGULAR | CT_MASS_SINGULAR | \
   CT_ARENA_FULL | CT_BAD_CONTACT | CT_BAD_SENSOR | CT_BAD_MODEL)

// What is wrong with a model that cannot be stepped (CT_BAD_MODEL). The id is that of the thing.
typedef enum ct_Cause_ {
  CT_CAUSE_JOINT = 1,          // a joint of a type that does not exist
  CT_CAUSE_SIDE_SITE,          // a side site, at this element of wrap_prm, that does not exist
  CT_CAUSE_TRANSMISSION,       // an actuator with a transmission that does not exist
  CT_CAUSE_EQUALITY,           // an equality of a type that does not exist
  CT_CAUSE_SLEEPING_EQUALITY,  // an equality of tendons beside sleep
  CT_CAUSE_BENT_TENDON,        // a tendon with armature that wraps around a geom
  CT_CAUSE_ADRIFT,             // a constraint row that no dof could satisfy
  CT_CAUSE_SOLVER,             // opt.solver does not exist
  CT_CAUSE_DISCRETE_INVERSE,   // the integrator has no inverse
  CT_CAUSE_PLUGIN_SLOT,        // an instance of a plugin that is not registered
  CT_CAUSE_PLUGIN_COMPUTE,     // an instance of a plugin without the function it should have
} ct_Cause;

typedef struct ct_Detail_ {  // which thing the bits are about; valid with its bit
  int cause, id;             // CT_BAD_MODEL
  int sensor;                // CT_BAD_SENSOR
  int lost;                  // CT_FEWER_CONTACTS: pairs of geoms whose contacts had no room
  int geom[2], hits;         // CT_BAD_CONTACT: these have too many contacts; hits 0: another reason
} ct_Detail;

#endif  // CT_BASE_FAILURE_H_
