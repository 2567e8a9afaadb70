// corten info: what a model consists of, for people (a tree and tables) or for programs (--json).

#include <corten/mjcf.h>
#include <mujoco/mjxmacro.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/model/actuator_target.h"
#include "command.h"
#include "json.h"

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

static const char* geom_word(int type) {
  static const char* const words[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                      "cylinder", "box",    "mesh",   "sdf"};
  return type >= 0 && type < 9 ? words[type] : "?";
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

static void json_open_list(const char* name) {
  printf(",\n \"%s\": [", name);
}

// The start of an object of a list: its number, by which others refer to it, and its name.
static void json_open_object(const mjModel* m, int type, int id) {
  printf("%s\n  {\"id\": %d, ", id ? "," : "", id);
  json_name(m, type, id);
}

static void json_member(const char* name, const mjtNum* x, int n) {
  printf(", \"%s\": ", name);
  json_numbers(x, n);
}

// A range, or null for what has no limit.
static void json_range(const char* name, bool limited, const mjtNum* range) {
  if (limited) {
    json_member(name, range, 2);
  } else {
    printf(", \"%s\": null", name);
  }
}

static const char* word_of(int value, const char* const* words, int count) {
  return value >= 0 && value < count ? words[value] : "?";
}

// Every number of mjOption by its name; choices in words, flags as bits.
static void json_options(const mjModel* m) {
  static const char* const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  static const char* const cones[] = {"pyramidal", "elliptic"};
  static const char* const jacobians[] = {"dense", "sparse", "auto"};
  static const char* const solvers[] = {"PGS", "CG", "Newton"};
  const mjOption* opt = &m->opt;
  printf(",\n \"options\": {\"integrator\": \"%s\", \"cone\": \"%s\", \"jacobian\": \"%s\", ",
         word_of(opt->integrator, integrators, 4), word_of(opt->cone, cones, 2),
         word_of(opt->jacobian, jacobians, 3));
  printf("\"solver\": \"%s\"", word_of(opt->solver, solvers, 3));
#define X(type_, name_)         \
  printf(", \"" #name_ "\": "); \
  json_number((double)opt->name_);
  MJOPTION_FLOATS
#undef X
#define X(name_, length_) json_member(#name_, opt->name_, length_);
  MJOPTION_VECTORS
#undef X
  printf(
      ",\n  \"iterations\": %d, \"ls_iterations\": %d, \"noslip_iterations\": %d, "
      "\"ccd_iterations\": %d, \"disableflags\": %d, \"enableflags\": %d, "
      "\"disableactuator\": %d}",
      opt->iterations, opt->ls_iterations, opt->noslip_iterations, opt->ccd_iterations,
      opt->disableflags, opt->enableflags, opt->disableactuator);
}

static void json_bodies(const mjModel* m) {
  json_open_list("bodies");
  for (int b = 0; b < m->nbody; b++) {
    json_open_object(m, mjOBJ_BODY, b);
    printf(", \"parent\": %d, \"mass\": ", m->body_parentid[b]);
    json_number((double)m->body_mass[b]);
    json_member("inertia", m->body_inertia + 3 * b, 3);
    json_member("pos", m->body_pos + 3 * b, 3);
    json_member("quat", m->body_quat + 4 * b, 4);
    printf(", \"joint_adr\": %d, \"joints\": %d, \"dof_adr\": %d, \"dofs\": %d}", m->body_jntadr[b],
           m->body_jntnum[b], m->body_dofadr[b], m->body_dofnum[b]);
  }
  printf("]");
}

static void json_joints(const mjModel* m) {
  json_open_list("joints");
  for (int j = 0; j < m->njnt; j++) {
    json_open_object(m, mjOBJ_JOINT, j);
    printf(", \"type\": \"%s\", \"body\": %d, \"qpos_adr\": %d, \"dof_adr\": %d",
           joint_word(m->jnt_type[j]), m->jnt_bodyid[j], m->jnt_qposadr[j], m->jnt_dofadr[j]);
    json_range("range", m->jnt_limited[j], m->jnt_range + 2 * j);
    json_member("axis", m->jnt_axis + 3 * j, 3);
    printf("}");
  }
  printf("]");
}

static void json_geoms(const mjModel* m) {
  json_open_list("geoms");
  for (int g = 0; g < m->ngeom; g++) {
    json_open_object(m, mjOBJ_GEOM, g);
    printf(", \"type\": \"%s\", \"body\": %d", geom_word(m->geom_type[g]), m->geom_bodyid[g]);
    json_member("size", m->geom_size + 3 * g, 3);
    printf("}");
  }
  printf("]");
}

static void json_tendons(const mjModel* m) {
  json_open_list("tendons");
  for (int i = 0; i < m->ntendon; i++) {
    json_open_object(m, mjOBJ_TENDON, i);
    json_range("range", m->tendon_limited[i], m->tendon_range + 2 * i);
    printf("}");
  }
  printf("]");
}

static void json_actuators(const mjModel* m) {
  json_open_list("actuators");
  for (int i = 0; i < m->nu; i++) {
    int type = m->actuator_trntype[i], object = (int)ct_transmission_object(type);
    json_open_object(m, mjOBJ_ACTUATOR, i);
    printf(", \"transmission\": \"%s\", \"target\": ", transmission_word(type));
    if (object != mjOBJ_UNKNOWN) {
      printf("%d", m->actuator_trnid[2 * i]);
    } else {
      printf("null");
    }
    json_range("ctrlrange", m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i);
    json_range("forcerange", m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
    json_range("actrange", m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
    json_member("gear", m->actuator_gear + 6 * i, 6);
    printf(", \"act_adr\": %d, \"activations\": %d}", m->actuator_actadr[i], m->actuator_actnum[i]);
  }
  printf("]");
}

static void json_sensors(const mjModel* m) {
  json_open_list("sensors");
  for (int i = 0; i < m->nsensor; i++) {
    json_open_object(m, mjOBJ_SENSOR, i);
    printf(", \"type\": \"%s\", \"dim\": %d, \"adr\": %d", sensor_word(m->sensor_type[i]),
           m->sensor_dim[i], m->sensor_adr[i]);
    const char* kind = mju_type2Str(m->sensor_objtype[i]);
    if (kind && m->sensor_objid[i] >= 0) {
      printf(", \"object\": \"%s\", \"object_id\": %d", kind, m->sensor_objid[i]);
    }
    printf("}");
  }
  printf("]");
}

static void json_keyframes(const mjModel* m) {
  json_open_list("keyframes");
  for (int k = 0; k < m->nkey; k++) {
    json_open_object(m, mjOBJ_KEY, k);
    printf(", \"time\": ");
    json_number((double)m->key_time[k]);
    json_member("qpos", m->key_qpos + (size_t)k * (size_t)m->nq, (int)m->nq);
    printf("}");
  }
  printf("]");
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
  json_options(m);
  json_bodies(m);
  json_joints(m);
  json_geoms(m);
  json_tendons(m);
  json_actuators(m);
  json_sensors(m);
  json_keyframes(m);
  printf("}\n");
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
