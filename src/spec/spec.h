// The editable model behind the public mjSpec: what stands around the public mjs structs.
//
// Every element is one block of memory: a private head (ct_Element, or a larger struct that begins
// with one), the public mjs struct, and the strings and vectors that the struct points at. The
// public handle (mjsElement) is the first member of the head, so a handle is its element;
// element->values is the way back to the public struct. What an element type consists of stands in
// one table (ct_kind): creating, copying, comparing and destroying are loops over that table.
//
// Three pointers to specs:
//   spec      whose lists and tree the element is in now
//   settings  whose compiler settings and folders count for it: where it was defined
//   owner     who made it and releases its memory; holding.c says what that means for the others
//
// The strings and vectors may be changed from outside between any two calls (see containers.h):
// read them when they are needed, and keep no pointers into them.

#ifndef CT_SPEC_SPEC_H_
#define CT_SPEC_SPEC_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "spec/containers.h"

typedef struct ct_Element_ ct_Element;
typedef struct ct_Spec_ ct_Spec;
typedef struct ct_Compiled_ ct_Compiled;  // see compiled.h
typedef struct ct_CompiledWhole_ ct_CompiledWhole;

// What element types consist of

typedef enum ct_ContainerKind_ {
  CT_CONTAINER_STRING,
  CT_CONTAINER_DOUBLES,
  CT_CONTAINER_FLOATS,
  CT_CONTAINER_INTS,
  CT_CONTAINER_BYTES,
  CT_CONTAINER_STRINGS,
  CT_CONTAINER_INT_VECTORS,
  CT_CONTAINER_FLOAT_VECTORS,
} ct_ContainerKind;

typedef struct ct_Container_ {  // a pointer in a public struct to a string or vector of the element
  size_t offset;                // of the pointer
  ct_ContainerKind kind;
} ct_Container;

typedef struct ct_Kind_ {  // an element type
  mjtObj type;
  const char* name;     // "body"
  size_t head;          // bytes of the private head
  size_t size;          // bytes of the public struct
  const void* initial;  // built-in values: a public struct whose pointers are NULL
  const ct_Container* field;
  int nfield;
  size_t name_field;   // offset of the pointer that is an alias of the element's name; 0: none
  size_t class_field;  // same for the name of its class
  size_t in_default;   // offset in mjsDefault of the pointer to the template; 0: classes have none
} ct_Kind;

// The kind of an mjtObj; NULL for numbers that are not element types. mjOBJ_UNKNOWN is the part of
// a tendon's path.
const ct_Kind* ct_kind(mjtObj type);

// Elements

typedef struct ct_List_ {
  ct_Element** item;
  int count, room;
} ct_List;

typedef struct ct_UserValue_ ct_UserValue;

typedef struct ct_StatePlace_ {  // where its state stands in the last compiled model; -1: nowhere
  int qpos, dof, act, ctrl, mocap;
  bool compiled;  // there was such a model, if only of the element that this one is a copy of
} ct_StatePlace;

struct ct_Element_ {
  mjsElement handle;  // first: a handle is its element
  const ct_Kind* kind;
  void* values;       // the public struct
  ct_Spec* spec;      // whose lists it is in
  ct_Spec* settings;  // whose compiler settings count for it
  ct_Spec* owner;     // who releases it
  ct_Element* body;   // the body that holds it; NULL: the world, or not in the tree
  ct_Element* frame;  // the frame that it is in, or NULL
  int made;           // its place among those that its owner made
  int position;       // in the list that it is in; -1: in none
  int id;             // in the model; tree elements only, see ct_element_id
  ct_String name;     // of a tendon's part: what it goes around; of a class: the class
  ct_String
      class_name;  // default class that it was made from; of a body or frame: class of its children
  const char*
      file;  // where it was defined; NULL: by a program. The text lives as long as `settings`
  int line;  // 0: not known
  ct_UserValue* user;  // values that a program hung on it
  ct_Element* twin;    // its copy, while a part of a spec is being copied
  bool waiting;        // pending keys may have values for it
  bool undeletable;    // a body that keys kept from being deleted, since the last compilation
  ct_StatePlace state;
  ct_Compiled* compiled;  // what the last compilation made of it; NULL: nothing
};

enum {  // lists of a body, in the order in which their elements follow each other
  CT_CHILD_BODY,
  CT_CHILD_JOINT,
  CT_CHILD_GEOM,
  CT_CHILD_SITE,
  CT_CHILD_CAMERA,
  CT_CHILD_LIGHT,
  CT_CHILD_FRAME,
  CT_NCHILD
};

typedef struct ct_Body_ {
  ct_Element element;
  ct_List child[CT_NCHILD];
  uint64_t hash_inside,
      hash_after;  // of the signature's text up to its children, and past it; see signature.c
  int order;       // among the bodies then
} ct_Body;

typedef struct ct_Frame_ {
  ct_Element element;
  bool compiled;  // the pose below stands: a compiled frame is never computed again
  double pos[3], quat[4];
} ct_Frame;

typedef struct ct_Tendon_ {
  ct_Element element;
  ct_List path;  // of ct_Wrap
} ct_Tendon;

typedef struct ct_Wrap_ {  // part of a tendon's path; its name is the name of what it goes around
  ct_Element element;
  ct_Element* tendon;
  ct_String side;  // side site
  double number;   // coefficient of a joint, divisor of a pulley
} ct_Wrap;

typedef struct ct_Plugin_ {  // instance of a plugin
  ct_Element element;
  ct_Map attributes;
} ct_Plugin;

typedef struct ct_Default_ {  // default class
  ct_Element element;
  ct_Element* parent;  // NULL: main
  ct_List child;
  ct_String key;  // the name it was made with, by which elements find their class
  bool deleted;   // is no longer a class; elements of it find its parent
} ct_Default;

// Numbers that the state of a model has.
typedef struct ct_KeySizes_ {
  int nq, nv, na, nu, nmocap;
} ct_KeySizes;

// A key that came along with an attached or changed tree, written in terms of elements instead of
// addresses, so that it can be laid out when the tree is final. See keys.h.
typedef struct ct_PendingKey_ ct_PendingKey;

// Settings of a file that errors are about long after it was read.
typedef enum ct_Setting_ {
  CT_SETTING_NONE,
  CT_SETTING_TIMESTEP,
  CT_SETTING_MEMORY,
  CT_SETTING_NUSERDATA,
  CT_SETTING_NKEY,
  CT_NSETTING
} ct_Setting;

typedef struct ct_Place_ {
  const char* file;  // NULL: set by a program, or not at all; lives as long as the spec
  int line;
} ct_Place;

// How far the signature has read the sensors: the hash before them, and after so many.
typedef struct ct_SensorsRead_ {
  uint64_t before, after;
  int count;
} ct_SensorsRead;

typedef struct ct_IndentedLines_ ct_IndentedLines;  // see signature.c

typedef struct ct_Held_ {  // a counted reference to another spec
  ct_Spec* spec;
  bool parts;  // elements came by reference
} ct_Held;

struct ct_Spec_ {
  mjSpec spec;         // first: a public spec is its ct_Spec
  ct_Element element;  // the handle; element.spec is this spec
  ct_String text[5];   // behind the pointers of the public struct
  int references;
  int mark, outside;  // while a circle of specs is looked for, see spec.c
  ct_Body* world;
  ct_List list[mjNOBJECT];  // elements outside the tree, by type
  ct_List defaults;         // classes in the order of their making; the first is main
  ct_List owned;            // all elements that this spec made, also those deleted from it
  ct_Held* held;            // specs that elements came from, and model assets
  int nheld, held_room;
  const char** plugin;  // names of the plugins that are active
  int nplugin, plugin_room;
  ct_PendingKey* pending;         // in the order of their making
  ct_PendingKey* pending_last;    // while there are any
  ct_PendingKey* gathered;        // its keys before parts of it went by reference; or NULL
  ct_Pool texts;                  // names of files
  ct_Place setting[CT_NSETTING];  // where they stand
  struct ct_Names_* names;        // from name to element, see names.c
  bool deep_copy;                 // attaching copies
  bool undeletable;               // has such bodies
  bool attached;                  // is part of another spec by reference: cannot be compiled
  bool lists_taken;               // elements outside the tree went along: cannot be attached again
  bool compiled;                  // the last compilation succeeded
  ct_CompiledWhole* compiled_whole;  // what it made beside the elements; NULL: nothing
  ct_KeySizes state_sizes;           // of the model that the `state` of elements is about
  bool ids_valid;                    // no tree element was added since ids were given out
  uint64_t hash_tree;                // of the signature's text up to the end of the tree
  ct_SensorsRead sensors_read;
  ct_IndentedLines* lines;  // or NULL
  bool hashes_valid;        // those of the bodies are up to date
  ct_Body* last_changed;    // the body that the last new element went into
  bool loading;             // a reader is at work: signatures wait until ct_spec_changed
  bool warning;             // the message is a warning of a successful compilation
  char message[500];
};

// From public to private and back

static inline ct_Spec* ct_spec(const mjSpec* s) {
  return (ct_Spec*)s;
}

static inline ct_Element* ct_element(const mjsElement* handle) {
  return (ct_Element*)handle;
}

static inline ct_Body* ct_body(const mjsBody* body) {
  return (ct_Body*)body->element;
}

// Public struct of an element; which one, e->kind->type tells.
#define CT_VALUES(type_, element_) ((type_*)(element_)->values)

static inline mjtObj ct_type(const ct_Element* e) {
  return e->handle.elemtype;
}

static inline const char* ct_name(const ct_Element* e) {
  return ct_string_get(&e->name);
}

// NULL where a function of the public interface needs something, and has nothing to say so by but a
// warning.
static inline bool ct_is_null(const void* argument, const char* function, const char* what) {
  if (!argument) mju_warning("%s: the %s is NULL", function, what);
  return !argument;
}

// The string or vector behind a field of a public struct.
static inline ct_String* ct_str(const mjString* field) {
  return (ct_String*)(uintptr_t)field;
}
static inline const char* ct_text(const mjString* field) {
  return ct_string_get((const ct_String*)field);
}
static inline const ct_Vector* ct_vec(const void* field) {
  return (const ct_Vector*)field;
}
static inline const double* ct_doubles(const mjDoubleVec* field, int* count) {
  const ct_Vector* v = (const ct_Vector*)field;
  *count = (int)ct_vector_count(v, sizeof(double));
  return (const double*)(const void*)v->begin;
}
static inline const float* ct_floats(const mjFloatVec* field, int* count) {
  const ct_Vector* v = (const ct_Vector*)field;
  *count = (int)ct_vector_count(v, sizeof(float));
  return (const float*)(const void*)v->begin;
}
static inline const int* ct_ints(const mjIntVec* field, int* count) {
  const ct_Vector* v = (const ct_Vector*)field;
  *count = (int)ct_vector_count(v, sizeof(int));
  return (const int*)(const void*)v->begin;
}

// Compiler settings and folders that count for an element.
static inline const mjsCompiler* ct_settings(const ct_Element* e) {
  return &e->settings->spec.compiler;
}

// Lists

void ct_list_append(ct_List* list, ct_Element* e);  // sets e->position
void ct_list_remove(ct_List* list, ct_Element* e);  // keeps the order of the others
void ct_list_free(ct_List* list);

// Sets the positions of all elements after the items have been put into another order.
void ct_list_number(ct_List* list);

// Walking, in the order of the model

// List of a body for a type; NULL: not a type that bodies hold.
ct_List* ct_child_list(ct_Body* body, mjtObj type);

// The list that an element is in: of its body, its tendon or its spec. NULL: templates, specs, the
// world.
ct_List* ct_list_of(const ct_Element* e);

// Depth first, the world first. NULL: that was the last.
ct_Body* ct_next_body(const ct_Body* body);
ct_Body* ct_next_body_below(const ct_Body* body, const ct_Body* root);  // within a subtree

// Elements of any type, those of a body before those of its children.
ct_Element* ct_first_element(const ct_Spec* spec, mjtObj type);
ct_Element* ct_next_element(const ct_Element* e);

// The same for what is held by a body (a child, for bodies) and by the bodies below it.
ct_Element* ct_first_element_below(const ct_Body* root, mjtObj type);
ct_Element* ct_next_element_below(const ct_Element* e, const ct_Body* root);

int ct_count(const ct_Spec* spec, mjtObj type);

// Is this body, or anything held by it, below or equal to root?
bool ct_below(const ct_Element* e, const ct_Body* root);

// Making and releasing

ct_Spec* ct_spec_make(void);
void ct_spec_release(ct_Spec* spec);

// The spec keeps a reference to another one, once; parts: elements of it came by reference. Or it
// takes over the reference that the caller has.
void ct_spec_hold(ct_Spec* spec, ct_Spec* other, bool parts);
void ct_spec_take(ct_Spec* spec, ct_Spec* other);

// Did parts of the other one come to this by reference, maybe by way of a third?
bool ct_has_parts_of(const ct_Spec* spec, const ct_Spec* other);

// An empty world for a spec that has none, or whose world went to another spec.
void ct_make_world(ct_Spec* spec);

// The element, and the parts of a tendon's path with it, belongs to the lists of this spec.
void ct_element_enter(ct_Element* e, ct_Spec* spec);

// Is the element in the lists or the tree of its spec? If not, it was deleted.
bool ct_in_spec(const ct_Element* e);

// A new element with the values of a class, or the built-in ones (def NULL); in no list yet.
ct_Element* ct_element_make(ct_Spec* spec, mjtObj type, const ct_Default* def);

// A new element at the end of its list, in a body or in the spec. They are what the public mjs_add
// functions are made of. def NULL: by the rules for mjs_add.
ct_Element* ct_add_in_body(ct_Body* body, mjtObj type, const ct_Default* def);
ct_Element* ct_add_in_spec(ct_Spec* spec, mjtObj type, const ct_Default* def);

// A class below another one, with the parent's values as they are now.
ct_Default* ct_add_class(ct_Spec* spec, const char* name, ct_Default* parent);
void ct_copy_templates(ct_Default* to, const ct_Default* from);

// A part at the end of a tendon's path.
ct_Wrap* ct_add_wrap(ct_Tendon* tendon, mjtWrap type, const char* target, const char* side,
                     double number);

// A class's template for elements of a kind; NULL: it has none, or there is no class.
ct_Element* ct_template(const ct_Default* def, const ct_Kind* kind);

// Head and public struct of an element in memory that is zero, and the release of all it holds. For
// elements that are not made by ct_element_make.
void ct_element_init(ct_Element* e, const ct_Kind* kind, ct_Spec* spec, void* values);
void ct_element_clear(ct_Element* e);

// The public struct's contents: everything but its pointers, and what the pointers lead to.
void ct_values_copy(ct_Element* to, const ct_Element* from);

// Structure has changed: ids of tree elements are void, the signature is computed anew.
// While spec->loading is set the signature waits; clear it and call once at the end.
void ct_spec_changed(ct_Spec* spec, bool tree);

// The same for one element that is new at the end of its list, in time that does not grow with what
// stands before.
void ct_spec_added(ct_Element* e);

// Numbers the elements of the tree as in the model. Elements outside are numbered by their lists.
void ct_spec_number(ct_Spec* spec);

// As mjs_getId.
int ct_element_id(const ct_Element* e);

uint64_t ct_spec_signature(ct_Spec* spec);
uint64_t ct_spec_signature_from(ct_Spec* spec, ct_Element* added);  // if all but this was known

// Keeps a copy of a text as long as the spec lives (names of files for messages).
const char* ct_spec_text(ct_Spec* spec, const char* text);

// Names and classes

// First element of the type with this name in the order of the model; NULL: none.
ct_Element* ct_find(ct_Spec* spec, mjtObj type, const char* name);

// Sets a name; false if two elements of the type have the same name now. The name is set in any
// case.
bool ct_set_name(ct_Element* e, const char* name);

// The name that an asset without one has from its file: without folder and ending.
void ct_name_by_file(ct_String* name, const char* file);

// Class by name, as written (first made) and as inherited from a body or frame (last made).
ct_Default* ct_find_class(ct_Spec* spec, const char* name);
ct_Default* ct_inherited_class(ct_Spec* spec, const char* name);

// The name by which elements say their class, or, if that class was deleted, the name of the one
// that they have in its place.
const char* ct_class_that_is_left(ct_Spec* spec, const char* name);

// Plugins

bool ct_plugin_active(const ct_Spec* spec, const char* name);
void ct_plugin_activate(ct_Spec* spec, const char* name);  // by the name it is registered with

// Messages

// Keeps a message for mjs_getError. Always returns -1.
int ct_spec_error(ct_Spec* spec, const char* format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// The element's info, as the reference has it for elements from a file. Who describes an element
// prefers info that a program wrote.
void ct_set_line_info(ct_Element* e, int line);

// `file.xml:12: geom "g"`, or as much of it as is known: how messages name an element. In place of
// file and line stands what a program wrote as the element's info.
const char* ct_describe(const ct_Element* e, char* text, size_t size);

// The member `info` of an element; "" if its kind has none.
const char* ct_info(const ct_Element* e);

#endif  // CT_SPEC_SPEC_H_
