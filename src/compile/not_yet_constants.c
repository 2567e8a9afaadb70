// Constants that the engine computes on the finished model. Until they have their own file, a model
// comes without them, and the spec carries a warning.

#include "compile/compile.h"

void ct_set_constants(ct_Compiler* c) {
  ct_warn(c, NULL, "this version of corten does not compute the constants at qpos0 yet");
}

void ct_set_length_ranges(ct_Compiler* c) {
  (void)c;
}
void ct_override_statistics(ct_Compiler* c) {
  (void)c;
}

// One mj_step, once there is one.
void ct_trial_step(ct_Compiler* c) {
  (void)c;
}
