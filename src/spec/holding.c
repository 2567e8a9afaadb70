// Who owns what, when specs share elements.
//
// - The memory of an element belongs to the spec that made it, its owner, and is released with
// that.
// - An element is in the lists or the tree of one spec at a time, its spec. Attaching by reference
//   moves it; deleting takes it out of all of them.
// - A spec holds the specs that it took elements from, by copy or by reference, until it is
//   destroyed. A program's reference to a spec is one of several. So nothing that is in a spec is
//   released while it is there.
// - When a spec is destroyed and one that it held lives on, elements that it had from there go back
//   to their owner, with what they hold of the same owner and without everything else: a body or
//   frame that they were put into, children that they were given, parts of a path, plugin
//   instances.
// - Parts go by reference in one direction only: a spec whose parts went to another one, or by way
//   of others, cannot take parts of that one by reference. Copies may go both ways; then the specs
//   hold each other, and are released together when nobody else holds any of them.

#include <stdlib.h>
#include <string.h>

#include "spec/compiled.h"
#include "spec/copy.h"
#include "spec/keys.h"
#include "spec/names.h"

// Holding

static ct_Held* find_held(const ct_Spec* spec, const ct_Spec* other) {
  for (int i = 0; i < spec->nheld; i++) {
    if (spec->held[i].spec == other) return &spec->held[i];
  }
  return NULL;
}

void ct_spec_take(ct_Spec* spec, ct_Spec* other) {
  if (spec->nheld == spec->held_room) {
    int room = spec->held_room ? 2 * spec->held_room : 4;
    ct_Held* grown = (ct_Held*)realloc(spec->held, (size_t)room * sizeof(*grown));
    if (!grown) {
      mju_error("out of memory: a spec cannot hold another one");
      return;
    }
    spec->held = grown;
    spec->held_room = room;
  }
  ct_Held held = {other, false};
  spec->held[spec->nheld++] = held;
}

void ct_spec_hold(ct_Spec* spec, ct_Spec* other, bool parts) {
  if (other == spec) return;
  if (!find_held(spec, other)) {
    other->references++;
    ct_spec_take(spec, other);
  }
  if (parts) find_held(spec, other)->parts = true;
}

// No circles: parts go one way.
bool ct_has_parts_of(const ct_Spec* spec, const ct_Spec* other) {
  for (int i = 0; i < spec->nheld; i++) {
    const ct_Held* held = &spec->held[i];
    if (held->parts && (held->spec == other || ct_has_parts_of(held->spec, other))) return true;
  }
  return false;
}

// What is reached

enum { UNMARKED, REACHED, IN_USE };

// Specs that can be reached from one, themselves included, by following what they hold. `mark` says
// which.
typedef struct {
  ct_Spec** item;
  int count, room;
} Reached;

static void reach(Reached* reached, ct_Spec* spec, int mark) {
  if (spec->mark == mark) return;
  spec->mark = mark;
  if (reached->count == reached->room) {
    int room = reached->room ? 2 * reached->room : 8;
    ct_Spec** grown = (ct_Spec**)realloc(reached->item, (size_t)room * sizeof(*grown));
    if (!grown) return;  // what cannot be listed is not released
    reached->item = grown;
    reached->room = room;
  }
  reached->item[reached->count++] = spec;
  for (int i = 0; i < spec->nheld; i++) reach(reached, spec->held[i].spec, mark);
}

// Giving back

static void keep_owned_by(ct_List* list, const ct_Spec* owner) {
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (list->item[i]->owner == owner) list->item[kept++] = list->item[i];
  }
  list->count = kept;
  ct_list_number(list);
}

// An element that comes back is left with what has the same owner.
static void cut_loose(ct_Element* e) {
  const ct_Spec* owner = e->owner;
  if (e->frame && e->frame->owner != owner) e->frame = NULL;
  const ct_Element* around = ct_type(e) == mjOBJ_UNKNOWN ? ((ct_Wrap*)e)->tendon : e->body;
  if (!around || around->owner != owner) {
    e->body = NULL;
    e->position = e->id = -1;
  }
  mjsPlugin* link = ct_plugin_link(e);
  if (link && link->element && ct_element(link->element)->owner != owner) link->element = NULL;
  if (ct_type(e) == mjOBJ_TENDON) keep_owned_by(&((ct_Tendon*)e)->path, owner);
  for (int k = 0; k < CT_NCHILD && ct_type(e) == mjOBJ_BODY; k++) {
    keep_owned_by(&((ct_Body*)e)->child[k], owner);
  }
}

// What a spec that is about to go has from another one goes back there.
static void give_back(ct_Spec* owner, const ct_Spec* leaving) {
  for (int i = 0; i < owner->owned.count; i++) {
    ct_Element* e = owner->owned.item[i];
    if (e->spec != leaving) continue;
    cut_loose(e);
    ct_element_enter(e, owner);
  }
  ct_names_forget(owner);
}

static void give_back_all(ct_Spec* leaving, const Reached* reached) {
  for (int i = 0; i < reached->count; i++) {
    if (reached->item[i] != leaving) give_back(reached->item[i], leaving);
  }
}

// Releasing

static void release_held(ct_Spec* spec) {
  int count = spec->nheld;
  spec->nheld = 0;
  for (int i = 0; i < count; i++) ct_spec_release(spec->held[i].spec);
}

static void destroy(ct_Spec* spec) {
  Reached reached = {NULL, 0, 0};
  reach(&reached, spec, REACHED);
  for (int i = 0; i < reached.count; i++) reached.item[i]->mark = UNMARKED;
  give_back_all(spec, &reached);
  free(reached.item);
  release_held(spec);

  for (int i = spec->owned.count - 1; i >= 0; i--) {
    ct_element_clear(spec->owned.item[i]);
    free(spec->owned.item[i]);
  }
  ct_list_free(&spec->owned);
  ct_list_free(&spec->defaults);
  for (int type = 0; type < mjNOBJECT; type++) ct_list_free(&spec->list[type]);
  ct_names_free(spec);
  ct_keys_free(spec->pending);
  ct_keys_free(spec->gathered);
  free(spec->held);
  free(spec->lines);
  free((void*)spec->plugin);
  ct_pool_free(&spec->texts);
  ct_free_compiled_whole(spec);
  ct_element_clear(&spec->element);
  free(spec);
}

// A spec that is still referred to may be so only by specs that it holds itself, when each was
// attached to the other. If nobody else refers to any of them, they all go.
static void release_circle(ct_Spec* spec) {
  Reached all = {NULL, 0, 0}, used = {NULL, 0, 0};
  reach(&all, spec, REACHED);
  for (int i = 0; i < all.count; i++) all.item[i]->outside = all.item[i]->references;
  for (int i = 0; i < all.count; i++) {
    for (int k = 0; k < all.item[i]->nheld; k++) all.item[i]->held[k].spec->outside--;
  }
  for (int i = 0; i < all.count; i++) {
    if (all.item[i]->outside > 0) reach(&used, all.item[i], IN_USE);
  }

  // what the others had goes back while they still know whom they hold
  for (int i = 0; i < all.count; i++) {
    if (all.item[i]->mark == REACHED) give_back_all(all.item[i], &all);
  }

  // they are kept by one more reference until none refers to another
  int nunused = 0;
  for (int i = 0; i < all.count; i++) {
    bool unused = all.item[i]->mark == REACHED;
    all.item[i]->mark = UNMARKED;
    if (unused) all.item[nunused++] = all.item[i];
  }
  for (int i = 0; i < nunused; i++) all.item[i]->references++;
  for (int i = 0; i < nunused; i++) release_held(all.item[i]);
  for (int i = 0; i < nunused; i++) ct_spec_release(all.item[i]);
  free(all.item);
  free(used.item);
}

void ct_spec_release(ct_Spec* spec) {
  if (--spec->references == 0) {
    destroy(spec);
  } else if (spec->nheld > 0) {
    release_circle(spec);
  }
}

void mj_deleteSpec(mjSpec* s) {
  if (s) ct_spec_release(ct_spec(s));
}

void mjs_addSpec(mjSpec* s, mjSpec* child) {
  ct_spec_take(ct_spec(s), ct_spec(child));
}
