// Options of a run, and what they make of a model.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "run.h"

RunOptions run_defaults(void) {
  RunOptions o;
  memset(&o, 0, sizeof(o));
  o.time = 1;
  o.integrator = o.solver = -1;
  return o;
}

static int take_number(const char* command, const char* name, const char* value, double* number) {
  char* end;
  if (!value) return misused("%s: %s needs a number", command, name);
  *number = strtod(value, &end);
  if (end == value || *end || !(*number > 0)) {
    return misused("%s: %s needs a positive number, got %s", command, name, value);
  }
  if (!isfinite(*number)) {
    return misused("%s: %s needs a finite number, got %s", command, name, value);
  }
  bool counted = !strcmp(name, "--steps") || !strcmp(name, "--every");
  if (counted && *number != floor(*number)) {
    return misused("%s: %s needs a whole number, got %s", command, name, value);
  }
  return EXIT_FINE;
}

// A seed may be nothing, too.
static int take_seed(const char* command, const char* value, uint64_t* seed) {
  char* end;
  if (!value) return misused("%s: --seed needs a number", command);
  *seed = strtoull(value, &end, 10);
  if (end == value || *end || value[0] == '-') {
    return misused("%s: --seed needs a whole number that is not negative, got %s", command, value);
  }
  return EXIT_FINE;
}

// A choice by name, whatever its case.
static int take_choice(const char* command, const char* option, const char* const* names, int count,
                       const char* value, int* choice) {
  if (!value) return misused("%s: %s needs a name", command, option);
  for (int i = 0; i < count; i++) {
    if (strcasecmp(names[i], value) != 0) continue;
    *choice = i;
    return EXIT_FINE;
  }
  return misused("%s: %s does not know %s", command, option, value);
}

// Fields may be given again, and several at once with commas between them.
static int take_fields(RunOptions* o, const char* command, const char* value) {
  static char names[MOST_FIELDS][64];
  if (!value) return misused("%s: --field needs the name of an array of mjData", command);
  while (*value) {
    size_t n = strcspn(value, ",");
    if (o->fields == MOST_FIELDS) return misused("%s: at most %d fields", command, MOST_FIELDS);
    snprintf(names[o->fields], sizeof(names[0]), "%.*s", (int)n, value);
    o->field[o->fields] = names[o->fields];
    o->fields++;
    value += n + (value[n] == ',');
  }
  return EXIT_FINE;
}

int run_take_option(RunOptions* o, const char* command, const char* name, const char* value,
                    int* used) {
  const struct {
    const char* name;
    double* number;
  } numbers[] = {{"--time", &o->time},
                 {"--steps", &o->steps},
                 {"--every", &o->every},
                 {"--timestep", &o->timestep}};
  const struct {
    const char *name, *what, **text;
  } texts[] = {{"--csv", "file", &o->csv},
               {"--npz", "file", &o->npz},
               {"--key", "keyframe", &o->key},
               {"--ctrl", "control", &o->ctrl}};
  *used = 2;
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (!strcmp(name, numbers[i].name)) return take_number(command, name, value, numbers[i].number);
  }
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    if (strcmp(name, texts[i].name) != 0) continue;
    if (!value) return misused("%s: %s needs a %s", command, name, texts[i].what);
    *texts[i].text = value;
    return EXIT_FINE;
  }
  if (!strcmp(name, "--integrator")) {
    static const char* const names[] = {"Euler", "RK4", "implicit", "implicitfast"};
    return take_choice(command, name, names, 4, value, &o->integrator);
  }
  if (!strcmp(name, "--solver")) {
    static const char* const names[] = {"PGS", "CG", "Newton"};
    return take_choice(command, name, names, 3, value, &o->solver);
  }
  if (!strcmp(name, "--seed")) return take_seed(command, value, &o->seed);
  if (!strcmp(name, "--field")) return take_fields(o, command, value);
  *used = !strcmp(name, "--smooth");
  if (*used) o->smooth = true;
  return EXIT_FINE;
}
