// When a step may begin in the middle: the mjData of a simulation still has positions and
// velocities of exactly the state that its row holds.
//
// Rows and varied fields belong to the user between calls, so they are compared with copies of what
// the stages were computed from. Controls and applied forces come later in a step and may differ.

#ifndef CT_BATCH_CONTINUATION_H_
#define CT_BATCH_CONTINUATION_H_

#include "batch/cpu.h"

typedef struct ct_Continuation_ ct_Continuation;

// NULL without memory.
ct_Continuation* ct_make_continuation(const ct_CpuBatch* b);
void ct_delete_continuation(ct_Continuation* c);

// Before the simulations run: makes room for what varies by now. Without memory nothing is valid.
void ct_prepare_stages(ct_Continuation* c);

// Remembers what the stages of a simulation were computed from; not valid: they were not.
void ct_note_stages(ct_Continuation* c, int sim, const mjModel* m, bool valid);
void ct_forget_stages(ct_Continuation* c);

// May the next step of this simulation, whose row has been loaded, leave them out?
bool ct_still_valid(const ct_Continuation* c, int sim);

#endif  // CT_BATCH_CONTINUATION_H_
