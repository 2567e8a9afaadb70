// The tables of the CPU backend: making them, loading and storing environments. See cpu.h.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/data_memory.h"
#include "base/private.h"
#include "batch/cpu.h"
#include "batch/guard.h"
#include "host/sleep_functions.h"

int ct_cpu_error(ct_CpuBatch* b, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(b->error, sizeof(b->error), format, arguments);
  va_end(arguments);
  return code;
}

// Columns

ct_Column* ct_find_column(const ct_Columns* columns, const ct_BatchField* field) {
  for (int i = 0; i < columns->count; i++) {
    ct_Column* c = columns->item + i;
    if (c->field.offset == field->offset) return c;
  }
  return NULL;
}

// Wide loops may look at a few numbers behind a row.
enum { BEHIND = 64 };

static void* zeroed(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total) || total > PTRDIFF_MAX - BEHIND) return NULL;
  void* memory = mju_malloc(total + BEHIND);
  if (memory) memset(memory, 0, total + BEHIND);
  return memory;
}

static ct_Column* add_column(ct_CpuBatch* b, ct_Columns* columns, const ct_BatchField* field) {
  if (columns->count == columns->room) {
    int room = 2 * columns->room + 8;
    ct_Column* item = (ct_Column*)zeroed((size_t)room, sizeof(ct_Column));
    if (!item) return NULL;
    if (columns->count) memcpy(item, columns->item, (size_t)columns->count * sizeof(ct_Column));
    mju_free(columns->item);
    columns->item = item;
    columns->room = room;
  }
  ct_Column* c = columns->item + columns->count;
  c->field = *field;
  c->bytes = ct_batch_row_bytes(field);
  c->loaded = true;
  c->rows = (char*)zeroed((size_t)b->n, c->bytes);
  if (!c->rows) return NULL;
  columns->count++;
  return c;
}

static void free_columns(ct_Columns* columns) {
  for (int i = 0; i < columns->count; i++) mju_free(columns->item[i].rows);
  mju_free(columns->item);
}

ct_Column* ct_keep_column(ct_CpuBatch* b, const ct_BatchField* field) {
  ct_Column* c = ct_find_column(&b->kept, field);
  if (c) return c;
  c = add_column(b, &b->kept, field);
  if (!c) return NULL;
  c->awake = strstr(field->name, "_awake") != NULL;
  c->loaded = ct_field_comes_back(field);
  if (!b->own) {
    ct_tally_memory(b->worker, b->worker->data);
    mj_resetData(b->m, b->worker->data);
  }
  for (int i = 0; c->bytes && i < b->n; i++) {
    const mjData* d = b->own ? b->own[i] : b->worker->data;
    memcpy(ct_column_row(c, i), ct_batch_field_in(field, d), c->bytes);
  }
  return c;
}

ct_Column* ct_vary_column(ct_CpuBatch* b, const ct_BatchField* field) {
  ct_Column* c = ct_find_column(&b->varied, field);
  if (c) return c;
  c = add_column(b, &b->varied, field);
  const void* from = ct_batch_field_in(field, b->m);
  for (int i = 0; c && c->bytes && i < b->n; i++) memcpy(ct_column_row(c, i), from, c->bytes);
  return c;
}

// Making

static bool make_tables(ct_CpuBatch* b) {
  size_t n = (size_t)b->n;
  b->state = (mjtNum*)zeroed(n, b->nstate * sizeof(mjtNum));
  b->status = (int*)zeroed(n, sizeof(int));
  b->reward = (mjtNum*)zeroed(n, sizeof(mjtNum));
  b->terminated = (mjtByte*)zeroed(n, 1);
  b->truncated = (mjtByte*)zeroed(n, 1);
  b->steps = (int*)zeroed(n, sizeof(int));
  b->warning = (mjWarningStat*)zeroed(n, mjNWARNING * sizeof(mjWarningStat));
  b->noise = (mjtSize*)zeroed(n, sizeof(mjtSize));
  b->reason = (char**)zeroed(n, sizeof(char*));
  b->ids = (int*)zeroed(n, sizeof(int));
  return b->state && b->status && b->reward && b->terminated && b->truncated && b->steps &&
         b->warning && b->noise && b->reason && b->ids;
}

// Who sleeps is kept beside the mjData, so that a step that a hook has undone left no trace in it.
static bool keep_what_steps_read(ct_CpuBatch* b) {
  static const char* const names[] = {"sensordata", "energy", "flg_energypos", "flg_energyvel",
                                      "tree_asleep"};
  size_t count = sizeof(names) / sizeof(names[0]);
  if (!(b->m->opt.enableflags & mjENBL_SLEEP)) count--;
  for (size_t i = 0; i < count; i++) {
    ct_BatchField field;
    char why[200];
    if (!ct_find_batch_field(b->m, names[i], &field, why, sizeof(why))) return false;
    if (!ct_keep_column(b, &field)) return false;
  }
  return true;
}

static bool make_own_data(ct_CpuBatch* b) {
  b->own = (mjData**)zeroed((size_t)b->n, sizeof(mjData*));
  for (int i = 0; b->own && i < b->n; i++) {
    b->own[i] = mj_makeData(b->m);
    if (!b->own[i]) return false;
  }
  return b->own != NULL;
}

// What four environments need to walk side by side.
static bool make_beside(const ct_CpuBatch* b, ct_Worker* w) {
  w->beside[0] = w->data;
  if (b->n < CT_ABREAST || !ct_may_walk_abreast(b->m)) return true;
  for (int k = 1; k < CT_ABREAST; k++) {
    w->beside[k] = mj_makeData(b->m);
    if (!w->beside[k]) return false;
  }
  w->abreast = ct_make_side_by_side(b->m, w->data, ct_has_avx512());
  return w->abreast != NULL;
}

static bool make_workers(ct_CpuBatch* b, int count) {
  b->team = ct_make_team(count);
  b->worker = (ct_Worker*)zeroed((size_t)count, sizeof(ct_Worker));
  if (!b->team || !b->worker) return false;
  for (int i = 0; i < count; i++) {
    b->worker[i].model = *b->m;
    if (b->own) continue;
    b->worker[i].data = mj_makeData(b->m);
    if (!b->worker[i].data || !make_beside(b, b->worker + i)) return false;
  }
  return true;
}

// All environments are alike.
static void fill_tables(ct_CpuBatch* b) {
  const mjData* d = b->own ? b->own[0] : b->worker[0].data;
  mj_getState(b->m, d, b->state, mjSTATE_INTEGRATION);
  for (int i = 1; i < b->n; i++) {
    memcpy(ct_state_row(b, i), b->state, b->nstate * sizeof(mjtNum));
  }
}

static int choose_threads(const ct_BatchSetup* setup) {
  int threads = setup->options.threads > 0 ? setup->options.threads : ct_core_count();
  if (threads > setup->count) threads = setup->count;
  return threads > mjMAXTHREAD ? mjMAXTHREAD : threads;
}

static bool make_all(ct_CpuBatch* b, int threads, bool own) {
  size_t end = 0;
  for (int i = 0; i < mjNSTATE; i++) {
    b->component[i] = end;
    end += (size_t)mj_stateSize(b->m, 1 << i);
  }
  b->component[mjNSTATE] = end;
  if (!make_tables(b) || (own && !make_own_data(b)) || !make_workers(b, threads) ||
      !keep_what_steps_read(b)) {
    return false;
  }
  fill_tables(b);
  return true;
}

ct_CpuBatch* ct_make_cpu_batch(ct_BatchSetup* setup, char* error, size_t nerror) {
  const mjModel* m = setup->model;
  ct_BatchOptions* o = &setup->options;
  o->threads = choose_threads(setup);
  o->own_data = o->own_data || (m->opt.enableflags & mjENBL_SLEEP) || m->nplugin > 0;
  o->arena = m->narena;

  ct_Listener listener;
  ct_listen(&listener);
  ct_CpuBatch* b = (ct_CpuBatch*)zeroed(1, sizeof(ct_CpuBatch));
  bool good = b != NULL;
  if (good) {
    b->setup = setup;
    b->m = m;
    b->n = setup->count;
    b->nstate = setup->nstate;
    good = make_all(b, o->threads, o->own_data != 0) && !listener.message[0];
  }
  ct_stop_listening(&listener);
  if (good) return b;
  snprintf(error, nerror, "%s", listener.message[0] ? listener.message : "there is no memory");
  ct_delete_cpu_batch(b);
  return NULL;
}

void ct_delete_cpu_batch(ct_CpuBatch* b) {
  if (!b) return;
  if (b->team) ct_delete_team(b->team);
  for (int i = 0; b->worker && i < b->setup->options.threads; i++) {
    ct_Worker* w = b->worker + i;
    for (int k = 1; k < CT_ABREAST; k++) mj_deleteData(w->beside[k]);
    ct_delete_side_by_side(w->abreast);
    mj_deleteData(w->data);
  }
  for (int i = 0; b->own && i < b->n; i++) mj_deleteData(b->own[i]);
  for (int i = 0; b->reason && i < b->n; i++) mju_free(b->reason[i]);
  void* const tables[] = {b->state,   b->status, b->reward, b->terminated, b->truncated, b->steps,
                          b->warning, b->noise,  b->reason, b->ids,        b->own,       b->worker};
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) mju_free(tables[i]);
  mju_free((void*)(uintptr_t)b->models);
  free_columns(&b->kept);
  free_columns(&b->varied);
  mju_free(b);
}

// Loading and storing

const mjModel* ct_bind_model(ct_CpuBatch* b, ct_Worker* worker, int environment) {
  if (b->models) return b->models[environment];
  if (!b->varied.count) return b->m;
  for (int i = 0; i < b->varied.count; i++) {
    const ct_Column* c = b->varied.item + i;
    char* row = ct_column_row(c, environment);
    if (c->field.array) {
      *ct_field_pointer(c->field.array, &worker->model) = row;
    } else {
      memcpy((char*)&worker->model + c->field.offset, row, c->bytes);
    }
  }
  return &worker->model;
}

// A tree that the row of "tree_asleep" names and that is not there; -1: none.
static int missing_tree(const ct_Column* c, const mjModel* m, const void* row) {
  const int* tree = (const int*)row;
  for (size_t i = 0; i < c->bytes / sizeof(int); i++) {
    if (tree[i] >= m->ntree) return tree[i];
  }
  return -1;
}

int ct_missing_tree(const ct_CpuBatch* b, int environment, const mjModel* m) {
  for (int i = 0; i < b->kept.count; i++) {
    const ct_Column* c = b->kept.item + i;
    if (c->field.offset != offsetof(mjData, tree_asleep)) continue;
    return missing_tree(c, m, ct_column_row(c, environment));
  }
  return -1;
}

// Steps follow who sleeps to other trees, and a view of it is within reach of whoever asks for one:
// what leads nowhere stays outside, and the mjData keeps what it has. So do lists of who is awake,
// which follow from it.
void ct_load_row(ct_CpuBatch* b, int environment, const mjModel* m, mjData* d) {
  bool others_sleep = false;
  mj_setState(m, d, ct_state_row(b, environment), mjSTATE_INTEGRATION);
  for (int i = 0; i < b->kept.count; i++) {
    const ct_Column* c = b->kept.item + i;
    if (!c->loaded || !c->bytes || c->awake) continue;
    void* to = ct_batch_field_in(&c->field, d);
    const void* row = ct_column_row(c, environment);
    if (to == d->tree_asleep && memcmp(to, row, c->bytes) != 0) {
      if (missing_tree(c, m, row) >= 0) continue;
      others_sleep = true;
    }
    memcpy(to, row, c->bytes);
  }
  if (others_sleep && (m->opt.enableflags & mjENBL_SLEEP)) mj_updateSleep(m, d);
  memcpy(d->warning, b->warning + (size_t)environment * mjNWARNING, sizeof(d->warning));
}

void ct_load_results(const ct_CpuBatch* b, int environment, mjData* d) {
  for (int i = 0; i < b->kept.count; i++) {
    const ct_Column* c = b->kept.item + i;
    if (c->loaded || !c->bytes || c->awake) continue;
    memcpy(ct_batch_field_in(&c->field, d), ct_column_row(c, environment), c->bytes);
  }
}

void ct_mirror_own_data(ct_CpuBatch* b, int environment) {
  for (int i = 0; i < b->kept.count; i++) {
    const ct_Column* c = b->kept.item + i;
    if (!c->bytes || !(c->field.array || c->awake)) continue;
    memcpy(ct_column_row(c, environment), ct_batch_field_in(&c->field, b->own[environment]),
           c->bytes);
  }
}

void ct_tally_memory(ct_Worker* worker, const mjData* d) {
  if (d->maxuse_arena > worker->arena_used) worker->arena_used = d->maxuse_arena;
  if (d->maxuse_con > worker->most_contacts) worker->most_contacts = d->maxuse_con;
  if (d->maxuse_efc > worker->most_rows) worker->most_rows = d->maxuse_efc;
}

mjData* ct_load_environment(ct_CpuBatch* b, ct_Worker* worker, int environment, const mjModel* m,
                            bool fresh) {
  mjData* d = ct_data_at_work(b, worker, environment);
  if (!b->own) {
    if (fresh) {
      ct_tally_memory(worker, d);
      mj_resetData(m, d);
    }
    d->flg_subtreevel = d->flg_rnepost = 0;
  }
  ct_load_row(b, environment, m, d);
  ct_clear_status(d);
  return d;
}

void ct_load_beside(ct_CpuBatch* b, int environment, const mjModel* m, mjData* d) {
  d->flg_subtreevel = d->flg_rnepost = 0;
  ct_load_row(b, environment, m, d);
  ct_clear_status(d);
}

void ct_store_environment(ct_CpuBatch* b, int environment, const mjModel* m, const mjData* d,
                          bool computed) {
  mj_getState(m, d, ct_state_row(b, environment), mjSTATE_INTEGRATION);
  for (int i = 0; i < b->kept.count; i++) {
    const ct_Column* c = b->kept.item + i;
    if ((!c->loaded && !computed) || !c->bytes) continue;
    memcpy(ct_column_row(c, environment), ct_batch_field_in(&c->field, d), c->bytes);
  }
  memcpy(b->warning + (size_t)environment * mjNWARNING, d->warning, sizeof(d->warning));
}

void ct_recover_data(mjData* d) {
  ct_private(d)->integration.room = NULL;
  d->pstack = d->pbase = 0;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
  ct_clear_arena(d);
}

void ct_set_reason(ct_CpuBatch* b, int environment, const char* text) {
  char** reason = b->reason + environment;
  if (!text && !*reason) return;
  if (!text) {
    **reason = 0;
    return;
  }
  if (!*reason) *reason = (char*)mju_malloc(CT_REASON_ROOM);
  if (*reason) snprintf(*reason, CT_REASON_ROOM, "%s", text);
}

const int* ct_select(ct_CpuBatch* b, const mjtByte* mask, int* count) {
  *count = b->n;
  if (!mask) return NULL;
  *count = 0;
  for (int i = 0; i < b->n; i++) {
    if (mask[i]) b->ids[(*count)++] = i;
  }
  return b->ids;
}
