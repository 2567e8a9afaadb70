// bench_corpus: steps of every model of the corpus, from the first second and when settled.
//
//   usage: bench_corpus REFERENCE_LIB CORTEN_LIB CORPUS FILE.csv [--seconds S] [--model TEXT]
//
// Each model has a process of its own, so that one that crashes an engine ends nothing, and is
// timed shortly; where corten is not clearly faster, once more and for longer. Controls are random;
// where steps then warn of bad numbers or full memory, they stay as they are. Models that still
// warn, or that an engine refuses, are listed with the reason.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/crew.h"
#include "load.h"
#include "stepping.h"

enum { LIMIT = 300 };  // seconds of a process

static const double settled_after = 5, first_seconds = 1;  // simulated
static const double longest_settling = 3;                  // by the clock
static const double clearly_faster = 1.25;

typedef enum { START, SETTLED, NPHASE } Phase;
static const char* const phase_names[NPHASE] = {"first second", "settled"};

typedef struct {  // what a process tells about one model
  int nv;
  bool measured[NPHASE], still[NPHASE];
  StepRounds steps[NPHASE];
  Comparison time[NPHASE];
  char refusal[500];
} Report;

typedef struct {
  Engine reference, corten;
  double budget;
  FILE* csv;
  Report* report;  // shared with the process that measures
  int measured, below_1, below_12;
  double sum;  // of logarithms of ratios
} Bench;

typedef struct {
  const Bench* bench;
  const char* path;
} Task;

// One model

// Of settling steps; fewer for those that would take too long.
static int settling_steps(const Engine* e, const mjModel* m) {
  enum { TRIED = 5 };
  mjData* d = e->mj_makeData(m);
  pair_start(e, m, d);
  double start = thread_seconds();
  for (int i = 0; i < TRIED; i++) e->mj_step(m, d);
  double each = (thread_seconds() - start) / TRIED;
  e->mj_deleteData(d);
  double wanted = settled_after / (double)m->opt.timestep;
  return (int)fmax(fmin(fmin(wanted, 5000), longest_settling / each), TRIED);
}

// A data in the first state, which it also puts into the pair.
static mjData* first_data(Pair* p) {
  mjData* d = p->reference->mj_makeData(p->m);
  pair_start(p->reference, p->m, d);
  p->reference->mj_getState(p->m, d, p->state, mjSTATE_INTEGRATION);
  return d;
}

static void measure_phase(Pair* p, double budget, StepRounds* out) {
  mjData* d = first_data(p);
  if (p->m->opt.enableflags & mjENBL_SLEEP) p->sleep = d;
  pair_make(p, 0);
  measure_steps(p, budget, out);
  pair_free(p);
  p->sleep = NULL;
  p->reference->mj_deleteData(d);
}

static void measure_model(Pair* p, double budget, Report* report) {
  int settling = settling_steps(p->reference, p->m);
  for (int phase = 0; phase < NPHASE; phase++) {
    StepRounds* steps = &report->steps[phase];
    p->horizon = phase == START ? first_seconds : 0;
    p->settling = settling;
    p->still = p->m->nu == 0;
    measure_phase(p, budget, steps);
    if (steps->unsound && !p->still) {
      p->still = true;
      measure_phase(p, budget, steps);
    }
    report->time[phase] = compare_rounds(&steps->rounds);
    if (!steps->unsound && report->time[phase].ratio.median < clearly_faster) {
      measure_phase(p, 5 * budget, steps);
      report->time[phase] = compare_rounds(&steps->rounds);
    }
    report->measured[phase] = true;
    report->still[phase] = p->still;
  }
}

// Both must load it; the model of the reference is the one that both step.
static mjModel* load_for_both(const Engine* reference, const Engine* corten, const char* path,
                              char refusal[500]) {
  LoadTime time;
  char error[400];
  mjModel* m[2];
  const Engine* engines[2] = {reference, corten};
  for (int i = 0; i < 2; i++) {
    m[i] = load_timed(engines[i], path, NULL, error, sizeof(error), &time);
    if (!m[i]) {
      snprintf(refusal, 500, "%s does not load it: %s", engines[i]->label, error);
      return NULL;
    }
  }
  corten->mj_deleteModel(m[1]);
  return m[0];
}

static int measure_file(void* argument) {
  const Task* t = (const Task*)argument;
  Report* report = t->bench->report;
  alarm(LIMIT);  // and no limit on the processor's time, which makes its clock a coarse one
  pin_to_one_cpu();
  const Engine *reference = &t->bench->reference, *corten = &t->bench->corten;
  mjModel* m = load_for_both(reference, corten, t->path, report->refusal);
  if (!m) return 0;
  report->nv = (int)m->nv;
  Pair p;
  memset(&p, 0, sizeof(p));
  p.reference = reference;
  p.corten = corten;
  p.m = m;
  size_t size = (size_t)reference->mj_stateSize(m, mjSTATE_INTEGRATION);
  p.state = (mjtNum*)calloc(size + 1, sizeof(mjtNum));
  ENGINE_TRY(measure_model(&p, t->bench->budget, report),
             snprintf(report->refusal, sizeof(report->refusal), "%.*s",
                      (int)sizeof(report->refusal) - 1, engine_trap.message));
  return 0;
}

// All models

static void write_phase(Bench* bench, const char* name, Phase phase) {
  const Report* r = bench->report;
  const StepRounds* s = &r->steps[phase];
  const Comparison* c = &r->time[phase];
  const char* why_not = s->unsound ? "its steps warn of bad numbers or full memory" : "";
  write_csv_text(bench->csv, name);
  fprintf(bench->csv, ",%s,%d,%.1f,%.1f,%.1f,%.6g,%.6g,%.4f,%.4f,%.4f,%d,%s,%s\n",
          phase_names[phase], r->nv, s->contacts, s->rows, s->iterations, c->reference, c->corten,
          c->ratio.median, c->ratio.low, c->ratio.high, s->rounds.rounds,
          r->still[phase] ? "still" : "random", why_not);
  printf("%-70s %-12s nv %5d con %6.1f rows %7.1f iter %4.1f | %10.2f %10.2f us | ", name,
         phase_names[phase], r->nv, s->contacts, s->rows, s->iterations, 1e6 * c->reference,
         1e6 * c->corten);
  if (s->unsound) {
    printf("%s\n", why_not);
    return;
  }
  printf("%.3f (%.3f .. %.3f)\n", c->ratio.median, c->ratio.low, c->ratio.high);
  bench->measured++;
  bench->below_1 += c->ratio.median < 1;
  bench->below_12 += c->ratio.median < 1.2;
  bench->sum += log(c->ratio.median);
}

static void bench_file(Bench* bench, const ModelReport* model) {
  Report* r = bench->report;
  Task task = {bench, model->path};
  memset(r, 0, sizeof(*r));
  int end = run_apart(measure_file, &task, 0);
  if (end != 0) {
    snprintf(r->refusal, sizeof(r->refusal), "the process %s",
             end == RAN_OUT_OF_TIME ? "ran out of time" : "crashed");
  }
  for (int phase = 0; phase < NPHASE; phase++) {
    if (r->measured[phase]) write_phase(bench, model->name, (Phase)phase);
  }
  if (r->refusal[0]) {
    write_csv_text(bench->csv, model->name);
    fprintf(bench->csv, ",,,,,,,,,,,,,");
    write_csv_text(bench->csv, r->refusal);
    fprintf(bench->csv, "\n");
    printf("%-70s %.100s\n", model->name, r->refusal);
  }
  fflush(NULL);
}

int main(int argc, char** argv) {
  Bench bench;
  memset(&bench, 0, sizeof(bench));
  const char* seconds = take_option(&argc, argv, "--seconds", true);
  const char* only = take_option(&argc, argv, "--model", true);
  if (argc != 5) {
    fprintf(stderr,
            "usage: bench_corpus REFERENCE_LIB CORTEN_LIB CORPUS FILE.csv\n"
            "  --seconds S   for each model and phase (0.2)\n"
            "  --model TEXT  only models with this in their paths\n");
    return 2;
  }
  bench.reference = engine_open(argv[1], "reference");
  engine_load_plugins(&bench.reference, argv[1]);
  bench.corten = engine_open(argv[2], "corten");
  engine_load_plugins(&bench.corten, argv[2]);
  bench.budget = seconds ? atof(seconds) : 0.2;
  bench.csv = fopen(argv[4], "w");
  if (!bench.csv) {
    perror(argv[4]);
    return 2;
  }
  bench.report = (Report*)shared_memory(sizeof(Report));
  fprintf(bench.csv,
          "model,phase,nv,contacts,rows,iterations,reference_s,corten_s,ratio,low,high,rounds,"
          "controls,why_not\n");
  ModelReport* models = NULL;
  int count = 0;
  find_models(argv[3], only, &models, &count);
  for (int i = 0; i < count; i++) bench_file(&bench, models + i);
  free_reports(models, count);
  fclose(bench.csv);
  if (!bench.measured) {
    fprintf(stderr, "no model was measured; is %s the corpus?\n", argv[3]);
    return 1;
  }
  printf("%d measured, geometric mean of the ratios %.3f, %d below 1, %d below 1.2\n",
         bench.measured, exp(bench.sum / bench.measured), bench.below_1, bench.below_12);
  return 0;
}
