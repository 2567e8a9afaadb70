// bench_solver: the constraint solver of corten and of the reference side by side.
//
//   bench_solver REFERENCE CORTEN MODEL.xml [MODEL.xml ...]
//
// The reference steps each model with random controls until it has settled, then keeps states a few
// steps apart. At each, its whole data after mj_forward is copied into an mjData of corten's, and
// mj_fwdConstraint of both is timed in turn on the same numbers; who goes first alternates. Printed
// are rows, iterations of both, error of qacc relative to its largest number, and the median over
// rounds of the ratio of times summed over states: above 1, corten is faster.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/copy.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { STATES = 24, ROUNDS = 101, SETTLE = 300, APART = 7 };

typedef __typeof__(&mj_fwdConstraint) Solve;

typedef struct {
  const mjModel* m;
  mjData *theirs[STATES], *ours[STATES];
  int count;
} Pool;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void collect(const Engine* reference, const Engine* corten, const mjModel* m, Pool* pool) {
  mjData* d = reference->mj_makeData(m);
  Random random = random_seeded("bench_solver", 1);
  if (m->nkey > 0) reference->mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; pool->count < STATES && i < SETTLE + 10 * APART * STATES; i++) {
    if (i % 10 == 0) randomise_controls(m, d, &random);
    reference->mj_step(m, d);
    if (i < SETTLE || i % APART || d->nefc == 0) continue;
    mjData *theirs = reference->mj_copyData(NULL, m, d), *ours = corten->mj_makeData(m);
    reference->mj_forward(m, theirs);
    copy_whole_data(m, ours, theirs);
    pool->theirs[pool->count] = theirs;
    pool->ours[pool->count++] = ours;
  }
  reference->mj_deleteData(d);
}

static double error_of(const Pool* pool, int i) {
  double scale = 1e-3, worst = 0;
  const mjtNum *want = pool->theirs[i]->qacc, *got = pool->ours[i]->qacc;
  for (int k = 0; k < pool->m->nv; k++) {
    scale = fmax(scale, fabs((double)want[k]));
    worst = fmax(worst, fabs((double)(got[k] - want[k])));
  }
  return worst / scale;
}

static double iterations(const mjData* d) {
  double sum = 0;
  for (int i = 0; i < mjNISLAND; i++) sum += d->solver_niter[i];
  return sum;
}

static double ratio_of(const Pool* pool, Solve theirs, Solve ours, int round) {
  double sum[2] = {0, 0};
  for (int i = 0; i < pool->count; i++) {
    theirs(pool->m, pool->theirs[i]);
    ours(pool->m, pool->ours[i]);
    for (int turn = 0; turn < 2; turn++) {
      int who = (turn + round + i) % 2;
      double start = seconds();
      (who ? ours : theirs)(pool->m, who ? pool->ours[i] : pool->theirs[i]);
      sum[who] += seconds() - start;
    }
  }
  return sum[0] / sum[1];
}

static void bench_model(const Engine* reference, const Engine* corten, const char* path) {
  Pool pool = {NULL, {NULL}, {NULL}, 0};
  char error[1000];
  mjModel* m = reference->mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    printf("%s: %s\n", path, error);
    return;
  }
  pool.m = m;
  collect(reference, corten, m, &pool);
  Solve theirs = LIBRARY_FUNCTION(reference->handle, mj_fwdConstraint);
  Solve ours = LIBRARY_FUNCTION(corten->handle, mj_fwdConstraint);
  double ratio[ROUNDS], rows = 0, worst = 0, counts[2] = {0, 0};
  for (int i = 0; i < ROUNDS; i++) ratio[i] = ratio_of(&pool, theirs, ours, i);
  for (int i = 0; i < pool.count; i++) {
    rows += pool.theirs[i]->nefc;
    worst = fmax(worst, error_of(&pool, i));
    counts[0] += iterations(pool.theirs[i]);
    counts[1] += iterations(pool.ours[i]);
  }
  qsort(ratio, ROUNDS, sizeof(double), by_value);
  const char* slash = strrchr(path, '/');
  double n = pool.count ? pool.count : 1;
  printf("%-22.22s nv %4d rows %6.1f iterations %5.2f %5.2f error %.0e  %5.2fx (%.2f to %.2f)\n",
         slash ? slash + 1 : path, (int)m->nv, rows / n, counts[0] / n, counts[1] / n, worst,
         ratio[ROUNDS / 2], ratio[ROUNDS / 4], ratio[3 * ROUNDS / 4]);
  for (int i = 0; i < pool.count; i++) {
    reference->mj_deleteData(pool.theirs[i]);
    corten->mj_deleteData(pool.ours[i]);
  }
  reference->mj_deleteModel(m);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: bench_solver REFERENCE CORTEN MODEL.xml [MODEL.xml ...]\n");
    return 2;
  }
  Engine reference = engine_open(argv[1], "reference"), corten = engine_open(argv[2], "corten");
  for (int i = 3; i < argc; i++) bench_model(&reference, &corten, argv[i]);
  return 0;
}
