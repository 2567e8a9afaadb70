// conform_tables: names, states, default structs and string tables, corten against the reference.
//
//   usage: conform_tables REFERENCE_LIB CORTEN_LIB
//
// Models are those in tests/recorded/models, loaded by the reference. Both libraries work on the
// same structs, which is what a drop-in must be able to do.

#include <glob.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/two_libraries.h"

static TwoLibraries libraries;
static long compared, different;

#define THEIRS(name_) LIBRARY_FUNCTION(libraries.reference, name_)
#define OURS(name_) LIBRARY_FUNCTION(libraries.corten, name_)

static void expect(int same, const char* what, const char* where) {
  compared++;
  if (same) return;
  different++;
  printf("%s: %s differs\n", where, what);
}

static int same_text(const char* a, const char* b) {
  return a && b ? !strcmp(a, b) : a == b;
}

// A default function must leave the same bytes, whatever was there before; padding is not compared
// because both start from zeros.
static void compare_default(const char* name, size_t size) {
  typedef void (*Default)(void*);
  char* theirs = (char*)calloc(1, size);
  char* ours = (char*)calloc(1, size);
  ((Default)library_function(libraries.reference, name))(theirs);
  ((Default)library_function(libraries.corten, name))(ours);
  expect(!memcmp(theirs, ours, size), "result", name);
  free(theirs), free(ours);
}

static void compare_defaults(void) {
  compare_default("mj_defaultOption", sizeof(mjOption));
  compare_default("mj_defaultVisual", sizeof(mjVisual));
  compare_default("mj_defaultLROpt", sizeof(mjLROpt));
  compare_default("mjv_defaultCamera", sizeof(mjvCamera));
  compare_default("mjv_defaultOption", sizeof(mjvOption));
  compare_default("mjv_defaultPerturb", sizeof(mjvPerturb));
  compare_default("mjv_defaultScene", sizeof(mjvScene));
  compare_default("mjv_defaultFigure", sizeof(mjvFigure));
  compare_default("mjr_defaultContext", sizeof(mjrContext));
}

static void compare_strings(const char* name, int count) {
  char** theirs = (char**)library_variable(libraries.reference, name);
  char** ours = (char**)library_variable(libraries.corten, name);
  for (int i = 0; i < count; i++) expect(same_text(theirs[i], ours[i]), "a text", name);
}

static void compare_texts(void) {
  compare_strings("mjDISABLESTRING", mjNDISABLE);
  compare_strings("mjENABLESTRING", mjNENABLE);
  compare_strings("mjTIMERSTRING", mjNTIMER);
  compare_strings("mjLABELSTRING", mjNLABEL);
  compare_strings("mjFRAMESTRING", mjNFRAME);
  compare_strings("mjVISSTRING", 3 * mjNVISFLAG);
  compare_strings("mjRNDSTRING", 3 * mjNRNDFLAG);
  for (int type = -2; type < 110; type++) {
    const char* text = THEIRS(mju_type2Str)(type);
    expect(same_text(text, OURS(mju_type2Str)(type)), "a type", "mju_type2Str");
    if (!text) continue;
    expect(THEIRS(mju_str2Type)(text) == OURS(mju_str2Type)(text), text, "mju_str2Type");
  }
  for (size_t bytes = 1; bytes < (size_t)1 << 62; bytes = bytes * 3 / 2 + 1) {
    for (int shift = 0; shift < 3; shift++) {
      size_t n = bytes << (10 * shift);
      if (n > (size_t)1 << 62) continue;  // the reference cuts the last of 20 digits
      expect(same_text(THEIRS(mju_writeNumBytes)(n), OURS(mju_writeNumBytes)(n)), "a text",
             "mju_writeNumBytes");
    }
  }
}

static void compare_names(const mjModel* m, const char* model) {
  for (int type = -1; type < 30; type++) {
    for (int id = -1; id < 2000; id++) {
      const char* name = THEIRS(mj_id2name)(m, type, id);
      expect(name == OURS(mj_id2name)(m, type, id), "mj_id2name", model);
      if (!name) continue;
      for (int other = 0; other < mjNOBJECT; other++) {
        expect(THEIRS(mj_name2id)(m, other, name) == OURS(mj_name2id)(m, other, name), "mj_name2id",
               model);
      }
    }
  }
}

static mjtNum random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

// Both set a random state in an mjData of their own and read it back, for many signatures.
static void compare_states(mjModel* m, const char* model) {
  enum { EVERYTHING = mjSTATE_INTEGRATION };
  mjData* theirs = THEIRS(mj_makeData)(m);
  mjData* ours = THEIRS(mj_makeData)(m);
  size_t size = (size_t)THEIRS(mj_stateSize)(m, EVERYTHING);
  mjtNum* state = (mjtNum*)calloc(size, sizeof(mjtNum));
  mjtNum* one = (mjtNum*)calloc(size, sizeof(mjtNum));
  mjtNum* two = (mjtNum*)calloc(size, sizeof(mjtNum));
  for (int round = 0; round < 200; round++) {
    int sig = round < mjNSTATE ? 1 << round : rand() & EVERYTHING, part = sig & rand();
    for (size_t i = 0; i < size; i++) state[i] = 300 * random_number();
    THEIRS(mj_setState)(m, theirs, state, sig);
    OURS(mj_setState)(m, ours, state, sig);
    THEIRS(mj_getState)(m, theirs, one, EVERYTHING);
    OURS(mj_getState)(m, ours, two, EVERYTHING);
    expect(!memcmp(one, two, size * sizeof(mjtNum)), "mj_setState or mj_getState", model);
    int n = THEIRS(mj_stateSize)(m, sig);
    expect(n == OURS(mj_stateSize)(m, sig), "mj_stateSize", model);
    THEIRS(mj_extractState)(m, state, sig, one, part);
    OURS(mj_extractState)(m, state, sig, two, part);
    expect(!memcmp(one, two, size * sizeof(mjtNum)), "mj_extractState", model);
  }
  for (int k = 0; k < m->nkey; k++) {
    mjModel* copy = THEIRS(mj_copyModel)(NULL, m);
    THEIRS(mj_setKeyframe)(m, theirs, k);
    OURS(mj_setKeyframe)(copy, theirs, k);
    expect(!memcmp(m->buffer, copy->buffer, (size_t)m->nbuffer), "mj_setKeyframe", model);
    THEIRS(mj_deleteModel)(copy);
  }
  free(state), free(one), free(two);
  THEIRS(mj_deleteData)(theirs);
  THEIRS(mj_deleteData)(ours);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: conform_tables REFERENCE_LIB CORTEN_LIB\n");
    return 2;
  }
  libraries = two_libraries_open(argv[1], argv[2]);
  compare_defaults();
  compare_texts();

  glob_t files;
  int found = !glob(CT_SOURCE_DIR "/tests/recorded/models/*.mjb", 0, NULL, &files);
  int models = found ? (int)files.gl_pathc : 0;
  for (int i = 0; i < models; i++) {
    mjModel* m = THEIRS(mj_loadModel)(files.gl_pathv[i], NULL);
    expect(m != NULL, "loading", files.gl_pathv[i]);
    if (!m) continue;
    compare_names(m, files.gl_pathv[i]);
    compare_states(m, files.gl_pathv[i]);
    THEIRS(mj_deleteModel)(m);
  }
  if (found) globfree(&files);
  printf("names, states, defaults, texts: %d models, %ld comparisons, %ld differ\n", models,
         compared, different);
  return different || !models;
}
