#include "measure.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Clocks

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double wall_seconds(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double thread_seconds(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double process_seconds(void) {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void pin_to_one_cpu(void) {
  int cpu = sched_getcpu();
  if (cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  sched_setaffinity(0, sizeof(set), &set);  // without it, the spread is larger, nothing else
}

// Samples

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double quantile(double* samples, int count, double q) {
  if (count < 1) return NAN;
  qsort(samples, (size_t)count, sizeof(double), by_value);
  double place = q * (count - 1);
  int below = (int)place;
  if (below >= count - 1) return samples[count - 1];
  double part = place - below;
  return samples[below] + part * (samples[below + 1] - samples[below]);
}

Spread spread_of(double* samples, int count) {
  Spread s;
  s.median = quantile(samples, count, 0.5);
  s.low = quantile(samples, count, 0.25);
  s.high = quantile(samples, count, 0.75);
  return s;
}

bool reference_goes_first(int round) {
  return round % 2 == 0;
}

bool add_round(Rounds* r, double reference, double corten) {
  if (r->rounds == MAX_ROUNDS) return false;
  r->reference[r->rounds] = reference;
  r->corten[r->rounds] = corten;
  r->rounds++;
  return true;
}

Comparison compare_rounds(const Rounds* r) {
  static double samples[MAX_ROUNDS];
  Comparison c;
  size_t bytes = (size_t)r->rounds * sizeof(double);
  memcpy(samples, r->reference, bytes);
  c.reference = quantile(samples, r->rounds, 0.5);
  memcpy(samples, r->corten, bytes);
  c.corten = quantile(samples, r->rounds, 0.5);
  for (int i = 0; i < r->rounds; i++) samples[i] = r->reference[i] / r->corten[i];
  c.ratio = spread_of(samples, r->rounds);
  return c;
}

// Growth

double growth_exponent(const double* size, const double* time, int count) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < count; i++) {
    if (!(time[i] > 0)) continue;
    double x = log(size[i]), y = log(time[i]);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  double spread = n * sxx - sx * sx;
  return n >= 2 && spread > 0 ? (n * sxy - sx * sy) / spread : NAN;
}

// Command line

const char* take_option(int* argc, char** argv, const char* option, bool has_value) {
  for (int i = 1; i + has_value < *argc; i++) {
    if (strcmp(argv[i], option) != 0) continue;
    int width = 1 + has_value;
    const char* value = argv[i + has_value];
    memmove(argv + i, argv + i + width, (size_t)(*argc - i - width + 1) * sizeof(char*));
    *argc -= width;
    return value;
  }
  return NULL;
}

// CSV

void write_csv_text(FILE* file, const char* text) {
  for (; *text; text++) {
    int keep = *text != ',' && *text != '"' && *text != '\n' && *text != '\r';
    fputc(keep ? *text : ' ', file);
  }
}
