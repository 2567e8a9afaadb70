// Sensors: what they measure, and where their readings and past readings are.
//
// What each type reads, when, and from what kind of object stands in base/model/sensor_rules.c; the
// rules that are not of this form stand here.

#include <limits.h>
#include <stdio.h>

#include "base/model/sensor_rules.h"
#include "compile/compile.h"
#include "compile/sample_history.h"
#include "compile/work/put.h"

static ct_WorkSensor* sensor_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkSensor, c->list[mjOBJ_SENSOR], i);
}

// Objects

static ct_Work* find_object(ct_Compiler* c, const ct_Element* e, const char* attribute, mjtObj type,
                            const mjString* name) {
  if (!ct_text(name)[0]) ct_fail(c, e, "the name of the %s is missing", attribute);
  ct_Work* object = ct_lookup_or_fail(c, e, attribute, type, ct_text(name));
  if (type == mjOBJ_GEOM || type == mjOBJ_MESH) object->used = true;
  return object;
}

static void resolve_objects(ct_Compiler* c, ct_WorkSensor* sensor, const ct_SensorRule* rule) {
  const ct_Element* e = sensor->head.element;
  const mjsSensor* v = &sensor->v;
  sensor->object = sensor->reference = NULL;
  if (v->objtype != mjOBJ_UNKNOWN) {
    sensor->object = find_object(c, e, "object", v->objtype, v->objname);
  } else if (!rule->alone) {
    ct_fail(c, e, "the object to measure is missing");
  }
  if (v->reftype != mjOBJ_UNKNOWN) {
    sensor->reference = find_object(c, e, "reference", v->reftype, v->refname);
    if (!ct_sensor_sees(CT_SEES_FRAME, (int)v->reftype)) {
      ct_fail(c, e, "the reference must be a body, geom, site or camera");
    }
  }
  if (sensor->object && !ct_sensor_sees(rule->object, (int)v->objtype)) {
    ct_fail_as_known(c, e,
                     v->type == mjSENS_CONTACT
                         ? "first matching criterion: if set, must be (x)body, geom or site"
                         : "the type of the object does not suit the sensor",
                     "a sensor of this type cannot measure a %s", mju_type2Str((int)v->objtype));
  }
}

// Types whose second object is not a frame of reference but part of what is measured.
static void check_second(ct_Compiler* c, const ct_WorkSensor* sensor, const ct_SensorRule* rule) {
  const ct_Element* e = sensor->head.element;
  if (rule->reference == CT_SEES_FRAME) return;
  if (!sensor->reference && rule->alone) return;
  if (!sensor->reference) ct_fail(c, e, "the second object is missing");
  if (!ct_sensor_sees(rule->reference, (int)sensor->v.reftype)) {
    ct_fail_as_known(c, e, "second matching criterion: if set, must be (x)body or geom in sensor",
                     "a %s cannot be the second object", mju_type2Str((int)sensor->v.reftype));
  }
}

// Rules by type

static void check_joint(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const ct_Element* e = sensor->head.element;
  const ct_WorkJoint* joint = (const ct_WorkJoint*)sensor->object;
  bool ball = joint->v.type == mjJNT_BALL;
  bool scalar = joint->v.type == mjJNT_HINGE || joint->v.type == mjJNT_SLIDE;
  switch (sensor->v.type) {
    case mjSENS_BALLQUAT:
    case mjSENS_BALLANGVEL:
      if (!ball) ct_fail(c, e, "the joint must be a ball");
      break;
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
      if (!joint->limited) ct_fail(c, e, "the joint has no limits");
      break;
    default:
      if (!scalar) ct_fail(c, e, "the joint must be a hinge or slide");
      break;
  }
}

static void check_tendon(ct_Compiler* c, const ct_WorkSensor* sensor) {
  mjtSensor type = sensor->v.type;
  if (type < mjSENS_TENDONLIMITPOS || type > mjSENS_TENDONLIMITFRC) return;
  if (!((const ct_WorkTendon*)sensor->object)->limited) {
    ct_fail(c, sensor->head.element, "the tendon has no limits");
  }
}

static void check_field(ct_Compiler* c, const ct_WorkSensor* sensor, mjtObj type,
                        const ct_Work* object) {
  if (type == mjOBJ_GEOM && ((const ct_WorkGeom*)object)->v.type == mjGEOM_HFIELD) {
    ct_fail(c, sensor->head.element, "distances to height fields cannot be measured");
  }
}

static void check_distance(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const mjsSensor* v = &sensor->v;
  if (v->objtype == v->reftype && sensor->object == sensor->reference) {
    ct_fail(c, sensor->head.element, "both objects are the same");
  }
  check_field(c, sensor, v->objtype, sensor->object);
  check_field(c, sensor, v->reftype, sensor->reference);
}

// Data bits must be there, and all known.
static void check_bits(ct_Compiler* c, const ct_WorkSensor* sensor, int count, const char* limit) {
  int bits = sensor->v.intprm[0];
  char known[120];
  if (bits > 0 && bits < 1 << count) return;
  if (bits <= 0) {
    snprintf(known, sizeof(known), "data spec (intprm[0]) must be positive, got %d in sensor",
             bits);
  } else if (bits & ((1 << count) - 1)) {
    snprintf(known, sizeof(known), "data spec intprm[0]=%d has bits set beyond the first %s bits",
             bits, limit);
  } else {
    snprintf(known, sizeof(known),
             "data spec intprm[0]=%d must have at least one bit set of the first %s bits", bits,
             limit);
  }
  ct_fail_as_known(c, sensor->head.element, known,
                   "the data to read is %d: it must be a sum of bits below %d", bits, 1 << count);
}

static void check_contact(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const ct_Element* e = sensor->head.element;
  const int* prm = sensor->v.intprm;
  check_bits(c, sensor, 7, "mjNCONDATA");
  if (prm[1] < 0 || prm[1] > 3) {
    char known[60];
    snprintf(known, sizeof(known), "unknown reduction criterion. got %d", prm[1]);
    ct_fail_as_known(c, e, known, "%d is not a way to reduce contacts; use one of 0 to 3", prm[1]);
  }
  if (prm[2] <= 0) {
    ct_fail_as_known(c, e, "num (intprm[2]) must be positive in sensor",
                     "num is %d, it must be positive", prm[2]);
  }
}

static void check_projection(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const mjsCamera* camera = &((const ct_WorkCamera*)sensor->reference)->v;
  if (camera->resolution[0] == 0 || camera->resolution[1] == 0) {
    ct_fail(c, sensor->head.element, "the camera has no resolution");
  }
}

static void check_user(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const ct_Element* e = sensor->head.element;
  const mjsSensor* v = &sensor->v;
  if (v->dim < 0) ct_fail(c, e, "dim is %d, it cannot be negative", v->dim);
  if (v->datatype == mjDATATYPE_AXIS && v->dim != 3) ct_fail(c, e, "an axis needs dim 3");
  if (v->datatype == mjDATATYPE_QUATERNION && v->dim != 4)
    ct_fail(c, e, "a quaternion needs dim 4");
}

static void check_by_type(ct_Compiler* c, const ct_WorkSensor* sensor, const ct_SensorRule* rule) {
  if (rule->object == CT_SEES_JOINT) check_joint(c, sensor);
  if (rule->object == CT_SEES_TENDON) check_tendon(c, sensor);
  switch (sensor->v.type) {
    case mjSENS_RANGEFINDER:
      check_bits(c, sensor, 6, "mjNRAYDATA");
      break;
    case mjSENS_CAMPROJECTION:
      check_projection(c, sensor);
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      check_distance(c, sensor);
      break;
    case mjSENS_CONTACT:
      check_contact(c, sensor);
      break;
    case mjSENS_USER:
      check_user(c, sensor);
      break;
    default:
      break;
  }
}

// One sensor

static void check_numbers(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const ct_Element* e = sensor->head.element;
  const mjsSensor* v = &sensor->v;
  ct_check_user(c, e, v->userdata, c->nuser_sensor);
  ct_check_history(c, e, v->nsample, v->delay);
  if (v->noise < 0) ct_fail(c, e, "noise is %g, it cannot be negative", v->noise);
  if (v->cutoff < 0) ct_fail(c, e, "cutoff is %g, it cannot be negative", v->cutoff);
  double period = v->interval[0], phase = v->interval[1];
  if (period < 0) ct_fail(c, e, "the period of interval is %g, it cannot be negative", period);
  if (phase > 0 || (period > 0 && phase <= -period)) {
    ct_fail(c, e, "the phase of interval is %g: it must be above -%g and not positive", phase,
            period);
  }
}

static void check_cutoff(ct_Compiler* c, const ct_WorkSensor* sensor) {
  const mjsSensor* v = &sensor->v;
  if (!(v->cutoff > 0)) return;
  bool axis = v->datatype == mjDATATYPE_AXIS && v->type != mjSENS_GEOMNORMAL;
  if (axis || v->datatype == mjDATATYPE_QUATERNION) {
    ct_fail(c, sensor->head.element, "cutoff cannot be applied to axes and quaternions");
  }
}

static void compile_plugin(ct_Compiler* c, ct_WorkSensor* sensor) {
  const ct_Element* e = sensor->head.element;
  sensor->plugin = ct_resolve_plugin(c, e, &sensor->v.plugin, mjPLUGIN_SENSOR);
  if (sensor->v.type != mjSENS_PLUGIN) return;
  if (!sensor->plugin) ct_fail(c, e, "the plugin is missing");
  const mjsPlugin* plugin = &((const ct_WorkPlugin*)sensor->plugin)->v;
  sensor->v.needstage = (mjtStage)mjp_getPlugin(ct_text(plugin->plugin_name), NULL)->needstage;
}

static void compile_sensor(ct_Compiler* c, ct_Work* work) {
  ct_WorkSensor* sensor = (ct_WorkSensor*)work;
  mjsSensor* v = &sensor->v;
  const ct_SensorRule* rule = ct_sensor_rule((int)v->type);
  if (!rule) ct_fail(c, sensor->head.element, "%d is not a type of sensor", (int)v->type);
  check_numbers(c, sensor);
  resolve_objects(c, sensor, rule);
  check_second(c, sensor, rule);
  check_by_type(c, sensor, rule);
  if (v->type != mjSENS_USER) {
    v->datatype = rule->datatype;
    v->needstage = rule->stage;
    v->dim = mjs_sensorDim(v);
    if (v->dim == INT_MAX) ct_fail(c, sensor->head.element, "the sensor reads too many numbers");
  }
  check_cutoff(c, sensor);
  compile_plugin(c, sensor);
}

void ct_compile_sensors(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_SENSOR], compile_sensor);
}

// Arrays

// Dimensions that only the finished model tells.
static int final_dim(ct_Compiler* c, const ct_WorkSensor* sensor, int i) {
  const mjModel* m = c->model;
  if (sensor->v.type == mjSENS_TACTILE) return 3 * m->mesh_vertnum[sensor->object->id];
  if (sensor->v.type != mjSENS_PLUGIN) return sensor->v.dim;
  int instance = sensor->plugin->id;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  int dim = plugin->nsensordata ? plugin->nsensordata(m, instance, i) : -1;
  if (dim < 0) {
    ct_fail(c, sensor->head.element, "plugin \"%s\" does not tell how many numbers it reads",
            plugin->name);
  }
  return dim;
}

static void copy_sensor(mjModel* m, const ct_WorkSensor* sensor, int i) {
  const mjsSensor* v = &sensor->v;
  m->sensor_type[i] = (int)v->type;
  m->sensor_datatype[i] = (int)v->datatype;
  m->sensor_needstage[i] = (int)v->needstage;
  m->sensor_objtype[i] = (int)v->objtype;
  m->sensor_objid[i] = ct_id(sensor->object);
  m->sensor_reftype[i] = (int)v->reftype;
  m->sensor_refid[i] = ct_id(sensor->reference);
  memcpy(m->sensor_intprm + mjNSENS * i, v->intprm, sizeof(v->intprm));
  ct_put(m->sensor_cutoff + i, &v->cutoff, 1);
  ct_put(m->sensor_noise + i, &v->noise, 1);
  m->sensor_history[2 * i] = v->nsample;
  m->sensor_history[2 * i + 1] = v->interp;
  ct_put(m->sensor_delay + i, &v->delay, 1);
  ct_put(m->sensor_interval + 2 * i, v->interval, 2);
  ct_copy_user(m->sensor_user + i * m->nuser_sensor, v->userdata);
  m->sensor_plugin[i] = ct_id(sensor->plugin);
}

// Readings lie in the order of the sensors, past readings after those of the actuators. Addresses
// are numbers of 32 bits.
static void place(ct_Compiler* c, const ct_WorkSensor* sensor, int i) {
  mjModel* m = c->model;
  int dim = final_dim(c, sensor, i), nsample = sensor->v.nsample;
  m->sensor_dim[i] = dim;
  m->sensor_adr[i] = (int)m->nsensordata;
  m->sensor_historyadr[i] = nsample > 0 ? (int)m->nhistory : -1;
  m->nsensordata += dim;
  m->nhistory += ct_history_size(nsample, dim);
  if (m->nsensordata > INT_MAX || m->nhistory > INT_MAX) {
    ct_fail(c, sensor->head.element, "the readings of all sensors need more numbers than %d",
            INT_MAX);
  }
}

void ct_copy_sensors(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->nsensor; i++) copy_sensor(m, sensor_at(c, i), i);
  for (int i = 0; i < m->nsensor; i++) place(c, sensor_at(c, i), i);
  for (int i = 0; i < m->nsensor; i++) {
    // the reference refuses it only where no reading follows
    bool blind = m->sensor_type[i] == mjSENS_RANGEFINDER && m->sensor_dim[i] == 0;
    if (blind && m->sensor_adr[i] == m->nsensordata) {
      ct_fail(c, sensor_at(c, i)->head.element, "the camera has no resolution");
    }
  }
}
