// Polygons to triangles by clipping ears, as the reference does it, but not in quadratic time.

#ifndef CT_COMPILE_ASSETS_EAR_CLIPPING_H_
#define CT_COMPILE_ASSETS_EAR_CLIPPING_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"

typedef struct ct_EarClipper_ {  // all zero but pool and work: new
  ct_Pool* pool;
  long work;      // steps that may still be made; a million take some milliseconds
  size_t room;    // corners
  float *x, *y;   // (room) of the polygon to be cut
  int* triangle;  // (room x 3) corners of its triangles
  int *next, *previous;
  struct ct_EarBox_* box;
} ct_EarClipper;

// Makes room for a polygon of n corners; false without memory.
bool ct_ear_room(ct_EarClipper* clipper, int n);

// Cuts the polygon whose n > 3 corners are at (x, y) into at most n - 2 triangles. One that crosses
// itself may leave corners over that are no ears. Returns how many triangles there are; -1 when the
// work is used up.
int ct_clip_ears(ct_EarClipper* clipper, int n);

#endif  // CT_COMPILE_ASSETS_EAR_CLIPPING_H_
