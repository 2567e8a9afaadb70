// When sensors are computed.
//
//   in    whatever the sensors look at   (sensor_value.c and the other files beside it)
//         history                        (nhistory)
//   out   sensordata                     (nsensordata)
//         history                        ct_record_sensors alone
//         energy, subtree_linvel, subtree_angmom, cacc, cfrc_ext, cfrc_int
//                                        if a sensor wants them, once per evaluation: flg_*
//
// A sensor belongs to one stage. There it is computed and clamped, or read from its history: always
// if it has a delay, and between two ticks if it has an interval. Sleeping sensors keep their
// values, and so do all of them if sensors are disabled. A step begins by putting samples into the
// histories; a delayed sensor never shows what it computes for that before the delay has passed.
//
// Oddities of the reference, kept: samples of delayed sensors are computed from what the data holds
// at that moment, which under Runge-Kutta is the last of the four evaluations; a kinetic energy is
// a matter of the position stage, and so that of the evaluation before if energies are enabled.

#include "engine/sensor/sensor.h"

#include <stdint.h>

#include "base/history_read.h"
#include "base/model/awake.h"
#include "base/private.h"
#include "engine/constraint/post_constraint.h"
#include "engine/smooth/energy.h"
#include "engine/smooth/object.h"
#include "engine/smooth/subtree.h"
#include "math/vec.h"

// Quantities that are computed when somebody wants them.
enum { WANTS_POTENTIAL = 1, WANTS_KINETIC = 2, WANTS_SUBTREES = 4, WANTS_BODY_FORCES = 8 };

LANE_FN static int wants_of_user(int stage) {
  if (stage == mjSTAGE_VEL) return WANTS_SUBTREES;
  return stage == mjSTAGE_ACC ? WANTS_BODY_FORCES : 0;
}

// Sensor types as bits: there are fewer than 64 of them.
LANE_INLINE uint64_t bit_of_type(int type) {
  return (uint64_t)1 << (type & 63);
}

LANE_INLINE bool type_wants(int type) {
  const uint64_t some = bit_of_type(mjSENS_E_POTENTIAL) | bit_of_type(mjSENS_E_KINETIC) |
                        bit_of_type(mjSENS_SUBTREELINVEL) | bit_of_type(mjSENS_SUBTREEANGMOM) |
                        bit_of_type(mjSENS_ACCELEROMETER) | bit_of_type(mjSENS_FORCE) |
                        bit_of_type(mjSENS_TORQUE) | bit_of_type(mjSENS_FRAMELINACC) |
                        bit_of_type(mjSENS_FRAMEANGACC) | bit_of_type(mjSENS_USER);
  return (some & bit_of_type(type)) != 0;
}

// Most sensors want nothing, and one question says so.
LANE_FN static inline int wants_of_sensor(const mjModel* m, int sensor) {
  if (!type_wants(m->sensor_type[sensor])) return 0;
  switch (m->sensor_type[sensor]) {
    case mjSENS_E_POTENTIAL:
      return WANTS_POTENTIAL;
    case mjSENS_E_KINETIC:
      return WANTS_KINETIC;
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
      return WANTS_SUBTREES;
    case mjSENS_ACCELEROMETER:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return WANTS_BODY_FORCES;
    case mjSENS_USER:
      return wants_of_user(m->sensor_needstage[sensor]);
    default:
      return 0;
  }
}

// Lanes look at all flags before one of them sets the first.
LANE_FN static int provide(Lane g, const mjModel* m, mjData* d, int wanted) {
  int status = CT_OK;
  if (d->flg_energypos) wanted &= ~WANTS_POTENTIAL;
  if (d->flg_energyvel) wanted &= ~WANTS_KINETIC;
  if (d->flg_subtreevel) wanted &= ~WANTS_SUBTREES;
  if (d->flg_rnepost) wanted &= ~WANTS_BODY_FORCES;
  lane_sync(g);
  if (wanted & WANTS_POTENTIAL) status |= ct_energy_position(g, m, d);
  if (wanted & WANTS_KINETIC) status |= ct_energy_velocity(g, m, d);
  if (wanted & WANTS_SUBTREES) status |= ct_subtree_velocity(g, m, d);
  if (wanted & WANTS_BODY_FORCES) status |= ct_post_constraint(g, m, d);
  return status;
}

LANE_FN int ct_provide_for_users(Lane g, const mjModel* m, mjData* d, int stage) {
  return provide(g, m, d, wants_of_user(stage));
}

LANE_FN void ct_sensor_cutoff(const mjModel* m, int sensor, mjtNum* value) {
  mjtNum cutoff = m->sensor_cutoff[sensor];
  int type = m->sensor_type[sensor];
  if (!(cutoff > 0) || type == mjSENS_CONTACT || type == mjSENS_GEOMFROMTO) return;
  for (int k = 0; k < m->sensor_dim[sensor]; k++) {
    if (m->sensor_datatype[sensor] == mjDATATYPE_REAL) {
      value[k] = ct_clip(value[k], -cutoff, cutoff);
    } else if (m->sensor_datatype[sensor] == mjDATATYPE_POSITIVE) {
      value[k] = ct_min(cutoff, value[k]);
    }
  }
}

// 1 awake, 0 asleep, -1 static, as in body_awake.
LANE_FN static int awake_state(const mjModel* m, const mjData* d, int type, int id) {
  int body = ct_body_of_object(m, type, id);
  if (body >= 0) return d->body_awake[body];
  if (type == mjOBJ_TENDON) return !ct_tendon_asleep(m, d, id);
  if (type == mjOBJ_ACTUATOR) return !ct_actuator_asleep(m, d, id);
  return 1;
}

// Next to something that sleeps, static things count as awake if they are alone and as asleep if
// they are one of two.
LANE_FN bool ct_sensor_asleep(const mjModel* m, const mjData* d, int sensor) {
  int type = m->sensor_type[sensor];
  int object = m->sensor_objtype[sensor], reference = m->sensor_reftype[sensor];
  if (type == mjSENS_USER || type == mjSENS_PLUGIN || type == mjSENS_RANGEFINDER) return false;
  if (type == mjSENS_CONTACT && object == mjOBJ_SITE) return false;
  bool has_object = object != mjOBJ_UNKNOWN && m->sensor_objid[sensor] >= 0;
  bool has_reference = reference != mjOBJ_UNKNOWN && m->sensor_refid[sensor] >= 0;
  int state = has_object ? awake_state(m, d, object, m->sensor_objid[sensor]) : 1;
  int other = has_reference ? awake_state(m, d, reference, m->sensor_refid[sensor]) : 1;
  if (has_object && has_reference) return state != 1 && other != 1;
  return state == 0 || other == 0;
}

// What becomes of a sensor in its stage.
enum { SENSOR_STAYS, SENSOR_CLEARED, SENSOR_READ, SENSOR_COMPUTED };

LANE_INLINE bool tick_is_due(const mjModel* m, const mjData* d, int sensor) {
  mjtNum last = d->history[m->sensor_historyadr[sensor]];
  return last + m->sensor_interval[2 * sensor] <= d->time;
}

LANE_FN static inline int fate_of_sensor(const mjModel* m, const mjData* d, int sensor,
                                         bool filter) {
  int type = m->sensor_type[sensor];
  if (type == mjSENS_PLUGIN) return SENSOR_STAYS;
  if (filter && ct_sensor_asleep(m, d, sensor)) return SENSOR_STAYS;
  if (type == mjSENS_USER) return SENSOR_CLEARED;
  if (m->sensor_history[2 * sensor] <= 0) return SENSOR_COMPUTED;
  if (m->sensor_delay[sensor] > 0) return SENSOR_READ;
  bool ticks = m->sensor_interval[2 * sensor] > 0;
  return ticks && !tick_is_due(m, d, sensor) ? SENSOR_READ : SENSOR_COMPUTED;
}

LANE_FN static void read_from_history(const mjModel* m, const mjData* d, int sensor,
                                      mjtNum* value) {
  int dim = m->sensor_dim[sensor];
  mjtNum delay = ct_max(m->sensor_delay[sensor], 0);
  const mjtNum* stored =
      ct_history_read(d->history + m->sensor_historyadr[sensor], m->sensor_history[2 * sensor], dim,
                      value, d->time - delay, m->sensor_history[2 * sensor + 1]);
  if (stored) ct_copy(value, stored, dim);
}

LANE_FN static void value_with_cutoff(const mjModel* m, const mjData* d, int sensor,
                                      mjtNum* value) {
  ct_sensor_value(m, d, sensor, value);
  ct_sensor_cutoff(m, sensor, value);
}

// All lanes together, so in uniform flow only. Tactile sensors and sleep exclude each other, as in
// the reference.
LANE_FN static int wide_value_with_cutoff(Lane g, const mjModel* m, mjData* d, int sensor,
                                          mjtNum* value) {
  bool tactile = m->sensor_type[sensor] == mjSENS_TACTILE;
  int status = !tactile               ? ct_camera_ranges(g, m, d, sensor, value)
               : ct_some_asleep(m, d) ? CT_BAD_SENSOR
                                      : ct_tactile(g, m, d, sensor, value);
  if (status) ct_blame_sensor(g, d, sensor);
  LANE_ALONE(g) {
    ct_sensor_cutoff(m, sensor, value);
  }
  return status;
}

LANE_FN static void sense(const mjModel* m, mjData* d, int sensor, int fate) {
  mjtNum* value = d->sensordata + m->sensor_adr[sensor];
  if (fate == SENSOR_CLEARED) {
    ct_zero(value, m->sensor_dim[sensor]);
  } else if (fate == SENSOR_READ) {
    read_from_history(m, d, sensor, value);
  } else if (fate == SENSOR_COMPUTED && !ct_sensor_is_wide(m, sensor)) {
    value_with_cutoff(m, d, sensor, value);
  }
}

#if LANE_WIDTH > 1
// The number that a sensor copies; NULL: it does more than that.
LANE_INLINE const mjtNum* copied_number(const mjModel* m, const mjData* d, int sensor) {
  int id = m->sensor_objid[sensor];
  switch (m->sensor_type[sensor]) {
    case mjSENS_JOINTPOS:
      return d->qpos + m->jnt_qposadr[id];
    case mjSENS_TENDONPOS:
      return d->ten_length + id;
    case mjSENS_ACTUATORPOS:
      return d->actuator_length + id;
    case mjSENS_JOINTVEL:
      return d->qvel + m->jnt_dofadr[id];
    case mjSENS_TENDONVEL:
      return d->ten_velocity + id;
    case mjSENS_ACTUATORVEL:
      return d->actuator_velocity + id;
    case mjSENS_ACTUATORFRC:
      return d->actuator_force + id;
    case mjSENS_JOINTACTFRC:
      return d->qfrc_actuator + m->jnt_dofadr[id];
    default:
      return NULL;
  }
}

// Many sensors only copy a number, and have no history: one lane writes these as it finds them.
LANE_INLINE bool copy_number(const mjModel* m, mjData* d, int sensor) {
  const mjtNum* number = copied_number(m, d, sensor);
  if (!number || m->sensor_history[2 * sensor] > 0) return false;
  mjtNum* value = d->sensordata + m->sensor_adr[sensor];
  value[0] = *number;
  if (m->sensor_cutoff[sensor] > 0) ct_sensor_cutoff(m, sensor, value);
  return true;
}
#endif

LANE_FN int ct_sensors(Lane g, const mjModel* m, mjData* d, int stage) {
  if (m->nsensor == 0 || (m->opt.disableflags & mjDSBL_SENSOR)) return CT_OK;
  bool filter = ct_some_asleep(m, d);
  int n = (int)m->nsensor, from = 0, wanted = 0, wide = 0, status = CT_OK;
  while (from < n && m->sensor_needstage[from] != stage) from++;
  if (from == n) return CT_OK;
  int first = from, end = n;  // those that are left
#if LANE_WIDTH > 1
  bool copies = lane_count(g) == 1 && !filter;
  if (copies) {
    first = n;
    end = 0;
  }
#endif
  for (int i = from; i < n; i++) {
    if (m->sensor_needstage[i] != stage) continue;
#if LANE_WIDTH > 1
    if (copies) {
      if (copy_number(m, d, i)) continue;
      if (end == 0) first = i;
      end = i + 1;
    }
#endif
    int fate = fate_of_sensor(m, d, i, filter);
    if (fate == SENSOR_STAYS || fate == SENSOR_READ) continue;
    wanted |= wants_of_sensor(m, i);
    wide += fate == SENSOR_COMPUTED && ct_sensor_is_wide(m, i);
  }
  if (wanted) status = provide(g, m, d, wanted);
  LANE_FOR(k, g, end - first) {
    int i = first + k;
    if (m->sensor_needstage[i] != stage) continue;
#if LANE_WIDTH > 1
    if (copies && copied_number(m, d, i) && m->sensor_history[2 * i] <= 0) continue;
#endif
    sense(m, d, i, fate_of_sensor(m, d, i, filter));
  }
  lane_sync(g);
  for (int i = from; i < n && wide; i++) {
    if (!ct_sensor_is_wide(m, i) || m->sensor_needstage[i] != stage) continue;
    if (fate_of_sensor(m, d, i, filter) != SENSOR_COMPUTED) continue;
    status |= wide_value_with_cutoff(g, m, d, i, d->sensordata + m->sensor_adr[i]);
  }
  return status;
}

// Histories

LANE_INLINE bool sample_is_due(const mjModel* m, const mjData* d, int sensor) {
  if (m->sensor_history[2 * sensor] <= 0) return false;
  return !(m->sensor_interval[2 * sensor] > 0) || tick_is_due(m, d, sensor);
}

// Is the sample computed, or is it what sensordata has?
LANE_INLINE bool sample_is_fresh(const mjModel* m, int sensor) {
  return m->sensor_delay[sensor] > 0;
}

LANE_INLINE bool has_no_formula(const mjModel* m, int sensor) {
  return m->sensor_type[sensor] == mjSENS_USER || m->sensor_type[sensor] == mjSENS_PLUGIN;
}

// Makes room for a sample and returns where it goes. Ticks are a period apart, not counted from
// now, so that they do not drift.
LANE_FN static mjtNum* insert_sample(const mjModel* m, mjData* d, int sensor) {
  mjtNum* buffer = d->history + m->sensor_historyadr[sensor];
  mjtNum period = m->sensor_interval[2 * sensor];
  if (period > 0) buffer[0] += period;
  return ct_history_insert(buffer, m->sensor_history[2 * sensor], m->sensor_dim[sensor], d->time);
}

LANE_FN static void record_sensor(const mjModel* m, mjData* d, int sensor) {
  mjtNum* value = insert_sample(m, d, sensor);
  if (sample_is_fresh(m, sensor)) {
    value_with_cutoff(m, d, sensor, value);
  } else {
    ct_copy(value, d->sensordata + m->sensor_adr[sensor], m->sensor_dim[sensor]);
  }
}

LANE_FN static int record_wide_sensor(Lane g, const mjModel* m, mjData* d, int sensor) {
  int offset;
  LANE_ANSWER(offset, g, insert_sample(m, d, sensor) - d->history);
  return wide_value_with_cutoff(g, m, d, sensor, d->history + offset);
}

LANE_FN int ct_record_sensors(Lane g, const mjModel* m, mjData* d) {
  int wanted = 0, wide = 0, status = CT_OK;
  if (m->nhistory == 0) return CT_OK;
  for (int i = 0; i < m->nsensor; i++) {
    if (!sample_is_due(m, d, i) || !sample_is_fresh(m, i)) continue;
    wanted |= wants_of_sensor(m, i);
    wide += ct_sensor_is_wide(m, i);
    if (has_no_formula(m, i)) status |= ct_blame_sensor(g, d, i);
  }
  if (wanted) status |= provide(g, m, d, wanted);
  lane_sync(g);
  for (int i = 0; i < m->nsensor && wide; i++) {
    if (!ct_sensor_is_wide(m, i) || !sample_is_fresh(m, i)) continue;
    bool due = sample_is_due(m, d, i);
    lane_sync(g);
    if (due) status |= record_wide_sensor(g, m, d, i);
  }
  LANE_FOR(i, g, m->nsensor) {
    bool elsewhere = sample_is_fresh(m, i) && (ct_sensor_is_wide(m, i) || has_no_formula(m, i));
    if (elsewhere || !sample_is_due(m, d, i)) continue;
    record_sensor(m, d, i);
  }
  lane_sync(g);
  return status;
}
