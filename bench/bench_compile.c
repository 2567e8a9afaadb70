// bench_compile: how the time to load a model grows with the number of its bodies, corten and the
// reference side by side.
//
//   usage: bench_compile REFERENCE_LIB CORTEN_LIB [MOST_BODIES]
//
// Three families of generated models: bodies side by side, chains of twenty, and static bodies that
// are fused into the world. Each size is twice the one before; time per body that stays the same is
// linear growth. The last column is the exponent of the last doubling, 1 for linear.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "conformance/engine.h"

enum { CHAIN = 20, FIRST = 1250, ROUNDS = 3, LONG = 1 };  // LONG: seconds

static void write_moving(FILE* f, int i) {
  fprintf(f,
          "<body name='b%d' pos='%g %g 0'><joint name='j%d' axis='0 1 0'/>"
          "<geom name='g%d' type='capsule' size='.02 .1'/>",
          i, 0.1 * (i % 100), 0.1 * (i / 100), i, i);
}

static void write_flat(FILE* f, int nbody) {
  for (int i = 0; i < nbody; i++) {
    write_moving(f, i);
    fprintf(f, "</body>");
  }
}

static void write_chains(FILE* f, int nbody) {
  for (int i = 0; i < nbody; i++) {
    write_moving(f, i);
    if (i % CHAIN == CHAIN - 1 || i == nbody - 1) {
      for (int k = 0; k <= i % CHAIN; k++) fprintf(f, "</body>");
    }
  }
}

static void write_static(FILE* f, int nbody) {
  for (int i = 0; i < nbody; i++) {
    fprintf(f, "<body pos='%g 0 0'><site name='s%d' pos='0 0 1'/></body>", 0.1 * i, i);
  }
}

typedef struct {
  const char* name;
  const char* settings;
  void (*write)(FILE* f, int nbody);
} Family;

static const Family families[] = {
    {"side by side", "", write_flat},
    {"chains of 20", "", write_chains},
    {"static, fused", "<compiler fusestatic='true'/>", write_static},
};

static void write_model(const Family* family, int nbody, const char* file) {
  FILE* f = fopen(file, "w");
  if (!f) {
    perror(file);
    exit(2);
  }
  fprintf(f, "<mujoco>%s<size memory='200M'/><worldbody>", family->settings);
  family->write(f, nbody);
  fprintf(f, "</worldbody></mujoco>\n");
  fclose(f);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One load in seconds; negative if the model does not load.
static double load_once(const Engine* engine, const char* file) {
  char error[500] = "";
  mjModel* volatile m = NULL;
  double start = now();
  ENGINE_TRY(m = engine->mj_loadXML(file, NULL, error, sizeof(error)), m = NULL);
  double seconds = now() - start;
  if (!m) {
    fprintf(stderr, "%s: %s%s\n", engine->label, error, engine_trap.message);
    return -1;
  }
  engine->mj_deleteModel(m);
  return seconds;
}

// Shortest of a few loads; one is enough for long ones.
static double load_time(const Engine* engine, const char* file) {
  double best = load_once(engine, file);
  for (int i = 1; i < ROUNDS && best < LONG; i++) best = fmin(best, load_once(engine, file));
  return best;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s REFERENCE_LIB CORTEN_LIB [MOST_BODIES]\n", argv[0]);
    return 2;
  }
  Engine reference = engine_open(argv[1], "reference"), corten = engine_open(argv[2], "corten");
  int most = argc > 3 ? atoi(argv[3]) : 10000;
  char file[] = "/tmp/bench_compile_XXXXXX";
  int handle = mkstemp(file);
  if (handle < 0) {
    perror(file);
    return 2;
  }
  close(handle);
  printf("%-14s %7s %13s %13s %6s %9s\n", "model", "bodies", "corten us/b", "reference", "ratio",
         "exponent");
  for (size_t k = 0; k < sizeof(families) / sizeof(families[0]); k++) {
    double last = 0, theirs = 0;
    for (int nbody = FIRST; nbody <= most; nbody *= 2) {
      write_model(&families[k], nbody, file);
      double ours = load_time(&corten, file);
      printf("%-14s %7d %13.2f", families[k].name, nbody, 1e6 * ours / nbody);
      if (theirs < LONG) {  // the reference grows faster: not every size is worth the wait
        theirs = load_time(&reference, file);
        printf(" %13.2f %6.2f", 1e6 * theirs / nbody, theirs / ours);
      } else {
        printf(" %13s %6s", "", "");
      }
      if (last > 0) printf(" %9.2f", log2(ours / last));
      printf("\n");
      fflush(stdout);
      last = ours;
    }
  }
  remove(file);
  return 0;
}
