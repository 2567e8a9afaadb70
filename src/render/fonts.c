// Characters are drawn with a pen along strokes (font_strokes.def) into bitmaps of the width that
// font_widths.def gives them, when a context is made.

#include "render/fonts.h"

#include <math.h>
#include <string.h>

enum { FIRST = 32, END = 127, MOST_PIXELS = 128 };

typedef struct Metrics_ {
  int scale, height;
  unsigned char width[END - FIRST];
} Metrics;

static const Metrics metrics[] = {
#include "render/font_widths.def"
};

static const char* const strokes[END - FIRST] = {
#include "render/font_strokes.def"
};

static const Metrics* metrics_of(int scale) {
  for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
    if (metrics[i].scale == scale) return metrics + i;
  }
  return NULL;
}

// A bitmap with the lowest row first, rows of whole bytes.
typedef struct Bitmap_ {
  int width, height, row;  // row: bytes
  unsigned char bits[MOST_PIXELS * MOST_PIXELS / 8];
} Bitmap;

// Distance of a pixel from a stroke's piece.
static float distance_to(float x, float y, const float a[2], const float b[2]) {
  float dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  float t = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypotf(x - a[0] - t * dx, y - a[1] - t * dy);
}

static void draw_line(Bitmap* map, const float a[2], const float b[2], float pen) {
  for (int y = 0; y < map->height; y++) {
    for (int x = 0; x < map->width; x++) {
      if (distance_to((float)x + 0.5f, (float)y + 0.5f, a, b) > pen) continue;
      map->bits[y * map->row + x / 8] |= (unsigned char)(128 >> x % 8);
    }
  }
}

// A line of text is 13 rows of the grid high: three below the baseline and one above the capitals.
static void draw_character(Bitmap* map, int code, float pen, float margin) {
  float unit = (float)map->height / 13.5f, across = ((float)map->width - 2 * margin - 1) / 8;
  const char* at = strokes[code - FIRST];
  float last[2] = {0, 0};
  bool begun = false;
  for (; *at; at++) {
    if (*at == ' ') continue;
    if (*at == ',') {
      begun = false;
      continue;
    }
    int column = at[0] - '0', row = at[1] >= 'a' ? 'a' - at[1] - 1 : at[1] - '0';
    const float point[2] = {margin + 0.5f + (float)column * across, ((float)row + 3.5f) * unit};
    draw_line(map, begun ? last : point, point, pen);
    memcpy(last, point, sizeof(last));
    begun = true;
    at++;
  }
}

static unsigned make_font(const ct_GL* gl, const Metrics* font, bool shadow, int width[END]) {
  unsigned base = gl->GenLists(128);
  for (int code = FIRST; code < END; code++) {
    Bitmap map;
    memset(&map, 0, sizeof(map));
    map.width = width[code] = font->width[code - FIRST];
    map.height = font->height;
    map.row = (map.width + 7) / 8;
    float pen = 0.5f + (float)font->height / 40;
    float margin = fminf((float)font->height / 18, (float)map.width / 10);
    draw_character(&map, code, shadow ? pen + 1 : pen, margin);
    gl->NewList(base + (unsigned)code, GL_COMPILE);
    gl->Bitmap(map.width, map.height, 0, 0, (float)map.width, 0, map.bits);
    gl->EndList();
  }
  return base;
}

void ct_make_fonts(const ct_GL* gl, mjrContext* con) {
  const Metrics *normal = metrics_of(con->fontScale), *big = metrics_of(2 * con->fontScale);
  con->rangeFont = 128;
  con->charHeight = normal->height;
  con->charHeightBig = big->height;
  con->baseFontNormal = make_font(gl, normal, false, con->charWidth);
  con->baseFontShadow = make_font(gl, normal, true, con->charWidth);
  con->baseFontBig = make_font(gl, big, false, con->charWidthBig);
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  const ct_GL* gl = con->glInitialized ? ct_loaded_gl() : NULL;
  if (fontscale > 300 || !metrics_of(fontscale)) {
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
  gl->Color4f(0, 0, 0, 0.5f);
  gl->RasterPos3f(pos[0], pos[1], pos[2]);
  ct_write(gl, con, mjFONT_SHADOW, text, n);
  gl->Color4f(1, 1, 1, 1);
  gl->RasterPos3f(pos[0], pos[1], pos[2]);
  ct_write(gl, con, mjFONT_NORMAL, text, n);
  gl->Disable(GL_BLEND);
}
