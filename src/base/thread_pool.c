// Thread pools: workers that wait for tasks and run them in the order in which they came.
//
// A task belongs to the caller and must live until it is joined. Its status is the only thing that
// both sides touch: it goes from new to queued when the task is enqueued and to completed when its
// function has returned; whoever sees it completed also sees all that the function wrote.
//
// Enqueueing allocates nothing: the queue is a ring of fixed size, and a thread that finds it full,
// or a pool without workers, runs a task itself.

#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#define QUEUE_ROOM 1024  // tasks that can wait

typedef struct Pool_ Pool;

typedef struct {
  Pool* pool;
  size_t id;  // 1 to nworker
  pthread_t thread;
} Worker;

struct Pool_ {
  mjThreadPool base;     // first: the public struct is the beginning of this one
  pthread_mutex_t lock;  // guards everything down to `stopping`
  pthread_cond_t work;   // there is a task, or the pool is stopping
  mjTask* queue[QUEUE_ROOM];
  int first, waiting;
  bool stopping;
  pthread_mutex_t alloc_lock;
  Worker workers[mjMAXTHREAD];
};

static _Thread_local const Worker* current = NULL;

static void run_task(mjTask* task) {
  task->func(task->args);
  __atomic_store_n(&task->status, mjTASK_COMPLETED, __ATOMIC_RELEASE);
}

// The oldest waiting task; there must be one, and the lock must be held.
static mjTask* take(Pool* pool) {
  mjTask* task = pool->queue[pool->first];
  pool->first = (pool->first + 1) % QUEUE_ROOM;
  pool->waiting--;
  return task;
}

// Runs tasks until the pool stops and none is left.
static void* work(void* argument) {
  const Worker* worker = (const Worker*)argument;
  Pool* pool = worker->pool;
  current = worker;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->waiting && !pool->stopping) pthread_cond_wait(&pool->work, &pool->lock);
    if (!pool->waiting) break;
    mjTask* task = take(pool);
    pthread_mutex_unlock(&pool->lock);
    run_task(task);
    pthread_mutex_lock(&pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

// Lets the first n workers finish what is queued, ends them and frees the pool.
static void stop(Pool* pool, int n) {
  pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < n; i++) pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
  pthread_mutex_destroy(&pool->alloc_lock);
  mju_free(pool);
}

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads) {
  if (number_of_threads > mjMAXTHREAD) {
    mju_error("mju_threadPoolCreate: a pool has at most %d threads, not %zu", mjMAXTHREAD,
              number_of_threads);
    return NULL;
  }
  Pool* pool = (Pool*)mju_malloc(sizeof(Pool));
  if (!pool) return NULL;
  memset(pool, 0, sizeof(*pool));
  pool->base.nworker = (int)number_of_threads;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_mutex_init(&pool->alloc_lock, NULL);
  pthread_cond_init(&pool->work, NULL);

  for (int i = 0; i < pool->base.nworker; i++) {
    Worker* worker = pool->workers + i;
    worker->pool = pool;
    worker->id = (size_t)i + 1;
    int failure = pthread_create(&worker->thread, NULL, work, worker);
    if (failure) {
      stop(pool, i);
      mju_error("mju_threadPoolCreate: the system refuses thread %d of %zu: %s", i + 1,
                number_of_threads, strerror(failure));
      return NULL;
    }
  }
  return &pool->base;
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool) {
  Pool* pool = (Pool*)thread_pool;
  if (!pool) return;
  if (current && current->pool == pool) {
    mju_error("mju_threadPoolDestroy: worker %zu cannot destroy its own pool", current->id);
    return;
  }
  stop(pool, pool->base.nworker);
}

// An mjData that has a pool keeps it: its stack is already divided among the workers.
void mju_bindThreadPool(mjData* d, void* thread_pool) {
  if (!thread_pool) {
    mju_error("mju_bindThreadPool: the pool is NULL");
  } else if (d->threadpool) {
    mju_error("mju_bindThreadPool: the data already has a thread pool");
  } else {
    d->threadpool = (uintptr_t)thread_pool;
  }
}

void mju_defaultTask(mjTask* task) {
  task->func = NULL;
  task->args = NULL;
  task->status = mjTASK_NEW;
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task) {
  Pool* pool = (Pool*)thread_pool;
  if (!task->func) {
    mju_error("mju_threadPoolEnqueue: the task has no function");
    return;
  }
  int status = mjTASK_NEW;
  if (!__atomic_compare_exchange_n(&task->status, &status, mjTASK_QUEUED, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    mju_error(
        "mju_threadPoolEnqueue: the task has status %d; only a task that is new can be queued",
        status);
    return;
  }

  mjTask* own = NULL;  // what this thread runs itself
  pthread_mutex_lock(&pool->lock);
  if (!pool->base.nworker) {
    own = task;
  } else {
    if (pool->waiting == QUEUE_ROOM) own = take(pool);
    pool->queue[(pool->first + pool->waiting) % QUEUE_ROOM] = task;
    pool->waiting++;
    pthread_cond_signal(&pool->work);
  }
  pthread_mutex_unlock(&pool->lock);
  if (own) run_task(own);
}

// A task knows no pool, so there is nothing to sleep on. Most tasks are over within microseconds:
// spin, then let others run, then sleep for as long as that takes anyway.
static void wait_a_little(int round) {
  if (round < 1000) return;
  if (round < 2000) {
    sched_yield();
    return;
  }
  const struct timespec pause = {0, 50000};
  nanosleep(&pause, NULL);
}

void mju_taskJoin(mjTask* task) {
  for (int round = 0;; round = round < 2000 ? round + 1 : round) {
    int status = __atomic_load_n(&task->status, __ATOMIC_ACQUIRE);
    if (status == mjTASK_COMPLETED) return;
    if (status == mjTASK_NEW) {
      mju_error("mju_taskJoin: the task was not enqueued, it would never end");
      return;
    }
    wait_a_little(round);
  }
}

size_t mju_threadPoolNumberOfThreads(mjThreadPool* workers) {
  return (size_t)workers->nworker;
}

size_t mju_threadPoolCurrentWorkerId(mjThreadPool* workers) {
  return current && &current->pool->base == workers ? current->id : 0;
}

void mju_threadPoolLockAllocMutex(mjThreadPool* workers) {
  pthread_mutex_lock(&((Pool*)workers)->alloc_lock);
}

void mju_threadPoolUnlockAllocMutex(mjThreadPool* workers) {
  pthread_mutex_unlock(&((Pool*)workers)->alloc_lock);
}

size_t mju_getDestructiveInterferenceSize(void) {
  return 128;  // neighbouring lines of 64 bytes are fetched in pairs
}
