// Is a text refused as the tables of refusals (refusals.def, urdf.def) say?

#ifndef TESTS_MJCF_REFUSED_H_
#define TESTS_MJCF_REFUSED_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"

// Reads and compiles the text, which has one line. Whatever the library says other than "line 1:
// MESSAGE" is told, and false; what begins so will do, unless the whole is asked for.
static inline bool is_refused(const char* text, const char* message, bool whole) {
  static const char place[] = "line 1: ";
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (spec) {
    mjModel* m = mj_compile(spec, NULL);
    snprintf(error, sizeof(error), "%s", m ? "(it compiles)" : mjs_getError(spec));
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  bool here = !strncmp(error, place, strlen(place));
  const char* said = here ? error + strlen(place) : "";
  bool begins = here && !strncmp(said, message, strlen(message));
  if (begins && (!whole || strlen(said) == strlen(message))) return true;
  print_message("%s\nexpected \"%s%s\", got \"%s\"\n", text, place, message, error);
  return false;
}

#endif  // TESTS_MJCF_REFUSED_H_
