#include "mjcf/habits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "mjcf/schema.h"

// Words

typedef struct {
  const char *word, *meant;
} Habit;

static const Habit habits[] = {
    // clang-format off
    // attributes
    {"color", "rgba"}, {"colour", "rgba"}, {"radius", "size"}, {"length", "size"}, {"dimensions", "size"},
    {"half_size", "size"}, {"halfsize", "size"}, {"extents", "size"},
    {"position", "pos"}, {"translation", "pos"}, {"origin", "pos"}, {"xyz", "pos"}, {"location", "pos"},
    {"rotation", "euler"}, {"rotation", "quat"}, {"orientation", "quat"}, {"rpy", "euler"},
    {"quaternion", "quat"}, {"angle", "axisangle"},
    {"limit", "range"}, {"limits", "range"}, {"lower", "range"}, {"upper", "range"},
    {"parent", "body1"}, {"child", "body2"}, {"id", "name"}, {"filename", "file"}, {"path", "file"},
    {"shape", "type"}, {"kind", "type"}, {"texture_file", "file"}, {"friction_loss", "frictionloss"},
    {"kp", "stiffness"}, {"kv", "damping"}, {"dt", "timestep"}, {"time_step", "timestep"},
    // elements
    {"link", "body"}, {"visual", "geom"}, {"collision", "geom"}, {"geometry", "geom"}, {"world", "worldbody"},
    {"constraint", "equality"}, {"controller", "actuator"}, {"assets", "asset"}, {"imu", "accelerometer"},
    {"imu", "gyro"}, {"lidar", "rangefinder"},
    // values
    {"revolute", "hinge"}, {"continuous", "hinge"}, {"prismatic", "slide"}, {"spherical", "ball"},
    {"floating", "free"}, {"cube", "box"}, {"cuboid", "box"}, {"ball", "sphere"}, {"ground", "plane"},
    {"heightfield", "hfield"}, {"rk4", "RK4"}, {"yes", "true"}, {"no", "false"}, {"on", "enable"},
    {"off", "disable"}, {"True", "true"}, {"False", "false"}, {"1", "true"}, {"0", "false"},
    // clang-format on
};

const char* ct_habit(const char* word, int k) {
  for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++) {
    if (!strcmp(habits[i].word, word) && k-- == 0) return habits[i].meant;
  }
  return NULL;
}

// Places

// Classes have a template of almost everything, and composites have their own of some: who looks
// for the place of an element does not mean those.
static bool is_ordinary_place(const ct_Rule* parent) {
  for (const ct_Rule* rule = parent; rule; rule = rule->parent) {
    if (!strcmp(rule->name, "default") || !strcmp(rule->name, "composite") ||
        !strcmp(rule->name, "flexcomp")) {
      return false;
    }
  }
  return true;
}

// The world is a body that cannot move, so it has no joints and no inertia.
static const char* name_of_place(const ct_Rule* parent, const char* name) {
  if (strcmp(parent->name, "body") != 0) return parent->name;
  bool moves = !strcmp(name, "joint") || !strcmp(name, "freejoint") || !strcmp(name, "inertial");
  return moves ? "a body" : "worldbody, a body";
}

void ct_places_of_element(const char* name, char* text, size_t size) {
  enum { MOST = 6 };
  const char* place[MOST];
  int count, n = 0;
  const ct_Rule* rules = ct_rules(&count);
  for (int i = 0; i < count && n < MOST; i++) {
    const ct_Rule* parent = rules[i].parent;
    if (!parent || strcmp(rules[i].name, name) != 0 || !is_ordinary_place(parent)) continue;
    place[n++] = name_of_place(parent, name);
  }
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < n && used < size; i++) {
    const char* joint = i == 0 ? "" : i + 1 < n ? ", " : " or ";
    used += (size_t)snprintf(text + used, size - used, "%s%s", joint, place[i]);
  }
}

// Quotes

static size_t skip_blanks(const char* text, size_t i) {
  return (size_t)(ct_skip_blanks(text + i) - text);
}

// Where a name ends.
static size_t skip_name(const char* text, size_t i) {
  while (text[i] && !ct_is_blank(text[i]) && !strchr("=\"'/><", text[i])) i++;
  return i;
}

// Does a value look as if it had swallowed what comes after it? It ends with the equals sign of the
// next attribute.
static bool swallowed(const char* from, const char* to) {
  while (to > from && ct_is_blank(to[-1])) to--;
  return to > from && to[-1] == '=';
}

// Walks the attributes, each a name, an equals sign and a value between quotes.
void ct_missing_quote(const char* tag, char* text, size_t size, size_t* at) {
  size_t i = skip_name(tag, 1);
  text[0] = 0;
  for (;;) {
    i = skip_blanks(tag, i);
    size_t name = i, end = skip_name(tag, i);
    int length = end - name > 40 ? 40 : (int)(end - name);
    size_t equals = skip_blanks(tag, end), value = skip_blanks(tag, equals + (tag[equals] == '='));
    if (end == name || tag[equals] != '=') return;
    *at = name;
    if (tag[value] != '"' && tag[value] != '\'') {
      snprintf(text, size, "the value of %.*s must stand in quotes", length, tag + name);
      return;
    }
    const char* closing = strchr(tag + value + 1, tag[value]);
    if (!closing || swallowed(tag + value + 1, closing)) {
      snprintf(text, size, "the value of %.*s begins with %c and does not end with one", length,
               tag + name, tag[value]);
      return;
    }
    i = (size_t)(closing - tag) + 1;
  }
}
