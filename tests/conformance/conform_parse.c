// conform_parse: model files read by both libraries; the specs must agree.
//
//   usage: conform_parse REFERENCE_LIB CORTEN_LIB FOLDER_OR_FILE... [-v]
//
// Every file below the folders is read by both with mj_parseXML. Verdicts are compared and, where
// both accept, all elements in order: name, every byte of the public struct that is a value, every
// string and vector behind it. Settings are compared too. Prints what differs, and counts.
//
// Files that need a part of the engine that corten lacks, and says so, are counted apart. Poses of
// frames may differ by rounding: replicate turns its copies by the sine and cosine of each library
// (largest difference over the corpus: 1.1e-16).

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/two_libraries.h"
#include "spec/spec.h"

// clang-format off
#define API(X_)                                                                                   \
  X_(mj_parseXML)                                                                                 \
  X_(mj_deleteSpec)                                                                               \
  X_(mjs_firstElement)                                                                            \
  X_(mjs_nextElement)                                                                             \
  X_(mjs_getName)                                                                                 \
  X_(mjs_getParent) X_(mjs_asBody) X_(mjs_asGeom) X_(mjs_asJoint) X_(mjs_asSite) X_(mjs_asCamera) \
      X_(mjs_asLight) X_(mjs_asFrame) X_(mjs_asActuator) X_(mjs_asSensor) X_(mjs_asPair)          \
          X_(mjs_asEquality) X_(mjs_asExclude) X_(mjs_asTendon) X_(mjs_asNumeric) X_(mjs_asText)  \
              X_(mjs_asTuple) X_(mjs_asKey) X_(mjs_asMesh) X_(mjs_asHField) X_(mjs_asSkin)        \
                  X_(mjs_asTexture) X_(mjs_asMaterial) X_(mjs_getFrame)
// clang-format on

typedef struct {
#define MEMBER_(name_) __typeof__(&name_) name_;
  API(MEMBER_)
#undef MEMBER_
  __typeof__(&ct_kind) kind;
} Library;

static Library reference, corten;
static int nfile, nmissing, nverdict, ndiffer, verbose;
static const char* current;

static Library open_library(void* handle) {
  Library library;
#define FIND_(name_) library.name_ = LIBRARY_FUNCTION(handle, name_);
  API(FIND_)
#undef FIND_
  library.kind = NULL;
  return library;
}

static void differs(const char* type, const char* name, const char* what, long at) {
  ndiffer++;
  if (ndiffer < 200 || verbose) printf("%s: %s \"%s\": %s %ld\n", current, type, name, what, at);
}

// Elements

// clang-format off
static void* values_of(const Library* lib, mjsElement* e) {
  switch ((int)e->elemtype) {
#define CASE_(object_, name_) case object_: return lib->mjs_as##name_(e);
    CASE_(mjOBJ_BODY, Body)
    CASE_(mjOBJ_GEOM, Geom)
    CASE_(mjOBJ_JOINT, Joint)
    CASE_(mjOBJ_SITE, Site)
    CASE_(mjOBJ_CAMERA, Camera)
    CASE_(mjOBJ_LIGHT, Light)
    CASE_(mjOBJ_FRAME, Frame)
    CASE_(mjOBJ_ACTUATOR, Actuator)
    CASE_(mjOBJ_SENSOR, Sensor)
    CASE_(mjOBJ_PAIR, Pair)
    CASE_(mjOBJ_EQUALITY, Equality)
    CASE_(mjOBJ_EXCLUDE, Exclude)
    CASE_(mjOBJ_TENDON, Tendon)
    CASE_(mjOBJ_NUMERIC, Numeric)
    CASE_(mjOBJ_TEXT, Text)
    CASE_(mjOBJ_TUPLE, Tuple)
    CASE_(mjOBJ_KEY, Key)
    CASE_(mjOBJ_MESH, Mesh)
    CASE_(mjOBJ_HFIELD, HField)
    CASE_(mjOBJ_SKIN, Skin)
    CASE_(mjOBJ_TEXTURE, Texture)
    CASE_(mjOBJ_MATERIAL, Material)
#undef CASE_
    default: return NULL;
  }
}
// clang-format on

static bool same_string(const ct_String* a, const ct_String* b) {
  size_t n = ct_string_length(a);
  return n == ct_string_length(b) && !memcmp(ct_string_get(a), ct_string_get(b), n);
}

static bool same_bytes(const ct_Vector* a, const ct_Vector* b) {
  size_t n = (size_t)(a->end - a->begin);
  return n == (size_t)(b->end - b->begin) && (!n || !memcmp(a->begin, b->begin, n));
}

static bool same_vectors(const ct_Vector* a, const ct_Vector* b, bool strings) {
  size_t n = ct_vector_count(a, 24);
  if (n != ct_vector_count(b, 24)) return false;
  for (size_t i = 0; i < n; i++) {
    if (strings ? !same_string(ct_strings_at(a, i), ct_strings_at(b, i))
                : !same_bytes(ct_vectors_at(a, i), ct_vectors_at(b, i))) {
      return false;
    }
  }
  return true;
}

static bool same_field(ct_ContainerKind kind, const void* a, const void* b) {
  if (kind == CT_CONTAINER_STRING) return same_string((const ct_String*)a, (const ct_String*)b);
  if (kind == CT_CONTAINER_STRINGS)
    return same_vectors((const ct_Vector*)a, (const ct_Vector*)b, true);
  if (kind == CT_CONTAINER_INT_VECTORS || kind == CT_CONTAINER_FLOAT_VECTORS) {
    return same_vectors((const ct_Vector*)a, (const ct_Vector*)b, false);
  }
  return same_bytes((const ct_Vector*)a, (const ct_Vector*)b);
}

// Where a struct points at the instance of its plugin; 0: it has none.
static size_t plugin_at(mjtObj type) {
  switch ((int)type) {
    case mjOBJ_BODY:
      return offsetof(mjsBody, plugin.element);
    case mjOBJ_GEOM:
      return offsetof(mjsGeom, plugin.element);
    case mjOBJ_MESH:
      return offsetof(mjsMesh, plugin.element);
    case mjOBJ_ACTUATOR:
      return offsetof(mjsActuator, plugin.element);
    case mjOBJ_SENSOR:
      return offsetof(mjsSensor, plugin.element);
    default:
      return 0;
  }
}

// Two numbers of an element that differ in their bytes, and do not matter.
static bool same_number(mjtObj type, const char* a, const char* b) {
  double da, db;
  memcpy(&da, a, sizeof(da));
  memcpy(&db, b, sizeof(db));
  return (isnan(da) && isnan(db)) || (type == mjOBJ_FRAME && fabs(da - db) <= 1e-15);
}

static void compare_element(mjsElement* a, mjsElement* b, const char* name) {
  const ct_Kind* kind = corten.kind(a->elemtype);
  const char* va = (const char*)values_of(&reference, a);
  const char* vb = (const char*)values_of(&corten, b);
  if (!va || !vb) return;
  bool pointer[4096] = {false};
  for (size_t i = 0; i < sizeof(void*); i++) pointer[i] = true;  // the handle
  size_t last = 0;
  for (int i = 0; i < kind->nfield; i++) {
    const ct_Container* f = &kind->field[i];
    for (size_t k = 0; k < sizeof(void*); k++) pointer[f->offset + k] = true;
    if (f->offset > last) last = f->offset;
  }
  const size_t alias[3] = {kind->name_field, kind->class_field, plugin_at(a->elemtype)};
  for (int i = 0; i < 3; i++) {
    for (size_t k = 0; alias[i] && k < sizeof(void*); k++) pointer[alias[i] + k] = true;
  }
  if (kind->class_field) {
    const ct_String *ca, *cb;
    memcpy(&ca, va + kind->class_field, sizeof(ca));
    memcpy(&cb, vb + kind->class_field, sizeof(cb));
    if (!same_string(ca, cb)) differs(kind->name, name, "other class at", (long)kind->class_field);
  }
  for (int i = 0; i < kind->nfield; i++) {
    const ct_Container* f = &kind->field[i];
    if (f->offset == last) continue;  // info: where it was defined
    const void *pa, *pb;
    memcpy(&pa, va + f->offset, sizeof(pa));
    memcpy(&pb, vb + f->offset, sizeof(pb));
    if (pa && pb && !same_field(f->kind, pa, pb))
      differs(kind->name, name, "text or vector at", (long)f->offset);
  }
  for (size_t i = 0; i + 4 <= kind->size; i += 4) {
    if (pointer[i] || !memcmp(va + i, vb + i, 4)) continue;
    size_t at = i & ~(size_t)7;
    if (same_number(a->elemtype, va + at, vb + at)) continue;
    differs(kind->name, name, "value at", (long)i);
  }
}

static const char* text_of(const mjString* s) {
  return s ? ct_string_get((const ct_String*)s) : "";
}

static void compare_list(mjSpec* a, mjSpec* b, mjtObj type) {
  mjsElement* ea = reference.mjs_firstElement(a, type);
  mjsElement* eb = corten.mjs_firstElement(b, type);
  long i = 0;
  for (; ea && eb; i++) {
    const char* name = text_of(reference.mjs_getName(ea));
    if (strcmp(name, text_of(corten.mjs_getName(eb))))
      differs(corten.kind(type)->name, name, "other name: number", i);
    compare_element(ea, eb, name);
    ea = reference.mjs_nextElement(a, ea);
    eb = corten.mjs_nextElement(b, eb);
  }
  if (ea || eb) differs(corten.kind(type)->name, "", ea ? "too few:" : "too many:", i);
}

// clang-format off
static void compare_settings(const mjSpec* a, const mjSpec* b) {
#define SAME_(member_) \
  if (memcmp(&a->member_, &b->member_, sizeof(a->member_))) differs("spec", "", #member_, 0);
  SAME_(option)
  SAME_(visual)
  SAME_(memory)
  SAME_(nuserdata)
  SAME_(nkey) SAME_(njmax) SAME_(nconmax) SAME_(nstack) SAME_(nuser_body) SAME_(nuser_jnt)
      SAME_(nuser_geom) SAME_(nuser_site) SAME_(nuser_cam) SAME_(nuser_tendon) SAME_(nuser_actuator)
          SAME_(nuser_sensor) SAME_(strippath) SAME_(compiler.autolimits) SAME_(compiler.boundmass)
              SAME_(compiler.boundinertia) SAME_(compiler.settotalmass)
                  SAME_(compiler.balanceinertia) SAME_(compiler.fitaabb) SAME_(compiler.degree)
                      SAME_(compiler.eulerseq) SAME_(compiler.discardvisual)
                          SAME_(compiler.usethread) SAME_(compiler.fusestatic)
                              SAME_(compiler.inertiafromgeom) SAME_(compiler.inertiagrouprange)
                                  SAME_(compiler.saveinertial) SAME_(compiler.alignfree)
                                      SAME_(compiler.LRopt)
#undef SAME_
                                          if (strcmp(text_of(a->modelname), text_of(b->modelname)))
                                              differs("spec", "", "modelname", 0);
  if (strcmp(text_of(a->comment), text_of(b->comment))) differs("spec", "", "comment", 0);
  if (strcmp(text_of(a->modelfiledir), text_of(b->modelfiledir)))
    differs("spec", "", "modelfiledir", 0);
  if (strcmp(text_of(a->compiler.meshdir), text_of(b->compiler.meshdir)))
    differs("spec", "", "meshdir", 0);
  if (strcmp(text_of(a->compiler.texturedir), text_of(b->compiler.texturedir)))
    differs("spec", "", "texturedir", 0);
}
// clang-format on

// Files

static void compare_file(const char* path) {
  char why_a[500] = "", why_b[500] = "";
  current = path;
  nfile++;
  mjSpec* a = reference.mj_parseXML(path, NULL, why_a, sizeof(why_a));
  mjSpec* b = corten.mj_parseXML(path, NULL, why_b, sizeof(why_b));
  if (a && !b && strstr(why_b, "not part of this version")) {
    nmissing++;
    if (verbose) printf("%s: %s\n", path, why_b);
  } else if (!a != !b) {
    nverdict++;
    printf("%s: %s\n", path, a ? why_b : "accepted, but the reference refuses it");
    if (!a) printf("    %s\n", why_a);
  } else if (a) {
    compare_settings(a, b);
    for (int type = 1; type < mjNOBJECT; type++) {
      if (corten.kind((mjtObj)type) && type != mjOBJ_XBODY && type != mjOBJ_PLUGIN)
        compare_list(a, b, (mjtObj)type);
    }
    compare_list(a, b, mjOBJ_FRAME);
  }
  reference.mj_deleteSpec(a);
  corten.mj_deleteSpec(b);
}

static void compare_below(const char* path) {
  struct stat status;
  if (stat(path, &status)) return;
  size_t n = strlen(path);
  if (!S_ISDIR(status.st_mode)) {
    if (n > 4 && !strcmp(path + n - 4, ".xml")) compare_file(path);
    return;
  }
  DIR* folder = opendir(path);
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    char* below = (char*)malloc(n + strlen(entry->d_name) + 2);
    sprintf(below, "%s/%s", path, entry->d_name);
    compare_below(below);
    free(below);
  }
  if (folder) closedir(folder);
}

static void quiet(const char* message) {
  if (verbose) printf("    %s\n", message);
}

int main(int argc, char** argv) {
  if (argc < 4)
    return fprintf(stderr,
                   "usage: conform_parse REFERENCE_LIB CORTEN_LIB FOLDER_OR_FILE... [-v]\n"),
           2;
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  reference = open_library(libraries.reference);
  corten = open_library(libraries.corten);
  corten.kind = ct_kind;
  void* handlers[] = {library_variable(libraries.reference, "mju_user_warning"),
                      library_variable(libraries.corten, "mju_user_warning"),
                      library_variable(libraries.corten, "mju_user_error"),
                      library_variable(libraries.reference, "mju_user_error")};
  for (int i = 0; i < 4; i++) *(void (**)(const char*))handlers[i] = quiet;
  if (!strcmp(argv[argc - 1], "-v")) verbose = 1, argc--;
  for (int i = 3; i < argc; i++) compare_below(argv[i]);
  printf("%d files: %d verdicts differ, %d differences in specs; %d need what corten lacks\n",
         nfile, nverdict, ndiffer, nmissing);
  return nverdict || ndiffer;
}
