// The way of a taut string round a sphere or a cylinder.

#ifndef CT_ENGINE_SMOOTH_WRAP_H_
#define CT_ENGINE_SMOOTH_WRAP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

typedef struct ct_Detour_ {
  mjtNum arc;       // length on the surface; negative: the string passes without touching
  mjtNum touch[6];  // where it meets the surface and where it leaves it, in the world
} ct_Detour;

typedef struct ct_Obstacle_ {
  bool cylinder;      // about its z axis and without ends; otherwise a sphere
  mjtNum radius;      //
  const mjtNum* pos;  // (3) its frame in the world
  const mjtNum* mat;  // (9)
} ct_Obstacle;

// From x0 to x1, on the side of the point `side`, or the shorter way round if that is NULL. A side
// point inside the obstacle means that the string runs through it and is held by its inner surface.
LANE_FN ct_Detour ct_wrap(const ct_Obstacle* obstacle, const mjtNum x0[3], const mjtNum x1[3],
                          const mjtNum* side);

#ifndef __CUDACC__

typedef struct ct_WrapTask_ {
  ct_Obstacle obstacle;
  const mjtNum *x0, *x1, *side;
} ct_WrapTask;

// Four of them at once, with the same bits: wrap_four.c.
void ct_wrap_four(const ct_WrapTask task[4], ct_Detour* const to[4]);

#endif

// How the touching point of a string inside of a circle of radius r about the origin moves with the
// two ends: slope (4) is by how much it turns about the centre, with end[0][0], end[0][1],
// end[1][0] and end[1][1]. See wrap.c.
LANE_FN void ct_wrap_inside_slope(mjtNum r, const mjtNum end[2][2], mjtNum slope[4]);

#endif  // CT_ENGINE_SMOOTH_WRAP_H_
