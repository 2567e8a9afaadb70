// Elements of the tree that stand for many others: replicate and attach.

#include <stdio.h>
#include <string.h>

#include "mjcf/read.h"
#include "spec/pose.h"
#include "spec/replicate.h"

// Replicate

enum {
  MOST_COPIES = 1000000,  // elements, of one file
  MOST_SENSORS = 1 << 15,
  MANY = 16,  // copies that are worth some preparation
};

typedef struct {
  int count;
  double offset[3], euler[3];
  const char* separator;
} Replicate;

static Replicate read_numbers(ct_Reader* r, const ct_Xml* xml) {
  Replicate rep = {0, {0, 0, 0}, {0, 0, 0}, ""};
  ct_required(r, xml, "count");
  if (!ct_read_ints(r, xml, "count", &rep.count, 1, 1))
    ct_refuse(r, xml, "count", "count is empty");
  ct_read_reals(r, xml, "offset", rep.offset, 3, 3);
  ct_read_reals(r, xml, "euler", rep.euler, 3, 3);
  if (ct_given(xml, "sep")) rep.separator = ct_given(xml, "sep");
  return rep;
}

// All that a body holds, on every level; frames are copied like anything else.
static int count_below(ct_Body* root) {
  int n = 0;
  for (ct_Body* b = root; b; b = ct_next_body_below(b, root)) {
    for (int k = 0; k < CT_NCHILD; k++) n += b->child[k].count;
  }
  return n;
}

// Counts what the copies will hold before any is made: replicates inside each other multiply.
static void note_copies(ct_Reader* r, const ct_Xml* xml, const Replicate* rep, ct_Body* content) {
  int n = count_below(content);
  if (rep->count > (MOST_COPIES - r->copies) / n) {
    ct_refuse(r, xml, "count", "count is %d, of %d element%s; a file can have %d copies in all",
              rep->count, n, n == 1 ? "" : "s", MOST_COPIES);
  }
  if (rep->count > 0) r->copies += rep->count * n;
}

// Orientation of copy i: the Euler angles times i. As in the reference, a letter of eulerseq that
// is no axis ends the sequence here without a complaint.
static void turn_of_copy(ct_Reader* r, const Replicate* rep, int i, double quat[4]) {
  const mjsCompiler* compiler = &r->spec->spec.compiler;
  char sequence[4] = {compiler->eulerseq[0], compiler->eulerseq[1], compiler->eulerseq[2], 0};
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  alt.type = mjORIENTATION_EULER;
  for (int k = 0; k < 3; k++) alt.euler[k] = i * rep->euler[k];
  mjs_resolveOrientation(quat, compiler->degree, sequence, &alt);
}

// Is there anything that can refer to the content of a replicate?
static bool has_references(const ct_Spec* spec) {
  for (int type = mjOBJ_PAIR; type <= mjOBJ_TUPLE; type++) {
    if (spec->list[type].count > 0) return true;
  }
  return spec->list[mjOBJ_FLEX].count > 0;
}

// Copies the frame, which holds the content once, into the body; then the frame's body goes.
static void make_copies(ct_Reader* r, const ct_Xml* xml, const Replicate* rep, ct_Body* into,
                        ct_Element* source) {
  mjsFrame* frame = CT_VALUES(mjsFrame, source);
  double pos[3] = {0, 0, 0}, step[3], matrix[9];
  int digits = snprintf(NULL, 0, "%d", rep->count);
  size_t ending = strlen(rep->separator) + (size_t)digits;
  char* suffix = (char*)ct_pool_alloc(&r->pool, ending + 1);
  bool many = rep->count >= MANY && has_references(r->spec);
  ct_Replication replication;
  if (many) ct_replication_begin(&replication, &r->pool, (ct_Body*)source->body, ending);
  for (int i = 0; i < rep->count; i++) {
    memcpy(frame->pos, pos, sizeof(pos));
    turn_of_copy(r, rep, i, frame->quat);
    sprintf(suffix, "%s%0*d", rep->separator, digits, i);
    mjsElement *parent = &into->element.handle, *child = &source->handle;
    if (!(many ? ct_replicate(&replication, parent, child, suffix)
               : mjs_attach(parent, child, "", suffix))) {
      ct_refuse(r, xml, NULL, "%.400s", r->spec->message);
    }
    if (r->spec->list[mjOBJ_SENSOR].count > MOST_SENSORS) {
      ct_refuse(r, xml, NULL,
                "every copy doubles the sensors that are attached to nothing (clock and the like): "
                "after %d of %d there are too many",
                i + 1, rep->count);
    }
    ct_quat_matrix(matrix, frame->quat);
    ct_matrix_times(step, matrix, rep->offset);
    for (int k = 0; k < 3; k++) pos[k] += step[k];
  }
}

// The content is read once into a body of its own, which goes when the copies are made.
void ct_read_replicate(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  Replicate rep = read_numbers(r, xml);
  ct_Element* body = ct_add_in_body(scope->body, mjOBJ_BODY, NULL);
  ct_string_set(&body->class_name, scope->class_name);
  ct_Element* frame = ct_add_in_body((ct_Body*)body, mjOBJ_FRAME, NULL);
  frame->frame = scope->frame;
  ct_string_set(&frame->class_name, scope->class_name);
  ct_Scope inside = {(ct_Body*)body, frame, scope->class_name};
  ct_read_children(r, xml, &inside);
  if (r->nmistake) return;  // a file that is only checked; one copy has shown what is wrong
  note_copies(r, xml, &rep, (ct_Body*)body);
  make_copies(r, xml, &rep, scope->body, frame);
  if (mjs_delete(&r->spec->spec, &body->handle))
    ct_refuse(r, xml, NULL, "%.400s", r->spec->message);
}

// Attach

static ct_Element* frame_for(const ct_Scope* scope) {
  return scope->frame ? scope->frame : ct_add_in_body(scope->body, mjOBJ_FRAME, NULL);
}

// As in the reference, an empty name is that of the first body without one.
static ct_Element* find_body(ct_Reader* r, const char* name) {
  if (*name) return ct_find(r->spec, mjOBJ_BODY, name);
  ct_Element* e = ct_first_element(r->spec, mjOBJ_BODY);
  while (e && *ct_name(e)) e = ct_next_element(e);
  return e;
}

// A body that is attached already only moves into the frame.
static bool moves(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope, const char* prefix,
                  const char* part) {
  char* name = (char*)ct_pool_alloc(&r->pool, strlen(prefix) + strlen(part) + 1);
  sprintf(name, "%s%s", prefix, part);
  ct_Element* body = find_body(r, name);
  if (!body) return false;
  if (body->body != &scope->body->element) {
    if (!*name)
      ct_refuse(r, xml, "prefix",
                "an empty prefix without body stands for a body without name, and there is one in "
                "another body: give a prefix, or the body to attach");
    ct_refuse(r, xml, NULL, "the body \"%.60s\" exists already, in another body", name);
  }
  body->frame = frame_for(scope);
  return true;
}

void ct_read_attach(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  const char* model = ct_required(r, xml, "model");
  const char* prefix = ct_required(r, xml, "prefix");
  const char* part = ct_given(xml, "body");
  if (moves(r, xml, scope, prefix, part ? part : "")) return;
  ct_Spec* asset = (ct_Spec*)ct_dictionary_find(&r->assets, model);
  mjSpec* child = asset ? &asset->spec : NULL;
  if (!child) ct_refuse(r, xml, "model", "there is no model asset \"%.60s\"", model);
  mjsBody* body = part ? mjs_findBody(child, part) : NULL;
  if (part && !body)
    ct_refuse(r, xml, "body", "the model \"%.60s\" has no body \"%.60s\"", model, part);
  ct_Element* frame = frame_for(scope);
  if (!mjs_attach(&frame->handle, body ? body->element : child->element, prefix, "")) {
    ct_refuse(r, xml, NULL, "%.400s", r->spec->message);
  }
}
