// A height field is a field of prisms: each half of a grid cell is a triangle that reaches down to
// the base. The shape meets each prism below it by the convex solver.
//
// All work is done in the frame of the height field. Quirk: the tops are raised by the margin and
// the shape is inflated by half of it, but nothing is subtracted from the depth, so that over flat
// ground the distance is less by one and a half margins.

#include "collide/hfield.h"

#include <math.h>

#include "collide/convex.h"
#include "collide/height_field.h"
#include "collide/mpr.h"
#include "collide/surface.h"

LANE_INLINE bool beyond_field(const ct_HeightField* f, const mjtNum low[3], const mjtNum high[3]) {
  return low[0] > f->sx || high[0] < -f->sx || low[1] > f->sy || high[1] < -f->sy ||
         low[2] > f->sz || high[2] < -f->base;
}

// Extent of the shape along the axes. Without margin; also sets the memory of a mesh.
LANE_FN static void shape_extent(ct_Support* s, mjtNum low[3], mjtNum high[3]) {
  for (int k = 0; k < 3; k++) {
    mjtNum d[3] = {0, 0, 0}, point[3];
    d[k] = 1;
    ct_support(s, point, d);
    high[k] = point[k];
    d[k] = -1;
    ct_support(s, point, d);
    low[k] = point[k];
  }
}

LANE_INLINE bool is_finite_box(const mjtNum low[3], const mjtNum high[3]) {
  return ct_are_finite(low, 3) && ct_are_finite(high, 3);
}

// The samples around [low, high], of n samples between -size and size: from *first to *last, none
// if *last is less. low and high are finite.
LANE_INLINE void sample_range(mjtNum low, mjtNum high, mjtNum size, int n, int* first, int* last) {
  mjtNum cells = (mjtNum)(n - 1);
  mjtNum from = (low + size) / (2 * size) * cells;
  mjtNum to = (high + size) / (2 * size) * cells;
  *first = ct_grid_index((mjtNum)floor(from), 0, n);
  *last = ct_grid_index((mjtNum)ceil(to), -1, n - 1);
}

// Takes the oldest vertex out of a prism and puts the next one in.
LANE_INLINE void next_vertex(mjtNum prism[6][3], const ct_HeightField* f, int row, int column,
                             mjtNum margin) {
  for (int i = 0; i < 2; i++) {
    ct_copy3(prism[i], prism[i + 1]);
    ct_copy3(prism[i + 3], prism[i + 4]);
  }
  prism[2][0] = prism[5][0] = f->dx * (mjtNum)column - f->sx;
  prism[2][1] = prism[5][1] = f->dy * (mjtNum)row - f->sy;
  prism[2][2] = -f->base;
  prism[5][2] = (mjtNum)f->data[row * f->columns + column] * f->sz + margin;
}

LANE_FN static void hit_to_world(ct_Hit* hit, const ct_Shape* hfield) {
  ct_mul_mat_vec3(hit->frame, hfield->mat, hit->frame);
  ct_mul_mat_vec3(hit->pos, hfield->mat, hit->pos);
  ct_add_to3(hit->pos, hfield->pos);
}

// A direction along which a prism ended before the shape began. Its neighbours often do too, which
// their own support points show. A mesh goes without, whose answers depend on those before, and so
// does a shape with a negative margin, which has no surface that a direction could bound.
typedef struct {
  mjtNum direction[3];
  mjtNum height;  // where the shape begins along it
  mjtNum doubt;   // what GJK takes for contact, and rounding
  bool known;
} Gap;

LANE_FN static void remember_gap(Gap* gap, const ct_Ccd* c) {
  ct_Support shape = c->s2;
  mjtNum opposite[3], point[3];
  ct_copy3(gap->direction, c->direction);
  ct_scl3(opposite, c->direction, -1);
  ct_support(&shape, point, opposite);
  gap->height = ct_dot3(gap->direction, point) - shape.margin / 2;
  gap->known = shape.type != mjGEOM_MESH && shape.margin >= 0;
}

// Support points of a prism bound it if its top is above its bottom, which edits may change.
LANE_FN static bool ends_before(const Gap* gap, const ct_Support* prism) {
  mjtNum point[3];
  for (int k = 0; k < 3; k++) {
    if (!(prism->prism[k + 3][2] >= prism->prism[k][2])) return false;
  }
  ct_support_prism(prism, point, gap->direction);
  return gap->height - ct_dot3(gap->direction, point) > gap->doubt;
}

// The prisms below a support that is in the frame of the height field. shape: what corrects normals
// in the legacy solver, NULL for none.
LANE_FN static int prism_hits(const mjModel* m, ct_Hit* hit, const ct_HeightField* field,
                              const ct_Shape* hfield, const ct_Support* support,
                              const ct_Shape* shape, mjtNum margin) {
  ct_HeightField f = *field;
  mjtNum low[3], high[3], prism[6][3];

  // prisms are the first shape of the convex solver, without margin: it is in their height
  ct_Ccd c = ct_ccd_between(m, support, support);
  c.s1.type = CT_SUPPORT_PRISM;
  c.s1.margin = 0;
  c.s1.prism = (const mjtNum(*)[3])prism;

  Gap gap = {{0, 0, 0}, 0, 0, false};

  // the samples below the shape, by its exact extent; a pose that is not finite is nowhere
  int row0, row1, column0, column1, count = 0;
  shape_extent(&c.s2, low, high);
  if (!is_finite_box(low, high)) return 0;
  mjtNum bottom = low[2];
  mjtNum size = high[0] - low[0] + high[1] - low[1] + high[2] - low[2] + f.dx + f.dy;
  gap.doubt = (mjtNum)(sizeof(mjtNum) == 4 ? 1e-3 : 1e-5) * size + 2 * ct_abs(c.tolerance);
  sample_range(low[0], high[0], f.sx, f.columns, &column0, &column1);
  sample_range(low[1], high[1], f.sy, f.rows, &row0, &row1);
  for (int k = 0; k < 3; k++) {
    low[k] -= margin;
    high[k] += margin;
  }
  if (beyond_field(&f, low, high)) return 0;

  // Between two rows of samples the vertices zigzag, upper row first; each makes a triangle with
  // the two before it. Prisms that end below the shape are not looked at.
  bool legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  ct_zero(&prism[0][0], 18);
  for (int row = row0; row < row1; row++) {
    for (int i = 0; i < 2 * (column1 - column0 + 1); i++) {
      next_vertex(prism, &f, row + 1 - i % 2, column0 + i / 2, margin);
      if (i < 2) continue;
      if (prism[3][2] < bottom && prism[4][2] < bottom && prism[5][2] < bottom) continue;
      if (gap.known && ends_before(&gap, &c.s1)) continue;
      int found = legacy ? ct_mpr_hit(&c, hit + count, 0) : ct_deepest_hit(&c, hit + count, 0);
      if (!found) {
        if (!legacy && c.dist == CT_CCD_FAR) remember_gap(&gap, &c);
        continue;
      }
      hit_to_world(hit + count, hfield);
      if (legacy && shape) ct_correct_normals(hit + count, 1, NULL, shape);
      if (++count == CT_MOST_HITS) return count;
    }
  }
  return count;
}

LANE_FN int ct_hfield_convex(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                             const ct_Shape* shape, mjtNum margin) {
  ct_HeightField f = ct_height_field(m, hfield->geom);
  mjtNum pos[3], mat[9], low[3], high[3];

  // the shape in the frame of the height field
  ct_sub3(pos, shape->pos, hfield->pos);
  ct_mul_mat_t_vec3(pos, hfield->mat, pos);
  ct_mul_mat_t_mat3(mat, hfield->mat, shape->mat);
  ct_Shape local = *shape;
  local.pos = pos;
  local.mat = mat;

  // its bounding sphere must reach the field
  mjtNum reach = m->geom_rbound[shape->geom] + margin;
  for (int k = 0; k < 3; k++) {
    low[k] = pos[k] - reach;
    high[k] = pos[k] + reach;
  }
  if (beyond_field(&f, low, high)) return 0;

  // The older solver turns every shape, also a sphere, whose extent does not say whether it can be
  // turned: without this test each prism below it would be looked at, and none hit.
  bool legacy = (m->opt.disableflags & mjDSBL_NATIVECCD) != 0;
  if (legacy && !ct_are_finite(mat, 9)) return 0;
  ct_Support support = ct_support_start(m, &local, margin);
  return prism_hits(m, hit, &f, hfield, &support, shape, margin);
}

LANE_FN int ct_hfield_support(const mjModel* m, ct_Hit* hit, const ct_Shape* hfield,
                              const ct_Support* support, mjtNum margin) {
  ct_HeightField f = ct_height_field(m, hfield->geom);
  return prism_hits(m, hit, &f, hfield, support, NULL, margin);
}
