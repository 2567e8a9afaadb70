#include "batch/team.h"

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  ct_Team* team;
  int member;
  pthread_t thread;
} Helper;

// The threads of a pool (mujoco/mjthread.h) would do, but a caller has to join every task of it,
// also one that no thread has begun: on a machine that is busy with other things a batch of two
// environments then waited ten times as long as it computed. Here the caller waits for helpers that
// have begun, and those that come late find the job closed.
struct ct_Team_ {
  int size, nhelper;
  Helper* helper;
  pthread_mutex_t lock;  // guards everything down to `stopping`
  pthread_cond_t begin;  // there is a new job, or the team stops
  pthread_cond_t done;   // nobody is at the job any more
  unsigned job_number;
  bool open;   // helpers may join the job
  int inside;  // helpers that are at it
  bool stopping;

  // the job at hand; changes only while nobody is inside
  ct_TeamWork work;
  void* job;
  int count;
  const ct_AtWork* for_whom;
  int next;  // first item that nobody has taken; atomic
};

static _Thread_local const ct_AtWork* at_work = NULL;

bool ct_at_work(const void* batch) {
  for (const ct_AtWork* w = at_work; w; w = w->outer) {
    if (w->batch == batch) return true;
  }
  return false;
}

void ct_enter_work(ct_AtWork* entry, const void* batch) {
  entry->batch = batch;
  entry->outer = at_work;
  at_work = entry;
}

void ct_leave_work(const ct_AtWork* entry) {
  at_work = entry->outer;
}

int ct_core_count(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (!sched_getaffinity(0, sizeof(set), &set)) return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

// How many items to take while this many are left. Portions are neighbours, which share cache lines
// of matrices; they become smaller towards the end, so that nobody waits long for the last one.
static int portion_of(const ct_Team* team, int left) {
  int portion = left / (4 * team->size);
  return portion < 1 ? 1 : portion > 32 ? 32 : portion;
}

// Takes portions until none is left.
static void take_part(ct_Team* team, int member) {
  int first = __atomic_load_n(&team->next, __ATOMIC_RELAXED);
  while (first < team->count) {
    int end = first + portion_of(team, team->count - first);
    if (!__atomic_compare_exchange_n(&team->next, &first, end, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED)) {
      continue;  // somebody else was faster; `first` is where the rest begins now
    }
    for (int i = first; i < end; i++) team->work(team->job, member, i);
    first = __atomic_load_n(&team->next, __ATOMIC_RELAXED);
  }
}

static void* help(void* argument) {
  const Helper* self = (const Helper*)argument;
  ct_Team* team = self->team;
  unsigned seen = 0;
  pthread_mutex_lock(&team->lock);
  while (!team->stopping) {
    if (seen == team->job_number) {
      pthread_cond_wait(&team->begin, &team->lock);
      continue;
    }
    seen = team->job_number;
    if (!team->open) continue;
    team->inside++;
    pthread_mutex_unlock(&team->lock);
    at_work = team->for_whom;
    take_part(team, self->member);
    at_work = NULL;
    pthread_mutex_lock(&team->lock);
    if (!--team->inside) pthread_cond_signal(&team->done);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

ct_Team* ct_make_team(int size) {
  ct_Team* team = (ct_Team*)calloc(1, sizeof(ct_Team));
  Helper* helper = team ? (Helper*)calloc((size_t)size, sizeof(Helper)) : NULL;
  if (!helper) {
    free(team);
    mju_error("there is no memory for %d threads", size);
    return NULL;
  }
  team->size = size;
  team->helper = helper;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->begin, NULL);
  pthread_cond_init(&team->done, NULL);
  for (int i = 0; i < size - 1; i++) {
    helper[i].team = team;
    helper[i].member = i + 1;
    if (pthread_create(&helper[i].thread, NULL, help, helper + i)) {
      ct_delete_team(team);
      mju_error("the system refuses thread %d of %d", i + 2, size);
      return NULL;
    }
    team->nhelper++;
  }
  return team;
}

void ct_delete_team(ct_Team* team) {
  if (!team) return;
  pthread_mutex_lock(&team->lock);
  team->stopping = true;
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->lock);
  for (int i = 0; i < team->nhelper; i++) pthread_join(team->helper[i].thread, NULL);
  pthread_cond_destroy(&team->begin);
  pthread_cond_destroy(&team->done);
  pthread_mutex_destroy(&team->lock);
  free(team->helper);
  free(team);
}

int ct_team_size(const ct_Team* team) {
  return team->size;
}

static void open_job(ct_Team* team) {
  pthread_mutex_lock(&team->lock);
  team->job_number++;
  team->open = true;
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->lock);
}

static void close_job(ct_Team* team) {
  pthread_mutex_lock(&team->lock);
  team->open = false;
  while (team->inside) pthread_cond_wait(&team->done, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

void ct_team_run(ct_Team* team, int count, ct_TeamWork work, void* job) {
  bool alone = team->nhelper == 0 || count < 2;
  team->work = work;
  team->job = job;
  team->count = count;
  team->next = 0;
  team->for_whom = at_work;
  if (!alone) open_job(team);
  take_part(team, 0);
  if (!alone) close_job(team);
}
