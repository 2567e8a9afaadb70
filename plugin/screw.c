// mujoco.sdf.bolt and mujoco.sdf.nut: a hexagonal bolt and the nut that fits it.
//
// Both have a hexagonal head with an apothem of 0.5 between z = -0.5 and z = 0, bevelled at the
// top. The thread has 12 turns per unit of length and flanks of 45 degrees: its radius grows and
// shrinks by 1/24 along z, and the phase turns with the azimuth. The distance to a surface of 45
// degrees is the difference in radius times sqrt(1/2).

#include <math.h>

#include "plugins.h"
#include "sdf.h"

static const double pi = 3.14159265358979323846;
static const double turns = 12;  // of the thread, per unit of length
static const double head_height = 0.5;
static const double head_width = 0.5;  // from the axis to a side
static const double bevel = 0.22;      // how far the head's top is wider than the thread
static const double shank = 1;         // length of the bolt, the head included
static const double mouth = 0.05;      // how far the nut's hole opens at the top

// To a cone of 45 degrees, by how far outside of it a point is.
static double slope(double out) {
  return out * sqrt(0.5);
}

// To the head: six sides, top, bottom and bevel. The cosine is written as a sine because the last
// bit of a distance is the eighth digit of its difference quotient, and the reference rounds so.
static double head_distance(const double x[3], double out) {
  double side = pi / 3 * floor(atan2(x[1], x[0]) / (pi / 3) + 0.5);  // the azimuth of the nearest
  double beyond = x[0] * sin(pi / 2 - side) + x[1] * sin(side) - head_width;
  double prism = fmax(beyond, fmax(x[2], -x[2] - head_height));
  return fmax(prism, slope(out + x[2] - bevel));
}

static double thread_distance(const double x[3], double out) {
  double phase = turns * x[2] - atan2(x[1], x[0]) / (2 * pi);
  double profile = fabs(phase - floor(phase) - 0.5);
  return slope(out - profile / turns);
}

// The shank is pointed at its end.
static double bolt_distance(const double x[3], const double* radius) {
  double out = sdf_length(x[0], x[1]) - *radius;
  double rod = fmax(thread_distance(x, out), slope(out - x[2] - shank));
  rod = fmax(rod, fmax(-x[2] - shank, x[2]));
  return fmin(head_distance(x, out), rod);
}

// What is drilled narrows at the bottom and opens at the top.
static double nut_distance(const double x[3], const double* radius) {
  double out = sdf_length(x[0], x[1]) - *radius;
  double drill = fmax(thread_distance(x, out), slope(out - x[2] - head_height));
  drill = fmin(drill, slope(out - x[2] - mouth));
  return fmax(head_distance(x, out), -drill);
}

static const SdfShape bolt = {.name = "mujoco.sdf.bolt",
                              .nattribute = 1,
                              .key = {"radius"},
                              .initial = {0.26},
                              .positive = {true},
                              .distance = bolt_distance};

static const SdfShape nut = {.name = "mujoco.sdf.nut",
                             .nattribute = 1,
                             .key = {"radius"},
                             .initial = {0.26},
                             .positive = {true},
                             .distance = nut_distance};

static mjtNum bolt_static(const mjtNum point[3], const mjtNum* attribute) {
  return sdf_static_distance(&bolt, point, attribute);
}

static mjtNum nut_static(const mjtNum point[3], const mjtNum* attribute) {
  return sdf_static_distance(&nut, point, attribute);
}

static void bolt_attribute(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  sdf_read_attributes(&bolt, attribute, value);
}

static void nut_attribute(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  sdf_read_attributes(&nut, attribute, value);
}

static void screw_aabb(mjtNum aabb[6], const mjtNum* attribute) {
  (void)attribute;
  sdf_box(aabb, 0.6, 0.6, 1);
}

void register_bolt(void) {
  mjpPlugin plugin = sdf_plugin(&bolt);
  plugin.sdf_staticdistance = bolt_static;
  plugin.sdf_attribute = bolt_attribute;
  plugin.sdf_aabb = screw_aabb;
  mjp_registerPlugin(&plugin);
}

void register_nut(void) {
  mjpPlugin plugin = sdf_plugin(&nut);
  plugin.sdf_staticdistance = nut_static;
  plugin.sdf_attribute = nut_attribute;
  plugin.sdf_aabb = screw_aabb;
  mjp_registerPlugin(&plugin);
}
