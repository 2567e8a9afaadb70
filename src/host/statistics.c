// Statistics: where a model is, how large it and its bodies are, what is usual in it. They scale
// pictures, solvers and what is measured in the lengths of dofs.
//
//   center, extent   middle and longest side of the box around everything but infinite planes
//   meansize         mean size of bodies; a body is as large as the ball about its centre of mass
//                    that holds its geoms, its joints and those of its children
//   meanmass         mean mass of bodies
//   meaninertia      mean of the diagonal of the mass matrix
//   dof_length       1 for dofs that translate; for those that rotate the size of their body

#include "host/statistics.h"

#include <stdbool.h>

#include "math/vec.h"

#define SMALLEST ((mjtNum)1e-5)  // size of a body, and extent of a model

typedef struct {  // along one axis
  mjtNum from, to;
} Span;

static void stretch(Span* span, mjtNum x, mjtNum radius) {
  span->from = ct_min(span->from, x - radius);
  span->to = ct_max(span->to, x + radius);
}

// How much of a geom belongs to the picture. The bounding radius of a plane is 0: a tenth of its
// longer side has to do, and 1 if it has no end.
static mjtNum visible_radius(const mjModel* m, int geom) {
  if (m->geom_rbound[geom] > 0) return m->geom_rbound[geom];
  if (m->geom_type[geom] != mjGEOM_PLANE) return 0;
  const mjtNum* side = m->geom_size + 3 * geom;
  mjtNum longer = ct_max(side[0], side[1]);
  return longer > 0 ? longer / 10 : 1;
}

// What all bodies, joints, sites and geoms take of an axis. Nothing: from > to.
static Span span_along(const mjModel* m, const mjData* d, int axis) {
  Span span = {mjMAXVAL, -mjMAXVAL};
  for (int b = 1; b < m->nbody; b++) {
    stretch(&span, d->xpos[3 * b + axis], 0);
    stretch(&span, d->xipos[3 * b + axis], 0);
  }
  for (int j = 0; j < m->njnt; j++) stretch(&span, d->xanchor[3 * j + axis], 0);
  for (int s = 0; s < m->nsite; s++) stretch(&span, d->site_xpos[3 * s + axis], 0);
  for (int g = 0; g < m->ngeom; g++) {
    stretch(&span, d->geom_xpos[3 * g + axis], visible_radius(m, g));
  }
  return span;
}

// Oddity of the reference: a model that is flat along x keeps the extent it had. So does one with a
// NaN, and it is not compared with the others.
static void set_center_and_extent(mjModel* m, const mjData* d) {
  mjtNum side[3];
  for (int axis = 0; axis < 3; axis++) {
    Span span = span_along(m, d, axis);
    if (span.from > span.to && axis == 0) return;
    m->stat.center[axis] = (span.from + span.to) / 2;
    side[axis] = span.to - span.from;
  }
  if (!(side[0] > 0)) return;
  m->stat.extent = ct_max(SMALLEST, ct_max(side[0], ct_max(side[1], side[2])));
}

// Lets the ball about the centre of mass of a body hold another one.
static void hold(mjtNum* size, const mjData* d, int body, const mjtNum point[3], mjtNum radius) {
  mjtNum reach = radius + ct_dist3(d->xipos + 3 * body, point);
  size[body] = ct_max(size[body], reach);
}

static void reach_at_least(mjtNum* size, int body, mjtNum length) {
  size[body] = ct_max(size[body], length);
}

// A body is as large as the edges that it carries an end of, or as far from other nodes.
static void hold_flex(mjtNum* size, const mjModel* m, const mjData* d, int f) {
  const int* node = m->flex_nodebodyid + m->flex_nodeadr[f];
  for (int i = 0; m->flex_interp[f] && i < m->flex_nodenum[f]; i++) {
    for (int k = 0; k < m->flex_nodenum[f]; k++) {
      reach_at_least(size, node[i], ct_dist3(d->xpos + 3 * node[i], d->xpos + 3 * node[k]));
    }
  }
  int end = m->flex_edgeadr[f] + m->flex_edgenum[f];
  for (int e = m->flex_edgeadr[f]; !m->flex_interp[f] && e < end; e++) {
    const int *vertex = m->flex_edge + 2 * e, *body = m->flex_vertbodyid + m->flex_vertadr[f];
    reach_at_least(size, body[vertex[0]], m->flexedge_length0[e]);
    reach_at_least(size, body[vertex[1]], m->flexedge_length0[e]);
  }
}

// size (nbody), the world's too.
static void measure_bodies(const mjModel* m, const mjData* d, mjtNum* size) {
  ct_zero(size, (int)m->nbody);
  for (int j = 0; j < m->njnt; j++) {
    int body = m->jnt_bodyid[j];
    hold(size, d, body, d->xanchor + 3 * j, 0);
    hold(size, d, m->body_parentid[body], d->xanchor + 3 * j, 0);
  }
  for (int g = 0; g < m->ngeom; g++) {
    if (!(m->geom_rbound[g] > 0)) continue;
    hold(size, d, m->geom_bodyid[g], d->geom_xpos + 3 * g, m->geom_rbound[g]);
  }
  for (int f = 0; f < m->nflex; f++) hold_flex(size, m, d, f);
  for (int b = 0; b < m->nbody; b++) size[b] = ct_max(size[b], SMALLEST);
}

static bool translates(const mjModel* m, int dof) {
  int joint = m->dof_jntid[dof];
  if (m->jnt_type[joint] == mjJNT_FREE) return dof - m->jnt_dofadr[joint] < 3;
  return m->jnt_type[joint] == mjJNT_SLIDE;
}

static mjtNum mean(const mjtNum* x, mjtSize n) {
  mjtNum sum = 0;
  for (mjtSize i = 0; i < n; i++) sum += x[i];
  return sum / (mjtNum)n;
}

static mjtNum mean_inertia(const mjModel* m, const mjData* d) {
  mjtNum sum = 0;
  for (int i = 0; i < m->nv; i++) {
    int last = m->M_rowadr[i] + m->M_rownnz[i] - 1;  // rows of M end on the diagonal
    sum += d->M[last];
  }
  return sum / (mjtNum)m->nv;
}

void ct_set_statistics(mjModel* m, mjData* d) {
  set_center_and_extent(m, d);

  mj_markStack(d);
  mjtNum* size = mj_stackAllocNum(d, (size_t)m->nbody);
  measure_bodies(m, d, size);
  for (int i = 0; i < m->nv; i++) {
    m->dof_length[i] = translates(m, i) ? 1 : size[m->dof_bodyid[i]];
  }
  if (m->nbody > 1) {
    m->stat.meansize = mean(size + 1, m->nbody - 1);
    m->stat.meanmass = mean(m->body_mass + 1, m->nbody - 1);
  }
  if (m->nv > 0) m->stat.meaninertia = mean_inertia(m, d);
  m->stat.extent = ct_max(m->stat.extent, 2 * m->stat.meansize);
  mj_freeStack(d);
}
