// Lines in a picture (SVG).

#ifndef EXAMPLES_PLOT_H_
#define EXAMPLES_PLOT_H_

typedef struct {
  const char* name;
  const double* y;  // (count)
} PlotLine;

// Up to four lines over x, with a title and the name of x. path NULL: nothing is drawn. Zero if the
// file cannot be written.
int plot(const char* path, const char* title, const char* x_name, const double* x, int count,
         const PlotLine* lines, int nline);

#endif  // EXAMPLES_PLOT_H_
