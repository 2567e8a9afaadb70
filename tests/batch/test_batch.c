// R10.1, R10.2, R10.3: a batch of environments is as many environments alone, bit for bit, for any
// number of threads; it can be stepped, reset and looked at as a whole, in part and one by one.

#include <corten/batch.h>
#include <corten/step.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/idle_plugin.h"
#include "support/messages.h"
#include "support/models.h"

// The same bits

static void walk_beside_a_loop(const char* name, int n, int threads, int steps) {
  mjModel* m = recorded_model(name);
  m->opt.enableflags |= mjENBL_ENERGY;
  ct_Batch* b = make_batch(m, n, threads);
  Loop loop = make_loop(m, n);
  disturb_batch(b);
  expect_same_bits(b, &loop, name);
  for (int t = 0; t < steps; t++) {
    control_batch(b, t);
    assert_int_equal(ct_batch_step(b, NULL, 1 + t % 3), CT_BATCH_OK);
    step_loop(&loop, t, 1 + t % 3);
  }
  expect_same_bits(b, &loop, name);
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// R10.2
static void every_model_has_the_bits_of_a_loop(void** state) {
  (void)state;
  for (int i = 0; steppable_model(i); i++) walk_beside_a_loop(steppable_model(i), 5, 2, 12);
}

// R10.2
static void any_number_of_threads_gives_the_same_bits(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "delays", "sensors", "sleepers", "touch"};
  for (int threads = 1; threads <= 8; threads++) {
    walk_beside_a_loop(names[threads % 5], 37, threads, 40);
    walk_beside_a_loop("humanoid", 9, threads, 60);
  }
}

// Every array of the buffer, not only the state: leftovers of other environments do not show.
static void kept_fields_have_the_bits_of_a_loop(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "tendons", "sleepers", "equalities", "sensors"};
  for (int k = 0; k < 5; k++) {
    mjModel* m = recorded_model(names[k]);
    ct_Batch* b = make_batch(m, 6, 2);
    Loop loop = make_loop(m, 6);
    disturb_batch(b);
    static const char* const fields[] = {
#define DATA_ARRAY(type_, name_, rows_, cols_, stage_, doc_) \
  strcmp(#stage_, "STATE") && strcmp(#stage_, "INPUT") && strcmp(#stage_, "SETUP") ? #name_ : NULL,
#include "data.def"
        "ncon",
        "nefc",
        "nl",
        "solver_niter",
    };
    enum { NFIELD = sizeof(fields) / sizeof(fields[0]) };
    for (int f = 0; f < NFIELD; f++) {
      if (fields[f] && ct_batch_keep(b, fields[f])) fail_msg("%s", ct_batch_error(b));
    }
    for (int t = 0; t < 30; t++) {
      control_batch(b, t);
      assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
      step_loop(&loop, t, 1);
    }
    for (int f = 0; f < NFIELD; f++) {
      if (fields[f]) expect_same_field(b, &loop, fields[f]);
    }
    free_loop(&loop);
    ct_batch_destroy(b);
    mj_deleteModel(m);
  }
}

static void own_mjdata_give_the_same_bits(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.own_data = 1;
  options.threads = 3;
  ct_Batch* b = ct_batch_create(m, 7, &options, NULL, 0);
  Loop loop = make_loop(m, 7);
  disturb_batch(b);
  for (int t = 0; t < 30; t++) {
    control_batch(b, t);
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    step_loop(&loop, t, 1);
  }
  expect_same_bits(b, &loop, "own mjData");
  expect_same_field(b, &loop, "xpos");
  expect_same_field(b, &loop, "cvel");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// A plugin that keeps something behind its own pointer, which no row could hold.

static int one_state(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 1;
}

static int begin_counting(const mjModel* m, mjData* d, int instance) {
  (void)m;
  d->plugin_data[instance] = (uintptr_t)calloc(1, sizeof(int));
  return 0;
}

static void stop_counting(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
}

static void push_harder(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)capability;
  int* count = (int*)d->plugin_data[instance];
  ++*count;
  d->qfrc_passive[0] += (mjtNum)*count * (mjtNum)0.01 + d->plugin_state[0];
}

static void tire(const mjModel* m, mjData* d, int instance) {
  (void)m, (void)instance;
  d->plugin_state[0] -= d->qvel[0] / 100;
}

static const char pushed[] =
    "<mujoco><extension><plugin plugin='test.pusher'><instance name='p'/></plugin></extension>"
    "<worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='0 0 .3'/>"
    "<plugin instance='p'/></body></worldbody></mujoco>";

static void plugins_have_an_mjdata_for_each_environment(void** state) {
  (void)state;
  mjpPlugin plugin;
  make_idle_plugin(&plugin, "test.pusher", NULL, 0, mjPLUGIN_PASSIVE);
  plugin.nstate = one_state;
  plugin.init = begin_counting;
  plugin.destroy = stop_counting;
  plugin.compute = push_harder;
  plugin.advance = tire;
  mjp_registerPlugin(&plugin);
  char error[500] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "pushed.xml", pushed, (int)sizeof(pushed) - 1);
  mjModel* m = mj_loadXML("pushed.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) fail_msg("%s", error);
  ct_Batch* b = make_batch(m, 6, 3);
  assert_int_equal(ct_batch_options(b)->own_data, 1);
  Loop loop = make_loop(m, 6);
  disturb_batch(b);
  for (int t = 0; t < 20; t++) {
    ct_batch_step(b, NULL, 1 + t % 2);
    step_loop(&loop, t, 1 + t % 2);
  }
  expect_same_bits(b, &loop, "plugin");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Masks

// R10.1
static void a_mask_steps_its_environments_and_no_other(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 8 };
  ct_Batch* b = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  for (int t = 0; t < 20; t++) {
    mjtByte mask[N];
    control_batch(b, t);
    for (int i = 0; i < N; i++) {
      mask[i] = (mjtByte)((t + i) % 3 == 0 ? 7 : 0);
      choose_controls(m, loop.d[i]->ctrl, i, t);
      if (mask[i]) ct_step(m, loop.d[i]);
    }
    assert_int_equal(ct_batch_step(b, mask, 1), CT_BATCH_OK);
  }
  expect_same_bits(b, &loop, "masked");
  const mjtByte none[N] = {0};
  assert_int_equal(ct_batch_step(b, none, 1), CT_BATCH_OK);
  expect_same_bits(b, &loop, "nobody");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Resets

static mjtNum* state_of(ct_Batch* b, int i) {
  ct_BatchView view;
  assert_int_equal(ct_batch_view_state(b, &view), CT_BATCH_OK);
  return (mjtNum*)((char*)view.data + (size_t)i * view.stride);
}

// R10.1
static void one_some_and_all_can_be_reset(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 5 };
  int size = mj_stateSize(m, mjSTATE_INTEGRATION);
  size_t bytes = (size_t)size * sizeof(mjtNum);
  ct_Batch* b = make_batch(m, N, 2);
  mjtNum* fresh = (mjtNum*)malloc(bytes);
  memcpy(fresh, state_of(b, 0), bytes);
  disturb_batch(b);
  assert_int_equal(ct_batch_step(b, NULL, 3), CT_BATCH_OK);
  mjtNum* moved = (mjtNum*)malloc(N * bytes);
  assert_int_equal(ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, moved), CT_BATCH_OK);

  assert_int_equal(ct_batch_reset_one(b, 3), CT_BATCH_OK);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(state_of(b, i), i == 3 ? fresh : moved + i * size, bytes);
  }
  const mjtByte mask[N] = {1, 0, 0, 0, 1};
  assert_int_equal(ct_batch_reset(b, mask), CT_BATCH_OK);
  for (int i = 0; i < N; i++) {
    bool reset = i == 3 || mask[i];
    assert_memory_equal(state_of(b, i), reset ? fresh : moved + i * size, bytes);
  }
  assert_int_equal(ct_batch_reset(b, NULL), CT_BATCH_OK);
  for (int i = 0; i < N; i++) assert_memory_equal(state_of(b, i), fresh, bytes);
  free(fresh);
  free(moved);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void resets_go_to_keyframes_and_to_states(void** state) {
  (void)state;
  mjModel* m = recorded_model("keyframes");
  assert_true(m->nkey >= 2);
  enum { N = 4 };
  size_t bytes = (size_t)m->nq * sizeof(mjtNum);
  ct_Batch* b = make_batch(m, N, 2);
  disturb_batch(b);
  const int keys[N] = {1, -1, 0, 99};
  const mjtByte but_the_last[N] = {1, 1, 1, 0};
  assert_int_equal(ct_batch_reset_keys(b, but_the_last, keys), CT_BATCH_OK);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 3; i++) {
    mj_resetDataKeyframe(m, d, keys[i]);
    assert_true(state_of(b, i)[0] == d->time);
    assert_memory_equal(state_of(b, i) + 1, d->qpos, bytes);
    assert_memory_equal(state_of(b, i) + 1 + m->nq, d->qvel, (size_t)m->nv * sizeof(mjtNum));
  }
  assert_int_equal(ct_batch_reset_key(b, NULL, 0), CT_BATCH_OK);
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < N; i++) assert_memory_equal(state_of(b, i) + 1, d->qpos, bytes);

  mjtNum* qvel = (mjtNum*)calloc((size_t)(N * m->nv), sizeof(mjtNum));
  for (int k = 0; k < N * m->nv; k++) qvel[k] = k;
  assert_int_equal(ct_batch_reset_state(b, NULL, mjSTATE_QVEL, qvel), CT_BATCH_OK);
  mj_resetData(m, d);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(state_of(b, i) + 1, d->qpos, bytes);
    assert_memory_equal(state_of(b, i) + 1 + m->nq, qvel + i * m->nv,
                        (size_t)m->nv * sizeof(mjtNum));
  }
  expect_refusal(b, ct_batch_reset_key(b, NULL, (int)m->nkey), CT_BATCH_BAD_ARGUMENT, "keyframe");
  expect_refusal(b, ct_batch_reset_keys(b, NULL, keys), CT_BATCH_BAD_ARGUMENT, "keyframe 99");
  expect_refusal(b, ct_batch_reset_one(b, N), CT_BATCH_BAD_ARGUMENT, "environment 4");
  free(qvel);
  mj_deleteData(d);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// States and fields

// R10.3
static void the_state_matrix_is_row_major_and_the_batch_itself(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 6 };
  ct_Batch* b = make_batch(m, N, 2);
  ct_BatchView all, qpos, qvel;
  assert_int_equal(ct_batch_view_state(b, &all), CT_BATCH_OK);
  assert_int_equal(ct_batch_view(b, "qpos", &qpos), CT_BATCH_OK);
  assert_int_equal(ct_batch_view(b, "qvel", &qvel), CT_BATCH_OK);
  assert_int_equal(all.size, mj_stateSize(m, mjSTATE_INTEGRATION));
  assert_int_equal(all.stride, (size_t)all.size * sizeof(mjtNum));
  assert_int_equal(qpos.stride, all.stride);
  assert_ptr_equal(qpos.data, (mjtNum*)all.data + 1);
  assert_ptr_equal(qvel.data, (mjtNum*)qpos.data + m->nq);

  disturb_batch(b);  // a step fills the same memory, and what is written there is the next state
  mjtNum before = ((mjtNum*)all.data)[0];
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  assert_true(((mjtNum*)all.data)[0] == before + m->opt.timestep);
  ((mjtNum*)((char*)qpos.data + 2 * qpos.stride))[2] = 17;
  mjtNum* got = (mjtNum*)malloc((size_t)(N * (m->nq + m->nv)) * sizeof(mjtNum));
  assert_int_equal(ct_batch_get_state(b, mjSTATE_QPOS | mjSTATE_QVEL, NULL, got), CT_BATCH_OK);
  assert_true(got[2 * (m->nq + m->nv) + 2] == 17);
  assert_memory_equal(got + m->nq, qvel.data, (size_t)m->nv * sizeof(mjtNum));
  free(got);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void forward_recomputes_up_to_a_stage(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  enum { N = 3 };
  ct_Batch* b = make_batch(m, N, 2);
  assert_int_equal(ct_batch_keep(b, "xpos"), CT_BATCH_OK);
  assert_int_equal(ct_batch_keep(b, "cvel"), CT_BATCH_OK);
  assert_int_equal(ct_batch_keep(b, "qacc"), CT_BATCH_OK);
  disturb_batch(b);
  ct_BatchView xpos, cvel, qacc;
  ct_batch_view(b, "xpos", &xpos);
  ct_batch_view(b, "cvel", &cvel);
  ct_batch_view(b, "qacc", &qacc);
  mjData* d = mj_makeData(m);
  disturb_environment(m, d, 2);
  mj_forward(m, d);
  const char *x2 = (char*)xpos.data + 2 * xpos.stride, *v2 = (char*)cvel.data + 2 * cvel.stride,
             *a2 = (char*)qacc.data + 2 * qacc.stride;
  mjtNum* zero = (mjtNum*)calloc((size_t)(6 * m->nbody), sizeof(mjtNum));
  assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_POS), CT_BATCH_OK);
  assert_memory_equal(x2, d->xpos, xpos.stride);
  assert_memory_equal(v2, zero, cvel.stride);
  assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_VEL), CT_BATCH_OK);
  assert_memory_equal(v2, d->cvel, cvel.stride);
  assert_memory_equal(a2, zero, qacc.stride);
  assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_ACC), CT_BATCH_OK);
  assert_memory_equal(a2, d->qacc, qacc.stride);
  assert_true(state_of(b, 2)[0] == 0);
  expect_refusal(b, ct_batch_forward(b, NULL, 4), CT_BATCH_BAD_ARGUMENT, "stage is 4");
  free(zero);
  mj_deleteData(d);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Rollouts

typedef struct {
  mjtNum *control, *state, *sensor;
  mjtNum* xpos;
  mjtByte* truncated;
} Track;

static size_t place_of(int i, int t, int n, int steps, bool time_first) {
  return (size_t)(time_first ? t * n + i : i * steps + t);
}

static void a_rollout_is_as_many_steps(bool time_first) {
  mjModel* m = recorded_model("sensors");
  enum { N = 5, T = 7 };
  size_t nu = (size_t)m->nu, ns = (size_t)m->nsensordata, nx = 3 * (size_t)m->nbody;
  size_t nphysics = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  Track k = {(mjtNum*)calloc(N * T * nu + 1, sizeof(mjtNum)),
             (mjtNum*)calloc(N * T * nphysics, sizeof(mjtNum)),
             (mjtNum*)calloc(N * T * ns + 1, sizeof(mjtNum)),
             (mjtNum*)calloc(N * T * nx, sizeof(mjtNum)), (mjtByte*)calloc(N * T, 1)};
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < T; t++) {
      choose_controls(m, k.control + place_of(i, t, N, T, time_first) * nu, i, t);
    }
  }
  const ct_BatchRecord record[] = {{NULL, mjSTATE_FULLPHYSICS, k.state},
                                   {"sensordata", 0, k.sensor},
                                   {"xpos", 0, k.xpos},
                                   {"truncated", 0, k.truncated}};
  ct_Rollout rollout = {T, 2, k.control, 0, time_first, record, 4};
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = 2;
  options.max_steps = 4;
  ct_Batch* b = ct_batch_create(m, N, &options, NULL, 0);
  disturb_batch(b);
  if (ct_batch_rollout(b, NULL, &rollout)) fail_msg("%s", ct_batch_error(b));

  Loop loop = make_loop(m, N);
  mjtNum* want = (mjtNum*)malloc(nphysics * sizeof(mjtNum));
  for (int t = 0; t < T; t++) {
    step_loop(&loop, t, 2);
    for (int i = 0; i < N; i++) {
      size_t at = place_of(i, t, N, T, time_first);
      mj_getState(m, loop.d[i], want, mjSTATE_FULLPHYSICS);
      assert_memory_equal(k.state + at * nphysics, want, nphysics * sizeof(mjtNum));
      assert_memory_equal(k.sensor + at * ns, loop.d[i]->sensordata, ns * sizeof(mjtNum));
      assert_memory_equal(k.xpos + at * nx, loop.d[i]->xpos, nx * sizeof(mjtNum));
      assert_int_equal(k.truncated[at], t >= 3);
    }
  }
  expect_same_bits(b, &loop, "rollout");
  free(want);
  free_loop(&loop);
  free(k.control);
  free(k.state);
  free(k.sensor);
  free(k.xpos);
  free(k.truncated);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void a_rollout_is_as_many_steps_in_either_order(void** state) {
  (void)state;
  a_rollout_is_as_many_steps(false);
  a_rollout_is_as_many_steps(true);
}

static void rollouts_that_cannot_be_are_refused(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, 2, 1);
  mjtNum room[100];
  ct_BatchRecord record = {"nothing", 0, room};
  ct_Rollout r = {0, 0, NULL, 0, 0, NULL, 0};
  expect_refusal(b, ct_batch_rollout(b, NULL, NULL), CT_BATCH_BAD_ARGUMENT, "rollout is NULL");
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "nstep is 0");
  r.nstep = 2;
  r.control_state = mjSTATE_QPOS;
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "mjSTATE_USER");
  r.control_state = 0;
  r.nrecord = 1;
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "no list");
  r.record = &record;
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "no field \"nothing\"");
  record.field = NULL;
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "not a set");
  record.field = "xpos";
  record.out = NULL;
  expect_refusal(b, ct_batch_rollout(b, NULL, &r), CT_BATCH_BAD_ARGUMENT, "record 0 is NULL");
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Access to each data

// R10.1
static void one_environment_can_be_taken_out_and_put_back(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  for (int own = 0; own < 2; own++) {
    ct_BatchOptions options = ct_default_batch_options();
    options.own_data = own;
    ct_Batch* b = ct_batch_create(m, 4, &options, NULL, 0);
    Loop loop = make_loop(m, 4);
    disturb_batch(b);
    mjData* d = mj_makeData(m);
    for (int t = 0; t < 5; t++) {
      control_batch(b, t);
      ct_batch_step(b, NULL, 1);
      step_loop(&loop, t, 1);
    }
    assert_int_equal(ct_batch_get_data(b, 2, NULL, d), CT_BATCH_OK);
    for (int k = 0; k < 10; k++) {
      ct_step(m, d);
      ct_step(m, loop.d[2]);
    }
    assert_memory_equal(d->qpos, loop.d[2]->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_int_equal(ct_batch_set_data(b, 2, d), CT_BATCH_OK);
    expect_same_bits(b, &loop, "put back");
    for (int t = 5; t < 10; t++) {
      control_batch(b, t);
      ct_batch_step(b, NULL, 1);
      step_loop(&loop, t, 1);
    }
    expect_same_bits(b, &loop, "on from there");
    mj_deleteData(d);
    free_loop(&loop);
    ct_batch_destroy(b);
  }
  mj_deleteModel(m);
}

static void copies_of_environments_are_alike(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "sleepers"};
  for (int k = 0; k < 2; k++) {
    mjModel* m = recorded_model(names[k]);
    ct_Batch* b = make_batch(m, 3, 2);
    disturb_batch(b);
    ct_batch_step(b, NULL, 20);
    assert_int_equal(ct_batch_copy(b, 0, 2), CT_BATCH_OK);
    ct_batch_step(b, NULL, 20);
    size_t bytes = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum);
    assert_memory_equal(state_of(b, 0), state_of(b, 2), bytes);
    assert_memory_not_equal(state_of(b, 0), state_of(b, 1), bytes);
    expect_refusal(b, ct_batch_copy(b, 0, 3), CT_BATCH_BAD_ARGUMENT, "environment 3");
    ct_batch_destroy(b);
    mj_deleteModel(m);
  }
}

// No allocation

static int allocations;

static void* counting_malloc(size_t size) {
  allocations++;
  return malloc(size);
}

static void a_step_allocates_nothing(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, 8, 2);
  disturb_batch(b);
  mju_user_malloc = counting_malloc;
  allocations = 0;
  ct_batch_step(b, NULL, 5);
  ct_batch_forward(b, NULL, mjSTAGE_ACC);
  ct_batch_reset(b, NULL);
  mju_user_malloc = NULL;
  assert_int_equal(allocations, 0);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Options and memory

static void options_come_out_as_they_were_chosen(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  char error[300];
  ct_BatchOptions o = ct_default_batch_options();
  o.threads = 40;
  o.arena = 1 << 20;
  ct_Batch* b = ct_batch_create(m, 8, &o, error, sizeof(error));
  assert_int_equal(ct_batch_options(b)->threads, 8);
  assert_int_equal(ct_batch_options(b)->arena, 1 << 20);
  assert_int_equal(ct_batch_model(b)->narena, 1 << 20);
  assert_int_equal(ct_batch_count(b), 8);
  assert_int_equal(ct_batch_backend(b), CT_BACKEND_CPU);
  ct_batch_destroy(b);
  o.threads = 0;
  size_t few = ct_batch_memory(m, 1000, &o, error, sizeof(error));
  size_t many = ct_batch_memory(m, 2000, &o, error, sizeof(error));
  assert_true(few > 1000 * 2000 && many > few && many < 2 * few);
  o.own_data = 1;
  assert_true(ct_batch_memory(m, 1000, &o, error, sizeof(error)) > ((size_t)1000 << 20));
  ct_batch_destroy(NULL);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_model_has_the_bits_of_a_loop),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(kept_fields_have_the_bits_of_a_loop),
      cmocka_unit_test(own_mjdata_give_the_same_bits),
      cmocka_unit_test(plugins_have_an_mjdata_for_each_environment),
      cmocka_unit_test(a_mask_steps_its_environments_and_no_other),
      cmocka_unit_test(one_some_and_all_can_be_reset),
      cmocka_unit_test(resets_go_to_keyframes_and_to_states),
      cmocka_unit_test(the_state_matrix_is_row_major_and_the_batch_itself),
      cmocka_unit_test(forward_recomputes_up_to_a_stage),
      cmocka_unit_test(a_rollout_is_as_many_steps_in_either_order),
      cmocka_unit_test(rollouts_that_cannot_be_are_refused),
      cmocka_unit_test(one_environment_can_be_taken_out_and_put_back),
      cmocka_unit_test(copies_of_environments_are_alike),
      cmocka_unit_test(a_step_allocates_nothing),
      cmocka_unit_test(options_come_out_as_they_were_chosen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
