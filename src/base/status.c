// Status of an mjData: the bits that engine code raised, and what they mean in words (R0.5).

#include <corten/status.h>
#include <stddef.h>

#include "base/private.h"

typedef struct {
  int bit;
  const char *name, *message;
} StatusText;

static const StatusText texts[CT_NSTATUS + 1] = {
    {CT_OK, "ok", "Nothing to report."},
    {CT_BAD_TIMESTEP, "bad timestep", "opt.timestep is not a positive number; set it to one."},
    {CT_BAD_QPOS, "bad qpos",
     "qpos has a NaN or a number beyond 1e10; reset the data, then look for a timestep that is too "
     "large "
     "or for bad input."},
    {CT_BAD_QVEL, "bad qvel",
     "qvel has a NaN or a number beyond 1e10; reset the data, then look for a timestep that is too "
     "large "
     "or for bad input."},
    {CT_BAD_QACC, "bad qacc",
     "qacc has a NaN or a number beyond 1e10; reset the data, then look for forces that are too "
     "large or "
     "masses that are too small."},
    {CT_CHOLESKY_FAILED, "Cholesky failed",
     "A matrix that must be positive definite is not; look for negative damping, armature or "
     "inertia."},
    {CT_LU_SINGULAR, "LU singular",
     "The matrix of the implicit integrator cannot be factored; look for velocity gains that drive "
     "the "
     "motion, or take a smaller timestep."},
    {CT_MASS_SINGULAR, "mass matrix singular",
     "The mass matrix has a pivot that is not positive; give every moving body mass and inertia, "
     "or its "
     "joints armature."},
    {CT_SOLVER_UNCONVERGED, "solver not converged",
     "The constraint solver ran out of iterations; raise opt.iterations or opt.tolerance."},
    {CT_ARENA_FULL, "arena full",
     "The arena has no room for contacts, constraints or scratch; raise memory in <size>."},
    {CT_MIXED_SOLREF, "mixed solref",
     "A solref has one positive number and one that is not, so the default stands in for it; give "
     "both as positive numbers (time constant, damping ratio) or both negative (stiffness, "
     "damping)."},
    {CT_BAD_CONTACT, "bad contact",
     "A contact has no normal, or its condim is not between 1 and 6; look at geom_condim, pair_dim "
     "and at collision functions of your own."},
    {CT_BAD_SENSOR, "bad sensor",
     "A sensor cannot be computed: a tactile one while something sleeps or on a height field, a "
     "delayed one of a user or plugin, or the arena has no room for its rays; leave it out."},
    {CT_BAD_MODEL, "bad model",
     "The model has a solver, a type of equality or of transmission or a side site that does not "
     "exist, a pair of static geoms, sleep beside equalities of tendons, or an inverse that its "
     "integrator does not have; mj_step names it."},
    {CT_BAD_CONTROL, "bad control",
     "ctrl has a NaN or a number beyond 1e10, and all controls were taken for 0; look at what "
     "computes them."},
};

int ct_status(const mjData* d) {
  return (int)ct_private(d)->status;
}

void ct_clear_status(mjData* d) {
  ct_private(d)->status = CT_OK;
}

static const StatusText* text_of(int bit) {
  for (int i = 0; i <= CT_NSTATUS; i++) {
    if (texts[i].bit == bit) return texts + i;
  }
  return NULL;
}

const char* ct_status_name(int bit) {
  const StatusText* t = text_of(bit);
  return t ? t->name : NULL;
}

const char* ct_status_message(int bit) {
  const StatusText* t = text_of(bit);
  return t ? t->message : NULL;
}
