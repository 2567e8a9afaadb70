// A motion that magnifies rounding leads two correct engines apart, but not in one step: seen from
// the state that ours has reached, the reference must make the same step. Whether it does is asked
// here about trajectories that have come apart further than the reference's drift explains. The
// event behind that may be rare (a capsule and an ellipsoid whose deepest points are found
// elsewhere for one rounding in forty), or one that no moved state can show: a sum of costs whose
// last bit, decided by contacts that the joints do not reach, ends a solver an iteration earlier.

#include "conformance/motion.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "conformance/copy.h"
#include "conformance/spread.h"

double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// States

int motion_length(const mjModel* m) {
  return (int)(m->nq + m->nv + m->na) + 1;
}

void motion_state(const mjModel* m, const mjData* d, double* x) {
  int n = 0;
  for (int i = 0; i < m->nq; i++) x[n++] = (double)d->qpos[i];
  for (int i = 0; i < m->nv; i++) x[n++] = (double)d->qvel[i];
  for (int i = 0; i < m->na; i++) x[n++] = (double)d->act[i];
  x[n] = (double)d->time;
}

Worst motion_difference(int n, const double* x, const double* y) {
  Worst worst = {0, x[0], y[0], 0};
  for (int i = 0; i < n; i++) {
    if (x[i] == y[i] || (isnan(x[i]) && isnan(y[i]))) continue;
    double error = fabs(x[i] - y[i]) / fmax(1, fabs(x[i]));
    if (!isfinite(error)) error = (double)INFINITY;
    if (!(error > worst.error)) continue;
    Worst here = {i, x[i], y[i], error};
    worst = here;
  }
  return worst;
}

const char* motion_field(const mjModel* m, long* i) {
  const struct {
    const char* name;
    long n;
  } fields[] = {{"qpos", (long)m->nq}, {"qvel", (long)m->nv}, {"act", (long)m->na}};
  for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
    if (*i < fields[k].n) return fields[k].name;
    *i -= fields[k].n;
  }
  return "time";
}

// Steps

typedef struct {
  const Engine *reference, *ours;
  const mjModel* m;
  mjData *before, *after;  // the reference's, at the state that ours had
  double *x, *y;           // (motion_length)
  Random noise;
} StepJudge;

// An event that happens to one rounding in ten is missed by this many with a chance of one in 800.
enum { STEP_SAMPLES = 64 };

// How far the reference moves the result of its own step under rounding; no more is asked than
// whether it is `enough`.
static double spread_of_step(StepJudge* j, double enough) {
  double spread = 0;
  bool still = !(j->m->opt.enableflags & mjENBL_SLEEP);  // other numbers would wake what sleeps
  for (int i = 0; i < STEP_SAMPLES && spread < enough; i++) {
    mjModel* moved = j->reference->mj_copyModel(NULL, j->m);
    j->reference->mj_copyData(j->after, j->m, j->before);
    if (still) move_model_by_rounding(moved, &j->noise);
    move_by_rounding(j->m, j->after, j->after, &j->noise);
    j->reference->mj_step(moved, j->after);
    motion_state(j->m, j->after, j->y);
    spread = fmax(spread, motion_difference(motion_length(j->m), j->x, j->y).error);
    j->reference->mj_deleteModel(moved);
  }
  return spread;
}

// Makes one step of ours; does the reference make the same?
static bool step_agrees(StepJudge* j, mjData* d, double agreement) {
  copy_whole_data(j->m, j->before, d);
  j->reference->mj_copyData(j->after, j->m, j->before);
  j->ours->mj_step(j->m, d);
  j->reference->mj_step(j->m, j->after);
  motion_state(j->m, j->after, j->x);
  motion_state(j->m, d, j->y);
  double error = motion_difference(motion_length(j->m), j->x, j->y).error;
  if (error <= agreement) return true;
  double enough = error / spread_factor;
  return spread_of_step(j, enough) >= enough;
}

int steps_in_agreement(const Inquiry* q, const mjModel* m, mjData* d, Random* controls, int most,
                       double agreement, double until) {
  if (m->nplugin) return 0;  // what plugins keep cannot be handed over
  size_t bytes = sizeof(double) * (size_t)motion_length(m);
  StepJudge j = {q->reference,
                 q->ours,
                 m,
                 q->reference->mj_makeData(m),
                 q->reference->mj_makeData(m),
                 (double*)malloc(bytes),
                 (double*)malloc(bytes),
                 random_seeded("step", 0)};
  int agreed = 0;
  for (int step = 1; step <= most && seconds_now() < until; step++) {
    if (step % 10 == 1) randomise_controls(m, d, controls);
    if (!step_agrees(&j, d, agreement / most)) break;
    agreed = step;
  }
  q->reference->mj_deleteData(j.before);
  q->reference->mj_deleteData(j.after);
  free(j.x);
  free(j.y);
  return agreed;
}
