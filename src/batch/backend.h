// What computes a batch: the CPU (cpu_backend.c) or a GPU (cuda/, in a library of its own).
//
// The public functions (batch.c and its neighbours) check arguments, find fields by name, keep the
// lock and the message; a backend owns the environments and does the work. It never sees a name
// that does not exist, an environment that is out of range or a size that is wrong. Masks, matrices
// and keys it gets as the user gave them: a GPU's may be pointers of the device.
//
// One step of one environment, in this order, on every backend:
//   1. controls of the rollout, if there are any, go into the row;
//   2. if the last step failed (CT_RESET_FAILED), or terminated or truncated is set
//      (CT_RESET_DONE), the environment is reset to options.reset_key. ctrl stays: it is the input
//      of this very step. The hook `start` follows;
//   3. status, reward, terminated and truncated become 0;
//   4. `substeps` times ct_step. Its bits are joined in the status; after a failure
//      (CT_GRAVE, base/failure.h) the rest is left out and the state is that before the failure;
//   5. if all were made: steps grows by 1, max_steps may set truncated, the hook `outcome` follows;
//   6. records are written, also those of environments that failed.
// Forward only: what the stages raise is added to the status; nothing else of the outcome changes.
//
// libcorten_cuda.so exports one function, ct_cuda_backend (see ct_BackendEntry), and is opened when
// a batch on a GPU is asked for the first time.

#ifndef CT_BATCH_BACKEND_H_
#define CT_BATCH_BACKEND_H_

#include <corten/batch.h>
#include <corten/derivative.h>
#include <stdbool.h>

#include "base/model/fields.h"

#ifdef __cplusplus
extern "C" {
#endif

// To be raised with every change here: a library of another version is not used.
#define CT_BACKEND_VERSION 7

typedef enum ct_BatchPlace_ {
  CT_PLACE_STATE,    // components of the state row
  CT_PLACE_OUTCOME,  // what a batch knows about its environments
  CT_PLACE_DATA,     // array of mjData in its buffer, or member of the struct
  CT_PLACE_MODEL,    // array of mjModel, or member of its opt or stat
} ct_BatchPlace;

typedef enum ct_OutcomeField_ {  // CT_PLACE_OUTCOME
  CT_OUTCOME_STATUS,
  CT_OUTCOME_REWARD,
  CT_OUTCOME_TERMINATED,
  CT_OUTCOME_TRUNCATED,
  CT_OUTCOME_STEPS,
  CT_OUTCOME_WARNING,
  CT_OUTCOME_NOISE,
  CT_NOUTCOME,
} ct_OutcomeField;

typedef struct ct_BatchField_ {  // a field that exists
  ct_BatchPlace place;
  const char* name;
  int type;        // ct_BatchType
  size_t element;  // bytes of an element on the host
  int size;        // elements per environment
  int state;       // STATE: bits of mjtState, at least one
  ct_OutcomeField outcome;
  const ct_Field* array;  // DATA, MODEL: the array in the buffer; NULL: a member of the struct,
  size_t offset;          // which starts here in mjData or mjModel
} ct_BatchField;

typedef struct ct_BatchRun_ {  // one call of step, forward or rollout
  const mjtByte* mask;
  int nstep, substeps;  // nstep 0: forward only
  int stage;            // mjtStage: forward up to here
  const mjtNum* control;
  int control_state;
  bool time_first;
  int nrecord;
  const ct_BatchField* record;  // (nrecord)
  void* const* out;             // (nrecord)
} ct_BatchRun;

typedef struct ct_BatchStart_ {  // one call of reset; at most one of keys and states is given
  const mjtByte* mask;
  int key;               // for all, unless keys are given; -1: default
  const int* keys;       // (n); checked by the core unless they are the device's
  int state;             // components in states
  const mjtNum* states;  // (n x size of state)
} ct_BatchStart;

typedef struct ct_BatchSlopes_ {  // analytic derivatives of a step, or products with them
  const mjtByte* mask;
  bool evaluated;             // a forward pass has been made at these states
  mjtNum smoothing;           // of ct_DerivativeOptions
  ct_DerivativeMatrices out;  // a row per environment, of the host or the device; NULL: not wanted
  ct_DerivativeProduct product;
  int *status, *reasons;  // (n) of the host, out: bits of ct_Status and ct_DerivativeReason
  mjtNum* worst;          // (n) of the host, out
} ct_BatchSlopes;

typedef struct ct_BatchSetup_ {  // lives as long as the batch
  const mjModel* model;          // the batch's own copy
  int count;
  ct_BatchOptions options;
  size_t nstate;  // numbers of a state row
} ct_BatchSetup;

// All functions return a ct_BatchResult; after a negative one error() has the text, which names
// environment or field and the remedy. Functions marked (optional) may be NULL.
typedef struct ct_Backend_ {
  int version;       // CT_BACKEND_VERSION
  size_t num_bytes;  // sizeof(mjtNum) that the library was built with on its host side
  const char* name;  // "cpu", "cuda"

  // Bytes per environment and once per batch, before anything is allocated. The device must exist.
  // Refuses with the number of environments that would fit where count does not.
  int (*estimate)(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                  size_t nerror);

  // Makes the environments, in the model's default state. NULL with a text if that fails. May write
  // into setup->options what it has chosen (threads, arena).
  void* (*create)(ct_BatchSetup* setup, char* error, size_t nerror);
  void (*destroy)(void* self);
  const char* (*error)(void* self);

  int (*run)(void* self, const ct_BatchRun* run);
  int (*reset)(void* self, const ct_BatchStart* start);

  // Makes a field of DATA kept, one of MODEL vary; nothing happens if it already is.
  int (*keep)(void* self, const ct_BatchField* field);
  int (*vary)(void* self, const ct_BatchField* field);
  bool (*has)(void* self, const ct_BatchField* field);  // kept, or varies

  // Whole matrices (count x field->size), packed; rows that the mask leaves out stay. The field is
  // there (has), or of MODEL and shared: then read gives every row the model's values.
  int (*read)(void* self, const ct_BatchField* field, const mjtByte* mask, void* to);
  int (*write)(void* self, const ct_BatchField* field, const mjtByte* mask, const void* from);
  // The backend's own storage. STATE: exactly one component, or mjSTATE_INTEGRATION.
  int (*view)(void* self, const ct_BatchField* field, ct_BatchView* view);

  int (*set_const)(void* self, const mjtByte* mask);
  int (*copy)(void* self, int from, int to);

  // One environment to and from structs of the host, made for setup->model. m may be NULL.
  int (*get_data)(void* self, int environment, mjModel* m, mjData* d);
  int (*set_data)(void* self, int environment, const mjData* d);

  // (optional) A mask that may be an address of the device, to memory of the host.
  int (*host_mask)(void* self, const mjtByte* mask, mjtByte* to);

  // (optional) Otherwise the core does it with get_data and set_data, one by one.
  int (*apply)(void* self, const mjtByte* mask, ct_BatchFunction function, void* argument,
               bool save);
  // (optional) Otherwise the core refuses.
  int (*set_hooks)(void* self, const ct_BatchHooks* hooks);
  int (*set_stream)(void* self, void* stream);
  // What is queued on the stream later waits for the batch; `follow`: the other way round.
  int (*order)(void* self, void* stream, bool follow);
  // (optional) Otherwise the core does it with read and write.
  int (*noise)(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
               mjtNum low, mjtNum high);

  // arena_needed is left to the core, which steps flagged environments again with more room.
  int (*counts)(void* self, ct_BatchCounts* counts);
  // (optional) A text about one flagged environment beyond the meaning of its bits; NULL: none.
  const char* (*reason)(void* self, int environment);
  // (optional) Otherwise the core derives on the host. Nothing is written for environments with
  // reasons that forbid it. Without `evaluated` the forward pass stays in the environments.
  int (*derive)(void* self, const ct_BatchSlopes* slopes);
  // (optional) Waits for the device.
  int (*wait)(void* self);
} ct_Backend;

extern const ct_Backend ct_cpu_backend;

// What libcorten_cuda.so exports under the name ct_cuda_backend. NULL, with the reason in error, if
// there is no driver or no GPU.
typedef const ct_Backend* (*ct_BackendEntry)(char* error, size_t nerror);
#define CT_CUDA_ENTRY "ct_cuda_backend"

// Float on the device for a host in double
//
// A library that was built for float has structs of its own: whatever holds an mjtNum differs. What
// has none (ct_BatchField, ct_BatchOptions, ct_BatchCounts, pointers) is the same on both sides,
// and so is its table of functions, but for those with a number among their arguments. The rest
// goes through this gate; float_backend.c makes a backend for doubles of it.

enum { CT_MOST_SETTINGS = 64 };

typedef struct ct_WideModel_ {  // a model in double, by its tables
  uint64_t signature;
  mjtSize size[CT_NMODEL_SIZE];           // as ct_model_sizes has them
  const void* array[CT_NMODEL_ARRAY];     // as ct_model_fields has them
  const void* setting[CT_MOST_SETTINGS];  // members of the struct, as ct_nth_batch_field has them
} ct_WideModel;

typedef struct ct_FloatGate_ {
  int version;                // CT_BACKEND_VERSION
  const ct_Backend* backend;  // in float; noise, derive, get_data and set_data are not to be called

  // The model in float, for a setup of `backend`. NULL with a text.
  mjModel* (*make_model)(const ct_WideModel* wide, char* error, size_t nerror);
  void (*delete_model)(mjModel* m);

  // A field as the library knows it: by name, or, without one, components of the state.
  bool (*find_field)(const mjModel* m, const char* name, int state, ct_BatchField* field);

  // One row of any field, whether it is kept or not, and who is awake after what sleeps was set.
  int (*get_row)(void* self, const ct_BatchField* field, int environment, void* to);
  int (*set_row)(void* self, const ct_BatchField* field, int environment, const void* from);
  int (*update_sleep)(void* self, int environment);

  int (*noise)(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
               double low, double high);
  bool (*is_device_memory)(const void* pointer);
} ct_FloatGate;

// What a library in float exports beside its backend.
typedef const ct_FloatGate* (*ct_FloatGateEntry)(char* error, size_t nerror);
#define CT_FLOAT_GATE_ENTRY "ct_cuda_float_gate"

// A backend for a host in double over a gate, of which there is one in a process.
const ct_Backend* ct_float_backend(const ct_FloatGate* gate);

#ifdef __cplusplus
}
#endif

#endif  // CT_BATCH_BACKEND_H_
