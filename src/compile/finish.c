// The last steps: total mass, a trial of the finished model, and what the spec keeps of it.

#include "compile/compile.h"

void ct_set_total_mass(ct_Compiler* c) {
  if (c->settings->settotalmass > 0) {
    mj_setTotalmass(c->model, (mjtNum)c->settings->settotalmass);
  }
}

static bool starts_asleep(const mjModel* m, int enableflags) {
  if (!(enableflags & mjENBL_SLEEP)) return false;
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] == mjSLEEP_INIT) return true;
  }
  return false;
}

// Errors of the engine in this step are errors of the model. Trees that start asleep are put to
// sleep when the data is made, which takes the flags of the user; a step would wake them.
void ct_try_model(ct_Compiler* c, int disableflags, int enableflags) {
  mjModel* m = c->model;
  bool asleep = starts_asleep(m, enableflags);
  if (asleep) {
    m->opt.disableflags = disableflags;
    m->opt.enableflags = enableflags;
  }
  ct_make_compiler_data(c, m);
  if (!asleep) ct_trial_step(c);
}

void ct_finish_spec(ct_Compiler* c) {
  ct_Spec* spec = c->spec;
  ct_spec_number(spec);
  spec->element.handle.signature = ct_spec_signature(spec);
  c->model->signature = spec->element.handle.signature;
  ct_keep_compiled_layer(c);
}
