// What each type of sensor is: how many numbers it reads, of which kind and when, and what it looks
// at. The compiler, the spec and the check of foreign models all go by this table.

#ifndef CT_BASE_MODEL_SENSOR_RULES_H_
#define CT_BASE_MODEL_SENSOR_RULES_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// Kinds of objects, as bits.
enum {
  CT_SEES_SITE = 1 << mjOBJ_SITE,
  CT_SEES_JOINT = 1 << mjOBJ_JOINT,
  CT_SEES_TENDON = 1 << mjOBJ_TENDON,
  CT_SEES_ACTUATOR = 1 << mjOBJ_ACTUATOR,
  CT_SEES_CAMERA = 1 << mjOBJ_CAMERA,
  CT_SEES_BODY = 1 << mjOBJ_BODY,
  CT_SEES_XBODY = 1 << mjOBJ_XBODY,
  CT_SEES_GEOM = 1 << mjOBJ_GEOM,
  CT_SEES_MESH = 1 << mjOBJ_MESH,
  CT_SEES_FRAME = CT_SEES_BODY | CT_SEES_XBODY | CT_SEES_GEOM | CT_SEES_SITE | CT_SEES_CAMERA,
  CT_SEES_SURFACE = CT_SEES_BODY | CT_SEES_GEOM,
  CT_SEES_COLLIDER = CT_SEES_BODY | CT_SEES_XBODY | CT_SEES_GEOM,
  CT_SEES_ANYTHING = -1,
};

enum { CT_WIDTH_VARIES = -1 };  // it depends on more than the type

typedef struct ct_SensorRule_ {
  int width;  // numbers that it reads, or CT_WIDTH_VARIES
  mjtDataType datatype;
  mjtStage stage;
  int object;     // kinds it may measure
  int reference;  // kinds it may be relative to; other than CT_SEES_FRAME: its second object
  bool alone;     // may have no object
} ct_SensorRule;

// NULL: there is no such type.
const ct_SensorRule* ct_sensor_rule(int type);

static inline bool ct_sensor_sees(int kinds, int object_type) {
  return kinds == CT_SEES_ANYTHING ||
         (object_type >= 0 && object_type < mjNOBJECT && (kinds >> object_type & 1));
}

// Numbers of one ray of a rangefinder, of one contact of a contact sensor: those of the fields
// whose bits are set in the mask, added up. 0 for other types.
int ct_sensor_fields_width(int type, int mask);

#endif  // CT_BASE_MODEL_SENSOR_RULES_H_
