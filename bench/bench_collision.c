// bench_collision: collision detection of corten and the reference side by side.
//
//   bench_collision REFERENCE CORTEN MODEL.xml ...
//
// The reference steps a model with random controls until things have come to rest on each other,
// and keeps a few states on the way. At each of them both libraries look for contacts, once to warm
// up, then in turn; the ratio is the median over rounds and states: above 1, corten is faster.
// Contacts are compared first. The last column is the ratio without vis.global.bvactive, which
// makes the reference clear and mark its trees.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "base/model/fields.h"
#include "conformance/two_libraries.h"

enum { STATES = 24, ROUNDS = 41, CALLS = 20, SETTLE = 200, APART = 25 };

static TwoLibraries libraries;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(void* library, const mjModel* m, mjData* d) {
  __typeof__(&mj_collision) run = LIBRARY_FUNCTION(library, mj_collision);
  run(m, d);
  double start = seconds();
  for (int i = 0; i < CALLS; i++) run(m, d);
  return seconds() - start;
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void step(const mjModel* m, mjData* d, int count) {
  for (int i = 0; i < count; i++) {
    for (mjtSize k = 0; k < m->nu && i % 10 == 0; k++) {
      double unit = rand() / (double)RAND_MAX;
      const mjtNum* range = m->actuator_ctrlrange + 2 * k;
      d->ctrl[k] = (mjtNum)(m->actuator_ctrllimited[k] ? range[0] + unit * (range[1] - range[0])
                                                       : 2 * unit - 1);
    }
    LIBRARY_FUNCTION(libraries.reference, mj_step)(m, d);
  }
}

static void copy_poses(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    if (bytes) memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
  }
}

static bool same_contacts(const mjData* a, const mjData* b) {
  if (a->ncon != b->ncon) return false;
  for (int i = 0; i < a->ncon; i++) {
    const mjContact *x = a->contact + i, *y = b->contact + i;
    if (x->geom[0] != y->geom[0] || x->geom[1] != y->geom[1]) return false;
    if (fabs((double)(x->dist - y->dist)) > 1e-9) return false;
  }
  return true;
}

// Median ratio at the current poses of both data.
static double ratio_here(const mjModel* m, mjData* theirs, mjData* ours) {
  double ratio[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    double first =
        time_of(i % 2 ? libraries.reference : libraries.corten, m, i % 2 ? theirs : ours);
    double second =
        time_of(i % 2 ? libraries.corten : libraries.reference, m, i % 2 ? ours : theirs);
    ratio[i] = i % 2 ? first / second : second / first;
  }
  qsort(ratio, ROUNDS, sizeof(double), compare_doubles);
  return ratio[ROUNDS / 2];
}

static void compare_model(const char* path) {
  char error[500] = "";
  mjModel* m = LIBRARY_FUNCTION(libraries.reference, mj_loadXML)(path, NULL, error, sizeof(error));
  if (!m) {
    printf("%s: %s\n", path, error);
    return;
  }
  mjData* theirs = LIBRARY_FUNCTION(libraries.reference, mj_makeData)(m);
  mjData* ours = LIBRARY_FUNCTION(libraries.corten, mj_makeData)(m);
  double ratio[STATES], quiet[STATES], contacts = 0;
  int differ = 0;
  srand(1);
  step(m, theirs, SETTLE);
  for (int i = 0; i < STATES; i++) {
    step(m, theirs, APART);
    LIBRARY_FUNCTION(libraries.reference, mj_forward)(m, theirs);
    copy_poses(m, ours, theirs);
    LIBRARY_FUNCTION(libraries.corten, mj_collision)(m, ours);
    differ += !same_contacts(theirs, ours);
    contacts += theirs->ncon;
    m->vis.global.bvactive = 1;
    ratio[i] = ratio_here(m, theirs, ours);
    m->vis.global.bvactive = 0;
    quiet[i] = ratio_here(m, theirs, ours);
  }
  qsort(ratio, STATES, sizeof(double), compare_doubles);
  qsort(quiet, STATES, sizeof(double), compare_doubles);
  const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  printf("%-28s %5.1f contacts  %6.2fx  (without bvactive %.2fx)  %d states differ\n", name,
         contacts / STATES, ratio[STATES / 2], quiet[STATES / 2], differ);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_collision REFERENCE CORTEN MODEL.xml ...\n");
    return 2;
  }
  libraries = two_libraries_open(argv[1], argv[2]);
  if (argc == 3) compare_model(CT_SOURCE_DIR "/models/humanoid.xml");
  for (int i = 3; i < argc; i++) compare_model(argv[i]);
  return 0;
}
