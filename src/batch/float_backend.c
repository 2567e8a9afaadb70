// A batch that computes in float on a device, for a host in double: a backend over a ct_FloatGate.
//
// Models and matrices of the host are narrowed on their way in and widened on their way out;
// addresses of the device go through as they are, since numbers there are float. Fields are known
// by their names on both sides, and differ in everything else. Derivatives and functions of the
// user see environments that have come to the host, in double.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"
#include "batch/batch_fields.h"
#include "batch/guard.h"
#include "host/sleep_functions.h"

static const ct_FloatGate* gate;

typedef struct {  // a field on both sides
  ct_BatchField wide, narrow;
} Twin;

typedef struct {
  Twin* twin;
  int count;
} TwinList;

typedef struct {
  ct_BatchSetup* setup;  // of the host
  ct_BatchSetup narrow;  // the same for the device
  mjModel* model;        // in float
  void* self;            // the library's
  TwinList kept, varied;
  char error[600];
} FloatBatch;

static FloatBatch* opened(void* self) {
  FloatBatch* b = (FloatBatch*)self;
  b->error[0] = 0;
  return b;
}

static int no_memory(FloatBatch* b, const char* what) {
  snprintf(b->error, sizeof(b->error), "there is no memory for %s", what);
  return CT_BATCH_NO_MEMORY;
}

// Numbers

static void narrow_numbers(float* to, const mjtNum* from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

static void widen_numbers(mjtNum* to, const float* from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = (mjtNum)from[i];
}

// Numbers of the host in float, to be freed. NULL: there is no memory.
static float* narrowed(const mjtNum* from, size_t count) {
  float* to = (float*)malloc(count * sizeof(float) + 1);
  if (to) narrow_numbers(to, from, count);
  return to;
}

// Fields

static Twin twin_of(const FloatBatch* b, const ct_BatchField* field) {
  Twin t;
  char name[80];
  t.wide = *field;
  bool found = false;
  if (field->place == CT_PLACE_STATE) {
    found = gate->find_field(b->model, NULL, field->state, &t.narrow);
  } else {
    const char* before = field->place == CT_PLACE_MODEL  ? "model."
                         : field->place == CT_PLACE_DATA ? "data."
                                                         : "";
    snprintf(name, sizeof(name), "%s%s", before, field->name);
    found = gate->find_field(b->model, name, 0, &t.narrow);
  }
  if (!found) t.narrow = *field;  // both sides have one schema
  return t;
}

// All fields of a place that are kept, or vary.
static int list_twins(FloatBatch* b, ct_BatchPlace place, TwinList* list) {
  ct_BatchField field;
  list->count = 0;
  for (int i = 0; ct_nth_batch_field(b->setup->model, place, i, &field); i++) {
    Twin t = twin_of(b, &field);
    if (!gate->backend->has(b->self, &t.narrow)) continue;
    Twin* more = (Twin*)realloc(list->twin, (size_t)(list->count + 1) * sizeof(Twin));
    if (!more) return no_memory(b, "a list of fields");
    list->twin = more;
    list->twin[list->count++] = t;
  }
  return CT_BATCH_OK;
}

static int keep(void* self, const ct_BatchField* field) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  int code = gate->backend->keep(b->self, &t.narrow);
  return code ? code : list_twins(b, CT_PLACE_DATA, &b->kept);
}

static int vary(void* self, const ct_BatchField* field) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  int code = gate->backend->vary(b->self, &t.narrow);
  return code ? code : list_twins(b, CT_PLACE_MODEL, &b->varied);
}

static bool has(void* self, const ct_BatchField* field) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  return gate->backend->has(b->self, &t.narrow);
}

static int set_const(void* self, const mjtByte* mask) {
  FloatBatch* b = opened(self);
  int code = gate->backend->set_const(b->self, mask);
  return code ? code : list_twins(b, CT_PLACE_MODEL, &b->varied);
}

// Making

static ct_WideModel wide_model(const mjModel* m) {
  ct_WideModel wide;
  ct_BatchField field;
  int k = 0;
  memset(&wide, 0, sizeof(wide));
  wide.signature = m->signature;
  for (int i = 0; i < ct_nmodel_size; i++) {
    wide.size[i] = ct_model_size(m, ct_model_sizes[i].offset);
  }
  for (int i = 0; i < ct_nmodel_field; i++) wide.array[i] = ct_field_array(ct_model_fields + i, m);
  for (int i = 0; ct_nth_batch_field(m, CT_PLACE_MODEL, i, &field) && k < CT_MOST_SETTINGS; i++) {
    if (!field.array) wide.setting[k++] = ct_batch_field_in(&field, m);
  }
  return wide;
}

// The setup for the device; its model is to be deleted.
static bool narrow_setup(const ct_BatchSetup* setup, ct_BatchSetup* narrow, char* error,
                         size_t nerror) {
  ct_WideModel wide = wide_model(setup->model);
  mjModel* m = gate->make_model(&wide, error, nerror);
  *narrow = *setup;
  narrow->model = m;
  return m != NULL;
}

static int estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                    size_t nerror) {
  ct_BatchSetup narrow;
  if (!narrow_setup(setup, &narrow, error, nerror)) return CT_BATCH_NO_MEMORY;
  int code = gate->backend->estimate(&narrow, each, once, error, nerror);
  gate->delete_model((mjModel*)(uintptr_t)narrow.model);
  return code;
}

static void destroy(void* self) {
  FloatBatch* b = (FloatBatch*)self;
  if (b->self) gate->backend->destroy(b->self);
  if (b->model) gate->delete_model(b->model);
  free(b->kept.twin);
  free(b->varied.twin);
  free(b);
}

static void* create(ct_BatchSetup* setup, char* error, size_t nerror) {
  FloatBatch* b = (FloatBatch*)calloc(1, sizeof(FloatBatch));
  if (!b) {
    snprintf(error, nerror, "there is no memory");
    return NULL;
  }
  b->setup = setup;
  if (narrow_setup(setup, &b->narrow, error, nerror)) {
    b->model = (mjModel*)(uintptr_t)b->narrow.model;
    b->self = gate->backend->create(&b->narrow, error, nerror);
  }
  if (b->self && list_twins(b, CT_PLACE_DATA, &b->kept) == CT_BATCH_OK) {
    setup->options = b->narrow.options;
    return b;
  }
  if (b->self) snprintf(error, nerror, "%s", b->error);
  destroy(b);
  return NULL;
}

static const char* last_error(void* self) {
  const FloatBatch* b = (const FloatBatch*)self;
  return b->error[0] ? b->error : gate->backend->error(b->self);
}

// Masks of the user on the host, to be freed. Without one everybody is chosen.
static int fetch_mask(FloatBatch* b, const mjtByte* mask, mjtByte** chosen) {
  size_t n = (size_t)b->setup->count;
  *chosen = (mjtByte*)malloc(n);
  if (!*chosen) return no_memory(b, "a mask");
  if (mask) return gate->backend->host_mask(b->self, mask, *chosen);
  memset(*chosen, 1, n);
  return CT_BATCH_OK;
}

// Matrices

static bool is_narrowed(const ct_BatchField* field, const void* matrix) {
  return field->type == CT_NUMBER && !gate->is_device_memory(matrix);
}

static int read_field(void* self, const ct_BatchField* field, const mjtByte* mask, void* to) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  if (!is_narrowed(field, to)) return gate->backend->read(b->self, &t.narrow, mask, to);
  size_t n = (size_t)b->setup->count, size = (size_t)field->size;
  float* rows = (float*)malloc(n * size * sizeof(float) + 1);
  mjtByte* chosen = NULL;
  int code = rows ? fetch_mask(b, mask, &chosen) : no_memory(b, "a matrix");
  if (!code) code = gate->backend->read(b->self, &t.narrow, mask, rows);
  for (size_t i = 0; !code && i < n; i++) {
    if (chosen[i]) widen_numbers((mjtNum*)to + i * size, rows + i * size, size);
  }
  free(chosen);
  free(rows);
  return code;
}

// What was handed to the device may be freed behind this.
static int settle(FloatBatch* b, int code) {
  int waited = gate->backend->wait(b->self);
  return code ? code : waited;
}

static int write_field(void* self, const ct_BatchField* field, const mjtByte* mask,
                       const void* from) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  if (!is_narrowed(field, from)) return gate->backend->write(b->self, &t.narrow, mask, from);
  float* rows = narrowed((const mjtNum*)from, (size_t)b->setup->count * (size_t)field->size);
  if (!rows) return no_memory(b, "a matrix");
  int code = settle(b, gate->backend->write(b->self, &t.narrow, mask, rows));
  free(rows);
  return code;
}

static int view(void* self, const ct_BatchField* field, ct_BatchView* seen) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  return gate->backend->view(b->self, &t.narrow, seen);
}

// Running

typedef struct {  // a run on its way to the device
  ct_BatchRun run;
  ct_BatchField* record;
  void** out;
  float** rows;  // (nrecord) in place of what lies on the host
  float* control;
} Passage;

static void free_passage(Passage* p, int nrecord) {
  for (int k = 0; p->rows && k < nrecord; k++) free(p->rows[k]);
  free(p->rows);
  free(p->out);
  free(p->record);
  free(p->control);
}

static int pack_records(FloatBatch* b, const ct_BatchRun* run, Passage* p) {
  size_t records = (size_t)run->nrecord, count = (size_t)b->setup->count * (size_t)run->nstep;
  p->record = (ct_BatchField*)calloc(records, sizeof(ct_BatchField));
  p->out = (void**)calloc(records, sizeof(void*));
  p->rows = (float**)calloc(records, sizeof(float*));
  if (!p->record || !p->out || !p->rows) return no_memory(b, "records");
  for (size_t k = 0; k < records; k++) {
    const ct_BatchField* field = run->record + k;
    p->record[k] = twin_of(b, field).narrow;
    p->out[k] = run->out[k];
    if (!is_narrowed(field, run->out[k])) continue;
    p->rows[k] = (float*)malloc(count * (size_t)field->size * sizeof(float) + 1);
    if (!p->rows[k]) return no_memory(b, "records");
    p->out[k] = p->rows[k];
  }
  p->run.record = p->record;
  p->run.out = p->out;
  return CT_BATCH_OK;
}

static int pack_run(FloatBatch* b, const ct_BatchRun* run, Passage* p) {
  p->run = *run;
  if (run->control && !gate->is_device_memory(run->control)) {
    size_t size = (size_t)mj_stateSize(b->setup->model, run->control_state);
    p->control = narrowed(run->control, (size_t)b->setup->count * (size_t)run->nstep * size);
    if (!p->control) return no_memory(b, "controls");
    p->run.control = (const mjtNum*)(const void*)p->control;
  }
  return run->nrecord ? pack_records(b, run, p) : CT_BATCH_OK;
}

// Records of those that ran.
static void unpack_records(const FloatBatch* b, const ct_BatchRun* run, const Passage* p,
                           const mjtByte* chosen) {
  size_t n = (size_t)b->setup->count, T = (size_t)run->nstep;
  for (int k = 0; k < run->nrecord; k++) {
    size_t size = (size_t)run->record[k].size;
    for (size_t at = 0; p->rows[k] && at < n * T; at++) {
      size_t environment = run->time_first ? at % n : at / T;
      if (!chosen[environment]) continue;
      widen_numbers((mjtNum*)run->out[k] + at * size, p->rows[k] + at * size, size);
    }
  }
}

static int run_batch(void* self, const ct_BatchRun* run) {
  FloatBatch* b = opened(self);
  if (!run->control && !run->nrecord) return gate->backend->run(b->self, run);
  Passage p;
  mjtByte* chosen = NULL;
  memset(&p, 0, sizeof(p));
  int code = pack_run(b, run, &p);
  if (!code && run->nrecord) code = fetch_mask(b, run->mask, &chosen);
  if (!code) code = gate->backend->run(b->self, &p.run);
  if (p.control || p.rows) code = settle(b, code);
  if (!code && run->nrecord) unpack_records(b, run, &p, chosen);
  free(chosen);
  free_passage(&p, run->nrecord);
  return code;
}

static int reset(void* self, const ct_BatchStart* start) {
  FloatBatch* b = opened(self);
  if (!start->states || gate->is_device_memory(start->states)) {
    return gate->backend->reset(b->self, start);
  }
  ct_BatchStart narrow = *start;
  size_t size = (size_t)mj_stateSize(b->setup->model, start->state);
  float* states = narrowed(start->states, (size_t)b->setup->count * size);
  if (!states) return no_memory(b, "states");
  narrow.states = (const mjtNum*)(const void*)states;
  int code = settle(b, gate->backend->reset(b->self, &narrow));
  free(states);
  return code;
}

static int disturb(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
                   mjtNum low, mjtNum high) {
  FloatBatch* b = opened(self);
  Twin t = twin_of(b, field);
  b->narrow.options.seed = b->setup->options.seed;  // which a restored batch brings along
  return gate->noise(b->self, &t.narrow, mask, noise, use, (double)low, (double)high);
}

// One environment

static int move_row(FloatBatch* b, const Twin* t, int environment, void* host, bool in) {
  size_t size = (size_t)t->wide.size;
  if (!size) return CT_BATCH_OK;
  float* row = t->wide.type == CT_NUMBER ? (float*)malloc(size * sizeof(float)) : NULL;
  if (t->wide.type == CT_NUMBER && !row) return no_memory(b, "a row");
  void* at = row ? (void*)row : host;
  if (row && in) narrow_numbers(row, (const mjtNum*)host, size);
  int code = in ? settle(b, gate->set_row(b->self, &t->narrow, environment, at))
                : gate->get_row(b->self, &t->narrow, environment, at);
  if (!code && row && !in) widen_numbers((mjtNum*)host, row, size);
  free(row);
  return code;
}

static int move_state(FloatBatch* b, int environment, mjData* d, bool in) {
  const mjModel* m = b->setup->model;
  ct_BatchField field = ct_state_field(m, mjSTATE_INTEGRATION);
  Twin t = twin_of(b, &field);
  mjtNum* row = (mjtNum*)malloc(ct_batch_row_bytes(&field) + 1);
  if (!row) return no_memory(b, "a state");
  if (in) mj_getState(m, d, row, mjSTATE_INTEGRATION);
  int code = move_row(b, &t, environment, row, in);
  if (!code && !in) mj_setState(m, d, row, mjSTATE_INTEGRATION);
  free(row);
  return code;
}

static int move_warnings(FloatBatch* b, int environment, mjData* d, bool in) {
  ct_BatchField field;
  char why[100];
  ct_find_batch_field(b->setup->model, "warning", &field, why, sizeof(why));
  Twin t = twin_of(b, &field);
  return move_row(b, &t, environment, d->warning, in);
}

// What sleeps is where it was left, so that all arrays belong to such an environment.
static int move_arrays(FloatBatch* b, int environment, mjData* d, bool in) {
  ct_BatchField field;
  int code = CT_BATCH_OK;
  for (int i = 0; !code && ct_nth_batch_field(b->setup->model, CT_PLACE_DATA, i, &field); i++) {
    if (!field.array) continue;
    Twin t = twin_of(b, &field);
    code = move_row(b, &t, environment, ct_batch_field_in(&field, d), in);
  }
  return code;
}

static bool may_sleep(const FloatBatch* b) {
  return (b->setup->model->opt.enableflags & mjENBL_SLEEP) != 0;
}

typedef struct {
  FloatBatch* b;
  int environment;
  mjModel* m;
  mjData* d;
  int code;
} Taking;

static void take(void* argument) {
  Taking* t = (Taking*)argument;
  FloatBatch* b = t->b;
  const mjModel* model = b->setup->model;
  if (t->m) mj_copyModel(t->m, model);
  for (int i = 0; t->m && !t->code && i < b->varied.count; i++) {
    const Twin* varied = b->varied.twin + i;
    t->code = move_row(b, varied, t->environment, ct_batch_field_in(&varied->wide, t->m), false);
  }
  if (!t->d || t->code) return;
  mj_resetData(model, t->d);
  if (may_sleep(b)) t->code = move_arrays(b, t->environment, t->d, false);
  if (!t->code) t->code = move_state(b, t->environment, t->d, false);
  for (int i = 0; !t->code && i < b->kept.count; i++) {
    const Twin* kept = b->kept.twin + i;
    if (!ct_field_comes_back(&kept->wide)) continue;
    t->code = move_row(b, kept, t->environment, ct_batch_field_in(&kept->wide, t->d), false);
  }
  if (!t->code) t->code = move_warnings(b, t->environment, t->d, false);
  if (!t->code && may_sleep(b)) mj_updateSleep(model, t->d);
}

static int get_data(void* self, int environment, mjModel* m, mjData* d) {
  Taking t = {opened(self), environment, m, d, CT_BATCH_OK};
  if (ct_run_guarded(take, &t, t.b->error, sizeof(t.b->error))) return t.code;
  return CT_BATCH_BAD_ARGUMENT;
}

static int set_data(void* self, int environment, const mjData* given) {
  FloatBatch* b = opened(self);
  mjData* d = (mjData*)(uintptr_t)given;
  int code = move_state(b, environment, d, true);
  for (int i = 0; !code && i < b->kept.count; i++) {
    const Twin* kept = b->kept.twin + i;
    code = move_row(b, kept, environment, ct_batch_field_in(&kept->wide, d), true);
  }
  if (!code) code = move_warnings(b, environment, d, true);
  if (!code && may_sleep(b)) {
    code = move_arrays(b, environment, d, true);
    if (!code) code = gate->update_sleep(b->self, environment);
  }
  return code;
}

static int copy(void* self, int from, int to) {
  return gate->backend->copy(opened(self)->self, from, to);
}

// The rest

static int host_mask(void* self, const mjtByte* mask, mjtByte* to) {
  return gate->backend->host_mask(opened(self)->self, mask, to);
}

static int set_stream(void* self, void* stream) {
  return gate->backend->set_stream(opened(self)->self, stream);
}

static int order(void* self, void* stream, bool follow) {
  return gate->backend->order(opened(self)->self, stream, follow);
}

static int count_up(void* self, ct_BatchCounts* counts) {
  return gate->backend->counts(opened(self)->self, counts);
}

static const char* reason(void* self, int environment) {
  FloatBatch* b = opened(self);
  return gate->backend->reason ? gate->backend->reason(b->self, environment) : NULL;
}

static int wait_for_device(void* self) {
  return gate->backend->wait(opened(self)->self);
}

static const ct_Backend backend = {
    .version = CT_BACKEND_VERSION,
    .num_bytes = sizeof(mjtNum),
    .name = "cuda in float",
    .estimate = estimate,
    .create = create,
    .destroy = destroy,
    .error = last_error,
    .run = run_batch,
    .reset = reset,
    .keep = keep,
    .vary = vary,
    .has = has,
    .read = read_field,
    .write = write_field,
    .view = view,
    .set_const = set_const,
    .copy = copy,
    .get_data = get_data,
    .set_data = set_data,
    .host_mask = host_mask,
    .set_stream = set_stream,
    .order = order,
    .noise = disturb,
    .counts = count_up,
    .reason = reason,
    .wait = wait_for_device,
};

const ct_Backend* ct_float_backend(const ct_FloatGate* of) {
  if (gate != of) gate = of;  // once: batches of other threads read it
  return &backend;
}
