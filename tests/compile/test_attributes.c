// R30.1: models/ uses all of MJCF. Every element of the schema stands in some model, and every
// attribute is set to something that matters: without it the model compiles to something else, or
// not at all. An attribute that says the default, or that something else overrules, does not count.
//
// An attribute that the table reads (ROW) is wanted once per set, since the reader treats all
// elements of a set alike; one that code reads (OTHER) is wanted in every element that has it. The
// schema itself says what is excepted: elements "not part of this version" are refused, and
// attributes that end in ~ need only be there, since they change nothing. tests/compile/models/ has
// what models/ cannot have, since the reference loads those too: plugins, which this test
// registers, and corten's own attributes.

#include <dirent.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/read.h"
#include "support/fail.h"
#include "support/idle_plugin.h"

// What is wanted

enum { MOST = 4096 };

typedef struct {
  const ct_Rule* rule;  // NULL: any element of the set
  const ct_Attribute* attribute;
  bool set;      // in some model
  bool matters;  // and to some effect
} Wanted;

static Wanted wanted[MOST];
static int nwanted;
static bool seen[MOST];  // elements, in the order of the table

static bool is_refused(const ct_Rule* rule) {
  for (; rule; rule = rule->parent) {
    if (strstr(rule->doc, "not part of this version")) return true;
  }
  return false;
}

static Wanted* find_wanted(const ct_Rule* rule, const ct_Attribute* attribute) {
  if (attribute->kind != CT_VALUE_OTHER) rule = NULL;
  for (int i = 0; i < nwanted; i++) {
    if (wanted[i].rule == rule && wanted[i].attribute == attribute) return &wanted[i];
  }
  return NULL;
}

static void list_wanted(void) {
  int n;
  const ct_Rule* rule = ct_rules(&n);
  assert_true(n < MOST);
  for (int i = 0; i < n; i++) {
    if (is_refused(&rule[i])) continue;
    for (int k = 0; k < rule[i].nallowed; k++) {
      const ct_Attribute* a = rule[i].allowed[k].attribute;
      if (find_wanted(&rule[i], a)) continue;
      assert_true(nwanted < MOST);
      Wanted w = {a->kind == CT_VALUE_OTHER ? &rule[i] : NULL, a, false, false};
      wanted[nwanted++] = w;
    }
  }
}

// What a file compiles to

typedef struct {
  mjSpec* spec;  // NULL: refused
  char* bytes;   // the compiled model, as it is saved
  size_t size;
} Result;

static Result compile_file(const char* path, const mjVFS* vfs) {
  char error[1000];
  Result result = {mj_parseXML(path, vfs, error, sizeof(error)), NULL, 0};
  mjModel* m = result.spec ? mj_compile(result.spec, vfs) : NULL;
  if (m) {
    result.size = (size_t)mj_sizeModel(m);
    result.bytes = (char*)malloc(result.size);
    mj_saveModel(m, NULL, result.bytes, (int)result.size);
    mj_deleteModel(m);
  }
  return result;
}

static void free_result(Result* result) {
  if (result->spec) mj_deleteSpec(result->spec);
  free(result->bytes);
}

// Some settings are for the spec alone: they say how models are compiled and written.
static bool differs(const Result* a, const Result* b, const ct_Attribute* attribute) {
  if (!a->bytes || !b->bytes) return a->bytes != b->bytes;
  if (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0) return true;
  if (strcmp(attribute->set, "compiler") || attribute->kind == CT_VALUE_OTHER) return false;
  const char* setting = (const char*)&a->spec->compiler + attribute->offset;
  return memcmp(setting, (const char*)&b->spec->compiler + attribute->offset, attribute->size) != 0;
}

// Leaving attributes out

// Position and length of ` name="value"` in the tag that starts at `tag`.
static const char* find_in_tag(const char* tag, const char* name, size_t* length) {
  size_t n = strlen(name);
  for (const char* p = tag; *p && *p != '>'; p++) {
    if (*p == '"' || *p == '\'') {
      p = strchr(p + 1, *p);
    } else if (strchr(" \t\r\n", *p) && !strncmp(p + 1, name, n) && strchr(" =", p[1 + n])) {
      const char* open = p + strcspn(p, "\"'");
      *length = (size_t)(strchr(open + 1, *open) + 1 - p);
      return p;
    }
  }
  return NULL;
}

static char* read_whole(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) fail_msg("%s: cannot be opened", path);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char* text = (char*)calloc(size + 1, 1);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  return text;
}

// The place of an attribute in the text: in the first tag of the element's name, from its line on,
// that says the same.
static char* find_attribute(char* text, const ct_Xml* xml, const char* name, size_t* length) {
  for (int line = 1; line < xml->line; line++) text = strchr(text, '\n') + 1;
  const char* value = ct_xml_value(xml, name);
  for (char* tag = strchr(text, '<'); tag; tag = strchr(tag + 1, '<')) {
    if (strncmp(tag + 1, xml->name, strlen(xml->name))) continue;
    const char* place = find_in_tag(tag, name, length);
    const char* said = place ? place + strcspn(place, "\"'") + 1 : "";
    if (place && !strncmp(said, value, strlen(value))) return tag + (place - tag);
  }
  return NULL;
}

// What the model is if one attribute of one of its files is left out.
static Result compile_without(const char* path, const ct_Xml* xml, const char* name) {
  size_t length = 0;
  char* text = read_whole(xml->file->name);
  char* place = find_attribute(text, xml, name, &length);
  if (!place) fail_msg("%s:%d: %s is not in the tag", xml->file->name, xml->line, name);
  memset(place, ' ', length);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, xml->file->name, text, (int)strlen(text));
  Result result = compile_file(path, &vfs);
  mj_deleteVFS(&vfs);
  free(text);
  return result;
}

// The walk

typedef struct {
  const char* path;
  Result whole;
} Model;

static void try_attribute(const Model* model, const ct_Xml* xml, bool idle, Wanted* w) {
  w->set = true;
  w->matters = idle;
  if (w->matters) return;
  Result without = compile_without(model->path, xml, w->attribute->name);
  w->matters = differs(&model->whole, &without, w->attribute);
  free_result(&without);
}

static void walk(const Model* model, const ct_Xml* xml) {
  if (xml->rule) seen[xml->rule - ct_schema()] = true;
  for (int i = 0; xml->rule && i < xml->nattribute; i++) {
    const ct_Allowed* allowed = ct_rule_attribute(xml->rule, xml->attribute[i].name);
    Wanted* w = allowed ? find_wanted(xml->rule, allowed->attribute) : NULL;
    if (w && !w->matters) try_attribute(model, xml, allowed->idle, w);
  }
  for (const ct_Xml* child = xml->first; child; child = child->next) walk(model, child);
}

// The elements of a file with those it includes, by the reader's own steps.
static const ct_Xml* read_tree(ct_Reader* r, const char* path) {
  ct_Text text;
  char why[200];
  int line;
  r->spec = ct_spec_make();
  r->meshdir = r->texturedir = r->assetdir = "";
  if (!ct_read_text(r, "", path, &text)) fail_msg("%s: %s", path, r->message);
  r->directory = text.directory;
  if (!ct_xml_read(&r->pool, text.name, text.text, text.length, &r->document, why, sizeof(why),
                   &line))
    fail_msg("%s:%d: %s", path, line, why);
  ct_Xml* root = r->document.root;
  ((ct_XmlFile*)(uintptr_t)root->file)->name = ct_spec_text(r->spec, text.name);
  ct_expand_includes(r, root, path);
  ct_check_tree(r, root);
  return root;
}

// Models that this version refuses show nothing.
static void walk_model(const char* path) {
  jmp_buf out;
  ct_Reader r = {0};
  r.out = &out;
  if (setjmp(out)) fail_msg("%s", r.message);
  Model model = {path, compile_file(path, NULL)};
  if (model.whole.bytes) walk(&model, read_tree(&r, path));
  free_result(&model.whole);
  if (r.spec) ct_spec_release(r.spec);
  ct_pool_free(&r.pool);
}

static void walk_folder(const char* folder) {
  DIR* entries = opendir(folder);
  assert_non_null(entries);
  for (struct dirent* entry; (entry = readdir(entries));) {
    char path[1024];
    const char* dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".xml") != 0) continue;
    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    walk_model(path);
  }
  closedir(entries);
}

// Tests

static void R30_1_every_element_stands_in_some_model(void** state) {
  (void)state;
  int n, missing = 0;
  const ct_Rule* rule = ct_rules(&n);
  for (int i = 0; i < n; i++) {
    if (seen[i] || is_refused(&rule[i])) continue;
    missing++;
    print_message("no model has %s in %s\n", rule[i].name, rule[i].parent->name);
  }
  assert_int_equal(missing, 0);
}

static void R30_1_every_attribute_matters_in_some_model(void** state) {
  (void)state;
  int missing = 0;
  for (int i = 0; i < nwanted; i++) {
    const Wanted* w = &wanted[i];
    if (w->matters) continue;
    missing++;
    const char* how = w->set ? "only without effect" : "in no model";
    const ct_Rule* up = w->rule ? w->rule->parent : NULL;
    if (up) {
      print_message("%s of %s in %s is set %s\n", w->attribute->name, w->rule->name, up->name, how);
    } else {
      print_message("%s of %s is set %s\n", w->attribute->name, w->attribute->set, how);
    }
  }
  print_message("%d of %d attributes matter\n", nwanted - missing, nwanted);
  assert_int_equal(missing, 0);
}

static int reading_size(const mjModel* m, int instance, int sensor_id) {
  (void)m;
  (void)instance;
  (void)sensor_id;
  return 2;
}

static mjtNum distance(const mjtNum point[3], const mjData* d, int instance) {
  (void)d;
  (void)instance;
  return mju_norm3(point) - 1;
}

static void gradient(mjtNum result[3], const mjtNum point[3], const mjData* d, int instance) {
  (void)d;
  (void)instance;
  mju_copy3(result, point);
}

// The field of a mesh: a ball whose radius is "width", in the box around the largest one.
static mjtNum static_distance(const mjtNum point[3], const mjtNum* attributes) {
  return mju_norm3(point) - attributes[1];
}

static void read_attributes(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  attribute[0] = 0;
  attribute[1] = value[1] && value[1][0] ? (mjtNum)atof(value[1]) : (mjtNum)0.2;
}

static void bounds(mjtNum aabb[6], const mjtNum* attributes) {
  (void)attributes;
  for (int i = 0; i < 6; i++) aabb[i] = i < 3 ? 0 : (mjtNum)0.5;
}

// Plugins that can be used for everything and do nothing.
static void register_plugin(const char* name) {
  static const char* const attributes[] = {"gain", "width"};
  mjpPlugin plugin;
  make_idle_plugin(&plugin, name, attributes, 2,
                   mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE | mjPLUGIN_SDF);
  plugin.nsensordata = reading_size;
  plugin.sdf_distance = distance;
  plugin.sdf_gradient = gradient;
  plugin.sdf_staticdistance = static_distance;
  plugin.sdf_attribute = read_attributes;
  plugin.sdf_aabb = bounds;
  assert_true(mjp_registerPlugin(&plugin) >= 0);
}

static int walk_models(void** state) {
  (void)state;
  register_plugin("test.one");
  register_plugin("test.other");
  register_plugin("mujoco.elasticity.cable");  // the one that cables take
  list_wanted();
  walk_folder(CT_SOURCE_DIR "/tests/compile/models");
  walk_folder(CT_SOURCE_DIR "/models");
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(R30_1_every_element_stands_in_some_model),
      cmocka_unit_test(R30_1_every_attribute_matters_in_some_model),
  };
  return cmocka_run_group_tests(tests, walk_models, NULL);
}
