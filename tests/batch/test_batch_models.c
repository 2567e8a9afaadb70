// Fields of the model that vary from environment to environment: each has the bits of a model of
// its own, constants that follow are derived as mj_setConst does, and structure stays shared.

#include <corten/batch.h>
#include <corten/step.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "batch/cpu.h"
#include "batch/environments.h"
#include "support/fail.h"
#include "support/models.h"

enum { N = 5 };

// Environment i has its own masses, friction, damping, sizes, gains and gravity.
static void vary_model(mjModel* m, int i) {
  for (int k = 0; k < m->nbody; k++) {
    m->body_mass[k] *= 1 + (mjtNum)i / 10;
    for (int x = 0; x < 3; x++) m->body_inertia[3 * k + x] *= 1 + (mjtNum)i / 8;
  }
  for (int k = 0; k < 3 * m->ngeom; k++) m->geom_friction[k] *= 1 - (mjtNum)i / 16;
  for (int k = 0; k < m->nv; k++) m->dof_damping[k] += (mjtNum)i / 4;
  for (int k = 0; k < mjNGAIN * m->nu; k++) m->actuator_gainprm[k] *= 1 + (mjtNum)i / 5;
  for (int k = 0; k < 3 * m->ngeom; k++) m->geom_size[k] *= 1 + (mjtNum)i / 50;
  m->opt.gravity[2] += (mjtNum)i / 3;
  m->opt.iterations = 100 - 10 * i;
}

static const char* const varied[] = {"body_mass",   "body_inertia",  "geom_friction",
                                     "dof_damping", "geom_size",     "actuator_gainprm",
                                     "opt.gravity", "opt.iterations"};
enum { NVARIED = sizeof(varied) / sizeof(varied[0]) };

static mjModel** make_models(const mjModel* m, bool constants) {
  mjModel** own = (mjModel**)calloc(N, sizeof(mjModel*));
  for (int i = 0; i < N; i++) {
    own[i] = mj_copyModel(NULL, m);
    vary_model(own[i], i);
    if (!constants) continue;
    mjData* d = mj_makeData(own[i]);
    mj_setConst(own[i], d);
    mj_deleteData(d);
  }
  return own;
}

static void free_models(mjModel** own) {
  for (int i = 0; i < N; i++) mj_deleteModel(own[i]);
  free(own);
}

static const void* value_of(const mjModel* m, const char* name) {
  ct_BatchField field;
  char why[200];
  if (!ct_find_batch_field(m, name, &field, why, sizeof(why))) fail_msg("%s", why);
  return ct_batch_field_in(&field, m);
}

static void set_fields(ct_Batch* b, mjModel** own) {
  for (int k = 0; k < NVARIED; k++) {
    int type, size = ct_batch_field_size(b, varied[k], &type);
    size_t bytes = (size_t)size * (type == CT_INT ? sizeof(int) : sizeof(mjtNum));
    char* rows = (char*)malloc(N * bytes + 1);
    for (int i = 0; bytes && i < N; i++) {
      memcpy(rows + (size_t)i * bytes, value_of(own[i], varied[k]), bytes);
    }
    if (ct_batch_set(b, varied[k], NULL, rows)) fail_msg("%s", ct_batch_error(b));
    free(rows);
  }
}

static void walk_beside_models(const char* name, int threads, bool constants, int own_data) {
  mjModel* m = recorded_model(name);
  mjModel** own = make_models(m, constants);
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = threads;
  options.auto_reset = 0;
  options.own_data = own_data;
  ct_Batch* b = ct_batch_create(m, N, &options, NULL, 0);
  set_fields(b, own);
  if (constants && ct_batch_set_const(b, NULL)) fail_msg("%s", ct_batch_error(b));
  disturb_batch(b);
  Loop loop = make_loop(m, N);
  for (int t = 0; t < 25; t++) {
    control_batch(b, t);
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    for (int i = 0; i < N; i++) {
      choose_controls(m, loop.d[i]->ctrl, i, t);
      ct_step(own[i], loop.d[i]);
    }
  }
  expect_same_bits(b, &loop, name);
  free_loop(&loop);
  free_models(own);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void varied_environments_have_the_bits_of_models_of_their_own(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "muscles", "contacts", "tendons", "sleepers"};
  for (int k = 0; k < 5; k++) {
    walk_beside_models(names[k], 1 + k % 3, false, 0);
    walk_beside_models(names[k], 1 + k % 3, true, 0);
  }
  walk_beside_models("humanoid", 2, true, 1);
}

static void every_steppable_model_can_vary(void** state) {
  (void)state;
  for (int i = 0; steppable_model(i); i++) {
    if (!strcmp(steppable_model(i), "empty")) continue;
    walk_beside_models(steppable_model(i), 2, false, 0);
  }
}

// Constants are those of mj_setConst, all fields of them; the shared model stays.
static void constants_are_those_of_mj_setconst(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjModel** own = make_models(m, true);
  ct_Batch* b = make_batch(m, N, 2);
  set_fields(b, own);
  mjtByte but_one[N] = {1, 1, 0, 1, 1};
  assert_int_equal(ct_batch_set_const(b, but_one), CT_BATCH_OK);
  mjModel* got = mj_copyModel(NULL, m);
  for (int i = 0; i < N; i++) {
    if (!but_one[i]) continue;
    assert_int_equal(ct_batch_get_data(b, i, got, NULL), CT_BATCH_OK);
    for (int f = 0; f < ct_nmodel_field; f++) {
      const ct_Field* field = ct_model_fields + f;
      size_t bytes = ct_field_bytes(field, m, NULL);
      if (bytes && memcmp(ct_field_array(field, got), ct_field_array(field, own[i]), bytes)) {
        fail_msg("environment %d: %s is not that of mj_setConst", i, field->name);
      }
    }
    assert_memory_equal(&got->opt, &own[i]->opt, sizeof(mjOption));
    assert_memory_equal(&got->stat, &own[i]->stat, sizeof(mjStatistic));
  }
  assert_memory_equal(ct_batch_model(b)->body_subtreemass, m->body_subtreemass,
                      (size_t)m->nbody * sizeof(mjtNum));
  mjtNum* left = (mjtNum*)malloc((size_t)(N * m->nbody) * sizeof(mjtNum));
  ct_batch_get(b, "body_subtreemass", NULL, left);
  assert_memory_equal(left + 2 * m->nbody, m->body_subtreemass, (size_t)m->nbody * sizeof(mjtNum));
  free(left);
  mj_deleteModel(got);
  free_models(own);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// The list of fields that constants are copied back from is complete, for all models that there
// are.
static void mj_setconst_changes_no_other_field(void** state) {
  (void)state;
  for (int k = 0; steppable_model(k); k++) {
    mjModel* m = recorded_model(steppable_model(k));
    mjModel* before = mj_copyModel(NULL, m);
    vary_model(m, 1);
    for (int i = 0; i < m->nbody; i++) m->body_gravcomp[i] = i % 2;
    for (int i = 0; i < m->nq; i++) m->qpos0[i] += (mjtNum)0.01;
    for (int i = 0; i < 3 * m->nsite; i++) m->site_pos[i] += (mjtNum)0.02;
    mjModel* edited = mj_copyModel(NULL, m);
    mjData* d = mj_makeData(m);
    mj_setConst(m, d);
    for (int f = 0; f < ct_nmodel_field; f++) {
      const ct_Field* field = ct_model_fields + f;
      size_t bytes = ct_field_bytes(field, m, NULL);
      if (!bytes || !memcmp(ct_field_array(field, m), ct_field_array(field, edited), bytes))
        continue;
      bool listed = false;
      for (int i = 0; ct_derived_field(i); i++) listed |= !strcmp(ct_derived_field(i), field->name);
      if (!listed) fail_msg("%s: mj_setConst changes %s", steppable_model(k), field->name);
    }
    for (int i = 0; i < ct_nmodel_size; i++) {
      size_t at = ct_model_sizes[i].offset;
      if (at == offsetof(mjModel, ngravcomp)) continue;
      assert_int_equal(ct_model_size(m, at), ct_model_size(edited, at));
    }
    assert_memory_equal(&m->opt, &edited->opt, sizeof(mjOption));
    mj_deleteData(d);
    mj_deleteModel(edited);
    mj_deleteModel(before);
    mj_deleteModel(m);
  }
}

// Gravity compensation is left out where no body asks for it; varied bodies are counted anew.
static void gravity_compensation_varies(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  m->opt.timestep = (mjtNum)0.004;  // recorded models have default options in single precision
  ct_Batch* b = make_batch(m, N, 2);
  mjtNum* gravcomp = (mjtNum*)calloc((size_t)(N * m->nbody), sizeof(mjtNum));
  for (int k = 0; k < m->nbody; k++) gravcomp[2 * m->nbody + k] = 1;
  ct_batch_set(b, "body_gravcomp", NULL, gravcomp);
  assert_int_equal(ct_batch_set_const(b, NULL), CT_BATCH_OK);
  ct_BatchView qpos;
  ct_batch_view(b, "qpos", &qpos);
  for (int i = 0; i < N; i++) ((mjtNum*)((char*)qpos.data + (size_t)i * qpos.stride))[2] = 10;
  ct_batch_step(b, NULL, 10);
  mjtNum* qvel = (mjtNum*)malloc((size_t)(N * m->nv) * sizeof(mjtNum));
  ct_batch_get(b, "qvel", NULL, qvel);
  for (int i = 0; i < N; i++) assert_int_equal(qvel[i * m->nv + 2] > (mjtNum)-0.3, i == 2);
  free(qvel);
  free(gravcomp);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void constants_that_cannot_be_are_reported(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, N, 2);
  size_t n = (size_t)m->nbody;
  mjtNum* mass = (mjtNum*)malloc(N * n * sizeof(mjtNum));
  for (int i = 0; i < N; i++) memcpy(mass + (size_t)i * n, m->body_mass, n * sizeof(mjtNum));
  for (size_t k = 0; k < n; k++) mass[3 * n + k] = 0;
  mjtNum* armature = (mjtNum*)calloc((size_t)(N * m->nv), sizeof(mjtNum));
  mjtNum* inertia = (mjtNum*)calloc(N * 3 * n, sizeof(mjtNum));
  for (int i = 0; i < 3; i++) {
    memcpy(inertia + (size_t)i * 3 * n, m->body_inertia, 3 * n * sizeof(mjtNum));
    memcpy(armature + i * m->nv, m->dof_armature, (size_t)m->nv * sizeof(mjtNum));
  }
  memcpy(inertia + 12 * n, m->body_inertia, 3 * n * sizeof(mjtNum));
  memcpy(armature + 4 * m->nv, m->dof_armature, (size_t)m->nv * sizeof(mjtNum));
  ct_batch_set(b, "body_mass", NULL, mass);
  ct_batch_set(b, "body_inertia", NULL, inertia);
  ct_batch_set(b, "dof_armature", NULL, armature);
  assert_int_equal(ct_batch_set_const(b, NULL), CT_BATCH_OK);
  if (ct_batch_failed(b)) {  // what mj_setConst has to say about it, and about nobody else
    assert_int_equal(ct_batch_failed(b), 1);
    assert_true(strstr(ct_batch_reason(b, 3), "environment 3") != NULL);
  }
  free(inertia);
  free(armature);
  free(mass);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void structure_does_not_vary(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, N, 1);
  static const char* const refused[] = {"body_parentid", "jnt_type", "geom_dataid", "sensor_dim",
                                        "eq_type",       "M_rownnz", "body_jntnum", "sensor_adr"};
  for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++) {
    expect_refusal(b, ct_batch_vary(b, refused[k]), CT_BATCH_BAD_ARGUMENT, "structure");
  }
  expect_refusal(b, ct_batch_vary(b, "names"), CT_BATCH_BAD_ARGUMENT, "is a text");
  expect_refusal(b, ct_batch_vary(b, "nbody"), CT_BATCH_BAD_ARGUMENT, "is a size");
  expect_refusal(b, ct_batch_vary(b, "qpos"), CT_BATCH_BAD_ARGUMENT, "not one of the model");
  expect_refusal(b, ct_batch_vary(b, "body_mas"), CT_BATCH_BAD_ARGUMENT, "body_mass");
  expect_refusal(b, ct_batch_keep(b, "body_mass"), CT_BATCH_BAD_ARGUMENT, "ct_batch_vary");
  ct_BatchView view;
  expect_refusal(b, ct_batch_view(b, "body_mass", &view), CT_BATCH_BAD_ARGUMENT, "ct_batch_vary");
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Shared fields can be read; all numbers can be made to vary.
static void every_number_of_the_model_can_vary(void** state) {
  (void)state;
  mjModel* m = recorded_model("workshop");
  ct_Batch* b = make_batch(m, 2, 2);
  disturb_batch(b);
  Loop loop = make_loop(m, 2);
  ct_BatchField field;
  int count = 0;
  for (int i = 0; ct_nth_batch_field(m, CT_PLACE_MODEL, i, &field); i++) {
    char why[300];
    if (!ct_field_may_vary(&field, why, sizeof(why))) continue;
    char name[100];
    snprintf(name, sizeof(name), "model.%s", field.name);
    if (ct_batch_vary(b, name)) fail_msg("%s", ct_batch_error(b));
    count++;
  }
  assert_true(count > 250);
  for (int t = 0; t < 10; t++) {
    control_batch(b, t);
    ct_batch_step(b, NULL, 1);
    step_loop(&loop, t, 1);
  }
  expect_same_bits(b, &loop, "everything varies, nothing differs");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// One environment of another kind: sleep needs more than a row, a timestep of zero is none.
static void impossible_variations_flag_their_environment(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  int flags[N] = {0, 0, mjENBL_SLEEP, 0, 0}, integrator[N];
  mjtNum timestep[N];
  for (int i = 0; i < N; i++) {
    flags[i] |= m->opt.enableflags;
    timestep[i] = i == 1 ? 0 : m->opt.timestep;
    integrator[i] = i == 3 ? 77 : m->opt.integrator;
  }
  ct_batch_set(b, "opt.enableflags", NULL, flags);
  ct_batch_set(b, "opt.timestep", NULL, timestep);
  ct_batch_set(b, "opt.integrator", NULL, integrator);
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  int status[N];
  ct_batch_get(b, "status", NULL, status);
  assert_int_equal(status[0], 0);
  assert_int_equal(status[1], CT_BAD_TIMESTEP);
  assert_int_equal(status[2], CT_BAD_MODEL);
  assert_int_equal(status[3], CT_BAD_MODEL);
  assert_int_equal(status[4], 0);
  assert_true(strstr(ct_batch_reason(b, 2), "own_data") != NULL);
  assert_true(strstr(ct_batch_reason(b, 3), "integrator 77") != NULL);
  for (int i = 0; i < N; i++) {
    if (!status[i]) ct_step(m, loop.d[i]);
  }
  expect_same_bits(b, &loop, "the others");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(varied_environments_have_the_bits_of_models_of_their_own),
      cmocka_unit_test(every_steppable_model_can_vary),
      cmocka_unit_test(constants_are_those_of_mj_setconst),
      cmocka_unit_test(mj_setconst_changes_no_other_field),
      cmocka_unit_test(gravity_compensation_varies),
      cmocka_unit_test(constants_that_cannot_be_are_reported),
      cmocka_unit_test(structure_does_not_vary),
      cmocka_unit_test(every_number_of_the_model_can_vary),
      cmocka_unit_test(impossible_variations_flag_their_environment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
