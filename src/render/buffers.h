// Framebuffers: the offscreen one, auxiliary ones, the shadow map.

#ifndef CT_RENDER_BUFFERS_H_
#define CT_RENDER_BUFFERS_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

// From the sizes in con; nothing if one of them is 0.
void ct_make_offscreen(const ct_GL* gl, mjrContext* con);
void ct_make_shadow_map(const ct_GL* gl, mjrContext* con);

void ct_free_buffers(const ct_GL* gl, mjrContext* con);

#endif  // CT_RENDER_BUFFERS_H_
