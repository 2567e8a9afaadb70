// Shapes of geoms. See shape.h.
//
// Sizes: r = size[0] radius, l = size[1] half length, h = 2 l; (a, b, c) = half axes or half sides.

#include "compile/geom_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/strict.h"

// Sizes

const char* ct_shape_from_ends(mjtGeom type, const double fromto[6], double pos[3], double quat[4],
                               double size[3]) {
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_ELLIPSOID &&
      type != mjGEOM_BOX) {
    return "fromto is for capsules, cylinders, ellipsoids and boxes";
  }
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) return "fromto and pos exclude each other";

  double z[3] = {fromto[0] - fromto[3], fromto[1] - fromto[4], fromto[2] - fromto[5]};
  double half = ct_normalize64(z, 3) / 2;
  if (half < CT_COMPILER_EPS) return "fromto: the two points are too close to each other";
  size[1] = half;
  if (type == mjGEOM_ELLIPSOID || type == mjGEOM_BOX) {
    size[2] = half;
    size[1] = size[0];
  }
  for (int i = 0; i < 3; i++) pos[i] = (fromto[i] + fromto[i + 3]) / 2;
  ct_quat_to_z(quat, z);
  return NULL;
}

// How many sizes must be positive; planes are different.
static int shape_nsize(mjtGeom type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      return 2;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      return 3;
    default:
      return 0;
  }
}

void ct_shape_check(ct_Compiler* c, const ct_Element* e, mjtGeom type, const double size[3]) {
  if (type == mjGEOM_PLANE) {
    if (size[2] <= 0)
      ct_fail(c, e, "the third size of a plane must be positive, it is %g", size[2]);
    return;
  }
  static const char* const message[] = {"the first size must be positive",
                                        "the first two sizes must be positive",
                                        "the three sizes must be positive"};
  int n = shape_nsize(type);
  for (int i = 0; i < n; i++) {
    if (!(size[i] <= 0)) continue;  // what is not a number is told later
    char known[60];
    snprintf(known, sizeof(known), "size %d must be positive in %s", i, e->kind->name);
    ct_fail_as_known(c, e, known, "%s, number %d is %g", message[n - 1], i + 1, size[i]);
  }
}

// Volume and surface

static double ellipsoid_surface(double a, double b, double c) {
  const double p = 1.6075;  // Thomsen's approximation
  double mean = (ct_pow64(a * b, p) + ct_pow64(b * c, p) + ct_pow64(c * a, p)) / 3;
  return 4 * mjPI * ct_pow64(mean, 1 / p);
}

double ct_shape_volume(mjtGeom type, mjtGeomInertia where, const double size[3]) {
  double r = size[0], h = 2 * size[1], a = size[0], b = size[1], c = size[2];
  bool shell = where == mjINERTIA_SHELL;
  switch (type) {
    case mjGEOM_SPHERE:
      return shell ? 4 * mjPI * r * r : 4 * mjPI * r * r * r / 3;
    case mjGEOM_CAPSULE:
      return shell ? 4 * mjPI * r * r + 2 * mjPI * r * h : mjPI * (r * r * h + 4 * r * r * r / 3);
    case mjGEOM_CYLINDER:
      return shell ? 2 * mjPI * r * r + 2 * mjPI * r * h : mjPI * r * r * h;
    case mjGEOM_ELLIPSOID:
      return shell ? ellipsoid_surface(a, b, c) : 4 * mjPI * a * b * c / 3;
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return shell ? 8 * (a * b + b * c + c * a) : 8 * a * b * c;
    default:
      return 0;
  }
}

// Inertia

// Sums of squares of the two other half axes: m (b^2 + c^2) / divisor and so on.
static void of_axes(double inertia[3], const double size[3], double mass, double divisor) {
  double aa = size[0] * size[0], bb = size[1] * size[1], cc = size[2] * size[2];
  inertia[0] = mass * (bb + cc) / divisor;
  inertia[1] = mass * (aa + cc) / divisor;
  inertia[2] = mass * (aa + bb) / divisor;
}

static void solid_inertia(double inertia[3], mjtGeom type, const double size[3], double mass) {
  double r = size[0], h = 2 * size[1];
  switch (type) {
    case mjGEOM_SPHERE:
      inertia[0] = inertia[1] = inertia[2] = 2 * mass * r * r / 5;
      break;
    case mjGEOM_CAPSULE: {
      // the two half balls, moved to the ends, and the cylinder between them
      double ball = mass * 4 * r / (4 * r + 3 * h), rod = mass - ball;
      double turn = 2 * ball * r * r / 5;
      inertia[0] = inertia[1] =
          rod * (3 * r * r + h * h) / 12 + turn + ball * h * (3 * r + 2 * h) / 8;
      inertia[2] = rod * r * r / 2 + turn;
      break;
    }
    case mjGEOM_CYLINDER:
      inertia[0] = inertia[1] = mass * (3 * r * r + h * h) / 12;
      inertia[2] = mass * r * r / 2;
      break;
    case mjGEOM_ELLIPSOID:
      of_axes(inertia, size, mass, 5);
      break;
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      of_axes(inertia, size, mass, 3);
      break;
    default:
      inertia[0] = inertia[1] = inertia[2] = 0;
      break;
  }
}

static void capsule_shell(double inertia[3], const double size[3], double mass) {
  double r = size[0], l = size[1], h = 2 * l;
  double caps = 4 * mjPI * r * r, side = 2 * mjPI * r * h;
  double ball = mass * caps / (caps + side), tube = mass - ball;
  double turn = 2 * ball * r * r / 3, half = r / 2;
  inertia[0] = inertia[1] =
      tube * (6 * r * r + h * h) / 12 + turn + ball * ((l + half) * (l + half) - half * half);
  inertia[2] = tube * r * r + turn;
}

static void cylinder_shell(double inertia[3], const double size[3], double mass) {
  double r = size[0], l = size[1], h = 2 * l;
  double lid = mjPI * r * r, side = 2 * mjPI * r * h;
  double disk = mass * lid / (2 * lid + side), tube = mass - 2 * disk;
  inertia[0] = inertia[1] = tube * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * l * l);
  inertia[2] = tube * r * r + disk * r * r;
}

// The difference of two solids of which one is larger by a micrometre. Few digits survive, but they
// are the reference's.
static void ellipsoid_shell(double inertia[3], const double size[3], double mass) {
  const double thickness = 1e-6;
  double outer[3] = {size[0] + thickness, size[1] + thickness, size[2] + thickness};
  double va = 4 * mjPI * size[0] * size[1] * size[2] / 3;
  double vb = 4 * mjPI * outer[0] * outer[1] * outer[2] / 3;
  double density = mass / (vb - va), inside[3];
  of_axes(inside, size, va * density, 5);
  of_axes(inertia, outer, vb * density, 5);
  for (int i = 0; i < 3; i++) inertia[i] -= inside[i];
}

// Six plates; m0, m1, m2 are the masses of those with normals z, x, y.
static void box_shell(double inertia[3], const double size[3], double mass) {
  double a = size[0], b = size[1], c = size[2];
  double area[3] = {4 * a * b, 4 * b * c, 4 * c * a};
  double all = 2 * (area[0] + area[1] + area[2]);
  double m0 = mass * area[0] / all, m1 = mass * area[1] / all, m2 = mass * area[2] / all;
  double xx = 4 * a * a, yy = 4 * b * b, zz = 4 * c * c;
  inertia[0] = 2 * (m0 * c * c + m2 * b * b + (m0 * yy + m1 * (yy + zz) + m2 * zz) / 12);
  inertia[1] = 2 * (m0 * c * c + m1 * a * a + (m0 * xx + m1 * zz + m2 * (xx + zz)) / 12);
  inertia[2] = 2 * (m1 * a * a + m2 * b * b + (m0 * (xx + yy) + m1 * yy + m2 * xx) / 12);
}

void ct_shape_inertia(double inertia[3], mjtGeom type, mjtGeomInertia where, const double size[3],
                      double mass) {
  bool shell = where == mjINERTIA_SHELL;
  if (shell && type == mjGEOM_SPHERE) {
    inertia[0] = inertia[1] = inertia[2] = 2 * mass * size[0] * size[0] / 3;
  } else if (shell && type == mjGEOM_CAPSULE) {
    capsule_shell(inertia, size, mass);
  } else if (shell && type == mjGEOM_CYLINDER) {
    cylinder_shell(inertia, size, mass);
  } else if (shell && type == mjGEOM_ELLIPSOID) {
    ellipsoid_shell(inertia, size, mass);
  } else if (shell && (type == mjGEOM_BOX || type == mjGEOM_HFIELD)) {
    box_shell(inertia, size, mass);
  } else {
    solid_inertia(inertia, type, size, mass);
  }
}

// Fluid

// Integral of Lamb's coefficient of an ellipsoid (Hydrodynamics, art. 114) by 15-point Kronrod
// quadrature, after a substitution that maps [0, inf) to [0, 1]. Nodes and weights have the eight
// decimals that the reference has.
static double kappa(double dx, double dy, double dz) {
  static const double node[8] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                 0.20695638, 0.29707742, 0.39610752, 0.5};
  static const double weight[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                   0.08450236, 0.09517529, 0.10221647, 0.10474107};
  double scale = ct_pow64(dx * dx * dx * dy * dz, 0.4), sum = 0;
  for (int i = 0; i < 15; i++) {
    int k = i < 8 ? i : 14 - i;
    double x = i < 8 ? node[k] : 1 - node[k], rest = 1 - x;
    double g = scale * x * x * x / (rest * rest);
    double slope = x * x * (3 - x) / (rest * rest * rest);
    double ex = 1 + g / (dx * dx), ey = 1 + g / (dy * dy), ez = 1 + g / (dz * dz);
    sum += scale * slope / (ex * sqrt(ex * ey * ez)) * weight[k];
  }
  return sum / (dx * dx);
}

static double virtual_inertia(double volume, double dy, double dz, double ky, double kz) {
  double difference = dy * dy - dz * dz, sum = dy * dy + dz * dz;
  double below = fabs(2 * difference + sum * (ky - kz));
  return volume / 5 * difference * difference * fabs(kz - ky) / fmax(CT_COMPILER_EPS, below);
}

void ct_shape_fluid(double mass[3], double inertia[3], mjtGeom type, const double size[3]) {
  double d[3] = {size[0], size[1], size[2]}, k[3];
  if (type == mjGEOM_SPHERE) d[1] = d[2] = size[0];
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    d[1] = size[0];
    d[2] = type == mjGEOM_CAPSULE ? size[1] + size[0] : size[1];
  }
  double volume = 4.0 / 3 * mjPI * d[0] * d[1] * d[2];
  for (int i = 0; i < 3; i++) k[i] = kappa(d[i], d[(i + 1) % 3], d[(i + 2) % 3]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    mass[i] = volume * k[i] / fmax(CT_COMPILER_EPS, 2 - k[i]);
    inertia[i] = virtual_inertia(volume, d[j], d[l], k[j], k[l]);
  }
}
