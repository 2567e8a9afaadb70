// What each type of sensor is. See sensor_rules.h.

#include "base/model/sensor_rules.h"

#include <stddef.h>

enum {
  VARIES = CT_WIDTH_VARIES,
  REAL = mjDATATYPE_REAL,
  POSITIVE = mjDATATYPE_POSITIVE,
  AXIS = mjDATATYPE_AXIS,
  QUATERNION = mjDATATYPE_QUATERNION,
  POS = mjSTAGE_POS,
  VEL = mjSTAGE_VEL,
  ACC = mjSTAGE_ACC,
  SITE = CT_SEES_SITE,
  JOINT = CT_SEES_JOINT,
  TENDON = CT_SEES_TENDON,
  ACTUATOR = CT_SEES_ACTUATOR,
  CAMERA = CT_SEES_CAMERA,
  BODY = CT_SEES_BODY,
  GEOM = CT_SEES_GEOM,
  MESH = CT_SEES_MESH,
  FRAME = CT_SEES_FRAME,
  SURFACE = CT_SEES_SURFACE,
  COLLIDER = CT_SEES_COLLIDER,
  ANYTHING = CT_SEES_ANYTHING,
};

#define RULE(type_, width_, datatype_, stage_, object_, reference_, alone_) \
  [type_] = {width_, (mjtDataType)(datatype_), (mjtStage)(stage_), object_, reference_, alone_}

// clang-format off
static const ct_SensorRule rules[mjSENS_USER + 1] = {
    RULE(mjSENS_TOUCH,                1, POSITIVE,   ACC, SITE,            FRAME,    false),
    RULE(mjSENS_ACCELEROMETER,        3, REAL,       ACC, SITE,            FRAME,    false),
    RULE(mjSENS_VELOCIMETER,          3, REAL,       VEL, SITE,            FRAME,    false),
    RULE(mjSENS_GYRO,                 3, REAL,       VEL, SITE,            FRAME,    false),
    RULE(mjSENS_FORCE,                3, REAL,       ACC, SITE,            FRAME,    false),
    RULE(mjSENS_TORQUE,               3, REAL,       ACC, SITE,            FRAME,    false),
    RULE(mjSENS_MAGNETOMETER,         3, REAL,       POS, SITE,            FRAME,    false),
    RULE(mjSENS_RANGEFINDER,     VARIES, REAL,       POS, SITE | CAMERA,   FRAME,    false),
    RULE(mjSENS_CAMPROJECTION,        2, REAL,       POS, SITE,            CAMERA,   false),
    RULE(mjSENS_JOINTPOS,             1, REAL,       POS, JOINT,           FRAME,    false),
    RULE(mjSENS_JOINTVEL,             1, REAL,       VEL, JOINT,           FRAME,    false),
    RULE(mjSENS_TENDONPOS,            1, REAL,       POS, TENDON,          FRAME,    false),
    RULE(mjSENS_TENDONVEL,            1, REAL,       VEL, TENDON,          FRAME,    false),
    RULE(mjSENS_ACTUATORPOS,          1, REAL,       POS, ACTUATOR,        FRAME,    false),
    RULE(mjSENS_ACTUATORVEL,          1, REAL,       VEL, ACTUATOR,        FRAME,    false),
    RULE(mjSENS_ACTUATORFRC,          1, REAL,       ACC, ACTUATOR,        FRAME,    false),
    RULE(mjSENS_JOINTACTFRC,          1, REAL,       ACC, JOINT,           FRAME,    false),
    RULE(mjSENS_TENDONACTFRC,         1, REAL,       ACC, TENDON,          FRAME,    false),
    RULE(mjSENS_BALLQUAT,             4, QUATERNION, POS, JOINT,           FRAME,    false),
    RULE(mjSENS_BALLANGVEL,           3, REAL,       VEL, JOINT,           FRAME,    false),
    RULE(mjSENS_JOINTLIMITPOS,        1, REAL,       POS, JOINT,           FRAME,    false),
    RULE(mjSENS_JOINTLIMITVEL,        1, REAL,       VEL, JOINT,           FRAME,    false),
    RULE(mjSENS_JOINTLIMITFRC,        1, REAL,       ACC, JOINT,           FRAME,    false),
    RULE(mjSENS_TENDONLIMITPOS,       1, REAL,       POS, TENDON,          FRAME,    false),
    RULE(mjSENS_TENDONLIMITVEL,       1, REAL,       VEL, TENDON,          FRAME,    false),
    RULE(mjSENS_TENDONLIMITFRC,       1, REAL,       ACC, TENDON,          FRAME,    false),
    RULE(mjSENS_FRAMEPOS,             3, REAL,       POS, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEQUAT,            4, QUATERNION, POS, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEXAXIS,           3, AXIS,       POS, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEYAXIS,           3, AXIS,       POS, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEZAXIS,           3, AXIS,       POS, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMELINVEL,          3, REAL,       VEL, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEANGVEL,          3, REAL,       VEL, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMELINACC,          3, REAL,       ACC, FRAME,           FRAME,    false),
    RULE(mjSENS_FRAMEANGACC,          3, REAL,       ACC, FRAME,           FRAME,    false),
    RULE(mjSENS_SUBTREECOM,           3, REAL,       POS, BODY,            FRAME,    false),
    RULE(mjSENS_SUBTREELINVEL,        3, REAL,       VEL, BODY,            FRAME,    false),
    RULE(mjSENS_SUBTREEANGMOM,        3, REAL,       VEL, BODY,            FRAME,    false),
    RULE(mjSENS_INSIDESITE,           1, POSITIVE,   POS, FRAME,           SITE,     false),
    RULE(mjSENS_GEOMDIST,             1, REAL,       POS, SURFACE,         SURFACE,  false),
    RULE(mjSENS_GEOMNORMAL,           3, AXIS,       POS, SURFACE,         SURFACE,  false),
    RULE(mjSENS_GEOMFROMTO,           6, REAL,       POS, SURFACE,         SURFACE,  false),
    RULE(mjSENS_CONTACT,         VARIES, REAL,       ACC, COLLIDER | SITE, COLLIDER, true),
    RULE(mjSENS_E_POTENTIAL,          1, REAL,       POS, ANYTHING,        FRAME,    true),
    RULE(mjSENS_E_KINETIC,            1, REAL,       POS, ANYTHING,        FRAME,    true),
    RULE(mjSENS_CLOCK,                1, REAL,       POS, ANYTHING,        FRAME,    true),
    RULE(mjSENS_TACTILE,         VARIES, REAL,       ACC, MESH,            GEOM,     false),
    RULE(mjSENS_PLUGIN,          VARIES, REAL,       ACC, ANYTHING,        FRAME,    true),  // the plugin knows the stage
    RULE(mjSENS_USER,            VARIES, REAL,       ACC, ANYTHING,        FRAME,    true),  // type and stage are its own
};
// clang-format on

const ct_SensorRule* ct_sensor_rule(int type) {
  return type >= 0 && type <= mjSENS_USER ? &rules[type] : NULL;
}

static int masked_sum(int mask, const int* width, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (mask >> i & 1) sum += width[i];
  }
  return sum;
}

int ct_sensor_fields_width(int type, int mask) {
  static const int ray[] = {1, 3, 3, 3, 3, 1};         // dist dir origin point normal depth
  static const int contact[] = {1, 3, 3, 1, 3, 3, 3};  // found force torque dist pos normal tangent
  switch (type) {
    case mjSENS_RANGEFINDER:
      return masked_sum(mask, ray, (int)(sizeof(ray) / sizeof(ray[0])));
    case mjSENS_CONTACT:
      return masked_sum(mask, contact, (int)(sizeof(contact) / sizeof(contact[0])));
    default:
      return 0;
  }
}
