// Two engines that step the same model from the same states, on the clock.

#ifndef BENCH_STEPPING_H_
#define BENCH_STEPPING_H_

#include "conformance/engine.h"
#include "measure.h"

typedef struct {  // one model, and an mjData of each engine
  const Engine *reference, *corten;
  const mjModel* m;
  mjData *reference_data, *corten_data;
  mjtNum* state;   // that both start from
  int settling;    // steps before the clock runs; 0: as many as usual
  double horizon;  // above 0: nothing settles; timed are the first so many seconds, again and again
  bool still;      // controls stay as they are; otherwise they are random
  mjData* sleep;   // what sleeps in the state, which does not have it; NULL: nothing ever does
} Pair;

// Makes both data. Which one is made first, and what lies between them, depends on `place`: the
// address of an mjData decides which of its lines share a cache set, and can cost more than many a
// difference that is to be measured.
void pair_make(Pair* p, int place);
void pair_free(Pair* p);  // frees the data; the state stays

typedef struct {
  Rounds rounds;          // seconds per step
  double contacts, rows;  // means over the rounds, in the reference
  double iterations;      // of the island that needs most
  int unsound;            // warnings of either engine about bad numbers or too little memory
} StepRounds;

// The first keyframe, or the model's own state.
void pair_start(const Engine* e, const mjModel* m, mjData* d);

// Steps both in turn for `budget` seconds of the thread's time, in at least five rounds and several
// places.
void measure_steps(Pair* p, double budget, StepRounds* out);

// Stages

enum { NSTAGE = 9 };
extern const char* const stage_names[NSTAGE];

typedef struct {
  double reference[NSTAGE], corten[NSTAGE];  // seconds per step, medians
} Stages;

// Where a step's time goes, by the engines' own timers: thread time, step by step in turn. Reading
// the clock takes time too; what that costs is measured and taken off.
void measure_stages(Pair* p, double budget, Stages* out);

// Memory

typedef struct {  // bytes
  double held;    // all that one more data takes from the heap
  double arena;   // of these, the arena: as large as the model says
  double used;    // most of the arena that steps have needed
} DataMemory;

// Of one engine's data, made anew and stepped a few times.
DataMemory measure_memory(const Engine* e, const mjModel* m, const mjtNum* state);

#endif  // BENCH_STEPPING_H_
