// R10.2: environments that step side by side have the bits of ct_step, in every number of their
// mjData, whatever the others of the four do.

#include "batch/side_by_side.h"

#include <corten/batch.h>
#include <corten/step.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "base/private.h"
#include "batch/environments.h"
#include "support/fail.h"
#include "support/models.h"

// Without sensors no other stage looks at what stays in words. The humanoid has some.
static mjModel* humanoid(bool sensors) {
  mjModel* m = recorded_model("humanoid");
  if (!sensors) m->opt.disableflags |= mjDSBL_SENSOR;
  return m;
}

#ifndef CT_FAST

typedef struct {  // four abreast, and the same four alone
  mjModel* m;
  mjData *d[CT_ABREAST], *alone[CT_ABREAST];
  ct_SideBySide* s;
} Four;

static Four make_four_with(mjModel* m, bool avx512) {
  Four f;
  f.m = m;
  for (int k = 0; k < CT_ABREAST; k++) {
    f.d[k] = mj_makeData(m);
    f.alone[k] = mj_makeData(m);
    disturb_environment(m, f.d[k], k);
    disturb_environment(m, f.alone[k], k);
  }
  f.s = ct_make_side_by_side(m, f.d[0], avx512);
  assert_non_null(f.s);
  return f;
}

static Four make_four(mjModel* m) {
  return make_four_with(m, ct_has_avx512());
}

static void free_four(Four* f) {
  for (int k = 0; k < CT_ABREAST; k++) {
    mj_deleteData(f->d[k]);
    mj_deleteData(f->alone[k]);
  }
  ct_delete_side_by_side(f->s);
  mj_deleteModel(f->m);
}

// Which of them fail is found on the way.
static void step_four(Four* f, int t, const bool go[CT_ABREAST], bool seen,
                      int status[CT_ABREAST]) {
  for (int k = 0; k < CT_ABREAST; k++) {
    choose_controls(f->m, f->d[k]->ctrl, k, t);
    choose_controls(f->m, f->alone[k]->ctrl, k, t);
  }
  ct_step_abreast(f->s, f->m, f->d, go, seen ? CT_SEE_ALL : 0, status);
  for (int k = 0; k < CT_ABREAST; k++) {
    if (!go[k]) continue;
    int alone = ct_step(f->m, f->alone[k]);
    if (status[k] != alone) {
      fail_msg("%s, step %d, environment %d: status %d, alone %d", f->m->names, t, k, status[k],
               alone);
    }
  }
}

static void expect_array(const Four* f, int k, int t, const ct_Field* field) {
  size_t bytes = ct_field_bytes(field, f->m, f->d[k]);
  const char* got = (const char*)ct_field_array(field, f->d[k]);
  const char* want = (const char*)ct_field_array(field, f->alone[k]);
  if (!bytes || !got || !want || !memcmp(got, want, bytes)) return;
  size_t at = 0;
  while (got[at] == want[at]) at++;
  at /= field->element;
  if (field->type != CT_TYPE_mjtNum) {
    fail_msg("%s, step %d, environment %d: element %zu of %s", f->m->names, t, k, at, field->name);
  }
  fail_msg("%s, step %d, environment %d: element %zu of %s is %.17g abreast and %.17g alone",
           f->m->names, t, k, at, field->name, (double)((const mjtNum*)got)[at],
           (double)((const mjtNum*)want)[at]);
}

static void expect_state(const Four* f, int k, int t) {
  int size = mj_stateSize(f->m, mjSTATE_INTEGRATION);
  mjtNum* rows = (mjtNum*)malloc(2 * (size_t)size * sizeof(mjtNum));
  mj_getState(f->m, f->d[k], rows, mjSTATE_INTEGRATION);
  mj_getState(f->m, f->alone[k], rows + size, mjSTATE_INTEGRATION);
  for (int i = 0; i < size; i++) {
    if (memcmp(rows + i, rows + size + i, sizeof(mjtNum)) != 0) {
      fail_msg(
          "%s, step %d, environment %d: number %d of the state is %.17g abreast and %.17g alone",
          f->m->names, t, k, i, (double)rows[i], (double)rows[size + i]);
    }
  }
  free(rows);
}

// Arrays in the arena that are always made.
static bool is_of_rows(const char* name) {
  return !strcmp(name, "efc_pos") || !strcmp(name, "efc_aref") || !strcmp(name, "efc_force") ||
         !strcmp(name, "efc_state");
}

// Of a step that was not made, nothing but the state.
static void expect_same(const Four* f, int t, const int status[CT_ABREAST], bool seen) {
  for (int k = 0; k < CT_ABREAST; k++) {
    expect_state(f, k, t);
    if (status[k] > 0 && (status[k] & CT_GRAVE)) continue;
    assert_int_equal(f->d[k]->ncon, f->alone[k]->ncon);
    assert_int_equal(f->d[k]->nefc, f->alone[k]->nefc);
    assert_int_equal(f->d[k]->maxuse_arena, f->alone[k]->maxuse_arena);
    assert_memory_equal(f->d[k]->energy, f->alone[k]->energy, sizeof(f->d[k]->energy));
    for (int i = 0; seen && i < ct_ndata_field; i++) expect_array(f, k, t, ct_data_fields + i);
    for (int i = 0; seen && i < ct_narena_field; i++) {
      if (is_of_rows(ct_arena_fields[i].name)) expect_array(f, k, t, ct_arena_fields + i);
    }
  }
}

static const bool all[CT_ABREAST] = {true, true, true, true};

// With AVX-512, where the processor has it, and without. Takes over the model.
static void walk(mjModel* m, int steps, bool seen) {
  int status[CT_ABREAST];
  for (int avx512 = 0; avx512 <= ct_has_avx512(); avx512++) {
    Four f = make_four_with(mj_copyModel(NULL, m), avx512);
    for (int t = 0; t < steps; t++) {
      step_four(&f, t, all, seen, status);
      expect_same(&f, t, status, seen);
    }
    free_four(&f);
  }
  mj_deleteModel(m);
}

static void every_model_has_its_bits(void** state) {
  (void)state;
  int walked = 0;
  for (int i = 0; steppable_model(i); i++) {
    mjModel* m = recorded_model(steppable_model(i));
    if (!ct_may_walk_abreast(m)) {
      mj_deleteModel(m);
      continue;
    }
    walked++;
    walk(m, 25, true);
    walk(recorded_model(steppable_model(i)), 25, false);
  }
  assert_true(walked > 40);
}

static void every_integrator_has_its_bits(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "tree_mixed", "tree_ball_chain", "drives",
                                      "equalities"};
  for (int k = 0; k < 5; k++) {
    for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
      mjModel* m = recorded_model(names[k]);
      m->opt.integrator = integrator;
      walk(mj_copyModel(NULL, m), 40, true);
      walk(m, 40, false);
    }
  }
}

static void options_have_their_bits(void** state) {
  (void)state;
  static const int flags[] = {mjDSBL_SPRING,    mjDSBL_DAMPER,    mjDSBL_SPRING | mjDSBL_DAMPER,
                              mjDSBL_GRAVITY,   mjDSBL_CLAMPCTRL, mjDSBL_ACTUATION,
                              mjDSBL_EULERDAMP, mjDSBL_CONTACT,   mjDSBL_CONSTRAINT,
                              mjDSBL_SENSOR};
  for (size_t k = 0; k < sizeof(flags) / sizeof(flags[0]); k++) {
    mjModel* m = recorded_model("humanoid");
    m->opt.disableflags |= flags[k];
    m->opt.enableflags |= k % 2 ? mjENBL_ENERGY : 0;
    m->opt.cone = k % 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    walk(mj_copyModel(NULL, m), 15, true);
    walk(mj_copyModel(NULL, m), 15, false);
    m->opt.disableflags |= mjDSBL_SENSOR;
    walk(m, 15, false);
  }
}

// Limits, gains and springs of joints, which march, and what keeps stages from marching.
static void change_model(mjModel* m, int what) {
  switch (what) {
    case 0:
      m->opt.density = 1000;
      break;
    case 1:
      m->opt.viscosity = 1;
      break;
    case 2:
      for (int k = 0; k < m->njnt; k++) {
        m->jnt_actfrclimited[k] = m->jnt_type[k] == mjJNT_HINGE;
        m->jnt_actfrcrange[2 * k] = -2;
        m->jnt_actfrcrange[2 * k + 1] = 3;
      }
      break;
    case 3:
      for (int k = 0; k < m->nu; k++) {
        m->actuator_forcelimited[k] = 1;
        m->actuator_forcerange[2 * k] = -3;
        m->actuator_forcerange[2 * k + 1] = 2;
      }
      break;
    case 4:
      for (int k = 0; k < m->nu; k++) {
        m->actuator_gaintype[k] = mjGAIN_AFFINE;
        m->actuator_biastype[k] = mjBIAS_AFFINE;
        m->actuator_gainprm[mjNGAIN * k + 1] = (mjtNum)1.5;
        m->actuator_biasprm[mjNBIAS * k + 2] = (mjtNum)-0.25;
      }
      break;
    case 5:
      for (int k = 0; k < m->njnt; k++) m->jnt_stiffness[k] = 7;  // of the free joint, too
      break;
    default:
      for (int k = 0; k < m->ntendon; k++) {  // wrapping ones cannot have it
        bool fixed = m->wrap_type[m->tendon_adr[k]] == mjWRAP_JOINT;
        m->tendon_armature[k] = fixed ? (mjtNum)0.1 : 0;
      }
  }
}

static void changed_models_have_their_bits(void** state) {
  (void)state;
  for (int what = 0; what < 7; what++) {
    mjModel* m = what < 6 ? humanoid(false) : recorded_model("tendons");
    change_model(m, what);
    assert_true(ct_may_walk_abreast(m));
    walk(mj_copyModel(NULL, m), 15, true);
    walk(m, 15, false);
  }
}

// What one of the four does is its own affair.
static void trouble_stays_with_its_environment(void** state) {
  (void)state;
  for (int integrator = mjINT_EULER; integrator <= mjINT_RK4; integrator++) {
    for (int where = 0; where < 2 * CT_ABREAST; where++) {
      mjModel* m = humanoid(where < CT_ABREAST);
      int status[CT_ABREAST];
      m->opt.integrator = integrator;
      Four f = make_four(m);
      for (int t = 0; t < 12; t++) {
        int k = where % CT_ABREAST;
        mjData* const both[2] = {f.d[k], f.alone[k]};
        for (int i = 0; i < 2; i++) {
          mjData* d = both[i];
          if (t == 2) d->xfrc_applied[6 * 3 + 1] = 10;
          if (t == 4) d->qfrc_applied[3] = -0.0;
          if (t == 6) d->qvel[5] = 1e4;
          if (t == 8) d->qpos[8] = NAN;
          if (t == 10) d->qpos[8] = (mjtNum)1e9;
        }
        step_four(&f, t, all, t % 2, status);
        if (t == 8) assert_int_equal(status[k], CT_BAD_QPOS);
        expect_same(&f, t, status, false);
      }
      free_four(&f);
    }
  }
}

// A control that is not sensible is taken for zero, in its environment.
static void bad_controls_stay_with_their_environment(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  m->opt.disableflags |= mjDSBL_CLAMPCTRL;
  int status[CT_ABREAST];
  Four f = make_four(m);
  for (int t = 0; t < 8; t++) {
    for (int k = 0; k < CT_ABREAST; k++) {
      choose_controls(m, f.d[k]->ctrl, k, t);
      if (k == t % 4) f.d[k]->ctrl[2] = t % 2 ? (mjtNum)NAN : (mjtNum)1e11;
      memcpy(f.alone[k]->ctrl, f.d[k]->ctrl, (size_t)m->nu * sizeof(mjtNum));
    }
    ct_step_abreast(f.s, m, f.d, all, 0, status);
    for (int k = 0; k < CT_ABREAST; k++) {
      assert_int_equal(status[k], ct_step(m, f.alone[k]));
      assert_int_equal(status[k], k == t % 4 ? CT_BAD_CONTROL : CT_OK);
      assert_int_equal(f.d[k]->warning[mjWARN_BADCTRL].number,
                       f.alone[k]->warning[mjWARN_BADCTRL].number);
      expect_state(&f, k, t);
    }
  }
  free_four(&f);
}

// Those that do not go stay where they are.
static void who_does_not_go_stays(void** state) {
  (void)state;
  int status[CT_ABREAST] = {-1, -1, -1, -1};
  Four f = make_four(recorded_model("humanoid"));
  for (int t = 0; t < 16; t++) {
    const bool go[CT_ABREAST] = {(t & 1) != 0, (t & 2) != 0, (t & 4) != 0, (t & 8) != 0};
    step_four(&f, t, go, false, status);
    expect_same(&f, t, status, false);
  }
  free_four(&f);
}

// With too little room a step is not made, for the same want and with the same bits.
static void want_of_room_is_the_same(void** state) {
  (void)state;
  int full = 0;
  for (int integrator = mjINT_EULER; integrator <= mjINT_RK4; integrator++) {
    for (int room = 1; room < 40; room++) {
      mjModel* m = recorded_model("humanoid");
      int status[CT_ABREAST];
      m->opt.integrator = integrator;
      m->narena = 2000 * room;
      Four f = make_four(m);
      for (int k = 0; k < CT_ABREAST; k++) {  // lower and lower
        f.d[k]->qpos[2] = f.alone[k]->qpos[2] = (mjtNum)1.3 - (mjtNum)k / 3;
      }
      for (int t = 0; t < 3; t++) {
        step_four(&f, t, all, false, status);
        for (int k = 0; k < CT_ABREAST; k++) {
          full += (status[k] & CT_ARENA_FULL) != 0;
          expect_state(&f, k, t);
          assert_int_equal(f.d[k]->pstack, f.alone[k]->pstack);
        }
      }
      free_four(&f);
    }
  }
  assert_true(full > 20);
}

#endif

// Batches

// Numbers that are no multiples of four, threads, substeps, masks.
static void batches_have_the_bits_of_loops(void** state) {
  (void)state;
  static const char* const names[] = {"humanoid", "tree_mixed", "workshop", "tendons"};
  for (int k = 0; k < 4; k++) {
    for (int threads = 1; threads <= 8; threads++) {
      mjModel* m = recorded_model(names[k]);
      if (k % 2) m->opt.integrator = mjINT_RK4;
      int n = 4 * threads + (threads + k) % 4, substeps = 1 + threads % 3;
      ct_Batch* b = make_batch(m, n, threads);
      Loop loop = make_loop(m, n);
      disturb_batch(b);
      for (int t = 0; t < 15; t++) {
        control_batch(b, t);
        assert_int_equal(ct_batch_step(b, NULL, substeps), CT_BATCH_OK);
        step_loop(&loop, t, substeps);
      }
      expect_same_bits(b, &loop, names[k]);
      free_loop(&loop);
      ct_batch_destroy(b);
      mj_deleteModel(m);
    }
  }
}

static void kept_fields_have_the_bits_of_loops(void** state) {
  (void)state;
  static const char* const fields[] = {"xpos",           "cinert",   "cvel",
                                       "qfrc_actuator",  "cam_xpos", "qM",
                                       "actuator_force", "cfrc_ext", "subtree_com"};
  for (size_t k = 0; k < 2 * sizeof(fields) / sizeof(fields[0]); k++) {
    const char* field = fields[k / 2];
    mjModel* m = humanoid(k % 2 != 0);
    ct_Batch* b = make_batch(m, 9, 2);
    Loop loop = make_loop(m, 9);
    disturb_batch(b);
    assert_int_equal(ct_batch_keep(b, field), CT_BATCH_OK);
    for (int t = 0; t < 10; t++) {
      control_batch(b, t);
      ct_batch_step(b, NULL, 2);
      step_loop(&loop, t, 2);
    }
    expect_same_field(b, &loop, field);
    expect_same_bits(b, &loop, field);
    free_loop(&loop);
    ct_batch_destroy(b);
    mj_deleteModel(m);
  }
}

static void push_by_velocity(const mjModel* m, mjData* d) {
  for (int k = 0; k < m->nv; k++) d->qfrc_passive[k] -= d->qvel[k];
}

// Between stages there is code of the user.
static void callbacks_are_called(void** state) {
  (void)state;
  mjModel* m = humanoid(false);
  ct_Batch* b = make_batch(m, 9, 2);
  Loop loop = make_loop(m, 9);
  disturb_batch(b);
  for (int t = 0; t < 10; t++) {
    mjcb_passive = t < 5 ? push_by_velocity : NULL;
    control_batch(b, t);
    ct_batch_step(b, NULL, 1);
    step_loop(&loop, t, 1);
  }
  expect_same_bits(b, &loop, "a callback");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void look_at_everything(const mjModel* m, mjData* d, int environment, void* argument,
                               ct_BatchOutcome* outcome) {
  (void)environment, (void)argument;
  outcome->reward = d->xpos[3 * m->nbody - 1] + d->cvel[6] + d->qfrc_actuator[m->nv - 1];
}

static void hooks_see_what_a_loop_sees(void** state) {
  (void)state;
  mjModel* m = humanoid(false);
  ct_Batch* b = make_batch(m, 9, 2);
  Loop loop = make_loop(m, 9);
  const ct_BatchHooks hooks = {look_at_everything, NULL, NULL};
  mjtNum reward[9];
  disturb_batch(b);
  assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
  for (int t = 0; t < 10; t++) {
    control_batch(b, t);
    ct_batch_step(b, NULL, 1);
    step_loop(&loop, t, 1);
  }
  assert_int_equal(ct_batch_get(b, "reward", NULL, reward), CT_BATCH_OK);
  for (int i = 0; i < 9; i++) {
    ct_BatchOutcome alone = {0, 0, 0};
    look_at_everything(m, loop.d[i], i, NULL, &alone);
    assert_memory_equal(&reward[i], &alone.reward, sizeof(mjtNum));
  }
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

#ifdef CT_FAST
// Bits of words would be others than those of numbers.
static void nobody_walks_abreast_in_the_fast_build(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  assert_false(ct_may_walk_abreast(m));
  mj_deleteModel(m);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
#ifdef CT_FAST
      cmocka_unit_test(nobody_walks_abreast_in_the_fast_build),
#else
      cmocka_unit_test(every_model_has_its_bits),
      cmocka_unit_test(every_integrator_has_its_bits),
      cmocka_unit_test(options_have_their_bits),
      cmocka_unit_test(changed_models_have_their_bits),
      cmocka_unit_test(trouble_stays_with_its_environment),
      cmocka_unit_test(bad_controls_stay_with_their_environment),
      cmocka_unit_test(who_does_not_go_stays),
      cmocka_unit_test(want_of_room_is_the_same),
#endif
      cmocka_unit_test(batches_have_the_bits_of_loops),
      cmocka_unit_test(kept_fields_have_the_bits_of_loops),
      cmocka_unit_test(callbacks_are_called),
      cmocka_unit_test(hooks_see_what_a_loop_sees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
