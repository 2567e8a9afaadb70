// conform_rows: constraint rows, islands and their forces against the reference, on every model of
// a folder.
//
//   usage: conform_rows REFERENCE_LIB CORTEN_LIB FOLDER [PART_OF_A_NAME]
//
// The reference runs mj_forward at random states and at states that it has stepped to. Its data and
// its contacts, without what rows have written to them, are copied into an mjData of corten's;
// corten makes rows, islands, AR, reference accelerations and forces, and every array is compared:
// whole numbers exactly, others to 1e-9 of their size plus 1e-12; sums of inverse dynamics to 1e-9
// of what is summed. Everything is done with both cones, dense and sparse. Models with flexes or
// sleep are left out. Each model has a process of its own.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 60, STATES = 3, MOST_TALLIES = 160, MOST_ROWS = 1500 };

typedef struct {
  char name[32];
  double worst;     // |error| / (1e-3 + |value|)
  char model[160];  // where the worst is, or the first wrong one
  long index;
  long same_bits, compared, wrong_cases;
} Tally;

typedef struct {  // shared with the children
  Tally tally[MOST_TALLIES];
  int ntally;
  long cases, rows, contacts, islands;
} Shared;

static Shared* shared;

static char current[160];  // model and case being compared

static Tally* tally_of(const char* name) {
  for (int i = 0; i < shared->ntally; i++) {
    if (!strcmp(shared->tally[i].name, name)) return shared->tally + i;
  }
  Tally* t = shared->tally + shared->ntally++;
  snprintf(t->name, sizeof(t->name), "%s", name);
  return t;
}

// floor: size of what has cancelled in the numbers; 0 for those that are not sums of larger ones.
static void compare_sums(const char* name, const mjtNum* got, const mjtNum* want, long n,
                         double floor) {
  Tally* t = tally_of(name);
  bool wrong = false;
  for (long i = 0; i < n; i++) {
    double a = (double)got[i], b = (double)want[i], error = fabs(a - b);
    if (isnan(a) && isnan(b)) continue;
    t->compared++;
    t->same_bits += a == b;
    wrong |= !(error <= 1e-12 + 1e-9 * fmax(floor, fabs(b)));
    if (!(error / (1e-3 + fmax(floor, fabs(b))) <= t->worst)) {
      t->worst = error / (1e-3 + fmax(floor, fabs(b)));
      t->index = i;
      snprintf(t->model, sizeof(t->model), "%s", current);
    }
  }
  t->wrong_cases += wrong;
}

static void compare_numbers(const char* name, const mjtNum* got, const mjtNum* want, long n) {
  compare_sums(name, got, want, n, 0);
}

static void compare_ints(const char* name, const int* got, const int* want, long n) {
  Tally* t = tally_of(name);
  bool wrong = false;
  for (long i = 0; i < n; i++) {
    t->compared++;
    t->same_bits += got[i] == want[i];
    if (got[i] != want[i] && !wrong && t->wrong_cases == 0) {
      t->index = i;
      t->worst = fabs((double)got[i] - (double)want[i]);
      snprintf(t->model, sizeof(t->model), "%s", current);
    }
    wrong |= got[i] != want[i];
  }
  t->wrong_cases += wrong;
}

// Copies all arrays of the buffer, the counts of who is awake, and the contacts as collision left
// them.
static void copy_inputs(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    if (bytes) memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
  }
  for (int i = 0; i < ct_narena_field; i++) *ct_field_pointer(ct_arena_fields + i, to) = NULL;
  to->time = from->time;
  to->nbody_awake = from->nbody_awake;
  to->nparent_awake = from->nparent_awake;
  to->ntree_awake = from->ntree_awake;
  to->nv_awake = from->nv_awake;
  to->contact = (mjContact*)to->arena;
  to->ncon = from->ncon;
  to->parena = (size_t)from->ncon * sizeof(mjContact);
  for (int c = 0; c < from->ncon; c++) {
    mjContact* con = to->contact + c;
    *con = from->contact[c];
    con->efc_address = -1;
    con->mu = 0;
    if (con->exclude > 1) con->exclude = 0;
  }
}

static bool starts(const char* name, const char* with) {
  return !strncmp(name, with, strlen(with));
}

// How much of an array has been written.
static long used(const ct_Field* f, const mjModel* m, const mjData* d, bool sparse) {
  long all = (long)(ct_field_bytes(f, m, d) / f->element);
  if (!ct_field_array(f, d)) return 0;
  if (!sparse && (strstr(f->name, "J_") || strstr(f->name, "AR_"))) return 0;
  if (!sparse && !strcmp(f->name, "efc_J")) return (long)d->nefc * m->nv;
  if (!sparse && !strcmp(f->name, "iefc_J")) return 0;  // by blocks, below
  bool packed = !strcmp(f->name, "iM") || !strcmp(f->name, "iLD") || !strcmp(f->name, "iM_colind");
  if (packed) return d->nidof ? d->iM_rowadr[d->nidof - 1] + d->iM_rownnz[d->nidof - 1] : 0;
  return all;
}

static void compare_island_blocks(const mjModel* m, const mjData* ours, const mjData* theirs) {
  if (m->opt.jacobian == mjJAC_SPARSE) return;
  for (int k = 0; k < theirs->nisland; k++) {
    size_t start = (size_t)theirs->nidof * (size_t)theirs->island_iefcadr[k];
    compare_numbers("iefc_J (dense)", ours->iefc_J + start, theirs->iefc_J + start,
                    (long)theirs->island_nefc[k] * theirs->island_nv[k]);
  }
}

static void compare_arena(const mjModel* m, const mjData* ours, const mjData* theirs) {
  bool sparse = m->opt.jacobian == mjJAC_SPARSE;
  bool same_islands = ours->nisland == theirs->nisland && ours->nidof == theirs->nidof;
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    if (starts(f->name, "contact") || !strcmp(f->stage, "SOLVER")) continue;
    int exists[2] = {ct_field_array(f, ours) != NULL, ct_field_array(f, theirs) != NULL};
    compare_ints("array exists", exists, exists + 1, 1);
    long n = used(f, m, theirs, sparse);
    if (!exists[0] || n == 0 || (!strcmp(f->stage, "ISLAND") && !same_islands)) continue;
    if (!strcmp(f->stage, "PROJECT") && ours->nA != theirs->nA) continue;
    const void *got = ct_field_array(f, ours), *want = ct_field_array(f, theirs);
    if (f->type == CT_TYPE_int) compare_ints(f->name, (const int*)got, (const int*)want, n);
    if (f->type == CT_TYPE_mjtNum)
      compare_numbers(f->name, (const mjtNum*)got, (const mjtNum*)want, n);
  }
  if (same_islands) compare_island_blocks(m, ours, theirs);
}

static void compare_contacts(const mjData* ours, const mjData* theirs) {
  for (int c = 0; c < theirs->ncon; c++) {
    const mjContact *a = ours->contact + c, *b = theirs->contact + c;
    compare_ints("contact.efc_address", &a->efc_address, &b->efc_address, 1);
    compare_ints("contact.exclude", &a->exclude, &b->exclude, 1);
    compare_numbers("contact.mu", &a->mu, &b->mu, 1);
  }
}

// True if there are as many rows, so that arrays can be compared.
static bool compare_counts(const mjData* ours, const mjData* theirs) {
#define COMPARE_COUNT(name_) compare_ints(#name_, &ours->name_, &theirs->name_, 1);
  COMPARE_COUNT(ne)
  COMPARE_COUNT(nf)
  COMPARE_COUNT(nl)
  COMPARE_COUNT(nefc)
  COMPARE_COUNT(nJ)
  COMPARE_COUNT(nA)
  COMPARE_COUNT(nisland)
  COMPARE_COUNT(nidof)
  int parena[2] = {(int)ours->parena, (int)theirs->parena};
  compare_ints("parena", parena, parena + 1, 1);
  return ours->nefc == theirs->nefc && ours->nJ == theirs->nJ;
}

// Forces at an acceleration somewhere between the smooth one and a random one.
static void compare_update(const Engine* reference, const Engine* corten, const mjModel* m,
                           mjData* ours, mjData* theirs, Random* random) {
  if (theirs->nefc == 0) return;
  mjtNum* jar = (mjtNum*)malloc((size_t)theirs->nefc * sizeof(mjtNum));
  mjtNum *a = (mjtNum*)malloc((size_t)m->nv * sizeof(mjtNum)), cost[2];
  for (int i = 0; i < m->nv; i++) {
    a[i] = theirs->qacc[i] + (mjtNum)random_uniform(random, -1, 1) * (1 + fabs(theirs->qacc[i]));
  }
  LIBRARY_FUNCTION(reference->handle, mj_mulJacVec)(m, theirs, jar, a);
  LIBRARY_FUNCTION(corten->handle, mj_mulJacVec)(m, ours, ours->efc_b, a);
  compare_numbers("mj_mulJacVec", ours->efc_b, jar, theirs->nefc);
  for (int i = 0; i < theirs->nefc; i++) jar[i] -= theirs->efc_aref[i];
  for (int c = 0; c < theirs->ncon; c++) {
    memset(ours->contact[c].H, 0, sizeof(ours->contact[c].H));
    memset(theirs->contact[c].H, 0, sizeof(ours->contact[c].H));
  }
  LIBRARY_FUNCTION(reference->handle, mj_constraintUpdate)(m, theirs, jar, cost, 1);
  LIBRARY_FUNCTION(corten->handle, mj_constraintUpdate)(m, ours, jar, cost + 1, 1);
  compare_numbers("cost", cost + 1, cost, 1);
  compare_ints("efc_state", ours->efc_state, theirs->efc_state, theirs->nefc);
  compare_numbers("efc_force", ours->efc_force, theirs->efc_force, theirs->nefc);
  compare_numbers("qfrc_constraint", ours->qfrc_constraint, theirs->qfrc_constraint, m->nv);
  for (int c = 0; c < theirs->ncon; c++) {
    compare_numbers("contact.H", ours->contact[c].H, theirs->contact[c].H, 36);
  }
  free(a);
  free(jar);
}

// The largest force in the balance of inverse dynamics: inertia, constraints, the rest.
static double largest_force(const mjModel* m, const mjData* d) {
  double largest = 0;
  for (int i = 0; i < m->nv; i++) {
    double others = fabs(d->qfrc_bias[i]) + fabs(d->qfrc_passive[i]) + fabs(d->qfrc_inverse[i]);
    largest = fmax(largest, fabs(d->qfrc_constraint[i]) + others);
  }
  return largest;
}

// Inverse dynamics from the velocity stage on, with accelerations of the integrator too, and the
// comparison of forward and inverse dynamics.
static void compare_inverse(const Engine* reference, const Engine* corten, mjModel* m, mjData* ours,
                            mjData* theirs) {
  int enabled = m->opt.enableflags;
  for (int discrete = 0; discrete < (m->opt.integrator == mjINT_RK4 ? 1 : 2); discrete++) {
    m->opt.enableflags = discrete ? enabled | mjENBL_INVDISCRETE : enabled & ~mjENBL_INVDISCRETE;
    memcpy(ours->qacc, theirs->qacc, (size_t)m->nv * sizeof(mjtNum));
    LIBRARY_FUNCTION(reference->handle, mj_inverseSkip)(m, theirs, mjSTAGE_POS, 1);
    LIBRARY_FUNCTION(corten->handle, mj_inverseSkip)(m, ours, mjSTAGE_POS, 1);
    double floor = largest_force(m, theirs);
    compare_sums("qfrc_inverse", ours->qfrc_inverse, theirs->qfrc_inverse, m->nv, floor);
    compare_numbers("qfrc_constraint", ours->qfrc_constraint, theirs->qfrc_constraint, m->nv);
    LIBRARY_FUNCTION(reference->handle, mj_compareFwdInv)(m, theirs);
    LIBRARY_FUNCTION(corten->handle, mj_compareFwdInv)(m, ours);
    compare_sums("solver_fwdinv", ours->solver_fwdinv, theirs->solver_fwdinv, 2, floor);
  }
  m->opt.enableflags = enabled;
}

static void compare_case(const Engine* reference, const Engine* corten, mjModel* m, mjData* ours,
                         mjData* theirs, Random* random) {
  reference->mj_forward(m, theirs);
  if (theirs->nefc > MOST_ROWS) return;
  copy_inputs(m, ours, theirs);
  LIBRARY_FUNCTION(corten->handle, mj_makeConstraint)(m, ours);
  LIBRARY_FUNCTION(corten->handle, mj_island)(m, ours);
  LIBRARY_FUNCTION(corten->handle, mj_projectConstraint)(m, ours);
  shared->cases++;
  shared->rows += theirs->nefc;
  shared->contacts += theirs->ncon;
  shared->islands += theirs->nisland;
  compare_contacts(ours, theirs);
  if (!compare_counts(ours, theirs)) return;
  LIBRARY_FUNCTION(corten->handle, mj_referenceConstraint)(m, ours);
  compare_arena(m, ours, theirs);
  compare_update(reference, corten, m, ours, theirs, random);
  compare_inverse(reference, corten, m, ours, theirs);
}

// Joints beyond their limits, so that there are rows of them.
static void overstretch(const mjModel* m, mjData* d, Random* random) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
    const mjtNum* range = m->jnt_range + 2 * j;
    mjtNum* q = d->qpos + m->jnt_qposadr[j];
    double beyond = random_uniform(random, 0, 0.1) * (double)(range[1] - range[0]);
    double choice = random_uniform(random, 0, 1);
    if (!m->jnt_limited[j]) continue;
    if (choice < 0.2) *q = range[0] - (mjtNum)beyond;
    if (choice > 0.8) *q = range[1] + (mjtNum)beyond;
  }
}

static void compare_model(const Engine* reference, const Engine* corten, mjModel* m,
                          const char* name) {
  mjData *theirs = reference->mj_makeData(m), *ours = corten->mj_makeData(m);
  for (int state = 0; state < STATES; state++) {
    for (int variant = 0; variant < 4; variant++) {
      Random random = random_seeded(name, state);
      m->opt.cone = variant & 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      m->opt.jacobian = variant & 2 ? mjJAC_SPARSE : mjJAC_DENSE;
      m->opt.solver = mjSOL_PGS;  // asks for AR
      m->opt.iterations = 1;
      if (!(variant & 2) && m->nv > 300) continue;
      snprintf(current, sizeof(current), "%s, state %d%s%s", name, state,
               variant & 1 ? ", elliptic" : "", variant & 2 ? ", sparse" : "");
      reference->mj_resetData(m, theirs);
      randomise_state(reference, m, theirs, &random);
      if (state == 1) overstretch(m, theirs, &random);
      for (int i = 0; i < 10 * state * (state - 1); i++) reference->mj_step(m, theirs);
      compare_case(reference, corten, m, ours, theirs, &random);
    }
  }
}

enum { COMPARED, LEFT_OUT, STOPPED };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m || m->nflex || (m->opt.enableflags & mjENBL_SLEEP)) return LEFT_OUT;
  ENGINE_TRY(compare_model(reference, corten, m, model->name), {
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

static int print_tallies(void) {
  int wrong = 0;
  for (int i = 0; i < shared->ntally; i++) {
    const Tally* t = shared->tally + i;
    printf("%-20s worst %8.1e, same bits %5.1f %% of %ld", t->name, t->worst,
           t->compared ? 100.0 * (double)t->same_bits / (double)t->compared : 100.0, t->compared);
    if (t->wrong_cases) printf(", wrong in %ld cases: %s, %ld", t->wrong_cases, t->model, t->index);
    printf("\n");
    wrong |= t->wrong_cases > 0;
  }
  return wrong;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_rows REFERENCE_LIB CORTEN_LIB FOLDER [PART_OF_A_NAME]\n");
    return 2;
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  shared = (Shared*)shared_memory(sizeof(*shared));
  Fates fates = ask_one_by_one(argv[3], argc > 4 ? argv[4] : NULL, SECONDS, judge_model, engines);
  int wrong = print_tallies();
  printf(
      "%d models, %d compared, %d crashed or out of time; %ld cases, %ld contacts, %ld rows, %ld "
      "islands\n",
      fates.models, fates.count[COMPARED], fates.lost, shared->cases, shared->contacts,
      shared->rows, shared->islands);
  return wrong || fates.lost > 0 || fates.count[COMPARED] == 0;
}
