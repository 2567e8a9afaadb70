// What the engine computes on the finished model: constants at the initial pose, springs from time
// constants, length ranges of muscles, statistics; and a first step as a trial.

#include <math.h>
#include <string.h>

#include "base/memory/data_memory.h"
#include "compile/compile.h"
#include "host/data.h"
#include "math/scalar.h"

// Stiffness and damping of joints that give the time constant and damping ratio of springdamper,
// for the inertia that the joint has at qpos0.
static void set_spring_damper(mjModel* m, const ct_WorkJoint* joint) {
  mjtNum timeconst = (mjtNum)joint->v.springdamper[0], ratio = (mjtNum)joint->v.springdamper[1];
  if (timeconst <= 0 || ratio <= 0) return;
  mjtNum weight = 0;
  for (int k = 0; k < joint->nv; k++) weight += m->dof_invweight0[joint->dofadr + k];
  mjtNum inertia = (mjtNum)joint->nv / ct_max(mjMINVAL, weight);
  m->jnt_stiffness[joint->head.id] =
      inertia / ct_max(mjMINVAL, timeconst * timeconst * ratio * ratio);
  for (int k = 0; k < joint->nv; k++) {
    m->dof_damping[joint->dofadr + k] = 2 * inertia / ct_max(mjMINVAL, timeconst);
  }
}

// The model without its plugins, whose data are not made yet. Arrays are the model's own.
static mjModel without_plugins(const mjModel* m) {
  mjModel bare = *m;
  bare.nplugin = bare.npluginstate = 0;
  return bare;
}

void ct_make_compiler_data(ct_Compiler* c, const mjModel* m) {
  mj_deleteData(c->data);
  c->data = NULL;
  c->data = ct_make_data(m);
  if (!c->data) ct_fail_setting(c, CT_SETTING_MEMORY, "no data could be made for the model");
  mj_initPlugin(m, c->data);
  mj_resetData(m, c->data);
}

void ct_set_constants(ct_Compiler* c) {
  mjModel* m = c->model;
  mjModel bare = without_plugins(m);
  ct_make_compiler_data(c, &bare);
  mj_setConst(&bare, c->data);
  m->ngravcomp = bare.ngravcomp;
  m->stat = bare.stat;
  for (int i = 0; i < CT_COUNT(c, mjOBJ_JOINT); i++) set_spring_damper(m, ct_joint_at(c, i));
}

// Length ranges

// Simulated with limits and equalities only, whatever flags the model has.
void ct_set_length_ranges(ct_Compiler* c) {
  mjModel bare = without_plugins(c->model);
  bare.opt.disableflags = mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                          mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  if (c->settings->LRopt.timestep > 0) {
    bare.opt.timestep = (mjtNum)c->settings->LRopt.timestep;
  }
  char error[200];
  for (int i = 0; i < c->model->nu; i++) {
    if (mj_setLengthRange(&bare, c->data, i, &c->settings->LRopt, error, sizeof(error))) continue;
    const char* why = strstr(error, ": ");  // behind the number of the actuator
    ct_fail(c, c->list[mjOBJ_ACTUATOR].item[i]->element, "%s", why ? why + 2 : error);
  }
}

// Statistics

void ct_override_statistics(ct_Compiler* c) {
  const mjStatistic* given = &c->spec->spec.stat;
  mjStatistic* stat = &c->model->stat;
  c->computed = *stat;
  if (!isnan(given->meaninertia)) stat->meaninertia = given->meaninertia;
  if (!isnan(given->meanmass)) stat->meanmass = given->meanmass;
  if (!isnan(given->meansize)) stat->meansize = given->meansize;
  if (!isnan(given->extent)) stat->extent = given->extent;
  if (!isnan(given->center[0])) {
    for (int i = 0; i < 3; i++) stat->center[i] = given->center[i];
  }
}

// Trial

// Contacts and sleep are off meanwhile: see compile.c.
void ct_trial_step(ct_Compiler* c) {
  mj_step(c->model, c->data);
}
