// Parts of the pipelines that the public headers do not declare.

#ifndef CT_HOST_PIPELINE_H_
#define CT_HOST_PIPELINE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

// mj_step, mj_Euler and mj_implicit for callers that know that a part of the work is still valid:
// the stages up to skipstage (mjtStage), the factored matrix.
MJAPI void mj_stepSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);
MJAPI void mj_EulerSkip(const mjModel* m, mjData* d, int skipfactor);
MJAPI void mj_implicitSkip(const mjModel* m, mjData* d, int skipfactor);

// Is everything that the model needs written? If not, this is an error of `function`.
bool ct_is_supported(const mjModel* m, const char* function);

// Is opt.integrator one that exists? If not, this is an error of `function`.
bool ct_integrator_exists(const mjModel* m, const char* function);

// The integrator that opt.integrator names, and what plugins do at the end of a step. False if it
// could not step, or, in a quiet data, if accelerations are bad; activations and velocities of
// trees that fall asleep may have changed then.
bool ct_run_integrator(const mjModel* m, mjData* d);

// The same for any integrator, whose factor may still be valid; if it cannot step, this is an error
// of `function`.
void ct_integrate_or_complain(const mjModel* m, mjData* d, int integrator, int skipfactor,
                              const char* function);

// The first bad number in an array of dofs (nv), or -1.
int ct_first_bad_dof(const mjModel* m, const mjData* d, const mjtNum* x);

#endif  // CT_HOST_PIPELINE_H_
