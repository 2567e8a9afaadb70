// corten plot: columns of a recording over time, or of a run that is made for it, as SVG or PNG.

#include <fnmatch.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canvas.h"
#include "columns.h"
#include "command.h"
#include "input.h"
#include "interruption.h"
#include "run.h"
#include "table.h"

enum { MOST_PATTERNS = 20, LEFT = 76, RIGHT = 24, TOP = 48, BOTTOM = 52, ROW = 18 };
enum { BLACK = 0x111111, GREY = 0x444444, PALE = 0xe4e4e4 };

typedef struct {
  const char *path, *out, *title, *model;
  const char* pattern[MOST_PATTERNS];  // of names of columns
  int patterns, width, height;
  RunOptions run;     // of a model that is not recorded yet
  const char* asked;  // an option of a run that was given; NULL: none
} PlotOptions;

// Ten colours that can be told apart, also by those who see few; then they repeat.
static const unsigned colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00,
                                   0x56b4e9, 0x7f5f3f, 0x6a3d9a, 0x4d4d4d, 0xb2182b};
enum { NCOLOUR = sizeof(colours) / sizeof(colours[0]) };

// What is drawn, and how numbers become pixels.
typedef struct {
  const Table* table;
  const char** unit;       // (columns of the table)
  int *column, columns;    // chosen ones
  bool one_unit;           // which they share
  double low[2], high[2];  // x, y
  double step[2];          // between ticks
  int width, height, pane_width;
  Canvas* canvas;
} Plot;

// Unless patterns are given, positions; of a table that has none, everything.
static bool is_chosen(const PlotOptions* o, const Table* t, const char* name) {
  int count;
  if (o->patterns == 0) {
    return table_find(t, "qpos", &count) < 0 || !strcmp(name, "qpos") || !strncmp(name, "qpos.", 5);
  }
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

static void draw_axes(const Plot* p) {
  double bottom = p->height - BOTTOM, right = LEFT + p->pane_width;
  char text[80];
  for (int axis = 0; axis < 2; axis++) {
    double first = ceil(p->low[axis] / p->step[axis] - 1e-9) * p->step[axis];
    for (int i = 0; first + i * p->step[axis] <= p->high[axis] + 1e-9 * p->step[axis]; i++) {
      double value = first + i * p->step[axis];
      if (fabs(value) < 1e-9 * p->step[axis]) value = 0;
      snprintf(text, sizeof(text), "%.6g", value);
      double x = pixel_x(p, value), y = pixel_y(p, value);
      const double across[4] = {x, TOP, x, bottom}, along[4] = {LEFT, y, right, y};
      canvas_line(p->canvas, axis == 0 ? across : along, 2, 1, PALE);
      if (axis == 0) {
        canvas_text(p->canvas, x, bottom + 18, CANVAS_MIDDLE, GREY, text);
      } else {
        canvas_text(p->canvas, LEFT - 8, y + 4, CANVAS_END, GREY, text);
      }
    }
  }
  const double frame[6] = {LEFT, TOP, LEFT, bottom, right, bottom};
  canvas_line(p->canvas, frame, 3, 1, GREY);
  const char *name = p->table->names[0], *unit = p->unit[0];
  snprintf(text, sizeof(text), unit[0] ? "%.30s (%s)" : "%.30s", name, unit);
  canvas_text(p->canvas, LEFT + p->pane_width / 2.0, p->height - 12, CANVAS_MIDDLE, GREY, text);
  if (p->one_unit) {
    canvas_text(p->canvas, LEFT - 8, TOP - 12, CANVAS_END, GREY, p->unit[p->column[0]]);
  }
}

// A line as far as it has come.
typedef struct {
  double* points;
  int count;
} Curve;

static void end_curve(const Plot* p, Curve* c, unsigned colour) {
  if (c->count) canvas_line(p->canvas, c->points, c->count, 1.6, colour);
  c->count = 0;
}

static void add_point(const Plot* p, Curve* c, size_t row, int column, unsigned colour) {
  const double* values = p->table->values + row * (size_t)p->table->columns;
  double x = values[0], y = values[column];
  if (!isfinite(x) || !isfinite(y)) {
    end_curve(p, c, colour);
    return;
  }
  c->points[2 * c->count] = pixel_x(p, x);
  c->points[2 * c->count + 1] = pixel_y(p, y);
  c->count++;
}

// Where there are more samples than pixels, the least and the largest of each few are drawn, so
// that no peak is lost; a value that is not a number breaks the line.
static int draw_curve(const Plot* p, int k) {
  const Table* t = p->table;
  size_t few = 1 + t->rows / (2 * (size_t)p->pane_width);
  unsigned colour = colours[k % NCOLOUR];
  Curve c = {(double*)malloc((2 * t->rows + 2) * sizeof(double)), 0};
  if (!c.points) return failed("there is no memory for a line of %zu points", t->rows);
  for (size_t first = 0; first < t->rows; first += few) {
    size_t end = first + few < t->rows ? first + few : t->rows, low = first, high = first;
    for (size_t i = first; i < end; i++) {
      double y = t->values[i * (size_t)t->columns + (size_t)p->column[k]];
      if (y < t->values[low * (size_t)t->columns + (size_t)p->column[k]]) low = i;
      if (y > t->values[high * (size_t)t->columns + (size_t)p->column[k]]) high = i;
    }
    add_point(p, &c, low < high ? low : high, p->column[k], colour);
    if (low != high) add_point(p, &c, low < high ? high : low, p->column[k], colour);
  }
  end_curve(p, &c, colour);
  free(c.points);
  return EXIT_FINE;
}

// The name of a column, and its unit where the axis does not say it.
static void legend_text(const Plot* p, int column, char* text, size_t room) {
  const char* unit = p->one_unit ? "" : p->unit[column];
  snprintf(text, room, unit[0] ? "%s (%s)" : "%s", p->table->names[column], unit);
}

static void draw_legend(const Plot* p) {
  int x = LEFT + p->pane_width + 14, rows = (p->height - TOP) / ROW;
  for (int k = 0; k < p->columns && k < rows; k++) {
    int y = TOP + ROW * k + 4;
    char text[200];
    bool last = k == rows - 1 && p->columns > rows;
    if (last) {
      snprintf(text, sizeof(text), "and %d more", p->columns - k);
    } else {
      const double sample[4] = {x, y, x + 16, y};
      canvas_line(p->canvas, sample, 2, 3, colours[k % NCOLOUR]);
      legend_text(p, p->column[k], text, sizeof(text));
    }
    canvas_text(p->canvas, x + 22, y + 4, CANVAS_START, BLACK, text);
  }
}

static int draw(Plot* p, const PlotOptions* o) {
  int code = EXIT_FINE;
  p->canvas = canvas_open(o->out, p->width, p->height);
  if (!p->canvas) return EXIT_FAILED;
  canvas_text(p->canvas, LEFT, 20, CANVAS_START, BLACK, o->title ? o->title : o->path);
  draw_axes(p);
  for (int k = 0; k < p->columns && code == EXIT_FINE; k++) code = draw_curve(p, k);
  draw_legend(p);
  return canvas_close(p->canvas) == EXIT_FINE ? code : EXIT_FAILED;
}

static void choose_columns(Plot* p, const PlotOptions* o) {
  const Table* t = p->table;
  for (int i = 1; i < t->columns; i++) {
    if (is_chosen(o, t, t->names[i])) p->column[p->columns++] = i;
  }
  p->one_unit = p->columns > 0;
  for (int k = 1; k < p->columns; k++) {
    if (strcmp(p->unit[p->column[k]], p->unit[p->column[0]]) != 0) p->one_unit = false;
  }
  double longest = 0;
  for (int k = 0; k < p->columns; k++) {
    char text[200];
    legend_text(p, p->column[k], text, sizeof(text));
    longest = fmax(longest, canvas_text_width(text));
  }
  p->pane_width = p->width - LEFT - RIGHT - 30 - (int)fmin(longest, p->width / 2.0);
}

static int plot_table(const Table* t, const char** unit, const PlotOptions* o) {
  Plot p;
  memset(&p, 0, sizeof(p));
  p.table = t;
  p.unit = unit;
  p.width = o->width;
  p.height = o->height;
  p.column = (int*)malloc((size_t)t->columns * sizeof(int));
  if (!p.column) return failed("there is no memory for %d columns", t->columns);
  choose_columns(&p, o);
  int code;
  if (t->columns == 1) {
    code = failed("%s has one column, %s, and nothing to draw over it", o->path, t->names[0]);
  } else if (p.columns == 0) {
    code = failed("%s: no column is called like that; the first are %s, %s", o->path, t->names[0],
                  t->names[1]);
  } else if (p.pane_width < 20) {
    code = failed("%d pixels are too few; take a larger --size", o->width);
  } else {
    find_ranges(&p);
    code = draw(&p, o);
  }
  free(p.column);
  return code;
}

// Units

// Units of the columns of a table; count: where the next one goes.
typedef struct {
  const char** unit;
  int count, room;
} Units;

static void take_unit(void* user, const char* name, const char* unit) {
  Units* u = (Units*)user;
  (void)name;
  if (u->count < u->room) u->unit[u->count++] = unit;
}

// The model knows the units of what every recording has; for the rest, names must do.
static int find_units(const Table* t, const mjModel* m, const RunOptions* run, Units* u) {
  mjData* d = m ? mj_makeData(m) : NULL;
  if (m && !d) return failed("there is no memory for an mjData of this model");
  for (int i = 0; i < t->columns; i++) u->unit[i] = unit_by_name(t->names[i]);
  for (int i = 0; d && i < NSTANDARD_FIELD + run->fields; i++) {
    const char* name = i < NSTANDARD_FIELD ? standard_fields[i] : run->field[i - NSTANDARD_FIELD];
    Field field;
    int count, first = table_find(t, name, &count);
    if (first < 0 || !field_find(m, d, name, &field)) continue;
    u->count = first;
    field_columns(m, &field, take_unit, u);
  }
  mj_deleteData(d);
  return EXIT_FINE;
}

static int plot_with_units(const Table* t, const mjModel* m, const PlotOptions* o) {
  Units u = {(const char**)malloc((size_t)t->columns * sizeof(char*)), 0, t->columns};
  if (!u.unit) return failed("there is no memory for %d columns", t->columns);
  int code = find_units(t, m, &o->run, &u);
  if (code == EXIT_FINE) code = plot_table(t, u.unit, o);
  free(u.unit);
  return code;
}

// Recordings, and models that have none yet

static bool is_model(const char* path) {
  return ends_with(path, ".xml") || ends_with(path, ".mjb") || ends_with(path, ".urdf") ||
         (!strcmp(path, "-") && input_is_model());
}

static int plot_file(const char* recording, const mjModel* m, const PlotOptions* o) {
  Table t;
  int code = table_read(&t, recording);
  if (code == EXIT_FINE && m && o->model) code = check_columns(m, &t, recording);
  if (code == EXIT_FINE) code = plot_with_units(&t, m, o);
  table_free(&t);
  return code;
}

// A run into a table that nobody keeps.
static int plot_run(mjModel* m, PlotOptions* o) {
  const char* folder = getenv("TMPDIR");
  char path[1024];
  snprintf(path, sizeof(path), "%.1000s/corten-XXXXXX", folder && *folder ? folder : "/tmp");
  interruption_await();
  int file = mkstemp(path);
  if (file < 0) return failed("%s: cannot write there", path);
  close(file);
  o->run.csv = path;
  o->run.answer = RUN_SILENT;
  int code = run_model(m, &o->run);
  if (code == EXIT_FINE) code = plot_file(path, m, o);
  if (code == EXIT_INTERRUPTED) failed("interrupted; there is no picture");
  unlink(path);
  return code;
}

// The command line

static int take(PlotOptions* o, const char* name, const char* value, int* taken) {
  int used = 0;
  *taken = 2;
  if (!strcmp(name, "-o")) {
    o->out = value;
  } else if (!strcmp(name, "--title")) {
    o->title = value;
  } else if (!strcmp(name, "--model")) {
    o->model = value;
  } else if (!strcmp(name, "--columns")) {
    if (value && o->patterns == MOST_PATTERNS) return misused("plot: too many --columns");
    if (value) o->pattern[o->patterns++] = value;
  } else if (!strcmp(name, "--size")) {
    bool good = value && sscanf(value, "%dx%d%n", &o->width, &o->height, &used) == 2 &&
                !value[used] && o->width >= 100 && o->height >= 100 && o->width <= 10000 &&
                o->height <= 10000;
    if (value && !good) return misused("plot: --size needs WIDTHxHEIGHT in pixels, got %s", value);
  } else if (!strcmp(name, "--csv") || !strcmp(name, "--npz")) {
    return misused("plot: corten run keeps recordings; plot draws them");
  } else {
    int code = run_take_option(&o->run, "plot", name, value, taken);
    if (*taken) o->asked = name;
    return code;
  }
  return value ? EXIT_FINE : misused("plot: %s needs a value", name);
}

static int parse(int argc, char** argv, PlotOptions* o) {
  for (int i = 1; i < argc; i++) {
    int taken = 0;
    int code = take(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &taken);
    if (code != EXIT_FINE) return code;
    if (taken) {
      i += taken - 1;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("plot: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("plot: one recording at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  if (!o->path) return misused("plot: which recording? corten run --csv FILE makes one");
  if (!o->out) return misused("plot: which picture? Name it with -o PICTURE.png, or .svg");
  if (!canvas_knows(o->out)) return misused("plot: a picture ends in .png or .svg, got %s", o->out);
  if (o->asked && !is_model(o->path)) {
    return misused("plot: %s is for the run of a model, but %s is a recording", o->asked, o->path);
  }
  if (o->model && is_model(o->path)) return misused("plot: --model is for recordings");
  return EXIT_FINE;
}

int command_plot(int argc, char** argv) {
  PlotOptions o;
  memset(&o, 0, sizeof(o));
  o.width = 800;
  o.height = 400;
  o.run = run_defaults();
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  bool run = is_model(o.path);
  const char* path = run ? o.path : o.model;
  mjModel* m = path ? load_model(path) : NULL;
  if (path && !m) return EXIT_FAILED;
  code = run ? plot_run(m, &o) : plot_file(o.path, m, &o);
  mj_deleteModel(m);
  return code;
}
