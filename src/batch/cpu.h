// The CPU backend: environments as rows of tables, stepped by threads that have one mjData each.
//
// An environment is a row of every table: state, outcome, kept fields of mjData, varied fields of
// the model. A thread that works on it loads the row into its own mjData, steps, and stores the row
// again: 2 kB for a humanoid, where an mjData has hundreds that would have to come through the
// caches. With 1024 humanoids on one core this made 1.3 to 2 times as many steps per second as one
// mjData per environment, with 1024 half cheetahs 2.3 times.
//
// Whatever a step reads before it writes it must be part of the row, or the bits of an environment
// would depend on who was there before. Beyond the state that is sensordata (sensors on schedules
// of their own), and the energies with the flags that say whether they are current. Sleep and
// plugins keep more than that, so that models with them have an mjData for each environment
// (`own`).
//
// Fields of the model that vary are matrices, too. A thread has a struct mjModel of its own, the
// shared model but for pointers, which lead to the rows of the environment at work; options and
// statistics, which lie in the struct, are copied.

#ifndef CT_BATCH_CPU_H_
#define CT_BATCH_CPU_H_

#include "batch/backend.h"
#include "batch/batch_fields.h"
#include "batch/side_by_side.h"
#include "batch/team.h"

enum { CT_REASON_ROOM = 240 };  // of the text about one environment

typedef struct ct_Column_ {  // one field of all environments
  ct_BatchField field;
  char* rows;    // (count x bytes)
  size_t bytes;  // of a row
  bool loaded;   // of mjData: comes back with the environment; others are results only
  bool awake;    // of mjData: who is awake, which follows from who sleeps; does not come back
} ct_Column;

typedef struct ct_Columns_ {
  ct_Column* item;
  int count, room;
} ct_Columns;

typedef struct ct_Worker_ {
  mjModel model;               // of the environment at work, if something varies
  mjData* data;                // NULL if every environment has one
  mjData* beside[CT_ABREAST];  // of environments that walk side by side, the first is `data`
  ct_SideBySide* abreast;      // NULL: they do not
  char message[CT_REASON_ROOM];
  int64_t steps, resets, raised[CT_NSTATUS];
  mjtSize arena_used;
  int most_contacts, most_rows;
  char apart[128];  // workers do not share cache lines
} ct_Worker;

typedef struct ct_CpuBatch_ {
  const ct_BatchSetup* setup;
  const mjModel* m;
  int n;
  size_t nstate, component[mjNSTATE + 1];  // numbers of a row; where components start in it

  mjtNum* state;
  int* status;
  mjtNum* reward;
  mjtByte *terminated, *truncated;
  int* steps;
  mjWarningStat* warning;  // (n x mjNWARNING)
  mjtSize* noise;
  char** reason;  // (n) text about what went wrong beyond the status; NULL: nothing

  ct_Columns kept, varied;
  const mjModel* const* models;  // (n) the caller's own; NULL: none
  mjData** own;                  // (n) or NULL

  ct_Team* team;
  ct_Worker* worker;
  ct_BatchHooks hooks;
  int* ids;  // (n) room for a selection
  char error[500];
} ct_CpuBatch;

// Makes and deletes the tables and threads; everything is in the default state.
ct_CpuBatch* ct_make_cpu_batch(ct_BatchSetup* setup, char* error, size_t nerror);
void ct_delete_cpu_batch(ct_CpuBatch* b);

// Writes the message and returns the code.
int ct_cpu_error(ct_CpuBatch* b, int code, const char* format, ...) mjPRINTFLIKE(3, 4);

// The column of a field; NULL: there is none.
ct_Column* ct_find_column(const ct_Columns* columns, const ct_BatchField* field);

// Makes a field kept or varying; NULL without memory.
ct_Column* ct_keep_column(ct_CpuBatch* b, const ct_BatchField* field);
ct_Column* ct_vary_column(ct_CpuBatch* b, const ct_BatchField* field);

static inline char* ct_column_row(const ct_Column* column, int environment) {
  return column->rows + (size_t)environment * column->bytes;
}

static inline mjtNum* ct_state_row(const ct_CpuBatch* b, int environment) {
  return b->state + (size_t)environment * b->nstate;
}

// The model of an environment, as this worker sees it.
const mjModel* ct_bind_model(ct_CpuBatch* b, ct_Worker* worker, int environment);

// The mjData that the worker steps an environment in.
static inline mjData* ct_data_at_work(const ct_CpuBatch* b, const ct_Worker* worker,
                                      int environment) {
  return b->own ? b->own[environment] : worker->data;
}

// Brings an environment into the mjData that the worker steps it in, and back. Without `fresh`,
// what is not part of the row is what was there before; with it, that of a reset. `computed`:
// counts of contacts and rows are those of this environment.
mjData* ct_load_environment(ct_CpuBatch* b, ct_Worker* worker, int environment, const mjModel* m,
                            bool fresh);
void ct_store_environment(ct_CpuBatch* b, int environment, const mjModel* m, const mjData* d,
                          bool computed);

// The same into any mjData of the model that is not one of a reset.
void ct_load_beside(ct_CpuBatch* b, int environment, const mjModel* m, mjData* d);

// Remembers how much of the arena was used, before a reset makes the mjData forget it.
void ct_tally_memory(ct_Worker* worker, const mjData* d);

// State, kept arrays and warnings into an mjData of somebody else.
void ct_load_row(ct_CpuBatch* b, int environment, const mjModel* m, mjData* d);

// A tree that the environment's row of "tree_asleep" names and that is not there, which
// ct_load_row leaves alone; -1: none.
int ct_missing_tree(const ct_CpuBatch* b, int environment, const mjModel* m);

// Counts that are kept, for a step that may fail before it has counted anything. The contacts that
// they speak of do not come back: nobody may look at the mjData before it has computed its own.
void ct_load_results(const ct_CpuBatch* b, int environment, mjData* d);

// Kept arrays, and how many are awake, as they are in the environment's own mjData.
void ct_mirror_own_data(ct_CpuBatch* b, int environment);

// After an error in the middle of something: no scratch, no contacts.
void ct_recover_data(mjData* d);

// Remembers a reason; NULL forgets it.
void ct_set_reason(ct_CpuBatch* b, int environment, const char* text);

// Positions of the selection in b->ids; NULL if all are selected. *count: how many.
const int* ct_select(ct_CpuBatch* b, const mjtByte* mask, int* count);

// What the backend's table is made of, beside storage (cpu_backend.c): running (cpu_run.c) and
// derived constants (cpu_constants.c).
int ct_cpu_run(void* self, const ct_BatchRun* run);
int ct_cpu_reset(void* self, const ct_BatchStart* start);
int ct_cpu_apply(void* self, const mjtByte* mask, ct_BatchFunction function, void* argument,
                 bool save);
int ct_cpu_set_const(void* self, const mjtByte* mask);
int ct_cpu_get_data(void* self, int environment, mjModel* m, mjData* d);

// The parts of a step (ct_Part) up to a mjtStage.
unsigned ct_parts_up_to(int stage);

// Constants of some environments (ids NULL: all), for callers that have a list. Calls
// refused(b, environment, why) where mj_setConst raises an error; then the constants stay.
int ct_derive_constants(ct_CpuBatch* b, const int* ids, int count,
                        void (*refused)(ct_CpuBatch* b, int environment, const char* why));

// Fields that mj_setConst may change; NULL behind the last.
const char* ct_derived_field(int i);

#endif  // CT_BATCH_CPU_H_
