// R10.4, R10.5: rewards and ends of episodes; environments that fail are flagged, explained and
// reset on their next step, and the others do not notice. Bad arguments change nothing.

#include <corten/batch.h>
#include <corten/step.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

enum { N = 6 };

static ct_Batch* make_with(const mjModel* m, const ct_BatchOptions* options) {
  char error[500];
  ct_Batch* b = ct_batch_create(m, N, options, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  return b;
}

static mjtNum* row_of(ct_Batch* b, const char* field, int i) {
  ct_BatchView view;
  if (ct_batch_view(b, field, &view)) fail_msg("%s", ct_batch_error(b));
  return (mjtNum*)((char*)view.data + (size_t)i * view.stride);
}

static void get_status(ct_Batch* b, int status[N]) {
  assert_int_equal(ct_batch_get(b, "status", NULL, status), CT_BATCH_OK);
}

// The environments but one are those of the loop; that one is skipped.
static void expect_others_unharmed(ct_Batch* b, const Loop* loop, int but) {
  size_t size = (size_t)mj_stateSize(loop->m, mjSTATE_INTEGRATION), bytes = size * sizeof(mjtNum);
  mjtNum* got = (mjtNum*)malloc(N * bytes);
  mjtNum* want = (mjtNum*)malloc(bytes);
  ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, got);
  for (int i = 0; i < N; i++) {
    if (i == but) continue;
    mj_getState(loop->m, loop->d[i], want, mjSTATE_INTEGRATION);
    if (memcmp(got + (size_t)i * size, want, bytes)) fail_msg("environment %d was harmed", i);
  }
  free(got);
  free(want);
}

// Failures

// R10.5
static void a_bad_state_is_flagged_and_reset_on_the_next_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  for (options.threads = 1; options.threads <= 3; options.threads++) {
    for (options.own_data = 0; options.own_data < 2; options.own_data++) {
      ct_Batch* b = make_with(m, &options);
      Loop loop = make_loop(m, N);
      disturb_batch(b);
      int status[N];
      for (int t = 0; t < 12; t++) {
        control_batch(b, t);
        if (t == 5) row_of(b, "qvel", 3)[2] = (mjtNum)NAN;
        assert_int_equal(ct_batch_step(b, NULL, 2), CT_BATCH_OK);
        step_loop(&loop, t, 2);
        get_status(b, status);
        for (int i = 0; i < N; i++) assert_int_equal(status[i], i == 3 && t == 5 ? CT_BAD_QVEL : 0);
        assert_int_equal(ct_batch_failed(b), t == 5);
        assert_int_equal(strstr(ct_batch_reason(b, 3), "environment 3: bad qvel") != NULL, t == 5);
        if (t == 5) assert_true(isnan((double)row_of(b, "qvel", 3)[2]));
        if (t == 6) assert_true(row_of(b, "time", 3)[0] == 2 * m->opt.timestep);
        expect_others_unharmed(b, &loop, 3);
      }
      ct_BatchCounts counts;
      assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
      assert_int_equal(counts.resets, 1);
      assert_int_equal(counts.raised[2], 1);
      assert_int_equal(counts.steps, 12 * 2 * N - 2);
      assert_int_equal(counts.arena_needed, 0);
      assert_true(counts.arena_used > 0 && counts.arena_used <= counts.arena);
      free_loop(&loop);
      ct_batch_destroy(b);
    }
  }
  mj_deleteModel(m);
}

static void without_automatic_reset_the_bad_state_stays(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  ct_Batch* b = make_with(m, &options);
  row_of(b, "qpos", 1)[4] = (mjtNum)1e11;
  ct_batch_step(b, NULL, 1);
  ct_batch_step(b, NULL, 1);
  int status[N];
  get_status(b, status);
  assert_int_equal(status[1], CT_BAD_QPOS);
  assert_true(row_of(b, "qpos", 1)[4] == (mjtNum)1e11);
  row_of(b, "qpos", 1)[4] = 0;  // repaired
  ct_batch_step(b, NULL, 1);
  assert_int_equal(ct_batch_failed(b), 0);
  assert_true(row_of(b, "time", 1)[0] == m->opt.timestep);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// As in ct_step: taken for zero, counted and said in the status; not a failure.
static void a_bad_control_is_counted_in_its_environment_only(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  for (int t = 0; t < 8; t++) {
    control_batch(b, t);
    row_of(b, "ctrl", 4)[1] = (mjtNum)NAN;
    for (int i = 0; i < N; i++) choose_controls(m, loop.d[i]->ctrl, i, t);
    loop.d[4]->ctrl[1] = (mjtNum)NAN;
    for (int i = 0; i < N; i++) ct_step(m, loop.d[i]);
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  }
  expect_others_unharmed(b, &loop, -1);
  int warning[N][mjNWARNING][2];
  assert_int_equal(ct_batch_get(b, "warning", NULL, warning), CT_BATCH_OK);
  for (int i = 0; i < N; i++) assert_int_equal(warning[i][mjWARN_BADCTRL][1], i == 4 ? 8 : 0);
  assert_int_equal(ct_batch_failed(b), 0);
  int status[N];
  ct_BatchCounts counts;
  assert_int_equal(ct_batch_get(b, "status", NULL, status), CT_BATCH_OK);
  assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
  for (int i = 0; i < N; i++) assert_int_equal(status[i], i == 4 ? CT_BAD_CONTROL : CT_OK);
  for (int i = 0; i < CT_NSTATUS; i++) {
    assert_int_equal(counts.raised[i], 1 << i == CT_BAD_CONTROL ? 8 : 0);
  }
  assert_int_equal(ct_status(loop.d[4]), CT_BAD_CONTROL);
  assert_false(ct_status_is_failure(CT_BAD_CONTROL));
  assert_string_equal(ct_batch_reason(b, 4), "");

  assert_true(m->actuator_ctrllimited[1]);
  row_of(b, "ctrl", 4)[1] = (mjtNum)1e12;  // the next call forgets it, and clamps before it looks
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(b, "status", NULL, status), CT_BATCH_OK);
  assert_int_equal(status[4], CT_OK);
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// What a forward pass finds is added to the status; what the status had was counted before.
static void a_forward_pass_counts_what_is_new_only(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  ct_Batch* b = make_with(m, &options);
  row_of(b, "qvel", 1)[2] = (mjtNum)NAN;
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  int status[N];
  for (int t = 0; t < 2; t++) {
    assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_ACC), CT_BATCH_OK);
    ct_BatchCounts counts;
    assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
    get_status(b, status);
    assert_true((status[1] & CT_BAD_QVEL) && (status[1] & CT_BAD_QACC));
    for (int i = 0; i < CT_NSTATUS; i++) {
      assert_int_equal(counts.raised[i], (status[1] & (1 << i)) != 0);
    }
  }
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// The pose of one that has fallen.
static void lie_down(const mjModel* m, mjtNum* qpos) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 600; i++) mj_step(m, d);
  assert_true(d->ncon > 3);
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_deleteData(d);
}

// Every other one lies; between them they fly.
static void lay_every_other(ct_Batch* b, const mjtNum* lying) {
  for (int i = 0; i < N; i++) {
    mjtNum* qpos = row_of(b, "qpos", i);
    if (i % 2) {
      qpos[2] = 10;
    } else {
      memcpy(qpos, lying, (size_t)ct_batch_model(b)->nq * sizeof(mjtNum));
    }
  }
}

static const char* const counted[] = {"ncon",         "nefc",       "nl",           "nisland",
                                      "solver_niter", "solver_nnz", "solver_fwdinv"};
enum { NCOUNTED = sizeof(counted) / sizeof(counted[0]) };

static void expect_own_counts(ct_Batch* b, const Loop* loop) {
  for (int k = 0; k < NCOUNTED; k++) expect_same_field(b, loop, counted[k]);
}

// R10.2: a thread goes from one environment to the next, and what it counted stays with whom it was
// counted for: if a step fails before there is anything to count, and where nothing is to be
// counted.
static void counts_are_the_environments_own_where_nothing_was_counted(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjtNum* lying = (mjtNum*)malloc((size_t)m->nq * sizeof(mjtNum));
  lie_down(m, lying);
  mjModel* compares = mj_copyModel(NULL, m);
  compares->opt.enableflags |= mjENBL_FWDINV;
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  options.threads = 1;
  for (options.own_data = 0; options.own_data < 2; options.own_data++) {
    ct_Batch* b = make_with(m, &options);
    Loop loop = make_loop(m, N);
    for (int k = 0; k < NCOUNTED; k++) assert_int_equal(ct_batch_keep(b, counted[k]), 0);
    int flags[N];
    for (int i = 0; i < N; i++) flags[i] = (i % 4 ? m : compares)->opt.enableflags;
    assert_int_equal(ct_batch_set(b, "opt.enableflags", NULL, flags), CT_BATCH_OK);
    disturb_batch(b);
    lay_every_other(b, lying);
    for (int i = 0; i < N; i++) {
      mj_setState(m, loop.d[i], row_of(b, "qpos", i), mjSTATE_QPOS);
    }
    for (int t = 0; t < 4; t++) {
      for (int i = 0; t == 2 && i < N; i++) {  // bad ones before good ones, and behind them
        if (i % 3 == 2) continue;
        row_of(b, "qpos", i)[4] = loop.d[i]->qpos[4] = (mjtNum)1e12;
      }
      control_batch(b, t);
      assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
      for (int i = 0; i < N; i++) {
        choose_controls(m, loop.d[i]->ctrl, i, t);
        ct_step(i % 4 ? m : compares, loop.d[i]);
      }
      assert_int_equal(ct_batch_failed(b), t < 2 ? 0 : 4);
      expect_own_counts(b, &loop);
    }
    int of_4 = loop.d[4]->ncon;
    assert_true(of_4 > 0);
    for (int i = 0; i < N; i++) {  // positions only: nobody solves anything
      loop.d[i]->qpos[4] = row_of(b, "qpos", i)[4] = 1;
      mj_fwdPosition(m, loop.d[i]);
    }
    assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_POS), CT_BATCH_OK);
    expect_own_counts(b, &loop);
    mjData* taken =
        mj_makeData(m);  // what the solver did comes with an environment, contacts do not
    assert_int_equal(ct_batch_get_data(b, 4, NULL, taken), CT_BATCH_OK);
    assert_int_equal(ct_batch_set_data(b, 1, taken), CT_BATCH_OK);
    int nnz[N][mjNISLAND];
    assert_int_equal(ct_batch_get(b, "solver_nnz", NULL, nnz), CT_BATCH_OK);
    assert_true(nnz[4][0] > 0);
    assert_memory_equal(nnz[1], nnz[4], sizeof(nnz[1]));
    mj_deleteData(taken);
    free_loop(&loop);
    ct_batch_destroy(b);
  }
  free(lying);
  mj_deleteModel(compares);
  mj_deleteModel(m);
}

// Fails in some, at once, in the second of two substeps, for want of room; the rest goes on. Every
// one keeps what ct_step leaves of it, which for bad states is what was there before.
static void what_a_failed_step_does_not_get_to_stays(void** state) {
  (void)state;
  static const char* const fields[] = {
      "xpos", "cvel", "qacc", "qfrc_passive", "qfrc_bias", "qfrc_actuator", "ncon", "nefc", "M"};
  mjModel* m = recorded_model("humanoid");
  mjtNum* lying = (mjtNum*)malloc((size_t)m->nq * sizeof(mjtNum));
  lie_down(m, lying);
  m->narena = sizeof(mjtNum) == sizeof(double) ? 60000 : 40000;  // enough to fly
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  for (options.threads = 1; options.threads < 3; options.threads++) {
    ct_Batch* b = make_with(m, &options);
    Loop loop = make_loop(m, N);
    for (int k = 0; k < 9; k++) assert_int_equal(ct_batch_keep(b, fields[k]), CT_BATCH_OK);
    disturb_batch(b);
    for (int i = 0; i < N; i++) row_of(b, "qpos", i)[2] = loop.d[i]->qpos[2] = 10;
    for (int t = 0; t < 6; t++) {
      control_batch(b, t);
      if (t == 2) row_of(b, "qvel", 1)[3] = loop.d[1]->qvel[3] = (mjtNum)NAN;
      if (t == 3) row_of(b, "qpos", 0)[0] = loop.d[0]->qpos[0] = (mjtNum)9.99e9;
      if (t == 3) row_of(b, "qvel", 0)[0] = loop.d[0]->qvel[0] = (mjtNum)9e9;
      if (t == 4) {
        memcpy(row_of(b, "qpos", 2), lying, (size_t)m->nq * sizeof(mjtNum));
        memcpy(loop.d[2]->qpos, lying, (size_t)m->nq * sizeof(mjtNum));
      }
      assert_int_equal(ct_batch_step(b, NULL, 2), CT_BATCH_OK);
      for (int i = 0; i < N; i++) {
        choose_controls(m, loop.d[i]->ctrl, i, t);
        if (!ct_status_is_failure(ct_step(m, loop.d[i]))) ct_step(m, loop.d[i]);
      }
      for (int k = 0; k < 9; k++) expect_same_field(b, &loop, fields[k]);
      for (int i = 0; i < N; i++) {
        size_t row = (size_t)m->nq * sizeof(mjtNum);
        assert_memory_equal(row_of(b, "qpos", i), loop.d[i]->qpos, row);
      }
      assert_int_equal(ct_batch_failed(b), t < 2 ? 0 : t == 2 ? 1 : t == 3 ? 2 : 3);
    }
    free_loop(&loop);
    ct_batch_destroy(b);
  }
  free(lying);
  mj_deleteModel(m);
}

// Boxes above a plane, of which an environment sets some down. Each feels what it touches.
static mjModel* load_boxes(int count) {
  enum { ROOM = 20000 };
  char *xml = (char*)malloc(ROOM), *at = xml, error[300];
  at += sprintf(at, "<mujoco><worldbody><geom type='plane' size='9 9 1'/>");
  for (int i = 0; i < count; i++) {
    at += sprintf(at,
                  "<body pos='%d 0 5'><freejoint/><geom type='box' size='.1 .1 .1'/>"
                  "<site name='s%d' type='box' size='.2 .2 .2'/></body>",
                  i, i);
  }
  at += sprintf(at, "</worldbody><sensor>");
  for (int i = 0; i < count; i++) at += sprintf(at, "<touch site='s%d'/>", i);
  sprintf(at, "</sensor></mujoco>");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "boxes.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("boxes.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  free(xml);
  if (!m) fail_msg("%s", error);
  return m;
}

// What an environment keeps besides its state, as one forward pass leaves it. In every other one
// two of four boxes are down.
static char* kept_after_forward(const mjModel* m, mjtSize arena, int threads, int own,
                                size_t* bytes) {
  static const char* const fields[] = {"sensordata", "qacc", "qfrc_constraint",
                                       "ncon",       "nefc", "status"};
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = threads;
  options.arena = arena;
  options.own_data = own;
  ct_Batch* b = make_with(m, &options);
  *bytes = 0;
  for (int k = 0; k < 6; k++) {
    assert_int_equal(ct_batch_keep(b, fields[k]), CT_BATCH_OK);
    *bytes += N * (size_t)ct_batch_field_size(b, fields[k], NULL) * sizeof(mjtNum);
  }
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 2 && i % 2; k++) {
      row_of(b, "qpos", i)[7 * k + 2] = (mjtNum)0.099 - (mjtNum)i / 1000;
    }
  }
  assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_ACC), CT_BATCH_OK);
  char *all = (char*)calloc(*bytes, 1), *at = all;
  for (int k = 0; k < 6; k++) {
    assert_int_equal(ct_batch_get(b, fields[k], NULL, at), CT_BATCH_OK);
    at += N * (size_t)ct_batch_field_size(b, fields[k], NULL) * sizeof(mjtNum);
  }
  ct_batch_destroy(b);
  return all;
}

// A forward pass goes on without contacts, rows or islands that found no room. Touch sensors read
// forces of contacts, and no others than those of their own environment.
static void forward_passes_without_room_do_not_depend_on_threads(void** state) {
  (void)state;
  mjModel* m = load_boxes(4);
  for (mjtSize arena = 4096; arena < 40000; arena += 512) {
    size_t bytes;
    char* one = kept_after_forward(m, arena, 1, 0, &bytes);
    for (int k = 1; k < 6; k++) {
      char* other = kept_after_forward(m, arena, 1 + k % 3, k / 3, &bytes);
      if (memcmp(one, other, bytes)) {
        fail_msg("%d threads, arena of %lld bytes", 1 + k % 3, (long long)arena);
      }
      free(other);
    }
    free(one);
  }
  mj_deleteModel(m);
}

// An arena for robots in flight, which use so much. Limbs that are close to each other want room
// for all contacts that a pair can have, which is then not used.
static mjtSize enough_to_fly(mjtSize used) {
  mjtSize pair = mjMAXCONPAIR * (mjtSize)sizeof(mjContact);
  return ((used > pair ? used : pair) / 64 + 128) * 64;
}

// Environment 2 lies on the ground with all limbs, and its contacts find no room; the others fly.
static void an_arena_too_small_in_one_says_how_much_would_do(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 600; i++) mj_step(m, d);
  assert_true(d->ncon > 3);
  size_t bytes = (size_t)m->nq * sizeof(mjtNum);
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = 2;
  for (options.own_data = 0; options.own_data < 2; options.own_data++) {
    ct_Batch* large = make_with(m, &options);
    for (int i = 0; i < N; i++) row_of(large, "qpos", i)[2] = 10;
    ct_batch_step(large, NULL, 3);
    ct_BatchCounts counts;
    ct_batch_counts(large, &counts);
    ct_batch_destroy(large);
    assert_int_equal(counts.most_contacts, 0);

    options.arena = enough_to_fly(counts.arena_used);
    ct_Batch* b = make_with(m, &options);
    for (int i = 0; i < N; i++) row_of(b, "qpos", i)[2] = 10;
    memcpy(row_of(b, "qpos", 2), d->qpos, bytes);
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    int status[N];
    get_status(b, status);
    for (int i = 0; i < N; i++) assert_int_equal(status[i], i == 2 ? CT_ARENA_FULL : 0);
    assert_memory_equal(row_of(b, "qpos", 2), d->qpos, bytes);
    assert_true(strstr(ct_batch_reason(b, 2), "arena full") != NULL);
    assert_true(strstr(ct_batch_reason(b, 2), "options.arena") != NULL);
    ct_batch_counts(b, &counts);
    assert_int_equal(counts.raised[8], 1);
    assert_true(counts.arena_needed > counts.arena);
    ct_batch_destroy(b);

    options.arena = counts.arena_needed;
    b = make_with(m, &options);
    for (int i = 0; i < N; i++) row_of(b, "qpos", i)[2] = 10;
    memcpy(row_of(b, "qpos", 2), d->qpos, bytes);
    ct_batch_step(b, NULL, 1);
    assert_int_equal(ct_batch_failed(b), 0);
    ct_batch_destroy(b);
    options.arena = 0;
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Sets down more boxes in environments 5, 9, and 15 than in others, and steps once.
static ct_Batch* step_with_boxes_down(const mjModel* m, int n, mjtSize arena) {
  char error[300];
  ct_BatchOptions options = ct_default_batch_options();
  options.arena = arena;
  options.threads = 2;
  ct_Batch* b = ct_batch_create(m, n, &options, error, sizeof(error));
  if (!b) fail_msg("%s", error);
  for (int i = 0; i < n; i++) {
    int down = i == 5 ? 9 : i == 9 ? 13 : i == 15 ? 20 : 6;
    for (int k = 0; k < down; k++) row_of(b, "qpos", i)[7 * k + 2] = (mjtNum)0.099;
  }
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  return b;
}

// R10.5: whoever needs most, among however many.
static void the_arena_called_needed_suffices_for_all_that_failed(void** state) {
  (void)state;
  enum { MANY = 16 };
  mjModel* m = load_boxes(20);
  ct_BatchCounts counts;
  ct_Batch* b = step_with_boxes_down(m, MANY, 20000);
  assert_int_equal(ct_batch_failed(b), MANY);
  assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
  ct_batch_destroy(b);

  b = step_with_boxes_down(m, MANY, counts.arena_needed);
  assert_int_equal(ct_batch_failed(b), 0);
  ct_BatchCounts then;
  assert_int_equal(ct_batch_counts(b, &then), CT_BATCH_OK);
  assert_int_equal(then.arena_needed, 0);
  assert_true(then.arena_used > counts.arena_needed * 3 / 4);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void begin_high(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)argument;
  d->qpos[2] = 5 + environment;
}

// All at once: environment 0 is fed NaN, 1 has contacts that its arena has no room for, 2 is left
// out for a while, 3 has its own gravity. 4 and 5 are as ever.
static void trouble_in_some(const mjModel* m, const mjModel* heavy, const mjtNum* lying,
                            mjtSize arena, int threads) {
  ct_BatchOptions options = ct_default_batch_options();
  options.threads = threads;
  options.arena = arena;
  ct_Batch* b = make_with(m, &options);
  Loop loop = make_loop((mjModel*)(uintptr_t)m, N);
  const ct_BatchHooks hooks = {NULL, begin_high, NULL};
  ct_batch_set_hooks(b, &hooks);
  disturb_batch(b);
  mjtNum gravity[3 * N];
  for (int i = 0; i < N; i++) {
    row_of(b, "qpos", i)[2] = loop.d[i]->qpos[2] = 10;
    memcpy(gravity + 3 * i, i == 3 ? heavy->opt.gravity : m->opt.gravity, 3 * sizeof(mjtNum));
  }
  memcpy(row_of(b, "qpos", 1), lying, (size_t)m->nq * sizeof(mjtNum));
  assert_int_equal(ct_batch_set(b, "opt.gravity", NULL, gravity), CT_BATCH_OK);
  for (int t = 0; t < 14; t++) {
    bool away = t >= 4 && t < 9;
    mjtByte mask[N] = {1, 1, !away, 1, 1, 1};
    control_batch(b, t);
    if (t == 3) row_of(b, "qvel", 0)[5] = (mjtNum)NAN;
    assert_int_equal(ct_batch_step(b, mask, 2), CT_BATCH_OK);
    for (int i = 2; i < N; i++) {
      choose_controls(m, loop.d[i]->ctrl, i, t);
      for (int k = 0; k < 2 && mask[i]; k++) ct_step(i == 3 ? heavy : m, loop.d[i]);
    }
    int status[N];
    get_status(b, status);
    assert_int_equal(status[0], t == 3 ? CT_BAD_QVEL : 0);
    assert_int_equal(status[1], t == 0 ? CT_ARENA_FULL : 0);
    for (int i = 2; i < N; i++) assert_int_equal(status[i], 0);
  }
  size_t bytes = (size_t)(m->nq + m->nv) * sizeof(mjtNum);
  for (int i = 2; i < N; i++) {
    mjtNum want[200];
    mj_getState(m, loop.d[i], want, mjSTATE_QPOS | mjSTATE_QVEL);
    assert_memory_equal(row_of(b, "qpos", i), want, bytes);
  }
  ct_BatchCounts counts;
  ct_batch_counts(b, &counts);
  assert_int_equal(counts.resets, 2);
  free_loop(&loop);
  ct_batch_destroy(b);
}

// R10.5
static void trouble_in_some_leaves_the_others_alone(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *heavy = mj_copyModel(NULL, m);
  heavy->opt.gravity[2] = -20;
  mjData *lying = mj_makeData(m), *flying = mj_makeData(m);
  for (int i = 0; i < 600; i++) mj_step(m, lying);
  flying->qpos[2] = 10;
  for (int i = 0; i < 30; i++) mj_step(m, flying);
  mjtSize arena = enough_to_fly(flying->maxuse_arena);
  for (int threads = 1; threads <= 4; threads++) {
    trouble_in_some(m, heavy, lying->qpos, arena, threads);
  }
  mj_deleteData(lying);
  mj_deleteData(flying);
  mj_deleteModel(heavy);
  mj_deleteModel(m);
}

static void stop_in_2(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d;
  if (environment == *(int*)argument) mju_error("stop %d", environment);
}

// Functions of the user may raise errors; handlers of the process do not hear them.
static void errors_of_functions_flag_their_environment(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  int which = 2;
  assert_int_equal(ct_batch_apply(b, NULL, stop_in_2, &which, 1), CT_BATCH_OK);
  assert_int_equal(count_errors(), 0);
  assert_int_equal(ct_batch_failed(b), 1);
  assert_string_equal(ct_batch_reason(b, 2), "environment 2: bad model: stop 2");
  expect_others_unharmed(b, &loop, -1);
  const ct_BatchHooks hooks = {NULL, stop_in_2, &which};
  assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
  assert_int_equal(ct_batch_reset(b, NULL), CT_BATCH_OK);
  assert_int_equal(ct_batch_failed(b), 1);
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void stop_the_outcome(const mjModel* m, mjData* d, int environment, void* argument,
                             ct_BatchOutcome* outcome) {
  (void)m, (void)d, (void)outcome;
  if (environment == *(int*)argument) mju_error("no outcome of %d", environment);
}

// A step whose outcome cannot be told was not made.
static void a_failed_outcome_counts_no_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  ct_Batch* b = make_with(m, &options);
  int which = 1, steps[N];
  const ct_BatchHooks hooks = {stop_the_outcome, NULL, &which};
  ct_BatchCounts counts;
  assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
  for (int t = 0; t < 3; t++) assert_int_equal(ct_batch_step(b, NULL, 2), CT_BATCH_OK);
  assert_int_equal(ct_batch_get(b, "steps", NULL, steps), CT_BATCH_OK);
  for (int i = 0; i < N; i++) assert_int_equal(steps[i], i == 1 ? 0 : 3);
  assert_true(row_of(b, "time", 1)[0] == 0);
  assert_int_equal(ct_batch_counts(b, &counts), CT_BATCH_OK);
  assert_int_equal(counts.steps, 3 * 2 * (N - 1));
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void stop_every_other(const mjModel* m, mjData* d, int environment, void* argument,
                             ct_BatchOutcome* outcome) {
  (void)m, (void)d, (void)outcome;
  int call = ((int*)argument)[environment]++;
  if (call % 2 == 0) mju_error("step %d does not count", call);
}

// What has been undone goes on as if it had not been tried: who sleeps, and who is about to.
static void a_step_that_a_hook_undoes_puts_nobody_to_sleep(void** state) {
  (void)state;
  mjModel* m = recorded_model("sleepers");
  m->opt.enableflags |= mjENBL_SLEEP;  // recorded models have default options in single precision
  for (int threads = 1; threads < 3; threads++) {
    ct_Batch* b = make_batch(m, N, threads);
    Loop loop = make_loop(m, N);
    int calls[N] = {0}, slept = 0;
    const ct_BatchHooks hooks = {stop_every_other, NULL, calls};
    assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
    for (int i = 0; i < N; i++) {  // pushed, and left alone
      mj_resetData(m, loop.d[i]);
      for (int k = 0; k < m->nv; k++) {
        row_of(b, "qvel", i)[k] = loop.d[i]->qvel[k] = (mjtNum)((i * 13 + k * 7) % 23 - 11) / 50;
      }
    }
    for (int t = 0; t < 1500; t++) {
      for (int i = 0; i < N; i++) ct_step(m, loop.d[i]);
      for (int again = 0; again < 2; again++) {
        assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
        assert_int_equal(ct_batch_failed(b), again ? 0 : N);
      }
      for (int k = 0; k < m->ntree; k++) slept += loop.d[t % N]->tree_asleep[k] >= 0;
      if (t % 10 == 0) expect_same_bits(b, &loop, "sleepers");
      if (t % 10 == 0) expect_same_field(b, &loop, "tree_asleep");
      if (t % 10 == 0) expect_same_field(b, &loop, "body_awake");
    }
    assert_true(slept > 0);
    free_loop(&loop);
    ct_batch_destroy(b);
  }
  mj_deleteModel(m);
}

// A view of integers is to be read only, which not every language can see to.
static void who_sleeps_with_nobody_is_flagged(void** state) {
  (void)state;
  static const int garbage[] = {INT_MAX, 1 << 20, -7, INT_MIN};
  mjModel* m = recorded_model("sleepers");
  m->opt.enableflags |= mjENBL_SLEEP;  // recorded models have default options in single precision
  mjData* d = mj_makeData(m);
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = 0;
  ct_Batch *b = make_with(m, &options), *untouched = make_with(m, &options);
  size_t nq = (size_t)m->nq * sizeof(mjtNum);
  static const char* const lists[] = {"tree_awake", "body_awake", "body_awake_ind",
                                      "parent_awake_ind", "dof_awake_ind"};
  for (int k = 0; k < 5; k++) assert_int_equal(ct_batch_keep(b, lists[k]), CT_BATCH_OK);
  for (int t = 0; t < 800; t++) {
    int status[N], *asleep = (int*)(void*)row_of(b, "tree_asleep", 2);
    bool bad = t % 5 == 1, other = t % 5 == 3;  // no tree's; another countdown, which is allowed
    for (int k = 0; (bad || other) && k < m->ntree; k++) asleep[k] = garbage[other ? 2 : k % 4];
    for (int k = 0; k < 5; k++) {  // nobody reads them
      int* list = (int*)(void*)row_of(b, lists[k], 4);
      for (int j = 0; j < ct_batch_field_size(b, lists[k], NULL); j++) list[j] = garbage[j % 4];
    }
    if (bad && t % 10 == 1) {  // also those who do not step
      assert_int_equal(ct_batch_forward(b, NULL, mjSTAGE_ACC), CT_BATCH_OK);
      assert_int_equal(ct_batch_failed(b), 1);
      assert_int_equal(ct_batch_get_data(b, 2, NULL, d), CT_BATCH_OK);
      for (int k = 0; k < m->ntree; k++) assert_true(d->tree_asleep[k] < m->ntree);
    }
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    assert_int_equal(ct_batch_step(untouched, NULL, 1), CT_BATCH_OK);
    get_status(b, status);
    for (int i = 0; i < N; i++) assert_true(!(status[i] & CT_BAD_MODEL) == !(bad && i == 2));
    if (bad) assert_non_null(strstr(ct_batch_reason(b, 2), "no tree 2147483647 to sleep with"));
    asleep = (int*)(void*)row_of(b, "tree_asleep", 2);
    for (int k = 0; k < m->ntree; k++) assert_true(asleep[k] < m->ntree);
    assert_memory_equal(row_of(b, "qpos", 3), row_of(untouched, "qpos", 3), nq);
    assert_memory_equal(row_of(b, "qpos", 4), row_of(untouched, "qpos", 4), nq);
  }
  mj_deleteData(d);
  ct_batch_destroy(b);
  ct_batch_destroy(untouched);
  mj_deleteModel(m);
}

typedef struct {
  int start, outcome;  // the environment whose hook fails; -1: none
} Stops;

static void stop_start(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d;
  if (environment == ((Stops*)argument)->start) mju_error("no start of %d", environment);
}

static void stop_outcome(const mjModel* m, mjData* d, int environment, void* argument,
                         ct_BatchOutcome* outcome) {
  (void)m, (void)d;
  if (environment == ((Stops*)argument)->outcome) mju_error("no outcome of %d", environment);
  outcome->reward = 1;
}

enum { NRECORDED = 7, STEPS = 6 };
static const char* const recorded[NRECORDED] = {"status", "reward", "steps",  "sensordata",
                                                "ncon",   "xpos",   "warning"};

typedef struct {  // what came of STEPS steps
  mjtNum* state;
  char* field[NRECORDED];
  size_t bytes[NRECORDED];  // of a row
} Story;

static Story make_story(ct_Batch* b) {
  static const size_t element[] = {sizeof(mjtNum), sizeof(float), sizeof(int), 1, sizeof(mjtSize)};
  Story s;
  size_t nstate = (size_t)mj_stateSize(ct_batch_model(b), mjSTATE_INTEGRATION);
  s.state = (mjtNum*)calloc(N * STEPS * nstate, sizeof(mjtNum));
  for (int k = 0; k < NRECORDED; k++) {
    int type, size = ct_batch_field_size(b, recorded[k], &type);
    s.bytes[k] = (size_t)size * element[type];
    s.field[k] = (char*)calloc(N * STEPS, s.bytes[k] + 1);
  }
  return s;
}

static void free_story(Story* s) {
  free(s->state);
  for (int k = 0; k < NRECORDED; k++) free(s->field[k]);
}

// The same steps in one call, and with controls in, a step and everything out for each.
static void tell(ct_Batch* b, bool at_once, Story* s) {
  const mjModel* m = ct_batch_model(b);
  size_t nu = (size_t)m->nu, nstate = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* control = (mjtNum*)calloc(STEPS * N * nu, sizeof(mjtNum));
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++) choose_controls(m, control + (size_t)(t * N + i) * nu, i, t);
  }
  ct_BatchRecord record[NRECORDED + 1] = {{NULL, mjSTATE_INTEGRATION, s->state}};
  for (int k = 0; k < NRECORDED; k++) {
    const ct_BatchRecord one = {recorded[k], 0, s->field[k]};
    record[k + 1] = one;
    assert_int_equal(ct_batch_keep(b, recorded[k]), CT_BATCH_OK);
  }
  const ct_Rollout rollout = {STEPS, 2, control, 0, 1, record, NRECORDED + 1};
  if (at_once && ct_batch_rollout(b, NULL, &rollout)) fail_msg("%s", ct_batch_error(b));
  for (int t = 0; !at_once && t < STEPS; t++) {
    assert_int_equal(ct_batch_set(b, "ctrl", NULL, control + (size_t)(t * N) * nu), CT_BATCH_OK);
    assert_int_equal(ct_batch_step(b, NULL, 2), CT_BATCH_OK);
    ct_batch_get_state(b, mjSTATE_INTEGRATION, NULL, s->state + (size_t)(t * N) * nstate);
    for (int k = 0; k < NRECORDED; k++) {
      ct_batch_get(b, recorded[k], NULL, s->field[k] + (size_t)(t * N) * s->bytes[k]);
    }
  }
  free(control);
}

static void expect_same_story(const mjModel* m, const Story* a, const Story* b, const char* what) {
  size_t nstate = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  for (size_t i = 0; i < N * STEPS; i++) {
    const char* differs =
        memcmp(a->state + i * nstate, b->state + i * nstate, nstate * sizeof(mjtNum)) ? "the state"
                                                                                      : NULL;
    for (int k = 0; k < NRECORDED; k++) {
      if (memcmp(a->field[k] + i * a->bytes[k], b->field[k] + i * a->bytes[k], a->bytes[k])) {
        differs = recorded[k];
      }
    }
    if (differs) fail_msg("%s: step %zu, environment %zu: %s", what, i / N, i % N, differs);
  }
}

// Records of environments that fail, too: by NaN, for want of room, by hooks, by a flag that this
// batch cannot have.
static void rollouts_are_as_many_steps_whatever_fails(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjtNum* lying = (mjtNum*)malloc((size_t)m->nq * sizeof(mjtNum));
  lie_down(m, lying);
  for (int k = 0; k < 8; k++) {
    Story story[2];
    for (int at_once = 0; at_once < 2; at_once++) {
      Stops stops = {1, 3};
      const ct_BatchHooks hooks = {stop_outcome, stop_start, &stops};
      ct_BatchOptions options = ct_default_batch_options();
      options.own_data = k % 2;
      options.threads = 1 + k / 2 % 2;
      options.arena = 60000;
      options.max_steps = 4;
      options.auto_reset = k < 4 ? CT_RESET_FAILED | CT_RESET_DONE : 0;
      ct_Batch* b = make_with(m, &options);
      story[at_once] = make_story(b);
      disturb_batch(b);
      int flags[N] = {0};
      for (int i = 0; i < N; i++) flags[i] = m->opt.enableflags | (i == 4 ? mjENBL_SLEEP : 0);
      assert_int_equal(ct_batch_set(b, "opt.enableflags", NULL, flags), CT_BATCH_OK);
      memcpy(row_of(b, "qpos", 2), lying, (size_t)m->nq * sizeof(mjtNum));
      assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
      row_of(b, "qvel", 0)[3] = (mjtNum)NAN;
      assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
      tell(b, at_once != 0, story + at_once);
      assert_true(ct_batch_failed(b) > 0);
      ct_batch_destroy(b);
    }
    expect_same_story(m, story, story + 1, k % 2 ? "own mjData" : "rows");
    free_story(story);
    free_story(story + 1);
  }
  free(lying);
  mj_deleteModel(m);
}

// Outcomes

static void judge(const mjModel* m, mjData* d, int environment, void* argument,
                  ct_BatchOutcome* outcome) {
  (void)m;
  ((int*)argument)[environment]++;
  outcome->reward = d->qpos[2] + environment;
  outcome->terminated = (mjtByte)(environment == 1 && d->time > 0.0099);
}

// R10.4
static void rewards_and_ends_come_from_a_callback(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  m->opt.timestep = (mjtNum)0.004;  // recorded models have default options in single precision
  int calls[N] = {0};
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = CT_RESET_FAILED | CT_RESET_DONE;
  options.max_steps = 4;
  options.threads = 2;
  ct_Batch* b = make_with(m, &options);
  const ct_BatchHooks hooks = {judge, begin_high, calls};
  assert_int_equal(ct_batch_set_hooks(b, &hooks), CT_BATCH_OK);
  assert_int_equal(ct_batch_reset(b, NULL), CT_BATCH_OK);
  mjtNum reward[N];
  mjtByte terminated[N], truncated[N];
  int steps[N];
  const int limit = (int)ceil(0.01 / (double)m->opt.timestep - 1e-9);
  assert_int_equal(limit, 3);
  for (int t = 1; t <= 6; t++) {
    assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
    ct_batch_get(b, "reward", NULL, reward);
    ct_batch_get(b, "terminated", NULL, terminated);
    ct_batch_get(b, "truncated", NULL, truncated);
    ct_batch_get(b, "steps", NULL, steps);
    for (int i = 0; i < N; i++) {
      int since = i == 1 ? (t - 1) % limit + 1 : (t - 1) % 4 + 1;
      assert_int_equal(steps[i], since);
      assert_int_equal(terminated[i], i == 1 && since == limit);
      assert_int_equal(truncated[i], i != 1 && since == 4);
      assert_true(reward[i] == row_of(b, "qpos", i)[2] + i);
      assert_true(reward[i] > 4 + i);  // where the start hook put it
    }
  }
  for (int i = 0; i < N; i++) assert_int_equal(calls[i], 6);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// As on a GPU: the caller writes the arrays.
static void ends_that_are_written_reset_on_the_next_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions options = ct_default_batch_options();
  options.auto_reset = CT_RESET_DONE;
  ct_Batch* b = make_with(m, &options);
  ct_batch_step(b, NULL, 5);
  const mjtByte done[N] = {0, 1, 0, 0, 1, 0};
  mjtNum* ctrl = row_of(b, "ctrl", 1);
  ctrl[0] = (mjtNum)0.25;
  assert_int_equal(ct_batch_set(b, "terminated", NULL, done), CT_BATCH_OK);
  ct_batch_step(b, NULL, 1);
  for (int i = 0; i < N; i++) {
    assert_true(fabs((double)(row_of(b, "time", i)[0] / m->opt.timestep) - (done[i] ? 1 : 6)) <
                0.1);
  }
  assert_true(ctrl[0] == (mjtNum)0.25);  // the input of that step
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

// Bad arguments

static void expect_no_batch(const mjModel* m, int n, const ct_BatchOptions* o, const char* text) {
  char error[300];
  ct_Batch* b = ct_batch_create(m, n, o, error, sizeof(error));
  if (b) fail_msg("a batch was made where \"%s\" was expected", text);
  if (!strstr(error, text)) fail_msg("\"%s\" does not say \"%s\"", error, text);
}

static void what_cannot_be_made_is_refused_with_the_reason(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  expect_no_batch(NULL, 3, &o, "model is NULL");
  expect_no_batch(m, 0, &o, "0 environments");
  expect_no_batch(m, -7, &o, "-7 environments");
  o.threads = -1;
  expect_no_batch(m, 3, &o, "threads is -1");
  o = ct_default_batch_options();
  o.backend = 9;
  expect_no_batch(m, 3, &o, "backend is 9");
  o = ct_default_batch_options();
  o.reset_key = (int)m->nkey;
  expect_no_batch(m, 3, &o, "reset_key");
  o = ct_default_batch_options();
  o.auto_reset = 8;
  expect_no_batch(m, 3, &o, "auto_reset");
  o = ct_default_batch_options();
  o.device = -1;
  expect_no_batch(m, 3, &o, "device is -1");
  o = ct_default_batch_options();
  o.precision = 3;
  expect_no_batch(m, 3, &o, "precision is 3");
  o = ct_default_batch_options();
  o.max_steps = -1;
  expect_no_batch(m, 3, &o, "max_steps is -1");
  o = ct_default_batch_options();
  o.arena = -1;
  expect_no_batch(m, 3, &o, "arena");
  m->opt.integrator = 77;
  expect_no_batch(m, 3, NULL, "integrator 77");
  assert_null(ct_batch_create(NULL, 3, NULL, NULL, 0));
  char little[5];
  assert_null(ct_batch_create(NULL, 3, NULL, little, sizeof(little)));
  assert_string_equal(little, "the ");
  assert_int_equal(ct_batch_memory(NULL, 3, NULL, NULL, 0), 0);
  mj_deleteModel(m);
  assert_int_equal(count_errors(), 0);
}

// Without a word of the system, which promises more memory than there is.
static void more_than_the_memory_holds_is_refused_with_the_number_that_fits(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_BatchOptions o = ct_default_batch_options();
  o.threads = 2;
  for (o.own_data = 0; o.own_data < 2; o.own_data++) {
    char error[300];
    assert_null(ct_batch_create(m, INT_MAX, &o, error, sizeof(error)));
    const char* then = strstr(error, "this machine has; ");
    if (!then) fail_msg("\"%s\" does not say what fits", error);
    long fits = strtol(then + strlen("this machine has; "), NULL, 10);
    assert_true(fits > 0 && fits < INT_MAX);
    // As many take no more than there is; arenas, which take none before steps do, are left out.
    size_t there = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t arenas = (size_t)(o.own_data ? fits : 2 * 4) * (size_t)m->narena;
    assert_true(ct_batch_memory(m, (int)fits, &o, NULL, 0) - arenas <= there);
    assert_true(ct_batch_memory(m, INT_MAX, &o, NULL, 0) > there);
  }
  o.own_data = 1;
  o.arena = (mjtSize)1 << 50;
  char error[300];
  assert_int_equal(ct_batch_memory(m, INT_MAX, &o, error, sizeof(error)), 0);
  assert_true(strstr(error, "more than addresses reach") != NULL);
  mj_deleteModel(m);
  assert_int_equal(count_errors() + count_warnings(), 0);
}

static void a_batch_that_is_null_is_refused(void** state) {
  (void)state;
  ct_BatchView view;
  ct_BatchCounts counts;
  ct_Rollout rollout = {1, 1, NULL, 0, 0, NULL, 0};
  mjtNum x[4] = {0};
  int keys[4] = {0};
  const int bad = CT_BATCH_BAD_ARGUMENT;
  expect_refusal(NULL, ct_batch_step(NULL, NULL, 1), bad, "batch is NULL");
  assert_int_equal(ct_batch_forward(NULL, NULL, mjSTAGE_POS), bad);
  assert_int_equal(ct_batch_rollout(NULL, NULL, &rollout), bad);
  assert_int_equal(ct_batch_wait(NULL), bad);
  assert_int_equal(ct_batch_set_stream(NULL, NULL), bad);
  assert_int_equal(ct_batch_lead_stream(NULL, NULL), bad);
  assert_int_equal(ct_batch_follow_stream(NULL, NULL), bad);
  assert_int_equal(ct_batch_reset(NULL, NULL), bad);
  assert_int_equal(ct_batch_reset_one(NULL, 0), bad);
  assert_int_equal(ct_batch_reset_key(NULL, NULL, 0), bad);
  assert_int_equal(ct_batch_reset_keys(NULL, NULL, keys), bad);
  assert_int_equal(ct_batch_reset_state(NULL, NULL, mjSTATE_QPOS, x), bad);
  assert_int_equal(ct_batch_field_size(NULL, "qpos", NULL), -1);
  assert_int_equal(ct_batch_keep(NULL, "xpos"), bad);
  assert_int_equal(ct_batch_vary(NULL, "body_mass"), bad);
  assert_int_equal(ct_batch_set_const(NULL, NULL), bad);
  assert_int_equal(ct_batch_get(NULL, "qpos", NULL, x), bad);
  assert_int_equal(ct_batch_set(NULL, "qpos", NULL, x), bad);
  assert_int_equal(ct_batch_get_state(NULL, mjSTATE_QPOS, NULL, x), bad);
  assert_int_equal(ct_batch_set_state(NULL, mjSTATE_QPOS, NULL, x), bad);
  assert_int_equal(ct_batch_view(NULL, "qpos", &view), bad);
  assert_int_equal(ct_batch_view_state(NULL, &view), bad);
  assert_int_equal(ct_batch_get_data(NULL, 0, NULL, NULL), bad);
  assert_int_equal(ct_batch_set_data(NULL, 0, NULL), bad);
  assert_int_equal(ct_batch_copy(NULL, 0, 0), bad);
  assert_int_equal(ct_batch_apply(NULL, NULL, stop_in_2, NULL, 0), bad);
  assert_int_equal(ct_batch_set_hooks(NULL, NULL), bad);
  assert_int_equal(ct_batch_failed(NULL), bad);
  assert_string_equal(ct_batch_reason(NULL, 0), "");
  assert_int_equal(ct_batch_counts(NULL, &counts), bad);
  assert_int_equal(ct_batch_noise(NULL, "qpos", NULL, 0, 0, 0, 1), bad);
  assert_int_equal(ct_batch_draw(NULL, 0, 0, 0, 1, x, 1), bad);
  assert_int_equal(ct_batch_saved_size(NULL), 0);
  assert_int_equal(ct_batch_save(NULL, x, sizeof(x)), bad);
  assert_int_equal(ct_batch_restore(NULL, x, sizeof(x)), bad);
  assert_int_equal(ct_batch_count(NULL), 0);
  assert_null(ct_batch_model(NULL));
  assert_null(ct_batch_options(NULL));
}

static void bad_arguments_change_nothing(void** state) {
  (void)state;
  mjModel *m = recorded_model("humanoid"), *other = recorded_model("pendulum");
  ct_Batch* b = make_batch(m, N, 2);
  Loop loop = make_loop(m, N);
  disturb_batch(b);
  other->signature = m->signature + 1;  // recorded models have none
  mjData* wrong = mj_makeData(other);
  mjtNum x[4] = {0};
  const int bad = CT_BATCH_BAD_ARGUMENT;
  expect_refusal(b, ct_batch_step(b, NULL, 0), bad, "nstep is 0");
  expect_refusal(b, ct_batch_get(b, "qpos", NULL, NULL), bad, "\"qpos\" is NULL");
  expect_refusal(b, ct_batch_get(b, NULL, NULL, x), bad, "name of the field is NULL");
  expect_refusal(b, ct_batch_get(b, "qpso", NULL, x), bad, "did you mean \"qpos\"");
  expect_refusal(b, ct_batch_get(b, "xpos", NULL, x), bad, "ct_batch_keep(b, \"xpos\")");
  expect_refusal(b, ct_batch_get(b, "contact", NULL, x), bad, "arena");
  expect_refusal(b, ct_batch_set_state(b, 1 << 20, NULL, x), bad, "mjSTATE_INTEGRATION");
  expect_refusal(b, ct_batch_get_state(b, 0, NULL, x), bad, "not a set");
  expect_refusal(b, ct_batch_reset_state(b, NULL, mjSTATE_QPOS, NULL), bad, "NULL");
  expect_refusal(b, ct_batch_reset_keys(b, NULL, NULL), bad, "keys are NULL");
  expect_refusal(b, ct_batch_view(b, "qpos", NULL), bad, "view is NULL");
  expect_refusal(b, ct_batch_get_data(b, N, NULL, loop.d[0]), bad, "environment 6");
  expect_refusal(b, ct_batch_get_data(b, 0, NULL, wrong), bad, "mj_makeData");
  expect_refusal(b, ct_batch_get_data(b, 0, other, NULL), bad, "of the model");
  expect_refusal(b, ct_batch_set_data(b, 0, wrong), bad, "mj_makeData");
  wrong->nbuffer = loop.d[0]->nbuffer;  // another model may have arrays as large
  expect_refusal(b, ct_batch_get_data(b, 0, NULL, wrong), bad, "another model");
  expect_refusal(b, ct_batch_set_data(b, 0, wrong), bad, "another model");
  expect_refusal(b, ct_batch_set_data(b, 0, NULL), bad, "NULL");
  expect_refusal(b, ct_batch_apply(b, NULL, NULL, NULL, 1), bad, "function is NULL");
  expect_refusal(b, ct_batch_set_stream(b, NULL), CT_BATCH_UNSUPPORTED, "no streams");
  expect_refusal(b, ct_batch_lead_stream(b, NULL), CT_BATCH_UNSUPPORTED, "no streams");
  expect_refusal(b, ct_batch_follow_stream(b, NULL), CT_BATCH_UNSUPPORTED, "no streams");
  expect_refusal(b, ct_batch_counts(b, NULL), bad, "NULL");
  expect_same_bits(b, &loop, "after all that");
  assert_int_equal(ct_batch_step(b, NULL, 1), CT_BATCH_OK);
  assert_string_equal(ct_batch_error(b), "");
  mj_deleteData(wrong);
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

// Calls within calls

typedef struct {
  ct_Batch *first, *second;
  int inner, innermost;
} Nest;

static void call_first(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d;
  Nest* nest = (Nest*)argument;
  if (environment == 0) nest->innermost = ct_batch_step(nest->first, NULL, 1);
}

static void call_second(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d;
  Nest* nest = (Nest*)argument;
  if (environment) return;
  nest->inner = ct_batch_step(nest->first, NULL, 1);
  ct_batch_apply(nest->second, NULL, call_first, nest, 0);
}

static void a_batch_does_not_wait_for_itself(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  Nest nest = {make_batch(m, 4, 2), make_batch(m, 4, 2), 0, 0};
  assert_int_equal(ct_batch_apply(nest.first, NULL, call_second, &nest, 0), CT_BATCH_OK);
  assert_int_equal(nest.inner, CT_BATCH_BAD_ARGUMENT);
  assert_int_equal(nest.innermost, CT_BATCH_BAD_ARGUMENT);
  assert_int_equal(ct_batch_step(nest.first, NULL, 1), CT_BATCH_OK);
  ct_batch_destroy(nest.first);
  ct_batch_destroy(nest.second);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bad_state_is_flagged_and_reset_on_the_next_step),
      cmocka_unit_test(without_automatic_reset_the_bad_state_stays),
      cmocka_unit_test(a_bad_control_is_counted_in_its_environment_only),
      cmocka_unit_test(a_forward_pass_counts_what_is_new_only),
      cmocka_unit_test(counts_are_the_environments_own_where_nothing_was_counted),
      cmocka_unit_test(what_a_failed_step_does_not_get_to_stays),
      cmocka_unit_test(forward_passes_without_room_do_not_depend_on_threads),
      cmocka_unit_test_setup_teardown(rollouts_are_as_many_steps_whatever_fails, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(an_arena_too_small_in_one_says_how_much_would_do),
      cmocka_unit_test(the_arena_called_needed_suffices_for_all_that_failed),
      cmocka_unit_test(trouble_in_some_leaves_the_others_alone),
      cmocka_unit_test_setup_teardown(errors_of_functions_flag_their_environment,
                                      listen_to_messages, stop_listening),
      cmocka_unit_test_setup_teardown(a_failed_outcome_counts_no_step, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test_setup_teardown(a_step_that_a_hook_undoes_puts_nobody_to_sleep,
                                      listen_to_messages, stop_listening),
      cmocka_unit_test_setup_teardown(who_sleeps_with_nobody_is_flagged, listen_to_messages,
                                      stop_listening),
      cmocka_unit_test(rewards_and_ends_come_from_a_callback),
      cmocka_unit_test(ends_that_are_written_reset_on_the_next_step),
      cmocka_unit_test_setup_teardown(what_cannot_be_made_is_refused_with_the_reason,
                                      listen_to_messages, stop_listening),
      cmocka_unit_test_setup_teardown(
          more_than_the_memory_holds_is_refused_with_the_number_that_fits, listen_to_messages,
          stop_listening),
      cmocka_unit_test(a_batch_that_is_null_is_refused),
      cmocka_unit_test(bad_arguments_change_nothing),
      cmocka_unit_test(a_batch_does_not_wait_for_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
