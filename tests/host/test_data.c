// R0.1 R14.1: making, copying, resetting and deleting data.

#include "host/data.h"

#include <corten/status.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/stack.h"
#include "base/model/fields.h"
#include "base/model/model_memory.h"
#include "base/private.h"
#include "support/attempts.h"
#include "support/messages.h"
#include "support/models.h"
#include "support/text_models.h"

static bool all_bytes_are(const void* array, size_t n, unsigned char byte) {
  for (size_t i = 0; i < n; i++) {
    if (((const unsigned char*)array)[i] != byte) return false;
  }
  return true;
}

static void fresh_data_has_the_reference_sizes(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  if (sizeof(mjtNum) == 8)
    assert_int_equal(d->nbuffer, 37536);  // what the reference's mj_makeData gives for this file
  assert_int_equal(d->narena, 14680064);
  assert_int_equal((uintptr_t)d->buffer % 64, 0);
  assert_int_equal((uintptr_t)d->arena % 64, 0);
  assert_ptr_equal(d->contact, d->arena);
  assert_null(d->efc_J);
  assert_int_equal(ct_private(d)->schedule.bodies.end, m->nbody);
  mj_deleteData(d);
  mj_deleteData(NULL);
  mj_deleteModel(m);
}

// Arrays that a reset sets whatever the fill byte is.
static const char* const set_by_reset[] = {
    "qpos",   "qvel",         "act",        "history",        "qacc_warmstart",   "ctrl",
    "plugin", "qfrc_applied", "eq_active",  "xfrc_applied",   "mocap_pos",        "mocap_quat",
    "qacc",   "act_dot",      "userdata",   "tree_asleep",    "plugin_state",     "plugin_data",
    "qM",     "tree_awake",   "body_awake", "body_awake_ind", "parent_awake_ind", "dof_awake_ind",
    NULL,
};

// Arrays that it computes too where sleep is enabled: whatever depends on positions alone.
static const char* const placed_by_reset[] = {
    "xpos",         "xquat",       "xmat",        "xipos",     "ximat",        "xanchor",
    "xaxis",        "geom_xpos",   "geom_xmat",   "site_xpos", "site_xmat",    "cam_xpos",
    "cam_xmat",     "light_xpos",  "light_xdir",  "cdof",      "cinert",       "subtree_com",
    "ten_length",   "ten_wrapadr", "ten_wrapnum", "ten_J",     "ten_J_rownnz", "ten_J_rowadr",
    "ten_J_colind", "wrap_obj",    "wrap_xpos",   NULL,
};

static bool is_one_of(const char* const* set, const char* name) {
  while (*set && strcmp(*set, name)) set++;
  return *set;
}

// The field of an mjData that a plain reset and the four stages of positions have seen.
static void expect_placed(const ct_Field* f, const mjModel* m, const mjData* d) {
  mjData* placed = mj_makeData(m);
  mj_kinematics(m, placed);
  mj_comPos(m, placed);
  mj_camlight(m, placed);
  mj_tendon(m, placed);
  if (memcmp(ct_field_array(f, d), ct_field_array(f, placed), ct_field_bytes(f, m, d)))
    fail_msg("%s is not what the positions give", f->name);
  mj_deleteData(placed);
}

static void a_debug_reset_fills_what_is_computed_and_nothing_else(void** state) {
  (void)state;
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    mjData* d = mj_makeData(m);
    bool sleeps = m->opt.enableflags & mjENBL_SLEEP;
    mj_resetDataDebug(m, d, 0xA5);
    for (int k = 0; k < ct_ndata_field; k++) {
      const ct_Field* f = ct_data_fields + k;
      size_t bytes = ct_field_bytes(f, m, d);
      if (!bytes || is_one_of(set_by_reset, f->name)) continue;
      if (sleeps && is_one_of(placed_by_reset, f->name)) {
        expect_placed(f, m, d);
        continue;
      }
      if (!all_bytes_are(ct_field_array(f, d), bytes, 0xA5)) fail_msg("%s is not filled", f->name);
    }
    assert_memory_equal(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(d->eq_active, m->eq_active0, (size_t)m->neq);
    assert_true(all_bytes_are(d->qvel, (size_t)m->nv * sizeof(mjtNum), 0));
    assert_true(all_bytes_are(d->qM, (size_t)m->nM * sizeof(mjtNum), 0));
    assert_true(all_bytes_are(d->xfrc_applied, 6 * (size_t)m->nbody * sizeof(mjtNum), 0));
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void a_reset_clears_the_struct_but_not_its_memory(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  m->signature = 99;
  mjData* d = mj_makeData(m);
  void *buffer = d->buffer, *arena = d->arena;
  d->time = 3, d->energy[0] = 1, d->ncon = 0, d->warning[2].number = 4, d->timer[1].duration = 5;
  d->solver_niter[0] = 7, d->flg_rnepost = 1, d->maxuse_arena = 10;
  mj_arenaAllocByte(d, 100, 8);
  ct_private(d)->status = CT_BAD_QPOS;
  mj_resetData(m, d);
  assert_true(d->time == 0 && d->energy[0] == 0 && d->warning[2].number == 0);
  assert_true(d->timer[1].duration == 0 && d->solver_niter[0] == 0 && d->flg_rnepost == 0);
  assert_int_equal(d->maxuse_arena, 0);
  assert_int_equal(d->parena, 0);
  assert_int_equal(d->signature, 99);
  assert_int_equal(ct_status(d), CT_OK);
  assert_ptr_equal(d->buffer, buffer);
  assert_ptr_equal(d->arena, arena);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void keyframes_restore_the_state_exactly(void** state) {
  (void)state;
  mjModel* m = recorded_model("keyframes");
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  assert_true(d->time == 1.5);
  assert_memory_equal(d->qpos, m->key_qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qvel, m->key_qvel, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(d->act, m->key_act, (size_t)m->na * sizeof(mjtNum));
  assert_memory_equal(d->ctrl, m->key_ctrl, (size_t)m->nu * sizeof(mjtNum));
  assert_memory_equal(d->mocap_pos, m->key_mpos, 3 * sizeof(mjtNum));
  assert_memory_equal(d->mocap_quat, m->key_mquat, 4 * sizeof(mjtNum));
  const int no_keys[] = {-1, (int)m->nkey, 1000};
  for (int i = 0; i < 3; i++) {  // any other number is a plain reset
    mj_resetDataKeyframe(m, d, no_keys[i]);
    assert_true(d->time == 0);
    assert_memory_equal(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(d->mocap_pos, m->body_pos + 3 * (m->nbody - 1), 3 * sizeof(mjtNum));
  }
  assert_int_equal(count_errors(), 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Awake: a tree at -11, mocap bodies and what hangs on them; the rest of the world is static.
static void a_reset_wakes_everything_that_can_move(void** state) {
  (void)state;
  mjModel* m = recorded_model("mocap");
  mjData* d = mj_makeData(m);
  const int awake[] = {-1, 1, 1, 1, 1};  // world, hand, finger, target, load
  assert_memory_equal(d->body_awake, awake, sizeof(awake));
  assert_int_equal(d->tree_asleep[0], -11);
  assert_int_equal(d->ntree_awake, 1);
  assert_int_equal(d->nbody_awake, 5);
  assert_int_equal(d->nparent_awake, 4);
  assert_int_equal(d->parent_awake_ind[0], 1);
  assert_int_equal(d->nv_awake, 6);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void copies_hold_the_same_and_have_memory_of_their_own(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) d->qpos[i] = i;
  d->time = 4;
  d->M[0] = 8;
  ct_private(d)->status = CT_ARENA_FULL;

  // two contacts and one array of constraint rows in the arena, as a step leaves them
  d->ncon = 2, d->nefc = 3;
  d->contact = (mjContact*)mj_arenaAllocByte(d, 2 * sizeof(mjContact), 8);
  memset((void*)d->contact, 7, 2 * sizeof(mjContact));
  d->efc_force = (mjtNum*)mj_arenaAllocByte(d, 3 * sizeof(mjtNum), 8);
  d->efc_force[2] = 1.5;

  mjData* copy = mj_copyData(NULL, m, d);
  assert_non_null(copy);
  assert_true(copy->time == 4 && copy->qpos[5] == 5 && copy->M[0] == 8);
  assert_int_equal(copy->parena, d->parena);
  assert_int_equal((char*)copy->efc_force - (char*)copy->arena,
                   (char*)d->efc_force - (char*)d->arena);
  assert_true(copy->efc_force[2] == 1.5);
  assert_memory_equal(copy->contact, d->contact, 2 * sizeof(mjContact));
  assert_null(copy->efc_J);
  assert_int_equal(ct_status(copy), CT_ARENA_FULL);
  copy->qpos[0] = 100;
  assert_true(d->qpos[0] == 0);

  // a copy for a scene has no large matrices
  d->M[0] = 9, d->qpos[0] = 6;
  assert_ptr_equal(mjv_copyData(copy, m, d), copy);
  assert_true(copy->M[0] == 8 && copy->qpos[0] == 6);
  assert_int_equal(count_errors(), 0);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Rows of the only island are those of the model: the same arrays, in a copy its own.
static void a_copy_has_its_own_rows_of_the_only_island(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 200 && d->nefc == 0; i++) mj_step(m, d);
  assert_int_equal(d->nisland, 1);
  mjData* copy = mj_copyData(NULL, m, d);
  size_t rows = (size_t)d->nefc * sizeof(mjtNum);
  assert_ptr_equal((char*)copy->iefc_J - (char*)copy->arena, (char*)d->iefc_J - (char*)d->arena);
  assert_memory_equal(copy->iefc_J, d->efc_J, rows * (size_t)m->nv);
  assert_memory_equal(copy->iefc_type, d->efc_type, (size_t)d->nefc * sizeof(int));
  assert_memory_equal(copy->iefc_id, d->efc_id, (size_t)d->nefc * sizeof(int));
  assert_memory_equal(copy->iefc_frictionloss, d->efc_frictionloss, rows);
  assert_memory_equal(copy->iefc_D, d->efc_D, rows);
  assert_memory_equal(copy->iefc_R, d->efc_R, rows);
  assert_memory_equal(copy->iefc_force, d->efc_force, rows);
  assert_memory_equal(copy->iefc_aref, d->efc_aref, rows);
  mj_deleteData(d);
  mj_step(m, copy);
  mj_deleteData(copy);
  mj_deleteModel(m);
}

static void copies_for_a_scene_have_no_jacobian(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 200 && d->nefc == 0; i++) mj_step(m, d);
  assert_non_null(d->efc_J);
  mjData* copy = mjv_copyData(NULL, m, d);
  assert_null(copy->efc_J);
  assert_null(copy->iefc_J);
  assert_null(copy->iM);
  assert_int_equal(copy->nefc, d->nefc);
  assert_memory_equal(copy->efc_force, d->efc_force, (size_t)d->nefc * sizeof(mjtNum));
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void copies_that_cannot_be_are_errors(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *other = recorded_model("chain");
  mjData *d = mj_makeData(m), *wrong = mj_makeData(other);
  assert_null(mj_copyData(wrong, m, d));
  expect_one_error("different sizes");
  mj_markStack(d);
  assert_null(mj_copyData(NULL, m, d));
  expect_one_error("stack of the source is in use");
  mj_freeStack(d);
  mj_deleteData(d);
  mj_deleteData(wrong);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

// The bodies are the same: nothing but the length of the arrays tells the two models apart.
static void copies_with_the_model_of_another_are_errors(void** state) {
  (void)state;
  mjModel *m = recorded_model("chain"), *larger = recorded_model("chain");
  mjData *d = mj_makeData(m), *dest = mj_makeData(m);
  larger->nuserdata = m->nuserdata + 2000;
  mjData *large = mj_makeData(larger), *large_dest = mj_makeData(larger);
  d->time = large->time = 4;
  assert_null(mj_copyData(dest, larger, d));
  expect_one_error("mj_copyData: dest and src belong to a model of other sizes than the one given");
  assert_null(mj_copyData(large_dest, m, large));
  expect_one_error("a model of other sizes than the one given");
  assert_null(mjv_copyData(dest, larger, d));
  expect_one_error("mjv_copyData: dest and src belong to a model of other sizes");
  assert_true(dest->time == 0 && large_dest->time == 0);
  // without dest, none is left behind
  assert_null(mj_copyData(NULL, larger, d));
  expect_one_error("sizes");
  assert_null(mj_copyData(NULL, m, large));
  expect_one_error("sizes");
  m->narena += 64;
  assert_null(mj_copyData(NULL, m, d));
  expect_one_error("different sizes");
  mj_deleteData(d);
  mj_deleteData(dest);
  mj_deleteData(large);
  mj_deleteData(large_dest);
  mj_deleteModel(m);
  mj_deleteModel(larger);
}

// What one array has more, another has less: all together are as long.
static void copies_with_arrays_of_other_lengths_are_errors(void** state) {
  (void)state;
  mjModel *m = recorded_model("chain"), *other = recorded_model("chain");
  m->nuserdata = 2000;
  other->npluginstate = 2000;
  mjData *d = mj_makeData(m), *dest = mj_makeData(m), *wrong = mj_makeData(other);
  assert_int_equal(d->nbuffer, wrong->nbuffer);
  d->time = 4;
  assert_null(mj_copyData(dest, other, d));
  expect_one_error("a model of other sizes than the one given");
  assert_null(mjv_copyData(dest, other, d));
  expect_one_error("a model of other sizes than the one given");
  assert_null(mj_copyData(wrong, m, d));
  expect_one_error("a model of other sizes than the one given");
  assert_null(mj_copyData(NULL, other, d));
  expect_one_error("sizes");
  assert_true(dest->time == 0 && wrong->time == 0);

  // nor is it reused
  mj_makeRawData(&wrong, m);
  assert_true((char*)wrong->userdata - (char*)wrong->buffer ==
              (char*)d->userdata - (char*)d->buffer);
  assert_non_null(mj_copyData(wrong, m, d));
  assert_true(wrong->time == 4);
  mj_deleteData(d);
  mj_deleteData(dest);
  mj_deleteData(wrong);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

static void raw_data_is_reused_if_it_fits(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *other = recorded_model("chain");
  mjData* d = NULL;
  mj_makeRawData(&d, m);
  mjData* first = d;
  assert_non_null(first);
  mj_makeRawData(&d, m);
  assert_ptr_equal(d, first);
  mj_makeRawData(&d, other);
  assert_int_equal(d->narena, other->narena);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

static void models_that_ask_for_too_much_give_no_data(void** state) {
  (void)state;
  mjModel* m = recorded_model("chain");
  m->nuserdata = INT64_MAX / 2;
  assert_null(mj_makeData(m));
  expect_one_warning("more memory than can be addressed: userdata");
  m->nuserdata = 0;
  m->narena = -1;
  assert_null(mj_makeData(m));
  expect_one_warning("more memory than can be addressed: narena");
  m->narena = 1 << 20;
  m->nv = -1;
  assert_null(mj_makeData(m));
  expect_one_warning("more memory than can be addressed: qvel");
  mj_deleteModel(m);
}

static const mjtSize beyond[] = {1 << 20, (mjtSize)1 << 40};

// What was not refused would be read for ever: a child process tries it first.
static void make_data_of_sizes_beyond(Attempts* a, void* model) {
  mjModel* m = (mjModel*)model;
  for (int i = 0; i < 2; i++) {
    if (!attempt_begins(a, "%lld bodies", (long long)beyond[i])) continue;
    m->nbody = beyond[i];
    if (mj_makeData(m)) abort();
  }
}

static void models_with_sizes_beyond_their_arrays_give_no_data(void** state) {
  (void)state;
  mjModel* m = recorded_model("chain");
  const mjtSize senseless[] = {(mjtSize)1 << 60, INT64_MAX};
  assert_int_equal(count_harmful_attempts("mj_makeData", make_data_of_sizes_beyond, m), 0);
  for (int i = 0; i < 2; i++) {
    m->nbody = beyond[i];
    assert_null(mj_makeData(m));
    expect_one_warning("mj_makeData: the sizes of the model are larger than its own arrays");
    m->nbody = senseless[i];
    assert_null(mj_makeData(m));
    expect_one_warning("more memory than can be addressed: xfrc_applied");
  }
  mj_deleteModel(m);

  // one array is longer than it was made, another shorter
  m = recorded_model("humanoid");
  m->nbody += 10;
  m->ngeom = 1;
  assert_null(mj_makeData(m));
  expect_one_warning("larger than its own arrays");
  m->nbody -= 10;  // fewer of what is there are read
  mj_deleteData(mj_makeData(m));
  assert_int_equal(count_warnings() + count_errors(), 0);
  mj_deleteModel(m);
}

// A plugin that counts what happens to it. Its data is a block of memory, so a lost one shows as a
// leak.
static int inits, copies, resets, destroyed;

static int plugin_nstate(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 2;
}

static int plugin_init(const mjModel* m, mjData* d, int instance) {
  (void)m;
  inits++;
  d->plugin_data[instance] = (uintptr_t)malloc(16);
  return 0;
}

static void plugin_destroy(mjData* d, int instance) {
  destroyed++;
  free((void*)d->plugin_data[instance]);
}

static void plugin_copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  (void)m;
  copies++;
  assert_true(dest->plugin_data[instance] != src->plugin_data[instance]);
}

static void plugin_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)instance;
  resets++;
  assert_non_null(data);
  state[0] = 5;  // state[1] is left as it was
}

static void plugin_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

// A model of an idle actuator and two instances of a plugin with two numbers of state each.
static mjModel* plugin_model(int slot) {
  mjModel sizes;
  char error[200];
  memset(&sizes, 0, sizeof(sizes));
  sizes.nbody = sizes.nu = 1, sizes.nplugin = 2, sizes.npluginstate = 4, sizes.narena = 1024;
  mjModel* m = ct_make_model(&sizes, error, sizeof(error));
  assert_non_null(m);
  for (int i = 0; i < 2; i++) {
    m->plugin[i] = slot, m->plugin_stateadr[i] = 2 * i, m->plugin_statenum[i] = 2;
  }
  m->body_mocapid[0] = m->body_treeid[0] = -1;
  return m;
}

static void plugins_are_told_what_happens_to_a_data(void** state) {
  (void)state;
  mjpPlugin plugin;
  memset(&plugin, 0, sizeof(plugin));
  plugin.name = "corten.test.counter";
  plugin.nstate = plugin_nstate, plugin.init = plugin_init, plugin.destroy = plugin_destroy;
  plugin.copy = plugin_copy, plugin.reset = plugin_reset, plugin.compute = plugin_compute;
  mjModel* m = plugin_model(mjp_registerPlugin(&plugin));

  mjData* d = mj_makeData(m);
  assert_int_equal(inits, 2);
  assert_int_equal(resets, 2);
  assert_int_equal(d->nplugin, 2);
  assert_true(d->plugin_state[2] == 5);
  d->plugin_state[3] = 7;
  uintptr_t data = d->plugin_data[1];
  mj_resetDataDebug(m, d, 0xA5);
  assert_int_equal(resets, 4);
  assert_true(d->plugin_state[2] == 5 &&
              d->plugin_state[3] == 7);  // a reset leaves it to the plugin
  assert_true(d->plugin_data[1] == data);
  assert_int_equal(d->plugin[1], m->plugin[1]);

  mjData* copy = mj_copyData(NULL, m, d);
  assert_int_equal(inits, 4);
  assert_int_equal(copies, 2);
  assert_true(copy->plugin_state[3] == 7);
  mj_deleteData(copy);
  mj_deleteData(d);
  assert_int_equal(destroyed, 4);
  assert_int_equal(count_errors(), 0);

  m->plugin[1] = 1000;
  d = mj_makeData(m);
  assert_int_equal(count_errors(), 1);
  assert_non_null(strstr(newest_message(), "slot 1000, where no plugin is registered"));
  mj_deleteData(d);
  assert_int_equal(destroyed, 5);  // only the one that was initialised
  mj_deleteModel(m);
}

static void stages_name_themselves_where_a_plugin_is_missing(void** state) {
  (void)state;
  mjpPlugin plugin;
  memset(&plugin, 0, sizeof(plugin));
  plugin.name = "corten.test.mute";
  plugin.nstate = plugin_nstate, plugin.init = plugin_init, plugin.destroy = plugin_destroy;
  plugin.reset = plugin_reset;
  plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE;
  plugin.compute = plugin_compute;
  mjModel* m = plugin_model(mjp_registerPlugin(&plugin));
  mjData* d = mj_makeData(m);
  mj_passive(m, d);
  mj_fwdActuation(m, d);
  mj_sensorPos(m, d);
  mj_Euler(m, d);
  assert_int_equal(count_errors(), 0);

  m->plugin[1] = 1000;
  mj_passive(m, d);
  expect_one_error("mj_passive: plugin instance 1 asks for slot 1000, where no plugin is");
  mj_fwdActuation(m, d);
  expect_one_error("mj_fwdActuation: plugin instance 1 asks for slot 1000");
  mj_sensorPos(m, d);
  expect_one_error("mj_sensorPos: plugin instance 1 asks for slot 1000");
  mj_Euler(m, d);
  expect_one_error("mj_Euler: plugin instance 1 asks for slot 1000");
  mj_deleteData(d);
  mj_deleteModel(m);
}

#define HINGE "<joint axis='0 1 0'/><geom size='.1' pos='.3 0 0'/>"
#define LIMITED_HINGE \
  "<joint axis='0 1 0' limited='true' range='6 60'/><geom size='.1' pos='.2 0 0'/>"

// Two hinges that hang on each other, and one alone: before them, or behind.
static const char alone_behind[] =
    "<mujoco><worldbody><body>" HINGE "<body pos='.5 0 0'>" LIMITED_HINGE
    "</body></body><body pos='0 2 0'>" HINGE "</body></worldbody></mujoco>";
static const char alone_before[] =
    "<mujoco><worldbody><body>" HINGE "</body><body pos='0 2 0'>" LIMITED_HINGE
    "<body pos='.5 0 0'>" HINGE "</body></body></worldbody></mujoco>";

static void expect_steps_of_fresh_data(const mjModel* m, mjData* d) {
  mjData* fresh = mj_makeData(m);
  mj_resetData(m, d);
  for (int i = 0; i < 3; i++) {
    mj_step(m, d);
    mj_step(m, fresh);
  }
  assert_memory_equal(d->qacc, fresh->qacc, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(d->qpos, fresh->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_deleteData(fresh);
}

static void a_model_of_the_same_sizes_may_have_other_trees(void** state) {
  (void)state;
  mjModel *m = text_model(alone_behind), *other = text_model(alone_before);
  mjData* d = mj_makeData(m);
  expect_steps_of_fresh_data(m, d);
  expect_steps_of_fresh_data(other, d);
  expect_steps_of_fresh_data(m, d);
  mjData* copy = mj_makeData(other);
  expect_steps_of_fresh_data(other, copy);
  assert_ptr_equal(mj_copyData(copy, m, d), copy);  // with the trees of m
  expect_steps_of_fresh_data(other, copy);
  mj_deleteData(copy);
  assert_ptr_equal(mj_copyModel(m, other), m);
  expect_steps_of_fresh_data(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

int main(void) {
  remember_signals();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fresh_data_has_the_reference_sizes),
      cmocka_unit_test(a_debug_reset_fills_what_is_computed_and_nothing_else),
      cmocka_unit_test(a_reset_clears_the_struct_but_not_its_memory),
      cmocka_unit_test(keyframes_restore_the_state_exactly),
      cmocka_unit_test(a_reset_wakes_everything_that_can_move),
      cmocka_unit_test(copies_hold_the_same_and_have_memory_of_their_own),
      cmocka_unit_test(a_copy_has_its_own_rows_of_the_only_island),
      cmocka_unit_test(copies_for_a_scene_have_no_jacobian),
      cmocka_unit_test(copies_that_cannot_be_are_errors),
      cmocka_unit_test(copies_with_the_model_of_another_are_errors),
      cmocka_unit_test(copies_with_arrays_of_other_lengths_are_errors),
      cmocka_unit_test(raw_data_is_reused_if_it_fits),
      cmocka_unit_test(a_model_of_the_same_sizes_may_have_other_trees),
      cmocka_unit_test(models_that_ask_for_too_much_give_no_data),
      cmocka_unit_test(models_with_sizes_beyond_their_arrays_give_no_data),
      cmocka_unit_test(plugins_are_told_what_happens_to_a_data),
      cmocka_unit_test(stages_name_themselves_where_a_plugin_is_missing),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
