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

// Groups

// What one step writes and the next one begins with, more than a trajectory shows: numbers that
// rounding moves together are a group, and no group is excused by what happens to another.
//
//   of a tree     its positions; its velocities; the accelerations the solver will begin with
//   of others     each activation; each buffer of delayed controls or readings; the time
typedef struct {
  int length, ngroup;
  int* group;    // (length) of each number
  bool* scaled;  // (length) judged by the largest number of its group, since forces cancel in it
} Groups;

enum { TREE_POSITION, TREE_VELOCITY, TREE_ACCELERATION, TREE_GROUPS };

static void in_group(Groups* g, int group, bool scaled) {
  g->group[g->length] = group;
  g->scaled[g->length++] = scaled;
  if (group >= g->ngroup) g->ngroup = group + 1;
}

static void group_dofs(const mjModel* m, Groups* g, int part) {
  for (int i = 0; i < m->nv; i++) {
    in_group(g, TREE_GROUPS * m->dof_treeid[i] + part, part == TREE_ACCELERATION);
  }
}

static bool begins_buffer(const mjModel* m, int at) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_historyadr[i] == at) return true;
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_historyadr[i] == at) return true;
  }
  return false;
}

static Groups make_groups(const mjModel* m) {
  size_t n = (size_t)(motion_length(m) + m->nv + m->nhistory);
  Groups g = {0, TREE_GROUPS * (int)m->ntree, (int*)malloc(n * sizeof(int)),
              (bool*)malloc(n * sizeof(bool))};
  for (int j = 0; j < m->njnt; j++) {
    int end = j + 1 < m->njnt ? m->jnt_qposadr[j + 1] : (int)m->nq;
    int tree = m->dof_treeid[m->jnt_dofadr[j]];
    for (int k = m->jnt_qposadr[j]; k < end; k++) {
      in_group(&g, TREE_GROUPS * tree + TREE_POSITION, false);
    }
  }
  group_dofs(m, &g, TREE_VELOCITY);
  for (int i = 0; i < m->na; i++) in_group(&g, g.ngroup, false);
  in_group(&g, g.ngroup, false);  // time
  group_dofs(m, &g, TREE_ACCELERATION);
  for (int i = 0; i < m->nhistory; i++) {
    in_group(&g, begins_buffer(m, i) ? g.ngroup : g.ngroup - 1, false);
  }
  return g;
}

static void free_groups(Groups* g) {
  free(g->group);
  free(g->scaled);
}

// The numbers in the order of the groups: those of a trajectory come first.
static void step_state(const mjModel* m, const mjData* d, double* x) {
  motion_state(m, d, x);
  int n = motion_length(m);
  for (int i = 0; i < m->nv; i++) x[n++] = (double)d->qacc_warmstart[i];
  for (int i = 0; i < m->nhistory; i++) x[n++] = (double)d->history[i];
}

// The largest difference of each group, where it is larger than what `most` has.
static void widen_groups(const Groups* g, const double* x, const double* y, double* scale,
                         double* most) {
  for (int k = 0; k < g->ngroup; k++) scale[k] = 1;
  for (int i = 0; i < g->length; i++) {
    if (g->scaled[i] && isfinite(x[i])) scale[g->group[i]] = fmax(scale[g->group[i]], fabs(x[i]));
  }
  for (int i = 0; i < g->length; i++) {
    int k = g->group[i];
    if (x[i] == y[i] || (isnan(x[i]) && isnan(y[i]))) continue;
    double error = fabs(x[i] - y[i]) / fmax(scale[k], fabs(x[i]));
    most[k] = fmax(most[k], isfinite(error) ? error : (double)INFINITY);
  }
}

// Steps

typedef struct {
  const Engine *reference, *ours;
  const mjModel* m;
  mjData *before, *after;  // the reference's, at the state that ours had
  Groups groups;
  double *x, *y;                   // (length)
  double *error, *spread, *scale;  // (ngroup)
  Random noise;
} StepJudge;

// An event that happens to one rounding in ten is missed by this many with a chance of one in 800.
enum { STEP_SAMPLES = 64 };

// Is every error small, or explained by how far the reference moves that group itself?
static bool all_explained(const StepJudge* j, double agreement) {
  for (int k = 0; k < j->groups.ngroup; k++) {
    if (j->error[k] > agreement && !(j->spread[k] >= j->error[k] / spread_factor)) return false;
  }
  return true;
}

// The reference makes the step once more, under rounding.
static void widen_spread(StepJudge* j) {
  bool still = !(j->m->opt.enableflags & mjENBL_SLEEP);  // other numbers would wake what sleeps
  mjModel* moved = j->reference->mj_copyModel(NULL, j->m);
  j->reference->mj_copyData(j->after, j->m, j->before);
  if (still) move_model_by_rounding(moved, &j->noise);
  move_by_rounding(j->m, j->after, j->after, &j->noise);
  j->reference->mj_step(moved, j->after);
  step_state(j->m, j->after, j->y);
  widen_groups(&j->groups, j->x, j->y, j->scale, j->spread);
  j->reference->mj_deleteModel(moved);
}

// Makes one step of ours; does the reference make the same?
static bool step_agrees(StepJudge* j, mjData* d, double agreement) {
  copy_whole_data(j->m, j->before, d);
  j->reference->mj_copyData(j->after, j->m, j->before);
  j->ours->mj_step(j->m, d);
  j->reference->mj_step(j->m, j->after);
  step_state(j->m, j->after, j->x);
  step_state(j->m, d, j->y);
  for (int k = 0; k < j->groups.ngroup; k++) j->error[k] = j->spread[k] = 0;
  widen_groups(&j->groups, j->x, j->y, j->scale, j->error);
  for (int i = 0; i < STEP_SAMPLES && !all_explained(j, agreement); i++) widen_spread(j);
  return all_explained(j, agreement);
}

static double* numbers(int n) {
  return (double*)malloc(sizeof(double) * (size_t)n);
}

int steps_in_agreement(const Inquiry* q, const mjModel* m, mjData* d, Random* controls, int most,
                       double agreement, double until) {
  if (m->npluginstate) return 0;  // what plugins keep is not handed over
  Groups g = make_groups(m);
  StepJudge j = {q->reference,
                 q->ours,
                 m,
                 q->reference->mj_makeData(m),
                 q->reference->mj_makeData(m),
                 g,
                 numbers(g.length),
                 numbers(g.length),
                 numbers(g.ngroup),
                 numbers(g.ngroup),
                 numbers(g.ngroup),
                 random_seeded("step", 0)};
  int agreed = 0;
  for (int step = 1; step <= most && seconds_now() < until; step++) {
    if (step % 10 == 1) randomise_controls(m, d, controls);
    if (!step_agrees(&j, d, agreement / most)) break;
    agreed = step;
  }
  q->reference->mj_deleteData(j.before);
  q->reference->mj_deleteData(j.after);
  free_groups(&j.groups);
  double* const arrays[] = {j.x, j.y, j.error, j.spread, j.scale};
  for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++) free(arrays[k]);
  return agreed;
}
