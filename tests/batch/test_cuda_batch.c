// R11.1, R11.2, R11.3: a batch on a GPU has the bits of one on the CPU. Both get the same calls;
// states, sensors, status and kept fields are compared. Skipped where there is no GPU, or no
// libcorten_cuda.so (`make cuda`).

#include <corten/batch.h>
#include <corten/derivative.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batch/environments.h"
#include "batch/pairs.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

// Steps

// Masses, friction and damping are others in every environment.
static void vary_both(Pair* p) {
  const char* const fields[] = {"body_mass", "geom_friction", "dof_damping"};
  for (int k = 0; k < 3; k++) {
    int type, n = ct_batch_field_size(p->cpu, fields[k], &type);
    if (!n) continue;
    BOTH(ct_batch_vary(p->cpu, fields[k]), ct_batch_vary(p->gpu, fields[k]));
    mjtNum* matrix = (mjtNum*)calloc((size_t)(N * n + 1), sizeof(mjtNum));
    BOTH(ct_batch_get(p->cpu, fields[k], NULL, matrix), CT_BATCH_OK);
    for (int i = 0; i < N * n; i++) matrix[i] *= 1 + (mjtNum)0.05 * (mjtNum)(i / n);
    set_both(p, fields[k], NULL, matrix);
    free(matrix);
  }
}

static void expect_same_thousand_steps(const mjModel* m, bool varied) {
  ct_BatchOptions o = ct_default_batch_options();
  o.arena = m->narena;
  Pair p = make_pair_with(m, &o);
  if (varied) vary_both(&p);
  disturb_both(&p);
  for (int t = 0; t < 1000; t += 10) {
    control_both(&p, t);
    step_both(&p, NULL, 10);
    if (t % 100 == 90) expect_same(&p);
  }
  free_pair(&p);
}

// R11.2: models of other people, whose files CORTEN_GPU_MODELS lists with colons between them, as
// they are and varied.
static void given_models_have_the_cpus_bits(void** state) {
  (void)state;
  const char* given = getenv("CORTEN_GPU_MODELS");
  if (!given) skip();
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  char *files = strdup(given), error[500], *rest = files;
  for (char* file; (file = strtok_r(rest, ":", &rest));) {
    mjModel* m = strstr(file, ".mjb") ? mj_loadModel(file, NULL)
                                      : mj_loadXML(file, NULL, error, sizeof(error));
    if (!m) fail_msg("%s: %s", file, error);
    expect_same_thousand_steps(m, false);
    bool can_vary = !(m->opt.enableflags & mjENBL_SLEEP);  // docs/gpu.md
    if (can_vary) expect_same_thousand_steps(m, true);
    printf("%s: 1000 steps of %d environments%s\n", file, N, can_vary ? ", and varied" : "");
    fflush(stdout);
    mj_deleteModel(m);
  }
  free(files);
}

// R11.2
static void all_models_have_the_cpus_bits(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  for (int i = 0; steppable_model(i); i++) {
    mjModel* m = recorded_model(steppable_model(i));
    ct_BatchOptions o = ct_default_batch_options();
    o.arena = m->narena;  // what a state needs that nobody has tried
    Pair pair = make_pair_with(m, &o), *p = &pair;
    BOTH(ct_batch_keep(p->cpu, "xpos"), ct_batch_keep(p->gpu, "xpos"));
    BOTH(ct_batch_keep(p->cpu, "qfrc_constraint"), ct_batch_keep(p->gpu, "qfrc_constraint"));
    BOTH(ct_batch_keep(p->cpu, "ncon"), ct_batch_keep(p->gpu, "ncon"));
    disturb_both(p);
    for (int t = 0; t < 6; t++) {
      control_both(p, t);
      step_both(p, NULL, t < 3 ? 1 : 7);
      expect_same(p);
    }
    const char* const kept[] = {"xpos", "qfrc_constraint", "ncon"};
    for (int k = 0; k < 3; k++) expect_same_field_of_both(p, kept[k]);
    free_pair(p);
    mj_deleteModel(m);
  }
}

static void a_thousand_steps_have_the_cpus_bits(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  disturb_both(p);
  for (int t = 0; t < 20; t++) {
    control_both(p, t);
    step_both(p, NULL, 50);
    expect_same(p);
  }
  free_pair(p);
  mj_deleteModel(m);
}

// More than the device works on at a time, so that solvers take them by their rows and they go in
// lines: some left out now and then, one of them bad.
static void expect_same_of_many(const mjModel* m) {
  enum { MANY = 5003, BAD = 77 };
  ct_BatchOptions o = ct_default_batch_options();
  o.arena = 400000;
  Pair pair = make_many(m, MANY, &o), *p = &pair;
  mjtByte* mask = (mjtByte*)malloc(MANY);
  mjtNum* qvel = (mjtNum*)calloc((size_t)(MANY * m->nv), sizeof(mjtNum));
  for (int t = 0; t < 8; t++) {
    for (int i = 0; i < MANY; i++) mask[i] = (mjtByte)((i * 7 + t) % 5 > 0 || t % 2);
    BOTH(ct_batch_noise(p->cpu, "ctrl", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1),
         ct_batch_noise(p->gpu, "ctrl", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1));
    BOTH(ct_batch_noise(p->cpu, "qvel", mask, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, (mjtNum)0.3),
         ct_batch_noise(p->gpu, "qvel", mask, CT_NOISE_NORMAL, CT_NOISE_ADD, 0, (mjtNum)0.3));
    if (t == 5) {
      BOTH(ct_batch_get(p->cpu, "qvel", NULL, qvel), CT_BATCH_OK);
      qvel[BAD * m->nv] = (mjtNum)NAN;
      set_both(p, "qvel", NULL, qvel);
    }
    step_both(p, mask, 5);
    expect_same(p);
  }
  free(qvel);
  free(mask);
  free_pair(p);
}

// R11.2
static void thousands_of_environments_have_the_cpus_bits(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  expect_same_of_many(m);
  m->opt.integrator = mjINT_RK4;
  m->opt.cone = mjCONE_ELLIPTIC;
  expect_same_of_many(m);
  mj_deleteModel(m);
  m = recorded_model("contacts");  // islands
  assert_true(m->ntree > 1);
  expect_same_of_many(m);
  mj_deleteModel(m);
}

static void masks_and_forward_passes_agree(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  disturb_both(p);
  for (int t = 0; t < 10; t++) {
    mjtByte mask[N];
    for (int i = 0; i < N; i++) mask[i] = (mjtByte)((i * 3 + t) % 4 < 2);
    step_both(p, mask, 1 + t % 3);
    expect_same(p);
  }
  for (int stage = mjSTAGE_POS; stage <= mjSTAGE_ACC; stage++) {
    BOTH(ct_batch_forward(p->cpu, NULL, stage), ct_batch_forward(p->gpu, NULL, stage));
    expect_same(p);
  }
  free_pair(p);
  mj_deleteModel(m);
}

static void rollouts_agree(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  enum { T = 7 };
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  size_t nu = (size_t)m->nu, ns = (size_t)mj_stateSize(m, mjSTATE_PHYSICS);
  mjtNum* control = (mjtNum*)calloc(N * T * nu, sizeof(mjtNum));
  for (size_t i = 0; i < N * T * nu; i++) control[i] = (mjtNum)((int)(i * 7 % 21) - 10) / 10;
  for (int first = 0; first < 2; first++) {
    mjtNum* states[2];
    int status[2][N * T];
    mjtByte mask[N] = {1, 0, 1, 1, 1};
    for (int k = 0; k < 2; k++) {
      memset(status[k], 0, sizeof(status[k]));
      states[k] = (mjtNum*)calloc(N * T * ns, sizeof(mjtNum));
      ct_BatchRecord record[] = {{NULL, mjSTATE_PHYSICS, states[k]}, {"status", 0, status[k]}};
      ct_Rollout r = {T, 2, control, 0, first, record, 2};
      ct_Batch* b = k ? p->gpu : p->cpu;
      if (ct_batch_rollout(b, first ? mask : NULL, &r)) fail_msg("%s", ct_batch_error(b));
    }
    assert_memory_equal(status[0], status[1], sizeof(status[0]));
    assert_memory_equal(states[0], states[1], N * T * ns * sizeof(mjtNum));
    expect_same(p);
    free(states[0]);
    free(states[1]);
  }
  free(control);
  free_pair(p);
  mj_deleteModel(m);
}

// Resets

static void resets_agree(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  mjtByte mask[N] = {0, 1, 0, 1, 1};
  int nq = (int)m->nq, keys[N];
  mjtNum* qpos = (mjtNum*)calloc((size_t)(N * nq), sizeof(mjtNum));
  for (int i = 0; i < N; i++) keys[i] = m->nkey ? i % (int)m->nkey : -1;
  for (int i = 0; i < N * nq; i++) qpos[i] = m->qpos0[i % nq] + (mjtNum)(i % 5) / 100;
  disturb_both(p);
  step_both(p, NULL, 5);
  BOTH(ct_batch_reset(p->cpu, mask), ct_batch_reset(p->gpu, mask));
  expect_same(p);
  step_both(p, NULL, 3);
  BOTH(ct_batch_reset_keys(p->cpu, mask, keys), ct_batch_reset_keys(p->gpu, mask, keys));
  expect_same(p);
  step_both(p, NULL, 3);
  BOTH(ct_batch_reset_state(p->cpu, mask, mjSTATE_QPOS, qpos),
       ct_batch_reset_state(p->gpu, mask, mjSTATE_QPOS, qpos));
  step_both(p, NULL, 3);
  expect_same(p);
  keys[1] = (int)m->nkey;
  expect_refusal(p->gpu, ct_batch_reset_keys(p->gpu, mask, keys), CT_BATCH_BAD_ARGUMENT,
                 "environment 1");
  expect_same(p);
  free(qpos);
  free_pair(p);
  mj_deleteModel(m);
}

static void episodes_end_alike(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  o.auto_reset = CT_RESET_FAILED | CT_RESET_DONE;
  o.max_steps = 4;
  Pair pair = make_pair_with(m, &o), *p = &pair;
  mjtByte done[N] = {0, 1, 0, 0, 0};
  disturb_both(p);
  for (int t = 0; t < 10; t++) {
    control_both(p, t);
    if (t == 2) set_both(p, "terminated", NULL, done);
    step_both(p, NULL, 2);
    expect_same(p);
  }
  ct_BatchCounts a, b;
  BOTH(ct_batch_counts(p->cpu, &a), ct_batch_counts(p->gpu, &b));
  assert_int_equal(a.steps, b.steps);
  assert_int_equal(a.resets, b.resets);
  assert_int_equal(a.most_contacts, b.most_contacts);
  assert_int_equal(a.most_rows, b.most_rows);
  free_pair(p);
  mj_deleteModel(m);
}

// Failures

// R10.5
static void bad_numbers_harm_one_environment_only(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  size_t nv = (size_t)m->nv, nu = (size_t)m->nu;
  mjtNum* qvel = (mjtNum*)calloc(N * nv, sizeof(mjtNum));
  mjtNum* ctrl = (mjtNum*)calloc(N * nu, sizeof(mjtNum));
  disturb_both(p);
  for (int t = 0; t < 8; t++) {
    if (t == 3) {
      BOTH(ct_batch_get(p->cpu, "qvel", NULL, qvel), CT_BATCH_OK);
      qvel[2 * nv + 1] = (mjtNum)NAN;
      set_both(p, "qvel", NULL, qvel);
    }
    ctrl[4 * nu] = t == 5 ? (mjtNum)NAN : 0;
    set_both(p, "ctrl", NULL, ctrl);
    step_both(p, NULL, 2);
    expect_same_field_of_both(p, "status");
    if (t == 3) {
      assert_int_equal(ct_batch_failed(p->gpu), 1);
      assert_true(strstr(ct_batch_reason(p->gpu, 2), "environment 2") != NULL);
    } else {
      expect_same(p);
    }
  }
  free(qvel);
  free(ctrl);
  free_pair(p);
  mj_deleteModel(m);
}

static void a_small_arena_is_flagged_with_the_size_that_suffices(void** state) {
  (void)state;
  NEEDS_GPU();
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  ct_BatchCounts counts;
  o.arena = 12000;
  ct_Batch* b = make_on(m, CT_BACKEND_GPU, &o);
  for (int t = 0; t < 400 && !ct_batch_failed(b); t++) {
    assert_int_equal(ct_batch_step(b, NULL, 5), CT_BATCH_OK);
  }
  assert_int_equal(ct_batch_failed(b), N);
  assert_true(strstr(ct_batch_reason(b, 0), "environment 0") != NULL);
  assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
  assert_true(counts.arena_needed > 12000);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  NEEDS_GPU();
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  char error[500];
  o.backend = CT_BACKEND_GPU;
  o.required = 1;
  o.device = 1000;
  assert_null(ct_batch_create(m, N, &o, error, sizeof(error)));
  assert_true(strstr(error, "options.device is 1000") != NULL);
  o.device = 0;
  assert_null(ct_batch_create(m, 1 << 30, &o, error, sizeof(error)));
  assert_true(strstr(error, "environments of") != NULL);
  assert_int_equal(ct_batch_memory(m, 1 << 30, &o, error, sizeof(error)), 0);
  assert_true(ct_batch_memory(m, 16, &o, error, sizeof(error)) > 16 * 1024);
  ct_Batch* b = make_on(m, CT_BACKEND_GPU, NULL);
  int flags[N] = {0};
  expect_refusal(b, ct_batch_set(b, "opt.enableflags", NULL, flags), CT_BATCH_UNSUPPORTED,
                 "cannot vary on a GPU");
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Models

static void varied_models_have_the_cpus_bits(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  mjtNum gravity[3 * N], timestep[N];
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) gravity[3 * i + k] = m->opt.gravity[k] * (mjtNum)(1 + 0.1 * i);
    timestep[i] = m->opt.timestep * (mjtNum)(1 - 0.05 * i);
  }
  disturb_both(p);
  step_both(p, NULL, 3);
  set_both(p, "opt.gravity", NULL, gravity);
  set_both(p, "opt.timestep", NULL, timestep);
  const char* const scaled[] = {"body_mass", "geom_friction", "dof_damping", "actuator_gainprm",
                                "qpos0"};
  for (size_t i = 0; i < sizeof(scaled) / sizeof(scaled[0]); i++) {
    BOTH(ct_batch_noise(p->cpu, scaled[i], NULL, CT_NOISE_UNIFORM, CT_NOISE_SCALE, (mjtNum)0.9,
                        (mjtNum)1.1),
         ct_batch_noise(p->gpu, scaled[i], NULL, CT_NOISE_UNIFORM, CT_NOISE_SCALE, (mjtNum)0.9,
                        (mjtNum)1.1));
    expect_same_field_of_both(p, scaled[i]);
  }
  BOTH(ct_batch_set_const(p->cpu, NULL), ct_batch_set_const(p->gpu, NULL));
  expect_same_field_of_both(p, "dof_invweight0");
  for (int t = 0; t < 6; t++) {
    control_both(p, t);
    step_both(p, NULL, 10);
    expect_same(p);
    if (t == 3) BOTH(ct_batch_reset(p->cpu, NULL), ct_batch_reset(p->gpu, NULL));
    expect_same(p);
  }
  BOTH(ct_batch_copy(p->cpu, 1, 3), ct_batch_copy(p->gpu, 1, 3));
  step_both(p, NULL, 5);
  expect_same(p);
  free_pair(p);
  mj_deleteModel(m);
}

// Storage

static void a_saved_batch_goes_on_elsewhere(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  Pair pair = make_pair(m), *p = &pair;
  disturb_both(p);
  step_both(p, NULL, 20);
  step_both(p, NULL, 1);
  size_t size = ct_batch_saved_size(p->gpu);
  char* bytes = (char*)malloc(size);
  BOTH(CT_BATCH_OK, ct_batch_save(p->gpu, bytes, size));
  ct_Batch* other = make_on(m, CT_BACKEND_CPU, NULL);
  assert_int_equal(ct_batch_restore(other, bytes, size), CT_BATCH_OK);
  ct_batch_destroy(p->cpu);
  p->cpu = other;
  expect_same(p);
  step_both(p, NULL, 20);
  expect_same(p);
  free(bytes);
  free_pair(p);
  mj_deleteModel(m);
}

// Saved on one, restored on the other, in both directions. Who sleeps is kept, too.
static void what_sleeps_goes_on_elsewhere(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("sleepers");
  m->opt.enableflags |= mjENBL_SLEEP;  // recorded models have default options in single precision
  Pair pair = make_pair(m), *p = &pair;
  const char* const kept[] = {"tree_asleep", "body_awake", "nv_awake"};
  for (int k = 0; k < 3; k++) BOTH(ct_batch_keep(p->cpu, kept[k]), ct_batch_keep(p->gpu, kept[k]));
  disturb_both(p);
  for (int round = 0; round < 8; round++) {
    ct_Batch *from = round % 2 ? p->cpu : p->gpu, *to = round % 2 ? p->gpu : p->cpu;
    if (ct_batch_step(from, NULL, 100)) fail_msg("%s", ct_batch_error(from));
    size_t size = ct_batch_saved_size(from);
    char* bytes = (char*)malloc(size);
    if (ct_batch_save(from, bytes, size)) fail_msg("%s", ct_batch_error(from));
    if (ct_batch_restore(to, bytes, size)) fail_msg("%s", ct_batch_error(to));
    free(bytes);
    for (int t = 0; t < 3; t++) {
      expect_same(p);
      for (int k = 0; k < 3; k++) expect_same_field_of_both(p, kept[k]);
      step_both(p, NULL, 5);
    }
  }
  free_pair(p);
  mj_deleteModel(m);
}

// Counts stay where a step fails before there is anything to count.
static void counts_agree_where_nothing_was_counted(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  o.auto_reset = 0;
  Pair pair = make_pair_with(m, &o), *p = &pair;
  const char* const kept[] = {"ncon", "nefc", "nl", "solver_niter"};
  size_t nq = (size_t)m->nq;
  mjtNum* qpos = (mjtNum*)calloc(N * nq, sizeof(mjtNum));
  for (int k = 0; k < 4; k++) BOTH(ct_batch_keep(p->cpu, kept[k]), ct_batch_keep(p->gpu, kept[k]));
  disturb_both(p);
  step_both(p, NULL, 150);
  BOTH(ct_batch_get(p->cpu, "qpos", NULL, qpos), CT_BATCH_OK);
  for (size_t i = 0; i < N; i++) qpos[i * nq + 2] += i == 1 ? 10 : 0;
  qpos[2 * nq + 4] = qpos[4 * nq + 4] = (mjtNum)1e12;
  set_both(p, "qpos", NULL, qpos);
  for (int t = 0; t < 3; t++) {
    step_both(p, NULL, 1);
    for (int k = 0; k < 4; k++) expect_same_field_of_both(p, kept[k]);
    expect_same(p);
  }
  free(qpos);
  free_pair(p);
  mj_deleteModel(m);
}

static void views_are_the_devices(void** state) {
  (void)state;
  NEEDS_GPU();
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_on(m, CT_BACKEND_GPU, NULL);
  ct_BatchView all, qpos, sensors;
  assert_int_equal(ct_batch_view_state(b, &all), CT_BATCH_OK);
  assert_int_equal(ct_batch_view(b, "qpos", &qpos), CT_BATCH_OK);
  assert_int_equal(ct_batch_view(b, "sensordata", &sensors), CT_BATCH_OK);
  assert_true(all.on_device && qpos.on_device && sensors.on_device);
  assert_int_equal(all.stride, (size_t)all.size * sizeof(mjtNum));
  assert_int_equal(qpos.stride, all.stride);
  assert_true((char*)qpos.data == (char*)all.data + sizeof(mjtNum));
  assert_int_equal(qpos.size, m->nq);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void count_visit(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m;
  (void)d;
  ((int*)argument)[environment]++;
}

static void a_mask_may_be_on_the_device(void** state) {
  (void)state;
  NEEDS_GPU();
  mjModel* m = recorded_model("pendulum");
  ct_Batch* b = make_on(m, CT_BACKEND_GPU, NULL);
  enum { MOST = 1024 };
  mjtByte chosen[MOST];
  int visits[MOST] = {0}, n = ct_batch_count(b);
  assert_true(n <= MOST);
  for (int i = 0; i < n; i++) chosen[i] = i % 3 == 1;
  assert_int_equal(ct_batch_set(b, "terminated", NULL, chosen), CT_BATCH_OK);
  ct_BatchView mask;
  assert_int_equal(ct_batch_view(b, "terminated", &mask), CT_BATCH_OK);
  assert_true(mask.on_device && mask.stride == 1);
  assert_int_equal(ct_batch_apply(b, (const mjtByte*)mask.data, count_visit, visits, 0),
                   CT_BATCH_OK);
  for (int i = 0; i < n; i++) assert_int_equal(visits[i], chosen[i]);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// R12.10: analytic matrices and products of all environments, of some by a mask.
static void derivatives_of(const char* name, int integrator) {
  mjModel* m = recorded_model(name);
  m->opt.integrator = integrator;
  ct_BatchOptions o = ct_default_batch_options();
  o.arena = m->narena;
  Pair pair = make_pair_with(m, &o), *p = &pair;
  size_t n = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu;
  size_t size[] = {n * n, n * nu, n, n, nu};  // A, B, dy, by_x, by_u
  mjtNum *x[2][5], *weights = (mjtNum*)calloc(N * (n + nu) + 1, sizeof(mjtNum));
  ct_DerivativeReport reports[2][N];
  for (size_t i = 0; i < N * (n + nu); i++) weights[i] = (mjtNum)((int)(i % 7) - 3) / 4;
  disturb_both(p);
  control_both(p, 1);
  step_both(p, NULL, 40);
  expect_same(p);
  for (int side = 0; side < 2; side++) {
    ct_Batch* b = side ? p->gpu : p->cpu;
    mjtByte mask[N] = {1, 1, 0, 1, 1};
    for (int k = 0; k < 5; k++) x[side][k] = (mjtNum*)calloc(N * size[k] + 1, sizeof(mjtNum));
    ct_DerivativeMatrices out = {x[side][0], x[side][1], NULL, NULL};
    ct_DerivativeProduct product = {weights, weights, x[side][2], weights, x[side][3], x[side][4]};
    memset(reports[side], 0, sizeof(reports[side]));
    if (ct_batch_derivative(b, mask, NULL, &out, NULL, reports[side]) ||
        ct_batch_derivative_product(b, NULL, NULL, &product, NULL, NULL)) {
      fail_msg("%s: %s", name, ct_batch_error(b));
    }
  }
  static const char* const names[] = {"A", "B", "dy", "by_x", "by_u"};
  for (int k = 0; k < 5; k++) {
    expect_same_matrix(p, names[k], (char*)x[0][k], (char*)x[1][k], size[k] * sizeof(mjtNum));
    free(x[0][k]);
    free(x[1][k]);
  }
  for (int i = 0; i < N; i++) {
    assert_int_equal(reports[0][i].method, reports[1][i].method);
    assert_int_equal(reports[0][i].reasons, reports[1][i].reasons);
  }
  free(weights);
  free_pair(p);
  mj_deleteModel(m);
}

static void derivatives_have_the_cpus_bits(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICITFAST, mjINT_IMPLICIT};
  for (int k = 0; k < 3; k++) {
    derivatives_of("humanoid", integrators[k]);
    derivatives_of("convoy", integrators[k]);
    derivatives_of("tendons", integrators[k]);
    derivatives_of("muscles", integrators[k]);
  }
}

static void derivatives_without_room_on_the_device_come_from_the_host(void** state) {
  (void)state;
  NEEDS_GPU();
  SKIP_IN_FAST_BUILD();
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  Pair pair = {m, N, make_on(m, CT_BACKEND_CPU, NULL), NULL}, *p = &pair;
  o.arena = 12000;
  p->gpu = make_on(m, CT_BACKEND_GPU, &o);
  size_t n = (size_t)(2 * m->nv + m->na), size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* row = (mjtNum*)calloc(N * size, sizeof(mjtNum));
  mjtNum* A[2] = {(mjtNum*)calloc(N * n * n, sizeof(mjtNum)),
                  (mjtNum*)calloc(N * n * n, sizeof(mjtNum))};
  assert_int_equal(ct_batch_step(p->cpu, NULL, 400), CT_BATCH_OK);  // until it lies
  BOTH(ct_batch_get_state(p->cpu, mjSTATE_INTEGRATION, NULL, row),
       ct_batch_set_state(p->gpu, mjSTATE_INTEGRATION, NULL, row));
  ct_DerivativeMatrices out[2] = {{A[0], NULL, NULL, NULL}, {A[1], NULL, NULL, NULL}};
  BOTH(ct_batch_derivative(p->cpu, NULL, NULL, out, NULL, NULL),
       ct_batch_derivative(p->gpu, NULL, NULL, out + 1, NULL, NULL));
  expect_same_matrix(p, "A", (char*)A[0], (char*)A[1], n * n * sizeof(mjtNum));
  free(A[0]);
  free(A[1]);
  free(row);
  free_pair(p);
  mj_deleteModel(m);
}

// Other precisions

// How far two states are apart at most.
static double distance_of(ct_Batch* a, ct_Batch* b, const char* field) {
  size_t count = (size_t)ct_batch_field_size(a, field, NULL) * N;
  mjtNum *x = (mjtNum*)calloc(count, sizeof(mjtNum)), *y = (mjtNum*)calloc(count, sizeof(mjtNum));
  double most = 0;
  assert_int_equal(ct_batch_get(a, field, NULL, x), 0);
  assert_int_equal(ct_batch_get(b, field, NULL, y), 0);
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs((double)x[i] - (double)y[i]));
  free(x);
  free(y);
  return most;
}

// 20 steps of humanoids with masses of their own, and what views, rollouts and single environments
// show of them. Float and fast kernels are in libraries that may not be there.
static void expect_near_strict(int precision, double tolerance) {
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  char error[500];
  o.backend = CT_BACKEND_GPU;
  o.required = 1;
  ct_Batch* strict = ct_batch_create(m, N, &o, error, sizeof(error));
  o.precision = precision;
  ct_Batch* b = ct_batch_create(m, N, &o, error, sizeof(error));
  if (!b) printf("skipped: %s\n", error);
  Pair pair = {m, N, strict, b}, *p = &pair;
  size_t nbody = (size_t)m->nbody, nq = (size_t)m->nq, nu = (size_t)m->nu;
  enum { T = 20 };
  mjtNum* mass = (mjtNum*)calloc(N * nbody, sizeof(mjtNum));
  mjtNum* ctrl = (mjtNum*)calloc(N * T * nu, sizeof(mjtNum));
  mjtNum* path[2] = {(mjtNum*)calloc(N * T * nq, sizeof(mjtNum)),
                     (mjtNum*)calloc(N * T * nq, sizeof(mjtNum))};
  for (size_t i = 0; i < N * nbody; i++) {
    mass[i] = m->body_mass[i % nbody] * (mjtNum)(1 + 0.1 * (double)(i / nbody));
  }
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < T; t++) choose_controls(m, ctrl + (size_t)(i * T + t) * nu, i, t);
  }
  for (int side = 0; b && side < 2; side++) {
    ct_Batch* one = side ? b : strict;
    ct_BatchRecord record = {"qpos", 0, path[side]};
    ct_Rollout rollout = {T, 1, ctrl, 0, 0, &record, 1};
    ct_BatchView view;
    disturb_batch(one);
    if (ct_batch_set(one, "body_mass", NULL, mass) || ct_batch_rollout(one, NULL, &rollout) ||
        ct_batch_view(one, "qpos", &view)) {
      fail_msg("%s", ct_batch_error(one));
    }
    assert_int_equal(ct_batch_failed(one), 0);
    assert_true(view.on_device);
    assert_int_equal(view.element, precision == CT_PRECISION_FLOAT && side ? 4 : sizeof(mjtNum));
  }
  if (b) {
    double far = 0;
    for (size_t i = 0; i < N * T * nq; i++) {
      far = fmax(far, fabs((double)path[0][i] - (double)path[1][i]));
    }
    printf("precision %d: %d steps of qpos within %.2g, qvel %.2g\n", precision, (int)T, far,
           distance_of(strict, b, "qvel"));
    assert_true(far < tolerance);
    mjData* d = mj_makeData(m);
    assert_int_equal(ct_batch_get_data(b, N - 1, NULL, d), 0);
    for (size_t k = 0; k < nq; k++) {
      assert_true(d->qpos[k] == path[1][((size_t)(N - 1) * T + T - 1) * nq + k]);
    }
    mj_deleteData(d);
  }
  free(mass);
  free(ctrl);
  free(path[0]);
  free(path[1]);
  free_pair(p);
  mj_deleteModel(m);
  if (!b) skip();
}

static void float_on_the_device_is_near_double(void** state) {
  (void)state;
  NEEDS_GPU();
  expect_near_strict(CT_PRECISION_FLOAT, 1e-3);
}

static void fast_on_the_device_is_near_strict(void** state) {
  (void)state;
  NEEDS_GPU();
  expect_near_strict(CT_PRECISION_FAST, sizeof(mjtNum) == sizeof(double) ? 1e-9 : 1e-3);
}

// Speed

// Of 1024 environments, with all threads on a CPU.
static double steps_per_second(const mjModel* m, int backend) {
  enum { COUNT = 1024, STEPS = 100 };
  char error[500];
  ct_BatchOptions o = ct_default_batch_options();
  o.backend = backend;
  o.required = 1;
  ct_Batch* b = ct_batch_create(m, COUNT, &o, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  assert_int_equal(ct_batch_noise(b, "ctrl", NULL, CT_NOISE_UNIFORM, CT_NOISE_SET, -1, 1), 0);
  struct timespec begin, end;
  for (int again = 0; again < 2; again++) {  // the first time for caches, graphs and clocks
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int t = 0; t < STEPS; t++) assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    assert_int_equal(ct_batch_wait(b), CT_BATCH_OK);
    clock_gettime(CLOCK_MONOTONIC, &end);
  }
  ct_batch_destroy(b);
  double seconds =
      (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  return COUNT * STEPS / seconds;
}

// R11.3
static void a_thousand_environments_are_faster_than_on_the_cpu(void** state) {
  (void)state;
  NEEDS_GPU();
  mjModel* m = recorded_model("humanoid");
  double cpu = steps_per_second(m, CT_BACKEND_CPU), gpu = steps_per_second(m, CT_BACKEND_GPU);
  printf("1024 humanoids: %.0f steps/s on the CPU, %.0f on the GPU\n", cpu, gpu);
  assert_true(gpu > cpu);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thousand_steps_have_the_cpus_bits),
      cmocka_unit_test(thousands_of_environments_have_the_cpus_bits),
      cmocka_unit_test(masks_and_forward_passes_agree),
      cmocka_unit_test(rollouts_agree),
      cmocka_unit_test(resets_agree),
      cmocka_unit_test(episodes_end_alike),
      cmocka_unit_test(bad_numbers_harm_one_environment_only),
      cmocka_unit_test(a_small_arena_is_flagged_with_the_size_that_suffices),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(varied_models_have_the_cpus_bits),
      cmocka_unit_test(a_saved_batch_goes_on_elsewhere),
      cmocka_unit_test(what_sleeps_goes_on_elsewhere),
      cmocka_unit_test(counts_agree_where_nothing_was_counted),
      cmocka_unit_test(views_are_the_devices),
      cmocka_unit_test(a_mask_may_be_on_the_device),
      cmocka_unit_test(derivatives_have_the_cpus_bits),
      cmocka_unit_test(derivatives_without_room_on_the_device_come_from_the_host),
      cmocka_unit_test(float_on_the_device_is_near_double),
      cmocka_unit_test(fast_on_the_device_is_near_strict),
      cmocka_unit_test(given_models_have_the_cpus_bits),
      cmocka_unit_test(all_models_have_the_cpus_bits),
      cmocka_unit_test(a_thousand_environments_are_faster_than_on_the_cpu),
  };
  if (getenv("CORTEN_GPU_MODELS")) cmocka_set_test_filter("given_models*");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
