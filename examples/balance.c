// balance: a linear-quadratic regulator keeps the humanoid standing on its left leg.
//
//   usage: balance HUMANOID.xml [PICTURE.svg]
//
// The pose is brought over the foot, and torques that hold it come from inverse dynamics. A and B
// of a step at that pose, through the contacts of the foot, give the feedback u = u0 - K dx. Then
// it is pushed about.

#include <corten/derivative.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "plot.h"

enum { STEPS = 2000, DOUBLINGS = 40 };

static int address(const mjModel* m, const char* joint) {
  return m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, joint)];
}

// Leaning by `side` and `ahead` while the left foot stays flat, the other leg lifted.
static void take_pose(const mjModel* m, mjData* d, double side, double ahead, double height) {
  const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  double roll[4], pitch[4];
  mj_resetData(m, d);
  mju_axisAngle2Quat(roll, x, side);
  mju_axisAngle2Quat(pitch, y, ahead);
  mju_mulQuat(d->qpos + 3, pitch, roll);
  d->qpos[2] = height;
  d->qpos[address(m, "hip_spread_left")] = -side;
  d->qpos[address(m, "knee_left")] = 0.3;
  d->qpos[address(m, "ankle_left")] = -ahead - 0.3;
  d->qpos[address(m, "hip_swing_right")] = -0.7;
  d->qpos[address(m, "hip_spread_right")] = -0.25;
  d->qpos[address(m, "knee_right")] = 1.1;
  d->qpos[address(m, "shoulder_lift_left")] = 1.2;
  d->qpos[address(m, "shoulder_lift_right")] = 0.2;
  mj_forward(m, d);
}

static void off_centre(const mjModel* m, const mjData* d, double off[2]) {
  const double* foot = d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, "sole_left");
  off[0] = d->subtree_com[3] - foot[0];
  off[1] = d->subtree_com[4] - foot[1];
}

// The lowest point of the soles of the left foot above the ground.
static double clearance(const mjModel* m, const mjData* d) {
  double lowest = 1;
  for (int g = 0; g < m->ngeom; g++) {
    if (strncmp(m->names + m->name_geomadr[g], "sole_", 5) || m->geom_type[g] != mjGEOM_CAPSULE) {
      continue;
    }
    double reach = fabs(d->geom_xmat[9 * g + 8]) * m->geom_size[3 * g + 1] + m->geom_size[3 * g];
    lowest = fmin(lowest, d->geom_xpos[3 * g + 2] - reach);
  }
  return lowest;
}

// Newton's method on lean angles until the centre of mass is over the middle of the foot; then the
// height at which the floor carries the weight.
static void find_pose(const mjModel* m, mjData* d, double* side, double* ahead, double* height) {
  *side = -0.1;
  *ahead = 0.1;
  *height = 1;
  for (int i = 0; i < 20; i++) {
    double here[2], there[2], J[4], step[2];
    take_pose(m, d, *side, *ahead, *height);
    off_centre(m, d, here);
    for (int k = 0; k < 2; k++) {
      take_pose(m, d, *side + (k == 0 ? 1e-6 : 0), *ahead + (k == 1 ? 1e-6 : 0), *height);
      off_centre(m, d, there);
      J[k] = (there[0] - here[0]) / 1e-6;
      J[2 + k] = (there[1] - here[1]) / 1e-6;
    }
    step[0] = here[0];
    step[1] = here[1];
    if (!dense_solve(J, step, 2, 1)) break;
    *side -= step[0];
    *ahead -= step[1];
  }
  take_pose(m, d, *side, *ahead, *height);
  *height -= clearance(m, d);
  double low = *height - 0.01, high = *height;
  for (int i = 0; i < 40; i++) {
    double middle = (low + high) / 2;
    take_pose(m, d, *side, *ahead, middle);
    mju_zero(d->qacc, (int)m->nv);
    mj_inverse(m, d);
    if (d->qfrc_inverse[2] > 0) {
      high = middle;
    } else {
      low = middle;
    }
  }
  *height = (low + high) / 2;
}

// P = Q + A'P (1 + G P)^-1 A by doubling, G = B R^-1 B'; K = (R + B'PB)^-1 B'PA with R = 1.
static void regulate(const double* A0, const double* B, const double* Q, int n, int nu, double* K) {
  double *A = dense_make((size_t)n, (size_t)n), *G = dense_make((size_t)n, (size_t)n);
  double *P = dense_make((size_t)n, (size_t)n), *W = dense_make((size_t)n, (size_t)n);
  double *X = dense_make((size_t)n, (size_t)(2 * n)), *T = dense_make((size_t)n, (size_t)n);
  double *U = dense_make((size_t)n, (size_t)n), *BT = dense_make((size_t)nu, (size_t)n);
  double* R = dense_make((size_t)nu, (size_t)nu);
  memcpy(A, A0, (size_t)(n * n) * sizeof(double));
  memcpy(P, Q, (size_t)(n * n) * sizeof(double));
  dense_transpose(BT, B, n, nu);
  dense_mul(G, B, BT, n, nu, n);
  for (int i = 0; i < DOUBLINGS; i++) {
    dense_mul(W, G, P, n, n, n);
    for (int k = 0; k < n; k++) W[k * n + k] += 1;
    for (int r = 0; r < n; r++) {  // X = (1 + G P)^-1 [A, G]
      for (int c = 0; c < n; c++) {
        X[r * 2 * n + c] = A[r * n + c];
        X[r * 2 * n + n + c] = G[r * n + c];
      }
    }
    dense_solve(W, X, n, 2 * n);
    double change = 0;
    for (int r = 0; r < n; r++) {
      for (int c = 0; c < n; c++) {
        W[r * n + c] = X[r * 2 * n + c];
        T[r * n + c] = X[r * 2 * n + n + c];
      }
    }
    dense_mul(U, P, W, n, n, n);  // P += A' P X_A
    dense_mul_t(X, A, U, n, n, n);
    for (int k = 0; k < n * n; k++) {
      P[k] += X[k];
      change = fmax(change, fabs(X[k]) / (1 + fabs(P[k])));
    }
    dense_mul(U, A, T, n, n, n);  // G += A X_G A'
    dense_transpose(T, A, n, n);
    dense_mul(X, U, T, n, n, n);
    for (int k = 0; k < n * n; k++) G[k] += X[k];
    dense_mul(T, A, W, n, n, n);  // A = A X_A
    memcpy(A, T, (size_t)(n * n) * sizeof(double));
    if (change < 1e-10) break;
  }
  dense_mul(X, P, A0, n, n, n);
  dense_mul_t(K, B, X, nu, n, n);
  dense_mul(X, P, B, n, n, nu);
  dense_mul_t(R, B, X, nu, n, nu);
  for (int i = 0; i < nu; i++) R[i * nu + i] += 1;
  dense_solve(R, K, nu, n);
  free(A), free(G), free(P), free(W), free(X), free(T), free(U), free(BT), free(R);
}

// The centre of mass is to stay over the foot, and joints near their pose: those of the leg that
// stands may move most.
static void weigh(const mjModel* m, const mjData* d, double* Q) {
  int nv = (int)m->nv, n = 2 * nv;
  double *com = dense_make(3, (size_t)nv), *foot = dense_make(3, (size_t)nv);
  mj_jacSubtreeCom(m, (mjData*)d, com, 1);
  mj_jacSite(m, d, foot, NULL, mj_name2id(m, mjOBJ_SITE, "sole_left"));
  for (int i = 0; i < 3 * nv; i++) com[i] -= foot[i];
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < nv; j++) {
      for (int k = 0; k < 3; k++) Q[i * n + j] += 1000 * com[k * nv + i] * com[k * nv + j];
    }
    if (i >= 6) Q[i * n + i] += strstr(m->names + m->name_jntadr[m->dof_jntid[i]], "left") ? 3 : 1;
  }
  free(com), free(foot);
}

int main(int argc, char** argv) {
  char error[500];
  mjModel* m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof(error)) : NULL;
  if (!m) return fprintf(stderr, "usage: balance HUMANOID.xml [PICTURE.svg]\n"), 2;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv, n = 2 * nv, nu = (int)m->nu;
  double side, ahead, height;
  double *A = dense_make((size_t)n, (size_t)n), *B = dense_make((size_t)n, (size_t)nu);
  double *Q = dense_make((size_t)n, (size_t)n), *K = dense_make((size_t)nu, (size_t)n);
  double *u0 = dense_make((size_t)nu, 1), *q0 = dense_make((size_t)m->nq, 1);
  double *dx = dense_make((size_t)n, 1), time[STEPS], tilt[STEPS], reach[STEPS];

  // the pose, and torques that hold it
  find_pose(m, d, &side, &ahead, &height);
  take_pose(m, d, side, ahead, height);
  mju_zero(d->qacc, nv);
  mj_inverse(m, d);
  memcpy(q0, d->qpos, (size_t)m->nq * sizeof(double));
  for (int i = 0; i < nu; i++) {
    u0[i] = d->qfrc_inverse[m->jnt_dofadr[m->actuator_trnid[2 * i]]] / m->actuator_gear[6 * i];
  }
  printf("leaning %.3f aside and %.3f ahead, pelvis at %.4f m, %d contacts, left over: %.2g N\n",
         side, ahead, height, d->ncon, mju_norm(d->qfrc_inverse, 6));

  // the regulator
  ct_DerivativeMatrices out = {A, B, NULL, NULL};
  ct_DerivativeReport report;
  memcpy(d->ctrl, u0, (size_t)nu * sizeof(double));
  if (ct_derivative(m, d, NULL, &out, &report)) return 1;
  mj_forward(m, d);
  weigh(m, d, Q);
  regulate(A, B, Q, n, nu, K);

  // pushed aside, ahead and back for a fifth of a second each
  int chest = mj_name2id(m, mjOBJ_BODY, "chest"), fell = 0;
  take_pose(m, d, side, ahead, height);
  for (int t = 0; t < STEPS; t++) {
    double push = t % 500 >= 100 && t % 500 < 150 ? 8 : 0;
    d->xfrc_applied[6 * chest] = t / 500 == 1 ? push : t / 500 == 2 ? -push : 0;
    d->xfrc_applied[6 * chest + 1] = t / 500 == 0 ? push / 2 : t / 500 == 3 ? -push / 2 : 0;
    mj_differentiatePos(m, dx, 1, q0, d->qpos);
    memcpy(dx + nv, d->qvel, (size_t)nv * sizeof(double));
    for (int i = 0; i < nu; i++) {
      d->ctrl[i] = u0[i];
      for (int j = 0; j < n; j++) d->ctrl[i] -= K[i * n + j] * dx[j];
    }
    mj_step(m, d);
    time[t] = d->time;
    tilt[t] =
        1000 * (d->subtree_com[4] - d->site_xpos[3 * mj_name2id(m, mjOBJ_SITE, "sole_left") + 1]);
    reach[t] =
        1000 * (d->subtree_com[3] - d->site_xpos[3 * mj_name2id(m, mjOBJ_SITE, "sole_left")]);
    if (d->qpos[2] < height - 0.1) fell = 1;
  }
  printf("after %.0f s the pelvis is at %.4f m, the centre of mass %.1f mm from over the foot%s\n",
         d->time, d->qpos[2], hypot(tilt[STEPS - 1], reach[STEPS - 1]), fell ? ": it fell" : "");
  const PlotLine lines[] = {{"centre of mass, aside (mm)", tilt}, {"ahead (mm)", reach}};
  if (!plot(argc > 2 ? argv[2] : NULL, "Standing on one leg, pushed four times", "time (s)", time,
            STEPS, lines, 2)) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
  }
  free(A), free(B), free(Q), free(K), free(u0), free(q0), free(dx);
  mj_deleteData(d);
  mj_deleteModel(m);
  return fell ? 1 : 0;
}
