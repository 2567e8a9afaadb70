// How many numbers a sensor reads.

#include <limits.h>

#include "spec/spec.h"

// Sum of the sizes of the fields whose bits are set.
static int masked_size(int mask, const int* size, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (mask & (1 << i)) sum += size[i];
  }
  return sum;
}

// What is too many to count is the largest number; the compiler refuses it.
static int times(int a, int b) {
  int64_t product = (int64_t)a * b;
  return product > INT_MAX ? INT_MAX : product < INT_MIN ? INT_MIN : (int)product;
}

static int rangefinder_dim(const mjsSensor* sensor) {
  static const int field[6] = {1, 3, 3, 3, 3, 1};  // dist, dir, origin, point, normal, depth
  int size = masked_size(sensor->intprm[0], field, 6);
  if (sensor->objtype != mjOBJ_CAMERA) return size;
  ct_Spec* spec = ct_element(sensor->element)->spec;
  const ct_Element* camera = ct_find(spec, mjOBJ_CAMERA, ct_text(sensor->objname));
  if (!camera) return size;
  const mjsCamera* values = CT_VALUES(mjsCamera, camera);
  return times(size, times(values->resolution[0], values->resolution[1]));
}

static int contact_dim(const mjsSensor* sensor) {
  static const int field[7] = {1, 3, 3, 1,
                               3, 3, 3};  // found, force, torque, dist, pos, normal, tangent
  return times(masked_size(sensor->intprm[0], field, 7), sensor->intprm[2]);
}

// A reading per vertex of the compiled mesh. Vertices given in the spec are counted as they are;
// those of a file only the compiler knows.
static int tactile_dim(const mjsSensor* sensor) {
  ct_Spec* spec = ct_element(sensor->element)->spec;
  const ct_Element* mesh = ct_find(spec, mjOBJ_MESH, ct_text(sensor->objname));
  int count = 0;
  if (mesh) ct_floats(CT_VALUES(mjsMesh, mesh)->uservert, &count);
  return count;
}

int mjs_sensorDim(const mjsSensor* sensor) {
  switch (sensor->type) {
    case mjSENS_TOUCH:
    case mjSENS_JOINTPOS:
    case mjSENS_JOINTVEL:
    case mjSENS_TENDONPOS:
    case mjSENS_TENDONVEL:
    case mjSENS_ACTUATORPOS:
    case mjSENS_ACTUATORVEL:
    case mjSENS_ACTUATORFRC:
    case mjSENS_JOINTACTFRC:
    case mjSENS_TENDONACTFRC:
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_TENDONLIMITFRC:
    case mjSENS_INSIDESITE:
    case mjSENS_GEOMDIST:
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
    case mjSENS_CLOCK:
      return 1;
    case mjSENS_CAMPROJECTION:
      return 2;
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_MAGNETOMETER:
    case mjSENS_BALLANGVEL:
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
    case mjSENS_GEOMNORMAL:
      return 3;
    case mjSENS_BALLQUAT:
    case mjSENS_FRAMEQUAT:
      return 4;
    case mjSENS_GEOMFROMTO:
      return 6;
    case mjSENS_RANGEFINDER:
      return rangefinder_dim(sensor);
    case mjSENS_CONTACT:
      return contact_dim(sensor);
    case mjSENS_TACTILE:
      return tactile_dim(sensor);
    case mjSENS_USER:
      return sensor->dim;
    case mjSENS_PLUGIN:
      return 0;
    default:
      return -1;
  }
}
