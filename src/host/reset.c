// Public functions that put an mjData back to the start: everything computed is forgotten, the
// state is that of the model or of one of its keyframes.

#include <stddef.h>
#include <string.h>

#include "base/history_buffer.h"
#include "base/memory/data_memory.h"
#include "base/model/fields.h"
#include "base/private.h"
#include "engine/smooth/sleep.h"
#include "host/report.h"
#include "host/state.h"

// Members of the struct that a reset leaves as they are: they describe the memory, not the
// simulation.
static bool survives(const mjData* d, size_t offset) {
  static const size_t kept[] = {
      offsetof(mjData, narena), offsetof(mjData, nbuffer), offsetof(mjData, nplugin),
      offsetof(mjData, buffer), offsetof(mjData, arena),   offsetof(mjData, threadpool),
      offsetof(mjData, parena),  // ct_clear_arena needs the old value
  };
  for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
    if (offset == kept[i]) return true;
  }
  return offset == offsetof(mjData, pstack) &&
         d->threadpool;  // its threads have their parts of the stack
}

static void reset_struct(const mjModel* m, mjData* d) {
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* v = ct_data_values + i;
    if (!survives(d, v->offset)) memset((char*)d + v->offset, 0, v->bytes);
  }
  ct_clear_arena(d);
  d->signature = m->signature;
  ct_private(d)->status = 0;
}

static void zero(mjtNum* array, mjtSize n) {
  if (n) memset(array, 0, (size_t)n * sizeof(mjtNum));
}

// What a simulation starts from. These arrays do not keep the fill byte.
static void reset_state(const mjModel* m, mjData* d) {
  if (m->nq) memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
  if (m->neq) memcpy(d->eq_active, m->eq_active0, (size_t)m->neq * sizeof(mjtByte));
  zero(d->qvel, m->nv);
  zero(d->act, m->na);
  zero(d->ctrl, m->nu);
  zero(d->qfrc_applied, m->nv);
  zero(d->xfrc_applied, 6 * m->nbody);
  zero(d->qacc, m->nv);
  zero(d->qacc_warmstart, m->nv);
  zero(d->act_dot, m->na);
  zero(d->userdata, m->nuserdata);
  zero(d->qM, m->nM);
  ct_reset_history(m, d);
  for (int t = 0; t < m->ntree; t++) d->tree_asleep[t] = CT_FULLY_AWAKE;
}

// Trees that the model wants asleep from the start.
static int count_sleepers(const mjModel* m) {
  int count = 0;
  for (int t = 0; t < m->ntree; t++) count += m->tree_sleep_policy[t] == mjSLEEP_INIT;
  return count;
}

// They fall asleep in the state of the model, with what ties them together, or not at all. What
// the forward pass has found stays, but rows and islands are gone with the arena.
static void put_sleepers_to_sleep(const mjModel* m, mjData* d, int count) {
  mj_forward(m, d);
  for (int t = 0; t < m->ntree; t++) {
    d->tree_asleep[t] = m->tree_sleep_policy[t] == mjSLEEP_INIT ? -1 : CT_FULLY_AWAKE;
  }
  int slept = ct_sleep_where_ready(lane_one(), m, d);
  if (slept < count) {
    mju_error(
        "mj_resetData: %d trees are to start asleep, but only %d can; look for contacts or "
        "equalities between them and trees that are awake",
        count, slept);
    return;
  }
  zero(d->qacc_smooth, m->nv);
  zero(d->qfrc_smooth, m->nv);
  for (int i = 0; i < d->ncon; i++) d->contact[i].efc_address = -1;
  d->nefc = d->nisland = 0;
}

// With sleep enabled, bodies that cannot move get their poses here and never again.
static void reset_sleep(const mjModel* m, mjData* d) {
  int sleepers = count_sleepers(m);
  if (m->opt.enableflags & mjENBL_SLEEP) {
    ct_update_awake(lane_one(), m, d, true);
    if (sleepers) {
      put_sleepers_to_sleep(m, d, sleepers);
    } else {
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_camlight(m, d);
      mj_tendon(m, d);
    }
  }
  ct_update_awake(lane_one(), m, d, false);
}

// Mocap bodies start where the model has them; the quaternion is copied as it is.
static void reset_mocap(const mjModel* m, mjData* d) {
  zero(d->mocap_pos, 3 * m->nmocap);
  zero(d->mocap_quat, 4 * m->nmocap);
  for (int b = 0; b < m->nbody; b++) {
    int i = m->body_mocapid[b];
    if (i < 0) continue;
    memcpy(d->mocap_pos + 3 * i, m->body_pos + 3 * b, 3 * sizeof(mjtNum));
    memcpy(d->mocap_quat + 4 * i, m->body_quat + 4 * b, 4 * sizeof(mjtNum));
  }
}

static void reset_plugins(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    d->plugin[i] = m->plugin[i];
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin || !plugin->reset) continue;
    mjtNum* state = m->plugin_statenum[i] > 0 ? d->plugin_state + m->plugin_stateadr[i] : NULL;
    plugin->reset(m, state, (void*)d->plugin_data[i], i);
  }
}

static void reset(const mjModel* m, mjData* d, unsigned char fill) {
  if (m->nhistory > 0 && m->opt.timestep <= 0) {
    mju_error(
        "mj_resetData: the model has delays, which need a positive timestep, but opt.timestep is "
        "%g",
        (double)m->opt.timestep);
    return;
  }
  reset_struct(m, d);
  ct_fill_buffer(m, d, fill);
  reset_state(m, d);
  reset_sleep(m, d);
  reset_mocap(m, d);
  reset_plugins(m, d);
}

void mj_resetData(const mjModel* m, mjData* d) {
  reset(m, d, 0);
}

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  reset(m, d, debug_value);
}

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  reset(m, d, 0);
  if (key >= 0 && key < m->nkey) ct_load_keyframe(m, d, key);
}
