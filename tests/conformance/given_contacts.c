#include "conformance/given_contacts.h"

#include <string.h>

typedef void (*StageFunction)(const mjModel* m, mjData* d);

// Single members of mjData that stages before the constraint rows write.
static void copy_members(mjData* to, const mjData* from) {
  to->time = from->time;
  to->nbody_awake = from->nbody_awake;
  to->nparent_awake = from->nparent_awake;
  to->ntree_awake = from->ntree_awake;
  to->nv_awake = from->nv_awake;
  to->energy[0] = from->energy[0];
  to->energy[1] = from->energy[1];
  to->flg_energypos = from->flg_energypos;
  to->flg_energyvel = from->flg_energyvel;
  to->flg_subtreevel = from->flg_subtreevel;
  to->flg_rnepost = from->flg_rnepost;
  memcpy(to->warning, from->warning, sizeof(to->warning));
}

// The contacts as collision leaves them: at the start of the arena, without rows.
static bool copy_contacts(mjData* to, const mjData* from) {
  size_t bytes = (size_t)from->ncon * sizeof(mjContact);
  if (bytes > (size_t)to->narena) return false;
  to->contact = (mjContact*)to->arena;
  if (bytes) memcpy(to->contact, from->contact, bytes);
  to->ncon = from->ncon;
  to->parena = bytes;
  for (int i = 0; i < to->ncon; i++) {
    to->contact[i].efc_address = -1;
    to->contact[i].mu = 0;
    memset(to->contact[i].H, 0, sizeof(to->contact[i].H));
  }
  return true;
}

// Everything in the buffer but results of the solver, which start as the pattern of a NaN.
static bool give(const mjModel* m, mjData* to, const mjData* from) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, to);
    bool result = !strcmp(f->stage, "SOLVER");
    if (!bytes || f->type == CT_TYPE_uintptr_t) continue;
    if (result) {
      memset(*ct_field_pointer(f, to), 0xff, bytes);
    } else {
      memcpy(*ct_field_pointer(f, to), ct_field_array(f, from), bytes);
    }
  }
  copy_members(to, from);
  return copy_contacts(to, from);
}

static bool try_stage(StageFunction stage, const mjModel* m, mjData* d) {
  bool volatile fine = true;
  ENGINE_TRY(stage(m, d), fine = false);
  return fine;
}

typedef struct {
  Tally* tally;
  const char* stage;
} StageTally;

// Only the fields of the stage that has just run; the filter finds stages by a part of their name.
static void count_stage(void* context, const FieldVerdict* v) {
  const StageTally* s = (const StageTally*)context;
  if (!strcmp(v->stage, s->stage)) count_field(s->tally, v);
}

bool compare_given_contacts(const mjModel* m, mjData* a, mjData* b, mjData* ours, int number,
                            Tally* t) {
  const Inquiry* q = t->q;
  const struct {
    const char* name;
    StageFunction run;
  } stages[] = {
      {"CONSTRAINT", q->ours->mj_makeConstraint}, {"ISLAND", q->ours->mj_island},
      {"PROJECT", q->ours->mj_projectConstraint}, {"REFERENCE", q->ours->mj_referenceConstraint},
      {"SOLVER", q->ours->mj_fwdConstraint},
  };
  begin(q, ASK_FORWARD, q->reference);
  if (!try_stage(q->reference->mj_forward, m, a) || !try_stage(q->reference->mj_forward, m, b)) {
    answer_error(t, q->reference);
    return false;
  }
  if (!give(m, ours, a)) {
    answer(t, "skipped", "the contacts do not fit into the arena");
    return false;
  }
  begin(q, ASK_FORWARD, q->ours);
  Results results = {a, b, ours, AFTER_FORWARD, NULL};
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    if (!try_stage(stages[i].run, m, ours)) {
      answer_error(t, q->ours);
      return false;
    }
    StageTally stage = {t, stages[i].name};
    snprintf(t->where, sizeof(t->where), "given contacts, state %d", number);
    compare_data(m, &results, &q->filter, count_stage, &stage);
  }
  return true;
}
