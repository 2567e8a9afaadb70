// What shapes look like: display lists of triangles.

#ifndef CT_RENDER_SHAPE_LISTS_H_
#define CT_RENDER_SHAPE_LISTS_H_

#include <mujoco/mujoco.h>

#include "render/gl.h"

// Built-in shapes, of unit size around the origin, along z.
typedef enum ct_Builtin_ {
  CT_SPHERE,
  CT_UPPER_HALF,  // of a sphere
  CT_LOWER_HALF,
  CT_CYLINDER,  // with caps
  CT_TUBE,      // without
  CT_CONE,      // from z = 0 to its tip at z = 1, with its base
  CT_BOX,
  CT_HAZE,  // ring at the horizon
  CT_NBUILTIN
} ct_Builtin;

// Lists of a context: all of them, or one mesh or height field anew.
void ct_make_builtins(const ct_GL* gl, const mjModel* m, mjrContext* con);
void ct_make_planes(const ct_GL* gl, const mjModel* m, mjrContext* con);
void ct_make_mesh(const ct_GL* gl, const mjModel* m, const mjrContext* con, int mesh);
void ct_make_height_field(const ct_GL* gl, const mjModel* m, const mjrContext* con, int hfield);

#endif  // CT_RENDER_SHAPE_LISTS_H_
