// conform_support: the functions around a step, corten against the reference, on every model of a
// folder.
//
//   usage: conform_support REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// The reference loads a model and runs mj_forward at a few random states; corten gets a copy of
// that data. Then both are asked the same: Jacobians and their rates, momentum matrices, products
// and solutions with the mass matrix, applied forces, velocities and accelerations of objects,
// integration and difference of positions, and evaluations that skip stages. For every function the
// largest error is printed, relative to the largest number of the answer (floor 1). Each model has
// a process of its own and a few seconds.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/copy.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 30, STATES = 3, OBJECTS = 8, MOST_FUNCTIONS = 40 };

#define TOLERANCE 1e-9

// What one function answered.
typedef struct {
  const char* function;
  mjtNum* number;
  int count;
} Answers;

// The sheet of one engine: all its answers in the order of the questions.
typedef struct {
  const Engine* e;
  const mjModel* m;
  mjData* d;
  Random random;  // starts alike for both engines, so that both are asked the same
  Answers* answers;
  int count;
} Sheet;

typedef struct {
  char function[32];
  double worst;
  char model[128];  // where the worst is
  long asked, wrong, wrong_models;
  const char* last_wrong;  // the last model that is counted in wrong_models
} Score;

static Score* scores;        // of each function, shared with the children
static const char* current;  // model being compared

#define CALL(sheet_, name_) LIBRARY_FUNCTION((sheet_)->e->handle, name_)

// Room for the next answer, filled with the same numbers for both engines.
static mjtNum* answer_of(Sheet* s, const char* function, int count) {
  s->answers = (Answers*)realloc(s->answers, (size_t)(s->count + 1) * sizeof(Answers));
  mjtNum* number = (mjtNum*)malloc(((size_t)count + 1) * sizeof(mjtNum));
  for (int i = 0; i < count; i++) number[i] = 0.5;
  Answers a = {function, number, count};
  s->answers[s->count++] = a;
  return number;
}

#define ANSWER(sheet_, name_, count_) answer_of(sheet_, #name_, (int)(count_))

static void copy_answer(Sheet* s, const char* function, const mjtNum* number, int count) {
  memcpy(answer_of(s, function, count), number, (size_t)count * sizeof(mjtNum));
}

static void draw(Sheet* s, mjtNum* number, int count) {
  for (int i = 0; i < count; i++) number[i] = (mjtNum)random_uniform(&s->random, -1, 1);
}

static mjtNum* draw_new(Sheet* s, mjtSize count) {
  mjtNum* number = (mjtNum*)malloc(((size_t)count + 1) * sizeof(mjtNum));
  draw(s, number, (int)count);
  return number;
}

static int pick(Sheet* s, mjtSize count) {
  return (int)random_uniform(&s->random, 0, (double)count);
}

// Questions

static void ask_jacobians_of_body(Sheet* s, int body) {
  const mjModel* m = s->m;
  mjtNum point[3], axis[3];
  int n = 3 * (int)m->nv;
  draw(s, point, 3);
  draw(s, axis, 3);
  mjtNum* J = ANSWER(s, mj_jac, 2 * n);
  CALL(s, mj_jac)(m, s->d, J, J + n, point, body);
  J = ANSWER(s, mj_jacBody, 2 * n);
  CALL(s, mj_jacBody)(m, s->d, J, J + n, body);
  J = ANSWER(s, mj_jacBodyCom, 2 * n);
  CALL(s, mj_jacBodyCom)(m, s->d, J, J + n, body);
  J = ANSWER(s, mj_jacSubtreeCom, n);
  CALL(s, mj_jacSubtreeCom)(m, s->d, J, body);
  J = ANSWER(s, mj_jacPointAxis, 2 * n);
  CALL(s, mj_jacPointAxis)(m, s->d, J, J + n, point, axis, body);
  J = ANSWER(s, mj_jacDot, 2 * n);
  CALL(s, mj_jacDot)(m, s->d, J, J + n, point, body);
  J = ANSWER(s, mj_angmomMat, n);
  CALL(s, mj_angmomMat)(m, s->d, J, body);
  J = ANSWER(s, mj_applyFT, m->nv);
  CALL(s, mj_applyFT)(m, s->d, axis, point, point, body, J);
}

static void ask_jacobians(Sheet* s) {
  const mjModel* m = s->m;
  int n = 3 * (int)m->nv;
  for (int i = 0; i < OBJECTS; i++) {
    ask_jacobians_of_body(s, pick(s, m->nbody));
    if (m->ngeom) {
      mjtNum* J = ANSWER(s, mj_jacGeom, 2 * n);
      CALL(s, mj_jacGeom)(m, s->d, J, J + n, pick(s, m->ngeom));
    }
    if (m->nsite) {
      mjtNum* J = ANSWER(s, mj_jacSite, 2 * n);
      CALL(s, mj_jacSite)(m, s->d, J, J + n, pick(s, m->nsite));
    }
  }
}

static void ask_objects(Sheet* s) {
  const mjModel* m = s->m;
  const int types[] = {mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA};
  const mjtSize counts[] = {m->nbody, m->nbody, m->ngeom, m->nsite, m->ncam};
  for (int k = 0; k < 5 * OBJECTS; k++) {
    if (!counts[k % 5]) continue;
    int id = pick(s, counts[k % 5]), local = k / 5 % 2;
    CALL(s, mj_objectVelocity)
    (m, s->d, types[k % 5], id, ANSWER(s, mj_objectVelocity, 6), local);
    CALL(s, mj_objectAcceleration)
    (m, s->d, types[k % 5], id, ANSWER(s, mj_objectAcceleration, 6), local);
  }
  for (int i = 0; i < s->d->ncon && i < OBJECTS; i++) {
    CALL(s, mj_contactForce)(m, s->d, i, ANSWER(s, mj_contactForce, 6));
  }
}

static void ask_mass_matrix(Sheet* s) {
  const mjModel* m = s->m;
  int nv = (int)m->nv;
  mjtNum *y = draw_new(s, 3 * nv), *roots = draw_new(s, nv);
  for (int k = 0; k < nv; k++) roots[k] = (mjtNum)sqrt(fabs((double)s->d->qLDiagInv[k]));
  CALL(s, mj_mulM)(m, s->d, ANSWER(s, mj_mulM, nv), y);
  CALL(s, mj_mulM2)(m, s->d, ANSWER(s, mj_mulM2, nv), y);
  CALL(s, mj_solveM)(m, s->d, ANSWER(s, mj_solveM, 3 * nv), y, 3);
  CALL(s, mj_solveM2)(m, s->d, ANSWER(s, mj_solveM2, 3 * nv), y, roots, 3);
  if (nv <= 600) {
    CALL(s, mj_fullM)(m, ANSWER(s, mj_fullM, nv * nv), s->d->qM);
    CALL(s, mj_addM)(m, s->d, ANSWER(s, mj_addM, nv * nv), NULL, NULL, NULL);
  }
  CALL(s, mj_addM)
  (m, s->d, ANSWER(s, mj_addM, m->nC), m->M_rownnz, m->M_rowadr, m->M_colind);
  free(y);
  free(roots);
}

static void ask_positions(Sheet* s) {
  const mjModel* m = s->m;
  int nq = (int)m->nq, nv = (int)m->nv;
  mjtNum* velocity = draw_new(s, nv);
  mjtNum* moved = ANSWER(s, mj_integratePos, nq);
  memcpy(moved, s->d->qpos, (size_t)nq * sizeof(mjtNum));
  CALL(s, mj_integratePos)(m, moved, velocity, (mjtNum)0.7);
  CALL(s, mj_differentiatePos)
  (m, ANSWER(s, mj_differentiatePos, nv), (mjtNum)0.3, s->d->qpos, moved);
  free(velocity);
}

// New state and forces; what a skipped stage would have written stays as it was. Constraints are
// off: solvers are compared elsewhere, with the tolerance that they need.
static void ask_skipping(Sheet* s) {
  const mjModel* m = s->m;
  int nv = (int)m->nv, nbody = (int)m->nbody;
  for (int skip = mjSTAGE_NONE; skip <= mjSTAGE_VEL; skip++) {
    mjtNum* change = draw_new(s, nv);
    s->e->mj_integratePos(m, s->d->qpos, change, (mjtNum)0.1);
    draw(s, s->d->qvel, nv);
    draw(s, s->d->qfrc_applied, nv);
    CALL(s, mj_forwardSkip)(m, s->d, skip, 1);
    copy_answer(s, "mj_forwardSkip", s->d->xpos, 3 * nbody);
    copy_answer(s, "mj_forwardSkip", s->d->cvel, 6 * nbody);
    copy_answer(s, "mj_forwardSkip", s->d->qfrc_bias, nv);
    copy_answer(s, "mj_forwardSkip", s->d->qacc, nv);
    s->e->mj_integratePos(m, s->d->qpos, change, (mjtNum)0.1);
    draw(s, s->d->qvel, nv);
    draw(s, s->d->qacc, nv);
    CALL(s, mj_inverseSkip)(m, s->d, skip, 1);
    copy_answer(s, "mj_inverseSkip", s->d->xpos, 3 * nbody);
    copy_answer(s, "mj_inverseSkip", s->d->qfrc_inverse, nv);
    free(change);
  }
}

static void ask_all(Sheet* s) {
  ask_jacobians(s);
  ask_objects(s);
  ask_mass_matrix(s);
  ask_positions(s);
}

// Comparison

static Score* score_of(const char* function) {
  int i = 0;
  while (scores[i].function[0] && strcmp(scores[i].function, function) != 0) i++;
  if (i == MOST_FUNCTIONS - 1) {
    fprintf(stderr, "conform_support: raise MOST_FUNCTIONS\n");
    exit(2);
  }
  snprintf(scores[i].function, sizeof(scores[i].function), "%s", function);
  return scores + i;
}

static void compare_answers(const Answers* want, const Answers* got) {
  Score* score = score_of(want->function);
  double scale = 1, error = 0;
  for (int i = 0; i < want->count; i++) scale = fmax(scale, fabs((double)want->number[i]));
  for (int i = 0; i < want->count; i++) {
    double a = (double)got->number[i], b = (double)want->number[i];
    if (isnan(a) && isnan(b)) continue;
    double now = fabs(a - b) / scale;
    if (!(now <= error)) error = isnan(now) ? INFINITY : now;
  }
  score->asked++;
  if (error > TOLERANCE) {
    score->wrong++;
    score->wrong_models += score->last_wrong != current;
    score->last_wrong = current;
  }
  if (error > score->worst) {
    score->worst = error;
    snprintf(score->model, sizeof(score->model), "%s", current);
  }
}

// Compares two sheets and empties them.
static void compare_sheets(Sheet* theirs, Sheet* ours) {
  for (int i = 0; i < theirs->count; i++) {
    compare_answers(theirs->answers + i, ours->answers + i);
    free(theirs->answers[i].number);
    free(ours->answers[i].number);
  }
  theirs->count = ours->count = 0;
}

static void compare_model(const Engine* reference, const Engine* corten, mjModel* m) {
  Random start = random_seeded(current, 1000);
  Sheet theirs = {reference, m, reference->mj_makeData(m), start, NULL, 0};
  Sheet ours = {corten, m, corten->mj_makeData(m), start, NULL, 0};
  int flags = m->opt.disableflags;
  for (int state = 0; state < STATES; state++) {
    Random random = random_seeded(current, state);
    m->opt.disableflags = flags;
    reference->mj_resetData(m, theirs.d);
    randomise_state(reference, m, theirs.d, &random);
    reference->mj_forward(m, theirs.d);
    reference->mj_rnePostConstraint(m, theirs.d);
    reference->mj_subtreeVel(m, theirs.d);
    copy_whole_data(m, ours.d, theirs.d);
    ask_all(&theirs);
    ask_all(&ours);
    compare_sheets(&theirs, &ours);
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    reference->mj_forward(m, theirs.d);
    copy_whole_data(m, ours.d, theirs.d);
    ask_skipping(&theirs);
    ask_skipping(&ours);
    compare_sheets(&theirs, &ours);
  }
}

// How a model fared.
enum { COMPARED, REFUSED, STOPPED, MISSING };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m) return REFUSED;
  ENGINE_TRY(compare_model(reference, corten, m), {
    if (engine_lacks_function()) return MISSING;
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

static int print_scores(void) {
  int wrong = 0;
  for (int i = 0; scores[i].function[0]; i++) {
    const Score* s = scores + i;
    printf("%-22s asked %6ld times, wrong %ld in %ld models, worst %8.1e (%s)\n", s->function,
           s->asked, s->wrong, s->wrong_models, s->worst, s->model);
    wrong |= s->wrong > 0;
  }
  return wrong;
}

int main(int argc, char** argv) {
  Engine engines[2];
  scores = (Score*)shared_memory(MOST_FUNCTIONS * sizeof(Score));
  Fates fates = ask_about_folder(argc, argv, SECONDS, judge_model, engines);
  int wrong = print_scores();
  printf(
      "%d models: %d compared, %d refused by the reference, %d need what corten lacks, %d stopped, "
      "%d crashed or out of time\n",
      fates.models, fates.count[COMPARED], fates.count[REFUSED], fates.count[MISSING],
      fates.count[STOPPED], fates.lost);
  return wrong || fates.lost > 0 || fates.count[STOPPED] > 0 || fates.count[COMPARED] == 0;
}
