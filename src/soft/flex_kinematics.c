// Where the vertices of flexes are, the boxes around their elements, and the trees of these boxes.
//
//   in    xpos, xmat             (nbody x 3, x 9)
//   out   flexvert_xpos          (nflexvert x 3)
//         flexelem_aabb          (nflexelem x 6)     centre and half sizes, grown by the radius
//         bvh_aabb_dyn           (nbvhdynamic x 6)   unless the middle phase is disabled
//
// A vertex is fixed to its body, or it is a mean of nodes with the weights of interpolation.h at
// the place that it has in the cell at rest (flex_vert0).

#include "soft/flex_kinematics.h"

#include "soft/interpolation.h"

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <emmintrin.h>
#endif

LANE_INLINE void place_vertex(const mjModel* m, mjData* d, int f, int v) {
  int at = m->flex_vertadr[f] + v, body = m->flex_vertbodyid[at];
  mjtNum* pos = d->flexvert_xpos + 3 * at;
  if (body < 0) {
    ct_zero3(pos);
    return;
  }
  if (m->flex_centered[f]) {
    ct_copy3(pos, d->xpos + 3 * body);
    return;
  }
  ct_mul_mat_vec3(pos, d->xmat + 9 * body, m->flex_vert + 3 * at);
  ct_add_to3(pos, d->xpos + 3 * body);
}

// pos = sum of nodes with their weights. Nodes are four numbers apart, the last of which is zero.
LANE_INLINE void mean_of_nodes(mjtNum pos[3], const mjtNum* node, const mjtNum* weight, int nodes) {
#ifdef __CUDACC__
  ct_zero3(pos);
  for (int i = 0; i < nodes; i++) ct_add_to_scl3(pos, node + 4 * i, weight[i]);
#else
  Wide sum = wide_all(0);
  for (int i = 0; i < nodes; i++) {
    sum = wide_add(sum, wide_mul(wide_load(node + 4 * i), wide_all(weight[i])));
  }
  for (int k = 0; k < 3; k++) pos[k] = sum[k];
#endif
}

LANE_FN static void place_interpolated(Lane g, const mjModel* m, mjData* d, int f) {
  int order = m->flex_interp[f], nodes = m->flex_nodenum[f];
  mjtNum node[4 * CT_MOST_NODES];
  for (int i = 0; i < nodes; i++) {
    ct_node_position(m, d, f, i, node + 4 * i);
    node[4 * i + 3] = 0;
  }
  LANE_FOR(v, g, m->flex_vertnum[f]) {
    mjtNum weight[CT_MOST_NODES];
    int at = m->flex_vertadr[f] + v;
    if (order == 1) {  // known to the compiler, it needs no loops
      ct_node_weights(m->flex_vert0 + 3 * at, 1, weight);
      mean_of_nodes(d->flexvert_xpos + 3 * at, node, weight, 8);
    } else {
      ct_node_weights(m->flex_vert0 + 3 * at, 2, weight);
      mean_of_nodes(d->flexvert_xpos + 3 * at, node, weight, CT_MOST_NODES);
    }
  }
}

LANE_FN static void place_vertices(Lane g, const mjModel* m, mjData* d, int f) {
  if (m->flex_interp[f] && ct_is_interpolated(m, f)) {
    place_interpolated(g, m, d, f);
    return;
  }
  LANE_FOR(v, g, m->flex_vertnum[f]) {
    place_vertex(m, d, f, v);
  }
}

// As ct_min and ct_max for numbers, in a form that is one instruction.
LANE_INLINE mjtNum smaller(mjtNum a, mjtNum b) {
  return a < b ? a : b;
}

LANE_INLINE mjtNum larger(mjtNum a, mjtNum b) {
  return a > b ? a : b;
}

// Centre and half sizes from two corners.
LANE_INLINE void set_box(mjtNum box[6], const mjtNum low[3], const mjtNum high[3], mjtNum radius) {
  for (int k = 0; k < 3; k++) {
    box[k] = (low[k] + high[k]) / 2;
    box[3 + k] = (high[k] - low[k]) / 2 + radius;
  }
}

LANE_FN static void bound_element(const mjModel* m, mjData* d, int f, int e) {
  const int* vert = ct_element(m, f, e);
  mjtNum low[3], high[3];
  ct_copy3(low, ct_flex_vertex(m, d, f, vert[0]));
  ct_copy3(high, low);
  for (int i = 1; i <= m->flex_dim[f]; i++) {
    const mjtNum* x = ct_flex_vertex(m, d, f, vert[i]);
    for (int k = 0; k < 3; k++) {
      low[k] = smaller(x[k], low[k]);
      high[k] = larger(x[k], high[k]);
    }
  }
  set_box(d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e), low, high, m->flex_radius[f]);
}

#if defined(__SSE2__) && !defined(mjUSESINGLE) && !defined(__CUDACC__)
#define CT_BOXES_IN_PAIRS

// Axes 0 and 1 of a union of boxes, or axis 2 in the first place: what join_boxes computes.
static inline void join_axes(__m128d centre1, __m128d half1, __m128d centre2, __m128d half2,
                             __m128d* centre, __m128d* half) {
  const __m128d one_half = _mm_set1_pd(0.5);
  __m128d low = _mm_min_pd(_mm_sub_pd(centre1, half1), _mm_sub_pd(centre2, half2));
  __m128d high = _mm_max_pd(_mm_add_pd(centre1, half1), _mm_add_pd(centre2, half2));
  *centre = _mm_mul_pd(_mm_add_pd(low, high), one_half);
  *half = _mm_mul_pd(_mm_sub_pd(high, low), one_half);
}
#endif

LANE_INLINE void join_boxes(mjtNum box[6], const mjtNum box1[6], const mjtNum box2[6]) {
#ifdef CT_BOXES_IN_PAIRS
  __m128d centre, half;
  join_axes(_mm_loadu_pd(box1), _mm_loadu_pd(box1 + 3), _mm_loadu_pd(box2), _mm_loadu_pd(box2 + 3),
            &centre, &half);
  _mm_storeu_pd(box, centre);
  _mm_storeu_pd(box + 3, half);
  join_axes(_mm_load_sd(box1 + 2), _mm_load_sd(box1 + 5), _mm_load_sd(box2 + 2),
            _mm_load_sd(box2 + 5), &centre, &half);
  _mm_store_sd(box + 2, centre);
  _mm_store_sd(box + 5, half);
#else
  mjtNum low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = smaller(box1[k] - box1[3 + k], box2[k] - box2[3 + k]);
    high[k] = larger(box1[k] + box1[3 + k], box2[k] + box2[3 + k]);
  }
  set_box(box, low, high, 0);
#endif
}

// Leaves first, then unions from the last node to the root: children follow their parents.
LANE_FN static void bound_tree(Lane g, const mjModel* m, mjData* d, int f) {
  int root = m->flex_bvhadr[f], count = m->flex_bvhnum[f];
  if (root < 0 || count == 0) return;
  mjtNum* tree = d->bvh_aabb_dyn + 6 * (root - m->nbvhstatic);
  LANE_FOR(i, g, count) {
    int element = m->bvh_nodeid[root + i];
    if (element < 0) continue;
    ct_copy6(tree + 6 * i, d->flexelem_aabb + 6 * (m->flex_elemadr[f] + element));
  }
  LANE_ALONE(g) {
    for (int i = count - 1; i >= 0; i--) {
      const int* child = m->bvh_child + 2 * (root + i);
      if (m->bvh_nodeid[root + i] >= 0 || child[0] < 0 || child[1] < 0) continue;
      join_boxes(tree + 6 * i, tree + 6 * child[0], tree + 6 * child[1]);
    }
  }
}

LANE_FN int ct_flex_kinematics(Lane g, const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) place_vertices(g, m, d, f);
  lane_sync(g);
  for (int f = 0; f < m->nflex; f++) {
    LANE_FOR(e, g, m->flex_elemnum[f]) {
      bound_element(m, d, f, e);
    }
  }
  lane_sync(g);
  if (m->opt.disableflags & mjDSBL_MIDPHASE) return CT_OK;
  for (int f = 0; f < m->nflex; f++) bound_tree(g, m, d, f);
  lane_sync(g);
  return CT_OK;
}
