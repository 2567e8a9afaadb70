// bench_load: time to read and compile models, corten and the reference side by side.
//
//   usage: bench_load REFERENCE_LIB CORTEN_LIB CSV SECONDS_PER_MODEL CORPUS FILE...
//
// Files are named as seen from the corpus. The asset caches of both are off. Each model has a
// process of its own, so that one that crashes an engine does not end the benchmark, and the heap
// of one does not slow the next. Two ratios are given: of the time computed by all threads, which
// says what it costs, and of the wall clock, which says how long one waits; only the first holds on
// a machine that is not idle.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/crew.h"
#include "load.h"

enum { LEAST_ROUNDS = 3, LIMIT = 120 };  // seconds

typedef struct {
  const char *reference, *corten;  // libraries
  const char* corpus;
  FILE* csv;
  double budget;
  struct Report_* report;  // shared with the process that measures
  int slower, measured;
  double sum;  // of logarithms of ratios
} Bench;

static mjModel* load_file(const Engine* e, const void* path, char* error, int room,
                          LoadTime* time) {
  return load_timed(e, (const char*)path, NULL, error, room, time);
}

// What a process tells about one model.
typedef struct Report_ {
  int rounds;
  Comparison busy, wall;
  char refused_by[16], refusal[500];
} Report;

typedef struct {
  const Bench* bench;
  const char* path;
  Report* report;
} Task;

static int measure_file(void* argument) {
  static LoadRounds r;
  const Task* t = (const Task*)argument;
  Report* report = t->report;
  alarm(LIMIT);  // and no limit on the processor's time, which makes its clock a coarse one
  Engine reference = engine_open(t->bench->reference, "reference");
  Engine corten = engine_open(t->bench->corten, "corten");
  measure_loads(&r, &reference, &corten, load_file, t->path, LEAST_ROUNDS, t->bench->budget);
  report->rounds = r.busy.rounds;
  report->busy = compare_rounds(&r.busy);
  report->wall = compare_rounds(&r.wall);
  if (r.refused_by) {
    snprintf(report->refused_by, sizeof(report->refused_by), "%s", r.refused_by);
    memcpy(report->refusal, r.refusal, sizeof(report->refusal));
  }
  return 0;
}

// Measures in a process of its own; a report without rounds and with a refusal if that ended early.
// What it writes to is shared with it.
static void measure_apart(const Bench* bench, const char* path, Report* report) {
  Task task = {bench, path, report};
  memset(report, 0, sizeof(*report));
  int end = run_apart(measure_file, &task, 0);
  if (end == 0) return;
  memset(report, 0, sizeof(*report));
  snprintf(report->refused_by, sizeof(report->refused_by), "an engine");
  snprintf(report->refusal, sizeof(report->refusal), "the process %s",
           end == RAN_OUT_OF_TIME ? "ran out of time" : "crashed");
}

static void bench_file(Bench* bench, const char* name) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", bench->corpus, name);
  measure_apart(bench, path, bench->report);
  Report r = *bench->report;
  write_csv_text(bench->csv, name);
  if (r.refused_by[0]) {
    fprintf(bench->csv, ",,,,,,,,%s: ", r.refused_by);
    write_csv_text(bench->csv, r.refusal);
    printf("%-60s not loaded by %s\n", name, r.refused_by);
  } else {
    fprintf(bench->csv, ",%.6g,%.6g,%.4f,%.4f,%.4f,%.4f,%d,", r.busy.reference, r.busy.corten,
            r.busy.ratio.median, r.busy.ratio.low, r.busy.ratio.high, r.wall.ratio.median,
            r.rounds);
    printf("%-60s %9.2f %9.2f ms | ratio %.2f (%.2f .. %.2f), wall %.2f\n", name,
           1e3 * r.busy.reference, 1e3 * r.busy.corten, r.busy.ratio.median, r.busy.ratio.low,
           r.busy.ratio.high, r.wall.ratio.median);
    bench->measured++;
    bench->slower += r.busy.ratio.median < 1;
    bench->sum += log(r.busy.ratio.median);
  }
  fprintf(bench->csv, "\n");
  fflush(bench->csv);
  fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc < 7) {
    fprintf(stderr, "usage: %s REFERENCE_LIB CORTEN_LIB CSV SECONDS_PER_MODEL CORPUS FILE...\n",
            argv[0]);
    return 2;
  }
  Bench bench;
  memset(&bench, 0, sizeof(bench));
  bench.reference = argv[1];
  bench.corten = argv[2];
  bench.csv = fopen(argv[3], "w");
  bench.budget = atof(argv[4]);
  bench.corpus = argv[5];
  bench.report = (Report*)shared_memory(sizeof(Report));
  if (!bench.csv) {
    perror(argv[3]);
    return 2;
  }
  fprintf(bench.csv, "model,reference_s,corten_s,ratio,low,high,wall_ratio,rounds,refused\n");
  for (int i = 6; i < argc; i++) bench_file(&bench, argv[i]);
  fclose(bench.csv);
  if (!bench.measured) {
    fprintf(stderr, "no model was measured; is %s the corpus?\n", bench.corpus);
    return 1;
  }
  printf("%d models, %d of them slower than the reference, geometric mean of the ratios %.2f\n",
         bench.measured, bench.slower, exp(bench.sum / bench.measured));
  return 0;
}
