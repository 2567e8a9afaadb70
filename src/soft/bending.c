// Bending of shells: across every edge between two triangles.
//
//   in    flexvert_xpos, qvel
//   out   qfrc_spring, qfrc_damper   added to
//
// A quadratic model (Bergou et al., A quadratic bending model for inextensible surfaces, 2006),
// with a correction for shells that are bent at rest. Vertices 0 and 1 are the ends of the edge, 2
// and 3 its flaps. With the 4 x 4 matrix b and the number b_16 of flex_bending
//
//   force_i = -(sum_j b_ij x_j + b_16 c_i),   c_1 = e_2 x e_3, c_2 = e_3 x e_1, c_3 = e_1 x e_2,
//                                             c_0 = -(c_1 + c_2 + c_3),  e_i = x_i - x_0,
//
// and dampers have b_ij and velocities alone.
//
// Oddities of the reference: forces and velocities are those of the first three dofs of a vertex's
// body, whatever their axes; rows 0 and 1 of b belong to the order in which the first triangle has
// the ends, and act on the ends in rising order.

#include "base/memory/scratch.h"
#include "soft/elasticity.h"

enum { BENT = 4, BENDING_NUMBERS = 17 };  // vertices of a bent edge, numbers in flex_bending

typedef struct {
  int vertex[BENT], body[BENT];
} BentEdge;

// False for edges of one triangle, and where a body has not three dofs of its own.
LANE_INLINE bool find_bent_edge(const mjModel* m, int f, int edge, BentEdge* bent) {
  const int *end = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
  if (flap[0] < 0 || flap[1] < 0) return false;
  for (int i = 0; i < BENT; i++) {
    bent->vertex[i] = i < 2 ? end[i] : flap[i - 2];
    bent->body[i] = ct_vertex_body(m, f, bent->vertex[i]);
    if (bent->body[i] < 0 || m->body_dofnum[bent->body[i]] < 3) return false;
  }
  return true;
}

// Forces of the four vertices, 3 numbers each: spring, then damper.
LANE_FN static void bend(const mjModel* m, const mjData* d, int f, int edge, const BentEdge* bent,
                         mjtNum spring[3 * BENT], mjtNum damper[3 * BENT]) {
  const mjtNum* b = m->flex_bending + BENDING_NUMBERS * edge;
  const mjtNum* x[BENT];
  mjtNum e[BENT][3], c[BENT][3];
  for (int i = 0; i < BENT; i++) {
    x[i] = ct_flex_vertex(m, d, f, bent->vertex[i]);
    ct_sub3(e[i], x[i], x[0]);
  }
  ct_cross(c[1], e[2], e[3]);
  ct_cross(c[2], e[3], e[1]);
  ct_cross(c[3], e[1], e[2]);
  for (int k = 0; k < 3; k++) c[0][k] = -(c[1][k] + c[2][k] + c[3][k]);
  for (int i = 0; i < BENT; i++) {
    for (int k = 0; k < 3; k++) {
      mjtNum sum = 0, rate = 0;
      for (int j = 0; j < BENT; j++) {
        sum += b[BENT * i + j] * x[j][k];
        rate += b[BENT * i + j] * d->qvel[m->body_dofadr[bent->body[j]] + k];
      }
      spring[3 * i + k] = -(sum + b[16] * c[i][k]);
      damper[3 * i + k] = -m->flex_damping[f] * rate;
    }
  }
}

// Every lane walks all edges and adds to its own bodies.
LANE_FN static void apply_bending(Lane g, const mjModel* m, mjData* d, int f, const mjtNum* force,
                                  ct_PassiveKinds kinds) {
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    BentEdge bent;
    if (!find_bent_edge(m, f, m->flex_edgeadr[f] + i, &bent)) continue;
    const mjtNum *spring = force + 6 * BENT * i, *damper = spring + 3 * BENT;
    for (int k = 0; k < BENT; k++) {
      if (!LANE_OWNS(g, bent.body[k])) continue;
      int dof = m->body_dofadr[bent.body[k]];
      if (kinds.spring) ct_add_to3(d->qfrc_spring + dof, spring + 3 * k);
      if (kinds.damper) ct_add_to3(d->qfrc_damper + dof, damper + 3 * k);
    }
  }
  lane_sync(g);
}

LANE_FN int ct_bending_forces(Lane g, const mjModel* m, mjData* d, int f, ct_PassiveKinds kinds) {
  int edges = m->flex_edgenum[f], bends;
  if (m->flex_dim[f] != 2) return CT_OK;
  LANE_COUNT(bends, i, g, edges, m->flex_edgeflap[2 * (m->flex_edgeadr[f] + i) + 1] >= 0 ? 1 : 0);
  if (bends == 0) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* force = lane_scratch_num(g, d, 6 * BENT * edges);
  if (force) {
    LANE_FOR(i, g, edges) {
      BentEdge bent;
      mjtNum* spring = force + 6 * BENT * i;
      int edge = m->flex_edgeadr[f] + i;
      if (find_bent_edge(m, f, edge, &bent)) bend(m, d, f, edge, &bent, spring, spring + 3 * BENT);
    }
    lane_sync(g);
    apply_bending(g, m, d, f, force, kinds);
  }
  lane_free(g, d);
  return force ? CT_OK : CT_STACK_FULL;
}
