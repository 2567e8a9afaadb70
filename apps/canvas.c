// SVG is written as it is drawn. For PNG, lines are drawn with smooth edges: a pixel is covered by
// as much as its centre lies inside of the pen; pieces of one line cover it only once. Texts are
// lines, too: the strokes that the renderer's characters are made of.

#include "canvas.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "picture.h"
#include "render/characters.h"

// Characters have the proportions of one of the renderer's sizes, drawn smaller.
enum { FONT_SCALE = 300 };
static const double font_size = 0.31, text_pen = 1.15;

struct Canvas_ {
  const char* path;
  int width, height;
  FILE* svg;             // NULL: it becomes a PNG
  unsigned char* rgb;    // (height x width x 3), the lowest row first
  unsigned char* cover;  // (height x width), of the line that is being drawn
  int low[2], high[2];   // where it has covered something
};

int canvas_knows(const char* path) {
  return ends_with(path, ".svg") || ends_with(path, ".png");
}

static void open_svg(Canvas* c) {
  c->svg = fopen(c->path, "w");
  if (!c->svg) {
    failed("%s: cannot write: %s", c->path, strerror(errno));
    return;
  }
  fprintf(c->svg,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          c->width, c->height, c->width, c->height);
}

static void open_png(Canvas* c) {
  size_t pixels = (size_t)c->width * (size_t)c->height;
  c->rgb = (unsigned char*)malloc(3 * pixels);
  c->cover = (unsigned char*)calloc(1, pixels);
  if (c->rgb && c->cover) {
    memset(c->rgb, 255, 3 * pixels);
    return;
  }
  failed("there is no memory for a picture of %d x %d", c->width, c->height);
  free(c->rgb);
  c->rgb = NULL;
}

static void forget_cover(Canvas* c) {
  c->low[0] = c->width;
  c->low[1] = c->height;
  c->high[0] = c->high[1] = -1;
}

Canvas* canvas_open(const char* path, int width, int height) {
  Canvas* c = (Canvas*)calloc(1, sizeof(Canvas));
  if (!c) {
    failed("there is no memory for a picture of %d x %d", width, height);
    return NULL;
  }
  c->path = path;
  c->width = width;
  c->height = height;
  forget_cover(c);
  if (ends_with(path, ".png")) {
    open_png(c);
  } else {
    open_svg(c);
  }
  if (c->svg || c->rgb) return c;
  free(c->cover);
  free(c);
  return NULL;
}

// Pixels

static double distance_to(double x, double y, const double a[2], const double b[2]) {
  double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  double t = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
  t = fmin(1, fmax(0, t));
  return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

// The pixels of one row or column that a piece of a line can touch.
static void find_span(double a, double b, double reach, int size, int span[2]) {
  span[0] = (int)fmax(0, floor(fmin(a, b) - reach));
  span[1] = (int)fmin(size - 1, ceil(fmax(a, b) + reach));
}

static void cover_piece(Canvas* c, const double a[2], const double b[2], double width) {
  int x[2], y[2];
  find_span(a[0], b[0], width, c->width, x);
  find_span(a[1], b[1], width, c->height, y);
  for (int i = y[0]; i <= y[1]; i++) {
    for (int k = x[0]; k <= x[1]; k++) {
      double inside = width / 2 + 0.5 - distance_to(k + 0.5, i + 0.5, a, b);
      unsigned char* cover = c->cover + (size_t)i * (size_t)c->width + k;
      int level = (int)(255 * fmin(1, fmax(0, inside)) + 0.5);
      if (level > *cover) *cover = (unsigned char)level;
    }
  }
  c->low[0] = x[0] < c->low[0] ? x[0] : c->low[0];
  c->low[1] = y[0] < c->low[1] ? y[0] : c->low[1];
  c->high[0] = x[1] > c->high[0] ? x[1] : c->high[0];
  c->high[1] = y[1] > c->high[1] ? y[1] : c->high[1];
}

// Puts the colour where something is covered, and uncovers it.
static void paint_cover(Canvas* c, unsigned colour) {
  const int paint[3] = {(int)(colour >> 16 & 255), (int)(colour >> 8 & 255), (int)(colour & 255)};
  for (int y = c->low[1]; y <= c->high[1]; y++) {
    for (int x = c->low[0]; x <= c->high[0]; x++) {
      unsigned char* cover = c->cover + (size_t)y * (size_t)c->width + x;
      size_t below = (size_t)(c->height - 1 - y);
      unsigned char* p = c->rgb + 3 * (below * (size_t)c->width + (size_t)x);
      for (int k = 0; k < 3; k++) p[k] = (unsigned char)(p[k] + (paint[k] - p[k]) * *cover / 255);
      *cover = 0;
    }
  }
  forget_cover(c);
}

// Lines

static void write_svg_line(Canvas* c, const double* points, int count, double width,
                           unsigned colour) {
  fprintf(c->svg,
          "<path fill=\"none\" stroke-width=\"%g\" stroke-linejoin=\"round\" stroke=\"#%06x\" "
          "d=\"",
          width, colour);
  for (int i = 0; i < count; i++) {
    fprintf(c->svg, "%c%.1f %.1f", i ? 'L' : 'M', points[2 * i], points[2 * i + 1]);
  }
  fputs("\"/>\n", c->svg);
}

void canvas_line(Canvas* c, const double* points, int count, double width, unsigned colour) {
  if (c->svg) {
    write_svg_line(c, points, count, width, colour);
    return;
  }
  for (int i = 0; i + 1 < count || (i == 0 && count == 1); i++) {
    cover_piece(c, points + 2 * i, points + 2 * (count > 1 ? i + 1 : i), width);
  }
  paint_cover(c, colour);
}

// Texts

// What the strokes know of a text: its characters; those that they do not have become question
// marks, one each. Moves behind it.
static int next_character(const char** text) {
  int n = utf8_length((const unsigned char*)*text);
  int code = (unsigned char)**text;
  *text += n > 0 ? n : 1;
  return n == 1 && code >= CT_FIRST_CHARACTER && code < CT_END_OF_CHARACTERS ? code : '?';
}

// Bars of t and f need some room.
static double width_of(int code) {
  double width = font_size * ct_character_width(FONT_SCALE, code);
  return code == 't' || code == 'f' ? fmax(width, 6) : width;
}

double canvas_text_width(const char* text) {
  double width = 0;
  while (*text) width += width_of(next_character(&text));
  return width;
}

// Where a character is drawn.
typedef struct {
  Canvas* c;
  double left, baseline;
} Pen;

static void cover_stroke(void* user, const float from[2], const float to[2]) {
  const Pen* pen = (const Pen*)user;
  const double a[2] = {pen->left + (double)from[0], pen->baseline - (double)from[1]};
  const double b[2] = {pen->left + (double)to[0], pen->baseline - (double)to[1]};
  cover_piece(pen->c, a, b, text_pen);
}

static void draw_text(Canvas* c, double x, double y, unsigned colour, const char* text) {
  float height = (float)(font_size * ct_line_height(FONT_SCALE));
  Pen pen = {c, x, y + (double)(CT_BASELINE * height)};
  while (*text) {
    int code = next_character(&text);
    double width = width_of(code);
    ct_draw_character(code, (float)width, height, 0.5f, cover_stroke, &pen);
    pen.left += width;
  }
  paint_cover(c, colour);
}

// Control characters and bytes that are no UTF-8 would make the file unreadable.
static void write_svg_text(Canvas* c, double x, double y, CanvasAnchor anchor, unsigned colour,
                           const char* text) {
  static const char* const anchors[] = {"start", "middle", "end"};
  char shown[400];
  make_visible(shown, sizeof(shown), text);
  fprintf(c->svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#%06x\">", x, y,
          anchors[anchor], colour);
  for (const char* at = shown; *at; at++) {
    if (*at == '<') {
      fputs("&lt;", c->svg);
    } else if (*at == '&') {
      fputs("&amp;", c->svg);
    } else {
      fputc(*at, c->svg);
    }
  }
  fputs("</text>\n", c->svg);
}

void canvas_text(Canvas* c, double x, double y, CanvasAnchor anchor, unsigned colour,
                 const char* text) {
  if (c->svg) {
    write_svg_text(c, x, y, anchor, colour, text);
    return;
  }
  double width = canvas_text_width(text);
  if (anchor == CANVAS_MIDDLE) x -= width / 2;
  if (anchor == CANVAS_END) x -= width;
  draw_text(c, x, y, colour, text);
}

int canvas_close(Canvas* c) {
  int code;
  if (c->svg) {
    fputs("</svg>\n", c->svg);
    bool written = !ferror(c->svg);
    if (fclose(c->svg) != 0) written = false;
    code = written ? EXIT_FINE : failed("%s: cannot write all of it", c->path);
  } else {
    code = picture_write_rgb(c->path, c->width, c->height, c->rgb);
  }
  free(c->rgb);
  free(c->cover);
  free(c);
  return code;
}
