// Loading a model on the clock.

#ifndef BENCH_LOAD_H_
#define BENCH_LOAD_H_

#include "conformance/engine.h"
#include "measure.h"

typedef struct {
  double busy;  // seconds computed by all threads
  double wall;  // seconds that a user waits
} LoadTime;

// Reads and compiles a file; vfs may be NULL. NULL with a message in `error` if it does not load.
mjModel* load_timed(const Engine* e, const char* path, const mjVFS* vfs, char* error, int room,
                    LoadTime* time);

// Loads something again and again, the engines in turn.
typedef struct {
  Rounds busy, wall;
  const char* refused_by;  // engine that does not load it; NULL: both do
  char refusal[500];       // what it says
} LoadRounds;

// How one engine loads the thing.
typedef mjModel* (*Loader)(const Engine* e, const void* thing, char* error, int room,
                           LoadTime* time);

// One untimed load each, then rounds: at least `least`, until `budget` seconds of wall time are
// over.
void measure_loads(LoadRounds* r, const Engine* reference, const Engine* corten, Loader load,
                   const void* thing, int least, double budget);

#endif  // BENCH_LOAD_H_
