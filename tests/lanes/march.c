#include "lanes/march.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/arena.h"
#include "lanes/bits.h"
#include "lanes/heap.h"
#include "support/fail.h"
#include "support/models.h"

enum { KEEP = -1 };

typedef struct {
  const char* name;
  int solver, cone, jacobian, integrator;  // KEEP: as the model has it
  int noslip;                              // iterations
  int disable, enable;                     // flags to be set
} Way;

static const Way ways[] = {
    {"as it is", KEEP, KEEP, KEEP, KEEP, 0, 0, 0},
    {"smooth", KEEP, KEEP, KEEP, KEEP, 0, mjDSBL_CONSTRAINT, 0},
    {"Newton, elliptic, dense", mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_DENSE, KEEP, 0, 0, 0},
    {"Newton, elliptic, sparse", mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_SPARSE, KEEP, 0, 0, 0},
    {"Newton, pyramidal, dense", mjSOL_NEWTON, mjCONE_PYRAMIDAL, mjJAC_DENSE, KEEP, 0, 0, 0},
    {"Newton, pyramidal, sparse", mjSOL_NEWTON, mjCONE_PYRAMIDAL, mjJAC_SPARSE, KEEP, 0, 0, 0},
    {"CG, elliptic, dense", mjSOL_CG, mjCONE_ELLIPTIC, mjJAC_DENSE, KEEP, 0, 0, 0},
    {"CG, pyramidal, sparse", mjSOL_CG, mjCONE_PYRAMIDAL, mjJAC_SPARSE, KEEP, 0, 0, 0},
    {"PGS, elliptic, sparse", mjSOL_PGS, mjCONE_ELLIPTIC, mjJAC_SPARSE, KEEP, 0, 0, 0},
    {"PGS, pyramidal, dense", mjSOL_PGS, mjCONE_PYRAMIDAL, mjJAC_DENSE, KEEP, 0, 0, 0},
    {"PGS, pyramidal, sparse", mjSOL_PGS, mjCONE_PYRAMIDAL, mjJAC_SPARSE, KEEP, 0, 0, 0},
    {"Newton, elliptic, noslip", mjSOL_NEWTON, mjCONE_ELLIPTIC, KEEP, KEEP, 3, 0, 0},
    {"CG, pyramidal, noslip", mjSOL_CG, mjCONE_PYRAMIDAL, KEEP, KEEP, 3, 0, 0},
    {"Newton without islands", mjSOL_NEWTON, KEEP, KEEP, KEEP, 0, mjDSBL_ISLAND, 0},
    {"CG without islands", mjSOL_CG, KEEP, KEEP, KEEP, 0, mjDSBL_ISLAND, 0},
    {"Runge-Kutta, energy", KEEP, KEEP, KEEP, mjINT_RK4, 0, 0, mjENBL_ENERGY},
    {"implicit", KEEP, KEEP, KEEP, mjINT_IMPLICIT, 0, 0, 0},
    {"implicitfast", KEEP, KEEP, KEEP, mjINT_IMPLICITFAST, 0, 0, 0},
    {"sleep", KEEP, KEEP, KEEP, KEEP, 0, 0, mjENBL_SLEEP},
    {"many contacts per pair", KEEP, KEEP, KEEP, KEEP, 0, 0, mjENBL_MULTICCD},
    {"legacy convex collision", KEEP, KEEP, KEEP, KEEP, 0, mjDSBL_NATIVECCD, mjENBL_MULTICCD},
    {"without warm start", KEEP, KEEP, KEEP, KEEP, 0, mjDSBL_WARMSTART, 0},
};

int march_way_count(void) {
  return (int)(sizeof(ways) / sizeof(ways[0]));
}

const char* march_way_name(int way) {
  return ways[way].name;
}

void march_change(mjModel* m, int number) {
  const Way* way = &ways[number];
  if (way->solver != KEEP) m->opt.solver = way->solver;
  if (way->cone != KEEP) m->opt.cone = way->cone;
  if (way->jacobian != KEEP) m->opt.jacobian = way->jacobian;
  if (way->integrator != KEEP) m->opt.integrator = way->integrator;
  if (way->noslip) m->opt.noslip_iterations = way->noslip;
  m->opt.disableflags |= way->disable;
  m->opt.enableflags |= way->enable;
}

static mjModel* march_model(const March* march) {
  if (!strcmp(march->model, "heap")) return heap_model();
  if (!strstr(march->model, ".mjb")) return recorded_model(march->model);
  mjModel* m = mj_loadModel(march->model, NULL);
  if (!m) fail_msg("%s does not load", march->model);
  return m;
}

bool march_is_possible(const March* march) {
  mjModel* m = march_model(march);
  bool possible = m->nplugin == 0;
  mj_deleteModel(m);
  return possible;
}

mjData* march_start(const mjModel* m) {
  mjData* d = mj_makeData(m);
  bool sleeps = m->opt.enableflags & mjENBL_SLEEP;
  for (int i = 0; i < m->nv && !sleeps; i++) d->qvel[i] = (mjtNum)((i * 7 + 3) % 11 - 5) / 10;
#ifndef CT_ASAN
  memset(d->arena, 0, (size_t)d->narena);
#endif
  return d;
}

void march_steer(const mjModel* m, mjData* d, int k) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)((k * 31 + i * 17) % 41 - 20) / 20;
}

// FNV-1a
static unsigned long long mix_bytes(unsigned long long hash, const void* x, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    hash = (hash ^ ((const unsigned char*)x)[i]) * 1099511628211ull;
  }
  return hash;
}

static unsigned long long state_hash(const mjModel* m, const mjData* d) {
  unsigned long long hash = 14695981039346656037ull;
  hash = mix_bytes(hash, &d->time, sizeof(d->time));
  hash = mix_bytes(hash, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  hash = mix_bytes(hash, d->qvel, (size_t)m->nv * sizeof(mjtNum));
  return mix_bytes(hash, d->act, (size_t)m->na * sizeof(mjtNum));
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

static void note_sights(MarchReport* report, const mjModel* m, const mjData* d) {
  report->ncon = larger(report->ncon, d->ncon);
  report->nefc = larger(report->nefc, d->nefc);
  report->nisland = larger(report->nisland, d->nisland);
  report->nasleep = larger(report->nasleep, (int)m->ntree - d->ntree_awake);
}

// Infinite, or NaN, which has other bits on a GPU. The host's step would have reset before.
static bool has_diverged(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (!isfinite(d->qvel[i])) return true;
  }
  return false;
}

void march_compare(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                   const mjData* b) {
  compare_values(report, where, a, b);
  compare_data(report, where, m, a, b);
#ifdef CT_ASAN
  compare_arena(report, where, m, a, b, false);
#else
  compare_arena(report, where, m, a, b, true);
#endif
}

static int march_kernel(void) {
  int kernel = 0;
  while (strcmp(lane_kernel_name(kernel), "march") != 0) kernel++;
  return kernel;
}

MarchReport compare_march(const March* march, const LaneRunner* other, int nlane) {
  MarchReport report;
  memset(&report, 0, sizeof(report));
  mjModel* m = march_model(march);
  march_change(m, march->way);
  mjData *d = march_start(m), *copy = march_start(m);
  for (int k = MARCH_STRIDE; k <= march->nstep && !report.bits.ndifferent; k += MARCH_STRIDE) {
    march_steer(m, d, k);
    march_steer(m, copy, k);
    int status = lanes_one()->run_kernel(march_kernel(), 1, m, d);
    int other_status = other->run_kernel(march_kernel(), nlane, m, copy);
    if (has_diverged(m, d) && has_diverged(m, copy)) break;
    char where[64];
    snprintf(where, sizeof(where), "step %d on %d lanes: ", k, nlane);
    compare_ints(&report.bits, where, "status", &status, &other_status, 1);
    march_compare(&report.bits, where, m, d, copy);
    note_sights(&report, m, d);
    report.bits.nstate++;
  }
  report.hash = state_hash(m, copy);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
  return report;
}
