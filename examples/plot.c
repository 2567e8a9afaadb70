#include "plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 360, LEFT = 60, RIGHT = 20, TOP = 40, BOTTOM = 45, MOST_POINTS = 300 };

typedef struct {
  double low, high;
} Range;

static void widen(Range* r, double x) {
  r->low = fmin(r->low, x);
  r->high = fmax(r->high, x);
}

static double across(Range r, double x) {
  return LEFT + (x - r.low) / (r.high - r.low) * (WIDTH - LEFT - RIGHT);
}

static double down(Range r, double y) {
  return HEIGHT - BOTTOM - (y - r.low) / (r.high - r.low) * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(FILE* f, Range x, Range y, const char* title, const char* x_name) {
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
          "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" "
          "fill=\"white\"/>\n<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, title);
  for (int k = 0; k <= 4; k++) {
    double at = y.low + (y.high - y.low) * k / 4, to = x.low + (x.high - x.low) * k / 4;
    fprintf(f,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n",
            LEFT, WIDTH - RIGHT, down(y, at), down(y, at), LEFT - 6, down(y, at) + 4, at,
            across(x, to), HEIGHT - BOTTOM + 18, to);
  }
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", WIDTH / 2, HEIGHT - 8,
          x_name);
}

int plot(const char* path, const char* title, const char* x_name, const double* x, int count,
         const PlotLine* lines, int nline) {
  static const char* const colours[] = {"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad"};
  if (!path || count < 2) return 1;
  FILE* f = fopen(path, "w");
  if (!f) return 0;
  Range over = {x[0], x[count - 1]}, range = {lines[0].y[0], lines[0].y[0]};
  for (int k = 0; k < nline; k++) {
    for (int i = 0; i < count; i++) widen(&range, lines[k].y[i]);
  }
  if (range.high - range.low < 1e-12) widen(&range, range.low + 1);
  draw_axes(f, over, range, title, x_name);
  int stride = (count + MOST_POINTS - 1) / MOST_POINTS;
  for (int k = 0; k < nline; k++) {
    fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"",
            colours[k % 4]);
    for (int i = 0; i < count; i += stride) {
      fprintf(f, "%.1f,%.1f ", across(over, x[i]), down(range, lines[k].y[i]));
    }
    fprintf(f, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\" text-anchor=\"end\">%s</text>\n",
            WIDTH - RIGHT - 8, TOP + 16 * (k + 1), colours[k % 4], lines[k].name);
  }
  fprintf(f, "</svg>\n");
  return fclose(f) == 0;
}
