// Characters are drawn with a pen along their strokes (characters.h) into bitmaps, when a context
// is made.

#include "render/fonts.h"

#include <math.h>
#include <string.h>

#include "render/characters.h"

enum { FIRST = CT_FIRST_CHARACTER, END = CT_END_OF_CHARACTERS, MOST_PIXELS = 128 };

// A bitmap with the lowest row first, rows of whole bytes. Its character begins `edge` pixels from
// the left and from below, so that an outline has room.
typedef struct Bitmap_ {
  int width, height, row;  // row: bytes
  int edge;
  float pen;  // half of a stroke's width
  unsigned char bits[MOST_PIXELS * MOST_PIXELS / 8];
} Bitmap;

// Distance of a pixel from a stroke's piece.
static float distance_to(float x, float y, const float a[2], const float b[2]) {
  float dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  float t = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypotf(x - a[0] - t * dx, y - a[1] - t * dy);
}

static void draw_line(void* user, const float a[2], const float b[2]) {
  Bitmap* map = (Bitmap*)user;
  for (int y = 0; y < map->height; y++) {
    for (int x = 0; x < map->width; x++) {
      float px = (float)(x - map->edge) + 0.5f, py = (float)(y - map->edge) + 0.5f;
      if (distance_to(px, py, a, b) > map->pen) continue;
      map->bits[y * map->row + x / 8] |= (unsigned char)(128 >> x % 8);
    }
  }
}

// Outlines, which are drawn beneath, are two pixels wide.
static unsigned make_font(const ct_GL* gl, int scale, bool outline, int width[END]) {
  unsigned base = gl->GenLists(128);
  int height = ct_line_height(scale);
  for (int code = FIRST; code < END; code++) {
    Bitmap map;
    memset(&map, 0, sizeof(map));
    width[code] = ct_character_width(scale, code);
    map.edge = outline ? 2 : 0;
    map.width = width[code] + 2 * map.edge;
    map.height = height + 2 * map.edge;
    map.row = (map.width + 7) / 8;
    map.pen = 0.75f + fmaxf(0, (float)height - 18) / 30 + (float)map.edge;
    float margin = fminf((float)height / 18, (float)width[code] / 10);
    ct_draw_character(code, (float)width[code], (float)height, margin, draw_line, &map);
    gl->NewList(base + (unsigned)code, GL_COMPILE);
    gl->Bitmap(map.width, map.height, (float)map.edge, (float)map.edge, (float)width[code], 0,
               map.bits);
    gl->EndList();
  }
  return base;
}

void ct_make_fonts(const ct_GL* gl, mjrContext* con) {
  int normal = con->fontScale, big = 2 * con->fontScale;
  con->rangeFont = 128;
  con->charHeight = ct_line_height(normal);
  con->charHeightBig = ct_line_height(big);
  con->baseFontNormal = make_font(gl, normal, false, con->charWidth);
  con->baseFontShadow = make_font(gl, normal, true, con->charWidth);
  con->baseFontBig = make_font(gl, big, false, con->charWidthBig);
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  const ct_GL* gl = con->glInitialized ? ct_loaded_gl() : NULL;
  if (fontscale > 300 || !ct_has_scale(fontscale)) {
    mju_error("mjr_changeFont: scale %d is not one of 50, 100, 150, 200, 250, 300", fontscale);
    return;
  }
  if (!gl) return;
  const unsigned bases[3] = {con->baseFontNormal, con->baseFontShadow, con->baseFontBig};
  for (int i = 0; i < 3; i++) {
    if (bases[i]) gl->DeleteLists(bases[i], con->rangeFont);
  }
  con->fontScale = fontscale;
  ct_make_fonts(gl, con);
}

int ct_text_height(const mjrContext* con, int font) {
  return font == mjFONT_BIG ? con->charHeightBig : con->charHeight;
}

int ct_text_width(const mjrContext* con, int font, const char* text) {
  const int* width = font == mjFONT_BIG ? con->charWidthBig : con->charWidth;
  int sum = 0;
  for (; *text && *text != '\n'; text++) {
    unsigned char code = (unsigned char)*text;
    if (code < END) sum += width[code];
  }
  return sum;
}

void ct_write(const ct_GL* gl, const mjrContext* con, int font, const char* text, int n) {
  unsigned base = font == mjFONT_BIG      ? con->baseFontBig
                  : font == mjFONT_SHADOW ? con->baseFontShadow
                                          : con->baseFontNormal;
  gl->ListBase(base);
  for (int i = 0; i < n; i++) {
    unsigned char code = (unsigned char)text[i];
    if (code < 128) gl->CallLists(1, GL_UNSIGNED_BYTE, &code);
  }
  gl->ListBase(0);
}

// The colour of a bitmap is that of the raster position.
void ct_write_at(const ct_GL* gl, const mjrContext* con, const float pos[3], const char* text) {
  int n = (int)strlen(text);
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  gl->Color4f(0, 0, 0, 1);
  gl->RasterPos3f(pos[0], pos[1], pos[2]);
  ct_write(gl, con, mjFONT_SHADOW, text, n);
  gl->Color4f(1, 1, 1, 1);
  gl->RasterPos3f(pos[0], pos[1], pos[2]);
  ct_write(gl, con, mjFONT_NORMAL, text, n);
  gl->Disable(GL_BLEND);
}
