// R0.1: thread pools run every task once, in any number of workers. To be run under the thread
// sanitizer too.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/thread_pool.h"
#include "support/models.h"

static char message[1024];

static void remember(const char* text) {
  snprintf(message, sizeof(message), "%s", text);
}

static int reset(void** state) {
  (void)state;
  mju_clearHandlers();
  mju_user_error = remember;
  message[0] = 0;
  return 0;
}

// Work that tells who did it and how often.
typedef struct {
  mjTask task;
  mjThreadPool* pool;
  int runs;
  size_t worker;
  mjtNum result;
} Job;

static void* do_job(void* argument) {
  Job* job = (Job*)argument;
  job->runs++;
  job->worker = mju_threadPoolCurrentWorkerId(job->pool);
  for (int i = 1; i <= 100; i++) job->result += 1.0 / i;
  return NULL;
}

static Job* make_jobs(mjThreadPool* pool, int n, mjfTask function) {
  Job* jobs = (Job*)calloc((size_t)n, sizeof(Job));
  for (int i = 0; i < n; i++) {
    mju_defaultTask(&jobs[i].task);
    jobs[i].task.func = function;
    jobs[i].task.args = jobs + i;
    jobs[i].pool = pool;
  }
  return jobs;
}

static void expect_each_ran_once(const Job* jobs, int n, size_t nworker) {
  for (int i = 0; i < n; i++) {
    assert_int_equal(jobs[i].task.status, mjTASK_COMPLETED);
    assert_int_equal(jobs[i].runs, 1);
    assert_true(jobs[i].worker <= nworker);
    assert_true(jobs[i].result == jobs[0].result);
  }
}

static void every_task_runs_once_and_is_seen_complete(void** state) {
  (void)state;
  enum { N = 300 };
  for (size_t nworker = 1; nworker <= 4; nworker++) {
    mjThreadPool* pool = mju_threadPoolCreate(nworker);
    assert_int_equal(pool->nworker, nworker);
    assert_int_equal(mju_threadPoolNumberOfThreads(pool), nworker);
    Job* jobs = make_jobs(pool, N, do_job);
    for (int i = 0; i < N; i++) mju_threadPoolEnqueue(pool, &jobs[i].task);
    for (int i = 0; i < N; i++) mju_taskJoin(&jobs[i].task);
    expect_each_ran_once(jobs, N, nworker);
    for (int i = 0; i < N; i++) assert_true(jobs[i].worker >= 1);
    mju_threadPoolDestroy(pool);
    free(jobs);
  }
  assert_string_equal(message, "");
}

static void destroying_a_pool_finishes_what_is_queued(void** state) {
  (void)state;
  enum { N = 50 };
  mjThreadPool* pool = mju_threadPoolCreate(2);
  Job* jobs = make_jobs(pool, N, do_job);
  for (int i = 0; i < N; i++) mju_threadPoolEnqueue(pool, &jobs[i].task);
  mju_threadPoolDestroy(pool);
  expect_each_ran_once(jobs, N, 2);
  free(jobs);
  mju_threadPoolDestroy(NULL);
}

static void a_pool_without_workers_runs_tasks_at_once(void** state) {
  (void)state;
  mjThreadPool* pool = mju_threadPoolCreate(0);
  Job* jobs = make_jobs(pool, 1, do_job);
  mju_threadPoolEnqueue(pool, &jobs[0].task);
  expect_each_ran_once(jobs, 1, 0);
  mju_taskJoin(&jobs[0].task);
  mju_threadPoolDestroy(pool);
  free(jobs);
}

static int gate_is_reached, gate_is_open;

static void* wait_for_gate(void* argument) {
  __atomic_store_n(&gate_is_reached, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&gate_is_open, __ATOMIC_ACQUIRE)) usleep(100);
  return do_job(argument);
}

// The only worker is busy while more tasks come than the queue can hold: the caller runs the rest.
static void a_full_queue_loses_nothing(void** state) {
  (void)state;
  enum { N = 2500, ROOM = 1024 };
  mjThreadPool* pool = mju_threadPoolCreate(1);
  Job* jobs = make_jobs(pool, N, do_job);
  gate_is_reached = gate_is_open = 0;
  jobs[0].task.func = wait_for_gate;
  mju_threadPoolEnqueue(pool, &jobs[0].task);
  while (!__atomic_load_n(&gate_is_reached, __ATOMIC_ACQUIRE)) usleep(100);
  for (int i = 1; i < N; i++) mju_threadPoolEnqueue(pool, &jobs[i].task);
  __atomic_store_n(&gate_is_open, 1, __ATOMIC_RELEASE);
  mju_threadPoolDestroy(pool);
  expect_each_ran_once(jobs, N, 1);
  int by_caller = 0;
  for (int i = 0; i < N; i++) by_caller += jobs[i].worker == 0;
  assert_int_equal(by_caller, N - 1 - ROOM);
  free(jobs);
}

static void a_task_can_be_used_again_once_it_is_new_again(void** state) {
  (void)state;
  mjThreadPool* pool = mju_threadPoolCreate(2);
  Job* jobs = make_jobs(pool, 1, do_job);
  for (int i = 1; i <= 20; i++) {
    mju_threadPoolEnqueue(pool, &jobs[0].task);
    mju_taskJoin(&jobs[0].task);
    assert_int_equal(jobs[0].runs, i);
    jobs[0].task.status = mjTASK_NEW;
  }
  mju_threadPoolDestroy(pool);
  free(jobs);
}

static void* enqueue_inner(void* argument) {
  Job* inner = (Job*)argument;
  mju_threadPoolEnqueue(inner->pool, &inner->task);
  return NULL;
}

static void tasks_may_enqueue_tasks(void** state) {
  (void)state;
  enum { N = 40 };
  mjThreadPool* pool = mju_threadPoolCreate(2);
  Job* inner = make_jobs(pool, N, do_job);
  Job* outer = make_jobs(pool, N, enqueue_inner);
  for (int i = 0; i < N; i++) {
    outer[i].task.args = inner + i;
    mju_threadPoolEnqueue(pool, &outer[i].task);
  }
  for (int i = 0; i < N; i++) {
    mju_taskJoin(&outer[i].task);
    mju_taskJoin(&inner[i].task);
  }
  expect_each_ran_once(inner, N, 2);
  mju_threadPoolDestroy(pool);
  free(inner), free(outer);
}

typedef struct {
  mjThreadPool* pool;
  int* counter;
} Guarded;

static void* count_guarded(void* argument) {
  Guarded* g = (Guarded*)argument;
  for (int i = 0; i < 1000; i++) {
    mju_threadPoolLockAllocMutex(g->pool);
    ++*g->counter;
    mju_threadPoolUnlockAllocMutex(g->pool);
  }
  return NULL;
}

static void the_allocation_lock_keeps_workers_apart(void** state) {
  (void)state;
  int counter = 0;
  mjThreadPool* pool = mju_threadPoolCreate(4);
  Guarded guarded = {pool, &counter};
  mjTask tasks[4];
  for (int i = 0; i < 4; i++) {
    mju_defaultTask(tasks + i);
    tasks[i].func = count_guarded;
    tasks[i].args = &guarded;
    mju_threadPoolEnqueue(pool, tasks + i);
  }
  for (int i = 0; i < 4; i++) mju_taskJoin(tasks + i);
  assert_int_equal(counter, 4000);
  mju_threadPoolDestroy(pool);
}

static void mistakes_are_errors(void** state) {
  (void)state;
  mjThreadPool* pool = mju_threadPoolCreate(1);
  Job* jobs = make_jobs(pool, 1, do_job);

  mju_taskJoin(&jobs[0].task);
  assert_non_null(strstr(message, "mju_taskJoin"));
  jobs[0].task.func = NULL;
  mju_threadPoolEnqueue(pool, &jobs[0].task);
  assert_non_null(strstr(message, "no function"));
  assert_int_equal(jobs[0].task.status, mjTASK_NEW);

  jobs[0].task.func = do_job;
  mju_threadPoolEnqueue(pool, &jobs[0].task);
  mju_taskJoin(&jobs[0].task);
  message[0] = 0;
  mju_threadPoolEnqueue(pool, &jobs[0].task);  // it is completed, not new
  assert_non_null(strstr(message, "mju_threadPoolEnqueue: the task has status 2"));
  assert_int_equal(jobs[0].runs, 1);

  assert_null(mju_threadPoolCreate(mjMAXTHREAD + 1));
  assert_non_null(strstr(message, "at most 128"));
  mju_threadPoolDestroy(pool);
  free(jobs);
}

static void a_data_is_bound_once(void** state) {
  (void)state;
  mjData* d = (mjData*)calloc(1, sizeof(mjData));
  mjThreadPool *one = mju_threadPoolCreate(1), *two = mju_threadPoolCreate(1);
  mju_bindThreadPool(d, NULL);
  assert_non_null(strstr(message, "NULL"));
  mju_bindThreadPool(d, one);
  assert_int_equal(d->threadpool, (uintptr_t)one);
  mju_bindThreadPool(d, two);
  assert_non_null(strstr(message, "already"));
  assert_int_equal(d->threadpool, (uintptr_t)one);
  mju_threadPoolDestroy(one), mju_threadPoolDestroy(two);
  free(d);
}

// A step runs in the thread that calls it, with a pool as without.
static void a_bound_pool_changes_no_step(void** state) {
  (void)state;
  mjModel* m = recorded_model("contacts");
  mjData *plain = mj_makeData(m), *bound = mj_makeData(m);
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mju_bindThreadPool(bound, pool);
  for (int i = 0; i < 200; i++) {
    mj_step(m, plain);
    mj_step(m, bound);
    assert_memory_equal(plain->qpos, bound->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(plain->qacc, bound->qacc, (size_t)m->nv * sizeof(mjtNum));
  }
  assert_true(plain->nefc > 0 && plain->nefc == bound->nefc);
  mj_resetData(m, bound);
  assert_int_equal(bound->threadpool, (uintptr_t)pool);
  mj_step(m, bound);
  assert_string_equal(message, "");
  mj_deleteData(plain);
  mj_deleteData(bound);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

static void a_default_task_is_new_and_empty(void** state) {
  (void)state;
  mjTask task;
  memset(&task, 0xAB, sizeof(task));
  mju_defaultTask(&task);
  assert_true(task.func == NULL && task.args == NULL && task.status == mjTASK_NEW);
  assert_int_equal(mju_getDestructiveInterferenceSize(), 128);
}

#define CASE(name_) cmocka_unit_test_setup(name_, reset)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(every_task_runs_once_and_is_seen_complete),
      CASE(destroying_a_pool_finishes_what_is_queued),
      CASE(a_pool_without_workers_runs_tasks_at_once),
      CASE(a_full_queue_loses_nothing),
      CASE(a_task_can_be_used_again_once_it_is_new_again),
      CASE(tasks_may_enqueue_tasks),
      CASE(the_allocation_lock_keeps_workers_apart),
      CASE(mistakes_are_errors),
      CASE(a_data_is_bound_once),
      CASE(a_bound_pool_changes_no_step),
      CASE(a_default_task_is_new_and_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
