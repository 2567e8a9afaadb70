// conform_solver: the constraint solvers of corten against the reference, on every model of a
// folder.
//
//   usage: conform_solver REFERENCE_LIB CORTEN_LIB FOLDER [PART_OF_NAME]
//
// The reference brings each model to a few states with constraints and runs mj_forward with every
// combination of solver, cone, storage of Jacobians and islands. What the solver reads is copied
// into an mjData of corten's, whose mj_fwdConstraint then runs alone. Compared are qacc and
// efc_force (relative to their largest number), states, numbers of iterations and their statistics.
// For each combination the table has the number of cases, how many had the same number of
// iterations, the median, the 99 % and the largest error, and where that was. Where the numbers
// differ, the cost that both reached says who is right: "worse" counts cases where corten's is
// higher by more than the solver's tolerance.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/copy.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 10, STATES = 3, MOST_ROWS = 400 };
enum { SOLVERS = 4, CONES = 2, STORAGES = 2, ISLANDS = 2 };
enum { COMBINATIONS = SOLVERS * CONES * STORAGES * ISLANDS, MOST_CASES = 20000 };

typedef struct {
  float error[MOST_CASES];
  int count, same_niter, same_states, same_counts, same_nnz, worse;
  double worst, worst_force;
  char where[100];
} Tally;

static Tally* tallies;  // (COMBINATIONS), shared with the children
static const char* current;

typedef struct {
  int solver, cone, sparse, islands;
} Options;

static const char* const solver_names[SOLVERS] = {"PGS", "CG", "Newton", "noslip"};

static void set_options(mjModel* m, Options o) {
  m->opt.solver = o.solver == 3 ? mjSOL_NEWTON : o.solver;
  m->opt.noslip_iterations = o.solver == 3 ? 5 : 0;
  m->opt.cone = o.cone;
  m->opt.jacobian = o.sparse ? mjJAC_SPARSE : mjJAC_DENSE;
  m->opt.disableflags &= ~mjDSBL_ISLAND;
  if (!o.islands) m->opt.disableflags |= mjDSBL_ISLAND;
}

static double largest(const mjtNum* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs((double)x[i]));
  return most;
}

static double relative(const mjtNum* got, const mjtNum* want, int n) {
  double scale = fmax(1e-3, largest(want, n)), worst = 0;
  for (int i = 0; i < n; i++) {
    double e = fabs((double)(got[i] - want[i])) / scale;
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// Cost of the primal problem at d->qacc, by the reference's own functions.
static double cost_at(const Engine* reference, const mjModel* m, const mjData* from,
                      const mjtNum* qacc) {
  mjData* d = reference->mj_copyData(NULL, m, from);
  int nv = (int)m->nv;
  mjtNum* r = (mjtNum*)calloc((size_t)d->nefc + 1, sizeof(mjtNum));
  mjtNum *Ma = (mjtNum*)calloc((size_t)nv, sizeof(mjtNum)), cost = 0;
  LIBRARY_FUNCTION(reference->handle, mj_mulJacVec)(m, d, r, qacc);
  for (int i = 0; i < d->nefc; i++) r[i] -= d->efc_aref[i];
  LIBRARY_FUNCTION(reference->handle, mj_constraintUpdate)(m, d, r, &cost, 0);
  LIBRARY_FUNCTION(reference->handle, mj_mulM)(m, d, Ma, qacc);
  for (int i = 0; i < nv; i++) {
    cost += (Ma[i] - d->qfrc_smooth[i]) * (qacc[i] - d->qacc_smooth[i]) / 2;
  }
  reference->mj_deleteData(d);
  free(r);
  free(Ma);
  return (double)cost;
}

static bool same_statistics(const mjData* a, const mjData* b) {
  int islands = a->nisland > mjNISLAND ? mjNISLAND : a->nisland > 0 ? a->nisland : 1;
  for (int k = 0; k < islands; k++) {
    for (int i = 0; i < a->solver_niter[k] && i < mjNSOLVER; i++) {
      const mjSolverStat *s = a->solver + k * mjNSOLVER + i, *t = b->solver + k * mjNSOLVER + i;
      if (s->nactive != t->nactive || s->nchange != t->nchange || s->neval != t->neval ||
          s->nupdate != t->nupdate) {
        return false;
      }
    }
  }
  return true;
}

static void compare_case(const Engine* reference, const mjModel* m, const mjData* theirs,
                         const mjData* ours, Tally* t, int state) {
  double error = relative(ours->qacc, theirs->qacc, (int)m->nv);
  double force = relative(ours->efc_force, theirs->efc_force, theirs->nefc);
  bool same = !memcmp(ours->solver_niter, theirs->solver_niter, sizeof(ours->solver_niter));
  int islands = theirs->nisland > 0 && theirs->iacc ? theirs->nisland : 1;
  if (islands > mjNISLAND) islands = mjNISLAND;
  bool dual = m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations;
  if (dual) islands = 1;
  if (t->count >= MOST_CASES) return;
  t->error[t->count++] = (float)error;
  t->same_niter += same;
  t->same_nnz += !memcmp(ours->solver_nnz, theirs->solver_nnz, (size_t)islands * sizeof(int));
  t->same_states += !memcmp(ours->efc_state, theirs->efc_state, (size_t)theirs->nefc * sizeof(int));
  t->same_counts += same && same_statistics(theirs, ours);
  if (!(error <= t->worst)) {
    t->worst = error;
    snprintf(t->where, sizeof(t->where), "%s %d niter %d %d rows %d", current, state,
             theirs->solver_niter[0], ours->solver_niter[0], theirs->nefc);
  }
  if (!(force <= t->worst_force)) t->worst_force = force;
  if (error > 1e-9 && !dual) {
    double a = cost_at(reference, m, theirs, theirs->qacc);
    double b = cost_at(reference, m, theirs, ours->qacc);
    mjtNum scale = m->stat.meaninertia * (mjtNum)m->nv;
    t->worse += !(b - a <= 2e-8 * (double)scale);
  }
}

static void compare_combination(const Engine* reference, const Engine* corten, mjModel* m,
                                const mjData* start, int combination, int state) {
  Options o = {combination % SOLVERS, combination / SOLVERS % CONES,
               combination / (SOLVERS * CONES) % STORAGES,
               combination / (SOLVERS * CONES * STORAGES)};
  set_options(m, o);
  mjData *theirs = reference->mj_copyData(NULL, m, start), *ours = corten->mj_makeData(m);
  bool good = true;
  ENGINE_TRY(reference->mj_forward(m, theirs), good = false);
  if (good && theirs->nefc > 0 && theirs->nefc < MOST_ROWS) {
    copy_whole_data(m, ours, theirs);
    memset(ours->qacc, 0xff, (size_t)m->nv * sizeof(mjtNum));
    memset(ours->efc_force, 0xff, (size_t)ours->nefc * sizeof(mjtNum));
    memset(ours->solver_nnz, 0, sizeof(ours->solver_nnz));
    ENGINE_TRY(LIBRARY_FUNCTION(corten->handle, mj_fwdConstraint)(m, ours), good = false);
    if (good) {
      compare_case(reference, m, theirs, ours, tallies + combination, state);
    } else {
      printf("%s: %s\n", current, engine_trap.message);
    }
  }
  reference->mj_deleteData(theirs);
  corten->mj_deleteData(ours);
}

static bool try_step(const Engine* reference, const mjModel* m, mjData* d) {
  ENGINE_TRY(reference->mj_step(m, d), return false);
  return true;
}

static bool make_steps(const Engine* reference, const mjModel* m, mjData* d, Random* random,
                       int count) {
  bool good = true;
  for (int i = 0; i < count && good; i++) {
    randomise_controls(m, d, random);
    good = try_step(reference, m, d);
  }
  return good;
}

// A few steps bring bodies into contact; their last accelerations are the warm start.
static void compare_model(const Engine* reference, const Engine* corten, mjModel* m) {
  mjOption given = m->opt;
  mjData* d = reference->mj_makeData(m);
  for (int state = 0; state < STATES; state++) {
    Random random = random_seeded(current, state);
    m->opt = given;
    reference->mj_resetData(m, d);
    if (state > 0) randomise_state(reference, m, d, &random);
    if (!make_steps(reference, m, d, &random, state == 1 ? 0 : 20)) continue;
    for (int k = 0; k < COMBINATIONS; k++) {
      compare_combination(reference, corten, m, d, k, state);
    }
  }
}

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (m && m->nv > 0 && m->nv <= 300 && !m->nplugin) compare_model(reference, corten, m);
  return 0;
}

static int by_value(const void* a, const void* b) {
  float x = *(const float*)a, y = *(const float*)b;
  return x < y ? -1 : x > y;
}

static void print_table(void) {
  printf("%-7s %-9s %-6s %-7s %5s %6s %6s %6s %6s %8s %8s %8s %8s %5s  worst\n", "solver", "cone",
         "J", "islands", "cases", "niter", "counts", "states", "nnz", "median", "99%", "worst",
         "force", "worse");
  for (int k = 0; k < COMBINATIONS; k++) {
    Tally* t = tallies + k;
    if (!t->count) continue;
    qsort(t->error, (size_t)t->count, sizeof(float), by_value);
    printf("%-7s %-9s %-6s %-7s %5d %6d %6d %6d %6d %8.0e %8.0e %8.0e %8.0e %5d  %s\n",
           solver_names[k % SOLVERS], k / SOLVERS % CONES ? "elliptic" : "pyramidal",
           k / (SOLVERS * CONES) % STORAGES ? "sparse" : "dense",
           k / (SOLVERS * CONES * STORAGES) ? "on" : "off", t->count, t->same_niter, t->same_counts,
           t->same_states, t->same_nnz, (double)t->error[t->count / 2],
           (double)t->error[t->count * 99 / 100], t->worst, t->worst_force, t->worse, t->where);
  }
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_solver REFERENCE_LIB CORTEN_LIB FOLDER [PART_OF_NAME]\n");
    return 2;
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  tallies = (Tally*)shared_memory(sizeof(Tally) * COMBINATIONS);
  ask_one_by_one(argv[3], argc > 4 ? argv[4] : NULL, SECONDS, judge_model, engines);
  print_table();
  return 0;
}
