// swing_up: iLQR swings the pole of a cart up and holds it.
//
//   usage: swing_up [PICTURE.svg]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dense.h"
#include "ilqr.h"
#include "plot.h"

enum { STEPS = 250, ITERATIONS = 80 };

static const char cart_pole[] =
    "<mujoco><option timestep='0.01' integrator='implicitfast'/><worldbody>"
    "<body><joint name='slide' type='slide' axis='1 0 0' damping='.05'/>"
    "<geom type='box' size='.1 .05 .05' mass='1'/>"
    "<body><joint name='hinge' axis='0 1 0' damping='.001'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.6' mass='.2'/></body></body></worldbody>"
    "<actuator><motor joint='slide' ctrllimited='true' ctrlrange='-15 15'/></actuator></mujoco>";

int main(int argc, char** argv) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(cart_pole, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);

  // upright, at rest, in the middle; the first guess rocks the cart a little
  const double pi = 3.14159265358979, qpos[2] = {0, pi}, qvel[2] = {0, 0};
  const double running[4] = {0.02, 0.02, 0.001, 0.001}, final[4] = {500, 500, 50, 50};
  const double effort[1] = {1e-4};
  double ctrl[STEPS], history[ITERATIONS + 1], time[STEPS], angle[STEPS], cart[STEPS];
  for (int t = 0; t < STEPS; t++) ctrl[t] = sin(0.06 * t);
  IlqrProblem problem = {m, d, STEPS, ITERATIONS, qpos, qvel, running, final, effort};
  int used;
  double cost = ilqr_solve(&problem, ctrl, history, &used);

  for (int t = 0; t < STEPS; t++) {
    d->ctrl[0] = ctrl[t];
    mj_step(m, d);
    time[t] = d->time;
    cart[t] = d->qpos[0];
    angle[t] = d->qpos[1];
  }
  double away = fabs(d->qpos[1] - pi), speed = fabs(d->qvel[1]);
  printf("cost %.3g to %.3g in %d iterations; the pole ends %.4f rad from upright at %.4f rad/s\n",
         history[0], cost, used, away, speed);
  const PlotLine lines[] = {{"angle of the pole (rad)", angle}, {"cart (m)", cart}};
  if (!plot(argc > 1 ? argv[1] : NULL, "Swinging up a cart-pole by iLQR", "time (s)", time, STEPS,
            lines, 2)) {
    fprintf(stderr, "cannot write %s\n", argv[1]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return away < 0.05 && speed < 0.2 ? 0 : 1;
}
