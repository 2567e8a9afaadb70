// Constants that follow from varied fields: mj_setConst for every environment.
//
// mj_setConst writes into the model and moves the mjData about, so each worker gets a whole copy of
// both. Which fields it changes is known (a test looks for others). A field that comes out
// different from the shared one in some environment varies from then on; since nobody can make
// columns while others read them, new ones are made between two passes.

#include <string.h>

#include "batch/cpu.h"
#include "batch/guard.h"

static const char* const derived[] = {
    "body_subtreemass",  "body_invweight0",
    "dof_invweight0",    "dof_M0",
    "dof_length",        "tendon_treenum",
    "tendon_treeid",     "tendon_length0",
    "tendon_invweight0", "tendon_lengthspring",
    "tree_sleep_policy", "actuator_length0",
    "actuator_acc0",     "actuator_biasprm",
    "eq_data",           "cam_pos0",
    "cam_poscom0",       "cam_mat0",
    "light_pos0",        "light_poscom0",
    "light_dir0",        "stat.meaninertia",
    "stat.meanmass",     "stat.meansize",
    "stat.extent",       "stat.center",
    "flex_vert0",        "flex_vertmetric",
    "flexedge_length0",  "flexedge_invweight0",
    "ngravcomp",
};

enum { NDERIVED = sizeof(derived) / sizeof(derived[0]) };

const char* ct_derived_field(int i) {
  return i < NDERIVED ? derived[i] : NULL;
}

typedef struct {
  mjModel* m;
  mjData* d;
  bool changed[NDERIVED];  // a field that does not vary yet
} Desk;                    // of one worker

typedef struct {
  ct_CpuBatch* b;
  const int* ids;
  Desk* desk;
  ct_BatchField field[NDERIVED];
  void (*refused)(ct_CpuBatch* b, int environment, const char* why);
} Job;

static void set_const(void* argument) {
  Desk* desk = (Desk*)argument;
  mj_setConst(desk->m, desk->d);
}

// The model of an environment before its constants are derived: those of others do not stay.
static void lay_out(const Job* job, Desk* desk, int environment) {
  for (int k = 0; k < NDERIVED; k++) {
    const ct_BatchField* f = job->field + k;
    size_t bytes = ct_batch_row_bytes(f);
    if (bytes) memcpy(ct_batch_field_in(f, desk->m), ct_batch_field_in(f, job->b->m), bytes);
  }
  for (int i = 0; i < job->b->varied.count; i++) {
    const ct_Column* c = job->b->varied.item + i;
    if (c->bytes)
      memcpy(ct_batch_field_in(&c->field, desk->m), ct_column_row(c, environment), c->bytes);
  }
}

static void derive_item(void* argument, int member, int item) {
  const Job* job = (const Job*)argument;
  ct_CpuBatch* b = job->b;
  Desk* desk = job->desk + member;
  int environment = job->ids ? job->ids[item] : item;
  lay_out(job, desk, environment);
  char* message = b->worker[member].message;
  if (!ct_run_guarded(set_const, desk, message, CT_REASON_ROOM)) {
    ct_recover_data(desk->d);
    job->refused(b, environment, message);
    return;
  }
  for (int k = 0; k < NDERIVED; k++) {
    const ct_BatchField* f = job->field + k;
    size_t bytes = ct_batch_row_bytes(f);
    const void* result = ct_batch_field_in(f, desk->m);
    ct_Column* c = ct_find_column(&b->varied, f);
    if (c && bytes) {
      memcpy(ct_column_row(c, environment), result, bytes);
    } else if (bytes && memcmp(ct_batch_field_in(f, b->m), result, bytes)) {
      desk->changed[k] = true;
    }
  }
}

static bool make_desks(Job* job, int count) {
  job->desk = (Desk*)mju_malloc((size_t)count * sizeof(Desk));
  if (!job->desk) return false;
  memset(job->desk, 0, (size_t)count * sizeof(Desk));
  for (int i = 0; i < count; i++) {
    job->desk[i].m = mj_copyModel(NULL, job->b->m);
    job->desk[i].d = job->desk[i].m ? mj_makeData(job->desk[i].m) : NULL;
    if (!job->desk[i].d) return false;
  }
  return true;
}

static void free_desks(Job* job, int count) {
  for (int i = 0; job->desk && i < count; i++) {
    mj_deleteData(job->desk[i].d);
    mj_deleteModel(job->desk[i].m);
  }
  mju_free(job->desk);
}

// Lets vary what some worker found changed. *any: something was.
static bool vary_what_changed(Job* job, int nworker, bool* any) {
  *any = false;
  for (int k = 0; k < NDERIVED; k++) {
    bool changed = false;
    for (int i = 0; i < nworker; i++) {
      changed |= job->desk[i].changed[k];
      job->desk[i].changed[k] = false;
    }
    if (!changed) continue;
    *any = true;
    if (!ct_vary_column(job->b, job->field + k)) return false;
  }
  return true;
}

int ct_derive_constants(ct_CpuBatch* b, const int* ids, int count,
                        void (*refused)(ct_CpuBatch* b, int environment, const char* why)) {
  if (!b->varied.count) return CT_BATCH_OK;  // nothing to follow from
  Job job;
  memset(&job, 0, sizeof(job));
  job.b = b;
  job.ids = ids;
  job.refused = refused;
  char why[200];
  for (int k = 0; k < NDERIVED; k++) {
    ct_find_batch_field(b->m, derived[k], job.field + k, why, sizeof(why));
  }
  ct_Listener listener;
  ct_listen(&listener);
  int nworker = ct_team_size(b->team);
  bool good = make_desks(&job, nworker), again = true;
  for (int pass = 0; good && again && pass < 2; pass++) {
    ct_team_run(b->team, count, derive_item, &job);
    good = vary_what_changed(&job, nworker, &again);
  }
  free_desks(&job, nworker);
  ct_stop_listening(&listener);
  if (good) return CT_BATCH_OK;
  return ct_cpu_error(b, CT_BATCH_NO_MEMORY, "deriving constants: %s", listener.message);
}

static void flag(ct_CpuBatch* b, int environment, const char* why) {
  b->status[environment] |= CT_BAD_MODEL;
  ct_set_reason(b, environment, why);
}

int ct_cpu_set_const(void* self, const mjtByte* mask) {
  ct_CpuBatch* b = (ct_CpuBatch*)self;
  int count;
  const int* ids = ct_select(b, mask, &count);
  return ct_derive_constants(b, ids, count, flag);
}
