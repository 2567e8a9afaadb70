// Public functions of a batch: making and deleting, running, resetting, what became of it.
//
// They check what they are given, take the lock and call the backend. batch_access.c has those that
// move fields, noise.c and saved_batch.c the rest.

#include <corten/batch.h>
#include <corten/step.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "batch/batch_core.h"
#include "batch/cpu.h"
#include "batch/guard.h"
#include "host/dynamics.h"
#include "host/walk.h"

// Messages and locks

static _Thread_local char message[600];

int ct_batch_refuse(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  return code;
}

const char* ct_batch_error(const ct_Batch* b) {
  (void)b;
  return message;
}

int ct_enter_batch(ct_Batch* b, ct_AtWork* entry, const char* function) {
  if (!b) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s: the batch is NULL", function);
  if (ct_at_work(b)) {
    return ct_batch_refuse(
        CT_BATCH_BAD_ARGUMENT,
        "%s: called by a function that this batch is running; wait until the call has "
        "returned",
        function);
  }
  pthread_mutex_lock(&b->lock);
  if (b->dead) {
    pthread_mutex_unlock(&b->lock);
    return ct_batch_refuse(CT_BATCH_DEVICE_FAILED,
                           "%s: the device has failed; destroy the batch and restore a saved one",
                           function);
  }
  ct_enter_work(entry, b);
  message[0] = 0;
  return CT_BATCH_OK;
}

int ct_leave_batch(ct_Batch* b, const ct_AtWork* entry, int code) {
  if (code < 0 && !message[0]) {
    const char* text = b->backend->error(b->self);
    if (text && *text) ct_batch_refuse(code, "%s", text);
  }
  b->dead |= code == CT_BATCH_DEVICE_FAILED;
  ct_leave_work(entry);
  pthread_mutex_unlock(&b->lock);
  return code;
}

int ct_need_field(const ct_Batch* b, const char* name, ct_BatchField* field) {
  char why[300];
  if (ct_find_batch_field(b->model, name, field, why, sizeof(why))) return CT_BATCH_OK;
  return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s", why);
}

int ct_need_state(int state) {
  if (state > 0 && !(state & ~mjSTATE_INTEGRATION)) return CT_BATCH_OK;
  return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                         "state %d is not a set of components; join bits of mjtState, up to "
                         "mjSTATE_INTEGRATION (%d)",
                         state, mjSTATE_INTEGRATION);
}

// Making

ct_BatchOptions ct_default_batch_options(void) {
  ct_BatchOptions o;
  memset(&o, 0, sizeof(o));
  o.auto_reset = CT_RESET_FAILED;
  o.reset_key = -1;
  return o;
}

static bool refuse_making(char* error, int size, const char* format, ...) mjPRINTFLIKE(3, 4);
static bool refuse_making(char* error, int size, const char* format, ...) {
  if (!error || size <= 0) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, (size_t)size, format, arguments);
  va_end(arguments);
  return false;
}

typedef struct {
  const char* name;
  mjtSize value, low, high;
} Range;

static bool check_options(const mjModel* m, const ct_BatchOptions* o, char* error, int size) {
  const Range ranges[] = {
      {"backend", o->backend, CT_BACKEND_CPU, CT_BACKEND_AUTO},
      {"device", o->device, 0, 1 << 16},
      {"precision", o->precision, CT_PRECISION_STRICT, CT_PRECISION_FLOAT},
      {"threads", o->threads, 0, mjMAXTHREAD},
      {"auto_reset", o->auto_reset, 0, CT_RESET_FAILED | CT_RESET_DONE},
      {"reset_key", o->reset_key, -1, m->nkey - 1},
      {"max_steps", o->max_steps, 0, INT32_MAX},
      {"first", o->first, 0, 1 << 30},
      {"arena", o->arena, 0, (mjtSize)1 << 50},
  };
  for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
    const Range* r = ranges + i;
    if (r->value >= r->low && r->value <= r->high) continue;
    return refuse_making(error, size, "options.%s is %lld; allowed are %lld to %lld", r->name,
                         (long long)r->value, (long long)r->low, (long long)r->high);
  }
  return true;
}

// What ct_step would refuse in every environment is refused once.
static bool check_model(const mjModel* m, char* error, int size) {
  ct_Listener listener;
  ct_listen(&listener);
  bool good = ct_can_step(m, "ct_batch_create");
  ct_stop_listening(&listener);
  return good || refuse_making(error, size, "%s", listener.message);
}

static bool check_making(const mjModel* m, int n, const ct_BatchOptions* o, char* error, int size) {
  if (error && size > 0) error[0] = 0;
  if (!m) return refuse_making(error, size, "the model is NULL");
  if (n <= 0) {
    return refuse_making(error, size, "%d environments cannot be; ask for at least one", n);
  }
  return check_options(m, o, error, size) && check_model(m, error, size);
}

// The backend that is asked for, or else the CPU's if that is allowed; NULL with a text.
static const ct_Backend* choose_backend(const mjModel* m, const ct_BatchOptions* o, char* error,
                                        size_t nerror) {
  if (o->backend == CT_BACKEND_CPU) return &ct_cpu_backend;
  if (ct_has_user_code(m)) {
    snprintf(error, nerror,
             "the model has plugins, or callbacks are set, and functions of the host cannot run on "
             "a GPU");
    return NULL;
  }
  return ct_open_cuda_backend(o->precision, error, nerror);
}

static bool make_with(ct_Batch* b, const ct_Backend* backend, const ct_BatchOptions* o, char* why,
                      size_t nwhy) {
  b->backend = backend;
  b->which = backend == &ct_cpu_backend ? CT_BACKEND_CPU : CT_BACKEND_GPU;
  b->setup.options = *o;
  b->setup.options.backend = b->which;
  if (b->which == CT_BACKEND_CPU) b->setup.options.precision = CT_PRECISION_STRICT;
  if (b->which == CT_BACKEND_CPU && o->arena > 0) b->model->narena = o->arena;
  b->self = backend->create(&b->setup, why, nwhy);
  return b->self != NULL;
}

// A GPU if one is asked for and there is one; else the CPU, unless the GPU is required (R11.4).
static bool make_somewhere(ct_Batch* b, const ct_BatchOptions* o, char* error, int size) {
  char why[400] = "";
  const ct_Backend* backend = choose_backend(b->model, o, why, sizeof(why));
  if (backend && make_with(b, backend, o, why, sizeof(why))) return true;
  if (o->required || backend == &ct_cpu_backend) {
    return refuse_making(error, size, "%s", why);
  }
  char again[400] = "";
  if (!make_with(b, &ct_cpu_backend, o, again, sizeof(again))) {
    return refuse_making(error, size, "no GPU: %s; nor the CPU: %s", why, again);
  }
  if (o->backend == CT_BACKEND_GPU) {
    mju_warning("ct_batch_create: no GPU (%s); the CPU serves with %d threads", why,
                b->setup.options.threads);
  }
  return true;
}

static void free_batch(ct_Batch* b) {
  if (b->self) b->backend->destroy(b->self);
  for (int i = 0; b->applied && i < b->setup.count; i++) free(b->applied[i]);
  free(b->applied);
  mj_deleteModel(b->model);
  pthread_mutex_destroy(&b->lock);
  free(b);
}

ct_Batch* ct_batch_create(const mjModel* m, int n, const ct_BatchOptions* options, char* error,
                          int error_size) {
  ct_BatchOptions defaults = ct_default_batch_options();
  const ct_BatchOptions* o = options ? options : &defaults;
  if (!check_making(m, n, o, error, error_size)) return NULL;
  ct_Batch* b = (ct_Batch*)calloc(1, sizeof(ct_Batch));
  if (!b) {
    refuse_making(error, error_size, "there is no memory");
    return NULL;
  }
  pthread_mutex_init(&b->lock, NULL);
  ct_Listener listener;
  ct_listen(&listener);
  b->model = mj_copyModel(NULL, m);
  ct_stop_listening(&listener);
  bool good = b->model || refuse_making(error, error_size, "there is no memory for the model");
  if (good) {
    b->setup.model = b->model;
    b->setup.count = n;
    b->setup.nstate = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
    good = make_somewhere(b, o, error, error_size);
  }
  if (good) return b;
  free_batch(b);
  return NULL;
}

void ct_batch_destroy(ct_Batch* b) {
  if (!b) return;
  if (ct_at_work(b)) {
    ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                    "ct_batch_destroy: called by a function that this batch is running");
    return;
  }
  pthread_mutex_lock(&b->lock);  // others are done
  pthread_mutex_unlock(&b->lock);
  free_batch(b);
}

size_t ct_batch_memory(const mjModel* m, int n, const ct_BatchOptions* options, char* error,
                       int error_size) {
  ct_BatchOptions defaults = ct_default_batch_options();
  const ct_BatchOptions* o = options ? options : &defaults;
  if (!check_making(m, n, o, error, error_size)) return 0;
  char why[400] = "";
  const ct_Backend* backend = choose_backend(m, o, why, sizeof(why));
  if (!backend && !o->required) backend = &ct_cpu_backend;
  mjModel sized = *m;
  if (o->arena > 0) sized.narena = o->arena;
  ct_BatchSetup setup = {&sized, n, *o, (size_t)mj_stateSize(m, mjSTATE_INTEGRATION)};
  size_t each = 0, once = 0;
  if (backend && backend->estimate(&setup, &each, &once, why, sizeof(why)) == CT_BATCH_OK) {
    if (each <= (SIZE_MAX - once) / (size_t)n) return (size_t)n * each + once;
    snprintf(why, sizeof(why), "%d environments of %zu bytes are more than addresses reach", n,
             each);
  }
  refuse_making(error, error_size, "%s", why);
  return 0;
}

int ct_batch_count(const ct_Batch* b) {
  return b ? b->setup.count : 0;
}

const mjModel* ct_batch_model(const ct_Batch* b) {
  return b ? b->model : NULL;
}

const ct_BatchOptions* ct_batch_options(const ct_Batch* b) {
  return b ? &b->setup.options : NULL;
}

int ct_batch_backend(const ct_Batch* b) {
  return b ? b->which : -1;
}

// Running

int ct_batch_step(ct_Batch* b, const mjtByte* mask, int nstep) {
  if (nstep <= 0) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_step: nstep is %d; make at least one",
                           nstep);
  }
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_step");
  if (code) return code;
  ct_BatchRun run;
  memset(&run, 0, sizeof(run));
  run.mask = mask;
  run.nstep = 1;
  run.substeps = nstep;
  return ct_leave_batch(b, &entry, b->backend->run(b->self, &run));
}

int ct_batch_forward(ct_Batch* b, const mjtByte* mask, int stage) {
  if (stage < mjSTAGE_POS || stage > mjSTAGE_ACC) {
    return ct_batch_refuse(
        CT_BATCH_BAD_ARGUMENT,
        "ct_batch_forward: stage is %d; take mjSTAGE_POS (%d) to mjSTAGE_ACC (%d)", stage,
        mjSTAGE_POS, mjSTAGE_ACC);
  }
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_forward");
  if (code) return code;
  ct_BatchRun run;
  memset(&run, 0, sizeof(run));
  run.mask = mask;
  run.stage = stage;
  return ct_leave_batch(b, &entry, b->backend->run(b->self, &run));
}

static int check_rollout(const ct_Rollout* r) {
  const int bad = CT_BATCH_BAD_ARGUMENT;
  if (!r) return ct_batch_refuse(bad, "ct_batch_rollout: the rollout is NULL");
  if (r->nstep <= 0 || r->substeps < 0) {
    return ct_batch_refuse(bad,
                           "ct_batch_rollout: nstep is %d and substeps %d; make at least one step",
                           r->nstep, r->substeps);
  }
  if (r->control_state & ~mjSTATE_USER) {
    return ct_batch_refuse(
        bad,
        "ct_batch_rollout: control_state %d has components that are not inputs; stay "
        "within mjSTATE_USER (%d)",
        r->control_state, mjSTATE_USER);
  }
  if (r->nrecord < 0 || (r->nrecord && !r->record)) {
    return ct_batch_refuse(bad, "ct_batch_rollout: there are %d records, but no list of them",
                           r->nrecord);
  }
  for (int i = 0; i < r->nrecord; i++) {
    if (!r->record[i].out)
      return ct_batch_refuse(bad, "ct_batch_rollout: out of record %d is NULL", i);
  }
  return CT_BATCH_OK;
}

// Finds the fields of the records, and keeps those of mjData: between two steps somebody else uses
// the place that they are computed in.
static int find_records(ct_Batch* b, const ct_Rollout* r, ct_BatchField* field, void** out) {
  for (int i = 0; i < r->nrecord; i++) {
    const ct_BatchRecord* record = r->record + i;
    int code =
        record->field ? ct_need_field(b, record->field, field + i) : ct_need_state(record->state);
    if (code) return code;
    if (!record->field) field[i] = ct_state_field(b->model, record->state);
    out[i] = record->out;
  }
  for (int i = 0; i < r->nrecord; i++) {
    if (field[i].place != CT_PLACE_DATA || b->backend->has(b->self, field + i)) continue;
    int code = b->backend->keep(b->self, field + i);
    if (code) return code;
  }
  return CT_BATCH_OK;
}

static int roll_out(ct_Batch* b, const mjtByte* mask, const ct_Rollout* r, ct_BatchField* field,
                    void** out) {
  int code = find_records(b, r, field, out);
  if (code) return code;
  ct_BatchRun run;
  memset(&run, 0, sizeof(run));
  run.mask = mask;
  run.nstep = r->nstep;
  run.substeps = r->substeps ? r->substeps : 1;
  run.control = r->control;
  run.control_state = r->control_state ? r->control_state : mjSTATE_CTRL;
  run.time_first = r->time_first != 0;
  run.nrecord = r->nrecord;
  run.record = field;
  run.out = out;
  return b->backend->run(b->self, &run);
}

int ct_batch_rollout(ct_Batch* b, const mjtByte* mask, const ct_Rollout* rollout) {
  int code = check_rollout(rollout);
  if (code) return code;
  ct_AtWork entry;
  code = ct_enter_batch(b, &entry, "ct_batch_rollout");
  if (code) return code;
  enum { FEW = 16 };
  ct_BatchField few_fields[FEW], *field = few_fields;
  void *few_outs[FEW], **out = few_outs;
  size_t n = (size_t)rollout->nrecord;
  bool many = n > FEW;
  if (many) {
    field = (ct_BatchField*)calloc(n, sizeof(ct_BatchField));
    out = (void**)calloc(n, sizeof(void*));
  }
  code = field && out ? roll_out(b, mask, rollout, field, out)
                      : ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_rollout: there is no memory");
  if (many) {
    free(field);
    free(out);
  }
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_wait(ct_Batch* b) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_wait");
  if (code) return code;
  return ct_leave_batch(b, &entry, b->backend->wait ? b->backend->wait(b->self) : CT_BATCH_OK);
}

int ct_batch_set_stream(ct_Batch* b, void* stream) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_set_stream");
  if (code) return code;
  code = b->backend->set_stream
             ? b->backend->set_stream(b->self, stream)
             : ct_batch_refuse(CT_BATCH_UNSUPPORTED, "ct_batch_set_stream: the CPU has no streams");
  return ct_leave_batch(b, &entry, code);
}

static int order(ct_Batch* b, void* stream, bool follow, const char* function) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, function);
  if (code) return code;
  code = b->backend->order
             ? b->backend->order(b->self, stream, follow)
             : ct_batch_refuse(CT_BATCH_UNSUPPORTED, "%s: the CPU has no streams", function);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_lead_stream(ct_Batch* b, void* stream) {
  return order(b, stream, false, "ct_batch_lead_stream");
}

int ct_batch_follow_stream(ct_Batch* b, void* stream) {
  return order(b, stream, true, "ct_batch_follow_stream");
}

// Resetting

static int reset(ct_Batch* b, const ct_BatchStart* start, const char* function) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, function);
  if (code) return code;
  return ct_leave_batch(b, &entry, b->backend->reset(b->self, start));
}

static int check_key(const ct_Batch* b, int key, const char* function) {
  if (!b || (key >= -1 && key < b->model->nkey)) return CT_BATCH_OK;
  return ct_batch_refuse(
      CT_BATCH_BAD_ARGUMENT,
      "%s: keyframe %d does not exist; the model has %d, and -1 is its default state", function,
      key, (int)b->model->nkey);
}

int ct_batch_reset(ct_Batch* b, const mjtByte* mask) {
  ct_BatchStart start = {mask, -1, NULL, 0, NULL};
  return reset(b, &start, "ct_batch_reset");
}

int ct_batch_reset_key(ct_Batch* b, const mjtByte* mask, int key) {
  ct_BatchStart start = {mask, key, NULL, 0, NULL};
  int code = check_key(b, key, "ct_batch_reset_key");
  return code ? code : reset(b, &start, "ct_batch_reset_key");
}

// Keys and mask of a GPU may be the device's; its backend looks at them itself.
int ct_batch_reset_keys(ct_Batch* b, const mjtByte* mask, const int* key) {
  if (!key) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_reset_keys: the keys are NULL");
  for (int i = 0; b && b->which == CT_BACKEND_CPU && i < b->setup.count; i++) {
    int code = mask && !mask[i] ? CT_BATCH_OK : check_key(b, key[i], "ct_batch_reset_keys");
    if (code) return code;
  }
  ct_BatchStart start = {mask, -1, key, 0, NULL};
  return reset(b, &start, "ct_batch_reset_keys");
}

int ct_batch_reset_state(ct_Batch* b, const mjtByte* mask, int state, const mjtNum* from) {
  int code = ct_need_state(state);
  if (code) return code;
  if (!from)
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_reset_state: the states are NULL");
  ct_BatchStart start = {mask, -1, NULL, state, from};
  return reset(b, &start, "ct_batch_reset_state");
}

static int check_environment(const ct_Batch* b, int environment, const char* function) {
  if (!b || (environment >= 0 && environment < b->setup.count)) return CT_BATCH_OK;
  return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s: environment %d does not exist; there are %d",
                         function, environment, b->setup.count);
}

int ct_batch_reset_one(ct_Batch* b, int environment) {
  int code = check_environment(b, environment, "ct_batch_reset_one");
  if (code) return code;
  mjtByte* mask = b ? (mjtByte*)calloc((size_t)b->setup.count, 1) : NULL;
  if (b && !mask)
    return ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_reset_one: there is no memory");
  if (mask) mask[environment] = 1;
  ct_BatchStart start = {mask, -1, NULL, 0, NULL};
  code = reset(b, &start, "ct_batch_reset_one");
  free(mask);
  return code;
}

// Environments

// Was this made for the batch's model?
static int check_data(const ct_Batch* b, const mjData* d, const char* function) {
  size_t nbuffer = 0;
  ct_place_fields(ct_data_fields, ct_ndata_field, b->model, NULL, NULL, &nbuffer);
  const char* remedy = "make it with mj_makeData(ct_batch_model(b))";
  if (d->nbuffer != (mjtSize)nbuffer) {
    return ct_batch_refuse(
        CT_BATCH_BAD_ARGUMENT,
        "%s: the mjData has %lld bytes of arrays, the batch's model needs %zu; %s", function,
        (long long)d->nbuffer, nbuffer, remedy);
  }
  if (d->signature != b->model->signature) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s: the mjData is one of another model; %s",
                           function, remedy);
  }
  return CT_BATCH_OK;
}

static int check_model_sizes(const ct_Batch* b, const mjModel* m, const char* function) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    size_t at = ct_model_sizes[i].offset;
    bool free_to_differ = at == offsetof(mjModel, narena) || at == offsetof(mjModel, ngravcomp);
    if (free_to_differ || ct_model_size(m, at) == ct_model_size(b->model, at)) continue;
    return ct_batch_refuse(
        CT_BATCH_BAD_ARGUMENT,
        "%s: %s of the model is %lld, that of the batch's is %lld; take a copy of "
        "ct_batch_model(b)",
        function, ct_model_sizes[i].name, (long long)ct_model_size(m, at),
        (long long)ct_model_size(b->model, at));
  }
  return CT_BATCH_OK;
}

int ct_batch_get_data(ct_Batch* b, int environment, mjModel* m, mjData* d) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_get_data");
  if (code) return code;
  code = check_environment(b, environment, "ct_batch_get_data");
  if (!code && m) code = check_model_sizes(b, m, "ct_batch_get_data");
  if (!code && d) code = check_data(b, d, "ct_batch_get_data");
  if (!code) code = b->backend->get_data(b->self, environment, m, d);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_set_data(ct_Batch* b, int environment, const mjData* d) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_set_data");
  if (code) return code;
  code = check_environment(b, environment, "ct_batch_set_data");
  if (!code && !d)
    code = ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_set_data: the mjData is NULL");
  if (!code) code = check_data(b, d, "ct_batch_set_data");
  if (!code) code = b->backend->set_data(b->self, environment, d);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_copy(ct_Batch* b, int from, int to) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_copy");
  if (code) return code;
  code = check_environment(b, from, "ct_batch_copy");
  if (!code) code = check_environment(b, to, "ct_batch_copy");
  if (!code && from != to) code = b->backend->copy(b->self, from, to);
  return ct_leave_batch(b, &entry, code);
}

// A mask of the user where the host can read it; without one everybody is chosen.
static int fetch_mask(ct_Batch* b, const mjtByte* mask, mjtByte* to) {
  if (mask && b->backend->host_mask) return b->backend->host_mask(b->self, mask, to);
  if (mask) {
    memcpy(to, mask, (size_t)b->setup.count);
  } else {
    memset(to, 1, (size_t)b->setup.count);
  }
  return CT_BATCH_OK;
}

typedef struct {
  ct_BatchFunction function;
  const mjModel* m;
  mjData* d;
  int environment;
  void* argument;
} Application;

static void apply_function(void* argument) {
  const Application* a = (const Application*)argument;
  a->function(a->m, a->d, a->environment, a->argument);
}

// Functions that failed flag their environments, all at once; the others have gone on.
static int flag_environments(ct_Batch* b, const mjtByte* failed) {
  ct_BatchField field;
  int* status = (int*)calloc((size_t)b->setup.count, sizeof(int));
  int code = status ? ct_need_field(b, "status", &field)
                    : ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_apply: there is no memory");
  for (int i = 0; status && i < b->setup.count; i++) status[i] = failed[i] ? CT_BAD_MODEL : 0;
  if (!code) code = b->backend->write(b->self, &field, failed, status);
  if (!code && b->backend->wait) code = b->backend->wait(b->self);
  free(status);
  return code;
}

// Keeps what a function said when it failed. Without memory only the environment is flagged.
static void keep_words(ct_Batch* b, int environment, const char* words) {
  if (!b->applied) b->applied = (char**)calloc((size_t)b->setup.count, sizeof(char*));
  if (!b->applied) return;
  size_t bytes = strlen(words) + 1;
  char* copy = (char*)malloc(bytes);
  if (copy) memcpy(copy, words, bytes);
  free(b->applied[environment]);
  b->applied[environment] = copy;
}

// The function for one environment after the other. Who is chosen becomes who has failed.
static int apply_one_by_one(ct_Batch* b, mjtByte* chosen, Application* a, mjModel* m, bool save,
                            bool* any) {
  for (int i = 0; i < b->setup.count; i++) {
    char words[300];
    if (!chosen[i]) continue;
    chosen[i] = 0;
    int code = b->backend->get_data(b->self, i, m, a->d);
    if (code) return code;
    a->environment = i;
    if (!ct_run_guarded(apply_function, a, words, sizeof(words))) {
      ct_recover_data(a->d);
      keep_words(b, i, words);
      chosen[i] = 1;
      *any = true;
    } else if (save) {
      code = b->backend->set_data(b->self, i, a->d);
      if (code) return code;
    }
  }
  return CT_BATCH_OK;
}

// Through the host, for backends that cannot call functions of the user.
static int apply_on_host(ct_Batch* b, const mjtByte* mask, ct_BatchFunction function,
                         void* argument, bool save) {
  ct_Listener listener;
  ct_listen(&listener);
  mjModel* m = mj_copyModel(NULL, b->model);
  mjData* d = m ? mj_makeData(m) : NULL;
  ct_stop_listening(&listener);
  mjtByte* chosen = (mjtByte*)malloc((size_t)b->setup.count);
  int code = CT_BATCH_OK;
  if (!d) {
    code = ct_batch_refuse(CT_BATCH_NO_MEMORY, "%s", listener.message);
  } else if (!chosen) {
    code = ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_apply: no memory for a mask");
  }
  if (!code) code = fetch_mask(b, mask, chosen);
  Application a = {function, m, d, 0, argument};
  bool any = false;
  if (!code) code = apply_one_by_one(b, chosen, &a, m, save, &any);
  if (!code && any) code = flag_environments(b, chosen);
  free(chosen);
  mj_deleteData(d);
  mj_deleteModel(m);
  return code;
}

int ct_batch_apply(ct_Batch* b, const mjtByte* mask, ct_BatchFunction function, void* argument,
                   int save) {
  if (!function) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_apply: the function is NULL");
  }
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_apply");
  if (code) return code;
  code = b->backend->apply ? b->backend->apply(b->self, mask, function, argument, save != 0)
                           : apply_on_host(b, mask, function, argument, save != 0);
  return ct_leave_batch(b, &entry, code);
}

bool ct_batch_derives(const ct_Batch* b) {
  return b && b->backend->derive;
}

int ct_batch_ask_slopes(ct_Batch* b, const mjtByte* mask, mjtByte* chosen, ct_BatchSlopes* slopes) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_derivative");
  if (code) return code;
  code = fetch_mask(b, mask, chosen);
  slopes->mask = chosen;
  return ct_leave_batch(b, &entry, code ? code : b->backend->derive(b->self, slopes));
}

// Outcome

int ct_batch_set_hooks(ct_Batch* b, const ct_BatchHooks* hooks) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_set_hooks");
  if (code) return code;
  if (b->backend->set_hooks) {
    code = b->backend->set_hooks(b->self, hooks);
  } else if (hooks) {
    code = ct_batch_refuse(CT_BATCH_UNSUPPORTED,
                           "ct_batch_set_hooks: functions of the host cannot run on a GPU; write "
                           "\"reward\", \"terminated\" and \"truncated\" through ct_batch_view");
  }
  return ct_leave_batch(b, &entry, code);
}

int ct_status_is_failure(int status) {
  return (status & CT_GRAVE) != 0;
}

// The status of all, to be freed; NULL after a message. The lock must be held.
static int* copy_status(ct_Batch* b, int* code) {
  ct_BatchField field;
  *code = ct_need_field(b, "status", &field);
  int* status = (int*)calloc((size_t)b->setup.count, sizeof(int));
  if (!status)
    *code = ct_batch_refuse(CT_BATCH_NO_MEMORY, "there is no memory for the status of all");
  if (!*code) *code = b->backend->read(b->self, &field, NULL, status);
  if (!*code) return status;
  free(status);
  return NULL;
}

int ct_batch_failed(ct_Batch* b) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_failed");
  if (code) return code;
  int failed = 0;
  int* status = copy_status(b, &code);
  for (int i = 0; status && i < b->setup.count; i++) failed += ct_status_is_failure(status[i]);
  free(status);
  code = ct_leave_batch(b, &entry, code);
  return code < 0 ? code : failed;
}

// What one environment's status means.
static void explain(char* text, size_t room, int environment, int status, const char* more) {
  static const char no_room[] =
      "there is no room for contacts, constraints or scratch; make a batch with a larger"
      " options.arena (ct_batch_counts: arena_needed)";
  text[0] = 0;
  for (int i = 0; i < CT_NSTATUS; i++) {
    int bit = 1 << i;
    if (!(status & bit & CT_GRAVE)) continue;
    snprintf(text, room, "environment %d: %s: %s", environment, ct_status_name(bit),
             more && *more          ? more
             : bit == CT_ARENA_FULL ? no_room
                                    : ct_status_message(bit));
    return;
  }
}

const char* ct_batch_reason(ct_Batch* b, int environment) {
  static _Thread_local char text[600];
  ct_AtWork entry;
  text[0] = 0;
  int code = ct_enter_batch(b, &entry, "ct_batch_reason");
  if (code) return text;
  code = check_environment(b, environment, "ct_batch_reason");
  int* status = code ? NULL : copy_status(b, &code);
  if (status) {
    const char* more = b->backend->reason ? b->backend->reason(b->self, environment) : NULL;
    const char* applied = b->applied ? b->applied[environment] : NULL;
    if (applied && (status[environment] & CT_BAD_MODEL)) more = applied;
    explain(text, sizeof(text), environment, status[environment], more);
  }
  free(status);
  ct_leave_batch(b, &entry, code);
  return text;
}

// Counts

int ct_batch_counts(ct_Batch* b, ct_BatchCounts* counts) {
  if (!counts) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_counts: counts is NULL");
  memset(counts, 0, sizeof(*counts));
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_counts");
  if (code) return code;
  code = b->backend->counts(b->self, counts);
  int* status = code ? NULL : copy_status(b, &code);
  if (status) counts->arena_needed = ct_needed_arena(b, status);
  free(status);
  return ct_leave_batch(b, &entry, code);
}
