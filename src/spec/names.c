// Names of elements and classes. See names.h.

#include "spec/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/resource/path.h"

typedef struct ct_Names_ {
  ct_HashTable table;
  ct_Element** entry;  // (table.used) elements, by their numbers in the table
  size_t room;
  int nclass;      // of the spec's classes, how many are in the table
  bool stale;      // elements have left: to be built anew
  bool given_out;  // names may change without notice
  uint32_t
      repeats;  // types with a name that stands twice: a search in order tells which comes first
} Names;

static uint64_t hash_of(mjtObj type, const char* name) {
  return ct_hash(name) + (uint64_t)type * 0x9e3779b97f4a7c15u;
}

static Names* names_of(ct_Spec* spec) {
  if (!spec->names) {
    spec->names = (Names*)calloc(1, sizeof(Names));
    if (!spec->names) mju_error("out of memory: a spec needs a table of names");
    if (spec->names) spec->names->stale = true;
  }
  return spec->names;
}

static uint32_t type_bit(mjtObj type) {
  return (uint32_t)1 << (type < mjNOBJECT ? (int)type : mjNOBJECT);
}

// Classes are entered twice, as if they were of two types that nothing else is of: by their name,
// and by the name they were made with.
enum { CLASS_NAME = 1000, CLASS_KEY };

static bool has_name(const ct_Element* e, mjtObj type, const char* name) {
  bool is_class = ct_type(e) == mjOBJ_DEFAULT;
  if ((int)type == CLASS_KEY)
    return is_class && ct_string_equal(&((const ct_Default*)e)->key, name);
  if ((int)type == CLASS_NAME) return is_class && ct_string_equal(&e->name, name);
  return ct_type(e) == type && ct_string_equal(&e->name, name);
}

// Where the element of that name stands; NULL: nowhere.
static ct_Element** entry_of(const Names* names, mjtObj type, const char* name) {
  ct_HashSearch s = ct_hash_search(&names->table, hash_of(type, name));
  while (ct_hash_next(&names->table, &s)) {
    if (has_name(names->entry[s.number], type, name)) return &names->entry[s.number];
  }
  return NULL;
}

static ct_Element* find_entry(const Names* names, mjtObj type, const char* name) {
  ct_Element** entry = entry_of(names, type, name);
  return entry ? *entry : NULL;
}

static bool has_room(Names* names) {
  size_t count = names->table.used;
  if (count < names->room) return true;
  size_t room = names->room ? 2 * names->room : 32;
  ct_Element** entry = (ct_Element**)realloc(names->entry, room * sizeof(ct_Element*));
  if (entry) names->entry = entry;
  if (entry && ct_hash_reserve(&names->table, NULL, room)) {
    names->room = room;
    return true;
  }
  mju_error("out of memory: a spec needs a table of names");
  return false;
}

static void add_entry(Names* names, mjtObj type, const char* name, ct_Element* e) {
  if (!has_room(names)) return;
  size_t number = names->table.used;
  names->entry[number] = e;
  ct_hash_add(&names->table, hash_of(type, name), (int)number);
}

static void enter(Names* names, ct_Element* e) {
  if (ct_string_empty(&e->name)) return;
  const ct_Element* known = find_entry(names, ct_type(e), ct_name(e));
  if (!known) add_entry(names, ct_type(e), ct_name(e), e);
  if (known && known != e) names->repeats |= type_bit(ct_type(e));
}

static void build(ct_Spec* spec, Names* names) {
  ct_hash_clear(&names->table);
  names->nclass = 0;
  names->stale = false;
  names->repeats = 0;
  for (int type = 0; type <= mjNOBJECT; type++) {
    mjtObj t = type < mjNOBJECT ? (mjtObj)type : mjOBJ_FRAME;
    for (ct_Element* e = ct_first_element(spec, t); e; e = ct_next_element(e)) enter(names, e);
  }
}

void ct_names_enter(ct_Element* e) {
  Names* names = names_of(e->spec);
  if (!names->stale) enter(names, e);
}

void ct_names_forget(ct_Spec* spec) {
  if (spec->names) spec->names->stale = true;
}

void ct_names_given_out(ct_Spec* spec) {
  names_of(spec)->given_out = true;
}

void ct_names_free(ct_Spec* spec) {
  if (!spec->names) return;
  ct_hash_table_free(&spec->names->table);
  free(spec->names->entry);
  free(spec->names);
  spec->names = NULL;
}

static ct_Element* search(ct_Spec* spec, mjtObj type, const char* name, const ct_Element* but) {
  for (ct_Element* e = ct_first_element(spec, type); e; e = ct_next_element(e)) {
    if (e != but && ct_string_equal(&e->name, name)) return e;
  }
  return NULL;
}

// First element of that name. A name that many have, or may have, is searched for in order.
static ct_Element* find_named(ct_Spec* spec, mjtObj type, const char* name) {
  Names* names = names_of(spec);
  if (names->stale) build(spec, names);
  if (!*name || names->repeats & type_bit(type)) return search(spec, type, name, NULL);
  ct_Element* e = find_entry(names, type, name);
  return e || !names->given_out ? e : search(spec, type, name, NULL);
}

// What the table says is believed only if no name can have changed behind its back, and if it says
// that there is none: a repeat may have gone since.
const char* ct_repeated_name(ct_Spec* spec, const mjtObj* types, int ntype, mjtObj* which) {
  Names* names = names_of(spec);
  uint32_t asked = 0;
  for (int k = 0; k < ntype; k++) asked |= type_bit(types[k]);
  if (names->stale || names->given_out || names->repeats & asked) build(spec, names);
  if (!(names->repeats & asked)) return NULL;
  for (int k = 0; k < ntype; k++) {
    *which = types[k];
    if (!(names->repeats & type_bit(types[k]))) continue;
    for (ct_Element* e = ct_first_element(spec, types[k]); e; e = ct_next_element(e)) {
      if (!ct_string_empty(&e->name) && search(spec, types[k], ct_name(e), e)) return ct_name(e);
    }
  }
  return NULL;
}

// The file of an asset, whose base name serves as its name as long as it has none.
static const ct_String* file_of(const ct_Element* e) {
  return ct_str(ct_type(e) == mjOBJ_MESH ? CT_VALUES(mjsMesh, e)->file
                                         : CT_VALUES(mjsTexture, e)->file);
}

// Length of a file's name without its ending, which starts at the last dot.
static size_t stem_length(const char* base) {
  const char* dot = strrchr(base, '.');
  return dot ? (size_t)(dot - base) : strlen(base);
}

void ct_name_by_file(ct_String* name, const char* file) {
  const char* base = ct_path_base(file);
  ct_string_set_n(name, base, stem_length(base));
}

static bool file_called(const ct_Element* e, const char* name) {
  const char* base = ct_path_base(ct_string_get(file_of(e)));
  size_t n = stem_length(base);
  return n > 0 && strlen(name) == n && !memcmp(base, name, n);
}

static ct_Element* find_asset(ct_Spec* spec, mjtObj type, const char* name) {
  for (ct_Element* e = ct_first_element(spec, type); e; e = ct_next_element(e)) {
    if (ct_string_equal(&e->name, name)) return e;
    if (ct_string_empty(&e->name) && file_called(e, name)) return e;
  }
  return NULL;
}

ct_Element* ct_find(ct_Spec* spec, mjtObj type, const char* name) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_MESH || type == mjOBJ_TEXTURE) return find_asset(spec, type, name);
  return find_named(spec, type, name);
}

bool ct_set_name(ct_Element* e, const char* name) {
  ct_Spec* spec = e->spec;
  Names* names = names_of(spec);
  ct_Element* other = *name ? find_named(spec, ct_type(e), name) : NULL;
  if (other == e) other = search(spec, ct_type(e), name, e);
  if (!ct_string_empty(&e->name)) ct_names_forget(spec);
  ct_string_set(&e->name, name);
  if (ct_in_spec(e)) ct_names_enter(e);
  if (other) return false;
  if (!(names->repeats & type_bit(ct_type(e)))) return true;
  build(spec, names);  // another repeat was there before: is it still?
  return !(names->repeats & type_bit(ct_type(e)));
}

// Classes

// The first class of a name counts, and the last that was made with it.
static void enter_class(Names* names, ct_Default* def, mjtObj type, const ct_String* name) {
  ct_Element** known = entry_of(names, type, ct_string_get(name));
  if (!known) add_entry(names, type, ct_string_get(name), &def->element);
  if (known && (int)type == CLASS_KEY) *known = &def->element;
}

// Classes are entered when one is looked for, because they get their names after they are made.
static ct_Default* find_class(ct_Spec* spec, mjtObj type, const char* name) {
  Names* names = names_of(spec);
  if (names->stale) build(spec, names);
  for (; names->nclass < spec->defaults.count; names->nclass++) {
    ct_Default* def = (ct_Default*)spec->defaults.item[names->nclass];
    if (!def->deleted) enter_class(names, def, (mjtObj)CLASS_NAME, &def->element.name);
    enter_class(names, def, (mjtObj)CLASS_KEY, &def->key);
  }
  return (ct_Default*)find_entry(names, type, name);
}

ct_Default* ct_find_class(ct_Spec* spec, const char* name) {
  if (!names_of(spec)->given_out) return find_class(spec, (mjtObj)CLASS_NAME, name);
  for (int i = 0; i < spec->defaults.count; i++) {
    ct_Default* def = (ct_Default*)spec->defaults.item[i];
    if (!def->deleted && ct_string_equal(&def->element.name, name)) return def;
  }
  return NULL;
}

ct_Default* ct_inherited_class(ct_Spec* spec, const char* name) {
  ct_Default* def = find_class(spec, (mjtObj)CLASS_KEY, name);
  while (def && def->deleted && def->parent) def = (ct_Default*)def->parent;
  return def;
}

const char* ct_class_that_is_left(ct_Spec* spec, const char* name) {
  const ct_Default* def = find_class(spec, (mjtObj)CLASS_KEY, name);
  if (!def || !def->deleted) return name;
  return ct_name(&ct_inherited_class(spec, name)->element);
}
