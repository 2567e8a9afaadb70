// conform_loading: the other ways to a model and what can be done to it afterwards, corten against
// the reference, on every model of a folder.
//
//   usage: conform_loading REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// For every file both libraries are asked for: the files it depends on (mju_getXMLDependencies);
// the model by mj_parseXML and mj_compile; the model from its text by mj_parseXMLString in the
// folder of the file; the model with all its files in a virtual file system and nothing on disk;
// mj_setConst after masses, positions and springs of the model were edited; mj_setLengthRange of
// some actuators. Verdicts and models must agree. Each model has a process of its own and a few
// seconds.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/compare.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/file_questions.h"
#include "conformance/two_libraries.h"
#include "spec/containers.h"

enum { SECONDS = 60, ACTUATORS = 3 };

enum { DEPENDENCIES, PARSE, STRING, VFS, SET_CONST, LENGTH_RANGE, NQUESTIONS };
static const char* const asked_names[] = {"mju_getXMLDependencies",
                                          "mj_parseXML, mj_compile",
                                          "mj_parseXMLString",
                                          "virtual files",
                                          "mj_setConst",
                                          "mj_setLengthRange"};

static FileQuestions questions;
static Engine engines[2];  // the reference, corten

#define CALL(i_, name_) LIBRARY_FUNCTION(engines[i_].handle, name_)

// Models

// Compares two models, or that there is none, and frees them.
static void compare_verdicts(mjModel* theirs, mjModel* ours, const char* why) {
  score_now(&questions)->asked++;
  if (theirs && ours) {
    compare_models_of(&questions, theirs, ours);
  } else if (theirs && (strstr(why, "not part of this version") || strstr(why, "no plugin"))) {
    score_now(&questions)->missing++;
  } else if (theirs || ours) {
    tell_wrong(&questions, theirs ? "refused:" : "accepted, but the reference says:", why);
  }
  if (theirs) engines[0].mj_deleteModel(theirs);
  if (ours) engines[1].mj_deleteModel(ours);
}

// Files

// The directory of a path with its slash, or "".
static void folder_of(const char* path, char* folder, size_t room) {
  const char* slash = strrchr(path, '/');
  snprintf(folder, room, "%.*s", slash ? (int)(slash - path + 1) : 0, path);
}

static char* read_file(const char* path, int* size) {
  FILE* f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *size = (int)ftell(f);
  rewind(f);
  char* bytes = (char*)calloc(1, (size_t)*size + 1);
  *size = (int)fread(bytes, 1, (size_t)*size, f);
  fclose(f);
  return bytes;
}

static int by_text(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// The texts of a list, sorted: the reference's order is that of a hash.
static const char** sorted(const ct_Vector* list, size_t* count) {
  *count = ct_vector_count(list, sizeof(ct_String));
  const char** text = (const char**)malloc((*count + 1) * sizeof(char*));
  for (size_t k = 0; k < *count; k++) text[k] = ct_string_get(ct_strings_at(list, k));
  qsort((void*)text, *count, sizeof(char*), by_text);
  return text;
}

// Lists of files, or that there are none because an engine stopped.
static void compare_dependencies(const ct_Vector lists[2], const bool stopped[2]) {
  size_t count[2], k = 0;
  score_now(&questions)->asked++;
  if (stopped[0] || stopped[1]) {
    if (stopped[0] != stopped[1])
      tell_wrong(&questions, stopped[1] ? "stopped:" : "did not stop:", engine_trap.message);
    return;
  }
  const char **theirs = sorted(lists, count), **ours = sorted(lists + 1, count + 1);
  while (k < count[0] && k < count[1] && !strcmp(theirs[k], ours[k])) k++;
  if (k < count[0] || k < count[1]) {
    tell_wrong(&questions, "another file:", k < count[1] ? ours[k] : "none");
    printf("    not %s\n", k < count[0] ? theirs[k] : "none");
  }
  free((void*)theirs);
  free((void*)ours);
}

static void ask_dependencies(const char* path, ct_Vector lists[2]) {
  bool stopped[2] = {false, false};
  questions.now = DEPENDENCIES;
  for (int volatile i = 0; i < 2; i++) {
    ENGINE_TRY(CALL(i, mju_getXMLDependencies)(path, (mjStringVec*)(lists + i)), stopped[i] = true);
  }
  compare_dependencies(lists, stopped);
}

// Ways to a model

static mjModel* compile(int i, mjSpec* spec, const mjVFS* vfs, char* why, size_t room) {
  if (!spec) return NULL;
  mjModel* m = CALL(i, mj_compile)(spec, vfs);
  if (!m) snprintf(why, room, "%s", CALL(i, mjs_getError)(spec));
  CALL(i, mj_deleteSpec)(spec);
  return m;
}

static void compare_parse(const char* path) {
  char why[2][1000] = {"", ""};
  mjModel* m[2];
  questions.now = PARSE;
  for (int i = 0; i < 2; i++) {
    mjSpec* spec = CALL(i, mj_parseXML)(path, NULL, why[i], sizeof(why[i]));
    m[i] = compile(i, spec, NULL, why[i], sizeof(why[i]));
  }
  compare_verdicts(m[0], m[1], m[1] ? why[0] : why[1]);
}

// A text has no folder, so files are looked for where the process is.
static void compare_string(const char* path) {
  char why[2][1000] = {"", ""}, folder[4096];
  mjModel* m[2];
  int size = 0;
  char* text = read_file(path, &size);
  folder_of(path, folder, sizeof(folder));
  questions.now = STRING;
  if (!text || chdir(folder) != 0) return;
  for (int i = 0; i < 2; i++) {
    mjSpec* spec = CALL(i, mj_parseXMLString)(text, NULL, why[i], sizeof(why[i]));
    m[i] = compile(i, spec, NULL, why[i], sizeof(why[i]));
  }
  compare_verdicts(m[0], m[1], m[1] ? why[0] : why[1]);
  free(text);
}

// All files under the name that they have beside the model, in a process that stands elsewhere.
static void compare_virtual(const char* path, const ct_Vector* files) {
  char why[2][1000] = {"", ""}, folder[4096];
  mjModel* m[2];
  mjVFS vfs[2];
  folder_of(path, folder, sizeof(folder));
  questions.now = VFS;
  if (chdir("/") != 0) return;
  for (int i = 0; i < 2; i++) {
    CALL(i, mj_defaultVFS)(vfs + i);
    for (size_t k = 0; k < ct_vector_count(files, sizeof(ct_String)); k++) {
      const char* name = ct_string_get(ct_strings_at(files, k));
      int size = 0;
      char* bytes = read_file(name, &size);
      if (strncmp(name, folder, strlen(folder)) == 0) name += strlen(folder);
      if (bytes) CALL(i, mj_addBufferVFS)(vfs + i, name, bytes, size);
      free(bytes);
    }
    m[i] = engines[i].mj_loadXML(path + strlen(folder), vfs + i, why[i], sizeof(why[i]));
    CALL(i, mj_deleteVFS)(vfs + i);
  }
  compare_verdicts(m[0], m[1], m[1] ? why[0] : why[1]);
}

// Edits

static void edit(mjModel* m) {
  for (int b = 1; b < m->nbody; b++) m->body_mass[b] *= 1 + (mjtNum)(b % 7) / 10;
  for (int b = 3; b < 3 * m->nbody; b++) m->body_inertia[b] *= (mjtNum)1.3;
  for (int j = 0; j < m->njnt; j++) {
    bool single = m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE;
    if (single) m->qpos0[m->jnt_qposadr[j]] += (mjtNum)0.1;
  }
  for (int t = 0; t < m->ntendon; t++) {
    m->tendon_lengthspring[2 * t] = m->tendon_lengthspring[2 * t + 1] = -1;
  }
}

static void compare_constants(const mjModel* m) {
  mjModel* edited[2];
  questions.now = SET_CONST;
  if (m->nflex) {
    score_now(&questions)->missing++;
    return;
  }
  for (int i = 0; i < 2; i++) {
    edited[i] = engines[i].mj_copyModel(NULL, m);
    edit(edited[i]);
    mjData* d = engines[i].mj_makeData(edited[i]);
    CALL(i, mj_setConst)(edited[i], d);
    engines[i].mj_deleteData(d);
  }
  compare_verdicts(edited[0], edited[1], "");
}

typedef struct {
  int fine;
  double end[2];
  char why[300];
} Range;

// The range that a library finds, with masses that are larger by this part. Without automatic
// resets, because the reference pulls forever at what is reset again and again.
static Range find_range(int library, const mjModel* m, double heavier, int actuator,
                        const mjLROpt* options) {
  Range range = {0, {0, 0}, ""};
  mjModel* copy = engines[library].mj_copyModel(NULL, m);
  copy->opt.disableflags |= mjDSBL_AUTORESET;
  for (int b = 0; b < m->nbody; b++) copy->body_mass[b] *= (mjtNum)(1 + heavier);
  mjData* d = engines[library].mj_makeData(copy);
  range.fine =
      CALL(library, mj_setLengthRange)(copy, d, actuator, options, range.why, sizeof(range.why));
  for (int k = 0; k < 2; k++) range.end[k] = (double)copy->actuator_lengthrange[2 * actuator + k];
  engines[library].mj_deleteData(d);
  engines[library].mj_deleteModel(copy);
  return range;
}

// How far an end of the reference's range moves when masses move by rounding: where the pulled part
// slides along another, by 1e-5 and more (robot_arm.xml).
static double noise_of_range(const mjModel* m, const Range* range, int end, int actuator,
                             const mjLROpt* options) {
  double most = 0;
  for (int i = -4; i <= 4; i++) {
    Range moved = find_range(0, m, i * 1e-15, actuator, options);
    most = fmax(most, fabs(moved.end[end] - range->end[end]));
  }
  return most;
}

// Both ranges within 1e-6 of their size, or within ten times what rounding does to the reference;
// simulations of thousands of steps lie behind them. What has not converged is a moment of some
// motion and not compared.
static void compare_range(const mjModel* m, int actuator, const mjLROpt* options) {
  questions.now = LENGTH_RANGE;
  score_now(&questions)->asked++;
  Range range[2];
  for (int i = 0; i < 2; i++) range[i] = find_range(i, m, 0, actuator, options);
  if (range[0].fine != range[1].fine) {
    tell_wrong(&questions, range[0].fine ? "fails:" : "does not fail:", range[range[0].fine].why);
    return;
  }
  if (!range[0].fine) return;
  double size = fmax(1, fabs(range[0].end[0]) + fabs(range[0].end[1]));
  for (int k = 0; k < 2; k++) {
    if (isnan(range[0].end[k]) && isnan(range[1].end[k])) continue;
    double difference = fabs(range[0].end[k] - range[1].end[k]);
    if (difference <= 1e-6 * size) continue;
    if (difference <= 10 * noise_of_range(m, &range[0], k, actuator, options)) continue;
    char text[100];
    snprintf(text, sizeof(text), "actuator %d: %.9g, not %.9g", actuator, range[1].end[k],
             range[0].end[k]);
    tell_wrong(&questions, "other range,", text);
  }
}

static void compare_edits(const char* path) {
  char why[1000];
  mjModel* m = engines[0].mj_loadXML(path, NULL, why, sizeof(why));
  if (!m) return;
  compare_constants(m);
  mjLROpt options;
  CALL(0, mj_defaultLROpt)(&options);
  options.mode = mjLRMODE_ALL;
  options.useexisting = 0;
  options.inttotal = 3;
  options.interval = 1;
  for (int a = 0; a < m->nu && a < ACTUATORS && m->nv < 100; a++) {
    options.uselimit = a == 0;  // behind the first the reference reads ids of others, or nobody's
    compare_range(m, a, &options);
  }
}

// Processes

static void compare_file(const char* path, const ct_Vector* files) {
  compare_parse(path);
  compare_string(path);
  compare_virtual(path, files);
  compare_edits(path);
}

static int judge_model(const ModelReport* model, void* argument) {
  ct_Vector files[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
  (void)argument;
  questions.file = model->name;
  ask_dependencies(model->path, files);
  ENGINE_TRY(compare_file(model->path, files), {
    if (engine_lacks_function()) {
      score_now(&questions)->missing++;
    } else {
      tell_wrong(&questions, "stopped:", engine_trap.message);
    }
  });
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: conform_loading REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]\n");
    return 2;
  }
  engines[0] = engine_open(argv[1], "reference");
  engines[1] = engine_open(argv[2], "corten");
  questions = file_questions(asked_names, NQUESTIONS);
  char* folder = realpath(argv[3], NULL);
  Fates fates = ask_one_by_one(folder ? folder : argv[3], argc > 4 ? argv[4] : NULL, SECONDS,
                               judge_model, NULL);
  bool failed = print_file_scores(&questions);
  printf("%d models, %d crashed or out of time\n", fates.models, fates.lost);
  free(folder);
  return failed || fates.lost > 0;
}
