// Vertices and normals of skins, which bones pull along (linear blend skinning): a vertex is the
// weighted mean of where each of its bones would carry it.

#include <math.h>
#include <string.h>

#include "math/mat.h"
#include "math/quat.h"
#include "visual/shown.h"
#include "visual/soft_surfaces.h"

// Motion of a bone since it was bound: x -> R x + t.
static void bone_motion(const mjModel* m, const mjData* d, int bone, mjtNum R[9], mjtNum t[3]) {
  int body = m->skin_bonebodyid[bone];
  mjtNum bindpos[3], back[4], quat[4];
  for (int i = 0; i < 3; i++) bindpos[i] = m->skin_bonebindpos[3 * bone + i];
  for (int i = 0; i < 4; i++) back[i] = m->skin_bonebindquat[4 * bone + i];
  ct_neg_quat(back, back);
  ct_mul_quat(quat, d->xquat + 4 * body, back);
  ct_quat_to_mat(R, quat);
  ct_mul_mat_vec3(t, R, bindpos);
  ct_sub3(t, d->xpos + 3 * body, t);
}

static void pull_vertices(const mjModel* m, const mjData* d, int skin, float* vert) {
  const float* rest = m->skin_vert + 3 * m->skin_vertadr[skin];
  int first = m->skin_boneadr[skin];
  for (int bone = first; bone < first + m->skin_bonenum[skin]; bone++) {
    mjtNum R[9], t[3];
    bone_motion(m, d, bone, R, t);
    int from = m->skin_bonevertadr[bone];
    for (int k = from; k < from + m->skin_bonevertnum[bone]; k++) {
      int v = m->skin_bonevertid[k];
      float weight = m->skin_bonevertweight[k];
      mjtNum x[3] = {rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]};
      ct_mul_mat_vec3(x, R, x);
      ct_add_to3(x, t);
      for (int i = 0; i < 3; i++) vert[3 * v + i] += weight * (float)x[i];
    }
  }
}

// Normals of faces, weighted by their area, averaged at vertices.
static void make_normals(const mjModel* m, int skin, const float* vert, float* normal) {
  const int* face = m->skin_face + 3 * m->skin_faceadr[skin];
  for (int f = 0; f < m->skin_facenum[skin]; f++, face += 3) {
    mjtNum edge[2][3], n[3];
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) {
        edge[k][i] = vert[3 * face[k + 1] + i] - vert[3 * face[0] + i];
      }
    }
    ct_cross(n, edge[0], edge[1]);
    for (int k = 0; k < 3; k++) {
      float* sum = normal + 3 * face[k];
      for (int i = 0; i < 3; i++) sum[i] = (float)(sum[i] + n[i]);
    }
  }
  for (int v = 0; v < m->skin_vertnum[skin]; v++) {
    float* n = normal + 3 * v;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float scale = (float)(1 / ct_max(mjMINVAL, length));
    for (int i = 0; i < 3; i++) n[i] *= scale;
  }
}

static void update_skin(const mjModel* m, const mjData* d, int skin, mjvScene* scn, bool shown) {
  int first = 3 * m->skin_vertadr[skin], count = 3 * m->skin_vertnum[skin];
  float *vert = scn->skinvert + first, *normal = scn->skinnormal + first;
  float inflate = m->skin_inflate[skin];
  memset(vert, 0, (size_t)count * sizeof(float));
  memset(normal, 0, (size_t)count * sizeof(float));
  if (!shown) return;
  pull_vertices(m, d, skin, vert);
  make_normals(m, skin, vert, normal);
  for (int i = 0; inflate != 0 && i < count; i++) vert[i] += inflate * normal[i];
}

void mjv_updateActiveSkin(const mjModel* m, const mjData* d, mjvScene* scn, const mjvOption* opt) {
  for (int i = 0; i < m->nskin; i++) {
    update_skin(m, d, i, scn, ct_group_shown(opt->skingroup, m->skin_group[i]));
  }
}

void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn) {
  mjvOption opt;
  mju_warning("mjv_updateSkin is deprecated: mjv_updateScene does what it does");
  mjv_defaultOption(&opt);
  mjv_updateActiveSkin(m, d, scn, &opt);
}
