// The batch calls of later versions of MuJoCo (mjbatch.h of 3.17 and 4.0), on corten's CPU batches.
//
// Names, signatures and results are theirs, so that programs written for them need not change more
// than this include. corten's own interface, corten/batch.h, has what these calls leave out: GPUs,
// masks, rewards, noise, saving. docs/batch.md says where the two differ and where corten's results
// differ from MuJoCo's.
//
// Bad arguments are errors (mju_error), and nothing runs. What goes wrong in one simulation is not:
// its row stays as it was, its status becomes 1, mjb_error says why, the others go on, and calls
// return how many failed.

#ifndef CORTEN_MJBATCH_H_
#define CORTEN_MJBATCH_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mjBatch_ mjBatch;

// Function of mjb_apply.
typedef void (*mjfBatchFunc)(const mjModel* m, mjData* d, int sim, void* arg);

struct mjBatchConfig_ {
  int nthread;         // the caller included; <= 0: as many as there are cores
  mjtByte persistent;  // nonzero: an mjData for each simulation
};
typedef struct mjBatchConfig_ mjBatchConfig;

struct mjBatchRecord_ {  // what mjb_rollout writes down after every step
  const char* field;     // array or count of mjData; NULL: the state of `spec`
  int spec;              // bits of mjtState
  void* buf;             // (n x nstep x size)
};
typedef struct mjBatchRecord_ mjBatchRecord;

MJAPI void mjb_defaultConfig(mjBatchConfig* config);

// nsim simulations of a copy of the model, in its default state. NULL, with a message, if that
// cannot be.
MJAPI mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error,
                             int error_sz);
MJAPI void mjb_deleteBatch(mjBatch* b);

MJAPI int mjb_nsim(const mjBatch* b);
MJAPI int mjb_nthread(const mjBatch* b);
MJAPI int mjb_persistent(const mjBatch* b);
MJAPI const mjModel* mjb_model(const mjBatch* b);

// The states: nsim rows of nstate numbers (mjSTATE_INTEGRATION), for reading and writing. A
// component is one bit of it: its address in row 0.
MJAPI int mjb_nstate(const mjBatch* b);
MJAPI mjtNum* mjb_state(mjBatch* b);
MJAPI mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size);

MJAPI mjWarningStat* mjb_warning(mjBatch* b);            // (nsim x mjNWARNING)
MJAPI const int* mjb_status(const mjBatch* b);           // (nsim) 1: the last call failed
MJAPI const char* mjb_error(const mjBatch* b, int sim);  // why

// Registers a field of mjData, which every call then leaves in a matrix: (nsim x size). NULL: it
// cannot be registered.
MJAPI void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize);

// Gives every simulation a field of the model for itself: (nsim x size), "opt.name" for options.
// mjb_expanded returns the same if it has been expanded, NULL otherwise.
MJAPI void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize);
MJAPI const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize);

// ids: nid sorted indices of simulations; NULL: all. stage: how far (mjtStage) derived fields are
// recomputed for the state reached.
MJAPI int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage);
MJAPI int mjb_forward(mjBatch* b, const int* ids, int nid, int stage);
MJAPI int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage);
MJAPI int mjb_setConst(mjBatch* b, const int* ids, int nid);

// control: (n x nstep x mj_stateSize(control_spec)) for the n selected; NULL: inputs stay.
MJAPI int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control,
                      int control_spec, const mjBatchRecord* record, int nrecord);
MJAPI int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save);

// A model of the caller's for each simulation, read in place; NULL: the batch's own again.
MJAPI void mjb_setModels(mjBatch* b, const mjModel* const* models);
MJAPI void mjb_getModel(mjBatch* b, int sim, mjModel* m);
MJAPI void mjb_getData(mjBatch* b, int sim, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_MJBATCH_H_
