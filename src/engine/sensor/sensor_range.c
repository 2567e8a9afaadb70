// Sensors that look along rays, and where a camera sees a point.
//
//   in    site_xpos, site_xmat, cam_xpos, cam_xmat, and what rays hit
//   out   values of rangefinders and camera projections
//
// A camera looks along -z, x to the right, y up; pixels count from the upper left corner. With a
// sensor size the focal lengths come from the intrinsics, in single precision as they are stored;
// without one from the vertical opening. A ray starts where the site or camera is and does not see
// the geoms of the body that carries it.
//
// Oddities of the reference, kept: the principal point of intrinsics is measured from the first
// pixel and not from the centre, and a projection knows neither it nor parallel cameras.

#include "base/memory/scratch.h"
#include "collide/ray.h"
#include "engine/sensor/sensor.h"
#include "math/strict.h"

typedef struct Ray_ {
  mjtNum origin[3], direction[3];
  mjtNum dist;  // along the direction, -1: no hit
  mjtNum normal[3];
  mjtNum depth;  // along the axis of the camera or site
} Ray;

// The chosen numbers of a ray, one behind the other; returns how many there are.
LANE_FN static int write_ray(mjtNum* value, const Ray* ray, int chosen) {
  int n = 0;
  bool hit = ray->dist >= 0;
  mjtNum scale = hit ? 1 : 0;
  if (chosen & 1 << mjRAYDATA_DIST) value[n++] = ray->dist;
  if (chosen & 1 << mjRAYDATA_DIR) {
    ct_scl3(value + n, ray->direction, scale);
    n += 3;
  }
  if (chosen & 1 << mjRAYDATA_ORIGIN) {
    ct_copy3(value + n, ray->origin);
    n += 3;
  }
  if (chosen & 1 << mjRAYDATA_POINT) {
    ct_zero3(value + n);
    if (hit) ct_add_scl3(value + n, ray->origin, ray->direction, ray->dist);
    n += 3;
  }
  if (chosen & 1 << mjRAYDATA_NORMAL) {
    ct_scl3(value + n, ray->normal, scale);
    n += 3;
  }
  if (chosen & 1 << mjRAYDATA_DEPTH) value[n++] = hit ? ray->depth : -1;
  return n;
}

LANE_INLINE ct_RayFilter from_body(int body) {
  ct_RayFilter filter;
  filter.group = NULL;
  filter.fixed = true;
  filter.exclude = body;
  return filter;
}

LANE_FN void ct_site_range(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  int site = m->sensor_objid[sensor];
  Ray ray;
  ct_copy3(ray.origin, d->site_xpos + 3 * site);
  ct_column3(ray.direction, d->site_xmat + 9 * site, 2);
  ray.dist =
      ct_ray(m, d, ray.origin, ray.direction, from_body(m->site_bodyid[site]), NULL, ray.normal);
  ray.depth = ray.dist;
  write_ray(value, &ray, m->sensor_intprm[mjNSENS * sensor]);
}

typedef struct Optics_ {  // in pixels
  mjtNum focal[2], centre[2];
} Optics;

LANE_FN static Optics perspective_optics(const mjModel* m, int cam) {
  const float *size = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  const int* pixels = m->cam_resolution + 2 * cam;
  Optics o;
  if (size[0] != 0 && size[1] != 0) {
    for (int k = 0; k < 2; k++) {
      float focal = intrinsic[k] / size[k] * (float)pixels[k];
      float centre = intrinsic[2 + k] / size[k] * (float)pixels[k];
      o.focal[k] = (mjtNum)focal;
      o.centre[k] = (mjtNum)centre;
    }
    return o;
  }
  mjtNum half_opening = m->cam_fovy[cam] * (mjtNum)mjPI / 360;
  o.focal[0] = o.focal[1] = (mjtNum)0.5 / ct_tan(half_opening) * (mjtNum)pixels[1];
  for (int k = 0; k < 2; k++) o.centre[k] = (mjtNum)pixels[k] / 2;
  return o;
}

LANE_FN static Optics parallel_optics(const mjModel* m, int cam) {
  Optics o;
  for (int k = 0; k < 2; k++) {
    o.focal[k] = o.centre[k] = (mjtNum)m->cam_resolution[2 * cam + k] / 2;
  }
  return o;
}

// The ray of a pixel. Parallel rays have one direction and start in the plane of the camera, the
// others the other way round.
LANE_FN static void ray_of_pixel(const mjModel* m, const mjData* d, int cam, const Optics* o,
                                 int pixel, Ray* ray) {
  int width = m->cam_resolution[2 * cam];
  const mjtNum* mat = d->cam_xmat + 9 * cam;
  mjtNum x = ((mjtNum)(pixel % width) + (mjtNum)0.5 - o->centre[0]) / o->focal[0];
  mjtNum y = -((mjtNum)(pixel / width) + (mjtNum)0.5 - o->centre[1]) / o->focal[1];
  ct_copy3(ray->origin, d->cam_xpos + 3 * cam);
  if (m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC) {
    mjtNum half = m->cam_fovy[cam] / 2, shift[3] = {x * half, y * half, 0};
    ct_mul_mat_vec3(shift, mat, shift);
    ct_add_to3(ray->origin, shift);
    ct_column3(ray->direction, mat, 2);
    ct_scl3(ray->direction, ray->direction, -1);
  } else {
    mjtNum direction[3] = {x, y, -1};
    ct_mul_mat_vec3(ray->direction, mat, direction);
    ct_normalize3(ray->direction);
  }
}

LANE_FN void ct_pixel_ray(const mjModel* m, const mjData* d, int cam, int pixel, mjtNum origin[3],
                          mjtNum direction[3]) {
  bool parallel = m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC;
  Optics o = parallel ? parallel_optics(m, cam) : perspective_optics(m, cam);
  Ray ray;
  ray_of_pixel(m, d, cam, &o, pixel, &ray);
  ct_copy3(origin, ray.origin);
  ct_copy3(direction, ray.direction);
}

LANE_FN static void set_camera_depth(const mjData* d, int cam, Ray* ray) {
  mjtNum to_hit[3], z[3];
  ct_add_scl3(to_hit, ray->origin, ray->direction, ray->dist);
  ct_sub_from3(to_hit, d->cam_xpos + 3 * cam);
  ct_column3(z, d->cam_xmat + 9 * cam, 2);
  ray->depth = -ct_dot3(to_hit, z);
}

// Parallel rays are cast one by one.
LANE_FN static void parallel_ranges(Lane g, const mjModel* m, mjData* d, int sensor,
                                    mjtNum* value) {
  int cam = m->sensor_objid[sensor];
  int count = m->cam_resolution[2 * cam] * m->cam_resolution[2 * cam + 1];
  int size = m->sensor_dim[sensor] / (count > 0 ? count : 1);
  ct_RayFilter filter = from_body(m->cam_bodyid[cam]);
  Optics o = parallel_optics(m, cam);
  LANE_FOR(i, g, count) {
    Ray ray;
    ray_of_pixel(m, d, cam, &o, i, &ray);
    ray.dist = ct_ray(m, d, ray.origin, ray.direction, filter, NULL, ray.normal);
    set_camera_depth(d, cam, &ray);
    write_ray(value + i * size, &ray, m->sensor_intprm[mjNSENS * sensor]);
  }
}

typedef struct RayArrays_ {
  mjtNum *direction, *normal, *dist;  // (count x 3), (count x 3), (count)
} RayArrays;

// Rays through one point are cast together, which is not the same: see ray.h.
LANE_FN static int perspective_ranges(Lane g, const mjModel* m, mjData* d, int sensor, int count,
                                      RayArrays a, mjtNum* value) {
  int cam = m->sensor_objid[sensor], size = m->sensor_dim[sensor] / count;
  Optics o = perspective_optics(m, cam);
  LANE_FOR(i, g, count) {
    Ray ray;
    ray_of_pixel(m, d, cam, &o, i, &ray);
    ct_copy3(a.direction + 3 * i, ray.direction);
  }
  lane_sync(g);
  int status = ct_multi_ray(g, m, d, d->cam_xpos + 3 * cam, a.direction,
                            from_body(m->cam_bodyid[cam]), NULL, a.dist, a.normal, count, mjMAXVAL);
  if (status) return status;
  LANE_FOR(i, g, count) {
    Ray ray;
    ct_copy3(ray.origin, d->cam_xpos + 3 * cam);
    ct_copy3(ray.direction, a.direction + 3 * i);
    ct_copy3(ray.normal, a.normal + 3 * i);
    ray.dist = a.dist[i];
    set_camera_depth(d, cam, &ray);
    write_ray(value + i * size, &ray, m->sensor_intprm[mjNSENS * sensor]);
  }
  return CT_OK;
}

LANE_FN int ct_camera_ranges(Lane g, const mjModel* m, mjData* d, int sensor, mjtNum* value) {
  int cam = m->sensor_objid[sensor];
  int count = m->cam_resolution[2 * cam] * m->cam_resolution[2 * cam + 1];
  if (count <= 0) return CT_OK;
  if (m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC) {
    parallel_ranges(g, m, d, sensor, value);
    return CT_OK;
  }
  if (!lane_mark(g, d)) return CT_ARENA_FULL | CT_BAD_SENSOR;
  RayArrays a;
  a.direction = lane_scratch_num(g, d, 3 * count);
  a.normal = lane_scratch_num(g, d, 3 * count);
  a.dist = lane_scratch_num(g, d, count);
  bool room = a.direction && a.normal && a.dist;
  int status = room ? perspective_ranges(g, m, d, sensor, count, a, value) : CT_STACK_FULL;
  lane_free(g, d);
  return status ? CT_ARENA_FULL | CT_BAD_SENSOR : CT_OK;
}

// q, the site in the axes of the camera, is in front of it if q_z < 0.
LANE_FN void ct_camera_projection(const mjModel* m, const mjData* d, int sensor, mjtNum value[2]) {
  int site = m->sensor_objid[sensor], cam = m->sensor_refid[sensor];
  const int* pixels = m->cam_resolution + 2 * cam;
  Optics o = perspective_optics(m, cam);
  mjtNum q[3], least = (mjtNum)mjMINVAL;
  ct_sub3(q, d->site_xpos + 3 * site, d->cam_xpos + 3 * cam);
  ct_mul_mat_t_vec3(q, d->cam_xmat + 9 * cam, q);
  mjtNum divisor = q[2];
  if (ct_abs(divisor) < least) divisor = divisor < 0 ? -least : least;
  value[0] = (-o.focal[0] * q[0] + (mjtNum)pixels[0] / 2 * q[2]) / divisor;
  value[1] = (o.focal[1] * q[1] + (mjtNum)pixels[1] / 2 * q[2]) / divisor;
}
