// References between elements. An element that is copied along with a part of the tree is kept if
// what it refers to was copied too; how much of it has to be depends on the type:
//
//   all      every reference leads to a copy (equality, actuator, tuple, skin, flex)
//   some     at least one does, the others may lead outside (pair, exclude, sensor)
//   path     as some, for each part of a tendon's path together with its side site
//   none     nothing that decides: always kept (mesh, material, numeric ...)

#include "spec/references.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  ct_String* name;
  mjtObj type;
  bool unnamed;  // an empty name is not renamed: it leads to a thing without a name
} Reference;

typedef struct {
  Reference* item;
  int count, room;
} References;

void ct_rename(ct_String* s, const ct_Rename* rename) {
  size_t before = strlen(rename->prefix), after = strlen(rename->suffix), n = ct_string_length(s);
  if (before + after == 0) return;
  char* text = (char*)malloc(before + n + after + 1);
  if (!text) {
    mju_error("out of memory: no room for a name");
    return;
  }
  memcpy(text, rename->prefix, before);
  memcpy(text + before, ct_string_get(s), n);
  memcpy(text + before + n, rename->suffix, after);
  ct_string_set_n(s, text, before + n + after);
  free(text);
}

void ct_rename_given(ct_String* s, const ct_Rename* rename) {
  if (!ct_string_empty(s)) ct_rename(s, rename);
}

// Collecting

static void add(References* refs, ct_String* name, mjtObj type) {
  if (refs->count == refs->room) {
    int room = refs->room ? 2 * refs->room : 8;
    Reference* grown = (Reference*)realloc(refs->item, (size_t)room * sizeof(*grown));
    if (!grown) {
      mju_error("out of memory: no room for references");
      return;
    }
    refs->item = grown;
    refs->room = room;
  }
  refs->item[refs->count].name = name;
  refs->item[refs->count].type = type;
  refs->item[refs->count].unnamed = false;
  refs->count++;
}

// As in the reference, what moves or binds something may refer to a thing without a name; it goes
// along, and the compiler refuses it or takes it as it does anywhere.
static void add_perhaps_unnamed(References* refs, mjString* name, mjtObj type) {
  int before = refs->count;
  add(refs, ct_str(name), type);
  if (refs->count > before) refs->item[before].unnamed = ct_string_empty(ct_str(name));
}

static void add_given(References* refs, mjString* name, mjtObj type) {
  if (!ct_string_empty(ct_str(name))) add(refs, ct_str(name), type);
}

static void add_vector(References* refs, mjStringVec* names, mjtObj type) {
  const ct_Vector* v = ct_vec(names);
  for (size_t i = 0; i < ct_vector_count(v, sizeof(ct_String)); i++)
    add(refs, ct_strings_at(v, i), type);
}

static mjtObj equality_type(const mjsEquality* eq) {
  switch (eq->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      return eq->objtype == mjOBJ_SITE ? mjOBJ_SITE : mjOBJ_BODY;
    case mjEQ_JOINT:
      return mjOBJ_JOINT;
    case mjEQ_TENDON:
      return mjOBJ_TENDON;
    case mjEQ_DISTANCE:
      return mjOBJ_SITE;
    default:
      return mjOBJ_FLEX;
  }
}

static mjtObj target_type(const mjsActuator* a) {
  switch (a->trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return mjOBJ_JOINT;
    case mjTRN_TENDON:
      return mjOBJ_TENDON;
    case mjTRN_SITE:
    case mjTRN_SLIDERCRANK:
      return mjOBJ_SITE;
    case mjTRN_BODY:
      return mjOBJ_BODY;
    default:
      return mjOBJ_UNKNOWN;
  }
}

static void collect_tuple(References* refs, const mjsTuple* tuple) {
  int n;
  const int* type = ct_ints(tuple->objtype, &n);
  const ct_Vector* names = ct_vec(tuple->objname);
  int nname = (int)ct_vector_count(names, sizeof(ct_String));
  for (int i = 0; i < nname; i++) {
    add(refs, ct_strings_at(names, (size_t)i), i < n ? (mjtObj)type[i] : mjOBJ_UNKNOWN);
  }
}

// All names that an element refers to, with the kind of thing they are names of.
static void collect(References* refs, const ct_Element* e) {
  switch ((int)ct_type(e)) {
    case mjOBJ_PAIR:
      add(refs, ct_str(CT_VALUES(mjsPair, e)->geomname1), mjOBJ_GEOM);
      add(refs, ct_str(CT_VALUES(mjsPair, e)->geomname2), mjOBJ_GEOM);
      break;
    case mjOBJ_EXCLUDE:
      add(refs, ct_str(CT_VALUES(mjsExclude, e)->bodyname1), mjOBJ_BODY);
      add(refs, ct_str(CT_VALUES(mjsExclude, e)->bodyname2), mjOBJ_BODY);
      break;
    case mjOBJ_SENSOR: {
      const mjsSensor* sensor = CT_VALUES(mjsSensor, e);
      if (sensor->objtype != mjOBJ_UNKNOWN) add(refs, ct_str(sensor->objname), sensor->objtype);
      if (sensor->reftype != mjOBJ_UNKNOWN) add(refs, ct_str(sensor->refname), sensor->reftype);
      break;
    }
    case mjOBJ_EQUALITY: {
      const mjsEquality* eq = CT_VALUES(mjsEquality, e);
      add_perhaps_unnamed(refs, eq->name1, equality_type(eq));
      add_given(refs, eq->name2, equality_type(eq));
      break;
    }
    case mjOBJ_ACTUATOR: {
      const mjsActuator* a = CT_VALUES(mjsActuator, e);
      add_perhaps_unnamed(refs, a->target, target_type(a));
      if (a->trntype == mjTRN_SLIDERCRANK) {
        add_perhaps_unnamed(refs, a->slidersite, mjOBJ_SITE);
      } else {
        add_given(refs, a->slidersite, mjOBJ_SITE);
      }
      add_given(refs, a->refsite, mjOBJ_SITE);
      break;
    }
    case mjOBJ_TUPLE:
      collect_tuple(refs, CT_VALUES(mjsTuple, e));
      break;
    case mjOBJ_SKIN:
      add_vector(refs, CT_VALUES(mjsSkin, e)->bodyname, mjOBJ_BODY);
      break;
    case mjOBJ_FLEX:
      add_vector(refs, CT_VALUES(mjsFlex, e)->vertbody, mjOBJ_BODY);
      add_vector(refs, CT_VALUES(mjsFlex, e)->nodebody, mjOBJ_BODY);
      break;
    default:
      break;
  }
}

// Resolving

static bool exists(ct_Spec* spec, mjtObj type, const ct_String* name) {
  return type != mjOBJ_UNKNOWN && ct_find(spec, type, ct_string_get(name)) != NULL;
}

// Can a tendon go around it? Before the first compilation of a geom, or of what it is a copy of, it
// counts as what its class makes, as in the reference.
static bool has_round_shape(const ct_Element* geom) {
  mjtGeom type = CT_VALUES(mjsGeom, geom)->type;
  if (!geom->state.compiled) {
    const ct_Default* def = ct_inherited_class(geom->spec, ct_string_get(&geom->class_name));
    type = def ? CT_VALUES(mjsDefault, &def->element)->geom->type : mjGEOM_SPHERE;
  }
  return type == mjGEOM_SPHERE || type == mjGEOM_CYLINDER;
}

// The same for a part of a tendon's path, for which not every geom will do.
static bool can_be_passed(ct_Spec* spec, mjtObj type, const ct_String* name) {
  const ct_Element* e = ct_find(spec, type, ct_string_get(name));
  return e && (type != mjOBJ_GEOM || has_round_shape(e));
}

typedef bool Question(ct_Spec* spec, mjtObj type, const ct_String* name);

// The answer about something under its new name.
static bool ask_renamed(Question* question, ct_Spec* spec, mjtObj type, const ct_String* name,
                        const ct_Rename* rename) {
  ct_String renamed;
  memset(&renamed, 0, sizeof(renamed));
  ct_string_set(&renamed, ct_string_get(name));
  ct_rename(&renamed, rename);
  bool answer = question(spec, type, &renamed);
  ct_string_free(&renamed);
  return answer;
}

// Does a reference lead to something under its new name?
static bool exists_renamed(ct_Spec* spec, mjtObj type, const ct_String* name,
                           const ct_Rename* rename) {
  return ask_renamed(exists, spec, type, name, rename);
}

static bool reference_came_along(ct_Spec* spec, const Reference* ref, const ct_Rename* rename) {
  if (ref->unnamed) return exists(spec, ref->type, ref->name);
  return exists_renamed(spec, ref->type, ref->name, rename);
}

static mjtObj wrap_type(const ct_Wrap* wrap) {
  switch (CT_VALUES(mjsWrap, &wrap->element)->type) {
    case mjWRAP_SITE:
      return mjOBJ_SITE;
    case mjWRAP_JOINT:
      return mjOBJ_JOINT;
    case mjWRAP_PULLEY:
      return mjOBJ_UNKNOWN;
    default:
      return mjOBJ_GEOM;
  }
}

static bool wrap_exists(ct_Spec* spec, const ct_Wrap* wrap) {
  mjtObj type = wrap_type(wrap);
  if (type == mjOBJ_UNKNOWN) return true;
  if (!can_be_passed(spec, type, &wrap->element.name)) return false;
  return ct_string_empty(&wrap->side) || exists(spec, mjOBJ_SITE, &wrap->side);
}

// A part goes over a copy only together with its side site. A side site that is not given is
// renamed too and then not found, as in the reference: such a part stays where it was.
static bool wrap_came_along(ct_Spec* spec, const ct_Wrap* wrap, const ct_Rename* rename) {
  mjtObj type = wrap_type(wrap);
  if (type == mjOBJ_UNKNOWN) return false;
  if (!ask_renamed(can_be_passed, spec, type, &wrap->element.name, rename)) return false;
  bool bare = ct_string_empty(&wrap->side) && !*rename->prefix && !*rename->suffix;
  return type != mjOBJ_GEOM || bare || exists_renamed(spec, mjOBJ_SITE, &wrap->side, rename);
}

static bool path_came_along(ct_Spec* spec, const ct_List* path, const ct_Rename* rename) {
  bool some = false;
  for (int i = 0; i < path->count; i++) {
    const ct_Wrap* wrap = (const ct_Wrap*)path->item[i];
    bool renamed = wrap_came_along(spec, wrap, rename);
    if (!renamed && !wrap_exists(spec, wrap)) return false;
    some = some || renamed;
  }
  return some;
}

static void rename_path(ct_Spec* spec, const ct_List* path, const ct_Rename* rename) {
  for (int i = 0; i < path->count; i++) {
    ct_Wrap* wrap = (ct_Wrap*)path->item[i];
    if (!wrap_came_along(spec, wrap, rename)) continue;
    ct_rename(&wrap->element.name, rename);
    ct_rename_given(&wrap->side, rename);
  }
}

static bool measures_an_object(mjtSensor type) {
  return type != mjSENS_CONTACT && type != mjSENS_E_POTENTIAL && type != mjSENS_E_KINETIC &&
         type != mjSENS_CLOCK && type != mjSENS_PLUGIN && type != mjSENS_USER;
}

// What counts as an element that does not resolve: an equality between a thing and itself, a sensor
// of a thing without a name, a sensor of nothing if its type needs something, an empty tuple.
static bool is_senseless(const ct_Element* e) {
  if (ct_type(e) == mjOBJ_TUPLE) {
    return ct_vector_count(ct_vec(CT_VALUES(mjsTuple, e)->objname), sizeof(ct_String)) == 0;
  }
  if (ct_type(e) == mjOBJ_SENSOR) {
    const mjsSensor* sensor = CT_VALUES(mjsSensor, e);
    return (sensor->objtype == mjOBJ_UNKNOWN && measures_an_object(sensor->type)) ||
           (sensor->objtype != mjOBJ_UNKNOWN && !*ct_text(sensor->objname)) ||
           (sensor->reftype != mjOBJ_UNKNOWN && !*ct_text(sensor->refname));
  }
  if (ct_type(e) != mjOBJ_EQUALITY) return false;
  const mjsEquality* eq = CT_VALUES(mjsEquality, e);
  const char *one = ct_text(eq->name1), *other = ct_text(eq->name2);
  if (!*other && equality_type(eq) == mjOBJ_BODY) other = "world";
  return *other && !strcmp(one, other);
}

bool ct_references_resolve(ct_Spec* spec, const ct_Element* e) {
  bool resolved = !is_senseless(e);
  if (ct_type(e) == mjOBJ_TENDON) {
    const ct_List* path = &((const ct_Tendon*)e)->path;
    for (int i = 0; i < path->count && resolved; i++) {
      resolved = wrap_exists(spec, (const ct_Wrap*)path->item[i]);
    }
    return resolved && path->count > 0;
  }
  References refs = {NULL, 0, 0};
  collect(&refs, e);
  for (int i = 0; i < refs.count && resolved; i++) {
    resolved = exists(spec, refs.item[i].type, refs.item[i].name);
  }
  free(refs.item);
  return resolved;
}

bool ct_references_came_along(ct_Spec* spec, ct_Element* e, const ct_Rename* rename) {
  mjtObj type = ct_type(e);
  if (type == mjOBJ_TENDON) return path_came_along(spec, &((ct_Tendon*)e)->path, rename);
  bool may_stay = type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_SENSOR;
  References refs = {NULL, 0, 0};
  collect(&refs, e);
  bool some = refs.count == 0, resolved = !is_senseless(e);
  for (int i = 0; i < refs.count && resolved; i++) {
    const Reference* ref = &refs.item[i];
    bool renamed = reference_came_along(spec, ref, rename);
    resolved = renamed || (may_stay && exists(spec, ref->type, ref->name));
    some = some || renamed;
  }
  free(refs.item);
  return resolved && some;
}

bool ct_references_any(ct_Element* e, bool (*answer)(void* arg, const char* name), void* arg) {
  bool any = false;
  if (ct_type(e) == mjOBJ_TENDON) {
    const ct_List* path = &((const ct_Tendon*)e)->path;
    for (int i = 0; i < path->count && !any; i++) any = answer(arg, ct_name(path->item[i]));
    return any;
  }
  References refs = {NULL, 0, 0};
  collect(&refs, e);
  any = refs.count == 0;
  for (int i = 0; i < refs.count && !any; i++) {
    any = answer(arg, ct_string_get(refs.item[i].name));
  }
  free(refs.item);
  return any;
}

// Names of a sensor that mean nothing are renamed too, empty ones included, as in the reference.
static void rename_unused(const mjsSensor* sensor, const ct_Rename* rename) {
  if (sensor->objtype == mjOBJ_UNKNOWN) ct_rename(ct_str(sensor->objname), rename);
  if (sensor->reftype == mjOBJ_UNKNOWN) ct_rename(ct_str(sensor->refname), rename);
}

void ct_references_rename(ct_Spec* spec, ct_Element* e, const ct_Rename* rename) {
  if (ct_type(e) == mjOBJ_TENDON) {
    rename_path(spec, &((ct_Tendon*)e)->path, rename);
    return;
  }
  if (ct_type(e) == mjOBJ_SENSOR) rename_unused(CT_VALUES(mjsSensor, e), rename);
  References refs = {NULL, 0, 0};
  collect(&refs, e);
  for (int i = 0; i < refs.count; i++) {
    const Reference* ref = &refs.item[i];
    if (ref->unnamed) continue;
    if (exists_renamed(spec, ref->type, ref->name, rename)) ct_rename(ref->name, rename);
  }
  free(refs.item);
}
