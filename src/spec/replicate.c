#include "spec/replicate.h"

#include <string.h>

#include "spec/references.h"

static void add_stem(ct_Replication* r, const ct_Element* e, size_t ending) {
  size_t n = ct_string_length(&e->name);
  if (n == 0 || n < ending) return;
  char* stem = ct_pool_text_n(r->pool, ct_name(e), n - ending);
  ct_dictionary_add(&r->stem, r->pool, stem, stem);
}

// Tuples can refer to assets, which are also found by the names of their files.
void ct_replication_begin(ct_Replication* r, ct_Pool* pool, ct_Body* part, size_t ending) {
  memset(r, 0, sizeof(*r));
  r->pool = pool;
  ct_Spec* spec = part->element.spec;
  for (int type = 0; type < mjNOBJECT; type++) {
    r->can_go[type].first = spec->list[type].count;
    for (ct_Element* e = ct_first_element(spec, (mjtObj)type); e; e = ct_next_element(e)) {
      add_stem(r, e, ending);
    }
    if (!ct_child_list(part, (mjtObj)type)) continue;
    ct_Element* e = ct_first_element_below(part, (mjtObj)type);
    for (; e; e = ct_next_element_below(e, part)) add_stem(r, e, 0);
  }
  r->all = spec->list[mjOBJ_TUPLE].count > 0;
}

static bool is_stem(void* arg, const char* name) {
  return ct_dictionary_find(&((const ct_Replication*)arg)->stem, name) != NULL;
}

static void choose(ct_Replication* r, ct_Element* e, mjtObj type) {
  size_t n = r->can_go[type].count++;
  r->can_go[type].item = (ct_Element**)ct_pool_grow(r->pool, (void*)r->can_go[type].item, n, n + 1,
                                                    &r->can_go[type].room, sizeof(e));
  r->can_go[type].item[n] = e;
}

// A copy that can go along again brings a name that those asked before were not asked about: from
// then on everybody can.
int ct_replication_choose(ct_Replication* r, const ct_List* list, mjtObj type) {
  for (int* i = &r->can_go[type].asked; *i < list->count && !r->all; ++*i) {
    ct_Element* e = list->item[*i];
    if (!ct_references_any(e, is_stem, r)) continue;
    choose(r, e, type);
    add_stem(r, e, 0);
    r->all = *i >= r->can_go[type].first;
  }
  if (r->all) {
    r->can_go[type].count = 0;
    for (int i = 0; i < list->count; i++) choose(r, list->item[i], type);
  }
  return (int)r->can_go[type].count;
}
