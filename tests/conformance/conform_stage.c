// conform_stage: single stages of corten against the reference, on every model of a folder.
//
//   usage: conform_stage REFERENCE_LIB CORTEN_LIB FOLDER [STAGE ...]
//
// The reference loads a model and runs mj_forward at a few random states. Its data is copied into a
// data of corten's, the arrays that the stage writes are filled with NaN, corten runs the stage
// alone, and the arrays are compared with the reference's. So each stage is judged on the
// reference's inputs, before a whole step exists. For every array the largest relative error (floor
// 1) over all models is printed, and how many numbers have the same bits. Each model has a process
// of its own and a few seconds.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 20, STATES = 2, MOST_WRITES = 16 };

#define TOLERANCE 1e-9

// A stage: the public function of model and data that runs it, and the arrays that it writes.
typedef struct {
  const char* name;
  const char* function;
  const char* writes[MOST_WRITES];
} Stage;

// mj_rne takes more than model and data. Its forces and those of tendons make up qfrc_bias; the
// second function is exported, not declared.
static void run_bias(const Engine* corten, const mjModel* m, mjData* d) {
  typedef void (*TendonBias)(const mjModel* m, mjData* d, mjtNum* qfrc);
  LIBRARY_FUNCTION(corten->handle, mj_rne)(m, d, 0, d->qfrc_bias);
  ((TendonBias)library_function(corten->handle, "mj_tendonBias"))(m, d, d->qfrc_bias);
}

// clang-format off
static const Stage stages[] = {
    {"kinematics", "mj_kinematics",
     {"xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat",
      "site_xpos", "site_xmat"}},
    {"com_position", "mj_comPos", {"subtree_com", "cinert", "cdof"}},
    {"camlight", "mj_camlight", {"cam_xpos", "cam_xmat", "light_xpos", "light_xdir"}},
    {"mass_matrix", "mj_makeM", {"crb", "M"}},
    {"factor", "mj_factorM", {"qLD", "qLDiagInv"}},
    {"com_velocity", "mj_comVel", {"cvel", "cdof_dot"}},
    {"bias", "mj_rne", {"qfrc_bias"}},
    {"post_constraint", "mj_rnePostConstraint", {"cacc", "cfrc_ext", "cfrc_int"}},
    {"subtree", "mj_subtreeVel", {"subtree_linvel", "subtree_angmom"}},
    {"tendon", "mj_tendon",
     {"ten_length", "ten_J", "ten_J_rownnz", "ten_J_rowadr", "ten_J_colind", "ten_wrapadr",
      "ten_wrapnum", "wrap_xpos", "wrap_obj"}},
    {"transmission", "mj_transmission", {"actuator_length", "actuator_moment"}},
    {"actuation", "mj_fwdActuation", {"act_dot", "actuator_force", "qfrc_actuator"}},
    {"acceleration", "mj_fwdAcceleration", {"qfrc_smooth", "qacc_smooth"}},
};
// clang-format on
enum { NSTAGE = sizeof(stages) / sizeof(stages[0]) };

typedef struct {
  double worst;
  char model[128];  // where the worst is
  long index;
  long same_bits, compared, wrong_models;
} Tally;

static Tally (*tallies)[MOST_WRITES];  // of each stage and array, shared with the children
static const char* current;            // model being compared

static const ct_Field* data_field(const char* name) {
  for (int i = 0; i < ct_ndata_field; i++) {
    if (!strcmp(ct_data_fields[i].name, name)) return ct_data_fields + i;
  }
  fprintf(stderr, "conform_stage: mjData has no array %s\n", name);
  exit(2);
}

// Arrays in the arena are shared, not copied: stages only read them.
static void copy_data(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    if (bytes) memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
  }
  for (int i = 0; i < ct_narena_field; i++) {
    *ct_field_pointer(ct_arena_fields + i, to) =
        *(void* const*)((const char*)from + ct_arena_fields[i].offset);
  }
  to->ncon = from->ncon;
  to->nefc = from->nefc;
  to->nJ = from->nJ;
  to->time = from->time;
  to->nbody_awake = from->nbody_awake;
  to->nparent_awake = from->nparent_awake;
  to->ntree_awake = from->ntree_awake;
  to->nv_awake = from->nv_awake;
}

typedef struct {  // the numbers of an array that a stage has written
  double* number;
  long count;
} Values;

static bool named(const ct_Field* f, const char* start) {
  return !strncmp(f->name, start, strlen(start));
}

// How many numbers of an array count: packed arrays have unused room at their end, and dense
// Jacobians have no lists of columns.
static long used_length(const ct_Field* f, const mjModel* m, const mjData* d) {
  long all = (long)(ct_field_bytes(f, m, d) / f->element), last = (long)m->ntendon - 1;
  bool sparse = m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
  if (last < 0) return all;
  if (named(f, "wrap_")) {
    return (d->ten_wrapadr[last] + d->ten_wrapnum[last]) * (named(f, "wrap_xpos") ? 3L : 1L);
  }
  if (named(f, "ten_J_") && !sparse) return 0;
  if (sparse && (!strcmp(f->name, "ten_J") || named(f, "ten_J_colind"))) {
    return d->ten_J_rowadr[last] + d->ten_J_rownnz[last];
  }
  return all;
}

// Entries of actuator_moment that are zero up to rounding may be stored or not, so it is compared
// as a full matrix.
static Values full_moment(const mjModel* m, const mjData* d) {
  Values v = {(double*)calloc((size_t)(m->nu * m->nv) + 1, sizeof(double)), m->nu * m->nv};
  for (int i = 0; i < m->nu; i++) {
    for (int k = d->moment_rowadr[i]; k < d->moment_rowadr[i] + d->moment_rownnz[i]; k++) {
      v.number[i * m->nv + d->moment_colind[k]] = (double)d->actuator_moment[k];
    }
  }
  return v;
}

static Values values_of(const ct_Field* f, const mjModel* m, const mjData* d) {
  if (named(f, "actuator_moment")) return full_moment(m, d);
  Values v = {NULL, used_length(f, m, d)};
  v.number = (double*)calloc((size_t)v.count + 1, sizeof(double));
  const void* array = ct_field_array(f, d);
  for (long i = 0; i < v.count; i++) {
    v.number[i] =
        f->type == CT_TYPE_int ? ((const int*)array)[i] : (double)((const mjtNum*)array)[i];
  }
  return v;
}

static void compare_values(Tally* tally, Values got, Values want) {
  bool wrong = got.count != want.count;
  for (long i = 0; i < want.count && !wrong; i++) {
    double a = got.number[i], b = want.number[i];
    if (isnan(a) && isnan(b)) continue;
    double error = fabs(a - b) / fmax(1, fabs(b));
    tally->compared++;
    tally->same_bits += a == b;
    if (!(error <= tally->worst)) {
      tally->worst = error;
      tally->index = i;
      snprintf(tally->model, sizeof(tally->model), "%s", current);
    }
    wrong |= !(error <= TOLERANCE);
  }
  tally->wrong_models += wrong;
}

// Stages only read contacts and constraint rows; ours looks at theirs meanwhile.
static void borrow_arena(mjData* ours, const mjData* theirs) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    *ct_field_pointer(f, ours) = *ct_field_pointer(f, (mjData*)(uintptr_t)theirs);
  }
  ours->ncon = theirs->ncon;
  ours->nefc = theirs->nefc;
  ours->ne = theirs->ne;
  ours->nf = theirs->nf;
  ours->nl = theirs->nl;
}

static void return_arena(mjData* ours) {
  for (int i = 0; i < ct_narena_field; i++) *ct_field_pointer(ct_arena_fields + i, ours) = NULL;
  ours->ncon = ours->nefc = ours->ne = ours->nf = ours->nl = 0;
}

// Runs stage s on a copy of the reference's data and counts what came out.
static void compare_stage(const Engine* corten, const mjModel* m, const mjData* theirs,
                          mjData* ours, int s) {
  const Stage* stage = stages + s;
  copy_data(m, ours, theirs);
  for (int w = 0; w < MOST_WRITES && stage->writes[w]; w++) {
    const ct_Field* f = data_field(stage->writes[w]);
    memset(*ct_field_pointer(f, ours), 0xff, ct_field_bytes(f, m, ours));
  }
  borrow_arena(ours, theirs);
  if (!strcmp(stage->function, "mj_rne")) {
    run_bias(corten, m, ours);
  } else {
    __typeof__(&mj_kinematics) run =
        (__typeof__(&mj_kinematics))library_function(corten->handle, stage->function);
    run(m, ours);
  }
  return_arena(ours);

  for (int w = 0; w < MOST_WRITES && stage->writes[w]; w++) {
    const ct_Field* f = data_field(stage->writes[w]);
    Values got = values_of(f, m, ours), want = values_of(f, m, theirs);
    compare_values(&tallies[s][w], got, want);
    free(got.number);
    free(want.number);
  }
}

static bool asked(const Stage* stage, int argc, char** argv) {
  for (int i = 4; i < argc; i++) {
    if (!strcmp(argv[i], stage->name)) return true;
  }
  return argc <= 4;
}

static void compare_model(const Engine* reference, const Engine* corten, const mjModel* m, int argc,
                          char** argv) {
  mjData *theirs = reference->mj_makeData(m), *ours = corten->mj_makeData(m);
  for (int state = 0; state < STATES; state++) {
    Random random = random_seeded(current, state);
    reference->mj_resetData(m, theirs);
    randomise_state(reference, m, theirs, &random);
    reference->mj_forward(m, theirs);
    LIBRARY_FUNCTION(reference->handle, mj_rnePostConstraint)(m, theirs);  // these two are lazy
    LIBRARY_FUNCTION(reference->handle, mj_subtreeVel)(m, theirs);
    for (int s = 0; s < NSTAGE; s++) {
      if (asked(stages + s, argc, argv)) compare_stage(corten, m, theirs, ours, s);
    }
  }
}

typedef struct {
  Engine reference, corten;
  int argc;
  char** argv;
} Question;

enum { COMPARED, LEFT_OUT, STOPPED };

static int judge_model(const ModelReport* model, void* argument) {
  const Question* q = (const Question*)argument;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = q->reference.mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m || (m->opt.enableflags & mjENBL_SLEEP)) return LEFT_OUT;
  ENGINE_TRY(compare_model(&q->reference, &q->corten, m, q->argc, q->argv), {
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

static int print_tallies(int argc, char** argv) {
  int wrong = 0;
  for (int s = 0; s < NSTAGE; s++) {
    if (!asked(stages + s, argc, argv)) continue;
    for (int w = 0; w < MOST_WRITES && stages[s].writes[w]; w++) {
      const Tally* t = &tallies[s][w];
      printf("%-14s %-16s worst %8.1e (%s, %ld), same bits %5.1f %% of %ld, wrong in %ld\n",
             stages[s].name, stages[s].writes[w], t->worst, t->model, t->index,
             t->compared ? 100.0 * (double)t->same_bits / (double)t->compared : 100.0, t->compared,
             t->wrong_models);
      wrong |= t->wrong_models > 0 || t->compared == 0;
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_stage REFERENCE_LIB CORTEN_LIB FOLDER [STAGE ...]\n");
    return 2;
  }
  Question q = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten"), argc, argv};
  tallies = (Tally(*)[MOST_WRITES])shared_memory(NSTAGE * sizeof(*tallies));
  Fates fates = ask_one_by_one(argv[3], NULL, SECONDS, judge_model, &q);
  int wrong = print_tallies(argc, argv);
  printf("%d models, %d compared, %d crashed or out of time\n", fates.models, fates.count[COMPARED],
         fates.lost);
  return wrong || fates.lost > 0 || fates.count[COMPARED] == 0;
}
