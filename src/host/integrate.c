// Public functions of the integrators.

#include <corten/integrator.h>
#include <corten/status.h>

#include "base/memory/scratch.h"
#include "base/plugin.h"
#include "base/private.h"
#include "engine/integrate.h"
#include "engine/smooth/sleep.h"
#include "host/pipeline.h"
#include "host/report.h"
#include "host/sensor.h"
#include "host/timer.h"

// What plugins do at the end of a step.
static void advance_plugins(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = ct_plugin_of(m, i, "mj_step");
    if (!plugin) return;
    if (plugin->advance) plugin->advance(m, d, i);
  }
}

static bool is_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

bool ct_integrator_exists(const mjModel* m, const char* function) {
  int integrator = m->opt.integrator;
  if (is_implicit(m) || integrator == mjINT_EULER || integrator == mjINT_RK4 ||
      integrator == CT_INT_SPRINGDAMPER || integrator == CT_INT_DENSE) {
    return true;
  }
  mju_error("%s: there is no integrator %d; set opt.integrator to one of mjtIntegrator", function,
            integrator);
  return false;
}

// Accelerations, and velocities if there are any, with a number that is bad.
static bool is_bad(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* qvel) {
  if (ct_first_bad_dof(m, d, qacc) < 0 && (!qvel || ct_first_bad_dof(m, d, qvel) < 0)) return false;
  ct_private(d)->status |= CT_BAD_QACC;
  return true;
}

// ct_advance, with the user's code where trees fall asleep. False: what a quiet step does not take.
static bool advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc,
                    const mjtNum* qvel) {
  ct_forget_bad_sensor(d);
  if (ct_private(d)->quiet && is_bad(m, d, qacc, qvel)) return false;
  bool slept = ct_advance_activations(lane_one(), m, d, act_dot);
  ct_report_bad_sensor(m, d, "mj_step");
  if (slept) {
    mj_forwardSkip(m, d, mjSTAGE_POS, 0);
    ct_update_awake(lane_one(), m, d, false);
  }
  if (ct_step_failed(d)) return false;
  ct_advance_motion(lane_one(), m, d, qacc, qvel);
  advance_plugins(m, d);
  return true;
}

static bool run_integrator(const mjModel* m, mjData* d, int integrator, int skipfactor) {
  Lane g = lane_one();
  mjtNum start = ct_clock();
  if (!lane_mark(g, d)) return false;
  mjtNum* room = lane_scratch_num(g, d, (int)m->nv);
  const mjtNum* qacc = room ? ct_acceleration_of(g, m, d, integrator, skipfactor != 0, room) : NULL;
  bool good = qacc && advance(m, d, d->act_dot, qacc, NULL);
  lane_free(g, d);
  ct_timer_count(d, mjTIMER_ADVANCE, start);
  return good;
}

// Stages 1 to 3. False: one of them failed.
static bool run_stages(const mjModel* m, mjData* d, const ct_RungeKutta* s) {
  Lane g = lane_one();
  ct_Private* p = ct_private(d);
  p->holds_errors = true;
  p->held_error = false;
  for (int stage = 1; stage < 4 && !ct_step_failed(d); stage++) {
    ct_rk_go_to(g, m, d, s, stage);
    mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
    ct_rk_keep(g, m, d, s, stage);
  }
  bool good = !ct_step_failed(d);
  p->holds_errors = p->held_error = false;
  return good;
}

static bool run_runge_kutta(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  ct_RungeKutta s;
  if (!lane_mark(g, d)) return false;
  mjtNum* room = lane_scratch_num(g, d, ct_rk_room(m));
  bool good = room != NULL;
  if (good) {
    ct_rk_begin(g, m, d, &s, room);
    good = run_stages(m, d, &s);
    ct_rk_return(g, m, d, &s);
    good = good && advance(m, d, s.mean_act_dot, s.mean_qacc, s.mean_qvel);
  }
  lane_free(g, d);
  return good;
}

bool ct_run_integrator(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4) return run_runge_kutta(m, d);
  return run_integrator(m, d, m->opt.integrator, 0);
}

// Bits of the status stay until somebody clears them, so what this step found is told apart first.
void ct_integrate_or_complain(const mjModel* m, mjData* d, int integrator, int skipfactor,
                              const char* function) {
  unsigned* status = &ct_private(d)->status;
  unsigned before = *status;
  *status &= ~(unsigned)CT_LU_SINGULAR;
  bool good = integrator == mjINT_RK4 ? run_runge_kutta(m, d)
                                      : run_integrator(m, d, integrator, skipfactor);
  bool singular = (*status & CT_LU_SINGULAR) != 0;
  *status |= before;
  if (good) return;
  if (singular) {
    mju_error("%s: a pivot of M - h D is zero; take a smaller timestep, or implicitfast", function);
  } else {
    mju_error("%s: the stack has no room; give the model more memory", function);
  }
}

void mj_EulerSkip(const mjModel* m, mjData* d, int skipfactor) {
  ct_integrate_or_complain(m, d, mjINT_EULER, skipfactor, "mj_Euler");
}

void mj_Euler(const mjModel* m, mjData* d) {
  mj_EulerSkip(m, d, 0);
}

void mj_implicitSkip(const mjModel* m, mjData* d, int skipfactor) {
  if (!is_implicit(m)) {
    mju_error("mj_implicit: opt.integrator is %d; set it to implicit or implicitfast",
              m->opt.integrator);
    return;
  }
  ct_integrate_or_complain(m, d, m->opt.integrator, skipfactor, "mj_implicit");
}

void mj_implicit(const mjModel* m, mjData* d) {
  mj_implicitSkip(m, d, 0);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != 4) {
    mju_error("mj_RungeKutta: order %d does not exist; take 4", N);
    return;
  }
  ct_integrate_or_complain(m, d, mjINT_RK4, 0, "mj_RungeKutta");
}
