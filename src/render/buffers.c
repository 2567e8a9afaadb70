// Where pictures go, and how they come back: framebuffers, reading, copying, drawing pixels.

#include "render/buffers.h"

#include <string.h>

// The functions below need a context that has been made.
static const ct_GL* gl_of(const mjrContext* con) {
  return con->glInitialized ? ct_loaded_gl() : NULL;
}

// Making

static unsigned make_storage(const ct_GL* gl, unsigned format, int samples, int width, int height) {
  unsigned buffer = 0;
  gl->GenRenderbuffers(1, &buffer);
  gl->BindRenderbuffer(GL_RENDERBUFFER, buffer);
  if (samples) {
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  } else {
    gl->RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  }
  return buffer;
}

// A framebuffer with colour, and with depth and stencil unless depth is NULL.
static void make_target(const ct_GL* gl, const char* function, unsigned* target, unsigned* color,
                        unsigned* depth, int samples, int width, int height) {
  gl->GenFramebuffers(1, target);
  gl->BindFramebuffer(GL_FRAMEBUFFER, *target);
  *color = make_storage(gl, GL_RGBA8, samples, width, height);
  gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *color);
  if (depth) {
    unsigned format = gl->float_depth ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8;
    *depth = make_storage(gl, format, samples, width, height);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                *depth);
  }
  unsigned state = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
  if (state != GL_FRAMEBUFFER_COMPLETE) {
    mju_error("%s: a framebuffer of %d x %d with %d samples is not complete (0x%x)", function,
              width, height, samples, state);
  }
}

static int allowed_samples(const ct_GL* gl, int wanted) {
  int most = 0;
  gl->GetIntegerv(GL_MAX_SAMPLES, &most);
  return wanted < most ? wanted : most;
}

void ct_make_offscreen(const ct_GL* gl, mjrContext* con) {
  int width = con->offWidth, height = con->offHeight;
  if (width < 1 || height < 1) return;
  con->offSamples = allowed_samples(gl, con->offSamples);
  make_target(gl, "mjr_makeContext", &con->offFBO, &con->offColor, &con->offDepthStencil,
              con->offSamples, width, height);
  if (!con->offSamples) return;
  gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &con->offSamples);
  make_target(gl, "mjr_makeContext", &con->offFBO_r, &con->offColor_r, &con->offDepthStencil_r, 0,
              width, height);
}

void ct_make_shadow_map(const ct_GL* gl, mjrContext* con) {
  const float lit[4] = {1, 1, 1, 1};
  int size = con->shadowSize;
  if (size < 1) return;
  gl->GenTextures(1, &con->shadowTex);
  gl->BindTexture(GL_TEXTURE_2D, con->shadowTex);
  gl->TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  gl->TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  gl->TexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, GL_INTENSITY);
  gl->BindTexture(GL_TEXTURE_2D, 0);
  gl->GenFramebuffers(1, &con->shadowFBO);
  gl->BindFramebuffer(GL_FRAMEBUFFER, con->shadowFBO);
  gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, con->shadowTex, 0);
  gl->DrawBuffer(GL_NONE);
  gl->ReadBuffer(GL_NONE);
}

static void free_offscreen(const ct_GL* gl, mjrContext* con) {
  const unsigned targets[2] = {con->offFBO, con->offFBO_r};
  const unsigned storage[4] = {con->offColor, con->offColor_r, con->offDepthStencil,
                               con->offDepthStencil_r};
  gl->DeleteFramebuffers(2, targets);
  gl->DeleteRenderbuffers(4, storage);
  con->offFBO = con->offFBO_r = con->offColor = con->offColor_r = 0;
  con->offDepthStencil = con->offDepthStencil_r = 0;
}

static void free_aux(const ct_GL* gl, mjrContext* con, int i) {
  const unsigned targets[2] = {con->auxFBO[i], con->auxFBO_r[i]};
  const unsigned storage[2] = {con->auxColor[i], con->auxColor_r[i]};
  gl->DeleteFramebuffers(2, targets);
  gl->DeleteRenderbuffers(2, storage);
  con->auxFBO[i] = con->auxFBO_r[i] = con->auxColor[i] = con->auxColor_r[i] = 0;
  con->auxWidth[i] = con->auxHeight[i] = con->auxSamples[i] = 0;
}

void ct_free_buffers(const ct_GL* gl, mjrContext* con) {
  free_offscreen(gl, con);
  for (int i = 0; i < mjNAUX; i++) free_aux(gl, con, i);
  if (con->shadowFBO) gl->DeleteFramebuffers(1, &con->shadowFBO);
  if (con->shadowTex) gl->DeleteTextures(1, &con->shadowTex);
}

void mjr_resizeOffscreen(int width, int height, mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (!gl || (width == con->offWidth && height == con->offHeight)) return;
  free_offscreen(gl, con);
  con->offWidth = width;
  con->offHeight = height;
  ct_make_offscreen(gl, con);
  mjr_restoreBuffer(con);
}

void mjr_addAux(int index, int width, int height, int samples, mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (index < 0 || index >= mjNAUX) {
    mju_error("mjr_addAux: buffer %d does not exist, there are %d", index, mjNAUX);
    return;
  }
  if (!gl) return;
  free_aux(gl, con, index);
  if (width < 1 || height < 1) return;
  int most = 0;
  gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width > most || height > most) {
    mju_error("mjr_addAux: %d x %d pixels, but the driver has at most %d", width, height, most);
    return;
  }
  con->auxWidth[index] = width;
  con->auxHeight[index] = height;
  con->auxSamples[index] = allowed_samples(gl, samples);
  make_target(gl, "mjr_addAux", con->auxFBO + index, con->auxColor + index, NULL,
              con->auxSamples[index], width, height);
  gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, con->auxSamples + index);
  make_target(gl, "mjr_addAux", con->auxFBO_r + index, con->auxColor_r + index, NULL, 0, width,
              height);
  mjr_restoreBuffer(con);
}

// Choosing

void mjr_restoreBuffer(const mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (!gl) return;
  bool window = con->currentBuffer == mjFB_WINDOW;
  unsigned buffer = !window ? GL_COLOR_ATTACHMENT0 : con->windowDoublebuffer ? GL_BACK : GL_FRONT;
  gl->BindFramebuffer(GL_FRAMEBUFFER, window ? 0 : con->offFBO);
  if (window && !con->windowAvailable) return;
  gl->DrawBuffer(buffer);
  gl->ReadBuffer(buffer);
}

void mjr_setBuffer(int framebuffer, mjrContext* con) {
  if (!con->windowAvailable && !con->offFBO) {
    mju_error("mjr_setBuffer: there is neither a window nor an offscreen buffer");
    return;
  }
  bool offscreen = framebuffer == mjFB_OFFSCREEN ? con->offFBO != 0 : !con->windowAvailable;
  con->currentBuffer = offscreen ? mjFB_OFFSCREEN : mjFB_WINDOW;
  mjr_restoreBuffer(con);
}

void mjr_setAux(int index, const mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (index < 0 || index >= mjNAUX || !con->auxFBO[index]) {
    mju_error("mjr_setAux: buffer %d does not exist; call mjr_addAux first", index);
    return;
  }
  if (!gl) return;
  gl->BindFramebuffer(GL_FRAMEBUFFER, con->auxFBO[index]);
  gl->DrawBuffer(GL_COLOR_ATTACHMENT0);
  gl->ReadBuffer(GL_COLOR_ATTACHMENT0);
}

mjrRect mjr_maxViewport(const mjrContext* con) {
  mjrRect all = {0, 0, con->offWidth, con->offHeight};
  const ct_GL* gl = gl_of(con);
  if (con->currentBuffer == mjFB_WINDOW && gl) {
    int box[4] = {0, 0, 0, 0};
    gl->GetIntegerv(GL_SCISSOR_BOX, box);
    all.width = box[2];
    all.height = box[3];
  }
  return all;
}

// Reading and copying

static void blit(const ct_GL* gl, unsigned from, unsigned to, mjrRect src, mjrRect dst,
                 unsigned what, unsigned filter) {
  gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from);
  gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  gl->BlitFramebuffer(src.left, src.bottom, src.left + src.width, src.bottom + src.height, dst.left,
                      dst.bottom, dst.left + dst.width, dst.bottom + dst.height, what, filter);
}

// Depths are kept with 1 near and 0 far, which is finer where floats are coarse.
static void turn_depth(float* depth, int n) {
  for (int i = 0; i < n; i++) depth[i] = 1 - depth[i];
}

void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext* con) {
  static bool warned;
  const ct_GL* gl = gl_of(con);
  if (!gl || viewport.width < 1 || viewport.height < 1) return;
  bool offscreen = con->currentBuffer == mjFB_OFFSCREEN;
  if (offscreen && con->offSamples) {
    unsigned what = (rgb ? GL_COLOR_BUFFER_BIT : 0u) | (depth ? GL_DEPTH_BUFFER_BIT : 0u);
    blit(gl, con->offFBO, con->offFBO_r, viewport, viewport, what, GL_NEAREST);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, con->offFBO_r);
    gl->ReadBuffer(GL_COLOR_ATTACHMENT0);
  }
  if (rgb) {
    unsigned format = offscreen ? (unsigned)con->readPixelFormat : (unsigned)GL_RGB;
    gl->ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height, format,
                   GL_UNSIGNED_BYTE, rgb);
  }
  if (depth) {
    gl->ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height,
                   GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    if (con->readDepthMap == mjDEPTH_ZERONEAR) {
      turn_depth(depth, viewport.width * viewport.height);
    } else if (!warned && (!gl->ClipControl || !gl->float_depth)) {
      warned = true;
      mju_warning("mjr_readPixels: mjDEPTH_ZEROFAR is not finer with this OpenGL driver");
    }
  }
  mjr_restoreBuffer(con);
}

void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport,
                    const mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (!gl || viewport.width < 1 || viewport.height < 1) return;
  gl->Viewport(viewport.left, viewport.bottom, viewport.width, viewport.height);
  gl->MatrixMode(GL_PROJECTION);
  gl->LoadIdentity();
  gl->MatrixMode(GL_MODELVIEW);
  gl->LoadIdentity();
  gl->Disable(GL_LIGHTING);
  gl->Disable(GL_BLEND);
  gl->Disable(GL_TEXTURE_2D);
  gl->Disable(GL_TEXTURE_CUBE_MAP);
  gl->PixelZoom(1, 1);
  gl->RasterPos3f(-1, -1, gl->ClipControl ? 0.0f : -1.0f);  // far
  if (rgb) {
    gl->DrawPixels(viewport.width, viewport.height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  }
  if (depth) {
    gl->DrawPixels(viewport.width, viewport.height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
  }
}

void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth, const mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (!gl || !con->windowAvailable || !con->offFBO || (!flg_color && !flg_depth)) return;
  bool offscreen = con->currentBuffer == mjFB_OFFSCREEN;
  bool same = src.width == dst.width && src.height == dst.height;
  unsigned from = offscreen ? con->offFBO : 0, to = offscreen ? 0 : con->offFBO;
  unsigned what = (flg_color ? GL_COLOR_BUFFER_BIT : 0u) | (flg_depth ? GL_DEPTH_BUFFER_BIT : 0u);
  if (offscreen && con->offSamples) {
    // samples are averaged first: a picture with samples cannot be scaled
    blit(gl, con->offFBO, con->offFBO_r, src, src, what, GL_NEAREST);
    from = con->offFBO_r;
  }
  blit(gl, from, to, src, dst, what, same || flg_depth ? GL_NEAREST : GL_LINEAR);
  mjr_restoreBuffer(con);
}

void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con) {
  const ct_GL* gl = gl_of(con);
  if (index < 0 || index >= mjNAUX || !con->auxFBO[index]) {
    mju_error("mjr_blitAux: buffer %d does not exist; call mjr_addAux first", index);
    return;
  }
  if (!gl || src.width < 1 || src.height < 1) return;
  mjrRect dst = {left, bottom, src.width, src.height};
  unsigned to = con->currentBuffer == mjFB_OFFSCREEN ? con->offFBO : 0;
  blit(gl, con->auxFBO[index], con->auxFBO_r[index], src, src, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  blit(gl, con->auxFBO_r[index], to, src, dst, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  mjr_restoreBuffer(con);
}

// Small things

void mjr_finish(void) {
  const ct_GL* gl = ct_loaded_gl();
  if (gl) gl->Finish();
}

int mjr_getError(void) {
  const ct_GL* gl = ct_loaded_gl();
  return gl ? (int)gl->GetError() : 0;
}

int mjr_findRect(int x, int y, int nrect, const mjrRect* rect) {
  for (int i = 0; i < nrect; i++) {
    const mjrRect* r = rect + i;
    if (x >= r->left && x < r->left + r->width && y >= r->bottom && y < r->bottom + r->height) {
      return i;
    }
  }
  return -1;
}
