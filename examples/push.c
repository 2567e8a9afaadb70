// push: iLQR finds the forces by which a finger pushes a box over the floor to a goal, through
// contacts and friction.
//
//   usage: push [PICTURE.svg]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dense.h"
#include "ilqr.h"
#include "plot.h"

enum { STEPS = 150, ITERATIONS = 60, NV = 8 };

// The finger has two motors; the box is free and lies on the floor.
static const char scene[] =
    "<mujoco><option timestep='0.01' cone='elliptic' impratio='10'/>"
    "<default><geom friction='.4' condim='3'/></default><worldbody>"
    "<geom type='plane' size='2 2 .1'/>"
    "<body name='finger' pos='-.17 0 .06'><joint name='x' type='slide' axis='1 0 0' damping='3'/>"
    "<joint name='y' type='slide' axis='0 1 0' damping='3'/>"
    "<geom type='sphere' size='.05' mass='.5' contype='2' conaffinity='2'/></body>"
    "<body name='box' pos='0 0 .0795'><freejoint/>"
    "<geom type='box' size='.12 .12 .08' mass='1' contype='3' conaffinity='3'/></body></worldbody>"
    "<actuator><motor joint='x' ctrllimited='true' ctrlrange='-20 20'/>"
    "<motor joint='y' ctrllimited='true' ctrlrange='-20 20'/></actuator></mujoco>";

int main(int argc, char** argv) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(scene, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);

  // the box 0.4 m ahead and a little aside, at rest; where the finger is does not matter much
  const double goal[2] = {0.4, 0.08};
  double qpos[9], qvel[NV] = {0}, running[2 * NV] = {0}, final[2 * NV] = {0};
  const double effort[2] = {1e-4, 1e-4};
  for (int i = 0; i < 9; i++) qpos[i] = d->qpos[i];
  qpos[2] = goal[0];
  qpos[3] = goal[1];
  for (int i = 2; i < 4; i++) final[i] = 2000;
  for (int i = 0; i < NV; i++) final[NV + i] = 5;
  for (int i = 0; i < 2 * NV; i++) running[i] = 1e-3;

  // the first guess pushes straight on
  double ctrl[2 * STEPS], history[ITERATIONS + 1], time[STEPS], x[STEPS], y[STEPS], finger[STEPS];
  for (int t = 0; t < STEPS; t++) {
    ctrl[2 * t] = 6;
    ctrl[2 * t + 1] = 0;
  }
  IlqrProblem problem = {m, d, STEPS, ITERATIONS, qpos, qvel, running, final, effort};
  int used;
  double cost = ilqr_solve(&problem, ctrl, history, &used);
  for (int t = 0; t < STEPS; t++) {
    d->ctrl[0] = ctrl[2 * t];
    d->ctrl[1] = ctrl[2 * t + 1];
    mj_step(m, d);
    time[t] = d->time;
    finger[t] = d->qpos[0] - 0.17 + 0.05 + 0.12;
    x[t] = d->qpos[2];
    y[t] = d->qpos[3];
  }
  double away = hypot(d->qpos[2] - goal[0], d->qpos[3] - goal[1]);
  printf("cost %.3g to %.3g in %d iterations; the box ends %.1f mm from the goal\n", history[0],
         cost, used, 1000 * away);
  const PlotLine lines[] = {
      {"box, x (m)", x}, {"box, y (m)", y}, {"finger, x of a touch (m)", finger}};
  if (!plot(argc > 1 ? argv[1] : NULL, "Pushing a box to (0.4, 0.08) by iLQR", "time (s)", time,
            STEPS, lines, 3)) {
    fprintf(stderr, "cannot write %s\n", argv[1]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return away < 0.01 ? 0 : 1;
}
