// The path of a step, as lane code: one group of lanes, one mjData, no callbacks, no plugins, no
// warnings. stages.def is the table of contents of the engine, flow.h the order in which its parts
// run:
//
//   positions      where everything is, and what moving it takes
//   velocities     how fast everything moves, and the forces that come of it
//   accelerations  forces of actuators, all forces together, what they do
//   sensors        of positions, velocities and accelerations, each as soon as these are known
//   integration    the next state
//
// Sensors of users are zero and those of plugins are left alone here.

#include "engine/step.h"

#include "base/private.h"
#include "engine/lane_flow.h"

// Stages that stand for themselves

LANE_FN int ct_forget_position(Lane g, const mjModel* m, mjData* d) {
  (void)m;
  LANE_ALONE(g) {
    d->flg_energypos = 0;
  }
  return CT_OK;
}

LANE_FN int ct_forget_velocity(Lane g, const mjModel* m, mjData* d) {
  (void)m;
  LANE_ALONE(g) {
    d->flg_energyvel = d->flg_subtreevel = 0;
  }
  return CT_OK;
}

LANE_FN int ct_forget_body_forces(Lane g, const mjModel* m, mjData* d) {
  (void)m;
  LANE_ALONE(g) {
    d->flg_rnepost = 0;
  }
  return CT_OK;
}

LANE_FN int ct_collision_of_woken(Lane g, const mjModel* m, mjData* d) {
  return ct_private(d)->woken ? ct_collision(g, m, d) : CT_OK;
}

LANE_FN int ct_sensors_of_position(Lane g, const mjModel* m, mjData* d) {
  return ct_sensors(g, m, d, mjSTAGE_POS);
}

LANE_FN int ct_sensors_of_velocity(Lane g, const mjModel* m, mjData* d) {
  return ct_sensors(g, m, d, mjSTAGE_VEL);
}

LANE_FN int ct_sensors_of_forces(Lane g, const mjModel* m, mjData* d) {
  return ct_sensors(g, m, d, mjSTAGE_ACC);
}

LANE_FN int ct_position_energy(Lane g, const mjModel* m, mjData* d) {
  if (d->flg_energypos) return CT_OK;
  if (ct_has_energy(m)) return ct_energy_position(g, m, d);
  LANE_ONCE(g) {
    d->energy[0] = d->energy[1] = 0;
  }
  lane_sync(g);
  return CT_OK;
}

LANE_FN int ct_velocity_energy(Lane g, const mjModel* m, mjData* d) {
  return d->flg_energyvel ? CT_OK : ct_energy_velocity(g, m, d);
}

LANE_FN int ct_step_lanes(Lane g, const mjModel* m, mjData* d) {
  return flow_step(g, m, d, CT_STEP);
}
