#include "controls.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

// Random numbers that depend on the seed alone: splitmix64 (Steele, Lea and Flood, 2014).
static double uniform(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

// By Box and Muller.
static double normal(uint64_t* state) {
  double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(2 * mjPI * uniform(state));
}

// One line of a table; false, after a message, if it has not one number per actuator.
static bool read_line(Controls* c, const char* path, int number, char* line) {
  double* table =
      (double*)realloc(c->table, ((size_t)(c->rows + 1) * (size_t)c->nu + 1) * sizeof(double));
  int found = 0;
  if (!table) return failed("%s: there is no memory for it", path), false;
  c->table = table;
  for (char *at = line, *end; *at; at = end) {
    at += strspn(at, " \t,;\r\n");
    if (!*at) break;
    double value = strtod(at, &end);
    if (end == at) return failed("%s:%d: \"%.20s\" is not a number", path, number, at), false;
    if (found < c->nu) table[c->rows * c->nu + found] = value;
    found++;
  }
  if (found == 0) return true;
  if (found != c->nu) {
    return failed("%s:%d: %d numbers, but the model has %d actuators", path, number, found, c->nu),
           false;
  }
  c->rows++;
  return true;
}

static int read_table(Controls* c, const char* path) {
  FILE* f = fopen(path, "r");
  char* line = NULL;
  size_t room = 0;
  bool good = true;
  if (!f)
    return failed("%s: neither a number, nor \"noise\", nor a file: %s", path, strerror(errno));
  for (int number = 1; good && getline(&line, &room, f) >= 0; number++) {
    if (line[0] == '#') continue;
    good = read_line(c, path, number, line);
  }
  free(line);
  fclose(f);
  if (good && c->rows == 0) return failed("%s: there are no numbers in it", path);
  return good ? EXIT_FINE : EXIT_FAILED;
}

int controls_open(Controls* c, const mjModel* m, const char* text, uint64_t seed) {
  char* end;
  memset(c, 0, sizeof(*c));
  if (!text) return EXIT_FINE;
  c->nu = (int)m->nu;
  c->random = seed;
  c->value = strtod(text, &end);
  if (end != text && !*end) {
    c->kind = CONTROLS_CONSTANT;
    return EXIT_FINE;
  }
  if (!strncmp(text, "noise", 5) && (!text[5] || text[5] == ':')) {
    c->kind = CONTROLS_NOISE;
    c->value = text[5] ? strtod(text + 6, &end) : 1;
    if (text[5] && (end == text + 6 || *end || !(c->value >= 0))) {
      return misused("run: --ctrl noise:S needs a standard deviation, got %s", text + 6);
    }
    return EXIT_FINE;
  }
  c->kind = CONTROLS_TABLE;
  return read_table(c, text);
}

void controls_close(Controls* c) {
  free(c->table);
  c->table = NULL;
}

void controls_apply(Controls* c, const mjModel* m, mjData* d, long step) {
  for (int i = 0; c->kind != CONTROLS_NONE && i < m->nu; i++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    bool limited = m->actuator_ctrllimited[i] != 0;
    double middle = limited ? ((double)range[0] + (double)range[1]) / 2 : 0;
    double half = limited ? ((double)range[1] - (double)range[0]) / 2 : 1;
    double value = c->value;
    if (c->kind == CONTROLS_NOISE) value = middle + half * c->value * normal(&c->random);
    if (c->kind == CONTROLS_TABLE) {
      value = c->table[(step < c->rows ? step : c->rows - 1) * c->nu + i];
    }
    d->ctrl[i] = (mjtNum)value;
  }
}
