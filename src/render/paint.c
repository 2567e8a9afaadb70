#include "render/paint.h"

#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "render/shape_lists.h"
#include "render/texture_units.h"

// Matrices

void ct_frame_matrix(float out[16], const float pos[3], const float mat[9]) {
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) out[4 * j + i] = mat[3 * i + j];
    out[4 * j + 3] = 0;
    out[12 + j] = pos[j];
  }
  out[15] = 1;
}

void ct_multiply(float out[16], const float a[16], const float b[16]) {
  float product[16];
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 4; i++) {
      product[4 * j + i] = 0;
      for (int k = 0; k < 4; k++) product[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    }
  }
  memcpy(out, product, sizeof(product));
}

bool ct_seen_from_behind(const ct_Painter* p, const mjvGeom* geom) {
  float along = 0;
  for (int i = 0; i < 3; i++) along += (p->head[i] - geom->pos[i]) * geom->mat[3 * i + 2];
  return geom->type == mjGEOM_PLANE && along < 0;
}

// Shapes

static void call(const ct_Painter* p, ct_Builtin shape) {
  p->gl->CallList(p->con->baseBuiltin + (unsigned)shape);
}

// A built-in shape, moved along z and scaled.
static void call_at(const ct_Painter* p, ct_Builtin shape, float z, float x_scale, float y_scale,
                    float z_scale) {
  const ct_GL* gl = p->gl;
  gl->PushMatrix();
  gl->Translatef(0, 0, z);
  gl->Scalef(x_scale, y_scale, z_scale);
  call(p, shape);
  gl->PopMatrix();
}

static void paint_capsule(const ct_Painter* p, const float size[3]) {
  float cap = (size[0] + size[1]) / 2;
  call_at(p, CT_TUBE, 0, size[0], size[1], size[2]);
  call_at(p, CT_UPPER_HALF, size[2], size[0], size[1], cap);
  call_at(p, CT_LOWER_HALF, -size[2], size[0], size[1], cap);
}

// An arrow reaches half of its length: a shaft of a third and a tip of a sixth.
static void paint_arrow(const ct_Painter* p, const float size[3], float tip) {
  float length = size[2];
  call_at(p, CT_CYLINDER, length / 6, size[0], size[1], length / 6);
  call_at(p, CT_CONE, length / 3, tip * size[0], tip * size[1], length / 6);
}

static void paint_double_arrow(const ct_Painter* p, const float size[3]) {
  const ct_GL* gl = p->gl;
  float length = size[2], tip = 1.75f;
  call_at(p, CT_TUBE, 0, size[0], size[1], length / 3);
  call_at(p, CT_CONE, length / 3, tip * size[0], tip * size[1], length / 6);
  gl->PushMatrix();
  gl->Scalef(1, -1, -1);
  call_at(p, CT_CONE, length / 3, tip * size[0], tip * size[1], length / 6);
  gl->PopMatrix();
}

static void paint_lines(const ct_Painter* p, const mjvGeom* geom) {
  const ct_GL* gl = p->gl;
  const float* s = geom->size;
  bool line = geom->type == mjGEOM_LINE;
  gl->LineWidth(line ? s[0] * p->con->lineWidth : 1.5f * p->con->lineWidth);
  gl->Begin(GL_LINES);
  if (line) {
    gl->Vertex3f(0, 0, 0);
    gl->Vertex3f(0, 0, s[2]);
  } else {
    for (int edge = 0; edge < 12; edge++) {
      int axis = edge / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
      float a[3];
      a[u] = edge % 2 ? s[u] : -s[u];
      a[v] = edge % 4 / 2 ? s[v] : -s[v];
      a[axis] = -s[axis];
      gl->Vertex3f(a[0], a[1], a[2]);
      a[axis] = s[axis];
      gl->Vertex3f(a[0], a[1], a[2]);
    }
  }
  gl->End();
  gl->LineWidth(p->con->lineWidth);
}

static void paint_triangle(const ct_Painter* p, const float size[3]) {
  const ct_GL* gl = p->gl;
  gl->Begin(GL_TRIANGLES);
  gl->Normal3f(0, 0, 1);
  gl->Vertex3f(0, 0, 0);
  gl->Vertex3f(size[0], 0, 0);
  gl->Vertex3f(0, size[1], 0);
  gl->Normal3f(0, 0, -1);
  gl->Vertex3f(0, 0, 0);
  gl->Vertex3f(0, size[1], 0);
  gl->Vertex3f(size[0], 0, 0);
  gl->End();
}

static void scale_and_call(const ct_Painter* p, ct_Builtin shape, const float size[3]) {
  p->gl->Scalef(size[0], size[1], size[2]);
  call(p, shape);
}

static void paint_plane(const ct_Painter* p, const mjvGeom* geom) {
  const ct_GL* gl = p->gl;
  int own = geom->dataid >= 0 && geom->dataid < p->con->rangePlane - 1;
  if (!own) gl->Scalef(geom->size[0], geom->size[1], 1);
  gl->CallList(p->con->basePlane + (unsigned)(own ? geom->dataid : p->con->rangePlane - 1));
}

// In the frame of the geom.
static void paint_shape(const ct_Painter* p, const mjvGeom* geom) {
  const mjrContext* con = p->con;
  const float* size = geom->size;
  switch (geom->type) {
    case mjGEOM_PLANE:
      paint_plane(p, geom);
      break;
    case mjGEOM_HFIELD:
      if (geom->dataid >= 0 && geom->dataid < con->rangeHField) {
        p->gl->CallList(con->baseHField + (unsigned)geom->dataid);
      }
      break;
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      if (geom->dataid >= 0 && geom->dataid < con->rangeMesh) {
        p->gl->CallList(con->baseMesh + (unsigned)geom->dataid);
      }
      break;
    case mjGEOM_SPHERE:
    case mjGEOM_ELLIPSOID:
      scale_and_call(p, CT_SPHERE, size);
      break;
    case mjGEOM_CAPSULE:
      paint_capsule(p, size);
      break;
    case mjGEOM_CYLINDER:
      scale_and_call(p, CT_CYLINDER, size);
      break;
    case mjGEOM_BOX:
      scale_and_call(p, CT_BOX, size);
      break;
    case mjGEOM_ARROW:
      paint_arrow(p, size, 1.75f);
      break;
    case mjGEOM_ARROW1:
      paint_arrow(p, size, 1);
      break;
    case mjGEOM_ARROW2:
      paint_double_arrow(p, size);
      break;
    case mjGEOM_LINE:
    case mjGEOM_LINEBOX:
      paint_lines(p, geom);
      break;
    case mjGEOM_TRIANGLE:
      paint_triangle(p, size);
      break;
    default:
      break;
  }
}

// Surfaces with arrays of their own, in the frame of the model

static void paint_skin(const ct_Painter* p, const mjvGeom* geom) {
  const ct_GL* gl = p->gl;
  const mjrContext* con = p->con;
  int skin = geom->objid;
  if (skin < 0 || skin >= con->nskin) return;
  gl->EnableClientState(GL_VERTEX_ARRAY);
  gl->EnableClientState(GL_NORMAL_ARRAY);
  gl->BindBuffer(GL_ARRAY_BUFFER, con->skinvertVBO[skin]);
  gl->VertexPointer(3, GL_FLOAT, 0, NULL);
  gl->BindBuffer(GL_ARRAY_BUFFER, con->skinnormalVBO[skin]);
  gl->NormalPointer(GL_FLOAT, 0, NULL);
  if (geom->texcoord) {
    gl->EnableClientState(GL_TEXTURE_COORD_ARRAY);
    gl->BindBuffer(GL_ARRAY_BUFFER, con->skintexcoordVBO[skin]);
    gl->TexCoordPointer(2, GL_FLOAT, 0, NULL);
  }
  gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, con->skinfaceVBO[skin]);
  gl->DrawElements(GL_TRIANGLES, 3 * p->scn->skinfacenum[skin], GL_UNSIGNED_INT, NULL);
  gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
  gl->BindBuffer(GL_ARRAY_BUFFER, 0);
  gl->DisableClientState(GL_TEXTURE_COORD_ARRAY);
  gl->DisableClientState(GL_NORMAL_ARRAY);
  gl->DisableClientState(GL_VERTEX_ARRAY);
}

static void paint_flex_vertex(const ct_Painter* p, const float at[3], float radius) {
  const ct_GL* gl = p->gl;
  gl->PushMatrix();
  gl->Translatef(at[0], at[1], at[2]);
  gl->Scalef(radius, radius, radius);
  call(p, CT_SPHERE);
  gl->PopMatrix();
}

static void paint_flex_edge(const ct_Painter* p, const float a[3], const float b[3], float radius) {
  const ct_GL* gl = p->gl;
  mjvGeom rod;
  float frame[16];
  mjtNum from[3] = {a[0], a[1], a[2]}, to[3] = {b[0], b[1], b[2]};
  mjv_connector(&rod, mjGEOM_CYLINDER, radius, from, to);
  ct_frame_matrix(frame, rod.pos, rod.mat);
  gl->PushMatrix();
  gl->MultMatrixf(frame);
  gl->Scalef(rod.size[0], rod.size[1], rod.size[2]);
  call(p, CT_TUBE);
  gl->PopMatrix();
}

static void paint_flex(const ct_Painter* p, const mjvGeom* geom) {
  const ct_GL* gl = p->gl;
  const mjvScene* scn = p->scn;
  int flex = geom->objid;
  if (flex < 0 || flex >= scn->nflex) return;
  int faces = scn->flexfaceused[flex], first = 9 * scn->flexfaceadr[flex];
  const float* vert = scn->flexvert + 3 * scn->flexvertadr[flex];
  bool hidden = scn->flexskinopt && faces > 0;
  for (int i = 0; scn->flexvertopt && !hidden && i < scn->flexvertnum[flex]; i++) {
    paint_flex_vertex(p, vert + 3 * i, geom->size[0]);
  }
  for (int i = 0; scn->flexedgeopt && !hidden && i < scn->flexedgenum[flex]; i++) {
    const int* edge = scn->flexedge + 2 * (scn->flexedgeadr[flex] + i);
    paint_flex_edge(p, vert + 3 * edge[0], vert + 3 * edge[1], geom->size[0]);
  }
  if (!faces) return;
  gl->EnableClientState(GL_VERTEX_ARRAY);
  gl->EnableClientState(GL_NORMAL_ARRAY);
  gl->VertexPointer(3, GL_FLOAT, 0, scn->flexface + first);
  gl->NormalPointer(GL_FLOAT, 0, scn->flexnormal + first);
  if (geom->texcoord) {
    gl->EnableClientState(GL_TEXTURE_COORD_ARRAY);
    gl->TexCoordPointer(2, GL_FLOAT, 0, scn->flextexcoord + 6 * scn->flexfaceadr[flex]);
  }
  gl->DrawArrays(GL_TRIANGLES, 0, 3 * faces);
  gl->DisableClientState(GL_TEXTURE_COORD_ARRAY);
  gl->DisableClientState(GL_NORMAL_ARRAY);
  gl->DisableClientState(GL_VERTEX_ARRAY);
}

// Materials

static void segment_color(const ct_Painter* p, const mjvGeom* geom) {
  if (p->scn->flags[mjRND_IDCOLOR]) {
    unsigned id = (unsigned)(geom->segid + 1);
    p->gl->Color3f((float)(id & 255) / 255, (float)(id >> 8 & 255) / 255,
                   (float)(id >> 16 & 255) / 255);
  } else {
    float rgb[3];
    const int base[3] = {2, 3, 5};
    for (int i = 0; i < 3; i++) {
      rgb[i] = (float)((mjtNum)0.1 + (mjtNum)0.8 * ct_halton(geom->segid + 10, base[i]));
    }
    p->gl->Color3f(rgb[0], rgb[1], rgb[2]);
  }
}

// Colours of the material; a mirror image is darker, its highlights are not.
static void set_material(const ct_Painter* p, const mjvGeom* geom, ct_Style style) {
  const ct_GL* gl = p->gl;
  float dim = 1;
  if (style == CT_STYLE_MIRRORED) dim = p->scn->geoms[p->reflective].reflectance;
  float rgba[4] = {dim * geom->rgba[0], dim * geom->rgba[1], dim * geom->rgba[2], geom->rgba[3]};
  float emission[4] = {0, 0, 0, 1}, specular[4] = {0, 0, 0, 1};
  if (ct_seen_from_behind(p, geom)) rgba[3] *= 0.3f;
  for (int i = 0; i < 3; i++) {
    if (style != CT_STYLE_SHADOWED) emission[i] = rgba[i] * geom->emission;
    specular[i] = geom->specular;
  }
  gl->Color4fv(rgba);
  gl->Materialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, rgba);
  gl->Materialfv(GL_FRONT_AND_BACK, GL_EMISSION, emission);
  gl->Materialfv(GL_FRONT_AND_BACK, GL_SPECULAR, specular);
  float shininess = geom->shininess * 128;
  gl->Materialf(GL_FRONT_AND_BACK, GL_SHININESS,
                shininess < 0     ? 0
                : shininess > 128 ? 128
                                  : shininess);
}

static bool is_line(int type) {
  return type == mjGEOM_LINE || type == mjGEOM_LINEBOX;
}

void ct_paint_geom(const ct_Painter* p, const mjvGeom* geom, ct_Style style) {
  const ct_GL* gl = p->gl;
  bool lit = style <= CT_STYLE_MIRRORED, textured = false;
  bool whole = ct_seen_from_behind(p, geom) || !p->scn->flags[mjRND_CULL_FACE];
  if (geom->type == mjGEOM_LABEL || geom->type == mjGEOM_NONE) return;
  if (lit) {
    set_material(p, geom, style);
    textured = ct_texture(gl, p->con, geom);
    if (is_line(geom->type)) gl->Disable(GL_LIGHTING);
  } else if (style == CT_STYLE_SEGMENT) {
    segment_color(p, geom);
  }
  if (whole) gl->Disable(GL_CULL_FACE);
  gl->PushMatrix();
  if (geom->type == mjGEOM_SKIN) {
    paint_skin(p, geom);
  } else if (geom->type == mjGEOM_FLEX) {
    paint_flex(p, geom);
  } else {
    float frame[16];
    ct_frame_matrix(frame, geom->pos, geom->mat);
    gl->MultMatrixf(frame);
    paint_shape(p, geom);
  }
  gl->PopMatrix();
  if (whole) gl->Enable(GL_CULL_FACE);
  if (lit && is_line(geom->type)) gl->Enable(GL_LIGHTING);
  if (textured) ct_untexture(gl);
}
