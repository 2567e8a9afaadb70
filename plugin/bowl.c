// mujoco.sdf.bowl: the part of a spherical shell below a plane, with a rounded rim.
//
// In the half-plane of distance from the axis and height, q = (sqrt(x^2+y^2), z), the middle of the
// wall is the arc of the circle of the radius from its lowest point to the rim (w, height), where
// w^2 = radius^2 - height^2. The nearest point of the arc is the rim if q lies beyond the line
// through centre and rim, and on the ray from the centre otherwise.

#include <math.h>

#include "plugins.h"
#include "sdf.h"

enum { HEIGHT, RADIUS, THICKNESS };

static double bowl_distance(const double x[3], const double* a) {
  double out = sdf_length(x[0], x[1]), square = a[RADIUS] * a[RADIUS] - a[HEIGHT] * a[HEIGHT];
  double w = square >= 0 ? sqrt(square) : 0;
  bool beyond_rim = square >= 0 && a[HEIGHT] * out < w * x[2];  // else a whole sphere
  if (beyond_rim) return sdf_length(out - w, x[2] - a[HEIGHT]) - a[THICKNESS];
  return fabs(sdf_length(out, x[2]) - a[RADIUS]) - a[THICKNESS];
}

static const SdfShape bowl = {.name = "mujoco.sdf.bowl",
                              .nattribute = 3,
                              .key = {"height", "radius", "thickness"},
                              .initial = {0.4, 1, 0.02},
                              .positive = {false, true, true},
                              .distance = bowl_distance};

static mjtNum bowl_static(const mjtNum point[3], const mjtNum* attribute) {
  return sdf_static_distance(&bowl, point, attribute);
}

static void bowl_attribute(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  sdf_read_attributes(&bowl, attribute, value);
}

static void bowl_aabb(mjtNum aabb[6], const mjtNum* attribute) {
  double out = (double)attribute[RADIUS] + (double)attribute[THICKNESS];
  sdf_box(aabb, out, out, out);
}

void register_bowl(void) {
  mjpPlugin plugin = sdf_plugin(&bowl);
  plugin.sdf_staticdistance = bowl_static;
  plugin.sdf_attribute = bowl_attribute;
  plugin.sdf_aabb = bowl_aabb;
  mjp_registerPlugin(&plugin);
}
