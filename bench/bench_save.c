// bench_save: how the time to save a model grows with its size, and how long it takes to load a
// file for the first time and again, when its assets are in the cache; corten and the reference
// side by side.
//
//   usage: bench_save REFERENCE_LIB CORTEN_LIB CSV CORPUS [FILE...]
//
// Models to be saved are generated and never touch the disk. Files, named as seen from the corpus,
// are loaded by both in turns, with the caches off and then with them on. Times are those that all
// threads computed, for loading also those of the wall clock; of several the shortest counts.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/two_libraries.h"
#include "generate.h"
#include "measure.h"

enum { NSIZE = 4, SAVES = 3, LOADS = 5, CACHE_BYTES = 500 << 20 };
static const int sizes[NSIZE] = {100, 1000, 3000, 10000};
static const double too_long = 2;  // seconds for one load of the reference

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define CALL(e_, name_) LIBRARY_FUNCTION((e_)->handle, name_)

static double save_once(const Engine* e, const mjSpec* spec, char** text, int* room) {
  char why[500];
  double start = cpu_seconds();
  int length = CALL(e, mj_saveXMLString)(spec, *text, *room, why, sizeof(why));
  double seconds = cpu_seconds() - start;
  if (length > 0) {  // that was too small, and next time it is not
    *room = length + 1;
    *text = (char*)realloc(*text, (size_t)*room);
  }
  return length < 0 ? -1 : seconds;
}

// Seconds to save a generated model; negative if it cannot be done.
static double save_time(const Engine* e, const Generated* g) {
  char why[500], *text = NULL;
  int room = 0;
  mjSpec* spec = CALL(e, mj_parseXMLString)(g->text, NULL, why, sizeof(why));
  mjModel* m = spec ? CALL(e, mj_compile)(spec, NULL) : NULL;
  double best = -1;
  if (m) save_once(e, spec, &text, &room);
  for (int i = 0; i < SAVES && m; i++) {
    double seconds = save_once(e, spec, &text, &room);
    if (best < 0 || seconds < best) best = seconds;
  }
  if (m) e->mj_deleteModel(m);
  if (spec) CALL(e, mj_deleteSpec)(spec);
  free(text);
  return best;
}

static void bench_saving(const Engine* reference, const Engine* corten, FILE* csv,
                         const char* family, Generator generate) {
  double before = 0, seconds[2] = {0, 0};
  for (int n = 0; n < NSIZE; n++) {
    Generated g;
    generate(&g, sizes[n]);
    seconds[1] = save_time(corten, &g);
    // compiling is what takes the reference so long, with the square of the size
    bool waits = 4e-7 * sizes[n] * sizes[n] < too_long;
    seconds[0] = waits ? save_time(reference, &g) : -1;
    printf("saving %-20s %6d bodies  corten %8.2f ms", family, sizes[n], 1e3 * seconds[1]);
    if (seconds[0] >= 0)
      printf("  reference %8.2f ms  ratio %.2f", 1e3 * seconds[0], seconds[0] / seconds[1]);
    if (n > 0)
      printf("  exponent %.2f", log(seconds[1] / before) / log((double)sizes[n] / sizes[n - 1]));
    printf("\n");
    fflush(stdout);
    fprintf(csv, "saving %s,%d,%.6g,%.6g\n", family, sizes[n], seconds[1], seconds[0]);
    before = seconds[1];
    generated_free(&g);
  }
}

// Loading again

static void set_cache(const Engine* e, size_t bytes) {
  CALL(e, mj_setCacheCapacity)((mjCache*)CALL(e, mj_getCache)(), bytes);
}

// Loads a file in turns, the first time unless it counts; false if it cannot be loaded.
static bool load_in_turns(const Engine* const engines[2], const char* path, bool first_counts,
                          LoadTime best[2]) {
  char why[500];
  for (int i = 0; i < 2; i++) best[i].busy = best[i].wall = INFINITY;
  for (int k = 0; k < LOADS; k++) {
    for (int i = 0; i < 2; i++) {
      LoadTime time;
      mjModel* m = load_timed(engines[i], path, NULL, why, sizeof(why), &time);
      if (!m) {
        printf("%s: %s\n", path, why);
        return false;
      }
      engines[i]->mj_deleteModel(m);
      if (k == 0 && !first_counts) continue;
      best[i].busy = fmin(best[i].busy, time.busy);
      best[i].wall = fmin(best[i].wall, time.wall);
    }
  }
  return true;
}

// How often corten is slower, of the two ways to load.
static int bench_loading(const Engine* reference, const Engine* corten, FILE* csv,
                         const char* corpus, const char* file) {
  const Engine* const engines[2] = {reference, corten};
  char path[4096];
  int slower = 0;
  snprintf(path, sizeof(path), "%s/%s", corpus, file);
  for (int again = 0; again < 2; again++) {
    LoadTime best[2];
    for (int i = 0; i < 2; i++) set_cache(engines[i], again ? CACHE_BYTES : 0);
    if (!load_in_turns(engines, path, !again, best)) return 0;
    double busy = best[0].busy / best[1].busy, wall = best[0].wall / best[1].wall;
    const char* which = again ? "again" : "first";
    printf("%-6s %-50s corten %8.2f ms  reference %8.2f ms  ratio %.2f  waited %.2f\n", which, file,
           1e3 * best[1].busy, 1e3 * best[0].busy, busy, wall);
    fflush(stdout);
    fprintf(csv, "%s %s,0,%.6g,%.6g,%.4g\n", which, file, best[1].busy, best[0].busy, wall);
    slower += busy < 1;
  }
  return slower;
}

int main(int argc, char** argv) {
  int slower = 0;
  if (argc < 5) {
    fprintf(stderr, "usage: bench_save REFERENCE_LIB CORTEN_LIB CSV CORPUS [FILE...]\n");
    return 2;
  }
  Engine reference = engine_open(argv[1], "reference"), corten = engine_open(argv[2], "corten");
  FILE* csv = fopen(argv[3], "w");
  if (!csv) {
    perror(argv[3]);
    return 2;
  }
  fprintf(csv, "what,size,corten_s,reference_s,waited\n");
  bench_saving(&reference, &corten, csv, "bodies side by side", generate_flat);
  bench_saving(&reference, &corten, csv, "chains of 20 bodies", generate_tree);
  for (int k = 5; k < argc; k++) {
    slower += bench_loading(&reference, &corten, csv, argv[4], argv[k]);
  }
  fclose(csv);
  if (argc > 5) printf("%d of %d loads are slower than the reference's\n", slower, 2 * (argc - 5));
  return 0;
}
