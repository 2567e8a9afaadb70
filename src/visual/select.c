// What lies under the mouse: the nearest geom, flex or skin along the ray of a point of the
// picture.

#include "collide/ray.h"
#include "math/mat.h"
#include "math/vec.h"
#include "visual/shown.h"

// The ray of a point of the picture; relx and rely from 0 to 1, from the lower left corner.
static void ray_of_point(const mjvScene* scn, mjtNum aspect, mjtNum relx, mjtNum rely,
                         mjtNum from[3], mjtNum along[3]) {
  mjtNum forward[3] = {1, 0, 0}, up[3] = {0, 0, 1}, left[3];
  ct_zero3(from);
  mjv_cameraInModel(from, forward, up, scn);
  ct_cross(left, up, forward);
  ct_normalize3(left);
  mjvGLCamera cam = mjv_averageCamera(scn->camera, scn->camera + 1);
  mjtNum height = (mjtNum)cam.frustum_top - cam.frustum_bottom;
  mjtNum half_width = (mjtNum)0.5 * aspect * height;
  mjtNum above = cam.frustum_bottom + rely * height;
  mjtNum leftwards = -(cam.frustum_center + (2 * relx - 1) * half_width);
  if (cam.orthographic) {
    ct_add_to_scl3(from, up, above);
    ct_add_to_scl3(from, left, leftwards);
    ct_copy3(along, forward);
  } else {
    ct_scl3(along, forward, cam.frustum_near);
    ct_add_to_scl3(along, up, above);
    ct_add_to_scl3(along, left, leftwards);
  }
  ct_normalize3(along);
}

// What was found.
typedef struct Found_ {
  mjtNum x;  // -1: nothing
  int body, geom, flex, skin;
  mjtNum point[3];
} Found;

static void look_at_geoms(const mjModel* m, const mjData* d, const mjvOption* vopt,
                          const mjtNum from[3], const mjtNum along[3], Found* found) {
  ct_RayFilter filter = {vopt->geomgroup, vopt->flags[mjVIS_STATIC] != 0, -1};
  int geom = -1;
  mjtNum x = ct_ray(m, d, from, along, filter, &geom, NULL);
  if (x < 0 || geom < 0) return;
  found->x = x;
  found->geom = geom;
  found->body = m->geom_bodyid[geom];
  ct_add_scl3(found->point, from, along, x);
}

// Weight of a control node at a vertex: the product of the Lagrange polynomials along the three
// axes of the lattice.
static mjtNum weight_of_node(const mjtNum at[3], int order, int node) {
  int side = order + 1, place[3] = {node / (side * side), node / side % side, node % side};
  mjtNum weight = 1;
  for (int k = 0; k < 3; k++) {
    mjtNum t = at[k];
    const mjtNum linear[3] = {1 - t, t, 0};
    const mjtNum quadratic[3] = {2 * t * t - 3 * t + 1, 4 * (t - t * t), 2 * t * t - t};
    weight *= (order == 1 ? linear : quadratic)[place[k]];
  }
  return weight;
}

// Vertices of interpolated flexes have no body of their own; the control node with the largest say
// stands for them.
static void point_of_vertex(const mjModel* m, const mjData* d, int flex, int vertex, Found* found) {
  int id = m->flex_vertadr[flex] + vertex, order = m->flex_interp[flex];
  if (order == 0) {
    found->body = m->flex_vertbodyid[id];
    ct_copy3(found->point, d->flexvert_xpos + 3 * id);
    return;
  }
  int best = 0;
  for (int node = 1; node < m->flex_nodenum[flex]; node++) {
    mjtNum weight = weight_of_node(m->flex_vert0 + 3 * id, order, node);
    if (weight > weight_of_node(m->flex_vert0 + 3 * id, order, best)) best = node;
  }
  int node = m->flex_nodeadr[flex] + best;
  found->body = m->flex_nodebodyid[node];
  if (m->flex_centered[flex]) {
    ct_copy3(found->point, d->xpos + 3 * found->body);
  } else {
    ct_body_point(d, found->point, m->flex_node + 3 * node, found->body);
  }
}

static void look_at_flexes(const mjModel* m, const mjData* d, const mjvOption* vopt,
                           const mjtNum from[3], const mjtNum along[3], Found* found) {
  const mjtByte* flags = vopt->flags;
  mjtNum nearest = -1;
  int flex = -1, vertex = -1;
  for (int i = 0; i < m->nflex; i++) {
    int at = -1;
    mjtNum x = mj_rayFlex(m, d, vopt->flex_layer, flags[mjVIS_FLEXVERT], flags[mjVIS_FLEXEDGE],
                          flags[mjVIS_FLEXFACE], flags[mjVIS_FLEXSKIN], i, from, along, &at, NULL);
    if (x < 0 || (nearest >= 0 && x >= nearest)) continue;
    nearest = x;
    flex = i;
    vertex = at;
  }
  if (nearest < 0 || (found->x >= 0 && nearest >= found->x)) return;
  found->x = nearest;
  found->geom = -1;
  found->flex = flex;
  point_of_vertex(m, d, flex, vertex, found);
}

// The bone that pulls a vertex of a skin most.
static int body_of_skin_vertex(const mjModel* m, int skin, int vertex) {
  int body = -1;
  float most = 0;
  for (int b = m->skin_boneadr[skin]; b < m->skin_boneadr[skin] + m->skin_bonenum[skin]; b++) {
    int first = m->skin_bonevertadr[b];
    for (int k = first; k < first + m->skin_bonevertnum[b]; k++) {
      if (m->skin_bonevertid[k] != vertex || !(m->skin_bonevertweight[k] > most)) continue;
      most = m->skin_bonevertweight[k];
      body = m->skin_bonebodyid[b];
    }
  }
  return body;
}

static void look_at_skins(const mjModel* m, const mjvScene* scn, const mjtNum from[3],
                          const mjtNum along[3], Found* found) {
  for (int i = 0; i < m->nskin; i++) {
    int vertex = -1;
    const float* vert = scn->skinvert + 3 * m->skin_vertadr[i];
    mjtNum x = mju_raySkin(m->skin_facenum[i], m->skin_vertnum[i],
                           m->skin_face + 3 * m->skin_faceadr[i], vert, from, along, &vertex);
    if (x < 0 || (found->x >= 0 && x >= found->x)) continue;
    found->x = x;
    found->geom = found->flex = -1;
    found->skin = i;
    found->body = body_of_skin_vertex(m, i, vertex);
    for (int k = 0; k < 3; k++) found->point[k] = vert[3 * vertex + k];
  }
}

int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
               mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1],
               int flexid[1], int skinid[1]) {
  const mjtByte* flags = vopt->flags;
  mjtNum from[3], along[3] = {1, 0, 0};
  Found found = {-1, -1, -1, -1, -1, {0, 0, 0}};
  ray_of_point(scn, aspectratio, relx, rely, from, along);
  look_at_geoms(m, d, vopt, from, along, &found);
  if (flags[mjVIS_FLEXVERT] || flags[mjVIS_FLEXEDGE] || flags[mjVIS_FLEXFACE] ||
      flags[mjVIS_FLEXSKIN]) {
    look_at_flexes(m, d, vopt, from, along, &found);
  }
  if (flags[mjVIS_SKIN]) look_at_skins(m, scn, from, along, &found);
  if (geomid) *geomid = found.geom;
  if (flexid) *flexid = found.flex;
  if (skinid) *skinid = found.skin;
  if (found.x >= 0) ct_copy3(selpnt, found.point);
  return found.body;
}
