// Drawing single geoms of a scene.

#ifndef CT_RENDER_PAINT_H_
#define CT_RENDER_PAINT_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

// What a picture is drawn with.
typedef struct ct_Painter_ {
  const ct_GL* gl;
  mjvScene* scn;
  const mjrContext* con;
  mjvGLCamera cam;
  float view[16];          // from the model to the eye, column by column
  float head[3];           // the eye, in the model
  int ntransparent;        // first so many of scn->geomorder are transparent, nearest first
  int reflective;          // the geom with a mirror image; -1: none
  const mjvGeom* horizon;  // plane at whose end there is haze; NULL: none
} ct_Painter;

// How a geom is drawn.
typedef enum ct_Style_ {
  CT_STYLE_LIT,       // with material and texture
  CT_STYLE_SHADOWED,  // the same without light of its own
  CT_STYLE_MIRRORED,  // the same, darker by the reflectance
  CT_STYLE_SEGMENT,   // one colour that tells its number
  CT_STYLE_SHAPE      // shape alone: for depth and stencil
} ct_Style;

void ct_paint_geom(const ct_Painter* p, const mjvGeom* geom, ct_Style style);

// Is the eye behind the plane?
bool ct_seen_from_behind(const ct_Painter* p, const mjvGeom* geom);

// Matrices, column by column
void ct_frame_matrix(float out[16], const float pos[3], const float mat[9]);
void ct_multiply(float out[16], const float a[16], const float b[16]);

#endif  // CT_RENDER_PAINT_H_
