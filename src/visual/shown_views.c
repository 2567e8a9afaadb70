// Cameras and lights of the model in the list of geoms.

#include "math/mat.h"
#include "visual/frustum.h"
#include "visual/shown.h"
#include "visual/turns.h"

enum { NEVER = -1 };  // the label of what has none

static void show_symbol(const ct_Show* s, int objtype, int objid, int label, int type,
                        const mjtNum size[3], const mjtNum pos[3], const mjtNum mat[9],
                        const float rgba[4]) {
  mjvGeom* geom = ct_begin_decor(s, objtype, objid);
  if (!geom) return;
  mjv_initGeom(geom, type, size, pos, mat, rgba);
  ct_label_if(s, geom, label, objtype, objid);
}

static void show_view_frame(const ct_Show* s, int id, const mjtNum pos[3], const mjtNum mat[9]) {
  const mjVisual* vis = &s->m->vis;
  ct_show_frame(s, id, pos, mat, ct_decor_size(s, vis->scale.framelength),
                ct_decor_size(s, vis->scale.framewidth));
}

// What a camera sees: four sides between a near and a far rectangle.

// Extents of a rectangle: below, above; left, right.
typedef struct Extents_ {
  float ver[2], hor[2];
} Extents;

static Extents near_extents(const mjModel* m, int cam, mjtNum znear) {
  float aspect = (float)m->cam_resolution[2 * cam] / (float)m->cam_resolution[2 * cam + 1];
  const float* size = m->cam_sensorsize + 2 * cam;
  Extents e;
  if (m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC) {
    e.ver[0] = e.ver[1] = (float)(m->cam_fovy[cam] / 2);
    e.hor[0] = e.hor[1] = (float)(m->cam_fovy[cam] * aspect / 2);
  } else if (size[0] != 0 && size[1] != 0) {
    ct_intrinsic_extents(m, cam, (float)znear, e.ver, e.hor);
  } else {
    e.ver[0] = e.ver[1] = (float)(znear * (mjtNum)tan((double)(m->cam_fovy[cam] * CT_PI / 360)));
    e.hor[0] = e.hor[1] = e.ver[0] * aspect;
  }
  return e;
}

// Corners at a distance from the camera, counterclockwise from the lower left.
static void corners_at(const mjData* d, int cam, mjtNum dist, const Extents* e,
                       mjtNum corner[4][3]) {
  const mjtNum* mat = d->cam_xmat + 9 * cam;
  mjtNum x[3] = {mat[0], mat[3], mat[6]}, y[3] = {mat[1], mat[4], mat[7]};
  mjtNum z[3] = {mat[2], mat[5], mat[8]}, centre[3];
  ct_add_scl3(centre, d->cam_xpos + 3 * cam, z, -dist);
  const float across[4] = {-e->hor[0], e->hor[1], e->hor[1], -e->hor[0]};
  const float up[4] = {-e->ver[0], -e->ver[0], e->ver[1], e->ver[1]};
  for (int k = 0; k < 4; k++) {
    ct_add_scl3(corner[k], centre, x, across[k]);
    ct_add_to_scl3(corner[k], y, up[k]);
  }
}

static void show_frustum(const ct_Show* s, int cam) {
  const mjModel* m = s->m;
  const float* rgba = m->vis.rgba.frustum;
  mjtNum znear = m->vis.map.znear * m->stat.extent;
  mjtNum zfar = ct_decor_size(s, m->vis.scale.frustum);
  Extents e = near_extents(m, cam, znear), far = e;
  if (m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC) {
    zfar = (e.hor[0] + e.ver[0]) / 2;
  } else {
    for (int k = 0; k < 2; k++) {
      far.ver[k] = (float)(e.ver[k] * (zfar / znear));
      far.hor[k] = (float)(e.hor[k] * (zfar / znear));
    }
  }
  mjtNum n[4][3], f[4][3];
  corners_at(s->d, cam, znear, &e, n);
  corners_at(s->d, cam, zfar, &far, f);
  for (int k = 0; k < 4; k++) {
    int next = (k + 1) % 4;
    ct_show_triangle(s, mjOBJ_CAMERA, cam, n[k], f[k], n[next], rgba);
    ct_show_triangle(s, mjOBJ_CAMERA, cam, f[k], f[next], n[next], rgba);
    ct_show_line(s, mjOBJ_CAMERA, cam, n[k], n[next], rgba);
    ct_show_line(s, mjOBJ_CAMERA, cam, f[k], f[next], rgba);
    ct_show_line(s, mjOBJ_CAMERA, cam, n[k], f[k], rgba);
  }
}

// A box with a lens in front of it.
static void show_camera(const ct_Show* s, int cam, float alpha) {
  const mjModel* m = s->m;
  const mjtNum *pos = s->d->cam_xpos + 3 * cam, *mat = s->d->cam_xmat + 9 * cam;
  const float* color = m->vis.rgba.camera;
  mjtNum w = ct_decor_size(s, m->vis.scale.camera);
  mjtNum z[3] = {mat[2], mat[5], mat[8]}, front[3];
  mjtNum box[3] = {w, w * (mjtNum)0.8, w * (mjtNum)0.4};
  mjtNum lens[3] = {w * (mjtNum)0.4, w * (mjtNum)0.3, 0};
  float rgba[4] = {color[0], color[1], color[2], alpha};
  show_symbol(s, mjOBJ_CAMERA, cam, mjLABEL_CAMERA, mjGEOM_BOX, box, pos, mat, rgba);
  for (int i = 0; i < 3; i++) rgba[i] *= 0.5f;
  ct_add_scl3(front, pos, z, -w * (mjtNum)0.6);
  show_symbol(s, mjOBJ_CAMERA, cam, NEVER, mjGEOM_CYLINDER, lens, front, mat, rgba);
}

void ct_show_cameras(const ct_Show* s) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->ncam; i++) {
    const int* pixels = m->cam_resolution + 2 * i;
    bool sees = pixels[0] > 1 || pixels[1] > 1;
    if (sees) show_frustum(s, i);
    show_camera(s, i, sees ? 0.3f : m->vis.rgba.camera[3]);
    if (s->opt->frame == mjFRAME_CAMERA) {
      show_view_frame(s, i, s->d->cam_xpos + 3 * i, s->d->cam_xmat + 9 * i);
    }
  }
}

void ct_show_lights(const ct_Show* s) {
  const mjModel* m = s->m;
  mjtNum w = ct_decor_size(s, m->vis.scale.light);
  mjtNum size[3] = {(mjtNum)0.8 * w, w, 0};
  for (int i = 0; i < m->nlight; i++) {
    const mjtNum *dir = s->d->light_xdir + 3 * i, *pos = s->d->light_xpos + 3 * i;
    mjtNum mat[9], behind[3];
    ct_turn_z_to(mat, dir);
    ct_add_scl3(behind, pos, dir, -w - (mjtNum)0.0001);
    show_symbol(s, mjOBJ_LIGHT, i, mjLABEL_LIGHT, mjGEOM_CYLINDER, size, behind, mat,
                m->vis.rgba.light);
    if (s->opt->frame == mjFRAME_LIGHT) show_view_frame(s, i, pos, mat);
  }
}
