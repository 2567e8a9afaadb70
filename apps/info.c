// corten info: what a model consists of, for people (a tree and tables) or for programs (--json).

#include <corten/mjcf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/model/actuator_target.h"
#include "command.h"

enum { NAME_ROOM = 200 };  // of a name as it is shown

// A name, or "kind id" for what has none. The text lives until the fourth next call.
static const char* name_of(const mjModel* m, int type, int id) {
  static char texts[4][NAME_ROOM];
  static int next = 0;
  const char* name = mj_id2name(m, type, id);
  char* text = texts[next++ % 4];
  if (name) {
    make_visible(text, NAME_ROOM, name);
  } else {
    snprintf(text, NAME_ROOM, "%s %d", mju_type2Str(type), id);
  }
  return text;
}

static const char* joint_word(int type) {
  static const char* const words[] = {"free", "ball", "slide", "hinge"};
  return type >= 0 && type < 4 ? words[type] : "?";
}

static const char* transmission_word(int type) {
  static const char* const words[] = {"joint", "joint in parent", "slider-crank", "tendon", "site",
                                      "body"};
  return type >= 0 && type < 6 ? words[type] : "undefined";
}

static const char* sensor_word(int type) {
  const char* word = ct_sensor_element(type);
  return word ? word : "?";
}

static mjtNum total_mass(const mjModel* m) {
  mjtNum mass = 0;
  for (int b = 1; b < m->nbody; b++) mass += m->body_mass[b];
  return mass;
}

// Sizes that describe a model; shown when not zero.
typedef struct {
  const char *one, *many;
  mjtSize value;
} Count;

#define NCOUNT 20
static void collect_counts(const mjModel* m, Count out[NCOUNT]) {
  const Count counts[NCOUNT] = {
      {"body", "bodies", m->nbody},
      {"joint", "joints", m->njnt},
      {"dof", "dofs", m->nv},
      {"position", "positions", m->nq},
      {"tree", "trees", m->ntree},
      {"geom", "geoms", m->ngeom},
      {"site", "sites", m->nsite},
      {"camera", "cameras", m->ncam},
      {"light", "lights", m->nlight},
      {"mesh", "meshes", m->nmesh},
      {"height field", "height fields", m->nhfield},
      {"flex", "flexes", m->nflex},
      {"tendon", "tendons", m->ntendon},
      {"actuator", "actuators", m->nu},
      {"activation", "activations", m->na},
      {"sensor", "sensors", m->nsensor},
      {"equality", "equalities", m->neq},
      {"contact pair", "contact pairs", m->npair},
      {"keyframe", "keyframes", m->nkey},
      {"mocap body", "mocap bodies", m->nmocap},
  };
  memcpy(out, counts, sizeof(counts));
}

void print_summary(const mjModel* m) {
  Count counts[NCOUNT];
  collect_counts(m, counts);
  char name[NAME_ROOM];
  make_visible(name, sizeof(name), m->names);
  printf("%s\n", name);
  const char* separator = "  ";
  for (int i = 0; i < NCOUNT; i++) {
    if (!counts[i].value) continue;
    printf("%s%lld %s", separator, (long long)counts[i].value,
           counts[i].value == 1 ? counts[i].one : counts[i].many);
    separator = ", ";
  }
  printf("\n  mass %g, timestep %g, gravity %g %g %g\n", (double)total_mass(m),
         (double)m->opt.timestep, (double)m->opt.gravity[0], (double)m->opt.gravity[1],
         (double)m->opt.gravity[2]);
  printf("  model %.1f kB, arena of an mjData %.1f kB\n", (double)m->nbuffer / 1024,
         (double)m->narena / 1024);
}

// How far one body's line is indented; deeper bodies stay at the last column.
static int depth_of(const mjModel* m, int body) {
  int depth = 0;
  for (int b = body; b > 0; b = m->body_parentid[b]) depth++;
  return depth < 40 ? depth : 40;
}

// Bodies are stored depth first, so the tree is printed in order of id.
void print_tree(const mjModel* m) {
  for (int b = 1; b < m->nbody; b++) {
    char line[NAME_ROOM + 2 * 40 + 1];
    snprintf(line, sizeof(line), "%*s%s", 2 * depth_of(m, b), "", name_of(m, mjOBJ_BODY, b));
    printf("%-36s %8.4g kg", line, (double)m->body_mass[b]);
    for (int j = 0; j < m->body_jntnum[b]; j++) {
      int joint = m->body_jntadr[b] + j;
      printf("%s%s (%s)", j ? ", " : "   ", name_of(m, mjOBJ_JOINT, joint),
             joint_word(m->jnt_type[joint]));
    }
    printf("\n");
  }
}

static void print_joints(const mjModel* m) {
  if (m->njnt) printf("\njoints\n");
  for (int j = 0; j < m->njnt; j++) {
    printf("  %-28s %-6s body %s", name_of(m, mjOBJ_JOINT, j), joint_word(m->jnt_type[j]),
           name_of(m, mjOBJ_BODY, m->jnt_bodyid[j]));
    if (m->jnt_limited[j]) {
      printf(", range %g %g", (double)m->jnt_range[2 * j], (double)m->jnt_range[2 * j + 1]);
    }
    printf("\n");
  }
}

static void print_actuators(const mjModel* m) {
  if (m->nu) printf("\nactuators\n");
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i], object = (int)ct_transmission_object(type);
    printf("  %-28s on %s", name_of(m, mjOBJ_ACTUATOR, i), transmission_word(type));
    if (object != mjOBJ_UNKNOWN) printf(" %s", name_of(m, object, m->actuator_trnid[2 * i]));
    if (m->actuator_ctrllimited[i]) {
      printf(", control %g %g", (double)m->actuator_ctrlrange[2 * i],
             (double)m->actuator_ctrlrange[2 * i + 1]);
    }
    printf("\n");
  }
}

static void print_sensors(const mjModel* m) {
  if (m->nsensor) printf("\nsensors\n");
  for (int i = 0; i < m->nsensor; i++) {
    printf("  %-28s %s, %d numbers at %d", name_of(m, mjOBJ_SENSOR, i),
           sensor_word(m->sensor_type[i]), m->sensor_dim[i], m->sensor_adr[i]);
    if (m->sensor_objtype[i] != mjOBJ_UNKNOWN && m->sensor_objid[i] >= 0) {
      const char* kind = mju_type2Str(m->sensor_objtype[i]);
      printf(", %s %s", kind ? kind : "object",
             name_of(m, m->sensor_objtype[i], m->sensor_objid[i]));
    }
    printf("\n");
  }
}

// JSON

// Bytes that are no UTF-8 are written as the characters of that number.
static void json_string(const char* text) {
  putchar('"');
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    int n = utf8_length(p);
    if (*p == '"' || *p == '\\') {
      printf("\\%c", *p);
    } else if (*p < 32 || *p == 127 || n == 0) {
      printf("\\u%04x", *p);
    } else {
      fwrite(p, 1, (size_t)n, stdout);
    }
    p += n ? n : 1;
  }
  putchar('"');
}

// A name or null.
static void json_name(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  printf("\"name\": ");
  if (name) {
    json_string(name);
  } else {
    printf("null");
  }
}

// JSON has no NaN and no infinity.
static void json_number(double x) {
  if (x - x == 0) {
    printf("%.17g", x);
  } else {
    printf("null");
  }
}

static void json_open_list(const char* name) {
  printf(",\n \"%s\": [", name);
}

static void print_json(const mjModel* m) {
  Count counts[NCOUNT];
  collect_counts(m, counts);
  printf("{\"model\": ");
  json_string(m->names);
  printf(",\n \"sizes\": {");
  for (int i = 0; i < NCOUNT; i++) {
    printf("%s\"%s\": %lld", i ? ", " : "", counts[i].many, (long long)counts[i].value);
  }
  printf("},\n \"mass\": ");
  json_number((double)total_mass(m));
  printf(", \"timestep\": ");
  json_number((double)m->opt.timestep);
  json_open_list("bodies");
  for (int b = 0; b < m->nbody; b++) {
    printf("%s\n  {", b ? "," : "");
    json_name(m, mjOBJ_BODY, b);
    printf(", \"parent\": %d, \"mass\": ", m->body_parentid[b]);
    json_number((double)m->body_mass[b]);
    printf("}");
  }
  printf("]");
  json_open_list("joints");
  for (int j = 0; j < m->njnt; j++) {
    printf("%s\n  {", j ? "," : "");
    json_name(m, mjOBJ_JOINT, j);
    printf(", \"type\": \"%s\", \"body\": %d}", joint_word(m->jnt_type[j]), m->jnt_bodyid[j]);
  }
  printf("]");
  json_open_list("actuators");
  for (int i = 0; i < m->nu; i++) {
    printf("%s\n  {", i ? "," : "");
    json_name(m, mjOBJ_ACTUATOR, i);
    printf(", \"transmission\": \"%s\", \"id\": %d}", transmission_word(m->actuator_trntype[i]),
           m->actuator_trnid[2 * i]);
  }
  printf("]");
  json_open_list("sensors");
  for (int i = 0; i < m->nsensor; i++) {
    printf("%s\n  {", i ? "," : "");
    json_name(m, mjOBJ_SENSOR, i);
    printf(", \"type\": \"%s\", \"dim\": %d, \"adr\": %d}", sensor_word(m->sensor_type[i]),
           m->sensor_dim[i], m->sensor_adr[i]);
  }
  printf("]}\n");
}

int command_info(int argc, char** argv) {
  const char* path = NULL;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--json")) {
      json = true;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("info: unknown option %s", argv[i]);
    } else if (path) {
      return misused("info: one file at a time, got %s and %s", path, argv[i]);
    } else {
      path = argv[i];
    }
  }
  if (!path) return misused("info: which file?");
  mjModel* m = load_model(path);
  if (!m) return EXIT_FAILED;
  if (json) {
    print_json(m);
  } else {
    print_summary(m);
    printf("\n");
    print_tree(m);
    print_joints(m);
    print_actuators(m);
    print_sensors(m);
  }
  mj_deleteModel(m);
  return EXIT_FINE;
}
