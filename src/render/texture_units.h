// Textures of a model on the graphics card.

#ifndef CT_RENDER_TEXTURE_UNITS_H_
#define CT_RENDER_TEXTURE_UNITS_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

void ct_make_textures(const ct_GL* gl, const mjModel* m, mjrContext* con);

// The pixels of one texture, anew.
void ct_fill_texture(const ct_GL* gl, const mjModel* m, const mjrContext* con, int texture);

// How a geom is textured by its material: binds the texture and sets up coordinates. False if the
// material has no texture. ct_untexture undoes it.
bool ct_texture(const ct_GL* gl, const mjrContext* con, const mjvGeom* geom);
void ct_untexture(const ct_GL* gl);

// The cube of the sky, by direction from the eye; false if there is none.
bool ct_texture_sky(const ct_GL* gl, const mjrContext* con);

#endif  // CT_RENDER_TEXTURE_UNITS_H_
