// How many numbers a sensor reads.

#include <limits.h>

#include "base/model/sensor_rules.h"
#include "spec/spec.h"

// What is too many to count is the largest number; the compiler refuses it.
static int times(int a, int b) {
  int64_t product = (int64_t)a * b;
  return product > INT_MAX ? INT_MAX : product < INT_MIN ? INT_MIN : (int)product;
}

static const ct_Element* object_of(const mjsSensor* sensor, mjtObj type) {
  return ct_find(ct_element(sensor->element)->spec, type, ct_text(sensor->objname));
}

// A camera sees one ray per pixel.
static int ray_count(const mjsSensor* sensor) {
  if (sensor->objtype != mjOBJ_CAMERA) return 1;
  const ct_Element* camera = object_of(sensor, mjOBJ_CAMERA);
  if (!camera) return 1;
  const int* resolution = CT_VALUES(mjsCamera, camera)->resolution;
  return times(resolution[0], resolution[1]);
}

// A reading per vertex of the compiled mesh. Vertices given in the spec are counted as they are;
// those of a file only the compiler knows.
static int tactile_width(const mjsSensor* sensor) {
  const ct_Element* mesh = object_of(sensor, mjOBJ_MESH);
  int count = 0;
  if (mesh) ct_floats(CT_VALUES(mjsMesh, mesh)->uservert, &count);
  return count;
}

int mjs_sensorDim(const mjsSensor* sensor) {
  if (!sensor) return -1;
  const ct_SensorRule* rule = ct_sensor_rule((int)sensor->type);
  if (!rule) return -1;
  if (rule->width != CT_WIDTH_VARIES) return rule->width;
  int fields = ct_sensor_fields_width((int)sensor->type, sensor->intprm[0]);
  switch (sensor->type) {
    case mjSENS_RANGEFINDER:
      return times(fields, ray_count(sensor));
    case mjSENS_CONTACT:
      return times(fields, sensor->intprm[2]);
    case mjSENS_TACTILE:
      return tactile_width(sensor);
    case mjSENS_USER:
      return sensor->dim;
    default:  // a plugin tells when the model is made
      return 0;
  }
}
