// Rules that a model may break after it was edited: types and indices that do not exist. Stages
// rely on them. mj_step asks before each stage (host/dynamics.c); whoever steps without it, as
// ct_step and a batch, asks once before.

#ifndef CT_BASE_MODEL_FAULTS_H_
#define CT_BASE_MODEL_FAULTS_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"

// Each returns the first thing that breaks the rule; -1: none.
int ct_bad_joint(const mjModel* m);         // its type does not exist
int ct_bad_side_site(const mjModel* m);     // element of a tendon's path: no such site
int ct_bad_transmission(const mjModel* m);  // actuator: its type does not exist
int ct_bad_equality(const mjModel* m);      // its type does not exist
int ct_bent_tendon(const mjModel* m);       // has armature and wraps around a geom

// The first rule that is broken, and the thing that breaks it; 0: none.
ct_Cause ct_find_fault(const mjModel* m, int* id);

// What is wrong and what to do about it, in words.
void ct_describe_fault(const mjModel* m, ct_Cause cause, int id, char* text, size_t size);

#endif  // CT_BASE_MODEL_FAULTS_H_
