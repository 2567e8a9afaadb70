// Public functions of the integrators.

#include <corten/integrator.h>
#include <corten/status.h>

#include "api/pipeline.h"
#include "api/timer.h"
#include "base/private.h"
#include "engine/integrate.h"

// What plugins do at the end of a step.
static void advance_plugins(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin) {
      mju_error("mj_step: plugin instance %d uses slot %d, where no plugin is registered", i,
                m->plugin[i]);
      return;
    }
    if (plugin->advance) plugin->advance(m, d, i);
  }
}

static bool is_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

bool ct_integrator_exists(const mjModel* m, const char* function) {
  int integrator = m->opt.integrator;
  if (is_implicit(m) || integrator == mjINT_EULER || integrator == mjINT_RK4 ||
      integrator == CT_INT_SPRINGDAMPER) {
    return true;
  }
  mju_error("%s: there is no integrator %d; set opt.integrator to one of mjtIntegrator", function,
            integrator);
  return false;
}

static bool run_euler(const mjModel* m, mjData* d, int skipfactor) {
  mjtNum start = ct_clock();
  bool good = ct_euler(lane_one(), m, d, skipfactor != 0);
  if (good) advance_plugins(m, d);
  ct_timer_count(d, mjTIMER_ADVANCE, start);
  return good;
}

static bool run_implicit(const mjModel* m, mjData* d, int skipfactor) {
  mjtNum start = ct_clock();
  bool good = ct_implicit(lane_one(), m, d, skipfactor != 0);
  if (good) advance_plugins(m, d);
  ct_timer_count(d, mjTIMER_ADVANCE, start);
  return good;
}

static bool run_spring_damper(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  bool good = ct_implicit_spring_damper(lane_one(), m, d);
  if (good) advance_plugins(m, d);
  ct_timer_count(d, mjTIMER_ADVANCE, start);
  return good;
}

static bool run_runge_kutta(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  ct_RungeKutta s;
  mj_markStack(d);
  ct_rk_begin(g, m, d, &s, mj_stackAllocNum(d, (size_t)ct_rk_room(m)));
  for (int stage = 1; stage < 4; stage++) {
    ct_rk_go_to(g, m, d, &s, stage);
    mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
    ct_rk_keep(g, m, d, &s, stage);
  }
  ct_rk_end(g, m, d, &s);
  mj_freeStack(d);
  advance_plugins(m, d);
  return true;
}

bool ct_run_integrator(const mjModel* m, mjData* d) {
  if (is_implicit(m)) return run_implicit(m, d, 0);
  if (m->opt.integrator == mjINT_RK4) return run_runge_kutta(m, d);
  if (m->opt.integrator == CT_INT_SPRINGDAMPER) return run_spring_damper(m, d);
  return run_euler(m, d, 0);
}

// An integrator that could not step: what the status says, as an error.
static void complain(const mjData* d, const char* function) {
  if (ct_private(d)->status & CT_LU_SINGULAR) {
    mju_error("%s: a pivot of M - h D is zero; take a smaller timestep, or implicitfast", function);
  } else {
    mju_error("%s: the stack has no room; give the model more memory", function);
  }
}

void mj_EulerSkip(const mjModel* m, mjData* d, int skipfactor) {
  if (!run_euler(m, d, skipfactor)) complain(d, "mj_Euler");
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
  if (!run_implicit(m, d, skipfactor)) complain(d, "mj_implicit");
}

void mj_implicit(const mjModel* m, mjData* d) {
  mj_implicitSkip(m, d, 0);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != 4) {
    mju_error("mj_RungeKutta: order %d does not exist; take 4", N);
    return;
  }
  run_runge_kutta(m, d);
}
