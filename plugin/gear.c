// mujoco.sdf.gear: a spur gear about the z axis with involute teeth.
//
// With R the pitch radius and N the number of teeth, the module is m = 2R/N; teeth reach from the
// root circle R - 1.2m to the tip circle R + m. A flank is the involute of the base circle
// rb = R cos(p), p the pressure angle: the curve that the end of a taut string draws while it is
// unwound. A point at radius r >= rb and azimuth t from where the involute starts sees the string
// under the angle acos(rb/r), and its distance to the involute along the string is
//
//   sqrt(r^2 - rb^2) - rb (t + acos(rb/r)).
//
// The other flank is its mirror image, so that a tooth is half a pitch wide on the pitch circle.
// Tips and roots are rounded, and the whole is extruded along z.

#include <math.h>

#include "plugins.h"
#include "sdf.h"

enum { ALPHA, DIAMETER, TEETH, THICKNESS, INNERDIAMETER };

static const double pi = 3.14159265358979323846;
static const double far_away = 0.2;  // from here on the teeth are not looked at

typedef struct {
  double pitch;       // the angle from one tooth to the next
  double base, root;  // radii
  double tip, inner;
  double middle;  // from the start of a flank to the middle of its tooth
} Wheel;

static Wheel wheel_of(const double* a) {
  double radius = a[DIAMETER] / 2, n = a[TEETH];
  double pressure = 3.096e-5 * n * n - 6.557e-3 * n + 0.551;  // less for wheels with more teeth
  double module = a[DIAMETER] / n;
  Wheel w;
  w.pitch = 2 * pi / n;
  w.base = radius * cos(pressure);
  w.root = radius - 1.2 * module;
  w.tip = radius + module;
  w.inner = a[INNERDIAMETER] >= 0 ? a[INNERDIAMETER] / 2 : w.root - 0.14 * a[DIAMETER];
  w.middle = w.pitch / 4 + tan(pressure) - pressure;
  return w;
}

// From the side where the azimuth grows the flank is inside. Below the base circle it is radial.
static double flank_distance(const Wheel* w, double r, double azimuth) {
  if (r < w->base) return -azimuth;
  double string = sqrt(r * r - w->base * w->base);
  return fmax(string - w->base * (azimuth + acos(w->base / r)), -azimuth);
}

static double tooth_distance(const Wheel* w, double r, double azimuth) {
  double turn = azimuth - w->middle + w->pitch / 2;
  turn -= w->pitch * floor(turn / w->pitch);
  double from_middle = turn - w->pitch / 2;
  return fmax(flank_distance(w, r, w->middle + from_middle),
              flank_distance(w, r, w->middle - from_middle));
}

// The smaller of two distances, rounded where they differ by less than k.
static double round_union(double a, double b, double k) {
  double h = fmin(fmax(0.5 + 0.5 * (b - a) / k, 0), 1);
  return b + (a - b) * h - k * h * (1 - h);
}

// The larger of two distances, rounded inside of both and sharp outside.
static double round_intersection(double a, double b, double k) {
  double rounded = -round_union(-a, -b, k);
  return fmax(fmax(a, b), rounded - fmax(a + b, 0));
}

static double profile_distance(const double x[3], const double* a) {
  Wheel w = wheel_of(a);
  double r = sdf_length(x[0], x[1]);
  if (r < w.inner) return w.inner - r;
  if (r - w.tip > far_away) return r - w.tip;
  double tooth = tooth_distance(&w, r, atan2(x[1], x[0]) + a[ALPHA]);
  double rim = round_intersection(tooth, r - w.tip, 0.0035 * a[DIAMETER]);
  return fmax(round_union(rim, r - w.root, w.base - w.root), w.inner - r);
}

static double gear_distance(const double x[3], const double* a) {
  double profile = profile_distance(x, a), above = fabs(x[2]) - a[THICKNESS] / 2;
  return fmin(fmax(profile, above), 0) + sdf_length(fmax(profile, 0), fmax(above, 0));
}

static const SdfShape gear = {.name = "mujoco.sdf.gear",
                              .nattribute = 5,
                              .key = {"alpha", "diameter", "teeth", "thickness", "innerdiameter"},
                              .initial = {0, 2.8, 25, 0.2, -1},
                              .positive = {false, true, true, true, false},
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
