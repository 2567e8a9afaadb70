// The CPU backend as a table of functions: fields in and out, copies, counts.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/schedule.h"
#include "batch/cpu.h"
#include "batch/guard.h"
#include "host/sleep_functions.h"

// Making

// Threads have an mjData each, or environments do; the rest are tables. arena: bytes of one.
static void count_bytes(const ct_BatchSetup* setup, size_t arena, size_t* each, size_t* once) {
  const mjModel* m = setup->model;
  size_t nbuffer = 0;
  ct_place_fields(ct_data_fields, ct_ndata_field, m, NULL, NULL, &nbuffer);
  size_t data = sizeof(mjData) + nbuffer + ct_schedule_bytes(m) + arena;
  bool own = setup->options.own_data || (m->opt.enableflags & mjENBL_SLEEP) || m->nplugin > 0;
  int threads = setup->options.threads > 0 ? setup->options.threads : ct_core_count();
  if (threads > setup->count) threads = setup->count;
  *each = (setup->nstate + (size_t)m->nsensordata + 4) * sizeof(mjtNum) + 3 * sizeof(int) +
          sizeof(mjtSize) + sizeof(char*) + 4 + mjNWARNING * sizeof(mjWarningStat);
  *once = (size_t)threads * sizeof(ct_Worker) + sizeof(mjModel) + (size_t)m->nbuffer;
  bool abreast = !own && setup->count >= CT_ABREAST && ct_may_walk_abreast(m);
  size_t of_thread = abreast ? CT_ABREAST * data + ct_side_by_side_bytes(m) : data;
  *(own ? each : once) += own ? data : (size_t)threads * of_thread;
}

static int estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                    size_t nerror) {
  (void)error, (void)nerror;
  count_bytes(setup, (size_t)setup->model->narena, each, once);
  return CT_BATCH_OK;
}

// Systems promise more memory than there is and kill who uses it, so the machine is asked first.
// Arenas do not count: what no step has touched takes no memory.
static bool has_room(const ct_BatchSetup* setup, char* error, size_t nerror) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return true;
  size_t there = (size_t)pages * (size_t)page, each, once;
  count_bytes(setup, 0, &each, &once);
  size_t room = there > once ? there - once : 0;
  if (room / each >= (size_t)setup->count) return true;
  snprintf(error, nerror,
           "%d environments of %zu bytes do not fit into the %zu MB of memory that this machine "
           "has; %zu would",
           setup->count, each, there >> 20, room / each);
  return false;
}

static void* create(ct_BatchSetup* setup, char* error, size_t nerror) {
  return has_room(setup, error, nerror) ? ct_make_cpu_batch(setup, error, nerror) : NULL;
}

static void destroy(void* self) {
  ct_delete_cpu_batch((ct_CpuBatch*)self);
}

static const char* last_error(void* self) {
  return ((ct_CpuBatch*)self)->error;
}

// Fields

static bool has(void* self, const ct_BatchField* field) {
  const ct_CpuBatch* b = (const ct_CpuBatch*)self;
  switch (field->place) {
    case CT_PLACE_DATA:
      return ct_find_column(&b->kept, field) || (b->own && field->array);
    case CT_PLACE_MODEL:
      return ct_find_column(&b->varied, field) != NULL;
    default:
      return true;
  }
}

static int no_memory(ct_CpuBatch* b, const ct_BatchField* field) {
  return ct_cpu_error(b, CT_BATCH_NO_MEMORY,
                      "field \"%s\" needs %zu bytes for each of %d environments, and there is no "
                      "memory",
                      field->name, ct_batch_row_bytes(field), b->n);
}

static int keep(void* self, const ct_BatchField* field) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  ct_Listener listener;
  ct_listen(&listener);
  bool good = ct_keep_column(b, field) != NULL;
  ct_stop_listening(&listener);
  return good ? CT_BATCH_OK : no_memory(b, field);
}

static int vary(void* self, const ct_BatchField* field) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  ct_Listener listener;
  ct_listen(&listener);
  bool good = ct_vary_column(b, field) != NULL;
  ct_stop_listening(&listener);
  return good ? CT_BATCH_OK : no_memory(b, field);
}

// Where the rows of a field lie; NULL: nowhere together.
static char* rows_of(const ct_CpuBatch* b, const ct_BatchField* field, size_t* stride) {
  *stride = ct_batch_row_bytes(field);
  if (field->place == CT_PLACE_OUTCOME) {
    void* const outcome[CT_NOUTCOME] = {b->status, b->reward,  b->terminated, b->truncated,
                                        b->steps,  b->warning, b->noise};
    return (char*)outcome[field->outcome];
  }
  if (field->place == CT_PLACE_STATE) {
    *stride = b->nstate * sizeof(mjtNum);
    for (int i = 0; i < mjNSTATE; i++) {
      if (field->state == 1 << i) return (char*)(b->state + b->component[i]);
    }
    return field->state == mjSTATE_INTEGRATION ? (char*)b->state : NULL;
  }
  const ct_Column* c = ct_find_column(field->place == CT_PLACE_DATA ? &b->kept : &b->varied, field);
  return c ? c->rows : NULL;
}

// Components of one state row, packed, out (to_row false) or in.
static void move_components(const ct_CpuBatch* b, int state, mjtNum* row, mjtNum* packed,
                            bool to_row) {
  for (int i = 0; i < mjNSTATE; i++) {
    if (!(state & (1 << i))) continue;
    size_t size = b->component[i + 1] - b->component[i];
    mjtNum* part = row + b->component[i];
    if (size) memcpy(to_row ? part : packed, to_row ? packed : part, size * sizeof(mjtNum));
    packed += size;
  }
}

// One row of any field, between the tables and the caller's matrix.
static void move_row(const ct_CpuBatch* b, const ct_BatchField* field, int i, void* packed,
                     bool in) {
  size_t stride, bytes = ct_batch_row_bytes(field);
  char* rows = rows_of(b, field, &stride);
  if (!bytes) return;
  if (!rows && field->place == CT_PLACE_STATE) {
    move_components(b, field->state, ct_state_row(b, i), (mjtNum*)packed, in);
    return;
  }
  char* own = rows ? rows + (size_t)i * stride : NULL;
  if (!own && field->place == CT_PLACE_DATA) own = (char*)ct_batch_field_in(field, b->own[i]);
  if (!own) own = (char*)ct_batch_field_in(field, b->models ? b->models[i] : b->m);
  memcpy(in ? own : packed, in ? packed : own, bytes);
}

static int read_field(void* self, const ct_BatchField* field, const mjtByte* mask, void* to) {
  const ct_CpuBatch* b = (const ct_CpuBatch*)self;
  size_t bytes = ct_batch_row_bytes(field);
  for (int i = 0; i < b->n; i++) {
    if (!mask || mask[i]) move_row(b, field, i, (char*)to + (size_t)i * bytes, false);
  }
  return CT_BATCH_OK;
}

// Arrays that were written are in the environment's own mjData, too. Counts come back for steps
// only (ct_load_results): the contacts that they speak of are not there.
static void write_own_data(ct_CpuBatch* b, const ct_BatchField* field, int i, const void* row) {
  mjData* d = b->own[i];
  if (!field->array) return;
  memcpy(ct_batch_field_in(field, d), row, ct_batch_row_bytes(field));
  if (field->offset != offsetof(mjData, tree_asleep)) return;
  mj_updateSleep(b->m, d);
  ct_mirror_own_data(b, i);
}

static int write_field(void* self, const ct_BatchField* field, const mjtByte* mask,
                       const void* from) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  size_t bytes = ct_batch_row_bytes(field);
  bool own = b->own && field->place == CT_PLACE_DATA && bytes;
  for (int i = 0; i < b->n; i++) {
    if (mask && !mask[i]) continue;
    char* row = (char*)(uintptr_t)from + (size_t)i * bytes;
    move_row(b, field, i, row, true);
    if (own) write_own_data(b, field, i, row);
  }
  return CT_BATCH_OK;
}

static int view(void* self, const ct_BatchField* field, ct_BatchView* v) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  v->data = rows_of(b, field, &v->stride);
  if (!v->data) {
    return ct_cpu_error(b, CT_BATCH_BAD_ARGUMENT,
                        "field \"%s\" has no rows of its own; call ct_batch_keep for a field of "
                        "mjData, ct_batch_vary for one of the model",
                        field->name);
  }
  v->size = field->size;
  v->type = field->type;
  v->element = (int)field->element;
  v->on_device = 0;
  return CT_BATCH_OK;
}

// One environment

static void copy_rows(ct_Columns* columns, int from, int to) {
  for (int i = 0; i < columns->count; i++) {
    const ct_Column* c = columns->item + i;
    if (c->bytes) memcpy(ct_column_row(c, to), ct_column_row(c, from), c->bytes);
  }
}

static int copy(void* self, int from, int to) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  memcpy(ct_state_row(b, to), ct_state_row(b, from), b->nstate * sizeof(mjtNum));
  copy_rows(&b->kept, from, to);
  copy_rows(&b->varied, from, to);
  b->status[to] = b->status[from];
  b->reward[to] = b->reward[from];
  b->terminated[to] = b->terminated[from];
  b->truncated[to] = b->truncated[from];
  b->steps[to] = b->steps[from];
  memcpy(b->warning + (size_t)to * mjNWARNING, b->warning + (size_t)from * mjNWARNING,
         mjNWARNING * sizeof(mjWarningStat));
  ct_set_reason(b, to, b->reason[from]);
  if (b->own) mj_copyData(b->own[to], b->m, b->own[from]);
  return CT_BATCH_OK;
}

// What an mjData that was made with another arena can take.
static void copy_arrays(const mjModel* m, mjData* d, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, from);
    if (f->offset == offsetof(mjData, plugin_data) || !bytes) continue;
    memcpy(*ct_field_pointer(f, d), ct_field_array(f, from), bytes);
  }
}

typedef struct {
  ct_CpuBatch* b;
  int environment;
  mjModel* m;
  mjData* d;
} Taking;

static void take(void* argument) {
  Taking* t = (Taking*)argument;
  ct_CpuBatch* b = t->b;
  const mjModel* m = ct_bind_model(b, b->worker, t->environment);
  if (t->m) {
    mj_copyModel(t->m, b->models ? m : b->m);
    for (int i = 0; !b->models && i < b->varied.count; i++) {
      const ct_Column* c = b->varied.item + i;
      if (c->bytes)
        memcpy(ct_batch_field_in(&c->field, t->m), ct_column_row(c, t->environment), c->bytes);
    }
  }
  if (!t->d) return;
  const mjData* own = b->own ? b->own[t->environment] : NULL;
  if (own && own->narena == t->d->narena) {
    mj_copyData(t->d, m, own);
  } else {
    mj_resetData(m, t->d);
    if (own) copy_arrays(m, t->d, own);
  }
  ct_load_row(b, t->environment, m, t->d);
  if (own) mj_updateSleep(m, t->d);
}

int ct_cpu_get_data(void* self, int environment, mjModel* m, mjData* d) {
  Taking t = {(ct_CpuBatch*)self, environment, m, d};
  if (ct_run_guarded(take, &t, t.b->error, sizeof(t.b->error))) return CT_BATCH_OK;
  return CT_BATCH_BAD_ARGUMENT;
}

static int set_data(void* self, int environment, const mjData* d) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  const mjModel* m = ct_bind_model(b, b->worker, environment);
  ct_store_environment(b, environment, m, d, true);
  if (b->own) {
    ct_recover_data(b->own[environment]);
    copy_arrays(m, b->own[environment], d);
    mj_updateSleep(m, b->own[environment]);
    ct_mirror_own_data(b, environment);
  }
  return CT_BATCH_OK;
}

// The rest

static int set_hooks(void* self, const ct_BatchHooks* hooks) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  const ct_BatchHooks none = {NULL, NULL, NULL};
  b->hooks = hooks ? *hooks : none;
  return CT_BATCH_OK;
}

static int counts(void* self, ct_BatchCounts* sum) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  sum->arena = b->m->narena;
  for (int i = 0; b->own && i < b->n; i++) ct_tally_memory(b->worker, b->own[i]);
  for (int k = 0; k < ct_team_size(b->team); k++) {
    ct_Worker* w = b->worker + k;
    for (int j = 0; j < CT_ABREAST; j++) {
      if (w->beside[j]) ct_tally_memory(w, w->beside[j]);
    }
    sum->steps += w->steps;
    sum->resets += w->resets;
    for (int i = 0; i < CT_NSTATUS; i++) sum->raised[i] += w->raised[i];
    if (w->arena_used > sum->arena_used) sum->arena_used = w->arena_used;
    if (w->most_contacts > sum->most_contacts) sum->most_contacts = w->most_contacts;
    if (w->most_rows > sum->most_rows) sum->most_rows = w->most_rows;
  }
  return CT_BATCH_OK;
}

static const char* reason(void* self, int environment) {
  const ct_CpuBatch* b = (const ct_CpuBatch*)self;
  return b->reason[environment];
}

const ct_Backend ct_cpu_backend = {
    .version = CT_BACKEND_VERSION,
    .num_bytes = sizeof(mjtNum),
    .name = "cpu",
    .estimate = estimate,
    .create = create,
    .destroy = destroy,
    .error = last_error,
    .run = ct_cpu_run,
    .reset = ct_cpu_reset,
    .keep = keep,
    .vary = vary,
    .has = has,
    .read = read_field,
    .write = write_field,
    .view = view,
    .set_const = ct_cpu_set_const,
    .copy = copy,
    .get_data = ct_cpu_get_data,
    .set_data = set_data,
    .apply = ct_cpu_apply,
    .set_hooks = set_hooks,
    .counts = counts,
    .reason = reason,
};
