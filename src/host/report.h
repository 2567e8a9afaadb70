// What public functions say about the status of stages (base/failure.h): the one place where bits
// become warnings and errors.

#ifndef CT_HOST_REPORT_H_
#define CT_HOST_REPORT_H_

#include <mujoco/mujoco.h>

#include "base/failure.h"

// Bits that are errors of the functions that warn and stop. With others they go on.
#define CT_ERRORS (CT_NO_SCRATCH | CT_LU_SINGULAR | CT_BAD_CONTACT | CT_BAD_SENSOR | CT_BAD_MODEL)

// Numbers that mj_step warns of, and resets the data for.
#define CT_BAD_STATE (CT_BAD_QPOS | CT_BAD_QVEL | CT_BAD_QACC)

// Says the warnings among the bits. Stages have counted them; each is said once, the first time.
void ct_say_warnings(const mjData* d, int status);

// Adds the bits to the status that d keeps, and says the error among them, which `function` made.
void ct_report(const mjModel* m, mjData* d, int status, const char* function);

#endif  // CT_HOST_REPORT_H_
