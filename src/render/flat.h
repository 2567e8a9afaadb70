// Flat drawing: coordinates are pixels of a viewport, from its lower left corner.

#ifndef CT_RENDER_FLAT_H_
#define CT_RENDER_FLAT_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

// Sets up drawing in pixels of the viewport; NULL if there is nothing to draw to.
const ct_GL* ct_begin_flat(mjrRect viewport);

void ct_fill_rectangle(const ct_GL* gl, float x, float y, float width, float height,
                       const float rgba[4]);

// A line of text with its lower left corner at (x, y).
void ct_write_line(const ct_GL* gl, const mjrContext* con, int font, const char* text, int n,
                   float x, float y, const float rgb[3]);

#endif  // CT_RENDER_FLAT_H_
