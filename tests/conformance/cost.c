#include "conformance/cost.h"

#include <math.h>

#include "conformance/row_view.h"

// Residual of a row, J a - aref; adds the magnitude of its terms to *scale.
static double residual(const mjModel* m, const mjData* d, int row, const mjtNum* qacc,
                       double* scale) {
  RowView J = view_efc_J(m, d, row);
  double r = -(double)d->efc_aref[row];
  *scale += fabs(r);
  for (int k = 0; k < J.n; k++) {
    double term = (double)(J.values[k] * qacc[view_column(&J, k)]);
    r += term;
    *scale += fabs(term);
  }
  return r;
}

typedef struct {       // a conic contact at some acceleration
  double N, T;         // scaled normal and tangential residual
  double scale;        // magnitude of the terms of both
  double bottom_cost;  // sum of D r^2 / 2
} Cone;

static Cone cone_at(const mjModel* m, const mjData* d, const mjContact* c, const mjtNum* qacc) {
  Cone cone = {0, 0, 0, 0};
  for (int j = 0; j < c->dim; j++) {
    double r = residual(m, d, c->efc_address + j, qacc, &cone.scale);
    double u = r * (double)(j ? c->friction[j - 1] : c->mu);
    cone.bottom_cost += (double)d->efc_D[c->efc_address + j] * r * r / 2;
    if (j) {
      cone.T += u * u;
    } else {
      cone.N = u;
    }
  }
  cone.T = sqrt(cone.T);
  return cone;
}

static double cone_cost(const mjData* d, const mjContact* c, const Cone* x) {
  double mu = (double)c->mu, slack = x->N - mu * x->T;
  if (slack >= 0) return 0;
  if (mu * x->N + x->T <= 0) return x->bottom_cost;
  return (double)d->efc_D[c->efc_address] / (mu * mu * (1 + mu * mu)) * slack * slack / 2;
}

static double row_cost(const mjData* d, int row, double r) {
  double D = (double)d->efc_D[row], eta = (double)d->efc_frictionloss[row];
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      return D * r * r / 2;
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_FRICTION_TENDON: {
      double knee = (double)d->efc_R[row] * eta;
      return fabs(r) >= knee ? eta * (fabs(r) - knee / 2) : D * r * r / 2;
    }
    default:
      return r < 0 ? D * r * r / 2 : 0;
  }
}

static const mjContact* cone_of(const mjData* d, int row) {
  if (d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC) return NULL;
  int id = d->efc_id[row];
  const mjContact* c = id >= 0 && id < d->ncon ? d->contact + id : NULL;
  return c && c->efc_address >= 0 && c->efc_address + c->dim <= d->nefc ? c : NULL;
}

double cost_of(const mjModel* m, const mjData* d, const mjtNum* qacc) {
  double cost = 0;
  for (int i = 0; i < m->nv; i++) {
    // the lower triangle stands for both
    double x = (double)(qacc[i] - d->qacc_smooth[i]);
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      int j = m->M_colind[k];
      double y = (double)(qacc[j] - d->qacc_smooth[j]);
      cost += (i == j ? 0.5 : 1.0) * x * (double)d->M[k] * y;
    }
  }
  for (int row = 0; row < d->nefc; row++) {
    const mjContact* c = cone_of(d, row);
    double scale = 0;
    if (!c) {
      cost += row_cost(d, row, residual(m, d, row, qacc, &scale));
    } else if (c->efc_address == row) {
      Cone cone = cone_at(m, d, c, qacc);
      cost += cone_cost(d, c, &cone);
    }
  }
  return cost;
}

double cost_resolution(const mjModel* m) {
  double nv = m->nv > 1 ? (double)m->nv : 1;
  return (double)m->opt.tolerance * (double)m->stat.meaninertia * nv;
}

bool at_border(const mjModel* m, const mjData* d, int row, const mjtNum* qacc, double tolerance) {
  const mjContact* c = cone_of(d, row);
  if (c) {
    Cone x = cone_at(m, d, c, qacc);
    double near = tolerance * fmax(1, x.scale), mu = (double)c->mu;
    return fabs(x.N - mu * x.T) <= near || fabs(mu * x.N + x.T) <= near;
  }
  double scale = 0, r = residual(m, d, row, qacc, &scale), near = tolerance * fmax(1, scale);
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      return false;
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_FRICTION_TENDON:
      return fabs(fabs(r) - (double)(d->efc_R[row] * d->efc_frictionloss[row])) <= near;
    default:
      return fabs(r) <= near;
  }
}

bool at_dual_border(const mjData* d, int row, double error) {
  const mjContact* c = cone_of(d, row);
  double force = (double)d->efc_force[row];
  if (c) {
    double T = 0, lever = 0, mu = (double)c->mu;
    for (int j = 1; j < c->dim; j++) {
      double friction = (double)c->friction[j - 1];
      double t = (double)d->efc_force[c->efc_address + j] / friction;
      T += t * t;
      lever += 1 / (friction * friction);
    }
    T = sqrt(T);
    double N = (double)d->efc_force[c->efc_address], near = error * (1 + sqrt(lever));
    return fabs(N - T) <= near || fabs(N / mu + mu * T) <= near;
  }
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      return false;
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_FRICTION_TENDON:
      return fabs(fabs(force) - (double)d->efc_frictionloss[row]) <= error;
    default:
      return fabs(force) <= error;
  }
}
