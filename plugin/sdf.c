// Plugins that are signed distance fields.
//
// An instance keeps its shape and the numbers it is configured with behind mjData, because
// sdf_distance gets no model. Distances are computed in double precision in every build: the
// difference quotients below leave nothing of a float.

#include "sdf.h"

#include <stdio.h>
#include <string.h>

#include "config.h"

typedef struct {
  const SdfShape* shape;
  double (*distance)(const double x[3], const double* attribute);  // the shape's
  double attribute[SDF_MOST_NUMBERS];
} Instance;

// Attributes

// The first mistake in the values, as a text with room for it; false if there is none.
static bool read_attributes(const SdfShape* shape, double* attribute, const char* value[],
                            char* mistake, size_t room) {
  for (int i = 0; i < shape->nattribute; i++) {
    attribute[i] = shape->initial[i];
    const char* text = value[i] ? value[i] : "";
    if (text[0] && config_numbers(text, attribute + i, 1) != 1) {
      snprintf(mistake, room, "%s: %s=\"%.200s\" should be a number", shape->name, shape->key[i],
               text);
      return false;
    }
    if (shape->positive[i] && !(attribute[i] > 0)) {
      snprintf(mistake, room, "%s: %s is %g, it should be above 0", shape->name, shape->key[i],
               attribute[i]);
      return false;
    }
  }
  return true;
}

void sdf_read_attributes(const SdfShape* shape, mjtNum* attribute, const char* value[]) {
  char mistake[512];
  double number[SDF_MOST_ATTRIBUTES];
  if (!read_attributes(shape, number, value, mistake, sizeof(mistake))) mju_error("%s", mistake);
  for (int i = 0; i < shape->nattribute; i++) attribute[i] = (mjtNum)number[i];
}

mjtNum sdf_static_distance(const SdfShape* shape, const mjtNum point[3], const mjtNum* attribute) {
  double x[3] = {(double)point[0], (double)point[1], (double)point[2]};
  double number[SDF_MOST_NUMBERS];
  for (int i = 0; i < shape->nattribute; i++) number[i] = (double)attribute[i];
  if (shape->prepare) shape->prepare(number);
  return (mjtNum)shape->distance(x, number);
}

void sdf_box(mjtNum aabb[6], double x, double y, double z) {
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = (mjtNum)x;
  aabb[4] = (mjtNum)y;
  aabb[5] = (mjtNum)z;
}

// Callbacks

static int no_state(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

// The shape of a plugin, by the name it is registered with.
static const SdfShape* shapes[8];

static const SdfShape* shape_of(const mjModel* m, int instance) {
  const char* name = mjp_getPluginAtSlot(m->plugin[instance])->name;
  for (int i = 0; shapes[i]; i++) {
    if (strcmp(shapes[i]->name, name) == 0) return shapes[i];
  }
  return NULL;
}

static int sdf_init(const mjModel* m, mjData* d, int instance) {
  const SdfShape* shape = shape_of(m, instance);
  const char* value[SDF_MOST_ATTRIBUTES];
  for (int i = 0; i < shape->nattribute; i++) {
    value[i] = mj_getPluginConfig(m, instance, shape->key[i]);
  }
  Instance made = {.shape = shape, .distance = shape->distance};
  char mistake[512];
  if (!read_attributes(shape, made.attribute, value, mistake, sizeof(mistake))) {
    mju_warning("%s", mistake);
    return -1;
  }
  if (shape->prepare) shape->prepare(made.attribute);
  Instance* kept = (Instance*)mju_malloc(sizeof(Instance));
  if (!kept) return -1;
  *kept = made;
  d->plugin_data[instance] = (uintptr_t)kept;
  return 0;
}

static void sdf_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void sdf_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
}

static void sdf_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability;
}

// A point as doubles: itself where it has them already, since a descent asks for little else than
// distances.
static inline const double* as_doubles(double copy[3], const mjtNum point[3]) {
  if (sizeof(mjtNum) == sizeof(double)) return (const double*)(const void*)point;
  for (int k = 0; k < 3; k++) copy[k] = (double)point[k];
  return copy;
}

static mjtNum sdf_distance(const mjtNum point[3], const mjData* d, int instance) {
  const Instance* own = (const Instance*)d->plugin_data[instance];
  double copy[3];
  return (mjtNum)own->distance(as_doubles(copy, point), own->attribute);
}

// Shapes without a gradient have a forward difference, whose step is the reference's.
static void sdf_gradient(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance) {
  const double step = 1e-8;
  const Instance* own = (const Instance*)d->plugin_data[instance];
  const SdfShape* shape = own->shape;
  double copy[3], g[3];
  const double* x = as_doubles(copy, point);
  if (shape->gradient) {
    shape->gradient(g, x, own->attribute);
  } else {
    double here = shape->distance(x, own->attribute);
    for (int i = 0; i < 3; i++) {
      double beside[3] = {x[0], x[1], x[2]};
      beside[i] += step;
      g[i] = (shape->distance(beside, own->attribute) - here) / step;
    }
  }
  for (int i = 0; i < 3; i++) gradient[i] = (mjtNum)g[i];
}

mjpPlugin sdf_plugin(const SdfShape* shape) {
  int known = 0;
  while (shapes[known] && shapes[known] != shape) known++;
  shapes[known] = shape;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = shape->name;
  plugin.capabilityflags = mjPLUGIN_SDF;
  plugin.nattribute = shape->nattribute;
  plugin.attributes = shape->key;
  plugin.nstate = no_state;
  plugin.init = sdf_init;
  plugin.destroy = sdf_destroy;
  plugin.reset = sdf_reset;
  plugin.compute = sdf_compute;
  plugin.sdf_distance = sdf_distance;
  plugin.sdf_gradient = sdf_gradient;
  return plugin;
}
