// What each type of sensor says.
//
//   in    poses, velocities (cvel), accelerations and forces of bodies (cacc, cfrc_int), tendons,
//         actuators, constraint rows, contacts
//   out   the sensor's values
//
// Frames are those of object.h: R and p of an object O and, for frame sensors, of a reference F,
// in whose axes the result is then given. Contact sensors, rays and tactile sensors have files of
// their own.

#include "collide/distance.h"
#include "collide/ray.h"
#include "engine/constraint/contact_force.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/object.h"
#include "math/quat.h"

typedef struct SensorFrames_ {
  ct_ObjectFrame object, reference;
  bool relative;  // there is a reference
} SensorFrames;

// The model is checked, so every object has a frame; compilers do not know that.
LANE_INLINE ct_ObjectFrame frame_of_object(const mjModel* m, const mjData* d, int type, int id) {
  ct_ObjectFrame frame = {0, d->xpos, d->xmat};
  ct_object_frame(m, d, type, id, &frame);
  return frame;
}

LANE_INLINE SensorFrames frames_of_sensor(const mjModel* m, const mjData* d, int sensor) {
  SensorFrames f;
  int reference = m->sensor_refid[sensor];
  ct_object_frame(m, d, m->sensor_objtype[sensor], m->sensor_objid[sensor], &f.object);
  f.relative =
      reference >= 0 && ct_object_frame(m, d, m->sensor_reftype[sensor], reference, &f.reference);
  return f;
}

LANE_INLINE void to_reference_axes(const SensorFrames* f, mjtNum value[3]) {
  if (f->relative) ct_mul_mat_t_vec3(value, f->reference.mat, value);
}

LANE_FN static void frame_position(const mjModel* m, const mjData* d, int sensor, mjtNum value[3]) {
  SensorFrames f = frames_of_sensor(m, d, sensor);
  ct_copy3(value, f.object.pos);
  if (f.relative) ct_sub_from3(value, f.reference.pos);
  to_reference_axes(&f, value);
}

LANE_FN static void frame_axis(const mjModel* m, const mjData* d, int sensor, int k,
                               mjtNum value[3]) {
  SensorFrames f = frames_of_sensor(m, d, sensor);
  ct_column3(value, f.object.mat, k);
  to_reference_axes(&f, value);
}

// Orientation of an object on its body. Cameras that turn by themselves do not count as turned.
LANE_FN static void object_quaternion(const mjModel* m, const mjData* d, int type, int id,
                                      mjtNum quat[4]) {
  switch (type) {
    case mjOBJ_BODY:
      ct_mul_quat(quat, d->xquat + 4 * id, m->body_iquat + 4 * id);
      break;
    case mjOBJ_GEOM:
      ct_mul_quat(quat, d->xquat + 4 * m->geom_bodyid[id], m->geom_quat + 4 * id);
      break;
    case mjOBJ_SITE:
      ct_mul_quat(quat, d->xquat + 4 * m->site_bodyid[id], m->site_quat + 4 * id);
      break;
    case mjOBJ_CAMERA:
      ct_mul_quat(quat, d->xquat + 4 * m->cam_bodyid[id], m->cam_quat + 4 * id);
      break;
    default:
      ct_copy4(quat, d->xquat + 4 * id);
      break;
  }
}

LANE_FN static void frame_quaternion(const mjModel* m, const mjData* d, int sensor,
                                     mjtNum value[4]) {
  mjtNum reference[4];
  object_quaternion(m, d, m->sensor_objtype[sensor], m->sensor_objid[sensor], value);
  if (m->sensor_refid[sensor] < 0) return;
  object_quaternion(m, d, m->sensor_reftype[sensor], m->sensor_refid[sensor], reference);
  ct_neg_quat(reference, reference);
  ct_mul_quat(value, reference, value);
}

// Seen from a frame that turns with w_F, a point at r from it also moves by r x w_F.
LANE_FN static void frame_velocity(const mjModel* m, const mjData* d, int sensor, bool angular,
                                   mjtNum value[3]) {
  SensorFrames f = frames_of_sensor(m, d, sensor);
  mjtNum own[6], its[6], r[3], turning[3];
  ct_frame_velocity(m, d, f.object, false, own);
  ct_copy3(value, angular ? own : own + 3);
  if (!f.relative) return;
  ct_frame_velocity(m, d, f.reference, false, its);
  ct_sub_from3(value, angular ? its : its + 3);
  if (!angular) {
    ct_sub3(r, f.object.pos, f.reference.pos);
    ct_cross(turning, r, its);
    ct_add_to3(value, turning);
  }
  to_reference_axes(&f, value);
}

// Half (0 angular, 3 linear) of the velocity or acceleration of the object.
LANE_FN static void velocity_half(const mjModel* m, const mjData* d, int sensor, int half,
                                  mjtNum value[3]) {
  SensorFrames f = frames_of_sensor(m, d, sensor);
  mjtNum velocity[6];
  ct_frame_velocity(m, d, f.object, true, velocity);
  ct_copy3(value, velocity + half);
}

LANE_FN static void acceleration_half(const mjModel* m, const mjData* d, int sensor, int half,
                                      bool local, mjtNum value[3]) {
  SensorFrames f = frames_of_sensor(m, d, sensor);
  mjtNum acceleration[6];
  ct_frame_acceleration(m, d, f.object, local, acceleration);
  ct_copy3(value, acceleration + half);
}

// Half (0 torque, 3 force) of what the site's body receives from its parent, at the site.
LANE_FN static void wrench_half(const mjModel* m, const mjData* d, int site, int half,
                                mjtNum value[3]) {
  int body = m->site_bodyid[site];
  mjtNum wrench[6];
  ct_transform_force(wrench, d->cfrc_int + 6 * body, d->site_xpos + 3 * site,
                     ct_reference_point(m, d, body), d->site_xmat + 9 * site);
  ct_copy3(value, wrench + half);
}

// The row of a limit; -1 while it is not active. The lower side comes first.
LANE_FN static int limit_row(const mjData* d, int type, int id) {
  for (int row = d->ne + d->nf; row < d->nefc; row++) {
    if (d->efc_type[row] == type && d->efc_id[row] == id) return row;
  }
  return -1;
}

LANE_FN static mjtNum limit_value(const mjModel* m, const mjData* d, int sensor) {
  int type = m->sensor_type[sensor];
  bool tendon = type >= mjSENS_TENDONLIMITPOS;
  int row =
      limit_row(d, tendon ? mjCNSTR_LIMIT_TENDON : mjCNSTR_LIMIT_JOINT, m->sensor_objid[sensor]);
  if (row < 0) return 0;
  if (type == mjSENS_JOINTLIMITPOS || type == mjSENS_TENDONLIMITPOS) {
    return d->efc_pos[row] - d->efc_margin[row];
  }
  bool velocity = type == mjSENS_JOINTLIMITVEL || type == mjSENS_TENDONLIMITVEL;
  return velocity ? d->efc_vel[row] : d->efc_force[row];
}

LANE_FN static mjtNum tendon_actuator_force(const mjModel* m, const mjData* d, int tendon) {
  mjtNum sum = 0;
  for (int i = 0; i < m->nu; i++) {
    bool pulls = m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon;
    if (pulls) sum += d->actuator_force[i];
  }
  return sum;
}

LANE_FN bool ct_inside_site(const mjModel* m, const mjData* d, int site, const mjtNum point[3]) {
  const mjtNum* s = m->site_size + 3 * site;
  mjtNum x[3], a[3];
  ct_sub3(x, point, d->site_xpos + 3 * site);
  if (m->site_type[site] == mjGEOM_SPHERE) return ct_dot3(x, x) < s[0] * s[0];
  ct_mul_mat_t_vec3(x, d->site_xmat + 9 * site, x);
  switch (m->site_type[site]) {
    case mjGEOM_PLANE:
      return x[2] < 0;
    case mjGEOM_CAPSULE:
      x[2] -= ct_clip(x[2], -s[1], s[1]);
      return ct_dot3(x, x) < s[0] * s[0];
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) a[k] = x[k] / s[k];
      return ct_dot3(a, a) < 1;
    case mjGEOM_CYLINDER:
      return ct_abs(x[2]) < s[1] && x[0] * x[0] + x[1] * x[1] < s[0] * s[0];
    case mjGEOM_BOX:
      return ct_abs(x[0]) < s[0] && ct_abs(x[1]) < s[1] && ct_abs(x[2]) < s[2];
    default:
      return false;
  }
}

LANE_FN static mjtNum inside_site(const mjModel* m, const mjData* d, int sensor) {
  ct_ObjectFrame object = frame_of_object(m, d, m->sensor_objtype[sensor], m->sensor_objid[sensor]);
  return ct_inside_site(m, d, m->sensor_refid[sensor], object.pos);
}

// The geoms of one side of a distance sensor.
LANE_INLINE void geoms_of_side(const mjModel* m, int type, int id, int* first, int* count) {
  *first = type == mjOBJ_BODY ? m->body_geomadr[id] : id;
  *count = type == mjOBJ_BODY ? m->body_geomnum[id] : 1;
}

// The smallest distance of two geoms, one of each side; with its segment.
LANE_FN static mjtNum smallest_distance(const mjModel* m, const mjData* d, int sensor,
                                        mjtNum fromto[6]) {
  mjtNum cutoff = m->sensor_cutoff[sensor], smallest = cutoff;
  int first1, count1, first2, count2;
  geoms_of_side(m, m->sensor_objtype[sensor], m->sensor_objid[sensor], &first1, &count1);
  geoms_of_side(m, m->sensor_reftype[sensor], m->sensor_refid[sensor], &first2, &count2);
  ct_zero6(fromto);
  for (int i = first1; i < first1 + count1; i++) {
    for (int j = first2; j < first2 + count2; j++) {
      if (ct_surely_farther(m, d, i, j, smallest)) continue;
      mjtNum segment[6], distance = ct_geom_distance(m, d, i, j, cutoff, segment);
      if (!(distance < smallest)) continue;
      smallest = distance;
      ct_copy6(fromto, segment);
    }
  }
  return smallest;
}

LANE_FN static void distance_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  mjtNum fromto[6], distance = smallest_distance(m, d, sensor, fromto);
  switch (m->sensor_type[sensor]) {
    case mjSENS_GEOMDIST:
      value[0] = distance;
      break;
    case mjSENS_GEOMNORMAL:
      ct_sub3(value, fromto + 3, fromto);
      if (ct_dot3(value, value) > 0) ct_normalize3(value);
      break;
    default:
      ct_copy6(value, fromto);
      break;
  }
}

// Normal forces of contacts of the site's body whose point is in the site, or has it in front. A
// ray along the normal, out of the body, says so. The ray is the force brought to unit length: its
// last bits decide whether it meets a site's edge, and are the reference's only this way.
LANE_FN static mjtNum touch(const mjModel* m, const mjData* d, int site) {
  mjtNum sum = 0;
  int body = m->site_bodyid[site];
  const ct_Shape zone = {d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site,
                         m->site_type[site], -1};
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    int body1 = con->geom[0] < 0 ? -1 : m->geom_bodyid[con->geom[0]];
    int body2 = con->geom[1] < 0 ? -1 : m->geom_bodyid[con->geom[1]];
    if (con->efc_address < 0 || (body1 != body && body2 != body)) continue;
    mjtNum force[6], ray[3];
    ct_contact_force(m, d, i, force);
    if (!(force[0] > 0)) continue;
    ct_scl3(ray, con->frame, body2 == body ? -force[0] : force[0]);
    ct_normalize3(ray);
    if (ct_ray_shape(&zone, con->pos, ray, NULL) >= 0) sum += force[0];
  }
  return sum;
}

LANE_FN static void joint_quaternion(const mjModel* m, const mjData* d, int joint,
                                     mjtNum value[4]) {
  ct_copy4(value, d->qpos + m->jnt_qposadr[joint]);
  ct_normalize4(value);
}

// Sensors of positions; false for others.
LANE_FN static bool position_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  int type = m->sensor_type[sensor], id = m->sensor_objid[sensor];
  switch (type) {
    case mjSENS_MAGNETOMETER:
      ct_mul_mat_t_vec3(value, d->site_xmat + 9 * id, m->opt.magnetic);
      return true;
    case mjSENS_RANGEFINDER:
      ct_site_range(m, d, sensor, value);
      return true;
    case mjSENS_CAMPROJECTION:
      ct_camera_projection(m, d, sensor, value);
      return true;
    case mjSENS_JOINTPOS:
      value[0] = d->qpos[m->jnt_qposadr[id]];
      return true;
    case mjSENS_TENDONPOS:
      value[0] = d->ten_length[id];
      return true;
    case mjSENS_ACTUATORPOS:
      value[0] = d->actuator_length[id];
      return true;
    case mjSENS_BALLQUAT:
      joint_quaternion(m, d, id, value);
      return true;
    case mjSENS_FRAMEPOS:
      frame_position(m, d, sensor, value);
      return true;
    case mjSENS_FRAMEQUAT:
      frame_quaternion(m, d, sensor, value);
      return true;
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      frame_axis(m, d, sensor, type - mjSENS_FRAMEXAXIS, value);
      return true;
    case mjSENS_SUBTREECOM:
      ct_copy3(value, d->subtree_com + 3 * id);
      return true;
    case mjSENS_INSIDESITE:
      value[0] = inside_site(m, d, sensor);
      return true;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      distance_value(m, d, sensor, value);
      return true;
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      value[0] = d->energy[type - mjSENS_E_POTENTIAL];
      return true;
    case mjSENS_CLOCK:
      value[0] = d->time;
      return true;
    default:
      return false;
  }
}

// Sensors of velocities; false for others.
LANE_FN static bool velocity_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  int type = m->sensor_type[sensor], id = m->sensor_objid[sensor];
  switch (type) {
    case mjSENS_VELOCIMETER:
      velocity_half(m, d, sensor, 3, value);
      return true;
    case mjSENS_GYRO:
      velocity_half(m, d, sensor, 0, value);
      return true;
    case mjSENS_JOINTVEL:
      value[0] = d->qvel[m->jnt_dofadr[id]];
      return true;
    case mjSENS_TENDONVEL:
      value[0] = d->ten_velocity[id];
      return true;
    case mjSENS_ACTUATORVEL:
      value[0] = d->actuator_velocity[id];
      return true;
    case mjSENS_BALLANGVEL:
      ct_copy3(value, d->qvel + m->jnt_dofadr[id]);
      return true;
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      frame_velocity(m, d, sensor, type == mjSENS_FRAMEANGVEL, value);
      return true;
    case mjSENS_SUBTREELINVEL:
      ct_copy3(value, d->subtree_linvel + 3 * id);
      return true;
    case mjSENS_SUBTREEANGMOM:
      ct_copy3(value, d->subtree_angmom + 3 * id);
      return true;
    default:
      return false;
  }
}

// Sensors of accelerations and forces, and those of limits, which exist in all stages; false for
// others.
LANE_FN static bool force_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  int type = m->sensor_type[sensor], id = m->sensor_objid[sensor];
  switch (type) {
    case mjSENS_TOUCH:
      value[0] = touch(m, d, id);
      return true;
    case mjSENS_ACCELEROMETER:
      acceleration_half(m, d, sensor, 3, true, value);
      return true;
    case mjSENS_FORCE:
      wrench_half(m, d, id, 3, value);
      return true;
    case mjSENS_TORQUE:
      wrench_half(m, d, id, 0, value);
      return true;
    case mjSENS_ACTUATORFRC:
      value[0] = d->actuator_force[id];
      return true;
    case mjSENS_JOINTACTFRC:
      value[0] = d->qfrc_actuator[m->jnt_dofadr[id]];
      return true;
    case mjSENS_TENDONACTFRC:
      value[0] = tendon_actuator_force(m, d, id);
      return true;
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      acceleration_half(m, d, sensor, type == mjSENS_FRAMELINACC ? 3 : 0, false, value);
      return true;
    case mjSENS_CONTACT:
      ct_contact_sensor(m, d, sensor, value);
      return true;
    case mjSENS_JOINTLIMITPOS:
    case mjSENS_JOINTLIMITVEL:
    case mjSENS_JOINTLIMITFRC:
    case mjSENS_TENDONLIMITPOS:
    case mjSENS_TENDONLIMITVEL:
    case mjSENS_TENDONLIMITFRC:
      value[0] = limit_value(m, d, sensor);
      return true;
    default:
      return false;
  }
}

// Asks first those of the stage that it is computed in.
LANE_FN void ct_sensor_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  int stage = m->sensor_needstage[sensor];
  if (stage == mjSTAGE_ACC && force_value(m, d, sensor, value)) return;
  if (stage == mjSTAGE_VEL && velocity_value(m, d, sensor, value)) return;
  if (position_value(m, d, sensor, value) || velocity_value(m, d, sensor, value)) return;
  force_value(m, d, sensor, value);
}
