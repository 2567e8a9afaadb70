// Bending of shells: across every edge between two triangles.
//
//   in    flexvert_xpos, qvel
//   out   qfrc_spring, qfrc_damper   added to
//         energy of angles, for energy[0]
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

// A flex may instead bend by angles (corten's own; off unless `bending` says dihedral): with the
// angle theta between the normals of both triangles and theta_0 at rest,
//
//   energy = k (theta - theta_0)^2 / 2,   k = 9/8 * E t^3 / 12 * L^2 / (A_2 + A_3),
//
// L the length of the edge and A the areas at rest (Grinspun et al., Discrete shells, 2003, have
// such an energy; Bridson et al., Simulation of clothing with folds and wrinkles, 2003, the
// gradient below). The factor comes from a sheet of equilateral triangles with heights H: a
// quadratic surface with curvatures Q turns an edge by H (Q_nn - Q_ee / 3), n across it and e along
// it. The energies of the three kinds of edges add up to k H / a (Q_1^2 + Q_2^2 - 2/3 Q_1 Q_2) / 2
// per area, for all directions alike. A strip whose sides are free takes Q_2 = Q_1 / 3 and has 8/9
// of k H / a Q_1^2 / 2, which is to be that of a beam, E t^3 / 12 Q_1^2 / 2. On squares that are
// cut along one diagonal the mean over all directions is the same, but a strip along the sides
// bends 11 % more. Unlike the quadratic model it is right for large angles, stays at rest where it
// was bent at rest, and pulls at bodies of any kind, so vertices may be pinned.
//
// With the unnormalised normals n_2 = e x (x_2 - x_0), n_3 = (x_3 - x_0) x e and feet of the
// heights at t_i = (x_i - x_0).e / |e|^2, u_i = |e| n_i / |n_i|^2:
//
//   d theta / d x_i = -u_i for the flaps,  (1 - t_2) u_2 + (1 - t_3) u_3,  t_2 u_2 + t_3 u_3.
//
// flex_bending has 0, k, theta_0 then. Products of weights never start with 0 and go on with
// something else, so that tells the kinds apart.

#include "base/memory/scratch.h"
#include "math/strict.h"
#include "soft/elasticity.h"

enum { BENT = 4, BENDING_NUMBERS = 17 };  // vertices of a bent edge, numbers in flex_bending

typedef struct {
  int vertex[BENT], body[BENT];
} BentEdge;

LANE_INLINE bool bends_by_angle(const mjtNum* b) {
  return b[0] == 0 && b[1] != 0;
}

// False for edges of one triangle, and where a body has not three dofs of its own.
LANE_INLINE bool find_bent_edge(const mjModel* m, int f, int edge, BentEdge* bent) {
  const int *end = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
  bool angle = bends_by_angle(m->flex_bending + BENDING_NUMBERS * edge);
  if (flap[0] < 0 || flap[1] < 0) return false;
  for (int i = 0; i < BENT; i++) {
    bent->vertex[i] = i < 2 ? end[i] : flap[i - 2];
    bent->body[i] = ct_vertex_body(m, f, bent->vertex[i]);
    if (bent->body[i] < 0) return false;
    if (m->body_dofnum[bent->body[i]] < 3 && !angle) return false;
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

// How far the angle across the edge is from that at rest, and its gradient: both 0 for triangles
// without area.
LANE_FN static mjtNum find_turn(const mjtNum* x[BENT], mjtNum rest, mjtNum gradient[3 * BENT]) {
  mjtNum e[3], offset[2][3], n[2][3], size[2], cross[3];
  ct_sub3(e, x[1], x[0]);
  ct_sub3(offset[0], x[2], x[0]);
  ct_sub3(offset[1], x[3], x[0]);
  ct_cross(n[0], e, offset[0]);
  ct_cross(n[1], offset[1], e);
  mjtNum square = ct_dot3(e, e), length = ct_sqrt(square);
  ct_zero(gradient, 3 * BENT);
  for (int i = 0; i < 2; i++) {
    size[i] = ct_dot3(n[i], n[i]);
    if (!(size[i] > mjMINVAL * square * square)) return 0;
  }
  for (int i = 0; i < 2; i++) {
    mjtNum foot = ct_dot3(offset[i], e) / square;
    ct_add_to_scl3(gradient, n[i], (1 - foot) * length / size[i]);
    ct_add_to_scl3(gradient + 3, n[i], foot * length / size[i]);
    ct_add_to_scl3(gradient + 6 + 3 * i, n[i], -length / size[i]);
  }
  ct_cross(cross, n[0], n[1]);
  mjtNum angle = ct_atan2(ct_dot3(e, cross) / length, ct_dot3(n[0], n[1])), turn = angle - rest;
  if (turn > (mjtNum)mjPI) turn -= 2 * (mjtNum)mjPI;
  if (turn < -(mjtNum)mjPI) turn += 2 * (mjtNum)mjPI;
  return turn;
}

// Velocity of a point of a body.
LANE_INLINE void point_velocity(const mjModel* m, const mjData* d, int body, const mjtNum* point,
                                mjtNum velocity[3]) {
  mjtNum offset[3];
  const mjtNum* cvel = d->cvel + 6 * body;
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  ct_cross(velocity, cvel, offset);
  ct_add_to3(velocity, cvel + 3);
}

// The same forces by the angle, in the axes of the world.
LANE_FN static void bend_by_angle(const mjModel* m, const mjData* d, int f, int edge,
                                  const BentEdge* bent, mjtNum spring[3 * BENT],
                                  mjtNum damper[3 * BENT]) {
  const mjtNum* b = m->flex_bending + BENDING_NUMBERS * edge;
  const mjtNum* x[BENT];
  mjtNum gradient[3 * BENT], rate = 0, velocity[3];
  for (int i = 0; i < BENT; i++) x[i] = ct_flex_vertex(m, d, f, bent->vertex[i]);
  mjtNum turn = find_turn(x, b[2], gradient);
  for (int i = 0; i < BENT; i++) {
    point_velocity(m, d, bent->body[i], x[i], velocity);
    rate += ct_dot3(gradient + 3 * i, velocity);
  }
  for (int i = 0; i < 3 * BENT; i++) {
    spring[i] = -b[1] * turn * gradient[i];
    damper[i] = -m->flex_damping[f] * b[1] * rate * gradient[i];
  }
}

LANE_FN static void apply_at_points(Lane g, const mjModel* m, mjData* d, int f,
                                    const BentEdge* bent, const mjtNum* spring,
                                    const mjtNum* damper, ct_PassiveKinds kinds) {
  for (int k = 0; k < BENT; k++) {
    const mjtNum* x = ct_flex_vertex(m, d, f, bent->vertex[k]);
    if (kinds.spring) ct_add_force(g, m, d, d->qfrc_spring, bent->body[k], x, spring + 3 * k);
    if (kinds.damper) ct_add_force(g, m, d, d->qfrc_damper, bent->body[k], x, damper + 3 * k);
  }
}

// Every lane walks all edges and adds to its own bodies.
LANE_FN static void apply_bending(Lane g, const mjModel* m, mjData* d, int f, const mjtNum* force,
                                  ct_PassiveKinds kinds) {
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    BentEdge bent;
    if (!find_bent_edge(m, f, m->flex_edgeadr[f] + i, &bent)) continue;
    const mjtNum *spring = force + 6 * BENT * i, *damper = spring + 3 * BENT;
    if (bends_by_angle(m->flex_bending + BENDING_NUMBERS * (m->flex_edgeadr[f] + i))) {
      apply_at_points(g, m, d, f, &bent, spring, damper, kinds);
      continue;
    }
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
      if (!find_bent_edge(m, f, edge, &bent)) continue;
      if (bends_by_angle(m->flex_bending + BENDING_NUMBERS * edge)) {
        bend_by_angle(m, d, f, edge, &bent, spring, spring + 3 * BENT);
      } else {
        bend(m, d, f, edge, &bent, spring, spring + 3 * BENT);
      }
    }
    lane_sync(g);
    apply_bending(g, m, d, f, force, kinds);
  }
  lane_free(g, d);
  return force ? CT_OK : CT_STACK_FULL;
}

LANE_FN static mjtNum angle_energy(const mjModel* m, const mjData* d, int f, int edge) {
  const mjtNum* b = m->flex_bending + BENDING_NUMBERS * edge;
  const mjtNum* x[BENT];
  mjtNum gradient[3 * BENT];
  BentEdge bent;
  if (!bends_by_angle(b) || !find_bent_edge(m, f, edge, &bent)) return 0;
  for (int i = 0; i < BENT; i++) x[i] = ct_flex_vertex(m, d, f, bent.vertex[i]);
  mjtNum turn = find_turn(x, b[2], gradient);
  return b[1] * turn * turn / 2;
}

LANE_FN mjtNum ct_bending_energy(Lane g, const mjModel* m, const mjData* d, int f) {
  mjtNum energy;
  if (m->flex_dim[f] != 2 || !ct_is_plain_flex(m, f)) return 0;
  LANE_SUM(energy, i, g, m->flex_edgenum[f], angle_energy(m, d, f, m->flex_edgeadr[f] + i));
  return energy;
}
