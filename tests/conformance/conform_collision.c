// conform_collision: contacts of corten against the reference's, on every model of a folder.
//
//   usage: conform_collision REFERENCE_LIB CORTEN_LIB FOLDER [--model TEXT] [--verbose]
//
// The reference loads a model and runs mj_forward: at the initial state, at random states, and
// after a few steps from them, when things have come to touch. Its data is copied into an mjData of
// corten's, which finds the contacts of the same poses. Contacts are compared as sequences (same
// geoms in the same order, all fields) and, pair of geoms by pair of geoms, by the types of the
// two. Each model has a process of its own. Models with flexes are left out.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 60, STATES = 5, STEPS = 40, NTYPE = mjNGEOMTYPES };

#define TOLERANCE 1e-9

typedef struct {  // pairs of geoms of two types that have contacts in either engine
  long pairs, contacts;
  long other_count;  // a different number of contacts
  long off;          // some number beyond the tolerance
  long same_bits;    // all numbers equal
  double worst;
  char model[128];  // where the worst, or a different number, is
} Tally;

typedef struct {
  Tally type[NTYPE][NTYPE];
  long states, same_sequence, same_numbers, parameters_off;
} Totals;

static Totals* totals;       // shared with the children
static const char* current;  // model being compared
static bool verbose;

static void copy_data(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    if (bytes) memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
  }
  to->time = from->time;
  to->nbody_awake = from->nbody_awake;
  to->nparent_awake = from->nparent_awake;
  to->ntree_awake = from->ntree_awake;
  to->nv_awake = from->nv_awake;
}

static double distance(const mjContact* a, const mjContact* b) {
  double worst = fabs(a->dist - b->dist);
  for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(a->pos[k] - b->pos[k]));
  for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(a->frame[k] - b->frame[k]));
  if (isnan(a->dist) && isnan(b->dist)) return 0;
  return isnan(a->dist) || isnan(b->dist) ? INFINITY : worst;
}

static bool same_numbers(const mjtNum* a, const mjtNum* b, int n) {
  return !memcmp(a, b, (size_t)n * sizeof(mjtNum));
}

static bool same_parameters(const mjContact* a, const mjContact* b) {
  return a->includemargin == b->includemargin && same_numbers(a->friction, b->friction, 5) &&
         same_numbers(a->solref, b->solref, mjNREF) &&
         same_numbers(a->solreffriction, b->solreffriction, mjNREF) &&
         same_numbers(a->solimp, b->solimp, mjNIMP) && a->dim == b->dim && a->geom1 == b->geom1 &&
         a->geom2 == b->geom2 && a->flex[0] == b->flex[0] && a->elem[0] == b->elem[0] &&
         a->vert[0] == b->vert[0];
}

static bool same_pair(const mjContact* a, const mjContact* b) {
  return a->geom[0] == b->geom[0] && a->geom[1] == b->geom[1];
}

// Contacts of one pair of geoms, from its first one at index i of list a.
static void compare_pair(const mjModel* m, const mjData* a, int i, const mjData* b) {
  const mjContact* first = a->contact + i;
  Tally* t = &totals->type[m->geom_type[first->geom[0]]][m->geom_type[first->geom[1]]];
  int in_a = 0, in_b = 0;
  double worst = 0;
  for (int k = 0; k < b->ncon; k++) in_b += same_pair(b->contact + k, first);
  for (int k = i, from = 0; k < a->ncon; k++) {
    if (!same_pair(a->contact + k, first)) continue;
    in_a++;
    while (from < b->ncon && !same_pair(b->contact + from, first)) from++;
    if (from < b->ncon) worst = fmax(worst, distance(a->contact + k, b->contact + from++));
  }
  t->pairs++;
  t->contacts += in_a;
  if (in_a != in_b) {
    t->other_count++;
    snprintf(t->model, sizeof(t->model), "%s", current);
    if (verbose) {
      printf("  geoms %d %d (types %d %d): %d contacts, %d wanted\n", first->geom[0],
             first->geom[1], m->geom_type[first->geom[0]], m->geom_type[first->geom[1]], in_b,
             in_a);
    }
    return;
  }
  t->same_bits += worst == 0;
  t->off += !(worst <= TOLERANCE);
  if (verbose && !(worst <= TOLERANCE)) {
    printf("  geoms %d %d (types %d %d): off by %.2g\n", first->geom[0], first->geom[1],
           m->geom_type[first->geom[0]], m->geom_type[first->geom[1]], worst);
  }
  if (worst > t->worst) {
    t->worst = worst;
    if (!t->other_count) snprintf(t->model, sizeof(t->model), "%s", current);
  }
}

static bool seen_before(const mjData* d, int i) {
  for (int k = 0; k < i; k++) {
    if (same_pair(d->contact + k, d->contact + i)) return true;
  }
  return false;
}

static bool has_pair(const mjData* d, const mjContact* c) {
  for (int k = 0; k < d->ncon; k++) {
    if (same_pair(d->contact + k, c)) return true;
  }
  return false;
}

static void compare_contacts(const mjModel* m, const mjData* want, const mjData* got) {
  bool sequence = want->ncon == got->ncon, numbers = true;
  for (int i = 0; i < want->ncon && sequence; i++) {
    const mjContact *a = want->contact + i, *b = got->contact + i;
    sequence = same_pair(a, b);
    numbers = numbers && distance(a, b) <= TOLERANCE;
    if (sequence && !same_parameters(a, b)) totals->parameters_off++;
  }
  totals->states++;
  totals->same_sequence += sequence;
  totals->same_numbers += sequence && numbers;
  if (verbose && !(sequence && numbers)) {
    printf("%s: %d contacts, %d wanted%s\n", current, got->ncon, want->ncon,
           sequence ? ", numbers differ" : "");
  }
  for (int i = 0; i < want->ncon; i++) {
    if (!seen_before(want, i)) compare_pair(m, want, i, got);
  }
  for (int i = 0; i < got->ncon; i++) {  // pairs that only corten has
    const mjContact* c = got->contact + i;
    if (seen_before(got, i) || has_pair(want, c)) continue;
    Tally* t = &totals->type[m->geom_type[c->geom[0]]][m->geom_type[c->geom[1]]];
    t->pairs++;
    t->other_count++;
    snprintf(t->model, sizeof(t->model), "%s", current);
    if (verbose) printf("  geoms %d %d: not wanted\n", c->geom[0], c->geom[1]);
  }
}

static void compare_model(const Engine* reference, const Engine* corten, const mjModel* m) {
  mjData *theirs = reference->mj_makeData(m), *ours = corten->mj_makeData(m);
  for (int state = 0; state < STATES; state++) {
    Random random = random_seeded(current, state / 2);
    reference->mj_resetData(m, theirs);
    if (state) randomise_state(reference, m, theirs, &random);
    if (state && state % 2 == 0) {
      for (int i = 0; i < STEPS; i++) LIBRARY_FUNCTION(reference->handle, mj_step)(m, theirs);
    }
    reference->mj_forward(m, theirs);
    LIBRARY_FUNCTION(reference->handle, mj_collision)(m, theirs);
    copy_data(m, ours, theirs);
    LIBRARY_FUNCTION(corten->handle, mj_collision)(m, ours);
    compare_contacts(m, theirs, ours);
  }
}

enum { COMPARED, LEFT_OUT, STOPPED };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m || m->nflex) return LEFT_OUT;
  ENGINE_TRY(compare_model(reference, corten, m), {
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

static const char* const type_names[NTYPE] = {
    "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};

static long print_totals(void) {
  long wrong = 0;
  printf("%-22s %9s %9s %7s %7s %7s %9s\n", "pair", "pairs", "contacts", "count", "off", "bits %",
         "worst");
  for (int i = 0; i < NTYPE; i++) {
    for (int j = 0; j < NTYPE; j++) {
      const Tally* t = &totals->type[i][j];
      if (!t->pairs) continue;
      char name[64];
      snprintf(name, sizeof(name), "%s-%s", type_names[i], type_names[j]);
      printf("%-22s %9ld %9ld %7ld %7ld %7.1f %9.1e  %s\n", name, t->pairs, t->contacts,
             t->other_count, t->off, 100.0 * (double)t->same_bits / (double)t->pairs, t->worst,
             t->model);
      wrong += t->other_count + t->off;
    }
  }
  printf("states %ld, same sequence %ld, same numbers %ld; contacts with other parameters %ld\n",
         totals->states, totals->same_sequence, totals->same_numbers, totals->parameters_off);
  return wrong;
}

int main(int argc, char** argv) {
  const char* only = NULL;
  if (argc < 4) {
    fprintf(
        stderr,
        "usage: conform_collision REFERENCE_LIB CORTEN_LIB FOLDER [--model TEXT] [--verbose]\n");
    return 2;
  }
  for (int i = 4; i < argc; i++) {
    if (!strcmp(argv[i], "--verbose")) verbose = true;
    if (!strcmp(argv[i], "--model") && i + 1 < argc) only = argv[i + 1];
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  totals = (Totals*)shared_memory(sizeof(Totals));
  Fates fates = ask_one_by_one(argv[3], only, SECONDS, judge_model, engines);
  int compared = fates.count[COMPARED];
  long wrong = print_totals();
  printf("%d models, %d compared, %d crashed or out of time\n", fates.models, compared, fates.lost);
  return wrong > 0 || fates.lost > 0 || compared == 0;
}
