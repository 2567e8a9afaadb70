// The smooth part of a step for four environments side by side: their numbers in the places of
// words, their integers, which are those of the model, in common.
//
// Stages that are arithmetic are compiled from their own sources, with words for numbers
// (base/four.h). Those that are mostly questions about the model stand here once more, for the
// simple answers that side_by_side.c lets through: springs of hinges and slides, actuators that
// drive one of these and have no state. Every number has the bits that its environment alone would
// have; tests compare.

#include "base/four.h"

// Names for the linker are taken, also when all of this is compiled for AVX-512.
#ifdef CT_FOUR_AVX512
#define FOUR_(name_) four_##name_##_avx512
#define ct_run_four ct_run_four_avx512
#else
#define FOUR_(name_) four_##name_
#endif
#define ct_kinematics FOUR_(kinematics)
#define ct_kinematics_of FOUR_(kinematics_of)
#define ct_com_position FOUR_(com_position)
#define ct_composite_bodies FOUR_(composite_bodies)
#define ct_mass_matrix FOUR_(mass_matrix)
#define ct_mul_like_M FOUR_(mul_like_M)
#define ct_mul_M FOUR_(mul_M)
#define ct_mul_root_M FOUR_(mul_root_M)
#define ct_factor FOUR_(factor)
#define ct_factor_M FOUR_(factor_M)
#define ct_solve FOUR_(solve)
#define ct_solve_half FOUR_(solve_half)
#define ct_solve_trees FOUR_(solve_trees)
#define ct_com_velocity FOUR_(com_velocity)
#define ct_body_accelerations FOUR_(body_accelerations)
#define ct_body_forces FOUR_(body_forces)

#include "engine/smooth/kinematics.c"
//
#include "engine/smooth/com.c"
//
#include "engine/smooth/mass_matrix.c"
//
#include "engine/smooth/factor.c"
//
#include "engine/smooth/com_velocity.c"
//
#include "engine/smooth/bias.c"
//
#include "batch/four_stages.h"

// Passive forces of hinges and slides: passive.c.
static void passive_forces(const mjModel* m, mjData* d) {
  bool spring = !(m->opt.disableflags & mjDSBL_SPRING);
  bool damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int k = 0; k < m->nv; k++) {
    d->qfrc_spring[k] = d->qfrc_gravcomp[k] = d->qfrc_fluid[k] = lane_num(0);
    d->qfrc_damper[k] = damper ? -m->dof_damping[k] * d->qvel[k] : lane_num(0);
  }
  for (int joint = 0; spring && joint < m->njnt; joint++) {
    mjtNum stiffness = m->jnt_stiffness[joint];
    int at = m->jnt_qposadr[joint];
    if (lane_common(stiffness) == 0) continue;
    d->qfrc_spring[m->jnt_dofadr[joint]] = -stiffness * (d->qpos[at] - m->qpos_spring[at]);
  }
  for (int k = 0; k < m->nv; k++) {
    d->qfrc_passive[k] = d->qfrc_spring[k] + d->qfrc_damper[k] + d->qfrc_fluid[k];
  }
}

// Forces of actuators on hinges and slides, which have one dof: transmission.c, actuation.c.

static mjtNum affine(const mjData* d, int i, const mjtNum* prm) {
  return prm[0] + prm[1] * d->actuator_length[i] + prm[2] * d->actuator_velocity[i];
}

static mjtNum actuator_force(const mjModel* m, const mjData* d, int i) {
  const mjtNum *gain_prm = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_ctrlrange;
  mjtNum control = d->ctrl[i];
  if (m->actuator_ctrllimited[i] && !(m->opt.disableflags & mjDSBL_CLAMPCTRL)) {
    control = ct_clip(control, range[2 * i], range[2 * i + 1]);
  }
  bool fixed = m->actuator_gaintype[i] == mjGAIN_FIXED;
  mjtNum gain = fixed ? gain_prm[0] : affine(d, i, gain_prm);
  bool biased = m->actuator_biastype[i] == mjBIAS_AFFINE;
  mjtNum bias = biased ? affine(d, i, m->actuator_biasprm + mjNBIAS * i) : lane_num(0);
  mjtNum force = gain * control + bias;
  range = m->actuator_forcerange + 2 * i;
  return m->actuator_forcelimited[i] ? ct_clip(force, range[0], range[1]) : force;
}

static void actuator_forces(const mjModel* m, mjData* d) {
  bool disabled = (m->opt.disableflags & mjDSBL_ACTUATION) != 0;
  for (int k = 0; k < m->nv; k++) d->qfrc_actuator[k] = lane_num(0);
  for (int i = 0; i < m->nu; i++) {
    int joint = m->actuator_trnid[2 * i], dof = m->jnt_dofadr[joint];
    mjtNum gear = m->actuator_gear[6 * i];
    d->actuator_length[i] = gear * d->qpos[m->jnt_qposadr[joint]];
    d->actuator_velocity[i] = disabled ? lane_num(0) : lane_num(0) + gear * d->qvel[dof];
    d->actuator_force[i] = disabled ? lane_num(0) : actuator_force(m, d, i);
    if (!disabled) d->qfrc_actuator[dof] += gear * d->actuator_force[i];
  }
  for (int joint = 0; !disabled && m->nu && joint < m->njnt; joint++) {
    mjtNum* force = d->qfrc_actuator + m->jnt_dofadr[joint];
    const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
    if (m->jnt_actfrclimited[joint]) *force = ct_clip(*force, range[0], range[1]);
  }
}

// Without forces on bodies: acceleration.c.
static void smooth_acceleration(Lane g, const mjModel* m, mjData* d) {
  for (int k = 0; k < m->nv; k++) {
    d->qfrc_smooth[k] =
        d->qfrc_passive[k] - d->qfrc_bias[k] + d->qfrc_applied[k] + d->qfrc_actuator[k];
    d->qacc_smooth[k] = d->qfrc_smooth[k];
  }
  ct_solve(g, m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
}

// The matrix that Euler solves with if dofs are damped: integrate.c.
static void damped_factor(Lane g, const mjModel* m, mjData* d) {
  lane_copy(g, d->qH, d->M, m->nC);
  for (int k = 0; k < m->nv; k++) {
    d->qH[m->M_rowadr[k] + m->M_rownnz[k] - 1] += m->opt.timestep * m->dof_damping[k];
  }
  ct_factor(g, m, d, d->qH, d->qHDiagInv);
}

void ct_run_four(const void* four_model, void* four_data, void* room, unsigned parts) {
  const mjModel* m = (const mjModel*)four_model;
  mjData* d = (mjData*)four_data;
  mjtNum* scratch = (mjtNum*)room;
  Lane g = lane_one();
  ct_kinematics(g, m, d);
  ct_com_position(g, m, d);
  if (parts & CT_FOUR_INERTIA) {
    ct_mass_matrix(g, m, d);
    ct_factor_M(g, m, d);
  }
  ct_com_velocity(g, m, d);
  if (parts & CT_FOUR_PASSIVE) passive_forces(m, d);
  if (parts & CT_FOUR_BIAS) {
    newton_euler_sweeps(g, m, d, false, scratch, scratch + 6 * m->nbody, d->qfrc_bias);
  }
  if (parts & CT_FOUR_ACTUATION) actuator_forces(m, d);
  if (parts & CT_FOUR_ACCELERATION) smooth_acceleration(g, m, d);
  if (parts & CT_FOUR_DAMPED) damped_factor(g, m, d);
}

#ifndef CT_FOUR_AVX512

// The fence

size_t ct_four_model_bytes(void) {
  return sizeof(mjModel);
}

size_t ct_four_data_bytes(void) {
  return CT_ALIGN_UP(sizeof(mjData)) + sizeof(ct_Private);
}

size_t ct_four_field_offset(int field) {
  static const size_t offset[] = {
#define FOUR_MODEL(name_) offsetof(mjModel, name_),
#define FOUR_INPUT(name_, when_) offsetof(mjData, name_),
#define FOUR_RESULT(name_, when_) offsetof(mjData, name_),
#include "batch/four_fields.def"
  };
  return offset[field];
}

size_t ct_four_model_pointers(void) {
  return offsetof(mjModel, qpos0);
}

void ct_four_set_options(void* four_model, const ct_FourOptions* options) {
  mjOption* o = &((mjModel*)four_model)->opt;
  o->timestep = lane_num((ct_Place)options->timestep);
  for (int i = 0; i < 3; i++) o->gravity[i] = lane_num((ct_Place)options->gravity[i]);
  o->disableflags = options->disableflags;
}

void ct_four_set_schedule(void* four_data, const ct_Schedule* schedule) {
  ct_private((mjData*)four_data)->schedule = *schedule;
}

#endif
