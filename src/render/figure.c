// Figures: lines over two axes, with title, grid, numbers and legend.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/flat.h"
#include "render/fonts.h"

// The part of the figure that is left, in pixels of its viewport.
typedef struct Area_ {
  int left, bottom, width, height;
} Area;

typedef struct Figure_ {
  const ct_GL* gl;
  const mjrContext* con;
  mjvFigure* fig;
  Area area;
  float range[2][2];  // x, y: from, to
  int pad;
} Figure;

// Ranges

static bool is_finite(float x) {
  return x - x == 0;
}

static int points_of(const mjvFigure* fig, int line) {
  int n = fig->linepnt[line];
  return n < 0 ? 0 : n > mjMAXLINEPNT ? mjMAXLINEPNT : n;
}

// Takes in all points of all lines; the first one starts an automatic range.
static void widen_to_points(const mjvFigure* fig, int axis, bool begun, float range[2]) {
  for (int line = 0; line < mjMAXLINE; line++) {
    for (int i = 0; i < points_of(fig, line); i++) {
      float value = fig->linedata[line][2 * i + axis];
      if (!is_finite(value)) continue;
      if (!begun || value < range[0]) range[0] = value;
      if (!begun || value > range[1]) range[1] = value;
      begun = true;
    }
  }
}

static void round_range(float range[2], bool symmetric) {
  float power = powf(10, floorf(log10f(range[1] - range[0])));
  range[0] = floorf(range[0] / power) * power;
  range[1] = ceilf(range[1] / power) * power;
  if (symmetric) {
    float most = fmaxf(fabsf(range[0]), fabsf(range[1]));
    range[0] = -most;
    range[1] = most;
  }
}

static void find_ranges(Figure* f) {
  mjvFigure* fig = f->fig;
  for (int axis = 0; axis < 2; axis++) {
    float* range = f->range[axis];
    memcpy(range, fig->range[axis], 2 * sizeof(float));
    bool given = range[0] < range[1];
    if (!given || fig->flg_extend) widen_to_points(fig, axis, given, range);
    const float least = 1e-5f;
    if (range[1] - range[0] < least) {
      float middle = (range[0] + range[1]) / 2;
      range[0] = middle - least / 2;
      range[1] = middle + least / 2;
    }
    if (axis == 1) round_range(range, fig->flg_symmetric != 0);
  }
  memcpy(fig->xaxisdata, f->range[0], sizeof(fig->xaxisdata));
  memcpy(fig->yaxisdata, f->range[1], sizeof(fig->yaxisdata));
}

// Texts

static void write_text(const Figure* f, const char* text, int n, int x, int y, const float rgb[3]) {
  ct_write_line(f->gl, f->con, mjFONT_NORMAL, text, n, (float)x, (float)y, rgb);
}

// Characters of a part of the title with the spaces behind it, of which there are two or more.
static int part_length(const char* text) {
  const char* end = strstr(text, "  ");
  if (!end) return (int)strlen(text);
  while (*end == ' ') end++;
  return (int)(end - text);
}

static int width_of(const Figure* f, const char* text, int n) {
  int width = 0;
  for (int i = 0; i < n; i++) {
    unsigned char code = (unsigned char)text[i];
    if (code < 127) width += f->con->charWidth[code];
  }
  return width;
}

// From the beginning of the title to the middle of the part that is bright.
static int bright_middle(const Figure* f) {
  int before = 0, part = 0;
  for (const char* at = f->fig->title; *at; part++) {
    int n = part_length(at), shown = n;
    while (shown > 0 && at[shown - 1] == ' ') shown--;
    if (part == f->fig->subplot) return before + width_of(f, at, shown) / 2;
    before += width_of(f, at, n);
    at += n;
  }
  return before / 2;
}

// Parts of the title are separated by two or more spaces; that of this subplot is bright.
static void write_title(const Figure* f) {
  const mjvFigure* fig = f->fig;
  float dim[3];
  for (int i = 0; i < 3; i++) dim[i] = 0.4f * fig->textrgb[i] + 0.6f * fig->figurergba[i];
  int y = f->area.bottom + f->area.height - f->con->charHeight - f->pad, part = 0;
  int x = f->area.left + f->area.width / 2 - bright_middle(f);
  for (const char* at = fig->title; *at; part++) {
    int n = part_length(at);
    write_text(f, at, n, x, y, part == fig->subplot ? fig->textrgb : dim);
    x += width_of(f, at, n);
    at += n;
  }
}

static void write_titles(Figure* f) {
  const mjvFigure* fig = f->fig;
  int height = f->con->charHeight;
  if (fig->title[0]) {
    write_title(f);
    f->area.height -= height + f->pad;
  }
  if (fig->xlabel[0]) {
    int width = ct_text_width(f->con, mjFONT_NORMAL, fig->xlabel);
    write_text(f, fig->xlabel, (int)strlen(fig->xlabel), f->area.left + (f->area.width - width) / 2,
               f->area.bottom + f->pad, fig->textrgb);
    f->area.bottom += height + f->pad / 2;
    f->area.height -= height + f->pad / 2;
  }
}

// Numbers along the axes

enum { MOST_TICKS = 20 };

static int tick_count(const mjvFigure* fig, int axis) {
  int n = fig->gridsize[axis];
  return n > MOST_TICKS ? MOST_TICKS : n;
}

static float tick_value(const Figure* f, int axis, int i, int n) {
  const float* range = f->range[axis];
  return range[0] + (range[1] - range[0]) * (float)i / (float)(n - 1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // the format is the user's
static void tick_text(const char* format, float value, char* text, size_t size) {
  snprintf(text, size, format, (double)value);
  if (!strchr(text, '.') || strchr(text, 'e')) return;
  size_t n = strlen(text);
  while (n > 1 && text[n - 1] == '0') text[--n] = 0;
  if (n > 1 && text[n - 1] == '.') text[n - 1] = 0;
}
#pragma GCC diagnostic pop

static int widest_number(const Figure* f, int n) {
  int widest = ct_text_width(f->con, mjFONT_NORMAL, f->fig->minwidth);
  for (int i = 0; i < n; i++) {
    char text[100];
    tick_text(f->fig->yformat, tick_value(f, 1, i, n), text, sizeof(text));
    int width = ct_text_width(f->con, mjFONT_NORMAL, text);
    widest = width > widest ? width : widest;
  }
  return widest;
}

static bool has_grid(const mjvFigure* fig) {
  return fig->gridsize[0] > 1 && fig->gridsize[1] > 1;
}

// Makes room for the numbers.
static void leave_room_for_numbers(Figure* f) {
  const mjvFigure* fig = f->fig;
  if (!has_grid(fig)) return;
  if (fig->flg_ticklabel[1]) {
    int width = widest_number(f, tick_count(fig, 1)) + f->pad;
    f->area.left += width;
    f->area.width -= width;
  }
  if (fig->flg_ticklabel[0]) {
    int height = f->con->charHeight + f->pad;
    f->area.bottom += height;
    f->area.height -= height;
  }
}

// Writes them beside the pane, which the area is by now.
static void write_numbers(const Figure* f) {
  const mjvFigure* fig = f->fig;
  const float grey[3] = {fig->textrgb[0], fig->textrgb[0], fig->textrgb[0]};
  char text[100];
  for (int axis = 0; axis < 2 && has_grid(fig); axis++) {
    int n = tick_count(fig, axis);
    for (int i = 0; fig->flg_ticklabel[axis] && i < n; i++) {
      tick_text(axis ? fig->yformat : fig->xformat, tick_value(f, axis, i, n), text, sizeof(text));
      int width = ct_text_width(f->con, mjFONT_NORMAL, text);
      int x = axis ? f->area.left - f->pad - width
                   : f->area.left + (f->area.width - 1) * i / (n - 1) - width / 2;
      int y = axis ? f->area.bottom + (f->area.height - 1) * i / (n - 1) - f->con->charHeight / 2
                   : f->area.bottom - f->pad - f->con->charHeight;
      write_text(f, text, (int)strlen(text), x, y, grey);
    }
  }
}

// Lines

static float pixel_x(const Figure* f, float x) {
  float share = (x - f->range[0][0]) / (f->range[0][1] - f->range[0][0]);
  return (float)f->area.left + share * (float)(f->area.width - 1) + 0.5f;
}

static float pixel_y(const Figure* f, float y) {
  float share = (y - f->range[1][0]) / (f->range[1][1] - f->range[1][0]);
  return (float)f->area.bottom + share * (float)(f->area.height - 1) + 0.5f;
}

static void draw_grid(const Figure* f) {
  const mjvFigure* fig = f->fig;
  const Area* a = &f->area;
  if (!has_grid(fig)) return;
  f->gl->Color4f(fig->gridrgb[0], fig->gridrgb[1], fig->gridrgb[2], 1);
  f->gl->LineWidth(fig->gridwidth);
  f->gl->Begin(GL_LINES);
  for (int axis = 0; axis < 2; axis++) {
    int n = tick_count(fig, axis);
    for (int i = 0; i < n; i++) {
      float value = tick_value(f, axis, i, n);
      float x = axis ? (float)a->left : pixel_x(f, value);
      float y = axis ? pixel_y(f, value) : (float)a->bottom;
      f->gl->Vertex2f(x, y);
      f->gl->Vertex2f(axis ? (float)(a->left + a->width) : x,
                      axis ? y : (float)(a->bottom + a->height));
    }
  }
  f->gl->End();
}

static void draw_line(const Figure* f, int line, float width) {
  const mjvFigure* fig = f->fig;
  const float *rgb = fig->linergb[line], *data = fig->linedata[line];
  f->gl->Color4f(rgb[0], rgb[1], rgb[2], 1);
  f->gl->LineWidth(width);
  f->gl->Begin(fig->flg_barplot ? GL_LINES : GL_LINE_STRIP);
  for (int i = 0; i < points_of(fig, line); i++) {
    if (!is_finite(data[2 * i]) || !is_finite(data[2 * i + 1])) continue;
    f->gl->Vertex2f(pixel_x(f, data[2 * i]), pixel_y(f, data[2 * i + 1]));
  }
  f->gl->End();
}

static void draw_selection(const Figure* f) {
  float x = pixel_x(f, f->fig->selection);
  f->gl->Color4f(1, 1, 1, 1);
  f->gl->LineWidth(1);
  f->gl->Begin(GL_LINES);
  f->gl->Vertex2f(x, (float)f->area.bottom);
  f->gl->Vertex2f(x, (float)(f->area.bottom + f->area.height));
  f->gl->End();
}

// Legend

// Names at the top right, as many as fit. Returns the line under the mouse, -1 if there is none.
static int draw_legend(const Figure* f, mjrRect viewport) {
  const mjvFigure* fig = f->fig;
  int height = f->con->charHeight, widest = 0, rows = 0, line[mjMAXLINE], pointed = -1;
  int first = fig->legendoffset < 0 ? 0 : fig->legendoffset;
  for (int i = first; i < mjMAXLINE; i++) {
    if (!fig->linename[i][0] || (rows + 1) * height + 2 * f->pad > f->area.height) continue;
    int width = ct_text_width(f->con, mjFONT_NORMAL, fig->linename[i]);
    widest = width > widest ? width : widest;
    line[rows++] = i;
  }
  if (!rows) return -1;
  Area box = {f->area.left + f->area.width - widest - 2 * f->pad,
              f->area.bottom + f->area.height - rows * height - f->pad, widest + 2 * f->pad,
              rows * height + f->pad};
  ct_fill_rectangle(f->gl, (float)box.left, (float)box.bottom, (float)box.width, (float)box.height,
                    fig->legendrgba);
  int mouse_x = fig->highlight[0] - viewport.left, mouse_y = fig->highlight[1] - viewport.bottom;
  for (int i = 0; i < rows; i++) {
    const char* name = fig->linename[line[i]];
    int width = ct_text_width(f->con, mjFONT_NORMAL, name);
    int y = box.bottom + box.height - f->pad / 2 - (i + 1) * height;
    write_text(f, name, (int)strlen(name), box.left + box.width - f->pad - width, y,
               fig->linergb[line[i]]);
    bool inside = mouse_x >= box.left && mouse_x < box.left + box.width && mouse_y >= y &&
                  mouse_y < y + height;
    if (inside) pointed = line[i];
  }
  return pointed;
}

// The line that stands out, with its value nearest to the selection.
static void draw_highlight(const Figure* f, int line) {
  const mjvFigure* fig = f->fig;
  if (line < 0 || line >= mjMAXLINE || points_of(fig, line) == 0) return;
  draw_line(f, line, 5 * fig->linewidth);
  if (!fig->flg_selection) return;
  const float* data = fig->linedata[line];
  int nearest = 0;
  for (int i = 1; i < points_of(fig, line); i++) {
    float now = fabsf(data[2 * i] - fig->selection);
    if (now < fabsf(data[2 * nearest] - fig->selection)) nearest = i;
  }
  char text[100];
  snprintf(text, sizeof(text), "( %.4g : %.4g )", (double)data[2 * nearest],
           (double)data[2 * nearest + 1]);
  write_text(f, text, (int)strlen(text), f->area.left + f->pad, f->area.bottom + f->pad,
             fig->linergb[line]);
}

void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con) {
  Figure f;
  memset(&f, 0, sizeof(f));
  f.gl = con->glInitialized ? ct_begin_flat(viewport) : NULL;
  if (!f.gl) return;
  f.con = con;
  f.fig = fig;
  f.pad = con->charHeight / 2;
  f.area.width = viewport.width;
  f.area.height = viewport.height;
  ct_fill_rectangle(f.gl, 0, 0, (float)viewport.width, (float)viewport.height, fig->figurergba);
  find_ranges(&f);
  if (viewport.width <= 1 || viewport.height <= 1) return;

  // from the outside to the pane
  write_titles(&f);
  leave_room_for_numbers(&f);
  f.area.left += f.pad;
  f.area.bottom += f.pad;
  f.area.width -= 2 * f.pad;
  f.area.height -= 2 * f.pad;
  fig->xaxispixel[0] = viewport.left + f.area.left;
  fig->xaxispixel[1] = fig->xaxispixel[0] + f.area.width - 1;
  fig->yaxispixel[0] = viewport.bottom + f.area.bottom;
  fig->yaxispixel[1] = fig->yaxispixel[0] + f.area.height - 1;
  if (f.area.width < 2 || f.area.height < 2) return;
  write_numbers(&f);

  // what is in it, the first line on top
  ct_fill_rectangle(f.gl, (float)f.area.left, (float)f.area.bottom, (float)f.area.width,
                    (float)f.area.height, fig->panergba);
  draw_grid(&f);
  f.gl->Enable(GL_SCISSOR_TEST);
  int scissor[4];
  f.gl->GetIntegerv(GL_SCISSOR_BOX, scissor);
  f.gl->Scissor(viewport.left + f.area.left, viewport.bottom + f.area.bottom, f.area.width,
                f.area.height);
  for (int line = mjMAXLINE - 1; line >= 0; line--) {
    if (points_of(fig, line)) draw_line(&f, line, fig->linewidth);
  }
  if (fig->flg_selection) draw_selection(&f);
  int pointed = fig->flg_legend ? draw_legend(&f, viewport) : -1;
  draw_highlight(&f, pointed >= 0 ? pointed : fig->highlightid);
  f.gl->Disable(GL_SCISSOR_TEST);
  f.gl->Scissor(scissor[0], scissor[1], scissor[2], scissor[3]);
}
