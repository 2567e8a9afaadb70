// A height field as collision and rays see it: a grid of heights over a rectangle, on a base.

#ifndef CT_COLLIDE_HEIGHT_FIELD_H_
#define CT_COLLIDE_HEIGHT_FIELD_H_

#include <mujoco/mjmodel.h>

#include "base/lanes.h"

typedef struct {
  mjtNum sx, sy, sz, base;  // half sizes, height, depth of the base
  mjtNum dx, dy;            // sides of a cell
  int rows, columns;
  const float* data;  // (rows x columns) in [0, 1]
} ct_HeightField;

LANE_INLINE ct_HeightField ct_height_field(const mjModel* m, int geom) {
  int id = m->geom_dataid[geom];
  const mjtNum* size = m->hfield_size + 4 * id;
  ct_HeightField f;
  f.sx = size[0];
  f.sy = size[1];
  f.sz = size[2];
  f.base = size[3];
  f.rows = m->hfield_nrow[id];
  f.columns = m->hfield_ncol[id];
  f.dx = 2 * f.sx / (mjtNum)(f.columns - 1);
  f.dy = 2 * f.sy / (mjtNum)(f.rows - 1);
  f.data = m->hfield_data + m->hfield_adr[id];
  return f;
}

// A coordinate along the grid as an index in [least, most]. Shapes and rays may reach farther than
// an int can say, so nothing is converted that has not been compared before; NaN becomes least.
LANE_INLINE int ct_grid_index(mjtNum x, int least, int most) {
  return !(x > (mjtNum)least) ? least : x < (mjtNum)most ? (int)x : most;
}

#endif  // CT_COLLIDE_HEIGHT_FIELD_H_
