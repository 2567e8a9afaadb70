// An OpenGL context without a window: through EGL, or OSMesa if there is no EGL. Either library is
// loaded when it is asked for.

#ifndef CT_RENDER_OFFSCREEN_H_
#define CT_RENDER_OFFSCREEN_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_Offscreen_ {
  void *library, *display, *context;  // display: EGL only
  void* pixels;                       // of OSMesa, which wants memory to draw into
} ct_Offscreen;

// Makes a context and makes it current. False, with a sentence in error, if neither library gives
// one.
bool ct_open_offscreen(ct_Offscreen* o, char* error, size_t size);
void ct_close_offscreen(ct_Offscreen* o);

#endif  // CT_RENDER_OFFSCREEN_H_
