// A picture of a scene.
//
// Light is summed over passes: first all lights without shadows, then each light that casts some,
// where its shadow map says so. Before that comes the mirror image, if a geom reflects; after it
// the sky, then what is transparent, then labels. Depths lie between 1 at the near plane and 0 at
// the far one.

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "render/fonts.h"
#include "render/paint.h"
#include "render/shape_lists.h"
#include "render/texture_units.h"

enum { MOST_LIGHTS = 8 };  // that OpenGL has

// Looking

// From depths between 0 and 1 to what the driver wants: without clip control, -1 to 1.
static void adjust_depth(const ct_GL* gl, float m[16]) {
  if (gl->ClipControl) return;
  for (int j = 0; j < 4; j++) m[4 * j + 2] = 2 * m[4 * j + 2] - m[4 * j + 3];
}

static void projection_of(const ct_GL* gl, const mjvGLCamera* cam, float aspect, float m[16]) {
  float n = cam->frustum_near, f = cam->frustum_far;
  float half = cam->frustum_width;
  if (half == 0) half = 0.5f * aspect * (cam->frustum_top - cam->frustum_bottom);
  float l = cam->frustum_center - half, r = cam->frustum_center + half;
  float b = cam->frustum_bottom, t = cam->frustum_top;
  memset(m, 0, 16 * sizeof(float));
  if (cam->orthographic) {
    m[0] = 2 / (r - l);
    m[5] = 2 / (t - b);
    m[10] = 0.5f * (2 / (f - n));
    m[12] = -(r + l) / (r - l);
    m[13] = -(t + b) / (t - b);
    m[14] = 0.5f * ((f + n) / (f - n)) + 0.5f;
    m[15] = 1;
  } else {
    m[0] = 2 * n / (r - l);
    m[5] = 2 * n / (t - b);
    m[8] = (r + l) / (r - l);
    m[9] = (t + b) / (t - b);
    // n / (f - n) would be closer; but programs turn depth into distance by the numbers of this
    // matrix, rounded as they come out of the usual one for depths from -1 to 1
    m[10] = 0.5f * ((f + n) / (f - n)) - 0.5f;
    m[11] = -1;
    m[14] = 0.5f * (2 * f * n / (f - n));
  }
  adjust_depth(gl, m);
}

// From the world to an eye that looks forward.
static void look_from(float m[16], const float pos[3], const float forward[3], const float up[3]) {
  float x[3] = {forward[1] * up[2] - forward[2] * up[1], forward[2] * up[0] - forward[0] * up[2],
                forward[0] * up[1] - forward[1] * up[0]};
  float length = sqrtf(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int i = 0; i < 3; i++) x[i] /= length;
  const float y[3] = {x[1] * forward[2] - x[2] * forward[1], x[2] * forward[0] - x[0] * forward[2],
                      x[0] * forward[1] - x[1] * forward[0]};
  const float* rows[2] = {x, y};
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 2; i++) m[4 * j + i] = rows[i][j];
    m[4 * j + 2] = -forward[j];
    m[4 * j + 3] = 0;
  }
  for (int i = 0; i < 3; i++) {
    m[12 + i] = -(m[i] * pos[0] + m[4 + i] * pos[1] + m[8 + i] * pos[2]);
  }
  m[15] = 1;
}

// The model in the room: scale, turn, shift.
static void place_model(const mjvScene* scn, float view[16]) {
  if (!scn->enabletransform) return;
  mjtNum quat[4], mat[9];
  for (int i = 0; i < 4; i++) quat[i] = scn->rotate[i];
  ct_quat_to_mat(mat, quat);
  float turn[9], placed[16];
  for (int i = 0; i < 9; i++) turn[i] = scn->scale * (float)mat[i];
  ct_frame_matrix(placed, scn->translate, turn);
  ct_multiply(view, view, placed);
}

// Sorting

static float bound_of(const mjvGeom* geom) {
  const float* s = geom->size;
  if (geom->objtype == mjOBJ_GEOM) return geom->modelrbound;
  switch (geom->type) {
    case mjGEOM_SPHERE:
      return s[0];
    case mjGEOM_CAPSULE:
      return s[0] + s[2];
    case mjGEOM_CYLINDER:
      return sqrtf(s[0] * s[0] + s[2] * s[2]);
    case mjGEOM_BOX:
      return sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    default:
      return fmaxf(s[0], fmaxf(s[1], s[2]));
  }
}

static void sort_by_distance(mjvScene* scn, int n) {
  for (int i = 1; i < n; i++) {
    int geom = scn->geomorder[i], k = i;
    for (; k > 0 && scn->geoms[scn->geomorder[k - 1]].camdist > scn->geoms[geom].camdist; k--) {
      scn->geomorder[k] = scn->geomorder[k - 1];
    }
    scn->geomorder[k] = geom;
  }
}

// Finds out which geoms are transparent, how far away they are, and which one mirrors.
static void classify(ct_Painter* p) {
  mjvScene* scn = p->scn;
  p->ntransparent = 0;
  p->reflective = -1;
  p->horizon = NULL;
  for (int i = 0; i < scn->ngeom; i++) {
    mjvGeom* geom = scn->geoms + i;
    float square = 0;
    for (int k = 0; k < 3; k++) {
      float d = geom->pos[k] - p->head[k];
      square += d * d;
    }
    bool plane = geom->type == mjGEOM_PLANE, behind = ct_seen_from_behind(p, geom);
    geom->camdist = plane ? 1e10f : sqrtf(square) - bound_of(geom);
    geom->transparent = geom->rgba[3] < 0.995f || behind;
    if (geom->transparent) scn->geomorder[p->ntransparent++] = i;
    bool mirrors = (plane || geom->type == mjGEOM_BOX) && !geom->transparent;
    if (p->reflective >= 0) {
      geom->reflectance = 0;
    } else if (mirrors && geom->reflectance > 0) {
      p->reflective = i;
    }
    bool endless = plane && geom->size[0] == 0 && geom->size[1] == 0;
    if (endless && !behind && !p->horizon) p->horizon = geom;
  }
  sort_by_distance(scn, p->ntransparent);
}

// Lights

static void set_light(const ct_GL* gl, unsigned id, const mjvLight* light) {
  const float ambient[4] = {light->ambient[0], light->ambient[1], light->ambient[2], 1};
  const float diffuse[4] = {light->diffuse[0], light->diffuse[1], light->diffuse[2], 1};
  const float specular[4] = {light->specular[0], light->specular[1], light->specular[2], 1};
  gl->Lightfv(id, GL_AMBIENT, ambient);
  gl->Lightfv(id, GL_DIFFUSE, diffuse);
  gl->Lightfv(id, GL_SPECULAR, specular);
  gl->Lightf(id, GL_SPOT_EXPONENT, 0);
  gl->Lightf(id, GL_SPOT_CUTOFF, 180);
  gl->Lightf(id, GL_CONSTANT_ATTENUATION, 1);
  gl->Lightf(id, GL_LINEAR_ATTENUATION, 0);
  gl->Lightf(id, GL_QUADRATIC_ATTENUATION, 0);
  if (light->type == mjLIGHT_DIRECTIONAL) {
    const float towards[4] = {-light->dir[0], -light->dir[1], -light->dir[2], 0};
    gl->Lightfv(id, GL_POSITION, towards);
  } else if (light->type == mjLIGHT_SPOT) {
    const float pos[4] = {light->pos[0], light->pos[1], light->pos[2], 1};
    gl->Lightfv(id, GL_POSITION, pos);
    gl->Lightfv(id, GL_SPOT_DIRECTION, light->dir);
    gl->Lightf(id, GL_SPOT_EXPONENT, light->exponent);
    gl->Lightf(id, GL_SPOT_CUTOFF, light->cutoff > 90 ? 180 : light->cutoff);
    gl->Lightf(id, GL_CONSTANT_ATTENUATION, light->attenuation[0]);
    gl->Lightf(id, GL_LINEAR_ATTENUATION, light->attenuation[1]);
    gl->Lightf(id, GL_QUADRATIC_ATTENUATION, light->attenuation[2]);
  } else {
    // the reference leaves other types where OpenGL puts lights at first: at the viewer
    const float at_viewer[4] = {0, 0, 1, 0};
    gl->PushMatrix();
    gl->LoadIdentity();
    gl->Lightfv(id, GL_POSITION, at_viewer);
    gl->PopMatrix();
  }
}

static int light_count(const mjvScene* scn) {
  return scn->nlight < MOST_LIGHTS ? scn->nlight : MOST_LIGHTS;
}

// All lights where they are, seen by the current matrix; none is on yet.
static void place_lights(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  for (int i = 0; i < light_count(p->scn); i++) {
    set_light(gl, GL_LIGHT0 + (unsigned)i, p->scn->lights + i);
  }
}

static bool casts_shadow(const ct_Painter* p, int light) {
  return p->scn->lights[light].castshadow && p->scn->flags[mjRND_SHADOW] && p->con->shadowFBO;
}

// Which lights are on: all, those without shadows, or a single one.
typedef enum Which_ { ALL_LIGHTS = -1, WITHOUT_SHADOWS = -2 } Which;

static void switch_lights(const ct_Painter* p, int which) {
  const ct_GL* gl = p->gl;
  float g = p->scn->nlight == 0 ? 0.3f : 0;
  const float ambient[4] = {g, g, g, 1};
  gl->LightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);
  for (int i = 0; i < MOST_LIGHTS; i++) {
    bool exists = i < light_count(p->scn);
    bool on = which == ALL_LIGHTS || which == i ||
              (which == WITHOUT_SHADOWS && exists && !casts_shadow(p, i));
    if (exists && on) {
      gl->Enable(GL_LIGHT0 + (unsigned)i);
    } else {
      gl->Disable(GL_LIGHT0 + (unsigned)i);
    }
  }
}

// Passes

static void begin_lit(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  const mjrContext* con = p->con;
  gl->Enable(GL_DEPTH_TEST);
  gl->DepthFunc(GL_GEQUAL);
  gl->DepthMask(1);
  gl->Disable(GL_BLEND);
  gl->Enable(GL_NORMALIZE);
  gl->ShadeModel(GL_SMOOTH);
  gl->Enable(GL_LIGHTING);
  gl->LightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, 1);
  gl->LightModeli(GL_LIGHT_MODEL_TWO_SIDE, 0);
  gl->Enable(GL_CULL_FACE);
  gl->CullFace(GL_BACK);
  gl->FrontFace(GL_CCW);
  gl->Enable(GL_MULTISAMPLE);
  gl->TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
  gl->LineWidth(con->lineWidth);
  if (p->scn->flags[mjRND_FOG]) {
    gl->Enable(GL_FOG);
    gl->Fogi(GL_FOG_MODE, GL_LINEAR);
    gl->Fogf(GL_FOG_START, con->fogStart);
    gl->Fogf(GL_FOG_END, con->fogEnd);
    gl->Fogfv(GL_FOG_COLOR, con->fogRGBA);
  }
}

// Wires are for what is there itself, not for mirror images, shadows and the sky.
static void begin_wires(const ct_Painter* p) {
  if (p->scn->flags[mjRND_WIREFRAME]) p->gl->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
}

static void end_wires(const ct_Painter* p) {
  p->gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void end_lit(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  gl->Disable(GL_FOG);
  gl->Disable(GL_BLEND);
  gl->Disable(GL_LIGHTING);
  gl->DepthMask(1);
}

static void paint_opaque(const ct_Painter* p, ct_Style style, int except) {
  for (int i = 0; i < p->scn->ngeom; i++) {
    const mjvGeom* geom = p->scn->geoms + i;
    if (!geom->transparent && i != except) ct_paint_geom(p, geom, style);
  }
}

static void paint_transparent(const ct_Painter* p, ct_Style style) {
  const ct_GL* gl = p->gl;
  const mjvScene* scn = p->scn;
  bool additive = scn->flags[mjRND_ADDITIVE] != 0;
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
  gl->DepthMask(0);
  for (int i = 0; i < p->ntransparent; i++) {
    ct_paint_geom(p, scn->geoms + scn->geomorder[i], style);
  }
  for (int i = p->ntransparent - 1; i >= 0 && !additive; i--) {
    ct_paint_geom(p, scn->geoms + scn->geomorder[i], style);
  }
  gl->DepthMask(1);
  gl->Disable(GL_BLEND);
}

// Mirror image

// The mirror: z axis of the geom, through its face.
static void mirror_plane(const mjvGeom* geom, float normal[3], float* offset) {
  *offset = 0;
  for (int i = 0; i < 3; i++) {
    float face = geom->type == mjGEOM_BOX ? geom->size[2] : 0;
    normal[i] = geom->mat[3 * i + 2];
    *offset += normal[i] * (geom->pos[i] + face * normal[i]);
  }
}

static void paint_mirrored(ct_Painter* p) {
  const ct_GL* gl = p->gl;
  const mjvGeom* mirror = p->scn->geoms + p->reflective;
  float n[3], offset, ahead = 0;
  mirror_plane(mirror, n, &offset);
  for (int i = 0; i < 3; i++) ahead += n[i] * p->head[i];
  if (ahead <= offset) return;

  // where the mirror is
  gl->Enable(GL_STENCIL_TEST);
  gl->StencilFunc(GL_ALWAYS, 1, 1);
  gl->StencilOp(GL_KEEP, GL_REPLACE, GL_REPLACE);
  gl->ColorMask(0, 0, 0, 0);
  gl->DepthMask(0);
  ct_paint_geom(p, mirror, CT_STYLE_SHAPE);
  gl->ColorMask(1, 1, 1, 1);
  gl->DepthMask(1);

  // x -> x - 2 (n.x - offset) n
  float reflection[16];
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) reflection[4 * j + i] = (i == j) - 2 * n[i] * n[j];
    reflection[4 * j + 3] = 0;
    reflection[12 + j] = 2 * offset * n[j];
  }
  reflection[15] = 1;
  const double above[4] = {(double)n[0], (double)n[1], (double)n[2], -(double)offset};
  gl->StencilFunc(GL_EQUAL, 1, 1);
  gl->StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  gl->PushMatrix();
  gl->MultMatrixf(reflection);
  gl->ClipPlane(GL_CLIP_PLANE0, above);
  gl->Enable(GL_CLIP_PLANE0);
  gl->FrontFace(GL_CW);
  place_lights(p);
  switch_lights(p, ALL_LIGHTS);
  paint_opaque(p, CT_STYLE_MIRRORED, p->reflective);
  paint_transparent(p, CT_STYLE_MIRRORED);
  gl->PopMatrix();
  gl->FrontFace(GL_CCW);
  gl->Disable(GL_CLIP_PLANE0);
  gl->Disable(GL_STENCIL_TEST);
  gl->Clear(GL_DEPTH_BUFFER_BIT);
}

// Shadows

// From the world to the shadow map of a light, depths from 0 at it to 1.
static void shadow_matrices(const ct_Painter* p, const mjvLight* light, float projection[16],
                            float view[16]) {
  float n = p->cam.frustum_near, f = p->cam.frustum_far;
  const float* dir = light->dir;
  float up[3] = {0, 0, 1};
  if (fabsf(dir[2]) > 0.9f) {
    up[1] = 1;
    up[2] = 0;
  }
  look_from(view, light->pos, dir, up);
  memset(projection, 0, 16 * sizeof(float));
  if (light->type == mjLIGHT_SPOT) {
    float angle = 2 * light->cutoff * p->con->shadowScale;
    float half = tanf((angle < 160 ? angle : 160) * 3.14159265f / 360);
    projection[0] = projection[5] = 1 / half;
    projection[10] = -f / (f - n);
    projection[11] = -1;
    projection[14] = -f * n / (f - n);
  } else {
    projection[0] = projection[5] = 1 / p->con->shadowClip;
    projection[10] = -1 / (f - n);
    projection[14] = -n / (f - n);
    projection[15] = 1;
  }
}

static void draw_shadow_map(const ct_Painter* p, const float projection[16], const float view[16]) {
  const ct_GL* gl = p->gl;
  int size = p->con->shadowSize;
  float adjusted[16];
  memcpy(adjusted, projection, sizeof(adjusted));
  adjust_depth(gl, adjusted);
  gl->BindFramebuffer(GL_FRAMEBUFFER, p->con->shadowFBO);
  gl->Viewport(0, 0, size, size);
  gl->Scissor(0, 0, size, size);
  gl->ClearDepth(1);
  gl->Clear(GL_DEPTH_BUFFER_BIT);
  gl->DepthFunc(GL_LESS);
  gl->Disable(GL_LIGHTING);
  gl->Enable(GL_POLYGON_OFFSET_FILL);
  gl->PolygonOffset(1.5f, 4);
  gl->MatrixMode(GL_PROJECTION);
  gl->PushMatrix();
  gl->LoadMatrixf(adjusted);
  gl->MatrixMode(GL_MODELVIEW);
  gl->PushMatrix();
  gl->LoadMatrixf(view);
  for (int i = 0; i < p->scn->ngeom; i++) {
    const mjvGeom* geom = p->scn->geoms + i;
    if (geom->type == mjGEOM_LINE || geom->category == mjCAT_DECOR) continue;
    ct_paint_geom(p, geom, CT_STYLE_SHAPE);
  }
  gl->PopMatrix();
  gl->MatrixMode(GL_PROJECTION);
  gl->PopMatrix();
  gl->MatrixMode(GL_MODELVIEW);
  gl->Disable(GL_POLYGON_OFFSET_FILL);
  gl->Enable(GL_LIGHTING);
  gl->ClearDepth(0);
  gl->DepthFunc(GL_GEQUAL);
}

// Coordinates in the shadow map, from positions in the world, for texture unit 1.
static void use_shadow_map(const ct_Painter* p, const float projection[16], const float view[16]) {
  const ct_GL* gl = p->gl;
  const float half[16] = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 1, 0, 0.5f, 0.5f, 0, 1};
  const unsigned coordinate[4] = {GL_S, GL_T, GL_R, GL_Q};
  const unsigned cap[4] = {GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R, GL_TEXTURE_GEN_Q};
  float map[16];
  ct_multiply(map, projection, view);
  ct_multiply(map, half, map);
  gl->ActiveTexture(GL_TEXTURE1);
  gl->BindTexture(GL_TEXTURE_2D, p->con->shadowTex);
  gl->Enable(GL_TEXTURE_2D);
  gl->TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
  for (int i = 0; i < 4; i++) {
    const float plane[4] = {map[i], map[4 + i], map[8 + i], map[12 + i]};
    gl->TexGeni(coordinate[i], GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);
    gl->TexGenfv(coordinate[i], GL_EYE_PLANE, plane);
    gl->Enable(cap[i]);
  }
  gl->ActiveTexture(GL_TEXTURE0);
}

static void forget_shadow_map(const ct_GL* gl) {
  gl->ActiveTexture(GL_TEXTURE1);
  gl->Disable(GL_TEXTURE_GEN_S);
  gl->Disable(GL_TEXTURE_GEN_T);
  gl->Disable(GL_TEXTURE_GEN_R);
  gl->Disable(GL_TEXTURE_GEN_Q);
  gl->Disable(GL_TEXTURE_2D);
  gl->BindTexture(GL_TEXTURE_2D, 0);
  gl->ActiveTexture(GL_TEXTURE0);
}

static void add_light_with_shadow(const ct_Painter* p, int light, mjrRect viewport, int target) {
  const ct_GL* gl = p->gl;
  const float black[4] = {0, 0, 0, 0};
  float projection[16], view[16];
  shadow_matrices(p, p->scn->lights + light, projection, view);
  draw_shadow_map(p, projection, view);
  gl->BindFramebuffer(GL_FRAMEBUFFER, (unsigned)target);
  gl->Viewport(viewport.left, viewport.bottom, viewport.width, viewport.height);
  gl->Scissor(viewport.left, viewport.bottom, viewport.width, viewport.height);
  use_shadow_map(p, projection, view);
  switch_lights(p, light);
  gl->LightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
  gl->Fogfv(GL_FOG_COLOR, black);
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_ONE, GL_ONE);
  gl->DepthMask(0);
  begin_wires(p);
  paint_opaque(p, CT_STYLE_SHADOWED, -1);
  end_wires(p);
  gl->DepthMask(1);
  gl->Disable(GL_BLEND);
  gl->Fogfv(GL_FOG_COLOR, p->con->fogRGBA);
  forget_shadow_map(gl);
}

// Sky

static void paint_haze(const ct_Painter* p, float radius) {
  const ct_GL* gl = p->gl;
  const mjvGeom* ground = p->horizon;
  float frame[16], height = 0, foot[3];
  for (int i = 0; i < 3; i++) height += (p->head[i] - ground->pos[i]) * ground->mat[3 * i + 2];
  for (int i = 0; i < 3; i++) foot[i] = p->head[i] - height * ground->mat[3 * i + 2];
  ct_frame_matrix(frame, foot, ground->mat);
  gl->PushMatrix();
  gl->MultMatrixf(frame);
  gl->Scalef(radius, radius, height);
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  gl->CallList(p->con->baseBuiltin + CT_HAZE);
  gl->Disable(GL_BLEND);
  gl->PopMatrix();
}

static void paint_sky(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  float radius = 0.7f * p->cam.frustum_far;
  if (!ct_texture_sky(gl, p->con)) return;
  gl->Disable(GL_LIGHTING);
  gl->Disable(GL_CULL_FACE);
  gl->Color4f(1, 1, 1, 1);
  gl->PushMatrix();
  gl->Translatef(p->head[0], p->head[1], p->head[2]);
  gl->Scalef(radius, radius, radius);
  gl->CallList(p->con->baseBuiltin + CT_SPHERE);
  gl->PopMatrix();
  ct_untexture(gl);
  if (p->horizon && p->scn->flags[mjRND_HAZE]) paint_haze(p, radius);
  gl->Enable(GL_CULL_FACE);
  gl->Enable(GL_LIGHTING);
}

// One view

static void paint_segments(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  gl->Disable(GL_MULTISAMPLE);
  gl->Disable(GL_LIGHTING);
  gl->Disable(GL_BLEND);
  gl->Disable(GL_FOG);
  gl->Enable(GL_DEPTH_TEST);
  gl->DepthFunc(GL_GEQUAL);
  gl->DepthMask(1);
  gl->Enable(GL_CULL_FACE);
  gl->CullFace(GL_BACK);
  gl->FrontFace(GL_CCW);
  for (int i = 0; i < p->scn->ngeom; i++) {
    const mjvGeom* geom = p->scn->geoms + i;
    if (geom->segid >= 0) ct_paint_geom(p, geom, CT_STYLE_SEGMENT);
  }
  gl->Enable(GL_MULTISAMPLE);
}

static void paint_labels(const ct_Painter* p) {
  const ct_GL* gl = p->gl;
  gl->Disable(GL_DEPTH_TEST);
  gl->Disable(GL_LIGHTING);
  for (int i = 0; i < p->scn->ngeom; i++) {
    const mjvGeom* geom = p->scn->geoms + i;
    if (geom->label[0]) ct_write_at(gl, p->con, geom->pos, geom->label);
  }
  gl->Enable(GL_DEPTH_TEST);
}

static void paint_scene(ct_Painter* p, mjrRect viewport, int target) {
  const ct_GL* gl = p->gl;
  const mjtByte* flags = p->scn->flags;
  begin_lit(p);
  bool mirrors = p->reflective >= 0 && flags[mjRND_REFLECTION] && !flags[mjRND_DEPTH];
  if (mirrors) paint_mirrored(p);
  place_lights(p);
  switch_lights(p, WITHOUT_SHADOWS);
  begin_wires(p);
  if (mirrors) {
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    ct_paint_geom(p, p->scn->geoms + p->reflective, CT_STYLE_LIT);
    gl->Disable(GL_BLEND);
  }
  paint_opaque(p, CT_STYLE_LIT, mirrors ? p->reflective : -1);
  end_wires(p);
  for (int i = 0; i < light_count(p->scn); i++) {
    if (casts_shadow(p, i)) add_light_with_shadow(p, i, viewport, target);
  }
  if (flags[mjRND_SKYBOX]) paint_sky(p);
  switch_lights(p, ALL_LIGHTS);
  begin_wires(p);
  paint_transparent(p, CT_STYLE_LIT);
  end_wires(p);
  end_lit(p);
  paint_labels(p);
}

static void render_view(ct_Painter* p, mjrRect viewport, int target) {
  const ct_GL* gl = p->gl;
  float projection[16];
  gl->Viewport(viewport.left, viewport.bottom, viewport.width, viewport.height);
  gl->Scissor(viewport.left, viewport.bottom, viewport.width, viewport.height);
  projection_of(gl, &p->cam, (float)viewport.width / (float)viewport.height, projection);
  look_from(p->view, p->cam.pos, p->cam.forward, p->cam.up);
  place_model(p->scn, p->view);
  gl->MatrixMode(GL_PROJECTION);
  gl->LoadMatrixf(projection);
  gl->MatrixMode(GL_MODELVIEW);
  gl->LoadMatrixf(p->view);
  classify(p);
  if (p->scn->flags[mjRND_SEGMENT]) {
    paint_segments(p);
  } else {
    paint_scene(p, viewport, target);
  }
}

// The whole picture

static void upload_skins(const ct_GL* gl, const mjvScene* scn, const mjrContext* con) {
  for (int i = 0; i < scn->nskin && i < con->nskin; i++) {
    int first = 3 * scn->skinvertadr[i];
    long bytes = 3L * scn->skinvertnum[i] * (long)sizeof(float);
    gl->BindBuffer(GL_ARRAY_BUFFER, con->skinvertVBO[i]);
    gl->BufferData(GL_ARRAY_BUFFER, bytes, scn->skinvert + first, GL_STREAM_DRAW);
    gl->BindBuffer(GL_ARRAY_BUFFER, con->skinnormalVBO[i]);
    gl->BufferData(GL_ARRAY_BUFFER, bytes, scn->skinnormal + first, GL_STREAM_DRAW);
  }
  gl->BindBuffer(GL_ARRAY_BUFFER, 0);
}

// A border inside the viewport.
static void paint_border(const ct_GL* gl, const mjvScene* scn, mjrRect v) {
  int w = scn->framewidth;
  const mjrRect sides[4] = {{v.left, v.bottom, v.width, w},
                            {v.left, v.bottom + v.height - w, v.width, w},
                            {v.left, v.bottom, w, v.height},
                            {v.left + v.width - w, v.bottom, w, v.height}};
  gl->ClearColor(scn->framergb[0], scn->framergb[1], scn->framergb[2], 1);
  for (int i = 0; i < 4; i++) {
    gl->Scissor(sides[i].left, sides[i].bottom, sides[i].width, sides[i].height);
    gl->Clear(GL_COLOR_BUFFER_BIT);
  }
}

// Depth as grey, near is white.
static void show_depth(const mjrContext* con, mjrRect v) {
  size_t n = (size_t)v.width * (size_t)v.height;
  float* depth = (float*)mju_malloc(n * sizeof(float));
  unsigned char* rgb = (unsigned char*)mju_malloc(3 * n);
  if (depth && rgb) {
    mjr_readPixels(NULL, depth, v, con);
    bool near_is_zero = con->readDepthMap == mjDEPTH_ZERONEAR;
    for (size_t i = 0; i < n; i++) {
      float value = near_is_zero ? 1 - depth[i] : depth[i];
      memset(rgb + 3 * i, (int)(255 * value + 0.5f), 3);
    }
    ct_loaded_gl()->Disable(GL_DEPTH_TEST);
    mjr_drawPixels(rgb, NULL, v, con);
    ct_loaded_gl()->Enable(GL_DEPTH_TEST);
  }
  mju_free(depth);
  mju_free(rgb);
}

static void clear_view(const ct_GL* gl, mjrRect v) {
  gl->Enable(GL_SCISSOR_TEST);
  gl->Scissor(v.left, v.bottom, v.width, v.height);
  gl->ColorMask(1, 1, 1, 1);
  gl->DepthMask(1);
  gl->ClearColor(0, 0, 0, 0);
  gl->ClearDepth(0);
  gl->ClearStencil(0);
  gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void render_eyes(ct_Painter* p, mjrRect viewport, int target) {
  const ct_GL* gl = p->gl;
  bool quad = p->scn->stereo == mjSTEREO_QUADBUFFERED && p->con->windowStereo && !target;
  if (p->scn->stereo == mjSTEREO_NONE) {
    clear_view(gl, viewport);
    render_view(p, viewport, target);
    return;
  }
  for (int eye = 0; eye < 2; eye++) {
    mjrRect half = viewport;
    if (quad) {
      gl->DrawBuffer(eye ? GL_BACK_RIGHT : GL_BACK_LEFT);
    } else {
      half.width = viewport.width / 2;
      half.left += eye * half.width;
    }
    p->cam = p->scn->camera[eye];
    clear_view(gl, half);
    render_view(p, half, target);
  }
}

void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con) {
  const ct_GL* gl = con->glInitialized ? ct_loaded_gl() : NULL;
  if (!gl || viewport.width < 1 || viewport.height < 1) return;
  ct_Painter p;
  memset(&p, 0, sizeof(p));
  p.gl = gl;
  p.scn = scn;
  p.con = con;
  p.cam = mjv_averageCamera(scn->camera, scn->camera + 1);
  if (p.cam.frustum_near < (float)mjMINVAL) {
    if (scn->ngeom > 0) mju_error("mjr_render: mjvScene.camera is not set; call mjv_updateScene");
    return;
  }
  mjtNum head[3];
  mjv_cameraInModel(head, NULL, NULL, scn);
  for (int i = 0; i < 3; i++) p.head[i] = (float)head[i];
  int target = 0, scissor[4] = {0, 0, 0, 0};
  gl->GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  gl->GetIntegerv(GL_SCISSOR_BOX, scissor);  // mjr_maxViewport takes it for the window's size
  if (gl->ClipControl) gl->ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  upload_skins(gl, scn, con);
  render_eyes(&p, viewport, target);
  mjrRect framed = viewport;
  if (scn->stereo != mjSTEREO_NONE) {
    framed.left += viewport.width / 2;
    framed.width = viewport.width / 2;
  }
  if (scn->framewidth > 0) paint_border(gl, scn, framed);
  gl->Disable(GL_SCISSOR_TEST);
  gl->Scissor(scissor[0], scissor[1], scissor[2], scissor[3]);
  if (scn->flags[mjRND_DEPTH]) show_depth(con, viewport);
  mjr_restoreBuffer(con);
}
