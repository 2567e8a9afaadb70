// The shape of a string that hangs between two points.

#ifndef CT_VISUAL_HANGING_STRING_H_
#define CT_VISUAL_HANGING_STRING_H_

#include <mujoco/mjtnum.h>

enum { CT_MOST_STRING_POINTS = 100 };

// At most n >= 3 points of a string of this length from one end to the other; returns how many. A
// taut string has two, one whose ends are nearly above each other three.
int ct_hang_string(mjtNum (*point)[3], int n, const mjtNum end0[3], const mjtNum end1[3],
                   const mjtNum gravity[3], mjtNum length);

#endif  // CT_VISUAL_HANGING_STRING_H_
