// bench_step: whole steps of corten and the reference side by side.
//
//   usage: bench_step REFERENCE_LIB CORTEN_LIB CORPUS FOLDER [--seconds S] [--model TEXT]
//   [--no-growth] [--self]
//
// Every model is stepped twice: with constraints and sensors disabled ("smooth"), and as it is
// ("full"); flexes as they are ("flex"). Models that corten refuses are listed with its reason, and
// so are those whose steps warn of bad numbers or full memory: they measure nothing.
// Into the folder go step.csv, stages.csv and memory.csv.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/spelling.h"
#include "conformance/states.h"
#include "generate.h"
#include "stepping.h"

typedef struct {
  const char* name;
  const char* file;    // below the corpus, or NULL
  Generator generate;  // for those without file
  int size;
} BenchModel;

static const BenchModel models[] = {
    {"humanoid", "mujoco/model/humanoid/humanoid.xml", NULL, 0},
    {"ant", "gymnasium/ant.xml", NULL, 0},
    {"half cheetah", "gymnasium/half_cheetah.xml", NULL, 0},
    {"cassie", "menagerie/agility_cassie/scene.xml", NULL, 0},
    {"shadow hand", "menagerie/shadow_hand/scene_right.xml", NULL, 0},
    {"anymal c", "menagerie/anybotics_anymal_c/scene.xml", NULL, 0},
    {"h1", "menagerie/unitree_h1/scene.xml", NULL, 0},
    {"arm26", "mujoco/model/tendon_arm/arm26.xml", NULL, 0},
    {"car", "mujoco/model/car/car.xml", NULL, 0},
    {"22 humanoids", "mujoco/model/humanoid/22_humanoids.xml", NULL, 0},
    {"box pile", NULL, generate_boxes, 64},
    {"long chain", NULL, generate_chain, 100},
};

// The reference's flexes, with all of their physics.
static const BenchModel flex_models[] = {
    {"basket", "mujoco/model/flex/basket.xml", NULL, 0},
    {"bunny", "mujoco/model/flex/bunny.xml", NULL, 0},
    {"bunny quadratic", "mujoco/model/flex/bunny_quadratic.xml", NULL, 0},
    {"flag", "mujoco/model/flex/flag.xml", NULL, 0},
    {"floppy", "mujoco/model/flex/floppy.xml", NULL, 0},
    {"gripper", "mujoco/model/flex/gripper.xml", NULL, 0},
    {"gripper trilinear", "mujoco/model/flex/gripper_trilinear.xml", NULL, 0},
    {"hammock", "mujoco/model/hammock/hammock.xml", NULL, 0},
    {"jelly", "mujoco/model/flex/jelly.xml", NULL, 0},
    {"pancake", "mujoco/model/flex/pancake.xml", NULL, 0},
    {"pinch", "mujoco/model/flex/pinch.xml", NULL, 0},
    {"plate", "mujoco/model/flex/plate.xml", NULL, 0},
    {"poncho", "mujoco/model/flex/poncho.xml", NULL, 0},
    {"poncho vertcollide", "mujoco/model/flex/poncho_vertcollide.xml", NULL, 0},
    {"press", "mujoco/model/flex/press.xml", NULL, 0},
    {"pulley", "mujoco/model/flex/pulley.xml", NULL, 0},
    {"quadratic", "mujoco/model/flex/quadratic.xml", NULL, 0},
    {"softbox", "mujoco/model/flex/softbox.xml", NULL, 0},
    {"sphere full", "mujoco/model/flex/sphere_full.xml", NULL, 0},
    {"sphere passive", "mujoco/model/flex/sphere_passive.xml", NULL, 0},
    {"sphere radial", "mujoco/model/flex/sphere_radial.xml", NULL, 0},
    {"sphere trilinear", "mujoco/model/flex/sphere_trilinear.xml", NULL, 0},
    {"trampoline", "mujoco/model/flex/trampoline.xml", NULL, 0},
    {"trilinear", "mujoco/model/flex/trilinear.xml", NULL, 0},
};

typedef struct {
  const BenchModel* model;
  size_t count;
} Table;

#define COUNT(array_) (sizeof(array_) / sizeof((array_)[0]))
#define TABLE(models_) \
  { models_, COUNT(models_) }

static const Table tables[] = {TABLE(models), TABLE(flex_models)};

enum { MOST_SIZES = 8 };

typedef struct {
  const char* name;  // of its models, before the size
  Generator generate;
  int sizes[MOST_SIZES];  // up to the first 0
} Growth;

static const Growth growths[] = {
    {"chain", generate_chain, {1, 4, 10, 40, 100, 200, 400}},
    {"boxes", generate_boxes, {1, 10, 30, 100, 300, 1000}},
};

// Cloths that hang and fold, of so many vertices; solids that fall.
static const Growth flex_growths[] = {
    {"cloth", generate_cloth, {100, 400, 1024, 2500, 10000}},
    {"jelly", generate_jelly, {125, 512, 1000, 3375, 10648}},
};

static void growth_label(char label[32], const Growth* growth, int i) {
  snprintf(label, 32, "%s %d", growth->name, growth->sizes[i]);
}

typedef struct {
  Engine reference, corten;
  const Engine* loader;  // of models
  const char* corpus;
  const char* only;  // part of the names of models; NULL: all
  double budget;
  FILE *step, *stages, *memory;
  const char* physics;  // smooth or full
  bool details;         // stages and memory too
  int integrator;       // of all models; -1: their own
  bool undamped;        // joints lose their damping
  double last;          // seconds of corten's step in the last result
  int measured;
  double sum, lowest, highest;  // of ratios; sum: of their logarithms
  int any;                      // models measured in all tables
  bool self;                    // both engines are the same: ratios must be 1
  int off;                      // tables whose mean is not
  int unsound;                  // models whose steps warned
} Bench;

// One model

// By the reference, or by the engine that is asked to load large models.
static mjModel* load(const Bench* bench, const BenchModel* b) {
  char error[500], path[4096];
  LoadTime time;
  const Engine* engine = bench->loader;
  if (b->file) {
    snprintf(path, sizeof(path), "%s/%s", bench->corpus, b->file);
    return load_timed(engine, path, NULL, error, sizeof(error), &time);
  }
  Generated g;
  b->generate(&g, b->size);
  mjModel* m = generated_load(engine, &g, error, sizeof(error), &time);
  generated_free(&g);
  return m;
}

typedef struct {
  StepRounds steps;
  Stages stages;
  DataMemory reference, corten;
} Result;

// False, with a message in engine_trap, if an engine refuses the model.
static bool measure(Bench* bench, Pair* p, Result* r) {
  bool volatile fine = true;
  ENGINE_TRY(
      {
        pair_make(p, 0);
        measure_steps(p, bench->budget, &r->steps);
        if (bench->details) {
          measure_stages(p, bench->budget / 4, &r->stages);
          r->reference = measure_memory(p->reference, p->m, p->state);
          r->corten = measure_memory(p->corten, p->m, p->state);
        }
      },
      fine = false);
  return fine;
}

static void write_details(const Bench* bench, const BenchModel* b, const Result* r) {
  for (int s = 0; s < NSTAGE; s++) {
    fprintf(bench->stages, "%s,%s,%s,%.4g,%.4g\n", bench->physics, b->name, stage_names[s],
            1e6 * r->stages.reference[s], 1e6 * r->stages.corten[s]);
    if (s == 0) printf("    us, reference/corten:");
    printf(" %s %.3g/%.3g", stage_names[s], 1e6 * r->stages.reference[s],
           1e6 * r->stages.corten[s]);
  }
  printf("\n");
  fprintf(bench->memory, "%s,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", bench->physics, b->name,
          r->reference.held, r->corten.held, r->reference.arena, r->corten.arena, r->reference.used,
          r->corten.used);
  printf("    kB per data, reference/corten: %.0f/%.0f, of these arena %.0f/%.0f, used %.0f/%.0f\n",
         r->reference.held / 1024, r->corten.held / 1024, r->reference.arena / 1024,
         r->corten.arena / 1024, r->reference.used / 1024, r->corten.used / 1024);
}

static void write_result(Bench* bench, const BenchModel* b, const mjModel* m, const Result* r) {
  const StepRounds* s = &r->steps;
  Comparison c = compare_rounds(&s->rounds);
  bench->last = c.corten;
  bench->any++;
  printf(
      "%-6s %-14s nv %4d con %6.1f rows %7.1f iter %4.1f | steps/s %9.0f %9.0f | %.3f (%.3f .. "
      "%.3f)\n",
      bench->physics, b->name, (int)m->nv, s->contacts, s->rows, s->iterations, 1 / c.reference,
      1 / c.corten, c.ratio.median, c.ratio.low, c.ratio.high);
  fprintf(bench->step, "%s,%s,%d,%d,%.1f,%.1f,%.1f,%.6g,%.6g,%.4f,%.4f,%.4f,%d,\n", bench->physics,
          b->name, b->size, (int)m->nv, s->contacts, s->rows, s->iterations, c.reference, c.corten,
          c.ratio.median, c.ratio.low, c.ratio.high, s->rounds.rounds);
  if (bench->details) {
    write_details(bench, b, r);
    bench->sum += log(c.ratio.median);
    bench->lowest = bench->measured ? fmin(bench->lowest, c.ratio.median) : c.ratio.median;
    bench->highest = bench->measured ? fmax(bench->highest, c.ratio.median) : c.ratio.median;
    bench->measured++;
  }
}

static void write_refusal(const Bench* bench, const BenchModel* b, int nv, const char* why) {
  printf("%-6s %-14s nv %4d refused: %s\n", bench->physics, b->name, nv, why);
  fprintf(bench->step, "%s,%s,%d,%d,,,,,,,,,,", bench->physics, b->name, b->size, nv);
  write_csv_text(bench->step, why);
  fprintf(bench->step, "\n");
}

static void bench_model(Bench* bench, const BenchModel* b) {
  static Result r;
  mjModel* m = load(bench, b);
  if (!m) {
    write_refusal(bench, b, 0, "the reference cannot load it: is the corpus there?");
    return;
  }
  if (!strcmp(bench->physics, "smooth")) {
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_SENSOR;
  }
  if (bench->integrator >= 0) m->opt.integrator = bench->integrator;
  for (int k = 0; bench->undamped && k < m->nv; k++) m->dof_damping[k] = 0;
  Pair p = {&bench->reference, &bench->corten, m, NULL, NULL, NULL, 0, 0, false, NULL};
  // what nothing holds back blows up sooner or later: the first seconds, again and again
  if (!strcmp(bench->physics, "smooth")) p.horizon = 2;
  size_t nstate = (size_t)bench->reference.mj_stateSize(m, mjSTATE_INTEGRATION);
  p.state = (mjtNum*)calloc(nstate + 1, sizeof(mjtNum));
  mjData* d = bench->reference.mj_makeData(m);
  bench->reference.mj_getState(m, d, p.state, mjSTATE_INTEGRATION);
  bench->reference.mj_deleteData(d);
  if (!measure(bench, &p, &r)) {
    write_refusal(bench, b, (int)m->nv, engine_trap.message);
  } else if (r.steps.unsound) {
    write_refusal(bench, b, (int)m->nv, "its motion blows up or fills the memory: warnings");
    bench->unsound++;
  } else {
    write_result(bench, b, m, &r);
  }
  fflush(NULL);
  pair_free(&p);
  free(p.state);
  bench->loader->mj_deleteModel(m);
}

// Tables

// How far the mean ratio of an engine against itself may be from 1.
static const double most_off = 0.03;

static void bench_table(Bench* bench, const Table* table) {
  bench->details = true;
  bench->measured = 0;
  bench->sum = 0;
  for (size_t i = 0; i < table->count; i++) {
    if (bench->only && !strstr(table->model[i].name, bench->only)) continue;
    bench_model(bench, table->model + i);
  }
  if (!bench->measured) return;
  double mean = exp(bench->sum / bench->measured);
  printf("%s: %d ratios, geometric mean %.3f, from %.3f to %.3f\n\n", bench->physics,
         bench->measured, mean, bench->lowest, bench->highest);
  if (!bench->self || fabs(mean - 1) <= most_off) return;
  bench->off++;
  fprintf(stderr, "%s: the mean of an engine against itself is %.3f, not 1.00 +- %.2f\n",
          bench->physics, mean, most_off);
}

static bool some_growth_matches(const Growth* growth, size_t count, const char* only) {
  for (size_t k = 0; k < count; k++) {
    for (int i = 0; growth[k].sizes[i]; i++) {
      char label[32];
      growth_label(label, &growth[k], i);
      if (strstr(label, only)) return true;
    }
  }
  return false;
}

// False, with the nearest name, if no model has this in its name.
static bool some_model_matches(const char* only) {
  const char* nearest = models[0].name;
  for (size_t t = 0; t < COUNT(tables); t++) {
    for (size_t i = 0; i < tables[t].count; i++) {
      const char* name = tables[t].model[i].name;
      if (strstr(name, only)) return true;
      if (spelling_distance(only, name) < spelling_distance(only, nearest)) nearest = name;
    }
  }
  if (some_growth_matches(growths, COUNT(growths), only)) return true;
  if (some_growth_matches(flex_growths, COUNT(flex_growths), only)) return true;
  fprintf(stderr, "no model matches --model %s; did you mean \"%s\"?\n", only, nearest);
  return false;
}

static void bench_growth(Bench* bench, const Growth* growth) {
  double size[MOST_SIZES], time[MOST_SIZES];
  int measured = 0;
  bench->details = bench->only != NULL;
  for (int i = 0; growth->sizes[i]; i++) {
    char label[32];
    growth_label(label, growth, i);
    if (bench->only && !strstr(label, bench->only)) continue;
    BenchModel b = {label, NULL, growth->generate, growth->sizes[i]};
    bench->last = 0;
    bench_model(bench, &b);
    if (bench->last == 0) continue;  // refused
    size[measured] = growth->sizes[i];
    time[measured++] = bench->last;
  }
  if (measured < 2) return;
  printf("%s: time grows as size to the power of %.2f\n", growth->name,
         growth_exponent(size, time, measured));
}

// The reference needs minutes to load 10,000 vertices, so corten loads them.
static void bench_flexes(Bench* bench, bool growth) {
  double budget = bench->budget;
  bench->physics = "flex";
  bench_table(bench, &tables[1]);
  if (!growth) return;
  bench->budget /= 4;
  bench->loader = &bench->corten;
  for (size_t k = 0; k < COUNT(flex_growths); k++) bench_growth(bench, &flex_growths[k]);
  bench->loader = &bench->reference;
  bench->budget = budget;
}

// What integrators cost: R8.6, R13.6. Euler solves once more where something is damped, so the
// chain is timed with and without damping.
static void bench_integrators(Bench* bench) {
  static const char* const names[] = {"Euler", "RK4", "implicit", "implicitfast"};
  const BenchModel subjects[] = {models[0],
                                 {"chain 10", NULL, generate_chain, 10},
                                 {"chain 10 undamped", NULL, generate_chain, 10}};
  double euler = 1;
  bench->details = false;
  for (int i = 0; i < 12; i++) {
    char label[64];
    BenchModel b = subjects[i / 4];
    snprintf(label, sizeof(label), "%s: %s", b.name, names[i % 4]);
    b.name = label;
    bench->integrator = i % 4;
    bench->undamped = i >= 8;
    bench_model(bench, &b);
    if (i % 4 == 0) euler = bench->last;
    printf("    %.2f times the time of Euler\n", bench->last / euler);
  }
  bench->integrator = -1;
  bench->undamped = false;
}

static void bench_all(Bench* bench, bool growth) {
  static const char* const physics[] = {"smooth", "full"};
  for (int i = 0; i < 2; i++) {
    bench->physics = physics[i];
    bench_table(bench, &tables[0]);
  }
  bench_flexes(bench, growth);
  if (!growth) return;
  bench->budget /= 4;
  for (int i = 0; i < 2; i++) {
    bench->physics = physics[i];
    for (size_t k = 0; k < COUNT(growths); k++) bench_growth(bench, &growths[k]);
  }
  bench->physics = physics[0];
  if (!bench->only) bench_integrators(bench);
}

// Command line

static FILE* open_csv(const char* folder, const char* name, const char* header) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s.csv", folder, name);
  FILE* f = fopen(path, "w");
  if (!f) {
    perror(path);
    exit(2);
  }
  fprintf(f, "%s\n", header);
  return f;
}

int main(int argc, char** argv) {
  Bench bench;
  memset(&bench, 0, sizeof(bench));
  const char* seconds = take_option(&argc, argv, "--seconds", true);
  bench.only = take_option(&argc, argv, "--model", true);
  bool growth = !take_option(&argc, argv, "--no-growth", false);
  bool integrators = take_option(&argc, argv, "--integrators", false) != NULL;
  bool flexes = take_option(&argc, argv, "--flexes", false) != NULL;
  bench.self = take_option(&argc, argv, "--self", false) != NULL;
  if (argc != 5) {
    fprintf(stderr,
            "usage: bench_step REFERENCE_LIB CORTEN_LIB CORPUS FOLDER_FOR_CSV\n"
            "  --seconds S   for each model and physics (3)\n"
            "  --model TEXT  only models with this in their names, growth curves with all details\n"
            "  --no-growth   without the growth curves and integrators\n"
            "  --integrators nothing but the integrators\n"
            "  --flexes      nothing but flexes\n"
            "  --self        both libraries are the same: fail unless the mean ratios are 1\n");
    return 2;
  }
  if (bench.only && !some_model_matches(bench.only)) return 2;
  pin_to_one_cpu();
  bench.reference = engine_open(argv[1], "reference");
  bench.corten = engine_open(argv[2], "corten");
  bench.loader = &bench.reference;
  bench.corpus = argv[3];
  bench.budget = seconds ? atof(seconds) : 3;
  bench.integrator = -1;
  bench.step = open_csv(argv[4], "step",
                        "physics,model,size,nv,contacts,rows,iterations,reference_s,corten_s,ratio,"
                        "low,high,rounds,refused");
  bench.stages = open_csv(argv[4], "stages", "physics,model,stage,reference_us,corten_us");
  bench.memory = open_csv(argv[4], "memory",
                          "physics,model,reference_held,corten_held,reference_arena,corten_arena,"
                          "reference_arena_used,corten_arena_used");
  bench.physics = "smooth";
  if (integrators) {
    bench_integrators(&bench);
  } else if (flexes) {
    bench_flexes(&bench, growth);
  } else {
    bench_all(&bench, growth);
  }
  fclose(bench.step);
  fclose(bench.stages);
  fclose(bench.memory);
  if (!bench.any) fprintf(stderr, "no model was measured; is %s the corpus?\n", bench.corpus);
  if (bench.unsound) fprintf(stderr, "%d models are no measure: their steps warn\n", bench.unsound);
  return bench.any && !bench.off ? 0 : 1;
}
