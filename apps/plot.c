// corten plot: columns of a recording over time, as SVG.

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "table.h"

enum { MOST_PATTERNS = 20, LEFT = 76, RIGHT = 24, TOP = 40, BOTTOM = 52, ROW = 18 };

typedef struct {
  const char *path, *out, *title;
  const char* pattern[MOST_PATTERNS];  // of names of columns
  int patterns, width, height;
} PlotOptions;

// Ten colours that can be told apart, also by those who see few; then they repeat.
static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                      "#56b4e9", "#7f5f3f", "#6a3d9a", "#4d4d4d", "#b2182b"};
enum { NCOLOUR = sizeof(colours) / sizeof(colours[0]) };

// What is drawn, and how numbers become pixels.
typedef struct {
  const Table* table;
  int *column, columns;    // chosen ones
  double low[2], high[2];  // x, y
  double step[2];          // between ticks
  int width, height, pane_width;
  FILE* f;
} Plot;

static bool is_chosen(const PlotOptions* o, const char* name) {
  for (int i = 0; i < o->patterns; i++) {
    if (!fnmatch(o->pattern[i], name, 0)) return true;
  }
  return false;
}

// 1, 2 or 5 times a power of ten, for about so many ticks.
static double tick_step(double range, int ticks) {
  double power = pow(10, floor(log10(range / ticks))), rest = range / ticks / power;
  return power * (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1);
}

static void take_in(Plot* p, int axis, double value) {
  if (!isfinite(value)) return;
  p->low[axis] = fmin(p->low[axis], value);
  p->high[axis] = fmax(p->high[axis], value);
}

static void find_ranges(Plot* p) {
  const Table* t = p->table;
  for (int axis = 0; axis < 2; axis++) {
    p->low[axis] = INFINITY;
    p->high[axis] = -INFINITY;
  }
  for (size_t i = 0; i < t->rows; i++) {
    const double* row = t->values + i * (size_t)t->columns;
    take_in(p, 0, row[0]);
    for (int k = 0; k < p->columns; k++) take_in(p, 1, row[p->column[k]]);
  }
  for (int axis = 0; axis < 2; axis++) {
    if (!(p->low[axis] <= p->high[axis])) p->low[axis] = p->high[axis] = 0;
    if (p->high[axis] - p->low[axis] < 1e-12) {
      p->low[axis] -= 0.5;
      p->high[axis] += 0.5;
    }
    p->step[axis] = tick_step(p->high[axis] - p->low[axis], axis ? 6 : 8);
  }
  p->low[1] = floor(p->low[1] / p->step[1]) * p->step[1];
  p->high[1] = ceil(p->high[1] / p->step[1]) * p->step[1];
}

static double pixel_x(const Plot* p, double x) {
  return LEFT + (x - p->low[0]) / (p->high[0] - p->low[0]) * p->pane_width;
}

static double pixel_y(const Plot* p, double y) {
  double pane = p->height - TOP - BOTTOM;
  return TOP + (p->high[1] - y) / (p->high[1] - p->low[1]) * pane;
}

static void write_text(const Plot* p, double x, double y, const char* anchor, const char* colour,
                       const char* text) {
  fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", x, y, anchor,
          colour);
  for (; *text; text++) {
    const char* name = *text == '<'   ? "&lt;"
                       : *text == '&' ? "&amp;"
                       : *text == '>' ? "&gt;"
                                      : NULL;
    if (name) {
      fputs(name, p->f);
    } else if ((unsigned char)*text >= 32) {
      fputc(*text, p->f);
    }
  }
  fputs("</text>\n", p->f);
}

static void draw_axes(const Plot* p) {
  double bottom = p->height - BOTTOM, right = LEFT + p->pane_width;
  char text[40];
  for (int axis = 0; axis < 2; axis++) {
    double first = ceil(p->low[axis] / p->step[axis] - 1e-9) * p->step[axis];
    for (int i = 0; first + i * p->step[axis] <= p->high[axis] + 1e-9 * p->step[axis]; i++) {
      double value = first + i * p->step[axis];
      if (fabs(value) < 1e-9 * p->step[axis]) value = 0;
      snprintf(text, sizeof(text), "%.6g", value);
      double x = pixel_x(p, value), y = pixel_y(p, value);
      if (axis == 0) {
        fprintf(p->f, "<path d=\"M%.1f %d V%.1f\" stroke=\"#e4e4e4\"/>\n", x, TOP, bottom);
        write_text(p, x, bottom + 18, "middle", "#444", text);
      } else {
        fprintf(p->f, "<path d=\"M%d %.1f H%.1f\" stroke=\"#e4e4e4\"/>\n", LEFT, y, right);
        write_text(p, LEFT - 8, y + 4, "end", "#444", text);
      }
    }
  }
  fprintf(p->f, "<path d=\"M%d %d V%.1f H%.1f\" fill=\"none\" stroke=\"#444\"/>\n", LEFT, TOP,
          bottom, right);
  snprintf(text, sizeof(text), "%.30s%s", p->table->names[0],
           !strcmp(p->table->names[0], "time") ? " (s)" : "");
  write_text(p, LEFT + p->pane_width / 2.0, p->height - 12, "middle", "#444", text);
}

// At most two points per pixel are drawn; a value that is not a number breaks the line.
static void draw_curve(const Plot* p, int k) {
  const Table* t = p->table;
  size_t stride = 1 + t->rows / (2 * (size_t)p->pane_width);
  bool begun = false;
  fprintf(p->f,
          "<path fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke=\"%s\" d=\"",
          colours[k % NCOLOUR]);
  for (size_t i = 0; i < t->rows; i += stride) {
    const double* row = t->values + i * (size_t)t->columns;
    double x = row[0], y = row[p->column[k]];
    if (!isfinite(x) || !isfinite(y)) {
      begun = false;
      continue;
    }
    fprintf(p->f, "%c%.1f %.1f", begun ? 'L' : 'M', pixel_x(p, x), pixel_y(p, y));
    begun = true;
  }
  fputs("\"/>\n", p->f);
}

static void draw_legend(const Plot* p) {
  int x = LEFT + p->pane_width + 14, rows = (p->height - TOP) / ROW;
  for (int k = 0; k < p->columns && k < rows; k++) {
    int y = TOP + ROW * k + 4;
    char more[60];
    snprintf(more, sizeof(more), "and %d more", p->columns - k);
    bool last = k == rows - 1 && p->columns > rows;
    if (!last) {
      fprintf(p->f, "<path d=\"M%d %d h16\" stroke-width=\"3\" stroke=\"%s\"/>\n", x, y,
              colours[k % NCOLOUR]);
    }
    write_text(p, x + 22, y + 4, "start", "#222", last ? more : p->table->names[p->column[k]]);
  }
}

static int draw(Plot* p, const PlotOptions* o) {
  p->f = fopen(o->out, "w");
  if (!p->f) return failed("%s: cannot write: %s", o->out, strerror(errno));
  fprintf(
      p->f,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
      "fill=\"white\"/>\n",
      p->width, p->height, p->width, p->height);
  write_text(p, LEFT, 24, "start", "#111", o->title ? o->title : o->path);
  draw_axes(p);
  for (int k = 0; k < p->columns; k++) draw_curve(p, k);
  draw_legend(p);
  fputs("</svg>\n", p->f);
  bool written = !ferror(p->f);
  if (fclose(p->f) != 0) written = false;
  return written ? EXIT_FINE : failed("%s: cannot write all of it", o->out);
}

static int plot_table(const Table* t, const PlotOptions* o) {
  Plot p;
  size_t longest = 0;
  memset(&p, 0, sizeof(p));
  p.table = t;
  p.column = (int*)malloc((size_t)t->columns * sizeof(int));
  if (!p.column) return failed("there is no memory for %d columns", t->columns);
  for (int i = 1; i < t->columns; i++) {
    if (!is_chosen(o, t->names[i])) continue;
    p.column[p.columns++] = i;
    longest = strlen(t->names[i]) > longest ? strlen(t->names[i]) : longest;
  }
  p.width = o->width;
  p.height = o->height;
  p.pane_width = o->width - LEFT - RIGHT - 30 - (int)(7 * (longest < 30 ? longest : 30));
  int code;
  if (p.columns == 0) {
    code = failed("%s: no column is called like that; the first are %s, %s", o->path, t->names[0],
                  t->columns > 1 ? t->names[1] : "");
  } else if (p.pane_width < 20) {
    code = failed("%d pixels are too few; take a larger --size", o->width);
  } else {
    find_ranges(&p);
    code = draw(&p, o);
  }
  free(p.column);
  return code;
}

// The command line

static int take(PlotOptions* o, const char* name, const char* value, bool* taken) {
  int used = 0;
  *taken = true;
  if (!strcmp(name, "-o")) {
    o->out = value;
  } else if (!strcmp(name, "--title")) {
    o->title = value;
  } else if (!strcmp(name, "--columns")) {
    if (value && o->patterns == MOST_PATTERNS) return misused("plot: too many --columns");
    if (value) o->pattern[o->patterns++] = value;
  } else if (!strcmp(name, "--size")) {
    bool good = value && sscanf(value, "%dx%d%n", &o->width, &o->height, &used) == 2 &&
                !value[used] && o->width >= 100 && o->height >= 100 && o->width <= 10000 &&
                o->height <= 10000;
    if (value && !good) return misused("plot: --size needs WIDTHxHEIGHT in pixels, got %s", value);
  } else {
    *taken = false;
    return EXIT_FINE;
  }
  return value ? EXIT_FINE : misused("plot: %s needs a value", name);
}

static int parse(int argc, char** argv, PlotOptions* o) {
  for (int i = 1; i < argc; i++) {
    bool taken = false;
    int code = take(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &taken);
    if (code != EXIT_FINE) return code;
    if (taken) {
      i++;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("plot: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("plot: one recording at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  if (!o->path) return misused("plot: which recording? corten run --csv FILE makes one");
  if (!o->out) return misused("plot: which picture? Name it with -o PICTURE.svg");
  return EXIT_FINE;
}

int command_plot(int argc, char** argv) {
  PlotOptions o;
  memset(&o, 0, sizeof(o));
  o.width = 800;
  o.height = 400;
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  if (o.patterns == 0) o.pattern[o.patterns++] = "qpos.*";
  Table t;
  code = table_read(&t, o.path);
  if (code == EXIT_FINE) code = plot_table(&t, &o);
  table_free(&t);
  return code;
}
