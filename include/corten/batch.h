// A batch: many environments of one model, stepped together on all cores or on a GPU.
//
//   ct_BatchOptions options = ct_default_batch_options();
//   ct_Batch* b = ct_batch_create(m, 1024, &options, error, sizeof(error));
//   ct_batch_set(b, "ctrl", NULL, controls);      // 1024 x nu
//   ct_batch_step(b, NULL, 5);                    // five substeps of all
//   ct_batch_get(b, "sensordata", NULL, sensors); // 1024 x nsensordata
//   ct_batch_destroy(b);
//
// An environment is its state (mjSTATE_INTEGRATION), its sensor readings, its warning counters, the
// fields that ct_batch_keep asks for, and its variation of the model (ct_batch_vary). Environments
// never see each other. Each has the bits that ct_step in a loop with an mjData of its own gives,
// for any number of threads, any order and any selection; on a GPU too if its precision is strict.
//
// Matrices are row-major, one row per environment. On a GPU every pointer that is passed in may
// lead to memory of the host or of the device. Numbers in host memory are mjtNum. Numbers in device
// memory have the precision of the batch: double, or float with CT_PRECISION_FLOAT.
//
// Calls return 0 (CT_BATCH_OK) or one of the negative codes below; then nothing was changed, and
// ct_batch_error says what was wrong and what to do. An environment that fails is not an error of
// the call: it is flagged in its status, and the others go on. Two threads that use the same batch
// wait for each other. See docs/batch.md.

#ifndef CORTEN_BATCH_H_
#define CORTEN_BATCH_H_

#include <corten/status.h>
#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_Batch_ ct_Batch;

typedef enum ct_BatchResult_ {
  CT_BATCH_OK = 0,
  CT_BATCH_BAD_ARGUMENT = -1,   // a size, name, pointer or value that cannot be
  CT_BATCH_NO_MEMORY = -2,      // of the host or of the device
  CT_BATCH_UNSUPPORTED = -3,    // this backend cannot do it
  CT_BATCH_DEVICE_FAILED = -4,  // the GPU or its driver gave up; the batch can only be destroyed
} ct_BatchResult;

typedef enum ct_BatchBackend_ {
  CT_BACKEND_CPU = 0,
  CT_BACKEND_GPU = 1,   // CUDA; the CPU serves, after one warning, where there is none (R11.4)
  CT_BACKEND_AUTO = 2,  // the GPU if there is one, else the CPU, without a word
} ct_BatchBackend;

typedef enum ct_BatchPrecision_ {
  CT_PRECISION_STRICT = 0,  // the bits of the CPU's strict build
  CT_PRECISION_FAST = 1,    // double, may contract; GPU only
  CT_PRECISION_FLOAT = 2,   // float, may contract; GPU only
} ct_BatchPrecision;

typedef enum ct_BatchReset_ {  // bits: what is reset by itself, at the beginning of the next step
  CT_RESET_FAILED = 1,         // environments whose last step was not made (R10.5)
  CT_RESET_DONE = 2,           // those that are terminated or truncated
} ct_BatchReset;

typedef struct ct_BatchOptions_ {
  int backend;     // ct_BatchBackend
  int required;    // nonzero: no batch at all rather than one on another backend
  int device;      // GPU: which one, from 0
  int precision;   // ct_BatchPrecision; the CPU has what corten was built for
  int threads;     // CPU: how many work, the caller included; 0: as many as there are cores
  int own_data;    // CPU, nonzero: every environment keeps an mjData of its own, contacts and
                   // rows included; needs hundreds of kB each and is slower. Models with sleep or
                   // plugins get this in any case.
  int auto_reset;  // bits of ct_BatchReset
  int reset_key;   // keyframe that these resets go to; -1: the model's default state
  int max_steps;   // steps after a reset until an environment is truncated; 0: no limit
  mjtSize arena;   // bytes of the arena that an environment steps in; 0: CPU: as the model says,
                   // GPU: a third as much again as trials from the default state and keyframes use
  uint64_t seed;   // of the noise
  int first;       // which environment of a larger batch the first one here is: noise is as there,
                   // so that a batch may be divided among processes
} ct_BatchOptions;

// CPU, all cores, failed environments are reset, no limit of steps, seed 0.
MJAPI ct_BatchOptions ct_default_batch_options(void);

// Making

// A batch of n environments in the model's default state; NULL, with the reason in error, if that
// cannot be. The model is copied. options NULL: the defaults. error may be NULL.
MJAPI ct_Batch* ct_batch_create(const mjModel* m, int n, const ct_BatchOptions* options,
                                char* error, int error_size);
MJAPI void ct_batch_destroy(ct_Batch* b);

// Bytes that a batch of n environments would take where its backend keeps them, without making it;
// 0, with the reason in error, if it cannot be made.
MJAPI size_t ct_batch_memory(const mjModel* m, int n, const ct_BatchOptions* options, char* error,
                             int error_size);

MJAPI int ct_batch_count(const ct_Batch* b);
MJAPI const mjModel* ct_batch_model(const ct_Batch* b);            // the copy that all share
MJAPI const ct_BatchOptions* ct_batch_options(const ct_Batch* b);  // as they came out
MJAPI int ct_batch_backend(const ct_Batch* b);                     // which one serves

// What was wrong with the last call of this thread on a batch; "" if nothing was.
MJAPI const char* ct_batch_error(const ct_Batch* b);

// Running
//
// mask: (n) nonzero bytes select environments; NULL: all.

// Every selected environment makes nstep steps by ct_step. One that fails stops where it is: its
// state is that of its last good step. One whose last step had failed is reset first (auto_reset);
// only ctrl, the input of this very step, stays then. The nstep steps count as one in "steps" and
// max_steps, and have one outcome.
MJAPI int ct_batch_step(ct_Batch* b, const mjtByte* mask, int nstep);

// Recomputes what follows from the state, without a step: up to positions (mjSTAGE_POS), velocities
// (mjSTAGE_VEL) or all (mjSTAGE_ACC, as mj_forward).
MJAPI int ct_batch_forward(ct_Batch* b, const mjtByte* mask, int stage);

// A whole trajectory in one call. Each of nstep times: controls in, substeps by ct_step, records
// out. The same bits as nstep calls of ct_batch_set, ct_batch_step and ct_batch_get.
typedef struct ct_BatchRecord_ {
  const char* field;  // name as in ct_batch_get; NULL: the state components of `state`
  int state;          // bits of mjtState
  void* out;          // (n x nstep x size), or (nstep x n x size)
} ct_BatchRecord;

typedef struct ct_Rollout_ {
  int nstep;
  int substeps;           // per step; 0 counts as 1
  const mjtNum* control;  // (n x nstep x size), or (nstep x n x size); NULL: inputs stay
  int control_state;      // what it holds: bits within mjSTATE_USER; 0: mjSTATE_CTRL
  int time_first;         // nonzero: the second of each pair of shapes
  const ct_BatchRecord* record;
  int nrecord;
} ct_Rollout;

MJAPI int ct_batch_rollout(ct_Batch* b, const mjtByte* mask, const ct_Rollout* rollout);

// Waits until everything asked for is done, and reports what a GPU found meanwhile. Calls on the
// CPU are done when they return; those on a GPU when host memory is involved.
MJAPI int ct_batch_wait(ct_Batch* b);

// GPU: the cudaStream_t on which all further work is queued, of the batch's GPU. It must live until
// the batch is destroyed or has another one. UNSUPPORTED on the CPU.
MJAPI int ct_batch_set_stream(ct_Batch* b, void* stream);

// GPU: order between the batch and another cudaStream_t, without the host waiting for anything.
// Lead: what is queued there from now on waits for all that was asked of the batch. Follow: further
// work of the batch waits for all that is queued there now. UNSUPPORTED on the CPU.
MJAPI int ct_batch_lead_stream(ct_Batch* b, void* stream);
MJAPI int ct_batch_follow_stream(ct_Batch* b, void* stream);

// Resetting

// To the model's default state, to the same keyframe, to a keyframe each (key: (n), -1: default),
// or to states: (n x size of `state`), components that `state` leaves out get their default.
// Status, warnings, rewards and kept fields start anew; the variation of the model stays.
MJAPI int ct_batch_reset(ct_Batch* b, const mjtByte* mask);
MJAPI int ct_batch_reset_one(ct_Batch* b, int environment);
MJAPI int ct_batch_reset_key(ct_Batch* b, const mjtByte* mask, int key);
MJAPI int ct_batch_reset_keys(ct_Batch* b, const mjtByte* mask, const int* key);
MJAPI int ct_batch_reset_state(ct_Batch* b, const mjtByte* mask, int state, const mjtNum* from);

// Fields
//
// A name is one of these:
//   state       "time", "qpos", "qvel", "act", "ctrl" ...: always there, as numbers
//   outcome     "status" (int, bits of ct_Status of the last call), "reward", "terminated",
//               "truncated" (mjtByte), "steps" (int, since the last reset), "warning"
//               (mjNWARNING x 2 int: lastinfo, number), "noise" (mjtSize, numbers drawn so far)
//   data        any other array of mjData but those in the arena, and "ncon", "nefc", "energy" ...;
//               "sensordata" and "energy" are always there, others from ct_batch_keep on
//   model       any numeric array of mjModel, "opt.gravity", "stat.meaninertia" ...: as the model
//               has it, and per environment from ct_batch_vary on
// "data." or "model." before a name settles the few that both have.

typedef enum ct_BatchType_ {
  CT_NUMBER = 0,  // mjtNum
  CT_FLOAT = 1,
  CT_INT = 2,
  CT_BYTE = 3,
  CT_SIZE = 4,  // mjtSize, 64 bits
} ct_BatchType;

// One row per environment: row i starts stride bytes after row i - 1.
typedef struct ct_BatchView_ {
  void* data;     // in host memory, or on the device
  size_t stride;  // bytes
  int size;       // elements of a row
  int type;       // ct_BatchType
  int element;    // bytes of an element; 4 for CT_NUMBER if the batch computes in float
  int on_device;  // nonzero: device memory
} ct_BatchView;

// Elements that a field has per environment, and its type if that is not NULL. -1: no such field.
MJAPI int ct_batch_field_size(ct_Batch* b, const char* name, int* type);

// From now on every environment keeps this field of mjData from call to call. It starts as
// a reset leaves it.
MJAPI int ct_batch_keep(ct_Batch* b, const char* name);

// From now on every environment has this field of the model for itself. It starts with what the
// model has. What other fields derive from it (ct_batch_set_const) does not follow by itself.
MJAPI int ct_batch_vary(ct_Batch* b, const char* name);

// Recomputes per environment what mj_setConst derives; fields that change vary from then on.
// Nothing follows while no field varies.
MJAPI int ct_batch_set_const(ct_Batch* b, const mjtByte* mask);

// Copies a matrix (n x size) out or in; rows that the mask leaves out stay as they are. Setting a
// field of the model that does not vary yet makes it vary.
MJAPI int ct_batch_get(ct_Batch* b, const char* name, const mjtByte* mask, void* to);
MJAPI int ct_batch_set(ct_Batch* b, const char* name, const mjtByte* mask, const void* from);

// The same for any set of state components, in the order of mjtState: (n x mj_stateSize).
MJAPI int ct_batch_get_state(ct_Batch* b, int state, const mjtByte* mask, mjtNum* to);
MJAPI int ct_batch_set_state(ct_Batch* b, int state, const mjtByte* mask, const mjtNum* from);

// Where the batch itself keeps a field, for reading and writing between calls; valid until the
// batch is destroyed. No copies are made (R10.3).
MJAPI int ct_batch_view(ct_Batch* b, const char* name, ct_BatchView* view);

// The state of all: rows of mj_stateSize(m, mjSTATE_INTEGRATION) numbers: time, qpos, qvel and so
// on. eq_active is a number here.
MJAPI int ct_batch_view_state(ct_Batch* b, ct_BatchView* view);

// Environments

// One environment as model and mjData of the host: d must be made for the batch's model, m a copy
// of it or NULL. Fields that the environment does not keep are those of a reset in d: call
// mj_forward.
MJAPI int ct_batch_get_data(ct_Batch* b, int environment, mjModel* m, mjData* d);
// Takes state, kept fields and warnings from d.
MJAPI int ct_batch_set_data(ct_Batch* b, int environment, const mjData* d);

// Makes environment `to` what `from` is: state, kept fields, outcome and variation of the model,
// but not "noise", since each place has numbers of its own. On a GPU contacts and rows are not
// copied, and their counts are 0 until the next step.
MJAPI int ct_batch_copy(ct_Batch* b, int from, int to);

// Calls function(m, d, environment, argument) for every selected environment, on all threads, in no
// particular order. m is a view: its arrays are the shared model's, but for those that vary, so
// that mj_copyModel cannot copy it (ct_batch_get_data can). What it changes in the state and in
// kept fields stays if save is nonzero. On a GPU the environments come to the host one by one.
// Calls on the same batch inside are refused.
typedef void (*ct_BatchFunction)(const mjModel* m, mjData* d, int environment, void* argument);
MJAPI int ct_batch_apply(ct_Batch* b, const mjtByte* mask, ct_BatchFunction function,
                         void* argument, int save);

// Outcome

// CPU: functions of the user, called on the worker threads. On a GPU write "reward", "terminated"
// and "truncated" through their views instead; CT_RESET_DONE looks at them alike.
typedef struct ct_BatchOutcome_ {
  mjtNum reward;
  mjtByte terminated, truncated;
} ct_BatchOutcome;

typedef struct ct_BatchHooks_ {
  // After the last substep of every step that was made; outcome comes zeroed, but for truncated,
  // which max_steps may have set. R10.4.
  void (*outcome)(const mjModel* m, mjData* d, int environment, void* argument,
                  ct_BatchOutcome* outcome);
  // After every reset, also the automatic ones: to place things at random, for example.
  void (*start)(const mjModel* m, mjData* d, int environment, void* argument);
  void* argument;
} ct_BatchHooks;

MJAPI int ct_batch_set_hooks(ct_Batch* b, const ct_BatchHooks* hooks);  // NULL: none

// How many environments are flagged as failed: the last call did not make their step.
MJAPI int ct_batch_failed(ct_Batch* b);

// Why an environment is flagged, in words with the remedy; "" if it is not.
MJAPI const char* ct_batch_reason(ct_Batch* b, int environment);

// Does this status mean that the step was not made?
MJAPI int ct_status_is_failure(int status);

typedef struct ct_BatchCounts_ {
  int64_t steps;               // made by all environments
  int64_t resets;              // automatic ones
  int64_t raised[CT_NSTATUS];  // how often each bit of ct_Status was raised
  mjtSize arena;               // bytes that every environment has
  mjtSize arena_used;    // most that one has used; geoms that are close are not compared without
                         // room for 50 contacts (mjMAXCONPAIR) beside it
  mjtSize arena_needed;  // bytes that those flagged with CT_ARENA_FULL would have needed for
                         // the step that they did not make; 0: none is flagged
  int most_contacts, most_rows;  // of one environment
} ct_BatchCounts;

MJAPI int ct_batch_counts(ct_Batch* b, ct_BatchCounts* counts);

// Noise
//
// Numbers come from a counter: they depend on seed, environment and how many that environment has
// drawn, and on nothing else.

typedef enum ct_BatchNoise_ {
  CT_NOISE_UNIFORM = 0,  // between low and high
  CT_NOISE_NORMAL = 1,   // with mean low and standard deviation high
} ct_BatchNoise;

typedef enum ct_BatchNoiseUse_ {
  CT_NOISE_SET = 0,
  CT_NOISE_ADD = 1,
  CT_NOISE_SCALE = 2,
} ct_BatchNoiseUse;

// Sets, adds or multiplies every element of a field, each by a number of its own. Positions with
// quaternions are normalised afterwards. low and high must be finite in the precision of the batch,
// and so must the width of a uniform range.
MJAPI int ct_batch_noise(ct_Batch* b, const char* name, const mjtByte* mask, int noise, int use,
                         mjtNum low, mjtNum high);

// n numbers of one environment, for functions of the user (also in hooks).
MJAPI int ct_batch_draw(ct_Batch* b, int environment, int noise, mjtNum low, mjtNum high,
                        mjtNum* out, int n);

// Saving

// Bytes of a batch as it is: everything but the model, the hooks and the options.
MJAPI size_t ct_batch_saved_size(ct_Batch* b);
MJAPI int ct_batch_save(ct_Batch* b, void* to, size_t size);
// Into a batch of the same model and number of environments, on any backend; size: all the bytes.
MJAPI int ct_batch_restore(ct_Batch* b, const void* from, size_t size);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_BATCH_H_
