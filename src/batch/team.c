#include "batch/team.h"

#include <mujoco/mujoco.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  mjTask task;
  ct_Team* team;
  int member;
} Member;

struct ct_Team_ {
  mjThreadPool* pool;  // all but the caller; NULL: the caller is alone
  int size;
  Member* member;

  // the job at hand
  ct_TeamWork work;
  void* job;
  int count;
  int next;  // first item that nobody has taken; atomic
  const ct_AtWork* for_whom;
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

static void* run_member(void* argument) {
  Member* self = (Member*)argument;
  const ct_AtWork* before = at_work;
  at_work = self->team->for_whom;
  take_part(self->team, self->member);
  at_work = before;
  return NULL;
}

ct_Team* ct_make_team(int size) {
  ct_Team* team = (ct_Team*)calloc(1, sizeof(ct_Team));
  Member* member = team ? (Member*)calloc((size_t)size, sizeof(Member)) : NULL;
  if (!member) {
    free(team);
    return NULL;
  }
  team->size = size;
  team->member = member;
  for (int i = 0; i < size; i++) {
    member[i].team = team;
    member[i].member = i;
  }
  if (size > 1) team->pool = mju_threadPoolCreate((size_t)size - 1);
  if (size > 1 && !team->pool) {
    ct_delete_team(team);
    return NULL;
  }
  return team;
}

void ct_delete_team(ct_Team* team) {
  if (!team) return;
  mju_threadPoolDestroy(team->pool);
  free(team->member);
  free(team);
}

int ct_team_size(const ct_Team* team) {
  return team->size;
}

void ct_team_run(ct_Team* team, int count, ct_TeamWork work, void* job) {
  int helpers = team->size - 1 < count - 1 ? team->size - 1 : count - 1;
  team->work = work;
  team->job = job;
  team->count = count;
  team->next = 0;
  team->for_whom = at_work;
  for (int i = 1; i <= helpers; i++) {
    mju_defaultTask(&team->member[i].task);
    team->member[i].task.func = run_member;
    team->member[i].task.args = team->member + i;
    mju_threadPoolEnqueue(team->pool, &team->member[i].task);
  }
  take_part(team, 0);
  for (int i = 1; i <= helpers; i++) mju_taskJoin(&team->member[i].task);
}
