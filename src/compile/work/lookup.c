// Names of elements: tables from names to elements, repeats refused.
//
// A table is made once, when elements are numbered, and leads to the position that an element has
// at that time. Fusing static bodies and discarding visual geoms change positions. References are
// then resolved as in the reference: bodies by their present position, all other types by the old
// number in the new list, even if another element is there now.

#include <string.h>

#include "base/hash.h"
#include "base/spelling.h"
#include "compile/work/work.h"

// The position that an object of this name had when they were numbered; -1: there was none.
static int position_of(const ct_NameTable* names, const char* name) {
  ct_HashSearch s = ct_hash_search(&names->table, ct_hash(name));
  while (ct_hash_next(&names->table, &s)) {
    if (!strcmp(names->name[s.number], name)) break;
  }
  return s.number;
}

static void allocate_table(ct_Compiler* c, ct_NameTable* names, int count) {
  memset(names, 0, sizeof(*names));
  names->nameless = -1;
  names->nname = count;
  names->name = (const char**)ct_pool_array(&c->pool, (size_t)count, sizeof(char*));
  ct_hash_reserve(&names->table, &c->pool, (size_t)count);
}

static void enter(ct_Compiler* c, ct_NameTable* names, int i, const ct_Element* e) {
  names->name[i] = ct_name(e);
  if (!names->name[i][0]) {
    names->nameless = i;
  } else if (position_of(names, names->name[i]) >= 0) {
    ct_complain(c, e, "another %s has this name; names of one type must differ", e->kind->name);
  } else {
    ct_hash_add(&names->table, ct_hash(names->name[i]), i);
  }
}

// Frames are not objects of the model, but their names must differ too.
static void check_frames(ct_Compiler* c) {
  int count = ct_count(c->spec, mjOBJ_FRAME);
  if (count == 0) return;
  ct_NameTable table;
  allocate_table(c, &table, count);
  int i = 0;
  for (ct_Element* e = ct_first_element(c->spec, mjOBJ_FRAME); e; e = ct_next_element(e)) {
    enter(c, &table, i++, e);
  }
}

void ct_make_names(ct_Compiler* c) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_WorkList* list = &c->list[type];
    if (list->count == 0) continue;
    allocate_table(c, &c->names[type], list->count);
    for (int i = 0; i < list->count; i++) enter(c, &c->names[type], i, list->item[i]->element);
  }
  check_frames(c);

  int nbody = CT_COUNT(c, mjOBJ_BODY);
  c->body_position = (int*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(int));
  for (int i = 0; i < nbody; i++) c->body_position[i] = i;
}

ct_Work* ct_lookup(const ct_Compiler* c, mjtObj type, const char* name) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if ((int)type < 0 || (int)type >= mjNOBJECT) return NULL;
  const ct_NameTable* table = &c->names[type];
  const ct_WorkList* list = &c->list[type];
  if (table->nname == 0) return NULL;
  int i = name[0] ? position_of(table, name) : table->nameless;
  if (i >= 0 && type == mjOBJ_BODY) i = c->body_position[i];
  return i >= 0 && i < list->count ? list->item[i] : NULL;
}

static const char* nearest_name(const ct_Compiler* c, mjtObj type, const char* name) {
  if ((int)type < 0 || (int)type >= mjNOBJECT) return NULL;
  ct_Spelling nearest = {name, NULL, 0};
  for (int i = 0; i < c->names[type].nname; i++) {
    if (c->names[type].name[i][0]) ct_spelling_add(&nearest, c->names[type].name[i]);
  }
  return nearest.found;
}

// Did fusing static bodies take the body of this name away?
static bool is_fused(const ct_Compiler* c, mjtObj type, const char* name) {
  return type == mjOBJ_BODY && name[0] && position_of(&c->names[type], name) >= 0;
}

ct_Work* ct_lookup_or_fail(ct_Compiler* c, const ct_Element* e, const char* attribute, mjtObj type,
                           const char* name) {
  ct_Work* found = ct_lookup(c, type, name);
  if (!found) {
    if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
    const ct_Kind* kind = ct_kind(type);
    const char* what = kind ? kind->name : "object";
    if (is_fused(c, type, name)) {
      ct_fail(
          c, e,
          "%s: the body \"%.60s\" is gone, fusestatic made it part of its parent; something that "
          "names it as body, not as xbody or subtree, keeps it",
          attribute, name);
    }
    const char* near = nearest_name(c, type, name);
    if (near) {
      ct_fail(c, e, "%s: there is no %s named \"%.60s\"; did you mean \"%.60s\"?", attribute, what,
              name, near);
    }
    ct_fail(c, e, "%s: there is no %s named \"%.60s\"", attribute, what, name);
  }
  return found;
}
