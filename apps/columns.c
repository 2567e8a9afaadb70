#include "columns.h"

#include <mujoco/mjxmacro.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char* const standard_fields[NSTANDARD_FIELD] = {
    "time", "qpos", "qvel", "act", "ctrl", "sensordata", "ncon", "mocap_pos", "mocap_quat"};

bool field_find(const mjModel* m, const mjData* d, const char* name, Field* field) {
  const Field whole[] = {{"time", "", &d->time, 1, 1},
                         {"ncon", "", NULL, 1, 1},
                         {"energy", "energy", d->energy, 2, 1}};
  for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
    if (strcmp(name, whole[i].name) != 0) continue;
    *field = whole[i];
    return true;
  }
  MJDATA_POINTERS_PREAMBLE(m)
#define X(type_, name_, rows_, columns_)                                                      \
  if (!strcmp(#type_, "mjtNum") && !strcmp(name, #name_)) {                                   \
    const Field found = {#name_, #rows_, (const mjtNum*)(const void*)d->name_, (int)m->rows_, \
                         (int)(columns_)};                                                    \
    *field = found;                                                                           \
    return true;                                                                              \
  }
  MJDATA_POINTERS
#undef X
  return false;
}

// Names

static void object_name(const mjModel* m, int type, int id, char text[100]) {
  const char* name = mj_id2name(m, type, id);
  if (name && name[0]) {
    snprintf(text, 100, "%s", name);
  } else {
    snprintf(text, 100, "%s%d", mju_type2Str(type), id);
  }
}

void object_title(const mjModel* m, int type, int id, char* text, int room) {
  const char* name = mj_id2name(m, type, id);
  if (name && name[0]) {
    snprintf(text, (size_t)room, "%s %s", mju_type2Str(type), name);
  } else {
    snprintf(text, (size_t)room, "%s %d", mju_type2Str(type), id);
  }
}

// Where the columns of a field go.
typedef struct {
  const mjModel* m;
  const Field* field;
  ColumnHandler handler;
  void* user;
} Columns;

static void tell(const Columns* c, const char* object, const char* part, const char* unit) {
  char name[300];
  snprintf(name, sizeof(name), "%s%s%s%s%s", c->field->name, object[0] ? "." : "", object,
           part[0] ? "." : "", part);
  c->handler(c->user, name, unit);
}

// Units

// Of a position, velocity, acceleration or force along a coordinate that turns, or does not.
enum { POSITION, VELOCITY, ACCELERATION, FORCE };
static const char* const units_of_slides[] = {"m", "m/s", "m/s^2", "N"};
static const char* const units_of_turns[] = {"rad", "rad/s", "rad/s^2", "N m"};

static bool begins_with(const char* text, const char* start) {
  return !strncmp(text, start, strlen(start));
}

// What a field with a number for each dof is made of; -1: something else.
static int order_of_dofs(const char* name) {
  if (!strcmp(name, "qvel")) return VELOCITY;
  if (begins_with(name, "qacc")) return ACCELERATION;
  return begins_with(name, "qfrc_") ? FORCE : -1;
}

static const char* joint_unit(const mjModel* m, int joint, int order) {
  int type = joint >= 0 && joint < m->njnt ? m->jnt_type[joint] : -1;
  if (order < 0 || (type != mjJNT_SLIDE && type != mjJNT_HINGE)) return "";
  return (type == mjJNT_SLIDE ? units_of_slides : units_of_turns)[order];
}

static const char* sensor_unit(const mjModel* m, int sensor) {
  switch (m->sensor_type[sensor]) {
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTLIMITPOS:
      return joint_unit(m, m->sensor_objid[sensor], POSITION);
    case mjSENS_JOINTVEL:
    case mjSENS_JOINTLIMITVEL:
      return joint_unit(m, m->sensor_objid[sensor], VELOCITY);
    case mjSENS_JOINTACTFRC:
    case mjSENS_JOINTLIMITFRC:
      return joint_unit(m, m->sensor_objid[sensor], FORCE);
    case mjSENS_TOUCH:
    case mjSENS_FORCE:
      return "N";
    case mjSENS_TORQUE:
      return "N m";
    case mjSENS_ACCELEROMETER:
    case mjSENS_FRAMELINACC:
      return "m/s^2";
    case mjSENS_VELOCIMETER:
    case mjSENS_FRAMELINVEL:
    case mjSENS_SUBTREELINVEL:
      return "m/s";
    case mjSENS_GYRO:
    case mjSENS_BALLANGVEL:
    case mjSENS_FRAMEANGVEL:
      return "rad/s";
    case mjSENS_FRAMEANGACC:
      return "rad/s^2";
    case mjSENS_RANGEFINDER:
    case mjSENS_FRAMEPOS:
    case mjSENS_SUBTREECOM:
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMFROMTO:
      return "m";
    case mjSENS_SUBTREEANGMOM:
      return "kg m^2/s";
    case mjSENS_CAMPROJECTION:
      return "pixels";
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      return "J";
    case mjSENS_CLOCK:
      return "s";
    default:  // directions, what has no unit, and what depends on the user
      return "";
  }
}

// Columns

// Parts of a free joint; a ball joint has the last four, or three.
static void tell_joints(const Columns* c, bool positions) {
  static const char* const position_parts[7] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  static const char* const velocity_parts[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  const mjModel* m = c->m;
  int order = positions ? POSITION : order_of_dofs(c->field->name);
  for (int j = 0; j < m->njnt; j++) {
    char name[100];
    object_name(m, mjOBJ_JOINT, j, name);
    int type = m->jnt_type[j], first = type == mjJNT_BALL ? 3 : 0, end = positions ? 7 : 6;
    if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
      tell(c, name, "", joint_unit(m, j, order));
      continue;
    }
    for (int i = first; i < end; i++) {
      const char* turn = positions || order < 0 ? "" : units_of_turns[order];
      const char* move = order < 0 ? "" : units_of_slides[order];
      tell(c, name, positions ? position_parts[i] : velocity_parts[i], i < 3 ? move : turn);
    }
  }
}

static void tell_numbered(const Columns* c, int type, int id, int count, const char* unit) {
  char name[100], part[20];
  object_name(c->m, type, id, name);
  for (int k = 0; k < count; k++) {
    snprintf(part, sizeof(part), "%d", k);
    tell(c, name, count > 1 ? part : "", unit);
  }
}

// What has one row each, by the name of its size; mjOBJ_UNKNOWN: nothing that has names.
static int object_of(const char* kind) {
  static const struct {
    const char* kind;
    int type;
  } kinds[] = {{"nbody", mjOBJ_BODY},  {"njnt", mjOBJ_JOINT},     {"ngeom", mjOBJ_GEOM},
               {"nsite", mjOBJ_SITE},  {"ncam", mjOBJ_CAMERA},    {"nlight", mjOBJ_LIGHT},
               {"nu", mjOBJ_ACTUATOR}, {"ntendon", mjOBJ_TENDON}, {"nv", mjOBJ_DOF}};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    if (!strcmp(kind, kinds[i].kind)) return kinds[i].type;
  }
  return mjOBJ_UNKNOWN;
}

static int mocap_body(const mjModel* m, int mocap) {
  int body = 0;
  while (body + 1 < m->nbody && m->body_mocapid[body] != mocap) body++;
  return body;
}

// Any other array: rows by name or number, columns as coordinates or by number.
static void tell_array(const Columns* c) {
  static const char* const axes[] = {"x", "y", "z"};
  static const char* const quaternion[] = {"qw", "qx", "qy", "qz"};
  const Field* f = c->field;
  int type = object_of(f->kind);
  bool place = f->columns == 3 && (strstr(f->name, "pos") || strstr(f->name, "com"));
  for (int i = 0; i < f->rows; i++) {
    char name[100], number[20];
    snprintf(name, sizeof(name), "%d", i);
    if (type != mjOBJ_UNKNOWN && type != mjOBJ_DOF) object_name(c->m, type, i, name);
    if (!strcmp(f->kind, "nmocap")) object_name(c->m, mjOBJ_BODY, mocap_body(c->m, i), name);
    for (int k = 0; k < f->columns; k++) {
      snprintf(number, sizeof(number), "%d", k);
      const char* part = f->columns == 3   ? axes[k]
                         : f->columns == 4 ? quaternion[k]
                         : f->columns > 1  ? number
                                           : "";
      tell(c, name, part, place ? "m" : "");
    }
  }
}

void field_columns(const mjModel* m, const Field* field, ColumnHandler handler, void* user) {
  const Columns c = {m, field, handler, user};
  if (!strcmp(field->kind, "")) {
    tell(&c, "", "", unit_by_name(field->name));
  } else if (!strcmp(field->kind, "energy")) {
    tell(&c, "potential", "", "J");
    tell(&c, "kinetic", "", "J");
  } else if (!strcmp(field->kind, "nq")) {
    tell_joints(&c, true);
  } else if (!strcmp(field->kind, "nv") && field->columns == 1) {
    tell_joints(&c, false);
  } else if (!strcmp(field->kind, "na")) {
    for (int i = 0; i < m->nu; i++) {
      tell_numbered(&c, mjOBJ_ACTUATOR, i, m->actuator_actnum[i], "");
    }
  } else if (!strcmp(field->kind, "nsensordata")) {
    for (int i = 0; i < m->nsensor; i++) {
      tell_numbered(&c, mjOBJ_SENSOR, i, m->sensor_dim[i], sensor_unit(m, i));
    }
  } else {
    tell_array(&c);
  }
}

const char* unit_by_name(const char* column) {
  const char* part = strrchr(column, '.');
  part = part ? part + 1 : "";
  if (!strcmp(column, "time")) return "s";
  if (begins_with(column, "energy.")) return "J";
  bool axis = part[0] && strchr("xyz", part[0]) && !part[1];
  if (axis && (begins_with(column, "qpos.") || strstr(column, "pos."))) return "m";
  bool rate = begins_with(column, "qvel.") && part[0] && part[1] && !part[2];
  if (rate && part[0] == 'v' && strchr("xyz", part[1])) return "m/s";
  if (rate && part[0] == 'w' && strchr("xyz", part[1])) return "rad/s";
  return "";
}
