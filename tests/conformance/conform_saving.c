// conform_saving: models written as MJCF by both libraries, on every model of some folders; the
// texts must be the same byte for byte.
//
//   usage: conform_saving REFERENCE_LIB CORTEN_LIB FOLDER... [--filter TEXT]
//
// Every file that the reference loads is loaded by both and saved: as it was compiled; with the
// numbers of the model put back (mj_copyBack); with a model all of whose numbers were changed; by
// mj_compile and mj_saveXMLString. What corten wrote is then read by the reference and by corten
// itself, in the folder of the file, and the two models must agree. What ct_save_whole writes must
// give corten the model again. Each model has a process of its own and a few seconds.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <corten/mjcf.h>

#include "base/model/fields.h"
#include "conformance/compare.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/file_questions.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 60 };

enum { PLAIN, BACK, CHANGED, STRING, READ, WHOLE, NQUESTIONS };
static const char* const asked_names[] = {"mj_saveLastXML",       "with its model",
                                          "with a changed model", "mj_saveXMLString",
                                          "read again",           "kept whole"};

static FileQuestions questions;
static Engine engines[2];  // the reference, corten
static long* worldly;      // shared: models whose world has a pose or mass

#define CALL(i_, name_) LIBRARY_FUNCTION(engines[i_].handle, name_)

// Texts

static char* read_file(const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char* bytes = (char*)calloc(1, (size_t)size + 1);
  if (fread(bytes, 1, (size_t)size, f) != (size_t)size) bytes[0] = 0;
  fclose(f);
  return bytes;
}

// Prints the first line that differs, and frees both.
static void compare_texts(char* theirs, char* ours) {
  score_now(&questions)->asked++;
  if (!theirs || !ours) {
    if (theirs) tell_wrong(&questions, "is not saved", "");
    if (ours) tell_wrong(&questions, "is saved, but the reference refuses", "");
  } else if (strcmp(theirs, ours)) {
    int line = 1;
    const char *a = theirs, *b = ours, *start[2] = {theirs, ours};
    for (; *a && *a == *b; a++, b++) {
      if (*a == '\n') {
        line++;
        start[0] = a + 1;
        start[1] = b + 1;
      }
    }
    char text[500];
    snprintf(text, sizeof(text), "%d:\n  %.*s\n  %.*s", line,
             (int)strcspn(start[1], "\n") < 200 ? (int)strcspn(start[1], "\n") : 200, start[1],
             (int)strcspn(start[0], "\n") < 200 ? (int)strcspn(start[0], "\n") : 200, start[0]);
    tell_wrong(&questions, "another line", text);
  }
  free(theirs);
  free(ours);
}

// NULL: refused.
static char* save_last(int i, const mjModel* m) {
  char path[] = "/tmp/conform_saving_XXXXXX", why[1000];
  int f = mkstemp(path);
  if (f < 0) return NULL;
  close(f);
  char* text = CALL(i, mj_saveLastXML)(path, m, why, sizeof(why)) ? read_file(path) : NULL;
  unlink(path);
  return text;
}

// Other numbers everywhere, the same in both libraries.
static void change(mjModel* m) {
  for (int k = 0; k < ct_nmodel_field; k++) {
    const ct_Field* f = ct_model_fields + k;
    size_t count = ct_field_bytes(f, m, NULL) / f->element;
    void* array = (void*)(uintptr_t)ct_field_array(f, m);
    for (size_t i = 0; i < count; i++) {
      if (f->type == CT_TYPE_mjtNum)
        ((mjtNum*)array)[i] = ((mjtNum*)array)[i] * (mjtNum)1.25 + (mjtNum)0.0625;
      if (f->type == CT_TYPE_float) ((float*)array)[i] = ((float*)array)[i] * 0.5f + 0.125f;
    }
  }
  m->opt.timestep *= 2;
  m->opt.gravity[1] = 0.5;
  m->vis.map.znear *= 2;
  m->stat.extent *= 2;
  m->stat.center[1] += 1;
}

// A spec of its own: never copied back.
static char* save_string(int i, const char* path) {
  char why[1000];
  mjSpec* spec = CALL(i, mj_parseXML)(path, NULL, why, sizeof(why));
  mjModel* m = spec ? CALL(i, mj_compile)(spec, NULL) : NULL;
  char* text = NULL;
  int length = m ? CALL(i, mj_saveXMLString)(spec, NULL, 0, why, sizeof(why)) : -1;
  if (length > 0) {
    text = (char*)calloc(1, (size_t)length + 1);
    if (CALL(i, mj_saveXMLString)(spec, text, length + 1, why, sizeof(why)) != 0) text[0] = 0;
  }
  if (m) engines[i].mj_deleteModel(m);
  if (spec) CALL(i, mj_deleteSpec)(spec);
  return text;
}

// Reading again

static mjModel* read_text(int i, const char* text, const char* folder, char* why, size_t room) {
  mjSpec* spec = CALL(i, mj_parseXMLString)(text, NULL, why, (int)room);
  if (!spec) return NULL;
  CALL(i, mjs_setString)(spec->modelfiledir, folder);
  mjModel* m = CALL(i, mj_compile)(spec, NULL);
  if (!m) snprintf(why, room, "%s", CALL(i, mjs_getError)(spec));
  CALL(i, mj_deleteSpec)(spec);
  return m;
}

static void compare_reading(const char* path, const char* text) {
  char folder[4096], why[2][1000] = {"", ""};
  const char* slash = strrchr(path, '/');
  mjModel* m[2];
  snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path + 1) : 0, path);
  questions.now = READ;
  score_now(&questions)->asked++;
  for (int i = 0; i < 2; i++) m[i] = read_text(i, text, folder, why[i], sizeof(why[i]));
  if (m[0] && m[1]) {
    compare_models_of(&questions, m[0], m[1]);
  } else if (m[0] || m[1]) {
    tell_wrong(&questions, m[0] ? "corten refuses:" : "the reference refuses:", why[m[0] ? 1 : 0]);
  }
}

// Nothing may be lost: the models must agree in every field.
static void compare_whole(const char* path) {
  char folder[4096], why[1000] = "";
  const char* slash = strrchr(path, '/');
  snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path + 1) : 0, path);
  mjSpec* spec = CALL(1, mj_parseXML)(path, NULL, why, sizeof(why));
  mjModel* m = spec ? CALL(1, mj_compile)(spec, NULL) : NULL;
  if (!m) return;
  // the world of a URDF may have a pose or inertia, for which MJCF has no words
  for (int i = 0; i < 3; i++) {
    if (m->body_pos[i] == 0 && m->body_mass[0] == 0) continue;
    ++*worldly;
    return;
  }
  questions.now = WHOLE;
  score_now(&questions)->asked++;
  int length = CALL(1, ct_save_whole_string)(spec, m, NULL, 0, why, sizeof(why));
  char* text = (char*)calloc(1, length > 0 ? (size_t)length + 1 : 1);
  if (length > 0) CALL(1, ct_save_whole_string)(spec, m, text, length + 1, why, sizeof(why));
  mjModel* again = length > 0 ? read_text(1, text, folder, why, sizeof(why)) : NULL;
  if (again) {
    compare_models_of(&questions, m, again);
  } else {
    tell_wrong(&questions, length > 0 ? "not read:" : "not saved:", why);
  }
  free(text);
}

// Models

static void compare_file(const char* path) {
  char why[1000];
  mjModel* m[2];
  for (int i = 0; i < 2; i++) m[i] = engines[i].mj_loadXML(path, NULL, why, sizeof(why));
  questions.now = PLAIN;
  if (m[0] && !m[1]) score_now(&questions)->missing++;
  if (!m[0] || !m[1]) return;
  char* text = save_last(1, NULL);
  compare_texts(save_last(0, NULL), text ? strdup(text) : NULL);
  questions.now = BACK;
  char* back = save_last(0, m[0]);
  compare_texts(back, save_last(1, m[1]));
  for (int i = 0; i < 2; i++) change(m[i]);
  questions.now = CHANGED;
  back = save_last(0, m[0]);
  compare_texts(back, save_last(1, m[1]));
  questions.now = STRING;
  back = save_string(0, path);
  compare_texts(back, save_string(1, path));
  if (text) compare_reading(path, text);
  compare_whole(path);
  free(text);
}

static int judge_model(const ModelReport* model, void* argument) {
  (void)argument;
  questions.file = model->name;
  ENGINE_TRY(compare_file(model->path), tell_wrong(&questions, "stopped:", engine_trap.message));
  return 0;
}

int main(int argc, char** argv) {
  const char* filter = NULL;
  if (argc < 4) {
    fprintf(stderr, "usage: conform_saving REFERENCE_LIB CORTEN_LIB FOLDER... [--filter TEXT]\n");
    return 2;
  }
  engines[0] = engine_open(argv[1], "reference");
  engines[1] = engine_open(argv[2], "corten");
  engine_load_plugins(&engines[0], argv[1]);
  engine_load_plugins(&engines[1], argv[2]);
  questions = file_questions(asked_names, NQUESTIONS);
  worldly = (long*)shared_memory(sizeof(long));
  for (int k = 3; k + 1 < argc; k++) {
    if (!strcmp(argv[k], "--filter")) filter = argv[k + 1];
  }
  int models = 0, lost = 0;
  for (int k = 3; k < argc && strcmp(argv[k], "--filter") != 0; k++) {
    char* folder = realpath(argv[k], NULL);
    Fates fates = ask_one_by_one(folder ? folder : argv[k], filter, SECONDS, judge_model, NULL);
    models += fates.models;
    lost += fates.lost;
    free(folder);
  }
  bool failed = print_file_scores(&questions);
  printf(
      "%d files, %d crashed or out of time; %ld have a world with a pose or mass, for which MJCF "
      "has "
      "no words, and are not saved whole\n",
      models, lost, *worldly);
  return failed || lost > 0;
}
