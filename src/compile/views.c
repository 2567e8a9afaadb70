// Cameras and lights: poses in their bodies, targets, the optics of cameras.

#include <math.h>

#include "compile/compile.h"
#include "compile/work/put.h"

static ct_WorkBody* find_target(ct_Compiler* c, const ct_Element* e, const mjString* name) {
  if (!ct_text(name)[0]) return NULL;
  return (ct_WorkBody*)ct_lookup_or_fail(c, e, "target", mjOBJ_BODY, ct_text(name));
}

// Cameras

static bool has_optics(const mjsCamera* v) {
  for (int i = 0; i < 2; i++) {
    if (v->focal_length[i] != 0 || v->focal_pixel[i] != 0) return true;
    if (v->principal_length[i] != 0 || v->principal_pixel[i] != 0) return true;
  }
  return false;
}

// With a sensor the intrinsic numbers are lengths on it, and decide the opening. All of this is
// single precision, the arctangent of the C library included, because the last bit shows in fovy.
static void compile_sensor(ct_Compiler* c, ct_WorkCamera* camera) {
  mjsCamera* v = &camera->v;
  if (v->resolution[0] <= 0 || v->resolution[1] <= 0) {
    ct_fail(c, camera->head.element, "resolution is %d %d: with sensorsize both must be positive",
            v->resolution[0], v->resolution[1]);
  }
  for (int i = 0; i < 2; i++) {
    float density = (float)v->resolution[i] / v->sensor_size[i];
    v->intrinsic[i] = v->focal_pixel[i] != 0 ? v->focal_pixel[i] / density : v->focal_length[i];
    v->intrinsic[i + 2] =
        v->principal_pixel[i] != 0 ? v->principal_pixel[i] / density : v->principal_length[i];
  }
  v->fovy = (double)atan2f(v->sensor_size[1] / 2, v->intrinsic[1]) * 360 / mjPI;
}

static void compile_optics(ct_Compiler* c, ct_WorkCamera* camera) {
  const ct_Element* e = camera->head.element;
  mjsCamera* v = &camera->v;
  if (v->fovy >= 180) ct_fail(c, e, "fovy is %g, it must be less than 180", v->fovy);
  bool sensor = v->sensor_size[0] > 0 && v->sensor_size[1] > 0;
  if (sensor) {
    compile_sensor(c, camera);
    return;
  }
  if (has_optics(v)) {
    ct_fail(c, e, "focal lengths and principal points need a positive sensorsize");
  }
  float znear = c->spec->spec.visual.map.znear;
  v->intrinsic[0] = v->intrinsic[1] = znear;
  v->intrinsic[2] = v->intrinsic[3] = 0;
}

void ct_compile_camera(ct_Compiler* c, ct_WorkCamera* camera) {
  const ct_Element* e = camera->head.element;
  mjsCamera* v = &camera->v;
  ct_check_user(c, e, v->userdata, c->nuser_cam);
  ct_resolve_orientation(c, e, v->quat, &v->alt);
  ct_apply_frame(c, e, v->pos, v->quat);
  ct_normalize64(v->quat, 4);
  camera->target = find_target(c, e, v->targetbody);
  compile_optics(c, camera);
}

void ct_copy_cameras(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->ncam; i++) {
    const ct_WorkCamera* camera = CT_WORK(ct_WorkCamera, c->list[mjOBJ_CAMERA], i);
    const mjsCamera* v = &camera->v;
    m->cam_mode[i] = (int)v->mode;
    m->cam_bodyid[i] = camera->body->head.id;
    m->cam_targetbodyid[i] = CT_ID(camera->target);
    m->cam_projection[i] = (int)v->proj;
    m->cam_output[i] = v->output;
    m->cam_resolution[2 * i] = v->resolution[0];
    m->cam_resolution[2 * i + 1] = v->resolution[1];
    ct_put(m->cam_pos + 3 * i, v->pos, 3);
    ct_put(m->cam_quat + 4 * i, v->quat, 4);
    ct_put(m->cam_fovy + i, &v->fovy, 1);
    ct_put(m->cam_ipd + i, &v->ipd, 1);
    ct_put_floats(m->cam_sensorsize + 2 * i, v->sensor_size, 2);
    ct_put_floats(m->cam_intrinsic + 4 * i, v->intrinsic, 4);
    ct_copy_user(m->cam_user + i * m->nuser_cam, v->userdata);
  }
}

// Lights

void ct_compile_light(ct_Compiler* c, ct_WorkLight* light) {
  const ct_Element* e = light->head.element;
  mjsLight* v = &light->v;
  const ct_Frame* frame = ct_frame_of(c, e);
  if (frame) {
    double unused[4] = {1, 0, 0, 0};
    ct_pose_compose(v->pos, unused, frame->pos, frame->quat);
    ct_turn(v->dir, v->dir, frame->quat);
  }
  if (ct_normalize64(v->dir, 3) < CT_COMPILER_EPS) {
    ct_fail(c, e, "dir is too short: the light has no direction");
  }
  light->target = find_target(c, e, v->targetbody);
  const char* texture = ct_text(v->texture);
  light->texture = NULL;
  if (texture[0]) {
    light->texture = (ct_WorkTexture*)ct_lookup_or_fail(c, e, "texture", mjOBJ_TEXTURE, texture);
  }
}

void ct_copy_lights(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->nlight; i++) {
    const ct_WorkLight* light = CT_WORK(ct_WorkLight, c->list[mjOBJ_LIGHT], i);
    const mjsLight* v = &light->v;
    m->light_mode[i] = (int)v->mode;
    m->light_bodyid[i] = light->body->head.id;
    m->light_targetbodyid[i] = CT_ID(light->target);
    m->light_type[i] = (int)v->type;
    m->light_texid[i] = CT_ID(light->texture);
    m->light_castshadow[i] = v->castshadow;
    m->light_active[i] = v->active;
    ct_put(m->light_pos + 3 * i, v->pos, 3);
    ct_put(m->light_dir + 3 * i, v->dir, 3);
    m->light_bulbradius[i] = v->bulbradius;
    m->light_intensity[i] = v->intensity;
    m->light_range[i] = v->range;
    m->light_cutoff[i] = v->cutoff;
    m->light_exponent[i] = v->exponent;
    ct_put_floats(m->light_attenuation + 3 * i, v->attenuation, 3);
    ct_put_floats(m->light_ambient + 3 * i, v->ambient, 3);
    ct_put_floats(m->light_diffuse + 3 * i, v->diffuse, 3);
    ct_put_floats(m->light_specular + 3 * i, v->specular, 3);
  }
}
