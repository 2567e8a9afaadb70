// conform_mistakes: does the reference refuse what the tables of mistakes say, and does corten?
//
//   usage: conform_mistakes REFERENCE_LIB CORTEN_LIB [-v]
//
// Every text of tests/mjcf/mistakes.def is read, every one of tests/mjcf/refusals.def and
// urdf.def read and compiled, by both libraries, each time in a process of its own, because some
// mistakes end the reference. Prints where a verdict is not the table's, and counts; -v prints all
// messages. The exit status is the number of wrong verdicts.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "conformance/crew.h"
#include "conformance/two_libraries.h"
#include "mjcf/mistakes.h"

typedef struct {
  const char* text;
  int compiled;  // 0: is only read
  int refused;   // by the table
} Case;

static const Case cases[] = {
#define MISTAKE(text_, message_) {text_, 0, 1},
#define FINE(text_) {text_, 0, 0},
#include "mjcf/mistakes.def"
#define REFUSED(text_, message_) {text_, 1, 1},
#include "mjcf/refusals.def"
#define FINE(text_) {text_, 0, 0},
#define REFUSED(text_, message_) {text_, 1, 1},
#include "mjcf/urdf.def"
};

enum {
  NCASE = sizeof(cases) / sizeof(cases[0]),
  ACCEPTED = 0,
  REFUSED_IT = 1,
  NO_VERDICT = 2,
  SECONDS = 60
};

static int verbose;

static int answer(void* library, const char* who, const Case* c) {
  char error[1000] = "";
  mjSpec* spec = LIBRARY_FUNCTION(library, mj_parseXMLString)(c->text, NULL, error, sizeof(error));
  mjModel* m = NULL;
  if (spec && c->compiled) {
    m = LIBRARY_FUNCTION(library, mj_compile)(spec, NULL);
    if (!m) snprintf(error, sizeof(error), "%s", LIBRARY_FUNCTION(library, mjs_getError)(spec));
  }
  if (verbose) printf("%s: %s\n  %s\n", who, c->text, error);
  return (c->compiled ? m != NULL : spec != NULL) ? ACCEPTED : REFUSED_IT;
}

typedef struct {
  void* library;
  const char* who;
  const Case* c;
} Question;

static int answer_quietly(void* question) {
  const Question* q = (const Question*)question;
  if (!verbose && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
    return NO_VERDICT;
  return answer(q->library, q->who, q->c);
}

// The library's verdict, from a process of its own.
static int ask(void* library, const char* who, const Case* c) {
  Question q = {library, who, c};
  int verdict = run_apart(answer_quietly, &q, SECONDS);
  return verdict < NO_VERDICT ? verdict : NO_VERDICT;
}

int main(int argc, char** argv) {
  static const char* const words[] = {"accepts", "refuses", "crashes on"};
  if (argc < 3) {
    fprintf(stderr, "usage: conform_mistakes REFERENCE_LIB CORTEN_LIB [-v]\n");
    return 2;
  }
  verbose = !strcmp(argv[argc - 1], "-v");
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  int wrong = 0, crashed = 0;
  for (int i = 0; i < NCASE; i++) {
    int reference = ask(libraries.reference, "reference", &cases[i]);
    int corten = ask(libraries.corten, "corten", &cases[i]);
    crashed += reference == NO_VERDICT;
    if (corten == cases[i].refused && (reference == corten || reference == NO_VERDICT)) continue;
    wrong++;
    printf("%s\n  the table says %s, the reference %s it, corten %s it\n", cases[i].text,
           cases[i].refused ? "refused" : "accepted", words[reference], words[corten]);
  }
  printf("%d texts: %d verdicts differ, the reference crashed on %d\n", (int)NCASE, wrong, crashed);
  return wrong < 100 ? wrong : 100;
}
