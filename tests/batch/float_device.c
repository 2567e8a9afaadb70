// A device in float in place of libcorten_cuda_float.so, with memory of the host. It has no
// physics: a step adds a quarter to the time, a tenth to positions, and writes the time into all
// sensors.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"

_Static_assert(sizeof(mjtNum) == sizeof(float), "this library is one in float");

typedef struct {  // in place of an mjModel
  int nq, nv, nu, na, nbody, nsensordata;
  float gravity[3], *mass;
} Model;

enum { TIME, QPOS, QVEL, ACT, WARMSTART, CTRL, APPLIED, FORCES, PARTS };

typedef struct {
  const ct_BatchSetup* setup;
  const Model* m;
  int n, nstate, begin[PARTS + 1];
  float *state, *sensors, *mass;  // mass NULL: it does not vary
  int *status, *warnings;
  mjtSize* noise;
} Device;

// Which components of the state there are, as the bits of mjtState have them.
static const int bits[PARTS] = {mjSTATE_TIME,         mjSTATE_QPOS,        mjSTATE_QVEL,
                                mjSTATE_ACT,          mjSTATE_WARMSTART,   mjSTATE_CTRL,
                                mjSTATE_QFRC_APPLIED, mjSTATE_XFRC_APPLIED};

static int part_size(const Model* m, int part) {
  const int size[PARTS] = {1, m->nq, m->nv, m->na, m->nv, m->nu, m->nv, 6 * m->nbody};
  return size[part];
}

static mjtSize size_of(const ct_WideModel* wide, const char* name) {
  static const char* const names[] = {
#define MODEL_SIZE(name_, doc_) #name_,
#include "model.def"
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(names[i], name)) return wide->size[i];
  }
  abort();
}

static const void* array_of(const ct_WideModel* wide, const char* name) {
  static const char* const names[] = {
#define MODEL_ARRAY(type_, name_, rows_, cols_, target_, doc_) #name_,
#include "model.def"
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(names[i], name)) return wide->array[i];
  }
  abort();
}

static const void* setting_of(const ct_WideModel* wide, const char* name) {
  static const char* const names[] = {
#define OPTION(type_, name_, extent_, value_, doc_) "opt." #name_,
#define STATISTIC(type_, name_, extent_, value_, doc_) "stat." #name_,
#include "settings.def"
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(names[i], name)) return wide->setting[i];
  }
  abort();
}

static mjModel* make_model(const ct_WideModel* wide, char* error, size_t nerror) {
  Model* m = (Model*)calloc(1, sizeof(Model));
  (void)error, (void)nerror;
  m->nq = (int)size_of(wide, "nq");
  m->nv = (int)size_of(wide, "nv");
  m->nu = (int)size_of(wide, "nu");
  m->na = (int)size_of(wide, "na");
  m->nbody = (int)size_of(wide, "nbody");
  m->nsensordata = (int)size_of(wide, "nsensordata");
  m->mass = (float*)calloc((size_t)m->nbody, sizeof(float));
  const double* mass = (const double*)array_of(wide, "body_mass");
  const double* gravity = (const double*)setting_of(wide, "opt.gravity");
  for (int i = 0; i < m->nbody; i++) m->mass[i] = (float)mass[i];
  for (int i = 0; i < 3; i++) m->gravity[i] = (float)gravity[i];
  return (mjModel*)(void*)m;
}

static void delete_model(mjModel* model) {
  Model* m = (Model*)(void*)model;
  free(m->mass);
  free(m);
}

typedef struct {  // fields that it has, but for components of the state
  const char* name;
  ct_BatchPlace place;
  int type;
  size_t element;
} Known;

static const Known known[] = {
    {"data.sensordata", CT_PLACE_DATA, CT_NUMBER, sizeof(float)},
    {"model.body_mass", CT_PLACE_MODEL, CT_NUMBER, sizeof(float)},
    {"model.opt.gravity", CT_PLACE_MODEL, CT_NUMBER, sizeof(float)},
    {"status", CT_PLACE_OUTCOME, CT_INT, sizeof(int)},
    {"noise", CT_PLACE_OUTCOME, CT_SIZE, sizeof(mjtSize)},
    {"warning", CT_PLACE_OUTCOME, CT_INT, sizeof(int)},
};

static bool find_field(const mjModel* model, const char* name, int state, ct_BatchField* field) {
  const Model* m = (const Model*)(const void*)model;
  const int size[] = {m->nsensordata, m->nbody, 3, 1, 1, 2 * mjNWARNING};
  memset(field, 0, sizeof(*field));
  if (!name) {
    *field = (ct_BatchField){.place = CT_PLACE_STATE, .name = "state", .state = state};
    for (int i = 0; i < PARTS; i++) field->size += state & bits[i] ? part_size(m, i) : 0;
    field->type = CT_NUMBER;
    field->element = sizeof(float);
    return true;
  }
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (strcmp(name, known[i].name)) continue;
    field->place = known[i].place;
    field->name = known[i].name;
    field->type = known[i].type;
    field->element = known[i].element;
    field->size = size[i];
    return true;
  }
  return false;
}

// Rows: the address of a row, unless it is a set of components.
static char* row_of(Device* d, const ct_BatchField* f, int i) {
  size_t e = (size_t)i;
  if (!strcmp(f->name, "data.sensordata")) {
    return (char*)(d->sensors + e * (size_t)d->m->nsensordata);
  }
  if (!strcmp(f->name, "model.body_mass")) {
    return (char*)(d->mass ? d->mass + e * (size_t)d->m->nbody : d->m->mass);
  }
  if (!strcmp(f->name, "model.opt.gravity")) return (char*)(uintptr_t)d->m->gravity;
  if (!strcmp(f->name, "status")) return (char*)(d->status + e);
  if (!strcmp(f->name, "noise")) return (char*)(d->noise + e);
  if (!strcmp(f->name, "warning")) return (char*)(d->warnings + 2 * mjNWARNING * e);
  return NULL;
}

static void move_row(Device* d, const ct_BatchField* f, int i, void* matrix_row, bool in) {
  if (f->place != CT_PLACE_STATE) {
    char* row = row_of(d, f, i);
    size_t bytes = (size_t)f->size * f->element;
    memcpy(in ? row : (char*)matrix_row, in ? (char*)matrix_row : row, bytes);
    return;
  }
  float* at = (float*)matrix_row;
  for (int part = 0; part < PARTS; part++) {
    if (!(f->state & bits[part])) continue;
    size_t size = (size_t)(d->begin[part + 1] - d->begin[part]);
    float* row = d->state + (size_t)i * (size_t)d->nstate + d->begin[part];
    memcpy(in ? row : at, in ? at : row, size * sizeof(float));
    at += size;
  }
}

static int get_row(void* self, const ct_BatchField* f, int environment, void* to) {
  move_row((Device*)self, f, environment, to, false);
  return CT_BATCH_OK;
}

static int set_row(void* self, const ct_BatchField* f, int environment, const void* from) {
  move_row((Device*)self, f, environment, (void*)(uintptr_t)from, true);
  return CT_BATCH_OK;
}

static int move_matrix(Device* d, const ct_BatchField* f, const mjtByte* mask, char* matrix,
                       bool in) {
  size_t bytes = (size_t)f->size * f->element;
  for (int i = 0; i < d->n; i++) {
    if (!mask || mask[i]) move_row(d, f, i, matrix + (size_t)i * bytes, in);
  }
  return CT_BATCH_OK;
}

static int read_field(void* self, const ct_BatchField* f, const mjtByte* mask, void* to) {
  return move_matrix((Device*)self, f, mask, (char*)to, false);
}

static int write_field(void* self, const ct_BatchField* f, const mjtByte* mask, const void* from) {
  return move_matrix((Device*)self, f, mask, (char*)(uintptr_t)from, true);
}

// Making

static int estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                    size_t nerror) {
  (void)setup, (void)error, (void)nerror;
  *each = 1000;
  *once = 0;
  return CT_BATCH_OK;
}

static void* create(ct_BatchSetup* setup, char* error, size_t nerror) {
  const Model* m = (const Model*)(const void*)setup->model;
  Device* d = (Device*)calloc(1, sizeof(Device));
  size_t n = (size_t)setup->count;
  (void)error, (void)nerror;
  d->setup = setup;
  d->m = m;
  d->n = setup->count;
  for (int i = 0; i < PARTS; i++) d->begin[i + 1] = d->begin[i] + part_size(m, i);
  d->nstate = d->begin[PARTS];
  d->state = (float*)calloc(n * (size_t)d->nstate, sizeof(float));
  d->sensors = (float*)calloc(n * (size_t)m->nsensordata + 1, sizeof(float));
  d->status = (int*)calloc(n, sizeof(int));
  d->warnings = (int*)calloc(2 * mjNWARNING * n, sizeof(int));
  d->noise = (mjtSize*)calloc(n, sizeof(mjtSize));
  setup->options.arena = 4711;
  return d;
}

static void destroy(void* self) {
  Device* d = (Device*)self;
  free(d->state);
  free(d->sensors);
  free(d->mass);
  free(d->status);
  free(d->warnings);
  free(d->noise);
  free(d);
}

static const char* last_error(void* self) {
  (void)self;
  return "the device says no";
}

static bool has(void* self, const ct_BatchField* f) {
  const Device* d = (const Device*)self;
  if (!strcmp(f->name, "model.body_mass")) return d->mass != NULL;
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (!strcmp(f->name, known[i].name)) return f->place != CT_PLACE_MODEL;
  }
  return f->place == CT_PLACE_STATE;
}

static int keep(void* self, const ct_BatchField* f) {
  return has(self, f) ? CT_BATCH_OK : CT_BATCH_UNSUPPORTED;
}

static int vary(void* self, const ct_BatchField* f) {
  Device* d = (Device*)self;
  if (strcmp(f->name, "model.body_mass")) return CT_BATCH_UNSUPPORTED;
  if (d->mass) return CT_BATCH_OK;
  size_t nbody = (size_t)d->m->nbody;
  d->mass = (float*)calloc((size_t)d->n * nbody, sizeof(float));
  for (size_t i = 0; i < (size_t)d->n * nbody; i++) d->mass[i] = d->m->mass[i % nbody];
  return CT_BATCH_OK;
}

// Running

static void step(Device* d, int i) {
  float* row = d->state + (size_t)i * (size_t)d->nstate;
  row[0] += 0.25f;
  for (int k = 0; k < d->m->nq; k++) row[d->begin[QPOS] + k] += 0.1f;
  for (int k = 0; k < d->m->nsensordata; k++) d->sensors[i * d->m->nsensordata + k] = row[0];
}

static int run(void* self, const ct_BatchRun* r) {
  Device* d = (Device*)self;
  ct_BatchField control;
  find_field((const mjModel*)(const void*)d->m, NULL, r->control_state, &control);
  for (int t = 0; t < r->nstep; t++) {
    for (int i = 0; i < d->n; i++) {
      size_t place = r->time_first ? (size_t)t * (size_t)d->n + (size_t)i
                                   : (size_t)i * (size_t)r->nstep + (size_t)t;
      if (r->mask && !r->mask[i]) continue;
      if (r->control) {
        set_row(self, &control, i, r->control + place * (size_t)control.size);
      }
      for (int k = 0; k < r->substeps; k++) step(d, i);
      for (int k = 0; k < r->nrecord; k++) {
        const ct_BatchField* f = r->record + k;
        get_row(self, f, i, (char*)r->out[k] + place * (size_t)f->size * f->element);
      }
    }
  }
  return CT_BATCH_OK;
}

static int reset(void* self, const ct_BatchStart* start) {
  Device* d = (Device*)self;
  ct_BatchField states;
  find_field((const mjModel*)(const void*)d->m, NULL, start->state, &states);
  for (int i = 0; i < d->n; i++) {
    if (start->mask && !start->mask[i]) continue;
    memset(d->state + (size_t)i * (size_t)d->nstate, 0, (size_t)d->nstate * sizeof(float));
    if (start->states) set_row(self, &states, i, start->states + (size_t)i * (size_t)states.size);
  }
  return CT_BATCH_OK;
}

static int view(void* self, const ct_BatchField* f, ct_BatchView* seen) {
  Device* d = (Device*)self;
  seen->data = f->place == CT_PLACE_STATE ? (void*)d->state : row_of(d, f, 0);
  seen->stride =
      f->place == CT_PLACE_STATE ? (size_t)d->nstate * sizeof(float) : (size_t)f->size * f->element;
  seen->size = f->size;
  seen->type = f->type;
  seen->element = (int)f->element;
  seen->on_device = 1;
  return CT_BATCH_OK;
}

static int set_const(void* self, const mjtByte* mask) {
  (void)self, (void)mask;
  return CT_BATCH_OK;
}

static int copy(void* self, int from, int to) {
  Device* d = (Device*)self;
  memcpy(d->state + (size_t)to * (size_t)d->nstate, d->state + (size_t)from * (size_t)d->nstate,
         (size_t)d->nstate * sizeof(float));
  return CT_BATCH_OK;
}

static int host_mask(void* self, const mjtByte* mask, mjtByte* to) {
  memcpy(to, mask, (size_t)((Device*)self)->n);
  return CT_BATCH_OK;
}

static int disturb(void* self, const ct_BatchField* f, const mjtByte* mask, int noise, int use,
                   double low, double high) {
  Device* d = (Device*)self;
  (void)noise, (void)use;
  for (int i = 0; i < d->n; i++) {
    float row[1000];
    double x = high == 0 ? (double)d->setup->options.seed : low + high;
    for (int k = 0; k < f->size && k < 1000; k++) row[k] = (float)x;
    if (!mask || mask[i]) set_row(self, f, i, row);
  }
  return CT_BATCH_OK;
}

static int count_up(void* self, ct_BatchCounts* counts) {
  (void)self;
  counts->steps = 12;
  return CT_BATCH_OK;
}

static int wait_for_device(void* self) {
  (void)self;
  return CT_BATCH_OK;
}

static int update_sleep(void* self, int environment) {
  (void)self, (void)environment;
  return CT_BATCH_OK;
}

static bool is_device_memory(const void* pointer) {
  (void)pointer;
  return false;
}

static const ct_Backend backend = {
    .version = CT_BACKEND_VERSION,
    .num_bytes = sizeof(mjtNum),
    .name = "float",
    .estimate = estimate,
    .create = create,
    .destroy = destroy,
    .error = last_error,
    .run = run,
    .reset = reset,
    .keep = keep,
    .vary = vary,
    .has = has,
    .read = read_field,
    .write = write_field,
    .view = view,
    .set_const = set_const,
    .copy = copy,
    .host_mask = host_mask,
    .counts = count_up,
    .wait = wait_for_device,
};

const ct_FloatGate* ct_cuda_float_gate(char* error, size_t nerror);
const ct_FloatGate* ct_cuda_float_gate(char* error, size_t nerror) {
  static const ct_FloatGate gate = {
      .version = CT_BACKEND_VERSION,
      .backend = &backend,
      .make_model = make_model,
      .delete_model = delete_model,
      .find_field = find_field,
      .get_row = get_row,
      .set_row = set_row,
      .update_sleep = update_sleep,
      .noise = disturb,
      .is_device_memory = is_device_memory,
  };
  (void)error, (void)nerror;
  return &gate;
}
