// Fonts: bitmaps of characters, and texts written with them.

#ifndef CT_RENDER_FONTS_H_
#define CT_RENDER_FONTS_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

// The three fonts at the scale of the context.
void ct_make_fonts(const ct_GL* gl, mjrContext* con);

// Width of a text, up to its end or the end of its line.
int ct_text_width(const mjrContext* con, int font, const char* text);
int ct_text_height(const mjrContext* con, int font);

// White text with a shadow at a point of the model, by the matrices that are set.
void ct_write_at(const ct_GL* gl, const mjrContext* con, const float pos[3], const char* text);

// n characters of text at the raster position.
void ct_write(const ct_GL* gl, const mjrContext* con, int font, const char* text, int n);

#endif  // CT_RENDER_FONTS_H_
