// mujoco.sdf.bolt and mujoco.sdf.nut: a hexagonal bolt and the nut that fits it.
//
// Both have a hexagonal head with an apothem of 1/2 between z = -1/2 and z = 0, bevelled at the
// top. The thread has 12 turns per unit of length and flanks of 45 degrees: on its way around and
// along the axis its radius grows and shrinks by 1/24. All faces that are not flat are cones of 45
// degrees or wind like one, so that the distance to them is the difference in radius times
// sqrt(1/2). Numbers and shape are measured by tests/record/fit_shapes.py.

#include <math.h>

#include "plugins.h"
#include "sdf.h"

static const double pi = 3.14159265358979323846;
static const double turns = 12;      // of the thread, per unit of length
static const double floor_z = -0.5;  // lower end of head and nut; the top is at 0
static const double apothem = 0.5;
static const double bevel = 0.22;  // how far the top of the head is wider than the radius
static const double tip_z = -1;    // lower end of the bolt
static const double mouth = 0.05;  // how far the nut's hole opens at the top

typedef struct {  // a point, as a screw sees it
  double out;     // how far it is from the axis beyond the radius
  double z;
  double side;   // across the nearest side of a hexagon about the axis: the distance from there
  double ridge;  // height of the thread beyond the radius in its direction
} Place;

static Place place_of(const double x[3], double radius) {
  double ahead = fabs(x[0]), aside = fabs(x[1]);
  double turn = turns * x[2] - atan2(x[1], x[0]) / (2 * pi);
  Place p = {.out = sdf_length(x[0], x[1]) - radius, .z = x[2]};
  p.side = fmax(ahead, ahead / 2 + sqrt(0.75) * aside) - apothem;
  p.ridge = (0.5 - fabs(remainder(turn, 1))) / turns;
  return p;
}

// To a surface of 45 degrees, which is as wide as the radius and so much more.
static double slanted(const Place* p, double more) {
  return (p->out - more) * sqrt(0.5);
}

// What is inside of the thread and narrows towards an end below.
static double threaded(const Place* p, double end) {
  return fmax(slanted(p, p->ridge), slanted(p, p->z - end));
}

static double head_distance(const Place* p) {
  double slab = fmax(p->z, floor_z - p->z);
  return fmax(fmax(p->side, slab), slanted(p, bevel - p->z));
}

static double bolt_distance(const double x[3], const double* radius) {
  Place p = place_of(x, *radius);
  double slab = fmax(p.z, tip_z - p.z);
  return fmin(head_distance(&p), fmax(threaded(&p, tip_z), slab));
}

// A head less what is drilled, which opens towards the top.
static double nut_distance(const double x[3], const double* radius) {
  Place p = place_of(x, *radius);
  double drill = fmin(threaded(&p, floor_z), slanted(&p, p.z + mouth));
  return fmax(head_distance(&p), -drill);
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
