// friction: how rough is the floor? A box slides over it and stops; from where it was at every step
// the coefficient is found by Newton's method with the derivative of the rollout by geom_friction.
//
//   usage: friction [PICTURE.svg]

#include <corten/derivative.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "plot.h"

enum { STEPS = 120, N = 12, ITERATIONS = 12 };

static const char scene[] =
    "<mujoco><option timestep='0.005' cone='elliptic'/><worldbody>"
    "<geom name='floor' type='plane' size='3 3 .1' friction='.1'/>"
    "<body pos='0 0 .0999'><freejoint/>"
    "<geom name='box' type='box' size='.1 .1 .1' mass='1' friction='.3'/></body></worldbody>"
    "</mujoco>";

static void start(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  for (int i = 0; i < 20; i++) mj_step(m, d);  // comes to rest first
  d->qvel[0] = 1.5;
}

// x of the box at every step (STEPS + 1).
static void slide(const mjModel* m, mjData* d, double* x) {
  start(m, d);
  for (int t = 0; t <= STEPS; t++) {
    x[t] = d->qpos[0];
    mj_step(m, d);
  }
}

// The derivative of 1/2 sum of squares of what x is off: the weights of the states are the
// residuals themselves.
static double gradient(const mjModel* m, mjData* d, const double* off) {
  static double weights[(STEPS + 1) * N];
  const ct_Parameter friction = {"geom_friction", 3};  // of geom 1, along
  double by;
  memset(weights, 0, sizeof(weights));
  for (int t = 0; t <= STEPS; t++) weights[t * N] = off[t];
  ct_RolloutProduct rollout = {.steps = STEPS,
                               .checkpoints = 11,
                               .by_y = weights,
                               .nparameter = 1,
                               .parameters = &friction,
                               .by_parameter = &by};
  start(m, d);
  ct_rollout_product(m, d, NULL, &rollout, NULL);
  return by;
}

int main(int argc, char** argv) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(scene, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);
  const double truth = 0.42;
  double seen[STEPS + 1], x[STEPS + 1], off[STEPS + 1], guess[ITERATIONS], number[ITERATIONS];

  // what is observed
  m->geom_friction[3] = truth;
  slide(m, d, seen);

  // the search: secant steps on the gradient, from too little friction
  double mu = 0.3, before = mu, slope_before = 0;
  int used = 0;
  for (; used < ITERATIONS; used++) {
    guess[used] = mu;
    number[used] = used;
    m->geom_friction[3] = mu;
    slide(m, d, x);
    double loss = 0;
    for (int t = 0; t <= STEPS; t++) {
      off[t] = x[t] - seen[t];
      loss += 0.5 * off[t] * off[t];
    }
    double slope = gradient(m, d, off);
    printf("%2d: friction %.6f, squares %.3e, gradient %+.3e\n", used, mu, loss, slope);
    if (fabs(slope) < 1e-12) break;
    double bend = used ? (slope - slope_before) / (mu - before) : fabs(slope) / 0.05;
    before = mu;
    slope_before = slope;
    mu -= slope / fabs(bend);
    mu = fmax(0.15, fmin(1, mu));
  }
  double wrong = fabs(before - truth);
  const PlotLine line = {"friction of the box", guess};
  if (!plot(argc > 1 ? argv[1] : NULL, "Finding a friction coefficient of 0.42", "iteration",
            number, used < ITERATIONS ? used + 1 : used, &line, 1)) {
    fprintf(stderr, "cannot write %s\n", argv[1]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return wrong < 1e-4 ? 0 : 1;
}
