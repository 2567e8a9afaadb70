// Copying elements and parts of a tree, within a spec or from one to another.

#ifndef CT_SPEC_COPY_H_
#define CT_SPEC_COPY_H_

#include "spec/references.h"

typedef struct ct_Copying_ {
  ct_Spec *from, *to;
  bool whole;  // the whole spec is copied: its settings are the copy's, ids and addresses stay
  ct_Element** touched;  // elements that have a twin now
  int ntouched, room;
  const char *file, *file_copy;  // the last file name that was copied
} ct_Copying;

// A copy of one element, in no list. Elements know their copies as twins until ct_copying_end.
ct_Element* ct_copy_element(ct_Copying* copying, ct_Element* e);

// Copies of a body and all below it, as the last child of `into`.
ct_Body* ct_copy_subtree(ct_Copying* copying, ct_Body* root, ct_Body* into);

// Copies of what a body holds, with all below it, at the end of the lists of `into`. frame: only
// what is in it, and itself; NULL: everything.
void ct_copy_contents(ct_Copying* copying, ct_Body* from, ct_Body* into, const ct_Element* frame);

void ct_copying_end(ct_Copying* copying);

// Is an element in this frame, or the frame itself?
bool ct_in_frame(const ct_Element* e, const ct_Element* frame);

// The link of an element to a plugin instance; NULL: its type has none.
mjsPlugin* ct_plugin_link(const ct_Element* e);

// Gives a spec to another one as a model asset: mjs_findSpec finds it there, and it goes with that
// one.
#ifdef __cplusplus
extern "C"
#endif
    MJAPI void
    mjs_addSpec(mjSpec* s, mjSpec* child);

#endif  // CT_SPEC_COPY_H_
