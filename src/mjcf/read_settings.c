// Settings of the whole model: compiler, option, size, visual, statistic.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/read.h"
#include "mjcf/settings_words.h"

static void note_place(ct_Reader* r, ct_Setting setting, const ct_Xml* xml, const char* attribute) {
  if (!ct_given(xml, attribute)) return;
  r->spec->setting[setting].file = xml->file->name;
  r->spec->setting[setting].line = ct_xml_line(xml, attribute);
}

// Compiler

static void read_euler_order(ct_Reader* r, const ct_Xml* xml, mjsCompiler* compiler) {
  const char* order = ct_given(xml, "eulerseq");
  if (!order) return;
  if (strlen(order) != 3)
    ct_refuse(r, xml, "eulerseq", "eulerseq needs three letters of xyzXYZ, got \"%.40s\"", order);
  memcpy(compiler->eulerseq, order, 3);
}

static void read_folders(const ct_Xml* xml, mjsCompiler* compiler) {
  const char* assetdir = ct_given(xml, "assetdir");
  const char* meshdir = ct_given(xml, "meshdir");
  const char* texturedir = ct_given(xml, "texturedir");
  if (!meshdir) meshdir = assetdir;
  if (!texturedir) texturedir = assetdir;
  if (meshdir) mjs_setString(compiler->meshdir, meshdir);
  if (texturedir) mjs_setString(compiler->texturedir, texturedir);
}

// The class that all others start from says how meshes that say nothing get their inertia.
static void read_mesh_inertia(ct_Reader* r, const ct_Xml* xml) {
  int exact;
  if (!ct_read_word(r, xml, "exactmeshinertia", "truth", &exact)) return;
  const ct_Default* main_class = (const ct_Default*)r->spec->defaults.item[0];
  mjsMesh* mesh = CT_VALUES(mjsMesh, ct_template(main_class, ct_kind(mjOBJ_MESH)));
  mesh->inertia = exact ? mjMESH_INERTIA_EXACT : mjMESH_INERTIA_LEGACY;
}

void ct_read_compiler(ct_Reader* r, const ct_Xml* section) {
  mjSpec* spec = &r->spec->spec;
  int value;
  ct_read_rows(r, section, &spec->compiler);
  if (ct_read_word(r, section, "strippath", "truth", &value)) spec->strippath = (mjtByte)value;
  if (ct_read_word(r, section, "coordinate", "coordinate", &value) && value) {
    ct_refuse(r, section, "coordinate",
              "global coordinates are no longer possible; poses are relative to the parent");
  }
  read_euler_order(r, section, &spec->compiler);
  read_folders(section, &spec->compiler);
  read_mesh_inertia(r, section);

  // one that came through an include counts as not there
  const ct_Xml* lengthrange = ct_first_child(section, "lengthrange");
  if (lengthrange && lengthrange->file == section->file)
    ct_read_rows(r, lengthrange, &spec->compiler.LRopt);
}

// Option

const char* const ct_disable_flags[mjNDISABLE] = {
    "constraint", "equality",  "frictionloss", "limit",        "contact",   "spring",  "damper",
    "gravity",    "clampctrl", "warmstart",    "filterparent", "actuation", "refsafe", "sensor",
    "midphase",   "eulerdamp", "autoreset",    "nativeccd",    "island",
};
const char* const ct_enable_flags[mjNENABLE] = {"override",    "energy",   "fwdinv",
                                                "invdiscrete", "multiccd", "sleep"};

// Sets bits where the word equals `set`, and clears them where it does not.
static void read_flags(ct_Reader* r, const ct_Xml* xml, const char* const* name, int n, int set,
                       int* bits) {
  for (int i = 0; i < n; i++) {
    int value;
    if (!ct_read_word(r, xml, name[i], "switch", &value)) continue;
    *bits = value == set ? *bits | 1 << i : *bits & ~(1 << i);
  }
}

static void read_disabled_groups(ct_Reader* r, const ct_Xml* xml, mjOption* option) {
  int group[31];
  int n = ct_read_ints(r, xml, "actuatorgroupdisable", group, 1, 31);
  for (int i = 0; i < n; i++) {
    if (group[i] < 0 || group[i] > 30) {
      ct_refuse(r, xml, "actuatorgroupdisable",
                "groups of actuators that can be disabled are 0 to 30, got %d", group[i]);
    }
    option->disableactuator |= 1 << group[i];
  }
}

void ct_read_option(ct_Reader* r, const ct_Xml* section) {
  mjOption* option = &r->spec->spec.option;
  note_place(r, CT_SETTING_TIMESTEP, section, "timestep");
  ct_read_rows(r, section, option);
  read_disabled_groups(r, section, option);
  const ct_Xml* flag = ct_first_child(section, "flag");
  if (!flag || flag->file != section->file) return;
  read_flags(r, flag, ct_disable_flags, mjNDISABLE, 0, &option->disableflags);
  read_flags(r, flag, ct_enable_flags, mjNENABLE, 1, &option->enableflags);
}

// Size

CT_MJCF_NORETURN static void refuse_memory(ct_Reader* r, const ct_Xml* xml, const char* text) {
  ct_refuse(r, xml, "memory",
            "memory is \"%.40s\"; it takes bytes, with one letter of KMGTPE if you like, or -1",
            text);
}

// Bytes with a suffix, or -1.
static mjtSize memory_size(ct_Reader* r, const ct_Xml* xml, const char* text) {
  int n;
  char** words = ct_split(r, text, &n);
  if (n != 1) refuse_memory(r, xml, text);
  const char* word = words[0];
  if (!strcmp(word, "-1")) return -1;
  if (*word == '+') word++;
  if (*word < '0' || *word > '9') refuse_memory(r, xml, text);
  char* end;
  errno = 0;
  unsigned long long bytes = strtoull(word, &end, 10);
  if (errno) refuse_memory(r, xml, text);
  static const char suffixes[] = "kKmMgGtTpPeE";
  const char* suffix = *end ? strchr(suffixes, *end) : NULL;
  if (*end && (!suffix || end[1])) refuse_memory(r, xml, text);
  int shift = suffix ? 10 * (1 + (int)(suffix - suffixes) / 2) : 0;
  if (bytes > (~0ull >> shift)) {
    ct_refuse(r, xml, "memory", "memory is \"%.40s\", more than any machine has", text);
  }
  return (mjtSize)(bytes << shift);
}

enum { MOST_USER_NUMBERS = 100000000 };  // of one element

// A size of -1 or more.
static void read_count(ct_Reader* r, const ct_Xml* xml, const char* name, int* count) {
  int value;
  if (!ct_read_int(r, xml, name, &value)) return;
  if (value < -1)
    ct_refuse(r, xml, name, "%s is %d; it can be -1 (as needed) or more", name, value);
  if (value > MOST_USER_NUMBERS && strcmp(name, "nconmax") != 0)
    ct_refuse(r, xml, name, "%s is %d, more than the %d that are possible", name, value,
              (int)MOST_USER_NUMBERS);
  *count = value;
}

static void read_user_sizes(ct_Reader* r, const ct_Xml* xml, mjSpec* spec) {
  read_count(r, xml, "nuser_body", &spec->nuser_body);
  read_count(r, xml, "nuser_jnt", &spec->nuser_jnt);
  read_count(r, xml, "nuser_geom", &spec->nuser_geom);
  read_count(r, xml, "nuser_site", &spec->nuser_site);
  read_count(r, xml, "nuser_cam", &spec->nuser_cam);
  read_count(r, xml, "nuser_tendon", &spec->nuser_tendon);
  read_count(r, xml, "nuser_actuator", &spec->nuser_actuator);
  read_count(r, xml, "nuser_sensor", &spec->nuser_sensor);
  read_count(r, xml, "nconmax", &spec->nconmax);
}

void ct_read_size(ct_Reader* r, const ct_Xml* section) {
  mjSpec* spec = &r->spec->spec;
  note_place(r, CT_SETTING_MEMORY, section, "memory");
  note_place(r, CT_SETTING_NUSERDATA, section, "nuserdata");
  note_place(r, CT_SETTING_NKEY, section, "nkey");
  const char* memory = ct_given(section, "memory");
  if (memory) {
    mjtSize bytes = memory_size(r, section, memory);
    if (bytes != -1) spec->memory = bytes;
  }
  ct_read_rows(r, section, spec);
  read_user_sizes(r, section, spec);
  ct_read_int(r, section, "nuserdata", &spec->nuserdata);
  ct_read_int(r, section, "nkey", &spec->nkey);
  if (spec->memory != -1 && (spec->njmax != -1 || spec->nstack != -1)) {
    ct_refuse(r, section, NULL,
              "memory cannot be combined with njmax or nstack, which are older ways to say it");
  }
}

// Visual, statistic

// A number that must be positive, put where it belongs afterwards.
static bool read_positive(ct_Reader* r, const ct_Xml* xml, const char* name, float* result) {
  if (!ct_read_floats(r, xml, name, result, 1, 1)) return false;
  if (*result <= 0) ct_refuse(r, xml, name, "%s is %g; it must be positive", name, (double)*result);
  return true;
}

void ct_read_visual(ct_Reader* r, const ct_Xml* section) {
  mjVisual* visual = &r->spec->spec.visual;
  for (const ct_Xml* xml = section->first; xml; xml = xml->next) {
    float number;
    ct_read_rows(r, xml, visual);
    if (!strcmp(xml->name, "global") && read_positive(r, xml, "realtime", &number))
      visual->global.realtime = number;
    if (!strcmp(xml->name, "map") && read_positive(r, xml, "znear", &number))
      visual->map.znear = number;
  }
}

void ct_read_statistic(ct_Reader* r, const ct_Xml* section) {
  mjStatistic* stat = &r->spec->spec.stat;
  ct_read_rows(r, section, stat);
  double extent;
  if (!ct_read_real(r, section, "extent", &extent)) return;
  if (extent <= 0) ct_refuse(r, section, "extent", "extent is %g; it must be positive", extent);
  stat->extent = (mjtNum)extent;
}
