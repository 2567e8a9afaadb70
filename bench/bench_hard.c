// bench_hard: cases in which corten was slower than the reference, or barely faster, side by side.
//
//   usage: bench_hard REFERENCE_LIB CORTEN_LIB CORPUS FILE.csv [SECONDS]
//
// Each is settled first, for as long as it takes to come to rest.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "stepping.h"

typedef struct {
  const char* name;
  const char* file;    // below the corpus, or NULL
  Generator generate;  // for those without file
  int size;
  int settling;                  // steps
  void (*edit)(mjModel* model);  // or NULL
} HardCase;

static void stop_slip(mjModel* m) {
  m->opt.noslip_iterations = 5;
}

static void let_sleep(mjModel* m) {
  m->opt.enableflags |= mjENBL_SLEEP;
}

static const HardCase cases[] = {
    {"stacked boxes, settled", "mujoco/test/engine/testdata/collision_convex/stacked_boxes.xml",
     NULL, 0, 1000, NULL},
    {"bunnies, settled", "mujoco/model/replicate/bunnies.xml", NULL, 0, 600, NULL},
    {"dominos, settled", "mujoco/model/sleep/dominos.xml", NULL, 0, 1000, NULL},
    {"64 boxes asleep", NULL, generate_boxes, 64, 3000, let_sleep},
    {"64 boxes, no slip", NULL, generate_boxes, 64, 500, stop_slip},
    {"300 boxes, no slip", NULL, generate_boxes, 300, 100, stop_slip},
    {"distances of 6 bodies", NULL, generate_near, 6, 200, NULL},
};

static mjModel* load_case(const Engine* e, const char* corpus, const HardCase* c) {
  char error[500], path[4096];
  LoadTime time;
  if (c->file) {
    snprintf(path, sizeof(path), "%s/%s", corpus, c->file);
    return load_timed(e, path, NULL, error, sizeof(error), &time);
  }
  Generated g;
  c->generate(&g, c->size);
  mjModel* m = generated_load(e, &g, error, sizeof(error), &time);
  generated_free(&g);
  return m;
}

static void bench_case(const Engine* reference, const Engine* corten, mjModel* m, const HardCase* c,
                       double budget, FILE* csv) {
  static StepRounds r;
  if (c->edit) c->edit(m);
  Pair p = {reference, corten, m, NULL, NULL, NULL, c->settling, 0, false, NULL};
  p.state =
      (mjtNum*)calloc((size_t)reference->mj_stateSize(m, mjSTATE_INTEGRATION) + 1, sizeof(mjtNum));
  mjData* d = reference->mj_makeData(m);
  reference->mj_getState(m, d, p.state, mjSTATE_INTEGRATION);
  if (m->opt.enableflags & mjENBL_SLEEP) p.sleep = d;
  pair_make(&p, 0);
  measure_steps(&p, budget, &r);
  Comparison all = compare_rounds(&r.rounds);
  printf("%-24s nv %5d con %6.1f rows %7.1f | steps/s %8.0f %8.0f | %.2f (%.2f .. %.2f)\n", c->name,
         (int)m->nv, r.contacts, r.rows, 1 / all.reference, 1 / all.corten, all.ratio.median,
         all.ratio.low, all.ratio.high);
  fprintf(csv, "\"%s\",%d,%.1f,%.1f,%.6g,%.6g,%.4f,%.4f,%.4f\n", c->name, (int)m->nv, r.contacts,
          r.rows, all.reference, all.corten, all.ratio.median, all.ratio.low, all.ratio.high);
  pair_free(&p);
  reference->mj_deleteData(d);
  free(p.state);
}

int main(int argc, char** argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: bench_hard REFERENCE_LIB CORTEN_LIB CORPUS FILE.csv [SECONDS]\n");
    return 2;
  }
  FILE* csv = fopen(argv[4], "w");
  if (!csv) {
    perror(argv[4]);
    return 2;
  }
  pin_to_one_cpu();
  Engine reference = engine_open(argv[1], "reference"), corten = engine_open(argv[2], "corten");
  fprintf(csv, "case,nv,contacts,rows,reference_s,corten_s,ratio,low,high\n");
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjModel* m = load_case(&reference, argv[3], cases + i);
    if (!m) {
      printf("%-24s the reference cannot load it: is the corpus there?\n", cases[i].name);
      continue;
    }
    bench_case(&reference, &corten, m, cases + i, argc > 5 ? atof(argv[5]) : 2, csv);
    fflush(stdout);
    reference.mj_deleteModel(m);
  }
  return fclose(csv) ? 1 : 0;
}
