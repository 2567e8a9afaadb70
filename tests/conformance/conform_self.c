// conform_self: can the comparison say yes, and can it say no?
//
//   usage: conform_self REFERENCE_LIB [ANYTHING ...]
//
// The reference takes corten's place. As it is, every question about every model in models/ must be
// answered with yes, also if its start is moved by rounding. Disturbed on the way (one field off by
// 1e-6, one contact moved or dropped, one constraint row swapped with the next), it must be caught,
// and the field must be named.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/scoreboard.h"

static Engine reference, copy;

static Inquiry inquiry(unsigned ask) {
  Inquiry q;
  memset(&q, 0, sizeof(q));
  q.reference = &reference;
  q.ours = &copy;
  q.ask = ask;
  q.states = 4;
  q.steps = 100;
  q.seconds = 4;
  return q;
}

static ModelReport* ask_models(const Inquiry* q, const char* filter, int* count) {
  ModelReport* reports = NULL;
  *count = 0;
  find_models(CT_SOURCE_DIR "/models", filter, &reports, count);
  ask_about_all(q, ask_about, reports, *count, (int)sysconf(_SC_NPROCESSORS_ONLN), 60);
  return reports;
}

// Number of questions that were not answered with yes; models that nobody loads are skipped.
static int says_yes(const char* what, unsigned ask) {
  int count, wrong = 0;
  Inquiry q = inquiry(ask);
  ModelReport* r = ask_models(&q, NULL, &count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < NQUESTION; k++) {
      const Answer* a = r[i].answers + k;
      if (!(ask & (1u << k))) continue;
      if (!strcmp(a->verdict, "yes") || !strcmp(a->verdict, "skipped")) continue;
      printf("%s: %s: %s %s\n", r[i].name, question_names[k], a->verdict, a->detail);
      wrong++;
    }
  }
  printf("%s agrees with itself in %d models: %s\n", what, count, wrong ? "NO" : "yes");
  free_reports(r, count);
  return wrong + !count;
}

// An engine that rounds otherwise.
static void forward_moved_by_rounding(const mjModel* m, mjData* d) {
  static Random r = {1};
  move_by_rounding(m, d, d, &r);
  reference.mj_forward(m, d);
}

static void forward_off_by_a_millionth(const mjModel* m, mjData* d) {
  reference.mj_forward(m, d);
  d->qfrc_bias[2] += (mjtNum)1e-6;
}

static void forward_with_a_contact_moved(const mjModel* m, mjData* d) {
  reference.mj_forward(m, d);
  if (d->ncon) d->contact[0].pos[0] += (mjtNum)1e-6;
}

static void forward_with_a_force_off(const mjModel* m, mjData* d) {
  reference.mj_forward(m, d);
  if (d->nefc) d->qfrc_constraint[0] *= (mjtNum)1.0001;
}

static void forward_without_last_contact(const mjModel* m, mjData* d) {
  reference.mj_forward(m, d);
  if (!d->ncon) return;
  const mjContact* last = d->contact + --d->ncon;
  if (last->efc_address >= 0) d->nefc = last->efc_address;
}

static void forward_with_rows_swapped(const mjModel* m, mjData* d) {
  reference.mj_forward(m, d);
  int nv = (int)m->nv;
  for (int k = 0; k < nv && d->nefc > 1; k++) {
    mjtNum *x = d->efc_J + (d->nefc - 2) * nv + k, *y = x + nv, t = *x;
    *x = *y;
    *y = t;
  }
}

// Was the disturbance found, under this name?
static int says_no(const char* what, void (*forward)(const mjModel*, mjData*), const char* field) {
  int count;
  bool named = false;
  Inquiry q = inquiry(1u << ASK_FORWARD);
  copy.mj_forward = forward;
  ModelReport* r = ask_models(&q, "humanoid.xml", &count);
  copy.mj_forward = reference.mj_forward;
  const Mismatch* first = NULL;
  for (int i = 0; count && i < r->nmismatch && !named; i++) {
    first = r->mismatches + i;
    named = !strcmp(first->field, field) && !strcmp(first->kind, "result");
  }
  bool caught = named && !strcmp(r->answers[ASK_FORWARD].verdict, "no");
  printf("%s: %s", what, caught ? "caught: " : "NOT CAUGHT\n");
  if (caught) {
    printf("%s[%ld] is %.17g, corten's place has %.17g (%s)\n", field, first->index,
           first->reference, first->ours, first->where);
  }
  free_reports(r, count);
  return !caught;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: conform_self REFERENCE_LIB\n");
    return 2;
  }
  reference = engine_open(argv[1], "reference");
  engine_load_plugins(&reference, argv[1]);
  copy = reference;
  copy.label = "corten";
  int failed = says_yes("the reference", (1u << NQUESTION) - 1) > 0;
  copy.mj_forward = forward_moved_by_rounding;
  failed += says_yes("the reference moved by rounding", 1u << ASK_FORWARD) > 0;
  copy.mj_forward = reference.mj_forward;
  failed += says_no("one field off by a millionth", forward_off_by_a_millionth, "qfrc_bias");
  failed +=
      says_no("one contact moved by a millionth", forward_with_a_contact_moved, "contact.pos");
  failed += says_no("one force off", forward_with_a_force_off, "qfrc_constraint");
  failed += says_no("one contact dropped", forward_without_last_contact, "contact");
  failed += says_no("one row swapped", forward_with_rows_swapped, "efc_J");
  return failed;
}
