#include "batch/batch_fields.h"

#include <stdio.h>
#include <string.h>

#include "base/spelling.h"

#define COUNT(array_) ((int)(sizeof(array_) / sizeof((array_)[0])))

// Tables

static const char* const state_names[mjNSTATE] = {
    "time",           "qpos",       "qvel",         "act",          "history",
    "qacc_warmstart", "ctrl",       "qfrc_applied", "xfrc_applied", "eq_active",
    "mocap_pos",      "mocap_quat", "userdata",     "plugin_state",
};

typedef struct {
  const char* name;
  int type, size;
  size_t element;
} Outcome;

static const Outcome outcomes[CT_NOUTCOME] = {
    {"status", CT_INT, 1, sizeof(int)},          {"reward", CT_NUMBER, 1, sizeof(mjtNum)},
    {"terminated", CT_BYTE, 1, sizeof(mjtByte)}, {"truncated", CT_BYTE, 1, sizeof(mjtByte)},
    {"steps", CT_INT, 1, sizeof(int)},           {"warning", CT_INT, 2 * mjNWARNING, sizeof(int)},
    {"noise", CT_SIZE, 1, sizeof(mjtSize)},
};

// Members of mjModel that are not arrays, and numbers all the same. ngravcomp counts what
// body_gravcomp says and has to follow it.
static const ct_Member model_members[] = {
#define OPTION(type_, name_, extent_, value_, doc_)                                                \
  {"opt." #name_, doc_, #type_, offsetof(mjModel, opt.name_), sizeof(((mjModel*)NULL)->opt.name_), \
   sizeof(type_)},
#define STATISTIC(type_, name_, extent_, value_, doc_) \
  {"stat." #name_,                                     \
   doc_,                                               \
   #type_,                                             \
   offsetof(mjModel, stat.name_),                      \
   sizeof(((mjModel*)NULL)->stat.name_),               \
   sizeof(type_)},
#include "settings.def"
    {"ngravcomp", "bodies with gravity compensation", "mjtSize", offsetof(mjModel, ngravcomp),
     sizeof(mjtSize), sizeof(mjtSize)},
};

// Members of mjData that are results. Others describe its memory, or are records of structs.
static bool is_result(const ct_Member* member) {
  static const char* const names[] = {
      "ncon",
      "ne",
      "nf",
      "nl",
      "nefc",
      "nJ",
      "nA",
      "nisland",
      "nidof",
      "ntree_awake",
      "nbody_awake",
      "nparent_awake",
      "nv_awake",
      "flg_energypos",
      "flg_energyvel",
      "energy",
      "solver_niter",
      "solver_nnz",
      "solver_fwdinv",
  };
  for (int i = 0; i < COUNT(names); i++) {
    if (!strcmp(member->name, names[i])) return true;
  }
  return false;
}

// Integers of the model that may vary: flags and groups, and types whose every value is either
// known or refused by a step. All others are sizes, addresses and types that decide what an id
// means.
static const char* const free_integers[] = {
    "body_contype",      "body_conaffinity",    "body_sameframe",       "jnt_group",
    "jnt_limited",       "jnt_actfrclimited",   "jnt_actgravcomp",      "tree_sleep_policy",
    "geom_contype",      "geom_conaffinity",    "geom_condim",          "geom_group",
    "geom_priority",     "geom_sameframe",      "site_group",           "site_sameframe",
    "light_castshadow",  "light_active",        "flex_contype",         "flex_conaffinity",
    "flex_condim",       "flex_priority",       "flex_group",           "flex_internal",
    "flex_selfcollide",  "flex_activelayers",   "skin_group",           "mat_texuniform",
    "pair_dim",          "eq_active0",          "tendon_group",         "tendon_limited",
    "actuator_group",    "actuator_gaintype",   "tendon_actfrclimited", "actuator_biastype",
    "actuator_actearly", "actuator_actlimited", "actuator_ctrllimited", "actuator_forcelimited",
};

// From tables to fields

static int type_of(ct_ElementType type) {
  switch (type) {
    case CT_TYPE_mjtNum:
      return CT_NUMBER;
    case CT_TYPE_float:
      return CT_FLOAT;
    case CT_TYPE_int:
      return CT_INT;
    case CT_TYPE_mjtByte:
      return CT_BYTE;
    case CT_TYPE_mjtSize:
      return CT_SIZE;
    default:
      return -1;
  }
}

static int type_of_member(const ct_Member* member) {
  if (!strcmp(member->type, "mjtNum")) return CT_NUMBER;
  if (!strcmp(member->type, "mjtByte")) return CT_BYTE;
  return strcmp(member->type, "int") ? CT_SIZE : CT_INT;
}

static ct_BatchField empty_field(ct_BatchPlace place, const char* name) {
  ct_BatchField f;
  memset(&f, 0, sizeof(f));
  f.place = place;
  f.name = name;
  return f;
}

ct_BatchField ct_state_field(const mjModel* m, int state) {
  ct_BatchField f = empty_field(CT_PLACE_STATE, "state");
  for (int i = 0; i < mjNSTATE; i++) {
    if (state == 1 << i) f.name = state_names[i];
  }
  f.type = CT_NUMBER;
  f.element = sizeof(mjtNum);
  f.size = mj_stateSize(m, state);
  f.state = state;
  return f;
}

static ct_BatchField outcome_field(int i) {
  ct_BatchField f = empty_field(CT_PLACE_OUTCOME, outcomes[i].name);
  f.type = outcomes[i].type;
  f.element = outcomes[i].element;
  f.size = outcomes[i].size;
  f.outcome = (ct_OutcomeField)i;
  return f;
}

static ct_BatchField array_field(ct_BatchPlace place, const ct_Field* array, const mjModel* m) {
  ct_BatchField f = empty_field(place, array->name);
  f.type = type_of(array->type);
  f.element = array->element;
  f.size = (int)(ct_field_rows(array, m, NULL) * ct_field_columns(array, m));
  f.array = array;
  f.offset = array->offset;
  return f;
}

static ct_BatchField member_field(ct_BatchPlace place, const ct_Member* member) {
  ct_BatchField f = empty_field(place, member->name);
  f.type = type_of_member(member);
  f.element = member->element;
  f.size = (int)(member->bytes / member->element);
  f.offset = member->offset;
  return f;
}

// Is this array of mjData a part of the state? Then it has its place there.
static bool is_state(const char* name) {
  for (int i = 0; i < mjNSTATE; i++) {
    if (!strcmp(name, state_names[i])) return true;
  }
  return false;
}

static bool array_is_offered(ct_BatchPlace place, const ct_Field* array) {
  if (type_of(array->type) < 0) return false;
  return place == CT_PLACE_MODEL || !is_state(array->name);
}

bool ct_nth_batch_field(const mjModel* m, ct_BatchPlace place, int i, ct_BatchField* field) {
  bool data = place == CT_PLACE_DATA;
  const ct_Field* arrays = data ? ct_data_fields : ct_model_fields;
  int narray = data ? ct_ndata_field : ct_nmodel_field;
  for (int k = 0; k < narray; k++) {
    if (!array_is_offered(place, arrays + k) || i-- != 0) continue;
    *field = array_field(place, arrays + k, m);
    return true;
  }
  const ct_Member* members = data ? ct_data_values : model_members;
  int nmember = data ? ct_ndata_value : COUNT(model_members);
  for (int k = 0; k < nmember; k++) {
    if ((data && !is_result(members + k)) || i-- != 0) continue;
    *field = member_field(place, members + k);
    return true;
  }
  return false;
}

// Names

static bool find_in_state(const mjModel* m, const char* name, ct_BatchField* field) {
  for (int i = 0; i < mjNSTATE; i++) {
    if (strcmp(name, state_names[i])) continue;
    *field = ct_state_field(m, 1 << i);
    return true;
  }
  return false;
}

static bool find_in_outcome(const char* name, ct_BatchField* field) {
  for (int i = 0; i < CT_NOUTCOME; i++) {
    if (strcmp(name, outcomes[i].name)) continue;
    *field = outcome_field(i);
    return true;
  }
  return false;
}

static bool find_in_struct(const mjModel* m, ct_BatchPlace place, const char* name,
                           ct_BatchField* field) {
  for (int i = 0; ct_nth_batch_field(m, place, i, field); i++) {
    if (!strcmp(name, field->name)) return true;
  }
  return false;
}

// A name that stands in the schema, but cannot be had.
static const char* why_not(const char* name) {
  for (int i = 0; i < ct_narena_field; i++) {
    if (!strcmp(name, ct_arena_fields[i].name)) {
      return "lies in the arena and is made anew by every step; look at it in a function "
             "(ct_batch_apply, ct_batch_set_hooks)";
    }
  }
  for (int i = 0; i < ct_ndata_value; i++) {
    if (!strcmp(name, ct_data_values[i].name)) return "says nothing about an environment";
  }
  for (int i = 0; i < ct_nmodel_field; i++) {
    if (!strcmp(name, ct_model_fields[i].name)) return "is a text";
  }
  for (int i = 0; i < ct_nmodel_size; i++) {
    if (!strcmp(name, ct_model_sizes[i].name)) return "is a size, which all environments share";
  }
  return NULL;
}

static const char* nearest_name(const mjModel* m, const char* name) {
  ct_Spelling near = {name, NULL, 0};
  ct_BatchField field;
  for (int i = 0; i < mjNSTATE; i++) ct_spelling_add(&near, state_names[i]);
  for (int i = 0; i < CT_NOUTCOME; i++) ct_spelling_add(&near, outcomes[i].name);
  for (int i = 0; ct_nth_batch_field(m, CT_PLACE_DATA, i, &field); i++) {
    ct_spelling_add(&near, field.name);
  }
  for (int i = 0; ct_nth_batch_field(m, CT_PLACE_MODEL, i, &field); i++) {
    ct_spelling_add(&near, field.name);
  }
  return near.found;
}

bool ct_find_batch_field(const mjModel* m, const char* name, ct_BatchField* field, char* why,
                         size_t nwhy) {
  if (!name) {
    snprintf(why, nwhy, "the name of the field is NULL");
    return false;
  }
  bool data = ct_begins_with(name, "data."), model = ct_begins_with(name, "model.");
  const char* plain = data ? name + 5 : model ? name + 6 : name;
  if (!model && (find_in_state(m, plain, field) || find_in_outcome(plain, field) ||
                 find_in_struct(m, CT_PLACE_DATA, plain, field))) {
    return true;
  }
  if (!data && find_in_struct(m, CT_PLACE_MODEL, plain, field)) return true;

  const char* reason = why_not(plain);
  const char* near = reason ? NULL : nearest_name(m, plain);
  if (reason) {
    snprintf(why, nwhy, "field \"%s\" %s", name, reason);
  } else {
    snprintf(why, nwhy, "there is no field \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
             near ? near : "", near ? "\"?" : "");
  }
  return false;
}

bool ct_field_may_vary(const ct_BatchField* field, char* why, size_t nwhy) {
  if (field->place != CT_PLACE_MODEL) {
    snprintf(why, nwhy, "field \"%s\" is not one of the model; only those can vary", field->name);
    return false;
  }
  if (!field->array || field->type == CT_NUMBER || field->type == CT_FLOAT) return true;
  for (int i = 0; i < COUNT(free_integers); i++) {
    if (!strcmp(field->name, free_integers[i])) return true;
  }
  snprintf(why, nwhy,
           "field \"%s\" is part of the model's structure, which all environments share; make a "
           "batch of its own for another model",
           field->name);
  return false;
}
