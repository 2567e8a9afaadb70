// mujoco.sdf.gear: a spur gear about the z axis with involute teeth.
//
// With D the pitch diameter and N the number of teeth, the module is m = D/N; teeth reach from the
// root circle D/2 - 1.2m to the tip circle D/2 + m. A flank is the involute of the base circle
// b = D/2 cos(p), p the pressure angle: the curve that the end of a taut string draws while it is
// unwound. At the radius r it has turned by inv(a) = tan(a) - a from where it starts, cos(a) = b/r.
// Two involutes of one circle are everywhere as far apart, along the string, as the arc between
// their starts. So a point that lies off the middle of a tooth by the angle t, while the tooth has
// the half angle h where its flanks start, is
//
//   b (inv(a) + t - h)
//
// away from the nearer flank. On the pitch circle tooth and gap are equally wide: h = pi/(2N) +
// inv(p). Tips and roots are rounded by parabolas, and the whole is extruded along z.
//
// The numbers, and what the reference does where the mathematics leaves it open, are measured by
// tests/record/fit_shapes.py.

#include <math.h>
#include <string.h>

#include "plugins.h"
#include "sdf.h"

enum { ALPHA, DIAMETER, TEETH, THICKNESS, INNERDIAMETER, WHEEL };  // WHEEL: what is prepared

static const double pi = 3.14159265358979323846;
static const double far_away = 0.2;  // from here on the teeth are not looked at

typedef struct {
  double pitch;                  // the angle from one tooth to the next
  double half;                   // that from the middle of a tooth to where its flanks start
  double base, root, tip, hole;  // radii
} Wheel;

_Static_assert(WHEEL + sizeof(Wheel) / sizeof(double) <= SDF_MOST_NUMBERS, "room for a wheel");

static double involute(double a) {
  return tan(a) - a;
}

static Wheel wheel_of(const double* a) {
  double diameter = a[DIAMETER], n = a[TEETH], module = diameter / n;
  double pressure = (3.096e-5 * n - 6.557e-3) * n + 0.551;  // less for wheels with more teeth
  Wheel w = {.pitch = 2 * pi / n,
             .half = pi / (2 * n) + involute(pressure),
             .base = diameter / 2 * cos(pressure),
             .root = diameter / 2 - 1.2 * module,
             .tip = diameter / 2 + module,
             .hole = a[INNERDIAMETER] / 2};
  if (a[INNERDIAMETER] < 0) w.hole = w.root - 0.14 * diameter;
  return w;
}

static void gear_prepare(double* a) {
  Wheel w = wheel_of(a);
  memcpy(a + WHEEL, &w, sizeof(w));
}

// To the nearest tooth, as if it had neither tip nor root. Inside of the base circle there is no
// involute, and the reference takes the bare angle for a distance.
static double tooth_distance(const Wheel* w, double r, double azimuth) {
  double beyond = fabs(remainder(azimuth - w->half, w->pitch)) - w->half;
  if (r < w->base) return beyond;
  return fmax(beyond, w->base * (involute(acos(w->base / r)) + beyond));
}

// How much a parabola of the width k rounds the edge in which two distances meet; it touches both
// where they differ by k.
static double bump(double a, double b, double k) {
  double left = fmax(fabs(k) - fabs(a - b), 0);
  return left * left / (4 * k);
}

// The larger of two distances, rounded inside of both; outside the edge soon gets sharp.
static double rounded_edge(double a, double b, double k) {
  return fmax(a, b) + fmax(bump(a, b, k) - fmax(a + b, 0), 0);
}

// The smaller of two distances with a fillet. Its width is negative on wheels with many teeth,
// whose base circle is below the root: then it is the larger one with a rounded edge.
static double fillet(double a, double b, double k) {
  return (k > 0 ? fmin(a, b) : fmax(a, b)) - bump(a, b, k);
}

static double profile_distance(const Wheel* w, double r, double azimuth, double diameter) {
  if (r < w->hole) return w->hole - r;
  if (r - w->tip > far_away) return r - w->tip;
  double rim = rounded_edge(tooth_distance(w, r, azimuth), r - w->tip, 0.0035 * diameter);
  return fmax(fillet(rim, r - w->root, w->base - w->root), w->hole - r);
}

static double gear_distance(const double x[3], const double* a) {
  Wheel w;
  memcpy(&w, a + WHEEL, sizeof(w));
  double r = sdf_length(x[0], x[1]), azimuth = atan2(x[1], x[0]) + a[ALPHA];
  double beside = profile_distance(&w, r, azimuth, a[DIAMETER]);
  double above = fabs(x[2]) - a[THICKNESS] / 2;
  bool past_the_rim = beside > 0 && above > 0;
  return past_the_rim ? sdf_length(beside, above) : fmax(beside, above);
}

static const SdfShape gear = {.name = "mujoco.sdf.gear",
                              .nattribute = 5,
                              .key = {"alpha", "diameter", "teeth", "thickness", "innerdiameter"},
                              .initial = {0, 2.8, 25, 0.2, -1},
                              .positive = {false, true, true, true, false},
                              .prepare = gear_prepare,
                              .distance = gear_distance};

static mjtNum gear_static(const mjtNum point[3], const mjtNum* attribute) {
  return sdf_static_distance(&gear, point, attribute);
}

static void gear_attribute(mjtNum attribute[], const char* name[], const char* value[]) {
  (void)name;
  sdf_read_attributes(&gear, attribute, value);
}

static void gear_aabb(mjtNum aabb[6], const mjtNum* attribute) {
  double out = 1.25 * (double)attribute[DIAMETER] / 2;
  sdf_box(aabb, out, out, 1.1 * (double)attribute[THICKNESS] / 2);
}

void register_gear(void) {
  mjpPlugin plugin = sdf_plugin(&gear);
  plugin.sdf_staticdistance = gear_static;
  plugin.sdf_attribute = gear_attribute;
  plugin.sdf_aabb = gear_aabb;
  mjp_registerPlugin(&plugin);
}
