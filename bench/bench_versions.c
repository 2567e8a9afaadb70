// bench_versions: whole steps of the reference, of a newer version of it, and of corten, each in a
// process of its own.
//
//   usage: bench_versions REFERENCE_LIB NEWER_LIB CORTEN_LIB CORPUS OUT.csv [--seconds S]
//
// Structs of the versions differ, so one process cannot hold two, and nothing is known of models
// and data but their state vector, whose parts are the same. Processes take turns: a round is so
// many steps from the state that the reference has reached, with controls between -1 and 1, timed
// by each for itself. One CPU for all.

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/states.h"
#include "measure.h"

enum { VERSIONS = 3, SETTLING_STEPS = 200, MOST_STEPS = 200, LEAST_ROUNDS = 20 };
static const double round_seconds = 400e-6;  // a round takes at least this long

static const char* const models[] = {
    "mujoco/model/humanoid/humanoid.xml",
    "gymnasium/ant.xml",
    "gymnasium/half_cheetah.xml",
    "menagerie/agility_cassie/scene.xml",
    "menagerie/shadow_hand/scene_right.xml",
    "menagerie/anybotics_anymal_c/scene.xml",
    "menagerie/unitree_h1/scene.xml",
    "mujoco/model/tendon_arm/arm26.xml",
    "mujoco/model/car/car.xml",
    "mujoco/model/humanoid/22_humanoids.xml",
};

// One library, in its process

typedef struct {
  void* (*load)(const char* file, const void* vfs, char* error, int error_size);
  void* (*make)(const void* m);
  void (*step)(const void* m, void* d);
  int (*size)(const void* m, int parts);
  void (*get)(const void* m, const void* d, mjtNum* state, int parts);
  void (*set)(const void* m, void* d, const mjtNum* state, int parts);
} Library;

static void* symbol(void* handle, const char* name) {
  void* found = dlsym(handle, name);
  if (!found) fprintf(stderr, "no %s: %s\n", name, dlerror());
  if (!found) _exit(1);
  return found;
}

#define TAKE(member_, name_) memcpy(&lib.member_, (void*[]){symbol(handle, name_)}, sizeof(void*))

static Library open_library(const char* path) {
  Library lib;
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fprintf(stderr, "%s\n", dlerror());
  if (!handle) _exit(1);
  TAKE(load, "mj_loadXML");
  TAKE(make, "mj_makeData");
  TAKE(step, "mj_step");
  TAKE(size, "mj_stateSize");
  TAKE(get, "mj_getState");
  TAKE(set, "mj_setState");
  return lib;
}

typedef struct {  // what a process is asked for; the state follows
  int steps;
  bool timed;  // one step before warms the caches
} Request;

typedef struct {  // and what it answers; the state that was reached follows
  double seconds;
} Answer;

static void transfer(int file, void* data, size_t bytes, bool out) {
  for (char* at = (char*)data; bytes;) {
    ssize_t some = out ? write(file, at, bytes) : read(file, at, bytes);
    if (some <= 0) exit(1);  // the other side has said why it is gone
    at += some;
    bytes -= (size_t)some;
  }
}

// Says first how long states are and where controls begin in them, then answers until its input
// ends.
static void serve(const char* path, const char* file, int in, int out) {
  Library lib = open_library(path);
  char error[500] = "";
  void* m = lib.load(file, NULL, error, sizeof(error));
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  if (!m) _exit(1);
  void* d = lib.make(m);
  int sizes[3] = {lib.size(m, mjSTATE_INTEGRATION), lib.size(m, mjSTATE_CTRL - 1),
                  lib.size(m, mjSTATE_CTRL)};
  mjtNum* state = (mjtNum*)calloc((size_t)sizes[0], sizeof(mjtNum));
  lib.get(m, d, state, mjSTATE_INTEGRATION);
  transfer(out, sizes, sizeof(sizes), true);
  transfer(out, state, (size_t)sizes[0] * sizeof(mjtNum), true);
  Request ask;
  while (read(in, &ask, sizeof(ask)) == sizeof(ask)) {
    transfer(in, state, (size_t)sizes[0] * sizeof(mjtNum), false);
    lib.set(m, d, state, mjSTATE_INTEGRATION);
    if (ask.timed) {
      lib.step(m, d);
      lib.set(m, d, state, mjSTATE_INTEGRATION);
    }
    double start = thread_seconds();
    for (int i = 0; i < ask.steps; i++) lib.step(m, d);
    Answer answer = {thread_seconds() - start};
    lib.get(m, d, state, mjSTATE_INTEGRATION);
    transfer(out, &answer, sizeof(answer), true);
    transfer(out, state, (size_t)sizes[0] * sizeof(mjtNum), true);
  }
  _exit(0);
}

// All of them

typedef struct {
  pid_t process;
  int to, from;
  mjtNum* state;  // that it reached
} Version;

typedef struct {
  Version version[VERSIONS];
  int size, ctrl, nctrl;
  mjtNum* state;
  Random random;
} Race;

// Version number `which`; those before it have started.
static bool start_version(Version* all, int which, const char* library, const char* file,
                          int sizes[3]) {
  Version* v = all + which;
  int ask[2], answer[2];
  if (pipe(ask) || pipe(answer)) return false;
  v->process = fork();
  if (v->process == 0) {
    for (int i = 0; i < which; i++) {  // else the others would never see an end
      close(all[i].to);
      close(all[i].from);
    }
    close(ask[1]);
    close(answer[0]);
    serve(library, file, ask[0], answer[1]);
  }
  close(ask[0]);
  close(answer[1]);
  v->to = ask[1];
  v->from = answer[0];
  if (read(v->from, sizes, 3 * sizeof(int)) != 3 * sizeof(int)) return false;
  v->state = (mjtNum*)calloc((size_t)sizes[0], sizeof(mjtNum));
  transfer(v->from, v->state, (size_t)sizes[0] * sizeof(mjtNum), false);
  return true;
}

static double run(Race* race, int which, int steps, bool timed) {
  Version* v = race->version + which;
  Request ask = {steps, timed};
  Answer answer;
  size_t bytes = (size_t)race->size * sizeof(mjtNum);
  transfer(v->to, &ask, sizeof(ask), true);
  transfer(v->to, race->state, bytes, true);
  transfer(v->from, &answer, sizeof(answer), false);
  transfer(v->from, v->state, bytes, false);
  return answer.seconds / steps;
}

// The state that the reference has reached, with new controls, for all.
static void take_state(Race* race) {
  memcpy(race->state, race->version[0].state, (size_t)race->size * sizeof(mjtNum));
  for (int i = 0; i < race->nctrl; i++) {
    race->state[race->ctrl + i] = (mjtNum)random_uniform(&race->random, -1, 1);
  }
}

static bool start_race(Race* race, const char* const library[VERSIONS], const char* file) {
  int sizes[VERSIONS][3];
  memset(race, 0, sizeof(*race));
  for (int i = 0; i < VERSIONS; i++) {
    if (!start_version(race->version, i, library[i], file, sizes[i])) return false;
    if (memcmp(sizes[i], sizes[0], sizeof(sizes[0]))) return false;
  }
  race->size = sizes[0][0];
  race->ctrl = sizes[0][1];
  race->nctrl = sizes[0][2];
  race->state = (mjtNum*)calloc((size_t)race->size, sizeof(mjtNum));
  race->random = random_seeded("versions", 0);
  return true;
}

static void end_race(Race* race) {
  for (int i = 0; i < VERSIONS; i++) {
    Version* v = race->version + i;
    if (v->to) close(v->to);
    if (v->from) close(v->from);
    if (v->process) waitpid(v->process, NULL, 0);
    free(v->state);
  }
  free(race->state);
}

static void measure(Race* race, double budget, Rounds* reference, Rounds* newer) {
  double each = 0;
  for (int i = 0; i < SETTLING_STEPS; i += 10) {
    take_state(race);
    each += run(race, 0, 10, false) * 10 / SETTLING_STEPS;
  }
  int steps = (int)fmin(fmax(round_seconds / each, 1), MOST_STEPS);
  double start = wall_seconds();
  for (int n = 0; n < LEAST_ROUNDS || wall_seconds() - start < budget; n++) {
    double seconds[VERSIONS];
    take_state(race);
    for (int turn = 0; turn < VERSIONS; turn++) {
      int which = (n + turn) % VERSIONS;
      seconds[which] = run(race, which, steps, true);
    }
    if (!add_round(reference, seconds[0], seconds[2])) break;
    add_round(newer, seconds[1], seconds[2]);
  }
}

int main(int argc, char** argv) {
  if (argc < 6) {
    fprintf(stderr,
            "usage: bench_versions REFERENCE_LIB NEWER_LIB CORTEN_LIB CORPUS OUT.csv "
            "[--seconds S]\n");
    return 2;
  }
  double budget = argc > 7 && !strcmp(argv[6], "--seconds") ? atof(argv[7]) : 3;
  const char* const library[VERSIONS] = {argv[1], argv[2], argv[3]};
  static Rounds reference, newer;
  FILE* out = fopen(argv[5], "w");
  if (!out) return 1;
  pin_to_one_cpu();
  fprintf(out, "model,over_reference,low,high,over_newer,low,high,rounds\n");
  double sum = 0, newer_sum = 0;
  int count = 0;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    char file[4096];
    snprintf(file, sizeof(file), "%s/%s", argv[4], models[i]);
    memset(&reference, 0, sizeof(reference));
    memset(&newer, 0, sizeof(newer));
    Race race;
    if (start_race(&race, library, file)) {
      measure(&race, budget, &reference, &newer);
      Comparison a = compare_rounds(&reference), b = compare_rounds(&newer);
      printf("%-40s over the reference %.3f (%.3f .. %.3f), over the newer %.3f (%.3f .. %.3f)\n",
             models[i], a.ratio.median, a.ratio.low, a.ratio.high, b.ratio.median, b.ratio.low,
             b.ratio.high);
      fprintf(out, "%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%d\n", models[i], a.ratio.median, a.ratio.low,
              a.ratio.high, b.ratio.median, b.ratio.low, b.ratio.high, reference.rounds);
      fflush(stdout);
      sum += log(a.ratio.median);
      newer_sum += log(b.ratio.median);
      count++;
    } else {
      printf("%s: not run, because a version refuses it or its state differs\n", models[i]);
    }
    end_race(&race);
  }
  if (count) {
    printf("%d models, geometric mean over the reference %.3f, over the newer %.3f\n", count,
           exp(sum / count), exp(newer_sum / count));
  }
  return fclose(out) || !count;
}
