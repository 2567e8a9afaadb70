// R10.6: all threads of a team work at a job, every item is done once, and nobody waits for a
// thread that has nothing to do.

#include "batch/team.h"

#include <corten/step.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch/environments.h"
#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

typedef struct {
  int size;
  int* times;
  int* who;
  int arrived;  // atomic
} Job;

static void note(void* argument, int member, int item) {
  Job* job = (Job*)argument;
  job->times[item]++;
  job->who[item] = member;
}

static void every_item_is_done_once(void** state) {
  (void)state;
  enum { MOST = 700 };
  int times[MOST], who[MOST];
  for (int size = 1; size <= 8; size++) {
    ct_Team* team = ct_make_team(size);
    assert_int_equal(ct_team_size(team), size);
    for (int count = 0; count <= MOST; count = 2 * count + 1) {
      memset(times, 0, sizeof(times));
      Job job = {size, times, who, 0};
      ct_team_run(team, count, note, &job);
      for (int i = 0; i < MOST; i++) assert_int_equal(times[i], i < count);
      for (int i = 0; i < count; i++) assert_true(who[i] >= 0 && who[i] < size);
    }
    ct_delete_team(team);
  }
  ct_delete_team(NULL);
}

// Each item waits until as many as there are members have begun: they work at the same time.
static void wait_for_all(void* argument, int member, int item) {
  Job* job = (Job*)argument;
  job->who[item] = member;
  __atomic_fetch_add(&job->arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&job->arrived, __ATOMIC_ACQUIRE) < job->size) sched_yield();
}

static void all_members_work_at_the_same_time(void** state) {
  (void)state;
  for (int size = 1; size <= 8; size++) {
    ct_Team* team = ct_make_team(size);
    for (int again = 0; again < 20; again++) {
      int who[8];
      bool there[8] = {false};
      Job job = {size, NULL, who, 0};
      ct_team_run(team, size, wait_for_all, &job);
      for (int i = 0; i < size; i++) there[who[i]] = true;
      for (int i = 0; i < size; i++) assert_true(there[i]);
    }
    ct_delete_team(team);
  }
}

// R10.6: steps of a batch are shared by all of its threads.
typedef struct {
  int arrived;
  int size;
} Meeting;

static void meet(const mjModel* m, mjData* d, int environment, void* argument) {
  (void)m, (void)d, (void)environment;
  Meeting* meeting = (Meeting*)argument;
  __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&meeting->arrived, __ATOMIC_ACQUIRE) < meeting->size) sched_yield();
}

static void environments_run_on_all_threads(void** state) {
  (void)state;
  mjModel* m = recorded_model("pendulum");
  for (int threads = 1; threads <= 4; threads++) {
    ct_Batch* b = make_batch(m, threads, threads);
    Meeting meeting = {0, threads};
    assert_int_equal(ct_batch_apply(b, NULL, meet, &meeting, 0), CT_BATCH_OK);
    ct_batch_destroy(b);
  }
  mj_deleteModel(m);
}

// Several callers

static void* step_fifty_times(void* argument) {
  ct_Batch* b = (ct_Batch*)argument;
  mjtNum time[5];
  for (int t = 0; t < 50; t++) {
    ct_batch_step(b, NULL, 1);
    ct_batch_get(b, "time", NULL, time);
    ct_batch_step(b, NULL, 0);  // refused: messages belong to their thread
  }
  return strstr(ct_batch_error(b), "nstep is 0") ? argument : NULL;
}

static void callers_wait_for_each_other(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b = make_batch(m, 5, 2);
  disturb_batch(b);
  Loop loop = make_loop(m, 5);
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) pthread_create(thread + i, NULL, step_fifty_times, b);
  for (int i = 0; i < 3; i++) {
    void* result;
    pthread_join(thread[i], &result);
    assert_non_null(result);
  }
  for (int i = 0; i < 5; i++) {
    for (int t = 0; t < 150; t++) ct_step(m, loop.d[i]);
  }
  expect_same_bits(b, &loop, "three callers");
  free_loop(&loop);
  ct_batch_destroy(b);
  mj_deleteModel(m);
}

static void batches_run_side_by_side(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  ct_Batch* b[3];
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) {
    b[i] = make_batch(m, 5, 2);
    pthread_create(thread + i, NULL, step_fifty_times, b[i]);
  }
  for (int i = 0; i < 3; i++) {
    void* result;
    pthread_join(thread[i], &result);
    assert_non_null(result);
    ct_batch_destroy(b[i]);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_is_done_once),
      cmocka_unit_test(all_members_work_at_the_same_time),
      cmocka_unit_test(environments_run_on_all_threads),
      cmocka_unit_test(callers_wait_for_each_other),
      cmocka_unit_test(batches_run_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
