// mujoco.elasticity.cable: torques that straighten a chain of bodies, or bend it back to how it was
// made.
//
// Body b and the one before it are joined by a piece of rod of length L, the distance of their
// frames in the model's own pose. With w the rotation vector that turns one into the other, and w0
// the same in the model's own pose (zero if the cable is flat), the torque between them is
//
//   t = -diag(G J, E Iy, E Iz) (w - w0) / L        in the frame of the body before,
//
// G the modulus of twist, E that of bending, J, Iy, Iz the moments of area of the cross-section of
// b's first geom, whose long axis is x. See Bergou et al., "Discrete elastic rods", 2008. Each of
// the two bodies gets it by way of its own frame, which makes a difference only where positions are
// newer than frames (mj_forwardSkip).

#include <math.h>
#include <string.h>

#include "config.h"
#include "plugins.h"

typedef struct {
  int body, before;     // ids; before is -1 for the first body
  mjtNum stiffness[3];  // G J / L, E Iy / L, E Iz / L
  mjtNum rest[3];       // w0
  mjtNum strain[3];     // t, of the last computation, in the frame of body
} Joint;

typedef struct {
  double vmax;  // the torque that is drawn red; 0: colours stay
  int njoint;
  Joint joint[];  // one for each body, in the order of ids
} Cable;

// Making

// Moments of area about the long axis and the two others.
static void cross_section(const mjModel* m, int body, double moment[3]) {
  memset(moment, 0, 3 * sizeof(double));
  if (m->body_geomnum[body] == 0) return;
  int geom = m->body_geomadr[body];
  double pi = 3.14159265358979323846;
  const mjtNum* size = m->geom_size + 3 * geom;
  if (m->geom_type[geom] == mjGEOM_CAPSULE || m->geom_type[geom] == mjGEOM_CYLINDER) {
    double r = (double)size[0];
    moment[0] = pi * pow(r, 4) / 2;
    moment[1] = moment[2] = pi * pow(r, 4) / 4;
  } else if (m->geom_type[geom] == mjGEOM_BOX) {
    // the rectangle's torsion constant: Roark's Formulas for Stress and Strain, table 10.1
    double y = 2 * (double)size[1], z = 2 * (double)size[2];
    double a = fmax(y, z) / 2, b = fmin(y, z) / 2;
    moment[0] = a * pow(b, 3) * (16. / 3 - 3.36 * b / a * (1 - pow(b / a, 4) / 12));
    moment[1] = pow(z, 3) * y / 12;
    moment[2] = pow(y, 3) * z / 12;
  }
}

// Where a body is when all joints are at rest.
static void rest_position(const mjModel* m, int body, mjtNum pos[3]) {
  mju_zero3(pos);
  for (; body > 0; body = m->body_parentid[body]) {
    mju_rotVecQuat(pos, pos, m->body_quat + 4 * body);
    mju_addTo3(pos, m->body_pos + 3 * body);
  }
}

static int ball_of(const mjModel* m, int body) {
  int joint = m->body_jntadr[body];
  return m->body_jntnum[body] == 1 && m->jnt_type[joint] == mjJNT_BALL ? joint : -1;
}

static bool add_joint(const mjModel* m, int body, int before, const double modulus[3], bool flat,
                      Joint* joint) {
  joint->body = body;
  joint->before = before;
  if (before < 0) return true;
  double moment[3];
  mjtNum here[3], there[3];
  cross_section(m, body, moment);
  rest_position(m, body, here);
  rest_position(m, before, there);
  double length = (double)mju_dist3(here, there);
  if (!(length > 0)) {
    mju_warning("mujoco.elasticity.cable: bodies %d and %d are at the same place", before, body);
    return false;
  }
  for (int i = 0; i < 3; i++) joint->stiffness[i] = (mjtNum)(modulus[i] * moment[i] / length);
  if (!flat) mju_quat2Vel(joint->rest, m->body_quat + 4 * body, 1);
  return true;
}

// Bodies of an instance follow each other in the model.
static bool count_bodies(const mjModel* m, int instance, int* first, int* count) {
  *first = *count = 0;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_plugin[i] != instance) continue;
    if (*count == 0) *first = i;
    if (i != *first + *count) {
      mju_warning(
          "mujoco.elasticity.cable: body %d is not next to the other bodies of instance %d; give "
          "each cable an instance of its own",
          i, instance);
      return false;
    }
    ++*count;
  }
  if (*count == 0) mju_warning("mujoco.elasticity.cable: no body uses instance %d", instance);
  return *count > 0;
}

static int cable_init(const mjModel* m, mjData* d, int instance) {
  double twist = 0, bend = 0, vmax = 0;
  int first, count;
  if (!config_read(m, instance, "twist", &twist, 1, NULL) ||
      !config_read(m, instance, "bend", &bend, 1, NULL) ||
      !config_read(m, instance, "vmax", &vmax, 1, NULL) ||
      !count_bodies(m, instance, &first, &count)) {
    return -1;
  }
  const char* flat = mj_getPluginConfig(m, instance, "flat");
  if (flat && flat[0] && strcmp(flat, "true") != 0 && strcmp(flat, "false") != 0) {
    mju_warning("mujoco.elasticity.cable: flat=\"%.200s\" should be true or false", flat);
    return -1;
  }
  size_t bytes = sizeof(Cable) + (size_t)count * sizeof(Joint);
  Cable* cable = (Cable*)mju_malloc(bytes);
  if (!cable) return -1;
  memset(cable, 0, bytes);
  cable->vmax = vmax;
  cable->njoint = count;
  const double modulus[3] = {twist, bend, bend};
  bool is_flat = flat && strcmp(flat, "true") == 0;
  for (int i = 0; i < count; i++) {
    int before = i == 0 ? -1 : first + i - 1;
    if (!add_joint(m, first + i, before, modulus, is_flat, cable->joint + i)) {
      mju_free(cable);
      return -1;
    }
  }
  d->plugin_data[instance] = (uintptr_t)cable;
  return 0;
}

static int cable_nstate(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static void cable_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void cable_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
}

// Forces

// The rotation from the frame of the body before to that of the body.
static void relative_rotation(const mjModel* m, const mjData* d, const Joint* joint,
                              mjtNum quat[4]) {
  int ball = ball_of(m, joint->body);
  if (ball >= 0) {
    mju_mulQuat(quat, m->body_quat + 4 * joint->body, d->qpos + m->jnt_qposadr[ball]);
  } else {
    mjtNum back[4];
    mju_negQuat(back, d->xquat + 4 * joint->before);
    mju_mulQuat(quat, back, d->xquat + 4 * joint->body);
  }
}

static void cable_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  Cable* cable = (Cable*)d->plugin_data[instance];
  for (int i = 1; i < cable->njoint; i++) {
    Joint* joint = cable->joint + i;
    mjtNum quat[4], back[4], turn[3], local[3], torque[3];
    relative_rotation(m, d, joint, quat);
    mju_quat2Vel(turn, quat, 1);
    for (int k = 0; k < 3; k++) {
      local[k] = -joint->stiffness[k] * (turn[k] - joint->rest[k]);
    }
    mju_negQuat(back, quat);
    mju_rotVecQuat(joint->strain, local, back);
    mju_rotVecQuat(torque, joint->strain, d->xquat + 4 * joint->body);
    const mjtNum* here = d->xpos + 3 * joint->body;
    mj_applyFT(m, d, NULL, torque, here, joint->body, d->qfrc_passive);
    mju_rotVecQuat(torque, local, d->xquat + 4 * joint->before);
    mju_scl3(torque, torque, -1);
    const mjtNum* there = d->xpos + 3 * joint->before;
    mj_applyFT(m, d, NULL, torque, there, joint->before, d->qfrc_passive);
  }
}

// Colours

// From blue over cyan, green and yellow to red, for values from 0 to 1: each channel is a trapezium
// of height 1 about the value that it stands for.
static void heat_colour(float rgba[4], double value) {
  static const double middle[3] = {1, 0.5, 0};
  for (int i = 0; i < 3; i++) {
    rgba[i] = (float)fmin(fmax(2 - 4 * fabs(value - middle[i]), 0), 1);
  }
}

static void cable_visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn,
                            int instance) {
  (void)opt;
  (void)scn;
  const Cable* cable = (const Cable*)d->plugin_data[instance];
  if (!(cable->vmax > 0)) return;
  for (int i = 0; i < cable->njoint; i++) {
    // the mean of the torques at both ends, each in the frame of the body behind its joint, or the
    // one at the only end that has one
    mjtNum mean[3] = {0, 0, 0};
    bool before = i > 0, after = i + 1 < cable->njoint;
    mjtNum weight = before && after ? (mjtNum)0.5 : 1;
    if (before) mju_addToScl3(mean, cable->joint[i].strain, weight);
    if (after) mju_addToScl3(mean, cable->joint[i + 1].strain, weight);
    int body = cable->joint[i].body;
    if (m->body_geomnum[body] == 0) continue;
    heat_colour(m->geom_rgba + 4 * m->body_geomadr[body],
                fmin((double)mju_norm3(mean) / cable->vmax, 1));
  }
}

void register_cable(void) {
  static const char* const attributes[] = {"twist", "bend", "flat", "vmax"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "mujoco.elasticity.cable";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nattribute = sizeof(attributes) / sizeof(attributes[0]);
  plugin.attributes = attributes;
  plugin.nstate = cable_nstate;
  plugin.init = cable_init;
  plugin.destroy = cable_destroy;
  plugin.reset = cable_reset;
  plugin.compute = cable_compute;
  plugin.visualize = cable_visualize;
  mjp_registerPlugin(&plugin);
}
