// bench_kernels: single stages of corten and the reference side by side, on the same model and the
// same numbers.
//
//   bench_kernels REFERENCE CORTEN [MODEL.xml ...]
//
// Without models of its own choosing it takes some of models/.
//
// A round times a stage of one library, then of the other; who goes first alternates. The ratio is
// the median of the rounds' ratios: above 1, corten is faster. Results are compared first, so that
// a wrong stage is not a fast one.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#include "base/model/fields.h"
#include "conformance/two_libraries.h"

enum { ROUNDS = 1001, CALLS = 20 };

static TwoLibraries libraries;
static const char* const models[] = {"humanoid", "tree_mixed", "tree_ball_chain",
                                     "tree_free_and_chain"};

typedef struct {  // one library with its data
  void* library;
  const mjModel* m;
  mjData* d;
} Side;

typedef void (*StageFunction)(const mjModel* m, mjData* d);

// A stage is a function of model and data, or one of those with more arguments.
typedef struct {
  const char* function;
  void (*run)(AnyFunction function, const mjModel* m, mjData* d);
} Stage;

static void run_stage(AnyFunction function, const mjModel* m, mjData* d) {
  ((StageFunction)function)(m, d);
}

static void run_solve(AnyFunction function, const mjModel* m, mjData* d) {
  ((__typeof__(&mj_solveM))function)(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}

static void run_product(AnyFunction function, const mjModel* m, mjData* d) {
  ((__typeof__(&mj_mulM))function)(m, d, d->qfrc_inverse, d->qvel);
}

static void run_rne(AnyFunction function, const mjModel* m, mjData* d) {
  ((__typeof__(&mj_rne))function)(m, d, 0, d->qfrc_bias);
}

// Public functions, because the reference has no others. They are not the stages of
// engine/stages.def: one function can be several stages, and some stages have none.
static const Stage stages[] = {
    {"mj_kinematics", run_stage},
    {"mj_comPos", run_stage},
    {"mj_camlight", run_stage},
    {"mj_crb", run_stage},
    {"mj_makeM", run_stage},
    {"mj_factorM", run_stage},
    {"mj_solveM", run_solve},
    {"mj_mulM", run_product},
    {"mj_comVel", run_stage},
    {"mj_rne", run_rne},
    {"mj_rnePostConstraint", run_stage},
    {"mj_subtreeVel", run_stage},
    {"mj_tendon", run_stage},
    {"mj_transmission", run_stage},
    {"mj_fwdActuation", run_stage},
    {"mj_fwdAcceleration", run_stage},
};

static void run(const Stage* stage, const Side* side, int calls) {
  AnyFunction function = library_function(side->library, stage->function);
  for (int i = 0; i < calls; i++) stage->run(function, side->m, side->d);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(const Stage* stage, const Side* side) {
  double start = seconds();
  run(stage, side, CALLS);
  return seconds() - start;
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double largest_difference(const mjtNum* a, const mjtNum* b, mjtSize n) {
  double largest = 0;
  for (mjtSize i = 0; i < n; i++) {
    largest = fmax(largest, fabs((double)(a[i] - b[i])) / (1 + fabs((double)b[i])));
  }
  return largest;
}

// Largest difference of any array of numbers in both data.
static double difference(const Side* a, const Side* b) {
  double largest = 0;
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (f->type != CT_TYPE_mjtNum) continue;
    mjtSize n = (mjtSize)(ct_field_bytes(f, a->m, a->d) / sizeof(mjtNum));
    largest = fmax(largest, largest_difference((const mjtNum*)ct_field_array(f, a->d),
                                               (const mjtNum*)ct_field_array(f, b->d), n));
  }
  return largest;
}

static void compare_stage(const char* model, const Stage* stage, const Side* reference,
                          const Side* corten) {
  static double ratio[ROUNDS];
  run(stage, reference, CALLS);
  run(stage, corten, CALLS);
  for (int i = 0; i < ROUNDS; i++) {
    double first = time_of(stage, i % 2 ? reference : corten);
    double second = time_of(stage, i % 2 ? corten : reference);
    ratio[i] = i % 2 ? first / second : second / first;
  }
  qsort(ratio, ROUNDS, sizeof(double), compare_doubles);
  printf("%-20.20s %-20s %5.2fx   (middle half %.2f to %.2f)  difference %.0e\n", model,
         stage->function, ratio[ROUNDS / 2], ratio[ROUNDS / 4], ratio[3 * ROUNDS / 4],
         difference(reference, corten));
}

// The reference's inputs of all stages, after mj_forward at a state that moves.
static void share_inputs(const Side* reference, const Side* corten) {
  const mjModel* m = reference->m;
  for (mjtSize i = 0; i < m->nv; i++) reference->d->qvel[i] = (mjtNum)sin((double)i + 1);
  // away from the start, where zero angles would be free of charge
  LIBRARY_FUNCTION(reference->library, mj_integratePos)
  (m, reference->d->qpos, reference->d->qvel, (mjtNum)0.3);
  LIBRARY_FUNCTION(reference->library, mj_forward)(m, reference->d);
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, corten->d);
    if (bytes) memcpy(*ct_field_pointer(f, corten->d), ct_field_array(f, reference->d), bytes);
  }
}

static mjModel* load_recorded(const char* name) {
  char path[1024];
  snprintf(path, sizeof(path), "%s/tests/recorded/models/%s.mjb", CT_SOURCE_DIR, name);
  return LIBRARY_FUNCTION(libraries.reference, mj_loadModel)(path, NULL);
}

static mjModel* load_xml(const char* path) {
  char error[500] = "";
  mjModel* m = LIBRARY_FUNCTION(libraries.reference, mj_loadXML)(path, NULL, error, sizeof(error));
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  return m;
}

static void bench_model(const char* name, mjModel* m) {
  if (!m) exit(2);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;  // all inputs are then in the buffer of the data
  Side reference = {libraries.reference, m, LIBRARY_FUNCTION(libraries.reference, mj_makeData)(m)};
  Side corten = {libraries.corten, m, LIBRARY_FUNCTION(libraries.corten, mj_makeData)(m)};
  share_inputs(&reference, &corten);
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    compare_stage(name, stages + i, &reference, &corten);
  }
  LIBRARY_FUNCTION(libraries.reference, mj_deleteData)(reference.d);
  LIBRARY_FUNCTION(libraries.corten, mj_deleteData)(corten.d);
  LIBRARY_FUNCTION(libraries.reference, mj_deleteModel)(m);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_kernels REFERENCE CORTEN [MODEL.xml ...]\n");
    return 2;
  }
  libraries = two_libraries_open(argv[1], argv[2]);
  for (int i = 3; i < argc; i++) {
    const char* slash = strrchr(argv[i], '/');
    bench_model(slash ? slash + 1 : argv[i], load_xml(argv[i]));
  }
  for (size_t i = 0; argc == 3 && i < sizeof(models) / sizeof(models[0]); i++) {
    bench_model(models[i], load_recorded(models[i]));
  }
  return 0;
}
