// Reading MJCF: the reader that all parts share, and what they call each other by.
//
// A file becomes a tree of elements (xml.h), includes are put in place (files.c), the tree is
// checked against the schema (check_tree.c), and the sections fill a spec in a fixed order
// (read.c), one file per noun. A mistake ends the reading by ct_refuse, from anywhere. Memory is
// the reader's pool or the spec's, so nothing leaks.
//
// When a file is only checked (ct_check_mjcf), ct_refuse reports the mistake and ends the reading
// of one element, by the innermost ct_guarded; an attribute whose value is refused counts as not
// given, and its element is read on.

#ifndef CT_MJCF_READ_H_
#define CT_MJCF_READ_H_

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdbool.h>

#include "base/dictionary.h"
#include "base/pool.h"
#include "mjcf/schema.h"
#include "mjcf/xml.h"
#include "spec/spec.h"

#ifdef __GNUC__
#define CT_MJCF_NORETURN __attribute__((noreturn))
#define CT_MJCF_PRINTF(format_, values_) __attribute__((format(printf, format_, values_)))
#else
#define CT_MJCF_NORETURN
#define CT_MJCF_PRINTF(format_, values_)
#endif

typedef struct ct_Reader_ {
  ct_Pool pool;
  ct_Spec* spec;
  const mjVFS* vfs;
  const char* directory;  // of the model file, up to the last separator
  ct_XmlDocument document;

  // folders that compiler elements name anywhere in the file
  const char *meshdir, *texturedir, *assetdir;

  // files.c
  ct_Dictionary included;           // names of files that may not be included again
  ct_Dictionary assets;             // model assets by name
  int models;                       // model assets inside each other
  const char* model;                // the file of this one; NULL: a text
  const struct ct_Reader_* around;  // reads the file that this one is a model asset of
  int copies;                       // elements that replicate has made so far

  jmp_buf* out;  // where ct_refuse goes
  bool check;    // report all mistakes
  int nmistake;
  void (*report)(void* arg, const char* message);
  void* report_arg;
  const ct_Xml* told_of;  // the element that the last mistakes were about,
  struct ct_Told_* told;  // and what was said about it
  const ct_Xml* nan;      // the first element with a number that is NaN
  char message[1000];
} ct_Reader;

// Where in the tree an element is read.
typedef struct ct_Scope_ {
  ct_Body* body;
  ct_Element* frame;       // or NULL
  const char* class_name;  // default class of elements that name none
} ct_Scope;

// Mistakes

// `file.xml:41: joint "knee": ` and the message. attribute NULL: at the element's own line.
CT_MJCF_NORETURN void ct_refuse(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                                const char* format, ...) CT_MJCF_PRINTF(4, 5);

// The same without giving up; returns only when a file is checked.
void ct_mistake(ct_Reader* r, const ct_Xml* xml, const char* attribute, const char* format, ...)
    CT_MJCF_PRINTF(4, 5);

// Warns of something that is allowed.
void ct_caution(const ct_Xml* xml, const char* message);

// Calls read(r, xml, arg). When a file is checked, a mistake inside ends this call only.
typedef void (*ct_ReadElement)(ct_Reader* r, const ct_Xml* xml, void* arg);
void ct_guarded(ct_Reader* r, ct_ReadElement read, const ct_Xml* xml, void* arg);

// Values (values.c)

// Sets the members of a public struct by all attributes for which the schema has a row.
void ct_read_rows(ct_Reader* r, const ct_Xml* xml, void* values);

// One attribute that needs code. true: it is there, and was put into the result. Numbers: at least
// min and at most max; returns how many.
int ct_read_reals(ct_Reader* r, const ct_Xml* xml, const char* name, double* result, int min,
                  int max);
int ct_read_floats(ct_Reader* r, const ct_Xml* xml, const char* name, float* result, int min,
                   int max);
int ct_read_ints(ct_Reader* r, const ct_Xml* xml, const char* name, int* result, int min, int max);
bool ct_read_real(ct_Reader* r, const ct_Xml* xml, const char* name, double* result);
bool ct_read_int(ct_Reader* r, const ct_Xml* xml, const char* name, int* result);
bool ct_read_word(ct_Reader* r, const ct_Xml* xml, const char* name, const char* words,
                  int* result);

// Any number of values, in the pool; NULL: not given.
double* ct_read_all_reals(ct_Reader* r, const ct_Xml* xml, const char* name, int* count);
float* ct_read_all_floats(ct_Reader* r, const ct_Xml* xml, const char* name, int* count);
int* ct_read_all_ints(ct_Reader* r, const ct_Xml* xml, const char* name, int* count);

// The words of a list: a bit for each, in the order of the table. *in_order: as in the table.
unsigned ct_read_word_list(ct_Reader* r, const ct_Xml* xml, const char* name, const char* words,
                           bool* in_order);

// The words of a table for a message, in the pool: "a, b" + last + "c".
const char* ct_list_words(ct_Reader* r, const char* words, const char* last);

// A text split at blanks, in the pool.
char** ct_split(ct_Reader* r, const char* text, int* count);

// Text of an attribute, or NULL.
static inline const char* ct_given(const ct_Xml* xml, const char* name) {
  return ct_xml_value(xml, name);
}

// Text of an attribute; a mistake if it is not there.
const char* ct_required(ct_Reader* r, const ct_Xml* xml, const char* name);

// Attributes that must be there, by the schema.
void ct_require(ct_Reader* r, const ct_Xml* xml);

// Elements (element.c)

// Name and origin of a new element.
void ct_named(ct_Reader* r, const ct_Xml* xml, ct_Element* e);

// Class that an element names, or def.
const ct_Default* ct_class_of(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                              const ct_Default* def);

// A new element outside the tree, of the class that it names, with name and rows.
ct_Element* ct_read_element(ct_Reader* r, const ct_Xml* xml, mjtObj type);

// A new element of the tree, likewise.
ct_Element* ct_read_tree_element(ct_Reader* r, const ct_Xml* xml, mjtObj type,
                                 const ct_Scope* scope);

// Files (files.c)

typedef struct ct_Text_ {
  const char* text;  // with a zero behind it
  size_t length;
  const char* name;       // as it was opened
  const char* directory;  // up to the last separator
} ct_Text;

// Reads a file, found as mju_openResource does. false: r->message says why not.
bool ct_read_text(ct_Reader* r, const char* directory, const char* name, ct_Text* text);

// Puts the content of included files in the place of include elements, and notes the folders that
// compiler elements name on the way.
void ct_expand_includes(ct_Reader* r, ct_Xml* root, const char* file);

// Name of a file for the spec: as given if it is found in the folder, else seen from the included
// file that names it. NULL: not given.
const char* ct_file_name(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                         const char* folder);

char* ct_join(ct_Reader* r, const char* directory, const char* name);  // in the pool

// Checking (check.c)

void ct_check_tree(ct_Reader* r, ct_Xml* root);

// Sections, in the order of reading

void ct_read_compiler(ct_Reader* r, const ct_Xml* section);
void ct_read_option(ct_Reader* r, const ct_Xml* section);
void ct_read_size(ct_Reader* r, const ct_Xml* section);
void ct_read_visual(ct_Reader* r, const ct_Xml* section);
void ct_read_statistic(ct_Reader* r, const ct_Xml* section);
void ct_read_default(ct_Reader* r, const ct_Xml* section);
void ct_read_extension(ct_Reader* r, const ct_Xml* section);
void ct_read_custom(ct_Reader* r, const ct_Xml* section);
void ct_read_asset(ct_Reader* r, const ct_Xml* section);
void ct_read_contact(ct_Reader* r, const ct_Xml* section);
void ct_read_deformable(ct_Reader* r, const ct_Xml* section);
void ct_read_equality(ct_Reader* r, const ct_Xml* section);
void ct_read_tendon(ct_Reader* r, const ct_Xml* section);
void ct_read_actuator(ct_Reader* r, const ct_Xml* section);
void ct_read_sensor(ct_Reader* r, const ct_Xml* section);
void ct_read_keyframe(ct_Reader* r, const ct_Xml* section);
void ct_read_worldbody(ct_Reader* r, const ct_Xml* section);

// Parts of elements that stand in several places

// What rows do not say about an element that is also a template of classes.
void ct_read_geom_values(ct_Reader* r, const ct_Xml* xml, mjsGeom* geom);
void ct_read_camera_values(ct_Reader* r, const ct_Xml* xml, mjsCamera* camera);
void ct_read_light_values(ct_Reader* r, const ct_Xml* xml, mjsLight* light);
void ct_read_mesh_values(ct_Reader* r, const ct_Xml* xml, mjsMesh* mesh);
void ct_read_material_values(ct_Reader* r, const ct_Xml* xml, mjsMaterial* material);
void ct_read_tendon_values(ct_Reader* r, const ct_Xml* xml, mjsTendon* tendon);
void ct_read_actuator_values(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator);

// A flex of the deformable section.
void ct_read_flex(ct_Reader* r, const ct_Xml* xml);

// What an elasticity element says beyond the reference: a material, whose number goes to *preset,
// and how a shell bends. Other elements say nothing.
void ct_read_flex_material(ct_Reader* r, const ct_Xml* xml, mjsFlex* flex, int* preset);

// A link from an element to a plugin: a child element, or the element itself.
void ct_read_plugin(ct_Reader* r, const ct_Xml* xml, mjsPlugin* plugin);
const ct_Xml* ct_first_child(const ct_Xml* xml, const char* name);

// The tree.
void ct_read_children(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);
void ct_read_replicate(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);
void ct_read_attach(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);
void ct_read_composite(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);
void ct_read_flexcomp(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope);

// A model asset: a spec, or NULL after a mistake (r->message).
ct_Spec* ct_read_model_asset(ct_Reader* r, const ct_Xml* xml, const char* file,
                             const char* content_type);

#endif  // CT_MJCF_READ_H_
