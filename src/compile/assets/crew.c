#include "compile/assets/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "compile/assets/asset_file.h"

// Threads take longer to start than small assets to compile: they are called when the first assets
// have taken this long.
enum { MICROSECONDS_ALONE = 500, MOST_THREADS = 16 };

typedef struct ct_Crew_ {
  ct_Compiler* c;  // of the caller
  const ct_WorkList* list;
  void (*compile)(ct_Compiler* c, ct_Work* asset);
  atomic_int next;  // asset that nobody has begun
  pthread_mutex_t files;
} Crew;

typedef struct {
  ct_Compiler c;  // first: what passes get is a pointer to it
  Crew* crew;
  int asset;    // that it is at
  bool failed;  // at this asset
  int warner;   // asset that c.warning is of
  bool holds_files;
  mjTask task;
} Worker;

void ct_crew_lock_files(ct_Compiler* c) {
  if (!c->crew) return;
  pthread_mutex_lock(&c->crew->files);
  ((Worker*)c)->holds_files = true;
}

void ct_crew_unlock_files(ct_Compiler* c) {
  if (!c->crew) return;
  ((Worker*)c)->holds_files = false;
  pthread_mutex_unlock(&c->crew->files);
}

// One worker

static void hire(Worker* w, Crew* crew) {
  memcpy(&w->c, crew->c, sizeof(w->c));
  memset(&w->c.pool, 0, sizeof(w->c.pool));
  memset(&w->c.scratch, 0, sizeof(w->c.scratch));
  w->c.file = NULL;
  w->c.message[0] = w->c.warning[0] = 0;
  w->c.crew = crew;
  w->crew = crew;
  w->failed = w->holds_files = false;
  w->warner = -1;
}

static void compile_one(ct_Compiler* c) {
  const Worker* w = (const Worker*)c;
  w->crew->compile(c, w->crew->list->item[w->asset]);
}

// Takes the next asset; false when there is none left, or this one cannot be compiled. Then the
// others are told to stop. All assets before this one have been begun already and are finished, so
// the first mistake is found whoever meets it.
static bool work_once(Worker* w) {
  Crew* crew = w->crew;
  w->asset = atomic_fetch_add(&crew->next, 1);
  if (w->asset >= crew->list->count) return false;
  char before[sizeof(w->c.warning)];
  memcpy(before, w->c.warning, sizeof(before));
  w->c.warning[0] = 0;
  w->failed = !ct_listen_and_attempt(&w->c, compile_one);
  if (w->c.warning[0]) {
    w->warner = w->asset;
  } else {
    memcpy(w->c.warning, before, sizeof(before));
  }
  if (w->holds_files) ct_crew_unlock_files(&w->c);  // a provider failed
  ct_asset_done(&w->c);
  if (w->failed) atomic_store(&crew->next, crew->list->count);
  return !w->failed;
}

static void* work_on(void* worker) {
  while (work_once((Worker*)worker)) continue;
  return NULL;
}

// The crew

static int crew_size(const ct_Compiler* c, int assets) {
  cpu_set_t cpus;
  int size = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
  if (size > MOST_THREADS) size = MOST_THREADS;
  if (size > assets) size = assets;
  return c->settings->usethread && size > 1 ? size : 1;
}

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// The caller works alone for a while; true if assets are left then.
static bool work_alone(Worker* w) {
  double until = microseconds() + MICROSECONDS_ALONE;
  while (work_once(w)) {
    int left = w->crew->list->count - atomic_load(&w->crew->next);
    if (left > 1 && microseconds() > until) return true;
  }
  return false;
}

typedef struct {
  ct_Compiler c;  // as in Worker
  int nthread;
  mjThreadPool* pool;
} Helpers;

static void call_helpers(ct_Compiler* c) {
  Helpers* h = (Helpers*)c;
  h->pool = mju_threadPoolCreate((size_t)h->nthread);
}

// The first worker is the caller, which goes on while the others help. A system that refuses
// threads is not a mistake of the model: the caller does everything.
static void work_together(Worker* workers, int count) {
  // not in the scratch, which only goes with the next asset, if one is left
  Helpers* h = (Helpers*)ct_pool_alloc(&workers[0].c.pool, sizeof(Helpers));
  h->nthread = count - 1;
  bool called = ct_listen_and_attempt(&h->c, call_helpers);
  mjThreadPool* pool = h->pool;
  for (int i = 1; called && i < count; i++) {
    mju_defaultTask(&workers[i].task);
    workers[i].task.func = work_on;
    workers[i].task.args = &workers[i];
    mju_threadPoolEnqueue(pool, &workers[i].task);
  }
  work_on(&workers[0]);
  for (int i = 1; called && i < count; i++) mju_taskJoin(&workers[i].task);
  mju_threadPoolDestroy(pool);
}

// What the workers made and said becomes the caller's; fails with the first mistake.
static void collect(ct_Compiler* c, Worker* workers, int count) {
  const Worker *first = NULL, *last = NULL;
  for (int i = 0; i < count; i++) {
    Worker* w = &workers[i];
    ct_pool_join(&c->pool, &w->c.pool);
    if (w->failed && (!first || w->asset < first->asset)) first = w;
    if (w->warner >= 0 && (!last || w->warner > last->warner)) last = w;
  }
  if (last) memcpy(c->warning, last->c.warning, sizeof(c->warning));
  if (first) ct_fail_as_told(c, first->c.message);
}

void ct_compile_with_crew(ct_Compiler* c, mjtObj type,
                          void (*compile)(ct_Compiler* c, ct_Work* asset)) {
  const ct_WorkList* list = &c->list[type];
  int count = c->report ? 1 : crew_size(c, list->count);  // who checks wants all mistakes, in order
  if (count == 1) {
    for (int i = 0; i < list->count; i++) {
      ct_one(c, list->item[i], compile);
      ct_asset_done(c);
    }
    return;
  }
  Worker* workers = (Worker*)ct_pool_array(&c->pool, (size_t)count, sizeof(Worker));
  Crew crew;
  crew.c = c;
  crew.list = list;
  crew.compile = compile;
  atomic_init(&crew.next, 0);
  pthread_mutex_init(&crew.files, NULL);
  for (int i = 0; i < count; i++) hire(&workers[i], &crew);
  if (work_alone(&workers[0])) work_together(workers, count);
  pthread_mutex_destroy(&crew.files);
  collect(c, workers, count);
}
