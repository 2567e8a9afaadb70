// Copying a part of a spec into the same spec many times, as replicate does.
//
// An element outside the tree goes along with a copy if what it refers to has a copy under the new
// name. Asked of every element for every copy, that takes quadratic time, because the elements that
// went along with earlier copies are asked too. But new names are old ones with an ending of known
// length, so few elements can ever go along. What they refer to is one of the stems: a name of the
// part, the name of an element that can go along itself, or a name without what could be an ending.

#ifndef CT_SPEC_REPLICATE_H_
#define CT_SPEC_REPLICATE_H_

#include "base/dictionary.h"
#include "spec/spec.h"

typedef struct ct_Replication_ {
  ct_Pool* pool;  // of the caller
  ct_Dictionary stem;
  bool all;  // no choice: it cannot be told who goes along
  struct {
    ct_Element** item;
    size_t count, room;
    int asked;  // elements of the list that have been looked at
    int first;  // elements that were in the list before the first copy
  } can_go[mjNOBJECT];
} ct_Replication;

// A replication of all that is in a body, under endings of this many characters.
void ct_replication_begin(ct_Replication* r, ct_Pool* pool, ct_Body* part, size_t ending);

// As mjs_attach without a prefix.
mjsElement* ct_replicate(ct_Replication* r, mjsElement* parent, const mjsElement* child,
                         const char* suffix);

// Finds those of a list that can go along, in can_go[type], and returns how many.
int ct_replication_choose(ct_Replication* r, const ct_List* list, mjtObj type);

#endif  // CT_SPEC_REPLICATE_H_
