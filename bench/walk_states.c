// Steps a model from given states under given controls and writes where it comes by: builds of
// other precisions cannot live in one process, so each writes its file, and float_errors.py
// compares.
//
//   walk_states MODEL BEGINNING OUT [NUDGE]
//
// BEGINNING: eight ints (states, nq, nv, nu, steps, steps that controls hold, two zeros), qpos and
// qvel of every state, controls of every state and hold; numbers are floats, which all builds have.
// OUT: doubles, qpos and qvel of every state after 1, 10, 100 ... steps, states of one time
// together. NUDGE: every number of the beginning is moved by up to as much of itself, or of 1 if it
// is smaller.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int count, nq, nv, nu, steps, hold, unused[2];
} Head;

typedef struct {
  Head head;
  float* state;    // (count x (nq + nv))
  float* control;  // (count x steps / hold x nu)
} Beginning;

static void stop(const char* what, const char* name) {
  fprintf(stderr, "walk_states: %s %s\n", what, name);
  exit(1);
}

static float* read_floats(FILE* file, size_t count, const char* name) {
  float* x = (float*)malloc((count ? count : 1) * sizeof(float));
  if (!x || fread(x, sizeof(float), count, file) != count) stop("too short:", name);
  return x;
}

static Beginning read_beginning(const char* name, const mjModel* m) {
  FILE* file = fopen(name, "rb");
  if (!file) stop("cannot open", name);
  Beginning b;
  Head* h = &b.head;
  if (fread(h, sizeof(Head), 1, file) != 1) stop("too short:", name);
  if (h->count <= 0 || h->nq != m->nq || h->nv != m->nv || h->nu != m->nu || h->hold <= 0 ||
      h->steps <= 0 || h->steps % h->hold) {
    stop("not made for this model:", name);
  }
  b.state = read_floats(file, (size_t)h->count * (size_t)(h->nq + h->nv), name);
  b.control = read_floats(file, (size_t)h->count * (size_t)(h->steps / h->hold * h->nu), name);
  fclose(file);
  return b;
}

// Between -1 and 1, the same in every build.
static double next_random(unsigned long long* seed) {
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*seed >> 11) / (double)(1ULL << 52) - 1;
}

static void begin(const mjModel* m, mjData* d, const Beginning* b, int which, double nudge) {
  mj_resetData(m, d);
  const float* from = b->state + (size_t)which * (size_t)(m->nq + m->nv);
  unsigned long long seed = 1 + (unsigned long long)which;
  for (int i = 0; i < m->nq + m->nv; i++) {
    double x = from[i], moved = x + nudge * next_random(&seed) * fmax(1, fabs(x));
    *(i < m->nq ? d->qpos + i : d->qvel + i - m->nq) = (mjtNum)(nudge > 0 ? moved : x);
  }
}

static void write_state(const mjModel* m, const mjData* d, double* to) {
  for (int i = 0; i < m->nq; i++) to[i] = (double)d->qpos[i];
  for (int i = 0; i < m->nv; i++) to[m->nq + i] = (double)d->qvel[i];
}

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) stop("usage:", "walk_states MODEL BEGINNING OUT [NUDGE]");
  char error[500] = "";
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) stop("cannot load:", error);
  Beginning b = read_beginning(argv[2], m);
  double nudge = argc == 5 ? atof(argv[4]) : 0;
  mjData* d = mj_makeData(m);
  size_t size = (size_t)(m->nq + m->nv), times = 0;
  for (int t = 1; t <= b.head.steps; t *= 10) times++;
  size_t total = times * (size_t)b.head.count * size;
  double* out = (double*)calloc(total, sizeof(double));
  if (!d || !out) stop("no memory for", argv[1]);

  for (int k = 0; k < b.head.count; k++) {
    begin(m, d, &b, k, nudge);
    int mark = 1;
    size_t time = 0;
    for (int t = 0; t < b.head.steps; t++) {
      int hold = k * (b.head.steps / b.head.hold) + t / b.head.hold;
      for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)b.control[hold * (int)m->nu + i];
      mj_step(m, d);
      if (t + 1 < mark) continue;
      write_state(m, d, out + (time++ * (size_t)b.head.count + (size_t)k) * size);
      mark *= 10;
    }
  }
  FILE* file = fopen(argv[3], "wb");
  if (!file || fwrite(out, sizeof(double), total, file) != total || fclose(file)) {
    stop("cannot write", argv[3]);
  }
  free(out);
  free(b.state);
  free(b.control);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
