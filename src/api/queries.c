// Public functions that ask about a state: Jacobians and forces brought to the dofs by them,
// velocities of objects, velocity derivatives, rays, signed distance fields.

#include <mujoco/mujoco.h>

#include "api/exports.h"
#include "collide/ray.h"
#include "collide/sdf.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/object.h"
#include "engine/smooth/velocity_derivative.h"
#include "host/report.h"

// Jacobians

// True if an index is good; otherwise says which function got which index of what.
static int good_index(const char* function, const char* what, int id, mjtSize n) {
  if (id >= 0 && id < n) return 1;
  mju_error("%s: %s %d does not exist, ids are 0 to %d", function, what, id, (int)n - 1);
  return 0;
}

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
            int body) {
  if (!good_index("mj_jac", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, point, body);
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  if (!good_index("mj_jacBody", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  if (!good_index("mj_jacBodyCom", "body", body, m->nbody)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  if (!good_index("mj_jacGeom", "geom", geom, m->ngeom)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  if (!good_index("mj_jacSite", "site", site, m->nsite)) return;
  ct_jac(lane_one(), m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                     const mjtNum point[3], const mjtNum axis[3], int body) {
  if (!good_index("mj_jacPointAxis", "body", body, m->nbody)) return;
  ct_jac_point_axis(lane_one(), m, d, jacPoint, jacAxis, point, axis, body);
}

void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3],
               int body) {
  if (!good_index("mj_jacDot", "body", body, m->nbody)) return;
  ct_jac_dot(lane_one(), m, d, jacp, jacr, point, body);
}

static void subtree_momentum(const char* function, const mjModel* m, mjData* d, mjtNum* velocity,
                             mjtNum* angular, int body) {
  if (!good_index(function, "body", body, m->nbody)) return;
  ct_report(m, d, ct_subtree_momentum(lane_one(), m, d, velocity, angular, body), function);
}

void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  subtree_momentum("mj_jacSubtreeCom", m, d, jacp, NULL, body);
}

void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  subtree_momentum("mj_angmomMat", m, d, NULL, mat, body);
}

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                const mjtNum point[3], int body, mjtNum* qfrc_target) {
  if (!good_index("mj_applyFT", "body", body, m->nbody)) return;
  ct_apply_force(lane_one(), m, d, qfrc_target, force, torque, point, body);
}

// Objects

// The frame of an object; an error names the function that asked for one that does not exist.
static bool find_frame(const char* function, const mjModel* m, const mjData* d, int type, int id,
                       ct_ObjectFrame* frame) {
  const mjtSize count = type == mjOBJ_BODY || type == mjOBJ_XBODY ? m->nbody
                        : type == mjOBJ_GEOM                      ? m->ngeom
                        : type == mjOBJ_SITE                      ? m->nsite
                        : type == mjOBJ_CAMERA                    ? m->ncam
                                                                  : -1;
  if (count < 0) {
    mju_error("%s: object type %d has no frame; bodies, geoms, sites and cameras do", function,
              type);
    return false;
  }
  if (id < 0 || id >= count) {
    mju_error("%s: %s %d does not exist, there are %d", function, mju_type2Str(type), id,
              (int)count);
    return false;
  }
  return ct_object_frame(m, d, type, id, frame);
}

void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                       int flg_local) {
  ct_ObjectFrame frame;
  if (!find_frame("mj_objectVelocity", m, d, objtype, objid, &frame)) return;
  ct_frame_velocity(m, d, frame, flg_local != 0, res);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                           int flg_local) {
  ct_ObjectFrame frame;
  if (!find_frame("mj_objectAcceleration", m, d, objtype, objid, &frame)) return;
  ct_frame_acceleration(m, d, frame, flg_local != 0, res);
}

// Velocity derivatives

void mjd_smooth_vel(const mjModel* m, mjData* d, int with_bias) {
  ct_report(m, d, ct_smooth_derivative(lane_one(), m, d, with_bias != 0), "mjd_smooth_vel");
}

void mjd_actuator_vel(const mjModel* m, mjData* d) {
  ct_actuator_derivative(lane_one(), m, d);
}

void mjd_passive_vel(const mjModel* m, mjData* d) {
  ct_report(m, d, ct_passive_derivative(lane_one(), m, d), "mjd_passive_vel");
}

// Rays

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
  int status = ct_multi_ray(lane_one(), m, d, pnt, vec, filter, geomid, dist, normal, nray, cutoff);
  ct_report(m, d, status, "mj_multiRay");
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
  const ct_Shape shape = {pos, mat, size, geomtype, -1};
  return ct_ray_shape(&shape, pnt, vec, normal);
}

// Signed distance fields, for plugins that make some

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  int instance = id >= 0 && id < m->ngeom ? m->geom_plugin[id] : -1;
  const mjpPlugin* plugin = instance < 0 ? NULL : mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin || !(plugin->capabilityflags & mjPLUGIN_SDF)) {
    mju_error("mjc_getSDF: geom %d has no plugin that is a signed distance field", id);
    return NULL;
  }
  return plugin;
}

// Side i of a pair. Its id is that of the geom, or of the mesh where the shape is one.
static bool find_field(const mjModel* m, const mjSDF* s, int i, ct_DistanceField* f) {
  int type = s->geomtype[i], id = s->id[i];
  bool mesh = type == mjGEOM_MESH || type == mjGEOM_SDF;
  bool known = id >= 0 && id < (mesh ? m->nmesh : m->ngeom) && type >= 0 && type < mjNGEOMTYPES &&
               type != mjGEOM_HFIELD;
  f->type = type;
  f->size = known && !mesh ? m->geom_size + 3 * id : NULL;
  f->octree = known && mesh ? m->mesh_octadr[id] : -1;
  if (known && (!mesh || f->octree >= 0)) return true;
  mju_error("mjc_distance: shape %d of type %d has no signed distance", id, type);
  return false;
}

static mjtNum side_distance(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                            const mjtNum x[3]) {
  ct_DistanceField f;
  if (s->plugin[i]) return s->plugin[i]->sdf_distance(x, d, s->id[i]);
  return find_field(m, s, i, &f) ? ct_field_distance(m, &f, x) : (mjtNum)mjMAXVAL;
}

static void side_gradient(const mjModel* m, const mjData* d, const mjSDF* s, int i,
                          mjtNum gradient[3], const mjtNum x[3]) {
  ct_DistanceField f;
  ct_zero3(gradient);
  if (s->plugin[i]) {
    s->plugin[i]->sdf_gradient(gradient, x, d, s->id[i]);
  } else if (find_field(m, s, i, &f)) {
    ct_field_gradient(m, &f, gradient, x);
  }
}

// The point in the frame of the second side.
static void point_in_second(const mjSDF* s, mjtNum y[3], const mjtNum x[3]) {
  ct_mul_mat_vec3(y, s->relmat, x);
  ct_add_to3(y, s->relpos);
}

static bool combination_exists(const mjSDF* s, const char* function) {
  if (s->type >= mjSDFTYPE_SINGLE && s->type <= mjSDFTYPE_COLLISION) return true;
  mju_error("%s: there is no type %d in mjtSDFType", function, s->type);
  return false;
}

mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  mjtNum y[3];
  if (!combination_exists(s, "mjc_distance")) return 0;
  mjtNum A = side_distance(m, d, s, 0, x);
  if (s->type == mjSDFTYPE_SINGLE) return A;
  point_in_second(s, y, x);
  return ct_combine_distances(s->type, A, side_distance(m, d, s, 1, y));
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                  const mjtNum x[3]) {
  mjtNum y[3], gA[3], gB[3], A = 0, B = 0;
  if (!combination_exists(s, "mjc_gradient")) return;
  side_gradient(m, d, s, 0, gA, x);
  if (s->type == mjSDFTYPE_SINGLE) {
    ct_copy3(gradient, gA);
    return;
  }
  point_in_second(s, y, x);
  side_gradient(m, d, s, 1, gB, y);
  ct_mul_mat_t_vec3(gB, s->relmat, gB);
  if (s->type != mjSDFTYPE_MIDSURFACE) {
    A = side_distance(m, d, s, 0, x);
    B = side_distance(m, d, s, 1, y);
  }
  ct_combine_gradients(s->type, gradient, A, gA, B, gB);
}
