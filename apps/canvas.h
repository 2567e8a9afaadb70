// A white sheet for lines and texts, which becomes an SVG or a PNG file. Positions are pixels from
// the upper left corner.

#ifndef APPS_CANVAS_H_
#define APPS_CANVAS_H_

typedef struct Canvas_ Canvas;
typedef enum { CANVAS_START, CANVAS_MIDDLE, CANVAS_END } CanvasAnchor;

// The ending of the path says which kind of file it is; NULL after a message.
Canvas* canvas_open(const char* path, int width, int height);

// Whether a path ends in what canvas_open knows.
int canvas_knows(const char* path);

// A line through points (count x 2); colour: 0xrrggbb.
void canvas_line(Canvas* c, const double* points, int count, double width, unsigned colour);

// A text on a line of that height; x is its start, its middle or its end.
void canvas_text(Canvas* c, double x, double y, CanvasAnchor anchor, unsigned colour,
                 const char* text);

// About how wide a text is.
double canvas_text_width(const char* text);

// Writes the file, and returns an exit code.
int canvas_close(Canvas* c);

#endif  // APPS_CANVAS_H_
