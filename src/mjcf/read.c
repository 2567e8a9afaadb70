// Reading a model file into a spec: the order of sections, and the public functions.

#include "mjcf/read.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/resource/decoder.h"
#include "base/resource/path.h"
#include "base/resource/resource.h"
#include "mjcf/mjcf.h"
#include "mjcf/urdf.h"

// Sections

typedef struct {
  const char* name;
  void (*read)(ct_Reader* r, const ct_Xml* section);
} Section;

// Whatever their order in the file, sections are read in this one.
static const Section sections[] = {
    {"compiler", ct_read_compiler},
    {"option", ct_read_option},
    {"size", ct_read_size},
    {"visual", ct_read_visual},
    {"statistic", ct_read_statistic},
    {"default", ct_read_default},
    {"extension", ct_read_extension},
    {"custom", ct_read_custom},
    {"asset", ct_read_asset},
    {"contact", ct_read_contact},
    {"deformable", ct_read_deformable},
    {"equality", ct_read_equality},
    {"tendon", ct_read_tendon},
    {"actuator", ct_read_actuator},
    {"sensor", ct_read_sensor},
    {"keyframe", ct_read_keyframe},
    {"worldbody", ct_read_worldbody},
};

static void read_section(ct_Reader* r, const ct_Xml* xml, void* arg) {
  ((const Section*)arg)->read(r, xml);
}

static void read_sections(ct_Reader* r, const ct_Xml* root) {
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    for (const ct_Xml* xml = root->first; xml; xml = xml->next) {
      if (!strcmp(xml->name, sections[i].name))
        ct_guarded(r, read_section, xml, (void*)(uintptr_t)&sections[i]);
    }
  }
}

static void read_root(ct_Reader* r, const ct_Xml* root) {
  const char* model = ct_given(root, "model");
  if (model) mjs_setString(r->spec->spec.modelname, model);
  if (r->document.comment) mjs_setString(r->spec->spec.comment, r->document.comment);
  read_sections(r, root);
}

// A file

static void read_document(ct_Reader* r, const char* file, const ct_Text* text) {
  char why[200];
  int line;
  mjs_setString(r->spec->spec.modelfiledir, r->directory);
  if (!ct_xml_read(&r->pool, text->name, text->text, text->length, &r->document, why, sizeof(why),
                   &line)) {
    if (*text->name) ct_refuse(r, NULL, NULL, "%.400s:%d: %s", text->name, line, why);
    ct_refuse(r, NULL, NULL, "line %d: %s", line, why);
  }
  ct_Xml* root = r->document.root;
  ((ct_XmlFile*)(uintptr_t)root->file)->name = ct_spec_text(r->spec, text->name);
  r->spec->element.file = root->file->name;
  if (ct_same_text(root->name, "robot")) {
    ct_read_urdf(r, root);
    return;
  }
  if (!ct_same_text(root->name, "mujoco"))
    ct_refuse(r, root, NULL, "the root of a model is mujoco, that of URDF is robot");
  ct_expand_includes(r, root, file);
  ct_check_tree(r, root);
  read_root(r, root);
}

// Reads with the reader's pool, and with numbers as the C locale writes them.
static bool read_guarded(ct_Reader* r, const char* file, const ct_Text* text) {
  jmp_buf here;
  jmp_buf* outer = r->out;
  r->out = &here;
  bool fine = false;
  if (!setjmp(here)) {
    read_document(r, file, text);
    fine = r->nmistake == 0;
  }
  r->out = outer;
  return fine;
}

static bool read_in_c_locale(ct_Reader* r, const char* file, const ct_Text* text) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
  bool fine = read_guarded(r, file, text);
  if (c_locale) {
    uselocale(before);
    freelocale(c_locale);
  }
  return fine;
}

// The spec of a text or, after a mistake, NULL.
static ct_Spec* read_spec(ct_Reader* r, const char* file, const ct_Text* text) {
  r->directory = text->directory;
  r->meshdir = r->texturedir = r->assetdir = "";
  r->spec = ct_spec_make();
  r->spec->loading = true;
  r->spec->deep_copy = true;
  bool fine = read_in_c_locale(r, file, text);
  if (r->nan) ct_caution(r->nan, "a number is NaN");
  ct_Spec* spec = r->spec;
  spec->loading = false;
  spec->deep_copy = false;
  if (fine) {
    ct_spec_changed(spec, true);
  } else {
    ct_spec_release(spec);
    r->spec = NULL;
  }
  return fine ? spec : NULL;
}

static ct_Spec* read_file(ct_Reader* r, const char* file) {
  ct_Text text;
  r->model = file;
  if (ct_read_text(r, "", file, &text)) return read_spec(r, file, &text);
  char why[sizeof(r->message)];
  memcpy(why, r->message, sizeof(why));
  const char* missing = ct_resource_refusal("", file);
  if (missing) snprintf(why, sizeof(why), "cannot be opened: %s", missing);
  snprintf(r->message, sizeof(r->message), "%.400s: %.500s", file, why);
  r->nmistake++;
  if (r->report) r->report(r->report_arg, r->message);
  return NULL;
}

ct_Spec* ct_read_model_asset(ct_Reader* r, const ct_Xml* xml, const char* file,
                             const char* content_type) {
  enum { DEEPEST = 50 };
  if (r->models >= DEEPEST)
    ct_refuse(r, xml, "file", "more than %d models inside each other", DEEPEST);
  const char* path = ct_join(r, r->directory, file);
  if (!ct_is_xml(file, content_type)) {
    mjSpec* decoded = ct_decode(path, content_type, r->vfs);
    if (!decoded) ct_refuse(r, xml, "file", "%.200s: no decoder made a model of it", file);
    return ct_spec(decoded);
  }
  for (const ct_Reader* around = r; around; around = around->around) {
    if (around->model && !strcmp(path, around->model))
      ct_refuse(r, xml, "file", "the model %.200s would be a part of itself", file);
  }
  ct_Reader child = {0};
  child.vfs = r->vfs;
  child.models = r->models + 1;
  child.around = r;
  ct_Spec* spec = read_file(&child, path);
  ct_pool_free(&child.pool);
  if (!spec) ct_refuse(r, xml, "file", "%.600s", child.message);
  return spec;
}

// Public functions

bool ct_is_xml(const char* file, const char* content_type) {
  if (content_type && !strcmp(content_type, "text/xml")) return true;
  const char* dot = strrchr(file, '.');
  return dot && (!strcmp(dot, ".xml") || !strcmp(dot, ".urdf"));
}

static void answer(char* error, int size, const char* message) {
  if (error && size > 0) snprintf(error, (size_t)size, "%s", message);
}

static mjSpec* finish(ct_Reader* r, ct_Spec* spec, char* error, int size) {
  answer(error, size, spec ? "" : r->message);
  ct_pool_free(&r->pool);
  return spec ? &spec->spec : NULL;
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  if (!filename) {
    answer(error, error_sz, "mj_parseXML: which file? filename is NULL");
    return NULL;
  }
  ct_Reader r = {0};
  r.vfs = vfs;
  return finish(&r, read_file(&r, filename), error, error_sz);
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  if (!xml) {
    answer(error, error_sz, "mj_parseXMLString: which text? xml is NULL");
    return NULL;
  }
  ct_Reader r = {0};
  r.vfs = vfs;
  ct_Text text = {xml, strlen(xml), "", ""};
  return finish(&r, read_spec(&r, NULL, &text), error, error_sz);
}

int ct_check_mjcf(const char* file, const mjVFS* vfs,
                  void (*report)(void* arg, const char* message), void* arg) {
  ct_Reader r = {0};
  r.vfs = vfs;
  r.check = true;
  r.report = report;
  r.report_arg = arg;
  ct_Spec* spec = read_file(&r, file);
  if (spec) ct_spec_release(spec);
  ct_pool_free(&r.pool);
  return r.nmistake;
}
