// Compares every mju_ function of corten with the reference's on fresh random inputs.
//
//   conform_mju REFERENCE CORTEN [--seed N] [--cases N] [--only NAME]
//
// Prints every mismatch and one line at the end; status 1 if there was any.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/mju_cases.h"

static jmp_buf missing;

// corten's functions that are not written yet raise an error; so would bad arguments.
static void on_error(const char* message) {
  fprintf(stderr, "%s\n", message);
  longjmp(missing, 1);
}

typedef struct {
  unsigned long seed;
  int cases;
  const char* only;
} Options;

static Options parse(int argc, char** argv) {
  Options o = {1, 400, NULL};
  for (int i = 3; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--seed")) o.seed = strtoul(argv[i + 1], NULL, 10);
    if (!strcmp(argv[i], "--cases")) o.cases = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--only")) o.only = argv[i + 1];
  }
  return o;
}

typedef struct {
  void* library;
  mjData* data;
} Side;

// Runs all cases of one function; returns how many disagree, or -1 if corten does not have it.
static int compare(const MjuEntry* e, const Side* reference, const Side* corten, const Options* o) {
  AnyFunction theirs = library_function(reference->library, e->name);
  AnyFunction ours = library_function(corten->library, e->name);
  if (!theirs || !ours) return -1;
  Tape tape;
  memset(&tape, 0, sizeof(tape));
  volatile int wrong = 0;
  if (setjmp(missing)) {
    tape_free(&tape);
    return -1;
  }
  for (int i = 0; i < o->cases; i++) {
    tape_clear(&tape);
    Case c = mju_case(e, i, i % 2 ? 8 : 40, &tape);
    c.function = theirs;
    c.data = reference->data;
    case_record(&c, e->run, o->seed * 1000003u + (unsigned)i);
    c.function = ours;
    c.data = corten->data;
    if (!case_replay(&c, e->run) && wrong++ < 3) printf("%s\n", c.message);
  }
  tape_free(&tape);
  return wrong;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: conform_mju REFERENCE CORTEN [--seed N] [--cases N] [--only NAME]\n");
    return 2;
  }
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  Options options = parse(argc, argv);
  void (**handler)(const char*) =
      (void (**)(const char*))library_variable(libraries.corten, "mju_user_error");
  if (handler) *handler = on_error;

  Side reference = {libraries.reference, mju_data_of(libraries.reference)};
  Side corten = {libraries.corten, mju_data_of(libraries.corten)};
  int functions = 0, wrong = 0, absent = 0;
  const MjuEntry* e;
  for (int i = 0; (e = mju_entry(i)); i++) {
    if (options.only && strcmp(options.only, e->name)) continue;
    int result = compare(e, &reference, &corten, &options);
    functions++;
    if (result < 0) {
      absent++;
      printf("%s: missing\n", e->name);
    } else if (result > 0) {
      wrong++;
      printf("%s: %d of %d cases differ\n", e->name, result, options.cases);
    }
  }
  printf("mju: %d functions, %d cases each, %d differ, %d missing, seed %lu\n", functions,
         options.cases, wrong, absent, options.seed);
  LIBRARY_FUNCTION(reference.library, mj_deleteData)(reference.data);
  LIBRARY_FUNCTION(corten.library, mj_deleteData)(corten.data);
  return wrong || absent ? 1 : 0;
}
