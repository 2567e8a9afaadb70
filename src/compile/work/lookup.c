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

// Slot of a name, or the free one where it would go.
static int slot_of(const ct_NameTable* table, const char* name) {
  int slot = (int)(ct_hash(name) % (uint64_t)table->nslot);
  while (table->slot[slot] >= 0 && strcmp(table->name[table->slot[slot]], name) != 0) {
    slot = slot + 1 < table->nslot ? slot + 1 : 0;
  }
  return slot;
}

static void allocate_table(ct_Compiler* c, ct_NameTable* table, int count) {
  table->nameless = -1;
  table->nname = count;
  table->nslot = CT_HASH_SLOTS_PER_OBJECT * count;
  table->name = (const char**)ct_pool_array(&c->pool, (size_t)count, sizeof(char*));
  table->slot = (int*)ct_pool_array(&c->pool, (size_t)table->nslot, sizeof(int));
  ct_hash_clear(table->slot, table->nslot);
}

static void enter(ct_Compiler* c, ct_NameTable* table, int i, const ct_Element* e) {
  table->name[i] = ct_name(e);
  if (!table->name[i][0]) {
    table->nameless = i;
    return;
  }
  int slot = slot_of(table, table->name[i]);
  if (table->slot[slot] >= 0) {
    ct_complain(c, e, "another %s has this name; names of one type must differ", e->kind->name);
    return;
  }
  table->slot[slot] = i;
}

// Frames are no objects of the model, but their names must differ too.
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
  if (table->nslot == 0) return NULL;
  int i = name[0] ? table->slot[slot_of(table, name)] : table->nameless;
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
  if (type != mjOBJ_BODY || !name[0] || c->names[type].nslot == 0) return false;
  return c->names[type].slot[slot_of(&c->names[type], name)] >= 0;
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
      ct_fail(c, e, "%s: there is no %s named \"%.60s\"; \"%.60s\" is near", attribute, what, name,
              near);
    }
    ct_fail(c, e, "%s: there is no %s named \"%.60s\"", attribute, what, name);
  }
  return found;
}
