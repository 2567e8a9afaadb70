// ct_diff_models: two models, told apart by the names of things.
//
// Every object has a key: its name, or where it stands. Rows of arrays are compared between objects
// of the same key, and indices of objects by the keys of what they lead to, so that a new body at
// the top is one line and not a thousand.

#include <corten/differences.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/dictionary.h"
#include "base/model/fields.h"
#include "base/pool.h"

// Kinds of objects

typedef struct {
  const char *size, *name;
  mjtObj type;
  const char* body;  // array with the body that holds it; NULL: none
} Kind;

static const Kind kinds[] = {
    {"nbody", "body", mjOBJ_BODY, "body_parentid"},
    {"njnt", "joint", mjOBJ_JOINT, "jnt_bodyid"},
    {"ngeom", "geom", mjOBJ_GEOM, "geom_bodyid"},
    {"nsite", "site", mjOBJ_SITE, "site_bodyid"},
    {"ncam", "camera", mjOBJ_CAMERA, "cam_bodyid"},
    {"nlight", "light", mjOBJ_LIGHT, "light_bodyid"},
    {"nflex", "flex", mjOBJ_FLEX, NULL},
    {"nmesh", "mesh", mjOBJ_MESH, NULL},
    {"nskin", "skin", mjOBJ_SKIN, NULL},
    {"nhfield", "hfield", mjOBJ_HFIELD, NULL},
    {"ntex", "texture", mjOBJ_TEXTURE, NULL},
    {"nmat", "material", mjOBJ_MATERIAL, NULL},
    {"npair", "pair", mjOBJ_PAIR, NULL},
    {"nexclude", "exclude", mjOBJ_EXCLUDE, NULL},
    {"neq", "equality", mjOBJ_EQUALITY, NULL},
    {"ntendon", "tendon", mjOBJ_TENDON, NULL},
    {"nu", "actuator", mjOBJ_ACTUATOR, NULL},
    {"nsensor", "sensor", mjOBJ_SENSOR, NULL},
    {"nnumeric", "numeric", mjOBJ_NUMERIC, NULL},
    {"ntext", "text", mjOBJ_TEXT, NULL},
    {"ntuple", "tuple", mjOBJ_TUPLE, NULL},
    {"nkey", "key", mjOBJ_KEY, NULL},
    {"nplugin", "plugin", mjOBJ_PLUGIN, NULL},
};
enum { NKIND = sizeof(kinds) / sizeof(kinds[0]) };

// Arrays that follow from others, or say where something stands in memory.
static const char* const follows[] = {
    "body_rootid",       "body_weldid",    "body_treeid",
    "body_simple",       "body_sameframe", "body_subtreemass",
    "body_invweight0",   "body_mocapid",   "body_contype",
    "body_conaffinity",  "body_margin",    "geom_sameframe",
    "geom_rbound",       "geom_aabb",      "site_sameframe",
    "dof_invweight0",    "dof_M0",         "dof_length",
    "dof_simplenum",     "dof_bodyid",     "dof_jntid",
    "dof_parentid",      "dof_treeid",     "tendon_length0",
    "tendon_invweight0", "actuator_acc0",  "actuator_length0",
    "cam_poscom0",       "cam_pos0",       "cam_mat0",
    "light_poscom0",     "light_pos0",     "light_dir0",
    "mesh_octnum",       "mesh_bvhnum",    "pair_signature",
    "exclude_signature", "mesh_polynum",   "tendon_treenum",
    "tendon_treeid",     "flex_bvhnum",    "sensor_intprm",
};

typedef struct {
  ct_Pool pool;
  const mjModel* m[2];
  char** key[2][NKIND];  // by object
  int* match[NKIND];     // object of the second model for each of the first; -1: none
  double tolerance;
  void (*report)(void* arg, const char* line);
  void* arg;
  int lines;
} Differ;

static void tell(Differ* d, const char* format, ...) {
  char line[1000];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof(line), format, values);
  va_end(values);
  d->report(d->arg, line);
  d->lines++;
}

// Keys

static const ct_Field* field_of(const char* name) {
  for (int i = 0; i < ct_nmodel_field; i++) {
    if (!strcmp(ct_model_fields[i].name, name)) return &ct_model_fields[i];
  }
  return NULL;
}

static mjtSize size_of(const mjModel* m, const char* name) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    if (!strcmp(ct_model_sizes[i].name, name)) return ct_model_size(m, ct_model_sizes[i].offset);
  }
  return 0;
}

static int kind_of_size(const char* size) {
  for (int k = 0; k < NKIND; k++) {
    if (!strcmp(kinds[k].size, size)) return k;
  }
  return -1;
}

static int kind_of_type(int type) {
  for (int k = 0; k < NKIND; k++) {
    if ((int)kinds[k].type == type || (type == mjOBJ_XBODY && kinds[k].type == mjOBJ_BODY))
      return k;
  }
  return -1;
}

// `"name"`, or `3 of body "arm"`: the third without a name there.
static void make_keys(Differ* d, int side, int k) {
  const mjModel* m = d->m[side];
  const ct_Field* holder = kinds[k].body ? field_of(kinds[k].body) : NULL;
  const int* body = holder ? (const int*)ct_field_array(holder, m) : NULL;
  size_t count = (size_t)size_of(m, kinds[k].size);
  int* unnamed = (int*)ct_pool_array(&d->pool, (size_t)m->nbody + 1, sizeof(int));
  char** key = (char**)ct_pool_array(&d->pool, count + 1, sizeof(char*));
  for (size_t i = 0; i < count; i++) {
    char text[600];
    const char* name = mj_id2name(m, kinds[k].type, (int)i);
    int at = body ? body[i] : 0;
    if (name && *name) {
      snprintf(text, sizeof(text), "\"%.500s\"", name);
    } else if (body && !(kinds[k].type == mjOBJ_BODY && i == 0)) {
      const char* around = k == 0 ? key[at] : d->key[side][0][at];
      snprintf(text, sizeof(text), "%d of body %.500s", ++unnamed[at], around);
    } else {
      snprintf(text, sizeof(text), "%d without a name", ++unnamed[0]);
    }
    key[i] = ct_pool_text(&d->pool, text);
  }
  d->key[side][k] = key;
}

static void match(Differ* d, int k) {
  ct_Dictionary ids = {{NULL, 0, 0}, NULL, 0};
  size_t na = (size_t)size_of(d->m[0], kinds[k].size), nb = (size_t)size_of(d->m[1], kinds[k].size);
  bool* found = (bool*)ct_pool_array(&d->pool, nb + 1, sizeof(bool));
  d->match[k] = (int*)ct_pool_array(&d->pool, na + 1, sizeof(int));
  for (size_t i = 0; i < nb; i++)
    ct_dictionary_add(&ids, &d->pool, d->key[1][k][i], (const void*)(uintptr_t)(i + 1));
  for (size_t i = 0; i < na; i++) {
    size_t other = (size_t)(uintptr_t)ct_dictionary_find(&ids, d->key[0][k][i]);
    d->match[k][i] = (int)other - 1;
    if (other) found[other - 1] = true;
    if (!other) tell(d, "only in the first: %s %s", kinds[k].name, d->key[0][k][i]);
  }
  for (size_t i = 0; i < nb; i++) {
    if (!found[i]) tell(d, "only in the second: %s %s", kinds[k].name, d->key[1][k][i]);
  }
}

// What an index leads to.
static const char* key_of(const Differ* d, int side, int k, int id) {
  if (k < 0 || id < 0 || id >= size_of(d->m[side], kinds[k].size)) return "none";
  return d->key[side][k][id];
}

// Values

static double number_at(const ct_Field* f, const void* array, size_t i) {
  switch (f->type) {
    case CT_TYPE_mjtNum:
      return (double)((const mjtNum*)array)[i];
    case CT_TYPE_float:
      return (double)((const float*)array)[i];
    case CT_TYPE_int:
      return ((const int*)array)[i];
    case CT_TYPE_mjtSize:
      return (double)((const mjtSize*)array)[i];
    default:
      return ((const unsigned char*)array)[i];
  }
}

static bool same(const Differ* d, double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return true;
  return fabs(a - b) <= d->tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

// Words for the numbers of some arrays, in their order.
static const struct {
  const char *field, *words;
} spoken[] = {
    {"jnt_type", "free ball slide hinge"},
    {"geom_type", "plane hfield sphere capsule ellipsoid cylinder box mesh sdf"},
    {"site_type", "plane hfield sphere capsule ellipsoid cylinder box mesh sdf"},
    {"cam_mode", "fixed track trackcom targetbody targetbodycom"},
    {"light_mode", "fixed track trackcom targetbody targetbodycom"},
    {"tex_type", "2d cube skybox"},
    {"actuator_trntype", "joint jointinparent slidercrank tendon site body"},
    {"actuator_dyntype", "none integrator filter filterexact muscle user"},
    {"actuator_gaintype", "fixed affine muscle user"},
    {"actuator_biastype", "none affine muscle user"},
    {"jnt_limited", "false true"},
    {"tendon_limited", "false true"},
    {"actuator_ctrllimited", "false true"},
    {"actuator_forcelimited", "false true"},
    {"actuator_actlimited", "false true"},
};

// The word for a number; 0: it has none.
static int word_for(const ct_Field* f, double number, const char** word) {
  for (size_t i = 0; i < sizeof(spoken) / sizeof(spoken[0]); i++) {
    if (strcmp(spoken[i].field, f->name)) continue;
    *word = spoken[i].words;
    for (int k = 0; k < number && **word; k++) {
      *word += strcspn(*word, " ");
      *word += **word == ' ';
    }
    return (int)strcspn(*word, " ");
  }
  return 0;
}

// Numbers for people: the first few.
static void show(char* text, size_t room, const ct_Field* f, const void* array, size_t first,
                 size_t count, int digits) {
  enum { SHOWN = 10 };
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < count && i < SHOWN && used < room; i++) {
    const char *gap = i ? " " : "", *word = NULL;
    double number = number_at(f, array, first + i);
    int length = word_for(f, number, &word);
    used += (size_t)(length ? snprintf(text + used, room - used, "%s%.*s", gap, length, word)
                            : snprintf(text + used, room - used, "%s%.*g", gap, digits, number));
  }
  if (count > SHOWN && used < room) snprintf(text + used, room - used, " ...");
}

// How many digits are tried until two texts of different numbers differ.
static const int digits_tried[] = {6, 9, 12, 15, 17};
enum { NDIGITS = sizeof(digits_tried) / sizeof(digits_tried[0]) };

// The name of an array without that of its kind: "mass" of body_mass.
static const char* short_name(const ct_Field* f) {
  const char* bar = strchr(f->name, '_');
  return bar && strncmp(f->name, "qpos", 4) ? bar + 1 : f->name;
}

// Rows of one array; widths may differ, what is beyond counts as 0.
static void compare_rows(Differ* d, const ct_Field* f, const char* kind, const char* key, int row_a,
                         int row_b) {
  const void *a = ct_field_array(f, d->m[0]), *b = ct_field_array(f, d->m[1]);
  size_t na = (size_t)ct_field_columns(f, d->m[0]), nb = (size_t)ct_field_columns(f, d->m[1]);
  bool equal = true;
  for (size_t i = 0; i < na || i < nb; i++) {
    double x = i < na ? number_at(f, a, (size_t)row_a * na + i) : 0;
    double y = i < nb ? number_at(f, b, (size_t)row_b * nb + i) : 0;
    equal = equal && same(d, x, y);
  }
  if (equal) return;
  char first[300] = "", second[300] = "";
  for (int k = 0; k < NDIGITS && !strcmp(first, second); k++) {
    show(first, sizeof(first), f, a, (size_t)row_a * na, na, digits_tried[k]);
    show(second, sizeof(second), f, b, (size_t)row_b * nb, nb, digits_tried[k]);
  }
  tell(d, "%s %s: %s is %s, then %s", kind, key, short_name(f), first, second);
}

// Kind of what an entry of an index array leads to; -1: not an index. `row` and `column` because
// some depend on the type of their object.
static int kind_of_entry(const mjModel* m, const ct_Field* f, int row, int column) {
  if (!strcmp(f->name, "sensor_objid")) return kind_of_type(m->sensor_objtype[row]);
  if (!strcmp(f->name, "sensor_refid")) return kind_of_type(m->sensor_reftype[row]);
  if (!strcmp(f->name, "geom_dataid"))
    return kind_of_type(m->geom_type[row] == mjGEOM_HFIELD ? mjOBJ_HFIELD : mjOBJ_MESH);
  if (!strncmp(f->name, "eq_obj", 6)) {
    int type = m->eq_type[row];
    return kind_of_type(type == mjEQ_JOINT      ? mjOBJ_JOINT
                        : type == mjEQ_TENDON   ? mjOBJ_TENDON
                        : type < mjEQ_JOINT     ? m->eq_objtype[row]
                        : type == mjEQ_DISTANCE ? mjOBJ_SITE
                                                : mjOBJ_FLEX);
  }
  if (!strcmp(f->name, "actuator_trnid")) {
    int type = m->actuator_trntype[row];
    bool joint = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
    return kind_of_type(joint && column == 0   ? mjOBJ_JOINT
                        : type == mjTRN_TENDON ? mjOBJ_TENDON
                        : type == mjTRN_BODY   ? mjOBJ_BODY
                                               : mjOBJ_SITE);
  }
  return kind_of_size(f->target.name);
}

static bool is_index(const ct_Field* f) {
  return f->target.kind == CT_TARGET_ID || f->target.kind == CT_TARGET_UNCHECKED ||
         !strcmp(f->name, "eq_obj1id") || !strcmp(f->name, "eq_obj2id") ||
         !strcmp(f->name, "sensor_objid") || !strcmp(f->name, "sensor_refid") ||
         !strcmp(f->name, "actuator_trnid") || !strcmp(f->name, "geom_dataid");
}

static void compare_indices(Differ* d, const ct_Field* f, int k, int row_a, int row_b) {
  int columns = (int)ct_field_columns(f, d->m[0]);
  const int *a = (const int*)ct_field_array(f, d->m[0]),
            *b = (const int*)ct_field_array(f, d->m[1]);
  for (int i = 0; i < columns; i++) {
    const char* x = key_of(d, 0, kind_of_entry(d->m[0], f, row_a, i),
                           a[(size_t)row_a * (size_t)columns + (size_t)i]);
    const char* y = key_of(d, 1, kind_of_entry(d->m[1], f, row_b, i),
                           b[(size_t)row_b * (size_t)columns + (size_t)i]);
    if (strcmp(x, y))
      tell(d, "%s %s: %s is %s, then %s", kinds[k].name, d->key[0][k][row_a], short_name(f), x, y);
  }
}

static bool is_left_out(const ct_Field* f) {
  size_t n = strlen(f->name);
  if (f->target.kind == CT_TARGET_SPAN || !strncmp(f->name, "name_", 5)) return true;
  if (n > 3 && (!strcmp(f->name + n - 3, "adr") || !strcmp(f->name + n - 3, "num"))) return true;
  for (size_t i = 0; i < sizeof(follows) / sizeof(follows[0]); i++) {
    if (!strcmp(f->name, follows[i])) return true;
  }
  return false;
}

static void compare_objects(Differ* d, int k) {
  size_t count = (size_t)size_of(d->m[0], kinds[k].size);
  for (size_t i = 0; i < count; i++) {
    int other = d->match[k][i];
    if (other < 0) continue;
    for (int n = 0; n < ct_nmodel_field; n++) {
      const ct_Field* f = &ct_model_fields[n];
      if (strcmp(f->rows_name, kinds[k].size) || is_left_out(f)) continue;
      if (kinds[k].type == mjOBJ_KEY && f->columns != CT_NO_MEMBER &&
          ct_field_columns(f, d->m[0]) != ct_field_columns(f, d->m[1]))
        continue;  // states of models with other joints cannot be compared number by number
      if (f->type == CT_TYPE_int && is_index(f)) {
        compare_indices(d, f, k, (int)i, other);
      } else {
        compare_rows(d, f, kinds[k].name, d->key[0][k][i], (int)i, other);
      }
    }
  }
}

// Coordinates and dofs, by their joints. A joint that has changed its type has others.
static void compare_coordinates(Differ* d) {
  static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};
  const mjModel *a = d->m[0], *b = d->m[1];
  for (int j = 0; j < a->njnt; j++) {
    int other = d->match[1][j];
    if (other < 0 || a->jnt_type[j] != b->jnt_type[other]) continue;
    for (int n = 0; n < ct_nmodel_field; n++) {
      const ct_Field* f = &ct_model_fields[n];
      bool coordinate = !strcmp(f->rows_name, "nq"), dof = !strcmp(f->rows_name, "nv");
      if ((!coordinate && !dof) || is_left_out(f) || is_index(f)) continue;
      if (f->type != CT_TYPE_mjtNum) continue;
      int count = coordinate ? nq[a->jnt_type[j]] : nv[a->jnt_type[j]];
      int at = coordinate ? a->jnt_qposadr[j] : a->jnt_dofadr[j];
      int at_other = coordinate ? b->jnt_qposadr[other] : b->jnt_dofadr[other];
      for (int i = 0; i < count; i++)
        compare_rows(d, f, "joint", d->key[0][1][j], at + i, at_other + i);
    }
  }
}

// Contents of assets and lists, as a whole.
static void compare_contents(Differ* d) {
  static const char* const contents[] = {
      "mesh_vert", "mesh_normal",  "mesh_texcoord", "mesh_face",       "skin_vert",
      "skin_face", "tex_data",     "numeric_data",  "text_data",       "wrap_type",
      "wrap_prm",  "tuple_objprm", "hfield_data",   "skin_bonevertid", "skin_bonevertweight",
      "flex_vert", "flex_elem",    "plugin_attr"};
  for (size_t n = 0; n < sizeof(contents) / sizeof(contents[0]); n++) {
    const ct_Field* f = field_of(contents[n]);
    if (!f) continue;
    size_t na = ct_field_bytes(f, d->m[0], NULL) / f->element;
    size_t nb = ct_field_bytes(f, d->m[1], NULL) / f->element, wrong = 0;
    const void *a = ct_field_array(f, d->m[0]), *b = ct_field_array(f, d->m[1]);
    if (na != nb) {
      tell(d, "%s has %zu numbers, then %zu", f->name, na, nb);
      continue;
    }
    for (size_t i = 0; i < na; i++) wrong += !same(d, number_at(f, a, i), number_at(f, b, i));
    if (wrong) tell(d, "%s: %zu of %zu numbers differ", f->name, wrong, na);
  }
}

// Settings

static void compare_setting(Differ* d, const char* name, const double* a, const double* b, int n) {
  bool equal = true;
  char first[200] = "", second[200] = "";
  for (int i = 0; i < n; i++) equal = equal && same(d, a[i], b[i]);
  if (equal) return;
  for (int k = 0; k < NDIGITS && !strcmp(first, second); k++) {
    first[0] = second[0] = 0;
    for (int i = 0; i < n; i++) {
      size_t used = strlen(first), more = strlen(second);
      snprintf(first + used, sizeof(first) - used, i ? " %.*g" : "%.*g", digits_tried[k], a[i]);
      snprintf(second + more, sizeof(second) - more, i ? " %.*g" : "%.*g", digits_tried[k], b[i]);
    }
  }
  tell(d, "%s is %s, then %s", name, first, second);
}

enum { MOST_EXTENT = 8 };

static void take(double* to, const void* from, const char* type, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = !strcmp(type, "mjtNum")  ? (double)((const mjtNum*)from)[i]
            : !strcmp(type, "float") ? (double)((const float*)from)[i]
                                     : (double)((const int*)from)[i];
  }
}

static void compare_settings(Differ* d) {
  double x[MOST_EXTENT], y[MOST_EXTENT];
#define MEMBER(type_, place_, extent_, text_) \
  take(x, &d->m[0]->place_, #type_, extent_); \
  take(y, &d->m[1]->place_, #type_, extent_); \
  compare_setting(d, text_, x, y, extent_);
#define OPTION(type_, name_, extent_, value_, doc_) \
  MEMBER(type_, opt.name_, extent_, "option " #name_)
#define STATISTIC(type_, name_, extent_, value_, doc_) \
  MEMBER(type_, stat.name_, extent_, "statistic " #name_)
#define VISUAL(part_, type_, name_, extent_, value_, doc_) \
  MEMBER(type_, vis.part_.name_, extent_, "visual " #part_ " " #name_)
#include "settings.def"
#undef MEMBER
}

int ct_diff_models(const mjModel* a, const mjModel* b, double tolerance,
                   void (*report)(void* arg, const char* line), void* arg) {
  Differ d = {.m = {a, b}, .tolerance = tolerance, .report = report, .arg = arg};
  compare_settings(&d);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < NKIND; k++) make_keys(&d, side, k);
  }
  for (int k = 0; k < NKIND; k++) match(&d, k);
  for (int k = 0; k < NKIND; k++) compare_objects(&d, k);
  compare_coordinates(&d);
  compare_contents(&d);
  ct_pool_free(&d.pool);
  return d.lines;
}
