// The table of stages (stages.def) as numbers, parts and questions, for code that runs stages.

#ifndef CT_ENGINE_STAGES_H_
#define CT_ENGINE_STAGES_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"
#include "base/model/awake.h"
#include "base/model/options.h"

typedef enum ct_Stage_ {
#define STAGE(name_, function_, part_, applies_, timer_, kernel_) CT_STAGE_##name_,
#include "engine/stages.def"
  CT_NSTAGE,
} ct_Stage;

typedef enum ct_Part_ {               // bits, so that several can be asked for at once
  CT_PART_START = 1 << 0,             // is the state good?
  CT_PART_KINEMATICS = 1 << 1,        // where everything is
  CT_PART_POSITION = 1 << 2,          // and what moving it takes
  CT_PART_FORWARD_POSITION = 1 << 3,  // what inverse dynamics does not need
  CT_PART_POSITION_SENSORS = 1 << 4,
  CT_PART_POSITION_ENERGY = 1 << 5,
  CT_PART_VELOCITY = 1 << 6,  // how fast everything moves, and the forces that come of it
  CT_PART_VELOCITY_SENSORS = 1 << 7,
  CT_PART_VELOCITY_ENERGY = 1 << 8,
  CT_PART_CONTROL = 1 << 9,  // has no stage: here users set controls
  CT_PART_ACCELERATION = 1 << 10,
  CT_PART_BODY_FORCES = 1 << 11,  // are forgotten
  CT_PART_ACCELERATION_SENSORS = 1 << 12,
  CT_PART_CHECK = 1 << 13,  // are accelerations good?
  CT_PART_OPEN = 1 << 14,   // the integration: engine/integrate.h
  CT_PART_NEXT_EVALUATION = 1 << 15,
  CT_PART_KEEP_EVALUATION = 1 << 16,
  CT_PART_MEAN_RATES = 1 << 17,
  CT_PART_INTEGRATOR = 1 << 18,
  CT_PART_ACTIVATIONS = 1 << 19,
  CT_PART_ASLEEP = 1 << 20,
  CT_PART_MOTION = 1 << 21,
  CT_PART_UNDO = 1 << 22,
  CT_PART_INVERSE = 1 << 23,
  CT_PART_INVERSE_FORCE = 1 << 24,

  CT_ALL_POSITIONS = CT_PART_KINEMATICS | CT_PART_POSITION | CT_PART_FORWARD_POSITION,
  CT_ALL_SENSORS =
      CT_PART_POSITION_SENSORS | CT_PART_VELOCITY_SENSORS | CT_PART_ACCELERATION_SENSORS,
  CT_TO_POSITION = CT_ALL_POSITIONS | CT_PART_POSITION_SENSORS | CT_PART_POSITION_ENERGY,
  CT_TO_VELOCITY = CT_PART_VELOCITY | CT_PART_VELOCITY_SENSORS | CT_PART_VELOCITY_ENERGY,
  CT_TO_ACCELERATION =
      CT_PART_CONTROL | CT_PART_ACCELERATION | CT_PART_BODY_FORCES | CT_PART_ACCELERATION_SENSORS,
  CT_FORWARD = CT_TO_POSITION | CT_TO_VELOCITY | CT_TO_ACCELERATION,
  CT_EVALUATION = CT_FORWARD & ~(CT_ALL_SENSORS | CT_PART_BODY_FORCES),  // of Runge-Kutta
  CT_INTEGRATION = CT_PART_OPEN,  // and whatever follows from it
  CT_BY_INTEGRATOR = CT_PART_NEXT_EVALUATION | CT_PART_KEEP_EVALUATION | CT_PART_MEAN_RATES |
                     CT_PART_INTEGRATOR,  // the integrator decides, which may not be the model's
  CT_STEP = CT_PART_START | CT_FORWARD | CT_PART_CHECK | CT_INTEGRATION,
} ct_Part;

// Questions of the table.

LANE_INLINE bool ct_always(const mjModel* m) {
  (void)m;
  return true;
}

LANE_INLINE bool ct_has_tendons(const mjModel* m) {
  return m->ntendon > 0;
}

LANE_INLINE bool ct_has_actuators(const mjModel* m) {
  return m->nu > 0;
}

LANE_INLINE bool ct_has_sensors(const mjModel* m) {
  return (m->nsensor > 0 || m->nplugin > 0) && !(m->opt.disableflags & mjDSBL_SENSOR);
}

LANE_INLINE bool ct_has_views(const mjModel* m) {
  return m->ncam > 0 || m->nlight > 0;
}

LANE_INLINE bool ct_may_sleep(const mjModel* m) {
  return ct_sleep_enabled(m);
}

LANE_INLINE bool ct_has_energy(const mjModel* m) {
  return (m->opt.enableflags & mjENBL_ENERGY) != 0;
}

LANE_INLINE bool ct_compares_inverse(const mjModel* m) {
  return (m->opt.enableflags & mjENBL_FWDINV) != 0;
}

LANE_INLINE bool ct_inverts_discrete(const mjModel* m) {
  return (m->opt.enableflags & mjENBL_INVDISCRETE) != 0;
}

LANE_INLINE bool ct_is_runge_kutta(const mjModel* m) {
  return m->opt.integrator == mjINT_RK4;
}

LANE_INLINE bool ct_is_not_runge_kutta(const mjModel* m) {
  return !ct_is_runge_kutta(m);
}

// Does a stage of the table have something to do? An integrator that was asked for decides by being
// asked.
#define CT_STAGE_APPLIES(part_, applies_, m_) \
  ((CT_PART_##part_ & CT_BY_INTEGRATOR) || ct_##applies_(m_))

#endif  // CT_ENGINE_STAGES_H_
