// What all benchmarks share: clocks, samples of two engines taken in turn, medians, growth, the
// options of a command line.
//
// Speeds are compared by ratios. A round times one engine and then the other on the same work; who
// goes first changes from round to round, so that a drift of the machine favours nobody. The ratio
// of a benchmark is the median of the ratios of its rounds; the quartiles say how far to trust it.

#ifndef BENCH_MEASURE_H_
#define BENCH_MEASURE_H_

#include <stdbool.h>
#include <stdio.h>

// Clocks, in seconds

double wall_seconds(void);
double thread_seconds(void);   // computed by this thread: others on the machine do not count
double process_seconds(void);  // computed by all threads of this process

// Keeps the process on the CPU it runs on, so that its caches stay its own.
void pin_to_one_cpu(void);

// Samples

typedef struct {
  double median, low, high;  // low, high: quartiles
} Spread;

// Value below which a share q of the samples lies; between two samples it is interpolated.
// Sorts the samples. Not a number if there are none.
double quantile(double* samples, int count, double q);
Spread spread_of(double* samples, int count);

enum { MAX_ROUNDS = 2000 };

typedef struct {  // times of both engines, round by round
  int rounds;
  double reference[MAX_ROUNDS], corten[MAX_ROUNDS];
} Rounds;

typedef struct {
  double reference, corten;  // median times
  Spread ratio;              // reference / corten: above 1, corten is faster
} Comparison;

// In each two rounds, each engine goes first once.
bool reference_goes_first(int round);

// Adds a round; false if there is no room for it.
bool add_round(Rounds* r, double reference, double corten);
Comparison compare_rounds(const Rounds* r);

// Growth

// Exponent p of time ~ size^p, by least squares over the logarithms of the points whose time is
// positive. Not a number if fewer than two are.
double growth_exponent(const double* size, const double* time, int count);

// Command line

// Takes an option out of the command line; returns its value (the option itself if it has none),
// or NULL if it is not there.
const char* take_option(int* argc, char** argv, const char* option, bool has_value);

// CSV

// Writes a text as one field: without commas, quotes and line ends.
void write_csv_text(FILE* file, const char* text);

#endif  // BENCH_MEASURE_H_
