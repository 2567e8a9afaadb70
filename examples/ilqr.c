#include "ilqr.h"

#include <corten/derivative.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"

typedef struct {
  const IlqrProblem* p;
  mjData* d;
  int n, nu, nstate;
  double *states, *tries;  // ((steps + 1) x nstate) of the controls, and of a trial
  double *ctrl, *trial;    // (steps x nu)
  double *A, *B, *K, *k;   // of each step
  double *V, *v;           // value: second and first derivative
  double *Qxx, *Qux, *Quu, *VA, *VB, *AT;
  double* dx;  // (n)
} Ilqr;

static double* state_at(double* states, const Ilqr* s, int t) {
  return states + (size_t)t * (size_t)s->nstate;
}

// From the target to the state of d.
static void way_to(const Ilqr* s, const mjData* d, double* dx) {
  const mjModel* m = s->p->m;
  mj_differentiatePos(m, dx, 1, s->p->target_qpos, d->qpos);
  for (int i = 0; i < m->nv; i++) dx[m->nv + i] = d->qvel[i] - s->p->target_qvel[i];
  for (int i = 0; i < m->na; i++) dx[2 * m->nv + i] = d->act[i];
}

static double quadratic(const double* weights, const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0.5 * weights[i] * x[i] * x[i];
  return sum;
}

// Controls, corrected by K times the way from the old state to the new one if there is a step
// length.
static void choose_controls(const Ilqr* s, int t, double length, double* u) {
  const mjModel* m = s->p->m;
  const double* old = s->states + (size_t)t * (size_t)s->nstate;
  for (int i = 0; i < s->nu; i++) u[i] = s->ctrl[t * s->nu + i];
  if (length > 0) {
    mj_differentiatePos(m, s->dx, 1, old, s->d->qpos);
    for (int i = 0; i < m->nv; i++) s->dx[m->nv + i] = s->d->qvel[i] - old[m->nq + i];
    for (int i = 0; i < m->na; i++) s->dx[2 * m->nv + i] = s->d->act[i] - old[m->nq + m->nv + i];
    for (int i = 0; i < s->nu; i++) {
      u[i] += length * s->k[t * s->nu + i];
      for (int j = 0; j < s->n; j++) u[i] += s->K[(t * s->nu + i) * s->n + j] * s->dx[j];
    }
  }
  for (int i = 0; i < s->nu; i++) {
    const double* range = m->actuator_ctrlrange + 2 * i;
    if (m->actuator_ctrllimited[i]) u[i] = fmax(range[0], fmin(range[1], u[i]));
  }
}

static double roll_out(Ilqr* s, double length) {
  const IlqrProblem* p = s->p;
  double cost = 0;
  mj_copyData(s->d, p->m, p->start);
  for (int t = 0; t <= p->steps; t++) {
    mj_getState(p->m, s->d, state_at(s->tries, s, t), mjSTATE_PHYSICS);
    way_to(s, s->d, s->dx);
    cost += quadratic(t < p->steps ? p->running : p->final, s->dx, s->n);
    if (t == p->steps) break;
    double* u = s->trial + t * s->nu;
    choose_controls(s, t, length, u);
    cost += quadratic(p->effort, u, s->nu);
    memcpy(s->d->ctrl, u, (size_t)s->nu * sizeof(double));
    mj_step(p->m, s->d);
  }
  return cost;
}

static void accept(Ilqr* s) {
  size_t states = (size_t)(s->p->steps + 1) * (size_t)s->nstate;
  memcpy(s->states, s->tries, states * sizeof(double));
  memcpy(s->ctrl, s->trial, (size_t)(s->p->steps * s->nu) * sizeof(double));
}

static void differentiate(Ilqr* s) {
  const IlqrProblem* p = s->p;
  mj_copyData(s->d, p->m, p->start);
  for (int t = 0; t < p->steps; t++) {
    ct_DerivativeMatrices out = {s->A + (size_t)t * (size_t)(s->n * s->n),
                                 s->B + (size_t)t * (size_t)(s->n * s->nu), NULL, NULL};
    memcpy(s->d->ctrl, s->ctrl + t * s->nu, (size_t)s->nu * sizeof(double));
    ct_derivative(p->m, s->d, NULL, &out, NULL);
    mj_step(p->m, s->d);
  }
}

// Gains of one step from the value behind it. Zero if Quu is not invertible.
static int step_back(Ilqr* s, int t, double damping) {
  int n = s->n, nu = s->nu;
  const IlqrProblem* p = s->p;
  const double *A = s->A + (size_t)t * (size_t)(n * n), *B = s->B + (size_t)t * (size_t)(n * nu);
  double *K = s->K + (size_t)t * (size_t)(nu * n), *k = s->k + t * nu, *Quu = s->Quu;
  double *Qx = s->dx, *both = s->VB;  // (nu x (n + 1)) right-hand sides
  dense_mul(s->VA, s->V, A, n, n, n);
  dense_mul_t(s->Qxx, A, s->VA, n, n, n);
  dense_mul_t(s->Qux, B, s->VA, nu, n, n);
  dense_mul(s->AT, s->V, B, n, n, nu);
  dense_mul_t(Quu, B, s->AT, nu, n, nu);
  for (int i = 0; i < nu; i++) Quu[i * nu + i] += p->effort[i] + damping;
  for (int i = 0; i < nu; i++) {
    double Qu = p->effort[i] * s->ctrl[t * nu + i];
    for (int r = 0; r < n; r++) Qu += B[r * nu + i] * s->v[r];
    k[i] = Qu;
    for (int j = 0; j < n; j++) both[i * (n + 1) + j] = -s->Qux[i * n + j];
    both[i * (n + 1) + n] = -Qu;
  }
  if (!dense_solve(Quu, both, nu, n + 1)) return 0;

  // v = Qx + Qux' k, V = Qxx + Qux' K, with Qu in k until now
  mj_setState(p->m, s->d, state_at(s->states, s, t), mjSTATE_PHYSICS);
  way_to(s, s->d, Qx);
  for (int i = 0; i < n; i++) {
    double sum = p->running[i] * Qx[i];
    for (int r = 0; r < n; r++) sum += A[r * n + i] * s->v[r];
    for (int r = 0; r < nu; r++) sum += s->Qux[r * n + i] * both[r * (n + 1) + n];
    s->AT[i] = sum;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = s->Qxx[i * n + j] + (i == j ? p->running[i] : 0);
      for (int r = 0; r < nu; r++) sum += s->Qux[r * n + i] * both[r * (n + 1) + j];
      s->V[i * n + j] = sum;
    }
  }
  memcpy(s->v, s->AT, (size_t)n * sizeof(double));
  for (int i = 0; i < nu; i++) {
    k[i] = both[i * (n + 1) + n];
    for (int j = 0; j < n; j++) K[i * n + j] = both[i * (n + 1) + j];
  }
  return 1;
}

static int go_back(Ilqr* s, double damping) {
  const IlqrProblem* p = s->p;
  int n = s->n;
  mj_setState(p->m, s->d, state_at(s->states, s, p->steps), mjSTATE_PHYSICS);
  way_to(s, s->d, s->v);
  for (int i = 0; i < n * n; i++) s->V[i] = 0;
  for (int i = 0; i < n; i++) {
    s->V[i * n + i] = p->final[i];
    s->v[i] *= p->final[i];
  }
  for (int t = p->steps - 1; t >= 0; t--) {
    if (!step_back(s, t, damping)) return 0;
  }
  return 1;
}

static void allocate(Ilqr* s, double* ctrl) {
  size_t steps = (size_t)s->p->steps, n = (size_t)s->n, nu = (size_t)s->nu;
  s->states = dense_make(steps + 1, (size_t)s->nstate);
  s->tries = dense_make(steps + 1, (size_t)s->nstate);
  s->ctrl = ctrl;
  s->trial = dense_make(steps, nu);
  s->A = dense_make(steps * n, n);
  s->B = dense_make(steps * n, nu);
  s->K = dense_make(steps * nu, n);
  s->k = dense_make(steps, nu);
  s->V = dense_make(n, n);
  s->v = dense_make(n, 1);
  s->Qxx = dense_make(n, n);
  s->Qux = dense_make(nu, n);
  s->Quu = dense_make(nu, nu);
  s->VA = dense_make(n, n);
  s->VB = dense_make(nu, n + 1);
  s->AT = dense_make(n, n + nu);
  s->dx = dense_make(n, 1);
}

static void release(Ilqr* s) {
  free(s->states), free(s->tries), free(s->trial), free(s->A), free(s->B), free(s->K), free(s->k);
  free(s->V), free(s->v), free(s->Qxx), free(s->Qux), free(s->Quu), free(s->VA), free(s->VB);
  free(s->AT), free(s->dx);
  mj_deleteData(s->d);
}

double ilqr_solve(const IlqrProblem* p, double* ctrl, double* history, int* used) {
  Ilqr s = {.p = p,
            .d = mj_makeData(p->m),
            .n = (int)(2 * p->m->nv + p->m->na),
            .nu = (int)p->m->nu,
            .nstate = mj_stateSize(p->m, mjSTATE_PHYSICS)};
  allocate(&s, ctrl);
  double cost = roll_out(&s, 0), damping = 1e-6;
  accept(&s);
  if (history) history[0] = cost;
  int done = 0;
  for (; done < p->iterations; done++) {
    bool better = false;
    differentiate(&s);
    for (; !better && damping < 1e10; damping *= better ? 1 : 10) {
      if (!go_back(&s, damping)) continue;
      for (double length = 1; length > 0.01 && !better; length /= 2) {
        double now = roll_out(&s, length);
        if (now < cost * (1 - 1e-6)) {
          cost = now;
          accept(&s);
          better = true;
        }
      }
    }
    if (!better) break;
    damping = fmax(1e-9, damping / 30);
    if (history) history[done + 1] = cost;
  }
  if (used) *used = done;
  release(&s);
  return cost;
}
