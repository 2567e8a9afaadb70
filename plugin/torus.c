// mujoco.sdf.torus: a tube of radius2 about a circle of radius1 in the x-y plane.

#include "plugins.h"
#include "sdf.h"

enum { RADIUS1, RADIUS2 };

static double torus_distance(const double x[3], const double* a) {
  return sdf_length(sdf_length(x[0], x[1]) - a[RADIUS1], x[2]) - a[RADIUS2];
}

static void torus_gradient(double gradient[3], const double x[3], const double* a) {
  double around = sdf_length(x[0], x[1]), out = around - a[RADIUS1];
  double length = sdf_length(out, x[2]);
  gradient[0] = out / length * x[0] / around;
  gradient[1] = out / length * x[1] / around;
  gradient[2] = x[2] / length;
}

static const SdfShape torus = {.name = "mujoco.sdf.torus",
                               .nattribute = 2,
                               .key = {"radius1", "radius2"},
                               .initial = {0.35, 0.15},
                               .positive = {true, true},
                               .distance = torus_distance,
                               .gradient = torus_gradient};

static mjtNum torus_static(const mjtNum point[3], const mjtNum* attribute) {
  return sdf_static_distance(&torus, point, attribute);
}

static void torus_attribute(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  sdf_read_attributes(&torus, attribute, value);
}

static void torus_aabb(mjtNum aabb[6], const mjtNum* attribute) {
  double out = (double)attribute[RADIUS1] + (double)attribute[RADIUS2];
  sdf_box(aabb, out, out, (double)attribute[RADIUS2]);
}

void register_torus(void) {
  mjpPlugin plugin = sdf_plugin(&torus);
  plugin.sdf_staticdistance = torus_static;
  plugin.sdf_attribute = torus_attribute;
  plugin.sdf_aabb = torus_aabb;
  mjp_registerPlugin(&plugin);
}
