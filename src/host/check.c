// Public functions that look for bad numbers in the state, and reset the data if there are some;
// and ct_step, which reports them instead.

#include <corten/integrator.h>
#include <corten/step.h>

#include "base/memory/scratch.h"
#include "base/private.h"
#include "engine/integrate.h"
#include "engine/smooth/sleep.h"
#include "host/pipeline.h"
#include "host/position.h"
#include "host/report.h"
#include "math/lane_vec.h"
#include "math/scalar.h"

// Is there a bad number among n? All are looked at, because that is faster than leaving early.
static bool any_bad(const mjtNum* x, int n) {
  int bad = 0, i = 0;
  for (; i + 4 <= n; i += 4) {
    bad |= ct_is_bad(x[i]) | ct_is_bad(x[i + 1]) | ct_is_bad(x[i + 2]) | ct_is_bad(x[i + 3]);
  }
  for (; i < n; i++) bad |= ct_is_bad(x[i]);
  return bad != 0;
}

// The first bad number among n; -1: none. With a list, only the numbers it names.
static int first_bad(const mjtNum* x, int n, const int* list) {
  if (!list && !any_bad(x, n)) return -1;
  for (int i = 0; i < n; i++) {
    int k = list ? list[i] : i;
    if (ct_is_bad(x[k])) return k;
  }
  return -1;
}

int ct_first_bad_dof(const mjModel* m, const mjData* d, const mjtNum* x) {
  if ((m->opt.enableflags & mjENBL_SLEEP) && d->nv_awake < m->nv) {
    return first_bad(x, d->nv_awake, d->dof_awake_ind);
  }
  return first_bad(x, (int)m->nv, NULL);
}

// Warns, and resets unless that is disabled. The reset clears the counters, so the event is counted
// again; without reset it counts twice. True if there was a reset.
static bool complain(const mjModel* m, mjData* d, int warning, int where) {
  bool reset = !(m->opt.disableflags & mjDSBL_AUTORESET);
  mj_warning(d, warning, where);
  if (reset) mj_resetData(m, d);
  d->warning[warning].number++;
  d->warning[warning].lastinfo = where;
  return reset;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  int bad = first_bad(d->qpos, (int)m->nq, NULL);
  if (bad >= 0) complain(m, d, mjWARN_BADQPOS, bad);
}

void mj_checkVel(const mjModel* m, mjData* d) {
  int bad = ct_first_bad_dof(m, d, d->qvel);
  if (bad >= 0) complain(m, d, mjWARN_BADQVEL, bad);
}

void mj_checkAcc(const mjModel* m, mjData* d) {
  int bad = ct_first_bad_dof(m, d, d->qacc);
  if (bad >= 0 && complain(m, d, mjWARN_BADQACC, bad)) mj_forward(m, d);
}

// Is a pivot of a factor not a positive number?
static bool has_bad_pivot(const mjModel* m, const mjtNum* inverse) {
  for (int k = 0; k < m->nv; k++) {
    if (!(inverse[k] > 0) || ct_is_bad(inverse[k])) return true;
  }
  return false;
}

// Does the integrator factor qH?
static bool factors_qH(const mjModel* m, const mjData* d) {
  int integrator = m->opt.integrator;
  if (integrator == mjINT_EULER) return ct_euler_is_implicit(lane_one(), m, d);
  return integrator == mjINT_IMPLICITFAST || integrator == CT_INT_SPRINGDAMPER;
}

static unsigned problems_before(const mjModel* m, const mjData* d) {
  unsigned found = CT_OK;
  if (!(m->opt.timestep > 0) || ct_is_bad(m->opt.timestep)) found |= CT_BAD_TIMESTEP;
  if (first_bad(d->qpos, (int)m->nq, NULL) >= 0) found |= CT_BAD_QPOS;
  if (ct_first_bad_dof(m, d, d->qvel) >= 0) found |= CT_BAD_QVEL;
  return found;
}

typedef struct {  // the state that a step starts from
  mjtNum *qpos, *qvel, *act;
  int* tree_asleep;
} StateBefore;

static bool keep_state(const mjModel* m, mjData* d, StateBefore* s) {
  Lane g = lane_one();
  s->qpos = lane_scratch_num(g, d, (int)(m->nq + m->nv + m->na));
  s->tree_asleep = lane_scratch_int(g, d, (int)m->ntree);
  if (!s->qpos || !s->tree_asleep) return false;
  s->qvel = s->qpos + m->nq;
  s->act = s->qvel + m->nv;
  lane_copy(g, s->qpos, d->qpos, m->nq);
  lane_copy(g, s->qvel, d->qvel, m->nv);
  lane_copy(g, s->act, d->act, m->na);
  for (int i = 0; i < m->ntree; i++) s->tree_asleep[i] = d->tree_asleep[i];
  return true;
}

static void put_state_back(const mjModel* m, mjData* d, const StateBefore* s) {
  Lane g = lane_one();
  lane_copy(g, d->qpos, s->qpos, m->nq);
  lane_copy(g, d->qvel, s->qvel, m->nv);
  lane_copy(g, d->act, s->act, m->na);
  for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = s->tree_asleep[i];
  if (ct_sleep_enabled(m)) ct_update_awake(g, m, d, false);
}

// True if the step was made. Otherwise the state is as before, and the status says why.
static bool integrate_or_stay(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  StateBefore before;
  if (!lane_mark(g, d)) return false;
  bool good = keep_state(m, d, &before);
  if (good) {
    good = ct_run_integrator(m, d);
    if (!good) put_state_back(m, d, &before);
  }
  lane_free(g, d);
  return good;
}

static unsigned step_and_report(const mjModel* m, mjData* d) {
  unsigned found = problems_before(m, d);
  if (found) return found;
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
  if (ct_step_failed(d)) return found;  // what follows would be guesses
  if (has_bad_pivot(m, d->qLDiagInv)) found |= CT_MASS_SINGULAR;
  if (ct_first_bad_dof(m, d, d->qacc) >= 0) found |= CT_BAD_QACC;
  if (found) return found;
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);
  if (ct_step_failed(d) || !integrate_or_stay(m, d)) return found;
  if (factors_qH(m, d) && has_bad_pivot(m, d->qHDiagInv)) found |= CT_CHOLESKY_FAILED;
  return found;
}

int ct_step(const mjModel* m, mjData* d) {
  if (!ct_is_supported(m, "ct_step") || !ct_integrator_exists(m, "ct_step") ||
      !ct_joints_exist(m, "ct_step")) {
    return -1;
  }
  ct_Private* p = ct_private(d);
  unsigned before = p->status;
  p->status = CT_OK;
  p->quiet = true;
  p->status |= step_and_report(m, d);
  ct_speak(d);
  unsigned found = p->status;
  p->status |= before;
  return (int)found;
}
