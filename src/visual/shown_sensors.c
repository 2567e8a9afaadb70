// Sensors in the list of geoms: rays of rangefinders, lines between nearest points, tactile skins.

#include <string.h>

#include "engine/sensor/sensor.h"
#include "math/mat.h"
#include "visual/shown.h"

// Rays

typedef struct ShownRay_ {
  mjtNum dist;  // -1: not known
  const mjtNum *point, *normal;
} ShownRay;

// Picks what can be shown out of the numbers of one ray; returns the next ray's.
static const mjtNum* read_ray(ShownRay* ray, const mjtNum* value, int chosen) {
  static const int width[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};
  ray->dist = -1;
  ray->point = ray->normal = NULL;
  for (int field = 0; field < mjNRAYDATA; field++) {
    if (!(chosen & 1 << field)) continue;
    if (field == mjRAYDATA_DIST) ray->dist = *value;
    if (field == mjRAYDATA_POINT) ray->point = value;
    if (field == mjRAYDATA_NORMAL) ray->normal = value;
    value += width[field];
  }
  return value;
}

static bool is_zero3(const mjtNum v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void show_ray(const ct_Show* s, int sensor, const mjtNum origin[3],
                     const mjtNum direction[3], const ShownRay* ray, mjtNum ball) {
  const mjVisual* vis = &s->m->vis;
  const float* rgba = vis->rgba.rangefinder;
  mjtNum point[3] = {0, 0, 0};
  bool hit = ray->dist >= 0;
  if (hit) {
    ct_add_scl3(point, origin, direction, ray->dist);
    ct_show_line(s, mjOBJ_SENSOR, sensor, origin, point, rgba);
  }
  if (ray->point && !is_zero3(ray->point)) {
    ct_copy3(point, ray->point);
    ct_show_ball(s, mjOBJ_SENSOR, sensor, point, NULL, ball, rgba);
  }
  if (ray->normal && (hit || !is_zero3(point))) {
    mjtNum tip[3];
    ct_add_scl3(tip, point, ray->normal, 2 * ct_decor_size(s, vis->scale.framelength));
    ct_show_connector(s, mjOBJ_SENSOR, sensor, mjGEOM_ARROW1,
                      ct_decor_size(s, vis->scale.framewidth), point, tip, rgba);
  }
}

static void show_rangefinder(const ct_Show* s, int sensor) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  const mjtNum* value = d->sensordata + m->sensor_adr[sensor];
  int id = m->sensor_objid[sensor], chosen = m->sensor_intprm[mjNSENS * sensor];
  mjtNum width = ct_decor_size(s, m->vis.scale.framewidth);
  ShownRay ray;
  if (m->sensor_objtype[sensor] == mjOBJ_CAMERA) {
    int rays = m->cam_resolution[2 * id] * m->cam_resolution[2 * id + 1];
    for (int i = 0; i < rays; i++) {
      mjtNum origin[3], direction[3];
      value = read_ray(&ray, value, chosen);
      ct_pixel_ray(m, d, id, i, origin, direction);
      show_ray(s, sensor, origin, direction, &ray, (mjtNum)1.3 * width);
    }
  } else {
    const mjtNum* mat = d->site_xmat + 9 * id;
    mjtNum direction[3] = {mat[2], mat[5], mat[8]};
    read_ray(&ray, value, chosen);
    show_ray(s, sensor, d->site_xpos + 3 * id, direction, &ray, (mjtNum)1.5 * width);
  }
}

void ct_show_rays(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nsensor; i++) {
    const mjtNum* value = s->d->sensordata + m->sensor_adr[i];
    if (m->sensor_type[i] == mjSENS_RANGEFINDER) {
      show_rangefinder(s, i);
    } else if (m->sensor_type[i] == mjSENS_GEOMFROMTO &&
               (!is_zero3(value) || !is_zero3(value + 3))) {
      ct_show_line(s, mjOBJ_SENSOR, i, value, value + 3, m->vis.rgba.rangefinder);
    }
  }
}

// Tactile skins

static mjtNum largest_of(const mjtNum* x, int n) {
  mjtNum largest = 0;
  for (int i = 0; i < n; i++) largest = ct_max(largest, ct_abs(x[i]));
  return largest;
}

// One channel of a triangle: the mean over those of its corners that feel something.
static float tactile_channel(const mjtNum* channel, const int corner[3], mjtNum largest) {
  float sum = 0;
  int felt = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum x = channel[corner[k]];
    sum = (float)(sum + ct_abs(x) / largest);
    felt += x != 0;
  }
  return felt ? sum / (float)felt : sum;
}

static void show_tactile_sensor(const ct_Show* s, int sensor) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int mesh = m->sensor_objid[sensor], geom = m->sensor_refid[sensor];
  int vertices = m->mesh_vertnum[mesh], channels = m->sensor_dim[sensor] / vertices;
  const mjtNum* value = d->sensordata + m->sensor_adr[sensor];
  mjtNum largest = largest_of(value, vertices);
  if (largest == 0 || m->geom_rbound[geom] < (mjtNum)mjMINVAL) return;
  for (int f = 0; f < m->mesh_facenum[mesh]; f++) {
    const int* corner = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + f);
    mjtNum v[3][3];
    for (int k = 0; k < 3; k++) {
      const float* vert = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + corner[k]);
      mjtNum local[3] = {vert[0], vert[1], vert[2]};
      ct_mul_mat_vec3(v[k], d->geom_xmat + 9 * geom, local);
      ct_add_to3(v[k], d->geom_xpos + 3 * geom);
    }
    float rgba[4] = {0, 0, 0, 1};
    for (int r = 0; r < 3 && r < channels; r++) {
      rgba[r] = tactile_channel(value + r * vertices, corner, largest);
    }
    if (rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0) rgba[3] = 0.1f;
    ct_show_triangle(s, mjOBJ_SENSOR, sensor, v[0], v[1], v[2], rgba);
  }
}

void ct_show_tactile(const ct_Show* s) {
  for (int i = 0; i < s->m->nsensor; i++) {
    if (s->m->sensor_type[i] == mjSENS_TACTILE) show_tactile_sensor(s, i);
  }
}
