// The path of a step: the table of contents of the engine.
//
//   positions      where everything is, and what moving it takes
//   velocities     how fast everything moves, and the forces that come of it
//   accelerations  forces of actuators, all forces together, what they do
//   sensors        of positions, velocities and accelerations, each as soon as these are known
//   integration    the next state
//
// Here stands the step as lane code: one group of lanes, one data, no callbacks, no plugins, no
// warnings. src/host/pipeline.c runs the same stages on one lane with all of these between them.
//
// Flexes are not written yet. Sensors of users are zero and those of plugins are left alone here.

#include "engine/step.h"

#include "base/memory/scratch.h"
#include "base/private.h"
#include "collide/collision.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/camlight.h"
#include "engine/smooth/com.h"
#include "engine/smooth/com_velocity.h"
#include "engine/smooth/energy.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/sleep.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/transmission.h"
#include "engine/solver/solver.h"

LANE_FN void ct_position_stage(Lane g, const mjModel* m, mjData* d) {
  ct_kinematics(g, m, d);
  ct_com_position(g, m, d);
  ct_camlight(g, m, d);
  if (m->ntendon) ct_tendon(g, m, d);
  ct_wake_along_tendons(g, m, d);
  ct_mass_matrix(g, m, d);
  ct_factor_M(g, m, d);
  ct_collision(g, m, d);
  if (ct_wake_touched(g, m, d)) ct_collision(g, m, d);
  ct_wake_equal(g, m, d);
  ct_make_constraint(g, m, d);
  ct_island(g, m, d);
  if (m->nu) ct_transmission(g, m, d);
  ct_project_constraint(g, m, d);
}

LANE_FN void ct_velocities(Lane g, const mjModel* m, mjData* d) {
  if (m->ntendon) ct_tendon_velocity(g, m, d);
  if (m->nu) ct_actuator_velocity(g, m, d);
  ct_com_velocity(g, m, d);
}

LANE_FN void ct_velocity_stage(Lane g, const mjModel* m, mjData* d) {
  ct_velocities(g, m, d);
  ct_passive(g, m, d);
  ct_reference_constraint(g, m, d);
  ct_bias(g, m, d);
}

LANE_FN void ct_acceleration_stage(Lane g, const mjModel* m, mjData* d) {
  ct_actuation(g, m, d);
  ct_acceleration(g, m, d);
  ct_forward_constraint(g, m, d);
}

// A sensor may have computed the potential energy already; then nothing happens here.
LANE_FN void ct_position_energy(Lane g, const mjModel* m, mjData* d) {
  if (d->flg_energypos) return;
  if (m->opt.enableflags & mjENBL_ENERGY) {
    ct_energy_position(g, m, d);
  } else {
    LANE_ONCE(g) {
      d->energy[0] = d->energy[1] = 0;
    }
    lane_sync(g);
  }
}

LANE_FN void ct_velocity_energy(Lane g, const mjModel* m, mjData* d) {
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energyvel) ct_energy_velocity(g, m, d);
}

// What was computed on demand belongs to the state before. Each is forgotten where its stage begins
// and not earlier: the sensor of kinetic energy, one of positions, may still see the old one.
LANE_FN static void forget_energy_of_position(Lane g, mjData* d) {
  LANE_ALONE(g) {
    d->flg_energypos = 0;
  }
}

LANE_FN static void forget_velocities(Lane g, mjData* d) {
  LANE_ALONE(g) {
    d->flg_energyvel = d->flg_subtreevel = 0;
  }
}

LANE_FN static void forget_body_forces(Lane g, mjData* d) {
  LANE_ALONE(g) {
    d->flg_rnepost = 0;
  }
}

LANE_FN static void positions(Lane g, const mjModel* m, mjData* d, bool sensors) {
  forget_energy_of_position(g, d);
  ct_position_stage(g, m, d);
  if (sensors) ct_sensors(g, m, d, mjSTAGE_POS);
  ct_position_energy(g, m, d);
}

LANE_FN static void velocities_and_accelerations(Lane g, const mjModel* m, mjData* d,
                                                 bool sensors) {
  forget_velocities(g, d);
  ct_velocity_stage(g, m, d);
  if (sensors) ct_sensors(g, m, d, mjSTAGE_VEL);
  ct_velocity_energy(g, m, d);
  ct_acceleration_stage(g, m, d);
  if (sensors) {
    forget_body_forces(g, d);
    ct_sensors(g, m, d, mjSTAGE_ACC);
  }
}

LANE_FN void ct_forward(Lane g, const mjModel* m, mjData* d) {
  positions(g, m, d, true);
  velocities_and_accelerations(g, m, d, true);
}

LANE_FN void ct_forward_from_velocity(Lane g, const mjModel* m, mjData* d) {
  velocities_and_accelerations(g, m, d, true);
}

LANE_FN bool ct_runge_kutta(Lane g, const mjModel* m, mjData* d) {
  if (!lane_mark(g, d)) return false;
  mjtNum* room = lane_scratch_num(g, d, ct_rk_room(m));
  if (room) {
    ct_RungeKutta s;
    ct_rk_begin(g, m, d, &s, room);
    for (int stage = 1; stage < 4; stage++) {
      ct_rk_go_to(g, m, d, &s, stage);
      positions(g, m, d, false);
      velocities_and_accelerations(g, m, d, false);
      ct_rk_keep(g, m, d, &s, stage);
    }
    ct_rk_return(g, m, d, &s);
    ct_advance(g, m, d, s.mean_act_dot, s.mean_qacc, s.mean_qvel);
  }
  lane_free(g, d);
  return room != NULL;
}

LANE_FN bool ct_integrate(Lane g, const mjModel* m, mjData* d) {
  int integrator = m->opt.integrator;
  if (integrator == mjINT_RK4) return ct_runge_kutta(g, m, d);
  return ct_integrate_by(g, m, d, integrator);
}

LANE_FN bool ct_step_lanes(Lane g, const mjModel* m, mjData* d) {
  ct_forward(g, m, d);
  return ct_integrate(g, m, d);
}
