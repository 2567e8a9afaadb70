// What plugins that are signed distance fields share: a shape is a table of attributes, a distance
// and a box; sdf.c makes a plugin of it.

#ifndef PLUGIN_SDF_H_
#define PLUGIN_SDF_H_

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>

enum { SDF_MOST_ATTRIBUTES = 5, SDF_MOST_NUMBERS = 11 };

typedef struct {
  const char* name;  // of the plugin
  int nattribute;
  const char* key[SDF_MOST_ATTRIBUTES];
  double initial[SDF_MOST_ATTRIBUTES];  // where none is given
  bool positive[SDF_MOST_ATTRIBUTES];   // it must be above 0
  // What follows from the attributes alone goes behind them, up to SDF_MOST_NUMBERS; or NULL.
  void (*prepare)(double* attribute);
  double (*distance)(const double x[3], const double* attribute);
  void (*gradient)(double gradient[3], const double x[3], const double* attribute);  // or NULL
} SdfShape;

// The plugin for a shape, but for the three callbacks that get no instance.
mjpPlugin sdf_plugin(const SdfShape* shape);

// What those three callbacks do.
void sdf_read_attributes(const SdfShape* shape, mjtNum* attribute, const char* value[]);
mjtNum sdf_static_distance(const SdfShape* shape, const mjtNum point[3], const mjtNum* attribute);

// A box about the origin.
void sdf_box(mjtNum aabb[6], double x, double y, double z);

// Length of a vector with two components.
static inline double sdf_length(double x, double y) {
  return sqrt(x * x + y * y);
}

#endif  // PLUGIN_SDF_H_
