// Writing MJCF: a spec that has been compiled as a text.
//
// The text is made as a tree of tags in the memory of a pool, so that what turns out empty can be
// left out, and is printed in one go (tags.c). Values come from the compiled layer of the spec
// (spec/compiled.h); which of them are written, in which order and form, stands in schema/mjcf.def
// (WRITE) and is carried out by attributes.c. The sections are written one file per noun.

#ifndef CT_MJCF_WRITE_WRITE_H_
#define CT_MJCF_WRITE_WRITE_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "spec/compiled.h"
#include "spec/spec.h"

// Tags (tags.c)

typedef struct ct_TagValue_ {
  const char *name, *value;
  struct ct_TagValue_* next;
} ct_TagValue;

typedef struct ct_Tag_ {
  const char* name;  // NULL: a comment, whose text is in `comment`
  const char* comment;
  ct_TagValue *first_value, *last_value;
  struct ct_Tag_ *parent, *first, *last, *before, *next;
} ct_Tag;

typedef struct ct_Writer_ {
  ct_Pool pool;
  ct_Spec* spec;
  const ct_CompiledWhole* whole;
  int digits;         // significant ones of numbers
  bool keep_all;      // what the reference loses is written, too: see ct_save_whole
  bool name_folders;  // of files, because attached specs have others
} ct_Writer;

// A new tag at the end of another's children; parent NULL: the root.
ct_Tag* ct_tag(ct_Writer* w, ct_Tag* parent, const char* name);
void ct_tag_comment(ct_Writer* w, ct_Tag* parent, const char* text);

// Takes the last child away again if nothing is in it. true: it was.
bool ct_drop_if_empty(ct_Tag* tag);

// The text of a tree, as a text of *length bytes and a zero behind them, made with mju_malloc;
// NULL: there is no memory for it.
char* ct_print_tags(const ct_Tag* root, size_t* length);

// Attributes (attributes.c)

// Always; the value is copied.
void ct_put(ct_Writer* w, ct_Tag* tag, const char* name, const char* value);

// If it is not empty.
void ct_put_text(ct_Writer* w, ct_Tag* tag, const char* name, const mjString* text);

void ct_put_int(ct_Writer* w, ct_Tag* tag, const char* name, int value);  // always
void ct_put_int_unless(ct_Writer* w, ct_Tag* tag, const char* name, int value, int otherwise);

// The word of a table for a value, unless it is the one that needs no word. A value without word
// writes nothing.
void ct_put_word(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, int value);
void ct_put_word_unless(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, int value,
                        int otherwise);

// The words of a table whose bits are set, in its order.
void ct_put_words(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, unsigned bits);

// Numbers, unless one is NaN or all equal the defaults (NULL: always).
void ct_put_reals(ct_Writer* w, ct_Tag* tag, const char* name, const double* value, int count,
                  const double* otherwise);
void ct_put_floats(ct_Writer* w, ct_Tag* tag, const char* name, const float* value, int count,
                   const float* otherwise);
void ct_put_quat(ct_Writer* w, ct_Tag* tag, const double quat[4]);  // unless it is the unit

// Long lists, in the form that they have: numbers with 6 digits, never as integers. Nothing if the
// list is empty.
void ct_put_float_list(ct_Writer* w, ct_Tag* tag, const char* name, const float* value, int count);
void ct_put_real_list(ct_Writer* w, ct_Tag* tag, const char* name, const double* value, int count);
void ct_put_int_list(ct_Writer* w, ct_Tag* tag, const char* name, const int* value, int count);

// A list of the schema: members of `values` that differ from those of `otherwise`.
void ct_put_rows(ct_Writer* w, ct_Tag* tag, const char* list, const void* values,
                 const void* otherwise);

// User numbers: nuser of them, if any differs from the class's.
void ct_put_user(ct_Writer* w, ct_Tag* tag, const double* user, int count, const double* otherwise,
                 int nother, int nuser);

// A file of an asset, with its folder if files come from several (write_asset.c).
void ct_put_file(ct_Writer* w, ct_Tag* tag, const char* name, const ct_Element* e, const char* file,
                 const char* folder);

// Elements (write_default.c, write_custom.c)

// What an element's values are compared with: the template of its class.
const void* ct_class_values(const ct_Writer* w, const ct_Element* e);

// `class`, unless it is main or the one in force.
void ct_put_class(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const char* in_force);

// Reference to a plugin: attributes and config children of a tag.
void ct_put_plugin(ct_Writer* w, ct_Tag* tag, const mjsPlugin* plugin);

// User numbers of an element and of its class.
void ct_put_element_user(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjDoubleVec* user,
                         const mjDoubleVec* otherwise, int nuser);

// Elements that are also templates of classes: what stands in both places. Without `in_class`
// also what only elements have.
void ct_write_joint(ct_Writer* w, ct_Tag* tag, const mjsJoint* v, const mjsJoint* d, bool in_class);
void ct_write_geom(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsGeom* v,
                   const mjsGeom* d, bool in_class);
void ct_write_site(ct_Writer* w, ct_Tag* tag, const mjsSite* v, const mjsSite* d, bool in_class);
void ct_write_camera(ct_Writer* w, ct_Tag* tag, const mjsCamera* v, const mjsCamera* d,
                     bool in_class);
void ct_write_light(ct_Writer* w, ct_Tag* tag, const mjsLight* v, const mjsLight* d, bool in_class);
void ct_write_mesh(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsMesh* v,
                   const mjsMesh* d, bool in_class);
void ct_write_material(ct_Writer* w, ct_Tag* tag, const mjsMaterial* v, const mjsMaterial* d);
void ct_write_tendon(ct_Writer* w, ct_Tag* tag, const mjsTendon* v, const mjsTendon* d,
                     bool spatial);
void ct_write_actuator(ct_Writer* w, ct_Tag* tag, const mjsActuator* v, const mjsActuator* d,
                       bool in_class);

void ct_write_flex(ct_Writer* w, ct_Tag* section, const ct_Element* e);

// Sections

void ct_write_settings(ct_Writer* w, ct_Tag* root);  // compiler, option, size, visual, statistic
void ct_write_defaults(ct_Writer* w, ct_Tag* root);
void ct_write_extension(ct_Writer* w, ct_Tag* root);
void ct_write_custom(ct_Writer* w, ct_Tag* root);
void ct_write_assets(ct_Writer* w, ct_Tag* root);
void ct_write_worldbody(ct_Writer* w, ct_Tag* root);
void ct_write_contact(ct_Writer* w, ct_Tag* root);
void ct_write_deformable(ct_Writer* w, ct_Tag* root);
void ct_write_equality(ct_Writer* w, ct_Tag* root);
void ct_write_tendons(ct_Writer* w, ct_Tag* root);
void ct_write_actuators(ct_Writer* w, ct_Tag* root);
void ct_write_sensors(ct_Writer* w, ct_Tag* root);
void ct_write_keyframe(ct_Writer* w, ct_Tag* root);

#endif  // CT_MJCF_WRITE_WRITE_H_
