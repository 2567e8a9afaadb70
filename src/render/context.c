// A rendering context: what is made once per model and kept on the graphics card.

#include <string.h>

#include "render/buffers.h"
#include "render/fonts.h"
#include "render/gl.h"
#include "render/shape_lists.h"
#include "render/texture_units.h"

// Skins

static void make_skins(const ct_GL* gl, const mjModel* m, mjrContext* con) {
  con->nskin = (int)m->nskin;
  if (!con->nskin) return;
  unsigned** const buffers[4] = {&con->skinvertVBO, &con->skinnormalVBO, &con->skintexcoordVBO,
                                 &con->skinfaceVBO};
  for (int k = 0; k < 4; k++) {
    *buffers[k] = (unsigned*)mju_malloc((size_t)con->nskin * sizeof(unsigned));
    if (!*buffers[k]) return;
    memset(*buffers[k], 0, (size_t)con->nskin * sizeof(unsigned));
    gl->GenBuffers(con->nskin, *buffers[k]);
  }
  for (int i = 0; i < con->nskin; i++) {
    long corners = 3L * m->skin_facenum[i], vertices = m->skin_vertnum[i];
    gl->BindBuffer(GL_ARRAY_BUFFER, con->skinfaceVBO[i]);
    gl->BufferData(GL_ARRAY_BUFFER, corners * (long)sizeof(int),
                   m->skin_face + 3 * m->skin_faceadr[i], GL_STATIC_DRAW);
    if (m->skin_texcoordadr[i] < 0) continue;
    gl->BindBuffer(GL_ARRAY_BUFFER, con->skintexcoordVBO[i]);
    gl->BufferData(GL_ARRAY_BUFFER, 2 * vertices * (long)sizeof(float),
                   m->skin_texcoord + 2 * m->skin_texcoordadr[i], GL_STATIC_DRAW);
  }
  gl->BindBuffer(GL_ARRAY_BUFFER, 0);
}

static void free_skins(const ct_GL* gl, mjrContext* con) {
  unsigned* const buffers[4] = {con->skinvertVBO, con->skinnormalVBO, con->skintexcoordVBO,
                                con->skinfaceVBO};
  for (int k = 0; k < 4; k++) {
    if (!buffers[k]) continue;
    gl->DeleteBuffers(con->nskin, buffers[k]);
    mju_free(buffers[k]);
  }
}

// Materials

// A skybox is drawn like a material of its own: the last one.
static bool copy_materials(const mjModel* m, mjrContext* con) {
  int sky = -1;
  for (int i = 0; i < m->ntex && sky < 0; i++) {
    if (m->tex_type[i] == mjTEXTURE_SKYBOX) sky = i;
  }
  if (m->nmat > mjMAXMATERIAL - 2 - (sky >= 0)) {
    mju_error("mjr_makeContext: %d materials, but there is room for %d", (int)m->nmat,
              mjMAXMATERIAL - 2 - (sky >= 0));
    return false;
  }
  for (int i = 0; i < mjMAXMATERIAL * mjNTEXROLE; i++) con->mat_texid[i] = -1;
  for (int i = 0; i < m->nmat; i++) {
    if (m->mat_texid[i * mjNTEXROLE + mjTEXROLE_RGB] < 0) continue;
    memcpy(con->mat_texid + i * mjNTEXROLE, m->mat_texid + i * mjNTEXROLE,
           mjNTEXROLE * sizeof(int));
    con->mat_texuniform[i] = m->mat_texuniform[i];
    con->mat_texrepeat[2 * i] = m->mat_texrepeat[2 * i];
    con->mat_texrepeat[2 * i + 1] = m->mat_texrepeat[2 * i + 1];
  }
  con->mat_texid[(mjMAXMATERIAL - 1) * mjNTEXROLE + mjTEXROLE_RGB] = sky;
  return true;
}

static void copy_settings(const mjModel* m, mjrContext* con) {
  const mjVisual* vis = &m->vis;
  con->lineWidth = vis->global.linewidth;
  con->shadowClip = (float)m->stat.extent * vis->map.shadowclip;
  con->shadowScale = vis->map.shadowscale;
  con->fogStart = (float)m->stat.extent * vis->map.fogstart;
  con->fogEnd = (float)m->stat.extent * vis->map.fogend;
  memcpy(con->fogRGBA, vis->rgba.fog, sizeof(con->fogRGBA));
  con->shadowSize = vis->quality.shadowsize;
  con->offWidth = vis->global.offwidth;
  con->offHeight = vis->global.offheight;
  con->offSamples = vis->quality.offsamples;
}

static void make_shapes(const ct_GL* gl, const mjModel* m, mjrContext* con) {
  ct_make_builtins(gl, m, con);
  ct_make_planes(gl, m, con);
  con->rangeMesh = 2 * (int)m->nmesh;
  con->rangeHField = (int)m->nhfield;
  if (con->rangeMesh) con->baseMesh = gl->GenLists(con->rangeMesh);
  if (con->rangeHField) con->baseHField = gl->GenLists(con->rangeHField);
  for (int i = 0; i < m->nmesh; i++) ct_make_mesh(gl, m, con, i);
  for (int i = 0; i < m->nhfield; i++) ct_make_height_field(gl, m, con, i);
}

// Is there a window, and of what kind?
static bool look_at_window(const ct_GL* gl, mjrContext* con) {
  gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
  unsigned state = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
  if (state != GL_FRAMEBUFFER_COMPLETE && state != GL_FRAMEBUFFER_UNDEFINED) {
    mju_error("mjr_makeContext: the window's framebuffer is not complete (0x%x)", state);
    return false;
  }
  con->windowAvailable = state == GL_FRAMEBUFFER_COMPLETE;
  if (con->windowAvailable) {
    unsigned char flag = 0;
    int buffers = 0;
    gl->GetBooleanv(GL_STEREO, &flag);
    con->windowStereo = flag;
    gl->GetBooleanv(GL_DOUBLEBUFFER, &flag);
    con->windowDoublebuffer = flag;
    gl->GetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
    if (buffers) gl->GetIntegerv(GL_SAMPLES, &con->windowSamples);
  }
  return true;
}

static int allowed_font_scale(int wanted) {
  int rounded = 50 * ((wanted + 25) / 50);
  return rounded < 100 ? 100 : rounded > 300 ? 300 : rounded;
}

void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale) {
  const ct_GL* gl = ct_load_gl();
  if (!gl) return;
  if (!con->glInitialized) {
    if (!look_at_window(gl, con)) return;
    con->glInitialized = 1;
  }
  gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  mjr_freeContext(con);
  con->fontScale = allowed_font_scale(fontscale);
  if (!m) {
    con->offWidth = 800;
    con->offHeight = 600;
    ct_make_offscreen(gl, con);
    ct_make_fonts(gl, con);
    mjr_setBuffer(mjFB_WINDOW, con);
    return;
  }
  copy_settings(m, con);
  if (!copy_materials(m, con)) return;
  ct_make_offscreen(gl, con);
  ct_make_shadow_map(gl, con);
  ct_make_textures(gl, m, con);
  make_shapes(gl, m, con);
  make_skins(gl, m, con);
  ct_make_fonts(gl, con);
  mjr_setBuffer(mjFB_WINDOW, con);
  con->readPixelFormat = GL_RGB;
  con->readDepthMap = mjDEPTH_ZERONEAR;
  unsigned error = gl->GetError();
  if (error != GL_NO_ERROR) mju_warning("mjr_makeContext: OpenGL error 0x%x", error);
}

// The OpenGL context may be gone by now; then these calls do nothing.
void mjr_freeContext(mjrContext* con) {
  const ct_GL* gl = ct_loaded_gl();
  if (con->glInitialized && gl) {
    ct_free_buffers(gl, con);
    gl->DeleteTextures(con->ntexture, con->texture);
    const unsigned base[] = {con->basePlane,   con->baseMesh,       con->baseHField,
                             con->baseBuiltin, con->baseFontNormal, con->baseFontShadow,
                             con->baseFontBig};
    const int range[] = {con->rangePlane, con->rangeMesh, con->rangeHField, con->rangeBuiltin,
                         con->rangeFont,  con->rangeFont, con->rangeFont};
    for (int i = 0; i < 7; i++) {
      if (base[i]) gl->DeleteLists(base[i], range[i]);
    }
    free_skins(gl, con);
  }
  mjrContext kept;
  memset(&kept, 0, sizeof(kept));
  kept.glInitialized = con->glInitialized;
  kept.windowAvailable = con->windowAvailable;
  kept.windowSamples = con->windowSamples;
  kept.windowStereo = con->windowStereo;
  kept.windowDoublebuffer = con->windowDoublebuffer;
  *con = kept;
}

// Uploads

void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid) {
  if (meshid < 0 || meshid >= m->nmesh) {
    mju_error("mjr_uploadMesh: mesh %d does not exist, there are %d", meshid, (int)m->nmesh);
    return;
  }
  const ct_GL* gl = ct_loaded_gl();
  if (gl && con->baseMesh) ct_make_mesh(gl, m, con, meshid);
}

void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid) {
  if (hfieldid < 0 || hfieldid >= m->nhfield) {
    mju_error("mjr_uploadHField: height field %d does not exist, there are %d", hfieldid,
              (int)m->nhfield);
    return;
  }
  const ct_GL* gl = ct_loaded_gl();
  if (gl && con->baseHField) ct_make_height_field(gl, m, con, hfieldid);
}

void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid) {
  if (texid < 0 || texid >= m->ntex) {
    mju_error("mjr_uploadTexture: texture %d does not exist, there are %d", texid, (int)m->ntex);
    return;
  }
  const ct_GL* gl = ct_loaded_gl();
  if (gl && texid < con->ntexture) ct_fill_texture(gl, m, con, texid);
}
