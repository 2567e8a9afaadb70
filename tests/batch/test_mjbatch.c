// The mjb_ calls do what those of MuJoCo 4 do: rows, selections, stages, outputs, rollouts, models
// per simulation, failures that stay with their simulation.

#include <corten/mjbatch.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

// A slide with a filtered hinge, a free ball, a mocap body, a weld that is off, two keyframes.
static const char xml[] =
    "<mujoco><worldbody>"
    "<body><joint name='slide' type='slide' axis='1 0 0'/><geom size='.1' contype='0'/>"
    "<body pos='0 0 .3'><joint name='hinge' axis='0 1 0'/><geom size='.1' contype='0'/>"
    "<site name='s'/></body></body>"
    "<body name='ball' pos='0 1 1'><freejoint/><geom size='.1'/></body>"
    "<body name='hand' mocap='true' pos='0 0 2'/></worldbody>"
    "<equality><weld body1='ball' body2='hand' active='false'/></equality>"
    "<actuator><motor joint='slide'/>"
    "<general joint='hinge' dyntype='filter' dynprm='.1'/></actuator>"
    "<sensor><jointpos joint='hinge'/><accelerometer site='s'/></sensor>"
    "<keyframe><key time='1' qpos='.1 .2 0 0 1 1 0 0 0'/><key qpos='.3 .4 0 0 2 1 0 0 0'/>"
    "</keyframe></mujoco>";

static mjModel* load_test_model(void) {
  char error[500] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml, (int)sizeof(xml) - 1);
  mjModel* m = mj_loadXML("test.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) fail_msg("%s", error);
  return m;
}

static mjBatch* make(const mjModel* m, int nsim, int nthread, int persistent) {
  char error[500];
  mjBatchConfig config = {nthread, (mjtByte)persistent};
  mjBatch* b = mjb_makeBatch(m, nsim, &config, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  assert_string_equal(error, "");
  return b;
}

static mjtNum* row(mjBatch* b, int sim, int component) {
  return mjb_stateComponent(b, component, NULL) + (size_t)sim * (size_t)mjb_nstate(b);
}

// Rows

static void rows_have_the_layout_of_the_integration_state(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 3, 2, 0);
  assert_int_equal(mjb_nstate(b), 75);
  static const int at[mjNSTATE] = {0, 1, 10, 18, 19, 19, 27, 29, 37, 67, 68, 71, 75, 75};
  static const int sizes[mjNSTATE] = {1, 9, 8, 1, 0, 8, 2, 8, 30, 1, 3, 4, 0, 0};
  for (int i = 0; i < mjNSTATE; i++) {
    int size = -1;
    assert_ptr_equal(mjb_stateComponent(b, 1 << i, &size), mjb_state(b) + at[i]);
    assert_int_equal(size, sizes[i]);
  }
  mjData* d = mj_makeData(m);
  mjtNum want[75];
  mj_getState(m, d, want, mjSTATE_INTEGRATION);
  for (int i = 0; i < 3; i++) assert_memory_equal(mjb_state(b) + 75 * i, want, sizeof(want));
  assert_null(mjb_stateComponent(b, mjSTATE_QPOS | mjSTATE_QVEL, NULL));
  expect_one_error("one component");
  assert_null(mjb_stateComponent(b, 0, NULL));
  expect_one_error("one component");
  mj_deleteData(d);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

static void making_follows_its_rules(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  char error[100] = "?", little[5];
  assert_int_equal(sizeof(mjBatchConfig), 8);
  assert_int_equal(sizeof(mjBatchRecord), 24);
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  assert_true(config.nthread == 0 && config.persistent == 0);
  assert_null(mjb_makeBatch(NULL, 3, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "NULL"));
  assert_null(mjb_makeBatch(m, 0, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "positive"));
  assert_null(mjb_makeBatch(m, 0, NULL, little, sizeof(little)));
  assert_string_equal(little, "mjb_");
  assert_null(mjb_makeBatch(m, 0, NULL, NULL, 0));
  mjBatch* b = make(m, 8, 40, 0);
  assert_int_equal(mjb_nthread(b), 8);
  assert_int_equal(mjb_nsim(b), 8);
  assert_int_equal(mjb_persistent(b), 0);
  mjb_deleteBatch(b);
  b = make(m, 20, 13, 1);
  assert_int_equal(mjb_nthread(b), 13);
  assert_int_equal(mjb_persistent(b), 1);
  assert_true(mjb_model(b) != m);
  mjb_deleteBatch(b);
  m->opt.enableflags |= mjENBL_SLEEP;
  assert_null(mjb_makeBatch(m, 3, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "persistent"));
  mjb_deleteBatch(make(m, 3, 1, 1));
  mjb_deleteBatch(NULL);
  mj_deleteModel(m);
}

// Steps

static void walk_beside_a_loop(const char* name, int nthread, int persistent, int stage) {
  mjModel* m = recorded_model(name);
  enum { N = 13 };
  mjBatch* b = make(m, N, nthread, persistent);
  int nx, na;
  const mjtNum* xpos = (mjtNum*)mjb_output(b, "xpos", &nx, NULL);
  const mjtNum* qacc = (mjtNum*)mjb_output(b, "qacc", &na, NULL);
  Loop loop = make_loop(m, N);
  size_t nstate = (size_t)mjb_nstate(b);
  for (int i = 0; i < N; i++) {
    mj_getState(m, loop.d[i], mjb_state(b) + (size_t)i * nstate, mjSTATE_INTEGRATION);
  }
  mjtNum* want = (mjtNum*)malloc(nstate * sizeof(mjtNum));
  for (int t = 0; t < 12; t++) {
    for (int i = 0; i < N; i++) {
      choose_controls(m, row(b, i, mjSTATE_CTRL), i, t);
      choose_controls(m, loop.d[i]->ctrl, i, t);
      for (int k = 0; k < 3; k++) mj_step(m, loop.d[i]);
    }
    assert_int_equal(mjb_step(b, NULL, -5, 3, stage), 0);
  }
  for (int i = 0; i < N; i++) {
    mj_getState(m, loop.d[i], want, mjSTATE_INTEGRATION);
    assert_memory_equal(mjb_state(b) + (size_t)i * nstate, want, nstate * sizeof(mjtNum));
    if (stage == mjSTAGE_ACC) mj_forward(m, loop.d[i]);
    if (stage == mjSTAGE_VEL) mj_step1(m, loop.d[i]);
    if (stage == mjSTAGE_POS) mj_fwdPosition(m, loop.d[i]);
    assert_memory_equal(xpos + i * nx, loop.d[i]->xpos, (size_t)nx * sizeof(mjtNum));
    assert_memory_equal(qacc + i * na, loop.d[i]->qacc, (size_t)na * sizeof(mjtNum));
  }
  free(want);
  free_loop(&loop);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

static void steps_have_the_bits_of_a_loop(void** state) {
  (void)state;
  for (int stage = mjSTAGE_NONE; stage <= mjSTAGE_ACC; stage++) {
    for (int persistent = 0; persistent < 2; persistent++) {
      walk_beside_a_loop("humanoid", 1 + 2 * ((stage + persistent) % 3), persistent, stage);
    }
  }
  walk_beside_a_loop("sensors", 2, 0, mjSTAGE_VEL);
  walk_beside_a_loop("sleepers", 2, 1, mjSTAGE_NONE);
}

static void a_bad_selection_runs_nothing(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 4, 2, 0);
  static const int bad[4][2] = {{2, 0}, {1, 1}, {0, 4}, {-1, 0}};
  for (int i = 0; i < 4; i++) {
    mjb_step(b, bad[i], 2, 1, 0);
    expect_one_error("mjb_step: ids[");
  }
  const int one[1] = {0}, key[1] = {2};
  mjb_step(b, one, -1, 1, 0);
  expect_one_error("nid is -1");
  mjb_step(b, NULL, 0, 0, 0);
  expect_one_error("nstep is 0");
  mjb_step(b, NULL, 0, 1, 4);
  expect_one_error("stage is 4");
  mjb_forward(b, NULL, 0, -1);
  expect_one_error("stage is -1");
  mjb_reset(b, one, 1, key, 0);
  expect_one_error("key[0] is 2");
  mjb_apply(b, NULL, 0, NULL, NULL, 0);
  expect_one_error("function is NULL");
  for (int i = 0; i < 4; i++) assert_true(row(b, i, mjSTATE_TIME)[0] == 0 && !mjb_status(b)[i]);
  assert_int_equal(mjb_step(b, one, 0, 1, 0), 0);  // nobody
  assert_true(row(b, 0, mjSTATE_TIME)[0] == 0);
  const int some[2] = {1, 3};
  assert_int_equal(mjb_step(b, some, 2, 1, 0), 0);
  for (int i = 0; i < 4; i++) {
    assert_true(row(b, i, mjSTATE_TIME)[0] == (i % 2 ? m->opt.timestep : 0));
  }
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

static void resets_go_to_keyframes(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 4, 2, 0);
  mjb_step(b, NULL, 0, 5, 0);
  mjb_warning(b)[0].number = 5;
  const int ids[3] = {0, 2, 3}, key[3] = {1, -1, 0};
  assert_int_equal(mjb_reset(b, ids, 3, key, mjSTAGE_POS), 0);
  assert_true(row(b, 0, mjSTATE_QPOS)[0] == (mjtNum)0.3);
  assert_true(row(b, 1, mjSTATE_TIME)[0] > 0);
  assert_true(row(b, 2, mjSTATE_QPOS)[0] == 0);
  assert_true(row(b, 3, mjSTATE_TIME)[0] == 1);
  assert_int_equal(mjb_warning(b)[0].number, 0);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

// Failures

static void a_simulation_that_fails_keeps_its_row(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make(m, 4, 2, persistent);
    int size, elemsize;
    int* type = (int*)mjb_expand(b, "eq_type", &size, &elemsize);
    assert_true(type && size == 1 && elemsize == sizeof(int));
    mjtNum* marker = (mjtNum*)mjb_output(b, "qacc", &size, NULL);
    for (int i = 0; i < 4; i++) row(b, i, mjSTATE_EQ_ACTIVE)[0] = 1;
    type[2] = 99;
    marker[2 * size] = -55;
    mjtNum before[75];
    memcpy(before, mjb_state(b) + 2 * 75, sizeof(before));
    assert_int_equal(mjb_step(b, NULL, 0, 2, 0), 1);
    for (int i = 0; i < 4; i++) {
      assert_int_equal(mjb_status(b)[i], i == 2);
      assert_int_equal(mjb_error(b, i)[0] != 0, i == 2);
      assert_int_equal(row(b, i, mjSTATE_TIME)[0] > 0, i != 2);
    }
    assert_memory_equal(mjb_state(b) + 2 * 75, before, sizeof(before));
    assert_true(marker[2 * size] == -55);
    assert_string_equal(mjb_error(b, 17), "");
    for (int i = 0; i < 4; i++) mjb_step(b, NULL, 0, 2, 0);
    assert_int_equal(count_errors(), 0);
    type[2] = type[0];  // repaired: it goes on where it was
    assert_int_equal(mjb_step(b, NULL, 0, 1, 0), 0);
    mjData* d = mj_makeData(m);
    mj_setState(m, d, before, mjSTATE_INTEGRATION);
    mj_step(m, d);
    mj_getState(m, d, before, mjSTATE_INTEGRATION);
    assert_memory_equal(mjb_state(b) + 2 * 75, before, sizeof(before));
    mj_deleteData(d);
    mjb_deleteBatch(b);
  }
  mj_deleteModel(m);
}

static void bad_numbers_follow_the_rules_of_mj_step(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 3, 2, 0);
  row(b, 0, mjSTATE_QVEL)[1] = (mjtNum)NAN;
  row(b, 1, mjSTATE_CTRL)[0] = (mjtNum)NAN;
  assert_int_equal(mjb_step(b, NULL, 0, 1, 0), 0);
  assert_int_equal(mjb_warning(b)[mjWARN_BADQVEL].number, 1);
  assert_int_equal(mjb_warning(b)[mjNWARNING + mjWARN_BADCTRL].number, 1);
  for (int i = 0; i < 3; i++) assert_true(row(b, i, mjSTATE_TIME)[0] == m->opt.timestep);
  assert_true(isnan((double)row(b, 1, mjSTATE_CTRL)[0]));
  assert_int_equal(mjb_step(b, NULL, 0, 3, 0), 0);
  assert_int_equal(mjb_warning(b)[mjNWARNING + mjWARN_BADCTRL].number, 4);
  assert_int_equal(count_errors(), 0);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

// Rollouts

static void rollouts_stop_at_a_warning(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 3, 2, 0);
  enum { T = 6 };
  mjtNum control[2][T][2], time[2][T][1], hinge[2][T][4];
  memset(control, 0, sizeof(control));
  control[1][2][0] = (mjtNum)NAN;
  const mjBatchRecord record[2] = {{NULL, mjSTATE_TIME, time}, {"sensordata", 0, hinge}};
  const int ids[2] = {0, 2};
  assert_int_equal(mjb_rollout(b, ids, 2, T, control[0][0], mjSTATE_CTRL, record, 2), 0);
  for (int t = 0; t < T; t++) {
    assert_true(fabs((double)time[0][t][0] - 0.002 * (t + 1)) < 1e-6);
    assert_true(fabs((double)time[1][t][0] - 0.002 * (t < 3 ? t + 1 : 3)) < 1e-6);
  }
  assert_true(row(b, 1, mjSTATE_TIME)[0] == 0);
  assert_memory_equal(hinge[1][3], hinge[1][2], sizeof(hinge[1][2]));
  mjb_reset(b, NULL, 0, NULL, 0);
  mjb_warning(b)[mjWARN_BADQVEL].number =
      1;  // a reset leaves the counter as it is: seen all the same
  for (int t = 0; t < 5; t++) mjb_step(b, NULL, 0, 1, 0);
  row(b, 0, mjSTATE_QVEL)[0] = (mjtNum)INFINITY;
  assert_int_equal(mjb_rollout(b, ids, 1, T, NULL, 0, record, 1), 0);
  for (int t = 0; t < T; t++) assert_true(time[0][t][0] == m->opt.timestep);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

// Of one simulation, with fields that nobody has recorded before.
static void* roll_out_beside(void* argument) {
  static const char* const fields[] = {"xpos",  "xquat",     "cvel",      "xmat", "cinert",
                                       "xipos", "geom_xpos", "qfrc_bias", "cacc", "crb"};
  mjtNum* x = (mjtNum*)calloc(10000, sizeof(mjtNum));
  for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
    const int only[1] = {0};
    const mjBatchRecord record = {fields[i], 0, x};
    mjb_rollout((mjBatch*)argument, only, 1, 1, NULL, 0, &record, 1);
  }
  free(x);
  return NULL;
}

static void threads_that_share_a_batch_take_turns(void** state) {
  (void)state;
  enum { MANY = 16 };
  mjModel* m = load_test_model();
  int ids[MANY - 1];
  for (int i = 0; i < MANY - 1; i++) ids[i] = i + 1;
  for (int again = 0; again < 10; again++) {
    mjBatch* b = make(m, MANY, 2, 0);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, roll_out_beside, b), 0);
    for (int t = 0; t < 20; t++) assert_int_equal(mjb_step(b, ids, MANY - 1, 1, mjSTAGE_NONE), 0);
    pthread_join(other, NULL);
    size_t bytes = (size_t)mjb_nstate(b) * sizeof(mjtNum);
    for (int i = 2; i < MANY; i++) {
      assert_memory_equal(row(b, i, mjSTATE_TIME), row(b, 1, mjSTATE_TIME), bytes);
    }
    mjb_deleteBatch(b);
  }
  mj_deleteModel(m);
}

static void rollouts_that_cannot_be_are_errors(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 2, 1, 0);
  mjtNum x[100] = {0};
  mjBatchRecord record = {"contact", 0, x};
  mjb_rollout(b, NULL, 0, 0, NULL, 0, NULL, 0);
  expect_one_error("nstep is 0");
  mjb_rollout(b, NULL, 0, 1, x, mjSTATE_QPOS, NULL, 0);
  expect_one_error("mjSTATE_USER");
  mjb_rollout(b, NULL, 0, 1, NULL, 0, NULL, 2);
  expect_one_error("no list");
  mjb_rollout(b, NULL, 0, 1, NULL, 0, &record, 1);
  expect_one_error("\"contact\"");
  record.field = NULL;
  record.spec = 1 << 20;
  mjb_rollout(b, NULL, 0, 1, NULL, 0, &record, 1);
  expect_one_error("mjtState");
  record.buf = NULL;
  mjb_rollout(b, NULL, 0, 1, NULL, 0, &record, 1);
  expect_one_error("NULL");
  assert_int_equal(mjb_rollout(b, NULL, 0, 1, x, 0, NULL, -3), 0);
  assert_true(row(b, 0, mjSTATE_TIME)[0] == m->opt.timestep);
  mjtByte active[2][1];
  record.field = "eq_active";  // state arrays too, under their own type
  record.buf = active;
  row(b, 1, mjSTATE_EQ_ACTIVE)[0] = 2;
  assert_int_equal(mjb_rollout(b, NULL, 0, 1, NULL, 0, &record, 1), 0);
  assert_int_equal(active[0][0], 0);
  assert_int_equal(active[1][0], 2);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

// Outputs and models

static void outputs_are_what_a_row_cannot_hold(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 2, 1, 0);
  int size = -7, elemsize = -7;
  static const char* const refused[] = {"qpos",    "time",  "contact", "efc_J",       "solver",
                                        "warning", "timer", "nothing", "ntree_awake", "body_mass"};
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    assert_null(mjb_output(b, refused[i], &size, &elemsize));
    assert_true(size == -7 && elemsize == -7);
  }
  assert_non_null(mjb_output(b, "ncon", &size, &elemsize));
  assert_true(size == 1 && elemsize == sizeof(int));
  assert_non_null(mjb_output(b, "solver_niter", &size, NULL));
  assert_int_equal(size, mjNISLAND);
  assert_non_null(mjb_output(b, "flexvert_xpos", &size, NULL));
  assert_int_equal(size, 0);
  mjtNum* qacc = (mjtNum*)mjb_output(b, "qacc", &size, NULL);
  assert_ptr_equal(mjb_output(b, "qacc", NULL, NULL), qacc);
  for (int k = 0; k < size; k++) assert_true(qacc[k] == 0);
  // own last values, where a call does not compute the field
  row(b, 0, mjSTATE_CTRL)[0] = 1;
  mjb_forward(b, NULL, 0, mjSTAGE_ACC);
  mjtNum first = qacc[0], second = qacc[size];
  assert_true(first != second);
  mjb_forward(b, NULL, 0, mjSTAGE_POS);
  assert_true(qacc[0] == first && qacc[size] == second);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

static void expanded_fields_and_their_constants(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  mjBatch* b = make(m, 3, 2, 0);
  int size = -7, elemsize = -7;
  assert_null(mjb_expand(b, "mesh_vert", &size, &elemsize));
  assert_null(mjb_expand(b, "stat.meanmass", &size, &elemsize));
  assert_null(mjb_expand(b, "gravity", &size, &elemsize));
  assert_true(size == -7 && elemsize == -7);
  assert_null(mjb_expanded(b, "body_mass", &size, &elemsize));
  assert_true(size == m->nbody && elemsize == sizeof(mjtNum));
  mjtNum* mass = (mjtNum*)mjb_expand(b, "body_mass", &size, NULL);
  assert_memory_equal(mass, m->body_mass, (size_t)size * sizeof(mjtNum));
  assert_ptr_equal(mjb_expanded(b, "body_mass", NULL, NULL), mass);
  assert_non_null(mjb_expand(b, "opt.gravity", &size, NULL));
  assert_int_equal(size, 3);
  mass[m->nbody + 1] *= 3;
  assert_int_equal(mjb_setConst(b, NULL, 0), 0);
  assert_non_null(mjb_expanded(b, "body_subtreemass", NULL, NULL));
  assert_null(mjb_expanded(b, "geom_friction", NULL, NULL));
  mjModel *own = mj_copyModel(NULL, m), *got = mj_copyModel(NULL, m);
  own->body_mass[1] *= 3;
  mjData* d = mj_makeData(own);
  mj_setConst(own, d);
  mjb_getModel(b, 1, got);
  assert_memory_equal(got->body_invweight0, own->body_invweight0,
                      2 * (size_t)m->nbody * sizeof(mjtNum));
  assert_memory_equal(got->dof_M0, own->dof_M0, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(mjb_model(b)->body_subtreemass, m->body_subtreemass,
                      (size_t)m->nbody * sizeof(mjtNum));
  mjb_step(b, NULL, 0, 4, 0);
  mj_resetData(own, d);
  for (int k = 0; k < 4; k++) mj_step(own, d);
  assert_memory_equal(row(b, 1, mjSTATE_QPOS), d->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_deleteData(d);
  mj_deleteModel(own);
  mj_deleteModel(got);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

static void models_of_the_caller(void** state) {
  (void)state;
  mjModel *m = load_test_model(), *other = recorded_model("humanoid");
  mjBatch* b = make(m, 2, 2, 0);
  mjModel* heavy = mj_copyModel(NULL, m);
  heavy->opt.gravity[2] = -20;
  const mjModel* list[2] = {m, NULL};
  mjb_setModels(b, list);
  expect_one_error("model 1 is NULL");
  list[1] = other;
  mjb_setModels(b, list);
  expect_one_error("of model 1");
  list[1] = heavy;
  mjb_setModels(b, list);
  list[1] = NULL;  // the list was copied
  mjb_step(b, NULL, 0, 5, 0);
  mjData* d = mj_makeData(m);
  for (int k = 0; k < 5; k++) mj_step(heavy, d);
  assert_memory_equal(row(b, 1, mjSTATE_QPOS), d->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_null(mjb_expand(b, "body_mass", NULL, NULL));
  expect_one_error("mjb_setModels(b, NULL)");
  mjb_setConst(b, NULL, 0);
  expect_one_error("mj_setConst");
  mjb_setModels(b, NULL);
  assert_non_null(mjb_expand(b, "body_mass", NULL, NULL));
  list[1] = heavy;
  mjb_setModels(b, list);
  expect_one_error("expanded");
  mjb_getData(b, 2, d);
  expect_one_error("simulation 2");
  mjb_getModel(b, 0, other);
  expect_one_error("is not that of the batch");
  mj_deleteData(d);
  mj_deleteModel(heavy);
  mj_deleteModel(other);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

// Apply

static void push(const mjModel* m, mjData* d, int sim, void* arg) {
  (void)m;
  d->qvel[0] = sim + 1;
  if (arg && sim == 1) mju_error("not this one");
  if (arg && sim == 2) mjb_step((mjBatch*)arg, NULL, 0, 1, 0);
}

static void functions_change_rows_if_they_are_saved(void** state) {
  (void)state;
  mjModel* m = load_test_model();
  for (int persistent = 0; persistent < 2; persistent++) {
    mjBatch* b = make(m, 3, 2, persistent);
    assert_int_equal(mjb_apply(b, NULL, 0, push, NULL, 0), 0);
    for (int i = 0; i < 3; i++) assert_true(row(b, i, mjSTATE_QVEL)[0] == 0);
    assert_int_equal(mjb_apply(b, NULL, 0, push, b, 1), 2);
    assert_true(row(b, 0, mjSTATE_QVEL)[0] == 1);
    assert_true(row(b, 1, mjSTATE_QVEL)[0] == 0 && row(b, 2, mjSTATE_QVEL)[0] == 0);
    assert_string_equal(mjb_error(b, 1), "not this one");
    assert_non_null(strstr(mjb_error(b, 2), "running"));
    assert_int_equal(count_errors(), 0);
    mjb_deleteBatch(b);
  }
  mj_deleteModel(m);
}

// Continuation

static int position_passes(mjBatch* b, int sim) {
  mjData* d = mj_makeData(mjb_model(b));
  mjb_getData(b, sim, d);
  int passes = (int)d->timer[mjTIMER_POSITION].number;
  mj_deleteData(d);
  return passes;
}

// A persistent batch whose stages are current starts the next step in the middle.
static void steps_go_on_from_stages_that_are_still_valid(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjBatch* b = make(m, 2, 1, 1);
  mjData* d = mj_makeData(m);
  mjtNum* mass = (mjtNum*)mjb_expand(b, "body_mass", NULL, NULL);
  int extra = 0;
  for (int t = 0; t < 8; t++) {
    assert_int_equal(mjb_step(b, NULL, 0, 1, mjSTAGE_VEL), 0);
    mj_step(m, d);
    int before = position_passes(b, 0);
    if (t % 4 == 3) {  // an edit that matters
      row(b, 0, mjSTATE_QPOS)[7] += (mjtNum)0.01;
      d->qpos[7] += (mjtNum)0.01;
    }
    row(b, 0, mjSTATE_CTRL)[0] = d->ctrl[0] = (mjtNum)0.1 * t;
    assert_int_equal(mjb_step(b, NULL, 0, 1, mjSTAGE_NONE), 0);
    mj_step(m, d);
    extra = position_passes(b, 0) - before;
    assert_int_equal(extra, t % 4 == 3);
    assert_memory_equal(row(b, 0, mjSTATE_QPOS), d->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(row(b, 0, mjSTATE_QVEL), d->qvel, (size_t)m->nv * sizeof(mjtNum));
  }
  mjb_forward(b, NULL, 0, mjSTAGE_ACC);
  int before = position_passes(b, 0);
  mass[3] += 1;
  mjb_step(b, NULL, 0, 1, mjSTAGE_NONE);
  assert_int_equal(position_passes(b, 0) - before, 1);
  mj_deleteData(d);
  mjb_deleteBatch(b);
  mj_deleteModel(m);
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, listen_to_messages, stop_listening)
  const struct CMUnitTest tests[] = {
      TEST(rows_have_the_layout_of_the_integration_state),
      TEST(making_follows_its_rules),
      TEST(steps_have_the_bits_of_a_loop),
      TEST(a_bad_selection_runs_nothing),
      TEST(resets_go_to_keyframes),
      TEST(a_simulation_that_fails_keeps_its_row),
      TEST(bad_numbers_follow_the_rules_of_mj_step),
      TEST(rollouts_stop_at_a_warning),
      TEST(threads_that_share_a_batch_take_turns),
      TEST(rollouts_that_cannot_be_are_errors),
      TEST(outputs_are_what_a_row_cannot_hold),
      TEST(expanded_fields_and_their_constants),
      TEST(models_of_the_caller),
      TEST(functions_change_rows_if_they_are_saved),
      TEST(steps_go_on_from_stages_that_are_still_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
