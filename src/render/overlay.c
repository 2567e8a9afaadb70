// Texts and rectangles on top of a picture.

#include <string.h>

#include "render/flat.h"
#include "render/fonts.h"

// Flat drawing

static void prepare_flat(const ct_GL* gl) {
  gl->Disable(GL_DEPTH_TEST);
  gl->Disable(GL_LIGHTING);
  gl->Disable(GL_CULL_FACE);
  gl->Disable(GL_FOG);
  gl->Disable(GL_TEXTURE_2D);
  gl->Disable(GL_TEXTURE_CUBE_MAP);
  gl->Disable(GL_STENCIL_TEST);
  gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void set_flat_matrices(const ct_GL* gl, double width, double height) {
  gl->MatrixMode(GL_PROJECTION);
  gl->LoadIdentity();
  gl->Ortho(0, width, 0, height, -1, 1);
  gl->MatrixMode(GL_MODELVIEW);
  gl->LoadIdentity();
}

const ct_GL* ct_begin_flat(mjrRect viewport) {
  const ct_GL* gl = ct_loaded_gl();
  if (!gl || viewport.width < 1 || viewport.height < 1) return NULL;
  gl->Viewport(viewport.left, viewport.bottom, viewport.width, viewport.height);
  prepare_flat(gl);
  set_flat_matrices(gl, viewport.width, viewport.height);
  return gl;
}

void ct_fill_rectangle(const ct_GL* gl, float x, float y, float width, float height,
                       const float rgba[4]) {
  gl->Color4fv(rgba);
  gl->Begin(GL_QUADS);
  gl->Vertex2f(x, y);
  gl->Vertex2f(x + width, y);
  gl->Vertex2f(x + width, y + height);
  gl->Vertex2f(x, y + height);
  gl->End();
}

// Bitmaps whose lower left corner is outside would not be drawn at all, so the raster position is
// set inside and moved by an empty bitmap.
static void place_raster(const ct_GL* gl, float x, float y) {
  gl->RasterPos3f(0, 0, 0);
  gl->Bitmap(0, 0, 0, 0, x, y, NULL);
}

void ct_write_line(const ct_GL* gl, const mjrContext* con, int font, const char* text, int n,
                   float x, float y, const float rgb[3]) {
  if (font == mjFONT_SHADOW) {
    gl->Color4f(0, 0, 0, 1);
    place_raster(gl, x, y);
    ct_write(gl, con, mjFONT_SHADOW, text, n);
  }
  gl->Color4f(rgb[0], rgb[1], rgb[2], 1);
  place_raster(gl, x, y);
  ct_write(gl, con, font == mjFONT_BIG ? mjFONT_BIG : mjFONT_NORMAL, text, n);
}

// Public

void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a) {
  const ct_GL* gl = ct_begin_flat(viewport);
  const float rgba[4] = {r, g, b, a};
  if (gl) ct_fill_rectangle(gl, 0, 0, (float)viewport.width, (float)viewport.height, rgba);
}

// In the viewport of OpenGL, whatever that is now.
void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r, float g,
              float b) {
  const ct_GL* gl = con->glInitialized ? ct_loaded_gl() : NULL;
  const float rgb[3] = {r, g, b};
  int viewport[4] = {0, 0, 0, 0};
  if (!gl) return;
  gl->GetIntegerv(GL_VIEWPORT, viewport);
  if (viewport[2] < 1 || viewport[3] < 1) return;
  prepare_flat(gl);
  set_flat_matrices(gl, viewport[2], viewport[3]);
  ct_write_line(gl, con, font, txt, (int)strlen(txt), x * (float)viewport[2],
                y * (float)viewport[3], rgb);
}

void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b, float a,
               float rt, float gt, float bt, const mjrContext* con) {
  mjr_rectangle(viewport, r, g, b, a);
  const ct_GL* gl = con->glInitialized ? ct_begin_flat(viewport) : NULL;
  if (!gl || !txt) return;
  const float rgb[3] = {rt, gt, bt};
  int x = (viewport.width - ct_text_width(con, font, txt)) / 2;
  int y = (viewport.height - ct_text_height(con, font)) / 2;
  ct_write_line(gl, con, font, txt, (int)strlen(txt), (float)(x > 0 ? x : 0), (float)y, rgb);
}

// Overlays

// A text cut to what an overlay may have, and the size of its box.
typedef struct Column_ {
  char text[mjMAXOVERLAY];
  int width, height;
} Column;

static void make_column(Column* column, const mjrContext* con, int font, const char* text) {
  int widest = 0, lines = 0;
  strncpy(column->text, text, sizeof(column->text) - 1);
  column->text[sizeof(column->text) - 1] = 0;
  for (const char* at = column->text; at; lines++) {
    int width = ct_text_width(con, font, at);
    widest = width > widest ? width : widest;
    at = strchr(at, '\n');
    if (at) at++;
  }
  column->width = 13 + widest;
  column->height = 5 + lines * ct_text_height(con, font) + 5 * (lines - 1);
}

static void draw_column(const ct_GL* gl, const mjrContext* con, int font, const Column* column,
                        int x, int y, float grey) {
  const float background[4] = {0, 0, 0, 0.5f}, rgb[3] = {grey, grey, grey};
  int height = ct_text_height(con, font), row = y + column->height - height - 2;
  ct_fill_rectangle(gl, (float)x, (float)y, (float)column->width, (float)column->height,
                    background);
  for (const char* at = column->text; at; row -= height + 5) {
    const char* end = strchr(at, '\n');
    int n = end ? (int)(end - at) : (int)strlen(at);
    ct_write_line(gl, con, font, at, n, (float)(x + 3), (float)row, rgb);
    at = end ? end + 1 : NULL;
  }
}

static int left_of(int gridpos, mjrRect v, int width) {
  switch (gridpos) {
    case mjGRID_TOPRIGHT:
    case mjGRID_BOTTOMRIGHT:
    case mjGRID_RIGHT:
      return v.width - 6 - width;
    case mjGRID_TOP:
    case mjGRID_BOTTOM:
      return (v.width - width) / 2 - 6;
    default:
      return 5;
  }
}

static int bottom_of(int gridpos, mjrRect v, int height) {
  switch (gridpos) {
    case mjGRID_TOPLEFT:
    case mjGRID_TOPRIGHT:
    case mjGRID_TOP:
      return v.height - 6 - height;
    case mjGRID_LEFT:
    case mjGRID_RIGHT:
      return (v.height - height) / 2 - 6;
    default:
      return 5;
  }
}

// Two columns stand side by side; on the left the first one is at the edge, elsewhere the second.
void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay, const char* overlay2,
                 const mjrContext* con) {
  const ct_GL* gl = con->glInitialized ? ct_begin_flat(viewport) : NULL;
  if (!gl || !overlay) return;
  Column first, second;
  bool two = overlay2 && overlay2[0];
  make_column(&first, con, font, overlay);
  make_column(&second, con, font, two ? overlay2 : "");
  int height = two && second.height > first.height ? second.height : first.height;
  if (two) first.height = second.height = height;
  int y = bottom_of(gridpos, viewport, height);
  bool left = gridpos == mjGRID_TOPLEFT || gridpos == mjGRID_BOTTOMLEFT || gridpos == mjGRID_LEFT;
  if (!two) {
    draw_column(gl, con, font, &first, left_of(gridpos, viewport, first.width), y, 1);
  } else if (left) {
    int x = left_of(gridpos, viewport, first.width);
    draw_column(gl, con, font, &first, x, y, 0.7f);
    draw_column(gl, con, font, &second, x + first.width - 2, y, 1);
  } else {
    int x = left_of(gridpos, viewport, second.width);
    draw_column(gl, con, font, &second, x, y, 1);
    draw_column(gl, con, font, &first, x - (first.width - 2), y, 0.7f);
  }
}
