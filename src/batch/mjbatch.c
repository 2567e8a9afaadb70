// The mjb_ calls: mj_step for many simulations, with the reference's rules about warnings, resets
// and errors. The tables, threads and guards are those of the CPU backend (cpu.h).
//
// A simulation that fails is not stored, so that its row is as before the call.

#include <corten/mjbatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/continuation.h"
#include "batch/cpu.h"
#include "batch/guard.h"
#include "engine/integrate.h"
#include "host/walk.h"

struct mjBatch_ {
  ct_BatchSetup setup;
  mjModel* model;
  ct_CpuBatch* cpu;
  ct_Continuation* going;  // persistent only
  pthread_mutex_t lock;
  int persistent;
  int* status;
};

// Making

void mjb_defaultConfig(mjBatchConfig* config) {
  memset(config, 0, sizeof(*config));
}

static mjBatch* refuse(char* error, int error_sz, const char* why) {
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", why);
  return NULL;
}

void mjb_deleteBatch(mjBatch* b) {
  if (!b) return;
  if (ct_at_work(b)) {
    mju_error("mjb_deleteBatch: called by a function that this batch is running");
    return;
  }
  ct_delete_cpu_batch(b->cpu);
  ct_delete_continuation(b->going);
  mj_deleteModel(b->model);
  pthread_mutex_destroy(&b->lock);
  free(b->status);
  free(b);
}

static bool make_parts(mjBatch* b, const mjModel* m, const mjBatchConfig* config, char* why,
                       size_t nwhy) {
  ct_Listener listener;
  ct_listen(&listener);
  b->model = mj_copyModel(NULL, m);
  ct_stop_listening(&listener);
  b->status = (int*)calloc((size_t)b->setup.count, sizeof(int));
  if (!b->model || !b->status) {
    snprintf(why, nwhy, "mjb_makeBatch: there is no memory");
    return false;
  }
  b->setup.model = b->model;
  b->setup.nstate = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  b->setup.options.threads = config->nthread > 0 ? config->nthread : 0;
  b->setup.options.own_data = b->persistent;
  b->cpu = ct_make_cpu_batch(&b->setup, why, nwhy);
  if (b->cpu && b->persistent) b->going = ct_make_continuation(b->cpu);
  return b->cpu && (!b->persistent || b->going);
}

mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error,
                       int error_sz) {
  mjBatchConfig defaults;
  mjb_defaultConfig(&defaults);
  if (!config) config = &defaults;
  if (error && error_sz > 0) error[0] = 0;
  if (!m) return refuse(error, error_sz, "mjb_makeBatch: the model is NULL");
  if (nsim <= 0) return refuse(error, error_sz, "mjb_makeBatch: nsim must be positive");
  if ((m->opt.enableflags & mjENBL_SLEEP) && !config->persistent) {
    return refuse(error, error_sz, "mjb_makeBatch: sleep needs a persistent batch");
  }
  mjBatch* b = (mjBatch*)calloc(1, sizeof(mjBatch));
  if (!b) return refuse(error, error_sz, "mjb_makeBatch: there is no memory");
  char why[500];
  pthread_mutex_init(&b->lock, NULL);
  b->setup.count = nsim;
  b->persistent = config->persistent != 0;
  if (make_parts(b, m, config, why, sizeof(why))) return b;
  mjb_deleteBatch(b);
  return refuse(error, error_sz, why);
}

// What it is

int mjb_nsim(const mjBatch* b) {
  return b->setup.count;
}

int mjb_nthread(const mjBatch* b) {
  return b->setup.options.threads;
}

int mjb_persistent(const mjBatch* b) {
  return b->persistent;
}

const mjModel* mjb_model(const mjBatch* b) {
  return b->model;
}

int mjb_nstate(const mjBatch* b) {
  return (int)b->setup.nstate;
}

mjtNum* mjb_state(mjBatch* b) {
  return b->cpu->state;
}

mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size) {
  for (int i = 0; i < mjNSTATE; i++) {
    if (component != 1 << i) continue;
    if (size) *size = (int)(b->cpu->component[i + 1] - b->cpu->component[i]);
    return b->cpu->state + b->cpu->component[i];
  }
  mju_error("mjb_stateComponent: %d is not one component of the state; take one bit of mjtState",
            component);
  return NULL;
}

mjWarningStat* mjb_warning(mjBatch* b) {
  return b->cpu->warning;
}

const int* mjb_status(const mjBatch* b) {
  return b->status;
}

const char* mjb_error(const mjBatch* b, int sim) {
  if (sim < 0 || sim >= b->setup.count || !b->cpu->reason[sim]) return "";
  return b->cpu->reason[sim];
}

// Calls

// May this thread call the batch? A function that the batch runs may not: it would wait for itself.
static bool may_call(const mjBatch* b, const char* function) {
  if (!ct_at_work(b)) return true;
  mju_error("%s: called by a function that this batch is running", function);
  return false;
}

static void lock(mjBatch* b, ct_AtWork* entry) {
  pthread_mutex_lock(&b->lock);
  ct_enter_work(entry, b);
}

static void unlock(mjBatch* b, const ct_AtWork* entry) {
  ct_leave_work(entry);
  pthread_mutex_unlock(&b->lock);
}

static bool check_ids(const mjBatch* b, const int* ids, int nid, const char* function) {
  if (!ids) return true;
  if (nid < 0) {
    mju_error("%s: nid is %d", function, nid);
    return false;
  }
  for (int i = 0; i < nid; i++) {
    if (ids[i] < 0 || ids[i] >= b->setup.count) {
      mju_error("%s: ids[%d] is %d; there are %d simulations", function, i, ids[i], b->setup.count);
      return false;
    }
    if (i && ids[i] <= ids[i - 1]) {
      mju_error("%s: ids[%d] is %d after %d; ids must be sorted and different", function, i, ids[i],
                ids[i - 1]);
      return false;
    }
  }
  return true;
}

static bool check_stage(int stage, const char* function) {
  if (stage >= mjSTAGE_NONE && stage <= mjSTAGE_ACC) return true;
  mju_error("%s: stage is %d; allowed are %d to %d", function, stage, mjSTAGE_NONE, mjSTAGE_ACC);
  return false;
}

static bool check_nstep(int nstep, const char* function) {
  if (nstep > 0) return true;
  mju_error("%s: nstep is %d; it must be positive", function, nstep);
  return false;
}

typedef struct {
  ct_BatchField field;  // not for states
  int spec;
  size_t bytes;
  char* buf;
} Record;

typedef enum { STEP, FORWARD, RESET, ROLLOUT, APPLY } Kind;

typedef struct {
  mjBatch* b;
  Kind kind;
  const int* ids;
  int nstep, stage;
  const int* key;
  const mjtNum* control;
  int control_spec;
  Record* record;
  int nrecord;
  mjfBatchFunc func;
  void* arg;
  int save;
} Job;

typedef struct {
  const Job* job;
  ct_Worker* worker;
  int sim, place;  // in the batch, in the selection
  const mjModel* m;
  mjData* d;
} Work;

static void record_step(const Work* w, int t) {
  const Job* job = w->job;
  for (int k = 0; k < job->nrecord; k++) {
    const Record* r = job->record + k;
    char* to = r->buf + ((size_t)w->place * (size_t)job->nstep + (size_t)t) * r->bytes;
    if (!r->bytes) continue;
    if (r->spec) {
      mj_getState(w->m, w->d, (mjtNum*)to, r->spec);
    } else {
      memcpy(to, ct_batch_field_in(&r->field, w->d), r->bytes);
    }
  }
}

// Did the step warn of something, or reset itself? A reset clears the counters, but for the cause.
static bool warned(const mjWarningStat* before, mjtNum time, const mjData* d) {
  for (int i = 0; i < mjNWARNING; i++) {
    if (before[i].number != d->warning[i].number) return true;
  }
  return d->time < time;
}

// Steps until something warns; what follows repeats the last record.
static void roll_out(Work* w) {
  const Job* job = w->job;
  size_t size = (size_t)mj_stateSize(w->m, job->control ? job->control_spec : 0);
  bool stopped = false;
  for (int t = 0; t < job->nstep; t++) {
    if (!stopped) {
      mjWarningStat before[mjNWARNING];
      mjtNum time = w->d->time;
      memcpy(before, w->d->warning, sizeof(before));
      if (job->control) {
        size_t row = (size_t)w->place * (size_t)job->nstep + (size_t)t;
        mj_setState(w->m, w->d, job->control + row * size, job->control_spec);
      }
      mj_step(w->m, w->d);
      stopped = warned(before, time, w->d);
    }
    record_step(w, t);
  }
}

// The rest of a step whose positions and velocities are there. A bad state is left to mj_step.
static void finish_step(const mjModel* m, mjData* d) {
  bool bad = ct_check_state(lane_one(), m, d) != CT_OK;
  if (bad) {
    mj_step(m, d);
  } else {
    ct_walk(m, d, CT_STEP & ~(unsigned)(CT_PART_START | CT_TO_POSITION | CT_TO_VELOCITY),
            "mj_step");
  }
}

static void step(Work* w) {
  const mjBatch* b = w->job->b;
  int from = 0;
  if (b->going && ct_still_valid(b->going, w->sim)) {
    finish_step(w->m, w->d);
    from = 1;
  }
  for (int k = from; k < w->job->nstep; k++) mj_step(w->m, w->d);
}

static void reset(Work* w) {
  int key = w->job->key ? w->job->key[w->place] : -1;
  if (key >= 0) {
    mj_resetDataKeyframe(w->m, w->d, key);
  } else {
    mj_resetData(w->m, w->d);
  }
}

static void do_work(void* argument) {
  Work* w = (Work*)argument;
  const Job* job = w->job;
  ct_CpuBatch* cpu = job->b->cpu;
  w->d = ct_data_at_work(cpu, w->worker, w->sim);
  if (!cpu->own && (w->m->opt.enableflags & mjENBL_SLEEP)) {
    mju_error("sleep needs a persistent batch");
    return;
  }
  if (job->kind != RESET) {
    ct_load_environment(cpu, w->worker, w->sim, w->m, job->kind == APPLY);
    if (!cpu->own && job->kind != APPLY) ct_load_results(cpu, w->sim, w->d);
  }
  if (job->kind == STEP) step(w);
  if (job->kind == RESET) reset(w);
  if (job->kind == ROLLOUT) roll_out(w);
  if (job->kind == APPLY) job->func(w->m, w->d, w->sim, job->arg);
  if (job->stage) ct_walk(w->m, w->d, ct_parts_up_to(job->stage), "mj_forward");
}

static void work_item(void* argument, int member, int item) {
  const Job* job = (const Job*)argument;
  ct_CpuBatch* cpu = job->b->cpu;
  Work w;
  memset(&w, 0, sizeof(w));
  w.job = job;
  w.worker = cpu->worker + member;
  w.place = item;
  w.sim = job->ids ? job->ids[item] : item;
  w.m = ct_bind_model(cpu, w.worker, w.sim);
  bool good = ct_run_guarded(do_work, &w, w.worker->message, CT_REASON_ROOM);
  if (!good) ct_recover_data(ct_data_at_work(cpu, w.worker, w.sim));
  bool computed = job->kind != APPLY && (job->kind != FORWARD || job->stage);
  bool store = good && (job->kind != APPLY || job->save);
  if (store) ct_store_environment(cpu, w.sim, w.m, w.d, computed);
  if (job->b->going) {
    bool valid = good && job->stage >= mjSTAGE_VEL;
    ct_note_stages(job->b->going, w.sim, w.m, valid);
  }
  ct_set_reason(cpu, w.sim, good ? NULL : w.worker->message);
  job->b->status[w.sim] = !good;
}

// How many of the selected failed.
static int run(Job* job, int nid) {
  mjBatch* b = job->b;
  ct_AtWork entry;
  int count = job->ids ? nid : b->setup.count, failed = 0;
  lock(b, &entry);
  if (b->going) ct_prepare_stages(b->going);
  ct_team_run(b->cpu->team, count, work_item, job);
  for (int i = 0; i < count; i++) failed += b->status[job->ids ? job->ids[i] : i];
  unlock(b, &entry);
  return failed;
}

static Job make_job(mjBatch* b, Kind kind, const int* ids) {
  Job job;
  memset(&job, 0, sizeof(job));
  job.b = b;
  job.kind = kind;
  job.ids = ids;
  return job;
}

int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage) {
  if (!may_call(b, "mjb_step") || !check_ids(b, ids, nid, "mjb_step") ||
      !check_nstep(nstep, "mjb_step") || !check_stage(stage, "mjb_step")) {
    return -1;
  }
  Job job = make_job(b, STEP, ids);
  job.nstep = nstep;
  job.stage = stage;
  return run(&job, nid);
}

int mjb_forward(mjBatch* b, const int* ids, int nid, int stage) {
  if (!may_call(b, "mjb_forward") || !check_ids(b, ids, nid, "mjb_forward") ||
      !check_stage(stage, "mjb_forward")) {
    return -1;
  }
  Job job = make_job(b, FORWARD, ids);
  job.stage = stage;
  return run(&job, nid);
}

static bool check_keys(const mjBatch* b, const int* ids, int nid, const int* key) {
  int count = ids ? nid : b->setup.count;
  for (int i = 0; key && i < count; i++) {
    int sim = ids ? ids[i] : i;
    const mjModel* m = b->cpu->models ? b->cpu->models[sim] : b->model;
    if (key[i] >= -1 && key[i] < m->nkey) continue;
    mju_error("mjb_reset: key[%d] is %d; allowed are -1 to %d", i, key[i], (int)m->nkey - 1);
    return false;
  }
  return true;
}

int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage) {
  if (!may_call(b, "mjb_reset") || !check_ids(b, ids, nid, "mjb_reset") ||
      !check_stage(stage, "mjb_reset") || !check_keys(b, ids, nid, key)) {
    return -1;
  }
  Job job = make_job(b, RESET, ids);
  job.key = key;
  job.stage = stage;
  return run(&job, nid);
}

int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save) {
  if (!may_call(b, "mjb_apply") || !check_ids(b, ids, nid, "mjb_apply")) return -1;
  if (!func) {
    mju_error("mjb_apply: the function is NULL");
    return -1;
  }
  Job job = make_job(b, APPLY, ids);
  job.func = func;
  job.arg = arg;
  job.save = save;
  return run(&job, nid);
}

// Rollout

// Any array of mjData outside of the arena under its own type, and counts.
static bool find_recordable(const mjModel* m, const char* name, ct_BatchField* field) {
  char why[300];
  for (int i = 0; i < ct_ndata_field; i++) {
    if (strcmp(name, ct_data_fields[i].name)) continue;
    memset(field, 0, sizeof(*field));
    field->array = ct_data_fields + i;
    field->element = field->array->element;
    field->size = (int)(ct_field_rows(field->array, m, NULL) * ct_field_columns(field->array, m));
    return true;
  }
  return ct_find_batch_field(m, name, field, why, sizeof(why)) && field->place == CT_PLACE_DATA;
}

static bool find_record(const mjBatch* b, const mjBatchRecord* from, int i, Record* to) {
  memset(to, 0, sizeof(*to));
  if (!from->buf) {
    mju_error("mjb_rollout: buf of record %d is NULL", i);
    return false;
  }
  to->buf = (char*)from->buf;
  if (from->field) {
    if (!find_recordable(b->model, from->field, &to->field)) {
      mju_error("mjb_rollout: field \"%s\" of record %d cannot be recorded", from->field, i);
      return false;
    }
    to->bytes = ct_batch_row_bytes(&to->field);
    return true;
  }
  if (from->spec < 0 || from->spec >= 1 << mjNSTATE) {
    mju_error("mjb_rollout: spec %d of record %d has bits outside mjtState", from->spec, i);
    return false;
  }
  to->spec = from->spec;
  to->bytes = (size_t)mj_stateSize(b->model, from->spec) * sizeof(mjtNum);
  return true;
}

// Fields that are recorded are each simulation's own, not what the thread's mjData had before.
static bool keep_recorded(mjBatch* b, const Record* record, int nrecord) {
  ct_AtWork entry;
  bool kept = true;
  lock(b, &entry);
  for (int i = 0; kept && i < nrecord; i++) {
    ct_BatchField field;
    char why[300];
    if (record[i].spec || !record[i].bytes) continue;
    const char* name = record[i].field.array ? record[i].field.array->name : record[i].field.name;
    if (!ct_find_batch_field(b->model, name, &field, why, sizeof(why))) continue;
    if (field.place == CT_PLACE_DATA) kept = ct_keep_column(b->cpu, &field) != NULL;
  }
  unlock(b, &entry);
  return kept;
}

int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control,
                int control_spec, const mjBatchRecord* record, int nrecord) {
  if (!may_call(b, "mjb_rollout") || !check_ids(b, ids, nid, "mjb_rollout") ||
      !check_nstep(nstep, "mjb_rollout")) {
    return -1;
  }
  if (control && (control_spec & ~mjSTATE_USER)) {
    mju_error("mjb_rollout: control_spec %d has bits outside mjSTATE_USER", control_spec);
    return -1;
  }
  if (nrecord > 0 && !record) {
    mju_error("mjb_rollout: there are %d records, but no list of them", nrecord);
    return -1;
  }
  if (nrecord < 0) nrecord = 0;
  Record* list = (Record*)calloc((size_t)nrecord + 1, sizeof(Record));
  for (int i = 0; list && i < nrecord; i++) {
    if (find_record(b, record + i, i, list + i)) continue;
    free(list);
    return -1;
  }
  Job job = make_job(b, ROLLOUT, ids);
  job.nstep = nstep;
  job.control = control_spec ? control : NULL;
  job.control_spec = control_spec;
  job.record = list;
  job.nrecord = nrecord;
  int failed = list && keep_recorded(b, list, nrecord) ? run(&job, nid) : -1;
  free(list);
  return failed;
}

// Fields

// The address of a column, and its size where the caller asks for it.
static void* answer(const ct_Column* column, const ct_BatchField* field, int* size, int* elemsize) {
  if (size) *size = field->size;
  if (elemsize) *elemsize = (int)field->element;
  return column ? column->rows : NULL;
}

void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize) {
  ct_BatchField field;
  char why[300];
  if (!may_call(b, "mjb_output")) return NULL;
  if (!ct_find_batch_field(b->model, name, &field, why, sizeof(why))) return NULL;
  bool hidden = !strncmp(name, "flg_", 4) || strstr(name, "_awake") || strchr(name, '.');
  if (field.place != CT_PLACE_DATA || (hidden && !field.array)) return NULL;
  ct_AtWork entry;
  lock(b, &entry);
  const ct_Column* column = ct_keep_column(b->cpu, &field);
  void* rows = column ? answer(column, &field, size, elemsize) : NULL;  // columns may move later
  unlock(b, &entry);
  return rows;
}

// Arrays of the model but assets, and options.
static bool find_expandable(const mjBatch* b, const char* name, ct_BatchField* field) {
  static const char* const assets[] = {"mesh_", "skin_",     "hfield_",   "tex_",
                                       "oct_",  "bvh_child", "bvh_depth", "bvh_nodeid",
                                       "stat.", "ngravcomp"};
  char full[100], why[300];
  if (!name || strchr(name, '.') != strrchr(name, '.') || ct_begins_with(name, "model."))
    return false;
  for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
    if (ct_begins_with(name, assets[i])) return false;
  }
  snprintf(full, sizeof(full), "model.%s", name);
  return ct_find_batch_field(b->model, full, field, why, sizeof(why));
}

void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize) {
  ct_BatchField field;
  if (!may_call(b, "mjb_expand") || !find_expandable(b, name, &field)) return NULL;
  if (b->cpu->models) {
    mju_error(
        "mjb_expand: the simulations have models of the caller's; call mjb_setModels(b, NULL)"
        " first");
    return NULL;
  }
  ct_AtWork entry;
  lock(b, &entry);
  const ct_Column* column = ct_vary_column(b->cpu, &field);
  void* rows = column ? answer(column, &field, size, elemsize) : NULL;
  unlock(b, &entry);
  return rows;
}

const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize) {
  ct_BatchField field;
  if (!may_call(b, "mjb_expanded") || !find_expandable(b, name, &field)) return NULL;
  const ct_Column* column = b->cpu->models ? NULL : ct_find_column(&b->cpu->varied, &field);
  return answer(column, &field, size, elemsize);
}

// Models

static void flag(ct_CpuBatch* cpu, int sim, const char* why) {
  cpu->status[sim] = 1;
  ct_set_reason(cpu, sim, why);
}

int mjb_setConst(mjBatch* b, const int* ids, int nid) {
  if (!may_call(b, "mjb_setConst") || !check_ids(b, ids, nid, "mjb_setConst")) return -1;
  if (b->cpu->models) {
    mju_error(
        "mjb_setConst: the simulations have models of the caller's; call mj_setConst on them");
    return -1;
  }
  ct_AtWork entry;
  int count = ids ? nid : b->setup.count, failed = 0;
  lock(b, &entry);
  for (int i = 0; i < count; i++) {
    int sim = ids ? ids[i] : i;
    b->cpu->status[sim] = 0;
    ct_set_reason(b->cpu, sim, NULL);
  }
  int code = ct_derive_constants(b->cpu, ids, count, flag);
  for (int i = 0; i < count; i++) {
    int sim = ids ? ids[i] : i;
    b->status[sim] = b->cpu->status[sim];
    failed += b->status[sim];
  }
  unlock(b, &entry);
  if (code) mju_error("mjb_setConst: %s", b->cpu->error);
  return code ? -1 : failed;
}

// Sizes, and the integers that say what stands on what: the mjData of a batch are laid out by them.
static const char* difference(const mjModel* a, const mjModel* m) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    size_t at = ct_model_sizes[i].offset;
    if (at == offsetof(mjModel, narena) || at == offsetof(mjModel, ngravcomp)) continue;
    if (at == offsetof(mjModel, nbuffer)) continue;
    if (ct_model_size(a, at) != ct_model_size(m, at)) return ct_model_sizes[i].name;
  }
  static const size_t structure[] = {
      offsetof(mjModel, body_parentid), offsetof(mjModel, body_dofadr),
      offsetof(mjModel, body_dofnum),   offsetof(mjModel, jnt_type),
      offsetof(mjModel, jnt_bodyid),    offsetof(mjModel, dof_parentid),
      offsetof(mjModel, M_rownnz),      offsetof(mjModel, M_colind),
  };
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    size_t bytes = ct_field_bytes(f, a, NULL);
    for (size_t k = 0; k < sizeof(structure) / sizeof(structure[0]); k++) {
      if (f->offset != structure[k] || !bytes) continue;
      if (memcmp(ct_field_array(f, a), ct_field_array(f, m), bytes)) return f->name;
    }
  }
  return NULL;
}

static bool check_models(const mjBatch* b, const mjModel* const* models) {
  for (int i = 0; i < b->setup.count; i++) {
    if (!models[i]) {
      mju_error("mjb_setModels: model %d is NULL", i);
      return false;
    }
    const char* what = difference(b->model, models[i]);
    if (what) {
      mju_error("mjb_setModels: %s of model %d is not that of the batch's model", what, i);
      return false;
    }
    if (!b->persistent && (models[i]->opt.enableflags & mjENBL_SLEEP)) {
      mju_error("mjb_setModels: model %d has sleep, which needs a persistent batch", i);
      return false;
    }
  }
  return true;
}

void mjb_setModels(mjBatch* b, const mjModel* const* models) {
  if (!may_call(b, "mjb_setModels")) return;
  if (models && b->cpu->varied.count) {
    mju_error(
        "mjb_setModels: fields are expanded; a batch has either those or models of the caller's");
    return;
  }
  if (models && !check_models(b, models)) return;
  const mjModel** copy = NULL;
  size_t bytes = (size_t)b->setup.count * sizeof(mjModel*);
  if (models) {
    copy = (const mjModel**)mju_malloc(bytes);
    if (!copy) return;
    memcpy(copy, models, bytes);
  }
  ct_AtWork entry;
  lock(b, &entry);
  mju_free((void*)(uintptr_t)b->cpu->models);
  b->cpu->models = copy;
  if (b->going) ct_forget_stages(b->going);
  unlock(b, &entry);
}

static bool check_sim(const mjBatch* b, int sim, const char* function) {
  if (!may_call(b, function)) return false;
  if (sim >= 0 && sim < b->setup.count) return true;
  mju_error("%s: simulation %d does not exist; there are %d", function, sim, b->setup.count);
  return false;
}

void mjb_getModel(mjBatch* b, int sim, mjModel* m) {
  if (!check_sim(b, sim, "mjb_getModel")) return;
  const char* what = difference(b->model, m);
  if (what) {
    mju_error("mjb_getModel: %s of the model is not that of the batch's", what);
    return;
  }
  ct_AtWork entry;
  lock(b, &entry);
  int code = ct_cpu_get_data(b->cpu, sim, m, NULL);
  unlock(b, &entry);
  if (code) mju_error("mjb_getModel: %s", b->cpu->error);
}

// Default mode: state and warnings, the rest of d stays.
void mjb_getData(mjBatch* b, int sim, mjData* d) {
  if (!check_sim(b, sim, "mjb_getData")) return;
  const mjData* like = b->cpu->own ? b->cpu->own[sim] : b->cpu->worker->data;
  if (d->nbuffer != like->nbuffer) {
    mju_error("mjb_getData: the mjData belongs to a model of other sizes");
    return;
  }
  ct_AtWork entry;
  lock(b, &entry);
  int code = CT_BATCH_OK;
  if (b->persistent) {
    code = ct_cpu_get_data(b->cpu, sim, NULL, d);
  } else {
    ct_load_row(b->cpu, sim, b->model, d);
  }
  unlock(b, &entry);
  if (code) mju_error("mjb_getData: %s", b->cpu->error);
}
