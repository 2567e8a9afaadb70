// The schema of MJCF. See schema.h; the facts are in schema/mjcf.def.

#include "mjcf/schema.h"

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "mjcf/flexcomp.h"

// Words

#define WORDS(name_, ...) static const ct_Word words_##name_[] = {__VA_ARGS__};
#include "mjcf.def"

#define COUNT(array_) (int)(sizeof(array_) / sizeof((array_)[0]))

static const ct_Words all_words[] = {
#define WORDS(name_, ...) {#name_, words_##name_, COUNT(words_##name_)},
#include "mjcf.def"
};

ct_Words ct_words(const char* name) {
  for (int i = 0; i < COUNT(all_words); i++) {
    if (!strcmp(all_words[i].name, name)) return all_words[i];
  }
  ct_Words none = {name, NULL, 0};
  return none;
}

// Attributes

// The struct that attributes of a set are members of.
typedef mjsCompiler set_compiler;
typedef mjLROpt set_lengthrange;
typedef mjOption set_option;
typedef mjSpec set_size;
typedef mjVisual set_global;
typedef mjVisual set_quality;
typedef mjVisual set_headlight;
typedef mjVisual set_map;
typedef mjVisual set_scale;
typedef mjVisual set_rgba;
typedef mjStatistic set_statistic;
typedef mjsMesh set_mesh;
typedef mjsHField set_hfield;
typedef mjsSkin set_skin;
typedef mjsTexture set_texture;
typedef mjsMaterial set_material;
typedef mjsBody set_body;
typedef mjsBody set_inertial;
typedef mjsFrame set_frame;
typedef mjsJoint set_joint;
typedef mjsGeom set_geom;
typedef mjsSite set_site;
typedef mjsCamera set_camera;
typedef mjsLight set_light;
typedef mjsFlex set_flex;
typedef mjsFlex set_flexedge;
typedef mjsFlex set_flexcontact;
typedef mjsFlex set_elasticity;
typedef ct_Flexcomp set_flexcomp;
typedef ct_Flexcomp set_compedge;
typedef mjsPair set_pair;
typedef mjsExclude set_exclude;
typedef mjsEquality set_equality;
typedef mjsTendon set_tendon;
typedef mjsActuator set_actuator;
typedef mjsSensor set_sensor;
typedef mjsKey set_key;

static const ct_Attribute attributes[] = {
#define ROW(of_, attribute_, kind_, min_, max_, member_, list_, doc_) \
  {#of_,                                                              \
   #attribute_,                                                       \
   CT_VALUE_##kind_,                                                  \
   min_,                                                              \
   max_,                                                              \
   offsetof(set_##of_, member_),                                      \
   sizeof(((set_##of_*)0)->member_),                                  \
   words_##list_,                                                     \
   COUNT(words_##list_),                                              \
   NULL,                                                              \
   doc_},
#define OTHER(of_, attribute_, takes_, doc_) \
  {#of_, #attribute_, CT_VALUE_OTHER, 0, 1, 0, 0, NULL, 0, takes_, doc_},
#include "mjcf.def"
};

// Attributes by set and name, for the time when the rules are linked.

static uint64_t attribute_hash(const char* set, const char* name, size_t length) {
  uint64_t hash = ct_hash(set);
  for (size_t i = 0; i < length; i++) hash = ct_hash_byte(hash, name[i]);
  return hash;
}

// The first of a name counts.
static const ct_Attribute* find_attribute(const ct_HashTable* table, const char* set,
                                          const char* name, size_t length) {
  ct_HashSearch s = ct_hash_search(table, attribute_hash(set, name, length));
  while (ct_hash_next(table, &s)) {
    const ct_Attribute* a = &attributes[s.number];
    if (!strncmp(a->name, name, length) && !a->name[length] && !strcmp(a->set, set)) return a;
  }
  return NULL;
}

static bool enter_attributes(ct_HashTable* table) {
  if (!ct_hash_reserve(table, NULL, (size_t)COUNT(attributes))) return false;
  for (int i = 0; i < COUNT(attributes); i++) {
    const ct_Attribute* a = &attributes[i];
    ct_hash_add(table, attribute_hash(a->set, a->name, strlen(a->name)), i);
  }
  return true;
}

// Elements

static ct_Rule rules[] = {
#define ELEMENT(depth_, name_, count_, set_, attributes_, doc_) \
  {depth_, name_, count_, #set_, attributes_, doc_, NULL, 0, NULL, NULL, NULL},
#include "mjcf.def"
};

enum { ROOM = 2048 };
static ct_Allowed allowed[ROOM];
static int nallowed;

static void list_attributes(ct_Rule* rule, const ct_HashTable* table) {
  rule->allowed = allowed + nallowed;
  for (const char* p = rule->attributes; *p;) {
    size_t n = strcspn(p, " ");
    char mark = n > 0 ? p[n - 1] : 0;
    bool marked = mark == '!' || mark == '+' || mark == '~';
    const ct_Attribute* a = find_attribute(table, rule->set, p, marked ? n - 1 : n);
    if (a && nallowed < ROOM) {
      ct_Allowed next = {a, mark == '!', mark == '+', mark == '~'};
      allowed[nallowed++] = next;
      rule->nallowed++;
    } else if (n) {
      mju_error("schema/mjcf.def: element %s has no attribute %s", rule->name, p);
    }
    p += n;
    while (*p == ' ') p++;
  }
}

// What is written

typedef struct {
  const char *name, *set, *attributes;
  const ct_Written* first;
  int count;
} WriteList;

static WriteList write_lists[] = {
#define WRITE(list_, set_, attributes_) {#list_, #set_, attributes_, NULL, 0},
#include "mjcf.def"
};

static ct_Written written[ROOM / 4];
static int nwritten;

static void link_write_list(WriteList* list, const ct_HashTable* table) {
  list->first = written + nwritten;
  for (const char* p = list->attributes; *p;) {
    size_t n = strcspn(p, " ");
    char mark = p[n - 1];
    if (mark != '!' && mark != '-' && mark != '=') mark = 0;
    const ct_Attribute* a = find_attribute(table, list->set, p, mark ? n - 1 : n);
    if (!a || a->kind == CT_VALUE_OTHER || a->max == 0 || nwritten >= ROOM / 4) {
      mju_error("schema/mjcf.def: list %s cannot write %s", list->name, p);
    }
    ct_Written next = {a, mark};
    written[nwritten++] = next;
    list->count++;
    p += n;
    while (*p == ' ') p++;
  }
}

static void link_rules(void) {
  enum { LEVELS = 8 };
  ct_Rule* open[LEVELS] = {NULL};  // the last rule of each depth
  ct_HashTable table = {NULL, 0, 0};
  if (!enter_attributes(&table)) mju_error("out of memory: the schema of MJCF needs a table");
  for (int i = 0; i < COUNT(rules); i++) {
    ct_Rule* rule = &rules[i];
    list_attributes(rule, &table);
    if (rule->depth > 0) {
      ct_Rule* parent = open[rule->depth - 1];
      ct_Rule* before = open[rule->depth];
      rule->parent = parent;
      if (before && before->parent == parent) {
        before->next = rule;
      } else {
        parent->first = rule;
      }
    }
    open[rule->depth] = rule;
  }
  for (int i = 0; i < COUNT(write_lists); i++) link_write_list(&write_lists[i], &table);
  ct_hash_table_free(&table);
}

static pthread_once_t linked = PTHREAD_ONCE_INIT;

const ct_Rule* ct_rules(int* count) {
  pthread_once(&linked, link_rules);
  if (count) *count = COUNT(rules);
  return rules;
}

const ct_Rule* ct_schema(void) {
  return ct_rules(NULL);
}

const ct_Written* ct_written(const char* list, int* count) {
  ct_rules(NULL);
  for (int i = 0; i < COUNT(write_lists); i++) {
    if (strcmp(write_lists[i].name, list)) continue;
    *count = write_lists[i].count;
    return write_lists[i].first;
  }
  mju_error("schema/mjcf.def has no list %s of attributes that are written", list);
  *count = 0;
  return NULL;
}

const ct_Rule* ct_rule_below(const ct_Rule* rule, const char* name) {
  // what is inside a frame is inside its body
  if (rule->count == '.') rule = rule->parent;
  for (const ct_Rule* child = rule->first; child; child = child->next) {
    if (!strcmp(child->name, name)) return child;
  }
  return rule->count == 'R' && !strcmp(rule->name, name) ? rule : NULL;
}

const ct_Allowed* ct_rule_attribute(const ct_Rule* rule, const char* name) {
  for (int i = 0; i < rule->nallowed; i++) {
    if (!strcmp(rule->allowed[i].attribute->name, name)) return &rule->allowed[i];
  }
  return NULL;
}
