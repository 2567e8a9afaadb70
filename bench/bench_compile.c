// bench_compile: how the time to load a model grows with its size, corten and the reference side by
// side.
//
//   usage: bench_compile REFERENCE_LIB CORTEN_LIB FOLDER_FOR_CSV
//
// Families of generated models, none of which touches the disk: bodies side by side, in chains, and
// static ones that are fused into the world; meshes with all and with few vertices on their hull.
// Times are those that all threads computed. A family that grows like n log n has an exponent
// slightly above 1. Where the reference would take too long, it is left out.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

enum { MOST_SIZES = 7 };
static const double too_long = 3;  // seconds for one load of the reference

typedef struct {
  const char* name;
  Generator generate;
  int sizes[MOST_SIZES];  // up to the first 0
} Family;

static const Family families[] = {
    {"bodies side by side", generate_flat, {10, 100, 1000, 3000, 10000}},
    {"chains of 20 bodies", generate_tree, {10, 100, 1000, 3000, 10000}},
    {"static bodies fused", generate_statics, {10, 100, 1000, 3000, 10000}},
    {"sphere (OBJ)", generate_sphere, {2000, 6000, 20000, 60000, 200000}},
    {"bumpy ball (STL)", generate_bumpy, {2000, 6000, 20000, 60000, 200000}},
};

typedef struct {
  Engine reference, corten;
  FILE* csv;
} Bench;

// Shortest of a few loads; negative if the engine refuses the model.
static double load_time(const Engine* e, const Generated* g, int loads) {
  double best = -1, spent = 0;
  for (int i = 0; i < loads && spent < 5; i++) {
    char error[500];
    LoadTime time;
    mjModel* m = generated_load(e, g, error, sizeof(error), &time);
    if (!m) {
      fprintf(stderr, "%s: %s\n", e->label, error);
      return -1;
    }
    e->mj_deleteModel(m);
    if (best < 0 || time.busy < best) best = time.busy;
    spent += time.busy;
  }
  return best;
}

static void print_exponents(const Family* family, const double* size, const double* ours,
                            const double* theirs, int count) {
  int large = count > 3 ? 3 : count;  // small models are all fixed cost
  printf("%-20s exponent over the last three sizes: corten %.2f", family->name,
         growth_exponent(size + count - large, ours + count - large, large));
  double exponent = growth_exponent(size + count - large, theirs + count - large, large);
  if (!isnan(exponent)) printf(", reference %.2f", exponent);
  printf("\n");
}

static void bench_family(const Bench* bench, const Family* family) {
  double size[MOST_SIZES], ours[MOST_SIZES], theirs[MOST_SIZES], expected = 0;
  int n = 0;
  for (; n < MOST_SIZES && family->sizes[n]; n++) {
    Generated g;
    family->generate(&g, family->sizes[n]);
    size[n] = family->sizes[n];
    ours[n] = load_time(&bench->corten, &g, 5);
    if (n > 0) expected = theirs[n - 1] * pow(size[n] / size[n - 1], 2);
    bool waits = n == 0 || (theirs[n - 1] >= 0 && expected < too_long);
    theirs[n] = waits ? load_time(&bench->reference, &g, 3) : -1;
    printf("%-20s %7d  corten %9.2f ms", family->name, family->sizes[n], 1e3 * ours[n]);
    fprintf(bench->csv, "%s,%d,%.6g", family->name, family->sizes[n], ours[n]);
    if (theirs[n] >= 0) {
      printf("  reference %9.2f ms  ratio %.2f", 1e3 * theirs[n], theirs[n] / ours[n]);
      fprintf(bench->csv, ",%.6g,%.4f", theirs[n], theirs[n] / ours[n]);
    } else {
      fprintf(bench->csv, ",,");
    }
    if (n > 0) {
      double exponent = growth_exponent(size + n - 1, ours + n - 1, 2);
      printf("  exponent %.2f", exponent);
      fprintf(bench->csv, ",%.3f", exponent);
    } else {
      fprintf(bench->csv, ",");
    }
    printf("\n");
    fprintf(bench->csv, "\n");
    fflush(NULL);
    generated_free(&g);
  }
  print_exponents(family, size, ours, theirs, n);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s REFERENCE_LIB CORTEN_LIB FOLDER_FOR_CSV\n", argv[0]);
    return 2;
  }
  char path[4096];
  Bench bench;
  bench.reference = engine_open(argv[1], "reference");
  bench.corten = engine_open(argv[2], "corten");
  snprintf(path, sizeof(path), "%s/growth.csv", argv[3]);
  bench.csv = fopen(path, "w");
  if (!bench.csv) {
    perror(path);
    return 2;
  }
  fprintf(bench.csv, "family,size,corten_s,reference_s,ratio,exponent\n");
  for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
    bench_family(&bench, &families[i]);
  }
  fclose(bench.csv);
  return 0;
}
