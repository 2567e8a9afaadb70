#include "render/texture_units.h"

// Images

// A flat texture: repeated, with smaller copies for what is far away.
static void fill_flat(const ct_GL* gl, const mjModel* m, int texture) {
  int channels = m->tex_nchannel[texture];
  bool srgb = gl->srgb && m->tex_colorspace[texture] == mjCOLORSPACE_SRGB;
  if (channels != 3 && channels != 4) {
    mju_error("mjr_uploadTexture: texture %d has %d channels, not 3 or 4", texture, channels);
    return;
  }
  int internal = channels == 3 ? (srgb ? GL_SRGB8 : GL_RGB8) : srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8;
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl->TexImage2D(GL_TEXTURE_2D, 0, internal, m->tex_width[texture], m->tex_height[texture], 0,
                 channels == 3 ? GL_RGB : GL_RGBA, GL_UNSIGNED_BYTE,
                 m->tex_data + m->tex_adr[texture]);
  gl->GenerateMipmap(GL_TEXTURE_2D);
}

// Six faces below each other, or one that is used six times.
static void fill_cube(const ct_GL* gl, const mjModel* m, int texture) {
  int width = m->tex_width[texture];
  bool same = m->tex_height[texture] == width;
  const mjtByte* data = m->tex_data + m->tex_adr[texture];
  const unsigned target = GL_TEXTURE_CUBE_MAP;
  gl->TexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(target, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl->TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (int face = 0; face < 6; face++) {
    const mjtByte* pixels = same ? data : data + (mjtSize)face * 3 * width * width;
    gl->TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)face, 0, GL_RGB8, width, width, 0,
                   GL_RGB, GL_UNSIGNED_BYTE, pixels);
  }
  gl->GenerateMipmap(target);
  if (gl->seamless_cubes) gl->Enable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

void ct_fill_texture(const ct_GL* gl, const mjModel* m, const mjrContext* con, int texture) {
  bool flat = m->tex_type[texture] == mjTEXTURE_2D;
  unsigned target = flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(target, con->texture[texture]);
  if (flat) {
    fill_flat(gl, m, texture);
  } else {
    fill_cube(gl, m, texture);
  }
  gl->BindTexture(target, 0);
}

void ct_make_textures(const ct_GL* gl, const mjModel* m, mjrContext* con) {
  if (m->ntex > mjMAXTEXTURE) {
    mju_error("mjr_makeContext: %d textures, but there is room for %d", (int)m->ntex, mjMAXTEXTURE);
    return;
  }
  con->ntexture = (int)m->ntex;
  gl->GenTextures(con->ntexture, con->texture);
  for (int i = 0; i < con->ntexture; i++) {
    con->textureType[i] = m->tex_type[i];
    ct_fill_texture(gl, m, con, i);
  }
}

// Coordinates

static void generate(const ct_GL* gl, unsigned coordinate, unsigned cap, const float plane[4]) {
  gl->TexGeni(coordinate, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
  gl->TexGenfv(coordinate, GL_OBJECT_PLANE, plane);
  gl->Enable(cap);
}

// The image lies in the xy plane of the shape, its first row towards +y, so many repeats per two
// units of length of the shape's own coordinates.
static void project_flat(const ct_GL* gl, const mjrContext* con, const mjvGeom* geom) {
  float repeat[2];
  for (int k = 0; k < 2; k++) {
    repeat[k] = con->mat_texrepeat[2 * geom->matid + k];
    if (!(geom->size[k] > 0)) continue;
    if (geom->dataid >= 0) repeat[k] /= geom->size[k];
    if (con->mat_texuniform[geom->matid]) repeat[k] *= geom->size[k];
  }
  const float s[4] = {repeat[0] / 2, 0, 0, -0.5f}, t[4] = {0, -repeat[1] / 2, 0, -0.5f};
  generate(gl, GL_S, GL_TEXTURE_GEN_S, s);
  generate(gl, GL_T, GL_TEXTURE_GEN_T, t);
}

static void project_cube(const ct_GL* gl, const mjrContext* con, const mjvGeom* geom) {
  bool uniform = con->mat_texuniform[geom->matid] != 0;
  const unsigned coordinate[3] = {GL_S, GL_T, GL_R};
  const unsigned cap[3] = {GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R};
  for (int k = 0; k < 3; k++) {
    float plane[4] = {0, 0, 0, 0};
    plane[k] = uniform ? geom->size[k] : 1;
    generate(gl, coordinate[k], cap[k], plane);
  }
}

bool ct_texture(const ct_GL* gl, const mjrContext* con, const mjvGeom* geom) {
  if (geom->matid < 0 || geom->matid >= mjMAXMATERIAL - 1) return false;
  int texture = con->mat_texid[geom->matid * mjNTEXROLE + mjTEXROLE_RGB];
  if (texture < 0 || texture >= con->ntexture) return false;
  bool soft = geom->type == mjGEOM_SKIN || geom->type == mjGEOM_FLEX;
  if (soft && !geom->texcoord) return false;
  if (geom->texcoord || con->textureType[texture] == mjTEXTURE_2D) {
    gl->BindTexture(GL_TEXTURE_2D, con->texture[texture]);
    gl->Enable(GL_TEXTURE_2D);
    if (!geom->texcoord) project_flat(gl, con, geom);
  } else {
    gl->BindTexture(GL_TEXTURE_CUBE_MAP, con->texture[texture]);
    gl->Enable(GL_TEXTURE_CUBE_MAP);
    project_cube(gl, con, geom);
  }
  return true;
}

void ct_untexture(const ct_GL* gl) {
  gl->Disable(GL_TEXTURE_GEN_S);
  gl->Disable(GL_TEXTURE_GEN_T);
  gl->Disable(GL_TEXTURE_GEN_R);
  gl->Disable(GL_TEXTURE_2D);
  gl->Disable(GL_TEXTURE_CUBE_MAP);
}

bool ct_texture_sky(const ct_GL* gl, const mjrContext* con) {
  int texture = con->mat_texid[(mjMAXMATERIAL - 1) * mjNTEXROLE + mjTEXROLE_RGB];
  if (texture < 0 || texture >= con->ntexture) return false;
  const float s[4] = {1, 0, 0, 0}, t[4] = {0, 0, 1, 0}, r[4] = {0, -1, 0, 0};
  gl->BindTexture(GL_TEXTURE_CUBE_MAP, con->texture[texture]);
  gl->Enable(GL_TEXTURE_CUBE_MAP);
  generate(gl, GL_S, GL_TEXTURE_GEN_S, s);
  generate(gl, GL_T, GL_TEXTURE_GEN_T, t);
  generate(gl, GL_R, GL_TEXTURE_GEN_R, r);
  return true;
}
