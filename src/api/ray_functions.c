// Public functions that cast rays.

#include "collide/ray.h"

static ct_RayFilter filter_of(const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude) {
  ct_RayFilter filter = {geomgroup, flg_static != 0, bodyexclude};
  return filter;
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1],
              mjtNum normal[3]) {
  if (ct_norm3(vec) < (mjtNum)mjMINVAL) {
    mju_error("mj_ray: the direction has no length");
    return -1;
  }
  return ct_ray(m, d, pnt, vec, filter_of(geomgroup, flg_static, bodyexclude), geomid, normal);
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                 const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid,
                 mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff) {
  ct_RayFilter filter = filter_of(geomgroup, flg_static, bodyexclude);
  if (!ct_multi_ray(lane_one(), m, d, pnt, vec, filter, geomid, dist, normal, nray, cutoff)) {
    mju_error("mj_multiRay: the stack has no room; raise memory in <size>");
  }
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                  const mjtNum vec[3], mjtNum normal[3]) {
  if (m->geom_type[geomid] != mjGEOM_MESH) {
    mju_error("mj_rayMesh: geom %d is not a mesh", geomid);
    return -1;
  }
  return ct_ray_mesh(m, d, geomid, pnt, vec, normal);
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                    const mjtNum vec[3], mjtNum normal[3]) {
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("mj_rayHfield: geom %d is not a height field", geomid);
    return -1;
  }
  return ct_ray_hfield(m, d, geomid, pnt, vec, normal);
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                   const mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum normal[3]) {
  bool primitive =
      geomtype == mjGEOM_PLANE || (geomtype >= mjGEOM_SPHERE && geomtype <= mjGEOM_BOX);
  if (!primitive) {
    mju_error("mju_rayGeom: type %d is not a primitive shape", geomtype);
    return -1;
  }
  return ct_ray_shape(pos, mat, size, geomtype, pnt, vec, normal);
}
