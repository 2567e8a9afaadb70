// mujoco.sensor.touch_grid: forces of contacts, sorted into the cells of a spherical grid about a
// site.
//
// The site looks along its negative z axis, like a camera. A contact at p in its frame is seen at
//
//   azimuth   = atan2(px, -pz)              from -fov[0] to fov[0]
//   elevation = atan2(py, sqrt(px^2+pz^2))  from -fov[1] to fov[1]
//
// Cells have equal sizes for gamma 0, and smaller ones in the middle for gamma up to 1. A cell has
// the sum of its contacts' forces on the site's body: along z, x and y of the site, then torques
// about the same axes, as many as nchannel says.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "config.h"
#include "plugins.h"

enum { MOST_CELLS = 1 << 20, MOST_CHANNELS = 6 };

typedef struct {
  int nchannel;
  int size[2];      // cells along azimuth and elevation
  double* edge[2];  // (size + 1) ascending angles
} Grid;

// Configuration

// Integers between `least` and `most`. Digits behind the point are cut off, as in the reference.
static bool read_integers(const mjModel* m, int instance, const char* key, double* number,
                          int count, int least, int most, bool* given) {
  if (!config_read(m, instance, key, number, count, given)) return false;
  for (int i = 0; i < count; i++) {
    number[i] = trunc(number[i]);
    if (number[i] >= least && number[i] <= most) continue;
    mju_warning("mujoco.sensor.touch_grid: %s has %g, it should be between %d and %d", key,
                number[i], least, most);
    return false;
  }
  return true;
}

// Sizes; false, with a warning, if they cannot be used.
static bool read_sizes(const mjModel* m, int instance, Grid* grid) {
  double nchannel = 1, size[2] = {1, 1};
  bool sized = false;
  if (!read_integers(m, instance, "size", size, 2, 1, MOST_CELLS, &sized) ||
      !read_integers(m, instance, "nchannel", &nchannel, 1, 0, MOST_CHANNELS, NULL)) {
    return false;
  }
  if (nchannel < 1) nchannel = 1;  // none given
  if (!sized) {
    mju_warning("mujoco.sensor.touch_grid: size is missing: the number of cells along both axes");
    return false;
  }
  if (size[0] * size[1] * nchannel > MOST_CELLS) {
    mju_warning("mujoco.sensor.touch_grid: %g x %g cells with %g channels are too many", size[0],
                size[1], nchannel);
    return false;
  }
  grid->nchannel = (int)nchannel;
  grid->size[0] = (int)size[0];
  grid->size[1] = (int)size[1];
  return true;
}

static bool read_angles(const mjModel* m, int instance, double fov[2], double* gamma) {
  static const double most[2] = {180, 90};
  bool given = false;
  if (!config_read(m, instance, "fov", fov, 2, &given) ||
      !config_between(m, instance, "gamma", gamma, 0, 1)) {
    return false;
  }
  if (!given) {
    mju_warning("mujoco.sensor.touch_grid: fov is missing: half the field of view in degrees");
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (fov[i] > 0 && fov[i] <= most[i]) continue;
    mju_warning("mujoco.sensor.touch_grid: fov has %g, it should be above 0 and at most %g", fov[i],
                most[i]);
    return false;
  }
  return true;
}

static bool check_sensors(const mjModel* m, int instance) {
  int users = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
    users++;
    if (m->sensor_objtype[i] == mjOBJ_SITE) continue;
    mju_warning("mujoco.sensor.touch_grid: sensor %d should be attached to a site", i);
    return false;
  }
  if (users == 0) mju_warning("mujoco.sensor.touch_grid: no sensor uses instance %d", instance);
  return users > 0;
}

// Angles of the edges. The sum is built up step by step: which cell an angle on an edge belongs to
// depends on its last bit.
static void place_edges(double* edge, int size, double fov, double gamma) {
  double radians = fov * 3.14159265358979323846 / 180, x = -1;
  for (int i = 0; i <= size; i++) {
    edge[i] = ((1 - gamma) * x + gamma * pow(x, 5)) * radians;
    x += 2. / size;
  }
}

// Callbacks

static int grid_nstate(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

// A configuration that cannot be used is refused by init.
static int grid_nsensordata(const mjModel* m, int instance, int sensor) {
  (void)sensor;
  Grid grid = {0};
  if (!read_sizes(m, instance, &grid)) return 0;
  return grid.nchannel * grid.size[0] * grid.size[1];
}

static int grid_init(const mjModel* m, mjData* d, int instance) {
  Grid grid = {0};
  double fov[2] = {0}, gamma = 0;
  if (!read_sizes(m, instance, &grid) || !read_angles(m, instance, fov, &gamma) ||
      !check_sensors(m, instance)) {
    return -1;
  }
  size_t edges = (size_t)grid.size[0] + (size_t)grid.size[1] + 2;
  Grid* kept = (Grid*)mju_malloc(sizeof(Grid) + edges * sizeof(double));
  if (!kept) return -1;
  *kept = grid;
  kept->edge[0] = (double*)(kept + 1);
  kept->edge[1] = kept->edge[0] + grid.size[0] + 1;
  for (int i = 0; i < 2; i++) place_edges(kept->edge[i], grid.size[i], fov[i], gamma);
  d->plugin_data[instance] = (uintptr_t)kept;
  return 0;
}

static void grid_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void grid_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
}

// The cell of an angle, whose upper edge belongs to it; -1: outside.
static int cell_of(const double* edge, int size, double angle) {
  if (!(angle > edge[0])) return -1;
  int low = 0, high = size;  // the angle is above edge[low] and at most at edge[high]
  if (angle > edge[size]) return -1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (angle > edge[middle]) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// A force of a contact in the frame of the site: z, x, y.
static void turn_force(mjtNum turned[3], const mjtNum force[3], const mjtNum* frame,
                       const mjtNum* site, mjtNum sign) {
  mjtNum world[3], local[3];
  mju_mulMatTVec3(world, frame, force);
  mju_mulMatTVec3(local, site, world);
  turned[0] = sign * local[2];
  turned[1] = sign * local[0];
  turned[2] = sign * local[1];
}

static void add_contact(const mjModel* m, const mjData* d, const Grid* grid, int site, int contact,
                        mjtNum* reading) {
  // whose force it is: bodies that are welded together feel as one
  const mjContact* c = d->contact + contact;
  if (c->geom[0] < 0 || c->geom[1] < 0) return;
  int weld = m->body_weldid[m->site_bodyid[site]];
  int body[2] = {m->geom_bodyid[c->geom[0]], m->geom_bodyid[c->geom[1]]};
  if (m->body_weldid[body[0]] != weld && m->body_weldid[body[1]] != weld) return;
  // the later body of the two feels the force along the contact's normal, the reference says: where
  // geoms were exchanged, because their types asked for it, the sign is the wrong one
  int later = body[0] > body[1] ? body[0] : body[1];
  mjtNum sign = later == weld ? 1 : -1;

  // where it is seen
  mjtNum from[3], p[3];
  const mjtNum* frame = d->site_xmat + 9 * site;
  mju_sub3(from, c->pos, d->site_xpos + 3 * site);
  mju_mulMatTVec3(p, frame, from);
  double x = (double)p[0], y = (double)p[1], z = (double)p[2];
  int column = cell_of(grid->edge[0], grid->size[0], atan2(x, -z));
  int row = cell_of(grid->edge[1], grid->size[1], atan2(y, sqrt(x * x + z * z)));
  if (column < 0 || row < 0) return;

  // its force and torque
  mjtNum force[6], turned[6];
  mj_contactForce(m, d, contact, force);
  turn_force(turned, force, c->frame, frame, sign);
  turn_force(turned + 3, force + 3, c->frame, frame, sign);
  int cells = grid->size[0] * grid->size[1];
  for (int i = 0; i < grid->nchannel; i++) {
    reading[i * cells + row * grid->size[0] + column] += turned[i];
  }
}

static void grid_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const Grid* grid = (const Grid*)d->plugin_data[instance];
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
    mjtNum* reading = d->sensordata + m->sensor_adr[i];
    mju_zero(reading, m->sensor_dim[i]);
    for (int k = 0; k < d->ncon; k++) add_contact(m, d, grid, m->sensor_objid[i], k, reading);
  }
}

void register_touch_grid(void) {
  static const char* const attributes[] = {"nchannel", "size", "fov", "gamma"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "mujoco.sensor.touch_grid";
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_ACC;
  plugin.nattribute = sizeof(attributes) / sizeof(attributes[0]);
  plugin.attributes = attributes;
  plugin.nstate = grid_nstate;
  plugin.nsensordata = grid_nsensordata;
  plugin.init = grid_init;
  plugin.destroy = grid_destroy;
  plugin.reset = grid_reset;
  plugin.compute = grid_compute;
  mjp_registerPlugin(&plugin);
}
