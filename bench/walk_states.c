// Steps a model from given states under given controls and writes where it comes by: builds of
// other precisions cannot live in one process, so each writes its file, and float_errors.py
// compares.
//
//   walk_states MODEL BEGINNING OUT [NUDGE | gpu | gpu-fast | gpu-float]
//
// BEGINNING: eight ints (states, nq, nv, nu, steps, steps that controls hold, two zeros), qpos and
// qvel of every state, controls of every state and hold; numbers are floats, which all builds have.
// OUT: doubles, qpos and qvel of every state after 1, 10, 100 ... steps, states of one time
// together. NUDGE: every number of the beginning is moved by up to as much of itself, or of 1 if it
// is smaller. gpu: all states are a batch on a GPU, in the arithmetic of the host, or in a faster
// one.

#include <corten/batch.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// Every state by itself.
static void walk(const mjModel* m, const Beginning* b, double nudge, double* out) {
  mjData* d = mj_makeData(m);
  if (!d) stop("no memory for", "mjData");
  size_t size = (size_t)(m->nq + m->nv);
  for (int k = 0; k < b->head.count; k++) {
    begin(m, d, b, k, nudge);
    int mark = 1;
    size_t time = 0;
    for (int t = 0; t < b->head.steps; t++) {
      int hold = k * (b->head.steps / b->head.hold) + t / b->head.hold;
      for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)b->control[hold * (int)m->nu + i];
      mj_step(m, d);
      if (t + 1 < mark) continue;
      write_state(m, d, out + (time++ * (size_t)b->head.count + (size_t)k) * size);
      mark *= 10;
    }
  }
  mj_deleteData(d);
}

static void must(ct_Batch* batch, int code) {
  if (code != CT_BATCH_OK) stop("the batch says:", ct_batch_error(batch));
}

// All states at once, on a GPU.
static void walk_on_gpu(const mjModel* m, const Beginning* b, int precision, double* out) {
  const Head* h = &b->head;
  char error[500] = "";
  size_t count = (size_t)h->count, size = (size_t)(m->nq + m->nv), nu = (size_t)m->nu;
  ct_BatchOptions options = ct_default_batch_options();
  options.backend = CT_BACKEND_GPU;
  options.required = 1;
  options.precision = precision;
  options.arena = m->narena;
  ct_Batch* batch = ct_batch_create(m, h->count, &options, error, sizeof(error));
  if (!batch) stop("no batch:", error);
  mjtNum* state = (mjtNum*)malloc(count * size * sizeof(mjtNum));
  mjtNum* control = (mjtNum*)malloc((count * nu + 1) * sizeof(mjtNum));
  if (!state || !control) stop("no memory for", "states");
  for (size_t i = 0; i < count * size; i++) state[i] = (mjtNum)b->state[i];
  must(batch, ct_batch_reset_state(batch, NULL, mjSTATE_QPOS | mjSTATE_QVEL, state));
  int mark = 1;
  for (int t = 0; t < h->steps; t++) {
    for (size_t k = 0; t % h->hold == 0 && k < count; k++) {
      size_t hold = k * (size_t)(h->steps / h->hold) + (size_t)(t / h->hold);
      for (size_t i = 0; i < nu; i++) control[k * nu + i] = (mjtNum)b->control[hold * nu + i];
    }
    if (t % h->hold == 0) must(batch, ct_batch_set(batch, "ctrl", NULL, control));
    must(batch, ct_batch_step(batch, NULL, 1));
    if (t + 1 < mark) continue;
    must(batch, ct_batch_get_state(batch, mjSTATE_QPOS | mjSTATE_QVEL, NULL, state));
    for (size_t i = 0; i < count * size; i++) *out++ = (double)state[i];
    mark *= 10;
  }
  free(state);
  free(control);
  ct_batch_destroy(batch);
}

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) stop("usage:", "walk_states MODEL BEGINNING OUT [NUDGE | gpu...]");
  char error[500] = "";
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) stop("cannot load:", error);
  Beginning b = read_beginning(argv[2], m);
  const char* how = argc == 5 ? argv[4] : "0";
  size_t times = 0;
  for (int t = 1; t <= b.head.steps; t *= 10) times++;
  size_t total = times * (size_t)b.head.count * (size_t)(m->nq + m->nv);
  double* out = (double*)calloc(total, sizeof(double));
  if (!out) stop("no memory for", argv[1]);

  if (strncmp(how, "gpu", 3) == 0) {
    walk_on_gpu(m, &b,
                strcmp(how, "gpu-float") == 0  ? CT_PRECISION_FLOAT
                : strcmp(how, "gpu-fast") == 0 ? CT_PRECISION_FAST
                                               : ct_default_batch_options().precision,
                out);
  } else {
    walk(m, &b, atof(how), out);
  }
  FILE* file = fopen(argv[3], "wb");
  if (!file || fwrite(out, sizeof(double), total, file) != total || fclose(file)) {
    stop("cannot write", argv[3]);
  }
  free(out);
  free(b.state);
  free(b.control);
  mj_deleteModel(m);
  return 0;
}
