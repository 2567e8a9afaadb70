// Cameras of a scene: where its two eyes are and what they see; from the room, in which eyes are
// given, to the model and back.

#include <string.h>

#include "math/mat.h"
#include "visual/frustum.h"
#include "visual/turns.h"

static void rounded3(float to[3], const mjtNum from[3]) {
  for (int i = 0; i < 3; i++) to[i] = (float)from[i];
}

static void widened3(mjtNum to[3], const float from[3]) {
  for (int i = 0; i < 3; i++) to[i] = from[i];
}

// From a camera to eyes

void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                     const mjData* d, const mjvCamera* cam) {
  mjtNum x[3], y[3], z[3], head[3];
  if (cam->type == mjCAMERA_FIXED) {
    // looks along its -z
    const mjtNum* mat = d->cam_xmat + 9 * cam->fixedcamid;
    for (int i = 0; i < 3; i++) {
      x[i] = mat[3 * i];
      y[i] = mat[3 * i + 1];
      z[i] = -mat[3 * i + 2];
    }
    ct_copy3(head, d->cam_xpos + 3 * cam->fixedcamid);
  } else if (cam->type == mjCAMERA_FREE || cam->type == mjCAMERA_TRACKING) {
    // on a sphere around the point it looks at
    double azimuth = (double)(cam->azimuth / 180 * CT_PI);
    double elevation = (double)(cam->elevation / 180 * CT_PI);
    mjtNum sa = (mjtNum)sin(azimuth), ca = (mjtNum)cos(azimuth);
    mjtNum se = (mjtNum)sin(elevation), ce = (mjtNum)cos(elevation);
    mjtNum forward_[3] = {ce * ca, ce * sa, se}, up_[3] = {-se * ca, -se * sa, ce};
    mjtNum right_[3] = {sa, -ca, 0};
    ct_copy3(z, forward_);
    ct_copy3(y, up_);
    ct_copy3(x, right_);
    ct_add_scl3(head, cam->lookat, z, -cam->distance);
  } else {
    mju_error("mjv_cameraFrame: a camera of type %d has no frame; fill mjvScene.camera", cam->type);
    return;
  }
  if (headpos) ct_copy3(headpos, head);
  if (forward) ct_copy3(forward, z);
  if (up) ct_copy3(up, y);
  if (right) ct_copy3(right, x);
}

void ct_intrinsic_extents(const mjModel* m, int cam, float znear, float ver[2], float hor[2]) {
  const float *size = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  hor[0] = znear / intrinsic[0] * (size[0] / 2 - intrinsic[2]);
  hor[1] = znear / intrinsic[0] * (size[0] / 2 + intrinsic[2]);
  ver[0] = znear / intrinsic[1] * (size[1] / 2 - intrinsic[3]);
  ver[1] = znear / intrinsic[1] * (size[1] / 2 + intrinsic[3]);
}

void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                       const mjvCamera* cam) {
  bool fixed = cam->type == mjCAMERA_FIXED;
  int id = cam->fixedcamid;
  if (cam->type == mjCAMERA_USER) {
    mju_error("mjv_cameraFrustum: a user's camera has no frustum; fill mjvScene.camera");
    return;
  }
  if (fixed && (id < 0 || id >= m->ncam)) {
    mju_error("mjv_cameraFrustum: camera %d does not exist, there are %d", id, (int)m->ncam);
    return;
  }
  mjtNum fovy = fixed ? m->cam_fovy[id] : (mjtNum)m->vis.global.fovy;
  bool parallel =
      fixed ? m->cam_projection[id] == mjPROJ_ORTHOGRAPHIC : m->vis.global.orthographic != 0;
  float znear = (float)(m->vis.map.znear * m->stat.extent), ver[2], hor[2] = {0, 0};
  if (parallel) {
    ver[0] = ver[1] = (float)(fovy / 2);
  } else if (fixed && m->cam_sensorsize[2 * id + 1] != 0) {
    ct_intrinsic_extents(m, id, znear, ver, hor);
  } else {
    ver[0] = ver[1] = (float)(znear * tan((double)(fovy * CT_PI / 360)));
  }
  if (zver) memcpy(zver, ver, sizeof(ver));
  if (zhor) memcpy(zhor, hor, sizeof(hor));
  if (zclip) {
    zclip[0] = znear;
    zclip[1] = (float)(m->vis.map.zfar * m->stat.extent);
  }
}

void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn) {
  if (!m || !cam || cam->type == mjCAMERA_USER) return;
  bool fixed = cam->type == mjCAMERA_FIXED;
  if (cam->type == mjCAMERA_TRACKING) {
    if (cam->trackbodyid < 0 || cam->trackbodyid >= m->nbody) {
      mju_error("mjv_updateCamera: body %d to be tracked does not exist, there are %d",
                cam->trackbodyid, (int)m->nbody);
      return;
    }
    ct_copy3(cam->lookat, d->subtree_com + 3 * cam->trackbodyid);
  }
  float zver[2] = {0, 0}, zhor[2] = {0, 0}, zclip[2] = {0, 0};
  mjv_cameraFrustum(zver, zhor, zclip, m, cam);
  if (fixed && (cam->fixedcamid < 0 || cam->fixedcamid >= m->ncam)) return;  // that was an error

  mjtNum head[3], forward[3], up[3], right[3];
  mjv_cameraFrame(head, forward, up, right, d, cam);
  mjtNum ipd = fixed ? m->cam_ipd[cam->fixedcamid] : (mjtNum)m->vis.global.ipd;
  for (int eye = 0; eye < 2; eye++) {
    mjvGLCamera* gl = scn->camera + eye;
    mjtNum pos[3];
    ct_add_scl3(pos, head, right, eye == 0 ? -ipd * (mjtNum)0.5 : ipd * (mjtNum)0.5);
    rounded3(gl->pos, pos);
    rounded3(gl->forward, forward);
    rounded3(gl->up, up);
    gl->frustum_bottom = -zver[0];
    gl->frustum_top = zver[1];
    gl->frustum_center = (zhor[1] - zhor[0]) / 2;
    gl->frustum_width = (zhor[1] + zhor[0]) / 2;
    gl->frustum_near = zclip[0];
    gl->frustum_far = zclip[1];
    gl->orthographic = fixed ? m->cam_projection[cam->fixedcamid] == mjPROJ_ORTHOGRAPHIC
                             : m->vis.global.orthographic;
  }
  scn->enabletransform = 0;
}

mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  mjvGLCamera mean;
  memset(&mean, 0, sizeof(mean));
  if (cam1->orthographic != cam2->orthographic) {
    mju_error("mjv_averageCamera: one eye is perspective and the other orthographic");
    return mean;
  }
  mjtNum forward[3], up[3];
  for (int i = 0; i < 3; i++) {
    mean.pos[i] = 0.5f * (cam1->pos[i] + cam2->pos[i]);
    forward[i] = (mjtNum)cam1->forward[i] + cam2->forward[i];
    up[i] = (mjtNum)cam1->up[i] + cam2->up[i];
  }
  ct_normalize3(forward);
  ct_add_to_scl3(up, forward, -ct_dot3(up, forward));
  ct_normalize3(up);
  rounded3(mean.forward, forward);
  rounded3(mean.up, up);
  mean.frustum_bottom = 0.5f * (cam1->frustum_bottom + cam2->frustum_bottom);
  mean.frustum_top = 0.5f * (cam1->frustum_top + cam2->frustum_top);
  mean.frustum_center = 0.5f * (cam1->frustum_center + cam2->frustum_center);
  mean.frustum_width = 0.5f * (cam1->frustum_width + cam2->frustum_width);
  mean.frustum_near = 0.5f * (cam1->frustum_near + cam2->frustum_near);
  mean.frustum_far = 0.5f * (cam1->frustum_far + cam2->frustum_far);
  mean.orthographic = cam1->orthographic;
  return mean;
}

// Room and model

static bool scale_is_bad(const char* function, const mjvScene* scn) {
  if (scn->scale >= (float)mjMINVAL) return false;
  mju_error("%s: mjvScene.scale is %g; it must be positive", function, (double)scn->scale);
  return true;
}

static void rotation_of_scene(const mjvScene* scn, mjtNum quat[4]) {
  for (int i = 0; i < 4; i++) quat[i] = scn->rotate[i];
}

void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                    const mjtNum roomquat[4], const mjvScene* scn) {
  if (scale_is_bad("mjv_room2model", scn)) return;
  if (!scn->enabletransform) {
    ct_copy3(modelpos, roompos);
    ct_copy4(modelquat, roomquat);
    return;
  }
  mjtNum translate[3], rotate[4], back[4], shift[3], pos[3];
  widened3(translate, scn->translate);
  rotation_of_scene(scn, rotate);
  ct_neg_quat(back, rotate);
  ct_mul_quat(modelquat, back, roomquat);
  ct_normalize4(modelquat);
  ct_rot_vec_quat(pos, roompos, back);
  ct_rot_vec_quat(shift, translate, back);
  ct_sub_from3(pos, shift);
  ct_scl3(modelpos, pos, 1 / (mjtNum)scn->scale);
}

// The translation is scaled too, so this undoes mjv_room2model only at scale 1.
void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                    const mjtNum modelquat[4], const mjvScene* scn) {
  if (scale_is_bad("mjv_model2room", scn)) return;
  if (!scn->enabletransform) {
    ct_copy3(roompos, modelpos);
    ct_copy4(roomquat, modelquat);
    return;
  }
  mjtNum translate[3], rotate[4], pos[3];
  widened3(translate, scn->translate);
  rotation_of_scene(scn, rotate);
  ct_mul_quat(roomquat, rotate, modelquat);
  ct_normalize4(roomquat);
  ct_rot_vec_quat(pos, modelpos, rotate);
  ct_add_to3(pos, translate);
  ct_scl3(roompos, pos, scn->scale);
}

static bool camera_is_unset(const char* function, const mjvScene* scn) {
  if (scn->camera[0].frustum_near >= (float)mjMINVAL &&
      scn->camera[1].frustum_near >= (float)mjMINVAL) {
    return false;
  }
  mju_error("%s: mjvScene.camera is not set; call mjv_updateCamera first", function);
  return true;
}

// One eye in the frame of the model: position, and a matrix with left, up and forward as columns.
static void eye_in_model(const mjvScene* scn, const mjvGLCamera* eye, mjtNum pos[3],
                         mjtNum mat[9]) {
  mjtNum left[3], up[3], forward[3], quat[4], roompos[3], roomquat[4];
  widened3(forward, eye->forward);
  widened3(up, eye->up);
  widened3(roompos, eye->pos);
  ct_normalize3(forward);
  ct_normalize3(up);
  ct_cross(left, up, forward);
  ct_normalize3(left);
  for (int i = 0; i < 3; i++) {
    mat[3 * i] = left[i];
    mat[3 * i + 1] = up[i];
    mat[3 * i + 2] = forward[i];
  }
  ct_mat_to_quat(roomquat, mat);
  mjv_room2model(pos, quat, roompos, roomquat, scn);
  ct_quat_to_mat(mat, quat);
}

void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  if (camera_is_unset("mjv_cameraInModel", scn)) return;
  mjtNum pos[2][3], mat[2][9], head[3], z[3], y[3];
  if (scale_is_bad("mjv_cameraInModel", scn)) return;
  for (int eye = 0; eye < 2; eye++) eye_in_model(scn, scn->camera + eye, pos[eye], mat[eye]);
  for (int i = 0; i < 3; i++) {
    head[i] = (mjtNum)0.5 * (pos[0][i] + pos[1][i]);
    z[i] = mat[0][3 * i + 2] + mat[1][3 * i + 2];
    y[i] = mat[0][3 * i + 1] + mat[1][3 * i + 1];
  }
  ct_normalize3(z);
  ct_normalize3(y);
  if (headpos) ct_copy3(headpos, head);
  if (forward) ct_copy3(forward, z);
  if (up) ct_copy3(up, y);
}

void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  if (camera_is_unset("mjv_cameraInRoom", scn)) return;
  const mjvGLCamera* eye = scn->camera;
  mjtNum head[3], z[3], y[3];
  for (int i = 0; i < 3; i++) {
    head[i] = (mjtNum)0.5 * ((mjtNum)eye[0].pos[i] + eye[1].pos[i]);
    z[i] = (mjtNum)eye[0].forward[i] + eye[1].forward[i];
    y[i] = (mjtNum)eye[0].up[i] + eye[1].up[i];
  }
  ct_normalize3(z);
  ct_normalize3(y);
  if (headpos) ct_copy3(headpos, head);
  if (forward) ct_copy3(forward, z);
  if (up) ct_copy3(up, y);
}

// Height of what is seen: at distance 1, or anywhere if parallel.
mjtNum mjv_frustumHeight(const mjvScene* scn) {
  const mjvGLCamera* eye = scn->camera;
  if (eye[0].orthographic != eye[1].orthographic) {
    mju_error("mjv_frustumHeight: one eye is perspective and the other orthographic");
    return 0;
  }
  if (eye[0].orthographic) {
    return (mjtNum)(0.5f * ((eye[0].frustum_top - eye[0].frustum_bottom) +
                            (eye[1].frustum_top - eye[1].frustum_bottom)));
  }
  if (camera_is_unset("mjv_frustumHeight", scn)) return 0;
  return (mjtNum)(0.5f * ((eye[0].frustum_top - eye[0].frustum_bottom) / eye[0].frustum_near +
                          (eye[1].frustum_top - eye[1].frustum_bottom) / eye[1].frustum_near));
}

void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]) {
  mjtNum y[2] = {forward[0], forward[1]}, x[2];
  ct_normalize(y, 2);
  x[0] = y[1];
  x[1] = -y[0];
  mjtNum aligned[3] = {vec[0] * x[0] + vec[1] * y[0], vec[0] * x[1] + vec[1] * y[1], vec[2]};
  ct_copy3(res, aligned);
}
